//! Both ways against the published crate: the same bytes for the same random bytes, the same verdicts, the same masks.

use curve25519_dalek as dalek;
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::bulletproofs_plus::tari::{
    self, ExtendedMask, ExtensionDegree, RangeProof, RangeStatement, VerifyAction,
};
use curve25519_lanes::{RistrettoPoint, Scalar};
use tari_bulletproofs_plus as peer;
use tari_bulletproofs_plus::ristretto::{RistrettoRangeProof, create_pedersen_gens_with_extension_degree};

use super::common::Random;
use super::{Known, LABEL, parameters, zero_rng};

type PeerParameters = peer::range_parameters::RangeParameters<dalek::RistrettoPoint>;
type PeerStatement = peer::range_statement::RangeStatement<dalek::RistrettoPoint>;

/// A statement as the crate knows it.
pub(crate) struct Peer {
    pub(crate) statement: PeerStatement,
    witness: peer::range_witness::RangeWitness,
}

pub(crate) fn peer_parameters(bits: usize, degree: usize, limit: usize) -> PeerParameters {
    let degree = peer::generators::pedersen_gens::ExtensionDegree::try_from(degree).unwrap();
    PeerParameters::init(bits, limit, create_pedersen_gens_with_extension_degree(degree)).unwrap()
}

impl Peer {
    /// As [`Known::new`].
    pub(crate) fn new(
        parameters: &PeerParameters,
        values: &[u64],
        promises: &[Option<u64>],
        seed: Option<Scalar>,
    ) -> Peer {
        let degree = parameters.extension_degree() as u64;
        let masks = |j: usize| (0..degree).map(|k| dalek::Scalar::from(1000 + 10 * j as u64 + k)).collect::<Vec<_>>();
        let commit = |(j, v): (usize, &u64)| parameters.pc_gens().commit(&dalek::Scalar::from(*v), &masks(j)).unwrap();
        let seed = seed.map(|seed| dalek::Scalar::from_bytes_mod_order(seed.to_bytes()));
        let commitments = values.iter().enumerate().map(commit).collect();
        let opening = |(j, v): (usize, &u64)| peer::commitment_opening::CommitmentOpening::new(*v, masks(j));
        Peer {
            statement: PeerStatement::init(parameters.clone(), commitments, promises.to_vec(), seed).unwrap(),
            witness: peer::range_witness::RangeWitness::init(values.iter().enumerate().map(opening).collect()).unwrap(),
        }
    }

    /// The proof, and what the transcript says after it.
    pub(crate) fn prove(&self) -> (RistrettoRangeProof, [u8; 32]) {
        let mut transcript = tari_merlin::Transcript::new(LABEL.as_bytes());
        let proof =
            RistrettoRangeProof::prove_with_rng(&mut transcript, &self.statement, &self.witness, &mut zero_rng())
                .unwrap();
        (proof, peer_end(transcript))
    }
}

fn peer_end(mut transcript: tari_merlin::Transcript) -> [u8; 32] {
    let mut end = [0; 32];
    transcript.challenge_bytes(b"end", &mut end);
    end
}

fn end(mut transcript: Transcript) -> [u8; 32] {
    let mut end = [0; 32];
    transcript.challenge_bytes(b"end", &mut end);
    end
}

/// Masks and transcript ends, or a refusal.
type Found = Result<(Vec<Option<Vec<[u8; 32]>>>, Vec<[u8; 32]>), ()>;

pub(crate) fn verify(statements: &[RangeStatement], proofs: &[RangeProof], action: VerifyAction) -> Found {
    let mut transcripts = vec![Transcript::new(LABEL.as_bytes()); statements.len()];
    let masks = RangeProof::verify_batch(&mut transcripts, statements, proofs, action).map_err(|_| ())?;
    let bytes = |mask: &ExtendedMask| mask.blindings().iter().map(Scalar::to_bytes).collect();
    Ok((masks.iter().map(|mask| mask.as_ref().map(bytes)).collect(), transcripts.into_iter().map(end).collect()))
}

pub(crate) fn peer_verify(statements: &[PeerStatement], proofs: &[RistrettoRangeProof], action: VerifyAction) -> Found {
    let action = match action {
        VerifyAction::VerifyOnly => peer::range_proof::VerifyAction::VerifyOnly,
        VerifyAction::RecoverAndVerify => peer::range_proof::VerifyAction::RecoverAndVerify,
        VerifyAction::RecoverOnly => peer::range_proof::VerifyAction::RecoverOnly,
    };
    let mut transcripts = vec![tari_merlin::Transcript::new(LABEL.as_bytes()); statements.len()];
    let masks = RistrettoRangeProof::verify_batch(&mut transcripts, statements, proofs, action).map_err(|_| ())?;
    let bytes = |mask: &peer::extended_mask::ExtendedMask| {
        mask.blindings().unwrap().iter().map(dalek::Scalar::to_bytes).collect()
    };
    Ok((masks.iter().map(|mask| mask.as_ref().map(bytes)).collect(), transcripts.into_iter().map(peer_end).collect()))
}

const ACTIONS: [VerifyAction; 3] =
    [VerifyAction::VerifyOnly, VerifyAction::RecoverAndVerify, VerifyAction::RecoverOnly];

/// Values of this many bits, small and large ones, and promises below some of them.
fn values_and_promises(random: &mut Random, bits: usize, m: usize, promises: bool) -> (Vec<u64>, Vec<Option<u64>>) {
    let top = u64::MAX >> (64 - bits);
    let values: Vec<u64> = (0..m).map(|j| [random.next() & top, 0, top, 1 & top][j % 4]).collect();
    let promise = |v: &u64| match random.below(4) {
        0 => None,
        1 => Some(0),
        2 => Some(*v),
        _ => Some(v / 2),
    };
    let promises = if promises { values.iter().map(promise).collect() } else { vec![None; m] };
    (values, promises)
}

#[test]
fn bytes_verdicts_and_masks_over_the_grid() {
    let mut random = Random(8);
    // Cheap sizes in full; of the expensive ones a part, since the crate takes up to a quarter of a second each.
    let most = if cfg!(debug_assertions) { 16 } else { 512 };
    for bits in [2, 4, 8, 16, 32, 64] {
        for degree in 1..=6 {
            let parameters = parameters(bits, degree, 32);
            let wide = peer_parameters(bits, degree, if bits <= 8 { 32 } else { 4 });
            for m in [1, 2, 4, 8, 16, 32] {
                if bits * m > most || bits * m > 64 && !(degree + bits.ilog2() as usize + m).is_multiple_of(6) {
                    continue;
                }
                let theirs =
                    if m <= wide.max_aggregation_factor() { wide.clone() } else { peer_parameters(bits, degree, m) };
                let (promised, seeded) = (degree % 2 == 0, m == 1);
                let (values, promises) = values_and_promises(&mut random, bits, m, promised);
                let seed = seeded.then(|| Scalar::from(random.next()));
                let name = format!("{bits} bits, {m} values, {degree} masks");
                let ours = Known::new(&parameters, &values, &promises, seed);
                let theirs = Peer::new(&theirs, &values, &promises, seed);

                let (expected, expected_end) = theirs.prove();
                let mut transcript = Transcript::new(LABEL.as_bytes());
                let proof =
                    RangeProof::prove(&mut transcript, &ours.statement, &ours.witness(), &mut zero_rng()).unwrap();
                assert_eq!(proof.to_bytes(), expected.to_bytes(), "{name}");
                assert_eq!(end(transcript), expected_end, "{name}");

                for action in ACTIONS {
                    let found = verify(std::slice::from_ref(&ours.statement), std::slice::from_ref(&proof), action);
                    assert!(found.is_ok(), "{name} {action:?}");
                    let expected =
                        peer_verify(std::slice::from_ref(&theirs.statement), std::slice::from_ref(&expected), action);
                    assert_eq!(found, expected, "{name} {action:?}");
                }
            }
        }
    }
}

/// Bytes changed at random places: whatever the crate says, we say.
#[test]
fn equal_verdicts_on_mutated_proofs() {
    let mut random = Random(4);
    let (ours, theirs) = (parameters(8, 2, 4), peer_parameters(8, 2, 4));
    let mut accepted = 0;
    for round in 0..if cfg!(debug_assertions) { 20 } else { 300 } {
        let m = [1, 2, 4][round % 3];
        let (values, promises) = values_and_promises(&mut random, 8, m, true);
        let seed = (m == 1).then(|| Scalar::from(random.next()));
        let known = Known::new(&ours, &values, &promises, seed);
        let peer = Peer::new(&theirs, &values, &promises, seed);
        let mut bytes = known.prove().to_bytes();
        let part = |i: usize| 1 + 32 * i..33 + 32 * i;
        let parts = (bytes.len() - 1) / 32;
        let (i, j) = (random.below(parts), random.below(parts));
        match round % 10 {
            0 => {}
            1 => bytes[part(i)].fill(0),
            2 => bytes.copy_within(part(i), 1 + 32 * j),
            3 => bytes[part(i)].copy_from_slice(&random.bytes()),
            4 => bytes.truncate(1 + 32 * i),
            5 => bytes.extend_from_within(part(i)),
            6 => bytes.extend_from_within(1 + 32 * (parts - 2)..),
            7 => bytes[0] = random.below(8) as u8,
            _ => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        let (proof, peer_proof) = (RangeProof::from_bytes(&bytes), RistrettoRangeProof::from_bytes(&bytes));
        assert_eq!(proof.is_ok(), peer_proof.is_ok(), "{round}: {proof:?}");
        let (Ok(proof), Ok(peer_proof)) = (proof, peer_proof) else { continue };
        assert_eq!(proof.to_bytes(), bytes);
        for action in ACTIONS {
            let found = verify(std::slice::from_ref(&known.statement), std::slice::from_ref(&proof), action);
            assert_eq!(
                found,
                peer_verify(std::slice::from_ref(&peer.statement), std::slice::from_ref(&peer_proof), action),
                "{round} {action:?}"
            );
            accepted += usize::from(found.is_ok() && action != VerifyAction::RecoverOnly);
        }
    }
    assert!(accepted > 0);
}

#[test]
fn parameters_statements_and_witnesses_are_refused_alike() {
    let degree = ExtensionDegree::DefaultPedersen;
    for bits in [0, 1, 3, 63, 64, 65, 128, usize::MAX] {
        for limit in [0, 1, 3, 4] {
            let ours = tari::RangeParameters::init(bits, limit, tari::PedersenGens::new(degree));
            let gens = create_pedersen_gens_with_extension_degree(
                peer::generators::pedersen_gens::ExtensionDegree::DefaultPedersen,
            );
            assert_eq!(ours.is_ok(), PeerParameters::init(bits, limit, gens).is_ok(), "{bits} {limit}");
        }
    }
    let (ours, theirs) = (parameters(4, 1, 4), peer_parameters(4, 1, 4));
    for m in 0..=8 {
        for promises in [m, m + 1] {
            for seed in [None, Some(5u64)] {
                let points = vec![RistrettoPoint::BASEPOINT; m];
                let found =
                    RangeStatement::init(ours.clone(), points, vec![None; promises], seed.map(Scalar::from)).is_ok();
                let points = vec![dalek::constants::RISTRETTO_BASEPOINT_POINT; m];
                let seed = seed.map(dalek::Scalar::from);
                let expected = PeerStatement::init(theirs.clone(), points, vec![None; promises], seed).is_ok();
                assert_eq!(found, expected, "{m} {promises}");
            }
        }
    }
    for counts in [&[][..], &[0], &[1], &[6], &[7], &[1, 1], &[1, 2], &[2, 0]] {
        let opening = |n: &usize| tari::CommitmentOpening::new(1, vec![Scalar::ONE; *n]);
        let found = tari::RangeWitness::init(counts.iter().map(opening).collect()).is_ok();
        let opening = |n: &usize| peer::commitment_opening::CommitmentOpening::new(1, vec![dalek::Scalar::ONE; *n]);
        let expected = peer::range_witness::RangeWitness::init(counts.iter().map(opening).collect()).is_ok();
        assert_eq!(found, expected, "{counts:?}");
    }
}

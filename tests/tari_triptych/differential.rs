//! Both ways against the published crate: the same bytes for the same random bytes, the same verdicts.

use std::sync::Arc;

use curve25519_lanes::proofs::triptych::tari::{Form, Parameters, Proof, verify, verify_batch};
use dalek_4::ristretto::CompressedRistretto;
use dalek_4::{RistrettoPoint, Scalar};
use rand_chacha_0_3::ChaCha12Rng;
use rand_chacha_0_3::rand_core::SeedableRng;
use triptych::parallel;

use super::common::Random;
use super::{Case, transcript};

fn points(encodings: &[[u8; 32]]) -> Vec<RistrettoPoint> {
    encodings.iter().map(|bytes| CompressedRistretto(*bytes).decompress().unwrap()).collect()
}

fn peer_scalar(scalar: &curve25519_lanes::Scalar) -> Scalar {
    Scalar::from_canonical_bytes(scalar.to_bytes()).unwrap()
}

fn peer_transcript() -> merlin::Transcript {
    merlin::Transcript::new(b"test")
}

/// The statement and witness of a case as the crate knows them.
#[allow(clippy::large_enum_variant, reason = "a few of them")]
enum Peer {
    Single(triptych::TriptychStatement, triptych::TriptychWitness),
    Parallel(parallel::TriptychStatement, parallel::TriptychWitness),
}

impl Peer {
    fn new(case: &Case) -> Peer {
        let (n, m) = case.statement.inputs().parameters().n_and_m();
        let (n, m) = (n as u32, m as u32);
        let (keys, auxiliary) = (points(&case.keys), points(&case.auxiliary));
        let tag = points(&[case.tag])[0];
        let (index, r) = (case.witness.index as u32, peer_scalar(&case.witness.key));
        match case.offset {
            None => {
                let params = Arc::new(triptych::TriptychParameters::new(n, m).unwrap());
                let inputs = triptych::TriptychInputSet::new_with_padding(&keys, &params).unwrap();
                let witness = triptych::TriptychWitness::new(&params, index, &r).unwrap();
                let statement = triptych::TriptychStatement::new(&params, &Arc::new(inputs), &tag).unwrap();
                Peer::Single(statement, witness)
            }
            Some(offset) => {
                let params = Arc::new(parallel::TriptychParameters::new(n, m).unwrap());
                let inputs = parallel::TriptychInputSet::new_with_padding(&keys, &auxiliary, &params).unwrap();
                let r1 = peer_scalar(case.witness.auxiliary.as_ref().unwrap());
                let witness = parallel::TriptychWitness::new(&params, index, &r, &r1).unwrap();
                let offset = points(&[offset])[0];
                let statement = parallel::TriptychStatement::new(&params, &Arc::new(inputs), &offset, &tag).unwrap();
                Peer::Parallel(statement, witness)
            }
        }
    }

    /// A proof from random bytes that follow from `seed`.
    fn prove(&self, seed: [u8; 32]) -> Vec<u8> {
        let (rng, transcript) = (&mut ChaCha12Rng::from_seed(seed), &mut peer_transcript());
        match self {
            Peer::Single(statement, witness) => {
                triptych::TriptychProof::prove_with_rng(witness, statement, rng, transcript).unwrap().to_bytes()
            }
            Peer::Parallel(statement, witness) => {
                parallel::TriptychProof::prove_with_rng(witness, statement, rng, transcript).unwrap().to_bytes()
            }
        }
    }

    /// Whether the bytes are a proof, and whether it is valid.
    fn verdict(&self, bytes: &[u8]) -> Option<bool> {
        match self {
            Peer::Single(statement, _) => {
                let proof = triptych::TriptychProof::from_bytes(bytes).ok()?;
                Some(proof.verify(statement, &mut peer_transcript()).is_ok())
            }
            Peer::Parallel(statement, _) => {
                let proof = parallel::TriptychProof::from_bytes(bytes).ok()?;
                Some(proof.verify(statement, &mut peer_transcript()).is_ok())
            }
        }
    }
}

/// Whether the bytes can be read, and whether they prove the statement of a case.
fn verdict(case: &Case, bytes: &[u8]) -> Option<bool> {
    let proof = Proof::from_bytes(case.statement.inputs().parameters().form(), bytes).ok()?;
    Some(verify(Case { proof, ..case.clone() }.entry(&transcript())).is_ok())
}

const FORMS: [Form; 2] = [Form::Single, Form::Parallel];

#[test]
fn bytes_and_verdicts_over_the_grid() {
    let mut random = Random(21);
    let sizes: &[(u32, u32)] = if cfg!(debug_assertions) {
        &[(2, 2), (3, 2)]
    } else {
        // The last has more cells than the generators of other one-of-many proofs.
        &[(2, 2), (2, 3), (3, 2), (5, 2), (3, 3), (4, 3), (2, 7), (16, 2), (70, 2)]
    };
    for form in FORMS {
        for &(n, m) in sizes {
            let parameters = Parameters::new(form, n, m).unwrap();
            let ring = parameters.ring_size();
            let mut cases = Vec::new();
            for (count, index) in [(ring, 0), (ring, ring - 1), (ring - 1, ring - 1), (1, random.below(ring))] {
                let case = Case::new(&mut random, &parameters, count, index);
                let peer = Peer::new(&case);
                let name = format!("{form:?} {n}^{m}, {count} keys, signer {index}");
                let expected = peer.prove([0; 32]);
                assert_eq!(case.proof.to_bytes(), expected, "{name}");
                assert_eq!(expected.len() as u128, Proof::size(form, n, m), "{name}");
                // Theirs here, of other random bytes; ours there.
                assert_eq!(verdict(&case, &peer.prove([7; 32])), Some(true), "{name}");
                assert_eq!(peer.verdict(&case.proof.to_bytes()), Some(true), "{name}");
                cases.push(case);
            }
            let transcript = transcript();
            let entries: Vec<_> = cases.iter().map(|case| case.entry(&transcript)).collect();
            assert_eq!(verify_batch(&entries), Ok(()));
        }
    }
}

/// Bytes changed at random places: whatever the crate says, we say.
#[test]
fn equal_verdicts_on_mutated_proofs() {
    let mut random = Random(22);
    for form in FORMS {
        let parameters = Parameters::new(form, 3, 2).unwrap();
        let case = Case::new(&mut random, &parameters, 8, 3);
        let peer = Peer::new(&case);
        let good = case.proof.to_bytes();
        let parts = (good.len() - 8) / 32;
        let (mut valid, mut invalid, mut unreadable) = (0, 0, 0);
        for round in 0..if cfg!(debug_assertions) { 40 } else { 400 } {
            let mut bytes = good.clone();
            let part = |i: usize| 8 + 32 * i..40 + 32 * i;
            let (i, j) = (random.below(parts), random.below(parts));
            match round % 10 {
                0 => {}
                1 => bytes[part(i)].fill(0),
                2 => bytes.copy_within(part(i), 8 + 32 * j),
                3 => bytes[part(i)].copy_from_slice(&random.bytes()),
                4 => bytes.truncate(8 + 32 * i),
                5 => bytes.extend_from_within(part(i)),
                6 => bytes[4 * random.below(2)] = random.below(5) as u8,
                7 => bytes[random.below(8)] ^= 1 << random.below(8),
                _ => {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
            }
            let expected = peer.verdict(&bytes);
            // The crate decodes points when it reads them, we when we verify.
            assert_eq!(verdict(&case, &bytes).unwrap_or(false), expected.unwrap_or(false), "{form:?} {round}");
            match expected {
                Some(true) => valid += 1,
                Some(false) => invalid += 1,
                None => unreadable += 1,
            }
        }
        assert!(valid > 0 && invalid > 0 && unreadable > 0, "{valid} {invalid} {unreadable}");
    }
}

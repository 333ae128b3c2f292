//! Other people's crates, feature `peers`: the same work on the same inputs, checked before it is timed.

use std::hint::black_box;
use std::sync::Arc;

use ark_bn254::Fr as PeerFr;
use ark_ff::{AdditiveGroup as _, BigInteger as _, Field as _, PrimeField as _};
use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use bulletproofs::{BulletproofGens, PedersenGens, RangeProof as Bulletproof};
use curve25519_dalek as dalek;
use curve25519_lanes::hash::blake2b_256;
use curve25519_lanes::proofs::bulletproofs_plus::tari::VerifyAction;
use curve25519_lanes::tx::mantle::Variant;
use rand_chacha_0_3::ChaCha12Rng;
use rand_chacha_0_3::rand_core::SeedableRng as _;
use tari_bulletproofs_plus as tari;
use tari_bulletproofs_plus::ristretto::{RistrettoRangeProof, create_pedersen_gens_with_extension_degree};

use super::inputs::Numbers;
use super::record::Kind;
use super::work::{Run, Work};
use crate::made::{LABEL, Linked, Ranged, Signed, TariRanged, fault};
use crate::output::Unusable;

/// Implementations that join a case made by others.
pub(super) struct Peers(Vec<(&'static str, Run<'static>)>);

impl Peers {
    /// One whose result is a verdict.
    fn verifier(name: &'static str, mut verify: impl FnMut() -> bool + 'static) -> Peers {
        Peers(vec![(name, Box::new(move |_| Some(vec![u8::from(black_box(verify()))])))])
    }

    pub(super) fn join<'a>(self, mut work: Work<'a>) -> Work<'a> {
        for (name, run) in self.0 {
            work = work.contender(name, Kind::Peer, None, run);
        }
        work
    }
}

/// aws-lc-rs, its keys made beforehand; a single exchange only, as it has no batches.
pub(super) fn x25519<'a>(work: Work<'a>, secrets: &[[u8; 32]], publics: &[[u8; 32]]) -> Result<Work<'a>, Unusable> {
    let ([secret], [public]) = (secrets, publics) else { return Ok(work) };
    let key = PrivateKey::from_private_key(&X25519, secret).map_err(fault)?;
    let public = UnparsedPublicKey::new(&X25519, *public);
    let exchange = move || agree(&key, public, (), |shared| Ok(shared.to_vec())).unwrap_or_default();
    Ok(work.peer("aws-lc-rs", exchange, |shared: &Vec<u8>| shared.clone()))
}

/// Variants that are sponges over BN254: by the permutation of taceo-poseidon2.
pub(super) fn mantle<'a>(work: Work<'a>, variant: Variant, encoding: &'a [u8]) -> Work<'a> {
    const NAME: &str = "taceo-poseidon2";
    let sponge = |elements: &mut dyn Iterator<Item = &[u8]>| {
        let mut state = [PeerFr::ZERO; 3];
        for element in elements.map(PeerFr::from_le_bytes_mod_order).chain([PeerFr::ONE]) {
            state[0] += element;
            taceo_poseidon2::bn254::t3::permutation_in_place(&mut state);
        }
        state[0].into_bigint().to_bytes_le()
    };
    match variant {
        Variant::A2 => work.peer(
            NAME,
            move || sponge(&mut [&b"MANTLE_TXHASH_V1"[..]].into_iter().chain(encoding.chunks(31))),
            |hash| hash.clone(),
        ),
        Variant::R => work.peer(NAME, move || sponge(&mut blake2b_256(encoding).chunks(31)), |hash| hash.clone()),
        _ => work,
    }
}

/// The same states, one after the other.
pub(super) fn poseidon2(work: Work<'_>, count: usize) -> Work<'_> {
    let states: Vec<[PeerFr; 3]> = (0..count as u64).map(|i| [i + 7, i + 8, i + 9].map(PeerFr::from)).collect();
    let permute = move || {
        let mut states = states.clone();
        states.iter_mut().for_each(taceo_poseidon2::bn254::t3::permutation_in_place);
        states
    };
    work.peer("taceo-poseidon2", permute, |states| {
        states.iter().flatten().flat_map(|x| x.into_bigint().to_bytes_le()).collect()
    })
}

/// monero-bulletproofs, by its batch verifier.
pub(super) fn monero_bpplus(made: &[Ranged]) -> Result<Peers, Unusable> {
    let mut proofs = Vec::new();
    for ranged in made {
        let proof = monero_bulletproofs::Bulletproof::read_plus(&mut &ranged.proof.to_bytes()[..]).map_err(fault)?;
        let points: Vec<_> = ranged.commitments.iter().map(|c| monero_ed25519::CompressedPoint::from(*c)).collect();
        proofs.push((proof, points));
    }
    let mut rng = ChaCha12Rng::from_seed([9; 32]);
    Ok(Peers::verifier("monero-bulletproofs", move || {
        let mut batch = monero_bulletproofs::BatchVerifier::new();
        proofs.iter().all(|(proof, points)| proof.batch_verify(&mut rng, &mut batch, points)) && batch.verify()
    }))
}

/// monero-clsag, one after the other: it has no batches.
pub(super) fn clsag(made: &[Signed]) -> Result<Peers, Unusable> {
    let point = |bytes: &[u8; 32]| monero_ed25519::CompressedPoint::from(*bytes);
    let mut all = Vec::new();
    for signed in made {
        let s = signed.statement();
        let signature = monero_clsag::Clsag::read(s.ring.len(), &mut &s.signature.to_bytes()[..]).map_err(fault)?;
        let ring: Vec<_> = s.ring.iter().map(|m| [point(&m.key), point(&m.commitment)]).collect();
        all.push((signature, ring, point(s.key_image), point(s.pseudo_out), *s.message));
    }
    Ok(Peers::verifier("monero-clsag", move || {
        all.iter().all(|(signature, ring, image, pseudo_out, message)| {
            signature.verify(ring.clone(), image, pseudo_out, message).is_ok()
        })
    }))
}

/// triptych, all proofs over one ring.
pub(super) fn triptych(made: &[Linked], m: u32) -> Result<Peers, Unusable> {
    use triptych::{
        Transcript, TriptychInputSet, TriptychParameters, TriptychProof, TriptychStatement, TriptychWitness,
    };
    let debug = |error: &dyn std::fmt::Debug| fault(format!("{error:?}"));
    let parameters = Arc::new(TriptychParameters::new(2, m).map_err(|error| debug(&error))?);
    let keys: Vec<_> = (1..=1u64 << m).map(|k| dalek_4::RistrettoPoint::mul_base(&dalek_4::Scalar::from(k))).collect();
    let inputs = Arc::new(TriptychInputSet::new(&keys).map_err(|error| debug(&error))?);
    let (mut statements, mut proofs) = (Vec::new(), Vec::new());
    for (turn, linked) in made.iter().enumerate() {
        let index = turn % keys.len();
        let secret = dalek_4::Scalar::from(index as u64 + 1);
        let witness = TriptychWitness::new(&parameters, index as u32, &secret).map_err(|error| debug(&error))?;
        let statement = TriptychStatement::new(&parameters, &inputs, &witness.compute_linking_tag());
        statements.push(statement.map_err(|error| debug(&error))?);
        proofs.push(TriptychProof::from_bytes(&linked.proof.to_bytes()).map_err(|error| debug(&error))?);
    }
    Ok(Peers::verifier("triptych", move || {
        let mut transcripts: Vec<_> = proofs.iter().map(|_| Transcript::new(LABEL)).collect();
        TriptychProof::verify_batch(&statements, &proofs, &mut transcripts).is_ok()
    }))
}

type TariStatement = tari::range_statement::RangeStatement<dalek::RistrettoPoint>;

/// The statements that [`TariRanged`] makes, and their witnesses.
fn tari_statements(
    values: usize,
    masks: usize,
    count: usize,
    seeds: bool,
) -> Result<Vec<(TariStatement, tari::range_witness::RangeWitness)>, Unusable> {
    let degree = tari::generators::pedersen_gens::ExtensionDegree::try_from(masks).map_err(fault)?;
    let gens = create_pedersen_gens_with_extension_degree(degree);
    let parameters = tari::range_parameters::RangeParameters::init(64, values, gens).map_err(fault)?;
    let mut out = Vec::new();
    for i in 0..count as u64 {
        let (mut openings, mut commitments, mut promises) = (Vec::new(), Vec::new(), Vec::new());
        for j in 0..values as u64 {
            let (value, masks) = TariRanged::opening(i, j, masks);
            let masks: Vec<dalek::Scalar> = masks.into_iter().map(dalek::Scalar::from).collect();
            let commitment = parameters.pc_gens().commit(&dalek::Scalar::from(value), &masks);
            commitments.push(commitment.map_err(fault)?);
            promises.push(Some(value / 3));
            openings.push(tari::commitment_opening::CommitmentOpening::new(value, masks));
        }
        let witness = tari::range_witness::RangeWitness::init(openings).map_err(fault)?;
        let seed = seeds.then(|| dalek::Scalar::from(i + 1));
        let statement = tari::range_statement::RangeStatement::init(parameters.clone(), commitments, promises, seed);
        out.push((statement.map_err(fault)?, witness));
    }
    Ok(out)
}

/// tari_bulletproofs_plus; the bytes are the same.
pub(super) fn tari_prove(values: usize, masks: usize) -> Result<Peers, Unusable> {
    let (statement, witness) = tari_statements(values, masks, 1, false)?.swap_remove(0);
    let prove = move |asked: bool| {
        let mut transcript = tari_merlin::Transcript::new(LABEL);
        let proof = RistrettoRangeProof::prove_with_rng(&mut transcript, &statement, &witness, &mut Numbers::new(0));
        let proof = black_box(proof);
        asked.then(|| proof.map(|proof| proof.to_bytes()).unwrap_or_default())
    };
    Ok(Peers(vec![("tari_bulletproofs_plus", Box::new(prove))]))
}

/// tari_bulletproofs_plus, and, if asked for, a Bulletproof of as many values by crate bulletproofs.
pub(super) fn tari_verify(
    made: &TariRanged,
    values: usize,
    masks: usize,
    action: VerifyAction,
    single: bool,
) -> Result<Peers, Unusable> {
    let statements = tari_statements(values, masks, made.proofs.len(), !single)?;
    let statements: Vec<TariStatement> = statements.into_iter().map(|(statement, _)| statement).collect();
    let proofs = made.proofs.iter().map(|proof| RistrettoRangeProof::from_bytes(&proof.to_bytes()));
    let proofs: Vec<RistrettoRangeProof> = proofs.collect::<Result<_, _>>().map_err(fault)?;
    let action = match action {
        VerifyAction::VerifyOnly => tari::range_proof::VerifyAction::VerifyOnly,
        VerifyAction::RecoverAndVerify => tari::range_proof::VerifyAction::RecoverAndVerify,
        VerifyAction::RecoverOnly => tari::range_proof::VerifyAction::RecoverOnly,
    };
    let verify = move |_: bool| -> Option<Vec<u8>> {
        let mut transcripts = vec![tari_merlin::Transcript::new(LABEL); proofs.len()];
        let found = RistrettoRangeProof::verify_batch(&mut transcripts, &statements, &proofs, action).ok()?;
        let mut bytes = vec![1];
        for mask in found.iter().flatten() {
            bytes.extend(mask.blindings().ok()?.iter().flat_map(dalek::Scalar::to_bytes));
        }
        Some(bytes)
    };
    let mut peers = Peers(vec![("tari_bulletproofs_plus", Box::new(verify))]);
    if single && masks == 1 {
        peers.0.extend(bulletproof(values)?.0);
    }
    Ok(peers)
}

fn bulletproof(values: usize) -> Result<Peers, Unusable> {
    let (gens, pedersen) = (BulletproofGens::new(64, values), PedersenGens::default());
    let mut rng = ChaCha12Rng::from_seed([0; 32]);
    let amounts: Vec<u64> = (0..values as u64).map(|j| u64::MAX / 3 + j).collect();
    let masks: Vec<_> = (0..values as u64).map(dalek_4::Scalar::from).collect();
    let mut transcript = merlin::Transcript::new(LABEL);
    let made = Bulletproof::prove_multiple_with_rng(&gens, &pedersen, &mut transcript, &amounts, &masks, 64, &mut rng);
    let (proof, commitments) = made.map_err(|error| fault(format!("{error:?}")))?;
    Ok(Peers::verifier("bulletproofs", move || {
        let mut transcript = merlin::Transcript::new(LABEL);
        proof.verify_multiple_with_rng(&gens, &pedersen, &mut transcript, &commitments, 64, &mut rng).is_ok()
    }))
}

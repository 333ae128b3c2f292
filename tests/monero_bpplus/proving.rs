//! The prover against the published crate, both ways.

use core::convert::Infallible;

use curve25519_lanes::proofs::bulletproofs_plus::monero::{Opening, OutputCount, ProveError};
use monero_bulletproofs::{BatchVerifier, Bulletproof};
use monero_ed25519::{Commitment, CompressedPoint};

use super::*;

/// A source that gives prescribed scalars: each as 64 bytes, the upper half zero.
struct Prescribed(std::vec::IntoIter<[u8; 32]>);

impl rand_core::TryRng for Prescribed {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("the prover draws bytes")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("the prover draws bytes")
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        assert_eq!(out.len(), 64);
        out.fill(0);
        out[..32].copy_from_slice(&self.0.next().expect("a nonce is left"));
        Ok(())
    }
}
impl rand_core::TryCryptoRng for Prescribed {}

/// Amounts at the ends of the range and in between, random masks.
fn openings(n: usize, random: &mut Random) -> Vec<Opening> {
    let edges = [0, u64::MAX, 1, 1 << 63, (1 << 63) - 1, 1 << 32];
    (0..n).map(|i| Opening::new(if i < 6 { edges[i] } else { random.next() }, Scalar::random(random))).collect()
}

fn peer_commitments(openings: &[Opening]) -> Vec<Commitment> {
    let mask = |o: &Opening| monero_ed25519::Scalar::read(&mut &o.mask.to_bytes()[..]).unwrap();
    openings.iter().map(|o| Commitment::new(mask(o), o.amount)).collect()
}

#[test]
fn known_answers() {
    let Some(cases) = json_cases("monero_bpplus_kat.json") else { return };
    let mut seen = 0;
    for case in &cases {
        let nonces = &case["randomness"];
        if nonces.is_null() {
            continue;
        }
        let rounds = list32(&nonces["dL"]).into_iter().zip(list32(&nonces["dR"])).flat_map(|(l, r)| [l, r]);
        let last = ["r", "s", "d", "eta"].map(|name| bytes32(&nonces[name]));
        let all: Vec<_> = [bytes32(&nonces["alpha"])].into_iter().chain(rounds).chain(last).collect();
        let masks = list32(&case["masks"]).into_iter().map(|m| Scalar::from_canonical_bytes(m).unwrap());
        let amounts = case["amounts"].as_array().unwrap().iter().map(|a| a.as_u64().unwrap());
        let openings: Vec<Opening> = amounts.zip(masks).map(|(a, m)| Opening::new(a, m)).collect();
        let expected = Case::new(case);
        let commitments: Vec<_> = openings.iter().map(|o| o.commit().0).collect();
        assert_eq!(commitments, expected.commitments);
        let mut source = Prescribed(all.into_iter());
        assert_eq!(monero::prove(&openings, &mut source).unwrap(), expected.proof);
        assert_eq!(source.0.len(), 0, "every nonce is used");
        seen += 1;
    }
    assert!(seen >= 2);
}

/// The same random bytes make the same proof here and there.
pub(super) fn same_bytes_as_the_published_crate(n: usize) {
    let openings = openings(n, &mut Random(5));
    let ours = monero::prove(&openings, &mut Random(n as u64)).unwrap();
    let peer = Bulletproof::prove_plus(&mut Random(n as u64), peer_commitments(&openings)).unwrap();
    assert_eq!(ours.to_bytes(), peer.serialize(), "{n}");
}

#[test]
fn both_ways_with_the_published_crate() {
    let mut random = Random(2);
    let mut ours = Vec::new();
    for n in 1..=MAX_OUTPUTS {
        let openings = openings(n, &mut random);
        let commitments: Vec<_> = openings.iter().map(|o| o.commit().0).collect();
        let peer_points: Vec<_> = commitments.iter().map(|c| CompressedPoint::from(*c)).collect();

        let proof = monero::prove(&openings, &mut random).unwrap();
        let peer = Bulletproof::read_plus(&mut &proof.to_bytes()[..]).unwrap();
        assert!(peer.verify(&mut random, &peer_points), "{n}");
        assert_eq!(monero::verify(&commitments, &proof), Ok(()), "{n}");

        let peer = Bulletproof::prove_plus(&mut random, peer_commitments(&openings)).unwrap();
        let theirs = RangeProof::from_bytes(&peer.serialize()).unwrap();
        assert_eq!(theirs.to_bytes(), peer.serialize());
        assert_eq!(monero::verify(&commitments, &theirs), Ok(()), "{n}");
        same_bytes_as_the_published_crate(n);
        ours.push(Case { commitments: commitments.clone(), proof, expected: true });
        ours.push(Case { commitments, proof: theirs, expected: true });
    }
    assert_eq!(monero::verify_batch(&statements(&ours)), Ok(()));
    let mut batch = BatchVerifier::new();
    for case in &ours {
        let peer = Bulletproof::read_plus(&mut &case.proof.to_bytes()[..]).unwrap();
        let points: Vec<_> = case.commitments.iter().map(|c| CompressedPoint::from(*c)).collect();
        assert!(peer.batch_verify(&mut random, &mut batch, &points));
    }
    assert!(batch.verify());
}

#[test]
fn number_of_openings() {
    let mut random = Random(3);
    for found in [0, MAX_OUTPUTS + 1] {
        let error = monero::prove(&openings(found, &mut random), &mut random).unwrap_err();
        assert_eq!(error, ProveError::Outputs(OutputCount { found, limit: MAX_OUTPUTS }));
    }
}

#[test]
fn the_largest_extended_proof() {
    let generators = Generators::new(monero::MAX_OUTPUTS_EXTENDED).unwrap();
    let mut random = Random(4);
    let openings = openings(monero::MAX_OUTPUTS_EXTENDED, &mut random);
    let commitments: Vec<_> = openings.iter().map(|o| o.commit().0).collect();
    let proof = generators.prove(&openings, &mut random).unwrap();
    assert_eq!(RangeProof::from_bytes(&proof.to_bytes()).as_ref(), Ok(&proof));
    assert_eq!(generators.verify(&commitments, &proof), Ok(()));
    let small = monero::verify(&commitments, &proof).unwrap_err();
    assert_eq!(small, VerifyError::Outputs(OutputCount { found: 128, limit: MAX_OUTPUTS }));
    // Two outputs exchanged: only a few of the 8192 scalars of each kind see it.
    let mut exchanged = commitments;
    exchanged.swap(126, 127);
    assert_eq!(generators.verify(&exchanged, &proof), Err(VerifyError::Equation));
}

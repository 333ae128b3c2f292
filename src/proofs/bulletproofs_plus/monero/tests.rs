//! Proofs that only a prover inside the crate can make: with small-order parts that the transcript knows of.

use alloc::vec::Vec;
use core::cell::Cell;

use monero_bulletproofs::Bulletproof;
use monero_ed25519::CompressedPoint;

use super::{Generators, Opening, RangeProof, Statement, VerifyError};
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint, compress_batch};
use crate::test_util::Random;

/// A point of order 8.
fn order_eight() -> EdwardsPoint {
    let encoding = [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20,
        0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ];
    let point = CompressedEdwardsY(encoding).decompress_strict().unwrap();
    assert!(bool::from(point.is_small_order()));
    assert!(!bool::from(point.mul_by_pow_2(2).is_identity()));
    point
}

fn small_multiple(n: usize) -> EdwardsPoint {
    (0..n % 8).map(|_| order_eight()).sum()
}

/// The verdict of the published crate.
fn peer(commitments: &[[u8; 32]], proof: &RangeProof) -> bool {
    /// The peer's batch weights.
    struct Source(Random);
    impl rand_core_0_6::RngCore for Source {
        fn next_u32(&mut self) -> u32 {
            self.0.next() as u32
        }
        fn next_u64(&mut self) -> u64 {
            self.0.next()
        }
        fn fill_bytes(&mut self, out: &mut [u8]) {
            out.fill_with(|| self.0.next() as u8);
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
            self.fill_bytes(out);
            Ok(())
        }
    }
    impl rand_core_0_6::CryptoRng for Source {}
    let commitments: Vec<_> = commitments.iter().map(|c| CompressedPoint::from(*c)).collect();
    let proof = Bulletproof::read_plus(&mut &proof.to_bytes()[..]).unwrap();
    proof.verify(&mut Source(Random::new(1)), &commitments)
}

/// The equation does not see small-order parts; the transcript does. So a proof is valid if its prover hashed the very
/// points it sends, small-order parts included, and invalid if one was added, changed or taken away afterwards.
#[test]
fn small_order_parts_are_judged_as_the_published_verifier_judges_them() {
    let generators = Generators::new(4).unwrap();
    let mut random = Random::new(9);
    let mut valid = Vec::new();
    let outputs: &[u64] = if cfg!(debug_assertions) { &[1, 3] } else { &[1, 2, 3, 4] };
    for &m in outputs {
        let mut scalar = || Scalar::from_bytes_mod_order_wide(&random.bytes64());
        let openings: Vec<_> = (0..m).map(|i| Opening::new(u64::MAX - i, scalar())).collect();
        // The n-th point to be encoded gets n times the point of order 8, from 1. The first m are the V.
        let encoded = Cell::new(0);
        let twisted = |points: &[EdwardsPoint]| {
            let twist = |p: &EdwardsPoint| {
                encoded.set(encoded.get() + 1);
                *p + small_multiple(encoded.get())
            };
            compress_batch(&points.iter().map(twist).collect::<Vec<_>>())
        };
        let proof = generators.prove_with(&openings, &mut scalar, &twisted).unwrap();
        // 1/8 mod l is 1 mod 8: V = (1/8)·C keeps the small-order part of C.
        let plain: Vec<_> = openings.iter().map(Opening::commit).collect();
        let points = plain.iter().map(|c| c.decompress_strict().unwrap());
        let commitments: Vec<_> = points.enumerate().map(|(i, c)| (c + small_multiple(i + 1)).compress().0).collect();

        assert_eq!(generators.verify(&commitments, &proof), Ok(()));
        assert!(peer(&commitments, &proof));
        let plain: Vec<_> = plain.into_iter().map(|c| c.0).collect();
        assert_eq!(generators.verify(&plain, &proof), Err(VerifyError::Equation));
        assert!(!peer(&plain, &proof));
        for part in 0..5 {
            let mut changed = proof.clone();
            let (l, r) = (changed.l.len() - 1, changed.r.len() - 1);
            let part = [&mut changed.a, &mut changed.a1, &mut changed.b, &mut changed.l[l], &mut changed.r[r]]
                .into_iter()
                .nth(part)
                .unwrap();
            *part = (CompressedEdwardsY(*part).decompress_strict().unwrap() + order_eight()).compress().0;
            assert_eq!(generators.verify(&commitments, &changed), Err(VerifyError::Equation));
            assert!(!peer(&commitments, &changed));
        }
        valid.push((commitments, proof));
    }
    let items: Vec<_> = valid.iter().map(|(commitments, proof)| Statement { commitments, proof }).collect();
    assert_eq!(generators.verify_batch(&items), Ok(()));
}

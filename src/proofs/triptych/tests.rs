//! Prover against verifier, attacks, and mutations. Known answers are in `tests/seraphis_proofs`.

use alloc::vec::Vec;

use super::prove::prove_with;
use super::*;
use crate::group::{monero_hash_to_point, monero_map};
use crate::hash::keccak256;
use crate::proofs::accumulator::{Blame, Limits};
use crate::test_util::Random;

#[derive(Clone)]
struct Case {
    shape: Shape,
    message: [u8; 32],
    ring: Vec<[u8; 32]>,
    offset: [u8; 32],
    tag: [u8; 32],
    proof: Proof,
}

impl Case {
    fn statement(&self) -> Statement<'_> {
        let Case { shape, message, ring, offset, tag, proof } = self;
        Statement { shape: *shape, message: *message, ring, offset: *offset, tag: *tag, proof }
    }
}

fn scalar(random: &mut Random) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&random.bytes64())
}

/// A proof over random points; those listed get a small-order part.
fn case(random: &mut Random, shape: Shape, index: usize, bent: &[usize]) -> Case {
    let offset = EdwardsPoint::mul_base(&scalar(random));
    case_with_offset(random, shape, index, bent, offset)
}

fn case_with_offset(random: &mut Random, shape: Shape, index: usize, bent: &[usize], offset: EdwardsPoint) -> Case {
    let witness = Witness { index, key: scalar(random), commitment: scalar(random) };
    let count = 2 * shape.ring_size();
    let mut points: Vec<EdwardsPoint> = (0..=count).map(|_| EdwardsPoint::mul_base(&scalar(random))).collect();
    points[count] = offset;
    points[2 * index] = EdwardsPoint::mul_base(&witness.key);
    points[2 * index + 1] = points[count] + EdwardsPoint::mul_base(&witness.commitment);
    for &i in bent {
        points[i] += Scalar::ORDER * monero_map(&random.bytes());
    }
    let encoded: Vec<[u8; 32]> = points.iter().map(|p| p.compress().0).collect();
    let (ring, offset) = (&encoded[..count], encoded[count]);
    let message = random.bytes();
    let proof = prove_with(&shape, &message, ring, &offset, &witness, &mut || scalar(random)).unwrap();
    Case { shape, message, ring: ring.to_vec(), offset, tag: witness.tag().compress().0, proof }
}

fn shapes() -> impl Iterator<Item = Shape> {
    [(2, 2), (2, 4), (3, 2), (4, 2)].into_iter().map(|(n, m)| Shape::new(n, m).unwrap())
}

#[test]
fn u_is_the_hash_of_its_name() {
    assert_eq!(monero_hash_to_point(&keccak256(&keccak256(b"triptych U"))).compress(), U);
}

#[test]
fn proofs_are_accepted() {
    let mut random = Random::new(61);
    let mut cases = Vec::new();
    for shape in shapes() {
        for index in 0..shape.ring_size().min(9) {
            cases.push(case(&mut random, shape, index, &[]));
        }
        let count = 2 * shape.ring_size();
        cases.push(case(&mut random, shape, 1, &[0, 2, 3, count - 1, count]));
    }
    for case in &cases {
        assert_eq!(verify(&case.statement()), Ok(()));
        let bytes = case.proof.to_bytes();
        assert_eq!(bytes.len(), Proof::size(&case.shape));
        assert_eq!(Proof::from_bytes(&case.shape, &bytes).as_ref(), Ok(&case.proof));
        assert!(Proof::from_bytes(&case.shape, &bytes[1..]).is_err());
    }
    let all: Vec<_> = cases.iter().map(Case::statement).collect();
    assert_eq!(verify_batch(&all), Ok(()));
    assert_eq!(verify_batch(&[]), Err(BatchError::Empty));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large rings")]
fn large_rings() {
    let mut random = Random::new(66);
    for (n, m) in [(2, 12), (16, 3), (64, 2)] {
        let case = case(&mut random, Shape::new(n, m).unwrap(), 2500, &[]);
        assert_eq!(case.ring.len(), 8192);
        assert_eq!(verify(&case.statement()), Ok(()));
    }
}

/// An offset that is the identity is a claim about the ring's commitments themselves, and as sound as any.
#[test]
fn the_offset_may_be_the_identity() {
    let mut random = Random::new(67);
    let case = case_with_offset(&mut random, Shape::new(2, 3).unwrap(), 5, &[], EdwardsPoint::IDENTITY);
    assert_eq!(case.offset, crate::group::CompressedEdwardsY::IDENTITY.0);
    assert_eq!(verify(&case.statement()), Ok(()));
    #[cfg(feature = "reference_unsound")]
    assert_eq!(reference_unsound::verify(&case.statement(), &[1; 32]), Ok(()));
    let mut wrong = case.clone();
    wrong.ring.swap(11, 9);
    assert_eq!(verify(&wrong.statement()), Err(VerifyError::Equation));
}

/// Small-order parts of ring and offset count for nothing here; in the reference the weights decide.
#[test]
fn small_order_parts_are_ignored() {
    let mut random = Random::new(68);
    let case = case(&mut random, Shape::new(2, 2).unwrap(), 1, &[0, 3, 8]);
    assert_eq!(verify(&case.statement()), Ok(()));
    #[cfg(feature = "reference_unsound")]
    {
        let accepted =
            (0..64).filter(|seed| reference_unsound::verify(&case.statement(), &[*seed; 32]).is_ok()).count();
        assert!(accepted > 0 && accepted < 64, "{accepted}");
    }
}

#[test]
fn mutations_are_refused() {
    let mut random = Random::new(62);
    let good: Vec<Case> = shapes().take(3).map(|shape| case(&mut random, shape, 2, &[])).collect();
    let other = EdwardsPoint::mul_base(&scalar(&mut random)).compress().0;
    for target in [&good[0], &good[2]] {
        let mut changed = Vec::new();
        let mut with = |change: &mut dyn FnMut(&mut Case)| {
            let mut case = target.clone();
            change(&mut case);
            changed.push(case);
        };
        let fields = target.proof.to_bytes().len() / 32;
        let points = 5 + 2 * target.shape.m();
        for at in 0..fields {
            for value in [if at < points { other } else { scalar(&mut random).to_bytes() }, [0xff; 32]] {
                with(&mut |c| {
                    let mut bytes = c.proof.to_bytes();
                    bytes[32 * at..][..32].copy_from_slice(&value);
                    c.proof = Proof::from_bytes(&c.shape, &bytes).unwrap();
                });
            }
            if at >= points {
                with(&mut |c| {
                    let mut bytes = c.proof.to_bytes();
                    bytes[32 * at..][..32].fill(0);
                    c.proof = Proof::from_bytes(&c.shape, &bytes).unwrap();
                });
            }
        }
        with(&mut |c| c.message[0] ^= 1);
        with(&mut |c| c.ring.swap(0, 2));
        with(&mut |c| c.ring.swap(0, 1));
        with(&mut |c| c.offset = other);
        with(&mut |c| c.tag = other);
        with(&mut |c| c.tag = crate::group::CompressedEdwardsY::IDENTITY.0);
        with(&mut |c| c.ring.truncate(c.ring.len() - 1));
        with(&mut |c| c.proof.x.push(other));
        with(&mut |c| c.proof.y.push(other));
        with(&mut |c| c.proof.f.push([1; 32]));
        for case in &changed {
            assert!(verify(&case.statement()).is_err());
            let mut batch = Accumulator::new(Generators::shared(), Limits::NONE);
            for good in &good {
                batch.push(good.statement()).unwrap();
            }
            match batch.push(case.statement()) {
                Err(_) => assert_eq!(batch.close(), Ok(())),
                Ok(index) => {
                    let Err(Blame::Items(items)) = batch.close_and_blame() else { panic!("accepted") };
                    assert!(items.len() == 1 && items[0].0 == index, "{items:?}");
                }
            }
        }
    }
}

/// A tag with a small-order part is a second tag of the same key.
#[test]
fn tags_outside_the_subgroup_are_refused() {
    let mut random = Random::new(63);
    let mut case = case(&mut random, Shape::new(2, 2).unwrap(), 3, &[]);
    let small = Scalar::ORDER * monero_map(&random.bytes());
    assert!(!bool::from(small.is_identity()));
    case.tag = (CompressedEdwardsY(case.tag).decompress_strict().unwrap() + small).compress().0;
    assert_eq!(verify(&case.statement()), Err(VerifyError::TagOrder));
}

/// Opposite errors in two proofs, and in every pair of the equations of one.
#[test]
fn errors_do_not_cancel() {
    let mut random = Random::new(64);
    let good = case(&mut random, Shape::new(2, 2).unwrap(), 1, &[]);
    let shift = scalar(&mut random);
    let bent = |by: [Scalar; 3]| {
        let mut case = good.clone();
        let Proof { z_a, z_c, z, .. } = &mut case.proof;
        for (bytes, by) in [z_a, z_c, z].into_iter().zip(by) {
            *bytes = (Scalar::from_bytes_mod_order(*bytes) + by).to_bytes();
        }
        case
    };
    let zero = Scalar::ZERO;
    for at in 0..3 {
        let (mut plus, mut minus) = ([zero; 3], [zero; 3]);
        (plus[at], minus[at]) = (shift, -shift);
        let pair = [bent(plus), bent(minus)];
        assert_eq!(verify_batch(&pair.each_ref().map(Case::statement)), Err(BatchError::Equation));
    }
    for by in [[shift, -shift, zero], [shift, zero, shift], [zero, shift, -shift]] {
        assert_eq!(verify(&bent(by).statement()), Err(VerifyError::Equation));
    }
}

#[test]
fn impossible_witnesses_and_statements() {
    let mut random = Random::new(65);
    let shape = Shape::new(2, 2).unwrap();
    let good = case(&mut random, shape, 1, &[]);
    let prove = |witness: Witness, ring: &[[u8; 32]]| {
        prove_with(&shape, &[0; 32], ring, &good.offset, &witness, &mut || Scalar::ONE)
    };
    let wrong = Witness { index: 1, key: Scalar::ONE, commitment: Scalar::ONE };
    assert_eq!(prove(wrong, &good.ring), Err(ProveError::Witness));
    assert_eq!(prove(Witness { index: 4, ..wrong }, &good.ring), Err(ProveError::Witness));
    assert_eq!(prove(Witness { key: Scalar::ZERO, ..wrong }, &good.ring), Err(ProveError::Witness));
    let length = VerifyError::Length { list: List::Ring, found: 7, expected: 8 };
    assert_eq!(prove(wrong, &good.ring[1..]), Err(ProveError::Statement(length)));
    let mut bad = good.ring.clone();
    bad[3] = [0xff; 32];
    assert_eq!(prove(wrong, &bad), Err(ProveError::Statement(VerifyError::Point(Field::Commitment(1)))));
}

//! Prover against verifier, attacks, and mutations. Known answers are in `tests/seraphis_proofs`.

use alloc::vec::Vec;

use super::prove::prove_with;
use super::*;
use crate::group::{compress_batch, monero_hash_to_point, monero_map};
use crate::hash::keccak256;
use crate::test_util::Random;

fn scalar(random: &mut Random) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&random.bytes64())
}

#[derive(Clone)]
struct Case {
    message: [u8; 32],
    keys: Vec<[u8; 32]>,
    tags: Vec<[u8; 32]>,
    proof: CompositionProof,
}

impl Case {
    fn statement(&self) -> Statement<'_> {
        Statement { message: self.message, keys: &self.keys, tags: &self.tags, proof: &self.proof }
    }
}

fn case(random: &mut Random, keys: usize, x_is_zero: bool) -> Case {
    let mut secrets = |_| {
        let [x, y, z] = core::array::from_fn(|_| scalar(random));
        Secrets { x: if x_is_zero { Scalar::ZERO } else { x }, y, z }
    };
    let secrets: Vec<Secrets> = (0..keys).map(&mut secrets).collect();
    let message = random.bytes();
    let proof = prove_with(&message, &secrets, &mut || scalar(random)).unwrap();
    let keys = compress_batch(&secrets.iter().map(Secrets::key).collect::<Vec<_>>());
    let tags = compress_batch(&secrets.iter().map(Secrets::tag).collect::<Vec<_>>());
    Case { message, keys, tags, proof }
}

#[test]
fn bases_are_hashes_of_their_names() {
    for (name, base) in [("seraphis X", X), ("seraphis U", U)] {
        assert_eq!(monero_hash_to_point(&keccak256(&keccak256(name.as_bytes()))).compress(), base);
    }
}

#[test]
fn proofs_are_accepted() {
    let mut random = Random::new(51);
    let cases: Vec<Case> =
        (1..=9).flat_map(|q| [false, true].map(|zero| (q, zero))).map(|(q, zero)| case(&mut random, q, zero)).collect();
    for case in &cases {
        assert_eq!(verify(&case.statement()), Ok(()));
        let bytes = case.proof.to_bytes();
        assert_eq!(CompositionProof::from_bytes(case.keys.len(), &bytes).as_ref(), Ok(&case.proof));
        assert!(CompositionProof::from_bytes(case.keys.len() + 1, &bytes).is_err());
    }
    assert!(CompositionProof::from_bytes(0, &[0; 96]).is_err());
    let all: Vec<_> = cases.iter().map(Case::statement).collect();
    assert_eq!(verify_batch(&all), Ok(()));
    assert_eq!(verify_batch(&[]), Err(BatchError::Empty));
    assert_eq!(verify_each(&[]), Vec::new());
    let none = Secrets::default();
    let mut nonce = || Scalar::ONE;
    assert_eq!(prove_with(&[0; 32], &[none], &mut nonce), Err(ProveError::Witness));
    assert_eq!(prove_with(&[0; 32], &[], &mut nonce), Err(ProveError::Keys(0)));
    let mut random = Random::new(1);
    let secrets = Secrets { x: scalar(&mut random), y: scalar(&mut random), z: scalar(&mut random) };
    assert_eq!(prove_with(&[0; 32], &[secrets; MAX_KEYS + 1], &mut nonce), Err(ProveError::Keys(MAX_KEYS + 1)));
    assert_eq!(prove_with(&[0; 32], &[secrets], &mut || Scalar::ZERO).map(|proof| proof.r.len()), Ok(1));
}

/// Each field changed: the others of the batch keep their verdict.
#[test]
fn mutations_are_refused() {
    let mut random = Random::new(52);
    let good = [case(&mut random, 1, false), case(&mut random, 3, false)];
    let other = EdwardsPoint::mul_base(&scalar(&mut random)).compress().0;
    for target in &good {
        let q = target.keys.len();
        let mut changed = Vec::new();
        let mut with = |change: &mut dyn FnMut(&mut Case)| {
            let mut case = target.clone();
            change(&mut case);
            changed.push(case);
        };
        let plus_l = |bytes: &mut [u8; 32]| {
            let mut carry = 0u16;
            for (byte, l) in bytes.iter_mut().zip(Scalar::ORDER.as_bytes()) {
                carry += u16::from(*byte) + u16::from(*l);
                *byte = carry as u8;
                carry >>= 8;
            }
        };
        for value in [[0; 32], scalar(&mut random).to_bytes(), [0xff; 32]] {
            with(&mut |c| c.proof.c = value);
            with(&mut |c| c.proof.r_a = value);
            with(&mut |c| c.proof.r_b = value);
            with(&mut |c| c.proof.r[q - 1] = value);
        }
        with(&mut |c| plus_l(&mut c.proof.c));
        with(&mut |c| plus_l(&mut c.proof.r_a));
        with(&mut |c| plus_l(&mut c.proof.r_b));
        with(&mut |c| plus_l(&mut c.proof.r[0]));
        for value in [crate::group::CompressedEdwardsY::IDENTITY.0, other, [0xff; 32]] {
            with(&mut |c| c.keys[q - 1] = value);
            with(&mut |c| c.tags[q - 1] = value);
            with(&mut |c| c.proof.t[q - 1] = value);
        }
        with(&mut |c| c.message[31] ^= 1);
        with(&mut |c| c.keys.push(other));
        with(&mut |c| c.tags.push(other));
        with(&mut |c| c.proof.r.push([1; 32]));
        with(&mut |c| c.proof.t.push(other));
        for bad in &changed {
            assert!(verify(&bad.statement()).is_err());
            let verdicts = verify_each(&[good[0].statement(), bad.statement(), good[1].statement()]);
            assert!(verdicts[0].is_ok() && verdicts[1].is_err() && verdicts[2].is_ok());
            assert_eq!(verdicts[1], verify(&bad.statement()));
        }
    }
    let empty = CompositionProof { c: [1; 32], r_a: [1; 32], r_b: [1; 32], r: Vec::new(), t: Vec::new() };
    let statement = Statement { message: [0; 32], keys: &[], tags: &[], proof: &empty };
    assert_eq!(verify(&statement), Err(VerifyError::Lengths { keys: 0, tags: 0, r: 0, t: 0 }));
}

/// A tag with a small-order part is a second tag of the same key.
#[test]
fn tags_outside_the_subgroup_are_refused() {
    let mut random = Random::new(53);
    let small = Scalar::ORDER * monero_map(&random.bytes());
    let mut case = case(&mut random, 2, false);
    assert!(!bool::from(small.is_identity()));
    let tag = CompressedEdwardsY(case.tags[1]).decompress_strict().unwrap() + small;
    case.tags[1] = tag.compress().0;
    assert_eq!(verify(&case.statement()), Err(VerifyError::TagOrder(1)));
}

/// A tag with a small-order part, and nonces tried until the challenge is a multiple of 8: the reference's verifier accepts
/// a second tag of the same key, and leaves it to the caller to look at its order.
#[test]
fn a_second_tag_is_made_in_eight_tries() {
    use super::verify::{challenges, last_challenges};
    let mut random = Random::new(54);
    let mut next = || scalar(&mut random);
    let secrets = Secrets { x: next(), y: next(), z: next() };
    let small = Scalar::ORDER * monero_map(&[7; 32]);
    assert!(!bool::from(small.is_identity()));
    let y_inv = secrets.y.invert();
    let encode = |point: EdwardsPoint| [point.compress().0];
    let keys = encode(secrets.key());
    let tags = encode(secrets.tag() + small);
    let t = encode(y_inv * Scalar::INV_EIGHT * secrets.key());
    let message = [3; 32];
    let start = challenges(&[(&message, [&t, &tags, &keys])]).swap_remove(0);
    let proof = loop {
        let [alpha_a, alpha_b, alpha] = core::array::from_fn(|_| next());
        let v = [EdwardsPoint::mul_base(&alpha_a), alpha_b * u_base(), alpha * secrets.key()];
        let c = last_challenges(&[(start.message, &compress_batch(&v))])[0];
        if c.as_bytes()[0] & 7 == 0 {
            let ratio = |secret: Scalar| secret * y_inv;
            let [r_a, r_b, r] = [alpha_a - c * ratio(secrets.x), alpha_b - c * ratio(secrets.z), alpha - c * y_inv]
                .map(|r| r.to_bytes());
            break CompositionProof { c: c.to_bytes(), r_a, r_b, r: Vec::from([r]), t: t.to_vec() };
        }
    };
    let statement = Statement { message, keys: &keys, tags: &tags, proof: &proof };
    assert_eq!(verify(&statement), Err(VerifyError::TagOrder(0)));
    assert_eq!(VerifyError::TagOrder(0).difference(), Some("tag-order"));
    #[cfg(feature = "reference_unsound")]
    assert_eq!(verify_reference_unsound(&statement), Ok(()));
}

/// More keys than a proof may have here. The reference sets no limit.
#[test]
fn too_many_keys() {
    let (keys, r) = (alloc::vec![U.0; MAX_KEYS + 1], alloc::vec![[1; 32]; MAX_KEYS + 1]);
    let proof = CompositionProof { c: [1; 32], r_a: [1; 32], r_b: [1; 32], r, t: keys.clone() };
    let statement = Statement { message: [0; 32], keys: &keys, tags: &keys, proof: &proof };
    let error = verify(&statement).unwrap_err();
    assert_eq!(error.difference(), Some("limits"));
    #[cfg(feature = "reference_unsound")]
    assert_eq!(verify_reference_unsound(&statement), Err(VerifyError::Challenge));
}

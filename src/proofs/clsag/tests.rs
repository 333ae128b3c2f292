//! What needs the inside: exact integers on points with a small-order part.

use alloc::vec::Vec;

use super::*;
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint, monero_hash_to_point};
use crate::hash::keccak256;
use crate::test_util::Random;

/// A point of order 8.
fn torsion() -> EdwardsPoint {
    let mut random = Random::new(8);
    loop {
        // l·P for any P of the curve.
        let point = Scalar::ORDER * crate::group::monero_map(&random.bytes());
        if !bool::from(point.mul_by_pow_2(2).is_identity()) {
            return point;
        }
    }
}

fn ring(random: &mut Random, n: usize) -> Vec<RingMember> {
    let mut point = || EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(random.bytes())).compress().0;
    (0..n).map(|_| RingMember { key: point(), commitment: point() }).collect()
}

/// The signature's own part of a ring: index, key and mask are known.
fn own(ring: &mut [RingMember], index: usize, pseudo_out: EdwardsPoint, x: &Scalar, z: &Scalar) {
    ring[index] = RingMember {
        key: EdwardsPoint::mul_base(x).compress().0,
        commitment: (pseudo_out + EdwardsPoint::mul_base(z)).compress().0,
    };
}

/// Decoys with a small-order part, keys as well as commitments: signer and verifier multiply them by the same integers,
/// so the chain closes, whatever part it is.
#[test]
fn decoys_of_mixed_order() {
    let mut random = Random::new(1);
    let t = torsion();
    for n in 2..6 {
        for index in 0..n {
            let mut ring = ring(&mut random, n);
            let [x, z, m] = [(); 3].map(|()| Scalar::from_bytes_mod_order(random.bytes()));
            let pseudo_out = EdwardsPoint::mul_base(&m);
            for (i, member) in ring.iter_mut().enumerate() {
                let add = |bytes: &mut [u8; 32], times: usize| {
                    let point = CompressedEdwardsY(*bytes).decompress_strict().unwrap();
                    *bytes = (0..times).fold(point, |p, _| p + t).compress().0;
                };
                add(&mut member.key, (i + n) % 8);
                add(&mut member.commitment, (3 * i + 1) % 8);
            }
            own(&mut ring, index, pseudo_out, &x, &z);
            let pseudo_out = pseudo_out.compress().0;
            let witness = Witness::new(index, x, z);
            let mut nonces = || Scalar::from_bytes_mod_order(random.bytes());
            let (signature, key_image) = sign_with(&ring, &pseudo_out, &[3; 32], &witness, &mut nonces).unwrap();
            let statement = Statement {
                ring: &ring,
                key_image: &key_image,
                pseudo_out: &pseudo_out,
                message: &[3; 32],
                signature: &signature,
            };
            assert_eq!(verify(&statement), Ok(()), "{n} {index}");
        }
    }
}

/// A ring of one, its image with a part of order 8: whether it is valid hangs on one integer mod 8, so a forger needs
/// some eight tries. The function accepts such an image, as the network's does.
#[test]
fn key_image_of_mixed_order() {
    let mut random = Random::new(2);
    let t = torsion();
    let [x, z, m] = [(); 3].map(|()| Scalar::from_bytes_mod_order(random.bytes()));
    let mut ring = ring(&mut random, 1);
    let pseudo_out = EdwardsPoint::mul_base(&m);
    own(&mut ring, 0, pseudo_out, &x, &z);
    let pseudo_out = pseudo_out.compress().0;
    let base = monero_hash_to_point(&keccak256(&ring[0].key));
    let key_image = (x * base + t).compress().0;
    let d = (Scalar::INV_EIGHT * (z * base)).compress().0;
    let public =
        transcript::Public { ring: &ring, key_image: &key_image, d: &d, pseudo_out: &pseudo_out, message: &[0; 32] };
    let (mu_p, mu_c) = transcript::aggregation_factors(&[public])[0];
    let (mut accepted, mut rejected) = (0, 0);
    while accepted == 0 || rejected == 0 {
        let nonce = Scalar::from_bytes_mod_order(random.bytes());
        let c = public.rounds().challenge(&EdwardsPoint::mul_base(&nonce).compress().0, &(nonce * base).compress().0);
        let s = nonce - c * (mu_p * x + mu_c * z);
        let signature = Clsag { s: alloc::vec![s.to_bytes()], c1: c.to_bytes(), d };
        let statement = Statement {
            ring: &ring,
            key_image: &key_image,
            pseudo_out: &pseudo_out,
            message: &[0; 32],
            signature: &signature,
        };
        let expected = (c * mu_p).to_bytes()[0].is_multiple_of(8);
        assert_eq!(verify(&statement), if expected { Ok(()) } else { Err(VerifyError::Equation) });
        if expected { accepted += 1 } else { rejected += 1 }
    }
}

/// A pseudo-output that is the spent commitment itself: the chain closes with any D of small order, and tells everybody
/// who signed. Refused all the same.
#[test]
fn d_of_small_order() {
    let mut random = Random::new(4);
    let x = Scalar::from_bytes_mod_order(random.bytes());
    let mut ring = ring(&mut random, 1);
    let pseudo_out = EdwardsPoint::mul_base(&Scalar::from(9u64));
    own(&mut ring, 0, pseudo_out, &x, &Scalar::ZERO);
    let pseudo_out = pseudo_out.compress().0;
    let base = monero_hash_to_point(&keccak256(&ring[0].key));
    let key_image = (x * base).compress().0;
    for d in [EdwardsPoint::IDENTITY, torsion(), torsion().mul_by_pow_2(2)] {
        let d = d.compress().0;
        let message = [0; 32];
        let public = transcript::Public {
            ring: &ring,
            key_image: &key_image,
            d: &d,
            pseudo_out: &pseudo_out,
            message: &message,
        };
        let (mu_p, _) = transcript::aggregation_factors(&[public])[0];
        let nonce = Scalar::from_bytes_mod_order(random.bytes());
        let (l, r) = (EdwardsPoint::mul_base(&nonce).compress().0, (nonce * base).compress().0);
        let c = public.rounds().challenge(&l, &r);
        let signature = Clsag { s: alloc::vec![(nonce - c * mu_p * x).to_bytes()], c1: c.to_bytes(), d };
        let statement = Statement {
            ring: &ring,
            key_image: &key_image,
            pseudo_out: &pseudo_out,
            message: &message,
            signature: &signature,
        };
        assert_eq!(verify(&statement), Err(VerifyError::SmallOrderD));
    }
}

//! Every batch entry on every backend against curve25519-dalek, with the edges that lanes and encodings have.

use alloc::vec::Vec;
use curve25519_dalek as dalek;

use super::codec::{Rule, compress_batch_on, is_canonical, try_decompress_batch};
use super::edwards::EdwardsPoint;
use super::montgomery::{MontgomeryPoint, mul_batch_on, x25519_batch_on};
use super::{CompressedEdwardsY, RistrettoPoint, hash_to_point, ristretto};
use crate::cpu::BackendId;
use crate::test_util::{Random, each_backend};

/// Encodings of every kind: random ones, all near 0 and p, and the small-order points with both signs.
fn encodings(random: &mut Random, count: usize) -> Vec<[u8; 32]> {
    let mut out: Vec<[u8; 32]> = (0..count).map(|_| random.bytes()).collect();
    for k in 0..=40u8 {
        for sign in [0, 0x80] {
            let mut low = [0; 32];
            low[0] = k;
            low[31] |= sign;
            let mut high = [0xff; 32];
            high[0] = 0xff - k;
            high[31] = 0x7f | sign;
            out.extend([low, high]);
        }
    }
    for point in dalek::constants::EIGHT_TORSION {
        let mut bytes = point.compress().0;
        out.push(bytes);
        bytes[31] ^= 0x80;
        out.push(bytes);
    }
    random.shuffle(&mut out);
    out
}

#[test]
fn decompression_agrees_with_dalek() {
    let mut random = Random::new(1);
    let all = encodings(&mut random, 300);
    each_backend(|id| {
        for (start, count) in (0..36).map(|n| (n, n)).chain([(0, all.len())]) {
            let part = &all[start..start + count];
            let permissive = try_decompress_batch(id, part, Rule::Dalek);
            let strict = try_decompress_batch(id, part, Rule::Strict);
            assert_eq!(permissive.len(), count);
            for (i, encoding) in part.iter().enumerate() {
                let expected = dalek::edwards::CompressedEdwardsY(*encoding).decompress();
                let expected = expected.map(|p| p.compress().0);
                assert_eq!(permissive[i].map(|p| p.compress().0), expected, "{id} {encoding:02x?}");
                let strict_expected = expected.filter(|again| again == encoding);
                assert_eq!(strict[i].map(|p| p.compress().0), strict_expected, "{id} strict {encoding:02x?}");
                assert_eq!(CompressedEdwardsY(*encoding).decompress_strict(), strict[i]);
                assert_eq!(CompressedEdwardsY(*encoding).decompress_dalek(), permissive[i]);
                assert!(strict[i].is_none() || is_canonical(encoding));
            }
        }
    });
}

#[test]
fn ristretto_agrees_with_dalek() {
    let mut random = Random::new(2);
    let mut all = encodings(&mut random, 300);
    for _ in 0..60 {
        all.push(dalek::ristretto::RistrettoPoint::from_uniform_bytes(&random.bytes64()).compress().0);
    }
    random.shuffle(&mut all);
    each_backend(|id| {
        for (start, count) in (0..36).map(|n| (n, n)).chain([(0, all.len())]) {
            let part = &all[start..start + count];
            let points = ristretto::decompress_batch_on(id, part);
            for (encoding, point) in part.iter().zip(&points) {
                let expected = dalek::ristretto::CompressedRistretto(*encoding).decompress();
                assert_eq!(point.is_some(), expected.is_some(), "{id} {encoding:02x?}");
                assert_eq!(point.map_or(*encoding, |p| p.compress().0), *encoding);
            }
            // Every representative of a class encodes alike, whatever its Z.
            let mut members: Vec<RistrettoPoint> = points.into_iter().flatten().collect();
            let torsion = small_order();
            for (i, p) in members.iter_mut().enumerate() {
                p.0 = scale(&(p.0 + torsion[2 * (i % 4)]), &mut random);
            }
            let expected: Vec<[u8; 32]> = members.iter().map(|p| p.compress().0).collect();
            assert_eq!(ristretto::compress_batch_on(id, &members), expected);
            for (p, encoding) in members.iter().zip(&expected) {
                assert_eq!(ristretto::CompressedRistretto(*encoding).decompress(), Some(*p));
            }
        }
    });
    for _ in 0..100 {
        let uniform = random.bytes64();
        let expected = dalek::ristretto::RistrettoPoint::from_uniform_bytes(&uniform).compress().0;
        assert_eq!(RistrettoPoint::from_uniform_bytes(&uniform).compress().0, expected);
    }
}

/// The eight small-order points, point `i` of order `8/gcd(8, i)`.
fn small_order() -> Vec<EdwardsPoint> {
    let decode = |p: &dalek::EdwardsPoint| CompressedEdwardsY(p.compress().0).decompress_strict().unwrap();
    dalek::constants::EIGHT_TORSION.iter().map(decode).collect()
}

/// The same point with another Z.
fn scale(p: &EdwardsPoint, random: &mut Random) -> EdwardsPoint {
    let z = random.element();
    EdwardsPoint { x: p.x * z, y: p.y * z, z: p.z * z, t: p.t * z }
}

#[test]
fn compression_agrees_with_dalek() {
    let mut random = Random::new(3);
    let mut points: Vec<EdwardsPoint> = small_order();
    while points.len() < 60 {
        points.extend(CompressedEdwardsY(random.bytes()).decompress_strict());
    }
    for p in &mut points {
        *p = scale(p, &mut random);
    }
    let expected: Vec<[u8; 32]> = points.iter().map(|p| p.compress().0).collect();
    for encoding in &expected {
        assert_eq!(dalek::edwards::CompressedEdwardsY(*encoding).decompress().unwrap().compress().0, *encoding);
    }
    each_backend(|id| {
        for n in (0..=35).chain([points.len()]) {
            assert_eq!(compress_batch_on(id, &points[..n]), expected[..n], "{id} {n}");
        }
    });
}

#[test]
fn addition_and_doubling_agree_with_dalek() {
    let mut random = Random::new(4);
    let mut points: Vec<EdwardsPoint> = small_order();
    while points.len() < 20 {
        let p = CompressedEdwardsY(random.bytes()).decompress_strict();
        points.extend(p.iter().flat_map(|p| [*p, -p]));
    }
    let dalek_point = |p: &EdwardsPoint| dalek::edwards::CompressedEdwardsY(p.compress().0).decompress().unwrap();
    for p in &points {
        let dp = dalek_point(p);
        assert_eq!(p.mul_by_cofactor().compress().0, dp.mul_by_cofactor().compress().0);
        assert_eq!(bool::from(p.is_small_order()), dp.is_small_order());
        assert_eq!(p.to_montgomery().0, dp.to_montgomery().0);
        for q in &points {
            assert_eq!((p + q).compress().0, (dp + dalek_point(q)).compress().0);
            assert_eq!((p - q).compress().0, (dp - dalek_point(q)).compress().0);
            assert_eq!(p == q, dp == dalek_point(q));
        }
    }
}

#[test]
fn ladder_agrees_with_dalek() {
    let mut random = Random::new(5);
    let edges = encodings(&mut random, 20);
    each_backend(|id| {
        for n in (0..=17).chain([edges.len()]) {
            let (us, ks): (Vec<[u8; 32]>, Vec<[u8; 32]>) = edges[..n].iter().map(|u| (*u, random.bytes())).unzip();
            let expected: Vec<[u8; 32]> = us.iter().zip(&ks).map(|(u, k)| x25519_dalek::x25519(*k, *u)).collect();
            assert_eq!(x25519_batch_on(id, &ks, &us), expected, "{id} {n}");
            let points: Vec<MontgomeryPoint> = us.iter().map(|u| MontgomeryPoint(*u)).collect();
            for (k, (u, shared)) in ks.iter().zip(us.iter().zip(mul_batch_on(id, &ks, &points, 256))) {
                let bits = (0..256).rev().map(|i| k[i / 8] >> (i % 8) & 1 == 1);
                let expected = dalek::MontgomeryPoint(*u).mul_bits_be(bits);
                assert_eq!(shared.0, expected.0, "{id} k = {k:02x?}");
                assert_eq!(MontgomeryPoint(*u).mul_bits(k), shared);
            }
        }
    });
    for u in &edges {
        for sign in [0, 1] {
            let expected = dalek::MontgomeryPoint(*u).to_edwards(sign).map(|p| p.compress().0);
            assert_eq!(MontgomeryPoint(*u).to_edwards(sign).map(|p| p.compress().0), expected);
        }
    }
}

#[test]
fn hash_to_point_is_alike_in_all_lanes() {
    let mut random = Random::new(6);
    let inputs = encodings(&mut random, 100);
    let expected: Vec<EdwardsPoint> = inputs.iter().map(hash_to_point::monero_map).collect();
    each_backend(|id| {
        for n in (0..=35).chain([inputs.len()]) {
            assert_eq!(hash_to_point::map_batch_on(id, &inputs[..n], false), expected[..n], "{id} {n}");
            for (p, q) in hash_to_point::map_batch_on(id, &inputs[..n], true).iter().zip(&expected) {
                assert_eq!(*p, q.mul_by_cofactor());
            }
        }
    });
}
#[test]
fn dispatch_runs_the_backend_it_was_given() {
    struct Which;
    impl super::backend::Kernel for Which {
        type Out = BackendId;
        #[inline(always)]
        fn call<B: super::backend::Backend>(self, _: B) -> BackendId {
            B::ID
        }
    }
    each_backend(|id| assert_eq!(super::backend::dispatch(id, Which), id));
}

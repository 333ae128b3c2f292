//! Encodings, the group operations, and products side by side.

use curve25519_dalek as dalek;
use curve25519_lanes::{
    CompressedEdwardsY, CompressedRistretto, EdwardsPoint, MontgomeryPoint, RistrettoPoint, Scalar, compress_batch,
    compress_batch_ristretto, decompress_batch_dalek, decompress_batch_ristretto, decompress_batch_strict,
    monero_hash_to_point, monero_hash_to_point_batch, msm, try_decompress_batch_dalek, try_decompress_batch_ristretto,
    try_decompress_batch_strict, x25519, x25519_batch,
};
use proptest::prelude::*;
use proptest::sample::select;
use subtle::{Choice, ConditionallySelectable};

use super::common::{Random, on_all_backends};
use super::inputs::{Pair, SIZES, as_they_stand, bytes, edges, integers, point, points, product};

/// What every batch of encodings comes to: the encoding of each point, and the index of the first that is none.
type Decoded = (Vec<Option<[u8; 32]>>, Option<usize>);

/// 32 bytes that often are a point: edges, and encodings of points with a bit turned now and then.
fn encodings(random: &mut Random, count: usize) -> Vec<[u8; 32]> {
    let edges = edges();
    let mut out: Vec<[u8; 32]> = points(random, count).iter().map(|p| p.theirs.compress().0).collect();
    for encoding in &mut out {
        match random.below(4) {
            0 => *encoding = edges[random.below(edges.len())],
            1 => encoding[random.below(32)] ^= 1 << random.below(8),
            2 => *encoding = random.bytes(),
            _ => {}
        }
    }
    out
}

fn edwards(points: Vec<Option<EdwardsPoint>>, all: Option<usize>) -> Decoded {
    let there: Vec<EdwardsPoint> = points.iter().flatten().copied().collect();
    let mut encodings = compress_batch(&there).into_iter();
    (points.iter().map(|p| p.and_then(|_| encodings.next())).collect(), all)
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn decoding_agrees(seed in any::<u64>(), count in select(&SIZES[..])) {
        let input = encodings(&mut Random(seed), count);
        let dalek_points: Vec<Option<[u8; 32]>> = input
            .iter()
            .map(|e| dalek::edwards::CompressedEdwardsY(*e).decompress().map(|p| p.compress().0))
            .collect();
        let strict_points: Vec<Option<[u8; 32]>> =
            dalek_points.iter().zip(&input).map(|(p, e)| p.filter(|again| again == e)).collect();
        let ristretto_points: Vec<Option<[u8; 32]>> = input
            .iter()
            .map(|e| dalek::ristretto::CompressedRistretto(*e).decompress().map(|p| p.compress().0))
            .collect();
        let first_bad = |points: &[Option<[u8; 32]>]| points.iter().position(Option::is_none);

        let permissive = on_all_backends(|| {
            edwards(try_decompress_batch_dalek(&input), decompress_batch_dalek(&input).err().map(|e| e.index()))
        });
        prop_assert_eq!(&permissive, &(dalek_points.clone(), first_bad(&dalek_points)));
        let strict = on_all_backends(|| {
            edwards(try_decompress_batch_strict(&input), decompress_batch_strict(&input).err().map(|e| e.index()))
        });
        prop_assert_eq!(&strict, &(strict_points.clone(), first_bad(&strict_points)));
        let ristretto = on_all_backends(|| {
            let points = try_decompress_batch_ristretto(&input);
            let there: Vec<RistrettoPoint> = points.iter().flatten().copied().collect();
            let mut encodings = compress_batch_ristretto(&there).into_iter();
            let all = decompress_batch_ristretto(&input).err().map(|e| e.index());
            (points.iter().map(|p| p.and_then(|_| encodings.next())).collect::<Vec<_>>(), all)
        });
        prop_assert_eq!(&ristretto, &(ristretto_points.clone(), first_bad(&ristretto_points)));

        for (i, encoding) in input.iter().enumerate() {
            let single = CompressedEdwardsY(*encoding);
            prop_assert_eq!(single.decompress_dalek().map(|p| p.compress().0), dalek_points[i]);
            prop_assert_eq!(single.decompress_strict().map(|p| p.compress().0), strict_points[i]);
            let single = CompressedRistretto(*encoding);
            prop_assert_eq!(single.decompress().map(|p| p.compress().0), ristretto_points[i]);
            for sign in [0, 1] {
                let expected = dalek::MontgomeryPoint(*encoding).to_edwards(sign).map(|p| p.compress().0);
                prop_assert_eq!(MontgomeryPoint(*encoding).to_edwards(sign).map(|p| p.compress().0), expected);
            }
        }
        // Nobody else has Monero's map; at least all lanes agree with the single form.
        let hashed = on_all_backends(|| compress_batch(&monero_hash_to_point_batch(&input)));
        for (h, encoding) in input.iter().zip(&hashed) {
            prop_assert_eq!(monero_hash_to_point(h).compress().0, *encoding);
        }
    }

    #[test]
    fn group_operations_agree(p in point(), q in point(), same in 0..4u8, n in 0..20usize) {
        let q = match same {
            0 => p,
            1 => Pair { ours: -p.ours, theirs: -p.theirs },
            _ => q,
        };
        let agree = |ours: EdwardsPoint, theirs: dalek::EdwardsPoint| {
            prop_assert_eq!(ours.compress().0, theirs.compress().0);
            Ok(())
        };
        agree(p.ours + q.ours, p.theirs + q.theirs)?;
        agree(p.ours - q.ours, p.theirs - q.theirs)?;
        agree(-p.ours, -p.theirs)?;
        agree(p.ours.double(), p.theirs + p.theirs)?;
        agree(p.ours.mul_by_cofactor(), p.theirs.mul_by_cofactor())?;
        agree(p.ours.mul_by_pow_2(n), (0..n).fold(p.theirs, |p, _| p + p))?;
        agree([p.ours, q.ours, p.ours].iter().sum(), p.theirs + q.theirs + p.theirs)?;
        let (mut sum, mut difference) = (p.ours, p.ours);
        sum += q.ours;
        difference -= q.ours;
        prop_assert_eq!([sum, difference], [p.ours + q.ours, p.ours - q.ours]);
        prop_assert_eq!(p.ours == q.ours, p.theirs == q.theirs);
        prop_assert_eq!(EdwardsPoint::conditional_select(&p.ours, &q.ours, Choice::from(0)), p.ours);
        prop_assert_eq!(EdwardsPoint::conditional_select(&p.ours, &q.ours, Choice::from(1)), q.ours);
        prop_assert_eq!(bool::from(p.ours.is_identity()), p.theirs == dalek::EdwardsPoint::default());
        prop_assert_eq!(bool::from(p.ours.is_small_order()), p.theirs.is_small_order());
        prop_assert_eq!(bool::from(p.ours.is_torsion_free()), p.theirs.is_torsion_free());
        prop_assert_eq!(p.ours.to_montgomery().0, p.theirs.to_montgomery().0);
    }

    #[test]
    fn ristretto_agrees(list in prop::collection::vec((any::<[u8; 32]>(), bytes(), bytes()), 1..18)) {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for (low, high, k) in &list {
            let mut uniform = [0; 64];
            uniform[..32].copy_from_slice(low);
            uniform[32..].copy_from_slice(high);
            let (p, q) = (
                RistrettoPoint::from_uniform_bytes(&uniform),
                dalek::RistrettoPoint::from_uniform_bytes(&uniform),
            );
            let (k, dalek_k) = (Scalar::from_bytes_mod_order(*k), dalek::Scalar::from_bytes_mod_order(*k));
            ours.extend([p, k * p, RistrettoPoint::mul_base(&k), p.double(), -p, k * p - p, p - p]);
            let base = dalek::RistrettoPoint::mul_base(&dalek_k);
            theirs.extend([q, dalek_k * q, base, q + q, -q, dalek_k * q - q, dalek::RistrettoPoint::default()]);
        }
        let expected: Vec<[u8; 32]> = theirs.iter().map(|p| p.compress().0).collect();
        let single: Vec<[u8; 32]> = ours.iter().map(|p| p.compress().0).collect();
        prop_assert_eq!(&single, &expected);
        prop_assert_eq!(&on_all_backends(|| compress_batch_ristretto(&ours)), &expected);
        let decoded = on_all_backends(|| decompress_batch_ristretto(&expected).unwrap());
        prop_assert_eq!(decoded, ours);
    }

    #[test]
    fn x25519_agrees(seed in any::<u64>(), count in select(&SIZES[..])) {
        let mut random = Random(seed);
        let (secrets, publics) = (integers(&mut random, count), integers(&mut random, count));
        let expected: Vec<[u8; 32]> =
            secrets.iter().zip(&publics).map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect();
        prop_assert_eq!(&on_all_backends(|| x25519_batch(&secrets, &publics)), &expected);
        for ((k, u), expected) in secrets.iter().zip(&publics).zip(&expected).take(4) {
            let bits = (0..256).rev().map(|i| k[i / 8] >> (i % 8) & 1 == 1);
            let unclamped = dalek::MontgomeryPoint(*u).mul_bits_be(bits).0;
            let single = on_all_backends(|| [x25519(k, u), MontgomeryPoint(*u).mul_bits(k).0]);
            prop_assert_eq!(single, [*expected, unclamped]);
        }
    }

    #[test]
    fn products_agree(seed in any::<u64>(), count in select(&SIZES[..])) {
        let mut random = Random(seed);
        let (pairs, integers) = (points(&mut random, count), integers(&mut random, count));
        let (scalars, ours) = (as_they_stand(&integers), pairs.iter().map(|p| p.ours).collect::<Vec<_>>());
        let oracle = |k: &[u8; 32], p: &dalek::EdwardsPoint| product(k, p).compress().0;

        let expected: Vec<[u8; 32]> = integers.iter().zip(&pairs).map(|(k, p)| oracle(k, &p.theirs)).collect();
        let products = on_all_backends(|| compress_batch(&msm::mul_batch(&scalars, &ours).unwrap()));
        prop_assert_eq!(&products, &expected);
        let base = dalek::constants::ED25519_BASEPOINT_POINT;
        let expected_base: Vec<[u8; 32]> = integers.iter().map(|k| oracle(k, &base)).collect();
        let products = on_all_backends(|| compress_batch(&msm::mul_base_batch(&scalars)));
        prop_assert_eq!(&products, &expected_base);
        if let Some(k) = integers.first() {
            let expected: Vec<[u8; 32]> = pairs.iter().map(|p| oracle(k, &p.theirs)).collect();
            let products = on_all_backends(|| compress_batch(&msm::same_scalar_vartime(&scalars[0], &ours)));
            prop_assert_eq!(products, expected);
        }
        for i in 0..count.min(4) {
            let (k, p) = (scalars[i], ours[i]);
            let single = on_all_backends(|| [k * p, p * k, EdwardsPoint::mul_base(&k)].map(|p| p.compress().0));
            prop_assert_eq!(single, [expected[i], expected[i], expected_base[i]]);
        }
    }
}

/// Each edge times each point of small order, alone and on top of the base point.
#[test]
fn products_of_edges_and_torsion_agree() {
    let (mut scalars, mut ours, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let mut torsion = dalek::constants::EIGHT_TORSION.to_vec();
    if cfg!(debug_assertions) {
        torsion.truncate(2);
    }
    for small in torsion {
        for large in [dalek::EdwardsPoint::default(), dalek::constants::ED25519_BASEPOINT_POINT] {
            let theirs = small + large;
            let point = CompressedEdwardsY(theirs.compress().0).decompress_strict().unwrap();
            for edge in edges() {
                scalars.push(Scalar::from_integer_unreduced(edge));
                ours.push(point);
                expected.push(product(&edge, &theirs).compress().0);
            }
        }
    }
    let products = on_all_backends(|| compress_batch(&msm::mul_batch(&scalars, &ours).unwrap()));
    for (i, (product, expected)) in products.iter().zip(&expected).enumerate() {
        assert_eq!(product, expected, "{:?} times {:?}", scalars[i], ours[i]);
    }
    assert_eq!(products.len(), expected.len());
}

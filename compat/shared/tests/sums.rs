//! Sums of scalars times points: values against the original, and what is a panic there.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{Random, points};
use curve25519_dalek as ours;
use original as real;
use ours::edwards::VartimeEdwardsPrecomputation;
use ours::ristretto::VartimeRistrettoPrecomputation;
use ours::traits::{Identity, MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};
use ours::{EdwardsPoint, RistrettoPoint, Scalar};

#[allow(deprecated)]
fn terms(n: usize) -> (Vec<Scalar>, Vec<EdwardsPoint>) {
    let mut random = Random(n as u64);
    let all = points();
    let scalars = (0..n).map(|i| match i % 5 {
        0 => Scalar::from_bits(random.bytes()),
        1 => Scalar::from_bits([0xff; 32]),
        2 => Scalar::from(random.next()),
        _ => Scalar::from_bytes_mod_order(random.bytes()),
    });
    (scalars.collect(), (0..n).map(|i| all[(i * 13 + n) % all.len()]).collect())
}

#[allow(deprecated)]
fn real_terms(scalars: &[Scalar], points: &[EdwardsPoint]) -> (Vec<real::Scalar>, Vec<real::EdwardsPoint>) {
    let point = |p: &EdwardsPoint| real::edwards::CompressedEdwardsY(p.compress().0).decompress().expect("a point");
    (scalars.iter().map(|k| real::Scalar::from_bits(k.to_bytes())).collect(), points.iter().map(point).collect())
}

/// On every backend of this machine, the choice of the other tests last.
#[test]
fn values() {
    use ours::lanes::engine::cpu::{BackendId, force};
    for &id in BackendId::ALL {
        match force(Some(id)) {
            Ok(()) => values_on_this_backend(),
            Err(error) => println!("skipped: {error}"),
        }
    }
    force(None).expect("the choice is free again");
    values_on_this_backend();
}

fn values_on_this_backend() {
    use real::traits::VartimeMultiscalarMul as _;
    for n in (0..35).chain([100, 189, 190, 191, 600]) {
        let (scalars, points) = terms(n);
        let (real_scalars, real_points) = real_terms(&scalars, &points);
        let expected = real::EdwardsPoint::vartime_multiscalar_mul(&real_scalars, &real_points).compress().0;
        assert_eq!(EdwardsPoint::vartime_multiscalar_mul(&scalars, &points).compress().0, expected, "{n}");
        assert_eq!(EdwardsPoint::multiscalar_mul(&scalars, points.clone()).compress().0, expected, "{n}");
        if let ([a, b, ..], [point, ..]) = (&scalars[..], &points[..]) {
            let sum = EdwardsPoint::vartime_double_scalar_mul_basepoint(a, point, b);
            let base = ours::constants::ED25519_BASEPOINT_TABLE;
            assert_eq!(sum, a * point + base * b, "{n}");
            let real_sum = real::EdwardsPoint::vartime_double_scalar_mul_basepoint(
                &real_scalars[0],
                &real_points[0],
                &real_scalars[1],
            );
            assert_eq!(sum.compress().0, real_sum.compress().0, "{n}");
        }
        let optional = EdwardsPoint::optional_multiscalar_mul(scalars.clone(), points.iter().copied().map(Some));
        assert_eq!(optional.map(|p| p.compress().0), Some(expected), "{n}");

        let (split, table) = (n / 3, VartimeEdwardsPrecomputation::new(&points[..n / 3]));
        let mixed =
            table.vartime_mixed_multiscalar_mul(&scalars[..split], &scalars[split..], points[split..].iter().copied());
        assert_eq!(mixed.compress().0, expected, "{n}");
        let alone = table.vartime_multiscalar_mul(&scalars[..split]);
        assert_eq!(alone, EdwardsPoint::vartime_multiscalar_mul(&scalars[..split], &points[..split]));

        let elements: Vec<_> = (0..n as u64).map(|i| RistrettoPoint::mul_base(&Scalar::from(i * i))).collect();
        let sum: RistrettoPoint = scalars.iter().zip(&elements).map(|(k, p)| k * p).sum();
        assert_eq!(RistrettoPoint::vartime_multiscalar_mul(&scalars, &elements), sum);
        assert_eq!(RistrettoPoint::multiscalar_mul(&scalars, &elements), sum);
        let table = VartimeRistrettoPrecomputation::new(&elements[split..]);
        let mixed = table.vartime_mixed_multiscalar_mul(&scalars[split..], &scalars[..split], &elements[..split]);
        assert_eq!(mixed, sum);
        #[cfg(dalek = "5")]
        assert_eq!((table.len(), table.is_empty()), (n - split, n == split));
    }
}

#[test]
fn missing_points() {
    for n in [1, 5, 200] {
        let (scalars, points) = terms(n);
        for missing in [0, n / 2, n - 1] {
            let points = points.iter().enumerate().map(|(i, p)| (i != missing).then_some(*p));
            assert_eq!(EdwardsPoint::optional_multiscalar_mul(&scalars, points.clone()), None);
            let table = VartimeEdwardsPrecomputation::new(&[] as &[EdwardsPoint]);
            let empty: [Scalar; 0] = [];
            assert_eq!(table.optional_mixed_multiscalar_mul(empty, &scalars, points.clone()), None);
            // A missing point is looked at before the lengths are.
            assert_eq!(table.optional_mixed_multiscalar_mul(&scalars, &scalars, points), None);
        }
    }
    let none: [Option<RistrettoPoint>; 1] = [None];
    assert_eq!(RistrettoPoint::optional_multiscalar_mul([Scalar::ONE], none), None);
}

#[test]
fn panics() {
    let (scalars, points) = terms(6);
    let panics = |work: &dyn Fn() -> EdwardsPoint| catch_unwind(AssertUnwindSafe(work)).is_err();
    assert!(!panics(&|| EdwardsPoint::vartime_multiscalar_mul(&scalars, &points)));
    // Lengths that differ, and lengths that aren't known beforehand.
    assert!(panics(&|| EdwardsPoint::vartime_multiscalar_mul(&scalars[1..], &points)));
    assert!(panics(&|| EdwardsPoint::multiscalar_mul(&scalars, &points[1..])));
    assert!(panics(&|| EdwardsPoint::vartime_multiscalar_mul(scalars.iter().filter(|_| true), &points)));
    assert!(panics(&|| EdwardsPoint::multiscalar_mul(&scalars, points.iter().filter(|_| true))));

    let table = VartimeEdwardsPrecomputation::new(&points);
    assert!(panics(&|| table.vartime_multiscalar_mul(scalars.iter().chain(&scalars[..1]))));
    assert!(panics(&|| table.vartime_mixed_multiscalar_mul(&scalars, &scalars[1..], &points)));
    // These may be of unknown length.
    let mixed = || table.vartime_mixed_multiscalar_mul(&scalars, scalars.iter().filter(|_| true), &points);
    assert!(!panics(&mixed));
    // Fewer static scalars than points.
    let fewer = || table.vartime_multiscalar_mul(&scalars[..4]);
    assert_eq!(panics(&fewer), cfg!(dalek = "4"));
    if cfg!(dalek = "5") {
        assert_eq!(fewer(), EdwardsPoint::vartime_multiscalar_mul(&scalars[..4], &points[..4]));
    }
    assert_eq!(EdwardsPoint::identity(), EdwardsPoint::default());
}

#[test]
fn batches_of_encodings() {
    use ours::edwards::CompressedEdwardsY;
    use ours::lanes::{Decode, DecodeStrict, Engine};
    use ours::ristretto::CompressedRistretto;
    let encodings: Vec<CompressedEdwardsY> = common::encodings().into_iter().map(CompressedEdwardsY).collect();
    let expected: Vec<_> = encodings.iter().map(|e| e.decompress()).collect();
    assert_eq!(CompressedEdwardsY::decompress_batch(&encodings), expected);
    let strict: Vec<_> = encodings.iter().map(|e| e.decompress_strict()).collect();
    assert_eq!(CompressedEdwardsY::decompress_strict_batch(&encodings), strict);
    for ((encoding, permissive), strict) in encodings.iter().zip(expected).zip(strict) {
        assert_eq!(strict, permissive.filter(|p| p.compress() == *encoding), "{encoding:?}");
    }
    let encodings: Vec<CompressedRistretto> = common::encodings().into_iter().map(CompressedRistretto).collect();
    let expected: Vec<_> = encodings.iter().map(|e| e.decompress()).collect();
    assert_eq!(CompressedRistretto::decompress_batch(&encodings), expected);
    let (scalar, point) = (Scalar::from(7u8), EdwardsPoint::mul_base(&Scalar::from(9u8)));
    let product = EdwardsPoint::from_engine(scalar.to_engine() * point.to_engine());
    assert_eq!(product, scalar * point);
    let above = ours::lanes::engine::Scalar::from_integer_unreduced([0xff; 32]);
    assert_eq!(Scalar::from_engine(above), Scalar::from_bytes_mod_order([0xff; 32]));
}

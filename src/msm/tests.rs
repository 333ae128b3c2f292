//! Every algorithm and window on every backend, against curve25519-dalek and a naive sum.

use alloc::vec::Vec;
use curve25519_dalek as dalek;
use dalek::traits::VartimeMultiscalarMul;

use super::costs::Costs;
use super::digits::{Slicing, longest};
use super::plan::{Algorithm, Plan};
use super::{StaticPoints, batch, vartime_as};
use crate::field::scalar::Scalar;
use crate::group::backend::lanes;
use crate::group::{CompressedEdwardsY, EdwardsPoint};
use crate::test_util::{Random, each_backend};

fn to_dalek(p: &EdwardsPoint) -> dalek::EdwardsPoint {
    dalek::edwards::CompressedEdwardsY(p.compress().0).decompress().unwrap()
}

/// Points of all kinds: random (with torsion), small order, repeated, opposite, with Z ≠ 1 in `projective`.
pub(super) fn points(random: &mut Random, count: usize, projective: bool) -> Vec<EdwardsPoint> {
    let torsion: Vec<EdwardsPoint> = dalek::constants::EIGHT_TORSION
        .iter()
        .map(|p| CompressedEdwardsY(p.compress().0).decompress_strict().unwrap())
        .collect();
    let mut out: Vec<EdwardsPoint> = Vec::new();
    while out.len() < count {
        match random.below(8) {
            0 => out.push(torsion[random.below(8)]),
            1 if !out.is_empty() => out.push(out[random.below(out.len())]),
            2 if !out.is_empty() => out.push(-out[random.below(out.len())]),
            3 if projective && !out.is_empty() => out.push(out[random.below(out.len())].double()),
            _ => out.extend(CompressedEdwardsY(random.bytes()).decompress_strict()),
        }
    }
    out
}

/// Integers below 2^256 of all kinds; `canonical` keeps them below l.
pub(super) fn scalars(random: &mut Random, count: usize, canonical: bool) -> Vec<Scalar> {
    let mut out: Vec<Scalar> = Vec::new();
    while out.len() < count {
        let scalar = match random.below(12) {
            0 => Scalar::ZERO,
            1 => Scalar::ONE,
            2 => -Scalar::ONE,
            3 => Scalar::from(random.next()),
            4 => Scalar::from_integer_unreduced([[0xff; 32], [0x80; 32], [0x7f; 32], [0x88; 32]][random.below(4)]),
            5 => Scalar::from_integer_unreduced(crate::field::reference::L),
            6 if !out.is_empty() => out[random.below(out.len())],
            _ => Scalar::from_integer_unreduced(random.bytes()),
        };
        out.push(if canonical { scalar.reduce() } else { scalar });
    }
    out
}

/// `Σ k·P` bit by bit, the integers as they stand.
fn naive(scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    let mut sum = EdwardsPoint::IDENTITY;
    for bit in (0..256).rev() {
        sum = sum.double();
        for (k, p) in scalars.iter().zip(points) {
            if k.as_bytes()[bit / 8] >> (bit % 8) & 1 == 1 {
                sum += p;
            }
        }
    }
    sum
}

fn plans(lanes: usize, bits: usize) -> Vec<Plan> {
    let shortest = (bits + 2).div_ceil(lanes);
    let mut out = Vec::new();
    for (slice, width) in [(shortest, 2), (shortest, 3), (shortest, 5), (shortest + 1, 7), (shortest + 3, 8)] {
        for algorithm in [Algorithm::Straus, Algorithm::Buckets { block: 23 }, Algorithm::Buckets { block: 1000 }] {
            let slicing = Slicing::even(lanes, slice, slice / width);
            assert!(slicing.covers(bits));
            out.push(Plan { algorithm, slicing });
        }
    }
    for (width, digits) in [(8, 33), (5, 52), (11, 24)] {
        out.push(Plan {
            algorithm: Algorithm::Buckets { block: 19 },
            slicing: Slicing::even(1, width * digits, digits),
        });
    }
    out
}

/// All sizes up to `last`; in a debug build the edges of vectors and every 37th.
fn sizes(last: usize) -> impl Iterator<Item = usize> {
    (0..=last).filter(|n| !cfg!(debug_assertions) || n % 37 == 0 || *n < 34 && (n % 8 < 2 || n % 8 == 7))
}

#[test]
fn every_algorithm_is_exact_on_unreduced_scalars_and_torsion() {
    let mut random = Random::new(20);
    each_backend(|id| {
        let vector = lanes(id);
        for n in sizes(40) {
            let points = points(&mut random, n, n % 2 == 0);
            let scalars = scalars(&mut random, n, false);
            let expected = naive(&scalars, &points);
            let plans = plans(vector, 256);
            let auto = Plan::new(&Costs::of(id), lanes(id), n, longest(&scalars));
            for plan in [&plans[n % plans.len()], &plans[(n + 1) % plans.len()], &auto] {
                assert_eq!(vartime_as(id, plan, &scalars, &points), expected, "{id} n = {n} {plan:?}");
            }
        }
    });
}

#[test]
fn all_sizes_agree_with_dalek() {
    let mut random = Random::new(21);
    let all_points = points(&mut random, 300, true);
    let all_scalars = scalars(&mut random, 300, true);
    let mut expected = dalek::EdwardsPoint::default();
    let mut sums = alloc::vec![expected];
    for (k, p) in all_scalars.iter().zip(&all_points) {
        expected += dalek::Scalar::from_bytes_mod_order(k.to_bytes()) * to_dalek(p);
        sums.push(expected);
    }
    each_backend(|id| {
        let plans = plans(lanes(id), 253);
        for n in sizes(300) {
            let (scalars, points) = (&all_scalars[..n], &all_points[..n]);
            let auto = Plan::new(&Costs::of(id), lanes(id), n, longest(scalars));
            for plan in [&plans[n % plans.len()], &auto] {
                let sum = vartime_as(id, plan, scalars, points);
                assert_eq!(sum.compress().0, sums[n].compress().0, "{id} n = {n} {plan:?}");
            }
        }
    });
}

#[test]
fn shares_of_the_digits_add_up() {
    let mut random = Random::new(25);
    let (points, scalars) = (points(&mut random, 40, true), scalars(&mut random, 40, false));
    let expected = naive(&scalars, &points);
    each_backend(|id| {
        let slice = 264 / lanes(id);
        for (digits, shares) in [(6, 1), (6, 2), (6, 3), (6, 6)] {
            let digits = if lanes(id) == 1 { 8 * digits } else { digits };
            let slicing = Slicing::even(lanes(id), slice, digits.max(slice.div_ceil(15)).next_multiple_of(shares));
            let plan = Plan { algorithm: Algorithm::Buckets { block: 17 }, slicing };
            assert_eq!(super::in_shares(id, &plan, shares, &scalars, &points), expected, "{id} {shares}");
            let slicing = Slicing::even(1, 288, 36);
            let plan = Plan { algorithm: Algorithm::Buckets { block: 40 }, slicing };
            assert_eq!(super::in_shares(id, &plan, shares, &scalars, &points), expected, "{id} {shares} of windows");
        }
    });
}

#[test]
fn large_sums_with_crowded_buckets() {
    let mut random = Random::new(22);
    let n = if cfg!(debug_assertions) { 120 } else { 5000 };
    let points = points(&mut random, n, false);
    let many = scalars(&mut random, n, true);
    // All in one bucket; all in one lane; P and -P in the same bucket; few different digits.
    let same = alloc::vec![many[5]; n];
    let short: Vec<Scalar> = many.iter().map(|k| Scalar::from(u64::from(k.as_bytes()[0]))).collect();
    let minus: Vec<Scalar> = (0..n).map(|i| if i % 2 == 0 { many[3] } else { -many[3] }).collect();
    for (kind, scalars) in [many, same, short, minus].into_iter().enumerate() {
        let dalek_scalars = scalars.iter().map(|k| dalek::Scalar::from_bytes_mod_order(k.to_bytes()));
        let expected = dalek::EdwardsPoint::vartime_multiscalar_mul(dalek_scalars, points.iter().map(to_dalek));
        each_backend(|id| {
            for (slice, digits) in [(0usize, 0), (36, 4), (39, 3), (45, 3)] {
                // The widest digits have 2^14 buckets each: too many for every case of a debug build.
                if cfg!(debug_assertions) && slice == 45 && (kind > 0 || lanes(id) == 1) {
                    continue;
                }
                let costs = Costs::of(id);
                let mut plan = Plan::new(&costs, lanes(id), n, longest(&scalars));
                if slice != 0 {
                    let width = slice.div_ceil(digits);
                    let slice = if lanes(id) == 1 { 256 } else { slice * 8 / lanes(id) };
                    let digits = slice.div_ceil(width);
                    plan = Plan {
                        algorithm: Algorithm::Buckets { block: n / 2 },
                        slicing: Slicing::even(lanes(id), slice, digits),
                    };
                }
                let sum = vartime_as(id, &plan, &scalars, &points);
                assert_eq!(sum.compress().0, expected.compress().0, "{id} {plan:?}");
            }
        });
    }
}

#[test]
fn constant_time_forms_agree_with_the_naive_sum() {
    let mut random = Random::new(23);
    let (points, scalars) = (points(&mut random, 35, true), scalars(&mut random, 35, false));
    let products: Vec<EdwardsPoint> = (0..35).map(|i| naive(&scalars[i..=i], &points[i..=i])).collect();
    let base: Vec<EdwardsPoint> = scalars.iter().map(|k| naive(&[*k], &[EdwardsPoint::BASEPOINT])).collect();
    each_backend(|id| {
        for n in (0..=18).chain([35]) {
            let (points, scalars) = (&points[..n], &scalars[..n]);
            assert_eq!(batch::mul_batch_on(id, scalars, points), products[..n], "{id} n = {n}");
            assert_eq!(batch::mul_base_batch_on(id, scalars), base[..n], "{id} n = {n}");
            let sum: EdwardsPoint = products[..n].iter().sum();
            assert_eq!(batch::constant_time_on(id, scalars, points), sum, "{id} n = {n}");
            // Beside a sum of another length.
            let k = n * 3 / 5;
            let other: EdwardsPoint = products[..k].iter().sum();
            let pair = batch::constant_time_pair_on(id, [(scalars, points), (&scalars[..k], &points[..k])]);
            assert_eq!(pair, [sum, other], "{id} n = {n}");
        }
    });
    for (i, k) in scalars.iter().enumerate() {
        assert_eq!(k * points[i], products[i]);
        assert_eq!(EdwardsPoint::mul_base(k), base[i]);
        assert_eq!(bool::from(points[i].is_torsion_free()), to_dalek(&points[i]).is_torsion_free());
    }
}

#[test]
fn static_points_agree_with_the_plain_sum() {
    let mut random = Random::new(24);
    let (points, scalars) = (points(&mut random, 150, true), scalars(&mut random, 150, false));
    each_backend(|id| {
        for n in [0, 1, 2, 3, 7, 8, 9, 33, 130] {
            let table = StaticPoints::on(id, &points[..n]);
            assert_eq!((table.len(), table.is_empty()), (n, n == 0));
            for (used, other) in [(n, 0), (n, 20), (n / 2, 3), (0, 1), (n.min(1), 0)] {
                let expected =
                    naive(&scalars[..used], &points[..used]) + naive(&scalars[150 - other..], &points[150 - other..]);
                let (dynamic, others) = (&scalars[150 - other..], &points[150 - other..]);
                let sum = table.mixed_vartime(&scalars[..used], dynamic, others).unwrap();
                assert_eq!(sum, expected, "{id} {used} of {n} static, {other} others");
            }
            assert!(table.mixed_vartime(&scalars[..n + 1], &[], &[]).is_err());
            assert!(table.mixed_vartime(&[], &scalars[..1], &[]).is_err());
        }
    });
}

#[test]
fn lengths_must_agree() {
    let error = super::vartime(&[Scalar::ONE], &[]).unwrap_err();
    assert_eq!(alloc::format!("{error}"), "1 scalars for 0 points");
    assert_eq!(super::vartime(&[], &[]), Ok(EdwardsPoint::IDENTITY));
}

/// Scalars of every length, the shortest included, as `plan` cuts them.
#[test]
fn planned_sums_of_short_scalars() {
    let mut random = Random::new(9);
    let points = points(&mut random, 5, true);
    each_backend(|id| {
        for bits in 0..=128u32 {
            for n in 1..=points.len() {
                let top = u128::MAX.checked_shr(128 - bits).unwrap_or(0);
                let scalars: Vec<_> = (0..n as u128).map(|i| Scalar::from(top - i.min(top))).collect();
                let plan = Plan::new(&Costs::of(id), lanes(id), n, longest(&scalars));
                assert!(plan.slicing.widths.iter().all(|w| (2..=15).contains(w)), "{id} {bits} {n}");
                let found = vartime_as(id, &plan, &scalars, &points[..n]);
                assert_eq!(found, naive(&scalars, &points[..n]), "{id} {bits} {n}");
            }
        }
    });
}

//! Multi-scalar multiplication.

use curve25519_dalek as dalek;
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{EdwardsPoint, Scalar};
use dalek::traits::VartimeMultiscalarMul;
use proptest::prelude::*;
use proptest::sample::select;

use super::common::{Random, each_pair, on_all_backends};
use super::inputs::{Pair, SIZES, as_they_stand, halves, integers, joined, points};

/// Beyond the edges of vectors, where the peer and the plans change their ways.
const LARGE: [usize; 8] = [100, 129, 189, 190, 191, 256, 333, 500];

struct Input {
    scalars: Vec<Scalar>,
    points: Vec<EdwardsPoint>,
    expected: [u8; 32],
}

/// `count` terms of all kinds; every integer as it stands, or reduced.
fn input(seed: u64, count: usize, reduced: bool) -> Input {
    let mut random = Random(seed);
    let (pairs, mut integers) = (points(&mut random, count), integers(&mut random, count));
    if reduced {
        integers.iter_mut().for_each(|k| *k = dalek::Scalar::from_bytes_mod_order(*k).to_bytes());
    }
    Input {
        scalars: as_they_stand(&integers),
        points: pairs.iter().map(|p| p.ours).collect(),
        expected: sum(&integers, &pairs).compress().0,
    }
}

fn sum(integers: &[[u8; 32]], pairs: &[Pair]) -> dalek::EdwardsPoint {
    let (low, high): (Vec<dalek::Scalar>, Vec<dalek::Scalar>) = integers.iter().map(halves).unzip();
    let points = || pairs.iter().map(|p| p.theirs);
    joined(
        dalek::EdwardsPoint::vartime_multiscalar_mul(low, points()),
        dalek::EdwardsPoint::vartime_multiscalar_mul(high, points()),
    )
}

proptest! {
    #![proptest_config(super::config())]

    #[test]
    fn sums_agree(seed in any::<u64>(), count in select(&SIZES[..]), reduced in any::<bool>()) {
        let Input { scalars, points, expected } = input(seed, count, reduced);
        let vartime = on_all_backends(|| msm::vartime(&scalars, &points).unwrap().compress().0);
        prop_assert_eq!(vartime, expected);
        let constant_time = on_all_backends(|| msm::constant_time(&scalars, &points).unwrap().compress().0);
        prop_assert_eq!(constant_time, expected);
        let known = seed as usize % (count + 1);
        let mixed = on_all_backends(|| {
            let table = StaticPoints::new(&points[..known]);
            table.mixed_vartime(&scalars[..known], &scalars[known..], &points[known..]).unwrap().compress().0
        });
        prop_assert_eq!(mixed, expected);
    }

    #[test]
    fn large_sums_agree(seed in any::<u64>(), count in select(&LARGE[..]), reduced in any::<bool>()) {
        let count = if cfg!(debug_assertions) { count / 2 } else { count };
        let Input { scalars, points, expected } = input(seed, count, reduced);
        let vartime = on_all_backends(|| msm::vartime(&scalars, &points).unwrap().compress().0);
        prop_assert_eq!(vartime, expected);
        // A table, of which some is used, on one backend, and the rest on another.
        let (known, used) = (count / 2, count / 3);
        let all = msm::vartime(&scalars[used..], &points[used..]).unwrap();
        prop_assert_eq!((msm::vartime(&scalars[..used], &points[..used]).unwrap() + all).compress().0, expected);
        each_pair(
            || StaticPoints::new(&points[..known]),
            |table, first, second| {
                let mixed = table.mixed_vartime(&scalars[..used], &scalars[used..], &points[used..]).unwrap();
                assert_eq!(mixed.compress().0, expected, "table on {first}, others on {second}");
            },
        );
    }
}

#[test]
fn lengths_must_agree() {
    let (k, p) = ([Scalar::ONE], [EdwardsPoint::BASEPOINT]);
    let table = StaticPoints::new(&p);
    assert!(msm::vartime(&k, &[]).is_err() && msm::vartime(&[], &p).is_err());
    assert!(msm::constant_time(&k, &[]).is_err() && msm::constant_time(&[], &p).is_err());
    assert!(msm::mul_batch(&k, &[]).is_err() && msm::mul_batch(&[], &p).is_err());
    assert!(table.mixed_vartime(&[Scalar::ONE; 2], &[], &[]).is_err() && table.mixed_vartime(&[], &k, &[]).is_err());
    assert_eq!(table.mixed_vartime(&[], &[], &[]), Ok(EdwardsPoint::IDENTITY));
}

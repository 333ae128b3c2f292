//! Sums of any 256-bit integers times any points, on every backend, against double-and-add of curve25519-dalek.
#![no_main]

use curve25519_dalek::edwards::CompressedEdwardsY as OracleEncoding;
use curve25519_dalek::edwards::EdwardsPoint as OraclePoint;
use curve25519_dalek::traits::Identity;
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{EdwardsPoint, Scalar, decompress_batch_dalek};
use curve25519_lanes_fuzz::{Input, on_every_backend};
use libfuzzer_sys::fuzz_target;

/// From the highest bit down; nothing is reduced.
fn naive(integers: &[[u8; 32]], points: &[OraclePoint]) -> OraclePoint {
    (0..256).rev().fold(OraclePoint::identity(), |sum, bit| {
        let sum = sum + sum;
        let chosen = integers.iter().zip(points).filter(|(integer, _)| integer[bit / 8] >> (bit % 8) & 1 == 1);
        chosen.fold(sum, |sum, (_, point)| sum + point)
    })
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (split, longest) = (input.below(40), input.below(40));
    let (mut integers, mut encodings, mut oracles) = (Vec::new(), Vec::new(), Vec::new());
    while !input.is_empty() && integers.len() < longest {
        let (integer, encoding) = (input.integer(), input.encoding());
        if let Some(point) = OracleEncoding(encoding).decompress() {
            integers.push(integer);
            encodings.push(encoding);
            oracles.push(point);
        }
    }
    let expected = naive(&integers, &oracles).compress().0;
    let first = integers.first().map(|integer| {
        let base = curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
        let last = *integers.last().expect("there is a first");
        (*integer, last, naive(&[*integer, last], &[oracles[0], base]).compress().0)
    });
    let scalars: Vec<Scalar> = integers.iter().copied().map(Scalar::from_integer_unreduced).collect();
    let split = split.min(scalars.len());

    on_every_backend(|id| {
        let points = decompress_batch_dalek(&encodings).expect("decoded before");
        let check = |what, sum: EdwardsPoint| assert_eq!(sum.compress().0, expected, "{what} on {id}");
        check("vartime", msm::vartime(&scalars, &points).unwrap());
        check("constant_time", msm::constant_time(&scalars, &points).unwrap());
        check("products", msm::mul_batch(&scalars, &points).unwrap().iter().sum());
        check("static", {
            let table = StaticPoints::new(&points[..split]);
            table.mixed_vartime(&scalars[..split], &scalars[split..], &points[split..]).unwrap()
        });
        if let Some((a, b, expected)) = first {
            let [a, b] = [a, b].map(Scalar::from_integer_unreduced);
            let alone = [
                msm::double_base_vartime(&a, &points[0], &b),
                a * points[0] + EdwardsPoint::mul_base(&b),
                msm::same_scalar_vartime(&a, &points[..1])[0] + msm::mul_base_batch(&[b])[0],
                msm::add_base_batch(&[a * points[0]], &[b]).unwrap()[0],
            ];
            alone.iter().for_each(|sum| assert_eq!(sum.compress().0, expected, "double base on {id}"));
        }
    });
});

//! What is fed to both sides.

use curve25519_dalek as dalek;
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar};
use proptest::prelude::*;
use proptest::sample::select;

use super::common::Random;

/// The group order.
pub(crate) const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// Integers at which something may break: as scalars, as field elements, as digits.
pub(crate) fn edges() -> Vec<[u8; 32]> {
    let low = |mut bytes: [u8; 32], first: u8| {
        bytes[0] = first;
        bytes
    };
    let power = |bit: usize| {
        let mut bytes = [0; 32];
        bytes[bit / 8] = 1 << (bit % 8);
        bytes
    };
    let mut twice_l = [0; 32];
    let mut carry = 0;
    for (out, byte) in twice_l.iter_mut().zip(L) {
        *out = byte << 1 | carry;
        carry = byte >> 7;
    }
    let mut below_2_255 = [0xff; 32];
    below_2_255[31] = 0x7f;
    let mut edges = vec![L, low(L, 0xec), low(L, 0xee), twice_l, low(twice_l, twice_l[0] - 1)];
    edges.extend((0..=9).map(|k| low([0; 32], k)));
    // p = 2^255 - 19 and its neighbours, with bit 255 and without.
    for high in [below_2_255, [0xff; 32]] {
        edges.extend([0x00, 0xda, 0xdb, 0xeb, 0xec, 0xed, 0xee, 0xef, 0xfe, 0xff].map(|k| low(high, k)));
    }
    edges.extend([51, 64, 127, 128, 252, 253, 254, 255].map(power));
    // 2^252 - 1; digits that all carry, or all are the largest or smallest.
    let mut below_2_252 = [0xff; 32];
    below_2_252[31] = 0x0f;
    edges.push(below_2_252);
    edges.extend([0x77, 0x78, 0x7f, 0x80, 0x81, 0x88, 0x8f, 0xf7].map(|byte| [byte; 32]));
    edges
}

/// 32 bytes: an edge, anything, or a short integer.
pub(crate) fn bytes() -> impl Strategy<Value = [u8; 32]> {
    prop_oneof![
        2 => select(edges()),
        3 => any::<[u8; 32]>(),
        1 => any::<u128>().prop_map(|x| {
            let mut bytes = [0; 32];
            bytes[..16].copy_from_slice(&x.to_le_bytes());
            bytes
        }),
    ]
}

/// The same point on both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) ours: EdwardsPoint,
    pub(crate) theirs: dalek::EdwardsPoint,
}

impl Pair {
    /// `blind` is added and taken away again, which leaves another Z.
    pub(crate) fn new(theirs: dalek::EdwardsPoint, blind: bool) -> Pair {
        let ours = CompressedEdwardsY(theirs.compress().0).decompress_strict().expect("the encoding of a point");
        let ours = if blind { ours + EdwardsPoint::BASEPOINT - EdwardsPoint::BASEPOINT } else { ours };
        Pair { ours, theirs }
    }
}

/// A point of small order, or any point of the subgroup with any small-order point added.
pub(crate) fn point() -> impl Strategy<Value = Pair> {
    (any::<u64>(), 0..8usize, any::<bool>(), 0..5u8).prop_map(|(k, torsion, blind, kind)| {
        let small = dalek::constants::EIGHT_TORSION[torsion];
        let large = if kind == 0 { dalek::EdwardsPoint::default() } else { multiple_of_base(k) };
        Pair::new(large + small, blind)
    })
}

fn multiple_of_base(k: u64) -> dalek::EdwardsPoint {
    dalek::EdwardsPoint::mul_base(&dalek::Scalar::from(k))
}

/// Many points from one seed: with torsion, of small order, repeated, opposite, neutral, with other Z.
pub(crate) fn points(random: &mut Random, count: usize) -> Vec<Pair> {
    let mut out: Vec<Pair> = Vec::with_capacity(count);
    while out.len() < count {
        let earlier = (!out.is_empty()).then(|| out[random.below(out.len())]);
        let pair = match (random.below(10), earlier) {
            (0, _) => Pair::new(dalek::constants::EIGHT_TORSION[random.below(8)], false),
            (1 | 2, Some(p)) => p,
            (3 | 4, Some(p)) => Pair { ours: -p.ours, theirs: -p.theirs },
            (blind, _) => {
                let torsion = dalek::constants::EIGHT_TORSION[random.below(8)];
                Pair::new(multiple_of_base(random.next()) + torsion, blind < 7)
            }
        };
        out.push(pair);
    }
    out
}

/// Many integers from one seed: edges, repeated ones, short ones, any.
pub(crate) fn integers(random: &mut Random, count: usize) -> Vec<[u8; 32]> {
    let edges = edges();
    let mut out: Vec<[u8; 32]> = Vec::with_capacity(count);
    while out.len() < count {
        let mut integer = random.bytes();
        match random.below(6) {
            0 | 1 => integer = edges[random.below(edges.len())],
            2 if !out.is_empty() => integer = out[random.below(out.len())],
            3 => integer[random.below(32)..].fill(0),
            _ => {}
        }
        out.push(integer);
    }
    out
}

pub(crate) fn as_they_stand(integers: &[[u8; 32]]) -> Vec<Scalar> {
    integers.iter().map(|bytes| Scalar::from_integer_unreduced(*bytes)).collect()
}

/// `(low, high)` with `integer = low + 2^128·high`.
pub(crate) fn halves(integer: &[u8; 32]) -> (dalek::Scalar, dalek::Scalar) {
    let half = |bytes: &[u8]| dalek::Scalar::from(u128::from_le_bytes(bytes.try_into().expect("16 bytes")));
    (half(&integer[..16]), half(&integer[16..]))
}

/// `low + 2^128·high`: no integer in it reaches l, so torsion is kept.
pub(crate) fn joined(low: dalek::EdwardsPoint, high: dalek::EdwardsPoint) -> dalek::EdwardsPoint {
    low + (0..128).fold(high, |p, _| p + p)
}

/// `integer·point`, by the oracle.
pub(crate) fn product(integer: &[u8; 32], point: &dalek::EdwardsPoint) -> dalek::EdwardsPoint {
    let (low, high) = halves(integer);
    joined(low * point, high * point)
}

/// Sizes around the edges of vectors and pairs of vectors of one, four and eight lanes, and well above.
pub(crate) const SIZES: [usize; 24] =
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 31, 32, 33, 47, 64, 65];

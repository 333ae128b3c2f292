//! Hashing to the Edwards curve.

#[cfg(dalek = "4")]
use curve25519_lanes as engine;
use curve25519_lanes::field::FieldElement;
#[cfg(dalek = "4")]
use digest::Digest;
#[cfg(dalek = "5")]
use {
    crate::field::{I, array, element, negate_if},
    curve25519_lanes as engine,
    digest::common::BlockSizeUser,
    digest::consts::{True, U64},
    digest::typenum::IsGreater,
    digest::{FixedOutput, HashMarker},
    subtle::ConditionallySelectable,
};

use crate::edwards::EdwardsPoint;
use crate::field::element as constant;

/// `A = 486662`
const A: FieldElement = constant("066d070000000000000000000000000000000000000000000000000000000000");

#[cfg(dalek = "5")]
impl EdwardsPoint {
    /// RFC 9380, `edwards25519_XMD:…_ELL2_RO_` with the hash `D`: a uniform point of the prime-order subgroup.
    /// The parts of `bytes` are read as one, and so are those of the tag.
    ///
    /// # Panics
    /// If the tag is empty or longer than 255 bytes.
    pub fn hash_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> EdwardsPoint
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        let [u, v] = hash_to_field::<D, 2>(bytes, domain_sep);
        (map(&u) + map(&v)).mul_by_cofactor()
    }

    /// RFC 9380, `edwards25519_XMD:…_ELL2_NU_` with the hash `D`: a point of the prime-order subgroup, of those that
    /// the map reaches. The parts of `bytes` are read as one, and so are those of the tag.
    ///
    /// # Panics
    /// If the tag is empty or longer than 255 bytes.
    pub fn encode_to_curve<D>(bytes: &[&[u8]], domain_sep: &[&[u8]]) -> EdwardsPoint
    where
        D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
        D::BlockSize: IsGreater<D::OutputSize, Output = True>,
    {
        let [u] = hash_to_field::<D, 1>(bytes, domain_sep);
        map(&u).mul_by_cofactor()
    }
}

/// RFC 9380, section 5.2 with `expand_message_xmd` of section 5.3.1: 48 bytes for each element.
#[cfg(dalek = "5")]
fn hash_to_field<D, const COUNT: usize>(message: &[&[u8]], tag: &[&[u8]]) -> [FieldElement; COUNT]
where
    D: BlockSizeUser + Default + FixedOutput<OutputSize = U64> + HashMarker,
    D::BlockSize: IsGreater<D::OutputSize, Output = True>,
{
    let tag_length: usize = tag.iter().map(|part| part.len()).sum();
    assert!(tag_length > 0, "a domain separation tag is not empty");
    let tag_length = u8::try_from(tag_length).expect("a domain separation tag has at most 255 bytes");
    let hash = |parts: &[&[u8]]| {
        let mut state = D::default();
        parts.iter().chain(tag).for_each(|part| state.update(part));
        state.update(&[tag_length]);
        state.finalize_fixed()
    };

    let length = (48 * COUNT) as u16;
    let first = {
        let mut state = D::default();
        state.update(&digest::array::Array::<u8, D::BlockSize>::default());
        message.iter().for_each(|part| state.update(part));
        state.update(&length.to_be_bytes());
        state.update(&[0]);
        tag.iter().for_each(|part| state.update(part));
        state.update(&[tag_length]);
        state.finalize_fixed()
    };
    // 96 bytes at most: two blocks.
    let mut uniform = [0; 128];
    let mut block = [0; 64];
    for (i, out) in (1u8..).zip(uniform.chunks_exact_mut(64).take(usize::from(length).div_ceil(64))) {
        block.iter_mut().zip(&first).for_each(|(b, f)| *b ^= f);
        block = array(&hash(&[&block, &[i]]));
        out.copy_from_slice(&block);
    }
    core::array::from_fn(|i| big_endian_48(&array(&uniform[48 * i..48 * (i + 1)])))
}

/// 48 big-endian bytes mod p: the bits from 255 on count 2^255 = 19.
#[cfg(dalek = "5")]
fn big_endian_48(bytes: &[u8; 48]) -> FieldElement {
    let mut low = [0; 32];
    let mut high = [0; 32];
    low.iter_mut().zip(bytes.iter().rev()).for_each(|(l, b)| *l = *b);
    for (i, b) in bytes.iter().rev().skip(32).enumerate() {
        high[i] |= b << 1;
        high[i + 1] |= b >> 7;
    }
    high[0] |= low[31] >> 7;
    const NINETEEN: FieldElement = element("1300000000000000000000000000000000000000000000000000000000000000");
    FieldElement::from_bytes(&low) + NINETEEN * FieldElement::from_bytes(&high)
}

/// RFC 9380, section 6.8.2 over 6.7.1 (Elligator 2, `Z = 2`), constant-time.
///
/// With `n = -A`, `m = 1 + 2u²`, `x = n/m`: `g(x) = n·(n² + A·n·m + m²)/m³`. Where that is no square, `-x - A = 2u²·x`
/// is the abscissa, and `g` of it is `2u²·g(x)`; a root of `i·g(x)` times `u·(1 - i)` is a root of that, since
/// `(1 - i)² = -2i`.
#[cfg(dalek = "5")]
fn map(u: &FieldElement) -> EdwardsPoint {
    /// `1 - i`
    const ONE_MINUS_I: FieldElement = element("3e5ff1b5d8e4113b871bd052f9e7bcd0582804c266ffb2d4f4203eb07fdb7c54");
    /// `sqrt(-486664)`, the even root.
    const C1: FieldElement = element("067e45ffaa046ecc821a7d4bd1d3a1c57e4ffc03dc087bd2bb06a060f4ed260f");
    debug_assert_eq!(ONE_MINUS_I, FieldElement::ONE - I);

    let one = FieldElement::ONE;
    let uu2 = {
        let uu = u.square();
        uu + uu
    };
    let (n, m) = (-A, one + uu2);
    let mm = m.square();
    let (square, root) = FieldElement::sqrt_ratio(&(n * (n.square() + A * n * m + mm)), &(mm * m));
    let n = FieldElement::conditional_select(&(n * uu2), &n, square);
    let y = FieldElement::conditional_select(&(root * *u * ONE_MINUS_I), &root, square);
    // Odd for the first abscissa, even for the second.
    let y = negate_if(y, y.is_negative() ^ square);

    // (x, y) = (C1·s/t, (s - 1)/(s + 1)) with (s, t) = (n/m, y); the neutral element where that divides by 0.
    let (xn, xd, yn, yd) = (C1 * n, m * y, n - m, n + m);
    let exceptional = (xd * yd).is_zero();
    let pick =
        |value: FieldElement, instead: FieldElement| FieldElement::conditional_select(&value, &instead, exceptional);
    let (xn, xd, yn, yd) = (pick(xn, FieldElement::ZERO), pick(xd, one), pick(yn, one), pick(yd, one));
    EdwardsPoint(engine::EdwardsPoint::from_coordinates_unchecked([xn * yd, xd * yn, xd * yd, xn * yn]))
}

#[cfg(dalek = "4")]
impl EdwardsPoint {
    /// A map from bytes to the prime-order subgroup that follows no standard and reaches part of it only.
    ///
    /// # Panics
    /// For a hash that maps to `u = -1`, which nobody can find.
    #[deprecated(since = "4.0.0", note = "not a hash to the curve")]
    pub fn nonspec_map_to_curve<D>(bytes: &[u8]) -> EdwardsPoint
    where
        D: Digest<OutputSize = digest::consts::U64> + Default,
    {
        let hash: [u8; 64] = crate::field::array(&D::default().chain_update(bytes).finalize());
        let r: [u8; 32] = crate::field::array(&hash[..32]);
        let sign = r[31] >> 7;
        let u = elligator(&FieldElement::from_bytes(&r));
        let point = engine::MontgomeryPoint(u.to_bytes()).to_edwards(sign);
        EdwardsPoint(point.expect("the map leads to the curve")).mul_by_cofactor()
    }
}

/// Elligator 2, the abscissa only: `d = -A/(1 + 2r²)` if `d³ + A·d² + d` is a square, else `-d - A`.
#[cfg(dalek = "4")]
fn elligator(r: &FieldElement) -> FieldElement {
    use subtle::ConditionallySelectable;
    let one = FieldElement::ONE;
    let rr = r.square();
    let d = -A * (one + rr + rr).invert();
    let (square, _) = FieldElement::sqrt_ratio(&(d * (d.square() + A * d + one)), &one);
    FieldElement::conditional_select(&(-d - A), &d, square)
}

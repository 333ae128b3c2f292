//! Lizard: 16 bytes as a Ristretto element and back, and the inverse of the map (Westerbaan; Hamburg).
//!
//! The map goes through a point `(s, t)` of the Jacobi quartic that belongs to the Edwards curve. An element has four
//! representatives, each of them two quartic points `(s, t)` and `(-s, -t)`, and each of these at most two preimages
//! `±r`. Constant-time but for what `lizard_decode` returns.

use curve25519_lanes::field::FieldElement;
use digest::consts::U32;
use digest::{Digest, HashMarker};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};

use crate::field::{I, array, element, negate_if};
use crate::ristretto::RistrettoPoint;

/// `sqrt(i·d)`, the even root.
const SQRT_ID: FieldElement = element("a81b5c4acb2a3075aa6dea0e2da9bccd156eeb739954347597eb7bf45855b305");
/// `(d + 1)/(d - 1)`
const DP1_OVER_DM1: FieldElement = element("2cbb819b5fac7f27c81d24cdf1e79a4824189f995fd9f8ae9dd8e8a730c8670e");
/// `-2/sqrt(-1 - d)`
const MINUS_2_OVER_SQRT: FieldElement = element("067e45ffaa046ecc821a7d4bd1d3a1c57e4ffc03dc087bd2bb06a060f4ed260f");
/// `-1/sqrt(1 + d)`
const MINUS_INVSQRT_1PD: FieldElement = element("012244ce7724d1f4b1492594e308adb17753fa6bbdd30fe157e1d4fc4b7af275");

impl RistrettoPoint {
    /// The element that carries these 16 bytes. The rest of the map's input is their hash.
    pub fn lizard_encode<D>(data: &[u8; 16]) -> RistrettoPoint
    where
        D: Digest<OutputSize = U32> + HashMarker,
    {
        RistrettoPoint::map_to_curve_restricted(lizard_input::<D>(data))
    }

    /// The 16 bytes that this element carries, if it carries some.
    pub fn lizard_decode<D>(&self) -> Option<[u8; 16]>
    where
        D: Digest<OutputSize = U32> + HashMarker,
    {
        let mut found = 0;
        let mut out = [0; 16];
        // Encoding starts from an even field element.
        for preimage in even_preimages(self) {
            let input = preimage.unwrap_or(FieldElement::ZERO).to_bytes();
            let data: [u8; 16] = array(&input[8..24]);
            let ours = preimage.is_some() & input.ct_eq(&lizard_input::<D>(&data));
            out.iter_mut().zip(&data).for_each(|(out, byte)| out.conditional_assign(byte, ours));
            found += ours.unwrap_u8();
        }
        (found == 1).then_some(out)
    }

    /// [`map_to_curve`](RistrettoPoint::map_to_curve) for bytes with bits 0, 254 and 255 clear, of which no two have the
    /// same residue up to sign.
    ///
    /// # Panics
    /// If one of these bits is set.
    pub fn map_to_curve_restricted(bytes: [u8; 32]) -> RistrettoPoint {
        assert_eq!(bytes[0] & 1, 0, "bit 0 is clear");
        assert_eq!(bytes[31] & 0xc0, 0, "bits 254 and 255 are clear");
        RistrettoPoint::map_to_curve(bytes)
    }

    /// Everything that [`map_to_curve`](RistrettoPoint::map_to_curve) takes to this element: first the even field
    /// elements, then their negatives.
    pub fn map_to_curve_inverse(&self) -> [CtOption<[u8; 32]>; 16] {
        let even = even_preimages(self);
        core::array::from_fn(|i| match i {
            0..8 => even[i].map(|r| r.to_bytes()),
            _ => even[i - 8].map(|r| (-r).to_bytes()),
        })
    }
}

/// The hash of `data` with `data` in its middle, made an even number below 2^254.
fn lizard_input<D: Digest<OutputSize = U32>>(data: &[u8; 16]) -> [u8; 32] {
    let mut bytes: [u8; 32] = array(&D::digest(data));
    bytes[8..24].copy_from_slice(data);
    bytes[0] &= 0xfe;
    bytes[31] &= 0x3f;
    bytes
}

/// A point of the Jacobi quartic.
#[derive(Clone, Copy)]
struct Quartic {
    s: FieldElement,
    t: FieldElement,
}

fn even_preimages(p: &RistrettoPoint) -> [CtOption<FieldElement>; 8] {
    let points = quartic_points(p);
    core::array::from_fn(|i| {
        let Quartic { s, t } = points[i / 2];
        if i % 2 == 0 { even_preimage(&s, &t) } else { even_preimage(&-s, &-t) }
    })
}

/// `1/sqrt(v)`, even, and whether `v` is a non-zero square.
fn invsqrt(v: &FieldElement) -> (Choice, FieldElement) {
    FieldElement::sqrt_ratio(&FieldElement::ONE, v)
}

/// The even field element that leads to `(s, t)`, if one does: `(a + sign(s)·s²)/sqrt(i·(s⁴ - a²))` with
/// `a = (t + 1)(d + 1)/(d - 1)`. `s = 0` comes from `sqrt(i·d)` if `t = 1`, else from 0.
fn even_preimage(s: &FieldElement, t: &FieldElement) -> CtOption<FieldElement> {
    let zero = s.is_zero();
    let a = (*t + FieldElement::ONE) * DP1_OVER_DM1;
    let mut ss = s.square();
    let (square, y) = invsqrt(&((ss.square() - a.square()) * I));
    ss = negate_if(ss, s.is_negative());
    let x = (a + ss) * y;
    let x = negate_if(x, x.is_negative());
    let special = FieldElement::conditional_select(&FieldElement::ZERO, &SQRT_ID, t.ct_eq(&FieldElement::ONE));
    CtOption::new(FieldElement::conditional_select(&x, &special, zero), zero | square)
}

/// One quartic point for each of two pairs of representatives, `(x, y)` and `(-x, -y)`: the other two differ in signs.
fn quartic_points(p: &RistrettoPoint) -> [Quartic; 4] {
    let [x, y, z, _] = p.0.as_edwards().coordinates();
    let (xx, yy, zz) = (x.square(), y.square(), z.square());
    let zz_yy = zz - yy;
    let (_, gamma) = invsqrt(&(yy.square() * xx * zz_yy));

    let pair = |factor: FieldElement, z: FieldElement, x: FieldElement, y: FieldElement| {
        let (minus, plus) = (factor * (z - y), factor * (z + y));
        let scale = MINUS_2_OVER_SQRT * z;
        [Quartic { s: minus * x, t: scale * minus }, Quartic { s: -plus * x, t: scale * plus }]
    };
    let [mut p0, mut p1] = pair(gamma * yy, z, x, y);
    // The same with (x, y) and (iz, …) exchanged: the other coset.
    let [mut p2, mut p3] = pair(-zz_yy * MINUS_INVSQRT_1PD * gamma, I * z, y, x);

    // x = 0 or y = 0: (0, 1) twice and (±1, -2i/sqrt(-1 - d)); everything above has come out as 0.
    let special = x.is_zero() | y.is_zero();
    let one = FieldElement::ONE;
    p0.t.conditional_assign(&one, special);
    p1.t.conditional_assign(&one, special);
    p2.s.conditional_assign(&one, special);
    p3.s.conditional_assign(&-one, special);
    for p in [&mut p2, &mut p3] {
        p.t.conditional_assign(&(MINUS_2_OVER_SQRT * I), special);
    }
    [p0, p1, p2, p3]
}

//! `u`-coordinates of the Montgomery curve `v² = u³ + 486662·u² + u` and of its twist.

use core::hash::{Hash, Hasher};

use curve25519_lanes as engine;
use curve25519_lanes::field::FieldElement;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::edwards::EdwardsPoint;
use crate::scalar::{Scalar, clamp_integer};
use crate::traits::Identity;

/// A `u`-coordinate: 32 bytes kept as they are, of which the top bit is ignored and values from p on are taken mod p.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MontgomeryPoint(pub [u8; 32]);

impl MontgomeryPoint {
    /// `scalar` times the base point, `u = 9`. Constant-time.
    pub fn mul_base(scalar: &Scalar) -> MontgomeryPoint {
        EdwardsPoint::mul_base(scalar).to_montgomery()
    }

    /// The clamped integer of these bytes times this point: X25519. Constant-time.
    pub fn mul_clamped(self, bytes: [u8; 32]) -> MontgomeryPoint {
        Scalar::unreduced(clamp_integer(bytes)) * self
    }

    /// The clamped integer of these bytes times the base point. Constant-time.
    pub fn mul_base_clamped(bytes: [u8; 32]) -> MontgomeryPoint {
        MontgomeryPoint::mul_base(&Scalar::unreduced(clamp_integer(bytes)))
    }

    /// The integer of these bits, the highest one first, times this point. The time depends on their number only.
    pub fn mul_bits_be(&self, bits: impl Iterator<Item = bool>) -> MontgomeryPoint {
        let x1 = FieldElement::from_bytes(&self.0);
        // P and Q with Q - P = self, as (U, W); they change places when the bit does.
        let (mut p, mut q) = ([FieldElement::ONE, FieldElement::ZERO], [x1, FieldElement::ONE]);
        let mut before = Choice::from(0);
        for bit in bits {
            let bit = Choice::from(u8::from(bit));
            exchange(&mut p, &mut q, before ^ bit);
            ladder_step(&mut p, &mut q, &x1);
            before = bit;
        }
        exchange(&mut p, &mut q, before);
        MontgomeryPoint((p[0] * p[1].invert()).to_bytes())
    }

    /// The bytes, borrowed.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The bytes.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The point of the Edwards curve with this `u` and this sign of `x`; none for a `u` on the twist and for -1.
    pub fn to_edwards(&self, sign: u8) -> Option<EdwardsPoint> {
        engine::MontgomeryPoint(self.0).to_edwards(sign).map(EdwardsPoint)
    }
}

fn exchange(p: &mut [FieldElement; 2], q: &mut [FieldElement; 2], choice: Choice) {
    for (p, q) in p.iter_mut().zip(q) {
        FieldElement::conditional_swap(p, q, choice);
    }
}

/// `(P, Q) → (2P, P + Q)` (Montgomery 1987; RFC 7748, section 5).
fn ladder_step(p: &mut [FieldElement; 2], q: &mut [FieldElement; 2], x1: &FieldElement) {
    /// (486662 + 2)/4
    const A24: FieldElement = crate::field::element("42db010000000000000000000000000000000000000000000000000000000000");
    let (a, b) = (p[0] + p[1], p[0] - p[1]);
    let (aa, bb) = (a.square(), b.square());
    let e = aa - bb;
    let (da, cb) = ((q[0] - q[1]) * a, (q[0] + q[1]) * b);
    *q = [(da + cb).square(), *x1 * (da - cb).square()];
    *p = [aa * bb, e * (bb + A24 * e)];
}

// By a ladder over the 255 bits of the scalar.
point_products!(MontgomeryPoint, |p, k| MontgomeryPoint(engine::MontgomeryPoint(p.0).mul_255_bits(k.as_bytes()).0));

impl Identity for MontgomeryPoint {
    fn identity() -> MontgomeryPoint {
        MontgomeryPoint([0; 32])
    }
}

impl ConstantTimeEq for MontgomeryPoint {
    fn ct_eq(&self, other: &MontgomeryPoint) -> Choice {
        FieldElement::from_bytes(&self.0).ct_eq(&FieldElement::from_bytes(&other.0))
    }
}

constant_time_equality!(MontgomeryPoint);

#[cfg(dalek = "5")]
impl ConditionallySelectable for MontgomeryPoint {
    fn conditional_select(a: &MontgomeryPoint, b: &MontgomeryPoint, choice: Choice) -> MontgomeryPoint {
        MontgomeryPoint(<[u8; 32]>::conditional_select(&a.0, &b.0, choice))
    }
}

impl Hash for MontgomeryPoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        FieldElement::from_bytes(&self.0).to_bytes().hash(state);
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::Zeroize for MontgomeryPoint {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

//! One lane in assembly: five limbs of 51 bits and the multiplication that every x86-64 has.
//!
//! # Bounds
//! An operand and a sum have limbs below 3·2^52 (*full*), a product below 2^51 + 2^15 (*tight*). Subtractions add 2p,
//! whose limbs are above a tight one, so the longest sum, 2a + b - c + 2p, has limbs below 5·2^51 + 2^17: no sum is
//! carried before it is multiplied. Factors may have limbs up to 2^54.
//!
//! Products come from `asm/amd64_51`, and so do the point operations, where a call is paid once. What the routines
//! do is in their banners.
//!
//! What lost: shifts instead of double shifts in the carries, to leave the multiplier's port alone: no gain in
//! throughput, and six cycles more latency in a square (36 against 30).

#[cfg(test)]
mod tests;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::FieldElement;
use super::assembly::{assembly_items, point_operations, routines};
use super::lanes::FieldLanes;
use super::one_lane::one_lane_items;
use super::rows::Rows;
use crate::cpu::Amd64_51;

type Limbs = [u64; 5];

/// A limb of 51 bits.
const MASK: u64 = (1 << 51) - 1;
/// Full limbs are below this, 3·2^52.
const FULL: u64 = 3 << 52;
/// Tight limbs are below this, 2^51 + 2^15.
const TIGHT: u64 = (1 << 51) + (1 << 15);
/// Limbs of 2p.
const TWICE_P: Limbs = [(1 << 52) - 38, (1 << 52) - 2, (1 << 52) - 2, (1 << 52) - 2, (1 << 52) - 2];

/// One residue, full.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct R51x1(Limbs);

/// One residue, tight.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct TightLimbs(Limbs);

impl TightLimbs {
    #[inline(always)]
    fn checked(self) -> Self {
        debug_assert!(self.0.iter().all(|x| *x < TIGHT), "not tight: {:x?}", self.0);
        self
    }
}

/// One parallel carry: every limb below 2^51 + 2^9 (full limbs carry at most 5, the topmost of them 19 times).
#[inline(always)]
fn tighten(x: &Limbs) -> Limbs {
    let [a, b, c, d, e] = *x;
    [
        (a & MASK) + 19 * (e >> 51),
        (b & MASK) + (a >> 51),
        (c & MASK) + (b >> 51),
        (d & MASK) + (c >> 51),
        (e & MASK) + (d >> 51),
    ]
}

/// `a - b + 2p`
#[inline(always)]
fn sub(a: &Limbs, b: &TightLimbs) -> Limbs {
    core::array::from_fn(|i| a[i] + TWICE_P[i] - b.0[i])
}

#[inline(always)]
fn add(a: &Limbs, b: &Limbs) -> Limbs {
    core::array::from_fn(|i| a[i] + b[i])
}

impl R51x1 {
    #[inline(always)]
    fn checked(self) -> Self {
        debug_assert!(self.0.iter().all(|x| *x < FULL), "limb out of bounds: {:x?}", self.0);
        self
    }

    /// Carried from limb to limb: every limb at most 2^51, the value below 2^255 + 2^51.
    #[inline(always)]
    fn carried(&self) -> Limbs {
        let mut x = self.0;
        for i in 0..4 {
            x[i + 1] += x[i] >> 51;
            x[i] &= MASK;
        }
        x[0] += 19 * (x[4] >> 51);
        x[4] &= MASK;
        x[1] += x[0] >> 51;
        x[0] &= MASK;
        x
    }

    /// The canonical limbs: the quotient by p is that of x + 19 by 2^255, 0 or 1.
    #[inline(always)]
    fn freeze(&self) -> Limbs {
        let x = self.carried();
        let quotient = x.iter().fold(19, |carry, limb| (limb + carry) >> 51);
        let mut out = x;
        let mut carry = 19 * quotient;
        for limb in &mut out {
            let sum = *limb + carry;
            (*limb, carry) = (sum & MASK, sum >> 51);
        }
        out
    }

    #[inline(always)]
    fn from_element(x: &FieldElement) -> Self {
        R51x1(x.0).checked()
    }

    #[inline(always)]
    fn to_element(self) -> FieldElement {
        FieldElement(self.carried())
    }
}

routines!("amd64_51", Amd64_51, 5);
point_operations!(R51x1, TightLimbs);

impl FieldLanes for R51x1 {
    // 15 words would do; one more keeps a row on two cache lines.
    const ROW3: usize = 16;
    const ROW4: usize = 20;
    const MULTIPLICATIONS: usize = 31;
    one_lane_items!(Amd64_51, TightLimbs);
    assembly_items!(Amd64_51, TightLimbs);

    #[inline(always)]
    fn widen(&self) -> TightLimbs {
        TightLimbs(tighten(&self.0)).checked()
    }
    #[inline(always)]
    fn add(a: &TightLimbs, b: &TightLimbs) -> Self {
        R51x1(add(&a.0, &b.0)).checked()
    }
    #[inline(always)]
    fn sub(a: &TightLimbs, b: &TightLimbs) -> Self {
        R51x1(sub(&a.0, b)).checked()
    }
    #[inline(always)]
    fn add_sub(a: &TightLimbs, b: &TightLimbs, c: &TightLimbs) -> Self {
        R51x1(sub(&add(&a.0, &b.0), c)).checked()
    }
    #[inline(always)]
    fn double_add_sub(z: &TightLimbs, a: &TightLimbs, b: &TightLimbs) -> Self {
        R51x1(add(&add(&sub(&a.0, b), &z.0), &z.0)).checked()
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        R51x1(sub(&[0; 5], &self.widen()))
    }

    #[inline(always)]
    fn is_zero(&self) -> Choice {
        self.freeze().iter().fold(0, |any, x| any | x).ct_eq(&0)
    }
    #[inline(always)]
    fn is_odd(&self) -> Choice {
        Choice::from((self.freeze()[0] & 1) as u8)
    }
}

//! One lane on fiat-crypto's verified field: 5 limbs of 51 bits, or 10 of 25.5 bits on 32-bit targets.
//!
//! # Bounds
//! fiat-crypto proves two bounds for each limb of weight 2^k·…: *tight*, what products come out as (up to 2^51;
//! 2^26 and 2^25 in the 32-bit form), and *loose*, three times that, what products accept. Here operand and sum
//! are loose, a product is tight. A sum of two tight values is loose without a carry; the three-term sums carry
//! what has to be tight first. All arithmetic is calls to the verified functions, nothing is added to it.

#[cfg(any(not(target_pointer_width = "64"), curve25519_lanes_32bit))]
use fiat_crypto::curve25519_32 as fiat;
#[cfg(all(target_pointer_width = "64", not(curve25519_lanes_32bit)))]
use fiat_crypto::curve25519_64 as fiat;

use fiat::{fiat_25519_loose_field_element as Loose, fiat_25519_tight_field_element as Tight};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::FieldElement;
use super::lanes::FieldLanes;
use super::one_lane::one_lane_items;
use super::rows::Rows;
use crate::cpu::Portable;

#[cfg(all(target_pointer_width = "64", not(curve25519_lanes_32bit)))]
mod limbs {
    pub(super) type Limbs = [u64; 5];
    #[inline(always)]
    pub(super) fn from_51(x: &[u64; 5]) -> Limbs {
        *x
    }
    #[inline(always)]
    pub(super) fn to_51(x: &Limbs) -> [u64; 5] {
        *x
    }
}

#[cfg(any(not(target_pointer_width = "64"), curve25519_lanes_32bit))]
mod limbs {
    pub(super) type Limbs = [u32; 10];
    /// Weights 2^0, 2^26, 2^51, 2^77, …: a 51-bit limb is one of 26 and one of 25 bits. A limb of exactly 2^51
    /// gives an upper half of 2^25, still tight.
    #[inline(always)]
    pub(super) fn from_51(x: &[u64; 5]) -> Limbs {
        core::array::from_fn(|i| if i % 2 == 0 { x[i / 2] as u32 & 0x3ff_ffff } else { (x[i / 2] >> 26) as u32 })
    }
    /// Tight halves: up to 2^26 + 2^25·2^26, so one carry chain brings limbs back to at most 2^51.
    #[inline(always)]
    pub(super) fn to_51(x: &Limbs) -> [u64; 5] {
        const MASK: u64 = (1 << 51) - 1;
        let mut y: [u64; 5] = core::array::from_fn(|i| u64::from(x[2 * i]) + (u64::from(x[2 * i + 1]) << 26));
        for i in 0..4 {
            y[i + 1] += y[i] >> 51;
            y[i] &= MASK;
        }
        y[0] += 19 * (y[4] >> 51);
        y[4] &= MASK;
        y[1] += y[0] >> 51;
        y[0] &= MASK;
        y
    }
}
use limbs::Limbs;

/// One residue, loose.
#[derive(Clone, Copy)]
pub(crate) struct R51x1(Limbs);

/// One residue, tight.
#[derive(Clone, Copy)]
pub(crate) struct TightLimbs(Limbs);

impl R51x1 {
    /// As a public element: limbs at most 2^51.
    #[inline(always)]
    pub(super) fn to_element(self) -> FieldElement {
        FieldElement(limbs::to_51(&tighten(&self).0))
    }

    #[inline(always)]
    pub(super) fn from_element(x: &FieldElement) -> Self {
        R51x1(limbs::from_51(&x.0))
    }

    /// The 32 canonical bytes.
    #[inline(always)]
    pub(super) fn to_bytes(self) -> [u8; 32] {
        let mut out = [0; 32];
        fiat::fiat_25519_to_bytes(&mut out, &Tight(tighten(&self).0));
        out
    }
}

impl TightLimbs {
    /// A public element is tight as it is.
    #[inline(always)]
    pub(crate) fn from_element(x: &FieldElement) -> Self {
        TightLimbs(limbs::from_51(&x.0))
    }

    /// As a public element: limbs at most 2^51.
    #[inline(always)]
    pub(crate) fn to_element(self) -> FieldElement {
        FieldElement(limbs::to_51(&self.0))
    }
}

/// Inlines away for the limb arrays that fiat's newtypes wrap.
#[inline(always)]
fn tighten(x: &R51x1) -> TightLimbs {
    let mut out = Tight([0; _]);
    fiat::fiat_25519_carry(&mut out, &Loose(x.0));
    TightLimbs(out.0)
}

#[inline(always)]
fn add(a: &TightLimbs, b: &TightLimbs) -> R51x1 {
    let mut out = Loose([0; _]);
    fiat::fiat_25519_add(&mut out, &Tight(a.0), &Tight(b.0));
    R51x1(out.0)
}

#[inline(always)]
fn sub(a: &TightLimbs, b: &TightLimbs) -> R51x1 {
    let mut out = Loose([0; _]);
    fiat::fiat_25519_sub(&mut out, &Tight(a.0), &Tight(b.0));
    R51x1(out.0)
}

impl FieldLanes for R51x1 {
    // 15 words would do; one more keeps a row on two cache lines.
    const ROW3: usize = 16;
    const ROW4: usize = 20;
    const MULTIPLICATIONS: usize = 25;
    one_lane_items!(Portable, TightLimbs);

    #[inline(always)]
    fn isa(&self) -> Portable {
        Portable::TOKEN
    }

    #[inline(always)]
    fn mul(out: &mut TightLimbs, a: &Self, b: &Self) {
        let mut r = Tight([0; _]);
        fiat::fiat_25519_carry_mul(&mut r, &Loose(a.0), &Loose(b.0));
        out.0 = r.0;
    }
    #[inline(always)]
    fn square(out: &mut TightLimbs, a: &Self) {
        let mut r = Tight([0; _]);
        fiat::fiat_25519_carry_square(&mut r, &Loose(a.0));
        out.0 = r.0;
    }
    #[inline(always)]
    fn mul_carry(out: &mut Self, a: &Self, b: &Self) {
        let mut product = Self::product(Portable::TOKEN);
        Self::mul(&mut product, a, b);
        out.0 = product.0;
    }
    #[inline(always)]
    fn square_carry(out: &mut Self, a: &Self) {
        let mut product = Self::product(Portable::TOKEN);
        Self::square(&mut product, a);
        out.0 = product.0;
    }

    #[inline(always)]
    fn widen(&self) -> TightLimbs {
        tighten(self)
    }
    #[inline(always)]
    fn add(a: &TightLimbs, b: &TightLimbs) -> Self {
        add(a, b)
    }
    #[inline(always)]
    fn sub(a: &TightLimbs, b: &TightLimbs) -> Self {
        sub(a, b)
    }
    #[inline(always)]
    fn add_sub(a: &TightLimbs, b: &TightLimbs, c: &TightLimbs) -> Self {
        sub(&tighten(&add(a, b)), c)
    }
    #[inline(always)]
    fn double_add_sub(z: &TightLimbs, a: &TightLimbs, b: &TightLimbs) -> Self {
        add(&tighten(&add(z, z)), &tighten(&sub(a, b)))
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        let mut out = Loose([0; _]);
        fiat::fiat_25519_opp(&mut out, &Tight(tighten(self).0));
        R51x1(out.0)
    }

    #[inline(always)]
    fn is_zero(&self) -> Choice {
        self.to_bytes().ct_eq(&[0; 32])
    }
    #[inline(always)]
    fn is_odd(&self) -> Choice {
        Choice::from(self.to_bytes()[0] & 1)
    }
}

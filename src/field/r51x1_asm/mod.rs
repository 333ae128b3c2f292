//! One lane in assembly: five limbs of 51 bits and the multiplication that every x86-64 has.
//!
//! # Bounds
//! An operand and a sum have limbs below 3·2^52 (*full*), a product below 2^51 + 2^15 (*tight*). Subtractions add 2p,
//! whose limbs are above a tight one, so the longest sum, 2a + b - c + 2p, has limbs below 5·2^51 + 2^17: no sum is
//! carried before it is multiplied. Factors may have limbs up to 2^54.
//!
//! Products come from `asm/amd64_51`, and so do the point operations, where a call is paid once. What the routines
//! do is in their banners; `ffi` is the only caller.
//!
//! What lost: shifts instead of double shifts in the carries, to leave the multiplier's port alone: no gain in
//! throughput, and six cycles more latency in a square (36 against 30).

mod ffi;
#[cfg(test)]
mod tests;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::FieldElement;
use super::lanes::FieldLanes;
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

/// The limbs of the coordinates, for the routines.
#[inline(always)]
fn limbs<const N: usize>(x: [&R51x1; N]) -> [&Limbs; N] {
    x.map(|x| &x.0)
}

#[inline(always)]
fn limbs_mut<const N: usize>(x: [&mut R51x1; N]) -> [&mut Limbs; N] {
    x.map(|x| &mut x.0)
}

#[inline(always)]
fn bit(mask: Choice) -> u64 {
    u64::from(mask.unwrap_u8())
}

/// `(Y - X, Y + X, Z, T) = 2^n·(Y - X, Y + X, Z, T)`, `n ≥ 1`.
#[inline(always)]
pub(crate) fn double_n(p: [&mut R51x1; 4], n: usize) {
    ffi::double_n(p[0].isa(), limbs_mut(p), n as u64);
}

/// `(Y - X, Y + X, Z, T) ± ((y - x)/2, (y + x)/2, d·x·y)` to the former, minus by `negate`.
#[inline(always)]
pub(crate) fn add_mixed(p: [&mut R51x1; 4], q: [&R51x1; 3], negate: Choice) {
    ffi::add_mixed(p[0].isa(), limbs_mut(p), limbs(q), bit(negate));
}

/// `(Y - X, Y + X, Z, T) ± (Y - X, Y + X, 2Z, 2d·T)` to the former, minus by `negate`.
#[inline(always)]
pub(crate) fn add_cached(p: [&mut R51x1; 4], q: [&R51x1; 4], negate: Choice) {
    ffi::add_cached(p[0].isa(), limbs_mut(p), limbs(q), bit(negate));
}

/// `bits` steps of a Montgomery ladder on `(x2, z2, x3, z3)` over the lowest bits of `k`, the highest of them first.
/// Whether the points are to be exchanged at the end.
#[inline(always)]
pub(crate) fn ladder(l: [&mut TightLimbs; 4], x1: &R51x1, k: &[u8; 32], bits: usize) -> Choice {
    assert!((1..=256).contains(&bits), "a scalar has 1 to 256 bits");
    let mut k = super::words(k);
    let last = ffi::ladder(x1.isa(), l.map(|x| &mut x.0), &x1.0, &k, bits as u64);
    k.zeroize();
    Choice::from(last as u8)
}

/// Reads or writes `N` elements of a row.
#[inline(always)]
fn load<const N: usize>(rows: &Rows<R51x1>, row: u32, out: [&mut R51x1; N]) {
    let start = rows.row(row).cast::<Limbs>();
    for (i, x) in out.into_iter().enumerate() {
        // SAFETY: `row` checked the row, which has room for N elements of 40 bytes (ROW3, ROW4).
        x.0 = unsafe { start.add(i).read() };
    }
}

#[inline(always)]
fn store<const N: usize>(rows: &mut Rows<R51x1>, row: u32, x: [&R51x1; N]) {
    let start = rows.row_mut(row).cast::<Limbs>();
    for (i, x) in x.into_iter().enumerate() {
        // SAFETY: as in `load`.
        unsafe { start.add(i).write(x.0) };
    }
}

impl FieldLanes for R51x1 {
    type Isa = Amd64_51;
    type Product = TightLimbs;
    type Sum = R51x1;
    type Mask = Choice;
    type Index = u16;

    const LANES: usize = 1;
    // 15 words would do; one more keeps a row on two cache lines.
    const ROW3: usize = 16;
    const ROW4: usize = 20;

    #[inline(always)]
    fn isa(&self) -> Amd64_51 {
        // SAFETY: a value exists, and the first of them was made with the token.
        unsafe { Amd64_51::assume() }
    }
    #[inline(always)]
    fn splat(_: Amd64_51, x: &FieldElement) -> Self {
        Self::from_element(x)
    }
    #[inline(always)]
    fn load(_: Amd64_51, x: impl Fn(usize) -> FieldElement) -> Self {
        Self::from_element(&x(0))
    }
    #[inline(always)]
    fn store(&self, out: &mut [FieldElement]) {
        out[0] = self.to_element();
    }

    #[inline(always)]
    fn product(_: Amd64_51) -> TightLimbs {
        TightLimbs([0; 5])
    }
    #[inline(always)]
    fn mul(out: &mut TightLimbs, a: &Self, b: &Self) {
        ffi::mul(a.isa(), &mut out.0, &a.0, &b.0);
        out.checked();
    }
    #[inline(always)]
    fn square(out: &mut TightLimbs, a: &Self) {
        ffi::square(a.isa(), &mut out.0, &a.0);
        out.checked();
    }
    #[inline(always)]
    fn mul_carry(out: &mut Self, a: &Self, b: &Self) {
        ffi::mul(a.isa(), &mut out.0, &a.0, &b.0);
    }
    #[inline(always)]
    fn square_carry(out: &mut Self, a: &Self) {
        ffi::square(a.isa(), &mut out.0, &a.0);
    }
    #[inline(always)]
    fn square_n(a: &mut Self, n: usize) {
        if n > 0 {
            ffi::square_n_assign(a.isa(), &mut a.0, n as u64);
        }
    }

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
    fn sub_add(swap: Choice, d: &TightLimbs, c: &TightLimbs) -> (Self, Self) {
        let (f, g) = (Self::sub(d, c), Self::add(d, c));
        (Self::select(swap, &f, &g), Self::select(swap, &g, &f))
    }
    #[inline(always)]
    fn reduce(a: &TightLimbs) -> Self {
        R51x1(a.0)
    }
    #[inline(always)]
    fn carry(a: &Self) -> Self {
        *a
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        R51x1(sub(&[0; 5], &self.widen()))
    }

    #[inline(always)]
    fn select(mask: Choice, a: &Self, b: &Self) -> Self {
        R51x1(core::array::from_fn(|i| u64::conditional_select(&a.0[i], &b.0[i], mask)))
    }
    #[inline(always)]
    fn mask(_: Amd64_51, bits: u32) -> Choice {
        Choice::from((bits & 1) as u8)
    }
    #[inline(always)]
    fn bits(mask: Choice) -> u32 {
        u32::from(mask.unwrap_u8())
    }
    #[inline(always)]
    fn is_zero(&self) -> Choice {
        self.freeze().iter().fold(0, |any, x| any | x).ct_eq(&0)
    }
    #[inline(always)]
    fn is_odd(&self) -> Choice {
        Choice::from((self.freeze()[0] & 1) as u8)
    }
    #[inline(always)]
    fn index(_: Amd64_51, digits: &[i16]) -> (u16, Choice) {
        (digits[0].unsigned_abs(), Choice::from((digits[0] as u16 >> 15) as u8))
    }
    #[inline(always)]
    fn index_is(index: u16, value: u16) -> Choice {
        index.ct_eq(&value)
    }

    #[inline(always)]
    fn load3(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 3]) {
        load(rows, row[0], out);
    }
    #[inline(always)]
    fn splat3(rows: &Rows<Self>, row: u32, out: [&mut Self; 3]) {
        load(rows, row, out);
    }
    #[inline(always)]
    fn store3(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 3]) {
        store(rows, row[0], x);
    }
    #[inline(always)]
    fn load4(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 4]) {
        load(rows, row[0], out);
    }
    #[inline(always)]
    fn store4(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 4]) {
        store(rows, row[0], x);
    }
}

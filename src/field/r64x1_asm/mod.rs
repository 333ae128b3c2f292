//! One lane in assembly: four 64-bit words, mulx and two carry chains (adcx, adox).
//!
//! # Bounds
//! An operand and a sum are any four words, a residue below 2^256 and not reduced further. A product is *tight*:
//! below 2^255 + 2^199. Where one term of a sum is tight, the carry out of 2^256 (worth 38) is folded once and cannot
//! come again: a wrapped sum is below 2^255 + 2^199, a wrapped difference above 2^255 - 2^199. Sums of two operands
//! that may both be full are first made tight ([`FieldLanes::widen`]).
//!
//! Products come from `asm/amd64_64`, and so do the point operations, where a call is paid once. What the routines
//! do is in their banners; `ffi` is the only caller.
//!
//! What lost: folding by 2^256 and then the carry once more (27.4 cycles a product, 25.3 with the quotient by 2^255
//! guessed from the top words); waiting for the top word's carries before guessing (latency 47 against 41, of a square
//! 35 against 30). The order of products inside a point operation matters where a result is used by the next product
//! (a doubling: 229 against 202 cycles); other orders of a ladder step are within the noise of measuring.

mod ffi;
#[cfg(test)]
mod tests;

use core::arch::x86_64::{_addcarry_u64, _subborrow_u64};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::FieldElement;
use super::lanes::FieldLanes;
use super::rows::Rows;
use crate::cpu::Amd64_64;

type Words = [u64; 4];

/// One residue below 2^256.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct R64x1(Words);

/// One residue below 2^255 + 2^199.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct TightWords(Words);

impl TightWords {
    #[inline(always)]
    fn checked(self) -> Self {
        debug_assert!(self.0[3] < (1 << 63) + (1 << 7), "not tight: {:x?}", self.0);
        self
    }
}

/// `a + b` and the carry.
#[inline(always)]
fn add_words(a: &Words, b: &Words) -> (Words, u8) {
    let mut out = [0; 4];
    let mut carry = 0;
    for i in 0..4 {
        carry = _addcarry_u64(carry, a[i], b[i], &mut out[i]);
    }
    (out, carry)
}

/// `a - b` and the borrow.
#[inline(always)]
fn sub_words(a: &Words, b: &Words) -> (Words, u8) {
    let mut out = [0; 4];
    let mut borrow = 0;
    for i in 0..4 {
        borrow = _subborrow_u64(borrow, a[i], b[i], &mut out[i]);
    }
    (out, borrow)
}

/// `a + b`, one of them tight.
#[inline(always)]
fn add(a: &Words, b: &Words) -> Words {
    let (sum, carry) = add_words(a, b);
    let (sum, again) = add_words(&sum, &[38 & u64::from(carry).wrapping_neg(), 0, 0, 0]);
    debug_assert!(again == 0, "neither term was tight");
    sum
}

/// `a - b`, `b` tight.
#[inline(always)]
fn sub(a: &Words, b: &TightWords) -> Words {
    let (difference, borrow) = sub_words(a, &b.0);
    let (difference, again) = sub_words(&difference, &[38 & u64::from(borrow).wrapping_neg(), 0, 0, 0]);
    debug_assert!(again == 0, "the subtrahend was not tight");
    difference
}

/// At most 2^255 + 18: the top bit is worth 19.
#[inline(always)]
fn tighten(x: &Words) -> Words {
    let [a, b, c, d] = *x;
    add_words(&[a, b, c, d & (u64::MAX >> 1)], &[19 * (d >> 63), 0, 0, 0]).0
}

impl R64x1 {
    /// The canonical words: with 2^255 passed by x + 19, the value is at least p.
    #[inline(always)]
    fn freeze(&self) -> Words {
        let x = tighten(&self.0);
        let (mut reduced, _) = add_words(&x, &[19, 0, 0, 0]);
        let above = Choice::from((reduced[3] >> 63) as u8);
        reduced[3] &= u64::MAX >> 1;
        core::array::from_fn(|i| u64::conditional_select(&x[i], &reduced[i], above))
    }

    /// Limbs of at most 2^51 weigh 2^(51·i): together below 2^256.
    #[inline(always)]
    fn from_element(x: &FieldElement) -> Self {
        // Neighbours overlap in the one bit of a limb of exactly 2^51, so they are added, not joined.
        let [a, b, c, d, e] = x.0;
        let (out, carry) = add_words(&[a, b >> 13, c >> 26, d >> 39], &[b << 51, c << 38, d << 25, e << 12]);
        debug_assert!(carry == 0);
        R64x1(out)
    }

    #[inline(always)]
    fn to_element(self) -> FieldElement {
        const MASK: u64 = (1 << 51) - 1;
        let [a, b, c, d] = self.0;
        // The top bit is worth 19, and its carry ends in the second limb, which may be 2^51 then.
        let low = (a & MASK) + 19 * (d >> 63);
        FieldElement([
            low & MASK,
            ((a >> 51 | b << 13) & MASK) + (low >> 51),
            (b >> 38 | c << 26) & MASK,
            (c >> 25 | d << 39) & MASK,
            (d >> 12) & MASK,
        ])
    }
}

/// The words of the coordinates, for the routines.
#[inline(always)]
fn words<const N: usize>(x: [&R64x1; N]) -> [&Words; N] {
    x.map(|x| &x.0)
}

#[inline(always)]
fn words_mut<const N: usize>(x: [&mut R64x1; N]) -> [&mut Words; N] {
    x.map(|x| &mut x.0)
}

#[inline(always)]
fn bit(mask: Choice) -> u64 {
    u64::from(mask.unwrap_u8())
}

/// `(Y - X, Y + X, Z, T) = 2^n·(Y - X, Y + X, Z, T)`, `n ≥ 1`.
#[inline(always)]
pub(crate) fn double_n(p: [&mut R64x1; 4], n: usize) {
    ffi::double_n(p[0].isa(), words_mut(p), n as u64);
}

/// `(Y - X, Y + X, Z, T) ± ((y - x)/2, (y + x)/2, d·x·y)` to the former, minus by `negate`.
#[inline(always)]
pub(crate) fn add_mixed(p: [&mut R64x1; 4], q: [&R64x1; 3], negate: Choice) {
    ffi::add_mixed(p[0].isa(), words_mut(p), words(q), bit(negate));
}

/// `(Y - X, Y + X, Z, T) ± (Y - X, Y + X, 2Z, 2d·T)` to the former, minus by `negate`.
#[inline(always)]
pub(crate) fn add_cached(p: [&mut R64x1; 4], q: [&R64x1; 4], negate: Choice) {
    ffi::add_cached(p[0].isa(), words_mut(p), words(q), bit(negate));
}

/// `bits` steps of a Montgomery ladder on `(x2, z2, x3, z3)` over the lowest bits of `k`, the highest of them first.
/// Whether the points are to be exchanged at the end.
#[inline(always)]
pub(crate) fn ladder(l: [&mut TightWords; 4], x1: &R64x1, k: &[u8; 32], bits: usize) -> Choice {
    assert!((1..=256).contains(&bits), "a scalar has 1 to 256 bits");
    let mut k = super::words(k);
    let last = ffi::ladder(x1.isa(), l.map(|x| &mut x.0), &x1.0, &k, bits as u64);
    k.zeroize();
    Choice::from(last as u8)
}

/// Reads or writes `N` elements of a row.
#[inline(always)]
fn load<const N: usize>(rows: &Rows<R64x1>, row: u32, out: [&mut R64x1; N]) {
    let start = rows.row(row).cast::<Words>();
    for (i, x) in out.into_iter().enumerate() {
        // SAFETY: `row` checked the row, which has room for N elements of 32 bytes (ROW3, ROW4).
        x.0 = unsafe { start.add(i).read() };
    }
}

#[inline(always)]
fn store<const N: usize>(rows: &mut Rows<R64x1>, row: u32, x: [&R64x1; N]) {
    let start = rows.row_mut(row).cast::<Words>();
    for (i, x) in x.into_iter().enumerate() {
        // SAFETY: as in `load`.
        unsafe { start.add(i).write(x.0) };
    }
}

impl FieldLanes for R64x1 {
    type Isa = Amd64_64;
    type Product = TightWords;
    type Sum = R64x1;
    type Mask = Choice;
    type Index = u16;

    const LANES: usize = 1;
    const ROW3: usize = 12;
    const ROW4: usize = 16;

    #[inline(always)]
    fn isa(&self) -> Amd64_64 {
        // SAFETY: a value exists, and the first of them was made with the token.
        unsafe { Amd64_64::assume() }
    }
    #[inline(always)]
    fn splat(_: Amd64_64, x: &FieldElement) -> Self {
        Self::from_element(x)
    }
    #[inline(always)]
    fn load(_: Amd64_64, x: impl Fn(usize) -> FieldElement) -> Self {
        Self::from_element(&x(0))
    }
    #[inline(always)]
    fn store(&self, out: &mut [FieldElement]) {
        out[0] = self.to_element();
    }

    #[inline(always)]
    fn product(_: Amd64_64) -> TightWords {
        TightWords([0; 4])
    }
    #[inline(always)]
    fn mul(out: &mut TightWords, a: &Self, b: &Self) {
        ffi::mul(a.isa(), &mut out.0, &a.0, &b.0);
        out.checked();
    }
    #[inline(always)]
    fn square(out: &mut TightWords, a: &Self) {
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
    fn widen(&self) -> TightWords {
        TightWords(tighten(&self.0)).checked()
    }
    #[inline(always)]
    fn add(a: &TightWords, b: &TightWords) -> Self {
        R64x1(add(&a.0, &b.0))
    }
    #[inline(always)]
    fn sub(a: &TightWords, b: &TightWords) -> Self {
        R64x1(sub(&a.0, b))
    }
    #[inline(always)]
    fn add_sub(a: &TightWords, b: &TightWords, c: &TightWords) -> Self {
        R64x1(sub(&add(&a.0, &b.0), c))
    }
    #[inline(always)]
    fn double_add_sub(z: &TightWords, a: &TightWords, b: &TightWords) -> Self {
        R64x1(add(&add(&sub(&a.0, b), &z.0), &z.0))
    }
    #[inline(always)]
    fn sub_add(swap: Choice, d: &TightWords, c: &TightWords) -> (Self, Self) {
        let (f, g) = (Self::sub(d, c), Self::add(d, c));
        (Self::select(swap, &f, &g), Self::select(swap, &g, &f))
    }
    #[inline(always)]
    fn reduce(a: &TightWords) -> Self {
        R64x1(a.0)
    }
    #[inline(always)]
    fn carry(a: &Self) -> Self {
        *a
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        R64x1(sub(&[0; 4], &self.widen()))
    }

    #[inline(always)]
    fn select(mask: Choice, a: &Self, b: &Self) -> Self {
        R64x1(core::array::from_fn(|i| u64::conditional_select(&a.0[i], &b.0[i], mask)))
    }
    #[inline(always)]
    fn mask(_: Amd64_64, bits: u32) -> Choice {
        Choice::from((bits & 1) as u8)
    }
    #[inline(always)]
    fn bits(mask: Choice) -> u32 {
        u32::from(mask.unwrap_u8())
    }
    #[inline(always)]
    fn is_zero(&self) -> Choice {
        let [a, b, c, d] = self.freeze();
        (a | b | c | d).ct_eq(&0)
    }
    #[inline(always)]
    fn is_odd(&self) -> Choice {
        Choice::from((self.freeze()[0] & 1) as u8)
    }
    #[inline(always)]
    fn index(_: Amd64_64, digits: &[i16]) -> (u16, Choice) {
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

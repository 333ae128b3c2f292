//! One lane in assembly: four 64-bit words, mulx and two carry chains (adcx, adox).
//!
//! # Bounds
//! An operand and a sum are any four words, a residue below 2^256 and not reduced further. A product is *tight*:
//! below 2^255 + 2^199. Where one term of a sum is tight, the carry out of 2^256 (worth 38) is folded once and cannot
//! come again: a wrapped sum is below 2^255 + 2^199, a wrapped difference above 2^255 - 2^199. Sums of two operands
//! that may both be full are first made tight ([`FieldLanes::widen`]).
//!
//! Products come from `asm/amd64_64`, and so do the point operations, where a call is paid once. What the routines
//! do is in their banners.
//!
//! What lost: folding by 2^256 and then the carry once more (27.4 cycles a product, 25.3 with the quotient by 2^255
//! guessed from the top words); waiting for the top word's carries before guessing (latency 47 against 41, of a square
//! 35 against 30). The order of products inside a point operation matters where a result is used by the next product
//! (a doubling: 229 against 202 cycles); other orders of a ladder step are within the noise of measuring.

#[cfg(test)]
mod tests;

use core::arch::x86_64::{_addcarry_u64, _subborrow_u64};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

use super::FieldElement;
use super::assembly::{assembly_items, point_operations, routines};
use super::lanes::FieldLanes;
use super::one_lane::one_lane_items;
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

routines!("amd64_64", Amd64_64, 4);
point_operations!(R64x1, TightWords);

impl FieldLanes for R64x1 {
    const ROW3: usize = 12;
    const ROW4: usize = 16;
    const MULTIPLICATIONS: usize = 21;
    one_lane_items!(Amd64_64, TightWords);
    assembly_items!(Amd64_64, TightWords);

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
    fn neg(&self) -> Self {
        R64x1(sub(&[0; 4], &self.widen()))
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
}

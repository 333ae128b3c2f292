//! Eight lanes on AVX-512 IFMA: radix 2^52, five limbs a residue, limb `i` of all eight residues in one register.
//!
//! # Why this form
//! The two multiply-add instructions give the low and the high 52 bits of a 52 by 52 bit product, so at radix 2^52
//! both halves fall on limb borders and no high half is doubled (at radix 2^51 they would be: about 95 vector
//! operations a product instead of 78). They read only the low 52 bits of an operand, so a carry needs no masking:
//! limbs stay *dirty* above bit 52. Products are left as columns, additions work on columns, and one carry makes
//! the operand of the next product.
//!
//! # Bounds
//! Checked limb by limb after every operation in debug builds.
//!
//! **Operand** ([`R52x8`]): limbs 0 to 3 count modulo 2^52, whatever stands above; limb 4 < 5·2^45. So a residue is
//! represented by a number below 1.25·2^255.
//!
//! **Product** ([`Columns`]): limb `i` ≤ (2i+2)·2^52 + 2^13. Column `k` of the double-length product gathers at most
//! nine halves, each below 2^52. Columns 5 to 8 come down by 2^260 ≡ 608: the low 52 bits of column `k` add one low
//! half to column `k-5` and one high half below 608 to column `k-4`; the rest above bit 52, at most 9, adds
//! 608·9 to column `k-4`. Column 9 is the high half of a product of two top limbs, at most (5·2^45)²/2^52 = 25·2^38,
//! so 608 times it is below 2^52 and comes down with its low half alone. (This step is what limits limb 4.)
//! Column `i ≤ 4` thus holds 2i+1 halves of its own, one folded half, and at most 608·10 < 2^13.
//!
//! **Sum** (the same type): limb `i` < 2^58. Three product terms at most, counted with weight: 30·2^52 + 3·2^13.
//! What is subtracted is covered by adding 1024·p, whose limbs lie between 2^57 - 2^15 and 2^57 = 32·2^52, more than
//! any product limb; together less than 2^58 and never below zero.
//!
//! **Carry**: the part of limb 4 above bit 47 (below 2^11) comes down as 19 times itself, then one ripple goes up.
//! Limb 4 ends at 2^47 - 1 + 2^6 at most. An operand to be stored or compared goes through a second round, after
//! which its number is below 2^255 (`arith::tidy`).
//!
//! # What was tried
//! Columns above 5 could carry into each other before the fold: as many operations, but by count eight cycles more latency
//! than bringing each column's excess down by itself. Adding the padding at the start of a product, and computing two
//! products turn by turn, saves 2 % of a mixed addition (340 cycles against 347); not taken up, as the formulas
//! would have to say which product gets subtracted from.
//! Closures around intrinsics lose the instruction set and become calls, so loops over limbs are written out.
//!
//! In debug builds the operations are functions of their own: nothing shares stack slots there, and kernels
//! inlined whole overflowed a thread's stack.

mod arith;
pub(crate) mod ladder;
mod memory;
pub(crate) mod point;
pub(crate) mod single;

#[cfg(test)]
mod tests;

use core::arch::x86_64::{__m512i, __mmask8};

use self::arith::Limbs;
use super::FieldElement;
use super::lanes::FieldLanes;
use super::rows::Rows;
use crate::cpu::Ifma;

/// Eight residues, carried.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct R52x8(Limbs);

/// Eight products or sums of products, not carried.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Columns(Limbs);

impl R52x8 {
    #[inline(always)]
    fn new(limbs: Limbs) -> Self {
        arith::check(&limbs, &arith::OPERAND_MAX, "operand");
        R52x8(limbs)
    }
}

impl Columns {
    #[inline(always)]
    fn product(limbs: Limbs) -> Self {
        arith::check(&limbs, &arith::PRODUCT_MAX, "product");
        Columns(limbs)
    }

    #[inline(always)]
    fn sum(limbs: Limbs) -> Self {
        arith::check(&limbs, &arith::SUM_MAX, "sum");
        Columns(limbs)
    }
}

impl FieldLanes for R52x8 {
    type Isa = Ifma;
    type Product = Columns;
    type Sum = Columns;
    type Mask = __mmask8;
    type Index = __m512i;

    const LANES: usize = 8;
    const ROW3: usize = 16;
    // 20 words would do; with 24 every row starts a cache line.
    const ROW4: usize = 24;
    const MULTIPLICATIONS: usize = 59;

    #[inline(always)]
    fn isa(&self) -> Ifma {
        arith::token(self.0[0])
    }
    #[inline(always)]
    fn splat(isa: Ifma, x: &FieldElement) -> Self {
        Self::new(memory::splat(isa, x))
    }
    #[inline(always)]
    fn load(isa: Ifma, x: impl Fn(usize) -> FieldElement) -> Self {
        Self::new(memory::load(isa, &[x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)]))
    }
    #[inline(always)]
    fn store(&self, out: &mut [FieldElement]) {
        memory::store(&self.0, out);
    }

    #[inline(always)]
    fn product(isa: Ifma) -> Columns {
        Columns([arith::set(isa, 0); 5])
    }
    #[inline(always)]
    fn mul(out: &mut Columns, a: &Self, b: &Self) {
        *out = Columns::product(arith::mul(&a.0, &b.0));
    }
    #[inline(always)]
    fn square(out: &mut Columns, a: &Self) {
        *out = Columns::product(arith::square(&a.0));
    }
    #[inline(always)]
    fn mul_carry(out: &mut Self, a: &Self, b: &Self) {
        *out = Self::reduce(&Columns::product(arith::mul(&a.0, &b.0)));
    }
    #[inline(always)]
    fn square_carry(out: &mut Self, a: &Self) {
        *out = Self::reduce(&Columns::product(arith::square(&a.0)));
    }

    #[inline(always)]
    fn multiply_only(isa: Ifma, n: usize) {
        let factor = arith::set(isa, core::hint::black_box(u64::MAX));
        let mut x = [factor; 8];
        for _ in 0..n {
            for x in &mut x {
                *x = arith::hi(*x, factor, factor);
            }
        }
        core::hint::black_box(x);
    }
    #[inline(always)]
    fn widen(&self) -> Columns {
        Columns::product(arith::clean(self.0))
    }
    #[inline(always)]
    fn add(a: &Columns, b: &Columns) -> Columns {
        Columns::sum(arith::add(&a.0, &b.0))
    }
    #[inline(always)]
    fn sub(a: &Columns, b: &Columns) -> Columns {
        Columns::sum(arith::sub(&arith::raise(&a.0), &b.0))
    }
    #[inline(always)]
    fn add_sub(a: &Columns, b: &Columns, c: &Columns) -> Columns {
        Columns::sum(arith::sub(&arith::raise(&arith::add(&a.0, &b.0)), &c.0))
    }
    #[inline(always)]
    fn double_add_sub(z: &Columns, a: &Columns, b: &Columns) -> Columns {
        let difference = arith::sub(&arith::raise(&a.0), &b.0);
        Columns::sum(arith::add(&arith::add(&z.0, &z.0), &difference))
    }
    #[inline(always)]
    fn sub_add(swap: __mmask8, d: &Columns, c: &Columns) -> (Columns, Columns) {
        // With 1024p - c in place of c the two exchange: 1024p + d - (1024p - c) = d + c.
        let c = arith::negate_where(swap, &c.0);
        (Columns::sum(arith::sub(&arith::raise(&d.0), &c)), Columns::sum(arith::add(&d.0, &c)))
    }
    #[inline(always)]
    fn reduce(a: &Columns) -> Self {
        Self::new(arith::carry(a.0))
    }
    #[inline(always)]
    fn carry(a: &Columns) -> Self {
        Self::new(arith::carry(a.0))
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        Self::new(arith::carry(arith::negate_where(0xff, &arith::clean(self.0))))
    }

    #[inline(always)]
    fn select(mask: __mmask8, a: &Self, b: &Self) -> Self {
        R52x8(arith::select(mask, &a.0, &b.0))
    }
    #[inline(always)]
    fn mask(_: Ifma, bits: u32) -> __mmask8 {
        bits as __mmask8
    }
    #[inline(always)]
    fn bits(mask: __mmask8) -> u32 {
        u32::from(mask)
    }
    #[inline(always)]
    fn is_zero(&self) -> __mmask8 {
        arith::is_zero(&arith::freeze(&self.0))
    }
    #[inline(always)]
    fn is_odd(&self) -> __mmask8 {
        arith::is_odd(&arith::freeze(&self.0))
    }
    #[inline(always)]
    fn index(isa: Ifma, digits: &[i16]) -> (__m512i, __mmask8) {
        memory::index(isa, digits)
    }
    #[inline(always)]
    fn index_is(index: __m512i, value: u16) -> __mmask8 {
        arith::equal(index, arith::set(arith::token(index), u64::from(value)))
    }

    #[inline(always)]
    fn load3(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 3]) {
        memory::load3(rows, row, out);
    }
    #[inline(always)]
    fn splat3(rows: &Rows<Self>, row: u32, out: [&mut Self; 3]) {
        memory::splat3(rows, row, out);
    }
    #[inline(always)]
    fn store3(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 3]) {
        memory::store3(rows, row, x);
    }
    #[inline(always)]
    fn load4(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 4]) {
        memory::load4(rows, row, out);
    }
    #[inline(always)]
    fn store4(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 4]) {
        memory::store4(rows, row, x);
    }
}

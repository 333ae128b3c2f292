//! Four lanes multiplied by double-precision fused multiply-add (AVX2 + FMA).
//!
//! Radix 2^51, five limbs. A residue is Σ x_k·2^(51k) with *signed, balanced* limbs, held as integer-valued doubles:
//! an operand has |x_k| ≤ B = 2^50 + 2^14. Compared with four lanes of `vpmuludq` (radix 2^25.5, 100 products) this
//! needs 25 products for 50 multiply-adds and is 1.6 times as fast; Intel and AMD run two such a cycle.
//!
//! # Why every product is exact
//! Let C1 = 3·2^102, C3 = 3·2^51, C2 = C1 + C3 = 3·2^51·(2^51 + 1), which has 53 bits. For one product ab,
//! |ab| ≤ 4·2^100 in all that follows, three roundings to nearest give
//!
//! | step | real value | why it is what it says |
//! |---|---|---|
//! | h = fma(a, b, C1) | C1 + 2^51·q | stays within [2^103, 2^104], where doubles are the multiples of 2^51: so q is ab/2^51 to nearest and r = ab − 2^51·q has \|r\| ≤ 2^50 |
//! | t = C2 − h | (3 − q)·2^51 | \|3 − q\| < 2^53: exact |
//! | l = fma(a, b, t) | C3 + r | lies in [2^52, 2^53], where integers are doubles: exact |
//!
//! Within a binade, its upper end included, bit patterns read as integers go up by one from each double to the next.
//! So bits(h) = bits(C1) + q and bits(l) = bits(C3) + r, with q and r signed: from here on all is integer addition,
//! and the two constants, counted once and for all, are taken out at the end.
//!
//! *Two products ab + cd of one column in one chain*, for operands: h1, l1 as above, h2 = fma(c, d, h1),
//! r2 = fma(c, d, h1 − h2), l = l1 + r2. Here |ab|, |cd| ≤ B² < 2^100 + 2^66, so |q1 + q2| ≤ 2^50 + 2^16 and h2 stays in
//! its binade; h1 − h2 = −2^51·q2 is exact; r2 is an integer of 51 bits; and l = C3 + r1 + r2, |r1 + r2| ≤ 2^51, stays
//! within [2^52, 2^53]. That balance is what signed limbs buy. A third rest would not fit. In a square the six
//! doubled products 2ab ≤ 2^101 + 2^67 are exact one at a time but no two fit together, so none are paired; thereby
//! product and square add the same number of constants to each column, and one set of
//! [`OFFSETS`](columns::OFFSETS) serves all.
//!
//! # Columns
//! `Product` holds five 64-bit columns Z_k = z_k + 19·z_(k+5), where z_k sums the rests of its own products and the
//! quotients of those of column k−1. With n products a column, |z_k| ≤ n_k·2^50 + n_(k−1)·(2^49 + 2^15); the worst is
//! |Z_0| ≤ (1 + 19·6.5)·2^50 + ε < 2^57. A widened operand is below 2^51. Modulo 2^64 each column has its offset on
//! top. `Sum` is an operand already: every sum of the contract is a sum with weights of at most 4 in all (2z + a − b),
//! below 2^59, and is carried at once, with constants for the multiple (0, 1, 2) of the offsets that it holds.
//! [`columns::carry`] gives limbs within 2^50 + 19·2^8 < B. (Tried first: columns freed of their offsets by the
//! product; five more operations a product.)
//!
//! # Rounding, exceptions, denormals
//! Round to nearest is a precondition: otherwise rests lie on one side, twice as far out, and nearly all products
//! are wrong. h is inexact, so the sticky precision flag is set and its exception must be masked. The frame of
//! `cpu::Avx2` sees to both. Every non-zero value is an integer below 2^105, so denormals, infinities and NaN don't
//! occur, and flush-to-zero modes change nothing; −0.0 does occur, and adds like 0. The compiler may not contract or
//! reassociate intrinsics, so the carry is safe from it.
//!
//! # Time
//! No branch, no address and no instruction choice depends on a limb. The known operand-dependent timings of
//! floating-point units come from denormals and special values (Andrysco et al., "On subnormal floating point and
//! abnormal timing", 2015), which are excluded here, and measurements with operands of all zeros, small, large and
//! mixed show no difference. But the CPU vendors' promises of data-independent timing name integer instructions and
//! may not cover these, so users with secrets can send that work to the scalar backends.

mod columns;
mod memory;
#[macro_use]
mod text;
mod product;
mod single;
#[cfg(test)]
mod tests;

pub(crate) use self::single::double_n_single;

use core::arch::x86_64::*;

use self::columns::{OFFSETS, int, integers, limbs};
use super::FieldElement;
use super::lanes::FieldLanes;
use super::rows::Rows;
use crate::cpu::Avx2;

/// Bound of an operand's limbs.
#[cfg(any(test, debug_assertions))]
const B: i64 = (1 << 50) + (1 << 14);

/// Four residues, limb k of lane i in `0[k][i]`.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct R51x4([__m256d; 5]);

/// Uncarried products: columns and [`OFFSETS`].
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Columns([__m256i; 5]);

impl R51x4 {
    /// The value, its bounds checked in debug builds.
    #[inline(always)]
    fn checked(limbs: [__m256d; 5]) -> Self {
        let x = R51x4(limbs);
        x.check();
        x
    }

    #[inline(always)]
    fn check(&self) {
        #[cfg(debug_assertions)]
        self.check_limbs();
    }

    #[cfg(debug_assertions)]
    #[inline(never)]
    fn check_limbs(&self) {
        let limbs = self.limbs();
        // Indices, as iterators are slow in just the builds that come here.
        let mut i = 0;
        while i < 20 {
            let x = limbs[i / 4][i % 4];
            assert!(x.abs() <= B as f64 && x == x as i64 as f64, "limb {} out of bounds: {x}", i / 4);
            i += 1;
        }
    }

    #[cfg(any(test, debug_assertions))]
    fn limbs(&self) -> [[f64; 4]; 5] {
        // SAFETY: a vector of doubles has the layout of an array of them.
        unsafe { core::mem::transmute(self.0) }
    }
}

impl Columns {
    #[inline(always)]
    fn check(&self) {
        #[cfg(debug_assertions)]
        self.check_columns();
    }

    #[cfg(debug_assertions)]
    #[inline(never)]
    fn check_columns(&self) {
        let columns = self.columns();
        let mut i = 0;
        while i < 20 {
            let value = columns[i / 4][i % 4].wrapping_sub(OFFSETS[i / 4]);
            assert!(value.abs() < 1 << 57, "column {} out of bounds: {value}", i / 4);
            i += 1;
        }
    }

    #[cfg(debug_assertions)]
    fn columns(&self) -> [[i64; 4]; 5] {
        // SAFETY: a vector of integers has the layout of an array of them.
        unsafe { core::mem::transmute(self.0) }
    }
}

// SAFETY of every block below: an argument is a token, or a lane value, mask or index that only a token could make, so
// the CPU has AVX2 and FMA. Where more is needed the block says it.
impl FieldLanes for R51x4 {
    type Isa = Avx2;
    type Product = Columns;
    type Sum = R51x4;
    type Mask = __m256i;
    type Index = __m256i;

    const LANES: usize = 4;
    const ROW3: usize = 16;
    const ROW4: usize = 20;
    const MULTIPLICATIONS: usize = 50;

    #[inline(always)]
    fn isa(&self) -> Avx2 {
        // SAFETY: above.
        unsafe { Avx2::assume() }
    }
    #[inline(always)]
    fn splat(_: Avx2, x: &FieldElement) -> Self {
        // SAFETY: above. Limbs are columns without offset.
        Self::checked(unsafe { columns::carry::<0>(limbs!(K => int(x.0[K] as i64))) })
    }
    #[inline(always)]
    fn load(_: Avx2, x: impl Fn(usize) -> FieldElement) -> Self {
        // SAFETY: above.
        Self::checked(unsafe { memory::from_elements(&[x(0), x(1), x(2), x(3)]) })
    }
    #[inline(always)]
    fn store(&self, out: &mut [FieldElement]) {
        // SAFETY: above.
        unsafe { memory::to_elements(self, out) }
    }

    #[inline(always)]
    fn product(_: Avx2) -> Columns {
        // SAFETY: above.
        Columns(unsafe { limbs!(K => int(OFFSETS[K])) })
    }
    #[inline(always)]
    fn mul(out: &mut Columns, a: &Self, b: &Self) {
        a.check();
        b.check();
        product::mul(out, a, b);
        out.check();
    }
    #[inline(always)]
    fn square(out: &mut Columns, a: &Self) {
        a.check();
        product::square(out, a);
        out.check();
    }
    #[inline(always)]
    fn mul_carry(out: &mut Self, a: &Self, b: &Self) {
        a.check();
        b.check();
        product::mul_carry(out, a, b);
        out.check();
    }
    #[inline(always)]
    fn square_carry(out: &mut Self, a: &Self) {
        a.check();
        product::square_carry(out, a);
        out.check();
    }
    #[inline(always)]
    fn square_n(a: &mut Self, n: usize) {
        a.check();
        product::square_n(a, n);
        a.check();
    }

    #[inline(always)]
    fn multiply_only(_: Avx2, n: usize) {
        // SAFETY: above.
        unsafe {
            // Sums that tend to 2: nothing that is slow to multiply.
            let (factor, term) = (_mm256_set1_pd(0.5), _mm256_set1_pd(core::hint::black_box(1.0)));
            let mut x = [term; 8];
            for _ in 0..n {
                for x in &mut x {
                    *x = _mm256_fmadd_pd(*x, factor, term);
                }
            }
            core::hint::black_box(x);
        }
    }
    #[inline(always)]
    fn widen(&self) -> Columns {
        self.check();
        // SAFETY: above.
        Columns(unsafe { integers(&self.0, OFFSETS) })
    }
    #[inline(always)]
    fn add(a: &Columns, b: &Columns) -> Self {
        // SAFETY: above.
        Self::checked(unsafe { columns::carry::<2>(limbs!(K => _mm256_add_epi64(a.0[K], b.0[K]))) })
    }
    #[inline(always)]
    fn sub(a: &Columns, b: &Columns) -> Self {
        // SAFETY: above.
        Self::checked(unsafe { columns::carry::<0>(limbs!(K => _mm256_sub_epi64(a.0[K], b.0[K]))) })
    }
    #[inline(always)]
    fn add_sub(a: &Columns, b: &Columns, c: &Columns) -> Self {
        // SAFETY: above.
        Self::checked(unsafe {
            columns::carry::<1>(limbs!(K => _mm256_sub_epi64(_mm256_add_epi64(a.0[K], b.0[K]), c.0[K])))
        })
    }
    #[inline(always)]
    fn double_add_sub(z: &Columns, a: &Columns, b: &Columns) -> Self {
        // SAFETY: above.
        Self::checked(unsafe {
            columns::carry::<2>(limbs!(K => {
                _mm256_add_epi64(_mm256_add_epi64(z.0[K], z.0[K]), _mm256_sub_epi64(a.0[K], b.0[K]))
            }))
        })
    }
    #[inline(always)]
    fn sub_add(swap: __m256i, d: &Columns, c: &Columns) -> (Self, Self) {
        // SAFETY: above.
        unsafe {
            // ±c, with the same offset o either way: ~(c + o) + 2o + 1 = -c + o.
            let c = limbs!(K => {
                let turn = _mm256_and_si256(swap, int(OFFSETS[K].wrapping_mul(2).wrapping_add(1)));
                _mm256_add_epi64(_mm256_xor_si256(c.0[K], swap), turn)
            });
            let difference = limbs!(K => _mm256_sub_epi64(d.0[K], c[K]));
            let sum = limbs!(K => _mm256_add_epi64(d.0[K], c[K]));
            (Self::checked(columns::carry::<0>(difference)), Self::checked(columns::carry::<2>(sum)))
        }
    }
    #[inline(always)]
    fn reduce(a: &Columns) -> Self {
        // SAFETY: above.
        Self::checked(unsafe { columns::carry::<1>(a.0) })
    }
    #[inline(always)]
    fn carry(a: &Self) -> Self {
        *a
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        // SAFETY: above.
        R51x4(unsafe { limbs!(K => _mm256_xor_pd(self.0[K], _mm256_set1_pd(-0.0))) })
    }

    #[inline(always)]
    fn select(mask: __m256i, a: &Self, b: &Self) -> Self {
        // SAFETY: above. Not a blend: that is three operations on newer CPUs, and in an exchange of two values the
        // compiler shares the masked difference of this form.
        R51x4(unsafe {
            let mask = _mm256_castsi256_pd(mask);
            limbs!(K => _mm256_xor_pd(a.0[K], _mm256_and_pd(_mm256_xor_pd(a.0[K], b.0[K]), mask)))
        })
    }
    #[inline(always)]
    fn blank(_: Avx2) -> Self {
        // SAFETY: above.
        R51x4(unsafe { limbs!(_K => _mm256_setzero_pd()) })
    }
    #[inline(always)]
    fn merge(&mut self, mask: __m256i, x: &Self) {
        // SAFETY: above. Blank lanes are zero bits: one operation less than `select`.
        self.0 = unsafe {
            let mask = _mm256_castsi256_pd(mask);
            limbs!(K => _mm256_or_pd(self.0[K], _mm256_and_pd(x.0[K], mask)))
        };
    }
    #[inline(always)]
    fn mask(_: Avx2, bits: u32) -> __m256i {
        // SAFETY: above.
        unsafe {
            let lane = _mm256_setr_epi64x(1, 2, 4, 8);
            _mm256_cmpeq_epi64(_mm256_and_si256(int(i64::from(bits)), lane), lane)
        }
    }
    #[inline(always)]
    fn bits(mask: __m256i) -> u32 {
        // SAFETY: above.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(mask)) as u32 }
    }
    #[inline(always)]
    fn is_zero(&self) -> __m256i {
        // SAFETY: above.
        unsafe {
            let v = columns::canonical(&self.0);
            let low = _mm256_or_si256(_mm256_or_si256(v[0], v[1]), _mm256_or_si256(v[2], v[3]));
            _mm256_cmpeq_epi64(_mm256_or_si256(low, v[4]), _mm256_setzero_si256())
        }
    }
    #[inline(always)]
    fn is_odd(&self) -> __m256i {
        // SAFETY: above.
        unsafe {
            let lowest = _mm256_and_si256(columns::canonical(&self.0)[0], int(1));
            _mm256_sub_epi64(_mm256_setzero_si256(), lowest)
        }
    }
    #[inline(always)]
    fn index(_: Avx2, digits: &[i16]) -> (__m256i, __m256i) {
        let digits: &[i16; 4] = digits[..4].try_into().expect("a slice of four");
        // SAFETY: above; eight bytes are read from eight.
        unsafe {
            let digits = _mm256_cvtepi16_epi64(_mm_loadl_epi64(digits.as_ptr().cast()));
            let negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), digits);
            (_mm256_sub_epi64(_mm256_xor_si256(digits, negative), negative), negative)
        }
    }
    #[inline(always)]
    fn index_is(index: __m256i, value: u16) -> __m256i {
        // SAFETY: above.
        unsafe { _mm256_cmpeq_epi64(index, int(i64::from(value))) }
    }

    #[inline(always)]
    fn load3(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 3]) {
        // SAFETY: above.
        unsafe { memory::load(rows, row, out) }
    }
    #[inline(always)]
    fn splat3(rows: &Rows<Self>, row: u32, out: [&mut Self; 3]) {
        // SAFETY: above.
        unsafe { memory::splat(rows, row, out) }
    }
    #[inline(always)]
    fn store3(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 3]) {
        // SAFETY: above.
        unsafe { memory::store(rows, row, x) }
    }
    #[inline(always)]
    fn load4(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 4]) {
        // SAFETY: above.
        unsafe { memory::load(rows, row, out) }
    }
    #[inline(always)]
    fn store4(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 4]) {
        // SAFETY: above.
        unsafe { memory::store(rows, row, x) }
    }
}

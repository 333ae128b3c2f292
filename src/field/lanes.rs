//! The one contract every field backend fulfils: [`FieldLanes`].
//!
//! A lane value holds `LANES` independent residues mod p = 2^255-19, one a lane. Three states tell how far
//! arithmetic has gone, so that the compiler counts carries and not the author:
//!
//! | state | made by | may be | scalar code (r51x1) | eight lanes (r52x8) | four lanes (r51x4) |
//! |---|---|---|---|---|---|
//! | operand (`Self`) | load, `carry`, `reduce` | multiplied | limbs ≤ 3·2^51 | carried limbs | balanced doubles |
//! | `Product` | `mul`, `square`, `widen` | added, subtracted | limbs ≤ 2^51 (+ε) | 64-bit columns | 64-bit columns |
//! | `Sum` | additions of products | carried | = operand | = `Product` | = `Product` |
//!
//! A sum has at most the terms of the longest operation below (three terms with weights 2, 1, 1): each backend
//! argues its bounds for exactly that in its module doc, and checks every limb under `debug_assertions`.
//!
//! Products go through `&mut` out-parameters: four-lane products are outlined assembly, and a product returned
//! by value is copied (25 to 30 % of a point addition, measured). Every method is `#[inline(always)]`.

use super::FieldElement;
use super::rows::Rows;
use crate::cpu::Isa;

/// The most lanes any backend has; sizes small per-lane arrays.
pub(crate) const MAX_LANES: usize = 8;

/// `LANES` residues mod p in the operand state. See the [module](self) for the states.
pub(crate) trait FieldLanes: Copy {
    /// The token that proves the instructions are there. Only a token makes the first value.
    type Isa: Isa;
    /// An uncarried product.
    type Product: Copy;
    /// A sum of products.
    type Sum: Copy;
    /// One truth value a lane.
    type Mask: Copy;
    /// One small unsigned number (below 2^16) a lane.
    type Index: Copy;

    /// Residues in one value.
    const LANES: usize;
    /// 64-bit words of a table row of three elements (padding included).
    const ROW3: usize;
    /// 64-bit words of a table row of four elements (padding included).
    const ROW4: usize;
    /// Instructions of [`mul`](FieldLanes::mul) that multiply.
    const MULTIPLICATIONS: usize;

    /// The token again.
    fn isa(&self) -> Self::Isa;

    /// The same element in every lane.
    fn splat(isa: Self::Isa, x: &FieldElement) -> Self;
    /// Element `x(i)` in lane `i`.
    fn load(isa: Self::Isa, x: impl Fn(usize) -> FieldElement) -> Self;
    /// Lane `i` to `out[i]`, limbs at most 2^51. `out` has `LANES` elements.
    fn store(&self, out: &mut [FieldElement]);

    /// A product to write into (zero).
    fn product(isa: Self::Isa) -> Self::Product;
    /// `out = a·b`
    fn mul(out: &mut Self::Product, a: &Self, b: &Self);
    /// `out = a²`
    fn square(out: &mut Self::Product, a: &Self);
    /// `a·b` carried: what a chain of multiplications uses.
    fn mul_carry(out: &mut Self, a: &Self, b: &Self);
    /// `a²` carried. `out` and `a` are often the same in chains: see [`FieldLanes::square_n`].
    fn square_carry(out: &mut Self, a: &Self);
    /// `a^(2^n)` carried, in place.
    #[inline(always)]
    fn square_n(a: &mut Self, n: usize) {
        for _ in 0..n {
            let x = *a;
            Self::square_carry(a, &x);
        }
    }

    /// `8n` of the instructions that multiply, in eight chains and with next to nothing else: as fast as they can come.
    fn multiply_only(isa: Self::Isa, n: usize);

    /// An operand as a one-term product (no multiplication).
    fn widen(&self) -> Self::Product;
    /// `a + b`
    fn add(a: &Self::Product, b: &Self::Product) -> Self::Sum;
    /// `a - b`
    fn sub(a: &Self::Product, b: &Self::Product) -> Self::Sum;
    /// `a + b - c`
    fn add_sub(a: &Self::Product, b: &Self::Product, c: &Self::Product) -> Self::Sum;
    /// `2z + a - b`
    fn double_add_sub(z: &Self::Product, a: &Self::Product, b: &Self::Product) -> Self::Sum;
    /// `(d - c, d + c)`, exchanged in the lanes of `swap`.
    fn sub_add(swap: Self::Mask, d: &Self::Product, c: &Self::Product) -> (Self::Sum, Self::Sum);
    /// A product made ready to be multiplied again.
    fn reduce(a: &Self::Product) -> Self;
    /// A sum made ready to be multiplied again.
    fn carry(a: &Self::Sum) -> Self;
    /// `-a`
    fn neg(&self) -> Self;

    /// `b` in the lanes of `mask`, else `a`. No branch.
    fn select(mask: Self::Mask, a: &Self, b: &Self) -> Self;
    /// What a look-up by [`FieldLanes::merge`] begins with.
    #[inline(always)]
    fn blank(isa: Self::Isa) -> Self {
        Self::splat(isa, &FieldElement::ZERO)
    }
    /// `x` in the lanes of `mask`, which must still be blank.
    #[inline(always)]
    fn merge(&mut self, mask: Self::Mask, x: &Self) {
        *self = Self::select(mask, self, x);
    }
    /// The mask whose lane `i` is bit `i`.
    fn mask(isa: Self::Isa, bits: u32) -> Self::Mask;
    /// Bit `i` = lane `i`.
    fn bits(mask: Self::Mask) -> u32;
    /// Lanes whose residue is zero.
    fn is_zero(&self) -> Self::Mask;
    /// Lanes whose canonical residue is odd ("negative").
    fn is_odd(&self) -> Self::Mask;
    /// `|digits[i]|` in lane `i`, and the mask of negative digits. `digits` has `LANES` elements.
    fn index(isa: Self::Isa, digits: &[i16]) -> (Self::Index, Self::Mask);
    /// Lanes whose index is `value`.
    fn index_is(index: Self::Index, value: u16) -> Self::Mask;

    /// Row `row[i]` to lane `i` of the three elements of `out`. `row` has `LANES` elements.
    ///
    /// # Panics
    /// If a row lies outside `rows` (this and the following ones).
    fn load3(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 3]);
    /// Row `row` to every lane.
    fn splat3(rows: &Rows<Self>, row: u32, out: [&mut Self; 3]);
    /// Lane `i` of the three elements to row `row[i]`.
    fn store3(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 3]);
    /// Row `row[i]` to lane `i` of the four elements of `out`.
    fn load4(rows: &Rows<Self>, row: &[u32], out: [&mut Self; 4]);
    /// Lane `i` of the four elements to row `row[i]`.
    fn store4(rows: &mut Rows<Self>, row: &[u32], x: [&Self; 4]);
}

/// Operand-to-operand arithmetic by value, for code that isn't hot: every step carries.
pub(crate) trait Arithmetic: FieldLanes {
    /// `self·b`
    #[inline(always)]
    fn times(&self, b: &Self) -> Self {
        let mut out = *self;
        Self::mul_carry(&mut out, self, b);
        out
    }
    /// `self²`
    #[inline(always)]
    fn squared(&self) -> Self {
        let mut out = *self;
        Self::square_carry(&mut out, self);
        out
    }
    /// `self + b`
    #[inline(always)]
    fn plus(&self, b: &Self) -> Self {
        Self::carry(&Self::add(&self.widen(), &b.widen()))
    }
    /// `self - b`
    #[inline(always)]
    fn minus(&self, b: &Self) -> Self {
        Self::carry(&Self::sub(&self.widen(), &b.widen()))
    }
    /// `-self` in the lanes of `mask`.
    #[inline(always)]
    fn negate_if(&self, mask: Self::Mask) -> Self {
        Self::select(mask, self, &self.neg())
    }
    /// The one of `±self` that is even.
    #[inline(always)]
    fn magnitude(&self) -> Self {
        self.negate_if(self.is_odd())
    }
}

impl<F: FieldLanes> Arithmetic for F {}

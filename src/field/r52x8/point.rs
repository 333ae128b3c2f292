//! A scalar times one point, the coordinates of the running point side by side in four lanes.
//!
//! Doublings are those of [`single`]. An addition is two products (Hisil, Wong, Carter, Dawson 2008, sections 3.1 and
//! 4.2), again with one carry before each:
//!
//! ```text
//! (T, Z, Y - X, Y + X) · (2d·T2, 2·Z2, Y2 - X2, Y2 + X2) = (C, D, A, B)
//! (E, F, E, G) · (H, G, F, H) = (T, Z, X, Y)      F, G = D -+ C; E, H = B -+ A
//! ```
//!
//! The last doubling before an addition makes T at no cost, an addition only if it is the last.
//!
//! Choosing an entry of the table and its sign waits for nothing, so it is done while the doublings run. Radix 32
//! (52 digits, 16 entries) comes out the same as radix 16 by count: thirteen additions less, eight dearer entries more.

use super::arith::{MASK52, PAD};
use super::single::{
    self, Limbs, V, and, blend, choose, equal, lanes, order, pad_minus, pairs, permute, plus, set, swap,
};
use crate::cpu::{Ifma, Isa};
use crate::field::{FieldElement, constants};

/// Multiples in a table: 1 to 8.
const ENTRIES: usize = 8;

/// `Σ digits[j]·16^j · (X : Y : Z : T)`, digits from -8 to 8, as `[X, Y, Z, T]`. Constant-time in point and digits.
pub(crate) fn mul_single(isa: Ifma, p: &[FieldElement; 4], digits: &[i8]) -> [FieldElement; 4] {
    let &[x, y, z, t] = p;
    let (one, zero) = (FieldElement::ONE, FieldElement::ZERO);
    let two = one + one;
    isa.outline(
        #[inline(always)]
        || {
            let start = single::load(isa, &[t, z, x, y]);
            let factors = single::load(isa, &[constants::D2, two, one, one]);
            let table = Table::new(isa, &start, &factors);
            let mut sum = single::load(isa, &[zero, one, zero, one]);
            for (i, digit) in digits.iter().enumerate().rev() {
                let q = table.select(isa, *digit);
                if i + 1 < digits.len() {
                    // What starts as T is X afterwards.
                    let mut v = single::next(isa, &sum);
                    for _ in 0..3 {
                        v = single::next(isa, &single::double::<false>(isa, &v));
                    }
                    sum = single::double::<true>(isa, &v);
                }
                sum = if i == 0 { add::<true>(isa, &sum, &q) } else { add::<false>(isa, &sum, &q) };
            }
            let [t, z, x, y] = single::store(&sum);
            [x, y, z, t]
        },
    )
}

/// Columns `(T, Z, X, Y)` to `(T, Z, Y - X, Y + X)`, carried.
#[inline(always)]
fn factor(isa: Ifma, z: &Limbs) -> Limbs {
    let mut out = pairs::<false>(isa, z);
    for (out, z) in out.iter_mut().zip(z) {
        *out = blend::<0b1111>(*out, *z);
    }
    single::carry(isa, out)
}

/// Columns `(T, Z, X, Y)` plus a table entry: columns of the sum, with T or once more X in lane 0.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn add<const T: bool>(isa: Ifma, p: &Limbs, q: &Limbs) -> Limbs {
    let products = single::mul(isa, &factor(isa, p), q);
    // (F, G, E, H)
    let v = single::carry(isa, pairs::<false>(isa, &products));
    let (mut l, mut r) = (v, v);
    for i in 0..5 {
        l[i] = permute::<{ order([2, 0, 2, 1]) }>(v[i]);
        r[i] = if T { permute::<{ order([3, 1, 0, 3]) }>(v[i]) } else { permute::<{ order([0, 1, 0, 3]) }>(v[i]) };
    }
    single::mul(isa, &l, &r)
}

/// `(2d·T, 2·Z, Y - X, Y + X)` of multiples 1 to 8, in clean limbs.
struct Table([Limbs; ENTRIES]);

impl Table {
    #[inline(always)]
    fn new(isa: Ifma, p: &Limbs, factors: &Limbs) -> Self {
        let mut out = Table([*factors; ENTRIES]);
        let mut multiple = *p;
        for e in 0..ENTRIES {
            if e > 0 {
                multiple = add::<true>(isa, &multiple, &out.0[0]);
            }
            let mut entry = single::carry(isa, single::mul(isa, &factor(isa, &multiple), factors));
            for limb in &mut entry[..4] {
                *limb = and(*limb, set(isa, MASK52));
            }
            out.0[e] = entry;
        }
        out
    }

    /// The entry of a digit: reads all of them.
    #[inline(always)]
    fn select(&self, isa: Ifma, digit: i8) -> Limbs {
        let (zero, one) = (set(isa, 0), set(isa, 1));
        let index = set(isa, u64::from(digit.unsigned_abs()));
        // 0 as (0, 2, 1, 1)
        let mut out = [lanes(isa, [0, 2, 1, 1]), zero, zero, zero, zero];
        let mut count: V = zero;
        for entry in &self.0 {
            count = plus(count, one);
            let here = equal(index, count);
            for (out, entry) in out.iter_mut().zip(entry) {
                *out = choose(here, *out, *entry);
            }
        }
        // Negation changes the sign of T and exchanges Y - X and Y + X.
        let negative = equal(set(isa, u64::from(digit as u8 >> 7)), one);
        for (limb, pad) in out.iter_mut().zip(PAD) {
            let minus = blend::<0b1111>(swap(*limb), pad_minus(1, set(isa, pad), *limb));
            *limb = choose(negative, *limb, minus);
        }
        single::carry(isa, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    type Point = [FieldElement; 4];

    /// The addition law of the curve on affine coordinates.
    fn add([x1, y1]: [FieldElement; 2], [x2, y2]: [FieldElement; 2]) -> [FieldElement; 2] {
        let product = constants::D * x1 * x2 * y1 * y2;
        let (one, cross) = (FieldElement::ONE, x1 * y2 + x2 * y1);
        [cross * (one + product).invert(), (y1 * y2 + x1 * x2) * (one - product).invert()]
    }

    fn affine([x, y, z, t]: Point) -> [FieldElement; 2] {
        assert!(!bool::from(z.is_zero()));
        assert_eq!(t * z, x * y);
        [x * z.invert(), y * z.invert()]
    }

    #[test]
    fn products_of_one_point() {
        let Some(isa) = Ifma::detect() else {
            std::println!("skipped: this CPU lacks AVX-512 IFMA");
            return;
        };
        let (zero, one) = (FieldElement::ZERO, FieldElement::ONE);
        let mut random = Random::new(9);
        // The neutral element, points of order two and four, and any others.
        let mut points = std::vec![[zero, one], [zero, -one], [constants::SQRT_M1, zero]];
        while points.len() < 8 {
            let y = random.element();
            let (square, x) = FieldElement::sqrt_ratio(&(y.square() - one), &(constants::D * y.square() + one));
            if bool::from(square) {
                points.push([x, y]);
            }
        }
        for p in points {
            for round in 0..6 {
                let length = [1, 2, 3, 65, 65, 65][round];
                let digits: std::vec::Vec<i8> =
                    (0..length).map(|j| if round == 3 { [-8, 8][j % 2] } else { random.below(17) as i8 - 8 }).collect();
                let mut sum = [zero, one];
                for digit in digits.iter().rev() {
                    for _ in 0..4 {
                        sum = add(sum, sum);
                    }
                    let term = if *digit < 0 { [-p[0], p[1]] } else { p };
                    for _ in 0..digit.unsigned_abs() {
                        sum = add(sum, term);
                    }
                }
                let z = random.element();
                let out = mul_single(isa, &[p[0] * z, p[1] * z, z, p[0] * p[1] * z], &digits);
                assert_eq!(affine(out), sum, "{digits:?} times {p:?}");
            }
        }
    }
}

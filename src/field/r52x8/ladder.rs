//! X25519's ladder for one scalar, its four coordinates side by side.
//!
//! A step is three products of four lanes (idea: Hisil, Eğrice, Yassi, "Fast 4 Way Vectorized Ladder for the Complete
//! Set of Montgomery Curves", 2020; formulas: Montgomery 1987). With `A, B = X2 ± Z2` and `C, D = X3 ± Z3`,
//!
//! ```text
//! (A, B, D, C) · (A, B, A, B)           = (AA, BB, DA, CB)      or CC, DD first where the second point is doubled
//! (AA, E, S, T) · (BB, a24, S, T)       = (AA·BB, a24·E, SS, TT)     E = AA - BB; S, T = DA ± CB
//! (AA·BB, BB + a24·E, SS, TT) · (1, E, 1, x1) = (X2, Z2, X3, Z3)
//! ```
//!
//! Which point is doubled is a permutation whose order stands in a register, so no point is ever exchanged. The bounds
//! are those of the [module doc](super): no sum has more than two terms and the padding.

use subtle::{Choice, ConditionallySelectable};

use super::single::{self, Limbs, V, blend, lanes, pairs, permute_by, plus, set, swap, xor};
use crate::cpu::{Ifma, Isa};
use crate::field::{FieldElement, constants};

/// `(X : Z)` of `k·x1`, of the lowest `bits` bits of `k` at most 256.
#[inline(always)]
pub(crate) fn ladder_single(isa: Ifma, x1: &FieldElement, k: &[u8; 32], bits: usize) -> [FieldElement; 2] {
    assert!(bits <= 256, "a scalar has at most 256 bits");
    let (one, zero) = (FieldElement::ONE, FieldElement::ZERO);
    isa.outline(
        #[inline(always)]
        || {
            let factors = single::load(isa, &[one, zero, one, *x1]);
            let a24 = single::load(isa, &[zero, constants::A24, zero, zero]);
            let mut state = single::load(isa, &[one, zero, *x1, one]);
            let mut before = 0;
            for bit in (0..bits).rev() {
                let now = k[bit / 8] >> (bit % 8) & 1;
                state = step(isa, &state, &factors, &a24, before ^ now);
                before = now;
            }
            let [x2, z2, x3, z3] = single::store(&state);
            let last = Choice::from(before);
            [FieldElement::conditional_select(&x2, &x3, last), FieldElement::conditional_select(&z2, &z3, last)]
        },
    )
}

/// Columns `(X2, Z2, X3, Z3)` to those of the next step, the roles exchanged before if `exchange` is 1.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn step(isa: Ifma, state: &Limbs, factors: &Limbs, a24: &Limbs, exchange: u8) -> Limbs {
    // Lanes 0 and 1 and lanes 2 and 3 differ in bit 1 of the order.
    let exchange = 2 * i64::from(exchange);
    let turn = lanes(isa, [exchange, exchange, 0, 0]);
    let left: V = xor(lanes(isa, [0, 1, 3, 2]), turn);
    let right: V = xor(lanes(isa, [0, 1, 0, 1]), turn);

    let v = single::carry(isa, pairs::<true>(isa, state));
    let (mut l, mut r) = (v, v);
    for i in 0..5 {
        (l[i], r[i]) = (permute_by(left, v[i]), permute_by(right, v[i]));
    }
    let squares = single::mul(isa, &l, &r);

    let (mut l, mut r) = (pairs::<true>(isa, &squares), squares);
    for i in 0..5 {
        r[i] = blend::<0b11>(l[i], swap(squares[i]));
        l[i] = blend::<0b11>(l[i], squares[i]);
    }
    let (l, mut r) = (single::carry(isa, l), single::carry(isa, r));
    for i in 0..5 {
        r[i] = blend::<0b1100>(r[i], a24[i]);
    }
    let mut products = single::mul(isa, &l, &r);

    let mut r = *factors;
    for i in 0..5 {
        products[i] = plus(products[i], blend::<0b1100>(set(isa, 0), squares[i]));
        r[i] = blend::<0b1100>(r[i], l[i]);
    }
    single::mul(isa, &single::carry(isa, products), &r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    /// The affine `u` of `(k mod 2^bits)·x1`, exchanging points as RFC 7748 does.
    fn expected(x1: FieldElement, k: &[u8; 32], bits: usize) -> FieldElement {
        let (mut p, mut q) = ([FieldElement::ONE, FieldElement::ZERO], [x1, FieldElement::ONE]);
        for bit in (0..bits).rev() {
            let one = k[bit / 8] >> (bit % 8) & 1 == 1;
            if one {
                (p, q) = (q, p);
            }
            let (a, b, c, d) = (p[0] + p[1], p[0] - p[1], q[0] + q[1], q[0] - q[1]);
            let (aa, bb, da, cb) = (a.square(), b.square(), d * a, c * b);
            let e = aa - bb;
            p = [aa * bb, e * (bb + constants::A24 * e)];
            q = [(da + cb).square(), x1 * (da - cb).square()];
            if one {
                (p, q) = (q, p);
            }
        }
        p[0] * p[1].invert()
    }

    #[test]
    fn ladders_of_one_scalar() {
        let Some(isa) = Ifma::detect() else {
            std::println!("skipped: this CPU lacks AVX-512 IFMA");
            return;
        };
        const TOP: u64 = 1 << 51;
        let mut random = Random::new(8);
        let mut points =
            std::vec![FieldElement([TOP; 5]), FieldElement([TOP - 19, TOP - 1, TOP - 1, TOP - 1, TOP - 1])];
        points.extend([0, 1, 9].map(|x| FieldElement([x, 0, 0, 0, 0])));
        points.push(-FieldElement::ONE);
        points.extend((0..6).map(|_| random.element()));
        for x1 in points {
            for k in [random.bytes(), random.bytes(), [0xff; 32], [0; 32], [0x55; 32]] {
                for bits in [0, 1, 2, 255, 256] {
                    let [x, z] = ladder_single(isa, &x1, &k, bits);
                    assert_eq!(x * z.invert(), expected(x1, &k, bits), "{bits} bits of {k:x?} times {x1:?}");
                }
            }
        }
    }
}

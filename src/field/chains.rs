//! Inversion and square roots, written once over any lanes.
//!
//! The chains work on `M` independent values side by side: one chain of dependent squarings leaves most of a
//! vector unit idle (eight lanes: latency 70 cycles, throughput 36), two fill it.

use super::lanes::{Arithmetic, FieldLanes, MAX_LANES};
use super::{FieldElement, constants};
use crate::cpu::Isa;

/// `out[i] = a[i]·b[i]`
#[inline(always)]
fn mul<F: FieldLanes, const M: usize>(a: &[F; M], b: &[F; M]) -> [F; M] {
    let mut out = *a;
    for i in 0..M {
        F::mul_carry(&mut out[i], &a[i], &b[i]);
    }
    out
}

/// `x^(2^n)`
#[inline(always)]
fn square_n<F: FieldLanes, const M: usize>(x: &[F; M], n: usize) -> [F; M] {
    let mut out = *x;
    if M == 1 {
        F::square_n(&mut out[0], n);
        return out;
    }
    for _ in 0..n {
        for x in &mut out {
            F::square_n(x, 1);
        }
    }
    out
}

/// `(x^(2^250 - 1), x^11)`: the common part of both exponents, 249 squarings and 10 multiplications. Out of line:
/// a dozen kernels need it, and a call is nothing beside it.
#[inline(always)]
fn pow_2_250_minus_1<F: FieldLanes, const M: usize>(x: &[F; M]) -> ([F; M], [F; M]) {
    x[0].isa().outline(
        #[inline(always)]
        || pow_2_250_minus_1_inline(x),
    )
}

#[inline(always)]
fn pow_2_250_minus_1_inline<F: FieldLanes, const M: usize>(x: &[F; M]) -> ([F; M], [F; M]) {
    let x2 = square_n(x, 1);
    let x9 = mul(&square_n(&x2, 2), x);
    let x11 = mul(&x9, &x2);
    let n5 = mul(&square_n(&x11, 1), &x9); // x^(2^5 - 1)
    let n10 = mul(&square_n(&n5, 5), &n5);
    let n20 = mul(&square_n(&n10, 10), &n10);
    let n40 = mul(&square_n(&n20, 20), &n20);
    let n50 = mul(&square_n(&n40, 10), &n10);
    let n100 = mul(&square_n(&n50, 50), &n50);
    let n200 = mul(&square_n(&n100, 100), &n100);
    (mul(&square_n(&n200, 50), &n50), x11)
}

/// The inverses, 0 for 0: three multiplications a vector, three a lane, and one inversion by division steps.
#[inline(always)]
pub(crate) fn invert<F: FieldLanes, const M: usize>(x: &[F; M]) -> [F; M] {
    let (mut out, mut before) = (*x, *x);
    invert_slice(&mut out, &mut before);
    out
}

/// `x^((p-5)/8)`. 252 squarings, 11 multiplications.
#[inline(always)]
pub(crate) fn pow_p58<F: FieldLanes, const M: usize>(x: &[F; M]) -> [F; M] {
    let (n250, _) = pow_2_250_minus_1(x);
    mul(&square_n(&n250, 2), x)
}

/// `r = sqrt(u/v)`, the non-negative root, and the lanes where `u/v` is a square.
///
/// Where it is not, `r = sqrt(i·u/v)` with `i = sqrt(-1)`. `u = 0` gives `(0, true)`; `v = 0`, `u ≠ 0` gives
/// `(0, false)`. The definition is SQRT_RATIO_M1 of RFC 9496, section 4.2.
#[inline(always)]
pub(crate) fn sqrt_ratio<F: FieldLanes, const M: usize>(u: &[F; M], v: &[F; M]) -> ([F; M], [F::Mask; M]) {
    let v3 = mul(&square_n(v, 1), v);
    let v7 = mul(&square_n(&v3, 1), v);
    let r = mul(&mul(u, &v3), &pow_p58(&mul(u, &v7)));
    let check = mul(v, &square_n(&r, 1));
    finish_sqrt(u, &r, &check)
}

/// `sqrt(1/v)` and the lanes where `v` is a non-zero square: [`sqrt_ratio`] for `u = 1`, three multiplications less.
#[inline(always)]
pub(crate) fn invsqrt<F: FieldLanes, const M: usize>(v: &[F; M]) -> ([F; M], [F::Mask; M]) {
    let one = [F::splat(v[0].isa(), &constants::ONE); M];
    let v3 = mul(&square_n(v, 1), v);
    let v7 = mul(&square_n(&v3, 1), v);
    let r = mul(&v3, &pow_p58(&v7));
    let check = mul(v, &square_n(&r, 1));
    finish_sqrt(&one, &r, &check)
}

/// Corrects the candidate `r` of which `check = v·r²` is known to be one of `u·{1, -1, i, -i}` (or 0).
#[inline(always)]
fn finish_sqrt<F: FieldLanes, const M: usize>(u: &[F; M], r: &[F; M], check: &[F; M]) -> ([F; M], [F::Mask; M]) {
    let isa = r[0].isa();
    let sqrt_m1 = F::splat(isa, &constants::SQRT_M1);
    let mut out = *r;
    let mut square = [F::mask(isa, 0); M];
    for j in 0..M {
        let (c, u) = (check[j].widen(), u[j].widen());
        let mut iu = F::product(isa);
        F::mul(&mut iu, &F::reduce(&u), &sqrt_m1);
        let correct = F::bits(F::carry(&F::sub(&c, &u)).is_zero());
        let flipped = F::bits(F::carry(&F::add(&c, &u)).is_zero());
        let flipped_i = F::bits(F::carry(&F::add(&c, &iu)).is_zero());
        let mut turned = r[j];
        F::mul_carry(&mut turned, &r[j], &sqrt_m1);
        let root = F::select(F::mask(isa, flipped | flipped_i), &r[j], &turned);
        out[j] = F::select(root.is_odd(), &root, &root.neg());
        square[j] = F::mask(isa, correct | flipped);
    }
    (out, square)
}

/// Replaces every element of every lane by its inverse; 0 stays 0, by select: see [`invert`].
#[inline(always)]
pub(crate) fn batch_invert<F: FieldLanes>(elements: &mut [F]) {
    let mut before = elements.to_vec();
    invert_slice(elements, &mut before);
}

/// The trick of Montgomery, lane by lane; `before` is scratch space of the same length.
#[inline(always)]
fn invert_slice<F: FieldLanes>(elements: &mut [F], before: &mut [F]) {
    let Some(first) = elements.first() else { return };
    let isa = first.isa();
    let (one, nothing) = (F::splat(isa, &constants::ONE), F::splat(isa, &FieldElement::ZERO));
    // What is chosen is never what already stands in the place: the compiler would make a masked store of that, whose
    // time may depend on the mask.
    let mut product = one;
    for (x, before) in elements.iter_mut().zip(before.iter_mut()) {
        *before = product;
        product = product.times(&F::select(x.is_zero(), x, &one));
    }
    let mut inverse = invert_lanes(&product);
    for (x, before) in elements.iter_mut().zip(before).rev() {
        let zero = x.is_zero();
        let own = inverse.times(before);
        inverse = inverse.times(&F::select(zero, x, &one));
        *x = F::select(zero, &own, &nothing);
    }
}

/// The inverse in each lane, none of which is 0. The same trick over the lanes, on single elements: a vector's own chain
/// of 254 squarings is all latency (64 encodings took 6.9 us by it, and take 4.6 this way).
#[inline(always)]
fn invert_lanes<F: FieldLanes>(x: &F) -> F {
    let mut elements = [FieldElement::ZERO; MAX_LANES];
    let elements = &mut elements[..F::LANES];
    x.store(elements);
    invert_elements(elements);
    F::load(
        x.isa(),
        #[inline(always)]
        |i| elements[i],
    )
}

/// Inverts up to `MAX_LANES` elements, none of which is 0.
fn invert_elements(elements: &mut [FieldElement]) {
    let mut before = [FieldElement::ONE; MAX_LANES];
    let mut product = elements[0];
    for (x, before) in elements.iter().zip(&mut before).skip(1) {
        *before = product;
        product = product * *x;
    }
    let mut inverse = product.invert();
    for (x, before) in elements.iter_mut().zip(before).skip(1).rev() {
        let own = inverse * before;
        inverse = inverse * *x;
        *x = own;
    }
    elements[0] = inverse;
}

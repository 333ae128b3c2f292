//! Eight lanes on AVX-512 IFMA: Montgomery form mod 2^260, five limbs of 52 bits, limb `i` of all eight residues in
//! one register.
//!
//! # Form
//! 2^260 is 84.6·p, so a Montgomery product of numbers of weight `a` and `b` (below `a·p` and `b·p`) is below
//! `(a·b/84.6 + 2)·p`, and sums of many terms can be multiplied without being reduced.
//! A value is one of
//! * *columns*: five 64-bit numbers of value `Σ limb_i·2^(52i)`, what products and sums are;
//! * *ready*: the same after a carry. The multiply-add instructions read only the low 52 bits of a limb, so what the
//!   carry has moved up may stay in place, and `carry` doesn't clear it; `reduce` does, because its result is added.
//!
//! # Bounds
//! Product columns: column `k` gathers at most 10 halves of the product and 10 of the reduction, each below 2^52, and
//! one carry below 2^5: below 2^57. Sums of weight 84 have at most 28 terms of weight 3, below 2^62.
//! Limb 4 of a ready number below 2^260 is below 2^52, so the instructions read all of it; debug builds check that
//! of every factor.
//!
//! # Reduction of a product
//! From below, one column after the other. The first four go as in [`r64x1_mulx`](super::r64x1_mulx), with no
//! multiplier to be found: the low 52 bits of a column times the constant 2^-52 mod p are added one column further
//! up. That leaves less than `a·b/2^208 + 2^52·p`. The fifth is cleared by a multiple of p in the usual way, so the
//! result is below `a·b/2^260 + p + p`.

use core::arch::x86_64::*;

use super::Fr;
use super::constants::{NEG_INVERSE, P, inverse_power_of_two, power_of_two};
use super::lanes::{Constant, FrLanes, limbs52};
use crate::cpu::Ifma;

type V = __m512i;

const MASK: u64 = (1 << 52) - 1;
const P52: [u64; 5] = limbs52(&P);
/// -1/p mod 2^52; the instructions drop the rest.
const MULTIPLIER: u64 = NEG_INVERSE[0] & MASK;
/// 2^-52 mod p
const PER_52: [u64; 5] = limbs52(&inverse_power_of_two(52));
/// 2^264 mod p: a product with it brings x·2^256 to x·2^260.
const TO_260: [u64; 5] = limbs52(&power_of_two(264));
/// 2^256 mod p: a product with it brings x·2^260 back.
const TO_256: [u64; 5] = limbs52(&power_of_two(256));
/// ⌊2^260/p⌋
const QUOTIENT: u64 = 84;
/// 2^260 - p
const NEG_P: [u64; 5] = {
    let mut x = [0; 5];
    let mut borrow = 0;
    let mut i = 0;
    while i < 5 {
        // 2^52 - 1 - limb in each limb, and one more at the bottom.
        x[i] = MASK - P52[i] + (i == 0) as u64 + borrow;
        borrow = x[i] >> 52;
        x[i] &= MASK;
        i += 1;
    }
    x
};

/// Eight residues.
#[derive(Clone, Copy)]
pub(crate) struct R52x8([V; 5]);

/// The token that made `v`.
#[inline(always)]
fn token(_: V) -> Ifma {
    // SAFETY: vectors come from `set` and `gather`, which took a token, or from other vectors.
    unsafe { Ifma::assume() }
}

/// Safe names for the instructions used here: every argument list has a token or a vector that a token made.
macro_rules! instructions {
    ($($name:ident($($arg:ident: $type:ty),*) -> $out:ty = $call:expr;)*) => {$(
        #[inline(always)]
        fn $name($($arg: $type),*) -> $out {
            // SAFETY: a token exists (see `token`), so the CPU has the instruction.
            unsafe { $call }
        }
    )*};
}

instructions! {
    set(_isa: Ifma, x: u64) -> V = _mm512_set1_epi64(x as i64);
    lo(acc: V, a: V, b: V) -> V = _mm512_madd52lo_epu64(acc, a, b);
    hi(acc: V, a: V, b: V) -> V = _mm512_madd52hi_epu64(acc, a, b);
    plus(a: V, b: V) -> V = _mm512_add_epi64(a, b);
    and(a: V, b: V) -> V = _mm512_and_si512(a, b);
    above(a: V) -> V = _mm512_srli_epi64::<52>(a);
    // SAFETY of the reference: 64 bytes, no alignment asked for.
    gather(_isa: Ifma, x: &[u64; 8]) -> V = _mm512_loadu_si512(x.as_ptr().cast());
    scatter(x: V, out: &mut [u64; 8]) -> () = _mm512_storeu_si512(out.as_mut_ptr().cast(), x);
}

#[inline(always)]
fn set5(isa: Ifma, x: &[u64; 5]) -> [V; 5] {
    [set(isa, x[0]), set(isa, x[1]), set(isa, x[2]), set(isa, x[3]), set(isa, x[4])]
}

/// In debug builds, panics if a number is not below 2^260, which for a ready number shows in its top limb.
#[inline(always)]
fn check_top(top: V) {
    if cfg!(debug_assertions) {
        let mut lanes = [0; 8];
        scatter(top, &mut lanes);
        assert!(lanes.iter().all(|&limb| limb <= MASK), "top limbs {lanes:x?}");
    }
}

/// Moves up what is above 52 bits in limbs 0 to 3, and leaves it standing there.
#[inline(always)]
fn ripple(mut x: [V; 5]) -> [V; 5] {
    for i in 0..4 {
        x[i + 1] = plus(x[i + 1], above(x[i]));
    }
    x
}

/// Clears what is above 52 bits, in every limb.
#[inline(always)]
fn clean(mut x: [V; 5]) -> [V; 5] {
    let mask = set(token(x[0]), MASK);
    for limb in &mut x {
        *limb = and(*limb, mask);
    }
    x
}

/// Ten columns to five: divides by 2^260 mod p.
#[inline(always)]
fn montgomery(mut z: [V; 10]) -> [V; 5] {
    let isa = token(z[0]);
    let per_52 = set5(isa, &PER_52);
    for k in 0..4 {
        z[k + 1] = plus(z[k + 1], above(z[k]));
        for j in 0..5 {
            z[k + 1 + j] = lo(z[k + 1 + j], z[k], per_52[j]);
        }
        for j in 0..5 {
            z[k + 2 + j] = hi(z[k + 2 + j], z[k], per_52[j]);
        }
    }
    let p = set5(isa, &P52);
    let m = lo(set(isa, 0), z[4], set(isa, MULTIPLIER));
    for j in 0..5 {
        z[4 + j] = lo(z[4 + j], m, p[j]);
    }
    for j in 0..5 {
        z[5 + j] = hi(z[5 + j], m, p[j]);
    }
    z[5] = plus(z[5], above(z[4]));
    [z[5], z[6], z[7], z[8], z[9]]
}

impl FrLanes for R52x8 {
    type Isa = Ifma;
    const LANES: usize = 8;

    #[inline(always)]
    fn splat(isa: Ifma, x: &Constant) -> Self {
        R52x8(set5(isa, &x.r52))
    }

    #[inline(always)]
    fn load(isa: Ifma, x: &[Fr]) -> Self {
        let mut limbs = [[0; 8]; 5];
        for (lane, x) in x.iter().take(8).enumerate() {
            for (limb, word) in limbs.iter_mut().zip(limbs52(&x.0)) {
                limb[lane] = word;
            }
        }
        let [a, b, c, d, e] = &limbs;
        let x = R52x8([gather(isa, a), gather(isa, b), gather(isa, c), gather(isa, d), gather(isa, e)]);
        x.mul(R52x8(set5(isa, &TO_260)))
    }

    #[inline(always)]
    fn store(self, out: &mut [Fr]) {
        let isa = token(self.0[0]);
        let x = self.reduce().mul(R52x8(set5(isa, &TO_256))).reduce();
        let mut limbs = [[0; 8]; 5];
        for (limb, x) in limbs.iter_mut().zip(x.0) {
            scatter(x, limb);
        }
        for (lane, out) in out.iter_mut().take(8).enumerate() {
            let [a, b, c, d, e] = [limbs[0][lane], limbs[1][lane], limbs[2][lane], limbs[3][lane], limbs[4][lane]];
            *out = Fr::reduced([a | b << 52, b >> 12 | c << 40, c >> 24 | d << 28, d >> 36 | e << 16]);
        }
    }

    #[allow(clippy::needless_range_loop)]
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        let mut x = self.0;
        for i in 0..5 {
            x[i] = plus(x[i], b.0[i]);
        }
        R52x8(x)
    }

    #[inline(always)]
    fn carry(self) -> Self {
        R52x8(ripple(self.0))
    }

    /// Subtracts `q·p` for a `q` at most 2 below the quotient: `q·(2^260 - p)` is added, and what is then above 2^260
    /// dropped. The top limb is below 2^52 here, and 84·2^-52 is below 2^208/p by less than a hundredth, so `q` falls
    /// short by 0.64 for that, and by less than 1 for rounding down.
    #[inline(always)]
    fn reduce(self) -> Self {
        let mut x = self.0;
        let isa = token(x[0]);
        let top = plus(x[4], above(x[3]));
        check_top(top);
        let q = hi(set(isa, 0), top, set(isa, QUOTIENT));
        let neg_p = set5(isa, &NEG_P);
        for i in 0..5 {
            x[i] = lo(x[i], q, neg_p[i]);
        }
        for i in 0..4 {
            x[i + 1] = hi(x[i + 1], q, neg_p[i]);
        }
        R52x8(clean(ripple(x)))
    }

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        let (x, y) = (self.0, b.0);
        check_top(x[4]);
        check_top(y[4]);
        let mut z = [set(token(x[0]), 0); 10];
        for i in 0..5 {
            for j in 0..5 {
                z[i + j] = lo(z[i + j], x[j], y[i]);
            }
            for j in 0..5 {
                z[i + j + 1] = hi(z[i + j + 1], x[j], y[i]);
            }
        }
        R52x8(montgomery(z))
    }

    #[inline(always)]
    fn square(self) -> Self {
        let x = self.0;
        check_top(x[4]);
        let mut z = [set(token(x[0]), 0); 10];
        for i in 0..5 {
            for j in i + 1..5 {
                z[i + j] = lo(z[i + j], x[i], x[j]);
                z[i + j + 1] = hi(z[i + j + 1], x[i], x[j]);
            }
        }
        for column in &mut z[1..9] {
            *column = plus(*column, *column);
        }
        for i in 0..5 {
            z[2 * i] = lo(z[2 * i], x[i], x[i]);
            z[2 * i + 1] = hi(z[2 * i + 1], x[i], x[i]);
        }
        R52x8(montgomery(z))
    }
}

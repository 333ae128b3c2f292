//! Many doublings of one point, as fast as a single dependent chain goes: what joins the lanes of an MSM.
//!
//! The coordinates of the point lie side by side in four lanes, `(X + Y, Z, X, Y)`. Squaring gives `(s, c, a, b)`,
//! from which come, with `E, F, G, H` of Hisil-Wong-Carter-Dawson 2008, section 3.3, all negated,
//!
//! ```text
//! (E, F, G, H) = (a + b - s, a - b + 2c, a - b, a + b)       one carry
//! (E, F, E, G) · (F, G, F, H) = (X, Z, X, Y)                  of the doubled point
//! ```
//!
//! and the next step begins with Y added in lane 0, again one carry. The last step takes H in lane 0 for T there.
//! Bounds are those of the [module doc](super): the sums have at most three terms, and the 1024·p that covers what is
//! subtracted comes in with the square of X.
//!
//! # What was tried
//! A step takes 127 to 140 cycles (latency: square 33, product 37, carry 14). In registers of 512 bits, and with a carry
//! for each of the two factors, it took 228. Registers of 256 bits leave a third port for additions and shuffles.
//! Shuffles across 128-bit halves have one port and three cycles of latency: four a limb and step here, six cost
//! 7 cycles more. Multiplying by columns from the top brings the upper columns down while the lower ones are still
//! multiplied; in the order in which limbs leave the carry a step took 190. Whether low and high halves are gathered
//! together or apart changed nothing.

use core::arch::x86_64::*;

use super::arith::{self, MASK47, OPERAND_MAX, PAD, SUM_MAX};
use super::{Columns, R52x8};
use crate::cpu::{Ifma, Isa};
use crate::field::FieldElement;
use crate::field::lanes::FieldLanes;

/// One limb of four coordinates.
pub(super) type V = __m256i;
pub(super) type Limbs = [V; 5];

/// Safe names for the instructions used here, as in `arith`: every argument list has a token or a vector made by one.
macro_rules! instructions {
    ($($name:ident$(<const $n:ident>)?($($arg:ident: $type:ty),*) -> $out:ty = $call:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $name$(<const $n: i32>)?($($arg: $type),*) -> $out {
            // SAFETY: a token exists, so the CPU has the instruction.
            unsafe { $call }
        }
    )*};
}

instructions! {
    set(_isa: Ifma, x: u64) -> V = _mm256_set1_epi64x(x as i64);
    lanes(_isa: Ifma, x: [i64; 4]) -> V = _mm256_set_epi64x(x[3], x[2], x[1], x[0]);
    half(v: __m512i) -> V = _mm512_castsi512_si256(v);
    full(v: V) -> __m512i = _mm512_zextsi256_si512(v);
    lo(acc: V, a: V, b: V) -> V = _mm256_madd52lo_epu64(acc, a, b);
    hi(acc: V, a: V, b: V) -> V = _mm256_madd52hi_epu64(acc, a, b);
    plus(a: V, b: V) -> V = _mm256_add_epi64(a, b);
    and(a: V, b: V) -> V = _mm256_and_si256(a, b);
    xor(a: V, b: V) -> V = _mm256_xor_si256(a, b);
    shl(a: V, by: V) -> V = _mm256_sllv_epi64(a, by);
    shr47(v: V) -> V = _mm256_srli_epi64::<47>(v);
    shr52(v: V) -> V = _mm256_srli_epi64::<52>(v);
    swap(v: V) -> V = _mm256_shuffle_epi32::<0x4e>(v);
    permute<const ORDER>(v: V) -> V = _mm256_permute4x64_epi64::<ORDER>(v);
    last_lane(zero: V, v: V) -> V = _mm256_alignr_epi64::<3>(zero, v);
    permute_by(order: V, v: V) -> V = _mm256_permutexvar_epi64(order, v);
    blend<const LANES>(a: V, b: V) -> V = _mm256_blend_epi32::<LANES>(a, b);
    pad_minus(where_: __mmask8, pad: V, v: V) -> V = _mm256_mask_sub_epi64(v, where_, pad, v);
    choose(where_: __mmask8, a: V, b: V) -> V = _mm256_mask_blend_epi64(where_, a, b);
    equal(a: V, b: V) -> __mmask8 = _mm256_cmpeq_epi64_mask(a, b);
}

/// The selector of four lanes, lane 0 first.
pub(super) const fn order(lanes: [i32; 4]) -> i32 {
    lanes[0] | lanes[1] << 2 | lanes[2] << 4 | lanes[3] << 6
}

/// `2^n·(X : Y : Z)` as `[X, Y, Z, T]`. Which of its representatives comes out
/// depends on the one that goes in. About 135 cycles a doubling.
#[inline(always)]
pub(crate) fn double_n_single(isa: Ifma, p: &[FieldElement; 3], n: usize) -> [FieldElement; 4] {
    let &[x, y, z] = p;
    if n == 0 {
        return [x * z, y * z, z.square(), x * y];
    }
    let start = [x + y, z, x, y];
    isa.outline(
        #[inline(always)]
        || {
            let mut v = load(isa, &start);
            for _ in 1..n {
                v = next(isa, &double::<false>(isa, &v));
            }
            let [t, z, x, y] = store(&double::<true>(isa, &v));
            [x, y, z, t]
        },
    )
}

/// Element `i` in lane `i`; clean limbs.
#[inline(always)]
pub(super) fn load(isa: Ifma, x: &[FieldElement; 4]) -> Limbs {
    let v = R52x8::load(
        isa,
        #[inline(always)]
        |i| x[i % 4],
    );
    let v = arith::clean(v.0);
    [half(v[0]), half(v[1]), half(v[2]), half(v[3]), half(v[4])]
}

/// The lanes of columns.
#[inline(always)]
pub(super) fn store(z: &Limbs) -> [FieldElement; 4] {
    let mut out = [FieldElement::ZERO; R52x8::LANES];
    R52x8::reduce(&Columns::product([full(z[0]), full(z[1]), full(z[2]), full(z[3]), full(z[4])])).store(&mut out);
    [out[0], out[1], out[2], out[3]]
}

/// Columns `(X, Z, X, Y)` to `(X + Y, Z, X, Y)`, ready to be doubled.
#[inline(always)]
pub(super) fn next(isa: Ifma, z: &Limbs) -> Limbs {
    let mut z = *z;
    for limb in &mut z {
        *limb = plus(*limb, last_lane(set(isa, 0), *limb));
    }
    carry(isa, z)
}

/// Columns with the sums and differences of pairs: `(b - a, b + a)` or, with `FIRST`, `(a + b, a - b)` of each `(a, b)`.
#[inline(always)]
pub(super) fn pairs<const FIRST: bool>(isa: Ifma, z: &Limbs) -> Limbs {
    let minus = if FIRST { 0b1010 } else { 0b0101 };
    let mut z = *z;
    for (limb, pad) in z.iter_mut().zip(PAD) {
        *limb = plus(swap(*limb), pad_minus(minus, set(isa, pad), *limb));
    }
    z
}

/// `(X + Y, Z, X, Y)` to columns of `(X, Z, X, Y)` of the double, or with T in lane 0.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn double<const T: bool>(isa: Ifma, v: &Limbs) -> Limbs {
    let mut m = square(isa, v);
    let negate = lanes(isa, [0, 0, !0, 0]);
    let twice = lanes(isa, [0, 1, 0, 0]);
    let (keep, flip) = (lanes(isa, [!0, !0, 0, 0]), lanes(isa, [!0, 0, 0, !0]));
    for limb in &mut m {
        // `square` has added 1024p + 1 to a, so with -x = !x + 1 this is (…, …, a - b, a + b + 1) …
        let x = *limb;
        let sums = plus(x, xor(swap(x), negate));
        // … and this (-s - 1, 2c, 0, -1).
        let rest = xor(and(shl(x, twice), keep), flip);
        *limb = plus(permute::<{ order([3, 2, 2, 3]) }>(sums), rest);
    }
    let m = carry(isa, m);
    let (mut l, mut r) = (m, m);
    for i in 0..5 {
        l[i] = permute::<{ order([0, 1, 0, 2]) }>(l[i]);
        r[i] = if T { permute::<{ order([3, 2, 1, 3]) }>(r[i]) } else { permute::<{ order([1, 2, 1, 3]) }>(r[i]) };
    }
    mul(isa, &l, &r)
}

/// Columns of `x·y`. The high halves of the long columns are gathered apart, or a column would be nine multiplications
/// deep.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn mul(isa: Ifma, x: &Limbs, y: &Limbs) -> Limbs {
    let (mut z, mut high) = ([set(isa, 0); 10], [set(isa, 0); 10]);
    for k in (0..9usize).rev() {
        for (i, &x) in x.iter().enumerate() {
            for (j, &y) in y.iter().enumerate() {
                if i + j == k {
                    let column = if (2..6).contains(&k) { &mut high[k + 1] } else { &mut z[k + 1] };
                    *column = hi(*column, x, y);
                    z[k] = lo(z[k], x, y);
                }
            }
        }
    }
    for k in 3..7 {
        z[k] = plus(z[k], high[k]);
    }
    fold(isa, &z)
}

/// Columns of `x²`, with 1024p + 1 (in every limb) added in lane 2.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn square(isa: Ifma, x: &Limbs) -> Limbs {
    let (mut z, mut cross) = ([set(isa, 0); 10], [set(isa, 0); 10]);
    for i in 0..5 {
        z[i] = lanes(isa, [0, 0, PAD[i] as i64 + 1, 0]);
    }
    for k in (0..9).rev() {
        for i in 0..5 {
            for j in i..5 {
                if i + j == k {
                    let sum = if i == j { &mut z } else { &mut cross };
                    sum[k + 1] = hi(sum[k + 1], x[i], x[j]);
                    sum[k] = lo(sum[k], x[i], x[j]);
                }
            }
        }
    }
    for k in 1..9 {
        z[k] = plus(z[k], plus(cross[k], cross[k]));
    }
    fold(isa, &z)
}

/// Columns 5 to 9 brought down by 2^260 ≡ 608.
#[inline(always)]
fn fold(isa: Ifma, z: &[V; 10]) -> Limbs {
    let (zero, f) = (set(isa, 0), set(isa, 608));
    let mut r = [zero; 5];
    for i in 0..5 {
        r[i] = lo(z[i], z[i + 5], f);
    }
    for i in 0..4 {
        let high = lo(hi(zero, z[i + 5], f), shr52(z[i + 5]), f);
        r[i + 1] = plus(r[i + 1], high);
    }
    r
}

/// Columns to operand.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn carry(isa: Ifma, mut z: Limbs) -> Limbs {
    check(&z, &SUM_MAX, "single sum");
    let top = shr47(z[4]);
    z[4] = and(z[4], set(isa, MASK47));
    z[0] = lo(z[0], top, set(isa, 19));
    for i in 0..4 {
        z[i + 1] = plus(z[i + 1], shr52(z[i]));
    }
    check(&z, &OPERAND_MAX, "single operand");
    z
}

/// In debug builds, panics if a limb is above its bound.
#[inline(always)]
fn check(z: &Limbs, max: &[u64; 5], state: &str) {
    arith::check(&[full(z[0]), full(z[1]), full(z[2]), full(z[3]), full(z[4])], max, state);
}

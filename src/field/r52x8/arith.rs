//! Arithmetic on five registers of limbs. The bounds are argued in the [module doc](super).

use core::arch::x86_64::*;

use crate::cpu::Ifma;

/// One limb of eight residues.
pub(super) type V = __m512i;
/// Eight residues.
pub(super) type Limbs = [V; 5];

pub(super) const MASK52: u64 = (1 << 52) - 1;
pub(super) const MASK47: u64 = (1 << 47) - 1;
/// 1024·p in limbs near 2^57: 2^265 = 2^57·2^208, spread so that every limb covers a product limb.
pub(super) const PAD: [u64; 5] =
    [(1 << 57) - 32 - 19424, (1 << 57) - 32, (1 << 57) - 32, (1 << 57) - 32, (1 << 57) - 32];

/// Largest limbs of an operand; the lower four may hold anything.
pub(super) const OPERAND_MAX: [u64; 5] = [u64::MAX, u64::MAX, u64::MAX, u64::MAX, (5 << 45) - 1];
/// Largest limbs of a product.
pub(super) const PRODUCT_MAX: [u64; 5] = {
    let excess = 1 << 13;
    [(2 << 52) + excess, (4 << 52) + excess, (6 << 52) + excess, (8 << 52) + excess, (10 << 52) + excess]
};
/// Largest limbs of a sum.
pub(super) const SUM_MAX: [u64; 5] = [(1 << 58) - 1; 5];

// Column 9 of a product comes down by its low half alone.
const _: () = assert!(((OPERAND_MAX[4] as u128 * OPERAND_MAX[4] as u128) >> 52) * 608 < 1 << 52);
// Three terms and the padding make a sum; the padding covers one term.
const _: () =
    assert!(3 * PRODUCT_MAX[4] + PAD[4] <= SUM_MAX[4] && PRODUCT_MAX[4] <= PAD[4] && PRODUCT_MAX[0] <= PAD[0]);
// A carried sum is an operand.
const _: () = assert!(MASK47 + (SUM_MAX[3] >> 52) < OPERAND_MAX[4]);

/// The token that made `v`.
#[inline(always)]
pub(super) fn token(_: V) -> Ifma {
    // SAFETY: vectors come from `set` or memory.rs, which took a token, or from other vectors.
    unsafe { Ifma::assume() }
}

/// Safe names for the instructions used here: every argument list has a token or a vector that a token made.
macro_rules! instructions {
    ($($name:ident($($arg:ident: $type:ty),*) -> $out:ty = $call:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $name($($arg: $type),*) -> $out {
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
    minus(a: V, b: V) -> V = _mm512_sub_epi64(a, b);
    minus_where(mask: __mmask8, other: V, a: V, b: V) -> V = _mm512_mask_sub_epi64(other, mask, a, b);
    and(a: V, b: V) -> V = _mm512_and_si512(a, b);
    or(a: V, b: V) -> V = _mm512_or_si512(a, b);
    blend(mask: __mmask8, a: V, b: V) -> V = _mm512_mask_blend_epi64(mask, a, b);
    equal(a: V, b: V) -> __mmask8 = _mm512_cmpeq_epi64_mask(a, b);
    test(a: V, b: V) -> __mmask8 = _mm512_test_epi64_mask(a, b);
}

/// `v >> N`
#[inline(always)]
pub(super) fn shr<const N: u32>(v: V) -> V {
    // SAFETY: as in `instructions!`.
    unsafe { _mm512_srli_epi64::<N>(v) }
}

/// `v << N`
#[inline(always)]
pub(super) fn shl<const N: u32>(v: V) -> V {
    // SAFETY: as in `instructions!`.
    unsafe { _mm512_slli_epi64::<N>(v) }
}

/// The eight lanes of one limb.
#[inline(always)]
pub(super) fn lanes(v: V) -> [u64; 8] {
    // SAFETY: both are 64 bytes without padding, and any bits are valid.
    unsafe { core::mem::transmute(v) }
}

/// In debug builds, panics if a limb is above its bound.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn check(x: &Limbs, max: &[u64; 5], state: &str) {
    if cfg!(debug_assertions) {
        for i in 0..5 {
            for (lane, limb) in lanes(x[i]).into_iter().enumerate() {
                assert!(limb <= max[i], "{state}: limb {i} of lane {lane} is {limb:#x}, bound {:#x}", max[i]);
            }
        }
    }
}

/// Columns of `x·y`. Operand, operand to product: 50 + 4 + 13 operations.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn mul(x: &Limbs, y: &Limbs) -> Limbs {
    let mut z = [set(token(x[0]), 0); 10];
    for i in 0..5 {
        for j in 0..5 {
            z[i + j] = lo(z[i + j], x[j], y[i]);
        }
        for j in 0..5 {
            z[i + j + 1] = hi(z[i + j + 1], x[j], y[i]);
        }
    }
    fold(&z)
}

/// Columns of `x²`. Operand to product: 30 + 8 + 4 + 13 operations.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn square(x: &Limbs) -> Limbs {
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
    fold(&z)
}

/// Columns 5 to 9 of a double-length product brought down by 2^260 ≡ 608.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
fn fold(z: &[V; 10]) -> Limbs {
    let f = set(token(z[0]), 608);
    let mut r = [z[0], z[1], z[2], z[3], z[4]];
    for i in 0..4 {
        let column = z[i + 5];
        r[i] = lo(r[i], column, f);
        r[i + 1] = hi(r[i + 1], column, f);
        r[i + 1] = lo(r[i + 1], shr::<52>(column), f);
    }
    r[4] = lo(r[4], z[9], f);
    r
}

/// Sum to operand: 11 operations.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn carry(mut z: Limbs) -> Limbs {
    let isa = token(z[0]);
    let top = shr::<47>(z[4]);
    z[4] = and(z[4], set(isa, MASK47));
    z[0] = lo(z[0], top, set(isa, 19));
    ripple(z)
}

/// Limbs 0 to 3 made exact in their low 52 bits.
#[inline(always)]
pub(super) fn ripple(mut z: Limbs) -> Limbs {
    for i in 0..4 {
        z[i + 1] = plus(z[i + 1], shr::<52>(z[i]));
    }
    z
}

/// An operand without its dirty bits.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn clean(mut z: Limbs) -> Limbs {
    let mask = set(token(z[0]), MASK52);
    for limb in &mut z[..4] {
        *limb = and(*limb, mask);
    }
    z
}

/// An operand as a number below 2^255 in clean limbs.
///
/// The number is below 1.25·2^255, so limb 4 gives 0 or 1 above bit 47; where it is 1 the rest is below 2^253 and
/// adding 19 can't reach 2^255 again.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn tidy(x: &Limbs) -> Limbs {
    clean(carry(clean(*x)))
}

/// The canonical number of an operand, in clean limbs.
///
/// For `v < 2^255`: `v ≥ p` exactly if `v + 19` reaches 2^255, and then `v - p = v + 19 - 2^255`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn freeze(x: &Limbs) -> Limbs {
    let isa = token(x[0]);
    let v = tidy(x);
    let nineteen = set(isa, 19);
    let over = shr::<47>(ripple([plus(v[0], nineteen), v[1], v[2], v[3], v[4]])[4]);
    let mut r = clean(ripple([lo(v[0], over, nineteen), v[1], v[2], v[3], v[4]]));
    r[4] = and(r[4], set(isa, MASK47));
    r
}

/// Lanes whose canonical number is 0.
#[inline(always)]
pub(super) fn is_zero(x: &Limbs) -> __mmask8 {
    equal(or(or(or(x[0], x[1]), or(x[2], x[3])), x[4]), set(token(x[0]), 0))
}

/// Lanes whose canonical number is odd.
#[inline(always)]
pub(super) fn is_odd(x: &Limbs) -> __mmask8 {
    test(x[0], set(token(x[0]), 1))
}

/// `x + y`, limb by limb.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn add(x: &Limbs, y: &Limbs) -> Limbs {
    let mut z = *x;
    for i in 0..5 {
        z[i] = plus(z[i], y[i]);
    }
    z
}

/// `x - y`, limb by limb. The caller has [raised](raise) `x` above `y`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sub(x: &Limbs, y: &Limbs) -> Limbs {
    let mut z = *x;
    for i in 0..5 {
        z[i] = minus(z[i], y[i]);
    }
    z
}

/// `x + 1024·p`
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn raise(x: &Limbs) -> Limbs {
    let isa = token(x[0]);
    let mut z = *x;
    for i in 0..5 {
        z[i] = plus(z[i], set(isa, PAD[i]));
    }
    z
}

/// `1024·p - x` in the lanes of `mask`, else `x`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn negate_where(mask: __mmask8, x: &Limbs) -> Limbs {
    let isa = token(x[0]);
    let mut z = *x;
    for i in 0..5 {
        z[i] = minus_where(mask, z[i], set(isa, PAD[i]), z[i]);
    }
    z
}

/// `y` in the lanes of `mask`, else `x`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn select(mask: __mmask8, x: &Limbs, y: &Limbs) -> Limbs {
    let mut z = *x;
    for i in 0..5 {
        z[i] = blend(mask, x[i], y[i]);
    }
    z
}

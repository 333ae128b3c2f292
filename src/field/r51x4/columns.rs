//! Between columns and limbs: constants, the carry, and the canonical residue.
//!
//! In debug builds the larger functions stay out of line, here and in `memory`, so that stack frames stay small.

use core::arch::x86_64::*;

/// 1.5·2^103: adding a product rounds it to a multiple of 2^51.
pub(super) const C1: f64 = 1.5 * (1u128 << 103) as f64;
/// 1.5·2^52: integers up to 2^51 either side have their own bit patterns, in order.
pub(super) const C3: f64 = 1.5 * (1u64 << 52) as f64;
/// What the rounded product is taken from, to leave C3 minus the rounded part.
pub(super) const C2: f64 = C1 + C3;

/// The low 51 bits of a column.
pub(super) const DIGIT: i64 = (1 << 51) - 1;
/// Added to a column before it is cut: 2^50 centres the digit, 2^62 keeps the upper 13 bits away from zero.
pub(super) const CENTRE: i64 = (1 << 62) + (1 << 50);
/// The bit pattern of 2^52, under which a digit is the double 2^52 + digit.
pub(super) const EXPONENT: i64 = ((1u64 << 52) as f64).to_bits() as i64;

/// Pairs `(quotient, rest)` added to each of the nine columns; the same for product and square.
const PAIRS: [u64; 9] = [1, 1, 2, 2, 3, 2, 2, 1, 1];

/// What the columns of a `Product` hold besides their value, mod 2^64: the bit patterns of C3 of the column's own
/// pairs and of C1 of the pairs of the column below, those of columns 5 to 9 nineteen times.
pub(super) const OFFSETS: [i64; 5] = {
    let mut z = [0u64; 10];
    let mut k = 0;
    while k < 9 {
        z[k] = z[k].wrapping_add(PAIRS[k].wrapping_mul(C3.to_bits()));
        z[k + 1] = z[k + 1].wrapping_add(PAIRS[k].wrapping_mul(C1.to_bits()));
        k += 1;
    }
    let mut offsets = [0; 5];
    let mut k = 0;
    while k < 5 {
        offsets[k] = z[k].wrapping_add(z[k + 5].wrapping_mul(19)) as i64;
        k += 1;
    }
    offsets
};

/// `LIMB_OFFSETS[m]`: what each limb of columns with `m` times [`OFFSETS`] holds too much after the carry.
///
/// The offsets are multiples of 2^51, so they change the carry into the next limb and not the digit:
/// 2^52 from the exponent, 2^50 from the centring, and the upper 13 bits of the offsets below with 2^62.
pub(super) const LIMB_OFFSETS: [[f64; 5]; 3] = {
    /// Bound of a carry proper: columns below 2^59 in absolute value.
    const CARRY: u64 = 1 << 8;
    let mut all = [[0.0; 5]; 3];
    let mut m = 0;
    while m < 3 {
        let mut k = 0;
        while k < 5 {
            let column = (OFFSETS[k] as u64).wrapping_mul(m as u64).wrapping_add(1 << 62);
            assert!(column & DIGIT as u64 == 0);
            let upper = column >> 51;
            assert!(upper > CARRY && upper < (1 << 13) - CARRY, "the 13 bits must not wrap");
            let weight = if k == 4 { 19 } else { 1 };
            all[m][(k + 1) % 5] = ((1 << 52) + (1 << 50) + weight * upper) as f64;
            k += 1;
        }
        m += 1;
    }
    all
};

/// Writes an expression out for the five limbs. A closure would lose the instruction set of the frame.
macro_rules! limbs {
    ($k:ident => $limb:expr) => {
        [
            {
                const $k: usize = 0;
                $limb
            },
            {
                const $k: usize = 1;
                $limb
            },
            {
                const $k: usize = 2;
                $limb
            },
            {
                const $k: usize = 3;
                $limb
            },
            {
                const $k: usize = 4;
                $limb
            },
        ]
    };
}
pub(super) use limbs;

/// All lanes the same.
///
/// # Safety
/// The CPU has AVX2 (this and the following functions).
#[inline(always)]
pub(super) unsafe fn int(x: i64) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe { _mm256_set1_epi64x(x) }
}

/// Columns to limbs. The columns hold `M` times [`OFFSETS`] and a value below 2^59.
#[inline(always)]
pub(super) unsafe fn carry<const M: usize>(columns: [__m256i; 5]) -> [__m256d; 5] {
    // SAFETY: the caller's promise.
    unsafe { carry_from(columns, limbs!(K => _mm256_set1_pd(LIMB_OFFSETS[M][K]))) }
}

/// The carry, all limbs at once; `offsets` are the rows of [`LIMB_OFFSETS`] for the lanes.
///
/// With `c` the carry of a column to nearest, |c| ≤ 2^8: limbs 1 to 4 come out within 2^50 + 2^8 and limb 0 within
/// 2^50 + 19·2^8, all inside the operand's bound.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn carry_from(columns: [__m256i; 5], offsets: [__m256d; 5]) -> [__m256d; 5] {
    // SAFETY: the caller's promise.
    unsafe {
        let z = limbs!(K => _mm256_add_epi64(columns[K], int(CENTRE)));
        let up = limbs!(K => _mm256_srli_epi64::<51>(z[K]));
        let into = [_mm256_mul_epu32(up[4], int(19)), up[0], up[1], up[2], up[3]];
        limbs!(K => {
            let digit = _mm256_or_si256(_mm256_and_si256(z[K], int(DIGIT)), int(EXPONENT));
            let shifted = _mm256_castsi256_pd(_mm256_add_epi64(digit, into[K]));
            _mm256_sub_pd(shifted, offsets[K])
        })
    }
}

/// Limbs as integers, with `offset` added: exact for |limb| ≤ 2^51.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn integers(limbs: &[__m256d; 5], offset: [i64; 5]) -> [__m256i; 5] {
    // SAFETY: the caller's promise.
    unsafe {
        limbs!(K => {
            let bits = _mm256_castpd_si256(_mm256_add_pd(limbs[K], _mm256_set1_pd(C3)));
            _mm256_add_epi64(bits, int(offset[K].wrapping_sub(C3.to_bits() as i64)))
        })
    }
}

/// The canonical residue, limbs in [0, 2^51).
///
/// p is added limb by limb, which makes every limb positive and the value v lie in (0, 2p), for an operand lies
/// within 2^254·(1 + 2^-35) of 0. Then v ≥ p exactly where v + 19 carries out of bit 255.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn canonical(limbs: &[__m256d; 5]) -> [__m256i; 5] {
    const P: [i64; 5] = [DIGIT - 18, DIGIT, DIGIT, DIGIT, DIGIT];
    // SAFETY: the caller's promise.
    unsafe {
        let mut v = integers(limbs, P);
        let mut over = _mm256_srli_epi64::<51>(_mm256_add_epi64(v[0], int(19)));
        over = _mm256_srli_epi64::<51>(_mm256_add_epi64(v[1], over));
        over = _mm256_srli_epi64::<51>(_mm256_add_epi64(v[2], over));
        over = _mm256_srli_epi64::<51>(_mm256_add_epi64(v[3], over));
        over = _mm256_srli_epi64::<51>(_mm256_add_epi64(v[4], over));
        let mut up = _mm256_mul_epu32(over, int(19));
        for limb in &mut v {
            let sum = _mm256_add_epi64(*limb, up);
            *limb = _mm256_and_si256(sum, int(DIGIT));
            up = _mm256_srli_epi64::<51>(sum);
        }
        v
    }
}

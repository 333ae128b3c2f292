//! Rows and elements to lanes and back: 4×4 transposes of doubles.

use core::arch::x86_64::*;

use super::R51x4;
use super::columns;
use crate::field::FieldElement;
use crate::field::rows::Rows;

/// The transpose of a 4×4 matrix of words.
///
/// # Safety
/// The CPU has AVX2 (this and the following functions).
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn transpose(m: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: the caller's promise.
    unsafe {
        let (a, b) = (_mm256_unpacklo_pd(m[0], m[1]), _mm256_unpackhi_pd(m[0], m[1]));
        let (c, d) = (_mm256_unpacklo_pd(m[2], m[3]), _mm256_unpackhi_pd(m[2], m[3]));
        [
            _mm256_permute2f128_pd::<0x20>(a, c),
            _mm256_permute2f128_pd::<0x20>(b, d),
            _mm256_permute2f128_pd::<0x31>(a, c),
            _mm256_permute2f128_pd::<0x31>(b, d),
        ]
    }
}

/// Words of a row that moving `N` elements by fours touches.
const fn whole_words<const N: usize>() -> usize {
    (5 * N).next_multiple_of(4)
}

/// Row `row[i]` to lane `i` of `N` elements. Word `w` of a row is limb `w % 5` of element `w / 5`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn load<const N: usize>(rows: &Rows<R51x4>, row: &[u32], out: [&mut R51x4; N]) {
    let row = [row[0], row[1], row[2], row[3]].map(|row| rows.row(row, whole_words::<N>()).cast::<f64>());
    let mut word = 0;
    while word < 5 * N {
        // SAFETY: `Rows::row` checked the rows, whose 16 or 20 words hold 5·N rounded up to four, 32-byte aligned.
        let lanes = unsafe {
            transpose([
                _mm256_load_pd(row[0].add(word)),
                _mm256_load_pd(row[1].add(word)),
                _mm256_load_pd(row[2].add(word)),
                _mm256_load_pd(row[3].add(word)),
            ])
        };
        for (j, lane) in lanes.into_iter().enumerate() {
            if word + j < 5 * N {
                out[(word + j) / 5].0[(word + j) % 5] = lane;
            }
        }
        word += 4;
    }
}

/// Row `row` to every lane of `N` elements.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn splat<const N: usize>(rows: &Rows<R51x4>, row: u32, out: [&mut R51x4; N]) {
    let row = rows.row(row, 5 * N).cast::<f64>();
    for (i, x) in out.into_iter().enumerate() {
        for (k, limb) in x.0.iter_mut().enumerate() {
            // SAFETY: as in `load`.
            *limb = unsafe { _mm256_broadcast_sd(&*row.add(5 * i + k)) };
        }
    }
}

/// Lane `i` of `N` elements to row `row[i]`. Where rows repeat, the highest lane stays.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn store<const N: usize>(rows: &mut Rows<R51x4>, row: &[u32], x: [&R51x4; N]) {
    let row = [row[0], row[1], row[2], row[3]].map(|row| rows.row_mut(row, whole_words::<N>()).cast::<f64>());
    let mut word = 0;
    while word < 5 * N {
        // SAFETY: as in `load`; the pointers come from one `&mut` and are only used while it lasts.
        unsafe {
            let mut lanes = [_mm256_setzero_pd(); 4];
            for (j, lane) in lanes.iter_mut().enumerate() {
                if word + j < 5 * N {
                    *lane = x[(word + j) / 5].0[(word + j) % 5];
                }
            }
            let lanes = transpose(lanes);
            for i in 0..4 {
                _mm256_store_pd(row[i].add(word), lanes[i]);
            }
        }
        word += 4;
    }
}

/// Lane `i` to `out[i]`, canonical.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn to_elements(x: &R51x4, out: &mut [FieldElement]) {
    // SAFETY: the caller's promise; a `FieldElement` has five words, the unaligned stores fill the first four.
    unsafe {
        let v = columns::canonical(&x.0);
        let lanes = transpose([
            _mm256_castsi256_pd(v[0]),
            _mm256_castsi256_pd(v[1]),
            _mm256_castsi256_pd(v[2]),
            _mm256_castsi256_pd(v[3]),
        ]);
        let mut last = [0; 4];
        _mm256_storeu_si256(last.as_mut_ptr().cast(), v[4]);
        for (i, out) in out[..4].iter_mut().enumerate() {
            _mm256_storeu_pd(out.0.as_mut_ptr().cast(), lanes[i]);
            out.0[4] = last[i];
        }
    }
}

/// `x[i]` to lane `i`. Limbs at most 2^51, in columns without offset.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) unsafe fn from_elements(x: &[FieldElement; 4]) -> [__m256d; 5] {
    // SAFETY: the caller's promise; unaligned loads of the first four of five words.
    unsafe {
        let lanes = transpose([
            _mm256_loadu_pd(x[0].0.as_ptr().cast()),
            _mm256_loadu_pd(x[1].0.as_ptr().cast()),
            _mm256_loadu_pd(x[2].0.as_ptr().cast()),
            _mm256_loadu_pd(x[3].0.as_ptr().cast()),
        ]);
        columns::carry::<0>([
            _mm256_castpd_si256(lanes[0]),
            _mm256_castpd_si256(lanes[1]),
            _mm256_castpd_si256(lanes[2]),
            _mm256_castpd_si256(lanes[3]),
            _mm256_setr_epi64x(x[0].0[4] as i64, x[1].0[4] as i64, x[2].0[4] as i64, x[3].0[4] as i64),
        ])
    }
}

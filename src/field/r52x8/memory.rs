//! Between memory and lanes: field elements, digits, and table rows.
//!
//! A row holds the limbs of its elements one after the other, just as the lanes had them (dirty bits included). Eight rows and
//! eight lanes are each other's transpose, which is done four words at a time on halves of 32 bytes: two half rows
//! fill a register on the way in, and on the way out each half is stored by itself, which takes no shuffle. So
//! eight by four words cost 12 vector operations in and 8 out, and a row just written can be read without a stall,
//! as all accesses have the same width.

use core::arch::x86_64::*;

use super::R52x8;
use super::arith::{self, Limbs, MASK52, V, plus, set, shl, shr};
use crate::cpu::Ifma;
use crate::field::FieldElement;
use crate::field::lanes::FieldLanes;
use crate::field::rows::Rows;

/// The element in every lane. All scalar, so that constants are converted by the compiler.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn splat(isa: Ifma, x: &FieldElement) -> Limbs {
    let x = &x.0;
    let mut z = [
        x[0] + ((x[1] << 51) & MASK52),
        (x[1] >> 1) + ((x[2] << 50) & MASK52),
        (x[2] >> 2) + ((x[3] << 49) & MASK52),
        (x[3] >> 3) + ((x[4] << 48) & MASK52),
        x[4] >> 4,
    ];
    for i in 0..4 {
        z[i + 1] += z[i] >> 52;
    }
    [set(isa, z[0]), set(isa, z[1]), set(isa, z[2]), set(isa, z[3]), set(isa, z[4])]
}

/// Element `i` in lane `i`.
///
/// Limbs of 51 bits are cut anew at multiples of 52. As they may be 2^51 itself, the parts are added and not joined;
/// each sum is at most 2^52, and the top limb ends at 2^47 + 1 at most.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn load(isa: Ifma, e: &[FieldElement; 8]) -> Limbs {
    let mut x = [set(isa, 0); 5];
    for (i, limb) in x.iter_mut().enumerate() {
        let [a, b, c, d, e, f, g, h] = e.map(|e| e.0[i] as i64);
        // SAFETY: the token is here.
        *limb = unsafe { _mm512_set_epi64(h, g, f, e, d, c, b, a) };
    }
    let mask = set(isa, MASK52);
    let low = arith::and;
    arith::ripple([
        plus(x[0], low(shl::<51>(x[1]), mask)),
        plus(shr::<1>(x[1]), low(shl::<50>(x[2]), mask)),
        plus(shr::<2>(x[2]), low(shl::<49>(x[3]), mask)),
        plus(shr::<3>(x[3]), low(shl::<48>(x[4]), mask)),
        shr::<4>(x[4]),
    ])
}

/// Lane `i` to `out[i]`, limbs below 2^51.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn store(x: &Limbs, out: &mut [FieldElement]) {
    let mask = set(arith::token(x[0]), (1 << 51) - 1);
    let z = arith::tidy(x);
    let limbs = [
        arith::lanes(arith::and(z[0], mask)),
        arith::lanes(arith::and(arith::or(shr::<51>(z[0]), shl::<1>(z[1])), mask)),
        arith::lanes(arith::and(arith::or(shr::<50>(z[1]), shl::<2>(z[2])), mask)),
        arith::lanes(arith::and(arith::or(shr::<49>(z[2]), shl::<3>(z[3])), mask)),
        arith::lanes(arith::or(shr::<48>(z[3]), shl::<4>(z[4]))),
    ];
    for (lane, out) in out[..8].iter_mut().enumerate() {
        *out = FieldElement([limbs[0][lane], limbs[1][lane], limbs[2][lane], limbs[3][lane], limbs[4][lane]]);
    }
}

/// `|digits[i]|` in lane `i`, and the lanes of negative digits.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn index(_isa: Ifma, digits: &[i16]) -> (V, __mmask8) {
    let digits = &digits[..8];
    // SAFETY: the token is here, and eight digits are read from a slice of eight.
    unsafe {
        let d = _mm512_cvtepi16_epi64(_mm_loadu_si128(digits.as_ptr().cast()));
        (_mm512_abs_epi64(d), _mm512_movepi64_mask(d))
    }
}

/// Where the eight rows start. Each has at least `words` words.
#[inline(always)]
fn starts(rows: &Rows<R52x8>, row: &[u32], words: usize) -> [*const u64; 8] {
    let row = &row[..8];
    let mut at = [core::ptr::null(); 8];
    for i in 0..8 {
        at[i] = rows.row(row[i], words);
    }
    at
}

/// Like [`starts`], for writing.
#[inline(always)]
fn starts_mut(rows: &mut Rows<R52x8>, row: &[u32], words: usize) -> [*mut u64; 8] {
    let row = &row[..8];
    let mut at = [core::ptr::null_mut(); 8];
    for i in 0..8 {
        at[i] = rows.row_mut(row[i], words);
    }
    at
}

/// Words `4q` to `4q+3` of eight rows, one word a register, row `i` in lane `i`.
///
/// # Safety
/// The CPU has AVX-512 F; every row has at least `4q+4` readable words and starts at a multiple of 32 bytes.
#[inline(always)]
unsafe fn load_quad(at: &[*const u64; 8], q: usize) -> [V; 4] {
    // SAFETY: passed on to the caller.
    unsafe {
        let mut y = [_mm512_setzero_si512(); 4];
        // Rows 0|2, 1|3, 4|6, 5|7: the order that two unpacks and two shuffles of 128-bit parts make straight.
        for (i, row) in [0, 1, 4, 5].into_iter().enumerate() {
            let low = _mm256_load_si256(at[row].add(4 * q).cast());
            let high = _mm256_load_si256(at[row + 2].add(4 * q).cast());
            y[i] = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        }
        let even = [_mm512_unpacklo_epi64(y[0], y[1]), _mm512_unpacklo_epi64(y[2], y[3])];
        let odd = [_mm512_unpackhi_epi64(y[0], y[1]), _mm512_unpackhi_epi64(y[2], y[3])];
        [
            _mm512_shuffle_i64x2::<0x88>(even[0], even[1]),
            _mm512_shuffle_i64x2::<0x88>(odd[0], odd[1]),
            _mm512_shuffle_i64x2::<0xdd>(even[0], even[1]),
            _mm512_shuffle_i64x2::<0xdd>(odd[0], odd[1]),
        ]
    }
}

/// The reverse of [`load_quad`]. Where rows repeat, the highest lane stays.
///
/// # Safety
/// As for [`load_quad`], with writable rows.
#[inline(always)]
unsafe fn store_quad(at: &[*mut u64; 8], q: usize, w: [V; 4]) {
    // SAFETY: passed on to the caller.
    unsafe {
        let front = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        let back = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        for (order, first) in [(front, 0), (back, 4)] {
            let even = _mm512_permutex2var_epi64(w[0], order, w[2]);
            let odd = _mm512_permutex2var_epi64(w[1], order, w[3]);
            let a = _mm512_unpacklo_epi64(even, odd); // rows first, first + 2
            let b = _mm512_unpackhi_epi64(even, odd); // rows first + 1, first + 3
            _mm256_store_si256(at[first].add(4 * q).cast(), _mm512_castsi512_si256(a));
            _mm256_store_si256(at[first + 1].add(4 * q).cast(), _mm512_castsi512_si256(b));
            _mm256_store_si256(at[first + 2].add(4 * q).cast(), _mm512_extracti64x4_epi64::<1>(a));
            _mm256_store_si256(at[first + 3].add(4 * q).cast(), _mm512_extracti64x4_epi64::<1>(b));
        }
    }
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn load3(rows: &Rows<R52x8>, row: &[u32], out: [&mut R52x8; 3]) {
    let at = starts(rows, row, R52x8::ROW3);
    // SAFETY: `out` holds lane values, so a token existed; `starts` checked that each row has 16 words, and they begin at cache lines.
    let (a, b, c, d) = unsafe { (load_quad(&at, 0), load_quad(&at, 1), load_quad(&at, 2), load_quad(&at, 3)) };
    let [x, y, z] = out;
    *x = R52x8::new([a[0], a[1], a[2], a[3], b[0]]);
    *y = R52x8::new([b[1], b[2], b[3], c[0], c[1]]);
    *z = R52x8::new([c[2], c[3], d[0], d[1], d[2]]);
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn splat3(rows: &Rows<R52x8>, row: u32, out: [&mut R52x8; 3]) {
    let at = rows.row(row, R52x8::ROW3);
    for (k, x) in out.into_iter().enumerate() {
        for i in 0..5 {
            // SAFETY: `row` checked the row, and it has 16 words.
            x.0[i] = set(x.isa(), unsafe { at.add(5 * k + i).read() });
        }
    }
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn store3(rows: &mut Rows<R52x8>, row: &[u32], x: [&R52x8; 3]) {
    let at = starts_mut(rows, row, R52x8::ROW3);
    let [x, y, z] = [&x[0].0, &x[1].0, &x[2].0];
    // SAFETY: lane values exist, so a token did too; `starts_mut` checked that each row has 16 words, and they begin at
    // cache lines.
    unsafe {
        store_quad(&at, 0, [x[0], x[1], x[2], x[3]]);
        store_quad(&at, 1, [x[4], y[0], y[1], y[2]]);
        store_quad(&at, 2, [y[3], y[4], z[0], z[1]]);
        store_quad(&at, 3, [z[2], z[3], z[4], _mm512_setzero_si512()]);
    }
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn load4(rows: &Rows<R52x8>, row: &[u32], out: [&mut R52x8; 4]) {
    let at = starts(rows, row, R52x8::ROW4);
    // SAFETY: as in `load3`, with 24 words.
    let (a, b, c) = unsafe { (load_quad(&at, 0), load_quad(&at, 1), load_quad(&at, 2)) };
    // SAFETY: as above.
    let (d, e) = unsafe { (load_quad(&at, 3), load_quad(&at, 4)) };
    let [x, y, z, t] = out;
    *x = R52x8::new([a[0], a[1], a[2], a[3], b[0]]);
    *y = R52x8::new([b[1], b[2], b[3], c[0], c[1]]);
    *z = R52x8::new([c[2], c[3], d[0], d[1], d[2]]);
    *t = R52x8::new([d[3], e[0], e[1], e[2], e[3]]);
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn store4(rows: &mut Rows<R52x8>, row: &[u32], x: [&R52x8; 4]) {
    let at = starts_mut(rows, row, R52x8::ROW4);
    let [x, y, z, t] = [&x[0].0, &x[1].0, &x[2].0, &x[3].0];
    // SAFETY: as in `store3`, with 24 words.
    unsafe {
        store_quad(&at, 0, [x[0], x[1], x[2], x[3]]);
        store_quad(&at, 1, [x[4], y[0], y[1], y[2]]);
        store_quad(&at, 2, [y[3], y[4], z[0], z[1]]);
        store_quad(&at, 3, [z[2], z[3], z[4], t[0]]);
        store_quad(&at, 4, [t[1], t[2], t[3], t[4]]);
    }
}

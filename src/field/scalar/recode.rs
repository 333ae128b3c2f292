//! Signed digits of scalars, for every integer below 2^256, the last carry included.
//!
//! All but the sparse form avoid a carry chain: with `half = 2^(w-1)` added once at every digit's position, the
//! digit is the plain `w` bits found there, minus `half`. That is one addition of a constant a scalar, then
//! independent extractions which the compiler turns into vector code; and it is constant-time.

use alloc::vec::Vec;

use subtle::Choice;
use zeroize::Zeroize;

use super::{Scalar, reduce};

/// Scalars recoded together: digits go out in runs of this length, and the inner loops are over it.
const BLOCK: usize = 32;

/// Adds 2^bit.
const fn set(words: &mut [u64], bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

/// `width < 64` bits from `position` up.
#[inline(always)]
fn bits(words: &[u64; 6], position: usize, width: usize) -> u64 {
    let (i, shift) = (position / 64, position % 64);
    (words[i] >> shift | words[i + 1] << 1 << (63 - shift)) & ((1 << width) - 1)
}

impl Scalar {
    /// Sparse signed digits in base 2 (width-`width` non-adjacent form): each is 0 or odd and below
    /// 2^(width-1) in absolute value, and of any `width` in a row at most one is not 0. `width` is 2 to 8.
    pub(crate) fn naf_vartime(&self, width: usize) -> [i8; 257] {
        assert!((2..=8).contains(&width), "width of a non-adjacent form");
        let [a, b, c, d] = self.words();
        let words = [a, b, c, d, 0, 0];
        let mut digits = [0; 257];
        let (mut position, mut carry) = (0, 0);
        while position <= 256 {
            // What is left is `rest + carry`; its zeros at the low end are the bits that equal the carry.
            let rest = bits(&words, position, 63);
            let run = if carry == 0 { rest } else { !rest }.trailing_zeros() as usize;
            if run >= 63 {
                position += 63;
                continue;
            }
            position += run;
            if position > 256 {
                break;
            }
            let digit = bits(&words, position, width) as i16 + carry;
            carry = digit >> (width - 1);
            digits[position] = (digit - (carry << width)) as i8;
            position += width;
        }
        digits
    }

    /// Signed digits in radix 2^W, least significant first: from -2^(W-1) to 2^(W-1) - 1, the last one from 0 to
    /// 2^(W-1). `W` is 4 to 8 and `N`, the digits of 257 bits, is 65, 52, 43, 37 or 33.
    pub(crate) fn signed_digits<const W: usize, const N: usize>(&self) -> [i8; N] {
        const { assert!(4 <= W && W <= 8 && N == 257usize.div_ceil(W)) };
        let offset = const {
            let (mut offset, mut i) = ([0; 4], 0);
            while i < N - 1 {
                set(&mut offset, i * W + W - 1);
                i += 1;
            }
            offset
        };
        let (sum, carry) = reduce::add_words(&self.words(), &offset);
        let words = [sum[0], sum[1], sum[2], sum[3], carry, 0];
        core::array::from_fn(|i| {
            let half = if i == N - 1 { 0 } else { 1 << (W - 1) };
            (bits(&words, i * W, W) as i16 - half) as i8
        })
    }

    /// Signed digits in radix 16, from -8 to 7, the last one 0 or 1.
    pub(crate) fn radix_16(&self) -> [i8; 65] {
        self.signed_digits::<4, 65>()
    }
}

/// Signed digits in radix 2^width of many scalars, for windows of equal width: returns the number of windows,
/// the fewest that hold the longest scalar (so short weights cost few). Time depends on that length only.
///
/// `out[window * scalars.len() + i]` is the digit of scalar `i`, from -2^(width-1) to 2^(width-1) - 1, in the
/// last window from 0 to 2^(width-1), or to 2^14 for width 16. `width` is 2 to 16.
pub(crate) fn signed_windows_vartime(scalars: &[Scalar], width: usize, out: &mut Vec<i16>) -> usize {
    assert!((2..=16).contains(&width), "width of windows");
    let n = scalars.len();
    let mut any = [0; 4];
    for scalar in scalars {
        let words = scalar.words();
        (0..4).for_each(|i| any[i] |= words[i]);
    }
    let length = (0..4).rev().find(|&i| any[i] != 0).map_or(0, |i| 64 * (i + 1) - any[i].leading_zeros() as usize);
    // One bit more than the longest scalar, for the carry: with B = length and position p <= B of the last
    // window, scalar + offset < 2^B + 2^p, so that the last digit is at most 2^(B - p) <= 2^(width-1). For
    // width 16 that would be one too many for an i16: two bits more, and the last digit is at most 2^14.
    let windows = (length + if width == 16 { 2 } else { 1 }).div_ceil(width);
    let mut offset = [0; 4];
    for i in 0..windows - 1 {
        set(&mut offset, i * width + width - 1);
    }
    out.clear();
    out.resize(windows * n, 0);
    for (b, block) in scalars.chunks(BLOCK).enumerate() {
        let mut words = [[0; BLOCK]; 6];
        for (j, scalar) in block.iter().enumerate() {
            let (sum, carry) = reduce::add_words(&scalar.words(), &offset);
            (0..4).for_each(|i| words[i][j] = sum[i]);
            words[4][j] = carry;
        }
        for window in 0..windows {
            let (i, shift) = (window * width / 64, window * width % 64);
            let half = if window == windows - 1 { 0 } else { 1 << (width - 1) };
            let start = window * n + b * BLOCK;
            let (low, high) = (&words[i], &words[i + 1]);
            for (j, digit) in out[start..start + block.len()].iter_mut().enumerate() {
                let bits = (low[j] >> shift | high[j] << 1 << (63 - shift)) & ((1 << width) - 1);
                *digit = (bits as i32 - half) as i16;
            }
        }
    }
    windows
}

/// Signed digits for the lanes of a multi-scalar multiplication: of `lanes` equal slices of the 256 bits, each
/// cut into digits of the given widths, least significant first.
///
/// `out[(g * scalars.len() + i) * lanes + lane]` is digit `g` of slice `lane` of scalar `i`, from -2^(w-1) to
/// 2^(w-1) - 1 for its width `w`. Carries run on through the slices. Returned are the scalars whose last carry
/// left the top: to the sum of their digits 2^256 must be added. With a top digit of `w` bits these are some
/// integers from 2^255 - 2^(256-w) up, so never a reduced scalar.
///
/// `lanes` is 1, 4 or 8, the widths are 1 to 16 and sum to `256 / lanes`.
pub(crate) fn signed_slices_vartime(scalars: &[Scalar], lanes: usize, widths: &[u8], out: &mut Vec<i16>) -> Vec<u32> {
    let mut carried = Vec::new();
    recode_slices(scalars, lanes, widths, out, |i, carry| {
        if carry != 0 {
            carried.push(i as u32);
        }
    });
    carried
}

/// [`signed_slices_vartime`] in constant time: for each scalar, whether its last carry left the top. Wiping the
/// digits is the caller's part.
pub(crate) fn signed_slices(scalars: &[Scalar], lanes: usize, widths: &[u8], out: &mut Vec<i16>) -> Vec<Choice> {
    let mut carries = Vec::with_capacity(scalars.len());
    recode_slices(scalars, lanes, widths, out, |_, carry| carries.push(Choice::from(carry as u8)));
    carries
}

fn recode_slices(
    scalars: &[Scalar],
    lanes: usize,
    widths: &[u8],
    out: &mut Vec<i16>,
    carry_of: impl FnMut(usize, u64),
) {
    out.clear();
    out.resize(widths.len() * scalars.len() * lanes, 0);
    match lanes {
        1 => recode::<1>(scalars, widths, out, carry_of, |words, position, width| {
            [bits(&[words[0], words[1], words[2], words[3], 0, 0], position, width) as u32]
        }),
        4 => recode::<4>(scalars, widths, out, carry_of, |words, position, width| {
            words.map(|w| (w >> position) as u32 & ((1 << width) - 1))
        }),
        8 => recode::<8>(scalars, widths, out, carry_of, |words, position, width| {
            let [a, b, c, d] = *words;
            [
                a as u32,
                (a >> 32) as u32,
                b as u32,
                (b >> 32) as u32,
                c as u32,
                (c >> 32) as u32,
                d as u32,
                (d >> 32) as u32,
            ]
            .map(|slice| slice >> position & ((1 << width) - 1))
        }),
        _ => panic!("lanes: 1, 4 or 8"),
    }
}

/// `extract` gives the bits of one digit from all the slices.
#[inline(always)]
fn recode<const LANES: usize>(
    scalars: &[Scalar],
    widths: &[u8],
    out: &mut [i16],
    mut carry_of: impl FnMut(usize, u64),
    extract: impl Fn(&[u64; 4], usize, usize) -> [u32; LANES],
) {
    assert!(widths.iter().all(|w| (1..=16).contains(w)), "width of a digit");
    assert_eq!(widths.iter().map(|&w| usize::from(w)).sum::<usize>(), 256 / LANES, "widths of a slice");
    let mut offset = [0; 4];
    for lane in 0..LANES {
        let mut end = lane * (256 / LANES);
        for &width in widths {
            end += usize::from(width);
            set(&mut offset, end - 1);
        }
    }
    let (rows, _) = out.as_chunks_mut::<LANES>();
    let mut words = [[0; 4]; BLOCK];
    for (b, block) in scalars.chunks(BLOCK).enumerate() {
        for (j, scalar) in block.iter().enumerate() {
            let (sum, carry) = reduce::add_words(&scalar.words(), &offset);
            words[j] = sum;
            carry_of(b * BLOCK + j, carry);
        }
        let mut position = 0;
        for (g, &width) in widths.iter().enumerate() {
            let width = usize::from(width);
            let half = 1u32 << (width - 1);
            let start = g * scalars.len() + b * BLOCK;
            for (row, words) in rows[start..start + block.len()].iter_mut().zip(&words) {
                *row = extract(words, position, width).map(|bits| bits.wrapping_sub(half) as i16);
            }
            position += width;
        }
    }
    words.zeroize();
}

//! Signed digits of scalars, for every integer below 2^256, the last carry included.
//!
//! The fixed-radix form avoids a carry chain: with `half = 2^(w-1)` added once at every digit's position, the
//! digit is the plain `w` bits found there, minus `half`. That is one addition of a constant a scalar, then
//! independent extractions which the compiler turns into vector code; and it is constant-time.

use super::{Scalar, reduce};

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

//! Signed digits of scalars, for every integer below 2^256, the last carry included.
//!
//! The form in radix 16 avoids a carry chain: with 8 added once at every digit's position, a digit is the plain four
//! bits found there, minus 8. That is one addition of a constant a scalar, then independent extractions which the
//! compiler turns into vector code; and it is constant-time.

use super::{Scalar, reduce};

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

    /// Signed digits in radix 16, least significant first: from -8 to 7, the last one 0 or 1.
    pub(crate) fn radix_16(&self) -> [i8; 65] {
        let (sum, carry) = reduce::add_words(&self.words(), &[0x8888_8888_8888_8888; 4]);
        let mut digits = [0; 65];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(reduce::store(&sum)) {
            pair[0] = (byte & 15) as i8 - 8;
            pair[1] = (byte >> 4) as i8 - 8;
        }
        digits[64] = carry as i8;
        digits
    }
}

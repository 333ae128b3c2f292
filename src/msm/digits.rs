//! Scalars cut into signed digits, the slices of all lanes at once.
//!
//! A scalar is a 256-bit integer, used as it stands. Lane `j` owns the slice of bits `j·s .. (j+1)·s`; each slice
//! is cut into digits of the given widths, least significant first. Adding `2^(w-1)` at every digit position once,
//! as one big addition, makes the digits independent: each is a bit field of the sum minus `2^(w-1)`. No carry
//! runs from digit to digit, nothing branches, and a digit lies in `-2^(w-1) ..= 2^(w-1) - 1`.
//!
//! Digits are written as `|digit| << 1 | sign`, so that vector code makes what their readers want.

use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::field::scalar::Scalar;
use crate::field::words;
use crate::group::backend::Backend;

/// Scalars cut together.
const BLOCK: usize = 32;

/// The widest digit: `2^14 << 1 | 1` is its largest code.
pub(crate) const MAX_WIDTH: u8 = 15;

/// How scalars are cut. Made by `plan`, or by hand in tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slicing {
    /// Number of slices, one a lane.
    pub(crate) lanes: usize,
    /// Digit widths within a slice, each 2 ..= 15, least significant first.
    pub(crate) widths: Vec<u8>,
}

impl Slicing {
    /// Slices of `bits` bits in `digits` digits as equal as possible, the wider ones first.
    pub(crate) fn even(lanes: usize, bits: usize, digits: usize) -> Slicing {
        let widths = (0..digits).map(|g| (bits / digits + usize::from(g < bits % digits)) as u8).collect();
        Slicing { lanes, widths }
    }

    /// Bits of a slice.
    pub(crate) fn slice_bits(&self) -> usize {
        self.widths.iter().map(|w| usize::from(*w)).sum()
    }

    /// Digits of a slice.
    pub(crate) fn len(&self) -> usize {
        self.widths.len()
    }

    /// Whether the digits of every integer below `2^bits` add up to it.
    ///
    /// The offset is below `2^total·(1/2 + 1/8 + 1/32 + …) = 2^total·2/3`, so an integer below `2^(total-2)` leaves
    /// the sum below `2^total`.
    pub(crate) fn covers(&self, bits: usize) -> bool {
        bits + 2 <= self.slice_bits() * self.lanes
    }

    /// Digit `g` of lane `j` of scalar `i` to `out[(g·lanes + j)·n + i]`. Constant-time in the scalars.
    pub(crate) fn digits<B: Backend>(&self, isa: B, scalars: &[Scalar], out: &mut Vec<u16>) {
        isa.outline(
            #[inline(always)]
            || self.digits_inline(scalars, out),
        );
    }

    #[inline(always)]
    fn digits_inline(&self, scalars: &[Scalar], out: &mut Vec<u16>) {
        let (n, lanes) = (scalars.len(), self.lanes);
        out.clear();
        out.resize(n * lanes * self.len(), 0);
        let fields = self.fields();
        let offset = self.offset();
        // Block by block, the words side by side: each digit position is then one loop of vector shifts.
        let mut sums = [[0; BLOCK]; 6];
        for (b, block) in scalars.chunks(BLOCK).enumerate() {
            for (i, scalar) in block.iter().enumerate() {
                let sum = add(&words(scalar.as_bytes()), &offset);
                sums.iter_mut().zip(sum).for_each(|(row, word)| row[i] = word);
            }
            for (field, out) in fields.iter().zip(out.chunks_exact_mut(n)) {
                field.read(&sums, &mut out[b * BLOCK..][..block.len()]);
            }
        }
        sums.zeroize();
    }

    /// Where the digits lie, `[g·lanes + j]`.
    fn fields(&self) -> Vec<Field> {
        let mut out = Vec::with_capacity(self.lanes * self.len());
        let mut low = 0;
        for &width in &self.widths {
            out.extend((0..self.lanes).map(|j| Field::new(j * self.slice_bits() + low, width)));
            low += usize::from(width);
        }
        out
    }

    /// `2^(w-1)` at every digit position.
    fn offset(&self) -> [u64; 5] {
        let mut out = [0; 5];
        for field in self.fields() {
            let bit = usize::from(field.word) * 64 + usize::from(field.shift);
            let half = u128::from(field.half) << (bit % 64);
            out[bit / 64] |= half as u64;
            if bit / 64 < 4 {
                out[bit / 64 + 1] |= (half >> 64) as u64;
            }
        }
        out
    }
}

/// The bits of the sum that one digit is read from.
#[derive(Clone, Copy)]
struct Field {
    word: u8,
    shift: u8,
    mask: u16,
    half: u16,
}

impl Field {
    /// Fields that don't end within 320 bits start above bit 303, where a 256-bit integer leaves nothing: the
    /// addition of the offsets can't carry that far, so the digit is 0 and so is what this field reads.
    fn new(position: usize, width: u8) -> Field {
        debug_assert!((2..=MAX_WIDTH).contains(&width));
        if position + usize::from(width) > 320 {
            return Field { word: 0, shift: 0, mask: 0, half: 0 };
        }
        Field {
            word: (position / 64) as u8,
            shift: (position % 64) as u8,
            mask: (1 << width) - 1,
            half: 1 << (width - 1),
        }
    }

    /// This digit of each scalar of a block.
    #[inline(always)]
    fn read(&self, sums: &[[u64; BLOCK]; 6], out: &mut [u16]) {
        let (low, high) = (&sums[usize::from(self.word)], &sums[usize::from(self.word) + 1]);
        for ((low, high), out) in low.iter().zip(high).zip(out) {
            let bits = low >> self.shift | high << 1 << (63 - self.shift);
            let digit = (bits as u16 & self.mask).wrapping_sub(self.half);
            let sign = digit >> 15;
            *out = (digit ^ sign.wrapping_neg()).wrapping_add(sign) << 1 | sign;
        }
    }
}

/// The sum, and a word of zeros that the last field may look into.
#[inline(always)]
fn add(scalar: &[u64; 4], offset: &[u64; 5]) -> [u64; 6] {
    let mut out = [0; 6];
    let mut carry = false;
    for i in 0..5 {
        let word = if i < 4 { scalar[i] } else { 0 };
        let (sum, c0) = word.overflowing_add(offset[i]);
        let (sum, c1) = sum.overflowing_add(u64::from(carry));
        out[i] = sum;
        carry = c0 | c1;
    }
    out
}

/// Length of the longest of these integers, in bits.
pub(crate) fn longest(scalars: &[Scalar]) -> usize {
    let mut any = [0; 4];
    for scalar in scalars {
        let words = words(scalar.as_bytes());
        any.iter_mut().zip(words).for_each(|(any, word)| *any |= word);
    }
    (0..4).rev().find(|&i| any[i] != 0).map_or(0, |i| 64 * (i + 1) - any[i].leading_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::test_util::Random;
    use alloc::vec;

    /// `Σ digit·2^position = scalar`, over 384-bit two's complement integers.
    fn check(slicing: &Slicing, scalars: &[Scalar]) {
        let mut digits = vec![];
        slicing.digits(Portable::TOKEN, scalars, &mut digits);
        for (i, scalar) in scalars.iter().enumerate() {
            let mut sum = [0u64; 8];
            let mut low = 0;
            for (g, &width) in slicing.widths.iter().enumerate() {
                for j in 0..slicing.lanes {
                    let digit = digits[(g * slicing.lanes + j) * scalars.len() + i];
                    let digit = if digit & 1 == 1 { -i64::from(digit >> 1) } else { i64::from(digit >> 1) };
                    assert!((-(1i64 << (width - 1))..1i64 << (width - 1)).contains(&digit));
                    let position = j * slicing.slice_bits() + low;
                    if digit != 0 {
                        accumulate(&mut sum, digit, position);
                    }
                }
                low += usize::from(width);
            }
            assert_eq!(sum[..4], words(scalar.as_bytes()), "{slicing:?} {scalar:?}");
            assert_eq!(sum[4..], [0; 4]);
        }
    }

    fn accumulate(sum: &mut [u64; 8], digit: i64, position: usize) {
        let wide = (i128::from(digit) << (position % 64)) as u128;
        let fill = if digit < 0 { u64::MAX } else { 0 };
        let mut carry = 0u128;
        for (i, word) in sum[position / 64..].iter_mut().enumerate() {
            let add = match i {
                0 => wide as u64,
                1 => (wide >> 64) as u64,
                _ => fill,
            };
            let s = u128::from(*word) + u128::from(add) + carry;
            *word = s as u64;
            carry = s >> 64;
        }
    }

    #[test]
    fn digits_add_up() {
        let mut random = Random::new(7);
        let mut scalars: Vec<Scalar> = [0x00, 0x11, 0x77, 0x7f, 0x80, 0x88, 0xee, 0xff]
            .iter()
            .map(|byte| Scalar::from_integer_unreduced([*byte; 32]))
            .collect();
        scalars.extend([Scalar::ONE, -Scalar::ONE]);
        for bit in 0..256 {
            let mut bytes = [0; 32];
            bytes[bit / 8] = 1 << (bit % 8);
            scalars.push(Scalar::from_integer_unreduced(bytes));
        }
        scalars.extend((0..40).map(|_| Scalar::from_integer_unreduced(random.bytes())));
        let reduced: Vec<Scalar> = scalars.iter().map(Scalar::reduce).collect();
        for lanes in [1, 4, 8] {
            for bits in 256usize.div_ceil(lanes)..=330usize.div_ceil(lanes) {
                for count in bits.div_ceil(usize::from(MAX_WIDTH))..=bits / 2 {
                    // There are ten thousand shapes, most of one lane: a debug build takes some of every length.
                    let step = if lanes == 1 { 67 } else { 7 };
                    if cfg!(debug_assertions) && (5 * bits + count) % step != 0 {
                        continue;
                    }
                    let slicing = Slicing::even(lanes, bits, count);
                    assert_eq!(slicing.slice_bits(), bits);
                    assert!(slicing.covers(253));
                    check(&slicing, &reduced);
                    if slicing.covers(256) {
                        check(&slicing, &scalars);
                    }
                }
            }
        }
        assert!(!Slicing::even(8, 32, 4).covers(256) && Slicing::even(8, 33, 4).covers(256));
        assert_eq!(longest(&scalars), 256);
        assert_eq!(longest(&[Scalar::ZERO]), 0);
        assert_eq!(longest(&[Scalar::from(5u64), Scalar::ONE]), 3);
    }

    #[test]
    fn short_scalars_need_few_bits() {
        let mut random = Random::new(8);
        for bits in 1..=250usize {
            let mut bytes = random.bytes();
            bytes.iter_mut().enumerate().for_each(|(i, b)| {
                let keep = bits.saturating_sub(8 * i).min(8);
                *b &= ((1u16 << keep) - 1) as u8;
            });
            let scalar = Scalar::from_integer_unreduced(bytes);
            for lanes in [1, 4, 8] {
                let slicing = Slicing::even(lanes, (bits + 2).div_ceil(lanes).max(2), 1 + bits / (lanes * 9));
                assert!(slicing.covers(longest(&[scalar])));
                check(&slicing, &[scalar]);
            }
        }
    }
}

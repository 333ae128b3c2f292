//! A scalar as the quotient of two numbers of half its length.

use super::Scalar;
use super::reduce::{L, load, sub_words};

impl Scalar {
    /// `(negative, a, b)` with `±a·self = b` mod l, `a` at least 1, and both below 2^127. `negative` says that `a` counts
    /// negatively.
    ///
    /// The extended Euclidean algorithm on l and the residue, left halfway: remainders r and factors t with
    /// r = t·self mod l alternate in the sign of t, and |t| times the remainder before is at most l.
    pub(crate) fn half_size_ratio_vartime(&self) -> (bool, u128, u128) {
        let (mut before, mut rest) = (L, load(&self.reduce().bytes));
        let (mut t_before, mut t) = (0u128, 1u128);
        let mut negative = false;
        while length(&rest) > 127 {
            // before mod rest, by the bits of the quotient from the top.
            let mut shift = length(&before) - length(&rest);
            loop {
                let (difference, borrow) = sub_words(&before, &shifted(&rest, shift));
                if borrow == 0 {
                    before = difference;
                    t_before += t << shift;
                }
                if shift == 0 {
                    break;
                }
                shift -= 1;
            }
            (before, rest) = (rest, before);
            (t_before, t) = (t, t_before);
            negative = !negative;
        }
        (negative, t, u128::from(rest[0]) | u128::from(rest[1]) << 64)
    }
}

/// The number of bits up to the highest that is set.
fn length(words: &[u64; 4]) -> u32 {
    let top = words.iter().rposition(|word| *word != 0);
    top.map_or(0, |i| 64 * i as u32 + 64 - words[i].leading_zeros())
}

/// `words·2^shift`, below 2^256.
fn shifted(words: &[u64; 4], shift: u32) -> [u64; 4] {
    let (skip, shift) = ((shift / 64) as usize, shift % 64);
    core::array::from_fn(|i| {
        let word = |i: usize| words.get(i.wrapping_sub(skip)).copied().unwrap_or(0);
        word(i) << shift | word(i.wrapping_sub(1)) >> 1 >> (63 - shift)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    #[test]
    fn both_halves_are_short_and_their_quotient_is_right() {
        let mut random = Random::new(31);
        let mut scalars: alloc::vec::Vec<Scalar> =
            (0..2000).map(|_| Scalar::from_bytes_mod_order_wide(&random.bytes64())).collect();
        scalars.extend([Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::INV_EIGHT, Scalar::from(u128::MAX)]);
        scalars.extend((0..2000).map(|i| Scalar::from(1u128 << 126) * Scalar::from(i as u64 + 1)));
        scalars.extend((1..200u64).map(|i| Scalar::from(i).invert()));
        for k in scalars {
            let (negative, a, b) = k.half_size_ratio_vartime();
            assert!(a > 0 && a >> 127 == 0 && b >> 127 == 0, "{k:?}: {a} {b}");
            let product = Scalar::from(a) * k;
            assert_eq!(if negative { -product } else { product }, Scalar::from(b), "{k:?}");
        }
    }
}

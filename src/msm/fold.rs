//! Two lists of points folded into one by public scalars: what an inner product argument does to its bases.
//!
//! Folding by a ratio ρ is wanted up to a common factor only, and ρ = b/a with a and b of half the length of a scalar: so
//! a·P + b·Q takes 127 doublings instead of 253, and as many additions as ρ·Q alone.

use alloc::vec;
use alloc::vec::Vec;

use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::{Cached, Extended};
use crate::group::threads::in_parts;

/// Width of the non-adjacent forms; the tables hold 1, 3, …, 15 times each point.
const WIDTH: usize = 5;
const TABLE: usize = 1 << (WIDTH - 2);
/// Digits of a number below 2^127.
const DIGITS: usize = 128;

/// `a` and the points `a·(low[i] + ratio·high[i])`, `a` not 0, for public scalars and points in the subgroup of prime order
/// (or up to the small-order points of an encoding that doesn't see them).
///
/// # Panics
/// If the lists differ in length.
pub(crate) fn fold_vartime(ratio: &Scalar, low: &[EdwardsPoint], high: &[EdwardsPoint]) -> (Scalar, Vec<EdwardsPoint>) {
    fold_vartime_on(BackendId::current(), ratio, low, high)
}

pub(crate) fn fold_vartime_on(
    id: BackendId,
    ratio: &Scalar,
    low: &[EdwardsPoint],
    high: &[EdwardsPoint],
) -> (Scalar, Vec<EdwardsPoint>) {
    assert_eq!(low.len(), high.len(), "two halves");
    let (negative, a, b) = ratio.half_size_ratio_vartime();
    let digits = |k: u128| -> [i8; DIGITS] {
        let naf = Scalar::from(k).naf_vartime(WIDTH);
        core::array::from_fn(|i| naf[i])
    };
    let (mut a_digits, b_digits) = (digits(a), digits(b));
    if negative {
        a_digits.iter_mut().for_each(|digit| *digit = -*digit);
    }
    let mut out = vec![EdwardsPoint::IDENTITY; low.len()];
    in_parts(&mut out, 16, |start, out| {
        let part = start..start + out.len();
        let (low, high) = (&low[part.clone()], &high[part]);
        dispatch(id, Fold { digits: [&a_digits, &b_digits], low, high, out });
    });
    let a = Scalar::from(a);
    (if negative { -a } else { a }, out)
}

struct Fold<'a> {
    digits: [&'a [i8; DIGITS]; 2],
    low: &'a [EdwardsPoint],
    high: &'a [EdwardsPoint],
    out: &'a mut [EdwardsPoint],
}

impl Kernel for Fold<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let (plus, minus) = (B::F::mask(isa, 0), B::F::mask(isa, u32::MAX));
        let groups = self.low.chunks(lanes).zip(self.high.chunks(lanes)).zip(self.out.chunks_mut(lanes));
        for ((low, high), out) in groups {
            let tables = [odd_multiples(isa, low), odd_multiples(isa, high)];
            let mut sum = Extended::<B::F>::identity(isa);
            // Doublings come in runs between the digits; none are needed before the first.
            let (mut pending, mut started) = (0, false);
            for i in (0..DIGITS).rev() {
                pending += 1;
                for (digits, table) in self.digits.iter().zip(&tables) {
                    let digit = digits[i];
                    if digit != 0 {
                        if started && pending > 0 {
                            isa.double_n(&mut sum, pending);
                        }
                        let entry = &table[usize::from(digit.unsigned_abs() / 2)];
                        isa.add_cached(&mut sum, entry, if digit < 0 { minus } else { plus });
                        (pending, started) = (0, true);
                    }
                }
            }
            if pending > 0 {
                isa.double_n(&mut sum, pending);
            }
            sum.store(out);
        }
    }
}

/// 1, 3, …, 15 times the point of each lane.
#[inline(always)]
fn odd_multiples<B: Backend>(isa: B, points: &[EdwardsPoint]) -> [Cached<B::F>; TABLE] {
    let mut lanes = [EdwardsPoint::IDENTITY; MAX_LANES];
    lanes[..points.len()].copy_from_slice(points);
    let mut odd = Extended::<B::F>::load(
        isa,
        #[inline(always)]
        |i| &lanes[i],
    );
    let mut double = odd;
    isa.double_n(&mut double, 1);
    let double = Cached::new(&double);
    let mut table = [Cached::new(&odd); TABLE];
    for entry in table.iter_mut().skip(1) {
        isa.add_cached(&mut odd, &double, B::F::mask(isa, 0));
        *entry = Cached::new(&odd);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::{Random, each_backend};

    #[test]
    fn every_backend_and_remainder() {
        let mut random = Random::new(78);
        let mut scalar = || Scalar::from_bytes_mod_order_wide(&random.bytes64());
        let points: Vec<EdwardsPoint> = (0..34).map(|_| EdwardsPoint::mul_base(&scalar())).collect();
        let (low, high) = points.split_at(17);
        let ratios = [scalar(), scalar(), Scalar::ONE, -Scalar::ONE, Scalar::ZERO, Scalar::from(3u64).invert()];
        each_backend(|id| {
            for ratio in &ratios {
                for len in 0..=17 {
                    let (a, folded) = fold_vartime_on(id, ratio, &low[..len], &high[..len]);
                    assert!(a != Scalar::ZERO);
                    for ((folded, low), high) in folded.iter().zip(low).zip(high) {
                        assert_eq!(*folded, a * low + a * ratio * *high, "{id} {len}");
                    }
                }
            }
        });
    }
}

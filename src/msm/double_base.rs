//! `aA + bB` with the base point `B`, in variable time: what verifies a signature.
//!
//! Lane `j` takes the `j`-th slice of both scalars, in digits of four bits: a table of multiples of `A`, the same in
//! every lane, and the rows `e·16^k·B` that the fixed-base table has anyway, of which `B` needs those within a slice and
//! no doubling. The lanes are joined as in any other sum. With one lane the slice is the whole scalar.

use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::AffineNiels;

use super::digits::{Slicing, longest};
use super::straus::straus_vartime;

/// Bits of a digit.
const WIDTH: usize = 4;

/// `a·point + b·B`, `B` the base point, in variable time. Both integers are used as they stand.
///
/// ```
/// use curve25519_lanes::{msm, EdwardsPoint, Scalar};
/// let (a, b) = (Scalar::from(3u64), Scalar::from(5u64));
/// let sum = msm::double_base_vartime(&a, &EdwardsPoint::BASEPOINT, &b);
/// assert_eq!(sum, EdwardsPoint::BASEPOINT.mul_by_cofactor());
/// ```
pub fn double_base_vartime(a: &Scalar, point: &EdwardsPoint, b: &Scalar) -> EdwardsPoint {
    double_base_vartime_on(BackendId::current(), a, point, b)
}

pub(crate) fn double_base_vartime_on(id: BackendId, a: &Scalar, point: &EdwardsPoint, b: &Scalar) -> EdwardsPoint {
    dispatch(id, DoubleBase { a, point, b })
}

struct DoubleBase<'a> {
    a: &'a Scalar,
    point: &'a EdwardsPoint,
    b: &'a Scalar,
}

impl Kernel for DoubleBase<'_> {
    type Out = EdwardsPoint;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> EdwardsPoint {
        let lanes = B::F::LANES;
        let scalars = core::slice::from_ref(self.a);
        // Two bits more than the scalar's, for the carries out of the top digits.
        let digits_a_lane = (longest(scalars) + 2).div_ceil(WIDTH * lanes).max(1);
        let slicing = Slicing::even(lanes, digits_a_lane * WIDTH, digits_a_lane);
        let mut digits = alloc::vec::Vec::new();
        slicing.digits(isa, scalars, &mut digits);
        let mut sum = straus_vartime(isa, &digits, &slicing.widths, core::slice::from_ref(self.point));

        // Digits of b beyond the last slice go to its lane, which has rows for them too.
        let b = self.b.radix_16();
        let table = isa.base_table();
        let lane_digits = |lane: usize| {
            let end = if lane + 1 == lanes { b.len() } else { b.len().min((lane + 1) * digits_a_lane) };
            &b[(lane * digits_a_lane).min(end)..end]
        };
        let rounds = digits_a_lane.max(lane_digits(lanes - 1).len());
        let mut q = AffineNiels::identity(isa);
        for position in 0..rounds {
            let mut digits = [0; MAX_LANES];
            for (lane, digit) in digits.iter_mut().enumerate().take(lanes) {
                *digit = lane_digits(lane).get(position).copied().unwrap_or(0);
            }
            if digits != [0; MAX_LANES] {
                let negative = table.load_vartime(position, &digits[..lanes], &mut q);
                isa.add_mixed(&mut sum, &q, B::F::mask(isa, negative));
            }
        }
        super::join(isa, &sum, slicing.slice_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::{Random, each_backend};

    #[test]
    fn every_backend_agrees_with_two_products() {
        let mut random = Random::new(41);
        let points = super::super::tests::points(&mut random, 12, true);
        let mut scalars = super::super::tests::scalars(&mut random, 40, false);
        // Short ones, whose slices are short too.
        scalars.extend((0..64).map(|i| Scalar::from(random.next() >> i)));
        each_backend(|id| {
            for (i, a) in scalars.iter().enumerate() {
                let (b, point) = (&scalars[(7 * i + 3) % scalars.len()], &points[i % points.len()]);
                let expected = a * point + b * EdwardsPoint::BASEPOINT;
                assert_eq!(double_base_vartime_on(id, a, point, b), expected, "{id} {a:?} {b:?}");
            }
        });
    }
}

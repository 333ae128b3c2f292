//! Many points times one public scalar.
//!
//! Every lane does the same, so the scalar may be recoded as sparsely as for a single point: a non-adjacent form over
//! the odd multiples of each point. 256 doublings, about 43 additions and 8 for the table, a vector of points.

use alloc::vec;
use alloc::vec::Vec;

use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::{Cached, Extended};
use crate::group::threads::in_parts;

/// Width of the non-adjacent form; the table holds 1, 3, …, 15 times each point.
const WIDTH: usize = 5;
const TABLE: usize = 1 << (WIDTH - 2);

/// `k·p` for each point, in variable time: `k` is public and the same for all.
///
/// The integer of `k` counts, also unreduced and on points with a small-order part.
///
/// ```
/// use curve25519_lanes::{EdwardsPoint, Scalar, msm};
///
/// let points = [EdwardsPoint::BASEPOINT, EdwardsPoint::BASEPOINT.double(), EdwardsPoint::IDENTITY];
/// let [p, q, o] = points;
/// assert_eq!(msm::same_scalar_vartime(&Scalar::from(3u64), &points), [p + q, q + q + q, o]);
/// ```
pub fn same_scalar_vartime(k: &Scalar, points: &[EdwardsPoint]) -> Vec<EdwardsPoint> {
    same_scalar_vartime_on(BackendId::current(), k, points)
}

pub(crate) fn same_scalar_vartime_on(id: BackendId, k: &Scalar, points: &[EdwardsPoint]) -> Vec<EdwardsPoint> {
    let mut out = vec![EdwardsPoint::IDENTITY; points.len()];
    let digits = k.naf_vartime(WIDTH);
    in_parts(&mut out, 16, |start, out| {
        let points = &points[start..start + out.len()];
        dispatch(id, SameScalar { digits: &digits, points, out });
    });
    out
}

struct SameScalar<'a> {
    digits: &'a [i8; 257],
    points: &'a [EdwardsPoint],
    out: &'a mut [EdwardsPoint],
}

impl Kernel for SameScalar<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        for (points, out) in self.points.chunks(B::F::LANES).zip(self.out.chunks_mut(B::F::LANES)) {
            group_vartime(isa, self.digits, points, out);
        }
    }
}

#[inline(always)]
fn group_vartime<B: Backend>(isa: B, digits: &[i8; 257], points: &[EdwardsPoint], out: &mut [EdwardsPoint]) {
    let mut lanes = [EdwardsPoint::IDENTITY; MAX_LANES];
    lanes[..points.len()].copy_from_slice(points);
    let p = Extended::<B::F>::load(
        isa,
        #[inline(always)]
        |i| &lanes[i],
    );
    let (plus, minus) = (B::F::mask(isa, 0), B::F::mask(isa, u32::MAX));

    let mut double = p;
    isa.double_n(&mut double, 1);
    let double = Cached::new(&double);
    let mut table = [Cached::new(&p); TABLE];
    let mut odd = p;
    for entry in table.iter_mut().skip(1) {
        isa.add_cached(&mut odd, &double, plus);
        *entry = Cached::new(&odd);
    }

    let mut sum = Extended::<B::F>::identity(isa);
    // Doublings come in runs between the digits; none are needed before the first.
    let (mut pending, mut started) = (0, false);
    for &digit in digits.iter().rev() {
        pending += 1;
        if digit != 0 {
            if started {
                isa.double_n(&mut sum, pending);
            }
            let entry = &table[usize::from(digit.unsigned_abs() / 2)];
            isa.add_cached(&mut sum, entry, if digit < 0 { minus } else { plus });
            (pending, started) = (0, true);
        }
    }
    if started && pending > 0 {
        isa.double_n(&mut sum, pending);
    }
    sum.store(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{monero_map, try_decompress_batch_strict};
    use crate::test_util::{Random, each_backend};

    /// Double and add, bit by bit.
    fn naive(k: &Scalar, p: &EdwardsPoint) -> EdwardsPoint {
        (0..256).rev().fold(EdwardsPoint::IDENTITY, |sum, i| {
            let sum = sum.double();
            if k.as_bytes()[i / 8] >> (i % 8) & 1 == 1 { sum + p } else { sum }
        })
    }

    #[test]
    fn every_backend_and_remainder() {
        let mut random = Random::new(77);
        let mut torsion = [0xff; 32];
        (torsion[0], torsion[31]) = (0xec, 0x7f);
        let order_two = try_decompress_batch_strict(&[torsion])[0].unwrap();
        // Points of the map may have any small-order part.
        let mut points: Vec<_> = (0..18).map(|_| monero_map(&random.bytes())).collect();
        points.extend([EdwardsPoint::IDENTITY, order_two, EdwardsPoint::BASEPOINT]);
        let mut scalars: Vec<_> = (0..4).map(|_| Scalar::from_integer_unreduced(random.bytes())).collect();
        scalars.extend([Scalar::ZERO, Scalar::ONE, Scalar::from(2u64), Scalar::INV_EIGHT, -Scalar::ONE]);
        scalars.push(Scalar::from_integer_unreduced([0xff; 32]));
        let expected: Vec<Vec<_>> =
            scalars.iter().map(|k| points.iter().map(|p| naive(k, p).compress()).collect()).collect();
        each_backend(|id| {
            for (k, expected) in scalars.iter().zip(&expected) {
                for len in 0..=points.len() {
                    let found = same_scalar_vartime_on(id, k, &points[..len]);
                    let found: Vec<_> = found.iter().map(EdwardsPoint::compress).collect();
                    assert_eq!(found, expected[..len], "{id} {k:?} {len}");
                }
            }
        });
    }
}

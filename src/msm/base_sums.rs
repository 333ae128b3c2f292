//! `P ± s·B` for many pairs, a lane each, constant-time: the additions of a fixed-base product, started at `P`.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use super::LengthError;
use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::Extended;
use crate::group::tables::BASE_POSITIONS;
use crate::group::threads::in_parts;

/// `points[i] + scalars[i]·B` for each `i`, `B` the base point. Constant-time in both. 65 additions a vector of pairs.
///
/// # Errors
/// [`LengthError`] if the slices differ in length.
///
/// ```
/// use curve25519_lanes::{EdwardsPoint, Scalar, msm};
/// let b = EdwardsPoint::BASEPOINT;
/// assert_eq!(msm::add_base_batch(&[b; 3], &[Scalar::ONE; 3]).unwrap(), [b.double(); 3]);
/// assert_eq!(msm::sub_base_batch(&[b; 3], &[Scalar::ONE; 3]).unwrap(), [EdwardsPoint::IDENTITY; 3]);
/// ```
pub fn add_base_batch(points: &[EdwardsPoint], scalars: &[Scalar]) -> Result<Vec<EdwardsPoint>, LengthError> {
    super::check(scalars, points)?;
    Ok(base_sums_on(BackendId::for_secrets(), points, scalars, false))
}

/// `points[i] - scalars[i]·B` for each `i`. As [`add_base_batch`].
///
/// # Errors
/// [`LengthError`] if the slices differ in length.
pub fn sub_base_batch(points: &[EdwardsPoint], scalars: &[Scalar]) -> Result<Vec<EdwardsPoint>, LengthError> {
    super::check(scalars, points)?;
    Ok(base_sums_on(BackendId::for_secrets(), points, scalars, true))
}

pub(crate) fn base_sums_on(
    id: BackendId,
    points: &[EdwardsPoint],
    scalars: &[Scalar],
    subtract: bool,
) -> Vec<EdwardsPoint> {
    let mut out = vec![EdwardsPoint::IDENTITY; points.len()];
    in_parts(&mut out, 64, |start, out| {
        let end = start + out.len();
        dispatch(id, BaseSums { points: &points[start..end], scalars: &scalars[start..end], subtract, out });
    });
    out
}

struct BaseSums<'a> {
    points: &'a [EdwardsPoint],
    scalars: &'a [Scalar],
    subtract: bool,
    out: &'a mut [EdwardsPoint],
}

impl Kernel for BaseSums<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let table = isa.base_table();
        let mut columns = [[0; MAX_LANES]; BASE_POSITIONS];
        for ((points, scalars), out) in
            self.points.chunks(lanes).zip(self.scalars.chunks(lanes)).zip(self.out.chunks_mut(lanes))
        {
            for (lane, scalar) in scalars.iter().enumerate() {
                let mut digits = scalar.radix_16();
                for (column, digit) in columns.iter_mut().zip(&digits) {
                    column[lane] = i16::from(*digit);
                }
                digits.zeroize();
            }
            let mut sum = Extended::load(
                isa,
                #[inline(always)]
                |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
            );
            for (position, digits) in columns.iter_mut().enumerate() {
                if self.subtract {
                    digits.iter_mut().for_each(|digit| *digit = -*digit);
                }
                let (index, negative) = B::F::index(isa, &digits[..lanes]);
                isa.add_mixed(&mut sum, &table.select(isa, position, index), negative);
            }
            sum.store(out);
        }
        columns.iter_mut().for_each(|digits| digits.zeroize());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::monero_map;
    use crate::test_util::{Random, each_backend};

    #[test]
    fn every_backend_and_remainder() {
        let mut random = Random::new(5);
        let points: Vec<_> = (0..18).map(|_| monero_map(&random.bytes())).collect();
        let mut scalars: Vec<_> = (0..15).map(|_| Scalar::from_bytes_mod_order(random.bytes())).collect();
        scalars.extend([Scalar::ZERO, -Scalar::ONE, Scalar::from_integer_unreduced([0xff; 32])]);
        let expected: Vec<_> = points
            .iter()
            .zip(&scalars)
            .map(|(p, s)| {
                let product = EdwardsPoint::mul_base(&s.reduce());
                ((*p + product).compress(), (*p - product).compress())
            })
            .collect();
        each_backend(|id| {
            for n in 0..=points.len() {
                let add = base_sums_on(id, &points[..n], &scalars[..n], false);
                let sub = base_sums_on(id, &points[..n], &scalars[..n], true);
                for i in 0..n {
                    assert_eq!((add[i].compress(), sub[i].compress()), expected[i], "{id}: {i} of {n}");
                }
            }
        });
        assert!(add_base_batch(&points, &scalars[1..]).is_err() && sub_base_batch(&points[1..], &scalars).is_err());
    }
}

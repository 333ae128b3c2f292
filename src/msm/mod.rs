//! Multi-scalar multiplication, `Σ scalars[i]·points[i]`.
//!
//! Scalars are 256-bit integers and used as they stand, never reduced or negated mod l: on points outside the
//! prime-order subgroup the integer matters. Empty input gives the identity.

pub(crate) mod base_sums;
pub(crate) mod batch;
pub(crate) mod buckets;
pub(crate) mod costs;
pub(crate) mod digits;
pub(crate) mod double_base;
pub(crate) mod fixed_base;
#[cfg(any(test, feature = "rand_core"))]
pub(crate) mod fold;
pub(crate) mod grid;
pub(crate) mod lazy_tables;
pub(crate) mod pippenger;
pub(crate) mod plan;
pub(crate) mod same_scalar;
pub(crate) mod schedule;
pub(crate) mod short_sums;
pub(crate) mod static_points;
pub(crate) mod straus;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

pub use base_sums::{add_base_batch, sub_base_batch};
pub use batch::{mul_base_batch, mul_batch};
pub use costs::Costs;
pub use double_base::double_base_vartime;
pub use fixed_base::FixedBase;
pub(crate) use grid::encode_secret;
pub use grid::{CofactorTable, mul_by_cofactor_grid, mul_by_cofactor_grid_encoded};
pub(crate) use lazy_tables::LazyTables;
pub use same_scalar::same_scalar_vartime;
pub use static_points::StaticPoints;

use self::digits::longest;
use self::pippenger::pippenger_vartime;
use self::plan::{Algorithm, Plan};
use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch, lanes};
use crate::group::formulas::Extended;
use crate::group::threads::{sum_of, sum_of_parts, threads};

/// The slices given to an MSM differ in length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthError {
    scalars: usize,
    points: usize,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} scalars for {} points", self.scalars, self.points)
    }
}

impl core::error::Error for LengthError {}

/// `Σ scalars[i]·points[i]`, in time that depends on scalars and points.
///
/// # Errors
/// [`LengthError`] if the slices differ in length.
///
/// ```
/// use curve25519_lanes::{msm, EdwardsPoint, Scalar};
/// let b = EdwardsPoint::BASEPOINT;
/// let sum = msm::vartime(&[Scalar::from(2u64), Scalar::from(3u64)], &[b, b.double()]).unwrap();
/// assert_eq!(sum, b.mul_by_cofactor());
/// ```
pub fn vartime(scalars: &[Scalar], points: &[EdwardsPoint]) -> Result<EdwardsPoint, LengthError> {
    check(scalars, points)?;
    let (id, threads) = (BackendId::current(), threads());
    if threads > 1 && (DIVISIBLE..=IN_SHARES).contains(&points.len()) {
        let plan = plan_for(id, scalars);
        if plan.slicing.len().is_multiple_of(threads) && plan.algorithm != Algorithm::Straus {
            return Ok(in_shares(id, &plan, threads, scalars, points));
        }
    }
    Ok(sum_of_parts(points.len(), DIVISIBLE, |part| {
        let (scalars, points) = (&scalars[part.clone()], &points[part]);
        vartime_as(id, &plan_for(id, scalars), scalars, points)
    }))
}

/// The number of points, with scalars of full length, from which on [`vartime`] uses Pippenger's method on this backend, and no
/// longer Straus's.
pub fn pippenger_from(backend: BackendId) -> usize {
    let plan = |n| Plan::new(&Costs::of(backend), lanes(backend), n, 253);
    (1..).find(|&n| plan(n).algorithm != Algorithm::Straus).unwrap_or(usize::MAX)
}

/// Points from which on a sum is worth more than one thread.
const DIVISIBLE: usize = 256;
/// Points up to which digit positions are shared out: the rows of all points are made on each thread.
const IN_SHARES: usize = 16384;

fn plan_for(id: BackendId, scalars: &[Scalar]) -> Plan {
    Plan::new(&Costs::of(id), lanes(id), scalars.len(), longest(scalars))
}

/// The sum with the digit positions shared out evenly, a part a thread. Each bucket set is then filled and reduced once
/// as on one thread, where points shared out would mean that all sets are reduced in every part.
fn in_shares(id: BackendId, plan: &Plan, shares: usize, scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    let share = plan.slicing.len() / shares;
    sum_of(shares, |i| dispatch(id, Msm { plan, digits: i * share..(i + 1) * share, scalars, points }))
}

/// `Σ scalars[i]·points[i]`, constant-time in scalars and points; the number of points is public.
///
/// About 65 additions a point in a vector's lanes, and 256 doublings shared by all.
///
/// # Errors
/// [`LengthError`] if the slices differ in length.
pub fn constant_time(scalars: &[Scalar], points: &[EdwardsPoint]) -> Result<EdwardsPoint, LengthError> {
    check(scalars, points)?;
    Ok(batch::constant_time_on(BackendId::for_secrets(), scalars, points))
}

/// Two sums like those of [`constant_time`] side by side: short ones share the lanes and the doublings.
///
/// # Errors
/// [`LengthError`] if the slices of a sum differ in length.
#[cfg(any(test, feature = "rand_core"))]
pub(crate) fn constant_time_pair(sums: [(&[Scalar], &[EdwardsPoint]); 2]) -> Result<[EdwardsPoint; 2], LengthError> {
    for (scalars, points) in sums {
        check(scalars, points)?;
    }
    Ok(batch::constant_time_pair_on(BackendId::for_secrets(), sums))
}

fn check(scalars: &[Scalar], points: &[EdwardsPoint]) -> Result<(), LengthError> {
    if scalars.len() == points.len() {
        Ok(())
    } else {
        Err(LengthError { scalars: scalars.len(), points: points.len() })
    }
}

pub(crate) fn vartime_as(id: BackendId, plan: &Plan, scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    if points.is_empty() {
        return EdwardsPoint::IDENTITY;
    }
    dispatch(id, Msm { plan, digits: 0..plan.slicing.len(), scalars, points })
}

struct Msm<'a> {
    plan: &'a Plan,
    /// The digit positions to sum over; all of them for Straus's method.
    digits: Range<usize>,
    scalars: &'a [Scalar],
    points: &'a [EdwardsPoint],
}

impl Kernel for Msm<'_> {
    type Out = EdwardsPoint;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> EdwardsPoint {
        let slicing = &self.plan.slicing;
        debug_assert!(slicing.covers(longest(self.scalars)));
        match self.plan.algorithm {
            Algorithm::Straus => {
                let mut digits = Vec::new();
                slicing.digits(isa, self.scalars, &mut digits);
                let sum = straus::straus_vartime(isa, &digits, &slicing.widths, self.points);
                join(isa, &sum, slicing.slice_bits())
            }
            Algorithm::Buckets { block } => {
                pippenger_vartime(isa, slicing, self.digits, block, self.scalars, self.points)
            }
        }
    }
}

/// `Σ 2^(j·bits)·(lane j)`, by Horner on single points.
#[inline(always)]
fn join<B: Backend>(isa: B, sum: &Extended<B::F>, bits: usize) -> EdwardsPoint {
    let mut lanes = [EdwardsPoint::IDENTITY; MAX_LANES];
    sum.store(&mut lanes[..B::F::LANES]);
    let mut out = lanes[B::F::LANES - 1];
    for lane in lanes[..B::F::LANES - 1].iter().rev() {
        out = isa.double_n_single(&out, bits) + *lane;
    }
    out
}

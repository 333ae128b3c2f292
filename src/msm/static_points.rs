//! Points known beforehand: tables that make their part of every later MSM one set of buckets.
//!
//! The table holds `2^(c·j)·P` for every point and digit position `j`, affine. So all digits of all positions go
//! into one bucket set, the running sums are taken once, and no doubling and no joining of lanes is left. With
//! few points in a call the buckets are mostly empty; their cost is a few additions each.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use super::buckets::{self, Sorted};
use super::digits::{Slicing, longest};
use super::plan::Costs;
use super::{LengthError, vartime};
use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::Extended;
use crate::group::tables::PointRows;

/// Scalars are integers below 2^256.
const BITS: usize = 256;

/// A fixed list of points with tables for their multiples, built once and shared by reference.
///
/// Size: about `128·⌈258/c⌉` bytes a point, `c` being 8 to 13 by the number of points: 3 KiB each from 512 points
/// on. The table belongs to the backend that was current when it was built, and its part of the work runs there.
///
/// ```
/// use curve25519_lanes::{msm::StaticPoints, EdwardsPoint, Scalar};
/// let b = EdwardsPoint::BASEPOINT;
/// let table = StaticPoints::new(&[b, b.double()]);
/// let sum = table.mixed_vartime(&[Scalar::ONE, Scalar::ONE], &[Scalar::ONE], &[b]).unwrap();
/// assert_eq!(sum, b.mul_by_pow_2(2));
/// ```
pub struct StaticPoints {
    backend: BackendId,
    count: usize,
    /// A `Table` of the backend's lanes.
    table: Box<dyn Any + Send + Sync>,
}

struct Table<F> {
    slicing: Slicing,
    rows: PointRows<F>,
}

impl StaticPoints {
    /// Tables for these points, in this order. About `258` doublings and `⌈258/c⌉` normalisations a point, in lanes.
    pub fn new(points: &[EdwardsPoint]) -> StaticPoints {
        Self::on(BackendId::current(), points)
    }

    pub(crate) fn on(backend: BackendId, points: &[EdwardsPoint]) -> StaticPoints {
        let width = width(&Costs::of(backend), points.len());
        StaticPoints { backend, count: points.len(), table: dispatch(backend, Build { points, width }) }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// `Σ static_scalars[i]·(static point i) + Σ scalars[j]·points[j]`. Missing static scalars count as 0.
    ///
    /// # Errors
    /// [`LengthError`] if there are more static scalars than static points, or `scalars` and `points` differ in
    /// length.
    pub fn mixed_vartime(
        &self,
        static_scalars: &[Scalar],
        scalars: &[Scalar],
        points: &[EdwardsPoint],
    ) -> Result<EdwardsPoint, LengthError> {
        if static_scalars.len() > self.count {
            return Err(LengthError { scalars: static_scalars.len(), points: self.count });
        }
        let sum = dispatch(self.backend, Sum { table: &*self.table, scalars: static_scalars });
        Ok(sum + vartime(scalars, points)?)
    }
}

impl fmt::Debug for StaticPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StaticPoints({} points, {})", self.count, self.backend)
    }
}

/// The digit width that makes a sum over all points cheapest.
fn width(costs: &Costs, points: usize) -> u8 {
    let lanes = costs.lanes as f32;
    let cost = |width: u8| {
        let adds = (points * (BITS + 2).div_ceil(usize::from(width))) as f32 / lanes;
        adds + (1u32 << (width - 1)) as f32 / lanes * costs.reduce
    };
    (5..=13).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(8)
}

struct Build<'a> {
    points: &'a [EdwardsPoint],
    width: u8,
}

impl Kernel for Build<'_> {
    type Out = Box<dyn Any + Send + Sync>;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Self::Out {
        let (lanes, n) = (B::F::LANES, self.points.len());
        let positions = (BITS + 2).div_ceil(usize::from(self.width));
        let mut multiples = alloc::vec![EdwardsPoint::IDENTITY; n * positions];
        for (chunk, points) in self.points.chunks(lanes).enumerate() {
            let mut multiple = Extended::load(
                isa,
                #[inline(always)]
                |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
            );
            for position in 0..positions {
                let start = position * n + chunk * lanes;
                multiple.store(&mut multiples[start..start + points.len()]);
                isa.double_n(&mut multiple, usize::from(self.width));
            }
        }
        let slicing = Slicing { lanes: 1, widths: alloc::vec![self.width; positions] };
        Box::new(Table { slicing, rows: PointRows::<B::F>::new(isa, &multiples) })
    }
}

struct Sum<'a> {
    table: &'a (dyn Any + Send + Sync),
    scalars: &'a [Scalar],
}

impl Kernel for Sum<'_> {
    type Out = EdwardsPoint;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> EdwardsPoint {
        let table: &Table<B::F> = self.table.downcast_ref().expect("a table is only used by the backend that built it");
        let (lanes, n) = (B::F::LANES, self.scalars.len());
        if n == 0 {
            return EdwardsPoint::IDENTITY;
        }
        debug_assert!(table.slicing.covers(longest(self.scalars)));
        let mut digits = Vec::new();
        table.slicing.digits(self.scalars, &mut digits);
        let count = 1usize << (table.slicing.widths[0] - 1);
        let positions = table.slicing.len();
        let points = (table.rows.len() / positions) as u32;
        let runs = digits.chunks_exact(n).enumerate().map(|(position, digits)| (position as u32 * points, digits));
        let mut sorted = Sorted::default();
        sorted.sort_vartime(runs, 1, count + 1);
        let mut sums = Rows::of_four(count + 1 + lanes);
        buckets::accumulate_vartime(isa, &table.rows, &sorted, &mut sums);

        // Lane j takes the buckets j·part + 1 ..= (j + 1)·part: Σ b·S_b = Σ_j (sum_j + j·part·run_j).
        let part = count / lanes;
        let first: [u32; MAX_LANES] = core::array::from_fn(|lane| (lane * part) as u32);
        let (sum, run) = buckets::reduce(isa, &sums, &first[..lanes], part);
        let mut out = [[EdwardsPoint::IDENTITY; MAX_LANES]; 2];
        sum.store(&mut out[0][..lanes]);
        run.store(&mut out[1][..lanes]);
        let (mut above, mut weighted) = (EdwardsPoint::IDENTITY, EdwardsPoint::IDENTITY);
        for run in out[1][1..lanes].iter().rev() {
            above += run;
            weighted += above;
        }
        out[0][..lanes].iter().sum::<EdwardsPoint>() + weighted.mul_by_pow_2(part.trailing_zeros() as usize)
    }
}

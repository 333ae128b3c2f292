//! Points known beforehand: tables that make their part of every later MSM one set of buckets.
//!
//! The table holds `2^(c·m·j)·P` for every point and every `m`-th digit position, affine. So all digits whose position
//! is `r` mod `m` go into one bucket set; `m` sets remain, and no joining of lanes. One set (`m = 1`) would need the
//! fewest additions, but its table would leave the second-level cache, which costs twice the time an addition.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use super::buckets::{self, Windows};
use super::costs::Costs;
use super::digits::{Slicing, longest};
use super::schedule::{Run, Schedule};
use super::{LengthError, vartime};
use crate::cpu::BackendId;
use crate::field::lanes::FieldLanes;
use crate::field::rows::Rows;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch, lanes};
use crate::group::formulas::Extended;
use crate::group::tables::PointRows;

/// Scalars are integers below 2^256.
const BITS: usize = 256;

/// A fixed list of points with tables for their multiples, built once and shared by reference.
///
/// Size: 0.5 to 4 KiB a point, the less the more points: 1 MiB altogether, and from 2048 points on 512 bytes each.
/// The table belongs to the backend that was current when it was built, and its part of the work runs there.
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
    shape: Shape,
    rows: PointRows<F>,
}

/// Digits of `width` bits in `positions` rows a point, each row serving `sets` digits.
#[derive(Clone, Copy, Debug)]
struct Shape {
    width: u8,
    sets: usize,
    positions: usize,
}

impl StaticPoints {
    /// Tables for these points, in this order. About 258 doublings a point, in lanes, and one shared inversion.
    pub fn new(points: &[EdwardsPoint]) -> StaticPoints {
        Self::on(BackendId::current(), points)
    }

    pub(crate) fn on(backend: BackendId, points: &[EdwardsPoint]) -> StaticPoints {
        let shape = Shape::for_points(&Costs::of(backend), lanes(backend), points.len());
        StaticPoints { backend, count: points.len(), table: dispatch(backend, Build { points, shape }) }
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

/// Bytes that a table may have and still stay in a second-level cache beside everything else.
const CACHED: u64 = 1 << 20;

impl Shape {
    /// The shape that makes a sum over all points cheapest.
    fn for_points(costs: &Costs, lanes: usize, points: usize) -> Shape {
        let (lanes, points) = (lanes as u64, points as u64);
        let mut best = (u64::MAX, Shape { width: 8, sets: 4, positions: 9 });
        for width in 5..=13u8 {
            let digits = (BITS + 2).div_ceil(usize::from(width));
            for sets in 1..=8 {
                let positions = digits.div_ceil(sets);
                // From 512 bytes a point on it is what it is.
                if sets < 8 && points * positions as u64 * 128 > CACHED {
                    continue;
                }
                let adds = 1000 * points * digits as u64 / lanes;
                let buckets = ((sets as u64) << (width - 1)) / lanes * u64::from(costs.reduce);
                let cost = adds + buckets + 2 * sets as u64 * u64::from(width) * u64::from(costs.double);
                if cost < best.0 {
                    best = (cost, Shape { width, sets, positions });
                }
            }
        }
        best.1
    }
}

struct Build<'a> {
    points: &'a [EdwardsPoint],
    shape: Shape,
}

impl Kernel for Build<'_> {
    type Out = Box<dyn Any + Send + Sync>;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Self::Out {
        let (lanes, n, shape) = (B::F::LANES, self.points.len(), self.shape);
        let mut multiples = alloc::vec![EdwardsPoint::IDENTITY; n * shape.positions];
        for (chunk, points) in self.points.chunks(lanes).enumerate() {
            let mut multiple = Extended::load(
                isa,
                #[inline(always)]
                |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
            );
            for position in 0..shape.positions {
                let start = position * n + chunk * lanes;
                multiple.store(&mut multiples[start..start + points.len()]);
                if position + 1 < shape.positions {
                    isa.double_n(&mut multiple, usize::from(shape.width) * shape.sets);
                }
            }
        }
        Box::new(Table { shape, rows: PointRows::<B::F>::new(isa, &multiples) })
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
        let Shape { width, sets, positions } = table.shape;
        let slicing = Slicing { lanes: 1, widths: alloc::vec![width; positions * sets] };
        debug_assert!(slicing.covers(longest(self.scalars)));
        let mut digits = Vec::new();
        slicing.digits(isa, self.scalars, &mut digits);
        let points = (table.rows.len() / positions) as u32;

        let count = 1usize << (width - 1);
        let mut schedule = Schedule::default();
        let mut sums = Rows::of_four(count + 1 + lanes);
        let mut windows = Windows::new(isa, usize::from(width));
        for set in (0..sets).rev() {
            let runs = (0..positions).map(|position| {
                let start = (position * sets + set) * n;
                Run { bucket: 0, row: position as u32 * points, digits: &digits[start..start + n] }
            });
            let spare = count as u32 + 1;
            schedule.sort_vartime(runs, lanes, count + 1, [0, spare, table.rows.identity()]);
            buckets::accumulate_vartime(isa, &table.rows, &schedule, &mut sums, true);
            windows.push(isa, &sums, 0);
        }
        windows.finish(isa)
    }
}

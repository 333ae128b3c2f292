//! What a backend's operations cost on a CPU: the numbers that `plan` weighs.
//!
//! The built-in ones were measured on one server core with AVX-512 IFMA. Another CPU, half as fast at 512 bits say,
//! may want other windows; [`Costs::measure`] finds its numbers in a fraction of a second and
//! [`Costs::install`] hands them over. They never change a result.

use alloc::vec::Vec;
use core::hint::black_box;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::buckets;
use super::digits::Slicing;
use super::schedule::{Run, Schedule};
use super::straus::straus_vartime;
use crate::cpu::{BackendError, BackendId};
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::Extended;
use crate::group::tables::PointRows;

/// Costs of a backend's operations, in thousandths of one mixed addition of a whole vector of points.
///
/// Integers, since a caller from C may have unmasked floating-point exceptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Adding a table entry in Straus's method, look-up included.
    pub straus_add: u32,
    /// Making one table entry for a vector of points.
    pub straus_entry: u32,
    /// Doubling a vector.
    pub double: u32,
    /// Doubling one point in the chain that joins the lanes.
    pub single_double: u32,
    /// Sorting one digit.
    pub sort: u32,
    /// Starting, ending and storing a vector of buckets.
    pub bucket: u32,
    /// Folding one bucket of each lane into the running sums.
    pub reduce: u32,
    /// Making the table row of one point.
    pub row: u32,
}

/// Fields of [`Costs`].
const FIELDS: usize = 8;
/// One more than the largest backend number.
const BACKENDS: usize = BackendId::ALL.len() + 1;

/// Installed costs, 0 for none. A reader that meets a half-written set plans a little worse.
static INSTALLED: [[AtomicU32; FIELDS]; BACKENDS] = [const { [const { AtomicU32::new(0) }; FIELDS] }; BACKENDS];

impl Costs {
    /// The costs in force for a backend: installed ones, else the built-in ones.
    pub fn of(id: BackendId) -> Costs {
        let fields = INSTALLED[id as usize].each_ref().map(|field| field.load(Relaxed));
        if fields.contains(&0) { Costs::built_in(id) } else { Costs::from_fields(fields) }
    }

    /// The costs measured when this version was made.
    pub const fn built_in(id: BackendId) -> Costs {
        match id {
            BackendId::Ifma => Costs::from_fields([1150, 1400, 850, 440, 20, 500, 2150, 200]),
            BackendId::Avx2 => Costs::from_fields([1150, 1400, 800, 450, 15, 400, 2300, 300]),
            BackendId::Amd64_64 => Costs::from_fields([900, 950, 630, 630, 34, 255, 1850, 665]),
            BackendId::Amd64_51 => Costs::from_fields([1000, 900, 555, 555, 25, 295, 1880, 600]),
            _ => Costs::from_fields([1150, 1250, 850, 850, 20, 250, 2400, 600]),
        }
    }

    /// Plans by these costs from now on, in every thread.
    ///
    /// Costs of 0 or above a million make no sense; a set with one is ignored.
    pub fn install(&self, id: BackendId) {
        let fields = self.to_fields();
        if fields.iter().all(|field| (1..=1_000_000).contains(field)) {
            for (place, field) in INSTALLED[id as usize].iter().zip(fields) {
                place.store(field, Relaxed);
            }
        }
    }

    /// Back to the built-in costs.
    pub fn uninstall(id: BackendId) {
        INSTALLED[id as usize].iter().for_each(|place| place.store(0, Relaxed));
    }

    /// Measures a backend on this machine with the caller's clock, in nanoseconds of whatever kind (thread CPU time is
    /// best). Takes some 50 ms on a vector backend.
    ///
    /// # Errors
    /// [`BackendError`] if the backend can't run here.
    pub fn measure(id: BackendId, clock: &dyn Fn() -> u64) -> Result<Costs, BackendError> {
        let id = BackendId::from_name(id.name())?;
        Ok(dispatch(id, Measure { clock }))
    }

    const fn from_fields(f: [u32; FIELDS]) -> Costs {
        Costs {
            straus_add: f[0],
            straus_entry: f[1],
            double: f[2],
            single_double: f[3],
            sort: f[4],
            bucket: f[5],
            reduce: f[6],
            row: f[7],
        }
    }

    const fn to_fields(self) -> [u32; FIELDS] {
        [
            self.straus_add,
            self.straus_entry,
            self.double,
            self.single_double,
            self.sort,
            self.bucket,
            self.reduce,
            self.row,
        ]
    }
}

/// Points of the measurement; their rows stay in the second-level cache.
const POINTS: usize = 1024;
/// Sorts [`POINTS`] digits a lane, a bucket set of `stride` a lane.
fn sort_vartime<B: Backend>(schedule: &mut Schedule, digits: &[u16], stride: usize, identity: u32) {
    let runs = digits.chunks_exact(POINTS).enumerate();
    let runs = runs.map(|(lane, digits)| Run { bucket: (lane * stride) as u32, row: 0, digits });
    let buckets = B::F::LANES * stride;
    schedule.sort_vartime(runs, B::F::LANES, buckets, [0, buckets as u32, identity]);
}

/// Points of the two Straus sums.
const FEW: usize = 32;

struct Measure<'a> {
    clock: &'a dyn Fn() -> u64,
}

impl Measure<'_> {
    /// The least of several runs, in picoseconds.
    #[inline(always)]
    fn time<R>(&self, mut work: impl FnMut() -> R) -> u64 {
        let mut least = u64::MAX;
        for _ in 0..9 {
            let start = (self.clock)();
            black_box(work());
            least = least.min((self.clock)().saturating_sub(start));
        }
        least.saturating_mul(1000)
    }

    // Functions, not closures: one of those that isn't inlined is compiled without the instruction set.

    #[inline(always)]
    fn accumulate<B: Backend>(&self, isa: B, rows: &PointRows<B::F>, digits: &[u16], sums: &mut Rows<B::F>) -> u64 {
        let mut schedule = Schedule::default();
        sort_vartime::<B>(&mut schedule, digits, POINTS + 1, rows.identity());
        self.time(
            #[inline(always)]
            || buckets::accumulate_vartime(isa, rows, &schedule, sums, true),
        )
    }

    #[inline(always)]
    fn straus<B: Backend>(&self, isa: B, digits: &[u16], rounds: usize, points: &[EdwardsPoint]) -> u64 {
        let digits = &digits[..FEW * B::F::LANES * rounds];
        self.time(
            #[inline(always)]
            || straus_vartime(isa, digits, &[4; 8][..rounds], &points[..FEW]),
        )
    }
}

impl Kernel for Measure<'_> {
    type Out = Costs;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Costs {
        let lanes = B::F::LANES;
        let mut points = Vec::with_capacity(POINTS);
        let mut scalars = Vec::with_capacity(POINTS);
        let (mut point, mut scalar) = (EdwardsPoint::BASEPOINT, -Scalar::ONE);
        for i in 0..POINTS {
            points.push(EdwardsPoint { z: crate::field::FieldElement::ONE, ..point });
            scalars.push(scalar);
            point += EdwardsPoint::BASEPOINT;
            scalar = scalar * scalar + Scalar::from(i as u64);
        }
        let row = self.time(
            #[inline(always)]
            || PointRows::<B::F>::new(isa, &points),
        ) / POINTS as u64;
        let rows = PointRows::new(isa, &points);

        // All in bucket 1 of each lane: additions and nothing else. Each alone in a bucket: starting buckets.
        let mut sums = Rows::of_four((POINTS + 1) * lanes + lanes);
        let same = alloc::vec![2u16; POINTS * lanes];
        let add = self.accumulate(isa, &rows, &same, &mut sums) / POINTS as u64;
        let alone: Vec<u16> = (0..POINTS * lanes).map(|i| 2 * (i % POINTS + 1) as u16).collect();
        let bucket = self.accumulate(isa, &rows, &alone, &mut sums) / POINTS as u64;

        let mut digits = Vec::new();
        Slicing::even(lanes, 256 / lanes, 32 / lanes).digits(isa, &scalars, &mut digits);
        let group = &digits[..POINTS * lanes];
        let mut schedule = Schedule::default();
        let sort = self.time(
            #[inline(always)]
            || sort_vartime::<B>(&mut schedule, group, 129, rows.identity()),
        ) / group.len() as u64;

        const FOLDED: usize = 128;
        let first: [u32; MAX_LANES] = core::array::from_fn(|lane| (lane * (FOLDED + 1)) as u32);
        let reduce = self.time(
            #[inline(always)]
            || buckets::reduce(isa, &sums, &first[..lanes], FOLDED),
        ) / FOLDED as u64;

        const CHAIN: usize = 128;
        let mut vector = Extended::load(
            isa,
            #[inline(always)]
            |i| &points[i],
        );
        let double = self.time(
            #[inline(always)]
            || isa.double_n(&mut vector, CHAIN),
        ) / CHAIN as u64;
        let single_double = self.time(
            #[inline(always)]
            || isa.double_n_single(&points[5], CHAIN),
        ) / CHAIN as u64;

        // Eight rounds of additions against four: what is left after taking them away are the tables.
        Slicing::even(lanes, 256 / lanes, 64 / lanes).digits(isa, &scalars[..FEW], &mut digits);
        let (long, short) = (self.straus(isa, &digits, 8, &points), self.straus(isa, &digits, 4, &points));
        let straus_add = long.saturating_sub(short + 16 * double) / (4 * FEW) as u64;
        let tables = short.saturating_sub(12 * double + (4 * FEW) as u64 * straus_add);
        let straus_entry = tables / (9 * FEW.div_ceil(lanes)) as u64;

        let relative = |cost: u64| (cost * 1000 / add.max(1)).clamp(1, 1_000_000) as u32;
        Costs::from_fields([straus_add, straus_entry, double, single_double, sort, bucket, reduce, row].map(relative))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::each_backend;

    #[test]
    fn measured_costs_are_sane_and_can_be_installed() {
        let start = std::time::Instant::now();
        let clock = || start.elapsed().as_nanos() as u64;
        each_backend(|id| {
            let costs = Costs::measure(id, &clock).unwrap();
            // In a debug build assembly is fast and everything around it slow.
            let sane = (300..3000).contains(&costs.double);
            assert!(sane || cfg!(debug_assertions), "a doubling is about an addition: {id} {costs:?}");
            let odd = Costs { row: 77_000, ..costs };
            odd.install(id);
            assert_eq!(Costs::of(id), odd);
            Costs { row: 0, ..costs }.install(id);
            assert_eq!(Costs::of(id), odd, "nonsense is ignored");
            Costs::uninstall(id);
            assert_eq!(Costs::of(id), Costs::built_in(id));
        });
    }
}

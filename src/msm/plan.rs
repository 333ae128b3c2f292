//! Which algorithm, window and backend: from the number of points, the length of the scalars and the costs of a
//! backend's operations.
//!
//! A cost model instead of thresholds: it counts vector operations for every sensible way to cut the scalars and
//! takes the cheapest. The unit is one mixed addition of a vector; the factors were measured on one core (see
//! `docs/backends.md`) and may be replaced at run time by what `lanes tune` finds on another.

use super::digits::{MAX_WIDTH, Slicing};
use crate::cpu::BackendId;

/// Costs of a backend in units of one vector's mixed addition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    /// Residues in a vector.
    pub(crate) lanes: usize,
    /// Adding a table entry in Straus's method, look-up included.
    pub(crate) straus_add: f32,
    /// Making one table entry for a vector of points.
    pub(crate) straus_entry: f32,
    /// Doubling a vector.
    pub(crate) double: f32,
    /// Doubling one point in the chain that joins the lanes.
    pub(crate) single_double: f32,
    /// Sorting one digit.
    pub(crate) sort: f32,
    /// Starting a bucket: first entry, store.
    pub(crate) bucket: f32,
    /// Folding one bucket of each lane into the running sums.
    pub(crate) reduce: f32,
    /// Making the row of one point.
    pub(crate) row: f32,
}

impl Costs {
    /// The measured costs of this backend.
    pub(crate) const fn of(id: BackendId) -> Costs {
        match id {
            BackendId::Ifma => Costs {
                lanes: 8,
                straus_add: 1.25,
                straus_entry: 1.3,
                double: 0.85,
                single_double: 0.4,
                sort: 0.03,
                bucket: 0.5,
                reduce: 2.4,
                row: 0.15,
            },
            BackendId::Avx2 => Costs {
                lanes: 4,
                straus_add: 1.2,
                straus_entry: 1.3,
                double: 0.8,
                single_double: 0.45,
                sort: 0.02,
                bucket: 0.4,
                reduce: 2.3,
                row: 0.2,
            },
            _ => Costs {
                lanes: 1,
                straus_add: 1.15,
                straus_entry: 1.25,
                double: 0.85,
                single_double: 0.85,
                sort: 0.04,
                bucket: 0.25,
                reduce: 2.4,
                row: 0.6,
            },
        }
    }
}

/// How one MSM is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub(crate) algorithm: Algorithm,
    pub(crate) slicing: Slicing,
}

/// The two ways to use the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Straus,
    Buckets,
}

impl Plan {
    /// The cheapest plan for `n` points and scalars of up to `bits` bits.
    pub(crate) fn new(costs: &Costs, n: usize, bits: usize) -> Plan {
        let lanes = costs.lanes;
        let shortest = (bits + 2).div_ceil(lanes).max(2);
        let mut best = (f32::INFINITY, Algorithm::Straus, shortest, 1);
        let mut offer = |cost, algorithm, slice, digits| {
            if cost < best.0 {
                best = (cost, algorithm, slice, digits);
            }
        };
        for digits in shortest.div_ceil(usize::from(MAX_WIDTH))..=shortest / 2 {
            let width = shortest.div_ceil(digits);
            if (3..=6).contains(&width) {
                offer(straus(costs, n, shortest, digits), Algorithm::Straus, shortest, digits);
            }
            if width >= 5 || digits == shortest / 2 {
                offer(buckets(costs, n, bits, shortest, digits), Algorithm::Buckets, shortest, digits);
            }
        }
        Plan { algorithm: best.1, slicing: Slicing::even(lanes, best.2, best.3) }
    }
}

fn straus(costs: &Costs, n: usize, slice: usize, digits: usize) -> f32 {
    let width = slice.div_ceil(digits);
    let entries = (1usize << (width - 1)) + 1;
    let vectors = n.div_ceil(costs.lanes);
    (entries * vectors) as f32 * costs.straus_entry
        + (n * digits) as f32 * costs.straus_add
        + join(costs, slice)
        + (slice - width) as f32 * costs.double
}

fn buckets(costs: &Costs, n: usize, bits: usize, slice: usize, digits: usize) -> f32 {
    // Slices above the scalars' length stay empty.
    let filled_lanes = bits as f32 / slice as f32;
    let mut cost = n as f32 * (costs.row + digits as f32 * filled_lanes * costs.sort) + join(costs, slice);
    for g in 0..digits {
        let width = slice / digits + usize::from(g < slice % digits);
        let per_lane = (1u32 << (width - 1)) as f32;
        // Bucket lengths scatter, and a vector takes as long as its longest: a third of an addition a bucket.
        let filled = per_lane * (1.0 - exp_minus(n as f32 / per_lane));
        let adds = n as f32 - filled + 0.3 * filled;
        cost += filled_lanes / costs.lanes as f32 * (adds + filled * costs.bucket) + per_lane * costs.reduce;
        cost += width as f32 * costs.double;
    }
    cost
}

fn join(costs: &Costs, slice: usize) -> f32 {
    (slice * (costs.lanes - 1)) as f32 * costs.single_double
}

/// About `e^-x` for `x ≥ 0` (no floating-point library without std): `(1 - x/16)^16` and 0 beyond.
fn exp_minus(x: f32) -> f32 {
    let mut y = (1.0 - x / 16.0).max(0.0);
    for _ in 0..4 {
        y *= y;
    }
    y
}

//! Which algorithm, window and backend: from the number of points, the length of the scalars and the costs of a
//! backend's operations.
//!
//! A cost model instead of thresholds: it counts vector operations for every sensible way to cut the scalars and
//! takes the cheapest. The numbers are in `costs`.

use super::costs::Costs;
use super::digits::{MAX_WIDTH, Slicing};

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
    pub(crate) fn new(costs: &Costs, lanes: usize, n: usize, bits: usize) -> Plan {
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
                offer(straus(costs, lanes, n, shortest, digits), Algorithm::Straus, shortest, digits);
            }
            if width >= 5 || digits == shortest / 2 {
                offer(buckets(costs, lanes, n, bits, shortest, digits), Algorithm::Buckets, shortest, digits);
            }
        }
        Plan { algorithm: best.1, slicing: Slicing::even(lanes, best.2, best.3) }
    }
}

fn straus(costs: &Costs, lanes: usize, n: usize, slice: usize, digits: usize) -> f32 {
    let width = slice.div_ceil(digits);
    let entries = (1usize << (width - 1)) + 1;
    let vectors = n.div_ceil(lanes);
    (entries * vectors) as f32 * costs.straus_entry
        + (n * digits) as f32 * costs.straus_add
        + join(costs, lanes, slice)
        + (slice - width) as f32 * costs.double
}

fn buckets(costs: &Costs, lanes: usize, n: usize, bits: usize, slice: usize, digits: usize) -> f32 {
    // Slices above the scalars' length stay empty.
    let filled_lanes = bits as f32 / slice as f32;
    let mut cost = n as f32 * (costs.row + digits as f32 * filled_lanes * costs.sort) + join(costs, lanes, slice);
    for g in 0..digits {
        let width = slice / digits + usize::from(g < slice % digits);
        let per_lane = (1u32 << (width - 1)) as f32;
        // Bucket lengths scatter, and a vector takes as long as its longest: a third of an addition a bucket.
        let filled = per_lane * (1.0 - exp_minus(n as f32 / per_lane));
        let adds = n as f32 - filled + 0.3 * filled;
        cost += filled_lanes / lanes as f32 * (adds + filled * costs.bucket) + per_lane * costs.reduce;
        cost += width as f32 * costs.double;
    }
    cost
}

fn join(costs: &Costs, lanes: usize, slice: usize) -> f32 {
    (slice * (lanes - 1)) as f32 * costs.single_double
}

/// About `e^-x` for `x ≥ 0` (no floating-point library without std): `(1 - x/16)^16` and 0 beyond.
fn exp_minus(x: f32) -> f32 {
    let mut y = (1.0 - x / 16.0).max(0.0);
    for _ in 0..4 {
        y *= y;
    }
    y
}

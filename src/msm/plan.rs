//! Which algorithm and window: from the number of points, the length of the scalars and the costs of the backend's
//! operations.
//!
//! A cost model instead of thresholds: it counts vector operations for every sensible way to cut the scalars and
//! takes the cheapest. The numbers are in `costs`.

use super::costs::Costs;
use super::digits::{MAX_WIDTH, Slicing};
use super::pippenger::BLOCK;

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
    /// `block` points at a time.
    Buckets {
        block: usize,
    },
}

impl Plan {
    /// The cheapest plan for `n` points and scalars of up to `bits` bits.
    pub(crate) fn new(costs: &Costs, lanes: usize, n: usize, bits: usize) -> Plan {
        let shortest = (bits + 2).div_ceil(lanes).max(2);
        let mut best = (u64::MAX, Algorithm::Straus, shortest, 1);
        let mut offer = |cost, algorithm, slice, digits| {
            if cost < best.0 {
                best = (cost, algorithm, slice, digits);
            }
        };
        for digits in shortest.div_ceil(usize::from(MAX_WIDTH))..=shortest / 2 {
            let width = shortest.div_ceil(digits);
            if n <= STRAUS_MAX && (3..=6).contains(&width) {
                offer(straus(costs, lanes, n, shortest, digits), Algorithm::Straus, shortest, digits);
            }
            if width >= 5 || digits == shortest / 2 {
                offer(
                    buckets(costs, lanes, n, bits, shortest, digits),
                    Algorithm::Buckets { block: BLOCK },
                    shortest,
                    digits,
                );
            }
        }
        let mut slicing = Slicing::even(lanes, best.2, best.3);
        let mut algorithm = best.1;
        if lanes > 1 && n >= WINDOWS_MIN {
            for width in 8..MAX_WIDTH {
                let digits = (bits + 2).div_ceil(usize::from(width)).max(1);
                let cost = windows(costs, lanes, n, usize::from(width), digits);
                if cost < best.0 {
                    best.0 = cost;
                    algorithm = Algorithm::Buckets { block: BLOCK };
                    slicing = Slicing::even(1, digits * usize::from(width), digits);
                }
            }
        }
        Plan { algorithm, slicing }
    }
}

/// Points from which on windows that aren't cut from slices are considered.
const WINDOWS_MIN: usize = 1024;
/// Points beyond which Straus's method is not considered: it lost long before, and its tables grow with N.
const STRAUS_MAX: usize = 4096;

/// Thousandths of a mixed addition, like everything here.
fn straus(costs: &Costs, lanes: usize, n: usize, slice: usize, digits: usize) -> u64 {
    let width = slice.div_ceil(digits);
    let entries = (1usize << (width - 1)) + 1;
    let vectors = n.div_ceil(lanes);
    (entries * vectors) as u64 * u64::from(costs.straus_entry)
        + (n * digits) as u64 * u64::from(costs.straus_add)
        + join(costs, lanes, slice)
        + (slice - width) as u64 * u64::from(costs.double)
}

fn buckets(costs: &Costs, lanes: usize, n: usize, bits: usize, slice: usize, digits: usize) -> u64 {
    let n = n as u64;
    // Slices above the scalars' length stay empty: this many lanes, in thousandths, have digits.
    let busy = (bits * 1000 / slice) as u64;
    let mut cost = n * (u64::from(costs.row) + digits as u64 * busy * u64::from(costs.sort) / 1000);
    // There are two widths at most. (A term for each digit took 3 us with eight lanes, and 40 with one.)
    let wider = slice % digits;
    for (width, times) in [(slice / digits + 1, wider as u64), (slice / digits, (digits - wider) as u64)] {
        if times == 0 {
            continue;
        }
        let per_lane = 1u64 << (width - 1);
        cost += times
            * (accumulate(costs, n, per_lane) * busy / (1000 * lanes as u64)
                + per_lane * u64::from(costs.reduce)
                + width as u64 * u64::from(costs.double));
    }
    cost + join(costs, lanes, slice)
}

/// Buckets in windows of the whole scalar.
fn windows(costs: &Costs, lanes: usize, n: usize, width: usize, digits: usize) -> u64 {
    // The lanes of two points are added up at the end.
    const FINISH: u64 = 30_000;
    let (n, lanes, digits) = (n as u64, lanes as u64, digits as u64);
    let buckets = 1u64 << (width - 1);
    n * (u64::from(costs.row) + digits * u64::from(costs.sort))
        + digits
            * (accumulate(costs, n, buckets) / lanes
                + buckets / lanes * u64::from(costs.reduce)
                + 2 * width as u64 * u64::from(costs.double))
        + FINISH
}

/// Additions of `n` digits into buckets, by a single lane.
fn accumulate(costs: &Costs, n: u64, buckets: u64) -> u64 {
    let blocks = n.div_ceil(BLOCK as u64).max(1);
    let filled = buckets * (1024 - exp_minus(n / blocks, buckets)) / 1024;
    // Bucket lengths scatter, and a vector takes as long as its longest: a third of an addition a bucket, and the
    // bucket's own cost, in every block. The very first addition of each is in its own cost.
    1000 * n + blocks * filled * (300 + u64::from(costs.bucket)) - 1000 * filled
}

fn join(costs: &Costs, lanes: usize, slice: usize) -> u64 {
    (slice * (lanes - 1)) as u64 * u64::from(costs.single_double)
}

/// About `1024·e^(-a/b)`: `(1 - a/16b)^16`, and 0 from `16b` on.
fn exp_minus(a: u64, b: u64) -> u64 {
    let mut y = 1024 - (64 * a / b).min(1024);
    for _ in 0..4 {
        y = y * y / 1024;
    }
    y
}

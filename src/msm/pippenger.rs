//! Pippenger's method over whole inputs: points in blocks, and bucket sets a few at a time.
//!
//! Lanes are either slices of the scalars (a bucket set a lane and digit, joined at the end), or the digits are those of
//! the whole scalar and lanes share out each bucket set: some more doublings, but any width of windows. Between the
//! eight and eleven bits that slices of 32 bits allow, that decides.

use alloc::vec::Vec;
use core::ops::Range;

use super::buckets::{self, Windows};
use super::digits::Slicing;
use super::join;
use super::schedule::{Run, Schedule};
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::Backend;
use crate::group::formulas::{Cached, Extended};
use crate::group::tables::PointRows;

/// Points taken together. Their rows, 8 MiB, come from the third-level cache; with fewer, buckets do, which are loaded and
/// stored in each block. Of 65536 points, blocks of 16384 took 7 % longer with eight lanes or four, 5 % with one; sums of
/// blocks that share no buckets, as long with eight, 20 % longer with four. Memory other than the buckets doesn't grow
/// with N.
pub(crate) const BLOCK: usize = 65536;
/// Digits sorted together, about: as many as keep the sort in the first-level cache. More bucket sets at once make
/// fuller vectors only where buckets are few.
const SORTED: usize = 8192;

/// `Σ scalars·points` by buckets, `block` points at a time: the part that the digit positions `groups` have in it. The
/// slices of `slicing` are as many as lanes, or there is one and all digits have the same width.
#[inline(always)]
pub(crate) fn pippenger_vartime<B: Backend>(
    isa: B,
    slicing: &Slicing,
    groups: Range<usize>,
    block: usize,
    scalars: &[Scalar],
    points: &[EdwardsPoint],
) -> EdwardsPoint {
    let lanes = B::F::LANES;
    let slices = slicing.lanes;
    let sets = Sets::new(slicing);
    // Blocks of equal size, so that the last one isn't a crumb.
    let block = points.len().div_ceil(points.len().div_ceil(block));
    let blocks = points.len().div_ceil(block);
    let together = (SORTED / block).max(1);
    // Bucket sets of many blocks live on from block to block. Those of one block are reduced a few groups at a time,
    // and the next groups find their memory in the cache.
    let span = if blocks > 1 { groups.len() } else { (together / slices).clamp(1, groups.len()) };
    let spans = || groups.clone().step_by(span).map(|first| first..(first + span).min(groups.end)).rev();
    let room = spans().map(|span| sets.buckets(&sets.of(span))).max().unwrap_or(0);
    let mut sums = Rows::room_of_four(room as usize + lanes);
    let mut rows = PointRows::with_capacity(block);
    let mut schedule = Schedule::default();
    let mut digits = Vec::new();
    let mut total = Extended::identity(isa);
    let mut windows = Windows::new(isa, usize::from(slicing.widths[0]));
    for (i, (scalars, points)) in scalars.chunks(block).zip(points.chunks(block)).enumerate() {
        slicing.digits(isa, scalars, &mut digits);
        rows.set(isa, points);
        for span in spans() {
            let origin = sets.start[span.start * slices];
            let mut left = sets.of(span.clone());
            while !left.is_empty() {
                let now = left.start..(left.start + together).min(left.end);
                left.start = now.end;
                let first = sets.start[now.start];
                let runs = now.clone().map(|set| Run {
                    bucket: sets.start[set] - first,
                    row: 0,
                    digits: &digits[set * points.len()..(set + 1) * points.len()],
                });
                let (place, buckets) = (first - origin, sets.buckets(&now));
                // The spare rows are those of the next sets, which either hold nothing yet or get back what they
                // hold; only after the last set are they rows of their own.
                sums.grow((place + buckets) as usize + lanes);
                let places = [place, place + buckets, rows.identity()];
                schedule.sort_vartime(runs, lanes, buckets as usize, places);
                buckets::accumulate_vartime(isa, &rows, &schedule, &mut sums, i == 0);
            }
            if i + 1 == blocks {
                // Horner, from the highest digits down.
                for g in span.rev() {
                    if slices < lanes {
                        windows.push(isa, &sums, sets.start[g] - origin);
                        continue;
                    }
                    let width = usize::from(slicing.widths[g]);
                    let mut first = [0; MAX_LANES];
                    first.iter_mut().zip(&sets.start[sets.of(g..g + 1)]).for_each(|(to, set)| *to = set - origin);
                    let (sum, _) = buckets::reduce(isa, &sums, &first[..lanes], 1 << (width - 1));
                    if g + 1 < groups.end {
                        isa.double_n(&mut total, width);
                    }
                    isa.add_cached(&mut total, &Cached::new(&sum), B::F::mask(isa, 0));
                }
            }
        }
    }
    let below: usize = slicing.widths[..groups.start].iter().map(|width| usize::from(*width)).sum();
    if slices < lanes {
        return isa.double_n_single(&windows.finish(isa), below);
    }
    if below > 0 {
        isa.double_n(&mut total, below);
    }
    join(isa, &total, slicing.slice_bits())
}

/// Bucket sets, one a digit position and slice, in the order of the digits, and an end: set `g·slices + j` is the buckets
/// from `start[g·slices + j]` on. The first of each is for digits 0 and stays empty.
struct Sets {
    start: Vec<u32>,
    slices: usize,
}

impl Sets {
    fn new(slicing: &Slicing) -> Sets {
        let slices = slicing.lanes;
        let mut start = Vec::with_capacity(slicing.len() * slices + 1);
        let mut end = 0;
        for width in &slicing.widths {
            for _ in 0..slices {
                start.push(end);
                end += (1u32 << (width - 1)) + 1;
            }
        }
        start.push(end);
        Sets { start, slices }
    }

    /// The sets of some digit positions.
    fn of(&self, groups: Range<usize>) -> Range<usize> {
        groups.start * self.slices..groups.end * self.slices
    }

    /// Buckets in some sets.
    fn buckets(&self, sets: &Range<usize>) -> u32 {
        self.start[sets.end] - self.start[sets.start]
    }
}

//! Pippenger's buckets over lanes, for many points.
//!
//! Every digit of every scalar says: add this row (a point) to that bucket. The pairs are sorted by bucket, and
//! buckets of like length are summed side by side, one a lane, their sums staying in registers: no bucket is loaded
//! or stored per addition, no two lanes ever meet in one bucket, and the first point of a bucket costs a
//! multiplication instead of seven. Then `Σ b·S_b` by running sums, again a bucket set (or a part of one) a lane.
//!
//! What lost: one bucket array a lane with the running bucket loaded and stored (transposed) around each addition.
//! Its two transposes are 112 of 733 vector operations, and small N gained nothing from leaving out the sort.

use alloc::vec::Vec;

use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::group::backend::Backend;
use crate::group::formulas::{AffineNiels, Cached, Extended};
use crate::group::tables::PointRows;

/// How many steps ahead a row is asked for. Rows come in random order, and an addition is longer than what the CPU
/// looks ahead by itself.
const PREFETCH: usize = 6;
/// Rows below this many bytes stay in the first-level cache by themselves.
const PREFETCH_FROM: usize = 1 << 15;

/// Scratch memory of the sort, reused between passes.
#[derive(Default)]
pub(crate) struct Sorted {
    /// `start[b] .. start[b + 1]` of `entries` belong to bucket `b`.
    start: Vec<u32>,
    /// Row and sign: `row << 1 | negative`.
    entries: Vec<u32>,
    /// Buckets from the longest to the shortest.
    order: Vec<u32>,
    count: Vec<u32>,
}

impl Sorted {
    /// Sorts the digits of `runs`: digit `e` of a run belongs to bucket `(e mod sets)·stride + |digit|` and stands
    /// for row `first + e/sets`, `first` being the run's first row. Digits 0 are left out.
    pub(crate) fn sort_vartime<'a>(
        &mut self,
        runs: impl Iterator<Item = (u32, &'a [i16])> + Clone,
        sets: usize,
        stride: usize,
    ) {
        let buckets = sets * stride;
        self.start.clear();
        self.start.resize(buckets + 1, 0);
        for (_, digits) in runs.clone() {
            for digits in digits.chunks_exact(sets) {
                for (set, digit) in digits.iter().enumerate() {
                    self.start[set * stride + usize::from(digit.unsigned_abs())] += 1;
                }
            }
        }
        for set in 0..sets {
            self.start[set * stride] = 0;
        }
        // Counts to ends; filling from the end leaves the starts.
        let (mut end, mut longest) = (0, 0);
        for start in &mut self.start {
            longest = longest.max(*start);
            end += *start;
            *start = end;
        }
        self.entries.clear();
        self.entries.resize(end as usize, 0);
        let (starts, entries) = (&mut self.start[..], &mut self.entries[..]);
        for (first, digits) in runs {
            for (row, digits) in (first..).zip(digits.chunks_exact(sets)) {
                for (set, digit) in digits.iter().enumerate() {
                    if *digit != 0 {
                        let start = &mut starts[set * stride + usize::from(digit.unsigned_abs())];
                        *start -= 1;
                        entries[*start as usize] = row << 1 | u32::from(*digit < 0);
                    }
                }
            }
        }
        self.order(buckets, longest as usize);
    }

    fn length(&self, bucket: usize) -> usize {
        (self.start[bucket + 1] - self.start[bucket]) as usize
    }

    /// Counting sort of the buckets by length, longest first.
    fn order(&mut self, buckets: usize, longest: usize) {
        self.count.clear();
        self.count.resize(longest + 2, 0);
        for bucket in 0..buckets {
            let place = longest - self.length(bucket) + 1;
            self.count[place] += 1;
        }
        for i in 0..=longest {
            self.count[i + 1] += self.count[i];
        }
        self.order.clear();
        self.order.resize(buckets, 0);
        for bucket in 0..buckets {
            let place = longest - self.length(bucket);
            self.order[self.count[place] as usize] = bucket as u32;
            self.count[place] += 1;
        }
    }

    fn entries(&self, bucket: u32) -> &[u32] {
        &self.entries[self.start[bucket as usize] as usize..self.start[bucket as usize + 1] as usize]
    }
}

/// Adds what was sorted into the rows of `sums`: one a bucket, and a spare vector at the end. `fresh`: the rows hold
/// nothing yet.
#[inline(always)]
pub(crate) fn accumulate_vartime<B: Backend>(
    isa: B,
    rows: &PointRows<B::F>,
    sorted: &Sorted,
    sums: &mut Rows<B::F>,
    fresh: bool,
) {
    let lanes = B::F::LANES;
    let far = rows.len() * B::F::ROW3 * 8 > PREFETCH_FROM;
    let mut sum = Extended::identity(isa);
    let mut q = AffineNiels::identity(isa);
    for (i, buckets) in sorted.order.chunks(lanes).enumerate() {
        sorted.order.iter().skip((i + 1) * lanes).take(lanes).for_each(|next| sums.prefetch(*next));
        let mut lists: [&[u32]; MAX_LANES] = [&[]; MAX_LANES];
        // Lanes beyond the last bucket work on the spare rows.
        let mut target: [u32; MAX_LANES] = core::array::from_fn(|i| (sorted.order.len() + i) as u32);
        for ((list, target), bucket) in lists.iter_mut().zip(&mut target).zip(buckets) {
            *list = sorted.entries(*bucket);
            *target = *bucket;
        }
        if fresh {
            sum = Extended::identity(isa);
        } else if lists[0].is_empty() {
            // From the longest to the shortest: nothing more to add.
            break;
        } else {
            B::F::load4(sums, &target[..lanes], [&mut sum.m, &mut sum.p, &mut sum.z, &mut sum.t]);
        }
        for step in 0..lists[0].len() {
            let mut row = [rows.identity(); MAX_LANES];
            let mut negative = 0;
            for (lane, list) in lists.iter().enumerate().take(lanes) {
                if let Some(entry) = list.get(step) {
                    row[lane] = entry >> 1;
                    negative |= (entry & 1) << lane;
                }
                if far && let Some(entry) = list.get(step + PREFETCH) {
                    rows.prefetch(entry >> 1);
                }
            }
            rows.load(&row[..lanes], &mut q);
            let negative = B::F::mask(isa, negative);
            if fresh && step == 0 {
                sum = Extended::from_niels(&q, negative);
            } else {
                isa.add_mixed(&mut sum, &q, negative);
            }
        }
        B::F::store4(sums, &target[..lanes], [&sum.m, &sum.p, &sum.z, &sum.t]);
    }
}

/// `(Σ b·S_b, Σ S_b)` over `b = 1 ..= count`, where lane `j` reads bucket `b` from row `first[j] + b`.
#[inline(always)]
pub(crate) fn reduce<B: Backend>(
    isa: B,
    sums: &Rows<B::F>,
    first: &[u32],
    count: usize,
) -> (Extended<B::F>, Extended<B::F>) {
    let none = B::F::mask(isa, 0);
    let mut run = Extended::identity(isa);
    let mut sum = run;
    let mut cached = Cached::new(&run);
    for b in (1..=count).rev() {
        let mut row = [0; MAX_LANES];
        row.iter_mut().zip(first).for_each(|(row, first)| *row = first + b as u32);
        B::F::load4(sums, &row[..B::F::LANES], [&mut run.m, &mut run.p, &mut run.z, &mut run.t]);
        isa.add_cached(&mut run, &cached, none);
        cached = Cached::new(&run);
        isa.add_cached(&mut sum, &cached, none);
    }
    (sum, run)
}

//! Pippenger's buckets over lanes, for many points.
//!
//! Every digit of every scalar says: add this row (a point) to that bucket. The pairs are sorted by bucket (see
//! `schedule`), and buckets of like length are summed side by side, one a lane, their sums staying in registers: no
//! bucket is loaded or stored per addition, no two lanes ever meet in one bucket, and the first point of a bucket
//! costs a multiplication instead of seven. Then `Σ b·S_b` by running sums, again a bucket set (or a part of one) a
//! lane.
//!
//! What lost: one bucket array a lane with the running bucket loaded and stored (transposed) around each addition.
//! Its two transposes are 112 of 733 vector operations, and small N gained nothing from leaving out the sort.

use super::schedule::Schedule;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::group::EdwardsPoint;
use crate::group::backend::Backend;
use crate::group::formulas::{AffineNiels, Cached, Extended};
use crate::group::tables::PointRows;

/// How many steps ahead a row is asked for. Rows come in random order, and an addition is longer than what the CPU
/// looks ahead by itself.
const PREFETCH: usize = 4;
/// Rows below this many bytes stay in the first-level cache by themselves.
const PREFETCH_FROM: usize = 1 << 15;

/// Adds what was sorted into the rows of `sums`: one a bucket, and a spare vector somewhere. `fresh`: the rows hold
/// nothing yet.
#[inline(always)]
pub(crate) fn accumulate_vartime<B: Backend>(
    isa: B,
    rows: &PointRows<B::F>,
    schedule: &Schedule,
    sums: &mut Rows<B::F>,
    fresh: bool,
) {
    let lanes = B::F::LANES;
    let far = rows.len() * B::F::ROW3 * 8 > PREFETCH_FROM;
    let mut sum = Extended::identity(isa);
    let mut q = AffineNiels::identity(isa);
    let mut steps = schedule.steps();
    let mut vectors = schedule.vectors(lanes).peekable();
    while let Some((target, length)) = vectors.next() {
        if let Some((next, _)) = vectors.peek() {
            next.iter().for_each(|next| sums.prefetch(*next));
        }
        if fresh {
            sum = Extended::identity(isa);
        } else if length == 0 {
            // From the longest to the shortest: nothing more to add.
            break;
        } else {
            B::F::load4(sums, target, [&mut sum.m, &mut sum.p, &mut sum.z, &mut sum.t]);
        }
        for step in 0..length {
            if far && let Some(ahead) = steps.get(PREFETCH * lanes..(PREFETCH + 1) * lanes) {
                ahead.iter().for_each(|entry| rows.prefetch(entry >> 1));
            }
            let (now, later) = steps.split_at(lanes);
            steps = later;
            let mut row = [0; MAX_LANES];
            let mut negative = 0;
            for (lane, entry) in now.iter().enumerate() {
                row[lane] = entry >> 1;
                negative |= (entry & 1) << lane;
            }
            rows.load(&row[..lanes], &mut q);
            let negative = B::F::mask(isa, negative);
            if fresh && step == 0 {
                sum = Extended::from_niels(&q, negative);
            } else {
                isa.add_mixed(&mut sum, &q, negative);
            }
        }
        B::F::store4(sums, target, [&sum.m, &sum.p, &sum.z, &sum.t]);
    }
}

/// `(Σ b·S_b, Σ S_b)` over `b = 1 ..= count`, `count ≥ 1`, where lane `j` reads bucket `b` from row `first[j] + b`.
pub(crate) fn reduce<B: Backend>(
    isa: B,
    sums: &Rows<B::F>,
    first: &[u32],
    count: usize,
) -> (Extended<B::F>, Extended<B::F>) {
    isa.outline(
        #[inline(always)]
        || reduce_inline(isa, sums, first, count),
    )
}

#[inline(always)]
fn reduce_inline<B: Backend>(
    isa: B,
    sums: &Rows<B::F>,
    first: &[u32],
    count: usize,
) -> (Extended<B::F>, Extended<B::F>) {
    let none = B::F::mask(isa, 0);
    let mut run = Extended::identity(isa);
    load(sums, first, count, &mut run);
    let mut sum = run;
    let mut cached = Cached::new(&run);
    for b in (1..count).rev() {
        load(sums, first, b, &mut run);
        isa.add_cached(&mut run, &cached, none);
        cached = Cached::new(&run);
        isa.add_cached(&mut sum, &cached, none);
    }
    (sum, run)
}

/// Horner's rule over bucket sets that are whole windows of one width: `Σ_w 2^(width·w)·Σ_b b·S_(w,b)`, the highest
/// window first.
///
/// Lane j takes the buckets `j·part + 1 ..= (j + 1)·part` of each set: `Σ_b b·S_b = Σ_j (sum_j + j·part·run_j)`, and the
/// lanes meet at the end.
pub(crate) struct Windows<F> {
    sum: Extended<F>,
    run: Extended<F>,
    width: usize,
}

impl<F: FieldLanes> Windows<F> {
    /// No windows yet; `2^(width - 1)` is at least the number of lanes.
    #[inline(always)]
    pub(crate) fn new(isa: F::Isa, width: usize) -> Self {
        let identity = Extended::identity(isa);
        Windows { sum: identity, run: identity, width }
    }

    fn part(&self) -> usize {
        (1 << (self.width - 1)) / F::LANES
    }

    /// The next window, whose bucket `b` is row `first + b`.
    #[inline(always)]
    pub(crate) fn push<B: Backend<F = F>>(&mut self, isa: B, sums: &Rows<F>, first: u32)
    where
        F: FieldLanes<Isa = B>,
    {
        let part = self.part();
        let first: [u32; MAX_LANES] = core::array::from_fn(|lane| first + (lane * part) as u32);
        let (sum, run) = reduce(isa, sums, &first[..F::LANES], part);
        let none = F::mask(isa, 0);
        isa.double_n(&mut self.sum, self.width);
        isa.add_cached(&mut self.sum, &Cached::new(&sum), none);
        isa.double_n(&mut self.run, self.width);
        isa.add_cached(&mut self.run, &Cached::new(&run), none);
    }

    #[inline(always)]
    pub(crate) fn finish<B: Backend<F = F>>(&self, isa: B) -> EdwardsPoint
    where
        F: FieldLanes<Isa = B>,
    {
        let mut out = [[EdwardsPoint::IDENTITY; MAX_LANES]; 2];
        self.sum.store(&mut out[0][..F::LANES]);
        self.run.store(&mut out[1][..F::LANES]);
        let (mut above, mut weighted) = (EdwardsPoint::IDENTITY, EdwardsPoint::IDENTITY);
        for run in out[1][1..F::LANES].iter().rev() {
            above += run;
            weighted += above;
        }
        let weighted = isa.double_n_single(&weighted, self.part().trailing_zeros() as usize);
        out[0][..F::LANES].iter().sum::<EdwardsPoint>() + weighted
    }
}

/// Bucket `b` of each lane.
#[inline(always)]
fn load<F: FieldLanes>(sums: &Rows<F>, first: &[u32], b: usize, out: &mut Extended<F>) {
    let mut row = [0; MAX_LANES];
    row.iter_mut().zip(first).for_each(|(row, first)| *row = first + b as u32);
    F::load4(sums, &row[..F::LANES], [&mut out.m, &mut out.p, &mut out.z, &mut out.t]);
}

//! Straus's method over lanes, for few points: a table of multiples for each point, one shared chain of doublings.
//!
//! Lanes are slices of the scalars (see `digits`), so a chain is `256/LANES` doublings long; each addition looks up
//! one entry of the point's table in every lane.

use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::group::EdwardsPoint;
use crate::group::backend::Backend;
use crate::group::formulas::{Cached, Extended};

/// `Σ digits·points`, a slice a lane: lane `j` holds the part that weighs `2^(j·s)`.
///
/// `digits` and `widths` as from `Slicing`.
#[inline(always)]
pub(crate) fn straus_vartime<B: Backend>(
    isa: B,
    digits: &[u16],
    widths: &[u8],
    points: &[EdwardsPoint],
) -> Extended<B::F> {
    let (lanes, n) = (B::F::LANES, points.len());
    let widest = widths.iter().copied().max().unwrap_or(2);
    let entries = (1 << (widest - 1)) + 1;
    let table = tables(isa, points, entries);

    let mut sum = Extended::identity(isa);
    let mut q = Cached::identity(isa);
    for (g, width) in widths.iter().enumerate().rev() {
        if g + 1 < widths.len() {
            isa.double_n(&mut sum, usize::from(*width));
        }
        let digits = &digits[g * n * lanes..(g + 1) * n * lanes];
        for i in 0..n {
            let mut row = [0; MAX_LANES];
            let mut negative = 0;
            for lane in 0..lanes {
                let digit = digits[lane * n + i];
                row[lane] = (i * entries) as u32 + u32::from(digit >> 1);
                negative |= u32::from(digit & 1) << lane;
            }
            B::F::load4(&table, &row[..lanes], [&mut q.m, &mut q.p, &mut q.z, &mut q.t]);
            isa.add_cached(&mut sum, &q, B::F::mask(isa, negative));
        }
    }
    sum
}

/// Row `i·entries + e` is `e·points[i]`. A vector of points at a time.
#[inline(always)]
fn tables<B: Backend>(isa: B, points: &[EdwardsPoint], entries: usize) -> Rows<B::F> {
    let lanes = B::F::LANES;
    let none = B::F::mask(isa, 0);
    let mut table = Rows::room_of_four(points.len().next_multiple_of(lanes) * entries);
    for first in (0..points.len()).step_by(lanes) {
        let point = Extended::load(
            isa,
            #[inline(always)]
            |i| points.get(first + i).unwrap_or(&EdwardsPoint::IDENTITY),
        );
        let step = Cached::new(&point);
        let mut multiple = point;
        let mut q = Cached::identity(isa);
        let mut row: [u32; MAX_LANES] = core::array::from_fn(|i| ((first + i) * entries) as u32);
        table.grow((first + lanes) * entries);
        for e in 0..entries {
            if e == 1 {
                q = step;
            } else if e > 1 {
                isa.add_cached(&mut multiple, &step, none);
                q = Cached::new(&multiple);
            }
            B::F::store4(&mut table, &row[..lanes], [&q.m, &q.p, &q.z, &q.t]);
            row.iter_mut().for_each(|row| *row += 1);
        }
    }
    table
}

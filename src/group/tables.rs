//! Rows of affine points for mixed additions, and the fixed-base table made of them.

use alloc::vec::Vec;

use super::edwards::EdwardsPoint;
use super::formulas::AffineNiels;
use crate::cpu::Isa;
use crate::field::lanes::{Arithmetic, FieldLanes, MAX_LANES};
use crate::field::rows::{Rows, prefetch};
use crate::field::{FieldElement, chains};

/// Vectors of points that are asked for before they are read.
const AHEAD: usize = 3;

/// One row a point, as the second operand of mixed additions; after the last point, at least one identity.
pub(crate) struct PointRows<F> {
    rows: Rows<F>,
    count: usize,
}

impl<F: FieldLanes> PointRows<F> {
    /// The rows of these points. Affine, so one shared inversion unless every Z is 1 already (which is public:
    /// points that come from decoding against points that come from arithmetic). 4M a point, 9M with inversion.
    #[inline(always)]
    pub(crate) fn new(isa: F::Isa, points: &[EdwardsPoint]) -> Self {
        let mut table = Self::with_capacity(points.len());
        table.set(isa, points);
        table
    }

    /// Room for this many points.
    #[inline(always)]
    pub(crate) fn with_capacity(points: usize) -> Self {
        assert!(points < 1 << 31, "too many points for one table");
        // One vector more than the points need: the identities that fill up lanes.
        PointRows { rows: Rows::room_of_three((points / F::LANES + 1) * F::LANES), count: 0 }
    }

    /// The rows of these points instead of what was there, as by [`PointRows::new`].
    ///
    #[inline(always)]
    pub(crate) fn set(&mut self, isa: F::Isa, points: &[EdwardsPoint]) {
        let lanes = F::LANES;
        self.count = points.len();
        if !self.fill(isa, points, &[]) {
            let mut inverses = Vec::with_capacity(points.len().div_ceil(lanes));
            for points in points.chunks(lanes) {
                inverses.push(F::load(
                    isa,
                    #[inline(always)]
                    |i| points.get(i).map_or(FieldElement::ONE, |p| p.z),
                ));
            }
            chains::batch_invert(&mut inverses);
            self.fill(isa, points, &inverses);
        }
    }

    /// Writes all rows. Stops and says no where a Z is not 1 and no inverses are given: points are read from
    /// memory once, and looking through them beforehand would cost as much as everything else here.
    fn fill(&mut self, isa: F::Isa, points: &[EdwardsPoint], inverses: &[F]) -> bool {
        isa.outline(
            #[inline(always)]
            || self.fill_inline(isa, points, inverses),
        )
    }

    #[inline(always)]
    fn fill_inline(&mut self, isa: F::Isa, points: &[EdwardsPoint], inverses: &[F]) -> bool {
        let lanes = F::LANES;
        for j in 0..points.len() / lanes + 1 {
            self.rows.grow((j + 1) * lanes);
            points.iter().skip((j + AHEAD) * lanes).take(lanes).for_each(prefetch);
            let points = points.get(j * lanes..).unwrap_or_default();
            let affine = points.iter().take(lanes).all(|p| p.z.0 == FieldElement::ONE.0);
            if inverses.is_empty() && !affine {
                return false;
            }
            let mut x = F::load(
                isa,
                #[inline(always)]
                |i| points.get(i).map_or(FieldElement::ZERO, |p| p.x),
            );
            let mut y = F::load(
                isa,
                #[inline(always)]
                |i| points.get(i).map_or(FieldElement::ONE, |p| p.y),
            );
            if let Some(inverse) = inverses.get(j) {
                (x, y) = (x.times(inverse), y.times(inverse));
            }
            let q = AffineNiels::new(&x, &y);
            let row: [u32; MAX_LANES] = core::array::from_fn(|i| (j * lanes + i) as u32);
            F::store3(&mut self.rows, &row[..lanes], [&q.m, &q.p, &q.t]);
        }
        true
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// A row that holds the identity.
    #[inline(always)]
    pub(crate) fn identity(&self) -> u32 {
        self.count as u32
    }

    /// Row `row[i]` to lane `i`.
    #[inline(always)]
    pub(crate) fn load(&self, row: &[u32], q: &mut AffineNiels<F>) {
        F::load3(&self.rows, row, [&mut q.m, &mut q.p, &mut q.t]);
    }

    /// Row `row` to every lane.
    #[inline(always)]
    pub(crate) fn splat(&self, row: u32, q: &mut AffineNiels<F>) {
        F::splat3(&self.rows, row, [&mut q.m, &mut q.p, &mut q.t]);
    }

    /// Asks for a row.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: u32) {
        self.rows.prefetch(row);
    }
}

/// Positions of a fixed-base table: the digits of a scalar in radix 16, the carry out of the top included.
pub(crate) const BASE_POSITIONS: usize = 65;
/// Multiples a position: 1 ..= 8.
const MULTIPLES: usize = 8;

/// `e·16^j·P` for `e = 1 ..= 8` and every digit position `j`.
pub(crate) struct BaseTable<F> {
    rows: PointRows<F>,
}

impl<F: FieldLanes> BaseTable<F> {
    pub(crate) fn new(isa: F::Isa, point: &EdwardsPoint) -> Self {
        let mut points = Vec::with_capacity(BASE_POSITIONS * MULTIPLES);
        let mut step = *point;
        for _ in 0..BASE_POSITIONS {
            let mut multiple = step;
            for _ in 0..MULTIPLES {
                points.push(multiple);
                multiple += step;
            }
            step = step.mul_by_pow_2(4);
        }
        BaseTable {
            rows: isa.frame(
                #[inline(always)]
                || PointRows::new(isa, &points),
            ),
        }
    }

    /// `|digit|·16^j·P` with the index's digit in each lane: reads all multiples, selects by mask.
    #[inline(always)]
    pub(crate) fn select(&self, isa: F::Isa, position: usize, index: F::Index) -> AffineNiels<F> {
        let mut entry = AffineNiels::identity(isa);
        let mut out = AffineNiels::<F>::blank(isa);
        // The identity: equal coordinates, and a third one that is blank already.
        out.m.merge(F::index_is(index, 0), &entry.m);
        out.p = out.m;
        for e in 0..MULTIPLES {
            self.rows.splat((position * MULTIPLES + e) as u32, &mut entry);
            out.merge(F::index_is(index, e as u16 + 1), &entry);
        }
        out
    }

    /// `digits[i]·16^j·P` up to sign in lane `i`, and bit `i` set where it is negative. In variable time.
    #[inline(always)]
    pub(crate) fn load_vartime(&self, position: usize, digits: &[i8], q: &mut AffineNiels<F>) -> u32 {
        let (mut row, mut negative) = ([self.rows.identity(); MAX_LANES], 0);
        for (lane, digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
            row[lane] = (position * MULTIPLES) as u32 + u32::from(digit.unsigned_abs()) - 1;
            negative |= u32::from(*digit < 0) << lane;
        }
        self.rows.load(&row[..F::LANES], q);
        negative
    }
}

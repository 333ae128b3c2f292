//! Many sums of a few terms each, a sum a lane: what verifiers of signatures need whose equations can't be merged.
//!
//! All sums of a call have the same number of terms, so every lane does the same additions and doublings, each over
//! tables of its own points (Straus 1964). Where there are fewer sums than lanes, a sum takes several: its scalars are
//! cut into slices of bits, a slice a lane, over tables of `2^(slice bits)·P`. Those doublings are made when the tables
//! are, with other points in the other lanes, so that what is left for each sum is short; a caller whose sums depend on
//! each other wins by as much.
//!
//! Scalars are integers and the slices are bits of them: nothing is reduced or split mod l, so points with a small-order
//! part come out right.
//!
//! Reckoned and dropped: wider tables for points that many sums share (all lanes add in step, so only the column where
//! every lane has such a point gains: 14 of 153 additions with 7-bit digits, most of which the tables and the doublings cut
//! into shorter runs take back); affine entries (an entry serves three additions, and would have to save the seven
//! multiplications that make it affine).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;

use super::digits::{Slicing, longest};
use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::rows::Rows;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch, lanes};
use crate::group::formulas::{Cached, Extended};

/// Bits of a scalar below l.
const BITS: usize = 253;

/// Tables of points at numbered places, and sums over them.
pub(crate) struct ShortSums {
    backend: BackendId,
    places: usize,
    slicing: Slicing,
    /// Multiples in a table: 0 to this number less 1.
    entries: usize,
    /// `Rows` of the backend's lanes. Row `(place·slices + slice)·entries + e` is `e·2^(slice·bits)·P`; then comes the
    /// identity, for lanes without a sum, and a row to throw things at.
    rows: Box<dyn Any + Send + Sync>,
}

impl ShortSums {
    /// Room for this many points; calls will ask for `at_once` sums each, more or less.
    pub(crate) fn new(places: usize, at_once: usize) -> ShortSums {
        Self::on(BackendId::current(), places, at_once)
    }

    pub(crate) fn on(backend: BackendId, places: usize, at_once: usize) -> ShortSums {
        let mut slices = 1;
        while 2 * slices * at_once.max(1) <= lanes(backend) {
            slices *= 2;
        }
        // An entry costs an addition, shared by the one or two sums that its table serves; a digit costs one a sum. From
        // four slices on there are too few digits for the wider table to pay.
        let width = if slices < 4 { 5 } else { 4 };
        // Two bits more than a scalar has: see `Slicing::covers`.
        let bits = (BITS + 2).div_ceil(slices);
        let slicing = Slicing::even(slices, bits, bits.div_ceil(width));
        let entries = (1 << (width - 1)) + 1;
        let rows = dispatch(backend, Allocate { rows: places * slices * entries });
        ShortSums { backend, places, slicing, entries, rows }
    }

    /// Puts points to the places from `first` on. 15 additions a point, in lanes; twice that and 128 doublings with two
    /// slices, and so on.
    pub(crate) fn set(&mut self, first: usize, points: &[EdwardsPoint]) {
        assert!(first + points.len() <= self.places, "places of a table of short sums");
        let ShortSums { backend, slicing, entries, places, rows } = self;
        dispatch(*backend, Fill { slicing, entries: *entries, places: *places, rows: &mut **rows, first, points });
    }

    /// `Σ scalar·(point at place)` of each list, in variable time. Every place named has been set, every scalar is below
    /// l. 255 doublings and 51 additions a term, in lanes.
    pub(crate) fn sums_vartime<const K: usize>(&self, sums: &[[(Scalar, usize); K]]) -> Vec<EdwardsPoint> {
        assert!(sums.as_flattened().iter().all(|(_, place)| *place < self.places), "places of a table of short sums");
        let scalars: Vec<Scalar> = sums.as_flattened().iter().map(|(scalar, _)| *scalar).collect();
        assert!(self.slicing.covers(longest(&scalars)), "scalars below the group order");
        let mut out = alloc::vec![EdwardsPoint::IDENTITY; sums.len()];
        dispatch(self.backend, Sums { table: self, scalars: &scalars, sums, out: &mut out });
        out
    }
}

struct Allocate {
    rows: usize,
}

impl Kernel for Allocate {
    type Out = Box<dyn Any + Send + Sync>;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Self::Out {
        let mut rows = Rows::<B::F>::of_four(self.rows + 2);
        let q = Cached::identity(isa);
        B::F::store4(&mut rows, &[self.rows as u32; MAX_LANES][..B::F::LANES], [&q.m, &q.p, &q.z, &q.t]);
        Box::new(rows)
    }
}

struct Fill<'a> {
    slicing: &'a Slicing,
    entries: usize,
    places: usize,
    rows: &'a mut (dyn Any + Send + Sync),
    first: usize,
    points: &'a [EdwardsPoint],
}

impl Kernel for Fill<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let (lanes, slices, entries) = (B::F::LANES, self.slicing.lanes, self.entries);
        let rows: &mut Rows<B::F> = self.rows.downcast_mut().expect("rows are only used by the backend that made them");
        let unwanted = (self.places * slices * entries + 1) as u32;
        let none = B::F::mask(isa, 0);
        for (chunk, points) in self.points.chunks(lanes).enumerate() {
            let mut point = Extended::load(
                isa,
                #[inline(always)]
                |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
            );
            for slice in 0..slices {
                let step = Cached::new(&point);
                let mut multiple = point;
                let mut q = Cached::identity(isa);
                for e in 0..entries {
                    if e > 0 {
                        q = Cached::new(&multiple);
                    }
                    let mut row = [unwanted; MAX_LANES];
                    for (i, row) in row.iter_mut().enumerate().take(points.len()) {
                        *row = (((self.first + chunk * lanes + i) * slices + slice) * entries + e) as u32;
                    }
                    B::F::store4(rows, &row[..lanes], [&q.m, &q.p, &q.z, &q.t]);
                    if 0 < e && e + 1 < entries {
                        isa.add_cached(&mut multiple, &step, none);
                    }
                }
                if slice + 1 < slices {
                    isa.double_n(&mut point, self.slicing.slice_bits());
                }
            }
        }
    }
}

struct Sums<'a, const K: usize> {
    table: &'a ShortSums,
    /// Those of `sums`, in order.
    scalars: &'a [Scalar],
    sums: &'a [[(Scalar, usize); K]],
    out: &'a mut [EdwardsPoint],
}

impl<const K: usize> Kernel for Sums<'_, K> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let ShortSums { places, slicing, entries, rows, .. } = self.table;
        let rows: &Rows<B::F> = rows.downcast_ref().expect("rows are only used by the backend that made them");
        let (lanes, slices) = (B::F::LANES, slicing.lanes);
        let identity = (places * slices * entries) as u32;
        let mut digits = Vec::new();
        slicing.digits(isa, self.scalars, &mut digits);
        let n = self.scalars.len();
        let group = lanes / slices;
        let mut q = Cached::identity(isa);
        for (c, (sums, out)) in self.sums.chunks(group).zip(self.out.chunks_mut(group)).enumerate() {
            let mut sum = Extended::identity(isa);
            for (g, width) in slicing.widths.iter().enumerate().rev() {
                if g + 1 < slicing.len() {
                    isa.double_n(&mut sum, usize::from(*width));
                }
                for k in 0..K {
                    let mut row = [identity; MAX_LANES];
                    let mut negative = 0;
                    for (m, terms) in sums.iter().enumerate() {
                        for slice in 0..slices {
                            let digit = digits[(g * slices + slice) * n + (c * group + m) * K + k];
                            let lane = m * slices + slice;
                            row[lane] = ((terms[k].1 * slices + slice) * entries) as u32 + u32::from(digit >> 1);
                            negative |= u32::from(digit & 1) << lane;
                        }
                    }
                    B::F::load4(rows, &row[..lanes], [&mut q.m, &mut q.p, &mut q.z, &mut q.t]);
                    isa.add_cached(&mut sum, &q, B::F::mask(isa, negative));
                }
            }
            let mut parts = [EdwardsPoint::IDENTITY; MAX_LANES];
            sum.store(&mut parts[..lanes]);
            for (out, parts) in out.iter_mut().zip(parts.chunks(slices)) {
                *out = parts.iter().skip(1).fold(parts[0], |sum, part| sum + part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::monero_map;
    use crate::msm::vartime;
    use crate::test_util::{Random, each_backend};

    /// Against the sums of another algorithm, over points with any small-order part, for every number of sums that fills
    /// lanes and every one that doesn't.
    #[test]
    fn sums_on_every_backend() {
        let mut random = Random::new(3);
        let mut points: Vec<_> = (0..20).map(|_| monero_map(&random.bytes())).collect();
        points.push(EdwardsPoint::IDENTITY);
        let mut scalars: Vec<_> = (0..30).map(|_| Scalar::from_bytes_mod_order(random.bytes())).collect();
        scalars.extend([Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::INV_EIGHT, Scalar::from(u64::MAX)]);
        each_backend(|id| {
            for at_once in [1, 2, 3, 4, 5, 8, 9, 17] {
                let mut table = ShortSums::on(id, points.len(), at_once);
                // Set in two pieces, the first one twice.
                table.set(0, &points[1..8]);
                table.set(0, &points[..8]);
                table.set(8, &points[8..]);
                for count in [0, 1, at_once, at_once + 1] {
                    let sums: Vec<[(Scalar, usize); 3]> = (0..count)
                        .map(|_| [(); 3].map(|()| (scalars[random.below(35)], random.below(points.len()))))
                        .collect();
                    let expected: Vec<_> = sums
                        .iter()
                        .map(|terms| vartime(&terms.map(|t| t.0), &terms.map(|t| points[t.1])).unwrap())
                        .collect();
                    assert_eq!(table.sums_vartime(&sums), expected, "{id}: {count} of {at_once}");
                }
            }
        });
    }

    #[test]
    #[should_panic(expected = "scalars below the group order")]
    fn long_scalars_are_refused() {
        let mut table = ShortSums::on(BackendId::Portable, 1, 1);
        table.set(0, &[EdwardsPoint::BASEPOINT]);
        table.sums_vartime(&[[(Scalar::from_integer_unreduced([0xff; 32]), 0)]]);
    }
}

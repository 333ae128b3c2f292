//! Every scalar times every point, constant-time in the scalars: what deriving shared secrets for many keys with many points is.
//!
//! A cell of the grid is `s·(8·P)`. The factor comes first, so that the rest happens in the subgroup of prime order and
//! scalars may be taken mod l, whatever small-order part `P` has. Two ways to fill the lanes:
//!
//! * *points in lanes*: a table of `1·8P ..= 8·8P` a lane, then for each scalar 252 doublings and 64 additions. All lanes
//!   have the same digit; the table is still read whole and selected by mask.
//! * *scalars in lanes*: a comb of `8P`, affine multiples `e·16^(s·j)·8P` for `e = 1 ..= 8`; then 64 mixed additions and
//!   `4·(s - 1)` doublings a vector of scalars. The combs of a vector of points are built side by side, with one
//!   inversion for all of them.
//!
//! The comb is the table of the first way when `s` is 64; what is cheapest for the given numbers of scalars and points is
//! found by counting. With eight lanes the comb pays from four scalars on.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use zeroize::Zeroize;

use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::backend::{Backend, Kernel, dispatch, lanes};
use crate::group::codec::compress_batch_on;
use crate::group::formulas::{AffineNiels, Cached, Extended};
use crate::group::tables::PointRows;
use crate::group::threads::in_parts;

/// Digits in radix 16 of a scalar below l, from -8 to 7.
const DIGITS: usize = 64;
/// Multiples a position of a table: 1 ..= 8.
const MULTIPLES: usize = 8;

/// `scalars[s]·(8·points[p])` at index `p·scalars.len() + s`. Constant-time in the scalars, which count mod l; the points are public.
///
/// ```
/// use curve25519_lanes::{EdwardsPoint, Scalar, msm};
/// let (b, two) = (EdwardsPoint::BASEPOINT, Scalar::from(2u64));
/// let grid = msm::mul_by_cofactor_grid(&[Scalar::ONE, two], &[b, b + b]);
/// let eight = b.mul_by_cofactor();
/// assert_eq!(grid, [eight, eight.double(), eight.double(), eight.double().double()]);
/// ```
pub fn mul_by_cofactor_grid(scalars: &[Scalar], points: &[EdwardsPoint]) -> Vec<EdwardsPoint> {
    match (scalars, points) {
        // A single product doesn't fill the lanes.
        ([scalar], [point]) => vec![scalar * point.mul_by_cofactor()],
        _ => grid_on(BackendId::for_secrets(), scalars, points),
    }
}

/// The encodings of [`mul_by_cofactor_grid`], for results that are secret too.
pub fn mul_by_cofactor_grid_encoded(scalars: &[Scalar], points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    encode_secret(&mut mul_by_cofactor_grid(scalars, points))
}

/// Encodes points that are secret, and wipes them.
pub(crate) fn encode_secret(points: &mut [EdwardsPoint]) -> Vec<[u8; 32]> {
    let out = compress_batch_on(BackendId::for_secrets(), points);
    wipe(points);
    out
}

/// Overwrites points by the neutral element, in whole words.
fn wipe(points: &mut [EdwardsPoint]) {
    points.zeroize();
}

pub(crate) fn grid_on(id: BackendId, scalars: &[Scalar], points: &[EdwardsPoint]) -> Vec<EdwardsPoint> {
    let spacing = spacing(lanes(id), scalars.len(), points.len());
    grid_as(id, spacing, scalars, points)
}

/// `spacing` as [`spacing`] gives it.
fn grid_as(id: BackendId, spacing: Option<usize>, scalars: &[Scalar], points: &[EdwardsPoint]) -> Vec<EdwardsPoint> {
    let mut out = vec![EdwardsPoint::IDENTITY; scalars.len() * points.len()];
    if out.is_empty() {
        return out;
    }
    let run = |points: &[EdwardsPoint], out: &mut [EdwardsPoint]| match spacing {
        None => dispatch(id, PointsInLanes { scalars, points, out }),
        Some(spacing) => dispatch(id, ScalarsInLanes { scalars, points, out, spacing }),
    };
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let part = points.len().div_ceil(rayon::current_num_threads()).max(8).next_multiple_of(8);
        if part < points.len() {
            let parts = points.par_chunks(part).zip(out.par_chunks_mut(part * scalars.len()));
            parts.for_each(|(points, out)| run(points, out));
            return out;
        }
    }
    run(points, &mut out);
    out
}

/// The distance of a comb's positions in digits, or none where points go to lanes.
///
/// Costs are in tenths of a doubling: 16 for a cached addition with its look-up, 13 for a mixed one, 12 for an addition
/// without look-up, 6 to make an affine row.
fn spacing(lanes: usize, scalars: usize, points: usize) -> Option<usize> {
    let vectors = points.div_ceil(lanes);
    let direct = vectors * (8 * 12 + scalars * (252 * 10 + DIGITS * 16));
    let comb = |spacing: usize| {
        let positions = DIGITS / spacing;
        let build = (252 - 3 * positions) * 10 + positions * (7 * 12 + 8 * lanes.min(points) * 6 / lanes * 2);
        vectors * build + points * scalars.div_ceil(lanes) * (DIGITS * 13 + 4 * (spacing - 1) * 10)
    };
    let (cost, spacing) = [2, 4, 8].map(|spacing| (comb(spacing), spacing)).into_iter().min()?;
    (cost < direct).then_some(spacing)
}

/// Digits of scalars mod l, wiped when done.
struct Digits(Vec<[i16; MAX_LANES]>);

impl Digits {
    /// A vector's worth of scalars, one a lane; missing ones are 0.
    fn in_lanes(scalars: &[Scalar]) -> Digits {
        let mut out = vec![[0; MAX_LANES]; DIGITS];
        for (lane, scalar) in scalars.iter().enumerate() {
            let mut reduced = scalar.reduce();
            let mut digits = reduced.radix_16();
            out.iter_mut().zip(&digits).for_each(|(out, digit)| out[lane] = i16::from(*digit));
            digits.zeroize();
            reduced.zeroize();
        }
        Digits(out)
    }

    /// One scalar in all lanes.
    fn in_every_lane(scalar: &Scalar) -> Digits {
        let mut digits = Digits::in_lanes(core::slice::from_ref(scalar));
        digits.0.iter_mut().for_each(|digit| *digit = [digit[0]; MAX_LANES]);
        digits
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|digit| digit.zeroize());
    }
}

/// Up to a vector of points times eight, identities in the other lanes.
#[inline(always)]
fn load_times_8<B: Backend>(isa: B, points: &[EdwardsPoint]) -> Extended<B::F> {
    let mut p = Extended::load(
        isa,
        #[inline(always)]
        |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
    );
    isa.double_n(&mut p, 3);
    p
}

struct PointsInLanes<'a> {
    scalars: &'a [Scalar],
    points: &'a [EdwardsPoint],
    out: &'a mut [EdwardsPoint],
}

impl Kernel for PointsInLanes<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let width = self.scalars.len();
        let scalars: Vec<Digits> = self.scalars.iter().map(Digits::in_every_lane).collect();
        let none = B::F::mask(isa, 0);
        for (points, out) in self.points.chunks(lanes).zip(self.out.chunks_mut(lanes * width)) {
            let mut multiple = load_times_8(isa, points);
            let step = Cached::new(&multiple);
            let mut table = [step; MULTIPLES];
            for entry in &mut table[1..] {
                isa.add_cached(&mut multiple, &step, none);
                *entry = Cached::new(&multiple);
            }
            let identity = Cached::identity(isa);
            for (s, digits) in scalars.iter().enumerate() {
                let mut sum = Extended::identity(isa);
                for (w, digit) in digits.0.iter().enumerate().rev() {
                    if w + 1 < DIGITS {
                        isa.double_n(&mut sum, 4);
                    }
                    let (index, negative) = B::F::index(isa, &digit[..lanes]);
                    let mut q = Cached::blank(isa);
                    q.merge(B::F::index_is(index, 0), &identity);
                    for (e, entry) in table.iter().enumerate() {
                        q.merge(B::F::index_is(index, e as u16 + 1), entry);
                    }
                    isa.add_cached(&mut sum, &q, negative);
                }
                let mut found = [EdwardsPoint::IDENTITY; MAX_LANES];
                sum.store(&mut found[..lanes]);
                for (p, point) in found[..points.len()].iter().enumerate() {
                    out[p * width + s] = *point;
                }
            }
        }
    }
}

struct ScalarsInLanes<'a> {
    scalars: &'a [Scalar],
    points: &'a [EdwardsPoint],
    out: &'a mut [EdwardsPoint],
    spacing: usize,
}

impl Kernel for ScalarsInLanes<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let width = self.scalars.len();
        let positions = DIGITS / self.spacing;
        let scalars: Vec<Digits> = self.scalars.chunks(lanes).map(Digits::in_lanes).collect();
        let mut multiples = Vec::new();
        for (points, out) in self.points.chunks(lanes).zip(self.out.chunks_mut(lanes * width)) {
            comb_multiples(isa, points, self.spacing, &mut multiples);
            let rows = PointRows::<B::F>::new(isa, &multiples);
            for (p, out) in out.chunks_mut(width).enumerate() {
                let first = p * positions * MULTIPLES;
                for (digits, out) in scalars.iter().zip(out.chunks_mut(lanes)) {
                    comb_product(isa, &rows, first, self.spacing, &digits.0).store(out);
                }
            }
        }
    }
}

/// `e·16^(spacing·j)·8P` for each point, position `j`, and `e = 1 ..= 8`, in this order.
#[inline(always)]
fn comb_multiples<B: Backend>(isa: B, points: &[EdwardsPoint], spacing: usize, out: &mut Vec<EdwardsPoint>) {
    let positions = DIGITS / spacing;
    let stride = positions * MULTIPLES;
    out.clear();
    out.resize(points.len() * stride, EdwardsPoint::IDENTITY);
    let none = B::F::mask(isa, 0);
    let mut multiple = load_times_8(isa, points);
    let mut lane = [EdwardsPoint::IDENTITY; MAX_LANES];
    for j in 0..positions {
        let step = Cached::new(&multiple);
        for e in 0..MULTIPLES {
            if e > 0 {
                isa.add_cached(&mut multiple, &step, none);
            }
            multiple.store(&mut lane[..B::F::LANES]);
            for (out, point) in out.chunks_exact_mut(stride).zip(&lane) {
                out[j * MULTIPLES + e] = *point;
            }
        }
        if j + 1 < positions {
            // From 8·16^(spacing·j) to 16^(spacing·(j + 1)).
            isa.double_n(&mut multiple, 4 * spacing - 3);
        }
    }
}

/// One point, whose comb starts at row `first`, times a vector of scalars.
#[inline(always)]
fn comb_product<B: Backend>(
    isa: B,
    rows: &PointRows<B::F>,
    first: usize,
    spacing: usize,
    digits: &[[i16; MAX_LANES]],
) -> Extended<B::F> {
    let lanes = B::F::LANES;
    let identity = AffineNiels::identity(isa);
    let mut entry = identity;
    let mut sum = Extended::identity(isa);
    for k in (0..spacing).rev() {
        if k + 1 < spacing {
            isa.double_n(&mut sum, 4);
        }
        for j in 0..DIGITS / spacing {
            let (index, negative) = B::F::index(isa, &digits[j * spacing + k][..lanes]);
            let mut q = AffineNiels::blank(isa);
            q.merge(B::F::index_is(index, 0), &identity);
            for e in 0..MULTIPLES {
                rows.splat((first + j * MULTIPLES + e) as u32, &mut entry);
                q.merge(B::F::index_is(index, e as u16 + 1), &entry);
            }
            isa.add_mixed(&mut sum, &q, negative);
        }
    }
    sum
}

/// Tables of one point for products with many scalars that come one after the other.
///
/// The table belongs to the backend that was current for secrets when it was built.
///
/// ```
/// use curve25519_lanes::{EdwardsPoint, Scalar, msm::CofactorTable};
/// let table = CofactorTable::comb(&EdwardsPoint::BASEPOINT);
/// assert_eq!(table.mul_batch(&[Scalar::ONE]), [EdwardsPoint::BASEPOINT.mul_by_cofactor()]);
/// ```
pub struct CofactorTable {
    backend: BackendId,
    spacing: usize,
    /// `PointRows` of the backend's lanes.
    rows: Box<dyn Any + Send + Sync>,
}

impl CofactorTable {
    /// Eight multiples, about 1 KiB: saves the table of a single product, not its doublings.
    pub fn small(point: &EdwardsPoint) -> CofactorTable {
        CofactorTable::on(BackendId::for_secrets(), DIGITS, point)
    }

    /// Multiples at 16 positions, about 16 KiB: 12 doublings are left of 252. The price of four products.
    pub fn comb(point: &EdwardsPoint) -> CofactorTable {
        CofactorTable::on(BackendId::for_secrets(), 4, point)
    }

    pub(crate) fn on(backend: BackendId, spacing: usize, point: &EdwardsPoint) -> CofactorTable {
        CofactorTable { backend, spacing, rows: dispatch(backend, Build { point, spacing }) }
    }

    /// `scalars[s]·(8·P)` for each `s`. Constant-time; scalars count mod l.
    pub fn mul_batch(&self, scalars: &[Scalar]) -> Vec<EdwardsPoint> {
        let mut out = vec![EdwardsPoint::IDENTITY; scalars.len()];
        in_parts(&mut out, 64, |start, out| {
            let scalars = &scalars[start..start + out.len()];
            dispatch(self.backend, ByTable { rows: &*self.rows, spacing: self.spacing, scalars, out });
        });
        out
    }

    /// The encodings of [`mul_batch`](CofactorTable::mul_batch), for results that are secret too.
    pub fn mul_batch_encoded(&self, scalars: &[Scalar]) -> Vec<[u8; 32]> {
        encode_secret(&mut self.mul_batch(scalars))
    }
}

impl fmt::Debug for CofactorTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CofactorTable({}, every {} digits)", self.backend, self.spacing)
    }
}

struct Build<'a> {
    point: &'a EdwardsPoint,
    spacing: usize,
}

impl Kernel for Build<'_> {
    type Out = Box<dyn Any + Send + Sync>;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> Self::Out {
        let mut multiples = Vec::new();
        comb_multiples(isa, core::slice::from_ref(self.point), self.spacing, &mut multiples);
        Box::new(PointRows::<B::F>::new(isa, &multiples))
    }
}

struct ByTable<'a> {
    rows: &'a (dyn Any + Send + Sync),
    spacing: usize,
    scalars: &'a [Scalar],
    out: &'a mut [EdwardsPoint],
}

impl Kernel for ByTable<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let rows: &PointRows<B::F> = self.rows.downcast_ref().expect("a table of this backend");
        let lanes = B::F::LANES;
        for (scalars, out) in self.scalars.chunks(lanes).zip(self.out.chunks_mut(lanes)) {
            let digits = Digits::in_lanes(scalars);
            comb_product(isa, rows, 0, self.spacing, &digits.0).store(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{monero_map, try_decompress_batch_strict};
    use crate::test_util::{Random, each_backend};

    fn encodings(points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
        points.iter().map(|p| p.compress().0).collect()
    }

    #[test]
    fn every_filling_against_single_products() {
        let mut random = Random::new(31);
        let mut torsion = [0xff; 32];
        (torsion[0], torsion[31]) = (0xec, 0x7f);
        let order_two = try_decompress_batch_strict(&[torsion])[0].unwrap();
        // Points of the map may have any small-order part.
        let mut points: Vec<_> = (0..15).map(|_| monero_map(&random.bytes())).collect();
        points.extend([EdwardsPoint::IDENTITY, order_two]);
        let mut scalars = vec![Scalar::ZERO, Scalar::ONE, -Scalar::ONE];
        scalars.extend((0..12).map(|_| Scalar::from_bytes_mod_order(random.bytes())));
        scalars.push(Scalar::from_integer_unreduced([0xff; 32]));
        scalars.push(Scalar::from_integer_unreduced([0x88; 32]));
        let expected: Vec<Vec<_>> = (points.iter())
            .map(|p| encodings(&scalars.iter().map(|s| s.reduce() * p.mul_by_cofactor()).collect::<Vec<_>>()))
            .collect();
        each_backend(|id| {
            for spacing in [None, Some(2), Some(4), Some(8)] {
                for (s, p) in [(1, 1), (1, 17), (17, 1), (2, 9), (8, 8), (9, 7), (17, 17), (3, 16), (16, 3)] {
                    let found = encodings(&grid_as(id, spacing, &scalars[..s], &points[..p]));
                    let expected: Vec<_> = expected[..p].iter().flat_map(|row| row[..s].to_vec()).collect();
                    assert_eq!(found, expected, "{id} {spacing:?} {s} scalars, {p} points");
                }
            }
            for (p, point) in points.iter().enumerate() {
                for spacing in [2, 4, DIGITS] {
                    let table = CofactorTable::on(id, spacing, point);
                    assert_eq!(encodings(&table.mul_batch(&scalars)), expected[p], "{id} {spacing} {p}");
                    assert_eq!(encodings(&table.mul_batch(&scalars[3..4])), expected[p][3..4], "{id} {spacing} {p}");
                }
            }
            assert!(grid_on(id, &scalars, &[]).is_empty() && grid_on(id, &[], &points).is_empty());
            let all: Vec<_> = expected.concat();
            assert_eq!(compress_batch_on(id, &grid_on(id, &scalars, &points)), all, "{id}");
        });
        assert_eq!(mul_by_cofactor_grid_encoded(&scalars, &points), expected.concat());
    }

    #[test]
    fn plans() {
        assert_eq!(spacing(8, 1, 1000), None);
        assert!(spacing(8, 64, 8).is_some_and(|spacing| spacing <= 4));
        assert!(spacing(8, 8, 1).is_some());
        assert!(spacing(1, 8, 1).is_some());
    }
}

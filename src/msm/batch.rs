//! Many scalar multiplications side by side, a lane each, constant-time: digits in radix 16, tables read whole and
//! selected by mask.

use alloc::vec::Vec;
use core::any::Any;
use core::ops::{Mul, MulAssign};

use zeroize::{Zeroize, Zeroizing};

use super::LengthError;
use crate::cpu::BackendId;
use crate::field::lanes::{FieldLanes, MAX_LANES};
use crate::field::scalar::Scalar;
use crate::group::backend::{Backend, Kernel, dispatch};
use crate::group::formulas::{Cached, Extended};
use crate::group::tables::{BASE_POSITIONS, BaseTable};
use crate::group::threads::{in_parts, sum_of_parts};
use crate::group::{EdwardsPoint, RistrettoPoint};

/// Table entries: multiples 0 ..= 8.
const ENTRIES: usize = 9;
/// Digits in radix 16 of a 256-bit integer.
const DIGITS: usize = BASE_POSITIONS;

/// `scalars[i]·points[i]` for each `i`. Constant-time in both.
///
/// # Errors
/// [`LengthError`] if the slices differ in length.
///
/// ```
/// use curve25519_lanes::{msm, EdwardsPoint, Scalar};
/// let b = EdwardsPoint::BASEPOINT;
/// let products = msm::mul_batch(&[Scalar::from(2u64); 3], &[b; 3]).unwrap();
/// assert_eq!(products, [b.double(); 3]);
/// ```
pub fn mul_batch(scalars: &[Scalar], points: &[EdwardsPoint]) -> Result<Vec<EdwardsPoint>, LengthError> {
    super::check(scalars, points)?;
    Ok(mul_batch_on(BackendId::for_secrets(), scalars, points))
}

/// `scalars[i]·B` for each `i`, `B` the base point. Constant-time.
pub fn mul_base_batch(scalars: &[Scalar]) -> Vec<EdwardsPoint> {
    mul_base_batch_on(BackendId::for_secrets(), scalars)
}

pub(crate) fn mul_batch_on(id: BackendId, scalars: &[Scalar], points: &[EdwardsPoint]) -> Vec<EdwardsPoint> {
    let mut out = alloc::vec![EdwardsPoint::IDENTITY; points.len()];
    in_parts(&mut out, 16, |start, out| {
        let end = start + out.len();
        dispatch(id, Products { scalars: &scalars[start..end], points: &points[start..end], out });
    });
    out
}

pub(crate) fn mul_base_batch_on(id: BackendId, scalars: &[Scalar]) -> Vec<EdwardsPoint> {
    let mut out = alloc::vec![EdwardsPoint::IDENTITY; scalars.len()];
    in_parts(&mut out, 64, |start, out| {
        let scalars = &scalars[start..start + out.len()];
        dispatch(id, BaseProducts { scalars, table: None, out });
    });
    out
}

pub(crate) fn constant_time_on(id: BackendId, scalars: &[Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    sum_of_parts(points.len(), 128, |part| {
        let [sum] = dispatch(id, ConstantTime { sums: [(&scalars[part.clone()], &points[part])] });
        sum
    })
}

#[cfg(any(test, feature = "rand_core"))]
pub(crate) fn constant_time_pair_on(id: BackendId, sums: [(&[Scalar], &[EdwardsPoint]); 2]) -> [EdwardsPoint; 2] {
    /// Beyond this the shared doublings don't matter, and each sum may be cut over threads.
    const SHORT: usize = 128;
    if crate::group::backend::lanes(id) == 1 || sums.iter().any(|(scalars, _)| scalars.len() > SHORT) {
        return sums.map(|(scalars, points)| constant_time_on(id, scalars, points));
    }
    dispatch(id, ConstantTime { sums })
}

/// The digits of a vector's worth of scalars, wiped when done. Written where they stay: a value that moves leaves copies.
struct LaneDigits([[i16; MAX_LANES]; DIGITS]);

impl LaneDigits {
    const ZERO: LaneDigits = LaneDigits([[0; MAX_LANES]; DIGITS]);

    /// The digits of these scalars; missing ones are 0.
    #[inline(always)]
    fn set(&mut self, scalars: &[Scalar], lanes: usize) {
        for lane in 0..lanes {
            let mut digits = scalars.get(lane).unwrap_or(&Scalar::ZERO).radix_16();
            self.0.iter_mut().zip(&digits).for_each(|(out, digit)| out[lane] = i16::from(*digit));
            digits.zeroize();
        }
    }
}

impl Drop for LaneDigits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// `0·P ..= 8·P` in each lane. Of points that may be secret, so whoever makes one wipes it.
struct Table<F>([Cached<F>; ENTRIES]);

impl<F: FieldLanes> Table<F> {
    #[inline(always)]
    fn blank<B: Backend<F = F>>(isa: B) -> Self
    where
        F: FieldLanes<Isa = B>,
    {
        Table([Cached::blank(isa); ENTRIES])
    }

    /// Wipes what was there. A method and not `drop`, which would be compiled outside the frame.
    #[inline(always)]
    fn wipe<B: Backend<F = F>>(&mut self, isa: B)
    where
        F: FieldLanes<Isa = B>,
    {
        self.0 = [Cached::blank(isa); ENTRIES];
        // Whoever it is that reads it now keeps the compiler from leaving out the stores.
        core::hint::black_box(&mut self.0);
    }

    /// The tables of these points; missing ones are the identity.
    #[inline(always)]
    fn set<B: Backend<F = F>>(&mut self, isa: B, points: &[EdwardsPoint])
    where
        F: FieldLanes<Isa = B>,
    {
        let none = F::mask(isa, 0);
        let mut multiple = Extended::load(
            isa,
            #[inline(always)]
            |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
        );
        let step = Cached::new(&multiple);
        self.0[0] = Cached::identity(isa);
        self.0[1] = step;
        for entry in &mut self.0[2..] {
            isa.add_cached(&mut multiple, &step, none);
            *entry = Cached::new(&multiple);
        }
    }

    /// `sum += digit·P`
    #[inline(always)]
    fn add<B: Backend<F = F>>(&self, isa: B, sum: &mut Extended<F>, digits: &[i16; MAX_LANES])
    where
        F: FieldLanes<Isa = B>,
    {
        let (index, negative) = F::index(isa, &digits[..F::LANES]);
        let mut q = Cached::blank(isa);
        for (e, entry) in self.0.iter().enumerate() {
            q.merge(F::index_is(index, e as u16), entry);
        }
        isa.add_cached(sum, &q, negative);
    }
}

struct Products<'a> {
    scalars: &'a [Scalar],
    points: &'a [EdwardsPoint],
    out: &'a mut [EdwardsPoint],
}

impl Kernel for Products<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let groups = self.scalars.chunks(lanes).zip(self.points.chunks(lanes)).zip(self.out.chunks_mut(lanes));
        let (mut digits, mut table) = (LaneDigits::ZERO, Table::blank(isa));
        for ((scalars, points), out) in groups {
            if let ([scalar], [point]) = (scalars, points) {
                let mut digits = scalar.radix_16();
                let product = isa.mul_single(point, &digits);
                digits.zeroize();
                if let Some(product) = product {
                    out[0] = product;
                    continue;
                }
            }
            digits.set(scalars, lanes);
            table.set(isa, points);
            let mut sum = Extended::identity(isa);
            for (w, digits) in digits.0.iter().enumerate().rev() {
                if w + 1 < DIGITS {
                    isa.double_n(&mut sum, 4);
                }
                table.add(isa, &mut sum, digits);
            }
            sum.store(out);
        }
        table.wipe(isa);
    }
}

/// Multiples of one point: those in `table`, a `BaseTable` of the backend's lanes, or the base point's.
pub(crate) struct BaseProducts<'a> {
    pub(crate) scalars: &'a [Scalar],
    pub(crate) table: Option<&'a (dyn Any + Send + Sync)>,
    pub(crate) out: &'a mut [EdwardsPoint],
}

impl Kernel for BaseProducts<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let table: &BaseTable<B::F> = match self.table {
            None => isa.base_table(),
            Some(table) => table.downcast_ref().expect("a table is only used by the backend that built it"),
        };
        let mut digits = LaneDigits::ZERO;
        for (scalars, out) in self.scalars.chunks(lanes).zip(self.out.chunks_mut(lanes)) {
            digits.set(scalars, lanes);
            let (index, negative) = B::F::index(isa, &digits.0[0][..lanes]);
            let mut sum = Extended::from_niels(&table.select(isa, 0, index), negative);
            for (position, digits) in digits.0.iter().enumerate().skip(1) {
                let (index, negative) = B::F::index(isa, &digits[..lanes]);
                isa.add_mixed(&mut sum, &table.select(isa, position, index), negative);
            }
            sum.store(out);
        }
    }
}

/// Straus with a lane a point: the doublings are shared by all vectors of points, the lanes are added at the end. `S` sums
/// have an equal part of the lanes each.
struct ConstantTime<'a, const S: usize> {
    sums: [(&'a [Scalar], &'a [EdwardsPoint]); S],
}

impl<const S: usize> Kernel for ConstantTime<'_, S> {
    type Out = [EdwardsPoint; S];
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> [EdwardsPoint; S] {
        let (lanes, part) = (B::F::LANES, B::F::LANES / S);
        let longest = self.sums.iter().map(|(scalars, _)| scalars.len()).max().unwrap_or(0);
        let mut vectors = Vec::with_capacity(longest.div_ceil(part));
        for start in (0..longest).step_by(part) {
            let mut scalars = Zeroizing::new([Scalar::ZERO; MAX_LANES]);
            let mut points = [EdwardsPoint::IDENTITY; MAX_LANES];
            for (s, (from, at)) in self.sums.iter().enumerate() {
                let range = start.min(from.len())..from.len().min(start + part);
                scalars[s * part..][..range.len()].copy_from_slice(&from[range.clone()]);
                points[s * part..][..range.len()].copy_from_slice(&at[range]);
            }
            vectors.push((LaneDigits::ZERO, Table::blank(isa)));
            if let Some((digits, table)) = vectors.last_mut() {
                digits.set(&*scalars, lanes);
                table.set(isa, &points[..lanes]);
            }
        }
        let mut sum = Extended::identity(isa);
        for w in (0..DIGITS).rev() {
            if w + 1 < DIGITS {
                isa.double_n(&mut sum, 4);
            }
            for (digits, table) in &vectors {
                table.add(isa, &mut sum, &digits.0[w]);
            }
        }
        vectors.iter_mut().for_each(
            #[inline(always)]
            |(_, table)| table.wipe(isa),
        );
        let mut out = [EdwardsPoint::IDENTITY; MAX_LANES];
        sum.store(&mut out[..lanes]);
        core::array::from_fn(|s| out[s * part..(s + 1) * part].iter().sum())
    }
}

impl EdwardsPoint {
    /// `k·B`, `B` the base point. Constant-time.
    pub fn mul_base(k: &Scalar) -> EdwardsPoint {
        mul_base_batch_on(BackendId::for_single(), core::slice::from_ref(k))[0]
    }

    /// Whether `l·self` is the neutral element, that is, whether `self` lies in the subgroup of prime order.
    pub fn is_torsion_free(&self) -> subtle::Choice {
        (Scalar::ORDER * self).is_identity()
    }
}

impl RistrettoPoint {
    /// `k·B`, `B` the generator. Constant-time.
    pub fn mul_base(k: &Scalar) -> RistrettoPoint {
        RistrettoPoint(EdwardsPoint::mul_base(k))
    }
}

impl Mul<&EdwardsPoint> for &Scalar {
    type Output = EdwardsPoint;
    /// Constant-time; the scalar is used as the 256-bit integer it is.
    fn mul(self, point: &EdwardsPoint) -> EdwardsPoint {
        mul_batch_on(BackendId::for_single_product(), core::slice::from_ref(self), core::slice::from_ref(point))[0]
    }
}

impl Mul<&RistrettoPoint> for &Scalar {
    type Output = RistrettoPoint;
    /// Constant-time.
    fn mul(self, point: &RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(self * point.0)
    }
}

/// The other operand orders and by-value forms.
macro_rules! forward_products {
    ($point:ty) => {
        impl Mul<$point> for Scalar {
            type Output = $point;
            fn mul(self, point: $point) -> $point {
                &self * &point
            }
        }
        impl Mul<&$point> for Scalar {
            type Output = $point;
            fn mul(self, point: &$point) -> $point {
                &self * point
            }
        }
        impl Mul<$point> for &Scalar {
            type Output = $point;
            fn mul(self, point: $point) -> $point {
                self * &point
            }
        }
        impl Mul<Scalar> for $point {
            type Output = $point;
            fn mul(self, k: Scalar) -> $point {
                &k * &self
            }
        }
        impl Mul<&Scalar> for $point {
            type Output = $point;
            fn mul(self, k: &Scalar) -> $point {
                k * &self
            }
        }
        impl Mul<&Scalar> for &$point {
            type Output = $point;
            fn mul(self, k: &Scalar) -> $point {
                k * self
            }
        }
        impl MulAssign<&Scalar> for $point {
            fn mul_assign(&mut self, k: &Scalar) {
                *self = k * &*self;
            }
        }
    };
}
forward_products!(EdwardsPoint);
forward_products!(RistrettoPoint);

//! The Ristretto group of prime order l: Edwards points up to the small-order points. RFC 9496.

use alloc::vec::Vec;
use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::DefaultIsZeroes;

use super::backend::{Backend, Kernel, dispatch};
use super::codec::{DecodeError, all};
use super::edwards::{EdwardsPoint, forward_point_operators};
use super::pairs::{Pairs, in_pairs};
use super::threads::in_parts;
use crate::cpu::BackendId;
use crate::field::lanes::{Arithmetic, FieldLanes, MAX_LANES};
use crate::field::{FieldElement, chains, constants};

/// An element of the Ristretto group, held as one of the Edwards points that stand for it.
///
/// Equality is that of group elements; every element has exactly one encoding. All operations are constant-time
/// unless their name ends in `_vartime`.
///
/// ```
/// use curve25519_lanes::RistrettoPoint;
/// let b = RistrettoPoint::BASEPOINT;
/// assert_eq!(b.compress().decompress(), Some(b));
/// ```
#[derive(Clone, Copy)]
pub struct RistrettoPoint(pub(crate) EdwardsPoint);

/// 32 bytes that may or may not be the encoding of a Ristretto element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CompressedRistretto(pub [u8; 32]);

impl RistrettoPoint {
    /// The neutral element.
    pub const IDENTITY: RistrettoPoint = RistrettoPoint(EdwardsPoint::IDENTITY);
    /// The generator of RFC 9496, which the ed25519 base point stands for.
    pub const BASEPOINT: RistrettoPoint = RistrettoPoint(EdwardsPoint::BASEPOINT);

    /// The one encoding of this element. RFC 9496, section 4.3.2; one inverse square root.
    pub fn compress(&self) -> CompressedRistretto {
        let mut out = [[0; 32]];
        dispatch(BackendId::for_single(), Encode { points: core::slice::from_ref(self), out: &mut out });
        CompressedRistretto(out[0])
    }

    /// `2·self`
    pub fn double(&self) -> RistrettoPoint {
        RistrettoPoint(self.0.double())
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> Choice {
        self.ct_eq(&RistrettoPoint::IDENTITY)
    }

    /// The element that an Edwards point stands for. Only points of `2·E` do, which is not checked.
    #[doc(hidden)]
    pub const fn from_edwards_unchecked(point: EdwardsPoint) -> RistrettoPoint {
        RistrettoPoint(point)
    }

    /// One of the points that stand for this element.
    #[doc(hidden)]
    pub const fn as_edwards(&self) -> &EdwardsPoint {
        &self.0
    }
}

impl CompressedRistretto {
    /// The 32 bytes.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The element, if the bytes are its encoding. RFC 9496, section 4.3.1.
    pub fn decompress(&self) -> Option<RistrettoPoint> {
        let mut out = [None];
        dispatch(BackendId::for_single(), Decode { encodings: core::slice::from_ref(&self.0), out: &mut out });
        out[0]
    }
}

impl fmt::Debug for CompressedRistretto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CompressedRistretto(")?;
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

/// Decodes all Ristretto encodings.
///
/// # Errors
/// [`DecodeError`] names the first one that is not an encoding; nothing is returned then.
pub fn decompress_batch_ristretto(encodings: &[[u8; 32]]) -> Result<Vec<RistrettoPoint>, DecodeError> {
    all(&try_decompress_batch_ristretto(encodings))
}

/// Decodes each Ristretto encoding, `None` where it is none.
pub fn try_decompress_batch_ristretto(encodings: &[[u8; 32]]) -> Vec<Option<RistrettoPoint>> {
    decompress_batch_on(BackendId::current(), encodings)
}

/// Encodes all, an inverse square root each, in lanes.
pub fn compress_batch_ristretto(points: &[RistrettoPoint]) -> Vec<[u8; 32]> {
    compress_batch_on(BackendId::current(), points)
}

/// [`compress_batch_ristretto`] for points whose coordinates must not leak.
#[cfg(feature = "rand_core")]
pub(crate) fn compress_batch_ristretto_secret(points: &[RistrettoPoint]) -> Vec<[u8; 32]> {
    compress_batch_on(BackendId::for_secrets(), points)
}

pub(crate) fn decompress_batch_on(id: BackendId, encodings: &[[u8; 32]]) -> Vec<Option<RistrettoPoint>> {
    let mut out = alloc::vec![None; encodings.len()];
    in_parts(&mut out, 64, |start, out| {
        let encodings = &encodings[start..start + out.len()];
        dispatch(id, Decode { encodings, out });
    });
    out
}

pub(crate) fn compress_batch_on(id: BackendId, points: &[RistrettoPoint]) -> Vec<[u8; 32]> {
    let mut out = alloc::vec![[0; 32]; points.len()];
    in_parts(&mut out, 64, |start, out| {
        let points = &points[start..start + out.len()];
        dispatch(id, Encode { points, out });
    });
    out
}

struct Decode<'a> {
    encodings: &'a [[u8; 32]],
    out: &'a mut [Option<RistrettoPoint>],
}

impl Kernel for Decode<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        in_pairs(isa, &Decoding, self.encodings, self.out);
    }
}

struct Decoding;

impl<B: Backend> Pairs<B> for Decoding {
    type Item = [u8; 32];
    type Out = Option<RistrettoPoint>;
    #[inline(always)]
    fn group<const M: usize>(&self, isa: B, encodings: &[[u8; 32]], out: &mut [Option<RistrettoPoint>]) {
        decode_group::<B::F, M>(isa, encodings, out);
    }
}

/// Up to `M·LANES` encodings; missing ones are padded with the identity.
#[inline(always)]
fn decode_group<F: FieldLanes, const M: usize>(
    isa: F::Isa,
    encodings: &[[u8; 32]],
    out: &mut [Option<RistrettoPoint>],
) {
    let one = F::splat(isa, &constants::ONE);
    let d = F::splat(isa, &constants::D);
    let (mut s, mut u1, mut u2, mut v, mut radicand) = ([one; M], [one; M], [one; M], [one; M], [one; M]);
    for j in 0..M {
        s[j] = F::load(
            isa,
            #[inline(always)]
            |i| encodings.get(j * F::LANES + i).map_or(FieldElement::ZERO, FieldElement::from_bytes),
        );
        let ss = s[j].squared();
        u1[j] = one.minus(&ss);
        u2[j] = one.plus(&ss);
        let u2_squared = u2[j].squared();
        // v = -(d·u1²) - u2²
        v[j] = d.times(&u1[j].squared()).neg().minus(&u2_squared);
        radicand[j] = v[j].times(&u2_squared);
    }
    let (roots, squares) = chains::invsqrt(&radicand);
    for j in 0..M {
        let dx = roots[j].times(&u2[j]);
        let dy = roots[j].times(&dx).times(&v[j]);
        let x = s[j].plus(&s[j]).times(&dx).magnitude();
        let y = u1[j].times(&dy);
        let t = x.times(&y);
        let good = F::bits(squares[j]) & !F::bits(t.is_odd()) & !F::bits(y.is_zero());
        let mut rows = [[FieldElement::ZERO; MAX_LANES]; 3];
        x.store(&mut rows[0][..F::LANES]);
        y.store(&mut rows[1][..F::LANES]);
        t.store(&mut rows[2][..F::LANES]);
        let encodings = encodings.get(j * F::LANES..).unwrap_or_default();
        let out = out.get_mut(j * F::LANES..).unwrap_or_default();
        for (i, (encoding, out)) in encodings.iter().zip(out).enumerate().take(F::LANES) {
            let accept = good >> i & 1 == 1 && is_canonical_even(encoding);
            *out = accept.then_some(RistrettoPoint(EdwardsPoint {
                x: rows[0][i],
                y: rows[1][i],
                z: FieldElement::ONE,
                t: rows[2][i],
            }));
        }
    }
}

/// Whether all 256 bits are below p, and even ("non-negative").
fn is_canonical_even(encoding: &[u8; 32]) -> bool {
    encoding[31] >> 7 == 0 && encoding[0] & 1 == 0 && super::codec::is_canonical(encoding)
}

struct Encode<'a> {
    points: &'a [RistrettoPoint],
    out: &'a mut [[u8; 32]],
}

impl Kernel for Encode<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        for (points, out) in self.points.chunks(lanes).zip(self.out.chunks_mut(lanes)) {
            let point = |i: usize| points.get(i).map_or(&EdwardsPoint::IDENTITY, |p| &p.0);
            let coordinates = [
                B::F::load(
                    isa,
                    #[inline(always)]
                    |i| point(i).x,
                ),
                B::F::load(
                    isa,
                    #[inline(always)]
                    |i| point(i).y,
                ),
                B::F::load(
                    isa,
                    #[inline(always)]
                    |i| point(i).z,
                ),
                B::F::load(
                    isa,
                    #[inline(always)]
                    |i| point(i).t,
                ),
            ];
            for (out, s) in out.iter_mut().zip(encode_lanes::<B::F>(&coordinates)) {
                *out = s.to_bytes();
            }
        }
    }
}

/// RFC 9496, section 4.3.2, in lanes: `(X, Y, Z, T)` to `s`.
#[inline(always)]
fn encode_lanes<F: FieldLanes>([x, y, z, t]: &[F; 4]) -> [FieldElement; MAX_LANES] {
    let isa = x.isa();
    let i = F::splat(isa, &constants::SQRT_M1);
    let u1 = z.plus(y).times(&z.minus(y));
    let u2 = x.times(y);
    let root = chains::invsqrt(&[u1.times(&u2.squared())]).0[0];
    let (den1, den2) = (root.times(&u1), root.times(&u2));
    let z_inverse = den1.times(&den2).times(t);
    let rotate = t.times(&z_inverse).is_odd();
    let x_new = F::select(rotate, x, &y.times(&i));
    let y_new = F::select(rotate, y, &x.times(&i));
    let enchanted = den1.times(&F::splat(isa, &constants::INVSQRT_A_MINUS_D));
    let den_inverse = F::select(rotate, &den2, &enchanted);
    let y_new = y_new.negate_if(x_new.times(&z_inverse).is_odd());
    let mut out = [FieldElement::ZERO; MAX_LANES];
    den_inverse.times(&z.minus(&y_new)).magnitude().store(&mut out[..F::LANES]);
    out
}

impl Add<&RistrettoPoint> for &RistrettoPoint {
    type Output = RistrettoPoint;
    fn add(self, b: &RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(self.0 + b.0)
    }
}

impl Sub<&RistrettoPoint> for &RistrettoPoint {
    type Output = RistrettoPoint;
    fn sub(self, b: &RistrettoPoint) -> RistrettoPoint {
        RistrettoPoint(self.0 - b.0)
    }
}

impl Neg for &RistrettoPoint {
    type Output = RistrettoPoint;
    fn neg(self) -> RistrettoPoint {
        RistrettoPoint(-self.0)
    }
}

impl Neg for RistrettoPoint {
    type Output = RistrettoPoint;
    fn neg(self) -> RistrettoPoint {
        -&self
    }
}

impl AddAssign<&RistrettoPoint> for RistrettoPoint {
    fn add_assign(&mut self, b: &RistrettoPoint) {
        self.0 += &b.0;
    }
}

impl SubAssign<&RistrettoPoint> for RistrettoPoint {
    fn sub_assign(&mut self, b: &RistrettoPoint) {
        self.0 -= &b.0;
    }
}

forward_point_operators!(RistrettoPoint);

impl ConditionallySelectable for RistrettoPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        RistrettoPoint(EdwardsPoint::conditional_select(&a.0, &b.0, choice))
    }
}

impl ConstantTimeEq for RistrettoPoint {
    /// `X1·Y2 = Y1·X2` or `Y1·Y2 = X1·X2` (RFC 9496, section 4.3.3, `a = -1`).
    fn ct_eq(&self, b: &Self) -> Choice {
        let (a, b) = (&self.0, &b.0);
        (a.x * b.y).ct_eq(&(a.y * b.x)) | (a.y * b.y).ct_eq(&(a.x * b.x))
    }
}

impl PartialEq for RistrettoPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for RistrettoPoint {}

impl Default for RistrettoPoint {
    fn default() -> Self {
        RistrettoPoint::IDENTITY
    }
}

impl DefaultIsZeroes for RistrettoPoint {}

impl fmt::Debug for RistrettoPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RistrettoPoint({:?})", self.compress())
    }
}

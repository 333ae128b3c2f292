//! Doubling and encoding many Ristretto elements at the price of one inversion.
//!
//! The square root in the encoding of an element undoes squares that a doubling has just made, so for `2P` it needs
//! none. Source: Mike Hamburg's batched double-and-encode, as in the Ristretto notes of curve25519-dalek. With
//! `P = (X : Y : Z : T)` the double is `(e/f, g/h)` with `e = 2XY`, `f = Z² + dT²`, `g = Y² + X²`, `h = Z² - dT²`, and
//! whatever the encoding divides by is a factor of `eg·fh`.

use alloc::vec::Vec;

use super::backend::{Backend, Kernel, dispatch};
use super::edwards::EdwardsPoint;
use super::formulas::Extended;
use super::ristretto::RistrettoPoint;
use super::threads::in_parts;
use crate::cpu::BackendId;
use crate::field::lanes::{Arithmetic, FieldLanes, MAX_LANES};
use crate::field::{FieldElement, chains, constants};

/// The encodings of `2·points[i]`. One inversion and about 20 multiplications an element, in lanes.
///
/// ```
/// use curve25519_lanes::{RistrettoPoint, double_and_compress_batch_ristretto};
/// let b = RistrettoPoint::BASEPOINT;
/// assert_eq!(double_and_compress_batch_ristretto(&[b]), [b.double().compress().0]);
/// ```
pub fn double_and_compress_batch_ristretto(points: &[RistrettoPoint]) -> Vec<[u8; 32]> {
    double_and_compress_batch_on(BackendId::current(), points)
}

pub(crate) fn double_and_compress_batch_on(id: BackendId, points: &[RistrettoPoint]) -> Vec<[u8; 32]> {
    let mut out = alloc::vec![[0; 32]; points.len()];
    in_parts(&mut out, 512, |start, out| {
        let points = &points[start..start + out.len()];
        dispatch(id, DoubleAndEncode { points, out });
    });
    out
}

struct DoubleAndEncode<'a> {
    points: &'a [RistrettoPoint],
    out: &'a mut [[u8; 32]],
}

/// The doubling before its last products.
struct Completed<F> {
    e: F,
    f: F,
    g: F,
    h: F,
    eg: F,
    fh: F,
}

impl Kernel for DoubleAndEncode<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let vectors = self.points.len().div_ceil(lanes);
        let (mut doubled, mut inverses) = (Vec::with_capacity(vectors), Vec::with_capacity(vectors));
        for points in self.points.chunks(lanes) {
            let p = Extended::<B::F>::load(
                isa,
                #[inline(always)]
                |i| points.get(i).map_or(&EdwardsPoint::IDENTITY, |p| &p.0),
            );
            let p = complete(&p);
            inverses.push(p.eg.times(&p.fh));
            doubled.push(p);
        }
        // Elements whose double is neutral have eg·fh = 0, keep it, and come out as 0, which is their encoding.
        chains::batch_invert(&mut inverses);
        for ((out, p), inverse) in self.out.chunks_mut(lanes).zip(&doubled).zip(inverses) {
            let mut s = [FieldElement::ZERO; MAX_LANES];
            encode(p, &inverse).store(&mut s[..lanes]);
            for (out, s) in out.iter_mut().zip(s) {
                *out = s.to_bytes();
            }
        }
    }
}

#[inline(always)]
fn complete<F: FieldLanes>(p: &Extended<F>) -> Completed<F> {
    let [x, y, z, t] = p.coordinates();
    let zz = z.squared();
    let dtt = t.squared().times(&F::splat(z.isa(), &constants::D));
    let e = x.times(&y.plus(&y));
    let (f, h) = (zz.plus(&dtt), zz.minus(&dtt));
    let g = y.squared().plus(&x.squared());
    Completed { e, f, g, h, eg: e.times(&g), fh: f.times(&h) }
}

/// `s` of the doubled element; `inverse` is `1/(eg·fh)`.
#[inline(always)]
fn encode<F: FieldLanes>(p: &Completed<F>, inverse: &F) -> F {
    let isa = inverse.isa();
    let i = F::splat(isa, &constants::SQRT_M1);
    let (z_inverse, t_inverse) = (p.eg.times(inverse), p.fh.times(inverse));
    // Whether to take another point of the coset, as `rotate` does in the plain encoding.
    let rotate = p.eg.times(&z_inverse).is_odd();
    let e = F::select(rotate, &p.e, &p.g);
    let g = F::select(rotate, &p.g, &p.e.neg());
    let h = F::select(rotate, &p.h, &p.f.times(&i));
    let magic = F::select(rotate, &F::splat(isa, &constants::INVSQRT_A_MINUS_D), &i);
    let g = g.negate_if(h.times(&e).times(&z_inverse).is_odd());
    h.minus(&g).times(&magic.times(&g.times(&t_inverse))).magnitude()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::scalar::Scalar;
    use crate::test_util::{Random, each_backend};

    #[test]
    fn encodings_of_doubles_on_every_backend() {
        let mut random = Random::new(55);
        let mut points: Vec<RistrettoPoint> =
            (0..21).map(|_| RistrettoPoint::from_uniform_bytes(&random.bytes64())).collect();
        points.extend([RistrettoPoint::IDENTITY, RistrettoPoint::BASEPOINT, -points[3]]);
        // The neutral element as the other points that stand for it.
        let order_four = super::super::CompressedEdwardsY([0; 32]).decompress_dalek().expect("y = 0 is on the curve");
        points.extend([RistrettoPoint(order_four), RistrettoPoint(order_four.double()), RistrettoPoint(-order_four)]);
        points.push(RistrettoPoint(RistrettoPoint::BASEPOINT.0 + order_four));
        points.push(Scalar::INV_EIGHT * points[4]);
        each_backend(|id| {
            for n in [0, 1, 7, 8, 9, points.len()] {
                let expected: Vec<_> = points[..n].iter().map(|p| p.double().compress().0).collect();
                assert_eq!(double_and_compress_batch_on(id, &points[..n]), expected, "{id}");
            }
        });
    }

    #[test]
    fn montgomery_batches_on_every_backend() {
        use crate::group::montgomery::to_montgomery_batch_on;
        let mut random = Random::new(56);
        let mut points: Vec<EdwardsPoint> =
            (0..19).map(|_| RistrettoPoint::from_uniform_bytes(&random.bytes64()).0).collect();
        points.extend([EdwardsPoint::IDENTITY, EdwardsPoint::BASEPOINT]);
        each_backend(|id| {
            for n in [0, 1, 8, points.len()] {
                let expected: Vec<_> = points[..n].iter().map(|p| p.to_montgomery().0).collect();
                let found: Vec<_> = to_montgomery_batch_on(id, &points[..n]).iter().map(|u| u.0).collect();
                assert_eq!(found, expected, "{id}");
            }
        });
    }
}

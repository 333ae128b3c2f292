//! The map from field elements to Ristretto elements (MAP of RFC 9496, section 4.3.4), in lanes.

use alloc::vec::Vec;

use super::backend::{Backend, Kernel, dispatch};
use super::edwards::EdwardsPoint;
use super::formulas::Extended;
use super::ristretto::RistrettoPoint;
use super::threads::in_parts;
use crate::cpu::BackendId;
use crate::field::lanes::{Arithmetic, FieldLanes};
use crate::field::{FieldElement, chains, constants};

impl RistrettoPoint {
    /// 64 uniform bytes to a uniform element: the sum of the maps of both halves. RFC 9496, section 4.3.4.
    pub fn from_uniform_bytes(bytes: &[u8; 64]) -> RistrettoPoint {
        from_uniform_bytes_batch_on(BackendId::for_single(), core::slice::from_ref(bytes))[0]
    }

    /// [`from_uniform_bytes`](RistrettoPoint::from_uniform_bytes) of each, in lanes.
    pub fn from_uniform_bytes_batch(bytes: &[[u8; 64]]) -> Vec<RistrettoPoint> {
        from_uniform_bytes_batch_on(BackendId::current(), bytes)
    }

    /// The bare map of the lower 255 bits. Neither injective nor uniform.
    #[doc(hidden)]
    pub fn map(bytes: &[u8; 32]) -> RistrettoPoint {
        dispatch(BackendId::for_single(), MapOne { bytes })
    }
}

pub(crate) fn from_uniform_bytes_batch_on(id: BackendId, bytes: &[[u8; 64]]) -> Vec<RistrettoPoint> {
    let mut out = alloc::vec![RistrettoPoint::IDENTITY; bytes.len()];
    in_parts(&mut out, 64, |start, out| {
        let bytes = &bytes[start..start + out.len()];
        dispatch(id, Map { bytes, out });
    });
    out
}

struct Map<'a> {
    bytes: &'a [[u8; 64]],
    out: &'a mut [RistrettoPoint],
}

impl Kernel for Map<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        for (bytes, out) in self.bytes.chunks(lanes).zip(self.out.chunks_mut(lanes)) {
            let half = |i: usize, half: usize| -> FieldElement {
                bytes.get(i).map_or(FieldElement::ZERO, |bytes| FieldElement::from_bytes(&bytes.as_chunks().0[half]))
            };
            let halves = [
                B::F::load(
                    isa,
                    #[inline(always)]
                    |i| half(i, 0),
                ),
                B::F::load(
                    isa,
                    #[inline(always)]
                    |i| half(i, 1),
                ),
            ];
            let mut points = [[EdwardsPoint::IDENTITY; crate::field::lanes::MAX_LANES]; 2];
            for (points, point) in points.iter_mut().zip(map_lanes::<B::F>(&halves)) {
                point.store(&mut points[..out.len()]);
            }
            for ((out, a), b) in out.iter_mut().zip(points[0]).zip(points[1]) {
                *out = RistrettoPoint(a + b);
            }
        }
    }
}

struct MapOne<'a> {
    bytes: &'a [u8; 32],
}

impl Kernel for MapOne<'_> {
    type Out = RistrettoPoint;
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) -> RistrettoPoint {
        let t = B::F::splat(isa, &FieldElement::from_bytes(self.bytes));
        let mut out = [EdwardsPoint::IDENTITY];
        map_lanes(&[t, t])[0].store(&mut out);
        RistrettoPoint(out[0])
    }
}

/// The map, for both halves side by side. Not injective, not uniform. One square root and about 20 multiplications.
#[inline(always)]
fn map_lanes<F: FieldLanes>(t: &[F; 2]) -> [Extended<F>; 2] {
    let isa = t[0].isa();
    let one = F::splat(isa, &constants::ONE);
    let d = F::splat(isa, &constants::D);
    let (mut r, mut u, mut v) = (*t, *t, *t);
    for j in 0..2 {
        r[j] = F::splat(isa, &constants::SQRT_M1).times(&t[j].squared());
        u[j] = r[j].plus(&one).times(&F::splat(isa, &constants::ONE_MINUS_D_SQ));
        // (-1 - r·d)·(r + d)
        v[j] = r[j].times(&d).plus(&one).neg().times(&r[j].plus(&d));
    }
    let (roots, squares) = chains::sqrt_ratio(&u, &v);
    [finish(&t[0], &r[0], &v[0], &roots[0], squares[0]), finish(&t[1], &r[1], &v[1], &roots[1], squares[1])]
}

/// The point of one half, once its square root is known.
#[inline(always)]
fn finish<F: FieldLanes>(t: &F, r: &F, v: &F, root: &F, square: F::Mask) -> Extended<F> {
    let isa = t.isa();
    let one = F::splat(isa, &constants::ONE);
    let turned = root.times(t).magnitude().neg();
    let s = F::select(square, &turned, root);
    let c = F::select(square, r, &one.neg());
    let n = c.times(&r.minus(&one)).times(&F::splat(isa, &constants::D_MINUS_ONE_SQ)).minus(v);
    let ss = s.squared();
    let w0 = s.plus(&s).times(v);
    let w1 = n.times(&F::splat(isa, &constants::SQRT_AD_MINUS_ONE));
    let (w2, w3) = (one.minus(&ss), one.plus(&ss));
    // (w0·w3 : w2·w1 : w1·w3 : w0·w2) in running form.
    let (x, y) = (w0.times(&w3), w2.times(&w1));
    Extended { m: y.minus(&x), p: y.plus(&x), z: w1.times(&w3), t: w0.times(&w2) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::{Random, each_backend};

    #[test]
    fn every_backend_and_remainder_against_dalek() {
        let mut random = Random::new(21);
        let mut inputs: Vec<[u8; 64]> = (0..20).map(|_| random.bytes64()).collect();
        inputs.extend([[0; 64], [0xff; 64], [1; 64]]);
        let expected: Vec<[u8; 32]> =
            inputs.iter().map(|b| curve25519_dalek::RistrettoPoint::from_uniform_bytes(b).compress().0).collect();
        each_backend(|id| {
            for len in 0..=inputs.len() {
                let points = from_uniform_bytes_batch_on(id, &inputs[..len]);
                let found: Vec<[u8; 32]> = points.iter().map(|p| p.compress().0).collect();
                assert_eq!(found, expected[..len], "{id} {len}");
            }
        });
        assert_eq!(RistrettoPoint::from_uniform_bytes(&inputs[3]).compress().0, expected[3]);
    }
}

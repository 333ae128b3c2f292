//! Monero's map from field elements to points (`ge_fromfe_frombytes_vartime`), in lanes.
//!
//! An Elligator 2 evaluation in a form of its own; the Seraphis reference uses the same. With `r` all 256 bits of
//! the input mod p, `A = 486662`, `w = 2r² + 1`, `t = w² - 2A²r²`:
//!
//! * if `2A(A+2)·w/t` is a square (0 included): `x` = `r`·(its root), of even parity, and `z = -2A·r²`;
//! * else: `x` = root of `A(A+2)·w/t` of odd parity, and `z = -A`;
//! * `y = (z - w)/(z + w)`.
//!
//! Formulas: written down from the description beside the vectors; checked against all of them.

use alloc::vec::Vec;

use super::backend::{Backend, Kernel, dispatch};
use super::edwards::EdwardsPoint;
use super::formulas::Extended;
use super::pairs::{Pairs, in_pairs};
use super::threads::in_parts;
use crate::cpu::BackendId;
use crate::field::lanes::{Arithmetic, FieldLanes};
use crate::field::{FieldElement, chains, constants};

/// `8·map(h)` for 32 bytes that are already a hash: a point of the prime-order subgroup. Monero's `Hp(b)` is this
/// applied to Keccak-256 of `b`. Constant-time.
pub fn monero_hash_to_point(h: &[u8; 32]) -> EdwardsPoint {
    monero_map(h).mul_by_cofactor()
}

/// [`monero_hash_to_point`] of each, in lanes.
pub fn monero_hash_to_point_batch(hashes: &[[u8; 32]]) -> Vec<EdwardsPoint> {
    map_batch_on(BackendId::current(), hashes, true)
}

/// The bare map, without the factor 8: any point of the curve.
pub fn monero_map(h: &[u8; 32]) -> EdwardsPoint {
    map_batch_on(BackendId::for_single(), core::slice::from_ref(h), false)[0]
}

pub(crate) fn map_batch_on(id: BackendId, hashes: &[[u8; 32]], times_eight: bool) -> Vec<EdwardsPoint> {
    let mut out = alloc::vec![EdwardsPoint::IDENTITY; hashes.len()];
    in_parts(&mut out, 64, |start, out| {
        let hashes = &hashes[start..start + out.len()];
        dispatch(id, Map { hashes, times_eight, out });
    });
    out
}

struct Map<'a> {
    hashes: &'a [[u8; 32]],
    times_eight: bool,
    out: &'a mut [EdwardsPoint],
}

impl Kernel for Map<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        in_pairs(isa, &Mapping { times_eight: self.times_eight }, self.hashes, self.out);
    }
}

struct Mapping {
    times_eight: bool,
}

impl<B: Backend> Pairs<B> for Mapping {
    type Item = [u8; 32];
    type Out = EdwardsPoint;
    #[inline(always)]
    fn group<const M: usize>(&self, isa: B, hashes: &[[u8; 32]], out: &mut [EdwardsPoint]) {
        map_group::<B, M>(isa, hashes, self.times_eight, out);
    }
}

#[inline(always)]
fn map_group<B: Backend, const M: usize>(isa: B, hashes: &[[u8; 32]], times_eight: bool, out: &mut [EdwardsPoint]) {
    let lanes = B::F::LANES;
    let one = B::F::splat(isa, &constants::ONE);
    let a = B::F::splat(isa, &constants::MONTGOMERY_A);
    let k = B::F::splat(isa, &constants::A_TIMES_A_PLUS_2);
    let (mut r, mut rr2, mut w, mut u, mut t) = ([one; M], [one; M], [one; M], [one; M], [one; M]);
    for j in 0..M {
        r[j] = B::F::load(
            isa,
            #[inline(always)]
            |i| hashes.get(j * lanes + i).map_or(FieldElement::ZERO, from_256_bits),
        );
        let rr = r[j].squared();
        rr2[j] = rr.plus(&rr);
        w[j] = rr2[j].plus(&one);
        t[j] = w[j].squared().minus(&a.squared().times(&rr2[j]));
        // 2A(A+2)·w
        let kw = k.times(&w[j]);
        u[j] = kw.plus(&kw);
    }
    let (roots, squares) = chains::sqrt_ratio(&u, &t);
    // Where it is not a square, root² = i·u/t, and u/2t = (root·c)² with c² = 1/(2i).
    let c = B::F::splat(isa, &constants::INVSQRT_2I);
    for j in 0..M {
        let square = squares[j];
        let x_square = roots[j].times(&r[j]).magnitude();
        let x_other = roots[j].times(&c).magnitude().neg();
        let x = B::F::select(square, &x_other, &x_square);
        // z = -A·2r² or -A
        let z = B::F::select(square, &a, &a.times(&rr2[j])).neg();
        let (above, below) = (z.minus(&w[j]), z.plus(&w[j]));
        // (x, above/below) as (X : Y : Z : T), in running form.
        let px = x.times(&below);
        let mut p = Extended { m: above.minus(&px), p: above.plus(&px), z: below, t: x.times(&above) };
        if times_eight {
            isa.double_n(&mut p, 3);
        }
        p.store(out.get_mut(j * lanes..).unwrap_or_default());
    }
}

/// All 256 bits mod p: bit 255 weighs 2^255 = 19.
fn from_256_bits(bytes: &[u8; 32]) -> FieldElement {
    let top = FieldElement([u64::from(bytes[31] >> 7) * 19, 0, 0, 0, 0]);
    FieldElement::from_bytes(bytes) + top
}

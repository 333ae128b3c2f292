//! The Montgomery form `v² = u³ + 486662·u² + u`, `u`-coordinate only, and X25519 (RFC 7748).

use alloc::vec::Vec;
use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{DefaultIsZeroes, Zeroize};

use super::backend::{Backend, Kernel, dispatch};
use super::edwards::EdwardsPoint;
use super::formulas::{Extended, Ladder};
use super::threads::in_parts;
use crate::cpu::BackendId;
use crate::field::lanes::{Arithmetic, FieldLanes, MAX_LANES};
use crate::field::{FieldElement, chains, constants};

/// A `u`-coordinate: 32 bytes, of which the top bit is ignored and values from p on are taken mod p.
///
/// Any 32 bytes are a value; half of them lie on the curve's twist. Equality is that of the residues.
#[derive(Clone, Copy, Default)]
pub struct MontgomeryPoint(pub [u8; 32]);

impl MontgomeryPoint {
    /// `u = 9`, the base point of RFC 7748.
    pub const BASEPOINT: MontgomeryPoint = {
        let mut bytes = [0; 32];
        bytes[0] = 9;
        MontgomeryPoint(bytes)
    };

    /// `k·self` for the 256-bit integer `k` as it stands (no clamping, no reduction), by a ladder of 256 steps whatever
    /// `k` is. The neutral element comes out as 0.
    pub fn mul_bits(&self, k: &[u8; 32]) -> MontgomeryPoint {
        mul_batch_on(BackendId::for_single_product(), core::slice::from_ref(k), core::slice::from_ref(self), 256)[0]
    }

    /// `k·self` for an integer below 2^255, by 255 steps.
    #[doc(hidden)]
    pub fn mul_255_bits(&self, k: &[u8; 32]) -> MontgomeryPoint {
        mul_batch_on(BackendId::for_single_product(), core::slice::from_ref(k), core::slice::from_ref(self), 255)[0]
    }

    /// `self` as an Edwards point whose `x` has this sign, if it lies on the curve (not on its twist) and `u ≠ -1`:
    /// `y = (u - 1)/(u + 1)`.
    pub fn to_edwards(&self, sign: u8) -> Option<EdwardsPoint> {
        let u = FieldElement::from_bytes(&self.0);
        let below = u + FieldElement::ONE;
        if bool::from(below.is_zero()) {
            return None;
        }
        let y = (u - FieldElement::ONE) * below.invert();
        let mut bytes = y.to_bytes();
        bytes[31] ^= (sign & 1) << 7;
        super::CompressedEdwardsY(bytes).decompress_dalek()
    }
}

impl EdwardsPoint {
    /// The `u`-coordinate of this point: `u = (1 + y)/(1 - y)`, 0 for the neutral element.
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        let u = (self.z + self.y) * (self.z - self.y).invert();
        MontgomeryPoint(u.to_bytes())
    }
}

/// The `u`-coordinate of each point, 0 for the neutral element: one inversion, 4 multiplications a point.
pub fn to_montgomery_batch(points: &[EdwardsPoint]) -> Vec<MontgomeryPoint> {
    to_montgomery_batch_on(BackendId::for_secrets(), points)
}

/// [`mul_bits`](MontgomeryPoint::mul_bits) of each pair, a lane each. Constant-time.
///
/// # Panics
/// If the slices differ in length.
pub fn mul_bits_batch(ks: &[[u8; 32]], us: &[MontgomeryPoint]) -> Vec<MontgomeryPoint> {
    mul_batch_on(BackendId::for_secrets(), ks, us, 256)
}

pub(crate) fn to_montgomery_batch_on(id: BackendId, points: &[EdwardsPoint]) -> Vec<MontgomeryPoint> {
    let mut out = alloc::vec![MontgomeryPoint::default(); points.len()];
    in_parts(&mut out, 512, |start, out| {
        let points = &points[start..start + out.len()];
        dispatch(id, ToMontgomery { points, out });
    });
    out
}

struct ToMontgomery<'a> {
    points: &'a [EdwardsPoint],
    out: &'a mut [MontgomeryPoint],
}

impl Kernel for ToMontgomery<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let mut numerators = Vec::with_capacity(self.points.len().div_ceil(lanes));
        let mut denominators = Vec::with_capacity(self.points.len().div_ceil(lanes));
        for points in self.points.chunks(lanes) {
            let p = Extended::<B::F>::load(
                isa,
                #[inline(always)]
                |i| points.get(i).unwrap_or(&EdwardsPoint::IDENTITY),
            );
            let [_, y, z, _] = p.coordinates();
            numerators.push(z.plus(&y));
            denominators.push(z.minus(&y));
        }
        chains::batch_invert(&mut denominators);
        for ((out, numerator), inverse) in self.out.chunks_mut(lanes).zip(numerators).zip(denominators) {
            let mut us = [FieldElement::ZERO; MAX_LANES];
            numerator.times(&inverse).store(&mut us[..lanes]);
            for (out, u) in out.iter_mut().zip(us) {
                out.0 = u.to_bytes();
            }
        }
    }
}

/// Clears bits 0, 1, 2 and 255 and sets bit 254, as RFC 7748 prescribes for X25519 secrets.
pub const fn clamp(mut k: [u8; 32]) -> [u8; 32] {
    k[0] &= 248;
    k[31] = k[31] & 127 | 64;
    k
}

/// X25519: the shared `u`-coordinate of secret `k` (clamped here) and `u`. RFC 7748, section 5. Constant-time.
///
/// The result is all zero for `u` of small order, which is not an error here; protocols that need a contribution
/// from both sides check it.
///
/// ```
/// use curve25519_lanes::{x25519, MontgomeryPoint};
/// let (a, b) = ([5; 32], [6; 32]);
/// let base = MontgomeryPoint::BASEPOINT.0;
/// assert_eq!(x25519(&a, &x25519(&b, &base)), x25519(&b, &x25519(&a, &base)));
/// ```
pub fn x25519(k: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    x25519_batch_on(BackendId::for_single_product(), core::slice::from_ref(k), core::slice::from_ref(u))[0]
}

/// X25519 of each pair, a lane each. Constant-time.
///
/// # Panics
/// If the slices differ in length.
pub fn x25519_batch(ks: &[[u8; 32]], us: &[[u8; 32]]) -> Vec<[u8; 32]> {
    x25519_batch_on(BackendId::for_secrets(), ks, us)
}

pub(crate) fn x25519_batch_on(id: BackendId, ks: &[[u8; 32]], us: &[[u8; 32]]) -> Vec<[u8; 32]> {
    let mut clamped: Vec<[u8; 32]> = ks.iter().map(|k| clamp(*k)).collect();
    let us: Vec<MontgomeryPoint> = us.iter().map(|u| MontgomeryPoint(*u)).collect();
    let out = mul_batch_on(id, &clamped, &us, 255).iter().map(|p| p.0).collect();
    clamped.zeroize();
    out
}

/// `k·u` for each pair, `bits` ladder steps: all higher bits of `k` must be clear.
pub(crate) fn mul_batch_on(
    id: BackendId,
    ks: &[[u8; 32]],
    us: &[MontgomeryPoint],
    bits: usize,
) -> Vec<MontgomeryPoint> {
    assert_eq!(ks.len(), us.len(), "a scalar a point");
    let mut out = alloc::vec![MontgomeryPoint::default(); us.len()];
    in_parts(&mut out, 16, |start, out| {
        let end = start + out.len();
        dispatch(id, LadderBatch { ks: &ks[start..end], us: &us[start..end], bits, out });
    });
    out
}

struct LadderBatch<'a> {
    ks: &'a [[u8; 32]],
    us: &'a [MontgomeryPoint],
    bits: usize,
    out: &'a mut [MontgomeryPoint],
}

impl Kernel for LadderBatch<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let groups = self.ks.chunks(lanes).zip(self.us.chunks(lanes)).zip(self.out.chunks_mut(lanes));
        for ((ks, us), out) in groups {
            if let ([k], [u], [out]) = (ks, us, &mut *out)
                && let Some([x, z]) = isa.ladder_single(&FieldElement::from_bytes(&u.0), k, self.bits)
            {
                out.0 = (x * z.invert()).to_bytes();
                continue;
            }
            let x1 = B::F::load(
                isa,
                #[inline(always)]
                |i| us.get(i).map_or(FieldElement::ZERO, |u| FieldElement::from_bytes(&u.0)),
            );
            let u = ladder(isa, ks, &x1, self.bits);
            let mut elements = [FieldElement::ZERO; MAX_LANES];
            u.store(&mut elements[..lanes]);
            for (out, u) in out.iter_mut().zip(elements) {
                out.0 = u.to_bytes();
            }
        }
    }
}

/// `ks[i]·x1` in lane `i`, as an affine `u` (0 for the neutral element).
#[inline(always)]
fn ladder<B: Backend>(isa: B, ks: &[[u8; 32]], x1: &B::F, bits: usize) -> B::F {
    let one = B::F::splat(isa, &constants::ONE).widen();
    let zero = B::F::splat(isa, &FieldElement::ZERO).widen();
    let mut state = Ladder::<B::F> { x2: one, z2: zero, x3: x1.widen(), z3: one };
    let last = isa.ladder(&mut state, x1, ks, bits);
    let x = B::F::select(last, &B::F::reduce(&state.x2), &B::F::reduce(&state.x3));
    let z = B::F::select(last, &B::F::reduce(&state.z2), &B::F::reduce(&state.z3));
    let mut u = x;
    B::F::mul_carry(&mut u, &x, &chains::invert(&[z])[0]);
    u
}

impl ConstantTimeEq for MontgomeryPoint {
    fn ct_eq(&self, other: &Self) -> Choice {
        FieldElement::from_bytes(&self.0).ct_eq(&FieldElement::from_bytes(&other.0))
    }
}

impl PartialEq for MontgomeryPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for MontgomeryPoint {}

impl fmt::Debug for MontgomeryPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MontgomeryPoint(")?;
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl DefaultIsZeroes for MontgomeryPoint {}

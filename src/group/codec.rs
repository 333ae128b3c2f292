//! Encoding and decoding of Edwards points, one by one and in lanes.
//!
//! Two rules for the same 32 bytes (`y` and the sign of `x`), since they disagree on which strings are points, and
//! a wrong choice forks a chain:
//!
//! * *strict*: `y < p`, and no sign on `x = 0`. One string a point. Monero, Seraphis, wallets.
//! * *dalek*: what curve25519-dalek accepts: `y` is taken mod p, the sign of `x = 0` is ignored. The encoding
//!   that [`EdwardsPoint::compress`] gives back may differ from what was read.
//!
//! Both accept points of small and mixed order. Decoding is one inverse square root: about 265 multiplications a
//! point, or a vector's worth of points; encoding many points shares one inversion.

use alloc::vec::Vec;
use core::fmt;

use super::backend::{Backend, Kernel, dispatch};
use super::edwards::EdwardsPoint;
use super::pairs::{Pairs, in_pairs};
use super::threads::in_parts;
use crate::cpu::BackendId;
use crate::field::lanes::{Arithmetic, FieldLanes, MAX_LANES};
use crate::field::{FieldElement, chains, constants, words};

/// 32 bytes that may or may not be the encoding of an Edwards point: `y` little-endian, the sign of `x` in the top bit.
///
/// There are two rules for which strings are points, and a wrong choice forks a chain. *Strict* (Monero): `y < p`, and
/// no sign on `x = 0`. *Dalek* (curve25519-dalek): `y` is taken mod p, and the sign of `x = 0` is ignored. Both accept
/// points of small and mixed order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CompressedEdwardsY(pub [u8; 32]);

/// Which strings are points. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Strict,
    Dalek,
}

impl CompressedEdwardsY {
    /// That of the neutral element: `y = 1`. By the strict rule it has no other.
    pub const IDENTITY: CompressedEdwardsY = {
        let mut bytes = [0; 32];
        bytes[0] = 1;
        CompressedEdwardsY(bytes)
    };

    /// The 32 bytes.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// The point, if the bytes are its one strict encoding.
    ///
    /// Variable-time in nothing but its answer.
    pub fn decompress_strict(&self) -> Option<EdwardsPoint> {
        decompress_one(&self.0, Rule::Strict)
    }

    /// The point, by the permissive rule of curve25519-dalek.
    pub fn decompress_dalek(&self) -> Option<EdwardsPoint> {
        decompress_one(&self.0, Rule::Dalek)
    }
}

impl fmt::Debug for CompressedEdwardsY {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CompressedEdwardsY(")?;
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl EdwardsPoint {
    /// The encoding: `y` little-endian with the sign of `x` in the top bit. One inversion.
    pub fn compress(&self) -> CompressedEdwardsY {
        let mut out = [[0; 32]];
        dispatch(BackendId::for_single(), Compress { points: core::slice::from_ref(self), out: &mut out });
        CompressedEdwardsY(out[0])
    }
}

/// An encoding in a batch is not a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    pub(crate) index: usize,
}

impl DecodeError {
    /// Index of the first encoding that is not a point.
    pub const fn index(&self) -> usize {
        self.index
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "encoding {} is not a point", self.index)
    }
}

impl core::error::Error for DecodeError {}

/// Decodes all by the strict rule.
///
/// # Errors
/// [`DecodeError`] names the first encoding that is not a point; nothing is returned then.
///
/// ```
/// use curve25519_lanes::{EdwardsPoint, decompress_batch_strict};
/// let encodings = [EdwardsPoint::BASEPOINT.compress().0; 20];
/// assert_eq!(decompress_batch_strict(&encodings).unwrap(), [EdwardsPoint::BASEPOINT; 20]);
/// assert_eq!(decompress_batch_strict(&[encodings[0], [0xff; 32]]).unwrap_err().index(), 1);
/// ```
pub fn decompress_batch_strict(encodings: &[[u8; 32]]) -> Result<Vec<EdwardsPoint>, DecodeError> {
    all(&try_decompress_batch(BackendId::current(), encodings, Rule::Strict))
}

/// Decodes all by curve25519-dalek's rule.
///
/// # Errors
/// As [`decompress_batch_strict`].
pub fn decompress_batch_dalek(encodings: &[[u8; 32]]) -> Result<Vec<EdwardsPoint>, DecodeError> {
    all(&try_decompress_batch(BackendId::current(), encodings, Rule::Dalek))
}

/// Decodes each by the strict rule, `None` where an encoding is not a point.
pub fn try_decompress_batch_strict(encodings: &[[u8; 32]]) -> Vec<Option<EdwardsPoint>> {
    try_decompress_batch(BackendId::current(), encodings, Rule::Strict)
}

/// Decodes each by curve25519-dalek's rule, `None` where an encoding is not a point.
pub fn try_decompress_batch_dalek(encodings: &[[u8; 32]]) -> Vec<Option<EdwardsPoint>> {
    try_decompress_batch(BackendId::current(), encodings, Rule::Dalek)
}

/// Encodes all: one inversion and about 6 multiplications a point.
pub fn compress_batch(points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    compress_batch_on(BackendId::current(), points)
}

/// [`compress_batch`] where secret work runs, see [`BackendId::for_secrets`]: for points not meant to be seen before they
/// are encoded.
pub fn compress_batch_secret(points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    compress_batch_on(BackendId::for_secrets(), points)
}

/// All of them, or the first that is missing.
pub(crate) fn all<T: Copy>(points: &[Option<T>]) -> Result<Vec<T>, DecodeError> {
    let mut out = Vec::with_capacity(points.len());
    for (index, point) in points.iter().enumerate() {
        out.push(point.ok_or(DecodeError { index })?);
    }
    Ok(out)
}

pub(crate) fn try_decompress_batch(id: BackendId, encodings: &[[u8; 32]], rule: Rule) -> Vec<Option<EdwardsPoint>> {
    let mut out = alloc::vec![None; encodings.len()];
    in_parts(&mut out, 64, |start, out| {
        let encodings = &encodings[start..start + out.len()];
        dispatch(id, Decompress { encodings, rule, out });
    });
    out
}

fn decompress_one(encoding: &[u8; 32], rule: Rule) -> Option<EdwardsPoint> {
    let mut out = [None];
    dispatch(BackendId::for_single(), Decompress { encodings: core::slice::from_ref(encoding), rule, out: &mut out });
    out[0]
}

struct Decompress<'a> {
    encodings: &'a [[u8; 32]],
    rule: Rule,
    out: &'a mut [Option<EdwardsPoint>],
}

impl Kernel for Decompress<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        in_pairs(isa, &self.rule, self.encodings, self.out);
    }
}

impl<B: Backend> Pairs<B> for Rule {
    type Item = [u8; 32];
    type Out = Option<EdwardsPoint>;
    #[inline(always)]
    fn group<const M: usize>(&self, isa: B, encodings: &[[u8; 32]], out: &mut [Option<EdwardsPoint>]) {
        decompress_group::<B::F, M>(isa, encodings, *self, out);
    }
}

/// Up to `M·LANES` encodings, in as many lanes; missing ones are padded with the identity.
#[inline(always)]
fn decompress_group<F: FieldLanes, const M: usize>(
    isa: F::Isa,
    encodings: &[[u8; 32]],
    rule: Rule,
    out: &mut [Option<EdwardsPoint>],
) {
    let one = F::splat(isa, &constants::ONE);
    let d = F::splat(isa, &constants::D);
    let (mut ys, mut us, mut vs) = ([one; M], [one; M], [one; M]);
    for j in 0..M {
        let y = F::load(
            isa,
            #[inline(always)]
            |i| encodings.get(j * F::LANES + i).map_or(FieldElement::ONE, FieldElement::from_bytes),
        );
        // x² = (y² - 1)/(d·y² + 1)
        let yy = y.squared();
        us[j] = yy.minus(&one);
        vs[j] = yy.times(&d).plus(&one);
        ys[j] = y;
    }
    let (roots, squares) = chains::sqrt_ratio(&us, &vs);
    for j in 0..M {
        let encodings = encodings.get(j * F::LANES..).unwrap_or_default();
        let out = out.get_mut(j * F::LANES..).unwrap_or_default();
        let mut sign = 0;
        for (i, encoding) in encodings.iter().enumerate().take(F::LANES) {
            sign |= u32::from(encoding[31] >> 7) << i;
        }
        let x = roots[j].negate_if(F::mask(isa, sign));
        let mut good = F::bits(squares[j]);
        if rule == Rule::Strict {
            good &= !(F::bits(x.is_zero()) & sign);
        }
        let t = x.times(&ys[j]);
        let mut rows = [[FieldElement::ZERO; MAX_LANES]; 3];
        x.store(&mut rows[0][..F::LANES]);
        ys[j].store(&mut rows[1][..F::LANES]);
        t.store(&mut rows[2][..F::LANES]);
        for (i, (encoding, out)) in encodings.iter().zip(out).enumerate().take(F::LANES) {
            let accept = good >> i & 1 == 1 && (rule == Rule::Dalek || is_canonical(encoding));
            *out = accept.then_some(EdwardsPoint { x: rows[0][i], y: rows[1][i], z: FieldElement::ONE, t: rows[2][i] });
        }
    }
}

/// Whether the lower 255 bits are below p.
pub(crate) fn is_canonical(encoding: &[u8; 32]) -> bool {
    let w = words(encoding);
    let top = w[3] & (u64::MAX >> 1);
    !(top == u64::MAX >> 1 && w[2] == u64::MAX && w[1] == u64::MAX && w[0] >= u64::MAX - 18)
}

pub(crate) fn compress_batch_on(id: BackendId, points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    let mut out = alloc::vec![[0; 32]; points.len()];
    in_parts(&mut out, 512, |start, out| {
        let points = &points[start..start + out.len()];
        dispatch(id, Compress { points, out });
    });
    out
}

struct Compress<'a> {
    points: &'a [EdwardsPoint],
    out: &'a mut [[u8; 32]],
}

impl Kernel for Compress<'_> {
    type Out = ();
    #[inline(always)]
    fn call<B: Backend>(self, isa: B) {
        let lanes = B::F::LANES;
        let mut zs = Vec::with_capacity(self.points.len().div_ceil(lanes));
        for points in self.points.chunks(lanes) {
            zs.push(B::F::load(
                isa,
                #[inline(always)]
                |i| points.get(i).map_or(FieldElement::ONE, |p| p.z),
            ));
        }
        chains::batch_invert(&mut zs);
        for ((points, out), inverse) in self.points.chunks(lanes).zip(self.out.chunks_mut(lanes)).zip(zs) {
            let x = B::F::load(
                isa,
                #[inline(always)]
                |i| points.get(i).map_or(FieldElement::ONE, |p| p.x),
            );
            let y = B::F::load(
                isa,
                #[inline(always)]
                |i| points.get(i).map_or(FieldElement::ONE, |p| p.y),
            );
            let sign = B::F::bits(x.times(&inverse).is_odd());
            let mut ys = [FieldElement::ZERO; MAX_LANES];
            y.times(&inverse).store(&mut ys[..lanes]);
            for (i, (out, y)) in out.iter_mut().zip(ys).enumerate() {
                *out = y.to_bytes();
                out[31] |= ((sign >> i & 1) as u8) << 7;
            }
        }
    }
}

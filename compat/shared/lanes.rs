//! What the original has no name for: batches of encodings, the strict rule, and the way to the engine's own types.
//!
//! Code that uses this module no longer runs on the original. Callers of the original's interface decode points one at
//! a time, which runs in one lane; [`Decode::decompress_batch`] uses them all.

extern crate alloc;
use alloc::vec::Vec;

pub use curve25519_lanes as engine;
use subtle::{Choice, ConditionallySelectable};

use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::montgomery::MontgomeryPoint;
use crate::ristretto::{CompressedRistretto, RistrettoPoint};
use crate::scalar::Scalar;

/// Encodings, read many at a time.
pub trait Decode: Sized {
    /// What they encode.
    type Point;

    /// Each decoded by the rule of `decompress`; `None` where it is not a point.
    fn decompress_batch(encodings: &[Self]) -> Vec<Option<Self::Point>>;
}

impl Decode for CompressedEdwardsY {
    type Point = EdwardsPoint;

    fn decompress_batch(encodings: &[Self]) -> Vec<Option<EdwardsPoint>> {
        let bytes: Vec<_> = encodings.iter().map(|c| c.0).collect();
        engine::try_decompress_batch_dalek(&bytes).into_iter().map(|p| p.map(EdwardsPoint)).collect()
    }
}

impl Decode for CompressedRistretto {
    type Point = RistrettoPoint;

    fn decompress_batch(encodings: &[Self]) -> Vec<Option<RistrettoPoint>> {
        let bytes: Vec<_> = encodings.iter().map(|c| c.0).collect();
        engine::try_decompress_batch_ristretto(&bytes).into_iter().map(|p| p.map(RistrettoPoint)).collect()
    }
}

/// The strict rule for Edwards points: `y < p`, and no sign on `x = 0`, so that a point has one encoding.
pub trait DecodeStrict: Decode {
    /// The point, if these bytes are its strict encoding.
    fn decompress_strict(&self) -> Option<Self::Point>;

    /// [`decompress_strict`](DecodeStrict::decompress_strict) of each.
    fn decompress_strict_batch(encodings: &[Self]) -> Vec<Option<Self::Point>>;
}

impl DecodeStrict for CompressedEdwardsY {
    fn decompress_strict(&self) -> Option<EdwardsPoint> {
        engine::CompressedEdwardsY(self.0).decompress_strict().map(EdwardsPoint)
    }

    fn decompress_strict_batch(encodings: &[Self]) -> Vec<Option<EdwardsPoint>> {
        let bytes: Vec<_> = encodings.iter().map(|c| c.0).collect();
        engine::try_decompress_batch_strict(&bytes).into_iter().map(|p| p.map(EdwardsPoint)).collect()
    }
}

/// Types that wrap one of the engine's. All conversions are free.
pub trait Engine {
    /// The engine's type.
    type Inner;

    /// The engine's value.
    fn to_engine(&self) -> Self::Inner;

    /// From the engine's value.
    fn from_engine(inner: Self::Inner) -> Self;
}

macro_rules! wrapper {
    ($($type:ident),*) => {$(
        impl Engine for $type {
            type Inner = engine::$type;

            fn to_engine(&self) -> engine::$type {
                self.0
            }

            fn from_engine(inner: engine::$type) -> $type {
                $type(inner)
            }
        }
    )*};
}

wrapper!(EdwardsPoint, RistrettoPoint);

impl Engine for Scalar {
    type Inner = engine::Scalar;

    fn to_engine(&self) -> engine::Scalar {
        self.0
    }

    /// Bit 255, which a scalar of this crate can't have, is cleared by reduction.
    fn from_engine(inner: engine::Scalar) -> Scalar {
        let above = Choice::from(inner.as_bytes()[31] >> 7);
        Scalar(engine::Scalar::conditional_select(&inner, &inner.reduce(), above))
    }
}

impl Engine for MontgomeryPoint {
    type Inner = engine::MontgomeryPoint;

    fn to_engine(&self) -> engine::MontgomeryPoint {
        engine::MontgomeryPoint(self.0)
    }

    fn from_engine(inner: engine::MontgomeryPoint) -> MontgomeryPoint {
        MontgomeryPoint(inner.0)
    }
}

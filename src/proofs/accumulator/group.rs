//! Which points are summed, and when a sum counts as zero.

use alloc::vec::Vec;

use crate::group::{EdwardsPoint, RistrettoPoint, try_decompress_batch_ristretto, try_decompress_batch_strict};

/// A kind of point with one encoding. Implemented by [`EdwardsPoint`], strictly decoded, and [`RistrettoPoint`].
pub trait Element: Copy + Send + Sync + private::Element {
    /// Decodes each, `None` where an encoding is no point.
    fn decode_batch(encodings: &[[u8; 32]]) -> Vec<Option<Self>>;
}

impl Element for EdwardsPoint {
    fn decode_batch(encodings: &[[u8; 32]]) -> Vec<Option<EdwardsPoint>> {
        try_decompress_batch_strict(encodings)
    }
}

impl Element for RistrettoPoint {
    fn decode_batch(encodings: &[[u8; 32]]) -> Vec<Option<RistrettoPoint>> {
        try_decompress_batch_ristretto(encodings)
    }
}

/// A kind of point together with the final test of a sum.
///
/// Equations merge only if they agree in both, so each is a type of its own and a sum has exactly one.
pub trait Group: Send + Sync + private::Group {
    /// What is summed.
    type Point: Element;
}

/// Points of ed25519; a sum is zero if it is the identity.
///
/// Weights are scalars mod l, and mod l they say nothing about a small-order part: a sum over points that may have one
/// would be zero or not as the weights fall. A verifier that chooses this group must know that all its points lie in the
/// subgroup of prime order; else it takes [`EdwardsCofactored`].
#[derive(Debug, Clone, Copy)]
pub enum Edwards {}

/// Points of ed25519; a sum is zero if eight times it is the identity. Small-order parts count for nothing.
#[derive(Debug, Clone, Copy)]
pub enum EdwardsCofactored {}

/// Elements of Ristretto.
#[derive(Debug, Clone, Copy)]
pub enum Ristretto {}

impl Group for Edwards {
    type Point = EdwardsPoint;
}

impl Group for EdwardsCofactored {
    type Point = EdwardsPoint;
}

impl Group for Ristretto {
    type Point = RistrettoPoint;
}

pub(super) mod private {
    use super::{Edwards, EdwardsCofactored, EdwardsPoint, Ristretto, RistrettoPoint};

    pub trait Element {
        /// The Edwards point that stands for it.
        fn edwards(&self) -> &EdwardsPoint;
    }

    impl Element for EdwardsPoint {
        fn edwards(&self) -> &EdwardsPoint {
            self
        }
    }

    impl Element for RistrettoPoint {
        fn edwards(&self) -> &EdwardsPoint {
            &self.0
        }
    }

    pub trait Group {
        fn is_zero(sum: &EdwardsPoint) -> bool;
    }

    impl Group for Edwards {
        fn is_zero(sum: &EdwardsPoint) -> bool {
            sum.is_identity().into()
        }
    }

    impl Group for EdwardsCofactored {
        fn is_zero(sum: &EdwardsPoint) -> bool {
            sum.mul_by_cofactor().is_identity().into()
        }
    }

    impl Group for Ristretto {
        fn is_zero(sum: &EdwardsPoint) -> bool {
            RistrettoPoint(*sum).is_identity().into()
        }
    }
}

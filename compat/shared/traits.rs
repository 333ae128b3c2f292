//! Traits of points, tables and sums.

use core::borrow::Borrow;

use subtle::ConstantTimeEq;

use crate::scalar::{Scalar, clamp_integer};

/// Types with a neutral element.
pub trait Identity {
    /// The neutral element.
    fn identity() -> Self;
}

/// Whether a value is the neutral element.
pub trait IsIdentity {
    /// Whether this is the neutral element.
    fn is_identity(&self) -> bool;
}

impl<T: ConstantTimeEq + Identity> IsIdentity for T {
    fn is_identity(&self) -> bool {
        self.ct_eq(&T::identity()).into()
    }
}

/// A table of multiples of one point, for products with secret scalars.
pub trait BasepointTable {
    /// The group.
    type Point;

    /// The table of this point.
    fn create(basepoint: &Self::Point) -> Self;

    /// The point.
    fn basepoint(&self) -> Self::Point;

    /// `scalar` times the point. Constant-time.
    fn mul_base(&self, scalar: &Scalar) -> Self::Point;

    /// The clamped integer of these bytes, not reduced, times the point. Constant-time.
    fn mul_base_clamped(&self, bytes: [u8; 32]) -> Self::Point {
        self.mul_base(&Scalar::unreduced(clamp_integer(bytes)))
    }
}

/// Sums of scalars times points, constant-time.
pub trait MultiscalarMul {
    /// The group.
    type Point;

    /// `Σ scalars[i]·points[i]`. Constant-time in everything but the number of terms.
    ///
    /// # Panics
    /// Unless both iterators have exact and equal size hints.
    fn multiscalar_mul<I, J>(scalars: I, points: J) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self::Point>;
}

/// Sums of scalars times points in variable time: for public inputs.
pub trait VartimeMultiscalarMul {
    /// The group.
    type Point;

    /// `Σ scalars[i]·points[i]`, or `None` if a point is.
    ///
    /// # Panics
    /// Unless both iterators have exact and equal size hints.
    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<Self::Point>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<Self::Point>>;

    /// `Σ scalars[i]·points[i]`
    ///
    /// # Panics
    /// As [`optional_multiscalar_mul`](Self::optional_multiscalar_mul).
    fn vartime_multiscalar_mul<I, J>(scalars: I, points: J) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Self::Point>,
        Self::Point: Clone,
    {
        let points = points.into_iter().map(|point| Some(point.borrow().clone()));
        Self::optional_multiscalar_mul(scalars, points).expect("every point is there")
    }
}

/// Sums of which some points are known beforehand, in variable time.
pub trait VartimePrecomputedMultiscalarMul: Sized {
    /// The group.
    type Point: Clone;

    /// Tables for these points.
    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<Self::Point>;

    /// Number of points.
    #[cfg(dalek = "5")]
    fn len(&self) -> usize;

    /// Whether there are none.
    #[cfg(dalek = "5")]
    fn is_empty(&self) -> bool;

    /// The sum over the points of the tables alone.
    ///
    /// # Panics
    /// As [`optional_mixed_multiscalar_mul`](Self::optional_mixed_multiscalar_mul).
    fn vartime_multiscalar_mul<I>(&self, static_scalars: I) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
    {
        let (scalars, points) = (core::iter::empty::<Scalar>(), core::iter::empty::<Self::Point>());
        self.vartime_mixed_multiscalar_mul(static_scalars, scalars, points)
    }

    /// The sum over the points of the tables and others.
    ///
    /// # Panics
    /// As [`optional_mixed_multiscalar_mul`](Self::optional_mixed_multiscalar_mul).
    fn vartime_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Self::Point
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator,
        K::Item: Borrow<Self::Point>,
    {
        let points = dynamic_points.into_iter().map(|point| Some(point.borrow().clone()));
        self.optional_mixed_multiscalar_mul(static_scalars, dynamic_scalars, points).expect("every point is there")
    }

    /// The sum over the points of the tables and others, or `None` if one of those is.
    ///
    /// # Panics
    /// If there are more static scalars than static points (in the 4.1 line also if there are fewer), or not as many
    /// dynamic scalars as dynamic points.
    fn optional_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Option<Self::Point>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<Self::Point>>;
}

//! Sums of many terms: the engine plans them by their number, the scalars' length and what a backend's operations cost.

use alloc::vec::Vec;
use core::borrow::Borrow;

use curve25519_lanes as engine;
use engine::msm::StaticPoints;
use zeroize::Zeroize;

use crate::edwards::EdwardsPoint;
use crate::ristretto::RistrettoPoint;
use crate::scalar::Scalar;
use crate::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};

/// The scalars, and the points if all are there.
///
/// # Panics
/// Unless both iterators have exact and equal size hints.
fn terms<S: Borrow<Scalar>>(
    scalars: impl Iterator<Item = S>,
    points: impl Iterator<Item = Option<engine::EdwardsPoint>>,
) -> Option<(Vec<engine::Scalar>, Vec<engine::EdwardsPoint>)> {
    let (hint, points_hint) = (scalars.size_hint(), points.size_hint());
    assert_eq!(hint.0, points_hint.0, "as many scalars as points");
    assert_eq!(hint.1, Some(hint.0), "the number of scalars is known beforehand");
    assert_eq!(points_hint.1, Some(points_hint.0), "the number of points is known beforehand");
    let mut scalars = collect_scalars(scalars);
    let mut points = collect_points(points)?;
    // Iterators that are not as long as they said lose the terms that have no partner.
    let n = scalars.len().min(points.len());
    scalars.truncate(n);
    points.truncate(n);
    Some((scalars, points))
}

fn collect_scalars<S: Borrow<Scalar>>(scalars: impl Iterator<Item = S>) -> Vec<engine::Scalar> {
    scalars.map(|k| k.borrow().0).collect()
}

/// All points, or none from the first that is missing. Not by `collect`, which would forget the size hint.
fn collect_points(points: impl Iterator<Item = Option<engine::EdwardsPoint>>) -> Option<Vec<engine::EdwardsPoint>> {
    let mut out = Vec::with_capacity(points.size_hint().0);
    for point in points {
        out.push(point?);
    }
    Some(out)
}

impl MultiscalarMul for EdwardsPoint {
    type Point = EdwardsPoint;

    fn multiscalar_mul<I, J>(scalars: I, points: J) -> EdwardsPoint
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<EdwardsPoint>,
    {
        let points = points.into_iter().map(|p| Some(p.borrow().0));
        let (mut scalars, points) = terms(scalars.into_iter(), points).expect("every point is there");
        let sum = engine::msm::constant_time(&scalars, &points).expect("as many scalars as points");
        scalars.zeroize();
        EdwardsPoint(sum)
    }
}

impl VartimeMultiscalarMul for EdwardsPoint {
    type Point = EdwardsPoint;

    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<EdwardsPoint>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<EdwardsPoint>>,
    {
        let points = points.into_iter().map(|p| p.map(|p| p.0));
        let (scalars, points) = terms(scalars.into_iter(), points)?;
        Some(EdwardsPoint(engine::msm::vartime(&scalars, &points).expect("as many scalars as points")))
    }
}

impl MultiscalarMul for RistrettoPoint {
    type Point = RistrettoPoint;

    fn multiscalar_mul<I, J>(scalars: I, points: J) -> RistrettoPoint
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<RistrettoPoint>,
    {
        let points = points.into_iter().map(|p| edwards(p.borrow()));
        ristretto(EdwardsPoint::multiscalar_mul(scalars, points))
    }
}

impl VartimeMultiscalarMul for RistrettoPoint {
    type Point = RistrettoPoint;

    fn optional_multiscalar_mul<I, J>(scalars: I, points: J) -> Option<RistrettoPoint>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator<Item = Option<RistrettoPoint>>,
    {
        let points = points.into_iter().map(|p| p.as_ref().map(edwards));
        EdwardsPoint::optional_multiscalar_mul(scalars, points).map(ristretto)
    }
}

fn edwards(p: &RistrettoPoint) -> EdwardsPoint {
    EdwardsPoint(*p.0.as_edwards())
}

fn ristretto(p: EdwardsPoint) -> RistrettoPoint {
    RistrettoPoint(engine::RistrettoPoint::from_edwards_unchecked(p.0))
}

/// Tables for points known beforehand. 0.5 to 4 KiB a point, the less the more points.
pub struct VartimeEdwardsPrecomputation(StaticPoints);

impl VartimePrecomputedMultiscalarMul for VartimeEdwardsPrecomputation {
    type Point = EdwardsPoint;

    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<EdwardsPoint>,
    {
        let points: Vec<_> = static_points.into_iter().map(|p| p.borrow().0).collect();
        VartimeEdwardsPrecomputation(StaticPoints::new(&points))
    }

    #[cfg(dalek = "5")]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(dalek = "5")]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn optional_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Option<EdwardsPoint>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<EdwardsPoint>>,
    {
        let static_scalars = collect_scalars(static_scalars.into_iter());
        let scalars = collect_scalars(dynamic_scalars.into_iter());
        let points = collect_points(dynamic_points.into_iter().map(|p| p.map(|p| p.0)))?;
        #[cfg(dalek = "4")]
        assert_eq!(static_scalars.len(), self.0.len(), "a static scalar a static point");
        assert!(static_scalars.len() <= self.0.len(), "not more static scalars than static points");
        assert_eq!(scalars.len(), points.len(), "as many dynamic scalars as dynamic points");
        let sum = self.0.mixed_vartime(&static_scalars, &scalars, &points);
        Some(EdwardsPoint(sum.expect("the numbers were looked at")))
    }
}

/// Tables for elements known beforehand. 0.5 to 4 KiB an element, the less the more elements.
pub struct VartimeRistrettoPrecomputation(VartimeEdwardsPrecomputation);

impl VartimePrecomputedMultiscalarMul for VartimeRistrettoPrecomputation {
    type Point = RistrettoPoint;

    fn new<I>(static_points: I) -> Self
    where
        I: IntoIterator,
        I::Item: Borrow<RistrettoPoint>,
    {
        let points = static_points.into_iter().map(|p| edwards(p.borrow()));
        VartimeRistrettoPrecomputation(VartimeEdwardsPrecomputation::new(points))
    }

    #[cfg(dalek = "5")]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[cfg(dalek = "5")]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn optional_mixed_multiscalar_mul<I, J, K>(
        &self,
        static_scalars: I,
        dynamic_scalars: J,
        dynamic_points: K,
    ) -> Option<RistrettoPoint>
    where
        I: IntoIterator,
        I::Item: Borrow<Scalar>,
        J: IntoIterator,
        J::Item: Borrow<Scalar>,
        K: IntoIterator<Item = Option<RistrettoPoint>>,
    {
        let points = dynamic_points.into_iter().map(|p| p.as_ref().map(edwards));
        self.0.optional_mixed_multiscalar_mul(static_scalars, dynamic_scalars, points).map(ristretto)
    }
}

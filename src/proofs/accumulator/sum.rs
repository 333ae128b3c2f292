//! The sum that all equations of a batch become.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::group::private::Element as _;
use super::group::{Element, Group};
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::threads::both;
use crate::msm::{self, LazyTables};

/// Points that every proof of a kind has in common, with the tables of their multiscalar sums: shared through an `Arc`
/// by all verifiers and threads.
///
/// A table is cut for sums over all its points, and a short sum over a long table wastes time: two-output range proofs
/// took 1.5 times as long over the table of sixteen outputs. So a set may have tables for prefixes of several lengths, each
/// built in lanes when first needed.
///
/// Size: 160 bytes a point, and a table's (see [`StaticPoints`](crate::msm::StaticPoints)) for each prefix that was ever needed, on each backend that
/// was current then.
pub struct GeneratorSet<P> {
    points: Vec<EdwardsPoint>,
    /// By length, ascending; the last is of full length. A sum runs on the backend that built its table, so each backend has
    /// one.
    tables: Vec<(usize, LazyTables)>,
    element: PhantomData<P>,
}

impl<P: Element> GeneratorSet<P> {
    /// A set of these points, with tables for the first `prefixes[i]` of them, and for all.
    ///
    /// # Panics
    /// A prefix is longer than the set.
    pub fn new(points: &[P], prefixes: &[usize]) -> GeneratorSet<P> {
        let points: Vec<EdwardsPoint> = points.iter().map(|p| *p.edwards()).collect();
        let mut lengths = [prefixes, &[points.len()]].concat();
        lengths.sort_unstable();
        lengths.dedup();
        assert_eq!(lengths.last(), Some(&points.len()), "a prefix longer than its set");
        GeneratorSet {
            points,
            tables: lengths.into_iter().map(|len| (len, LazyTables::new())).collect(),
            element: PhantomData,
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The sum of the first points times these scalars.
    fn sum_vartime(&self, scalars: &[Scalar]) -> EdwardsPoint {
        let at = self.tables.partition_point(|(len, _)| *len < scalars.len());
        let (len, tables) = &self.tables[at];
        let table = tables.current(&self.points[..*len]);
        table.mixed_vartime(scalars, &[], &[]).expect("not more scalars than points")
    }
}

impl<P> fmt::Debug for GeneratorSet<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GeneratorSet({} points)", self.points.len())
    }
}

/// Scalars of the first generators of a set.
type SetTerms<P> = (Arc<GeneratorSet<P>>, Vec<Scalar>);

/// Terms, scalar times point, of one multiscalar sum. Scalars of the same set of generators add up.
pub struct Sum<G: Group> {
    sets: Vec<SetTerms<G::Point>>,
    scalars: Vec<Scalar>,
    points: Vec<EdwardsPoint>,
}

impl<G: Group> Default for Sum<G> {
    /// The empty sum.
    fn default() -> Sum<G> {
        Sum { sets: Vec::new(), scalars: Vec::new(), points: Vec::new() }
    }
}

impl<G: Group> Sum<G> {
    /// The empty sum, with room for this many points: grown by doubling it would hold three times its size for a while.
    pub(super) fn with_capacity(points: usize) -> Sum<G> {
        Sum { sets: Vec::new(), scalars: Vec::with_capacity(points), points: Vec::with_capacity(points) }
    }

    /// Adds `scalars[i]` times the i-th generator of a set; the generators beyond are left alone. Two references mean
    /// the same set if they are clones of one `Arc`.
    ///
    /// # Panics
    /// More scalars than generators.
    pub fn add_generators(&mut self, set: &Arc<GeneratorSet<G::Point>>, scalars: &[Scalar]) {
        assert!(scalars.len() <= set.len(), "{} scalars for {set:?}", scalars.len());
        let Some((_, sums)) = self.sets.iter_mut().find(|(other, _)| Arc::ptr_eq(other, set)) else {
            self.sets.push((Arc::clone(set), scalars.to_vec()));
            return;
        };
        if sums.len() < scalars.len() {
            sums.resize(scalars.len(), Scalar::ZERO);
        }
        sums.iter_mut().zip(scalars).for_each(|(sum, scalar)| *sum += scalar);
    }

    /// Adds `scalar·point`.
    pub fn add_point(&mut self, scalar: &Scalar, point: &G::Point) {
        self.scalars.push(*scalar);
        self.points.push(*point.edwards());
    }

    /// Adds `Σ scalars[i]·points[i]`.
    ///
    /// # Panics
    /// The slices differ in length.
    pub fn add_points(&mut self, scalars: &[Scalar], points: &[G::Point]) {
        assert_eq!(scalars.len(), points.len(), "one scalar a point");
        self.scalars.extend_from_slice(scalars);
        self.points.extend(points.iter().map(|p| *p.edwards()));
    }

    /// The value of the sum.
    pub(super) fn evaluate_vartime(&self) -> EdwardsPoint {
        let (own, shared) = both(
            || msm::vartime(&self.scalars, &self.points).expect("one scalar a point"),
            || self.sets.iter().map(|(set, scalars)| set.sum_vartime(scalars)).sum::<EdwardsPoint>(),
        );
        own + shared
    }
}

/// The sum of sums.
impl<G: Group> core::iter::Sum for Sum<G> {
    fn sum<I: Iterator<Item = Sum<G>>>(mut sums: I) -> Sum<G> {
        let mut out = sums.next().unwrap_or_default();
        for sum in sums {
            sum.sets.iter().for_each(|(set, scalars)| out.add_generators(set, scalars));
            out.scalars.extend(sum.scalars);
            out.points.extend(sum.points);
        }
        out
    }
}

impl<G: Group> fmt::Debug for Sum<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sum").field("points", &self.points.len()).field("sets", &self.sets).finish()
    }
}

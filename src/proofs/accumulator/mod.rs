//! A batch of proofs, owned by the caller, that becomes one multiscalar sum when it is closed.
//!
//! A [`Verifier`] says what its proofs are: what is checked of their form, which points they bring, how challenges are
//! computed, and which terms their equations add to the sum. The [`Accumulator`] does the rest, the same for all: it
//! decodes all points of the batch in lanes, draws the weights, sums, and finds out who is to blame.
//!
//! # Life of a batch
//! Items are pushed as they come; the cheap checks are made there, and a malformed item is refused and not part of the
//! batch. The caller closes the batch when it [`is_full`](Accumulator::is_full), or at a deadline of its own; there is no
//! clock in here. Only [`close`](Accumulator::close) and [`close_and_blame`](Accumulator::close_and_blame) give a
//! verdict, and both consume the batch: one that is dropped, or never closed, has none. An empty batch is refused.
//!
//! # Weights
//! Every equation has its own weight between 1 and 2^128, a hash of all that the proofs of the whole batch say. It is
//! drawn when the batch is closed, so nobody who picks a proof knows it, and errors cannot be made to cancel: a batch with
//! an invalid proof passes with probability 2^−128 for each batch tried. No random numbers are needed and the verdict is
//! repeatable.
//!
//! # Who is to blame
//! The weights stay as they are while an invalid batch is searched. So of each half the sum is known once the other's is:
//! the search takes one sum a node of its tree and none for leaves to the right, at most k·log2 B sums, and never more than B,
//! for k invalid items among B. (With weights drawn anew for every part it took up to 2·k·log2 B, and a batch of invalid
//! items only cost 2 to 3.7 times as much as its items one by one.) An item is decoded and hashed once, whatever comes.

mod blame;
mod group;
mod pair;
mod sum;
#[cfg(test)]
mod tests;
mod weights;

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;
use core::mem::size_of;
use core::ops::{Deref, Range};

pub use group::{Edwards, EdwardsCofactored, Element, Group, Ristretto};
pub use pair::{Either, Pair, PairError};
pub use sum::{GeneratorSet, Sum};

use self::group::private::Group as _;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::group::threads::{map_parts, sum_of_parts};

/// A kind of proof, as an [`Accumulator`] needs to know it. All methods are about public data.
pub trait Verifier: Sized + Sync {
    /// The kind of points, and the final test.
    type Group: Group;
    /// What the caller pushes.
    type Statement<'a>;
    /// What is kept of it: well formed, nothing decoded.
    type Item: Send;
    /// An item decoded and hashed: its equations, but for the weights.
    type Claim: Send + Sync;
    /// What may be wrong with an item.
    type Error: Error + Send;

    /// The error of an item that is well formed and doesn't hold.
    fn equation_error(&self) -> Self::Error;

    /// The checks that cost nothing: counts, limits, ranges of scalars.
    ///
    /// # Errors
    /// What is wrong. The item is not part of the batch then.
    fn check(&self, statement: Self::Statement<'_>) -> Result<Self::Item, Self::Error>;

    /// The points that the item brings encoded.
    fn encodings<'a>(&self, item: &'a Self::Item) -> &'a [[u8; 32]];

    /// The error of an item whose `index`-th encoding is no point.
    fn point_error(&self, item: &Self::Item, index: usize) -> Self::Error;

    /// The bytes that item and claim take on the heap, but for the encodings.
    fn heap_bytes(&self, item: &Self::Item) -> usize;

    /// Computes the challenges of all items side by side. Each item comes with its points, in the order of
    /// [`encodings`](Verifier::encodings); one result for each, in order.
    #[expect(clippy::type_complexity, reason = "a name for it would say less")]
    fn prepare(
        &self,
        items: Vec<(Self::Item, Vec<<Self::Group as Group>::Point>)>,
    ) -> Vec<Result<Self::Claim, Self::Error>>;

    /// Appends bytes that fix the claim: statement and every response, or hashes of them.
    fn bind(&self, claim: &Self::Claim, out: &mut Vec<u8>);

    /// How many equations the claim has, each with a weight of its own.
    fn equations(&self, claim: &Self::Claim) -> usize;

    /// Adds the equations of all claims, at least one, each times its weight, to the sum.
    fn add(&self, claims: &[Weighted<'_, Self::Claim>], sum: &mut Sum<Self::Group>);
}

/// A claim and the weights of its equations.
#[derive(Debug)]
pub struct Weighted<'a, C> {
    /// The claim.
    pub claim: &'a C,
    /// One weight for each equation.
    pub weights: &'a [Scalar],
}

/// When a batch is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// This many items.
    pub items: usize,
    /// This much memory.
    pub bytes: usize,
}

impl Limits {
    /// None.
    pub const NONE: Limits = Limits { items: usize::MAX, bytes: usize::MAX };
}

impl Default for Limits {
    /// 256 items or 16 MiB: larger batches save little more.
    fn default() -> Limits {
        Limits { items: 256, bytes: 16 << 20 }
    }
}

/// Why an item was not taken into the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushError<E> {
    /// The batch [`is_full`](Accumulator::is_full): close it first. Nothing is said about the item.
    Full,
    /// The item is malformed.
    Item(E),
}

impl<E> PushError<E> {
    /// What is wrong with an item, for batches that have no limits.
    pub(crate) fn malformed(self) -> E {
        match self {
            PushError::Item(error) => error,
            PushError::Full => unreachable!("no limits"),
        }
    }
}

impl<E: fmt::Display> fmt::Display for PushError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PushError::Full => f.write_str("the batch is full"),
            PushError::Item(error) => error.fmt(f),
        }
    }
}

impl<E: Error> Error for PushError<E> {}

/// Why a batch was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError<E> {
    /// There is nothing to verify. Refused, so that a lost input never reads as valid.
    Empty,
    /// This item is malformed. Others may be invalid too.
    Item {
        /// Its index in the batch.
        index: usize,
        /// What is wrong with it.
        error: E,
    },
    /// All items are well formed and at least one is invalid.
    Equation,
}

impl<E: fmt::Display> fmt::Display for BatchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => f.write_str("the batch is empty"),
            BatchError::Item { index, error } => write!(f, "item {index}: {error}"),
            BatchError::Equation => f.write_str("at least one proof of the batch is invalid"),
        }
    }
}

impl<E: Error> Error for BatchError<E> {}

/// Why a batch was refused, every invalid item named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blame<E> {
    /// There is nothing to verify.
    Empty,
    /// The invalid items, by ascending index, at least one. All others are valid.
    Items(Vec<(usize, E)>),
}

impl<E: fmt::Display> fmt::Display for Blame<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Blame::Empty => f.write_str("the batch is empty"),
            Blame::Items(items) => {
                f.write_str("invalid items of the batch:")?;
                items.iter().try_for_each(|(index, error)| write!(f, "\n{index}: {error}"))
            }
        }
    }
}

impl<E: Error> Error for Blame<E> {}

type ItemOf<V> = <<V as Deref>::Target as Verifier>::Item;
type ErrorOf<V> = <<V as Deref>::Target as Verifier>::Error;

/// A batch that is being collected. `V` is a reference or an `Arc` to a [`Verifier`].
#[must_use = "a batch has no verdict before it is closed"]
pub struct Accumulator<V: Deref<Target: Verifier>> {
    verifier: V,
    limits: Limits,
    items: Vec<ItemOf<V>>,
    bytes: usize,
}

/// What decoding and summing take a point beside its encoding: an optional point, then the point and its scalar
/// twice.
const POINT_BYTES: usize = 2 * 32 + 2 * size_of::<Option<EdwardsPoint>>() + size_of::<EdwardsPoint>();

impl<V: Deref<Target: Verifier>> Accumulator<V> {
    /// An empty batch.
    pub fn new(verifier: V, limits: Limits) -> Accumulator<V> {
        Accumulator { verifier, limits, items: Vec::new(), bytes: 0 }
    }

    /// Takes an item into the batch; its index there, counted from 0.
    ///
    /// # Errors
    /// The item is malformed, or the batch was full before.
    pub fn push(&mut self, statement: <V::Target as Verifier>::Statement<'_>) -> Result<usize, PushError<ErrorOf<V>>> {
        if self.is_full() {
            return Err(PushError::Full);
        }
        let item = self.verifier.check(statement).map_err(PushError::Item)?;
        self.bytes += self.bytes_of(&item);
        self.items.push(item);
        Ok(self.items.len() - 1)
    }

    fn bytes_of(&self, item: &ItemOf<V>) -> usize {
        let points = self.verifier.encodings(item).len();
        size_of::<ItemOf<V>>() + self.verifier.heap_bytes(item) + points * (32 + POINT_BYTES)
    }

    /// Whether the batch has reached one of its limits and takes no more.
    pub fn is_full(&self) -> bool {
        self.items.len() >= self.limits.items || self.bytes >= self.limits.bytes
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The memory that the items take, now or when the batch is closed, whichever is more; without tables, and
    /// without what a multiscalar sum takes whatever its length.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Verifies the batch by one multiscalar sum.
    ///
    /// # Errors
    /// The batch is empty, an item is malformed, or the sum is not zero. Nothing is known about any item then.
    pub fn close(self) -> Result<(), BatchError<ErrorOf<V>>> {
        if self.items.is_empty() {
            return Err(BatchError::Empty);
        }
        let verifier = &*self.verifier;
        let (decoded, malformed) = decode(verifier, self.items);
        let points = count(&decoded);
        let first = |mut malformed: Vec<_>| malformed.swap_remove(0);
        if !malformed.is_empty() {
            let (index, error) = first(malformed);
            return Err(BatchError::Item { index, error });
        }
        let (claims, malformed) = prepare(verifier, decoded);
        if !malformed.is_empty() {
            let (index, error) = first(malformed);
            return Err(BatchError::Item { index, error });
        }
        let batch = Batch::new(verifier, claims, points);
        if batch.is_zero(&batch.sum_vartime(0..batch.claims.len())) { Ok(()) } else { Err(BatchError::Equation) }
    }

    /// Verifies the batch; if it is refused, names every invalid item.
    ///
    /// # Errors
    /// The batch is empty, or items of it are invalid.
    pub fn close_and_blame(self) -> Result<(), Blame<ErrorOf<V>>> {
        if self.items.is_empty() {
            return Err(Blame::Empty);
        }
        let verifier = &*self.verifier;
        let (decoded, mut invalid) = decode(verifier, self.items);
        let points = count(&decoded);
        let (claims, malformed) = prepare(verifier, decoded);
        invalid.extend(malformed);
        if !claims.is_empty() {
            let batch = Batch::new(verifier, claims, points);
            invalid.extend(batch.invalid().into_iter().map(|i| (batch.claims[i].0, verifier.equation_error())));
        }
        invalid.sort_by_key(|(index, _)| *index);
        if invalid.is_empty() { Ok(()) } else { Err(Blame::Items(invalid)) }
    }
}

/// Verifies all of these as one batch without limits: what a `verify_batch` is.
///
/// # Errors
/// An empty batch, the first malformed item, or the sum.
pub(crate) fn verify_all<'a, V: Deref<Target: Verifier>>(
    verifier: V,
    statements: impl IntoIterator<Item = <V::Target as Verifier>::Statement<'a>>,
) -> Result<(), BatchError<ErrorOf<V>>> {
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    for (index, statement) in statements.into_iter().enumerate() {
        batch.push(statement).map_err(|error| BatchError::Item { index, error: error.malformed() })?;
    }
    batch.close()
}

/// The verdict on the only item of a batch. It is [`verify_all`] of one statement, so it isn't empty.
pub(crate) fn only<E>(verdict: Result<(), BatchError<E>>, equation: E) -> Result<(), E> {
    verdict.map_err(|error| match error {
        BatchError::Item { error, .. } => error,
        BatchError::Empty | BatchError::Equation => equation,
    })
}

impl<V: Deref<Target: Verifier>> fmt::Debug for Accumulator<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator").field("items", &self.items.len()).field("bytes", &self.bytes).finish()
    }
}

/// Items that are worth a thread of their own; fewer wouldn't fill the lanes.
const SHARE: usize = 16;

type PointOf<V> = <<V as Verifier>::Group as Group>::Point;
/// Items with their points, or claims, under their index in the batch.
type Indexed<T> = Vec<(usize, T)>;

/// Decodes the points of all items; the items that have a bad one.
#[expect(clippy::type_complexity, reason = "used twice")]
fn decode<V: Verifier>(verifier: &V, items: Vec<V::Item>) -> (Indexed<(V::Item, Vec<PointOf<V>>)>, Indexed<V::Error>) {
    let encodings: Vec<[u8; 32]> = items.iter().flat_map(|item| verifier.encodings(item)).copied().collect();
    let mut points = PointOf::<V>::decode_batch(&encodings).into_iter();
    let (mut good, mut bad) = (Vec::with_capacity(items.len()), Vec::new());
    for (index, item) in items.into_iter().enumerate() {
        let count = verifier.encodings(&item).len();
        let (mut own, mut undecodable) = (Vec::with_capacity(count), None);
        for (at, point) in points.by_ref().take(count).enumerate() {
            match point {
                Some(point) => own.push(point),
                None => undecodable = undecodable.or(Some(at)),
            }
        }
        match undecodable {
            Some(at) => bad.push((index, verifier.point_error(&item, at))),
            None => good.push((index, (item, own))),
        }
    }
    (good, bad)
}

fn count<T, P>(items: &[(usize, (T, Vec<P>))]) -> usize {
    items.iter().map(|(_, (_, points))| points.len()).sum()
}

/// Computes the challenges of all items; the items for which that fails.
fn prepare<V: Verifier>(
    verifier: &V,
    items: Indexed<(V::Item, Vec<PointOf<V>>)>,
) -> (Indexed<V::Claim>, Indexed<V::Error>) {
    let (indices, items): (Vec<usize>, Vec<_>) = items.into_iter().unzip();
    let claims = map_parts(items, SHARE, |items| verifier.prepare(items));
    assert_eq!(claims.len(), indices.len(), "a verifier answers for every item");
    let (mut good, mut bad) = (Vec::with_capacity(claims.len()), Vec::new());
    for (index, claim) in indices.into_iter().zip(claims) {
        match claim {
            Ok(claim) => good.push((index, claim)),
            Err(error) => bad.push((index, error)),
        }
    }
    (good, bad)
}

/// Whether all these claims hold: what [`Accumulator::close`] ends with, for verifiers that decode and prepare by
/// themselves because they need the claims for more. Nothing doesn't hold.
pub(crate) fn holds_vartime<V: Verifier>(verifier: &V, claims: Vec<V::Claim>) -> bool {
    let batch = Batch::new(verifier, claims.into_iter().enumerate().collect(), 0);
    !batch.claims.is_empty() && batch.is_zero(&batch.sum_vartime(0..batch.claims.len()))
}

/// Well-formed items with the weights of their equations.
struct Batch<'a, V: Verifier> {
    verifier: &'a V,
    claims: Indexed<V::Claim>,
    weights: Vec<Vec<Scalar>>,
    /// About as many as all claims together bring into the sum.
    points: usize,
}

impl<'a, V: Verifier> Batch<'a, V> {
    fn new(verifier: &'a V, claims: Indexed<V::Claim>, points: usize) -> Batch<'a, V> {
        let weights = weights::draw(verifier, &claims);
        Batch { verifier, claims, weights, points }
    }

    /// The weighted sum of the equations of these claims.
    fn sum_vartime(&self, range: Range<usize>) -> EdwardsPoint {
        let claims = self.claims[range.clone()].iter().zip(&self.weights[range]);
        let weighted: Vec<_> = claims.map(|((_, claim), weights)| Weighted { claim, weights }).collect();
        let sum: Sum<V::Group> = sum_of_parts(weighted.len(), SHARE, |part| {
            let mut sum = Sum::with_capacity(self.points * part.len() / self.claims.len());
            self.verifier.add(&weighted[part], &mut sum);
            sum
        });
        sum.evaluate_vartime()
    }

    fn is_zero(&self, sum: &EdwardsPoint) -> bool {
        V::Group::is_zero(sum)
    }

    /// The positions of all claims that don't hold.
    fn invalid(&self) -> Vec<usize> {
        let all = 0..self.claims.len();
        let total = self.sum_vartime(all.clone());
        let mut found = Vec::new();
        blame::search(all, &total, &mut |part| self.sum_vartime(part), &|sum| self.is_zero(sum), &mut found);
        found
    }
}

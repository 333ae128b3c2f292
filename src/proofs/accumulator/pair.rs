//! Proofs of two kinds in one sum.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::{Group, Sum, Verifier, Weighted};

/// One of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Either<A, B> {
    /// Of the first kind.
    First(A),
    /// Of the second.
    Second(B),
}

/// The verifier of a batch in which proofs of two kinds are mixed. They merge because they agree in their [`Group`].
///
/// Three kinds are a pair of a kind and a pair.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a, A, B> {
    first: &'a A,
    second: &'a B,
}

impl<'a, A, B> Pair<'a, A, B> {
    /// Both.
    pub const fn new(first: &'a A, second: &'a B) -> Pair<'a, A, B> {
        Pair { first, second }
    }
}

/// What may be wrong with a proof of either kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairError<A, B> {
    /// One of the first kind is malformed.
    First(A),
    /// One of the second kind is malformed.
    Second(B),
    /// One of either kind is well formed, and its equations don't hold.
    Equation,
}

impl<A: fmt::Display, B: fmt::Display> fmt::Display for PairError<A, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairError::First(error) => error.fmt(f),
            PairError::Second(error) => error.fmt(f),
            PairError::Equation => f.write_str("the verification equations do not hold"),
        }
    }
}

impl<A: Error, B: Error> Error for PairError<A, B> {}

type PointOf<V> = <<V as Verifier>::Group as Group>::Point;

impl<A: Verifier, B: Verifier<Group = A::Group>> Verifier for Pair<'_, A, B> {
    type Group = A::Group;
    type Statement<'a> = Either<A::Statement<'a>, B::Statement<'a>>;
    type Item = Either<A::Item, B::Item>;
    type Claim = Either<A::Claim, B::Claim>;
    type Error = PairError<A::Error, B::Error>;

    fn equation_error(&self) -> Self::Error {
        PairError::Equation
    }

    fn check(&self, statement: Self::Statement<'_>) -> Result<Self::Item, Self::Error> {
        match statement {
            Either::First(statement) => self.first.check(statement).map(Either::First).map_err(PairError::First),
            Either::Second(statement) => self.second.check(statement).map(Either::Second).map_err(PairError::Second),
        }
    }

    fn encodings<'a>(&self, item: &'a Self::Item) -> &'a [[u8; 32]] {
        match item {
            Either::First(item) => self.first.encodings(item),
            Either::Second(item) => self.second.encodings(item),
        }
    }

    fn point_error(&self, item: &Self::Item, index: usize) -> Self::Error {
        match item {
            Either::First(item) => PairError::First(self.first.point_error(item, index)),
            Either::Second(item) => PairError::Second(self.second.point_error(item, index)),
        }
    }

    fn heap_bytes(&self, item: &Self::Item) -> usize {
        match item {
            Either::First(item) => self.first.heap_bytes(item),
            Either::Second(item) => self.second.heap_bytes(item),
        }
    }

    fn prepare(&self, items: Vec<(Self::Item, Vec<PointOf<A>>)>) -> Vec<Result<Self::Claim, Self::Error>> {
        let (mut first, mut second, mut kinds) = (Vec::new(), Vec::new(), Vec::with_capacity(items.len()));
        for (item, points) in items {
            kinds.push(matches!(item, Either::First(_)));
            match item {
                Either::First(item) => first.push((item, points)),
                Either::Second(item) => second.push((item, points)),
            }
        }
        let (mut first, mut second) = (self.first.prepare(first).into_iter(), self.second.prepare(second).into_iter());
        let answer = "a verifier answers for every item";
        kinds
            .into_iter()
            .map(|is_first| match is_first {
                true => first.next().expect(answer).map(Either::First).map_err(PairError::First),
                false => second.next().expect(answer).map(Either::Second).map_err(PairError::Second),
            })
            .collect()
    }

    fn bind(&self, claim: &Self::Claim, out: &mut Vec<u8>) {
        match claim {
            Either::First(claim) => {
                out.push(1);
                self.first.bind(claim, out);
            }
            Either::Second(claim) => {
                out.push(2);
                self.second.bind(claim, out);
            }
        }
    }

    fn equations(&self, claim: &Self::Claim) -> usize {
        match claim {
            Either::First(claim) => self.first.equations(claim),
            Either::Second(claim) => self.second.equations(claim),
        }
    }

    fn add(&self, claims: &[Weighted<'_, Self::Claim>], sum: &mut Sum<Self::Group>) {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for Weighted { claim, weights } in claims {
            match claim {
                Either::First(claim) => first.push(Weighted { claim, weights }),
                Either::Second(claim) => second.push(Weighted { claim, weights }),
            }
        }
        if !first.is_empty() {
            self.first.add(&first, sum);
        }
        if !second.is_empty() {
            self.second.add(&second, sum);
        }
    }
}

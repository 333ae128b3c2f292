//! What the validators of mock transactions have in common: stages, each for those that passed the ones before, and one sum
//! for those proofs of all that are checked by sums.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use super::failure::{BatchError, Failure};
use crate::proofs::accumulator::{Accumulator, Blame, EdwardsCofactored, Either, Limits, Pair, PairError, Verifier};
use crate::proofs::bulletproofs_plus::monero::{self, Divided};

/// The range proofs' generators, for as many amounts as a transaction may have.
pub(super) fn range_generators() -> &'static monero::Generators {
    static SHARED: OnceBox<monero::Generators> = OnceBox::new();
    SHARED.get_or_init(|| {
        Box::new(monero::Generators::new(monero::MAX_OUTPUTS_EXTENDED).expect("a number of outputs in range"))
    })
}

/// Transactions under validation: each stage looks at those that failed none before.
pub(super) struct Batch<'a, T, C> {
    txs: &'a [T],
    failed: Vec<bool>,
    failures: Vec<Failure<C>>,
}

impl<'a, T, C> Batch<'a, T, C> {
    /// Nothing failed yet; an empty batch is refused.
    pub(super) fn new(txs: &'a [T]) -> Result<Batch<'a, T, C>, BatchError<C>> {
        if txs.is_empty() {
            return Err(BatchError::Empty);
        }
        Ok(Batch { txs, failed: vec![false; txs.len()], failures: Vec::new() })
    }

    /// All transactions, failed or not.
    pub(super) fn txs(&self) -> &'a [T] {
        self.txs
    }

    pub(super) fn fail(&mut self, transaction: usize, check: C) {
        self.failed[transaction] = true;
        self.failures.push(Failure { transaction, check });
    }

    /// The transactions that failed no check so far.
    pub(super) fn good(&self) -> Vec<usize> {
        (0..self.txs.len()).filter(|i| !self.failed[*i]).collect()
    }

    pub(super) fn each(&mut self, mut check: impl FnMut(&'a T, usize) -> Result<(), C>) {
        for i in self.good() {
            if let Err(failed) = check(&self.txs[i], i) {
                self.fail(i, failed);
            }
        }
    }

    /// Membership proofs, which are the first of each pair, and range proofs of the good transactions, as one sum.
    /// `failure` names a proof by its number among those of its kind and its transaction.
    pub(super) fn sum<'s, V: Verifier<Group = EdwardsCofactored>>(
        &mut self,
        membership: &V,
        proofs: impl Fn(usize) -> Vec<Either<V::Statement<'s>, monero::Statement<'s>>>,
        failure: impl Fn(usize, Either<V::Error, monero::VerifyError>) -> C,
    ) {
        let ranges = Divided(range_generators());
        let numbered = |i| {
            let mut counts = [0; 2];
            let number = |statement| {
                let is_range = matches!(statement, Either::Second(_));
                let count = &mut counts[usize::from(is_range)];
                *count += 1;
                ((is_range, *count - 1), statement)
            };
            proofs(i).into_iter().map(number).collect()
        };
        self.sum_of(&Pair::new(membership, &ranges), numbered, |&(is_range, number), error| {
            let error = match error {
                PairError::First(error) => Either::First(error),
                PairError::Second(error) => Either::Second(error),
                PairError::Equation if is_range => Either::Second(ranges.equation_error()),
                PairError::Equation => Either::First(membership.equation_error()),
            };
            failure(number, error)
        });
    }

    /// Proofs of the good transactions as one sum, each with what `failure` needs to name it.
    pub(super) fn sum_of<'s, V: Verifier, P>(
        &mut self,
        verifier: &V,
        proofs: impl Fn(usize) -> Vec<(P, V::Statement<'s>)>,
        failure: impl Fn(&P, V::Error) -> C,
    ) {
        let mut batch = Accumulator::new(verifier, Limits::NONE);
        let mut places = Vec::new();
        for i in self.good() {
            for (place, statement) in proofs(i) {
                match batch.push(statement) {
                    Ok(_) => places.push((i, place)),
                    Err(error) => self.fail(i, failure(&place, error.malformed())),
                }
            }
        }
        if batch.is_empty() {
            // Every proof was refused already, or there is no transaction left: that is noted.
            return;
        }
        if let Err(Blame::Items(items)) = batch.close_and_blame() {
            for (at, error) in items {
                let (i, place) = &places[at];
                self.fail(*i, failure(place, error));
            }
        }
    }

    /// Refuses what spends the same as a valid transaction before it. The last check, as an invalid one spends nothing.
    /// `check` is of an input and of the transaction that came first.
    pub(super) fn spent_once(&mut self, tags: impl Fn(usize) -> Vec<[u8; 32]>, check: impl Fn(usize, usize) -> C) {
        let mut seen = BTreeMap::new();
        for i in self.good() {
            let tags = tags(i);
            let first = tags.iter().enumerate().find_map(|(input, tag)| Some((input, *seen.get(tag)?)));
            match first {
                Some((input, by)) => self.fail(i, check(input, by)),
                None => seen.extend(tags.into_iter().map(|tag| (tag, i))),
            }
        }
    }

    /// What failed, by ascending transaction.
    pub(super) fn failures(mut self) -> Vec<Failure<C>> {
        self.failures.sort_by_key(|failure| failure.transaction);
        self.failures
    }

    /// Nothing, or what failed.
    pub(super) fn verdict(self) -> Result<(), BatchError<C>> {
        let failures = self.failures();
        if failures.is_empty() { Ok(()) } else { Err(BatchError::Invalid(failures)) }
    }
}

/// The verdict on the only transaction of a batch: the first failed check.
pub(super) fn only<C>(verdict: Result<(), BatchError<C>>) -> Result<(), C> {
    match verdict {
        Ok(()) => Ok(()),
        Err(BatchError::Invalid(mut failures)) => Err(failures.swap_remove(0).check),
        Err(BatchError::Empty) => unreachable!("a batch of one"),
    }
}

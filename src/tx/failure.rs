//! What failed in a batch of mock transactions, all of it named.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// One failed check of one transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure<C> {
    /// The transaction's index in the batch.
    pub transaction: usize,
    /// What it failed.
    pub check: C,
}

impl<C: fmt::Display> fmt::Display for Failure<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "transaction {}: {}", self.transaction, self.check)
    }
}

/// Why a batch of transactions was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchError<C> {
    /// There is nothing to verify. Refused, so that a lost input never reads as valid.
    Empty,
    /// Failed checks, by ascending transaction, at least one. A transaction that failed a cheap check was not looked at
    /// further. All transactions that are not named are valid.
    Invalid(Vec<Failure<C>>),
}

impl<C: fmt::Display> fmt::Display for BatchError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => f.write_str("the batch is empty"),
            BatchError::Invalid(failures) => {
                f.write_str("invalid transactions of the batch:")?;
                failures.iter().try_for_each(|failure| write!(f, "\n{failure}"))
            }
        }
    }
}

impl<C: Error> Error for BatchError<C> {}

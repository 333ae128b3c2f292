//! The error of batches whose items are verified each by itself, side by side.

use core::error::Error;
use core::fmt;

/// Why a batch was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError<E> {
    /// There is nothing to verify. Refused, so that a lost input never reads as valid.
    Empty,
    /// This item is invalid. Others may be, too.
    Item {
        /// Its index in the batch.
        index: usize,
        /// What is wrong with it.
        error: E,
    },
}

impl<E: fmt::Display> fmt::Display for BatchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => f.write_str("the batch is empty"),
            BatchError::Item { index, error } => write!(f, "item {index}: {error}"),
        }
    }
}

impl<E: Error> Error for BatchError<E> {}

//! What can be wrong with a transaction, and where.

use core::error::Error;
use core::fmt;

use super::{MAX_INPUTS, MAX_OUTPUTS};
use crate::proofs::bulletproofs_plus::monero;

/// A check that a transaction failed. Inputs, outputs and proofs are counted from 0. `E` is what may be wrong with the proof of
/// an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check<E> {
    /// No input, or more than [`MAX_INPUTS`].
    Inputs(usize),
    /// No output, or more than [`MAX_OUTPUTS`].
    Outputs(usize),
    /// The range proofs are not on as many amounts as there are outputs.
    Amounts {
        /// Commitments under all of them.
        found: usize,
        /// Outputs.
        expected: usize,
    },
    /// This input has not as many indices as rings of the transaction have members.
    RingSize(usize),
    /// The indices of this input descend somewhere.
    RingOrder(usize),
    /// The ledger has no such output of this protocol.
    Missing {
        /// The input that refers to it.
        input: usize,
        /// Its index.
        index: u64,
    },
    /// The commitment or tag of this input is not the canonical encoding of a curve point.
    InputPoint(usize),
    /// The key of this output is not the canonical encoding of a curve point.
    OutputPoint(usize),
    /// The V of this output is not the canonical encoding of a curve point.
    AmountPoint(usize),
    /// Eight times the V of this output is not its commitment.
    AmountCommitment(usize),
    /// The tag of this input was spent before.
    Spent(usize),
    /// The tag of this input is that of an input before it.
    SpentTwice(usize),
    /// A valid transaction before this one in the batch has the tag of this input.
    SpentInBatch {
        /// The input.
        input: usize,
        /// That transaction.
        transaction: usize,
    },
    /// Inputs and outputs do not balance.
    Balance,
    /// The proof of this input is invalid.
    Membership {
        /// The input.
        input: usize,
        /// Why.
        error: E,
    },
    /// A range proof is invalid.
    Range {
        /// Which.
        proof: usize,
        /// Why.
        error: monero::VerifyError,
    },
}

impl<E: fmt::Display> fmt::Display for Check<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Inputs(found) => write!(f, "{found} inputs, expected 1 to {MAX_INPUTS}"),
            Check::Outputs(found) => write!(f, "{found} outputs, expected 1 to {MAX_OUTPUTS}"),
            Check::Amounts { found, expected } => write!(f, "range proofs on {found} amounts, expected {expected}"),
            Check::RingSize(input) => write!(f, "the ring of input {input} has the wrong size"),
            Check::RingOrder(input) => write!(f, "the ring of input {input} is not sorted"),
            Check::Missing { input, index } => {
                write!(f, "the ring of input {input} names output {index}, which isn't there")
            }
            Check::InputPoint(input) => {
                write!(f, "commitment or tag of input {input} is not a canonical point encoding")
            }
            Check::OutputPoint(output) => write!(f, "the key of output {output} is not a canonical point encoding"),
            Check::AmountPoint(output) => write!(f, "V of output {output} is not a canonical point encoding"),
            Check::AmountCommitment(output) => write!(f, "V of output {output} does not belong to its commitment"),
            Check::Spent(input) => write!(f, "the linking tag of input {input} was spent before"),
            Check::SpentTwice(input) => write!(f, "the linking tag of input {input} is that of an input before it"),
            Check::SpentInBatch { input, transaction } => {
                write!(f, "the linking tag of input {input} is spent by transaction {transaction} of the batch")
            }
            Check::Balance => f.write_str("inputs and outputs do not balance"),
            Check::Membership { input, error } => write!(f, "proof of input {input}: {error}"),
            Check::Range { proof, error } => write!(f, "range proof {proof}: {error}"),
        }
    }
}

impl<E: Error> Error for Check<E> {}

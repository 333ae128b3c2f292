//! What can be wrong with a transaction, and where.

use core::error::Error;
use core::fmt;

use crate::proofs::bulletproofs_plus::monero as range;
use crate::proofs::clsag;

/// A part of a transaction that should be a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The one-time key of this output.
    OutputKey(usize),
    /// The commitment of this output.
    Commitment(usize),
    /// The pseudo-output of this input.
    PseudoOut(usize),
    /// The key image of this input.
    KeyImage(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::OutputKey(i) => write!(f, "the key of output {i}"),
            Part::Commitment(i) => write!(f, "the commitment of output {i}"),
            Part::PseudoOut(i) => write!(f, "the pseudo-output of input {i}"),
            Part::KeyImage(i) => write!(f, "the key image of input {i}"),
        }
    }
}

/// Why a transaction was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// It spends nothing.
    NoInputs,
    /// Fewer than 2 or more than 16 outputs.
    Outputs(usize),
    /// This output is of another kind than the first: with view tag, or without.
    OutputKind(usize),
    /// The plain amounts of the inputs add up to 2^64 or more.
    AmountOverflow,
    /// This input's ring is empty, or not of the first one's size.
    RingSize {
        /// The input.
        input: usize,
        /// Members of its ring.
        found: usize,
        /// Members of the first input's ring.
        expected: usize,
    },
    /// A member of this input's ring is the one before it.
    RepeatedMember {
        /// The input.
        input: usize,
        /// The member.
        member: usize,
    },
    /// The key image of this input is not below the one before it, bytewise.
    KeyImageOrder(usize),
    /// Not the canonical encoding of a curve point.
    Point(Part),
    /// The key image of this input is the neutral element.
    IdentityImage(usize),
    /// The key image of this input is outside the subgroup of prime order.
    TorsionImage(usize),
    /// Inputs are not outputs and fee.
    Balance,
    /// The range proof doesn't hold.
    RangeProof(range::VerifyError),
    /// Not one ring was given for each input.
    Rings {
        /// Rings given.
        found: usize,
        /// Inputs there are.
        expected: usize,
    },
    /// The ring given for this input is not of the size that its offsets say.
    RingGiven {
        /// The input.
        input: usize,
        /// Members of the ring given.
        found: usize,
        /// Offsets there are.
        expected: usize,
    },
    /// The ring signature of this input doesn't hold.
    Signature {
        /// The input.
        input: usize,
        /// What is wrong with it.
        error: clsag::VerifyError,
    },
    /// An earlier, valid transaction of the same batch has this input's key image.
    SpentInBatch {
        /// The input.
        input: usize,
        /// The index of the other transaction.
        by: usize,
    },
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::NoInputs => f.write_str("no input"),
            VerifyError::Outputs(found) => write!(f, "{found} outputs, expected 2 to {}", range::MAX_OUTPUTS),
            VerifyError::OutputKind(i) => write!(f, "output {i} is of another kind than output 0"),
            VerifyError::AmountOverflow => f.write_str("the inputs' plain amounts add up to 2^64 or more"),
            VerifyError::RingSize { input, found, expected } => {
                write!(f, "input {input}: a ring of {found} beside one of {expected}")
            }
            VerifyError::RepeatedMember { input, member } => {
                write!(f, "input {input}: ring member {member} is repeated")
            }
            VerifyError::KeyImageOrder(i) => {
                write!(f, "the key image of input {i} is not below that of input {}", i - 1)
            }
            VerifyError::Point(part) => write!(f, "{part} is not a canonical point encoding"),
            VerifyError::IdentityImage(i) => write!(f, "the key image of input {i} is the identity"),
            VerifyError::TorsionImage(i) => write!(f, "the key image of input {i} is not of prime order"),
            VerifyError::Balance => f.write_str("inputs are not the sum of outputs and fee"),
            VerifyError::RangeProof(error) => write!(f, "range proof: {error}"),
            VerifyError::Rings { found, expected } => write!(f, "{found} rings given for {expected} inputs"),
            VerifyError::RingGiven { input, found, expected } => {
                write!(f, "input {input}: a ring of {found} given for {expected} offsets")
            }
            VerifyError::Signature { input, error } => write!(f, "signature of input {input}: {error}"),
            VerifyError::SpentInBatch { input, by } => {
                write!(f, "input {input} is spent by transaction {by} of the batch too")
            }
        }
    }
}

impl Error for VerifyError {}

/// Why a batch was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// There is nothing to verify. Refused, so that a lost input never reads as valid.
    Empty,
    /// This transaction is invalid, and none before it. Others may be invalid too.
    Transaction {
        /// Its index in the batch.
        index: usize,
        /// What is wrong with it.
        error: VerifyError,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => f.write_str("the batch is empty"),
            BatchError::Transaction { index, error } => write!(f, "transaction {index}: {error}"),
        }
    }
}

impl Error for BatchError {}

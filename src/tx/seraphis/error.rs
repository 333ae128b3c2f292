//! What can be wrong with a transaction, and where.

use core::error::Error;
use core::fmt;

use super::{MAX_INPUTS, MAX_OUTPUTS};
use crate::proofs::bulletproofs_plus::monero;
use crate::proofs::{grootle, schnorr};
use crate::tx::failure;

/// A check that a transaction failed. Inputs, outputs and proofs are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check {
    /// No input, or more than [`MAX_INPUTS`].
    Inputs(usize),
    /// No output, or more than [`MAX_OUTPUTS`].
    Outputs(usize),
    /// Not one membership proof for each input.
    Memberships(usize),
    /// Not as many composition proofs as the kind asks for.
    OwnershipProofs(usize),
    /// Not one R for each output.
    Pubkeys(usize),
    /// The range proofs are not on as many amounts as the kind asks for.
    Amounts {
        /// Commitments under all of them.
        found: usize,
        /// What the kind asks for.
        expected: usize,
    },
    /// This range proof, which is not the last, is not on as many amounts as the first.
    RangeGroup(usize),
    /// A remainder is missing, or there is one in a Merge transaction.
    Remainder,
    /// The remainder is not below the group order.
    RemainderRange,
    /// This membership proof has not as many indices as the shape says.
    RingSize(usize),
    /// The indices of this membership proof descend somewhere.
    RingOrder(usize),
    /// The tag of this input is not above that of the one before: unsorted, or the same twice.
    TagOrder(usize),
    /// The tag of this input was spent before.
    Spent(usize),
    /// A valid transaction before this one in the batch has the tag of this input.
    SpentInBatch {
        /// The input.
        input: usize,
        /// That transaction.
        transaction: usize,
    },
    /// The ledger has no such output.
    Missing {
        /// The membership proof that refers to it.
        input: usize,
        /// Its index.
        index: u64,
    },
    /// The masked address or commitment of this input is the neutral element.
    IdentityImage(usize),
    /// The sum of masked address and commitment of this input, which is the offset of its proof, is the neutral element.
    IdentityOffset(usize),
    /// The masked address or commitment of this input is not the canonical encoding of a curve point.
    ImagePoint(usize),
    /// The address of this output is not the canonical encoding of a curve point.
    OutputPoint(usize),
    /// The V of this amount is not the canonical encoding of a curve point.
    AmountPoint(usize),
    /// Eight times the V of this amount is not its commitment.
    AmountCommitment(usize),
    /// Inputs and outputs do not balance.
    Balance,
    /// A composition proof is invalid.
    Ownership {
        /// Which.
        proof: usize,
        /// Why.
        error: schnorr::VerifyError,
    },
    /// A membership proof is invalid.
    Membership {
        /// Which.
        proof: usize,
        /// Why.
        error: grootle::VerifyError,
    },
    /// A range proof is invalid.
    Range {
        /// Which.
        proof: usize,
        /// Why.
        error: monero::VerifyError,
    },
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Inputs(found) => write!(f, "{found} inputs, expected 1 to {MAX_INPUTS}"),
            Check::Outputs(found) => write!(f, "{found} outputs, expected 1 to {MAX_OUTPUTS}"),
            Check::Memberships(found) => write!(f, "{found} membership proofs, expected one for each input"),
            Check::OwnershipProofs(found) => {
                write!(f, "{found} composition proofs, which is not the number of the kind")
            }
            Check::Pubkeys(found) => write!(f, "{found} enote public keys, expected one for each output"),
            Check::Amounts { found, expected } => write!(f, "range proofs on {found} amounts, expected {expected}"),
            Check::RangeGroup(proof) => write!(f, "range proof {proof} is not on as many amounts as the first"),
            Check::Remainder => f.write_str("a remainder is missing, or there is one that must not be"),
            Check::RemainderRange => f.write_str("the remainder is not below the group order"),
            Check::RingSize(input) => write!(f, "the ring of input {input} has the wrong size"),
            Check::RingOrder(input) => write!(f, "the ring of input {input} is not sorted"),
            Check::TagOrder(input) => write!(f, "the linking tag of input {input} is not above the one before"),
            Check::Spent(input) => write!(f, "the linking tag of input {input} was spent before"),
            Check::SpentInBatch { input, transaction } => {
                write!(f, "the linking tag of input {input} is spent by transaction {transaction} of the batch")
            }
            Check::Missing { input, index } => {
                write!(f, "the ring of input {input} names output {index}, which isn't there")
            }
            Check::IdentityImage(input) => write!(f, "the image of input {input} is the neutral element"),
            Check::IdentityOffset(input) => write!(f, "the parts of the image of input {input} cancel"),
            Check::ImagePoint(input) => write!(f, "the image of input {input} is not a canonical point encoding"),
            Check::OutputPoint(output) => write!(f, "the address of output {output} is not a canonical point encoding"),
            Check::AmountPoint(amount) => write!(f, "V of amount {amount} is not a canonical point encoding"),
            Check::AmountCommitment(amount) => write!(f, "V of amount {amount} does not belong to its commitment"),
            Check::Balance => f.write_str("inputs and outputs do not balance"),
            Check::Ownership { proof, error } => write!(f, "composition proof {proof}: {error}"),
            Check::Membership { proof, error } => write!(f, "membership proof {proof}: {error}"),
            Check::Range { proof, error } => write!(f, "range proof {proof}: {error}"),
        }
    }
}

impl Error for Check {}

impl Check {
    /// The rule by which a transaction is refused here and not by the reference's validator, as `docs/differences.md` calls it.
    pub fn difference(&self) -> Option<&'static str> {
        match self {
            Check::Inputs(1..) | Check::Outputs(1..) => Some("limits"),
            Check::RemainderRange => Some("remainder-range"),
            Check::SpentInBatch { .. } => Some("batch-tags"),
            Check::IdentityOffset(_) => Some("identity-offset"),
            Check::OutputPoint(_) => Some("output-address"),
            // The validator looks at the order of tags, if the proof's verifier doesn't.
            Check::Ownership { error, .. } => error.difference().filter(|rule| *rule != "tag-order"),
            _ => None,
        }
    }
}

/// One failed check of one transaction.
pub type Failure = failure::Failure<Check>;

/// Why a batch of transactions was refused.
pub type BatchError = failure::BatchError<Check>;

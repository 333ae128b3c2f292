//! The mock transaction of the Seraphis performance study over Triptych: ring signatures on outputs as Monero has them.
//!
//! An input is a pseudo-commitment C' and a linking tag J/8; [`triptych`](crate::proofs::triptych) shows for each that a member
//! of its ring has the tag, and a commitment equal to C' but for the mask. Σ C' = Σ C, and range proofs are on the outputs.
//! There is no live network that speaks it. As in the study, proofs sign a message of zeros: what is measured is the work of a
//! node, and a protocol made of these parts would sign its transaction.
//!
//! [`verify_batch`] makes one multiscalar sum of all Triptych and range proofs of all transactions. The reference verifies
//! rings one by one, looks up no tag and finds none that is there twice; here tags are checked against the ledger, within
//! a transaction and across the batch. It also counts n cells a row for the size of a proof, where n − 1 are transmitted:
//! [`Transaction::size`] is the true one.

#[cfg(feature = "rand_core")]
mod build;
mod verify;

use alloc::vec::Vec;

use crate::proofs::one_of_many::Shape;
use crate::proofs::triptych::{Proof, VerifyError};
use crate::tx::failure;
use crate::tx::ledger::Protocol;
use crate::tx::ring_inputs::{self, Image, RingTransaction};
pub use crate::tx::ring_inputs::{MAX_INPUTS, MAX_OUTPUTS, Output};
pub use crate::tx::seraphis::Range;

#[cfg(feature = "rand_core")]
pub use build::{BuildError, Mock};
pub(super) use verify::{proof_failure, proofs};
pub use verify::{verify, verify_batch};

/// A check that a transaction failed.
pub type Check = ring_inputs::Check<VerifyError>;

/// One failed check of one transaction.
pub type Failure = failure::Failure<Check>;

/// Why a batch of transactions was refused.
pub type BatchError = failure::BatchError<Check>;

/// An input with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// C', a commitment to the amount that is spent.
    pub commitment: [u8; 32],
    /// J/8, the linking tag divided by 8: whatever is sent, eight times it lies in the subgroup of prime order.
    pub tag_eighth: [u8; 32],
    /// The ring: indices of the ledger, ascending; one may repeat.
    pub indices: Vec<u64>,
    /// The proof.
    pub proof: Proof,
}

/// A transaction. Nothing about it is checked before [`verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The shape of its rings.
    pub shape: Shape,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The outputs.
    pub outputs: Vec<Output>,
    /// Range proofs on all outputs, in order.
    pub ranges: Vec<Range>,
}

impl Transaction {
    /// The bytes of images, outputs and proofs; no fee, no memo, no ring indices.
    pub fn size(&self) -> usize {
        ring_inputs::size(self) + self.inputs.len() * Proof::size(&self.shape)
    }
}

impl RingTransaction for Transaction {
    type Error = VerifyError;
    const PROTOCOL: Protocol = Protocol::Triptych;

    fn ring_size(&self) -> usize {
        self.shape.ring_size()
    }

    fn images(&self) -> impl ExactSizeIterator<Item = Image<'_>> {
        self.inputs.iter().map(|Input { commitment, tag_eighth, indices, .. }| Image {
            commitment,
            tag_eighth,
            indices,
        })
    }

    fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    fn ranges(&self) -> &[Range] {
        &self.ranges
    }
}

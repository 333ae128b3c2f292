//! The mock transaction of the Seraphis performance study over CLSAG: what the study compares the others with.
//!
//! An input is a pseudo-commitment C' and a key image I/8; a [`clsag`](crate::proofs::clsag) signature shows for each that a
//! member of its ring has the key image, and a commitment equal to C' but for the mask. Σ C' = Σ C, and range proofs are on the
//! outputs. As in the study, signatures are over a message of zeros; for the transactions of the live network, which sign
//! themselves, see [`tx::monero`](crate::tx::monero).
//!
//! [`verify_batch`] runs the signatures of all transactions side by side, which is all that can be done for them together, and
//! makes one multiscalar sum of all range proofs. The reference verifies rings one by one and looks up no key image;
//! here they are checked against the ledger, within a transaction and across the batch. A signature is valid or not as the
//! network's function says; that a key image lies in the subgroup of prime order follows from its being eight times a point.

#[cfg(feature = "rand_core")]
mod build;
mod verify;

use alloc::vec::Vec;

use crate::proofs::clsag::{Clsag, RingMember, VerifyError};
use crate::tx::failure;
use crate::tx::ledger::Protocol;
use crate::tx::ring_inputs::{self, Image, RingTransaction};
pub use crate::tx::ring_inputs::{MAX_INPUTS, MAX_OUTPUTS, Output};
pub use crate::tx::seraphis::Range;

#[cfg(feature = "rand_core")]
pub use build::{BuildError, Mock};
pub(super) use verify::signatures;
pub use verify::{verify, verify_batch};

/// A check that a transaction failed.
pub type Check = ring_inputs::Check<VerifyError>;

/// One failed check of one transaction.
pub type Failure = failure::Failure<Check>;

/// Why a batch of transactions was refused.
pub type BatchError = failure::BatchError<Check>;

/// An input with its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// C', a commitment to the amount that is spent.
    pub commitment: [u8; 32],
    /// I/8, the key image divided by 8: whatever is sent, eight times it lies in the subgroup of prime order.
    pub tag_eighth: [u8; 32],
    /// The ring: indices of the ledger, ascending; one may repeat.
    pub indices: Vec<u64>,
    /// The signature.
    pub signature: Clsag,
}

/// A transaction. Nothing about it is checked before [`verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The members of each of its rings.
    pub ring_size: usize,
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
        ring_inputs::size(self) + self.inputs.len() * 32 * (2 + self.ring_size)
    }
}

impl RingTransaction for Transaction {
    type Error = VerifyError;
    const PROTOCOL: Protocol = Protocol::Clsag;

    fn ring_size(&self) -> usize {
        self.ring_size
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

/// The members of rings, as signatures have them.
fn members(ring: &[[[u8; 32]; 2]]) -> Vec<RingMember> {
    ring.iter().map(|&[key, commitment]| RingMember { key, commitment }).collect()
}

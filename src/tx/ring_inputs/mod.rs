//! What mock transactions of Monero's kind have in common: an input is a pseudo-commitment, a linking tag and a ring of
//! outputs, Σ C' = Σ C, and range proofs are on the outputs. What shows that the tag belongs to a member of the ring, and
//! that the amounts are equal, differs: see [`clsag`](super::clsag) and [`triptych`](super::triptych).

#[cfg(feature = "rand_core")]
mod build;
mod error;
mod stages;

#[cfg(feature = "rand_core")]
pub use build::BuildError;
#[cfg(feature = "rand_core")]
pub(super) use build::{Spend, outputs_and_pseudo_openings};
pub use error::Check;
pub(super) use stages::{Parts, spent_once, stages};

use super::ledger::Protocol;
use super::seraphis::Range;

/// The most inputs of a transaction.
pub const MAX_INPUTS: usize = 112;

/// The most outputs of a transaction.
pub const MAX_OUTPUTS: usize = 128;

/// What the proofs sign.
pub(super) const MESSAGE: [u8; 32] = [0; 32];

/// A new output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// The one-time key.
    pub key: [u8; 32],
    /// The commitment to the amount.
    pub commitment: [u8; 32],
    /// The transaction's public key for this output.
    pub pubkey: [u8; 32],
    /// The amount, encoded for its receiver.
    pub amount: u64,
}

/// What of an input does not depend on the kind of its proof.
pub(super) struct Image<'a> {
    /// C'
    pub(super) commitment: &'a [u8; 32],
    /// The tag divided by 8.
    pub(super) tag_eighth: &'a [u8; 32],
    pub(super) indices: &'a [u64],
}

/// A transaction of this kind.
pub(super) trait RingTransaction {
    /// What may be wrong with the proof of an input.
    type Error;
    /// Whose outputs it spends.
    const PROTOCOL: Protocol;
    /// The members of each of its rings.
    fn ring_size(&self) -> usize;
    fn images(&self) -> impl ExactSizeIterator<Item = Image<'_>>;
    fn outputs(&self) -> &[Output];
    fn ranges(&self) -> &[Range];
}

/// The bytes of images, outputs and range proofs.
pub(super) fn size(tx: &impl RingTransaction) -> usize {
    let ranges: usize = tx.ranges().iter().map(|r| 32 * (6 + r.proof.l.len() + r.proof.r.len())).sum();
    64 * tx.images().len() + 104 * tx.outputs().len() + ranges
}

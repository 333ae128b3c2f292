//! The four mock transactions of the Seraphis performance study: Concise, Merge, Squashed, Plain.
//!
//! Inputs are *images* of enotes of a ledger: a masked address K', a masked commitment C' and a linking tag KI. Membership is
//! shown by [`grootle`], ownership by composition proofs ([`schnorr`](crate::proofs::schnorr)), amounts
//! by range proofs, balance by a sum of commitments. The protocol, messages and sizes are those of branch `seraphis_perf` of
//! `seraphis-migration/monero` at commit `86b253e`; there is no live network that speaks it.
//!
//! | | membership | ownership | balance |
//! |---|---|---|---|
//! | [`Kind::Concise`] | concise, address and commitment | a proof for each input | Σ C' = Σ C + p·G; range proofs on outputs |
//! | [`Kind::Plain`] | plain, address and commitment | as Concise | as Concise |
//! | [`Kind::Merge`] | concise, address and commitment | one proof for all inputs | Σ C' = Σ C; range proofs on outputs |
//! | [`Kind::Squashed`] | concise, on the squashed enote alone, offset K' + C' | as Concise | as Concise; range proofs on images, then outputs |
//!
//! # Validation
//! [`verify_batch`] checks, for many transactions together: counts, order and limits; linking tags against the ledger and
//! against each other; the balance; then composition proofs side by side; then all membership and range proofs of all
//! transactions as one multiscalar sum. What is found wrong is named by transaction, proof and check.
//!
//! # What differs from the reference
//! `docs/differences.md` names every rule and the test that shows it; [`Check::difference`] names the one by which something
//! is refused here only. With feature `reference_unsound`, `reference_unsound` answers as the reference does.

#[cfg(feature = "rand_core")]
mod build;
mod error;
mod message;
#[cfg(feature = "reference_unsound")]
pub mod reference_unsound;
mod semantics;
mod size;
mod verify;

use alloc::vec::Vec;

use crate::proofs::bulletproofs_plus::monero::{self, RangeProof};
use crate::proofs::grootle::{self, Form, System};
use crate::proofs::one_of_many::Shape;
use crate::proofs::schnorr::CompositionProof;

#[cfg(feature = "rand_core")]
pub use build::{BuildError, Input, Mock, Output, build};
#[cfg(feature = "rand_core")]
pub(crate) use build::{amounts, group, range};
pub use error::{BatchError, Check, Failure};
pub use message::{image_message, membership_message, squash, squashed, squashed_batch};
pub use size::size;
pub(super) use verify::{Rules, proof_failure, stages};
pub use verify::{verify, verify_batch};

/// The most inputs of a transaction.
pub const MAX_INPUTS: usize = 112;

/// The most outputs of a transaction. With [`MAX_INPUTS`] it makes 128 amounts, the most of one range proof.
pub const MAX_OUTPUTS: usize = 16;

/// The kind of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Concise membership proofs over pairs.
    Concise,
    /// Plain membership proofs over pairs.
    Plain,
    /// Ownership of all inputs in one proof, no remainder.
    Merge,
    /// Membership proofs over squashed enotes.
    Squashed,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Concise, Kind::Plain, Kind::Merge, Kind::Squashed];

    /// The name that the study gives it.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Concise => "Sp-Concise",
            Kind::Plain => "Sp-Plain",
            Kind::Merge => "Sp-Merge",
            Kind::Squashed => "Sp-Squashed",
        }
    }

    /// Era, format and rules: what the image message starts with. Plain has no number of its own and takes Concise's.
    pub fn version(&self) -> [u8; 3] {
        match self {
            Kind::Concise | Kind::Plain => [3, 1, 1],
            Kind::Merge => [3, 2, 1],
            Kind::Squashed => [3, 3, 1],
        }
    }

    /// The membership proofs over rings of this shape.
    pub fn system(&self, shape: Shape) -> System {
        let (form, keys) = match self {
            Kind::Concise | Kind::Merge => (Form::Concise, 2),
            Kind::Plain => (Form::Plain, 2),
            Kind::Squashed => (Form::Concise, 1),
        };
        System::new(form, shape.n(), shape.m(), keys).expect("a shape that is one")
    }

    /// Composition proofs for so many inputs.
    pub(crate) fn ownership_proofs(&self, inputs: usize) -> usize {
        if *self == Kind::Merge { 1 } else { inputs }
    }

    /// Amounts under range proofs.
    pub(crate) fn amounts(&self, inputs: usize, outputs: usize) -> usize {
        if *self == Kind::Squashed { inputs + outputs } else { outputs }
    }
}

/// The image of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Image {
    /// K', the masked address.
    pub address: [u8; 32],
    /// C', the masked commitment.
    pub commitment: [u8; 32],
    /// KI, the linking tag.
    pub tag: [u8; 32],
}

/// A new output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enote {
    /// Ko, the one-time address.
    pub address: [u8; 32],
    /// C, the commitment to the amount.
    pub commitment: [u8; 32],
    /// The amount, encoded for its receiver.
    pub amount: u64,
    /// The view tag.
    pub view_tag: u8,
}

/// A proof that an image is one of some enotes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The ring: indices of the ledger, ascending; one may repeat.
    pub indices: Vec<u64>,
    /// The proof.
    pub proof: grootle::Proof,
}

/// A range proof with its commitments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// V = C/8 for each commitment.
    pub v: Vec<[u8; 32]>,
    /// The proof.
    pub proof: RangeProof,
}

impl Range {
    /// What its proof claims.
    pub fn statement(&self) -> monero::Statement<'_> {
        monero::Statement { commitments: &self.v, proof: &self.proof }
    }
}

/// A transaction. Nothing about it is checked before [`verify`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// Its kind.
    pub kind: Kind,
    /// The shape of its rings.
    pub shape: Shape,
    /// The inputs, by ascending tags.
    pub images: Vec<Image>,
    /// The outputs.
    pub outputs: Vec<Enote>,
    /// R, one for each output.
    pub pubkeys: Vec<[u8; 32]>,
    /// Range proofs on all amounts, in order.
    pub ranges: Vec<Range>,
    /// p, in all kinds but Merge.
    pub remainder: Option<[u8; 32]>,
    /// One for each input, in order.
    pub memberships: Vec<Membership>,
    /// One for each input, in order; one for all in Merge.
    pub ownership: Vec<CompositionProof>,
}

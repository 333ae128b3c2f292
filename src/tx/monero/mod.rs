//! Monero transactions as they are since Bulletproofs+ (version 2, RingCT type 6): bytes, hashes, and the verdict on them.
//!
//! ```no_run
//! use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, MAX_OUTPUTS};
//! use curve25519_lanes::proofs::clsag::RingMember;
//! use curve25519_lanes::tx::monero::{self, Statement, Transaction};
//!
//! # fn f(bytes: &[u8], rings: Vec<Vec<RingMember>>) -> Result<(), Box<dyn core::error::Error>> {
//! let generators = Generators::new(MAX_OUTPUTS)?;         // once a program
//! let transaction = Transaction::from_bytes(bytes)?;      // bounded; nothing is trusted yet
//! let id = transaction.id();
//! // One ring for each input: what the ledger has at `transaction.inputs[i].offsets`.
//! monero::verify(&generators, &transaction, &rings)?;
//! // A block's worth costs much less together.
//! monero::verify_batch(&generators, &[Statement { transaction: &transaction, rings: &rings }])?;
//! # Ok(())
//! # }
//! ```
//!
//! # What is checked
//! All that the network's rules say of a transaction of this type by itself and of its rings:
//!
//! * its form: every integer in its shortest encoding, nothing left over, at most 1 MB; inputs that all spend from rings of
//!   one size, without a repeated member, any plain amounts below 2^64 together; 2 to 16 outputs, all of one kind, their
//!   amounts hidden, one range proof;
//! * every output key is a point;
//! * key images: in strictly descending order of their bytes (so none comes twice), in the subgroup of prime order (l·I is
//!   the identity, with the integer l), not the identity;
//! * balance: the pseudo-outputs sum up to the outputs' commitments and the fee, exactly, small-order parts included;
//! * the range proof, and each input's ring signature over the transaction's [signing hash](Transaction::signing_hash).
//!
//! Not checked, because the ledger decides it: that the rings are what the offsets point at, that they are old and unlocked
//! enough and of today's size (16), that no key image was spent before, fee and weight, and which kind of output today's
//! rules want.
//!
//! Sources: `cryptonote_basic.h`, `cryptonote_format_utils.cpp`, `cryptonote_core.cpp`, `blockchain.cpp`, `rctTypes.h` and
//! `rctSigs.cpp` of the Monero project.

mod error;
mod parse;
mod verify;
mod write;

use alloc::vec::Vec;

pub use error::{BatchError, Part, VerifyError};
pub use parse::{MAX_BYTES, ParseError, Reason};
pub use verify::{Statement, verify, verify_batch, verify_each, verify_each_without_rings, verify_without_rings};

use crate::proofs::bulletproofs_plus::monero::RangeProof;
use crate::proofs::clsag::Clsag;

/// A transaction. Nothing about its parts is checked before verification, except what its form demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The block or time before which its outputs are locked.
    pub unlock_time: u64,
    /// What it spends.
    pub inputs: Vec<Input>,
    /// What it makes.
    pub outputs: Vec<Output>,
    /// Keys and whatever else for the receivers.
    pub extra: Vec<u8>,
    /// The fee, in atomic units.
    pub fee: u64,
    /// The range proof of all outputs.
    pub range_proof: RangeProof,
}

/// An input, with the parts of the proofs that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// 0, or the plain amount of all outputs in the ring, which are older than hidden amounts then.
    pub amount: u64,
    /// The ring: the first member's number among the outputs of this amount, then the distance from each member to the
    /// next.
    pub offsets: Vec<u64>,
    /// The key image.
    pub key_image: [u8; 32],
    /// The commitment to the amount spent, with a mask of its own.
    pub pseudo_out: [u8; 32],
    /// The ring signature.
    pub signature: Clsag,
}

/// An output, with the parts of the amounts that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The one-time key.
    pub key: [u8; 32],
    /// One byte of a hash, for the receiver's scan. Either all outputs have one or none.
    pub view_tag: Option<u8>,
    /// The amount, encrypted for the receiver.
    pub encrypted_amount: [u8; 8],
    /// The commitment to the amount.
    pub commitment: [u8; 32],
}

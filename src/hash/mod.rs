//! Hash functions beside the field layer: one message at a time, and many messages in vector lanes.
//!
//! * [`keccak256`], [`Keccak256`]: Keccak-256 with the padding from before the standard, as Monero uses it.
//! * [`keccak256_batch`]: many independent messages at once.
//! * [`blake2b_256`], [`Blake2b256`], [`blake2b_256_batch`]: BLAKE2b with 32-byte digests.
//! * [`Transcript`]: Merlin transcripts, one at a time in public and many in step inside the crate.
//! * [`poseidon2`]: Poseidon2 over BN254, one state and many.
//!
//! The functions take and give bytes; turning a digest into a scalar or a point is the business of the layers that
//! own those types.
#![forbid(unsafe_code)]

pub mod blake2b;
pub(crate) mod blake3;
pub mod keccak;
pub mod keccak_lanes;
pub mod merlin;
pub mod poseidon2;
pub(crate) mod shake;
mod strobe;

pub use blake2b::{Blake2b256, blake2b_256, blake2b_256_batch};
pub use keccak::{Keccak256, keccak256};
pub use keccak_lanes::{keccak256_batch, keccak256_batch_on};
pub use merlin::{Transcript, TranscriptRng, TranscriptRngBuilder};

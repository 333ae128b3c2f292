//! Curve25519, ed25519 and Ristretto arithmetic in vector lanes, and batch verifiers on top.
//!
//! The crate is cut in layers, each using only the ones below it:
//! [`cpu`] → [`field`] → [`group`] → [`msm`] → [`proofs`] → [`tx`], with [`hash`] beside [`group`] and
//! [`wallet`] beside [`tx`].
//! A *backend* is chosen once per coarse call (see [`cpu::BackendId`]); results never depend on it.
//!
//! ```
//! # #[cfg(feature = "std")]
//! # mod example {
//! use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, RangeProof, Statement};
//!
//! /// `bytes`: a proof as it stands in a transaction; `commitments`: those of its outputs.
//! fn check(bytes: &[u8], commitments: &[[u8; 32]]) -> Result<(), Box<dyn std::error::Error>> {
//!     let proof = RangeProof::from_bytes(bytes)?;             // bounded; nothing is trusted yet
//!     let items = [Statement { commitments, proof: &proof } /* , … thousands more */];
//!     if monero::verify_batch(&items).is_err() {
//!         let bad = monero::find_invalid(&items);             // indexes
//!         return Err(format!("invalid: {bad:?}").into());
//!     }
//!     Ok(())
//! }
//! # }
//! ```
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(feature = "std", test))]
extern crate std;

pub mod cpu;
pub mod field;
pub mod group;
pub mod hash;
pub mod msm;
pub mod proofs;
pub mod tx;
pub mod wallet;
pub use field::scalar::Scalar;
pub use group::*;
#[cfg(test)]
mod test_util;

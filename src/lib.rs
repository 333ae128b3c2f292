//! Curve25519, ed25519 and Ristretto arithmetic in vector lanes, and batch verifiers on top.
//!
//! The crate is cut in layers, each using only the ones below it:
//! [`cpu`] → [`field`] → [`group`] → [`msm`] → [`proofs`] → [`tx`], with [`hash`] beside [`group`] and
//! [`wallet`] beside [`tx`].
//! A *backend* is chosen once per coarse call (see [`cpu::BackendId`]); results never depend on it.
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

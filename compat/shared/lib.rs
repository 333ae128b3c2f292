//! curve25519-dalek's name and interface over the engine of `curve25519-lanes`.
//!
//! Items, features and behaviour are those of the version this package carries; what is computed, and how fast, is
//! the engine's. How to put it in the place of the original is in `compat/README.md` of the repository. Items that the
//! original has no counterpart for are in [`lanes`].
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
mod macros;

pub mod constants;
pub mod edwards;
pub mod lanes;
pub mod montgomery;
pub mod ristretto;
pub mod scalar;
pub mod traits;

mod field;
#[cfg(feature = "group")]
mod group_traits;
#[cfg(feature = "lizard")]
mod lizard;
#[cfg(feature = "digest")]
mod map;
#[cfg(feature = "alloc")]
mod sums;
#[cfg(feature = "serde")]
mod tuples;

#[cfg(feature = "digest")]
pub use digest;
#[cfg(all(dalek = "5", feature = "rand_core"))]
pub use rand_core;

pub use crate::edwards::EdwardsPoint;
pub use crate::montgomery::MontgomeryPoint;
pub use crate::ristretto::RistrettoPoint;
pub use crate::scalar::Scalar;

//! CLSAG, the ring signatures of Monero's inputs: one of the ring's outputs is spent by who owns it, and the commitment
//! shown for it (the pseudo-output) holds the same amount.
//!
//! The same bytes and the same verdicts as `verRctCLSAGSimple` of the Monero project (`src/ringct/rctSigs.cpp` at commit
//! `0aa9c51`); formulas after Goodell, Noether, Blue, "Concise Linkable Ring Signatures" (2019), where they agree.
//!
//! ```
//! # #[cfg(feature = "rand_core")]
//! # {
//! use curve25519_lanes::proofs::clsag::{self, Clsag, RingMember, Statement, Witness};
//! use curve25519_lanes::{EdwardsPoint, Scalar};
//! # struct Counter(u64);
//! # impl rand_core::TryRng for Counter {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.0 += 1; Ok(self.0 as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { self.0 += 1; Ok(self.0) }
//! #     fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
//! #         self.0 += 1; out.fill(self.0 as u8); Ok(())
//! #     }
//! # }
//! # impl rand_core::TryCryptoRng for Counter {}
//! # let mut rng = Counter(0); // any cryptographic generator
//! // Keys and commitments of a ring; the signer knows the key x of the second and that its commitment differs from the
//! // pseudo-output by z·G.
//! let point = |k: u64| EdwardsPoint::mul_base(&Scalar::from(k));
//! let ring: Vec<RingMember> = (1..=4)
//!     .map(|k| RingMember { key: point(k).compress().0, commitment: point(100 + k).compress().0 })
//!     .collect();
//! let (x, z) = (Scalar::from(2u64), Scalar::from(2u64));
//! let pseudo_out = point(100).compress().0;
//! let message = [7; 32];
//!
//! let witness = Witness::new(1, x, z);
//! let (signature, key_image) = clsag::sign(&ring, &pseudo_out, &message, &witness, &mut rng)?;
//!
//! // A verifier gets bytes; the size of the ring is known from the transaction.
//! let received = Clsag::from_bytes(&signature.to_bytes(), ring.len())?;
//! let statement = Statement {
//!     ring: &ring,
//!     key_image: &key_image,
//!     pseudo_out: &pseudo_out,
//!     message: &message,
//!     signature: &received,
//! };
//! clsag::verify(&statement)?;
//! // Many signatures cost much less together.
//! clsag::verify_batch(&[statement; 10])?;
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # What a verdict means
//! *Valid* is what the network's function says, also on rings, key images and pseudo-outputs with a small-order part: on
//! such points a scalar counts as the integer below l that it is, and none is negated, merged or split mod l here. That a
//! key image lies in the subgroup of prime order is no business of that function; a transaction must check it (l·I is
//! the identity, l being the integer), or one output can be spent up to eight times. [`tx::monero`](crate::tx::monero)
//! does.
//!
//! # How many are verified at once
//! The challenges of one ring are a chain: each hashes two points made with the one before. So members of a ring can't be
//! worked on at the same time, and no equation can be merged with another. What fills the lanes is the same step of
//! different signatures and the two points of each; with fewer signatures than that, slices of the scalars. Decoding,
//! hashing to points, the aggregation hashes and all tables don't depend on challenges and fill lanes by themselves.

mod error;
mod sign;
#[cfg(test)]
mod tests;
mod transcript;
mod verify;
mod wire;

pub use error::{BatchError, Field, SignError, VerifyError};
#[cfg(feature = "rand_core")]
pub use sign::sign;
pub use sign::{Witness, sign_with};
pub use verify::{Statement, verify, verify_batch, verify_each};
pub use wire::{Clsag, ParseError, RingMember};

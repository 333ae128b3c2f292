//! Range proofs of Monero: 64-bit amounts, 1 to 16 outputs in one proof.
//!
//! The same bytes and the same verdicts as `bulletproofs_plus.cc` of the Monero project; the rules are taken from there
//! (`src/ringct/bulletproofs_plus.cc`, `src/ringct/rctSigs.cpp` at commit `0aa9c51`).
//!
//! ```
//! # #[cfg(all(feature = "std", feature = "rand_core"))]
//! # {
//! use curve25519_lanes::Scalar;
//! use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, Opening, RangeProof, Statement};
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
//! let openings = [Opening::new(5, Scalar::from(77u64)), Opening::new(u64::MAX, Scalar::from(78u64))];
//! let proof = monero::prove(&openings, &mut rng)?;
//! let commitments = [openings[0].commit().0, openings[1].commit().0];
//!
//! // A verifier gets bytes.
//! let received = RangeProof::from_bytes(&proof.to_bytes())?;
//! monero::verify(&commitments, &received)?;
//! // Many proofs cost much less together.
//! let item = Statement { commitments: &commitments, proof: &received };
//! monero::verify_batch(&[item; 10])?;
//! assert!(monero::verify(&commitments[..1], &received).is_err());
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Where the factor 8 stands
//! The points of a proof are transmitted as P/8 and count 8 times; a commitment C stands on chain as it is, and what the
//! transcript hashes is V = (1/8 mod l)·C. All points may carry a small-order part. The original multiplies each
//! transmitted point by the integer 8, which removes that part, and then tests the sum for the identity. Here the sum
//! is formed first, with scalars mod l, and multiplied by the cofactor at the end. The two agree: 8·Σ x_i·P_i depends
//! only on the x_i mod l and on the parts of the P_i in the subgroup of prime order l, where 8 is invertible. So the
//! final test is the identity exactly when the equation holds between those parts, and no small-order part can cause or
//! cancel a failure, whatever the batch weights. (Tried on paper and dropped: scalars 8x as integers below 2^256.
//! They give the same verdict, but need an unreduced path through every recoding.) Such a part still changes what the
//! transcript hashes, also in V since 1/8 mod l is odd, so in an honest proof it breaks all challenges.
//!
//! # Batch weights
//! Verification takes no random numbers: the [`accumulator`](crate::proofs::accumulator) hashes, for the weights, the last
//! challenge, r1, s1 and d1 of *all* proofs of the batch. The last challenge is the end of a hash chain over the
//! commitments and every other byte of the proof; r1, s1 and d1 are what that chain leaves out.
//!
//! # A batch that fills as proofs come
//! ```
//! # #[cfg(feature = "std")]
//! # {
//! use curve25519_lanes::proofs::accumulator::{BatchError, Limits};
//! use curve25519_lanes::proofs::bulletproofs_plus::monero::{Accumulator, Generators, RangeProof, Statement};
//!
//! # fn received() -> Vec<(Vec<[u8; 32]>, RangeProof)> { Vec::new() }
//! let empty = || Accumulator::new(Generators::shared(), Limits::default());
//! let mut batch = empty();
//! for (commitments, proof) in received() {
//!     if let Err(error) = batch.push(Statement { commitments: &commitments, proof: &proof }) {
//!         println!("refused: {error}"); // and not part of the batch
//!     }
//!     if batch.is_full() { // or has waited long enough
//!         let full = std::mem::replace(&mut batch, empty());
//!         if let Err(blame) = full.close_and_blame() {
//!             println!("{blame}");
//!         }
//!     }
//! }
//! // Nothing came: a batch of nothing is not valid.
//! assert_eq!(batch.close(), Err(BatchError::Empty));
//! # }
//! ```
//!
//! # Where the time goes
//! Of a batch of 256 proofs of two outputs on `ifma` (`cargo bench --bench accumulator`, a loaded machine, 38 µs a proof): the
//! multiscalar sum and the weights 30 %, scalars of the equations 25 %, decompression 21 %, the division of commitments by
//! 8 with the encoding of V 16 %, hashing and inversion 8 %, checks of form below 1 %. A proof of two outputs alone takes
//! nine times as long as in the batch. One invalid proof among 64 doubles the time until it is named; when all are invalid,
//! naming them takes 1.2 times as long as verifying them one by one.
//!
//! # The Seraphis research code
//! It has the same proofs with up to 128 outputs ([`MAX_OUTPUTS_EXTENDED`], over its own [`Generators::new`]) and carries V
//! in place of C ([`Divided`]). The table of a batch is that of its largest proof, so one large proof makes small ones
//! beside it no dearer.

mod error;
mod generators;
mod opening;
#[cfg(any(test, feature = "rand_core"))]
mod prove;
#[cfg(test)]
mod tests;
mod transcript;
mod verify;
mod wire;

pub use error::{BatchError, Field, OutputCount, ProveError, VerifyError};
pub(crate) use generators::value_base;
pub use generators::{Generators, MAX_OUTPUTS, MAX_OUTPUTS_EXTENDED};
pub use opening::Opening;
#[cfg(all(feature = "std", feature = "rand_core"))]
pub use prove::prove;
pub use verify::{Divided, Statement};
#[cfg(feature = "std")]
pub use verify::{find_invalid, verify, verify_batch};
pub use wire::{ParseError, ParseErrorKind, RangeProof};

/// A batch of range proofs that the caller fills and closes.
#[cfg(feature = "std")]
pub type Accumulator = crate::proofs::accumulator::Accumulator<&'static Generators>;

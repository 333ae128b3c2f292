//! Range proofs of Tari: Bulletproofs+ on Ristretto, with Merlin transcripts.
//!
//! The same bytes, verdicts and masks as crate `tari_bulletproofs_plus` 0.5.3, whose protocol this is (the bytes of 0.4.1 are
//! the same; it verified only the first 256 proofs of a batch). Values have n bits, a power of two up to 64; a proof is for
//! a power of two of values; a commitment has x masks, 1 to 6.
//!
//! ```
//! # #[cfg(feature = "rand_core")]
//! # {
//! use curve25519_lanes::Scalar;
//! use curve25519_lanes::hash::Transcript;
//! use curve25519_lanes::proofs::bulletproofs_plus::tari::*;
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
//! // Once a program: 64 bits, up to 2 values a proof, one mask.
//! let gens = PedersenGens::new(ExtensionDegree::DefaultPedersen);
//! let parameters = RangeParameters::init(64, 2, gens)?;
//!
//! let mask = vec![Scalar::from(77u64)];
//! let commitment = parameters.pc_gens().commit(&Scalar::from(1000u64), &mask)?;
//! let encoded = commitment.compress().0;
//! // The value is 10 at least. The seed lets its owner find the mask again.
//! let seed = Scalar::from(12345u64);
//! let statement = RangeStatement::from_encodings(parameters.clone(), vec![encoded], vec![Some(10)], Some(seed))?;
//! let witness = RangeWitness::init(vec![CommitmentOpening::new(1000, mask.clone())])?;
//! let proof = RangeProof::prove(&mut Transcript::new(b"example"), &statement, &witness, &mut rng)?;
//!
//! let received = RangeProof::from_bytes(&proof.to_bytes())?;
//! let (mut transcripts, statements, proofs) = ([Transcript::new(b"example")], [statement], [received]);
//! let masks =
//!     RangeProof::verify_batch(&mut transcripts, &statements, &proofs, VerifyAction::RecoverAndVerify)?;
//! assert_eq!(masks[0].as_ref().unwrap().blindings(), mask);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # The protocol
//! With N = m·n, q = log2 N, bases Gi, Hi (N of each), value base H and mask bases G_1 … G_x, and
//! d_i = z^(2(⌊i/n⌋+1))·2^(i mod n):
//!
//! 1. The transcript absorbs H, the G_k, n, x, m, the commitments C_j and the promised minima p_j.
//! 2. aL are the bits of v_j − p_j, aR = aL − 1. The prover sends A = <aL, Gi> + <aR, Hi> + Σ alpha_k·G_k and gets y and z.
//! 3. What is left to show is an inner product weighted with powers of y, of a = aL − z and b_i = aR_i + z + d_i·y^(N−i).
//!    `argument` halves it in q rounds, sends an L and an R in each and gets a challenge e_j.
//! 4. At length 1 it sends A1 and B, gets e, and answers with r1, s1 and the d1_k.
//! 5. The verifier checks one equation (see `equation`) in which C_j − p_j·H takes the place of the commitment.
//!
//! Every point but the commitments must not be the identity, no challenge may be zero, and all encodings must be canonical.
//!
//! # Recovery
//! For a single value, alpha and the nonces of L, R, A1 and B may follow from a seed. Who knows it subtracts them from d1,
//! and what remains is the mask times e²·z²·y^(N+1). A wrong seed gives wrong masks and no error.
//!
//! # Nonces
//! Come from a generator built of the transcript, the witness and 32 fresh bytes of the caller's generator, anew after
//! the statement, A, each pair of L and R, and A1 and B.
//!
//! # Speed
//! A batch is one multiscalar sum through the [`accumulator`](crate::proofs::accumulator). Around it, all points are decoded
//! in lanes, transcripts of equally shaped proofs are hashed in lanes, and all inversions are one. Where the time of a
//! batch of 256 single 64-bit values goes, on `ifma` with the crate at 6.4 times that time: 36 % the multiscalar sum, 24 %
//! decoding, 26 % scalars (21 % the equation's), 10 % transcripts and weights, the rest copying.
//!
//! The prover folds the bases by ratios of half-size numbers and computes L and R side by side: together a quarter less
//! time than before for one value (1.60 to 1.20 ms where the crate takes 6.0).

mod error;
mod nonces;
mod parameters;
#[cfg(feature = "rand_core")]
mod prove;
mod recover;
mod statement;
#[cfg(all(test, feature = "rand_core"))]
mod tests;
mod transcript;
mod verify;
mod wire;
mod witness;

pub use error::{BatchError, Field, ParameterError, ProveError, StatementError, VerifyError, WitnessError};
pub use parameters::{ExtensionDegree, MAX_BIT_LENGTH, PedersenGens, RangeParameters};
pub use statement::RangeStatement;
pub use verify::{Entry, RangeVerifier, VerifyAction};
pub use wire::{ParseError, ParseErrorKind, RangeProof};
pub use witness::{CommitmentOpening, ExtendedMask, RangeWitness};

/// A batch of range proofs that is being collected; see [`accumulator`](crate::proofs::accumulator).
pub type Accumulator = crate::proofs::accumulator::Accumulator<&'static RangeVerifier>;

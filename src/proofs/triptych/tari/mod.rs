//! Tari's Triptych: on Ristretto, with Merlin transcripts.
//!
//! The same bytes and verdicts as crate `triptych` 0.1.1, whose protocol this is, after Noether and Goodell, "Triptych:
//! logarithmic-sized linkable ring signatures with applications" (ePrint 2020/018). It is not the one of the
//! [module above](super), which is Monero's.
//!
//! * The *single* form shows for N = n^m keys M and a linking tag J: M_l = r·G and r·J = U for some l.
//! * The *parallel* form has auxiliary keys M1 and an offset, too, and shows M1_l − offset = r1·G1 for the same l: with
//!   commitments as auxiliary keys, that amounts are equal.
//!
//! A proof binds what the caller absorbed into the transcript before, for example a message.
//!
//! ```
//! # #[cfg(feature = "rand_core")]
//! # {
//! use curve25519_lanes::hash::Transcript;
//! use curve25519_lanes::proofs::triptych::tari::{self, Entry, Form, InputSet, Parameters, Proof, Statement, Witness};
//! use curve25519_lanes::{RistrettoPoint, Scalar};
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
//! // Once a program: rings of 2^3 keys.
//! let parameters = Parameters::new(Form::Single, 2, 3)?;
//! // Once a ring; the signer's key is the fifth.
//! let keys: Vec<[u8; 32]> = (1..=8u64).map(|k| RistrettoPoint::mul_base(&Scalar::from(k)).compress().0).collect();
//! let inputs = InputSet::new(&parameters, &keys, &[])?;
//!
//! let witness = Witness { index: 4, key: Scalar::from(5u64), auxiliary: None };
//! let statement = Statement::single(&inputs, witness.tag(&parameters).compress().0)?;
//! let mut transcript = Transcript::new(b"example");
//! transcript.append_message(b"message", b"pay");
//! let proof = tari::prove(&transcript, &statement, &witness, &mut rng)?;
//!
//! let received = Proof::from_bytes(Form::Single, &proof.to_bytes())?;
//! let entry = Entry { transcript: &transcript, statement: &statement, proof: &received };
//! tari::verify(entry)?;
//! // Many proofs cost much less together, most of all over one ring.
//! tari::verify_batch(&[entry; 10])?;
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # The equations
//! Com(V; z) = z·H + Σ V·(bases of the cells), f_(j,0) = ξ − Σ_(i≥1) f_(j,i), and t_k = Π_j f_(j,g_j), g being digits of a Gray code
//! of k. The challenge ξ is drawn after all points of the proof.
//!
//! 1. A + ξ·B = Com(f; z_A)
//! 2. D + ξ·C = Com(f·(ξ − f); z_C)
//! 3. Σ_k t_k·M_k − Σ_j ξ^j·X_j = z·G
//! 4. Σ_k t_k·U − Σ_j ξ^j·Y_j = z·J
//! 5. Σ_k t_k·(M1_k − offset) − Σ_j ξ^j·X1_j = z1·G1, in the parallel form
//!
//! Σ_k t_k is ξ^m whatever f.
//!
//! # What differs from the crate
//! | | crate | here |
//! |---|---|---|
//! | weights of a batch | from 64 bits of each proof | from all that the proofs say |
//! | proofs of one batch | over one ring | over any |
//! | an empty batch | valid | refused |
//! | the caller's transcript | left in different states by prover and verifier | not changed |
//! | nonces | drawn anew after the commitments, and not used | drawn once |
//!
//! # Speed
//! A ring is decoded once, when it is made, and so are its hash and its order. A batch is one multiscalar sum through the
//! [`accumulator`](crate::proofs::accumulator); all points are decoded in lanes, transcripts of one form and number of digits are
//! hashed in lanes, and the t_k of a proof are a tree of N multiplications. The crate's time over ours for 16 proofs over one
//! ring of 256 keys (`benches/triptych.rs`): `ifma` 6.8, `avx2` 3.4, `amd64-64` 2.0, `portable` 1.5; from the bytes of the proofs
//! 8.3, 4.3, 2.4 and 1.9, since the crate decodes points when it reads them.

mod equation;
mod error;
mod parameters;
#[cfg(feature = "rand_core")]
mod prove;
mod statement;
mod transcript;
mod verify;
mod wire;

pub use error::{Field, ParameterError, ProveError, StatementError, VerifyError};
pub use parameters::{Bases, Form, Parameters};
#[cfg(feature = "rand_core")]
pub use prove::prove;
pub use statement::{InputSet, Statement, Witness};
pub use verify::{Claim, Entry, Item, TriptychVerifier, verify, verify_batch};
pub use wire::{ParseError, ParseErrorKind, Proof};

/// Why a batch was refused.
pub type BatchError = crate::proofs::accumulator::BatchError<VerifyError>;

/// A batch of proofs that is being collected; see [`accumulator`](crate::proofs::accumulator).
pub type Accumulator = crate::proofs::accumulator::Accumulator<&'static TriptychVerifier>;

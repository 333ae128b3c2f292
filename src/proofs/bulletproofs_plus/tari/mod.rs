//! Range proofs of Tari: Bulletproofs+ on Ristretto.

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

//! Zero-knowledge proofs and their verifiers.
//!
//! Everything here is written on the public interface of [`group`](crate::group), [`msm`](crate::msm) and
//! [`hash`](crate::hash): its code names no backend, lane or limb, and is safe.
//!
//! * [`accumulator`]: a batch of proofs of any kind, verified by one multiscalar sum.
//! * [`bulletproofs_plus`]: aggregated range proofs.
//! * [`clsag`]: ring signatures of Monero inputs.
//! * [`each`]: the error of batches whose items are verified each by itself.
//! * [`grootle`]: one-of-many proofs, plain and concise, over [`one_of_many`].
//! * [`monero_signatures`]: Monero's signatures from before RingCT.
//! * [`schnorr`]: Seraphis composition proofs.
//! * [`triptych`]: one-of-many proofs with a linking tag; [`triptych::tari`]: Tari's, on Ristretto.

pub mod accumulator;
pub mod bulletproofs_plus;
pub mod clsag;
pub mod each;
pub mod grootle;
pub mod monero_signatures;
pub mod one_of_many;
pub mod schnorr;
pub mod triptych;
pub(crate) mod varint;

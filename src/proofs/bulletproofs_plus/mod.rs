//! Bulletproofs+ range proofs (Chung, Han, Ju, Kim, Seo: ePrint 2020/735).
//!
//! One inner argument, written once, and a thin flavour for each protocol that speaks it: a flavour chooses the
//! encoding of points, the transcript, the roles of the generators and where factors of 8 stand.
//!
//! * `equation`: the verification equation as scalars for one multiscalar sum over a whole batch.
//! * `argument`: the prover of the weighted inner product.
//! * [`monero`]: ed25519 points, Keccak transcript, 64-bit amounts, up to 16 outputs.
//! * [`tari`]: Ristretto, Merlin transcript, values of up to 64 bits over promised minima, up to six masks a commitment,
//!   masks recoverable from the proof.
//!
//! # Names
//! A proof of *M* values of *n* bits has vectors of *N = M·n* scalars and *q = log2 N* rounds. `y` and `z` are the
//! first challenges, `e_1 … e_q` those of the rounds and `e` the last. `Gi` and `Hi` are the vector bases, the *value
//! base* carries the amount of a commitment and the *mask bases* its blinding. The paper's bit weights are
//! d_i = z^(2(⌊i/n⌋+1)) · 2^(i mod n), i from 0.

#[cfg(any(test, feature = "rand_core"))]
pub(crate) mod argument;
pub(crate) mod equation;
pub mod monero;
pub mod tari;

//! Zero-knowledge proofs and their verifiers.
//!
//! Everything here is written on the public interface of [`group`](crate::group), [`msm`](crate::msm) and
//! [`hash`](crate::hash): no backend, lane or limb is named, and all code is safe.
//!
//! * [`bulletproofs_plus`]: aggregated range proofs.

pub mod bulletproofs_plus;

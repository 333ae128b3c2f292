//! What is claimed.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroize;

use super::error::StatementError;
use super::parameters::RangeParameters;
use crate::field::scalar::Scalar;
use crate::group::{RistrettoPoint, compress_batch_ristretto};

/// A claim: each commitment C_j hides a value v_j with v_j − p_j below 2^n, p_j being the promised minimum.
///
/// The seed, where its owner gives it, is wiped when dropped and not shown by `Debug`.
#[derive(Clone)]
pub struct RangeStatement {
    pub(super) parameters: RangeParameters,
    pub(super) encodings: Vec<[u8; 32]>,
    /// The commitments decoded, where they came so.
    pub(super) points: Option<Vec<RistrettoPoint>>,
    pub(super) promises: Vec<Option<u64>>,
    pub(super) seed: Option<Scalar>,
}

impl RangeStatement {
    /// A statement about commitments that were decoded before. Encodes them.
    ///
    /// `seed_nonce` is a secret of the owner of a single commitment: a prover derives its nonces from it, so that its
    /// masks can be recovered from the proof. It must be used for one proof only.
    ///
    /// # Errors
    /// A number of commitments that is no power of two or too large for the parameters, another number of promises, or a
    /// seed for several commitments.
    pub fn init(
        generators: RangeParameters,
        commitments: Vec<RistrettoPoint>,
        minimum_value_promises: Vec<Option<u64>>,
        seed_nonce: Option<Scalar>,
    ) -> Result<RangeStatement, StatementError> {
        let encodings = compress_batch_ristretto(&commitments);
        RangeStatement::new(generators, encodings, Some(commitments), minimum_value_promises, seed_nonce)
    }

    /// A statement about commitments as they are transmitted: [`init`](RangeStatement::init) for nodes. They are decoded
    /// when the proof is verified, together with all points of the batch.
    ///
    /// # Errors
    /// As [`init`](RangeStatement::init).
    pub fn from_encodings(
        generators: RangeParameters,
        commitments: Vec<[u8; 32]>,
        minimum_value_promises: Vec<Option<u64>>,
        seed_nonce: Option<Scalar>,
    ) -> Result<RangeStatement, StatementError> {
        RangeStatement::new(generators, commitments, None, minimum_value_promises, seed_nonce)
    }

    fn new(
        parameters: RangeParameters,
        encodings: Vec<[u8; 32]>,
        points: Option<Vec<RistrettoPoint>>,
        promises: Vec<Option<u64>>,
        seed: Option<Scalar>,
    ) -> Result<RangeStatement, StatementError> {
        let (m, limit) = (encodings.len(), parameters.max_aggregation_factor());
        if !m.is_power_of_two() {
            return Err(StatementError::Commitments(m));
        }
        if promises.len() != m {
            return Err(StatementError::Promises { found: promises.len(), expected: m });
        }
        if m > limit {
            return Err(StatementError::Aggregation { found: m, limit });
        }
        if seed.is_some() && m > 1 {
            return Err(StatementError::Seed);
        }
        Ok(RangeStatement { parameters, encodings, points, promises, seed })
    }

    /// What all statements of this kind have in common.
    pub fn generators(&self) -> &RangeParameters {
        &self.parameters
    }

    /// log2 of the number of commitments.
    pub(super) fn log_values(&self) -> usize {
        self.encodings.len().ilog2() as usize
    }

    /// The rounds of a proof: log2 of all bits.
    pub(super) fn rounds(&self) -> usize {
        self.parameters.log_bits() + self.log_values()
    }

    /// The promised minima; where there is none, 0, which says the same.
    pub(super) fn minima(&self) -> impl Iterator<Item = u64> {
        self.promises.iter().map(|promise| promise.unwrap_or(0))
    }
}

impl Drop for RangeStatement {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

impl fmt::Debug for RangeStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeStatement")
            .field("generators", &self.parameters)
            .field("commitments", &self.encodings)
            .field("minimum_value_promises", &self.promises)
            .finish_non_exhaustive()
    }
}

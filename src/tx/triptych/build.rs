//! Mock transactions over mock ledgers.

use rand_core::CryptoRng;

use super::{Input, Transaction};
use crate::field::scalar::Scalar;
use crate::group::compress_batch_secret;
use crate::msm;
use crate::proofs::one_of_many::Shape;
use crate::proofs::triptych::{self, Witness};
use crate::tx::ledger::{MemoryLedger, Protocol};
use crate::tx::ring_inputs::{self, MESSAGE, Spend, outputs_and_pseudo_openings};

/// Why no transaction was built.
pub type BuildError = ring_inputs::BuildError<triptych::ProveError>;

/// What a mock transaction looks like. Amounts as in [`seraphis::Mock`](crate::tx::seraphis::Mock).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mock {
    /// The shape of the rings.
    pub shape: Shape,
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// Times that the range proof is split.
    pub splits: usize,
}

impl Mock {
    /// A transaction over rings of new outputs, which are added to the ledger: all but the spent ones are random points.
    ///
    /// # Errors
    /// No input or output, or too many.
    pub fn build(&self, ledger: &mut MemoryLedger, rng: &mut impl CryptoRng) -> Result<Transaction, BuildError> {
        let Mock { shape, inputs, outputs, splits } = *self;
        let (outputs, ranges, pseudo) = outputs_and_pseudo_openings([inputs, outputs, splits], rng)?;
        let spend = |opening| {
            let Spend { index, key, mask, ring, indices } =
                Spend::new(Protocol::Triptych, shape.ring_size(), opening, ledger, rng);
            let (witness, commitment) = (Witness { index, key: *key, commitment: *mask }, opening.commit().0);
            let proof = triptych::prove(&shape, &MESSAGE, ring.as_flattened(), &commitment, &witness, rng);
            let proof = proof.map_err(BuildError::Membership)?;
            let tag = msm::same_scalar_vartime(&Scalar::INV_EIGHT, &[witness.tag()]);
            Ok(Input { commitment, tag_eighth: compress_batch_secret(&tag)[0], indices, proof })
        };
        let inputs = pseudo.iter().map(spend).collect::<Result<_, BuildError>>()?;
        Ok(Transaction { shape, inputs, outputs, ranges })
    }
}

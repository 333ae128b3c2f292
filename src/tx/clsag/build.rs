//! Mock transactions over mock ledgers.

use rand_core::CryptoRng;

use super::{Input, Transaction, members};
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, compress_batch};
use crate::msm;
use crate::proofs::clsag::{self, SignError, Witness};
use crate::tx::ledger::{MemoryLedger, Protocol};
use crate::tx::ring_inputs::{self, MESSAGE, Spend, outputs_and_pseudo_openings};

/// Why no transaction was built.
pub type BuildError = ring_inputs::BuildError<SignError>;

/// What a mock transaction looks like. Amounts as in [`seraphis::Mock`](crate::tx::seraphis::Mock).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mock {
    /// The members of a ring, one at least.
    pub ring_size: usize,
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
    /// No input or output, or too many; a ring without members.
    pub fn build(&self, ledger: &mut MemoryLedger, rng: &mut impl CryptoRng) -> Result<Transaction, BuildError> {
        let Mock { ring_size, inputs, outputs, splits } = *self;
        if ring_size == 0 {
            return Err(BuildError::Membership(SignError::Index));
        }
        let (outputs, ranges, pseudo) = outputs_and_pseudo_openings([inputs, outputs, splits], rng)?;
        let spend = |opening| {
            let Spend { index, key, mask, ring, indices } =
                Spend::new(Protocol::Clsag, ring_size, opening, ledger, rng);
            let (witness, commitment) = (Witness::new(index, *key, *mask), opening.commit().0);
            let (signature, image) =
                clsag::sign(&members(&ring), &commitment, &MESSAGE, &witness, rng).map_err(BuildError::Membership)?;
            let image = CompressedEdwardsY(image).decompress_strict().expect("an encoding just made");
            let eighth = msm::same_scalar_vartime(&Scalar::INV_EIGHT, &[image]);
            Ok(Input { commitment, tag_eighth: compress_batch(&eighth)[0], indices, signature })
        };
        let inputs = pseudo.iter().map(spend).collect::<Result<_, BuildError>>()?;
        Ok(Transaction { ring_size, inputs, outputs, ranges })
    }
}

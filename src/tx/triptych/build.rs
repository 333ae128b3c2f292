//! Mock transactions over mock ledgers.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::verify::MESSAGE;
use super::{Input, MAX_INPUTS, MAX_OUTPUTS, Output, Range, Transaction};
use crate::field::scalar::Scalar;
use crate::group::compress_batch_secret;
use crate::msm;
use crate::proofs::bulletproofs_plus::monero::{self, Opening};
use crate::proofs::one_of_many::Shape;
use crate::proofs::triptych::{self, Witness};
use crate::tx::ledger::MemoryLedger;
use crate::tx::seraphis::{amounts, group, range};

/// Why no transaction was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// No input or output, or too many.
    Counts {
        /// Inputs.
        inputs: usize,
        /// Outputs.
        outputs: usize,
    },
    /// A Triptych proof failed.
    Membership(triptych::ProveError),
    /// A range proof failed.
    Range(monero::ProveError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Counts { inputs, outputs } => {
                write!(f, "{inputs} inputs and {outputs} outputs, expected up to {MAX_INPUTS} and {MAX_OUTPUTS}")
            }
            BuildError::Membership(error) => write!(f, "Triptych proof: {error}"),
            BuildError::Range(error) => write!(f, "range proof: {error}"),
        }
    }
}

impl Error for BuildError {}

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
        if inputs == 0 || inputs > MAX_INPUTS || outputs == 0 || outputs > MAX_OUTPUTS {
            return Err(BuildError::Counts { inputs, outputs });
        }
        let openings: Vec<Opening> =
            amounts(outputs, inputs).into_iter().map(|amount| Opening::new(amount, Scalar::random(rng))).collect();
        let ranges = openings
            .chunks(group(outputs, splits))
            .map(|part| range(part, rng).map_err(BuildError::Range))
            .collect::<Result<Vec<Range>, _>>()?;
        let outputs = openings
            .iter()
            .map(|opening| {
                let points = compress_batch_secret(&msm::mul_base_batch(&[Scalar::random(rng), Scalar::random(rng)]));
                let mut amount = [0; 8];
                rng.fill_bytes(&mut amount);
                let commitment = opening.commit().0;
                Output { key: points[0], commitment, pubkey: points[1], amount: u64::from_le_bytes(amount) }
            })
            .collect();

        // The last mask makes up for the difference.
        let mut open = Zeroizing::new(openings.iter().map(|opening| opening.mask).sum::<Scalar>());
        let mut spent = Vec::with_capacity(inputs);
        for (i, amount) in amounts(inputs, openings.len()).into_iter().enumerate() {
            let mask = if i + 1 == inputs { *open } else { Scalar::random(rng) };
            *open -= mask;
            spent.push(input(&shape, &Opening::new(amount, mask), ledger, rng)?);
        }
        Ok(Transaction { shape, inputs: spent, outputs, ranges })
    }
}

/// Spends a new output of this amount, with the pseudo-commitment that `opening` opens, from a new ring.
fn input(
    shape: &Shape,
    opening: &Opening,
    ledger: &mut MemoryLedger,
    rng: &mut impl CryptoRng,
) -> Result<Input, BuildError> {
    let mut bytes = [0; 8];
    rng.fill_bytes(&mut bytes);
    let index = (u64::from_le_bytes(bytes) % shape.ring_size() as u64) as usize;
    let own = Opening::new(opening.amount, Scalar::random(rng));
    let witness = Witness { index, key: Scalar::random(rng), commitment: own.mask - opening.mask };

    let mut secrets: Vec<Scalar> = (0..2 * shape.ring_size()).map(|_| Scalar::random(rng)).collect();
    secrets[2 * index] = witness.key;
    let mut ring = compress_batch_secret(&msm::mul_base_batch(&secrets));
    ring[2 * index + 1] = own.commit().0;
    let indices = ring.chunks_exact(2).map(|pair| ledger.push(pair[0], pair[1])).collect();

    let commitment = opening.commit().0;
    let proof = triptych::prove(shape, &MESSAGE, &ring, &commitment, &witness, rng).map_err(BuildError::Membership)?;
    let tag_eighth = compress_batch_secret(&msm::same_scalar_vartime(&Scalar::INV_EIGHT, &[witness.tag()]))[0];
    Ok(Input { commitment, tag_eighth, indices, proof })
}

//! Mock transactions over mock ledgers: all but the proofs of inputs.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::{MAX_INPUTS, MAX_OUTPUTS, Output};
use crate::field::scalar::Scalar;
use crate::group::compress_batch_secret;
use crate::msm;
use crate::proofs::bulletproofs_plus::monero::{self, Opening};
use crate::tx::ledger::{MemoryLedger, Protocol};
use crate::tx::seraphis::{Range, amounts, group, range};

/// Why no transaction was built. `E` is why no proof of an input was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError<E> {
    /// No input or output, or too many.
    Counts {
        /// Inputs.
        inputs: usize,
        /// Outputs.
        outputs: usize,
    },
    /// The proof of an input failed.
    Membership(E),
    /// A range proof failed.
    Range(monero::ProveError),
}

impl<E: fmt::Display> fmt::Display for BuildError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Counts { inputs, outputs } => {
                write!(f, "{inputs} inputs and {outputs} outputs, expected up to {MAX_INPUTS} and {MAX_OUTPUTS}")
            }
            BuildError::Membership(error) => write!(f, "proof of an input: {error}"),
            BuildError::Range(error) => write!(f, "range proof: {error}"),
        }
    }
}

impl<E: Error> Error for BuildError<E> {}

/// New outputs with their range proofs, and openings of pseudo-commitments that balance them.
#[expect(clippy::type_complexity, reason = "used twice")]
pub(in crate::tx) fn outputs_and_pseudo_openings<E>(
    [inputs, outputs, splits]: [usize; 3],
    rng: &mut impl CryptoRng,
) -> Result<(Vec<Output>, Vec<Range>, Vec<Opening>), BuildError<E>> {
    if inputs == 0 || inputs > MAX_INPUTS || outputs == 0 || outputs > MAX_OUTPUTS {
        return Err(BuildError::Counts { inputs, outputs });
    }
    let openings: Vec<Opening> =
        amounts(outputs, inputs).into_iter().map(|amount| Opening::new(amount, Scalar::random(rng))).collect();
    let ranges = openings
        .chunks(group(outputs, splits))
        .map(|part| range(part, rng).map_err(BuildError::Range))
        .collect::<Result<Vec<Range>, _>>()?;
    let made = openings
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
    let spent = amounts(inputs, outputs).into_iter().enumerate().map(|(i, amount)| {
        let mask = if i + 1 == inputs { *open } else { Scalar::random(rng) };
        *open -= mask;
        Opening::new(amount, mask)
    });
    let spent = spent.collect();
    Ok((made, ranges, spent))
}

/// A new output that is to be spent, among random ones in a new ring; all are added to a ledger.
pub(in crate::tx) struct Spend {
    /// Its place in the ring.
    pub(in crate::tx) index: usize,
    pub(in crate::tx) key: Zeroizing<Scalar>,
    /// The mask of its commitment less that of the pseudo-commitment.
    pub(in crate::tx) mask: Zeroizing<Scalar>,
    /// Key and commitment of each member.
    pub(in crate::tx) ring: Vec<[[u8; 32]; 2]>,
    pub(in crate::tx) indices: Vec<u64>,
}

impl Spend {
    /// One of the amount of a pseudo-commitment.
    pub(in crate::tx) fn new(
        protocol: Protocol,
        ring_size: usize,
        pseudo: &Opening,
        ledger: &mut MemoryLedger,
        rng: &mut impl CryptoRng,
    ) -> Spend {
        let mut bytes = [0; 8];
        rng.fill_bytes(&mut bytes);
        let index = (u64::from_le_bytes(bytes) % ring_size as u64) as usize;
        let own = Opening::new(pseudo.amount, Scalar::random(rng));
        let key = Zeroizing::new(Scalar::random(rng));
        let mut secrets: Vec<Scalar> = (0..2 * ring_size).map(|_| Scalar::random(rng)).collect();
        secrets[2 * index] = *key;
        let points = compress_batch_secret(&msm::mul_base_batch(&secrets));
        let mut ring = points.as_chunks().0.to_vec();
        ring[index][1] = own.commit().0;
        let indices = ring.iter().map(|[key, commitment]| ledger.push(protocol, *key, *commitment)).collect();
        Spend { index, key, mask: Zeroizing::new(own.mask - pseudo.mask), ring, indices }
    }
}

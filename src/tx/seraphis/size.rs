//! Bytes of a transaction.

use super::{Kind, Transaction};
use crate::proofs::one_of_many::Shape;
use crate::proofs::schnorr::CompositionProof;

/// The bytes that the study counts for a transaction with one range proof: images, outputs with R, remainder, and proofs;
/// no fee, no memo, no ring indices.
///
/// ```
/// use curve25519_lanes::{proofs::one_of_many::Shape, tx::seraphis::{Kind, size}};
/// assert_eq!(size(Kind::Squashed, &Shape::new(2, 7)?, 2, 2), 2610);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn size(kind: Kind, shape: &Shape, inputs: usize, outputs: usize) -> usize {
    let ownership = kind.ownership_proofs(inputs);
    parts(kind, shape, inputs, outputs)
        + range(kind.amounts(inputs, outputs))
        + ownership * CompositionProof::size(inputs / ownership.max(1))
}

/// Images, outputs, remainder, membership.
fn parts(kind: Kind, shape: &Shape, inputs: usize, outputs: usize) -> usize {
    let remainder = if kind == Kind::Merge { 0 } else { 32 };
    96 * inputs + 105 * outputs + remainder + inputs * kind.system(*shape).proof_size()
}

/// A range proof on so many amounts.
fn range(amounts: usize) -> usize {
    32 * (6 + 2 * (6 + amounts.next_power_of_two().ilog2() as usize))
}

impl Transaction {
    /// The bytes that the study counts: see [`size`].
    pub fn size(&self) -> usize {
        let ranges: usize = self.ranges.iter().map(|r| 32 * (6 + r.proof.l.len() + r.proof.r.len())).sum();
        let ownership: usize = self.ownership.iter().map(|proof| CompositionProof::size(proof.r.len())).sum();
        parts(self.kind, &self.shape, self.images.len(), self.outputs.len()) + ranges + ownership
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of the study.
    #[test]
    fn published_sizes() {
        let shapes = [(2, 4), (2, 6), (2, 7), (2, 8), (3, 4), (2, 7), (2, 7), (2, 7)];
        let counts = [(2, 2), (2, 2), (2, 2), (2, 2), (2, 2), (1, 2), (16, 2), (16, 16)];
        let rows = [
            (Kind::Concise, [2162, 2418, 2546, 2674, 2418, 1714, 14194, 15856]),
            (Kind::Merge, [2034, 2290, 2418, 2546, 2290, 1682, 12722, 14384]),
            (Kind::Squashed, [2226, 2482, 2610, 2738, 2482, 1778, 14450, 15920]),
            (Kind::Plain, [2482, 2866, 3058, 3250, 2738, 1970, 18290, 19952]),
        ];
        for (kind, sizes) in rows {
            for (((n, m), (inputs, outputs)), expected) in shapes.into_iter().zip(counts).zip(sizes) {
                assert_eq!(size(kind, &Shape::new(n, m).unwrap(), inputs, outputs), expected, "{kind:?} {n}^{m}");
            }
        }
    }
}

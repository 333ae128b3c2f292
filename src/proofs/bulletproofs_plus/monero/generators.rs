//! The bases of the proofs.

use alloc::sync::Arc;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::sync::LazyLock;

use super::error::OutputCount;
use crate::group::{CompressedEdwardsY, EdwardsPoint, monero_hash_to_point_batch};
use crate::hash::keccak256;
use crate::proofs::accumulator::GeneratorSet;
use crate::proofs::varint;

/// The most outputs of a Monero range proof.
pub const MAX_OUTPUTS: usize = 16;

/// The most outputs of the same proof in the Seraphis research code.
pub const MAX_OUTPUTS_EXTENDED: usize = 128;

/// log2 of the bits of an amount.
pub(super) const LOG_BITS: usize = 6;

/// The rounds of the largest proof that any [`Generators`] verify.
pub(super) const MAX_ROUNDS: usize = LOG_BITS + MAX_OUTPUTS_EXTENDED.ilog2() as usize;

/// The value base: 8 times the point whose encoding is K(G), G being the encoded base point.
const H: CompressedEdwardsY = CompressedEdwardsY([
    0x8b, 0x65, 0x59, 0x70, 0x15, 0x37, 0x99, 0xaf, 0x2a, 0xea, 0xdc, 0x9f, 0xf1, 0xad, 0xd0, 0xea, 0x6c, 0x72, 0x51,
    0xd5, 0x41, 0x54, 0xcf, 0xa9, 0x2c, 0x17, 0x3a, 0x0d, 0xd3, 0x9c, 0x1f, 0x94,
]);

/// The value base H, which carries the amount of a commitment; the base point G carries the mask.
pub(crate) fn value_base() -> EdwardsPoint {
    H.decompress_strict().expect("a constant that is a point")
}

/// The shared bases of all proofs of up to some number of outputs, with the tables of their multiscalar sums.
///
/// Two vector bases for every bit and output, the value base and the base point. Build it once and share it by
/// reference. The functions of the [module](super) use one for [`MAX_OUTPUTS`], built when first needed.
///
/// Building hashes 128 points an output: some milliseconds for [`MAX_OUTPUTS`]. The tables of the multiscalar sums, up to
/// 1 MiB each for that number, are computed when first needed, one for each padded number of outputs: a table is cut
/// for sums over all its points, and a proof of two outputs took 1.5 times as long over that of 16.
pub struct Generators {
    pub(super) value: EdwardsPoint,
    pub(super) gi: Vec<EdwardsPoint>,
    pub(super) hi: Vec<EdwardsPoint>,
    /// H, G, Gi\[0\], Hi\[0\], Gi\[1\], …, with a table for every power of two of outputs.
    pub(super) set: Arc<GeneratorSet<EdwardsPoint>>,
}

impl Generators {
    /// The bases for up to `max_outputs` outputs, rounded up to a power of two.
    ///
    /// # Errors
    /// `max_outputs` is 0 or larger than [`MAX_OUTPUTS_EXTENDED`].
    pub fn new(max_outputs: usize) -> Result<Generators, OutputCount> {
        if max_outputs == 0 || max_outputs > MAX_OUTPUTS_EXTENDED {
            return Err(OutputCount { found: max_outputs, limit: MAX_OUTPUTS_EXTENDED });
        }
        let len = max_outputs.next_power_of_two() << LOG_BITS;
        let hi = vector_bases(len, 0);
        let gi = vector_bases(len, 1);
        let pairs = gi.iter().zip(&hi).flat_map(|(g, h)| [*g, *h]);
        let points: Vec<_> = [value_base(), EdwardsPoint::BASEPOINT].into_iter().chain(pairs).collect();
        let prefixes: Vec<_> = (LOG_BITS..=len.ilog2() as usize).map(|rounds| 2 + (2 << rounds)).collect();
        Ok(Generators { value: value_base(), gi, hi, set: Arc::new(GeneratorSet::new(&points, &prefixes)) })
    }

    /// The most outputs that a proof over these bases may have.
    pub fn max_outputs(&self) -> usize {
        self.gi.len() >> LOG_BITS
    }

    /// The base H of the amount; that of the mask is [`EdwardsPoint::BASEPOINT`].
    pub fn value_base(&self) -> &EdwardsPoint {
        &self.value
    }

    /// The vector bases G, in order: 64 for each output.
    pub fn g(&self) -> &[EdwardsPoint] {
        &self.gi
    }

    /// The vector bases H, in order: 64 for each output.
    pub fn h(&self) -> &[EdwardsPoint] {
        &self.hi
    }

    /// The rounds of a proof of this many outputs.
    pub(super) fn rounds(&self, outputs: usize) -> Result<usize, OutputCount> {
        if outputs == 0 || outputs > self.max_outputs() {
            return Err(OutputCount { found: outputs, limit: self.max_outputs() });
        }
        Ok(LOG_BITS + outputs.next_power_of_two().ilog2() as usize)
    }

    /// The bases for [`MAX_OUTPUTS`], built on first use and kept.
    #[cfg(feature = "std")]
    pub fn shared() -> &'static Generators {
        static SHARED: LazyLock<Generators> =
            LazyLock::new(|| Generators::new(MAX_OUTPUTS).expect("a number of outputs in range"));
        &SHARED
    }
}

impl core::fmt::Debug for Generators {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Generators").field("max_outputs", &self.max_outputs()).finish_non_exhaustive()
    }
}

/// 8·map(K(K(H | "bulletproof_plus" | varint(2i + offset)))) for i below `len`: Hi for offset 0, Gi for 1.
fn vector_bases(len: usize, offset: usize) -> Vec<EdwardsPoint> {
    let hashes: Vec<_> = (0..len)
        .map(|i| {
            let mut name = [&H.0[..], b"bulletproof_plus"].concat();
            varint::write(&mut name, (2 * i + offset) as u64);
            keccak256(&keccak256(&name))
        })
        .collect();
    monero_hash_to_point_batch(&hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_base_is_the_hash_of_the_base_point() {
        let hash = CompressedEdwardsY(keccak256(&EdwardsPoint::BASEPOINT.compress().0));
        assert_eq!(hash.decompress_strict().unwrap().mul_by_cofactor(), value_base());
    }

    #[test]
    fn limits() {
        for bad in [0, MAX_OUTPUTS_EXTENDED + 1, usize::MAX] {
            assert_eq!(Generators::new(bad).unwrap_err(), OutputCount { found: bad, limit: MAX_OUTPUTS_EXTENDED });
        }
        let three = Generators::new(3).unwrap();
        assert_eq!((three.max_outputs(), three.g().len(), three.h().len()), (4, 256, 256));
        assert_eq!(three.rounds(1), Ok(6));
        assert_eq!(three.rounds(3), Ok(8));
        assert_eq!(three.rounds(5), Err(OutputCount { found: 5, limit: 4 }));
    }
}

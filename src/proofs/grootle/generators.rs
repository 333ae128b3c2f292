//! The bases of the bit commitments.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use crate::group::{EdwardsPoint, monero_hash_to_point_batch};
use crate::hash::keccak256;
use crate::proofs::accumulator::GeneratorSet;
use crate::proofs::one_of_many::MAX_CELLS;

/// The bases of all Grootle proofs, with the tables of their sums: the base point for the mask, and two for every cell.
///
/// It is what proofs are collected under: see [`Accumulator`](super::Accumulator).
pub struct Generators {
    /// G, HA_0, HB_0, HA_1, …: whatever the number of cells, its bases are a prefix.
    pub(super) set: Arc<GeneratorSet<EdwardsPoint>>,
    pub(super) points: Vec<EdwardsPoint>,
}

impl Generators {
    /// The bases, built when first needed: some tenths of a millisecond; a table for each padded number of cells on top.
    pub fn shared() -> &'static Generators {
        static SHARED: OnceBox<Generators> = OnceBox::new();
        SHARED.get_or_init(|| Box::new(Generators::new()))
    }

    fn new() -> Generators {
        let pairs = family(b"grootle Hi A").into_iter().zip(family(b"grootle Hi B"));
        let points: Vec<_> = [EdwardsPoint::BASEPOINT].into_iter().chain(pairs.flat_map(|(a, b)| [a, b])).collect();
        Generators {
            set: Arc::new(GeneratorSet::new(&points, &[1 + 2 * 8, 1 + 2 * 16, 1 + 2 * 32, 1 + 2 * 64])),
            points,
        }
    }

    /// HA, in order.
    pub fn ha(&self) -> impl Iterator<Item = &EdwardsPoint> {
        self.points[1..].iter().step_by(2)
    }

    /// HB, in order.
    pub fn hb(&self) -> impl Iterator<Item = &EdwardsPoint> {
        self.points[2..].iter().step_by(2)
    }
}

impl core::fmt::Debug for Generators {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Generators").finish_non_exhaustive()
    }
}

/// 8·map(K(K(name | i))) for all indices: below 128, so the number is one byte in the variable-length form, too.
pub(crate) fn family(name: &[u8]) -> Vec<EdwardsPoint> {
    let hashes: Vec<_> = (0..MAX_CELLS as u8).map(|i| keccak256(&keccak256(&[name, &[i]].concat()))).collect();
    monero_hash_to_point_batch(&hashes)
}

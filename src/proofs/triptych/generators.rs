//! The bases of the bit commitments.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use super::u_base;
use crate::group::EdwardsPoint;
use crate::proofs::accumulator::GeneratorSet;
use crate::proofs::bulletproofs_plus::monero;
use crate::proofs::grootle::family;

/// The bases of all proofs, with the tables of their sums: G, H for the masks, U, and one for every cell.
///
/// It is what proofs are collected under: see [`Accumulator`](super::Accumulator).
pub struct Generators {
    /// G, H, U, HT_0, HT_1, …: whatever the number of cells, its bases are a prefix.
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
        let first = [EdwardsPoint::BASEPOINT, monero::value_base(), u_base()];
        let points = [&first[..], &family(b"triptych H")].concat();
        Generators { set: Arc::new(GeneratorSet::new(&points, &[3 + 8, 3 + 16, 3 + 32, 3 + 64])), points }
    }

    /// HT, in order.
    pub fn ht(&self) -> &[EdwardsPoint] {
        &self.points[3..]
    }
}

impl core::fmt::Debug for Generators {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Generators").finish_non_exhaustive()
    }
}

//! Batches whose items are one long chain of multiplications each: a square root, mostly.

use super::backend::Backend;
use crate::field::lanes::FieldLanes;

/// What is done to a vector's worth of items, or to two.
pub(super) trait Pairs<B: Backend> {
    type Item;
    type Out;
    /// Up to `M·LANES` items, side by side. Missing ones are padded.
    fn group<const M: usize>(&self, isa: B, items: &[Self::Item], out: &mut [Self::Out]);
}

/// All items, two vectors side by side as long as there are more than one: a chain alone would leave the CPU half idle.
#[inline(always)]
pub(super) fn in_pairs<B: Backend, P: Pairs<B>>(isa: B, pairs: &P, items: &[P::Item], out: &mut [P::Out]) {
    let lanes = B::F::LANES;
    for (items, out) in items.chunks(2 * lanes).zip(out.chunks_mut(2 * lanes)) {
        if items.len() > lanes {
            pairs.group::<2>(isa, items, out);
        } else {
            pairs.group::<1>(isa, items, out);
        }
    }
}

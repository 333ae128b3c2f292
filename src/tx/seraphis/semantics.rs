//! The checks that need neither ledger nor arithmetic.

use super::verify::Rules;
use super::{Check, Kind, MAX_INPUTS, MAX_OUTPUTS, Transaction};
use crate::group::CompressedEdwardsY;

/// Counts, order and limits.
pub(super) fn check(tx: &Transaction, rules: Rules) -> Result<(), Check> {
    let limited = rules == Rules::Sound;
    let (inputs, outputs) = (tx.images.len(), tx.outputs.len());
    if inputs == 0 || limited && inputs > MAX_INPUTS {
        return Err(Check::Inputs(inputs));
    }
    if outputs == 0 || limited && outputs > MAX_OUTPUTS {
        return Err(Check::Outputs(outputs));
    }
    if tx.memberships.len() != inputs {
        return Err(Check::Memberships(tx.memberships.len()));
    }
    if tx.ownership.len() != tx.kind.ownership_proofs(inputs) {
        return Err(Check::OwnershipProofs(tx.ownership.len()));
    }
    if tx.pubkeys.len() != outputs {
        return Err(Check::Pubkeys(tx.pubkeys.len()));
    }
    let (found, expected) = (tx.ranges.iter().map(|range| range.v.len()).sum(), tx.kind.amounts(inputs, outputs));
    if found != expected {
        return Err(Check::Amounts { found, expected });
    }
    let amounts = |range: usize| tx.ranges[range].v.len();
    if let Some(range) = (1..tx.ranges.len().saturating_sub(1)).find(|range| amounts(*range) != amounts(0)) {
        return Err(Check::RangeGroup(range));
    }
    if tx.remainder.is_some() == (tx.kind == Kind::Merge) {
        return Err(Check::Remainder);
    }
    for (input, membership) in tx.memberships.iter().enumerate() {
        if membership.indices.len() != tx.shape.ring_size() {
            return Err(Check::RingSize(input));
        }
        if !membership.indices.is_sorted() {
            return Err(Check::RingOrder(input));
        }
    }
    for (input, image) in tx.images.iter().enumerate() {
        if image.address == CompressedEdwardsY::IDENTITY.0 || image.commitment == CompressedEdwardsY::IDENTITY.0 {
            return Err(Check::IdentityImage(input));
        }
        if input > 0 && tx.images[input - 1].tag >= image.tag {
            return Err(Check::TagOrder(input));
        }
    }
    Ok(())
}

//! Validation of many transactions together.

use alloc::vec::Vec;

use super::{BatchError, Check, Transaction, members};
use crate::proofs::bulletproofs_plus::monero::Divided;
use crate::proofs::clsag::{self, RingMember};
use crate::tx::batch::{self, range_generators};
use crate::tx::ledger::Ledger;
use crate::tx::ring_inputs::{MESSAGE, Parts, spent_once, stages};

/// Validates one transaction.
///
/// # Errors
/// The first failed check.
pub fn verify(tx: &Transaction, ledger: &impl Ledger) -> Result<(), Check> {
    batch::only(verify_batch(core::slice::from_ref(tx), ledger))
}

/// Validates transactions of any ring sizes, none of which may spend what a valid one before it does.
///
/// # Errors
/// An empty batch, or all failed checks, each with its transaction and proof.
pub fn verify_batch(txs: &[Transaction], ledger: &impl Ledger) -> Result<(), BatchError> {
    let (mut batch, parts) = stages(txs, ledger)?;
    signatures(&mut batch, &parts);
    let ranges = |i: usize| txs[i].ranges.iter().map(|range| range.statement()).enumerate().collect();
    batch.sum_of(&Divided(range_generators()), ranges, |&proof, error| Check::Range { proof, error });
    spent_once(&mut batch, &parts);
    batch.verdict()
}

/// The signatures of the transactions that passed all stages, side by side.
pub(in crate::tx) fn signatures(batch: &mut batch::Batch<'_, Transaction, Check>, parts: &Parts) {
    let txs = batch.txs();
    let good = batch.good();
    let rings: Vec<Vec<RingMember>> = parts.rings.iter().map(|rings| members(rings)).collect();
    let (mut statements, mut places) = (Vec::new(), Vec::new());
    for &i in &good {
        let Transaction { ring_size, inputs, .. } = &txs[i];
        for (input, (own, tag)) in inputs.iter().zip(&parts.tags[i]).enumerate() {
            // By place, not by chunks: of empty rings there would be none, and no signature to refuse.
            let ring = &rings[i][input * ring_size..][..*ring_size];
            statements.push(clsag::Statement {
                ring,
                key_image: tag,
                pseudo_out: &own.commitment,
                message: &MESSAGE,
                signature: &own.signature,
            });
            places.push((i, input));
        }
    }
    for ((i, input), verdict) in places.into_iter().zip(clsag::verify_each(&statements)) {
        if let Err(error) = verdict {
            batch.fail(i, Check::Membership { input, error });
        }
    }
}

//! Validation of many transactions together.

use alloc::vec::Vec;

use super::{BatchError, Check, Transaction};
use crate::proofs::accumulator::Either;
use crate::proofs::bulletproofs_plus::monero;
use crate::proofs::triptych;
use crate::tx::batch;
use crate::tx::ledger::Ledger;
use crate::tx::ring_inputs::{MESSAGE, Parts, spent_once, stages};

/// Validates one transaction.
///
/// # Errors
/// The first failed check.
pub fn verify(tx: &Transaction, ledger: &impl Ledger) -> Result<(), Check> {
    batch::only(verify_batch(core::slice::from_ref(tx), ledger))
}

/// Validates transactions of any shapes, none of which may spend what a valid one before it does.
///
/// # Errors
/// An empty batch, or all failed checks, each with its transaction and proof.
pub fn verify_batch(txs: &[Transaction], ledger: &impl Ledger) -> Result<(), BatchError> {
    let (mut batch, parts) = stages(txs, ledger)?;
    batch.sum(triptych::Generators::shared(), |i| proofs(&txs[i], &parts, i), proof_failure);
    spent_once(&mut batch, &parts);
    batch.verdict()
}

/// The membership and range proofs of a transaction that passed all stages.
pub(in crate::tx) fn proofs<'a>(
    tx: &'a Transaction,
    parts: &'a Parts,
    i: usize,
) -> Vec<Either<triptych::Statement<'a>, monero::Statement<'a>>> {
    let Transaction { shape, inputs, ranges, .. } = tx;
    let rings = parts.rings[i].chunks(shape.ring_size());
    let memberships = inputs.iter().zip(rings).zip(&parts.tags[i]).map(|((own, ring), tag)| {
        Either::First(triptych::Statement {
            shape: *shape,
            message: MESSAGE,
            ring: ring.as_flattened(),
            offset: own.commitment,
            tag: *tag,
            proof: &own.proof,
        })
    });
    memberships.chain(ranges.iter().map(|range| Either::Second(range.statement()))).collect()
}

/// The failure of a membership or range proof.
pub(in crate::tx) fn proof_failure(at: usize, error: Either<triptych::VerifyError, monero::VerifyError>) -> Check {
    match error {
        Either::First(error) => Check::Membership { input: at, error },
        Either::Second(error) => Check::Range { proof: at, error },
    }
}

//! Validation of many transactions together.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{BatchError, Check, Input, MAX_INPUTS, MAX_OUTPUTS, Transaction};
use crate::group::{EdwardsPoint, compress_batch, try_decompress_batch_strict};
use crate::proofs::accumulator::Either;
use crate::proofs::triptych;
use crate::tx::batch;
use crate::tx::ledger::Ledger;

/// What the proofs sign.
pub(super) const MESSAGE: [u8; 32] = [0; 32];

/// Validates one transaction.
///
/// # Errors
/// The first failed check.
pub fn verify(tx: &Transaction, ledger: &impl Ledger) -> Result<(), Check> {
    batch::only(verify_batch(core::slice::from_ref(tx), ledger))
}

/// Validates transactions of any shapes, none of which may spend what another one does.
///
/// # Errors
/// An empty batch, or all failed checks, each with its transaction and proof.
pub fn verify_batch(txs: &[Transaction], ledger: &impl Ledger) -> Result<(), BatchError> {
    let mut batch = Batch::new(txs)?;
    batch.each(|tx, _| semantics(tx));
    let tags = batch.points();
    batch.tags(&tags, ledger);
    let rings = batch.rings(ledger);
    batch.folded(&tags, &rings);
    batch.verdict()
}

/// Counts, order and limits.
fn semantics(tx: &Transaction) -> Result<(), Check> {
    let (inputs, outputs) = (tx.inputs.len(), tx.outputs.len());
    if inputs == 0 || inputs > MAX_INPUTS {
        return Err(Check::Inputs(inputs));
    }
    if outputs == 0 || outputs > MAX_OUTPUTS {
        return Err(Check::Outputs(outputs));
    }
    let found = tx.ranges.iter().map(|range| range.v.len()).sum();
    if found != outputs {
        return Err(Check::Amounts { found, expected: outputs });
    }
    for (i, input) in tx.inputs.iter().enumerate() {
        if input.indices.len() != tx.shape.ring_size() {
            return Err(Check::RingSize(i));
        }
        if !input.indices.is_sorted() {
            return Err(Check::RingOrder(i));
        }
    }
    Ok(())
}

type Batch<'a> = batch::Batch<'a, Transaction, Check>;

impl Batch<'_> {
    /// Commitments of range proofs, balance, and that everything is a point. Gives the tags J of each transaction.
    fn points(&mut self) -> Vec<Vec<[u8; 32]>> {
        let good = self.good();
        let mut encodings = Vec::new();
        for &i in &good {
            let tx = &self.txs()[i];
            encodings.extend(tx.inputs.iter().flat_map(|input| [input.commitment, input.tag_eighth]));
            encodings.extend(tx.outputs.iter().map(|output| output.key));
            encodings.extend(tx.ranges.iter().flat_map(|range| &range.v));
        }
        let decoded = try_decompress_batch_strict(&encodings);
        let mut rest = &decoded[..];

        // For each transaction the points 8·V and 8·(J/8), to be encoded.
        let (mut eights, mut balances) = (Vec::new(), Vec::new());
        for i in good {
            let (inputs, outputs) = (self.txs()[i].inputs.len(), self.txs()[i].outputs.len());
            let (own, others) = rest.split_at(2 * inputs + 2 * outputs);
            rest = others;
            if let Some(at) = own.iter().position(Option::is_none) {
                self.fail(
                    i,
                    match at {
                        _ if at < 2 * inputs => Check::InputPoint(at / 2),
                        _ if at < 2 * inputs + outputs => Check::OutputPoint(at - 2 * inputs),
                        _ => Check::AmountPoint(at - 2 * inputs - outputs),
                    },
                );
                continue;
            }
            let own: Vec<EdwardsPoint> = own.iter().flatten().copied().collect();
            eights.extend(own[2 * inputs + outputs..].iter().map(EdwardsPoint::mul_by_cofactor));
            let committed: EdwardsPoint = eights[eights.len() - outputs..].iter().sum();
            let (images, _) = own.split_at(2 * inputs);
            eights.extend(images.iter().skip(1).step_by(2).map(EdwardsPoint::mul_by_cofactor));
            balances.push((i, images.iter().step_by(2).sum::<EdwardsPoint>() == committed));
        }
        let encoded = compress_batch(&eights);
        let mut rest = &encoded[..];
        let mut tags = alloc::vec![Vec::new(); self.txs().len()];
        for (i, balanced) in balances {
            let tx = &self.txs()[i];
            let (amounts, others) = rest.split_at(tx.outputs.len());
            let (own, others) = others.split_at(tx.inputs.len());
            rest = others;
            let outputs = tx.outputs.iter().zip(amounts);
            if let Some(at) = outputs.enumerate().find_map(|(at, (o, found))| (o.commitment != *found).then_some(at)) {
                self.fail(i, Check::AmountCommitment(at));
            } else if !balanced {
                self.fail(i, Check::Balance);
            }
            tags[i] = own.to_vec();
        }
        tags
    }

    /// No tag was spent before, by the ledger or in the batch.
    fn tags(&mut self, tags: &[Vec<[u8; 32]>], ledger: &impl Ledger) {
        let mut seen = BTreeMap::new();
        self.each(|_, i| {
            for (input, tag) in tags[i].iter().enumerate() {
                if ledger.is_spent(tag) {
                    return Err(Check::Spent(input));
                }
                if tags[i][..input].contains(tag) {
                    return Err(Check::SpentTwice(input));
                }
                if let Some(transaction) = seen.get(tag) {
                    return Err(Check::SpentInBatch { input, transaction: *transaction });
                }
            }
            seen.extend(tags[i].iter().map(|tag| (*tag, i)));
            Ok(())
        });
    }

    /// The points of the rings of each transaction, ring by ring.
    fn rings(&mut self, ledger: &impl Ledger) -> Vec<Vec<[u8; 32]>> {
        let mut rings = alloc::vec![Vec::new(); self.txs().len()];
        self.each(|tx, i| {
            for (input, Input { indices, .. }) in tx.inputs.iter().enumerate() {
                for &index in indices {
                    rings[i].extend(ledger.output(index).ok_or(Check::Missing { input, index })?);
                }
            }
            Ok(())
        });
        rings
    }

    /// Triptych and range proofs, as one sum.
    fn folded(&mut self, tags: &[Vec<[u8; 32]>], rings: &[Vec<[u8; 32]>]) {
        let txs = self.txs();
        let proofs = |i: usize| {
            let Transaction { shape, inputs, ranges, .. } = &txs[i];
            let rings = rings[i].chunks(2 * shape.ring_size());
            let inputs = inputs.iter().zip(rings).zip(&tags[i]).map(|((own, ring), tag)| {
                Either::First(triptych::Statement {
                    shape: *shape,
                    message: MESSAGE,
                    ring,
                    offset: own.commitment,
                    tag: *tag,
                    proof: &own.proof,
                })
            });
            inputs.chain(ranges.iter().map(|range| Either::Second(range.statement()))).collect()
        };
        self.sum(triptych::Generators::shared(), proofs, |at, error| match error {
            Either::First(error) => Check::Membership { input: at, error },
            Either::Second(error) => Check::Range { proof: at, error },
        });
    }
}

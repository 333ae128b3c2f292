//! The stages of validation before proofs.

use alloc::vec::Vec;

use super::{Check, MAX_INPUTS, MAX_OUTPUTS, RingTransaction};
use crate::group::{EdwardsPoint, compress_batch, try_decompress_batch_strict};
use crate::tx::batch;
use crate::tx::failure::BatchError;
use crate::tx::ledger::Ledger;

type Batch<'a, T> = batch::Batch<'a, T, Check<<T as RingTransaction>::Error>>;

/// What the statements of the proofs of each transaction are made of.
pub(in crate::tx) struct Parts {
    /// The linking tags, by input.
    pub(in crate::tx) tags: Vec<Vec<[u8; 32]>>,
    /// Key and commitment of each ring member, ring by ring.
    pub(in crate::tx) rings: Vec<Vec<[[u8; 32]; 2]>>,
}

/// Everything but the proofs.
#[expect(clippy::type_complexity, reason = "used once")]
pub(in crate::tx) fn stages<'a, T: RingTransaction>(
    txs: &'a [T],
    ledger: &impl Ledger,
) -> Result<(Batch<'a, T>, Parts), BatchError<Check<T::Error>>> {
    let mut batch = Batch::<T>::new(txs)?;
    batch.each(|tx, _| semantics(tx));
    let tags = points(&mut batch);
    unspent(&mut batch, &tags, ledger);
    let rings = rings(&mut batch, ledger);
    Ok((batch, Parts { tags, rings }))
}

/// Counts, order and limits.
fn semantics<T: RingTransaction>(tx: &T) -> Result<(), Check<T::Error>> {
    let (inputs, outputs) = (tx.images().len(), tx.outputs().len());
    if inputs == 0 || inputs > MAX_INPUTS {
        return Err(Check::Inputs(inputs));
    }
    if outputs == 0 || outputs > MAX_OUTPUTS {
        return Err(Check::Outputs(outputs));
    }
    let found = tx.ranges().iter().map(|range| range.v.len()).sum();
    if found != outputs {
        return Err(Check::Amounts { found, expected: outputs });
    }
    for (i, image) in tx.images().enumerate() {
        if image.indices.len() != tx.ring_size() {
            return Err(Check::RingSize(i));
        }
        if !image.indices.is_sorted() {
            return Err(Check::RingOrder(i));
        }
    }
    Ok(())
}

/// Commitments of range proofs, balance, and that everything is a point. Gives the tags of each transaction.
fn points<T: RingTransaction>(batch: &mut Batch<'_, T>) -> Vec<Vec<[u8; 32]>> {
    let (good, txs) = (batch.good(), batch.txs());
    let mut encodings = Vec::new();
    for &i in &good {
        let tx = &txs[i];
        encodings.extend(tx.images().flat_map(|image| [*image.commitment, *image.tag_eighth]));
        encodings.extend(tx.outputs().iter().map(|output| output.key));
        encodings.extend(tx.ranges().iter().flat_map(|range| &range.v));
    }
    let decoded = try_decompress_batch_strict(&encodings);
    let mut rest = &decoded[..];

    // For each transaction the points 8·V and eight times its tags' eighths, to be encoded.
    let (mut eights, mut balances) = (Vec::new(), Vec::new());
    for i in good {
        let (inputs, outputs) = (txs[i].images().len(), txs[i].outputs().len());
        let (own, others) = rest.split_at(2 * inputs + 2 * outputs);
        rest = others;
        if let Some(at) = own.iter().position(Option::is_none) {
            batch.fail(
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
    let mut tags = alloc::vec![Vec::new(); txs.len()];
    for (i, balanced) in balances {
        let outputs = txs[i].outputs();
        let (amounts, others) = rest.split_at(outputs.len());
        let (own, others) = others.split_at(txs[i].images().len());
        rest = others;
        if let Some(at) = outputs.iter().zip(amounts).position(|(output, found)| output.commitment != *found) {
            batch.fail(i, Check::AmountCommitment(at));
        } else if !balanced {
            batch.fail(i, Check::Balance);
        }
        tags[i] = own.to_vec();
    }
    tags
}

/// No tag was spent before, and none twice.
fn unspent<T: RingTransaction>(batch: &mut Batch<'_, T>, tags: &[Vec<[u8; 32]>], ledger: &impl Ledger) {
    batch.each(|_, i| {
        for (input, tag) in tags[i].iter().enumerate() {
            if ledger.is_spent(tag) {
                return Err(Check::Spent(input));
            }
            if tags[i][..input].contains(tag) {
                return Err(Check::SpentTwice(input));
            }
        }
        Ok(())
    });
}

/// What [`stages`] can't know before the proofs are verified: no tag of a valid transaction was spent by one before it.
pub(in crate::tx) fn spent_once<T: RingTransaction>(batch: &mut Batch<'_, T>, parts: &Parts) {
    batch.spent_once(|i| parts.tags[i].clone(), |input, transaction| Check::SpentInBatch { input, transaction });
}

/// The points of the rings of each transaction, ring by ring.
fn rings<T: RingTransaction>(batch: &mut Batch<'_, T>, ledger: &impl Ledger) -> Vec<Vec<[[u8; 32]; 2]>> {
    let mut rings = alloc::vec![Vec::new(); batch.txs().len()];
    batch.each(|tx, i| {
        for (input, image) in tx.images().enumerate() {
            for &index in image.indices {
                rings[i].push(ledger.output(T::PROTOCOL, index).ok_or(Check::Missing { input, index })?);
            }
        }
        Ok(())
    });
    rings
}

//! The verdict on transactions.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::Transaction;
use super::error::{BatchError, Part, VerifyError};
use crate::field::scalar::Scalar;
use crate::group::try_decompress_batch_strict;
use crate::msm;
use crate::proofs::bulletproofs_plus::monero::{self as range, Generators, MAX_OUTPUTS};
use crate::proofs::clsag::{self, RingMember};

/// A transaction, and what the ledger has at its inputs' offsets.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The transaction.
    pub transaction: &'a Transaction,
    /// A ring for each input, in order.
    pub rings: &'a [Vec<RingMember>],
}

/// Verifies one transaction. `generators` reach at least [`MAX_OUTPUTS`] outputs.
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify(
    generators: &Generators,
    transaction: &Transaction,
    rings: &[Vec<RingMember>],
) -> Result<(), VerifyError> {
    verify_each(generators, &[Statement { transaction, rings }])[0]
}

/// Verifies all of a transaction but its ring signatures: **says nothing on whether its maker owns what it spends**.
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify_without_rings(generators: &Generators, transaction: &Transaction) -> Result<(), VerifyError> {
    verify_each_without_rings(generators, &[transaction])[0]
}

/// Verifies many transactions.
///
/// # Errors
/// An empty batch, or the first invalid transaction.
pub fn verify_batch(generators: &Generators, items: &[Statement<'_>]) -> Result<(), BatchError> {
    if items.is_empty() {
        return Err(BatchError::Empty);
    }
    let mut verdicts = verify_each(generators, items).into_iter().enumerate();
    verdicts.try_for_each(|(index, verdict)| verdict.map_err(|error| BatchError::Transaction { index, error }))
}

/// The verdict on each of many transactions, as [`verify`] gives it, for a fraction of the cost. A transaction that spends
/// what a valid one before it spends is refused too.
///
/// All range proofs make one sum; if it fails, parts of it are tried until the bad ones are found.
pub fn verify_each(generators: &Generators, items: &[Statement<'_>]) -> Vec<Result<(), VerifyError>> {
    let transactions: Vec<&Transaction> = items.iter().map(|item| item.transaction).collect();
    each(generators, &transactions, Some(items))
}

/// The verdict on each of many transactions, as [`verify_without_rings`] gives it. Two that spend the same are both let
/// through: which of them may is for the ring signatures to say.
pub fn verify_each_without_rings(
    generators: &Generators,
    transactions: &[&Transaction],
) -> Vec<Result<(), VerifyError>> {
    each(generators, transactions, None)
}

fn each(
    generators: &Generators,
    transactions: &[&Transaction],
    rings: Option<&[Statement<'_>]>,
) -> Vec<Result<(), VerifyError>> {
    let mut verdicts: Vec<_> = transactions.iter().map(|transaction| form(transaction)).collect();
    if let Some(items) = rings {
        for (item, verdict) in items.iter().zip(&mut verdicts) {
            *verdict = verdict.and_then(|()| ring_sizes(item));
        }
    }
    points(generators, transactions, &mut verdicts);
    range_proofs(generators, transactions, &mut verdicts);
    if let Some(items) = rings {
        signatures(items, &mut verdicts);
        // Without rings nobody has shown to own a key image: whoever copied one would refuse its owner's transaction.
        double_spends(transactions, &mut verdicts);
    }
    verdicts
}

/// The checks that need no arithmetic.
fn form(transaction: &Transaction) -> Result<(), VerifyError> {
    let Transaction { inputs, outputs, .. } = transaction;
    if !(2..=MAX_OUTPUTS).contains(&outputs.len()) {
        return Err(VerifyError::Outputs(outputs.len()));
    }
    if let Some(i) = outputs.iter().position(|o| o.view_tag.is_some() != outputs[0].view_tag.is_some()) {
        return Err(VerifyError::OutputKind(i));
    }
    if inputs.iter().try_fold(0u64, |sum, input| sum.checked_add(input.amount)).is_none() {
        return Err(VerifyError::AmountOverflow);
    }
    let expected = inputs.first().ok_or(VerifyError::NoInputs)?.offsets.len();
    for (i, input) in inputs.iter().enumerate() {
        let found = input.offsets.len();
        if found == 0 || found != expected {
            return Err(VerifyError::RingSize { input: i, found, expected });
        }
        if let Some(before) = input.offsets[1..].iter().position(|offset| *offset == 0) {
            return Err(VerifyError::RepeatedMember { input: i, member: before + 1 });
        }
        if i > 0 && input.key_image >= inputs[i - 1].key_image {
            return Err(VerifyError::KeyImageOrder(i));
        }
    }
    Ok(())
}

fn ring_sizes(item: &Statement<'_>) -> Result<(), VerifyError> {
    let (found, expected) = (item.rings.len(), item.transaction.inputs.len());
    if found != expected {
        return Err(VerifyError::Rings { found, expected });
    }
    for (i, (ring, input)) in item.rings.iter().zip(&item.transaction.inputs).enumerate() {
        let (found, expected) = (ring.len(), input.offsets.len());
        if found != expected {
            return Err(VerifyError::RingGiven { input: i, found, expected });
        }
    }
    Ok(())
}

/// The indices of those not refused yet.
fn standing(verdicts: &[Result<(), VerifyError>]) -> Vec<usize> {
    (0..verdicts.len()).filter(|&i| verdicts[i].is_ok()).collect()
}

/// Decodes everything outside the proofs; output keys, key images, balance.
fn points(generators: &Generators, transactions: &[&Transaction], verdicts: &mut [Result<(), VerifyError>]) {
    let standing = standing(verdicts);
    let mut encodings = Vec::new();
    for &i in &standing {
        let Transaction { inputs, outputs, .. } = transactions[i];
        encodings.extend(outputs.iter().flat_map(|output| [output.key, output.commitment]));
        encodings.extend(inputs.iter().flat_map(|input| [input.pseudo_out, input.key_image]));
    }
    let decoded = try_decompress_batch_strict(&encodings);
    let fees: Vec<Scalar> = standing.iter().map(|&i| Scalar::from(transactions[i].fee)).collect();
    let fees = msm::mul_batch(&fees, &vec![*generators.value_base(); fees.len()]).expect("a base for each fee");

    let mut rest = &decoded[..];
    // The key images, each with its transaction and input.
    let (mut images, mut owners) = (Vec::new(), Vec::new());
    for (&i, fee) in standing.iter().zip(fees) {
        let (inputs, outputs) = (transactions[i].inputs.len(), transactions[i].outputs.len());
        let (own, others) = rest.split_at(2 * (inputs + outputs));
        rest = others;
        let mut balance = -fee;
        verdicts[i] = own.iter().enumerate().try_for_each(|(k, point)| {
            let part = match (k / 2, k % 2) {
                (k, 0) if k < outputs => Part::OutputKey(k),
                (k, _) if k < outputs => Part::Commitment(k),
                (k, 0) => Part::PseudoOut(k - outputs),
                (k, _) => Part::KeyImage(k - outputs),
            };
            let point = point.ok_or(VerifyError::Point(part))?;
            match part {
                Part::OutputKey(_) => {}
                Part::Commitment(_) => balance -= point,
                Part::PseudoOut(_) => balance += point,
                Part::KeyImage(input) if point.is_identity().into() => return Err(VerifyError::IdentityImage(input)),
                Part::KeyImage(input) => {
                    images.push(point);
                    owners.push((i, input));
                }
            }
            Ok(())
        });
        if verdicts[i].is_ok() && !bool::from(balance.is_identity()) {
            verdicts[i] = Err(VerifyError::Balance);
        }
    }
    // The integer l: as a scalar it would be 0 and let everything pass.
    for (point, (i, input)) in msm::same_scalar_vartime(&Scalar::ORDER, &images).iter().zip(owners) {
        if verdicts[i].is_ok() && !bool::from(point.is_identity()) {
            verdicts[i] = Err(VerifyError::TorsionImage(input));
        }
    }
}

fn range_proofs(generators: &Generators, transactions: &[&Transaction], verdicts: &mut [Result<(), VerifyError>]) {
    let standing = standing(verdicts);
    let commitments: Vec<Vec<[u8; 32]>> =
        standing.iter().map(|&i| transactions[i].outputs.iter().map(|output| output.commitment).collect()).collect();
    let items: Vec<range::Statement<'_>> = standing
        .iter()
        .zip(&commitments)
        .map(|(&i, commitments)| range::Statement { commitments, proof: &transactions[i].range_proof })
        .collect();
    if items.is_empty() || generators.verify_batch(&items).is_ok() {
        return;
    }
    for k in generators.find_invalid(&items) {
        let alone = generators.verify(items[k].commitments, items[k].proof);
        verdicts[standing[k]] = Err(VerifyError::RangeProof(alone.err().unwrap_or(range::VerifyError::Equation)));
    }
}

fn signatures(items: &[Statement<'_>], verdicts: &mut [Result<(), VerifyError>]) {
    let standing = standing(verdicts);
    let messages: Vec<[u8; 32]> = standing.iter().map(|&i| items[i].transaction.signing_hash()).collect();
    let (mut signatures, mut owners) = (Vec::new(), Vec::new());
    for (&i, message) in standing.iter().zip(&messages) {
        for (k, (input, ring)) in items[i].transaction.inputs.iter().zip(items[i].rings).enumerate() {
            let super::Input { key_image, pseudo_out, signature, .. } = input;
            signatures.push(clsag::Statement { ring, key_image, pseudo_out, message, signature });
            owners.push((i, k));
        }
    }
    for (verdict, (i, input)) in clsag::verify_each(&signatures).into_iter().zip(owners) {
        if let Err(error) = verdict {
            verdicts[i] = verdicts[i].and(Err(VerifyError::Signature { input, error }));
        }
    }
}

/// Refuses what spends the same as a valid transaction before it.
fn double_spends(transactions: &[&Transaction], verdicts: &mut [Result<(), VerifyError>]) {
    let mut spent = BTreeMap::new();
    for (i, (transaction, verdict)) in transactions.iter().zip(verdicts).enumerate() {
        let images = || transaction.inputs.iter().map(|input| input.key_image).enumerate();
        *verdict = verdict.and_then(|()| {
            images().try_for_each(|(input, image)| {
                spent.get(&image).map_or(Ok(()), |&by| Err(VerifyError::SpentInBatch { input, by }))
            })
        });
        if verdict.is_ok() {
            spent.extend(images().map(|(_, image)| (image, i)));
        }
    }
}

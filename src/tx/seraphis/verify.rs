//! Validation of many transactions together.

use alloc::vec::Vec;

use super::message::membership_bytes;
use super::{BatchError, Check, Kind, Transaction, image_message, semantics};
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint, compress_batch, try_decompress_batch_strict};
use crate::msm;
use crate::proofs::accumulator::Either;
use crate::proofs::bulletproofs_plus::monero;
use crate::proofs::one_of_many::{canonical, hash_to_scalars};
use crate::proofs::{grootle, schnorr};
use crate::tx::batch;
use crate::tx::ledger::{Ledger, Protocol};

/// Validates one transaction.
///
/// # Errors
/// The first failed check.
pub fn verify(tx: &Transaction, ledger: &impl Ledger) -> Result<(), Check> {
    batch::only(verify_batch(core::slice::from_ref(tx), ledger))
}

/// Validates transactions of any kinds and shapes, none of which may spend what a valid one before it does.
///
/// # Errors
/// An empty batch, or all failed checks, each with its transaction and proof. A sum that isn't zero is searched by bisection:
/// at most k·log2 B further sums over parts of the batch for k invalid proofs among B, and never more than B.
pub fn verify_batch(txs: &[Transaction], ledger: &impl Ledger) -> Result<(), BatchError> {
    let (mut batch, parts) = stages(txs, ledger, Rules::Sound)?;
    batch.sum(grootle::Generators::shared(), |i| parts.proofs(&txs[i], i), proof_failure);
    batch.tags_once();
    batch.verdict()
}

/// Whose verdict.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::tx) enum Rules {
    Sound,
    #[cfg(feature = "reference_unsound")]
    Reference,
}

pub(in crate::tx) type Batch<'a> = batch::Batch<'a, Transaction, Check>;

/// Everything but the membership and range proofs.
pub(in crate::tx) fn stages<'a>(
    txs: &'a [Transaction],
    ledger: &impl Ledger,
    rules: Rules,
) -> Result<(Batch<'a>, Parts), BatchError> {
    let mut batch = Batch::new(txs)?;
    batch.each(|tx, _| semantics::check(tx, rules));
    batch.unspent(ledger);
    let rings = batch.rings(ledger);
    let offsets = batch.balances(rules);
    batch.ownership(rules);
    let messages = batch.messages();
    Ok((batch, Parts { rings, offsets, messages }))
}

/// What statements about the membership proofs of each transaction are made of, one after the other.
pub(in crate::tx) struct Parts {
    rings: Vec<Vec<[u8; 32]>>,
    offsets: Vec<Vec<[u8; 32]>>,
    messages: Vec<Vec<[u8; 32]>>,
}

impl Parts {
    /// The membership and range proofs of a transaction that passed all stages.
    pub(in crate::tx) fn proofs<'a>(
        &'a self,
        tx: &'a Transaction,
        i: usize,
    ) -> Vec<Either<grootle::Statement<'a>, monero::Statement<'a>>> {
        let system = tx.kind.system(tx.shape);
        let rings = self.rings[i].chunks(tx.shape.ring_size() * system.keys());
        let parts = rings.zip(self.offsets[i].chunks(system.keys())).zip(&self.messages[i]);
        let memberships = tx.memberships.iter().zip(parts).map(|(membership, ((ring, offsets), message))| {
            Either::First(grootle::Statement { system, message: *message, ring, offsets, proof: &membership.proof })
        });
        memberships.chain(tx.ranges.iter().map(|range| Either::Second(range.statement()))).collect()
    }
}

/// The failure of a membership or range proof.
pub(in crate::tx) fn proof_failure(proof: usize, error: Either<grootle::VerifyError, monero::VerifyError>) -> Check {
    match error {
        Either::First(error) => Check::Membership { proof, error },
        Either::Second(error) => Check::Range { proof, error },
    }
}

impl Batch<'_> {
    /// No tag was spent before.
    fn unspent(&mut self, ledger: &impl Ledger) {
        self.each(|tx, _| match tx.images.iter().position(|image| ledger.is_spent(&image.tag)) {
            Some(input) => Err(Check::Spent(input)),
            None => Ok(()),
        });
    }

    /// What [`stages`] can't know before the proofs are verified: no tag of a valid transaction was spent by one before it.
    pub(in crate::tx) fn tags_once(&mut self) {
        let txs = self.txs();
        let tags = |i: usize| txs[i].images.iter().map(|image| image.tag).collect();
        self.spent_once(tags, |input, transaction| Check::SpentInBatch { input, transaction });
    }

    /// The points of the rings of each transaction, ring by ring.
    fn rings(&mut self, ledger: &impl Ledger) -> Vec<Vec<[u8; 32]>> {
        let mut rings = alloc::vec![Vec::new(); self.txs().len()];
        self.each(|tx, i| {
            let points = &mut rings[i];
            for (input, membership) in tx.memberships.iter().enumerate() {
                for &index in &membership.indices {
                    match tx.kind {
                        Kind::Squashed => points.push(ledger.squashed(index).ok_or(Check::Missing { input, index })?),
                        _ => points
                            .extend(ledger.output(Protocol::Seraphis, index).ok_or(Check::Missing { input, index })?),
                    }
                }
            }
            Ok(())
        });
        rings
    }

    /// Commitments of range proofs, balance, and that everything is a point. Gives each transaction's offsets of its
    /// membership proofs, one after the other.
    fn balances(&mut self, rules: Rules) -> Vec<Vec<[u8; 32]>> {
        let good = self.good();
        let addresses = |tx: &Transaction| if rules == Rules::Sound { tx.outputs.len() } else { 0 };
        let mut encodings = Vec::new();
        for &i in &good {
            let tx = &self.txs()[i];
            encodings.extend(tx.images.iter().flat_map(|image| [image.address, image.commitment]));
            encodings.extend(tx.outputs.iter().map(|enote| enote.address).take(addresses(tx)));
            encodings.extend(tx.ranges.iter().flat_map(|range| &range.v));
        }
        let decoded = try_decompress_batch_strict(&encodings);
        let mut rest = &decoded[..];

        // For each transaction the sums K' + C' and 8·V, to be encoded.
        let (mut sums, mut remainders, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for i in good {
            let tx = &self.txs()[i];
            let (inputs, outputs) = (tx.images.len(), tx.outputs.len());
            let amounts_from = 2 * inputs + addresses(tx);
            let (own, others) = rest.split_at(amounts_from + tx.kind.amounts(inputs, outputs));
            rest = others;
            if let Some(at) = own.iter().position(Option::is_none) {
                self.fail(
                    i,
                    match at {
                        _ if at < 2 * inputs => Check::ImagePoint(at / 2),
                        _ if at < amounts_from => Check::OutputPoint(at - 2 * inputs),
                        _ => Check::AmountPoint(at - amounts_from),
                    },
                );
                continue;
            }
            let remainder = match canonical(tx.remainder.as_slice()) {
                Ok(remainder) => remainder.first().copied().unwrap_or(Scalar::ZERO),
                Err(_) if rules == Rules::Sound => {
                    self.fail(i, Check::RemainderRange);
                    continue;
                }
                Err(_) => Scalar::from_bytes_mod_order(tx.remainder.unwrap_or_default()),
            };
            let own: Vec<EdwardsPoint> = own.iter().flatten().copied().collect();
            let start = sums.len();
            sums.extend(own[amounts_from..].iter().map(EdwardsPoint::mul_by_cofactor));
            let committed: EdwardsPoint = sums[sums.len() - outputs..].iter().sum();
            let spent: EdwardsPoint = own[..2 * inputs].iter().skip(1).step_by(2).sum();
            if tx.kind == Kind::Squashed {
                sums.extend(own[..2 * inputs].chunks_exact(2).map(|image| image[0] + image[1]));
            }
            remainders.push(remainder);
            parts.push((i, start..sums.len(), spent - committed));
        }
        let encoded = compress_batch(&sums);
        let remainders = msm::mul_base_batch(&remainders);

        let mut offsets = alloc::vec![Vec::new(); self.txs().len()];
        for ((i, range, difference), remainder) in parts.into_iter().zip(remainders) {
            let tx = &self.txs()[i];
            let images = tx.images.iter().map(|image| image.commitment);
            let outputs = tx.outputs.iter().map(|enote| enote.commitment);
            let expected: Vec<[u8; 32]> = match tx.kind {
                Kind::Squashed => images.chain(outputs).collect(),
                _ => outputs.collect(),
            };
            let (amounts, squashed) = encoded[range].split_at(expected.len());
            if let Some(at) = amounts.iter().zip(&expected).position(|(found, expected)| found != expected) {
                self.fail(i, Check::AmountCommitment(at));
            } else if rules == Rules::Sound
                && let Some(at) = squashed.iter().position(|sum| *sum == CompressedEdwardsY::IDENTITY.0)
            {
                self.fail(i, Check::IdentityOffset(at));
            } else if difference != remainder {
                self.fail(i, Check::Balance);
            }
            offsets[i] = match tx.kind {
                Kind::Squashed => squashed.to_vec(),
                _ => tx.images.iter().flat_map(|image| [image.address, image.commitment]).collect(),
            };
        }
        offsets
    }

    /// Composition proofs, which test the order of the tags as well.
    fn ownership(&mut self, rules: Rules) {
        let good = self.good();
        let images: Vec<(Vec<_>, Vec<_>)> =
            good.iter().map(|i| self.txs()[*i].images.iter().map(|image| (image.address, image.tag)).unzip()).collect();
        let (mut statements, mut places) = (Vec::new(), Vec::new());
        for (&i, (keys, tags)) in good.iter().zip(&images) {
            let tx = &self.txs()[i];
            let message = image_message(tx.kind, &tx.outputs, &tx.pubkeys);
            let each = keys.len() / tx.ownership.len();
            let inputs = keys.chunks(each).zip(tags.chunks(each)).zip(&tx.ownership);
            for (proof, ((keys, tags), composition)) in inputs.enumerate() {
                statements.push(schnorr::Statement { message, keys, tags, proof: composition });
                places.push((i, proof));
            }
        }
        let rules = schnorr::Rules { response_range: rules == Rules::Sound, ..schnorr::Rules::SOUND };
        for ((i, proof), verdict) in places.into_iter().zip(schnorr::verdicts(&statements, rules)) {
            if let Err(error) = verdict {
                self.fail(i, Check::Ownership { proof, error });
            }
        }
    }

    /// What the membership proofs of each transaction sign.
    fn messages(&self) -> Vec<Vec<[u8; 32]>> {
        let good = self.good();
        let memberships = good.iter().flat_map(|i| &self.txs()[*i].memberships);
        let bytes: Vec<_> = memberships.map(|membership| membership_bytes(&membership.indices)).collect();
        let mut hashes = hash_to_scalars(&bytes).into_iter().map(|hash| hash.to_bytes());
        let mut messages = alloc::vec![Vec::new(); self.txs().len()];
        for i in good {
            messages[i].extend(hashes.by_ref().take(self.txs()[i].memberships.len()));
        }
        messages
    }
}

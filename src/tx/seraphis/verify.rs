//! Validation of many transactions together.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use once_cell::race::OnceBox;

use super::message::membership_bytes;
use super::{BatchError, Check, Failure, Kind, Transaction, image_message, semantics};
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch, try_decompress_batch_strict};
use crate::msm;
use crate::proofs::accumulator::{Accumulator, Blame, Either, Limits, Pair, PairError};
use crate::proofs::bulletproofs_plus::monero::{self, Divided};
use crate::proofs::one_of_many::{IDENTITY, canonical, hash_to_scalars};
use crate::proofs::{grootle, schnorr};
use crate::tx::ledger::Ledger;

/// Validates one transaction.
///
/// # Errors
/// The first failed check.
pub fn verify(tx: &Transaction, ledger: &impl Ledger) -> Result<(), Check> {
    match verify_batch(core::slice::from_ref(tx), ledger) {
        Ok(()) => Ok(()),
        Err(BatchError::Invalid(failures)) => Err(failures[0].check),
        Err(BatchError::Empty) => unreachable!("a batch of one"),
    }
}

/// Validates transactions of any kinds and shapes, none of which may spend what another one does.
///
/// # Errors
/// An empty batch, or all failed checks, each with its transaction and proof. A sum that isn't zero is searched by bisection:
/// at most k·log2 B further sums over parts of the batch for k invalid proofs among B, and never more than B.
pub fn verify_batch(txs: &[Transaction], ledger: &impl Ledger) -> Result<(), BatchError> {
    if txs.is_empty() {
        return Err(BatchError::Empty);
    }
    let mut batch = Batch { txs, failed: alloc::vec![false; txs.len()], failures: Vec::new() };
    batch.each(|tx, _| semantics::check(tx));
    batch.tags(ledger);
    let rings = batch.rings(ledger);
    let offsets = batch.balances();
    batch.ownership();
    batch.folded(&rings, &offsets);
    batch.failures.sort_by_key(|failure| failure.transaction);
    if batch.failures.is_empty() { Ok(()) } else { Err(BatchError::Invalid(batch.failures)) }
}

/// The range proofs' generators, for as many amounts as a transaction may have.
pub(crate) fn range_generators() -> &'static monero::Generators {
    static SHARED: OnceBox<monero::Generators> = OnceBox::new();
    SHARED.get_or_init(|| {
        Box::new(monero::Generators::new(monero::MAX_OUTPUTS_EXTENDED).expect("a number of outputs in range"))
    })
}

/// Transactions under validation: each stage looks at those that failed none before.
struct Batch<'a> {
    txs: &'a [Transaction],
    failed: Vec<bool>,
    failures: Vec<Failure>,
}

impl<'a> Batch<'a> {
    fn fail(&mut self, transaction: usize, check: Check) {
        self.failed[transaction] = true;
        self.failures.push(Failure { transaction, check });
    }

    /// The transactions that failed no check so far.
    fn good(&self) -> Vec<usize> {
        (0..self.txs.len()).filter(|i| !self.failed[*i]).collect()
    }

    fn each(&mut self, mut check: impl FnMut(&'a Transaction, usize) -> Result<(), Check>) {
        for i in self.good() {
            if let Err(failed) = check(&self.txs[i], i) {
                self.fail(i, failed);
            }
        }
    }

    /// No tag was spent before, by the ledger or in the batch.
    fn tags(&mut self, ledger: &impl Ledger) {
        let mut seen = BTreeMap::new();
        self.each(|tx, i| {
            for (input, image) in tx.images.iter().enumerate() {
                if ledger.is_spent(&image.tag) {
                    return Err(Check::Spent(input));
                }
                if let Some(transaction) = seen.get(&image.tag) {
                    return Err(Check::SpentInBatch { input, transaction: *transaction });
                }
            }
            seen.extend(tx.images.iter().map(|image| (image.tag, i)));
            Ok(())
        });
    }

    /// The points of the rings of each transaction, ring by ring.
    fn rings(&mut self, ledger: &impl Ledger) -> Vec<Vec<[u8; 32]>> {
        let mut rings = alloc::vec![Vec::new(); self.txs.len()];
        self.each(|tx, i| {
            let points = &mut rings[i];
            for (input, membership) in tx.memberships.iter().enumerate() {
                for &index in &membership.indices {
                    match tx.kind {
                        Kind::Squashed => points.push(ledger.squashed(index).ok_or(Check::Missing { input, index })?),
                        _ => points.extend(ledger.output(index).ok_or(Check::Missing { input, index })?),
                    }
                }
            }
            Ok(())
        });
        rings
    }

    /// Commitments of range proofs, balance, and that everything is a point. Gives each transaction's offsets of its
    /// membership proofs, one after the other.
    fn balances(&mut self) -> Vec<Vec<[u8; 32]>> {
        let good = self.good();
        let mut encodings = Vec::new();
        for &i in &good {
            let tx = &self.txs[i];
            encodings.extend(tx.images.iter().flat_map(|image| [image.address, image.commitment]));
            encodings.extend(tx.outputs.iter().map(|enote| enote.address));
            encodings.extend(tx.ranges.iter().flat_map(|range| &range.v));
        }
        let decoded = try_decompress_batch_strict(&encodings);
        let mut rest = &decoded[..];

        // For each transaction the sums K' + C' and 8·V, to be encoded.
        let (mut sums, mut remainders, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for i in good {
            let tx = &self.txs[i];
            let (inputs, outputs) = (tx.images.len(), tx.outputs.len());
            let (own, others) = rest.split_at(2 * inputs + outputs + tx.kind.amounts(inputs, outputs));
            rest = others;
            if let Some(at) = own.iter().position(Option::is_none) {
                self.fail(
                    i,
                    match at {
                        _ if at < 2 * inputs => Check::ImagePoint(at / 2),
                        _ if at < 2 * inputs + outputs => Check::OutputPoint(at - 2 * inputs),
                        _ => Check::AmountPoint(at - 2 * inputs - outputs),
                    },
                );
                continue;
            }
            let Ok(remainder) = canonical(tx.remainder.as_slice()) else {
                self.fail(i, Check::RemainderRange);
                continue;
            };
            let own: Vec<EdwardsPoint> = own.iter().flatten().copied().collect();
            let start = sums.len();
            sums.extend(own[2 * inputs + outputs..].iter().map(EdwardsPoint::mul_by_cofactor));
            let committed: EdwardsPoint = sums[sums.len() - outputs..].iter().sum();
            let spent: EdwardsPoint = own[..2 * inputs].iter().skip(1).step_by(2).sum();
            if tx.kind == Kind::Squashed {
                sums.extend(own[..2 * inputs].chunks_exact(2).map(|image| image[0] + image[1]));
            }
            remainders.push(remainder.first().copied().unwrap_or(Scalar::ZERO));
            parts.push((i, start..sums.len(), spent - committed));
        }
        let encoded = compress_batch(&sums);
        let remainders = msm::mul_base_batch(&remainders);

        let mut offsets = alloc::vec![Vec::new(); self.txs.len()];
        for ((i, range, difference), remainder) in parts.into_iter().zip(remainders) {
            let tx = &self.txs[i];
            let images = tx.images.iter().map(|image| image.commitment);
            let outputs = tx.outputs.iter().map(|enote| enote.commitment);
            let expected: Vec<[u8; 32]> = match tx.kind {
                Kind::Squashed => images.chain(outputs).collect(),
                _ => outputs.collect(),
            };
            let (amounts, squashed) = encoded[range].split_at(expected.len());
            if let Some(at) = amounts.iter().zip(&expected).position(|(found, expected)| found != expected) {
                self.fail(i, Check::AmountCommitment(at));
            } else if let Some(at) = squashed.iter().position(|sum| *sum == IDENTITY) {
                self.fail(i, Check::IdentityImage(at));
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
    fn ownership(&mut self) {
        let good = self.good();
        let images: Vec<(Vec<_>, Vec<_>)> =
            good.iter().map(|i| self.txs[*i].images.iter().map(|image| (image.address, image.tag)).unzip()).collect();
        let (mut statements, mut places) = (Vec::new(), Vec::new());
        for (&i, (keys, tags)) in good.iter().zip(&images) {
            let tx = &self.txs[i];
            let message = image_message(tx.kind, &tx.outputs, &tx.pubkeys);
            let each = keys.len() / tx.ownership.len();
            let inputs = keys.chunks(each).zip(tags.chunks(each)).zip(&tx.ownership);
            for (proof, ((keys, tags), composition)) in inputs.enumerate() {
                statements.push(schnorr::Statement { message, keys, tags, proof: composition });
                places.push((i, proof));
            }
        }
        for ((i, proof), verdict) in places.into_iter().zip(schnorr::verify_each(&statements)) {
            if let Err(error) = verdict {
                self.fail(i, Check::Ownership { proof, error });
            }
        }
    }

    /// Membership and range proofs, as one sum.
    fn folded(&mut self, rings: &[Vec<[u8; 32]>], offsets: &[Vec<[u8; 32]>]) {
        let good = self.good();
        let messages: Vec<_> = good
            .iter()
            .flat_map(|i| &self.txs[*i].memberships)
            .map(|membership| membership_bytes(&membership.indices))
            .collect();
        let mut messages = hash_to_scalars(&messages).into_iter();
        let ranges = Divided(range_generators());
        let verifier = Pair::new(grootle::Generators::shared(), &ranges);
        let mut batch = Accumulator::new(&verifier, Limits::NONE);
        let mut places = Vec::new();
        for i in good {
            let tx = &self.txs[i];
            let system = tx.kind.system(tx.shape);
            let rings = rings[i].chunks(tx.shape.ring_size() * system.keys());
            let memberships = tx.memberships.iter().zip(rings).zip(offsets[i].chunks(system.keys()));
            for (proof, ((membership, ring), offsets)) in memberships.enumerate() {
                let message = messages.next().expect("one a proof").to_bytes();
                let statement = grootle::Statement { system, message, ring, offsets, proof: &membership.proof };
                match batch.push(Either::First(statement)) {
                    Ok(_) => places.push((i, Part::Membership(proof))),
                    Err(error) => self.fail(i, Part::Membership(proof).check(error.malformed())),
                }
            }
            for (proof, range) in tx.ranges.iter().enumerate() {
                let statement = monero::Statement { commitments: &range.v, proof: &range.proof };
                match batch.push(Either::Second(statement)) {
                    Ok(_) => places.push((i, Part::Range(proof))),
                    Err(error) => self.fail(i, Part::Range(proof).check(error.malformed())),
                }
            }
        }
        if batch.is_empty() {
            // Every proof was refused already, or there is no transaction left: that is noted.
            return;
        }
        if let Err(Blame::Items(items)) = batch.close_and_blame() {
            for (at, error) in items {
                let (i, part) = places[at];
                self.fail(i, part.check(error));
            }
        }
    }
}

/// What an item of the sum is.
#[derive(Clone, Copy)]
enum Part {
    Membership(usize),
    Range(usize),
}

type PartError = PairError<grootle::VerifyError, monero::VerifyError>;

impl Part {
    fn check(self, error: PartError) -> Check {
        match (self, error) {
            (_, PairError::First(error)) => Check::Membership { proof: self.index(), error },
            (_, PairError::Second(error)) => Check::Range { proof: self.index(), error },
            (Part::Membership(proof), PairError::Equation) => {
                Check::Membership { proof, error: grootle::VerifyError::Equation }
            }
            (Part::Range(proof), PairError::Equation) => Check::Range { proof, error: monero::VerifyError::Equation },
        }
    }

    fn index(self) -> usize {
        match self {
            Part::Membership(proof) | Part::Range(proof) => proof,
        }
    }
}

//! What a scan gives.

use alloc::vec::Vec;
use core::fmt;

use zeroize::{DefaultIsZeroes, Zeroize};

use super::Transaction;
use super::blocks::{ADDITIONAL, Pair};
use crate::field::scalar::Scalar;
use crate::wallet::amount::{AmountError, Opening, payment_id};
use crate::wallet::derive::Derivation;
use crate::wallet::extra::PaymentId;
use crate::wallet::lookup::Owner;

/// A wallet and a pair that the view tag does not exclude.
#[derive(Clone, Copy, Default)]
pub(super) struct Survivor {
    pub(super) wallet: u32,
    /// Index in the block's pairs.
    pub(super) pair: u32,
    pub(super) derivation: [u8; 32],
}

impl DefaultIsZeroes for Survivor {}

/// By which key an output was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// The transaction key of this number.
    Main(usize),
    /// The additional key of the output.
    Additional,
}

/// An output that belongs to a wallet.
///
/// A payer can make many outputs with one one-time key, in one transaction or in several. Each is found, but they share
/// their key image, so the chain lets only one of them be spent: whoever counts money counts one output a key, and looks
/// for keys seen before.
///
/// The output scalar is wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Found {
    /// Index of the transaction.
    pub transaction: usize,
    /// Index of the output.
    pub output: usize,
    /// Number of the wallet.
    pub wallet: usize,
    /// The subaddress that was paid: account and address.
    pub subaddress: (u32, u32),
    /// The key that it was found by.
    pub via: Via,
    /// The derivation.
    pub derivation: Derivation,
    /// `s`: the output's secret key is `s + b + m`, with the spend key `b` and the
    /// [subaddress scalar](crate::wallet::ViewPair::subaddress_scalar) `m`.
    pub output_scalar: Scalar,
    /// Amount and mask, or why they can't be had: such an output can't be spent.
    pub opening: Result<Opening, AmountError>,
    /// The transaction's payment id, decrypted. It is encrypted for whoever shares the first transaction key, so what comes
    /// out is meaningless for other receivers of the transaction, and for the sender's change.
    pub payment_id: Option<PaymentId>,
}

impl Found {
    pub(super) fn new(
        pair: &Pair,
        transaction: &Transaction<'_>,
        survivor: &Survivor,
        owner: &Owner,
        view_secret: &Scalar,
        output_scalar: &Scalar,
    ) -> Found {
        let derivation = Derivation(survivor.derivation);
        let first = || match (pair.order, transaction.extra.keys.first()) {
            (0, _) => Some(derivation.clone()),
            (_, Some(key)) => Some(Derivation::new(view_secret, key).unwrap_or(Derivation::IDENTITY)),
            (_, None) => None,
        };
        let payment_id = match transaction.extra.payment_id {
            Some(PaymentId::Encrypted(id)) => first().map(|first| PaymentId::Encrypted(payment_id(&first, &id))),
            other => other,
        };
        Found {
            transaction: pair.transaction as usize,
            output: pair.output as usize,
            wallet: owner.wallet as usize,
            subaddress: (owner.major, owner.minor),
            via: if pair.order == ADDITIONAL { Via::Additional } else { Via::Main(pair.order as usize) },
            opening: transaction.outputs[pair.output as usize].amount.decrypt(output_scalar),
            output_scalar: *output_scalar,
            derivation,
            payment_id,
        }
    }
}

impl Drop for Found {
    fn drop(&mut self) {
        self.output_scalar.zeroize();
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("transaction", &self.transaction)
            .field("output", &self.output)
            .field("wallet", &self.wallet)
            .field("subaddress", &self.subaddress)
            .field("via", &self.via)
            .field("opening", &self.opening)
            .finish_non_exhaustive()
    }
}

/// Sorts what was added from `before` on, and keeps of each output and wallet only what the first key found. A transaction
/// may have begun in an earlier block.
pub(super) fn settle(found: &mut Vec<Found>, before: usize) {
    let Some(first) = found.get(before..).unwrap_or_default().iter().map(|f| f.transaction).min() else { return };
    let start = found[..before].partition_point(|f| f.transaction < first);
    let mut tail = found.split_off(start);
    tail.sort_by_key(|f| (f.transaction, f.output, f.wallet, f.via));
    tail.dedup_by_key(|f| (f.transaction, f.output, f.wallet));
    found.append(&mut tail);
}

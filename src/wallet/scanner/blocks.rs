//! Transactions cut into blocks of keys and of the outputs that they may unlock.

use alloc::vec::Vec;

use super::{BadKey, KeyRule, Options, Transaction};
use crate::group::{EdwardsPoint, try_decompress_batch_strict};

/// A key of the block and an output that it may unlock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) transaction: u32,
    pub(super) output: u32,
    /// Index in the block's keys.
    pub(super) key: u32,
    /// Index among the block's outputs.
    pub(super) slot: u32,
    /// Number of the transaction key, or [`ADDITIONAL`]: the order in which keys are tried.
    pub(super) order: u32,
}

/// The order of an additional key.
pub(super) const ADDITIONAL: u32 = u32::MAX;

/// Some keys and pairs.
pub(super) struct Block {
    /// The neutral element for what is no point.
    pub(super) keys: Vec<EdwardsPoint>,
    pub(super) pairs: Vec<Pair>,
    /// Number of outputs.
    pub(super) outputs: usize,
}

/// All pairs of some transactions, block by block.
///
/// The pairs of a transaction are numbered: those of the first key with all outputs, of the second, …, and those of the
/// additional keys with one output each. So a block may end anywhere, however many a transaction has.
pub(super) struct Blocks<'a> {
    transactions: &'a [Transaction<'a>],
    options: Options,
    max_keys: usize,
    max_pairs: usize,
    transaction: usize,
    /// Keys of the current transaction, once it was looked at.
    keys: Option<Keys>,
    pair: usize,
}

/// How many keys of a transaction are tried.
#[derive(Clone, Copy)]
struct Keys {
    main: usize,
    additional: usize,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(
        transactions: &'a [Transaction<'a>],
        options: Options,
        max_keys: usize,
        max_pairs: usize,
    ) -> Blocks<'a> {
        Blocks { transactions, options, max_keys, max_pairs, transaction: 0, keys: None, pair: 0 }
    }

    /// The keys of a transaction that are tried.
    fn keys(&self, transaction: &Transaction<'_>) -> Keys {
        let (extra, outputs) = (transaction.extra, transaction.outputs.len());
        let main = extra.keys.len().min(self.options.max_keys);
        let additional = extra.additional_keys.len().min(outputs);
        let keys = match self.options.keys {
            KeyRule::ReferenceWallet => Keys { main, additional: if main > 0 { additional } else { 0 } },
            KeyRule::LightWalletServer => {
                let all = main > 0 && extra.additional_keys.len() == outputs;
                Keys { main: main.min(1), additional: if all { additional } else { 0 } }
            }
            KeyRule::All => Keys { main, additional },
        };
        if self.options.bad_key == BadKey::Identity {
            return keys;
        }
        let bad = |keys: &[[u8; 32]]| try_decompress_batch_strict(keys).iter().any(Option::is_none);
        if bad(&extra.keys[..keys.main.min(1)]) {
            return Keys { main: 0, additional: 0 };
        }
        Keys { additional: if bad(&extra.additional_keys[..keys.additional]) { 0 } else { keys.additional }, ..keys }
    }
}

impl Iterator for Blocks<'_> {
    type Item = Block;

    fn next(&mut self) -> Option<Block> {
        let (mut keys, mut pairs) = (Vec::<[u8; 32]>::new(), Vec::<Pair>::new());
        // The transaction and order of the last key, and the slot of output 0 of the transaction in hand.
        let mut last = None;
        let (mut slots, mut outputs) = (0, 0);
        while let Some(transaction) = self.transactions.get(self.transaction) {
            let tried = match self.keys {
                Some(tried) => tried,
                None => *self.keys.insert(self.keys(transaction)),
            };
            let count = transaction.outputs.len();
            let of_main = tried.main * count;
            if self.pair == of_main + tried.additional {
                (self.transaction, self.keys, self.pair) = (self.transaction + 1, None, 0);
                slots = outputs;
                continue;
            }
            let (order, output, key) = if self.pair < of_main {
                let (order, output) = (self.pair / count, self.pair % count);
                (order as u32, output, transaction.extra.keys[order])
            } else {
                let output = self.pair - of_main;
                (ADDITIONAL, output, transaction.extra.additional_keys[output])
            };
            let of = Some((self.transaction, order));
            let new_key = last != of || order == ADDITIONAL;
            if pairs.len() == self.max_pairs || (new_key && keys.len() == self.max_keys) {
                break;
            }
            if new_key {
                keys.push(key);
                last = of;
            }
            outputs = outputs.max(slots + count);
            pairs.push(Pair {
                transaction: self.transaction as u32,
                output: output as u32,
                key: keys.len() as u32 - 1,
                slot: (slots + output) as u32,
                order,
            });
            self.pair += 1;
        }
        if pairs.is_empty() {
            return None;
        }
        let points = try_decompress_batch_strict(&keys);
        if self.options.bad_key == BadKey::Skip {
            pairs.retain(|pair| points[pair.key as usize].is_some());
        }
        let keys = points.into_iter().map(|point| point.unwrap_or(EdwardsPoint::IDENTITY)).collect();
        Some(Block { keys, pairs, outputs })
    }
}

//! What a validator asks of the chain.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::seraphis::{squashed, squashed_batch};

/// The outputs and spent tags of a chain. Points are given compressed, as a chain stores them; decoding them is the
/// validator's work, and so is refusing those that are none.
pub trait Ledger {
    /// Key (or address) and commitment of the output of this index.
    fn output(&self, index: u64) -> Option<[[u8; 32]; 2]>;

    /// The squashed form of the output of this index: Hs("seraphis squashed enote" | address | commitment) times the address,
    /// plus the commitment. A chain computes it once, when it takes the output in, and never takes it from a transaction: a
    /// false one would be an output that nobody made. Unless overridden it is computed whenever asked for.
    fn squashed(&self, index: u64) -> Option<[u8; 32]> {
        let [address, commitment] = self.output(index)?;
        squashed(&address, &commitment)
    }

    /// Whether this linking tag was spent.
    fn is_spent(&self, tag: &[u8; 32]) -> bool;
}

/// A ledger in memory. Outputs are numbered as they come.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    outputs: Vec<[[u8; 32]; 2]>,
    /// One for each output: none if it was not computed.
    squashed: Vec<Option<[u8; 32]>>,
    spent: BTreeSet<[u8; 32]>,
}

impl MemoryLedger {
    /// An empty ledger.
    pub fn new() -> MemoryLedger {
        MemoryLedger::default()
    }

    /// Takes an output in; its index.
    pub fn push(&mut self, key: [u8; 32], commitment: [u8; 32]) -> u64 {
        self.outputs.push([key, commitment]);
        self.squashed.push(None);
        self.outputs.len() as u64 - 1
    }

    /// Takes outputs in and computes their squashed forms, all at once; their indices. None, and nothing is taken in, if
    /// one is made of what is no point.
    pub fn push_squashed(&mut self, outputs: &[[[u8; 32]; 2]]) -> Option<Range<u64>> {
        let squashed = squashed_batch(outputs);
        if squashed.contains(&None) {
            return None;
        }
        let first = self.outputs.len() as u64;
        self.outputs.extend_from_slice(outputs);
        self.squashed.extend(squashed);
        Some(first..self.outputs.len() as u64)
    }

    /// Number of outputs.
    pub fn len(&self) -> usize {
        self.outputs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Notes a tag as spent; whether it wasn't before.
    pub fn spend(&mut self, tag: [u8; 32]) -> bool {
        self.spent.insert(tag)
    }
}

impl Ledger for MemoryLedger {
    fn output(&self, index: u64) -> Option<[[u8; 32]; 2]> {
        self.outputs.get(usize::try_from(index).ok()?).copied()
    }

    fn squashed(&self, index: u64) -> Option<[u8; 32]> {
        let at = usize::try_from(index).ok()?;
        let [address, commitment] = self.outputs.get(at)?;
        self.squashed[at].or_else(|| squashed(address, commitment))
    }

    fn is_spent(&self, tag: &[u8; 32]) -> bool {
        self.spent.contains(tag)
    }
}

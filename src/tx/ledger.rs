//! What a validator asks of the chain.
//!
//! An output belongs to one [`Protocol`]. Each protocol makes another tag for the same key (x·Hp(K) over CLSAG, U divided by x
//! over Triptych), so who could spend one output over two of them would spend it twice.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::seraphis::{squashed, squashed_batch};

/// How an output is spent, and so which tag it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// By [`clsag`](super::clsag): Monero's keys and key images.
    Clsag,
    /// By [`triptych`](super::triptych).
    Triptych,
    /// By [`seraphis`](super::seraphis): addresses of two keys, one kind of tag for all four kinds of transaction.
    Seraphis,
}

/// The outputs and spent tags of a chain. Points are given compressed, as a chain stores them; decoding them is the
/// validator's work, and so is refusing those that are none.
pub trait Ledger {
    /// Key (or address) and commitment of the output of this index. None too if it belongs to another protocol: an answer
    /// to two protocols lets it be spent twice.
    fn output(&self, protocol: Protocol, index: u64) -> Option<[[u8; 32]; 2]>;

    /// The squashed form of the Seraphis output of this index: Hs("seraphis squashed enote" | address | commitment) times the address,
    /// plus the commitment. A chain computes it once, when it takes the output in, and never takes it from a transaction: a
    /// false one would be an output that nobody made. Unless overridden it is computed whenever asked for.
    fn squashed(&self, index: u64) -> Option<[u8; 32]> {
        let [address, commitment] = self.output(Protocol::Seraphis, index)?;
        squashed(&address, &commitment)
    }

    /// Whether this linking tag was spent.
    fn is_spent(&self, tag: &[u8; 32]) -> bool;
}

/// A ledger in memory. Outputs are numbered as they come.
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger {
    outputs: Vec<Output>,
    spent: BTreeSet<[u8; 32]>,
}

#[derive(Debug, Clone)]
struct Output {
    protocol: Protocol,
    points: [[u8; 32]; 2],
    /// None if it was not computed.
    squashed: Option<[u8; 32]>,
}

impl MemoryLedger {
    /// An empty ledger.
    pub fn new() -> MemoryLedger {
        MemoryLedger::default()
    }

    /// Takes an output in; its index.
    pub fn push(&mut self, protocol: Protocol, key: [u8; 32], commitment: [u8; 32]) -> u64 {
        self.outputs.push(Output { protocol, points: [key, commitment], squashed: None });
        self.outputs.len() as u64 - 1
    }

    /// Takes Seraphis outputs in and computes their squashed forms, all at once; their indices. None, and nothing is taken
    /// in, if one is made of what is no point.
    pub fn push_squashed(&mut self, outputs: &[[[u8; 32]; 2]]) -> Option<Range<u64>> {
        let squashed = squashed_batch(outputs);
        if squashed.contains(&None) {
            return None;
        }
        let first = self.outputs.len() as u64;
        let outputs = outputs.iter().zip(squashed);
        let protocol = Protocol::Seraphis;
        self.outputs.extend(outputs.map(|(&points, squashed)| Output { protocol, points, squashed }));
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

    fn find(&self, protocol: Protocol, index: u64) -> Option<&Output> {
        self.outputs.get(usize::try_from(index).ok()?).filter(|output| output.protocol == protocol)
    }

    /// Notes a tag as spent; whether it wasn't before.
    pub fn spend(&mut self, tag: [u8; 32]) -> bool {
        self.spent.insert(tag)
    }
}

impl Ledger for MemoryLedger {
    fn output(&self, protocol: Protocol, index: u64) -> Option<[[u8; 32]; 2]> {
        self.find(protocol, index).map(|output| output.points)
    }

    fn squashed(&self, index: u64) -> Option<[u8; 32]> {
        let Output { points: [address, commitment], squashed: known, .. } = self.find(Protocol::Seraphis, index)?;
        known.or_else(|| squashed(address, commitment))
    }

    fn is_spent(&self, tag: &[u8; 32]) -> bool {
        self.spent.contains(tag)
    }
}

//! Transactions and their encoding: little-endian integers, lists behind a count, nothing else.

use alloc::vec::Vec;
use core::fmt;

use super::{TxHasher, Variant};

/// An edition of the transaction encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// Editions before 1.1.0: operations, a ledger transaction, two gas prices; an inscription is operation 0x00.
    V1_0,
    /// Editions 1.4.0 to 1.9.0: operations only; an inscription is operation 0x11.
    V1_4,
}

impl Encoding {
    /// Opcode of an inscription.
    pub(super) const fn inscribe(self) -> u8 {
        match self {
            Encoding::V1_0 => 0x00,
            Encoding::V1_4 => 0x11,
        }
    }
}

/// A transaction whose payloads stay where they are. `ledger` is written in [`Encoding::V1_0`] only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MantleTx<'a> {
    /// At most 255.
    pub ops: Vec<Op<'a>>,
    /// Transfer and prices.
    pub ledger: Ledger,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Op<'a> {
    /// A message on a channel.
    Inscribe(Inscription<'a>),
}

/// A message on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inscription<'a> {
    /// Channel.
    pub channel: [u8; 32],
    /// The message, at most 2^32 - 1 bytes.
    pub message: &'a [u8],
    /// Hash of the message before this one.
    pub parent: [u8; 32],
    /// Ed25519 key of the writer.
    pub signer: [u8; 32],
}

/// Transfer of notes and the prices offered, as they were part of a transaction once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Notes spent, at most 255: canonical field elements.
    pub inputs: Vec<[u8; 32]>,
    /// Notes made, at most 255.
    pub outputs: Vec<Note>,
    /// Price of a unit of execution gas.
    pub execution_gas_price: u64,
    /// Price of a unit of storage gas.
    pub storage_gas_price: u64,
}

/// A note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Amount.
    pub value: u64,
    /// Owner's key: a canonical field element.
    pub key: [u8; 32],
}

/// A list or message of a transaction is longer than its length field can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Which one.
    pub what: &'static str,
    /// Its length.
    pub length: usize,
    /// The most there may be.
    pub most: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} where {} is the most", self.what, self.length, self.most)
    }
}

impl core::error::Error for TooLong {}

fn count(what: &'static str, length: usize) -> Result<[u8; 1], TooLong> {
    u8::try_from(length).map(|n| [n]).map_err(|_| TooLong { what, length, most: 255 })
}

impl MantleTx<'_> {
    /// Hands the encoding to `sink`, piece by piece and in order. Messages are handed on as they are, never copied.
    ///
    /// # Errors
    /// [`TooLong`]; `sink` may have got pieces by then.
    pub fn encode_to(&self, encoding: Encoding, mut sink: impl FnMut(&[u8])) -> Result<(), TooLong> {
        sink(&count("operations", self.ops.len())?);
        for Op::Inscribe(inscription) in &self.ops {
            let length = inscription.message.len();
            let Ok(prefix) = u32::try_from(length) else {
                return Err(TooLong { what: "message", length, most: u32::MAX as usize });
            };
            sink(&[encoding.inscribe()]);
            sink(&inscription.channel);
            sink(&prefix.to_le_bytes());
            sink(inscription.message);
            sink(&inscription.parent);
            sink(&inscription.signer);
        }
        if encoding == Encoding::V1_0 {
            sink(&count("inputs", self.ledger.inputs.len())?);
            sink(self.ledger.inputs.as_flattened());
            sink(&count("outputs", self.ledger.outputs.len())?);
            for note in &self.ledger.outputs {
                sink(&note.value.to_le_bytes());
                sink(&note.key);
            }
            sink(&self.ledger.execution_gas_price.to_le_bytes());
            sink(&self.ledger.storage_gas_price.to_le_bytes());
        }
        Ok(())
    }

    /// The encoding as bytes.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn encode(&self, encoding: Encoding) -> Result<Vec<u8>, TooLong> {
        let mut length = 0;
        self.encode_to(encoding, |piece| length += piece.len())?;
        let mut out = Vec::with_capacity(length);
        self.encode_to(encoding, |piece| out.extend_from_slice(piece))?;
        Ok(out)
    }

    /// The hash of the encoding, which is never put together.
    ///
    /// ```
    /// use curve25519_lanes::tx::mantle::{Encoding, MantleTx, Variant, tx_hash};
    /// let tx = MantleTx::default();
    /// assert_eq!(tx.hash(Variant::C, Encoding::V1_4)?, tx_hash(Variant::C, &[0]));
    /// # Ok::<(), curve25519_lanes::tx::mantle::TooLong>(())
    /// ```
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn hash(&self, variant: Variant, encoding: Encoding) -> Result<[u8; 32], TooLong> {
        let mut hasher = TxHasher::new(variant);
        self.encode_to(encoding, |piece| hasher.update(piece))?;
        Ok(hasher.finalize())
    }
}

//! What scanning needs of a raw Monero transaction, of any version: outputs with their amounts, and the extra.
//!
//! Only the prefix and the base of the ring signatures are read; signatures and range proofs, which a scanner need not
//! have, may be missing. Nothing is verified.

use alloc::vec::Vec;
use core::fmt;

use super::amount::EncryptedAmount;
use super::extra::{Reader, TxExtra};
use super::scanner::{Output, Transaction};

/// What scanning needs of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawTransaction {
    /// The keys and the payment id.
    pub extra: TxExtra,
    /// The outputs, in order.
    pub outputs: Vec<Output>,
}

/// Bytes that are no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What could not be read.
    pub what: &'static str,
    /// How many bytes were read before it.
    pub at: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

impl core::error::Error for ParseError {}

/// RingCT types.
const NULL: u8 = 0;
const SIMPLE: u8 = 2;
/// The first type with amounts of 8 bytes, and the last type there is.
const COMPACT: u8 = 4;
const LAST: u8 = 6;

impl RawTransaction {
    /// Reads a transaction's bytes. Memory is bounded by their number.
    ///
    /// # Errors
    /// [`ParseError`] where they can't be a transaction's.
    ///
    /// ```
    /// use curve25519_lanes::wallet::RawTransaction;
    /// let error = RawTransaction::parse(&[2, 0, 1, 7]).unwrap_err();
    /// assert_eq!(error.to_string(), "kind of input at byte 3");
    /// ```
    pub fn parse(bytes: &[u8]) -> Result<RawTransaction, ParseError> {
        let mut fields = Fields { reader: Reader(bytes), length: bytes.len() };
        let version = fields.varint("version")?;
        if version != 1 && version != 2 {
            return Err(ParseError { what: "version", at: 0 });
        }
        fields.varint("unlock time")?;
        let inputs = fields.varint("number of inputs")?;
        for _ in 0..inputs {
            fields.input()?;
        }
        let count = fields.varint("number of outputs")?;
        let mut outputs = Vec::new();
        for _ in 0..count {
            outputs.push(fields.output()?);
        }
        let length = fields.varint("length of extra")?;
        let extra = TxExtra::parse(fields.take(length, "extra")?);
        if version == 2 {
            fields.amounts(inputs, &mut outputs)?;
        }
        Ok(RawTransaction { extra, outputs })
    }

    /// For the [`Scanner`](super::Scanner).
    pub fn as_transaction(&self) -> Transaction<'_> {
        Transaction { extra: &self.extra, outputs: &self.outputs }
    }
}

/// What is left to read, and how long all was.
struct Fields<'a> {
    reader: Reader<'a>,
    length: usize,
}

impl<'a> Fields<'a> {
    /// What `read` gives, or an error at the place before it.
    fn field<T>(
        &mut self,
        what: &'static str,
        read: impl FnOnce(&mut Reader<'a>) -> Option<T>,
    ) -> Result<T, ParseError> {
        let at = self.length - self.reader.0.len();
        read(&mut self.reader).ok_or(ParseError { what, at })
    }

    fn varint(&mut self, what: &'static str) -> Result<u64, ParseError> {
        self.field(what, Reader::varint)
    }

    fn key(&mut self, what: &'static str) -> Result<[u8; 32], ParseError> {
        self.field(what, Reader::key)
    }

    fn take(&mut self, length: u64, what: &'static str) -> Result<&'a [u8], ParseError> {
        self.field(what, |reader| reader.take(usize::try_from(length).ok()?))
    }

    fn input(&mut self) -> Result<(), ParseError> {
        match self.field("kind of input", |reader| reader.byte().filter(|kind| [0xff, 0x02].contains(kind)))? {
            0xff => self.varint("height").map(drop),
            _ => {
                self.varint("amount of an input")?;
                for _ in 0..self.varint("number of ring members")? {
                    self.varint("ring member")?;
                }
                self.key("key image").map(drop)
            }
        }
    }

    fn output(&mut self) -> Result<Output, ParseError> {
        let amount = EncryptedAmount::Plain(self.varint("amount of an output")?);
        let tagged = self.field("kind of output", |reader| reader.byte().filter(|kind| [2, 3].contains(kind)))? == 3;
        let key = self.key("key of an output")?;
        let view_tag = if tagged { Some(self.field("view tag", Reader::byte)?) } else { None };
        Ok(Output { key, view_tag, amount })
    }

    /// The base of the ring signatures.
    fn amounts(&mut self, inputs: u64, outputs: &mut [Output]) -> Result<(), ParseError> {
        let kind = self.field("RingCT type", |reader| reader.byte().filter(|kind| *kind <= LAST))?;
        if kind == NULL {
            return Ok(());
        }
        self.varint("fee")?;
        if kind == SIMPLE {
            for _ in 0..inputs {
                self.key("pseudo output")?;
            }
        }
        for output in outputs.iter_mut() {
            output.amount = if kind >= COMPACT {
                let amount = self.field("encrypted amount", |reader| reader.take(8)?.try_into().ok())?;
                EncryptedAmount::Compact { amount, commitment: [0; 32] }
            } else {
                let mask = self.key("encrypted mask")?;
                EncryptedAmount::Full { mask, amount: self.key("encrypted amount")?, commitment: [0; 32] }
            };
        }
        for output in outputs {
            let found = self.key("commitment")?;
            match &mut output.amount {
                EncryptedAmount::Compact { commitment, .. } | EncryptedAmount::Full { commitment, .. } => {
                    *commitment = found;
                }
                EncryptedAmount::Plain(_) => {}
            }
        }
        Ok(())
    }
}

//! Transactions from bytes that anybody may have sent: every length is compared with what is there before anything
//! is kept, and messages are borrowed.

use alloc::vec::Vec;
use core::fmt;

use super::encode::{Encoding, Inscription, Ledger, MantleTx, Note, Op};
use crate::hash::poseidon2::Fr;

/// Bytes are no transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What was being read.
    pub what: &'static str,
    /// Where it starts.
    pub offset: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why something can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It takes `needed` bytes and there are `left`.
    Truncated {
        /// Bytes it takes; a message may claim up to 4 GiB.
        needed: usize,
        /// Bytes there are.
        left: usize,
    },
    /// An operation that is not known here, so that its length isn't either.
    UnknownOpcode(u8),
    /// A field element above the modulus.
    NotCanonical,
    /// So many bytes come after the transaction.
    TrailingBytes(usize),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: ", self.what, self.offset)?;
        match self.reason {
            Reason::Truncated { needed, left } => write!(f, "{needed} bytes needed, {left} left"),
            Reason::UnknownOpcode(opcode) => write!(f, "unknown opcode {opcode:#04x}"),
            Reason::NotCanonical => f.write_str("field element above the modulus"),
            Reason::TrailingBytes(n) => write!(f, "{n} bytes too many"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// The bytes not yet read.
struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, what: &'static str, reason: Reason) -> DecodeError {
        DecodeError { what, offset: self.offset, reason }
    }

    fn bytes(&mut self, what: &'static str, needed: usize) -> Result<&'a [u8], DecodeError> {
        match self.rest.split_at_checked(needed) {
            Some((bytes, rest)) => {
                self.rest = rest;
                self.offset += needed;
                Ok(bytes)
            }
            None => Err(self.error(what, Reason::Truncated { needed, left: self.rest.len() })),
        }
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], DecodeError> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(what, N)?);
        Ok(out)
    }

    fn count(&mut self, what: &'static str) -> Result<usize, DecodeError> {
        Ok(usize::from(self.array::<1>(what)?[0]))
    }

    /// An element's canonical bytes. The modulus itself is taken for 0, as the published node does.
    fn element(&mut self, what: &'static str) -> Result<[u8; 32], DecodeError> {
        let offset = self.offset;
        match Fr::from_bytes_modulus_is_zero(&self.array(what)?) {
            Ok(x) => Ok(x.to_bytes()),
            Err(_) => Err(DecodeError { what, offset, reason: Reason::NotCanonical }),
        }
    }
}

impl<'a> MantleTx<'a> {
    /// Reads a transaction that takes up all the bytes, with operations known here: inscriptions.
    ///
    /// Encoding the result gives the same bytes back, except that a field element equal to the modulus has become 0
    /// (so has it in the published node, which hashes what it would encode itself).
    ///
    /// # Errors
    /// [`DecodeError`]; memory is asked for only as far as bytes are there to fill it.
    pub fn decode(encoding: Encoding, bytes: &'a [u8]) -> Result<MantleTx<'a>, DecodeError> {
        let mut reader = Reader { rest: bytes, offset: 0 };
        let mut tx = MantleTx::default();
        for _ in 0..reader.count("operation count")? {
            tx.ops.push(op(encoding, &mut reader)?);
        }
        if encoding == Encoding::V1_0 {
            tx.ledger = ledger(&mut reader)?;
        }
        match reader.rest.len() {
            0 => Ok(tx),
            n => Err(reader.error("end of transaction", Reason::TrailingBytes(n))),
        }
    }
}

fn op<'a>(encoding: Encoding, reader: &mut Reader<'a>) -> Result<Op<'a>, DecodeError> {
    let offset = reader.offset;
    let [opcode] = reader.array("opcode")?;
    if opcode != encoding.inscribe() {
        return Err(DecodeError { what: "opcode", offset, reason: Reason::UnknownOpcode(opcode) });
    }
    let channel = reader.array("channel")?;
    let length = u32::from_le_bytes(reader.array("message length")?);
    // On a machine of 16-bit addresses no message of such a length can be there either.
    let message = reader.bytes("message", usize::try_from(length).unwrap_or(usize::MAX))?;
    let (parent, signer) = (reader.array("parent")?, reader.array("signer")?);
    Ok(Op::Inscribe(Inscription { channel, message, parent, signer }))
}

fn ledger(reader: &mut Reader<'_>) -> Result<Ledger, DecodeError> {
    let inputs = (0..reader.count("input count")?).map(|_| reader.element("input")).collect::<Result<Vec<_>, _>>()?;
    let mut outputs = Vec::new();
    for _ in 0..reader.count("output count")? {
        let value = u64::from_le_bytes(reader.array("output value")?);
        outputs.push(Note { value, key: reader.element("output key")? });
    }
    Ok(Ledger {
        inputs,
        outputs,
        execution_gas_price: u64::from_le_bytes(reader.array("execution gas price")?),
        storage_gas_price: u64::from_le_bytes(reader.array("storage gas price")?),
    })
}

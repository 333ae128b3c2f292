//! Transactions from bytes that anybody may have sent: memory is asked for only as far as bytes are there to fill it.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::write::{CLSAG_BULLETPROOF_PLUS, INPUT_TO_KEY, OUTPUT_KEY, OUTPUT_TAGGED_KEY, VERSION};
use super::{Input, Output, Transaction};
use crate::proofs::bulletproofs_plus::monero::{ParseErrorKind, RangeProof};
use crate::proofs::clsag::Clsag;
use crate::proofs::varint;

/// The longest transaction the network admits, in bytes.
pub const MAX_BYTES: usize = 1_000_000;

/// Bytes are no transaction of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
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
    /// It takes more bytes than there are.
    Truncated,
    /// An integer above 64 bits, or not in its shortest form.
    Integer,
    /// A value that transactions of this kind don't have here.
    Unsupported(u64),
    /// A ring of so many members where the first input's has another number.
    RingSize(usize),
    /// No range proof.
    RangeProof(ParseErrorKind),
    /// So many bytes come after the transaction.
    TrailingBytes(usize),
    /// So many bytes, more than [`MAX_BYTES`].
    TooLong(usize),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: ", self.what, self.offset)?;
        match self.reason {
            Reason::Truncated => f.write_str("the bytes end early"),
            Reason::Integer => f.write_str("an integer above 64 bits or not in its shortest form"),
            Reason::Unsupported(value) => write!(f, "unsupported value {value}"),
            Reason::RingSize(found) => write!(f, "{found} members, another number than in the first ring"),
            Reason::RangeProof(ParseErrorKind::Count) => f.write_str("impossible number of rounds"),
            Reason::RangeProof(_) => f.write_str("the bytes end early"),
            Reason::TrailingBytes(n) => write!(f, "{n} bytes too many"),
            Reason::TooLong(n) => write!(f, "{n} bytes, the most is {MAX_BYTES}"),
        }
    }
}

impl Error for ParseError {}

/// The bytes not yet read.
struct Reader<'a> {
    rest: &'a [u8],
    offset: usize,
}

type Result<T> = core::result::Result<T, ParseError>;

impl<'a> Reader<'a> {
    fn bytes(&mut self, what: &'static str, count: usize) -> Result<&'a [u8]> {
        let error = ParseError { what, offset: self.offset, reason: Reason::Truncated };
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(error)?;
        self.rest = rest;
        self.offset += count;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.bytes(what, N)?);
        Ok(out)
    }

    fn integer(&mut self, what: &'static str) -> Result<u64> {
        let before = self.rest.len();
        let value = varint::read(&mut self.rest).map_err(|fault| {
            let reason = match fault {
                varint::Fault::End => Reason::Truncated,
                varint::Fault::Form => Reason::Integer,
            };
            ParseError { what, offset: self.offset, reason }
        })?;
        self.offset += before - self.rest.len();
        Ok(value)
    }

    /// A number of things that take at least one byte each, so that more can't be there than bytes are.
    fn count(&mut self, what: &'static str) -> Result<usize> {
        let offset = self.offset;
        let count = usize::try_from(self.integer(what)?).unwrap_or(usize::MAX);
        if count > self.rest.len() {
            return Err(ParseError { what, offset, reason: Reason::Truncated });
        }
        Ok(count)
    }

    /// An integer that has to be this one.
    fn constant(&mut self, what: &'static str, expected: u64) -> Result<()> {
        let offset = self.offset;
        match self.integer(what)? {
            found if found == expected => Ok(()),
            found => Err(ParseError { what, offset, reason: Reason::Unsupported(found) }),
        }
    }

    /// A byte that says how to go on.
    fn tag(&mut self, what: &'static str, known: &[u8]) -> Result<u8> {
        let offset = self.offset;
        let [tag] = self.array(what)?;
        if known.contains(&tag) {
            Ok(tag)
        } else {
            Err(ParseError { what, offset, reason: Reason::Unsupported(tag.into()) })
        }
    }
}

impl Transaction {
    /// Reads a transaction that takes up all the bytes. [`to_bytes`](Transaction::to_bytes) gives the same bytes back.
    ///
    /// # Errors
    /// [`ParseError`]: anything but a transaction of version 2 and RingCT type 6 that spends from rings.
    pub fn from_bytes(bytes: &[u8]) -> Result<Transaction> {
        if bytes.len() > MAX_BYTES {
            return Err(ParseError { what: "transaction", offset: 0, reason: Reason::TooLong(bytes.len()) });
        }
        let mut reader = Reader { rest: bytes, offset: 0 };
        reader.constant("version", VERSION)?;
        let unlock_time = reader.integer("unlock time")?;
        let mut inputs: Vec<Input> = Vec::new();
        for _ in 0..reader.count("input count")? {
            let input = input(&mut reader, inputs.first().map(|first| first.offsets.len()))?;
            inputs.push(input);
        }
        let mut outputs = Vec::new();
        for _ in 0..reader.count("output count")? {
            outputs.push(output(&mut reader)?);
        }
        let extra = reader.count("extra length")?;
        let extra = reader.bytes("extra", extra)?.to_vec();

        reader.tag("RingCT type", &[CLSAG_BULLETPROOF_PLUS])?;
        let fee = reader.integer("fee")?;
        for output in &mut outputs {
            output.encrypted_amount = reader.array("encrypted amount")?;
        }
        for output in &mut outputs {
            output.commitment = reader.array("commitment")?;
        }

        reader.constant("range proof count", 1)?;
        let range_proof = range_proof(&mut reader)?;
        for input in &mut inputs {
            input.signature = signature(&mut reader, input.offsets.len())?;
        }
        for input in &mut inputs {
            input.pseudo_out = reader.array("pseudo-output")?;
        }
        match reader.rest.len() {
            0 => Ok(Transaction { unlock_time, inputs, outputs, extra, fee, range_proof }),
            n => {
                let reason = Reason::TrailingBytes(n);
                Err(ParseError { what: "end of transaction", offset: reader.offset, reason })
            }
        }
    }
}

/// An input as the prefix has it; its proofs come later. `size` is that of the rings before.
fn input(reader: &mut Reader<'_>, size: Option<usize>) -> Result<Input> {
    reader.tag("input type", &[INPUT_TO_KEY])?;
    let amount = reader.integer("input amount")?;
    let offset = reader.offset;
    let members = reader.count("ring size")?;
    if size.is_some_and(|size| size != members) {
        return Err(ParseError { what: "ring size", offset, reason: Reason::RingSize(members) });
    }
    let offsets = (0..members).map(|_| reader.integer("ring offset")).collect::<Result<_>>()?;
    let key_image = reader.array("key image")?;
    let signature = Clsag { s: Vec::new(), c1: [0; 32], d: [0; 32] };
    Ok(Input { amount, offsets, key_image, pseudo_out: [0; 32], signature })
}

/// An output as the prefix has it.
fn output(reader: &mut Reader<'_>) -> Result<Output> {
    reader.constant("output amount", 0)?;
    let tag = reader.tag("output type", &[OUTPUT_KEY, OUTPUT_TAGGED_KEY])?;
    let key = reader.array("output key")?;
    let view_tag = if tag == OUTPUT_TAGGED_KEY { Some(reader.array::<1>("view tag")?[0]) } else { None };
    Ok(Output { key, view_tag, encrypted_amount: [0; 8], commitment: [0; 32] })
}

fn range_proof(reader: &mut Reader<'_>) -> Result<RangeProof> {
    let (offset, before) = (reader.offset, reader.rest.len());
    let proof = RangeProof::read(&mut reader.rest).map_err(|error| ParseError {
        what: "range proof",
        offset: offset + error.offset,
        reason: Reason::RangeProof(error.kind),
    })?;
    reader.offset += before - reader.rest.len();
    Ok(proof)
}

fn signature(reader: &mut Reader<'_>, ring: usize) -> Result<Clsag> {
    let (offset, before) = (reader.offset, reader.rest.len());
    let signature = Clsag::read(&mut reader.rest, ring).map_err(|_| ParseError {
        what: "ring signature",
        offset,
        reason: Reason::Truncated,
    })?;
    reader.offset += before - reader.rest.len();
    Ok(signature)
}

//! The bytes of a proof.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::generators::MAX_ROUNDS;
use crate::proofs::varint;

/// The transmitted parts of a proof, as bytes. Nothing about them is checked before verification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RangeProof {
    /// A, a point divided by 8, as are `a1`, `b`, `l` and `r`.
    pub a: [u8; 32],
    /// A1
    pub a1: [u8; 32],
    /// B
    pub b: [u8; 32],
    /// r1, a scalar, as are `s1` and `d1`.
    pub r1: [u8; 32],
    /// s1
    pub s1: [u8; 32],
    /// d1
    pub d1: [u8; 32],
    /// L of each round: 6 + log2 M of them for a proof of M outputs, M a power of two after padding.
    pub l: Vec<[u8; 32]>,
    /// R of each round.
    pub r: Vec<[u8; 32]>,
}

/// What is wrong with the bytes of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The input ends inside the proof.
    End,
    /// The count of L or R is larger than in any valid proof, or not written in its shortest form.
    Count,
    /// Bytes are left over.
    Trailing,
}

/// Bytes that are not a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    /// The index of the first byte that doesn't fit; the input's length where more was expected.
    pub offset: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ParseErrorKind::End => "the range proof ends early",
            ParseErrorKind::Count => "impossible number of rounds",
            ParseErrorKind::Trailing => "bytes left over after the range proof",
        };
        write!(f, "{what} (byte {})", self.offset)
    }
}

impl Error for ParseError {}

impl RangeProof {
    /// Reads a proof that is the whole input: A, A1, B, r1, s1, d1, count, L…, count, R….
    ///
    /// # Errors
    /// Too few or too many bytes, or a count that no valid proof has (at most 13, the rounds of 128 outputs). Equal
    /// counts and the right ones are the verifier's business.
    pub fn from_bytes(bytes: &[u8]) -> Result<RangeProof, ParseError> {
        let mut rest = bytes;
        let proof = RangeProof::read(&mut rest)?;
        if !rest.is_empty() {
            return Err(ParseError { offset: bytes.len() - rest.len(), kind: ParseErrorKind::Trailing });
        }
        Ok(proof)
    }

    /// Reads a proof from the front of `input` and leaves the rest there. On an error `input` is unchanged, and the
    /// offset counts from its front.
    ///
    /// # Errors
    /// As [`from_bytes`](RangeProof::from_bytes), except that bytes may be left over.
    pub fn read(input: &mut &[u8]) -> Result<RangeProof, ParseError> {
        let mut reader = Reader { bytes: input, at: 0 };
        let proof = RangeProof {
            a: reader.array()?,
            a1: reader.array()?,
            b: reader.array()?,
            r1: reader.array()?,
            s1: reader.array()?,
            d1: reader.array()?,
            l: reader.list()?,
            r: reader.list()?,
        };
        *input = &input[reader.at..];
        Ok(proof)
    }

    /// The bytes that [`from_bytes`](RangeProof::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.write(true)
    }

    /// The bytes without both counts: what the signatures of a transaction hash.
    pub fn signature_bytes(&self) -> Vec<u8> {
        self.write(false)
    }

    fn write(&self, counts: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(32 * (6 + self.l.len() + self.r.len()) + 2);
        for part in [&self.a, &self.a1, &self.b, &self.r1, &self.s1, &self.d1] {
            out.extend_from_slice(part);
        }
        for list in [&self.l, &self.r] {
            if counts {
                varint::write(&mut out, list.len() as u64);
            }
            out.extend_from_slice(list.as_flattened());
        }
        out
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], ParseError> {
        let found = self.bytes[self.at..].first_chunk().copied();
        let found = found.ok_or(ParseError { offset: self.bytes.len(), kind: ParseErrorKind::End })?;
        self.at += N;
        Ok(found)
    }

    fn list(&mut self) -> Result<Vec<[u8; 32]>, ParseError> {
        let offset = self.at;
        // Every possible count is below 128, so its shortest form is one byte.
        let [count] = self.array()?;
        if usize::from(count) > MAX_ROUNDS {
            return Err(ParseError { offset, kind: ParseErrorKind::Count });
        }
        (0..count).map(|_| self.array()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn sample(l: usize, r: usize) -> RangeProof {
        let part = |i: usize| core::array::from_fn(|k| (i * 32 + k) as u8);
        RangeProof {
            a: part(0),
            a1: part(1),
            b: part(2),
            r1: part(3),
            s1: part(4),
            d1: part(5),
            l: (0..l).map(|i| part(6 + i)).collect(),
            r: (0..r).map(|i| part(19 + i)).collect(),
        }
    }

    #[test]
    fn round_trip_with_every_count() {
        for l in 0..=MAX_ROUNDS {
            for r in 0..=MAX_ROUNDS {
                let proof = sample(l, r);
                let bytes = proof.to_bytes();
                assert_eq!(bytes.len(), 32 * (6 + l + r) + 2);
                assert_eq!(RangeProof::from_bytes(&bytes), Ok(proof.clone()));
                let mut plain = bytes.clone();
                plain.remove(192 + 1 + 32 * l);
                plain.remove(192);
                assert_eq!(proof.signature_bytes(), plain);
            }
        }
    }

    #[test]
    fn every_truncation_and_extension_is_refused() {
        let bytes = sample(7, 7).to_bytes();
        for len in 0..bytes.len() {
            let error = RangeProof::from_bytes(&bytes[..len]).unwrap_err();
            assert_eq!(error, ParseError { offset: len, kind: ParseErrorKind::End });
        }
        let mut longer = bytes.clone();
        longer.push(0);
        let error = RangeProof::from_bytes(&longer).unwrap_err();
        assert_eq!(error, ParseError { offset: bytes.len(), kind: ParseErrorKind::Trailing });
        let mut rest = &longer[..];
        assert_eq!(RangeProof::read(&mut rest).unwrap(), sample(7, 7));
        assert_eq!(rest, [0]);
    }

    #[test]
    fn hostile_counts_allocate_nothing() {
        for (offset, l) in [(192, 0), (193 + 32 * 7, 7)] {
            for count in MAX_ROUNDS as u8 + 1..=255 {
                let mut bytes = sample(l, l).to_bytes();
                bytes[offset] = count;
                bytes.extend(vec![1; 8192]);
                let error = RangeProof::from_bytes(&bytes).unwrap_err();
                assert_eq!(error, ParseError { offset, kind: ParseErrorKind::Count });
            }
        }
    }
}

//! The bytes of a proof.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::error::{Field, ParameterError};
use super::parameters::ExtensionDegree;
use crate::field::scalar::Scalar;

/// A proof. Its scalars are below the group order; its points are bytes until it is verified.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RangeProof {
    pub(super) a: [u8; 32],
    pub(super) a1: [u8; 32],
    pub(super) b: [u8; 32],
    pub(super) r1: Scalar,
    pub(super) s1: Scalar,
    /// One for each mask base, 1 to 6.
    pub(super) d1: Vec<Scalar>,
    /// One a round, as many as in `r`.
    pub(super) l: Vec<[u8; 32]>,
    pub(super) r: Vec<[u8; 32]>,
}

/// What is wrong with the bytes of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The input ends inside the proof. There is at least one pair of L and R.
    End,
    /// The number of mask bases is not 1 to 6.
    ExtensionDegree,
    /// A scalar is not below the group order.
    Scalar(Field),
    /// Bytes are left over that are no pair of L and R.
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
        match self.kind {
            ParseErrorKind::End => f.write_str("the range proof ends early")?,
            ParseErrorKind::ExtensionDegree => f.write_str("not 1 to 6 mask bases")?,
            ParseErrorKind::Scalar(field) => write!(f, "{field} is not below the group order")?,
            ParseErrorKind::Trailing => f.write_str("bytes left over after the range proof")?,
        }
        write!(f, " (byte {})", self.offset)
    }
}

impl Error for ParseError {}

impl RangeProof {
    /// Reads a proof that is the whole input: the number of mask bases in a byte, d1…, A, A1, B, r1, s1, L, R, L, R, ….
    ///
    /// # Errors
    /// Another number of mask bases than 1 to 6, a scalar that is not below the group order, no pair of L and R, or bytes
    /// left over. The right number of rounds is the verifier's business.
    pub fn from_bytes(bytes: &[u8]) -> Result<RangeProof, ParseError> {
        let mut reader = Reader { bytes, at: 0 };
        let degree = reader.degree()?;
        let d1 = (0..degree.count()).map(|k| reader.scalar(Field::D1(k))).collect::<Result<_, _>>()?;
        let (a, a1, b) = (reader.array()?, reader.array()?, reader.array()?);
        let (r1, s1) = (reader.scalar(Field::R1)?, reader.scalar(Field::S1)?);
        let (mut l, mut r) = (alloc::vec![reader.array()?], alloc::vec![reader.array()?]);
        let (pairs, rest) = bytes[reader.at..].as_chunks::<64>();
        for pair in pairs {
            let [left, right] = pair.as_chunks().0 else { unreachable!("64 bytes are twice 32") };
            l.push(*left);
            r.push(*right);
        }
        if !rest.is_empty() {
            return Err(ParseError { offset: bytes.len() - rest.len(), kind: ParseErrorKind::Trailing });
        }
        Ok(RangeProof { a, a1, b, r1, s1, d1, l, r })
    }

    /// The bytes that [`from_bytes`](RangeProof::from_bytes) reads: 32·(x + 5 + 2·log2 of all bits) + 1, x being the
    /// number of mask bases.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1 + 32 * (self.d1.len() + 5 + 2 * self.l.len()));
        out.push(self.d1.len() as u8);
        self.d1.iter().for_each(|d1| out.extend_from_slice(d1.as_bytes()));
        for part in [&self.a, &self.a1, &self.b, self.r1.as_bytes(), self.s1.as_bytes()] {
            out.extend_from_slice(part);
        }
        for part in self.l.iter().zip(&self.r).flat_map(|(l, r)| [l, r]) {
            out.extend_from_slice(part);
        }
        out
    }

    /// How many mask bases the proof is for.
    pub fn extension_degree(&self) -> ExtensionDegree {
        ExtensionDegree::try_from(self.d1.len()).expect("a proof has 1 to 6 of d1")
    }

    /// How many mask bases the proof of these bytes is for, if it is one.
    ///
    /// # Errors
    /// No byte, or none of 1 to 6 first.
    pub fn extension_degree_from_proof_bytes(bytes: &[u8]) -> Result<ExtensionDegree, ParseError> {
        Reader { bytes, at: 0 }.degree()
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

    fn degree(&mut self) -> Result<ExtensionDegree, ParseError> {
        let [count] = self.array()?;
        ExtensionDegree::try_from(usize::from(count))
            .map_err(|_: ParameterError| ParseError { offset: 0, kind: ParseErrorKind::ExtensionDegree })
    }

    fn scalar(&mut self, field: Field) -> Result<Scalar, ParseError> {
        let offset = self.at;
        let scalar = Scalar::from_canonical_bytes(self.array()?);
        Option::from(scalar).ok_or(ParseError { offset, kind: ParseErrorKind::Scalar(field) })
    }
}

/// As one string of bytes.
#[cfg(feature = "serde")]
mod serde {
    use core::fmt;

    use ::serde::de::{Error, Visitor};
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::RangeProof;

    impl Serialize for RangeProof {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(&self.to_bytes())
        }
    }

    impl<'de> Deserialize<'de> for RangeProof {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RangeProof, D::Error> {
            struct Bytes;
            impl Visitor<'_> for Bytes {
                type Value = RangeProof;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("the bytes of a range proof")
                }

                fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<RangeProof, E> {
                    RangeProof::from_bytes(bytes).map_err(E::custom)
                }
            }
            deserializer.deserialize_bytes(Bytes)
        }
    }

    #[cfg(test)]
    mod tests {
        use ::serde::de::IntoDeserializer;
        use ::serde::de::value::{BytesDeserializer, Error};

        use super::*;

        #[test]
        fn as_bytes_and_back() {
            let mut bytes = alloc::vec![1; 1 + 32 * 8];
            (1..9).for_each(|i| bytes[32 * i] = 0);
            let proof = RangeProof::from_bytes(&bytes).unwrap();
            let text = serde_json::to_value(&proof).unwrap();
            assert_eq!(text, serde_json::to_value(&bytes).unwrap());
            let read = |bytes: &[u8]| {
                let from: BytesDeserializer<'_, Error> = bytes.into_deserializer();
                RangeProof::deserialize(from)
            };
            assert_eq!(read(&bytes).unwrap(), proof);
            assert!(read(&bytes[1..]).is_err());
        }
    }
}

//! The bytes of a signature.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// A member of a ring: an output that may be the one spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RingMember {
    /// Its one-time key P.
    pub key: [u8; 32],
    /// The commitment C to its amount.
    pub commitment: [u8; 32],
}

/// The transmitted parts of a signature, as bytes. Nothing about them is checked before verification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Clsag {
    /// The responses, a scalar for each ring member.
    pub s: Vec<[u8; 32]>,
    /// The first challenge, a scalar.
    pub c1: [u8; 32],
    /// D, a point divided by 8.
    pub d: [u8; 32],
}

/// Bytes that are not a signature for a ring of the given size: their number is not 32·(size + 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes there are.
    pub found: usize,
    /// Members of the ring.
    pub ring: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, not 32 times 2 more than a ring of {}", self.found, self.ring)
    }
}

impl Error for ParseError {}

impl Clsag {
    /// Reads a signature that is the whole input: s of each member, c1, D.
    ///
    /// # Errors
    /// Too few or too many bytes for a ring of this size.
    pub fn from_bytes(bytes: &[u8], ring: usize) -> Result<Clsag, ParseError> {
        let mut rest = bytes;
        match Clsag::read(&mut rest, ring) {
            Ok(signature) if rest.is_empty() => Ok(signature),
            _ => Err(ParseError { found: bytes.len(), ring }),
        }
    }

    /// Reads a signature from the front of `input` and leaves the rest there. On an error `input` is unchanged.
    ///
    /// # Errors
    /// Too few bytes for a ring of this size; none is copied then, however large the ring is said to be.
    pub fn read(input: &mut &[u8], ring: usize) -> Result<Clsag, ParseError> {
        let (parts, _) = input.as_chunks::<32>();
        let (s, rest) = parts.split_at_checked(ring).ok_or(ParseError { found: input.len(), ring })?;
        let [c1, d, ..] = *rest else { return Err(ParseError { found: input.len(), ring }) };
        *input = &input[32 * (ring + 2)..];
        Ok(Clsag { s: s.to_vec(), c1, d })
    }

    /// The bytes that [`from_bytes`](Clsag::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        [self.s.as_flattened(), &self.c1, &self.d].concat()
    }
}

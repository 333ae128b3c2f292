//! Keccak-256 over many short messages made of pieces.

use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::field::scalar::Scalar;
use crate::hash::{keccak256, keccak256_batch};

/// Messages one after the other in one buffer, wiped at the end.
#[derive(Default)]
pub(super) struct Messages {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    digests: Vec<[u8; 32]>,
}

impl Messages {
    /// Room for `count` messages of `length` bytes, so that nothing is left behind by growing.
    pub(super) fn new(count: usize, length: usize) -> Messages {
        Messages {
            bytes: Vec::with_capacity(count * length),
            ends: Vec::with_capacity(count),
            digests: Vec::with_capacity(count),
        }
    }

    /// Appends a message made of these pieces.
    pub(super) fn push(&mut self, pieces: &[&[u8]]) {
        pieces.iter().for_each(|piece| self.bytes.extend_from_slice(piece));
        self.ends.push(self.bytes.len());
    }

    /// Appends a message made of these pieces and a [`varint`](Varint).
    pub(super) fn push_indexed(&mut self, pieces: &[&[u8]], index: u64) {
        pieces.iter().for_each(|piece| self.bytes.extend_from_slice(piece));
        self.bytes.extend_from_slice(Varint::new(index).bytes());
        self.ends.push(self.bytes.len());
    }

    /// The digests of the messages. There are none afterwards.
    pub(super) fn digests(&mut self) -> &[[u8; 32]] {
        let mut start = 0;
        let messages: Vec<&[u8]> = (self.ends.iter())
            .map(|&end| {
                let message = &self.bytes[start..end];
                start = end;
                message
            })
            .collect();
        self.digests.clear();
        self.digests.resize(messages.len(), [0; 32]);
        keccak256_batch(&messages, &mut self.digests);
        self.bytes.clear();
        self.ends.clear();
        &self.digests
    }

    /// The digests as scalars.
    pub(super) fn scalars(&mut self) -> Vec<Scalar> {
        self.digests().iter().map(|digest| Scalar::from_bytes_mod_order(*digest)).collect()
    }
}

impl Drop for Messages {
    fn drop(&mut self) {
        self.bytes.zeroize();
        self.digests.iter_mut().for_each(|digest| digest.zeroize());
    }
}

/// `Hs`: Keccak-256 of the concatenated pieces, mod l.
pub(super) fn hash_to_scalar(pieces: &[&[u8]]) -> Scalar {
    let mut message = pieces.concat();
    let mut digest = keccak256(&message);
    let scalar = Scalar::from_bytes_mod_order(digest);
    message.zeroize();
    digest.zeroize();
    scalar
}

/// An index on the wire: seven bits a byte, the lowest first, the top bit set while more follow.
pub(super) struct Varint {
    bytes: [u8; 10],
    length: usize,
}

impl Varint {
    pub(super) fn new(mut x: u64) -> Varint {
        let (mut bytes, mut length) = ([0; 10], 0);
        loop {
            let more = x >= 0x80;
            bytes[length] = (x as u8 & 0x7f) | (u8::from(more) << 7);
            length += 1;
            x >>= 7;
            if !more {
                return Varint { bytes, length };
            }
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints() {
        let cases: [(u64, &[u8]); 5] =
            [(0, &[0]), (127, &[127]), (128, &[128, 1]), (300, &[0xac, 2]), (16384, &[128, 128, 1])];
        for (x, bytes) in cases {
            assert_eq!(Varint::new(x).bytes(), bytes);
        }
        assert_eq!(Varint::new(u64::MAX).bytes(), [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]);
    }

    #[test]
    fn messages_of_pieces() {
        let mut messages = Messages::new(2, 8);
        for _ in 0..2 {
            messages.push(&[b"ab", b"", b"c"]);
            messages.push_indexed(&[b"ab"], 300);
            assert_eq!(messages.digests(), [keccak256(b"abc"), keccak256(b"ab\xac\x02")]);
        }
        assert_eq!(hash_to_scalar(&[b"ab", b"c"]), Scalar::from_bytes_mod_order(keccak256(b"abc")));
    }
}

//! Keccak-256 over many short messages made of pieces.

use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::field::scalar::Scalar;
use crate::hash::{keccak256, keccak256_batch};
use crate::proofs::varint;

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

    /// Appends a message made of these pieces and a [`varint`].
    pub(super) fn push_indexed(&mut self, pieces: &[&[u8]], index: u64) {
        pieces.iter().for_each(|piece| self.bytes.extend_from_slice(piece));
        varint::write(&mut self.bytes, index);
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

#[cfg(test)]
mod tests {
    use super::*;

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

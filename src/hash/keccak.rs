//! Keccak-256 of one message.
//!
//! The first domain bits are those of the Keccak submission (padding byte `0x01`), not those of SHA3-256 (`0x06`):
//! the same permutation and rate, another digest.

use sha3::Digest;

/// Bytes absorbed by one permutation.
pub(crate) const RATE: usize = 136;

/// The digest of a whole message.
///
/// ```
/// let digest = curve25519_lanes::hash::keccak256(b"");
/// assert_eq!(digest[..4], [0xc5, 0xd2, 0x46, 0x01]);
/// ```
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    sha3::Keccak256::digest(message).into()
}

/// A digest in the making, for messages that come in pieces.
///
/// The state is not wiped: hash secrets only where that is acceptable.
///
/// ```
/// use curve25519_lanes::hash::{Keccak256, keccak256};
/// let digest = Keccak256::new().chain(b"one").chain(b"two").finalize();
/// assert_eq!(digest, keccak256(b"onetwo"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Keccak256(sha3::Keccak256);

impl Keccak256 {
    /// The state before any byte.
    pub fn new() -> Keccak256 {
        Keccak256::default()
    }

    /// Appends bytes to the message. How it is cut into pieces doesn't matter.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Appends bytes to the message, and goes on.
    #[must_use]
    pub fn chain(mut self, bytes: &[u8]) -> Keccak256 {
        self.update(bytes);
        self
    }

    /// The digest of all bytes given.
    pub fn finalize(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keccak-256 of nothing, of "abc" and of SHA3's neighbour: known answers from the Keccak team's reference.
    #[test]
    fn known_answers() {
        let hex = |d: [u8; 32]| d.iter().map(|b| alloc::format!("{b:02x}")).collect::<alloc::string::String>();
        assert_eq!(hex(keccak256(b"")), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
        assert_eq!(hex(keccak256(b"abc")), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
    }

    #[test]
    fn pieces_of_every_size() {
        let message: [u8; 300] = core::array::from_fn(|i| (i * 7) as u8);
        for size in 1..=message.len() {
            let mut state = Keccak256::new();
            message.chunks(size).for_each(|piece| state.update(piece));
            assert_eq!(state.finalize(), keccak256(&message), "pieces of {size}");
        }
    }
}

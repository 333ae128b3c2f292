//! SHAKE256 (FIPS 202): output of any length.

use super::keccak::RATE;
use super::keccak_lanes::permute;

/// The endless output of SHAKE256 for one message, read in pieces of 64 bytes.
pub(crate) struct Shake256 {
    words: [[u64; 1]; 25],
    /// The next word to give out.
    next: usize,
}

impl Shake256 {
    /// The output for a message of less than one block.
    ///
    /// # Panics
    /// If the message has 136 bytes or more.
    pub(crate) fn of_short(message: &[u8]) -> Shake256 {
        let mut block = [0; RATE];
        block[..message.len()].copy_from_slice(message);
        block[message.len()] = 0x1f;
        block[RATE - 1] |= 0x80;
        let mut words = [[0]; 25];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = [u64::from_le_bytes(*bytes)];
        }
        permute(&mut words);
        Shake256 { words, next: 0 }
    }

    /// The next 64 bytes.
    pub(crate) fn next_64(&mut self) -> [u8; 64] {
        let mut out = [0; 64];
        for bytes in out.as_chunks_mut().0 {
            if self.next == RATE / 8 {
                permute(&mut self.words);
                self.next = 0;
            }
            *bytes = self.words[self.next][0].to_le_bytes();
            self.next += 1;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHAKE256 of the empty message: NIST's known answer and its continuation over several blocks.
    #[test]
    fn known_answer() {
        let mut shake = Shake256::of_short(b"");
        let first = shake.next_64();
        assert_eq!(first[..8], 0x46b9_dd2b_0ba8_8d13u64.to_be_bytes());
        assert_eq!(first[56..], 0x4029_2eac_b3b7_c4beu64.to_be_bytes());
        let tenth = (1..10).map(|_| shake.next_64()).last().unwrap();
        assert_eq!(tenth[56..], 0x162f_0886_3d17_4e77u64.to_be_bytes());
    }
}

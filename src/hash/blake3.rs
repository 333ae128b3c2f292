//! BLAKE3 (<https://github.com/BLAKE3-team/BLAKE3-specs>, section 2): output of any length for messages of one block.
//!
//! All that generators of Tari's Triptych need; a whole BLAKE3 would be a dependency with C in it.

const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
/// Where each word of the message goes from one round to the next.
const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
/// The state words of each quarter round: columns, then diagonals.
const QUARTERS: [[usize; 4]; 8] = [
    [0, 4, 8, 12],
    [1, 5, 9, 13],
    [2, 6, 10, 14],
    [3, 7, 11, 15],
    [0, 5, 10, 15],
    [1, 6, 11, 12],
    [2, 7, 8, 13],
    [3, 4, 9, 14],
];
/// The flags of a block that is the first and the last of its chunk, and the root.
const ONLY_BLOCK: u32 = 1 | 2 | 8;

/// The endless output of BLAKE3 for one message, read in pieces of 64 bytes.
pub(crate) struct Blake3 {
    message: [u32; 16],
    len: u32,
    counter: u64,
}

impl Blake3 {
    /// The output for a message of at most one block.
    ///
    /// # Panics
    /// If the message has more than 64 bytes.
    pub(crate) fn of_short(message: &[u8]) -> Blake3 {
        let mut block = [0; 64];
        block[..message.len()].copy_from_slice(message);
        let words = block.as_chunks().0;
        Blake3 {
            message: core::array::from_fn(|i| u32::from_le_bytes(words[i])),
            len: message.len() as u32,
            counter: 0,
        }
    }

    /// The next 64 bytes.
    pub(crate) fn next_64(&mut self) -> [u8; 64] {
        let mut v = [0; 16];
        v[..8].copy_from_slice(&IV);
        v[8..12].copy_from_slice(&IV[..4]);
        v[12..].copy_from_slice(&[self.counter as u32, (self.counter >> 32) as u32, self.len, ONLY_BLOCK]);
        let mut m = self.message;
        for _ in 0..7 {
            for (at, x) in QUARTERS.into_iter().zip(m.as_chunks().0) {
                quarter(&mut v, at, x);
            }
            m = PERMUTATION.map(|i| m[i]);
        }
        self.counter += 1;
        let mut out = [0; 64];
        for (i, bytes) in out.as_chunks_mut().0.iter_mut().enumerate() {
            // The chaining value of the only block is the IV.
            let word = if i < 8 { v[i] ^ v[i + 8] } else { v[i] ^ IV[i - 8] };
            *bytes = word.to_le_bytes();
        }
        out
    }
}

fn quarter(v: &mut [u32; 16], [a, b, c, d]: [usize; 4], message: &[u32; 2]) {
    for (x, [first, second]) in message.iter().zip([[16, 12], [8, 7]]) {
        v[a] = v[a].wrapping_add(v[b]).wrapping_add(*x);
        v[d] = (v[d] ^ v[a]).rotate_right(first);
        v[c] = v[c].wrapping_add(v[d]);
        v[b] = (v[b] ^ v[c]).rotate_right(second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_as_the_published_implementation() {
        for len in 0..=64u8 {
            let message: std::vec::Vec<u8> = (0..len).map(|i| i.wrapping_mul(7).wrapping_add(len)).collect();
            let mut expected = [0; 320];
            ::blake3::Hasher::new().update(&message).finalize_xof().fill(&mut expected);
            let mut ours = Blake3::of_short(&message);
            for piece in expected.as_chunks::<64>().0 {
                assert_eq!(ours.next_64(), *piece, "{len}");
            }
        }
    }
}

//! STROBE-128, as far as Merlin needs it, for `W` objects in step.
//!
//! STROBE v1.0.2 (Mike Hamburg; <https://strobe.sourceforge.io/specs/>) at the 128-bit level: Keccak-f\[1600\] with a rate
//! of 166 bytes, and the operations AD, meta-AD, PRF and KEY. What differs between the objects is the data; lengths and
//! order of the operations are the same, so all stand at the same byte of their states and one permutation over lanes
//! serves them all. Word `i` of the states lies together, which makes loading vectors free and absorbing a matter of
//! words instead of bytes.

use zeroize::Zeroize;

use super::keccak_lanes::permute;

/// Bytes of the rate that data may use; two more hold the padding.
const RATE: usize = 166;

/// Kinds of operations: STROBE's flags I, A, C and M.
const I: u8 = 1;
const A: u8 = 1 << 1;
const C: u8 = 1 << 2;
const M: u8 = 1 << 4;

/// `W` objects that have always done the same operations. Wiped when dropped.
#[derive(Clone)]
pub(super) struct Strobe<const W: usize> {
    words: [[u64; W]; 25],
    position: Position,
}

/// Where an object stands. Objects in step agree in this.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Position {
    byte: u8,
    /// Where the current operation began, plus 1; 0 if in an earlier block.
    begin: u8,
    flags: u8,
}

impl<const W: usize> Strobe<W> {
    /// A new object for a protocol of this name.
    pub(super) fn new(protocol: &[u8]) -> Strobe<W> {
        let mut start = [0; 200];
        start[..6].copy_from_slice(&[1, RATE as u8 + 2, 1, 0, 1, 96]);
        start[6..18].copy_from_slice(b"STROBEv1.0.2");
        let mut words = [[0; W]; 25];
        for (word, bytes) in words.iter_mut().zip(start.as_chunks().0) {
            *word = [u64::from_le_bytes(*bytes); W];
        }
        permute(&mut words);
        let mut strobe = Strobe { words, position: Position { byte: 0, begin: 0, flags: 0 } };
        strobe.meta_ad(protocol, false);
        strobe
    }

    /// The object in place `i`, which stands where all of them stand.
    pub(super) fn one(&self, i: usize) -> Strobe<1> {
        Strobe { words: self.words.map(|word| [word[i]]), position: self.position }
    }

    /// Objects that stand at the same place, put side by side.
    ///
    /// # Panics
    /// If they don't.
    pub(super) fn together(objects: [&Strobe<1>; W]) -> Strobe<W> {
        let position = objects[0].position;
        assert!(objects.iter().all(|object| object.position == position), "objects in step");
        let words = core::array::from_fn(|i| objects.map(|object| object.words[i][0]));
        Strobe { words, position }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Absorbs metadata, the same for all; `more` goes on with the last operation.
    pub(super) fn meta_ad(&mut self, data: &[u8], more: bool) {
        self.begin(M | A, more);
        self.absorb([data; W]);
    }

    /// Absorbs data, all of one length.
    pub(super) fn ad(&mut self, data: [&[u8]; W]) {
        self.begin(A, false);
        self.absorb(data);
    }

    /// Replaces part of the states by secret data, all of one length.
    pub(super) fn key(&mut self, data: [&[u8]; W]) {
        self.begin(A | C, false);
        self.pieces(data[0].len(), |words, at, piece| {
            for (i, data) in data.iter().enumerate() {
                let data = &data[piece.clone()];
                clear_bytes(words, i, at, data.len());
                xor_bytes(words, i, at, data);
            }
        });
    }

    /// Pseudo-random bytes from each.
    pub(super) fn prf<const N: usize>(&mut self) -> [[u8; N]; W] {
        let mut out = [[0; N]; W];
        self.prf_into(out.each_mut().map(|out| &mut out[..]));
        out
    }

    /// Pseudo-random bytes from each, all of one length.
    pub(super) fn prf_into(&mut self, mut out: [&mut [u8]; W]) {
        self.begin(I | A | C, false);
        self.pieces(out[0].len(), |words, at, piece| {
            for (i, out) in out.iter_mut().enumerate() {
                let out = &mut out[piece.clone()];
                for (k, byte) in out.iter_mut().enumerate() {
                    *byte = (words[(at + k) / 8][i] >> (8 * ((at + k) % 8))) as u8;
                }
                clear_bytes(words, i, at, out.len());
            }
        });
    }

    fn begin(&mut self, flags: u8, more: bool) {
        if more {
            debug_assert_eq!(self.position.flags, flags, "an operation is continued by its own kind");
            return;
        }
        let before = self.position.begin;
        self.position.begin = self.position.byte + 1;
        self.position.flags = flags;
        self.absorb([&[before, flags]; W]);
        // What is to be kept apart from what was absorbed starts a block.
        if flags & C != 0 && self.position.byte != 0 {
            self.run();
        }
    }

    fn absorb(&mut self, data: [&[u8]; W]) {
        self.pieces(data[0].len(), |words, at, piece| {
            for (i, data) in data.iter().enumerate() {
                xor_bytes(words, i, at, &data[piece.clone()]);
            }
        });
    }

    /// Cuts `len` bytes at the ends of blocks: `work` gets the states, a place in them and a range of the data.
    fn pieces(&mut self, len: usize, mut work: impl FnMut(&mut [[u64; W]; 25], usize, core::ops::Range<usize>)) {
        let mut done = 0;
        while done < len {
            let at = usize::from(self.position.byte);
            let end = len.min(done + RATE - at);
            work(&mut self.words, at, done..end);
            self.position.byte += (end - done) as u8;
            done = end;
            if usize::from(self.position.byte) == RATE {
                self.run();
            }
        }
    }

    /// Pads the block and permutes.
    fn run(&mut self) {
        let Position { byte, begin, .. } = self.position;
        for i in 0..W {
            xor_bytes(&mut self.words, i, usize::from(byte), &[begin, 0x04]);
            xor_bytes(&mut self.words, i, RATE + 1, &[0x80]);
        }
        permute(&mut self.words);
        self.position.byte = 0;
        self.position.begin = 0;
    }
}

impl<const W: usize> Drop for Strobe<W> {
    fn drop(&mut self) {
        self.words.as_flattened_mut().zeroize();
    }
}

/// Adds bytes to state `i` from byte `at` on.
#[inline]
fn xor_bytes<const W: usize>(words: &mut [[u64; W]; 25], i: usize, mut at: usize, mut bytes: &[u8]) {
    // Whole words read, of which the part that fits is used.
    while let Some(chunk) = bytes.first_chunk() {
        words[at / 8][i] ^= u64::from_le_bytes(*chunk) << (8 * (at % 8));
        bytes = &bytes[8 - at % 8..];
        at += 8 - at % 8;
    }
    for (k, byte) in bytes.iter().enumerate() {
        words[(at + k) / 8][i] ^= u64::from(*byte) << (8 * ((at + k) % 8));
    }
}

/// Makes `len` bytes of state `i` zero.
fn clear_bytes<const W: usize>(words: &mut [[u64; W]; 25], i: usize, at: usize, len: usize) {
    for byte in at..at + len {
        words[byte / 8][i] &= !(0xff << (8 * (byte % 8)));
    }
}

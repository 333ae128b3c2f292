//! The C functions with any lengths, null pointers, and outputs that overlap: all of it inside one owned buffer.
//!
//! No call may panic inside, write outside its outputs, or write anything when it says that its arguments can't be used.
//! Sums and range proofs get answers that are compared with those of the library.
#![no_main]

use std::ffi::c_int;
use std::ops::Range;
use std::ptr::null;

use curve25519_lanes::proofs::bulletproofs_plus::monero::{RangeProof, verify};
use curve25519_lanes::{Scalar, decompress_batch_strict, msm};
use curve25519_lanes_c::*;
use curve25519_lanes_fuzz::Input;
use curve25519_lanes_fuzz::cases::{all, made};
use libfuzzer_sys::fuzz_target;

const SIZE: usize = 8192;

/// All memory that calls are given, and what may have changed in it.
struct Arena<'a, 'b> {
    input: &'a mut Input<'b>,
    base: *mut u8,
    before: Vec<u8>,
    next: usize,
    outputs: Vec<Range<usize>>,
}

/// A pointer and a number of bytes.
type Bytes = (*mut u8, usize);

impl Arena<'_, '_> {
    /// Mostly bytes of their own and of the right length; now and then others, or null.
    fn bytes(&mut self, length: usize) -> (Bytes, usize) {
        let odd = self.input.byte();
        let length = if odd & 0xf0 == 0xf0 { length ^ self.input.below(64) } else { length };
        let mut at = self.next;
        if odd & 0x0f == 0x0f {
            at = usize::from(u16::from_le_bytes(self.input.array()));
        }
        if at + length > SIZE {
            at = 0;
        }
        let length = length.min(SIZE);
        self.next = (at + length).min(SIZE);
        if odd == 0x7e {
            return ((std::ptr::null_mut(), length), at);
        }
        // Inside the buffer, as looked at just now.
        ((self.base.wrapping_add(at), length), at)
    }

    fn read(&mut self, length: usize) -> (*const u8, usize) {
        let ((pointer, length), _) = self.bytes(length);
        (pointer.cast_const(), length)
    }

    fn write(&mut self, length: usize) -> Bytes {
        let ((pointer, length), at) = self.bytes(length);
        self.outputs.push(at..at + length);
        (pointer, length)
    }

    /// What stands at a pointer given before, as it was before the call.
    fn was(&self, (pointer, length): (*const u8, usize)) -> &[u8] {
        let at = pointer.addr() - self.base.addr();
        &self.before[at..at + length]
    }

    /// Looks at the buffer after a call that answered `code`.
    fn check(&self, code: c_int, after: &[u8]) {
        assert!((-5..=1).contains(&code) && code != -1, "{code}");
        let changed = |i: &usize| self.before[*i] != after[*i];
        let mut places = (0..SIZE).filter(changed);
        if code < 0 {
            assert_eq!(places.next(), None, "written before {code}");
        } else {
            assert!(places.all(|i| self.outputs.iter().any(|output| output.contains(&i))), "outside");
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (function, n, m) = (input.below(11), input.below(12), input.below(4));
    // Half of the buffer points, half any bytes, and at its start a range proof with its commitments.
    let proof = made(&all()[0]);
    let mut buffer: Vec<u8> = [proof.words.as_flattened(), &proof.proof].concat();
    let proof_length = proof.proof.len();
    while buffer.len() < SIZE / 2 {
        buffer.extend(if input.is_empty() { proof.words[0] } else { input.encoding() });
    }
    while buffer.len() < SIZE {
        buffer.push(input.byte().max(buffer.len() as u8 & 1));
    }
    buffer.truncate(SIZE);
    let mut input = Input(data);
    let start = 1088;
    let before = buffer.clone();
    let base = buffer.as_mut_ptr();
    let mut arena = Arena { input: &mut input, base, before, next: start, outputs: Vec::new() };
    let a = &mut arena;

    // SAFETY: pointers are null or to as many bytes of `buffer` as are said; handles are used as they should be.
    let code = unsafe {
        match function {
            0 => {
                let mut bad = usize::MAX;
                let (out, scalars, points) = (a.write(32), a.read(32 * n), a.read(32 * n));
                let code =
                    curve25519_lanes_msm_vartime(out.0, out.1, &mut bad, scalars.0, scalars.1, points.0, points.1);
                if code >= 0 {
                    let empty = |bytes: (*const u8, usize)| bytes.1 == 0;
                    let words = |bytes: &[u8]| bytes.as_chunks::<32>().0.to_vec();
                    let encodings = if empty(points) { vec![] } else { words(a.was(points)) };
                    let scalars = if empty(scalars) { vec![] } else { words(a.was(scalars)) };
                    match decompress_batch_strict(&encodings) {
                        Ok(points) => {
                            let scalars: Vec<_> = scalars.into_iter().map(Scalar::from_integer_unreduced).collect();
                            let sum = msm::vartime(&scalars, &points).expect("equal lengths").compress().0;
                            let found = std::slice::from_raw_parts(out.0, 32);
                            assert_eq!((code, found), (0, &sum[..]));
                        }
                        Err(error) => assert_eq!((code, bad), (1, error.index())),
                    }
                }
                code
            }
            1 => {
                let (out, secrets, publics) = (a.write(32 * n), a.read(32 * n), a.read(32 * n));
                curve25519_lanes_x25519(out.0, out.1, secrets.0, secrets.1, publics.0, publics.1)
            }
            2 => {
                let good = all()[0].bytes.as_slice();
                let commitments = 32 * proof.words.len();
                let mut verdicts = a.write(n);
                verdicts.1 = verdicts.1.min(16);
                let mut items = Vec::new();
                for i in 0..verdicts.1 {
                    let (c, p) = (a.read(commitments), a.read(proof_length));
                    // Every other one is the good one, where it stands.
                    let own = i % 2 == 0;
                    items.push(curve25519_lanes_range_proof {
                        commitments: if own { base.cast_const() } else { c.0 },
                        commitments_len: if own { commitments } else { c.1 },
                        proof: if own { base.wrapping_add(commitments).cast_const() } else { p.0 },
                        proof_len: if own { proof_length } else { p.1 },
                    });
                }
                assert_eq!(&a.before[..good.len()], good);
                let code = curve25519_lanes_verify_range_proofs(verdicts.0, verdicts.1, items.as_ptr(), items.len());
                if code >= 0 {
                    for (i, item) in items.iter().enumerate() {
                        let part = |bytes: (*const u8, usize)| if bytes.1 == 0 { &[] } else { a.was(bytes) };
                        let commitments = part((item.commitments, item.commitments_len)).as_chunks().0;
                        let valid = RangeProof::from_bytes(part((item.proof, item.proof_len)))
                            .is_ok_and(|proof| verify(commitments, &proof).is_ok());
                        assert_eq!(*verdicts.0.add(i) == CURVE25519_LANES_VALID, valid, "item {i}");
                        assert!(*verdicts.0.add(i) <= CURVE25519_LANES_BAD_EQUATION, "item {i}");
                    }
                }
                code
            }
            3 => {
                let mut verdicts = a.write(n);
                verdicts.1 = verdicts.1.min(16);
                let mut items = Vec::new();
                for _ in 0..verdicts.1 {
                    let (ring, words, signature) = (a.read(64 * m), a.read(96), a.read(32 * (m + 2)));
                    let there = words.1 >= 96 && !words.0.is_null();
                    let word = |i: usize| if there { words.0.wrapping_add(32 * i) } else { null() };
                    items.push(curve25519_lanes_clsag {
                        ring: ring.0,
                        ring_len: ring.1,
                        key_image: word(0),
                        pseudo_out: word(1),
                        message: word(2),
                        signature: signature.0,
                        signature_len: signature.1,
                    });
                }
                curve25519_lanes_verify_clsag(verdicts.0, verdicts.1, items.as_ptr(), items.len())
            }
            4 => {
                let (out, good, secrets, keys) = (a.write(32 * n * m), a.write(m), a.read(32 * n), a.read(32 * m));
                curve25519_lanes_derive(out.0, out.1, good.0, good.1, secrets.0, secrets.1, keys.0, keys.1)
            }
            5 | 6 => {
                let width = if function == 5 { 1 } else { 32 };
                let (out, derivations, indexes) = (a.write(width * n), a.read(32 * n), a.read(8 * n));
                let (at, count) = (indexes.0.cast::<u64>(), indexes.1 / 8);
                if function == 5 {
                    curve25519_lanes_view_tags(out.0, out.1, derivations.0, derivations.1, at, count)
                } else {
                    curve25519_lanes_output_scalars(out.0, out.1, derivations.0, derivations.1, at, count)
                }
            }
            7 | 8 => {
                let (good, encodings) = (a.write(n), a.read(32 * n));
                let handle = curve25519_lanes_points_new(good.0, good.1, encodings.0, encodings.1);
                let (out, scalars) = (a.write(32 * n), a.read(32 * n));
                // What the first call wrote counts as there before the second.
                if !handle.is_null() && good.1 > 0 {
                    let at = good.0.addr() - base.addr();
                    let written = std::slice::from_raw_parts(good.0, good.1);
                    a.before[at..at + good.1].copy_from_slice(written);
                }
                let code = if function == 7 {
                    curve25519_lanes_points_encode(handle, out.0, out.1)
                } else {
                    curve25519_lanes_points_subtract(handle, out.0, out.1, scalars.0, scalars.1)
                };
                assert!(!handle.is_null() || code == CURVE25519_LANES_NULL);
                curve25519_lanes_points_free(handle);
                code
            }
            9 => {
                let (out, good, keys, scalars) = (a.write(32 * n), a.write(n), a.read(32 * n), a.read(32 * n));
                curve25519_lanes_subtract(out.0, out.1, good.0, good.1, keys.0, keys.1, scalars.0, scalars.1)
            }
            _ => {
                let (key, out, secrets) = (a.read(32), a.write(32 * n), a.read(32 * n));
                let table = curve25519_lanes_table_new(key.0, key.1);
                let code = curve25519_lanes_table_derive(table, out.0, out.1, secrets.0, secrets.1);
                assert!(!table.is_null() || code == CURVE25519_LANES_NULL);
                curve25519_lanes_table_free(table);
                code
            }
        }
    };
    arena.check(code, &buffer);
});

//! Keccak-256 of many independent messages, one a lane.
//!
//! Keccak-f\[1600\] is written once over the 64-bit lanes of [`cpu`](crate::cpu): 25 vectors, one for each word of
//! the state. With eight lanes the state stays in the 32 registers of AVX-512, and theta and chi use its ternary
//! logic; with four lanes (AVX2, 16 registers) part of it lives on the stack.
//!
//! Lanes run in step, so only messages of equal block count share a group. Messages are ordered by block count
//! first, which costs nothing when they are all of one length, the usual case in a scan.
// A build without vector backends has no use for the lane form.
#![cfg_attr(not(any(have_avx2, have_ifma)), allow(dead_code))]

use alloc::vec::Vec;

use super::keccak::{RATE, keccak256};
#[cfg(have_avx2)]
use crate::cpu::Avx2;
#[cfg(have_ifma)]
use crate::cpu::Ifma;
#[cfg(any(have_avx2, have_ifma))]
use crate::cpu::Isa;
#[cfg(have_avx2)]
use crate::cpu::lanes64::U64x4;
#[cfg(have_ifma)]
use crate::cpu::lanes64::U64x8;
use crate::cpu::lanes64::{Lanes64, MAX_LANES64, U64x1};
use crate::cpu::{BackendId, Portable};

/// The digests of many messages: `out[i]` is [`keccak256`] of `inputs[i]`. Lengths may differ.
///
/// The best backend is chosen once a call. The time depends on the lengths, not on the contents.
///
/// ```
/// use curve25519_lanes::hash::{keccak256, keccak256_batch};
/// let mut out = [[0; 32]; 3];
/// keccak256_batch(&[b"a", b"", b"abc"], &mut out);
/// assert_eq!(out, [keccak256(b"a"), keccak256(b""), keccak256(b"abc")]);
/// ```
///
/// # Panics
/// If `inputs` and `out` differ in length.
pub fn keccak256_batch(inputs: &[&[u8]], out: &mut [[u8; 32]]) {
    if !keccak256_batch_on(BackendId::current(), inputs, out) {
        each(inputs, out);
    }
}

/// [`keccak256_batch`] on a named backend; `false`, with `out` untouched, if this machine or build lacks it.
///
/// # Panics
/// If `inputs` and `out` differ in length.
pub fn keccak256_batch_on(backend: BackendId, inputs: &[&[u8]], out: &mut [[u8; 32]]) -> bool {
    assert_eq!(inputs.len(), out.len(), "one digest a message");
    match backend {
        #[cfg(have_avx2)]
        BackendId::Avx2 => Avx2::detect()
            .map(|isa| {
                isa.frame(
                    #[inline(always)]
                    || in_lanes::<U64x4>(isa, inputs, out),
                )
            })
            .is_some(),
        #[cfg(have_ifma)]
        BackendId::Ifma => Ifma::detect()
            .map(|isa| {
                isa.frame(
                    #[inline(always)]
                    || in_lanes::<U64x8>(isa, inputs, out),
                )
            })
            .is_some(),
        // One lane: the assembly backends have nothing to add to hashing.
        _ => {
            let detected = backend.is_detected();
            if detected {
                each(inputs, out);
            }
            detected
        }
    }
}

fn each(inputs: &[&[u8]], out: &mut [[u8; 32]]) {
    for (input, out) in inputs.iter().zip(out) {
        *out = keccak256(input);
    }
}

/// Whole blocks of a message; the padded block comes on top.
fn whole_blocks(message: &[u8]) -> usize {
    message.len() / RATE
}

#[inline(always)]
fn in_lanes<V: Lanes64>(isa: V::Isa, inputs: &[&[u8]], out: &mut [[u8; 32]]) {
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&i| whole_blocks(inputs[i]));
    for run in order.chunk_by(|&i, &j| whole_blocks(inputs[i]) == whole_blocks(inputs[j])) {
        for group in run.chunks(V::LANES) {
            match *group {
                [alone] => out[alone] = keccak256(inputs[alone]),
                _ => hash_group::<V>(isa, inputs, group, out),
            }
        }
    }
}

/// Hashes the messages numbered in `group`, all of one block count and at most `LANES`. Lanes without a message hash
/// zeros.
#[inline(always)]
fn hash_group<V: Lanes64>(isa: V::Isa, inputs: &[&[u8]], group: &[usize], out: &mut [[u8; 32]]) {
    let mut bodies: [&[[u8; RATE]]; MAX_LANES64] = [&[]; MAX_LANES64];
    let mut lasts = [[0u8; RATE]; MAX_LANES64];
    for ((body, last), &i) in bodies.iter_mut().zip(&mut lasts).zip(group) {
        let (blocks, tail) = inputs[i].as_chunks();
        *body = blocks;
        last[..tail.len()].copy_from_slice(tail);
        last[tail.len()] = 0x01;
        last[RATE - 1] |= 0x80;
    }
    let mut state = [V::splat(isa, 0); 25];
    for block in 0..whole_blocks(inputs[group[0]]) {
        let mut lanes = [&lasts[0]; MAX_LANES64];
        for (lane, body) in lanes.iter_mut().zip(bodies) {
            if let Some(block) = body.get(block) {
                *lane = block;
            }
        }
        absorb(isa, &mut state, lanes);
    }
    absorb(isa, &mut state, lasts.each_ref());

    for (word, x) in state[..4].iter().enumerate() {
        let mut lanes = [0; MAX_LANES64];
        x.store(&mut lanes);
        for (&i, x) in group.iter().zip(lanes) {
            out[i][8 * word..][..8].copy_from_slice(&x.to_le_bytes());
        }
    }
}

/// Adds one block a lane to the state, and permutes.
#[inline(always)]
fn absorb<V: Lanes64>(isa: V::Isa, state: &mut [V; 25], blocks: [&[u8; RATE]; MAX_LANES64]) {
    let mut word = 0;
    while word < RATE / 8 {
        let mut lanes = [0; MAX_LANES64];
        let mut lane = 0;
        while lane < V::LANES {
            lanes[lane] = u64::from_le_bytes(blocks[lane].as_chunks().0[word]);
            lane += 1;
        }
        state[word] = state[word].xor(V::load(isa, &lanes));
        word += 1;
    }
    keccak_f(isa, state);
}

/// How many states [`permute`] takes side by side on a backend.
pub(super) fn width(backend: BackendId) -> usize {
    match backend {
        #[cfg(have_avx2)]
        BackendId::Avx2 if backend.is_detected() => U64x4::LANES,
        #[cfg(have_ifma)]
        BackendId::Ifma if backend.is_detected() => U64x8::LANES,
        _ => 1,
    }
}

/// Keccak-f\[1600\] of `W` states: `words[i][j]` is word `i` of state `j`. Vectors are used where `W` is a [`width`] of
/// this machine.
pub(super) fn permute<const W: usize>(words: &mut [[u64; W]; 25]) {
    #[cfg(have_ifma)]
    if W == U64x8::LANES
        && let Some(isa) = Ifma::detect()
    {
        return isa.frame(
            #[inline(always)]
            || permute_lanes::<U64x8, W>(isa, words, 0),
        );
    }
    #[cfg(have_avx2)]
    if W == U64x4::LANES
        && let Some(isa) = Avx2::detect()
    {
        return isa.frame(
            #[inline(always)]
            || permute_lanes::<U64x4, W>(isa, words, 0),
        );
    }
    for first in 0..W {
        permute_lanes::<U64x1, W>(Portable::TOKEN, words, first);
    }
}

/// The states from `first` on, as many as there are lanes.
#[inline(always)]
fn permute_lanes<V: Lanes64, const W: usize>(isa: V::Isa, words: &mut [[u64; W]; 25], first: usize) {
    let mut state = [V::splat(isa, 0); 25];
    for (x, words) in state.iter_mut().zip(words.iter()) {
        let mut lanes = [0; MAX_LANES64];
        lanes[..V::LANES].copy_from_slice(&words[first..first + V::LANES]);
        *x = V::load(isa, &lanes);
    }
    keccak_f(isa, &mut state);
    for (x, words) in state.iter().zip(words) {
        let mut lanes = [0; MAX_LANES64];
        x.store(&mut lanes);
        words[first..first + V::LANES].copy_from_slice(&lanes[..V::LANES]);
    }
}

/// Keccak-f\[1600\] (FIPS 202, section 3.3). Word (x, y) of the state is `a[x + 5y]`.
#[inline(always)]
fn keccak_f<V: Lanes64>(isa: V::Isa, a: &mut [V; 25]) {
    let mut s = *a;
    for constant in ROUND_CONSTANTS {
        s = round(&s);
        s[0] = s[0].xor(V::splat(isa, constant));
    }
    *a = s;
}

/// Theta, rho, pi and chi. Written out row by row so that all indices and rotations are constants: rows of the
/// output need only one word of each row of the input, and a row is dead once its five words are read.
#[inline(always)]
fn round<V: Lanes64>(a: &[V; 25]) -> [V; 25] {
    macro_rules! column {
        ($x:literal) => {
            a[$x].xor3(a[$x + 5], a[$x + 10]).xor3(a[$x + 15], a[$x + 20])
        };
    }
    let c = [column!(0), column!(1), column!(2), column!(3), column!(4)];
    macro_rules! theta {
        ($x:literal) => {
            c[($x + 4) % 5].xor(c[($x + 1) % 5].rotate_left(1))
        };
    }
    let d = [theta!(0), theta!(1), theta!(2), theta!(3), theta!(4)];
    // Pi: word (x, y) of its output is word (x + 3y, x) of its input.
    macro_rules! rho_pi {
        ($x:literal, $y:literal) => {{
            const FROM: usize = ($x + 3 * $y) % 5;
            a[FROM + 5 * $x].xor(d[FROM]).rotate_left(ROTATIONS[FROM + 5 * $x])
        }};
    }
    let mut out = *a;
    macro_rules! chi {
        ($($y:literal)*) => { $(
            let b = [rho_pi!(0, $y), rho_pi!(1, $y), rho_pi!(2, $y), rho_pi!(3, $y), rho_pi!(4, $y)];
            out[5 * $y] = b[0].xor_and_not(b[1], b[2]);
            out[5 * $y + 1] = b[1].xor_and_not(b[2], b[3]);
            out[5 * $y + 2] = b[2].xor_and_not(b[3], b[4]);
            out[5 * $y + 3] = b[3].xor_and_not(b[4], b[0]);
            out[5 * $y + 4] = b[4].xor_and_not(b[0], b[1]);
        )* };
    }
    chi!(0 1 2 3 4);
    out
}

/// Rho: rotation of word (x, y) at `x + 5y`.
const ROTATIONS: [u32; 25] =
    [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];

/// Iota: one word a round.
const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 202, algorithm 5: the constants are bits of a shift register with polynomial x^8 + x^6 + x^5 + x^4 + 1,
    /// put at the places 2^j - 1.
    #[test]
    fn round_constants_are_from_the_lfsr() {
        let mut register = 1u8;
        for constant in ROUND_CONSTANTS {
            let mut word = 0;
            for j in 0..7 {
                word |= u64::from(register & 1) << ((1 << j) - 1);
                register = register << 1 ^ if register >> 7 == 1 { 0b0111_0001 } else { 0 };
            }
            assert_eq!(word, constant);
        }
    }

    /// FIPS 202, section 3.2.2: step t turns the word it reaches by (t+1)(t+2)/2.
    #[test]
    fn rotations_are_from_the_walk() {
        let mut expected = [0; 25];
        let (mut x, mut y) = (1, 0);
        for t in 0..24 {
            expected[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
            (x, y) = (y, (2 * x + 3 * y) % 5);
        }
        assert_eq!(ROTATIONS, expected);
    }

    /// Message `i` of a batch and its digest: every lane different.
    fn message(i: usize, length: usize) -> (Vec<u8>, [u8; 32]) {
        let bytes: Vec<u8> = (0..length).map(|k| (k * 31 + i * 101 + length + (k >> 3) * i) as u8).collect();
        let digest = keccak256(&bytes);
        (bytes, digest)
    }

    fn check(backend: BackendId, messages: &[&(Vec<u8>, [u8; 32])]) {
        let inputs: Vec<&[u8]> = messages.iter().map(|m| &m.0[..]).collect();
        let mut out = alloc::vec![[0; 32]; inputs.len()];
        assert!(keccak256_batch_on(backend, &inputs, &mut out));
        for (i, (message, digest)) in messages.iter().enumerate() {
            assert_eq!(out[i], *digest, "{backend}: message {i} of {}, {} bytes", inputs.len(), message.len());
        }
    }

    #[test]
    fn every_backend_length_and_count() {
        let messages: Vec<Vec<_>> = (0..17).map(|i| (0..=300).map(|length| message(i, length)).collect()).collect();
        for &backend in BackendId::ALL {
            if !backend.is_detected() {
                assert!(!keccak256_batch_on(backend, &[b"x"], &mut [[0; 32]]));
                continue;
            }
            check(backend, &[]);
            for count in 1..=17 {
                for length in 0..=300 {
                    check(backend, &messages[..count].iter().map(|m| &m[length]).collect::<Vec<_>>());
                }
                check(backend, &(0..count).map(|i| &messages[i][i * 167 % 301]).collect::<Vec<_>>());
            }
            // Every length at once, in an order that mixes block counts.
            check(backend, &(0..=300).map(|i| &messages[i % 17][i * 167 % 301]).collect::<Vec<_>>());
        }
    }

    #[test]
    fn chosen_backend() {
        let mut out = [[0; 32]; 9];
        keccak256_batch(&[&b"same"[..]; 9], &mut out);
        assert_eq!(out, [keccak256(b"same"); 9]);
    }

    fn permuted<const W: usize>() {
        let start: [[u64; W]; 25] =
            core::array::from_fn(|i| core::array::from_fn(|j| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) << j));
        let mut together = start;
        permute(&mut together);
        for j in 0..W {
            let mut alone = start.map(|word| [word[j]]);
            permute(&mut alone);
            assert_eq!(together.map(|word| word[j]), alone.map(|word| word[0]), "state {j} of {W}");
        }
    }

    #[test]
    fn states_side_by_side() {
        permuted::<1>();
        permuted::<3>();
        permuted::<4>();
        permuted::<8>();
        for &backend in BackendId::ALL {
            assert!([1, 4, 8].contains(&width(backend)));
        }
    }

    /// The lane form itself with one lane.
    #[test]
    fn one_lane() {
        for length in 0..=300 {
            let (message, digest) = message(3, length);
            let mut out = [[0; 32]];
            hash_group::<U64x1>(Portable::TOKEN, &[&message], &[0], &mut out);
            assert_eq!(out[0], digest, "{length} bytes");
        }
    }
}

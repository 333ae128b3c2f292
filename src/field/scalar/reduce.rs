//! Arithmetic mod l on four 64-bit words; every function takes any 256-bit integer and returns the residue
//! below l.
//!
//! With c = l - 2^252 < 2^125, a number splits at bit 252 as `hi·2^252 + lo ≡ lo - hi·c`: each such fold takes
//! away 127 bits. A 512-bit product takes two long folds (5×2 and 3×2 words) and a last short one.

use crate::field::mask;

/// l, little-endian words.
pub(super) const L: [u64; 4] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 1 << 60];
/// c = l - 2^252.
const C: [u64; 2] = [L[0], L[1]];
/// 2^512 mod l.
const TWO_512: [u64; 4] = [0xa406_11e3_449c_0f01, 0xd00e_1ba7_6885_9347, 0xceec_73d2_17f5_be65, 0x0399_411b_7c30_9a3d];
/// The bits of word 3 below bit 252.
const LOW_60: u64 = (1 << 60) - 1;

/// Words of 32 little-endian bytes.
#[inline(always)]
pub(super) fn load(bytes: &[u8; 32]) -> [u64; 4] {
    core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|j| bytes[8 * i + j])))
}

/// 32 little-endian bytes of words.
#[inline(always)]
pub(super) fn store(words: &[u64; 4]) -> [u8; 32] {
    core::array::from_fn(|i| (words[i / 8] >> (8 * (i % 8))) as u8)
}

/// `(low, high)` of `acc + a·b + carry`, which never overflows 128 bits.
#[inline(always)]
const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = acc as u128 + a as u128 * b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// `a + b` over `N` words, the carry out returned.
#[inline(always)]
pub(super) fn add_words<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let (mut out, mut carry) = ([0; N], false);
    for i in 0..N {
        let (sum, over) = a[i].overflowing_add(b[i]);
        let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
        (out[i], carry) = (sum, over | over_by_carry);
    }
    (out, u64::from(carry))
}

/// `a - b` over `N` words, the borrow out returned.
#[inline(always)]
pub(super) fn sub_words<const N: usize>(a: &[u64; N], b: &[u64; N]) -> ([u64; N], u64) {
    let (mut out, mut borrow) = ([0; N], false);
    for i in 0..N {
        let (difference, under) = a[i].overflowing_sub(b[i]);
        let (difference, under_by_borrow) = difference.overflowing_sub(u64::from(borrow));
        (out[i], borrow) = (difference, under | under_by_borrow);
    }
    (out, u64::from(borrow))
}

/// `a·b` of `A` and `B` words; `N = A + B`.
#[inline(always)]
fn product<const A: usize, const B: usize, const N: usize>(a: &[u64; A], b: &[u64; B]) -> [u64; N] {
    const { assert!(A + B == N) };
    let mut out = [0; N];
    for i in 0..A {
        let mut carry = 0;
        for j in 0..B {
            (out[i + j], carry) = mac(out[i + j], a[i], b[j], carry);
        }
        out[i + B] = carry;
    }
    out
}

/// Bits 252 and up: `N` words of `x`, from word 3 on.
#[inline(always)]
fn high<const M: usize, const N: usize>(x: &[u64; M]) -> [u64; N] {
    core::array::from_fn(|i| x[3 + i] >> 60 | if 4 + i < M { x[4 + i] << 4 } else { 0 })
}

/// Bits below 252.
#[inline(always)]
fn low<const M: usize>(x: &[u64; M]) -> [u64; 4] {
    [x[0], x[1], x[2], x[3] & LOW_60]
}

/// The residue of `x < 2^300`.
///
/// q = x >> 252 < 2^48 gives r = x - q·l = (x mod 2^252) - q·c between -2^173 and 2^252: below l, and below 0
/// by less than l.
#[inline(always)]
fn reduce_short(x: &[u64; 5]) -> [u64; 4] {
    let [q]: [u64; 1] = high(x);
    let [qc0, qc1, qc2]: [u64; 3] = product(&[q], &C);
    let (r, borrow) = sub_words(&low(x), &[qc0, qc1, qc2, 0]);
    let negative = mask(borrow);
    add_words(&r, &[L[0] & negative, L[1] & negative, 0, L[3] & negative]).0
}

/// The residue of a 512-bit integer.
///
/// x = lo + hi·2^252 ≡ lo - hi·c, hi < 2^260; hi·c = lo1 + hi1·2^252 with hi1 < 2^133, ≡ lo1 - hi1·c. So
/// x ≡ lo - lo1 + hi1·c, from above -2^252 to below 2^252 + 2^258; plus l it is positive and short.
#[inline(always)]
pub(super) fn reduce_wide(x: &[u64; 8]) -> [u64; 4] {
    let hi: [u64; 5] = high(x);
    let y: [u64; 7] = product(&hi, &C);
    let hi1: [u64; 3] = high(&y);
    let z: [u64; 5] = product(&hi1, &C);
    let widen = |a: &[u64; 4]| [a[0], a[1], a[2], a[3], 0];
    let (s, _) = add_words(&widen(&L), &z);
    let (s, _) = add_words(&s, &widen(&low(x)));
    let (s, _) = sub_words(&s, &widen(&low(&y)));
    reduce_short(&s)
}

/// The residue of a 576-bit integer: the top word goes in as a multiple of 2^512.
#[inline(always)]
pub(super) fn reduce_sum(x: &[u64; 9]) -> [u64; 4] {
    let low = reduce_wide(&core::array::from_fn(|i| x[i]));
    let top: [u64; 5] = product(&[x[8]], &TWO_512);
    // top < 2^64·l < 2^317, hence the long way round.
    add(&low, &reduce_wide(&[top[0], top[1], top[2], top[3], top[4], 0, 0, 0]))
}

/// `x mod l`
#[inline(always)]
pub(super) fn reduce(x: &[u64; 4]) -> [u64; 4] {
    reduce_short(&[x[0], x[1], x[2], x[3], 0])
}

/// `a + b mod l`
#[inline(always)]
pub(super) fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (s, carry) = add_words(a, b);
    reduce_short(&[s[0], s[1], s[2], s[3], carry])
}

/// `a - b mod l`, as `a + 16·l - b`, which is positive because 16·l > 2^256.
#[inline(always)]
pub(super) fn sub(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    const SIXTEEN_L: [u64; 5] = [L[0] << 4, L[1] << 4 | L[0] >> 60, L[1] >> 60, 0, 1];
    let (s, _) = add_words(&SIXTEEN_L, &[a[0], a[1], a[2], a[3], 0]);
    let (s, _) = sub_words(&s, &[b[0], b[1], b[2], b[3], 0]);
    reduce_short(&s)
}

/// `a·b`, all 512 bits.
#[inline(always)]
pub(super) fn mul_wide(a: &[u64; 4], b: &[u64; 4]) -> [u64; 8] {
    product(a, b)
}

/// `a·b mod l`
#[inline(always)]
pub(super) fn mul(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    reduce_wide(&mul_wide(a, b))
}

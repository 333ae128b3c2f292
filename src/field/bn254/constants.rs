//! Numbers that follow from the modulus, all computed by the compiler from [`P`] alone.

/// 21888242871839275222246405745257275088548364400416034343698204186575808495617, the order of BN254's G1.
pub(crate) const P: [u64; 4] =
    [0x43e1_f593_f000_0001, 0x2833_e848_79b9_7091, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029];

/// -1/p mod 2^128, low word first.
pub(super) const NEG_INVERSE: [u64; 2] = {
    let p = P[0] as u128 | (P[1] as u128) << 64;
    // Newton's iteration doubles the number of right bits; an odd number is its own inverse mod 8.
    let mut x = p;
    let mut bits = 3;
    while bits < 128 {
        x = x.wrapping_mul(2u128.wrapping_sub(p.wrapping_mul(x)));
        bits *= 2;
    }
    let x = x.wrapping_neg();
    [x as u64, (x >> 64) as u64]
};

/// 2p, what sums are reduced by.
pub(super) const TWO_P: [u64; 4] = double(&P);

/// One in Montgomery form: 2^256 mod p.
pub(super) const R: [u64; 4] = power_of_two(256);
/// 2^512 mod p: brings a number into Montgomery form.
pub(super) const R2: [u64; 4] = power_of_two(512);
/// 2^-64 mod p = (p·(-1/p mod 2^64) + 1)/2^64, for [`r64x1_mulx`](super::r64x1_mulx).
#[cfg(any(have_avx2, have_ifma))]
pub(super) const PER_64: [u64; 4] = inverse_power_of_two(64);

/// `2^n mod p`
pub(super) const fn power_of_two(n: u32) -> [u64; 4] {
    let mut x = [1, 0, 0, 0];
    let mut i = 0;
    while i < n {
        x = subtract_once(&double(&x), &P);
        i += 1;
    }
    x
}

/// `2^-n mod p`
#[cfg(any(have_avx2, have_ifma))]
pub(super) const fn inverse_power_of_two(n: u32) -> [u64; 4] {
    let mut x = [1, 0, 0, 0];
    let mut i = 0;
    while i < n {
        if x[0] & 1 == 1 {
            x = add(&x, &P);
        }
        x = [x[0] >> 1 | x[1] << 63, x[1] >> 1 | x[2] << 63, x[2] >> 1 | x[3] << 63, x[3] >> 1];
        i += 1;
    }
    x
}

const fn double(x: &[u64; 4]) -> [u64; 4] {
    add(x, x)
}

/// `a + b` mod 2^256
#[inline(always)]
pub(super) const fn add(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let (x0, c) = add_carry(a[0], b[0], false);
    let (x1, c) = add_carry(a[1], b[1], c);
    let (x2, c) = add_carry(a[2], b[2], c);
    let (x3, _) = add_carry(a[3], b[3], c);
    [x0, x1, x2, x3]
}

/// `a - b` mod 2^256, and whether that is below zero.
#[inline(always)]
pub(super) const fn subtract(a: &[u64; 4], b: &[u64; 4]) -> ([u64; 4], bool) {
    let (x0, c) = subtract_borrow(a[0], b[0], false);
    let (x1, c) = subtract_borrow(a[1], b[1], c);
    let (x2, c) = subtract_borrow(a[2], b[2], c);
    let (x3, c) = subtract_borrow(a[3], b[3], c);
    ([x0, x1, x2, x3], c)
}

/// `x - m` if that is not negative, else `x`. The mask is hidden from the compiler, which otherwise makes a branch of
/// it: not constant-time, and 20 % slower in a permutation, half of whose branches are mispredicted.
#[inline(always)]
pub(super) const fn subtract_once(x: &[u64; 4], m: &[u64; 4]) -> [u64; 4] {
    let (d, below) = subtract(x, m);
    let keep = core::hint::black_box((below as u64).wrapping_neg());
    [
        d[0] ^ (keep & (d[0] ^ x[0])),
        d[1] ^ (keep & (d[1] ^ x[1])),
        d[2] ^ (keep & (d[2] ^ x[2])),
        d[3] ^ (keep & (d[3] ^ x[3])),
    ]
}

// The form of these two is what the compiler turns into add-with-carry and subtract-with-borrow.
#[inline(always)]
const fn add_carry(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (x, c) = a.overflowing_add(b);
    let (x, d) = x.overflowing_add(carry as u64);
    (x, c | d)
}

#[inline(always)]
const fn subtract_borrow(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (x, c) = a.overflowing_sub(b);
    let (x, d) = x.overflowing_sub(borrow as u64);
    (x, c | d)
}

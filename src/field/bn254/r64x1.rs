//! One lane: Montgomery form with four words of 64 bits, values below 2p between operations.
//!
//! # Bounds
//! p is 0.19·2^256. A Montgomery product of `a·p` and `b·p` is below `(0.19·a·b + 1)·p` without any subtraction at its
//! end; with a, b ≤ 2 that is below 1.76·p, so products of products need none. Sums take one conditional
//! subtraction of 2p. Hence all values stay below 2p < 2^255, and weights (see [`FrLanes`]) mean nothing here.

use super::Fr;
use super::constants::{NEG_INVERSE, P, TWO_P, add, subtract_once};
use super::lanes::{Constant, FrLanes};
use crate::cpu::Portable;

/// How one lane calculates.
pub(crate) trait Arithmetic: Copy {
    /// `a·b/2^256 mod p`, below 2p for factors below 2p.
    fn mul(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4];
    /// `a²/2^256 mod p`, below 2p for `a` below 2p.
    fn square(self, a: &[u64; 4]) -> [u64; 4];
    /// `a + b mod p`, below 2p for terms below 2p.
    fn add(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4];
}

/// The compiler's own code.
impl Arithmetic for Portable {
    #[inline(always)]
    fn mul(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        montgomery(a, b)
    }
    #[inline(always)]
    fn square(self, a: &[u64; 4]) -> [u64; 4] {
        montgomery(a, a)
    }
    #[inline(always)]
    fn add(self, a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
        subtract_once(&add(a, b), &TWO_P)
    }
}

/// `a·b/2^256 mod p`, row by row (Koç, Acar and Kaliski 1996: coarsely integrated operand scanning), for `a < 2p` and
/// any `b`. The result is below `a·b/2^256 + p`.
///
/// Before each word of `b` the running value is below `a + p < 3p`, so it fits four words, and five while it grows.
#[inline(always)]
pub(super) const fn montgomery(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut t = [0; 4];
    let mut i = 0;
    while i < 4 {
        let mut top = 0;
        let mut j = 0;
        while j < 4 {
            (t[j], top) = multiply_add(t[j], a[j], b[i], top);
            j += 1;
        }
        // The multiple of p that clears the lowest word.
        let m = t[0].wrapping_mul(NEG_INVERSE[0]);
        let (_, mut carry) = multiply_add(t[0], m, P[0], 0);
        let mut j = 1;
        while j < 4 {
            (t[j - 1], carry) = multiply_add(t[j], m, P[j], carry);
            j += 1;
        }
        t[3] = top + carry;
        i += 1;
    }
    t
}

/// `t + a·b + c` as low and high word; it can't overflow.
#[inline(always)]
const fn multiply_add(t: u64, a: u64, b: u64, c: u64) -> (u64, u64) {
    let x = t as u128 + a as u128 * b as u128 + c as u128;
    (x as u64, (x >> 64) as u64)
}

/// One residue below 2p, and how to calculate with it.
#[derive(Clone, Copy)]
pub(crate) struct R64x1<M>([u64; 4], M);

impl<M: Arithmetic> FrLanes for R64x1<M> {
    type Isa = M;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(isa: M, x: &Constant) -> Self {
        R64x1(x.r64, isa)
    }
    #[inline(always)]
    fn load(isa: M, x: &[Fr]) -> Self {
        R64x1(x.first().map_or([0; 4], |x| x.0), isa)
    }
    #[inline(always)]
    fn store(self, out: &mut [Fr]) {
        if let Some(out) = out.first_mut() {
            *out = Fr::reduced(self.0);
        }
    }
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        R64x1(self.1.add(&self.0, &b.0), self.1)
    }
    #[inline(always)]
    fn carry(self) -> Self {
        self
    }
    #[inline(always)]
    fn reduce(self) -> Self {
        self
    }
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        R64x1(self.1.mul(&self.0, &b.0), self.1)
    }
    #[inline(always)]
    fn square(self) -> Self {
        R64x1(self.1.square(&self.0), self.1)
    }
}

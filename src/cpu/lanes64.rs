//! Plain 64-bit words in one, four or eight lanes: what the lane hashes are written on.
//!
//! Only bit operations, no arithmetic and no knowledge of any field. A value can be made only with the token of its
//! instruction set, so every method may use the instructions; the arguments of rotations are always constants, which
//! the compiler folds into the immediate form once everything is inlined into the frame.
// A build without vector backends has no use for lanes.
#![cfg_attr(not(any(have_avx2, have_ifma)), allow(dead_code))]

#[cfg(any(have_avx2, have_ifma))]
use core::arch::x86_64::*;

#[cfg(have_avx2)]
use super::Avx2;
#[cfg(have_ifma)]
use super::Ifma;
use super::{Isa, Portable};

/// The most lanes any [`Lanes64`] has; sizes small per-lane arrays.
pub(crate) const MAX_LANES64: usize = 8;

/// `LANES` words of 64 bits. Every method is `#[inline(always)]`, so that it lands inside the frame of its token.
pub(crate) trait Lanes64: Copy {
    /// The token that proves the instructions are there.
    type Isa: Isa;
    /// Words in one value.
    const LANES: usize;
    /// The same word in every lane.
    fn splat(isa: Self::Isa, x: u64) -> Self;
    /// Word `i` to lane `i`. The first `LANES` words are used.
    fn load(isa: Self::Isa, words: &[u64; MAX_LANES64]) -> Self;
    /// Lane `i` to word `i` of the first `LANES` words.
    fn store(self, words: &mut [u64; MAX_LANES64]);
    /// `self ^ b`
    fn xor(self, b: Self) -> Self;
    /// `self ^ b ^ c`: one instruction with AVX-512.
    fn xor3(self, b: Self, c: Self) -> Self;
    /// `self ^ (!b & c)`: one instruction with AVX-512.
    fn xor_and_not(self, b: Self, c: Self) -> Self;
    /// `self` rotated left by the constant `n < 64`.
    fn rotate_left(self, n: u32) -> Self;
}

/// One word: what runs where there is nothing to run beside it.
#[derive(Clone, Copy)]
pub(crate) struct U64x1(u64);

impl Lanes64 for U64x1 {
    type Isa = Portable;
    const LANES: usize = 1;
    #[inline(always)]
    fn splat(_: Portable, x: u64) -> Self {
        U64x1(x)
    }
    #[inline(always)]
    fn load(_: Portable, words: &[u64; MAX_LANES64]) -> Self {
        U64x1(words[0])
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MAX_LANES64]) {
        words[0] = self.0;
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        U64x1(self.0 ^ b.0)
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        U64x1(self.0 ^ b.0 ^ c.0)
    }
    #[inline(always)]
    fn xor_and_not(self, b: Self, c: Self) -> Self {
        U64x1(self.0 ^ (!b.0 & c.0))
    }
    #[inline(always)]
    fn rotate_left(self, n: u32) -> Self {
        U64x1(self.0.rotate_left(n))
    }
}

/// Four words in an AVX2 register.
#[cfg(have_avx2)]
#[derive(Clone, Copy)]
pub(crate) struct U64x4(__m256i);

#[cfg(have_avx2)]
impl Lanes64 for U64x4 {
    type Isa = Avx2;
    const LANES: usize = 4;
    #[inline(always)]
    fn splat(_: Avx2, x: u64) -> Self {
        // SAFETY: the token proves AVX2.
        U64x4(unsafe { _mm256_set1_epi64x(x as i64) })
    }
    #[inline(always)]
    fn load(_: Avx2, words: &[u64; MAX_LANES64]) -> Self {
        // SAFETY: the token proves AVX2; the array has at least four words.
        U64x4(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MAX_LANES64]) {
        // SAFETY: only a token makes a value, hence AVX2; the array has at least four words.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: only a token makes a value, hence AVX2.
        U64x4(unsafe { _mm256_xor_si256(self.0, b.0) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    #[inline(always)]
    fn xor_and_not(self, b: Self, c: Self) -> Self {
        // SAFETY: only a token makes a value, hence AVX2.
        U64x4(unsafe { _mm256_xor_si256(self.0, _mm256_andnot_si256(b.0, c.0)) })
    }
    #[inline(always)]
    fn rotate_left(self, n: u32) -> Self {
        // SAFETY: only a token makes a value, hence AVX2. Shifts by 64 give zero, so n = 0 is right as well.
        U64x4(unsafe {
            let up = _mm256_sllv_epi64(self.0, _mm256_set1_epi64x(i64::from(n)));
            let down = _mm256_srlv_epi64(self.0, _mm256_set1_epi64x(64 - i64::from(n)));
            _mm256_or_si256(up, down)
        })
    }
}

/// Eight words in an AVX-512 register.
#[cfg(have_ifma)]
#[derive(Clone, Copy)]
pub(crate) struct U64x8(__m512i);

#[cfg(have_ifma)]
impl Lanes64 for U64x8 {
    type Isa = Ifma;
    const LANES: usize = 8;
    #[inline(always)]
    fn splat(_: Ifma, x: u64) -> Self {
        // SAFETY: the token proves AVX-512 F.
        U64x8(unsafe { _mm512_set1_epi64(x as i64) })
    }
    #[inline(always)]
    fn load(_: Ifma, words: &[u64; MAX_LANES64]) -> Self {
        // SAFETY: the token proves AVX-512 F; the array has eight words.
        U64x8(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, words: &mut [u64; MAX_LANES64]) {
        // SAFETY: only a token makes a value, hence AVX-512 F; the array has eight words.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        // SAFETY: only a token makes a value, hence AVX-512 F.
        U64x8(unsafe { _mm512_xor_si512(self.0, b.0) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        // SAFETY: only a token makes a value, hence AVX-512 F. Truth table of a ^ b ^ c.
        U64x8(unsafe { _mm512_ternarylogic_epi64::<0x96>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn xor_and_not(self, b: Self, c: Self) -> Self {
        // SAFETY: only a token makes a value, hence AVX-512 F. Truth table of a ^ (!b & c).
        U64x8(unsafe { _mm512_ternarylogic_epi64::<0xd2>(self.0, b.0, c.0) })
    }
    #[inline(always)]
    fn rotate_left(self, n: u32) -> Self {
        // SAFETY: only a token makes a value, hence AVX-512 F.
        U64x8(unsafe { _mm512_rolv_epi64(self.0, _mm512_set1_epi64(i64::from(n))) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [u64; 8] = [0, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef, 1, 0xdead_beef, 0x8000_0001, 0xaaaa_5555];
    const B: [u64; 8] = [5, 1 << 63, u64::MAX, 0xf0f0_f0f0_0f0f_0f0f, 3, 0xfeed_f00d, 0x7fff_ffff, 0xcccc_3333];
    const C: [u64; 8] = [9, 0, 0x00ff_00ff_00ff_00ff, 0x3333_cccc_5555_aaaa, 7, !0, 0x1234_5678, 0xffff_0000];

    fn check<V: Lanes64>(isa: V::Isa) {
        let (a, b, c) = (V::load(isa, &A), V::load(isa, &B), V::load(isa, &C));
        let is = |x: V, f: &dyn Fn(usize) -> u64| {
            let mut out = [0; MAX_LANES64];
            x.store(&mut out);
            for (i, x) in out.iter().take(V::LANES).enumerate() {
                assert_eq!(*x, f(i), "lane {i}");
            }
        };
        is(V::splat(isa, 77), &|_| 77);
        is(a, &|i| A[i]);
        is(a.xor(b), &|i| A[i] ^ B[i]);
        is(a.xor3(b, c), &|i| A[i] ^ B[i] ^ C[i]);
        is(a.xor_and_not(b, c), &|i| A[i] ^ (!B[i] & C[i]));
        for n in 0..64 {
            is(a.rotate_left(n), &|i| A[i].rotate_left(n));
        }
    }

    #[test]
    fn every_width() {
        check::<U64x1>(Portable::TOKEN);
        #[cfg(have_avx2)]
        if let Some(isa) = Avx2::detect() {
            isa.frame(|| check::<U64x4>(isa));
        }
        #[cfg(have_ifma)]
        if let Some(isa) = Ifma::detect() {
            isa.frame(|| check::<U64x8>(isa));
        }
    }
}

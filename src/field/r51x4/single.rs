//! One point doubled many times, its coordinates side by side in the lanes: what latency alone decides.
//!
//! Joining the lanes at the end of an MSM is one long chain of doublings. With the coordinates (X, Y, Z, X + Y) in
//! the four lanes, a doubling is one square, one product and two carries.
//! Formula: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (2008), section 3.3, all of E, F, G, H
//! negated; laid out over four lanes as in their section 4.

use core::arch::x86_64::*;

use super::columns::{self, LIMB_OFFSETS, limbs};
use super::{Columns, R51x4};
use crate::cpu::Avx2;
use crate::field::FieldElement;
use crate::field::lanes::FieldLanes;

/// Offsets to take out where lane i holds `multiples[i]` times the offsets of a product.
const fn offsets(multiples: [usize; 4]) -> [[f64; 4]; 5] {
    let mut all = [[0.0; 4]; 5];
    let mut k = 0;
    while k < 5 {
        let mut i = 0;
        while i < 4 {
            all[k][i] = LIMB_OFFSETS[multiples[i]][k];
            i += 1;
        }
        k += 1;
    }
    all
}

/// Columns with different multiples of the offsets in the lanes.
#[inline(always)]
unsafe fn carry(columns: [__m256i; 5], offsets: &[[f64; 4]; 5]) -> R51x4 {
    // SAFETY: the caller's promise of AVX2.
    R51x4::checked(unsafe { columns::carry_from(columns, limbs!(K => _mm256_loadu_pd(offsets[K].as_ptr()))) })
}

/// `2^n·(X : Y : Z)` as `(X, Y, Z, T)` with `T = XY/Z`. About 200 cycles a doubling. `n` is public.
#[inline(always)]
pub(crate) fn double_n_single(isa: Avx2, p: &[FieldElement; 3], n: usize) -> [FieldElement; 4] {
    const LEFT: [[f64; 4]; 5] = offsets([1, 0, 2, 1]);
    const RIGHT: [[f64; 4]; 5] = offsets([2, 2, 0, 2]);
    const NEXT: [[f64; 4]; 5] = offsets([1, 1, 1, 2]);

    if n == 0 {
        return [p[0] * p[2], p[1] * p[2], p[2].square(), p[0] * p[1]];
    }
    let start = [p[0], p[1], p[2], p[0] + p[1]];
    let mut v = R51x4::load(
        isa,
        #[inline(always)]
        |i| start[i],
    );
    let mut product = R51x4::product(isa);
    for step in 0..n {
        if step > 0 {
            // (X, Y, Z, T) to (X, Y, Z, X + Y).
            // SAFETY: the token is here (in this block and the next).
            v = unsafe {
                let next = limbs!(K => {
                    let x = broadcast::<0>(&product, K);
                    let y = broadcast::<1>(&product, K);
                    _mm256_blend_epi32::<0b1100_0000>(product.0[K], _mm256_add_epi64(x, y))
                });
                carry(next, &NEXT)
            };
        }
        let mut squares = R51x4::product(isa);
        R51x4::square(&mut squares, &v);
        // SAFETY: as above.
        let (left, right) = unsafe {
            let mut left = [_mm256_setzero_si256(); 5];
            let mut right = left;
            for k in 0..5 {
                let (xx, yy) = (broadcast::<0>(&squares, k), broadcast::<1>(&squares, k));
                let (zz, ss) = (broadcast::<2>(&squares, k), broadcast::<3>(&squares, k));
                let (h, g) = (_mm256_add_epi64(xx, yy), _mm256_sub_epi64(xx, yy));
                let (e, f) = (_mm256_sub_epi64(h, ss), _mm256_add_epi64(g, _mm256_add_epi64(zz, zz)));
                // E, G, F, E times F, H, G, H.
                left[k] = _mm256_blend_epi32::<0b0011_0000>(_mm256_blend_epi32::<0b0000_1100>(e, g), f);
                right[k] = _mm256_blend_epi32::<0b0011_0000>(_mm256_blend_epi32::<0b1100_1100>(f, h), g);
            }
            (carry(left, &LEFT), carry(right, &RIGHT))
        };
        R51x4::mul(&mut product, &left, &right);
    }
    let mut out = [FieldElement::ZERO; 4];
    R51x4::reduce(&product).store(&mut out);
    out
}

/// Lane `I` of column `k` in every lane, from memory: a load, where a permutation would wait for the one port that has it.
#[inline(always)]
unsafe fn broadcast<const I: usize>(x: &Columns, k: usize) -> __m256i {
    let words = (&raw const x.0[k]).cast::<i64>();
    // SAFETY: the caller's promise of AVX2; a vector holds four words.
    unsafe { _mm256_set1_epi64x(*words.add(I)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Isa;
    use crate::field::constants;
    use crate::test_util::Random;

    /// Affine doubling by the addition law of the curve.
    fn double(x: FieldElement, y: FieldElement) -> (FieldElement, FieldElement) {
        let product = constants::D * x.square() * y.square();
        let one = FieldElement::ONE;
        ((x * y + x * y) * (one + product).invert(), (y.square() + x.square()) * (one - product).invert())
    }

    #[test]
    fn doublings_of_one_point() {
        let Some(isa) = Avx2::detect() else {
            std::println!("skipped: this CPU lacks AVX2 or FMA");
            return;
        };
        let mut random = Random::new(1);
        let mut points = std::vec![(FieldElement::ZERO, FieldElement::ONE), (FieldElement::ZERO, -FieldElement::ONE)];
        points.push((constants::SQRT_M1, FieldElement::ZERO));
        while points.len() < 12 {
            let y = random.element();
            let (u, v) = (y.square() - FieldElement::ONE, constants::D * y.square() + FieldElement::ONE);
            let (square, x) = FieldElement::sqrt_ratio(&u, &v);
            if bool::from(square) {
                points.push((x, y));
            }
        }
        for (x, y) in points {
            let z = random.element();
            let (mut ex, mut ey) = (x, y);
            for n in 0..70 {
                let [x, y, z, t] = isa.frame(|| double_n_single(isa, &[x * z, y * z, z], n));
                assert!(!bool::from(z.is_zero()));
                assert_eq!((x, y, t), (ex * z, ey * z, ex * ey * z), "{n} doublings");
                (ex, ey) = double(ex, ey);
            }
        }
    }
}

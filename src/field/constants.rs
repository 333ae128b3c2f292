//! Constants of the curves and their encodings. A test recomputes each one from its definition.

use super::FieldElement;

/// 1
pub(crate) const ONE: FieldElement = FieldElement([0x1, 0x0, 0x0, 0x0, 0x0]);
/// `d = -121665/121666` of the Edwards curve `-x² + y² = 1 + d·x²·y²`.
pub(crate) const D: FieldElement =
    FieldElement([0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb, 0x52036cee2b6ff]);
/// `2d`
pub(crate) const D2: FieldElement =
    FieldElement([0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977, 0x2406d9dc56dff]);
/// `sqrt(-1)`, the even root: `2^((p-1)/4)`.
pub(crate) const SQRT_M1: FieldElement =
    FieldElement([0x61b274a0ea0b0, 0xd5a5fc8f189d, 0x7ef5e9cbd0c60, 0x78595a6804c9e, 0x2b8324804fc1d]);
/// `1 - d²` (Ristretto map).
pub(crate) const ONE_MINUS_D_SQ: FieldElement =
    FieldElement([0x409c1945fc176, 0x719abc6a1fc4f, 0x1c37f90b20684, 0x6bccca55eedf, 0x29072a8b2b3e]);
/// `(d - 1)²` (Ristretto map).
pub(crate) const D_MINUS_ONE_SQ: FieldElement =
    FieldElement([0x55aaa44ed4d20, 0x59603c3332635, 0x26d3baf4a7928, 0x120a66e6997a9, 0x5968b37af66c2]);
/// `sqrt(-d - 1)` (Ristretto map, `a = -1`), the sign of RFC 9496.
pub(crate) const SQRT_AD_MINUS_ONE: FieldElement =
    FieldElement([0x7f6a0497b2e1b, 0x1836f0a97afd2, 0x7d747f6be7638, 0x456079e7e6498, 0x376931bf2b834]);
/// `1/sqrt(-1 - d)` (Ristretto encoding), the sign of RFC 9496.
pub(crate) const INVSQRT_A_MINUS_D: FieldElement =
    FieldElement([0xfdaa805d40ea, 0x2eb482e57d339, 0x7610274bc58, 0x6510b613dc8ff, 0x786c8905cfaff]);
/// `A = 486662` of the Montgomery curve `v² = u³ + A·u² + u`.
pub(crate) const MONTGOMERY_A: FieldElement = FieldElement([0x76d06, 0x0, 0x0, 0x0, 0x0]);
/// `(A + 2)/4`, the constant of the Montgomery ladder.
pub(crate) const A24: FieldElement = FieldElement([121666, 0, 0, 0, 0]);
/// `1/2`
pub(crate) const HALF: FieldElement =
    FieldElement([0x7fffffffffff7, 0x7ffffffffffff, 0x7ffffffffffff, 0x7ffffffffffff, 0x3ffffffffffff]);
/// `x` of the base point.
pub(crate) const BASE_X: FieldElement =
    FieldElement([0x62d608f25d51a, 0x412a4b4f6592a, 0x75b7171a4b31d, 0x1ff60527118fe, 0x216936d3cd6e5]);
/// `y = 4/5` of the base point.
pub(crate) const BASE_Y: FieldElement =
    FieldElement([0x6666666666658, 0x4cccccccccccc, 0x1999999999999, 0x3333333333333, 0x6666666666666]);
/// `xy` of the base point.
pub(crate) const BASE_T: FieldElement =
    FieldElement([0x68ab3a5b7dda3, 0xeea2a5eadbb, 0x2af8df483c27e, 0x332b375274732, 0x67875f0fd78b7]);
/// `A·(A + 2)` (Monero's map).
pub(crate) const A_TIMES_A_PLUS_2: FieldElement = FieldElement([0x3724d0f630, 0x0, 0x0, 0x0, 0x0]);
/// `1/sqrt(2·sqrt(-1))`, the even root (Monero's map).
pub(crate) const INVSQRT_2I: FieldElement =
    FieldElement([0x70d93a507504e, 0x6ad2fe478c4e, 0x3f7af4e5e8630, 0x7c2cad340264f, 0x55c1924027e0e]);
/// `1/(2d)`
pub(crate) const INV_2D: FieldElement =
    FieldElement([0x793b66e4fc18, 0x184279542e25e, 0x3739ecc16bbad, 0x390cac5884533, 0x60483f690a6ae]);
/// `-1/(2d)`
pub(crate) const MINUS_INV_2D: FieldElement =
    FieldElement([0x786c4991b03d5, 0x67bd86abd1da1, 0x48c6133e94452, 0x46f353a77bacc, 0x1fb7c096f5951]);

#[cfg(test)]
mod tests {
    use super::*;

    fn small(n: u64) -> FieldElement {
        FieldElement([n, 0, 0, 0, 0])
    }

    #[test]
    fn each_is_what_it_says() {
        let one = small(1);
        let d = -small(121665) * small(121666).invert();
        assert_eq!(ONE, one);
        assert_eq!((D, D2), (d, d + d));
        assert_eq!(SQRT_M1.square(), -one);
        assert!(!bool::from(SQRT_M1.is_negative()));
        assert_eq!(ONE_MINUS_D_SQ, one - d.square());
        assert_eq!(D_MINUS_ONE_SQ, (d - one).square());
        assert_eq!(SQRT_AD_MINUS_ONE.square(), -d - one);
        assert!(bool::from(SQRT_AD_MINUS_ONE.is_negative()), "the odd root, as RFC 9496 prints it");
        assert_eq!(INVSQRT_A_MINUS_D.square() * (-one - d), one);
        assert!(!bool::from(INVSQRT_A_MINUS_D.is_negative()), "the even root, as RFC 9496 prints it");
        let a = small(486662);
        assert_eq!(MONTGOMERY_A, a);
        assert_eq!(A_TIMES_A_PLUS_2, a * (a + small(2)));
        assert_eq!(A24 * small(4), a + small(2));
        assert_eq!(HALF + HALF, one);
        assert_eq!(INV_2D * D2, one);
        assert_eq!(MINUS_INV_2D, -INV_2D);
        assert_eq!(INVSQRT_2I.square() * (SQRT_M1 + SQRT_M1), one);
        assert!(!bool::from(INVSQRT_2I.is_negative()));
        assert_eq!(BASE_Y * small(5), small(4));
        let (xx, yy) = (BASE_X.square(), BASE_Y.square());
        assert_eq!(yy - xx, one + d * xx * yy);
        assert!(!bool::from(BASE_X.is_negative()));
        assert_eq!(BASE_T, BASE_X * BASE_Y);
    }
}

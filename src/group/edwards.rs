//! Points of the Edwards curve, the public form.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::DefaultIsZeroes;

use super::formulas::{self, Cached, Extended};
use crate::cpu::Portable;
use crate::field::lanes::FieldLanes;
use crate::field::portable::R51x1;
use crate::field::{FieldElement, constants};

/// A point of the curve `-x² + y² = 1 + d·x²·y²` over the field of 2^255-19 elements.
///
/// The group has order 8·l, l = 2^252 + 27742317777372353535851937790883648493 prime. A value may lie outside the
/// subgroup of order l: see [`is_torsion_free`](EdwardsPoint::is_torsion_free).
///
/// Held as `(X : Y : Z : T)` with `x = X/Z`, `y = Y/Z`, `xy = T/Z`. Equality is that of points. All operations are
/// constant-time unless their name ends in `_vartime`.
///
/// ```
/// use curve25519_lanes::EdwardsPoint;
/// let b = EdwardsPoint::BASEPOINT;
/// assert_eq!(b + b, b.double());
/// assert_eq!(b - b, EdwardsPoint::IDENTITY);
/// ```
#[derive(Clone, Copy)]
pub struct EdwardsPoint {
    pub(crate) x: FieldElement,
    pub(crate) y: FieldElement,
    pub(crate) z: FieldElement,
    pub(crate) t: FieldElement,
}

impl EdwardsPoint {
    /// The neutral element (0, 1).
    pub const IDENTITY: EdwardsPoint =
        EdwardsPoint { x: FieldElement::ZERO, y: FieldElement::ONE, z: FieldElement::ONE, t: FieldElement::ZERO };

    /// The base point of ed25519: `y = 4/5`, `x` even.
    pub const BASEPOINT: EdwardsPoint =
        EdwardsPoint { x: constants::BASE_X, y: constants::BASE_Y, z: FieldElement::ONE, t: constants::BASE_T };

    /// `2·self`. 4M + 4S.
    pub fn double(&self) -> EdwardsPoint {
        self.mul_by_pow_2(1)
    }

    /// `2^n·self`. 3M + 4S a doubling. `n` is public.
    pub fn mul_by_pow_2(&self, n: usize) -> EdwardsPoint {
        if n == 0 {
            return *self;
        }
        let mut p = self.lane();
        formulas::double_n(&mut p, n);
        Self::from_lane(&p)
    }

    /// `8·self`, which lies in the subgroup of prime order.
    pub fn mul_by_cofactor(&self) -> EdwardsPoint {
        self.mul_by_pow_2(3)
    }

    /// Whether this is the neutral element.
    pub fn is_identity(&self) -> Choice {
        self.ct_eq(&EdwardsPoint::IDENTITY)
    }

    /// Whether `8·self` is the neutral element.
    pub fn is_small_order(&self) -> Choice {
        self.mul_by_cofactor().is_identity()
    }

    /// From `(X, Y, Z, T)`, which are not checked: what constants of other crates are made of.
    #[doc(hidden)]
    pub const fn from_coordinates_unchecked([x, y, z, t]: [FieldElement; 4]) -> EdwardsPoint {
        EdwardsPoint { x, y, z, t }
    }

    /// `(X, Y, Z, T)`
    #[doc(hidden)]
    pub const fn coordinates(&self) -> [FieldElement; 4] {
        [self.x, self.y, self.z, self.t]
    }

    #[inline(always)]
    pub(crate) fn lane(&self) -> Extended<R51x1> {
        Extended::load(Portable::TOKEN, |_| self)
    }

    #[inline(always)]
    pub(crate) fn from_lane(p: &Extended<R51x1>) -> EdwardsPoint {
        let mut out = [EdwardsPoint::IDENTITY];
        p.store(&mut out);
        out[0]
    }

    fn add_signed(&self, b: &EdwardsPoint, negate: u32) -> EdwardsPoint {
        let mut out = self.lane();
        let mask = R51x1::mask(Portable::TOKEN, negate);
        formulas::add_cached(&mut out, &Cached::new(&b.lane()), mask);
        Self::from_lane(&out)
    }
}

impl Add<&EdwardsPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;
    /// Complete: any two points, equal, opposite or neutral. 9M.
    fn add(self, b: &EdwardsPoint) -> EdwardsPoint {
        self.add_signed(b, 0)
    }
}

impl Sub<&EdwardsPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;
    fn sub(self, b: &EdwardsPoint) -> EdwardsPoint {
        self.add_signed(b, 1)
    }
}

impl Neg for &EdwardsPoint {
    type Output = EdwardsPoint;
    fn neg(self) -> EdwardsPoint {
        EdwardsPoint { x: -self.x, y: self.y, z: self.z, t: -self.t }
    }
}

impl Neg for EdwardsPoint {
    type Output = EdwardsPoint;
    fn neg(self) -> EdwardsPoint {
        -&self
    }
}

impl AddAssign<&EdwardsPoint> for EdwardsPoint {
    fn add_assign(&mut self, b: &EdwardsPoint) {
        *self = *self + b;
    }
}

impl SubAssign<&EdwardsPoint> for EdwardsPoint {
    fn sub_assign(&mut self, b: &EdwardsPoint) {
        *self = *self - b;
    }
}

impl ConditionallySelectable for EdwardsPoint {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        EdwardsPoint {
            x: FieldElement::conditional_select(&a.x, &b.x, choice),
            y: FieldElement::conditional_select(&a.y, &b.y, choice),
            z: FieldElement::conditional_select(&a.z, &b.z, choice),
            t: FieldElement::conditional_select(&a.t, &b.t, choice),
        }
    }
}

impl ConstantTimeEq for EdwardsPoint {
    /// `X1·Z2 = X2·Z1` and `Y1·Z2 = Y2·Z1`; Z is never 0.
    fn ct_eq(&self, b: &Self) -> Choice {
        (self.x * b.z).ct_eq(&(b.x * self.z)) & (self.y * b.z).ct_eq(&(b.y * self.z))
    }
}

impl PartialEq for EdwardsPoint {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for EdwardsPoint {}

impl Default for EdwardsPoint {
    fn default() -> Self {
        EdwardsPoint::IDENTITY
    }
}

impl DefaultIsZeroes for EdwardsPoint {}

impl fmt::Debug for EdwardsPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EdwardsPoint({:?})", self.compress())
    }
}

/// The by-value forms of an operator that is implemented on references.
macro_rules! forward_point_operators {
    ($point:ty) => {
        impl Add for $point {
            type Output = $point;
            fn add(self, b: $point) -> $point {
                &self + &b
            }
        }
        impl Sub for $point {
            type Output = $point;
            fn sub(self, b: $point) -> $point {
                &self - &b
            }
        }
        impl Add<&$point> for $point {
            type Output = $point;
            fn add(self, b: &$point) -> $point {
                &self + b
            }
        }
        impl Sub<&$point> for $point {
            type Output = $point;
            fn sub(self, b: &$point) -> $point {
                &self - b
            }
        }
        impl AddAssign for $point {
            fn add_assign(&mut self, b: $point) {
                *self += &b;
            }
        }
        impl SubAssign for $point {
            fn sub_assign(&mut self, b: $point) {
                *self -= &b;
            }
        }
        impl Sum for $point {
            fn sum<I: Iterator<Item = $point>>(points: I) -> $point {
                points.fold(<$point>::IDENTITY, |a, b| a + b)
            }
        }
        impl<'a> Sum<&'a $point> for $point {
            fn sum<I: Iterator<Item = &'a $point>>(points: I) -> $point {
                points.fold(<$point>::IDENTITY, |a, b| a + b)
            }
        }
    };
}
pub(crate) use forward_point_operators;
forward_point_operators!(EdwardsPoint);

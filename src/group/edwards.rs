//! Points of the Edwards curve, the public form.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::DefaultIsZeroes;

use super::formulas::{self, Extended};
use crate::cpu::Portable;
use crate::field::lanes::FieldLanes;
use crate::field::portable::{R51x1, TightLimbs};
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

    /// `self + b`, or `self - b`: the formula of `add_cached` on points as they lie in memory, where coordinates are tight
    /// already. Through the running form, which wants `Y - X` and `Y + X` carried, a sum took a sixth more.
    fn add_signed(&self, b: &EdwardsPoint, negate: bool) -> EdwardsPoint {
        let tight = TightLimbs::from_element;
        let product = |a: &R51x1, b: &R51x1| {
            let mut out = R51x1::product(Portable::TOKEN);
            R51x1::mul(&mut out, a, b);
            out
        };
        let [x1, y1, x2, y2, z2] = [&self.x, &self.y, &b.x, &b.y, &b.z].map(tight);
        let [t1, t2, z1, d2] = [&self.t, &b.t, &self.z, &constants::D2].map(|x| R51x1::reduce(&tight(x)));
        let (m2, p2) = (R51x1::sub(&y2, &x2), R51x1::add(&y2, &x2));
        // Negation exchanges y-x and y+x, and changes the sign of t, which exchanges f and g.
        let (m2, p2) = if negate { (p2, m2) } else { (m2, p2) };
        let a = product(&R51x1::sub(&y1, &x1), &m2);
        let b = product(&R51x1::add(&y1, &x1), &p2);
        let c = product(&t1, &R51x1::reduce(&product(&t2, &d2)));
        let d = product(&z1, &R51x1::add(&z2, &z2));
        let (e, h) = (R51x1::sub(&b, &a), R51x1::add(&b, &a));
        let (f, g) = (R51x1::sub(&d, &c), R51x1::add(&d, &c));
        let (f, g) = if negate { (g, f) } else { (f, g) };
        EdwardsPoint {
            x: product(&e, &f).to_element(),
            y: product(&g, &h).to_element(),
            z: product(&f, &g).to_element(),
            t: product(&e, &h).to_element(),
        }
    }
}

impl Add<&EdwardsPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;
    /// Complete: any two points, equal, opposite or neutral. 9M.
    fn add(self, b: &EdwardsPoint) -> EdwardsPoint {
        self.add_signed(b, false)
    }
}

impl Sub<&EdwardsPoint> for &EdwardsPoint {
    type Output = EdwardsPoint;
    fn sub(self, b: &EdwardsPoint) -> EdwardsPoint {
        self.add_signed(b, true)
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

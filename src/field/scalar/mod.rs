//! Scalars: integers mod l = 2^252 + 27742317777372353535851937790883648493, the prime order of the base point.
//!
//! [`Scalar`] holds 32 little-endian bytes, loaded as four 64-bit words by each operation: the bytes are what
//! callers store and hash, and loading them costs nothing next to a multiplication. `reduce` holds the
//! arithmetic, `recode` the digits that multi-scalar multiplication reads.

pub(crate) mod disclosed;
#[cfg(any(test, feature = "rand_core"))]
mod ratio;
pub(crate) mod recode;
mod reduce;

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
use zeroize::{DefaultIsZeroes, Zeroize};

use super::divsteps::{self, Modulus};

/// An integer mod l = 2^252 + 27742317777372353535851937790883648493, as 32 little-endian bytes.
///
/// Every constructor but [`from_integer_unreduced`](Scalar::from_integer_unreduced) gives the residue below l,
/// and so does all arithmetic, for any input. Comparison and hashing see the residue. Everything is
/// constant-time unless its name ends in `_vartime`; a `Scalar` can be wiped with [`Zeroize`].
///
/// ```
/// use curve25519_lanes::Scalar;
///
/// let x = Scalar::from(7u64);
/// assert_eq!(x * x.invert(), Scalar::ONE);
/// assert_eq!(Scalar::ZERO - Scalar::ONE + Scalar::from(3u8), Scalar::from(2u32));
/// ```
#[derive(Clone, Copy, Default)]
pub struct Scalar {
    pub(crate) bytes: [u8; 32],
}

impl Scalar {
    /// 0
    pub const ZERO: Scalar = Scalar { bytes: [0; 32] };
    /// 1
    pub const ONE: Scalar = Scalar::small(1);
    /// The group order l as an integer: 0 as a residue, but `l·P` tells whether `P` has a small-order part.
    pub(crate) const ORDER: Scalar = Scalar {
        bytes: [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ],
    };
    /// 1/8 mod l: what undoes a multiplication by the cofactor, on points of order l.
    pub const INV_EIGHT: Scalar = Scalar {
        bytes: [
            0x79, 0x2f, 0xdc, 0xe2, 0x29, 0xe5, 0x06, 0x61, 0xd0, 0xda, 0x1c, 0x7d, 0xb3, 0x9d, 0xd3, 0x07, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x06,
        ],
    };

    const fn small(x: u8) -> Scalar {
        let mut bytes = [0; 32];
        bytes[0] = x;
        Scalar { bytes }
    }

    /// The scalar of these bytes, or none where they are not below l.
    pub fn from_canonical_bytes(bytes: [u8; 32]) -> CtOption<Scalar> {
        let scalar = Scalar { bytes };
        let canonical = scalar.is_canonical();
        CtOption::new(scalar, canonical)
    }

    /// Any 256-bit integer, reduced mod l.
    pub fn from_bytes_mod_order(bytes: [u8; 32]) -> Scalar {
        Scalar { bytes }.reduce()
    }

    /// Any 512-bit integer, reduced mod l: of uniform bytes, a uniform scalar.
    pub fn from_bytes_mod_order_wide(bytes: &[u8; 64]) -> Scalar {
        let words: [u64; 8] = core::array::from_fn(|i| u64::from_le_bytes(core::array::from_fn(|j| bytes[8 * i + j])));
        Scalar::from_words(&reduce::reduce_wide(&words))
    }

    /// The 256-bit integer itself, not reduced.
    ///
    /// Multiplication of a point by a scalar uses exactly this integer, which differs from its residue on a
    /// point with a torsion part. Arithmetic between scalars reduces.
    pub const fn from_integer_unreduced(bytes: [u8; 32]) -> Scalar {
        Scalar { bytes }
    }

    /// The 32 little-endian bytes, below l unless made by
    /// [`from_integer_unreduced`](Scalar::from_integer_unreduced).
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.bytes
    }

    /// The bytes of [`to_bytes`](Scalar::to_bytes), borrowed.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Whether the integer is below l.
    pub fn is_canonical(&self) -> Choice {
        let (_, below) = reduce::sub_words(&self.words(), &reduce::L);
        Choice::from(below as u8)
    }

    /// The residue below l.
    pub fn reduce(&self) -> Scalar {
        Scalar::from_words(&reduce::reduce(&self.words()))
    }

    /// `self²`
    pub fn square(&self) -> Scalar {
        self * self
    }

    /// The inverse; 0 for 0. A fixed number of division steps, the price of about 60 multiplications.
    pub fn invert(&self) -> Scalar {
        const ORDER: Modulus = Modulus::new(&reduce::L);
        // Below 4l, in limbs of 62 bits.
        let [a, b, c, d, e] = divsteps::invert(&ORDER, &reduce::reduce(&self.words()));
        Scalar::from_words(&reduce::reduce(&[a | b << 62, b >> 2 | c << 60, c >> 4 | d << 58, d >> 6 | e << 56]))
    }

    /// Replaces every scalar by its inverse (0 stays 0): one inversion and three multiplications a scalar.
    ///
    /// ```
    /// use curve25519_lanes::Scalar;
    ///
    /// let mut x = [Scalar::from(2u64), Scalar::ZERO, Scalar::from(8u64)];
    /// Scalar::batch_invert(&mut x);
    /// assert_eq!(x[0] + x[0], Scalar::ONE);
    /// assert_eq!(x[1..], [Scalar::ZERO, Scalar::INV_EIGHT]);
    /// ```
    pub fn batch_invert(scalars: &mut [Scalar]) {
        let mut before = Vec::with_capacity(scalars.len());
        let mut product = Scalar::ONE;
        for x in scalars.iter_mut() {
            let zero = x.is_zero();
            x.conditional_assign(&Scalar::ONE, zero);
            before.push((product, zero));
            product *= *x;
        }
        let mut inverse = product.invert();
        for (x, (before, zero)) in scalars.iter_mut().zip(&mut before).rev() {
            let next = inverse * *x;
            *x = Scalar::conditional_select(&(inverse * *before), &Scalar::ZERO, *zero);
            inverse = next;
            before.zeroize();
        }
    }

    /// Whether this is 0 mod l.
    pub fn is_zero(&self) -> Choice {
        self.ct_eq(&Scalar::ZERO)
    }

    /// A uniform scalar: 64 random bytes, reduced.
    #[cfg(feature = "rand_core")]
    #[cfg_attr(docsrs, doc(cfg(feature = "rand_core")))]
    pub fn random<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Scalar {
        let mut bytes = zeroize::Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        Scalar::from_bytes_mod_order_wide(&bytes)
    }

    #[inline(always)]
    fn words(&self) -> [u64; 4] {
        reduce::load(&self.bytes)
    }

    #[inline(always)]
    fn from_words(words: &[u64; 4]) -> Scalar {
        Scalar { bytes: reduce::store(words) }
    }
}

/// A sum of products of scalars, reduced once at the end: a term costs half a multiplication.
///
/// The sum is kept in 576 bits. A term is below 2^512, so 2^64 terms fit.
///
/// ```
/// use curve25519_lanes::{Scalar, field::scalar::ScalarSum};
///
/// let mut sum = ScalarSum::default();
/// for i in 1..=3u64 {
///     sum.add_product(&Scalar::from(i), &Scalar::from(10 * i));
/// }
/// assert_eq!(sum.reduce(), Scalar::from(140u64));
/// ```
#[derive(Clone, Copy, Default)]
pub struct ScalarSum([u64; 9]);

impl ScalarSum {
    /// Adds `a·b`.
    #[inline]
    pub fn add_product(&mut self, a: &Scalar, b: &Scalar) {
        self.add_words(&reduce::mul_wide(&a.words(), &b.words()));
    }

    /// Adds `a`.
    #[inline]
    pub fn add(&mut self, a: &Scalar) {
        let [w0, w1, w2, w3] = a.words();
        self.add_words(&[w0, w1, w2, w3, 0, 0, 0, 0]);
    }

    /// The sum mod l.
    pub fn reduce(&self) -> Scalar {
        Scalar::from_words(&reduce::reduce_sum(&self.0))
    }

    #[inline(always)]
    fn add_words(&mut self, x: &[u64; 8]) {
        let [x0, x1, x2, x3, x4, x5, x6, x7] = *x;
        self.0 = reduce::add_words(&self.0, &[x0, x1, x2, x3, x4, x5, x6, x7, 0]).0;
    }
}

impl fmt::Debug for ScalarSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ScalarSum").field(&self.reduce()).finish()
    }
}

impl DefaultIsZeroes for ScalarSum {}

/// An operator on references, and its forms on values and with assignment.
macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $arithmetic:path) => {
        impl<'b> $trait<&'b Scalar> for &Scalar {
            type Output = Scalar;
            #[inline]
            fn $method(self, b: &'b Scalar) -> Scalar {
                Scalar::from_words(&$arithmetic(&self.words(), &b.words()))
            }
        }
        impl<'b> $trait<&'b Scalar> for Scalar {
            type Output = Scalar;
            #[inline]
            fn $method(self, b: &'b Scalar) -> Scalar {
                $trait::$method(&self, b)
            }
        }
        impl $trait<Scalar> for &Scalar {
            type Output = Scalar;
            #[inline]
            fn $method(self, b: Scalar) -> Scalar {
                $trait::$method(self, &b)
            }
        }
        impl $trait for Scalar {
            type Output = Scalar;
            #[inline]
            fn $method(self, b: Scalar) -> Scalar {
                $trait::$method(&self, &b)
            }
        }
        impl<'b> $assign<&'b Scalar> for Scalar {
            #[inline]
            fn $assign_method(&mut self, b: &'b Scalar) {
                *self = $trait::$method(&*self, b);
            }
        }
        impl $assign for Scalar {
            #[inline]
            fn $assign_method(&mut self, b: Scalar) {
                *self = $trait::$method(&*self, &b);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign, reduce::add);
operator!(Sub, sub, SubAssign, sub_assign, reduce::sub);
operator!(Mul, mul, MulAssign, mul_assign, reduce::mul);

impl Neg for &Scalar {
    type Output = Scalar;
    fn neg(self) -> Scalar {
        Scalar::ZERO - self
    }
}

impl Neg for Scalar {
    type Output = Scalar;
    fn neg(self) -> Scalar {
        -&self
    }
}

impl<T> Sum<T> for Scalar
where
    Scalar: Add<T, Output = Scalar>,
{
    fn sum<I: Iterator<Item = T>>(terms: I) -> Scalar {
        terms.fold(Scalar::ZERO, |sum, x| sum + x)
    }
}

impl<T> Product<T> for Scalar
where
    Scalar: Mul<T, Output = Scalar>,
{
    fn product<I: Iterator<Item = T>>(factors: I) -> Scalar {
        factors.fold(Scalar::ONE, |product, x| product * x)
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Scalar {
            fn from(x: $integer) -> Scalar {
                let mut bytes = [0; 32];
                bytes[..size_of::<$integer>()].copy_from_slice(&x.to_le_bytes());
                Scalar { bytes }
            }
        }
    )*};
}

from_integer!(u8, u16, u32, u64, u128);

impl ConditionallySelectable for Scalar {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        let (a, b) = (a.words(), b.words());
        Scalar::from_words(&core::array::from_fn(|i| u64::conditional_select(&a[i], &b[i], choice)))
    }
}

impl ConstantTimeEq for Scalar {
    fn ct_eq(&self, other: &Self) -> Choice {
        let (a, b) = (reduce::reduce(&self.words()), reduce::reduce(&other.words()));
        let difference = (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
        difference.ct_eq(&0)
    }
}

impl PartialEq for Scalar {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Scalar {}

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.reduce().bytes.hash(state);
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scalar(0x")?;
        for byte in self.bytes.iter().rev() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl DefaultIsZeroes for Scalar {}

#[cfg(feature = "serde")]
mod serde;

#[cfg(test)]
mod tests;

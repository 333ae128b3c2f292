//! Integers mod the group order l = 2^252 + 27742317777372353535851937790883648493.

use core::borrow::Borrow;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::{Product, Sum};
use core::ops::Index;

use curve25519_lanes as engine;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};
#[allow(unused_imports)] // Not every choice of features has something to wipe.
use zeroize::{Zeroize, Zeroizing};

/// An integer below 2^255 that stands for its residue mod l, as 32 little-endian bytes.
///
/// It is the residue itself unless made by `from_bits`. Comparison and hashing see the bytes; so does multiplication of
/// points. Everything is constant-time.
#[derive(Clone, Copy)]
pub struct Scalar(pub(crate) engine::Scalar);

impl Scalar {
    /// 0
    pub const ZERO: Scalar = Scalar(engine::Scalar::ZERO);
    /// 1
    pub const ONE: Scalar = Scalar(engine::Scalar::ONE);

    pub(crate) const fn unreduced(bytes: [u8; 32]) -> Scalar {
        Scalar(engine::Scalar::from_integer_unreduced(bytes))
    }

    /// A 256-bit integer, reduced.
    pub fn from_bytes_mod_order(bytes: [u8; 32]) -> Scalar {
        Scalar(engine::Scalar::from_bytes_mod_order(bytes))
    }

    /// A 512-bit integer, reduced.
    pub fn from_bytes_mod_order_wide(input: &[u8; 64]) -> Scalar {
        Scalar(engine::Scalar::from_bytes_mod_order_wide(input))
    }

    /// The scalar of these bytes, if they are below l.
    pub fn from_canonical_bytes(bytes: [u8; 32]) -> CtOption<Scalar> {
        engine::Scalar::from_canonical_bytes(bytes).map(Scalar)
    }

    /// The lower 255 bits as they are, not reduced. Sums and differences of such a value are not specified; products
    /// reduce it.
    #[cfg(feature = "legacy_compatibility")]
    #[cfg_attr(dalek = "4", deprecated(since = "4.0.0", note = "arithmetic with unreduced scalars goes wrong easily"))]
    pub const fn from_bits(mut bytes: [u8; 32]) -> Scalar {
        bytes[31] &= 127;
        Scalar::unreduced(bytes)
    }

    /// The bytes.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// The bytes, borrowed.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The inverse; 0 for 0.
    pub fn invert(&self) -> Scalar {
        Scalar(self.0.invert())
    }

    /// Inverts all in place and returns the inverse of their product: one inversion, three multiplications each.
    ///
    /// None may be 0: that gives zeros, and a panic in debug builds.
    #[cfg(dalek = "5")]
    pub fn invert_batch<const N: usize>(inputs: &mut [Scalar; N]) -> Scalar {
        let mut before = [Scalar::ZERO; N];
        Scalar::invert_all(inputs, &mut before)
    }

    /// [`invert_batch`](Scalar::invert_batch) for any number.
    #[cfg(all(dalek = "5", feature = "alloc"))]
    pub fn invert_batch_alloc(inputs: &mut [Scalar]) -> Scalar {
        let mut before = alloc::vec![Scalar::ZERO; inputs.len()];
        Scalar::invert_all(inputs, &mut before)
    }

    /// Inverts all in place and returns the inverse of their product: one inversion, three multiplications each.
    ///
    /// None may be 0: that gives zeros, and a panic in debug builds.
    #[cfg(all(dalek = "4", feature = "alloc"))]
    pub fn batch_invert(inputs: &mut [Scalar]) -> Scalar {
        let mut before = alloc::vec![Scalar::ZERO; inputs.len()];
        Scalar::invert_all(inputs, &mut before)
    }

    #[cfg(any(dalek = "5", feature = "alloc"))]
    fn invert_all(inputs: &mut [Scalar], before: &mut [Scalar]) -> Scalar {
        let mut product = Scalar::ONE;
        for (x, before) in inputs.iter().zip(before.iter_mut()) {
            *before = product;
            product *= x;
        }
        debug_assert!(product != Scalar::ZERO, "the inverse of 0 was asked for");
        let all = product.invert();
        let mut inverse = all;
        for (x, before) in inputs.iter_mut().zip(before.iter()).rev() {
            let next = inverse * *x;
            *x = inverse * *before;
            inverse = next;
        }
        before.iter_mut().for_each(|x| x.0.zeroize());
        all
    }

    /// `self/2`
    #[cfg(dalek = "5")]
    pub fn div_by_2(&self) -> Scalar {
        // (l + 1)/2
        const HALF: Scalar = Scalar::unreduced([
            0xf7, 0xe9, 0x7a, 0x2e, 0x8d, 0x31, 0x09, 0x2c, 0x6b, 0xce, 0x7b, 0x51, 0xef, 0x7c, 0x6f, 0x0a, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08,
        ]);
        self * HALF
    }

    /// A uniform scalar: 64 random bytes, reduced.
    #[cfg(all(dalek = "5", feature = "rand_core"))]
    pub fn random<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Scalar {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        Scalar::from_bytes_mod_order_wide(&bytes)
    }

    /// A uniform scalar: 64 random bytes, reduced.
    #[cfg(all(dalek = "4", feature = "rand_core"))]
    pub fn random<R: rand_core::CryptoRngCore + ?Sized>(rng: &mut R) -> Scalar {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        Scalar::from_bytes_mod_order_wide(&bytes)
    }

    /// The hash of `input`, reduced.
    #[cfg(feature = "digest")]
    pub fn hash_from_bytes<D>(input: &[u8]) -> Scalar
    where
        D: digest::Digest<OutputSize = digest::consts::U64> + Default,
    {
        Scalar::from_hash(D::default().chain_update(input))
    }

    /// What was hashed, reduced.
    #[cfg(feature = "digest")]
    pub fn from_hash<D>(hash: D) -> Scalar
    where
        D: digest::Digest<OutputSize = digest::consts::U64>,
    {
        Scalar::from_bytes_mod_order_wide(&crate::field::array(&hash.finalize()))
    }
}

operator!(Add add, Scalar, Scalar => Scalar, "The residue of the sum.", |a, b| Scalar(a.0 + b.0));
operator!(Sub sub, Scalar, Scalar => Scalar, "The residue of the difference.", |a, b| Scalar(a.0 - b.0));
operator!(Mul mul, Scalar, Scalar => Scalar, "The residue of the product.", |a, b| Scalar(a.0 * b.0));
assigning_operator!(AddAssign add_assign, Scalar, Scalar, Add add);
assigning_operator!(SubAssign sub_assign, Scalar, Scalar, Sub sub);
assigning_operator!(MulAssign mul_assign, Scalar, Scalar, Mul mul);
negation!(Scalar, |a| Scalar(-a.0));

impl<T: Borrow<Scalar>> Product<T> for Scalar {
    fn product<I: Iterator<Item = T>>(factors: I) -> Scalar {
        factors.fold(Scalar::ONE, |product, x| product * x.borrow())
    }
}

impl<T: Borrow<Scalar>> Sum<T> for Scalar {
    fn sum<I: Iterator<Item = T>>(terms: I) -> Scalar {
        terms.fold(Scalar::ZERO, |sum, x| sum + x.borrow())
    }
}

macro_rules! from_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Scalar {
            fn from(x: $integer) -> Scalar {
                Scalar(x.into())
            }
        }
    )*};
}

from_integers!(u8, u16, u32, u64, u128);

impl Index<usize> for Scalar {
    type Output = u8;
    /// A byte, the least significant one first.
    fn index(&self, index: usize) -> &u8 {
        &self.as_bytes()[index]
    }
}

impl ConstantTimeEq for Scalar {
    fn ct_eq(&self, other: &Scalar) -> Choice {
        self.as_bytes().ct_eq(other.as_bytes())
    }
}

constant_time_equality!(Scalar);

impl Hash for Scalar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl ConditionallySelectable for Scalar {
    fn conditional_select(a: &Scalar, b: &Scalar, choice: Choice) -> Scalar {
        Scalar(engine::Scalar::conditional_select(&a.0, &b.0, choice))
    }
}

impl Default for Scalar {
    fn default() -> Scalar {
        Scalar::ZERO
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scalar{{\n\tbytes: {:?},\n}}", self.as_bytes())
    }
}

#[cfg(feature = "zeroize")]
impl Zeroize for Scalar {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Clears bits 0, 1, 2 and 255 and sets bit 254: a multiple of the cofactor between 2^254 and 2^255.
#[must_use]
pub const fn clamp_integer(bytes: [u8; 32]) -> [u8; 32] {
    engine::clamp(bytes)
}

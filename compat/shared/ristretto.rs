//! The Ristretto group of prime order l. RFC 9496.

use core::fmt;

use curve25519_lanes as engine;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
#[allow(unused_imports)] // Not every choice of features has something to wipe.
use zeroize::{Zeroize, Zeroizing};

use crate::constants::EIGHT_TORSION;
#[cfg(feature = "precomputed-tables")]
use crate::edwards::EdwardsBasepointTable;
use crate::edwards::EdwardsPoint;
use crate::scalar::Scalar;
#[cfg(feature = "alloc")]
pub use crate::sums::VartimeRistrettoPrecomputation;
#[cfg(feature = "precomputed-tables")]
use crate::traits::BasepointTable;
use crate::traits::Identity;

/// 32 bytes that may be the one encoding of an element.
#[allow(clippy::derived_hash_with_manual_eq)] // Equality is that of the bytes either way.
#[derive(Clone, Copy, Hash)]
#[cfg_attr(dalek = "4", derive(PartialEq, Eq))]
pub struct CompressedRistretto(pub [u8; 32]);

encoding!(CompressedRistretto, [0; 32]);

impl CompressedRistretto {
    /// The element, if these bytes encode one.
    pub fn decompress(&self) -> Option<RistrettoPoint> {
        engine::CompressedRistretto(self.0).decompress().map(RistrettoPoint)
    }
}

/// An element of the Ristretto group.
#[derive(Clone, Copy)]
pub struct RistrettoPoint(pub(crate) engine::RistrettoPoint);

impl RistrettoPoint {
    /// The encoding.
    pub fn compress(&self) -> CompressedRistretto {
        CompressedRistretto(self.0.compress().0)
    }

    /// The encodings of the doubles of all, with one inversion.
    #[cfg(feature = "alloc")]
    pub fn double_and_compress_batch<'a, I>(points: I) -> alloc::vec::Vec<CompressedRistretto>
    where
        I: IntoIterator<Item = &'a RistrettoPoint>,
    {
        let points: alloc::vec::Vec<_> = points.into_iter().map(|p| p.0).collect();
        engine::double_and_compress_batch_ristretto(&points).into_iter().map(CompressedRistretto).collect()
    }

    /// A uniform element, from 64 random bytes.
    #[cfg(all(dalek = "5", feature = "rand_core"))]
    pub fn random<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> RistrettoPoint {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        RistrettoPoint::from_uniform_bytes(&bytes)
    }

    /// A uniform element, from 64 random bytes.
    ///
    /// # Errors
    /// The generator's.
    #[cfg(all(dalek = "5", feature = "rand_core"))]
    pub fn try_random<R: rand_core::TryCryptoRng + ?Sized>(rng: &mut R) -> Result<RistrettoPoint, R::Error> {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.try_fill_bytes(&mut *bytes)?;
        Ok(RistrettoPoint::from_uniform_bytes(&bytes))
    }

    /// A uniform element, from 64 random bytes.
    #[cfg(all(dalek = "4", feature = "rand_core"))]
    pub fn random<R: rand_core::CryptoRngCore + ?Sized>(rng: &mut R) -> RistrettoPoint {
        let mut bytes = Zeroizing::new([0; 64]);
        rng.fill_bytes(&mut *bytes);
        RistrettoPoint::from_uniform_bytes(&bytes)
    }

    /// The element that the hash of `input` maps to; nobody knows its logarithm.
    #[cfg(feature = "digest")]
    pub fn hash_from_bytes<D>(input: &[u8]) -> RistrettoPoint
    where
        D: digest::Digest<OutputSize = digest::consts::U64> + Default,
    {
        RistrettoPoint::from_hash(D::default().chain_update(input))
    }

    /// The element that what was hashed maps to.
    #[cfg(feature = "digest")]
    pub fn from_hash<D>(hash: D) -> RistrettoPoint
    where
        D: digest::Digest<OutputSize = digest::consts::U64> + Default,
    {
        RistrettoPoint::from_uniform_bytes(&crate::field::array(&hash.finalize()))
    }

    /// The element that 64 uniform bytes map to: the sum of the maps of their halves, of each half's 255 lower bits.
    pub fn from_uniform_bytes(bytes: &[u8; 64]) -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::from_uniform_bytes(bytes))
    }

    /// The single map of RFC 9496 from the 255 lower bits, which reaches about half of the elements.
    #[cfg(dalek = "5")]
    pub fn map_to_curve(bytes: [u8; 32]) -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::map(&bytes))
    }

    /// `scalar·B`, `B` the generator. Constant-time.
    pub fn mul_base(scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::mul_base(&scalar.0))
    }

    /// `aA + bB`, `B` the generator, in variable time.
    #[allow(non_snake_case)]
    pub fn vartime_double_scalar_mul_basepoint(a: &Scalar, A: &RistrettoPoint, b: &Scalar) -> RistrettoPoint {
        let sum = engine::msm::double_base_vartime(&a.0, A.0.as_edwards(), &b.0);
        RistrettoPoint(engine::RistrettoPoint::from_edwards_unchecked(sum))
    }
}

point_sums!(
    RistrettoPoint, RistrettoPoint => RistrettoPoint, |a, b| RistrettoPoint(a.0 + b.0), RistrettoPoint(a.0 - b.0)
);
point_products!(RistrettoPoint, |p, k| RistrettoPoint(k.0 * p.0));
negation!(RistrettoPoint, |p| RistrettoPoint(-p.0));
group_sum!(RistrettoPoint);

impl Identity for RistrettoPoint {
    fn identity() -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::IDENTITY)
    }
}

impl Default for RistrettoPoint {
    fn default() -> RistrettoPoint {
        RistrettoPoint::identity()
    }
}

impl ConstantTimeEq for RistrettoPoint {
    fn ct_eq(&self, other: &RistrettoPoint) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

constant_time_equality!(RistrettoPoint);

impl ConditionallySelectable for RistrettoPoint {
    fn conditional_select(a: &RistrettoPoint, b: &RistrettoPoint, choice: Choice) -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::conditional_select(&a.0, &b.0, choice))
    }
}

impl fmt::Debug for RistrettoPoint {
    /// The four points that stand for the element.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RistrettoPoint: coset ")?;
        for i in [0, 2, 4, 6] {
            write!(f, "\n{:?}", EdwardsPoint(*self.0.as_edwards()) + EIGHT_TORSION[i])?;
        }
        Ok(())
    }
}

#[cfg(feature = "zeroize")]
impl Zeroize for RistrettoPoint {
    /// Leaves the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Multiples of one element, for constant-time products. 66 KiB on the heap, shared by clones.
#[cfg(feature = "precomputed-tables")]
#[derive(Clone)]
pub struct RistrettoBasepointTable(pub(crate) EdwardsBasepointTable);

#[cfg(feature = "precomputed-tables")]
impl RistrettoBasepointTable {
    /// The table of this element.
    pub fn create(basepoint: &RistrettoPoint) -> RistrettoBasepointTable {
        RistrettoBasepointTable(EdwardsBasepointTable::create(&EdwardsPoint(*basepoint.0.as_edwards())))
    }

    /// The element.
    pub fn basepoint(&self) -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::from_edwards_unchecked(self.0.basepoint().0))
    }
}

#[cfg(feature = "precomputed-tables")]
impl core::ops::Mul<&Scalar> for &RistrettoBasepointTable {
    type Output = RistrettoPoint;
    /// `scalar` times the element of the table. Constant-time.
    fn mul(self, scalar: &Scalar) -> RistrettoPoint {
        RistrettoPoint(engine::RistrettoPoint::from_edwards_unchecked(self.0.mul_base(scalar).0))
    }
}

#[cfg(feature = "precomputed-tables")]
impl core::ops::Mul<&RistrettoBasepointTable> for &Scalar {
    type Output = RistrettoPoint;
    /// `self` times the element of the table. Constant-time.
    fn mul(self, table: &RistrettoBasepointTable) -> RistrettoPoint {
        table * self
    }
}

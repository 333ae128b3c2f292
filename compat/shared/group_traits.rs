//! The traits of `ff` and `group`.

use group::cofactor::CofactorGroup;
use group::ff::{Field, FromUniformBytes, PrimeField, helpers};
#[cfg(feature = "group-bits")]
use group::ff::{FieldBits, PrimeFieldBits};
use group::prime::PrimeGroup;
use group::{Group, GroupEncoding};
#[cfg(dalek = "4")]
use rand_core::RngCore;
#[cfg(dalek = "5")]
use rand_core::TryRng;
use subtle::{Choice, CtOption};
#[cfg(dalek = "5")]
use subtle::{ConditionallySelectable, ConstantTimeEq};

use crate::constants::{ED25519_BASEPOINT_POINT, RISTRETTO_BASEPOINT_POINT};
use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::ristretto::{CompressedRistretto, RistrettoPoint};
use crate::scalar::Scalar;
use crate::traits::Identity;

/// The functions that draw from a generator, which can fail in `group` 0.14 and can't in 0.13.
#[cfg(dalek = "5")]
macro_rules! random {
    (|$fill:ident| $draw:expr) => {
        fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
            #[allow(unused_mut)]
            let mut $fill = |bytes: &mut [u8]| rng.try_fill_bytes(bytes);
            $draw
        }
    };
}
#[cfg(dalek = "4")]
macro_rules! random {
    (|$fill:ident| $draw:expr) => {
        fn random(mut rng: impl RngCore) -> Self {
            let mut draw = || -> Result<Self, core::convert::Infallible> {
                #[allow(unused_mut)]
                let mut $fill = |bytes: &mut [u8]| {
                    rng.fill_bytes(bytes);
                    Ok::<(), core::convert::Infallible>(())
                };
                $draw
            };
            match draw() {
                Ok(drawn) => drawn,
                Err(never) => match never {},
            }
        }
    };
}

const fn small(x: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = x;
    bytes
}

fn random_scalar<E>(mut fill: impl FnMut(&mut [u8]) -> Result<(), E>) -> Result<Scalar, E> {
    let mut bytes = zeroize::Zeroizing::new([0; 64]);
    fill(&mut *bytes)?;
    Ok(Scalar::from_bytes_mod_order_wide(&bytes))
}

impl Field for Scalar {
    const ZERO: Scalar = Scalar::ZERO;
    const ONE: Scalar = Scalar::ONE;

    random!(|fill| random_scalar(fill));

    fn square(&self) -> Scalar {
        self * self
    }

    fn double(&self) -> Scalar {
        self + self
    }

    fn invert(&self) -> CtOption<Scalar> {
        CtOption::new(Scalar::invert(self), !self.is_zero())
    }

    fn sqrt_ratio(num: &Scalar, div: &Scalar) -> (Choice, Scalar) {
        helpers::sqrt_ratio_generic(num, div)
    }

    fn sqrt(&self) -> CtOption<Scalar> {
        // (l - 5)/8, and l - 1 = 4·odd.
        helpers::sqrt_tonelli_shanks(self, [0xcb02_4c63_4b9e_ba7d, 0x029b_df3b_d45e_f39a, 0, 0x0200_0000_0000_0000])
    }
}

impl PrimeField for Scalar {
    type Repr = [u8; 32];

    const MODULUS: &'static str = "0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed";
    const NUM_BITS: u32 = 253;
    const CAPACITY: u32 = 252;
    const TWO_INV: Scalar = Scalar::unreduced([
        0xf7, 0xe9, 0x7a, 0x2e, 0x8d, 0x31, 0x09, 0x2c, 0x6b, 0xce, 0x7b, 0x51, 0xef, 0x7c, 0x6f, 0x0a, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x08,
    ]);
    const MULTIPLICATIVE_GENERATOR: Scalar = Scalar::unreduced(SMALL[0]);
    const S: u32 = 2;
    const ROOT_OF_UNITY: Scalar = Scalar::unreduced([
        0xd4, 0x07, 0xbe, 0xeb, 0xdf, 0x75, 0x87, 0xbe, 0xfe, 0x83, 0xce, 0x42, 0x53, 0x56, 0xf0, 0x0e, 0x7a, 0xc2,
        0xc1, 0xab, 0x60, 0x6d, 0x3d, 0x7d, 0xe7, 0x81, 0x79, 0xe0, 0x10, 0x73, 0x4a, 0x09,
    ]);
    const ROOT_OF_UNITY_INV: Scalar = Scalar::unreduced([
        0x19, 0xcc, 0x37, 0x71, 0x3a, 0xed, 0x8a, 0x99, 0xd7, 0x18, 0x29, 0x60, 0x8b, 0xa3, 0xee, 0x05, 0x86, 0x3d,
        0x3e, 0x54, 0x9f, 0x92, 0xc2, 0x82, 0x18, 0x7e, 0x86, 0x1f, 0xef, 0x8c, 0xb5, 0x06,
    ]);
    const DELTA: Scalar = Scalar::unreduced(SMALL[1]);

    fn from_repr(repr: [u8; 32]) -> CtOption<Scalar> {
        Scalar::from_canonical_bytes(repr)
    }

    fn from_repr_vartime(repr: [u8; 32]) -> Option<Scalar> {
        Scalar::from_canonical_bytes(repr).into()
    }

    fn to_repr(&self) -> [u8; 32] {
        self.to_bytes()
    }

    fn is_odd(&self) -> Choice {
        Choice::from(self[0] & 1)
    }
}

/// 2 and 16.
const SMALL: [[u8; 32]; 2] = [small(2), small(16)];

impl FromUniformBytes<64> for Scalar {
    fn from_uniform_bytes(bytes: &[u8; 64]) -> Scalar {
        Scalar::from_bytes_mod_order_wide(bytes)
    }
}

#[cfg(feature = "group-bits")]
impl PrimeFieldBits for Scalar {
    type ReprBits = [u8; 32];

    fn to_le_bits(&self) -> FieldBits<[u8; 32]> {
        self.to_bytes().into()
    }

    fn char_le_bits() -> FieldBits<[u8; 32]> {
        #[allow(deprecated)]
        crate::constants::BASEPOINT_ORDER.to_bytes().into()
    }
}

fn ct_option<T: Default>(value: Option<T>) -> CtOption<T> {
    let is_some = Choice::from(u8::from(value.is_some()));
    CtOption::new(value.unwrap_or_default(), is_some)
}

impl Group for EdwardsPoint {
    type Scalar = Scalar;

    random!(|fill| EdwardsPoint::rejection_sampled(|bytes| fill(bytes)));

    fn identity() -> EdwardsPoint {
        Identity::identity()
    }

    fn generator() -> EdwardsPoint {
        ED25519_BASEPOINT_POINT
    }

    fn is_identity(&self) -> Choice {
        self.0.is_identity()
    }

    fn double(&self) -> EdwardsPoint {
        EdwardsPoint(self.0.double())
    }
}

impl GroupEncoding for EdwardsPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<EdwardsPoint> {
        ct_option(CompressedEdwardsY(*bytes).decompress())
    }

    /// Checks all the same.
    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<EdwardsPoint> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.compress().0
    }
}

impl CofactorGroup for EdwardsPoint {
    type Subgroup = SubgroupPoint;

    fn clear_cofactor(&self) -> SubgroupPoint {
        SubgroupPoint(self.mul_by_cofactor())
    }

    fn into_subgroup(self) -> CtOption<SubgroupPoint> {
        CtOption::new(SubgroupPoint(self), CofactorGroup::is_torsion_free(&self))
    }

    fn is_torsion_free(&self) -> Choice {
        self.0.is_torsion_free()
    }
}

/// A point known to lie in the subgroup of prime order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(dalek = "5", derive(Default))]
pub struct SubgroupPoint(EdwardsPoint);

impl From<SubgroupPoint> for EdwardsPoint {
    fn from(p: SubgroupPoint) -> EdwardsPoint {
        p.0
    }
}

impl core::ops::Neg for SubgroupPoint {
    type Output = SubgroupPoint;
    fn neg(self) -> SubgroupPoint {
        SubgroupPoint(-self.0)
    }
}

point_sums!(SubgroupPoint, SubgroupPoint => SubgroupPoint, |a, b| SubgroupPoint(a.0 + b.0), SubgroupPoint(a.0 - b.0));
point_sums!(EdwardsPoint, SubgroupPoint => EdwardsPoint, |a, b| a + b.0, a - b.0);
point_products!(SubgroupPoint, |p, k| SubgroupPoint(p.0 * k));

impl<T: core::borrow::Borrow<SubgroupPoint>> core::iter::Sum<T> for SubgroupPoint {
    fn sum<I: Iterator<Item = T>>(terms: I) -> SubgroupPoint {
        terms.fold(<SubgroupPoint as Group>::identity(), |sum, p| sum + p.borrow())
    }
}

// The 4.1 line has neither of these, nor Default.
#[cfg(dalek = "5")]
impl ConstantTimeEq for SubgroupPoint {
    fn ct_eq(&self, other: &SubgroupPoint) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

#[cfg(dalek = "5")]
impl ConditionallySelectable for SubgroupPoint {
    fn conditional_select(a: &SubgroupPoint, b: &SubgroupPoint, choice: Choice) -> SubgroupPoint {
        SubgroupPoint(EdwardsPoint::conditional_select(&a.0, &b.0, choice))
    }
}

#[cfg(all(dalek = "5", feature = "zeroize"))]
impl zeroize::Zeroize for SubgroupPoint {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Group for SubgroupPoint {
    type Scalar = Scalar;

    random!(|fill| loop {
        let k = random_scalar(&mut fill)?;
        if k != Scalar::ZERO {
            break Ok(SubgroupPoint(EdwardsPoint::mul_base(&k)));
        }
    });

    fn identity() -> SubgroupPoint {
        SubgroupPoint(Identity::identity())
    }

    fn generator() -> SubgroupPoint {
        SubgroupPoint(ED25519_BASEPOINT_POINT)
    }

    fn is_identity(&self) -> Choice {
        Group::is_identity(&self.0)
    }

    fn double(&self) -> SubgroupPoint {
        SubgroupPoint(Group::double(&self.0))
    }
}

impl GroupEncoding for SubgroupPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<SubgroupPoint> {
        EdwardsPoint::from_bytes(bytes).and_then(|p| p.into_subgroup())
    }

    /// Checks all the same.
    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<SubgroupPoint> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.0.compress().0
    }
}

impl PrimeGroup for SubgroupPoint {}

impl Group for RistrettoPoint {
    type Scalar = Scalar;

    random!(|fill| {
        let mut bytes = zeroize::Zeroizing::new([0; 64]);
        fill(&mut *bytes)?;
        Ok(RistrettoPoint::from_uniform_bytes(&bytes))
    });

    fn identity() -> RistrettoPoint {
        Identity::identity()
    }

    fn generator() -> RistrettoPoint {
        RISTRETTO_BASEPOINT_POINT
    }

    fn is_identity(&self) -> Choice {
        self.0.is_identity()
    }

    fn double(&self) -> RistrettoPoint {
        RistrettoPoint(self.0.double())
    }
}

impl GroupEncoding for RistrettoPoint {
    type Repr = [u8; 32];

    fn from_bytes(bytes: &[u8; 32]) -> CtOption<RistrettoPoint> {
        ct_option(CompressedRistretto(*bytes).decompress())
    }

    /// Checks all the same.
    fn from_bytes_unchecked(bytes: &[u8; 32]) -> CtOption<RistrettoPoint> {
        Self::from_bytes(bytes)
    }

    fn to_bytes(&self) -> [u8; 32] {
        self.compress().0
    }
}

impl PrimeGroup for RistrettoPoint {}

impl CofactorGroup for RistrettoPoint {
    type Subgroup = RistrettoPoint;

    fn clear_cofactor(&self) -> RistrettoPoint {
        *self
    }

    fn into_subgroup(self) -> CtOption<RistrettoPoint> {
        CtOption::new(self, Choice::from(1))
    }

    fn is_torsion_free(&self) -> Choice {
        Choice::from(1)
    }
}

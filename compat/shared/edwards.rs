//! Points of the Edwards curve, all of them: those of small and mixed order too.

use core::fmt;

use curve25519_lanes as engine;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

#[cfg(feature = "group")]
pub use crate::group_traits::SubgroupPoint;
use crate::montgomery::MontgomeryPoint;
use crate::scalar::{Scalar, clamp_integer};
#[cfg(feature = "alloc")]
pub use crate::sums::VartimeEdwardsPrecomputation;
#[cfg(feature = "precomputed-tables")]
use crate::traits::BasepointTable;
#[allow(unused_imports)] // One line has no use for IsIdentity here.
use crate::traits::{Identity, IsIdentity};

/// 32 bytes that may encode a point: `y` little-endian, the sign of `x` in the top bit.
///
/// [`decompress`](CompressedEdwardsY::decompress) takes `y` mod p and ignores the sign of `x = 0`, as the original does;
/// the strict rule is in [`lanes`](crate::lanes).
#[allow(clippy::derived_hash_with_manual_eq)] // Equality is that of the bytes either way.
#[derive(Clone, Copy, Hash)]
#[cfg_attr(dalek = "4", derive(PartialEq, Eq))]
pub struct CompressedEdwardsY(pub [u8; 32]);

encoding!(CompressedEdwardsY, engine::CompressedEdwardsY::IDENTITY.0);

impl CompressedEdwardsY {
    /// The point, if there is one with this `y`.
    pub fn decompress(&self) -> Option<EdwardsPoint> {
        engine::CompressedEdwardsY(self.0).decompress_dalek().map(EdwardsPoint)
    }
}

/// A point of the Edwards curve `-x² + y² = 1 + d·x²·y²` over the field of 2^255-19 elements.
#[derive(Clone, Copy)]
pub struct EdwardsPoint(pub(crate) engine::EdwardsPoint);

impl EdwardsPoint {
    /// The `u`-coordinate of the same point in Montgomery form; 0 for the neutral element.
    pub fn to_montgomery(&self) -> MontgomeryPoint {
        MontgomeryPoint(self.0.to_montgomery().0)
    }

    /// [`to_montgomery`](EdwardsPoint::to_montgomery) of each, with one inversion for all.
    #[cfg(all(dalek = "5", feature = "alloc"))]
    pub fn to_montgomery_batch(eds: &[EdwardsPoint]) -> alloc::vec::Vec<MontgomeryPoint> {
        let points: alloc::vec::Vec<_> = eds.iter().map(|p| p.0).collect();
        engine::to_montgomery_batch(&points).iter().map(|u| MontgomeryPoint(u.0)).collect()
    }

    /// The encoding.
    pub fn compress(&self) -> CompressedEdwardsY {
        CompressedEdwardsY(self.0.compress().0)
    }

    /// The encodings of all, with one inversion.
    #[cfg(dalek = "5")]
    pub fn compress_batch<const N: usize>(inputs: &[EdwardsPoint; N]) -> [CompressedEdwardsY; N] {
        let encodings = engine::compress_batch(&inputs.map(|p| p.0));
        core::array::from_fn(|i| CompressedEdwardsY(encodings[i]))
    }

    /// The encodings of all, with one inversion.
    #[cfg(all(dalek = "5", feature = "alloc"))]
    pub fn compress_batch_alloc(inputs: &[EdwardsPoint]) -> alloc::vec::Vec<CompressedEdwardsY> {
        let points: alloc::vec::Vec<_> = inputs.iter().map(|p| p.0).collect();
        engine::compress_batch(&points).into_iter().map(CompressedEdwardsY).collect()
    }

    /// `scalar·B`, `B` the base point. Constant-time.
    pub fn mul_base(scalar: &Scalar) -> EdwardsPoint {
        EdwardsPoint(engine::EdwardsPoint::mul_base(&scalar.0))
    }

    /// The clamped integer of these bytes, not reduced, times this point. Constant-time.
    pub fn mul_clamped(self, bytes: [u8; 32]) -> EdwardsPoint {
        Scalar::unreduced(clamp_integer(bytes)) * self
    }

    /// The clamped integer of these bytes times the base point. Constant-time.
    pub fn mul_base_clamped(bytes: [u8; 32]) -> EdwardsPoint {
        EdwardsPoint::mul_base(&Scalar::unreduced(clamp_integer(bytes)))
    }

    /// `aA + bB`, `B` the base point, in variable time.
    #[allow(non_snake_case)]
    pub fn vartime_double_scalar_mul_basepoint(a: &Scalar, A: &EdwardsPoint, b: &Scalar) -> EdwardsPoint {
        EdwardsPoint(engine::msm::double_base_vartime(&a.0, &A.0, &b.0))
    }

    /// `8·self`
    pub fn mul_by_cofactor(&self) -> EdwardsPoint {
        EdwardsPoint(self.0.mul_by_cofactor())
    }

    /// Whether `8·self` is the neutral element.
    pub fn is_small_order(&self) -> bool {
        self.0.is_small_order().into()
    }

    /// Whether `l·self` is the neutral element: whether this point has no part of small order.
    pub fn is_torsion_free(&self) -> bool {
        self.0.is_torsion_free().into()
    }

    /// A random point other than the neutral element; it may have a part of small order. In variable time.
    #[cfg(all(dalek = "5", feature = "rand_core"))]
    pub fn random<R: rand_core::Rng + ?Sized>(rng: &mut R) -> EdwardsPoint {
        match EdwardsPoint::rejection_sampled(|bytes| {
            rng.fill_bytes(bytes);
            Ok::<(), core::convert::Infallible>(())
        }) {
            Ok(point) => point,
            Err(never) => match never {},
        }
    }

    /// Draws encodings until one is a point and not the neutral element.
    #[cfg(any(feature = "group", all(dalek = "5", feature = "rand_core")))]
    pub(crate) fn rejection_sampled<E>(
        mut fill: impl FnMut(&mut [u8; 32]) -> Result<(), E>,
    ) -> Result<EdwardsPoint, E> {
        let mut encoding = CompressedEdwardsY([0; 32]);
        loop {
            fill(&mut encoding.0)?;
            if let Some(point) = encoding.decompress()
                && !IsIdentity::is_identity(&point)
            {
                return Ok(point);
            }
        }
    }
}

point_sums!(EdwardsPoint, EdwardsPoint => EdwardsPoint, |a, b| EdwardsPoint(a.0 + b.0), EdwardsPoint(a.0 - b.0));
point_products!(EdwardsPoint, |p, k| EdwardsPoint(k.0 * p.0));
negation!(EdwardsPoint, |p| EdwardsPoint(-p.0));
group_sum!(EdwardsPoint);

impl Identity for EdwardsPoint {
    fn identity() -> EdwardsPoint {
        EdwardsPoint(engine::EdwardsPoint::IDENTITY)
    }
}

impl Default for EdwardsPoint {
    fn default() -> EdwardsPoint {
        EdwardsPoint::identity()
    }
}

impl ConstantTimeEq for EdwardsPoint {
    fn ct_eq(&self, other: &EdwardsPoint) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

constant_time_equality!(EdwardsPoint);

impl ConditionallySelectable for EdwardsPoint {
    fn conditional_select(a: &EdwardsPoint, b: &EdwardsPoint, choice: Choice) -> EdwardsPoint {
        EdwardsPoint(engine::EdwardsPoint::conditional_select(&a.0, &b.0, choice))
    }
}

impl fmt::Debug for EdwardsPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z, t] = self.0.coordinates();
        write!(f, "EdwardsPoint{{\n\tX: {x:?},\n\tY: {y:?},\n\tZ: {z:?},\n\tT: {t:?}\n}}")
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::Zeroize for EdwardsPoint {
    /// Leaves the neutral element.
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// The table behind every radix: of the base point, which the engine has, or of another point, on the heap.
#[cfg(feature = "precomputed-tables")]
#[derive(Clone)]
enum Table {
    Basepoint,
    Of(engine::msm::FixedBase),
}

/// The table types of upstream. The engine has one layout, whatever the radix in the name.
#[cfg(feature = "precomputed-tables")]
macro_rules! basepoint_table {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Table);

        impl BasepointTable for $name {
            type Point = EdwardsPoint;

            fn create(basepoint: &EdwardsPoint) -> $name {
                $name(Table::Of(engine::msm::FixedBase::new(&basepoint.0)))
            }

            fn basepoint(&self) -> EdwardsPoint {
                match &self.0 {
                    Table::Basepoint => EdwardsPoint(engine::EdwardsPoint::BASEPOINT),
                    Table::Of(table) => EdwardsPoint(table.point()),
                }
            }

            fn mul_base(&self, scalar: &Scalar) -> EdwardsPoint {
                match &self.0 {
                    Table::Basepoint => EdwardsPoint::mul_base(scalar),
                    Table::Of(table) => EdwardsPoint(table.mul(&scalar.0)),
                }
            }
        }

        impl core::ops::Mul<&Scalar> for &$name {
            type Output = EdwardsPoint;
            /// `scalar` times the point of the table. Constant-time.
            fn mul(self, scalar: &Scalar) -> EdwardsPoint {
                self.mul_base(scalar)
            }
        }

        impl core::ops::Mul<&$name> for &Scalar {
            type Output = EdwardsPoint;
            /// `self` times the point of the table. Constant-time.
            fn mul(self, table: &$name) -> EdwardsPoint {
                table.mul_base(self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($name)).field(&self.basepoint()).finish()
            }
        }
    };
}

#[cfg(feature = "precomputed-tables")]
basepoint_table!(
    /// Multiples of one point, for constant-time products. 66 KiB on the heap, shared by clones.
    EdwardsBasepointTable
);
#[cfg(feature = "precomputed-tables")]
basepoint_table!(
    /// As [`EdwardsBasepointTable`], also in size and speed.
    EdwardsBasepointTableRadix32
);
#[cfg(feature = "precomputed-tables")]
basepoint_table!(
    /// As [`EdwardsBasepointTable`], also in size and speed.
    EdwardsBasepointTableRadix64
);
#[cfg(feature = "precomputed-tables")]
basepoint_table!(
    /// As [`EdwardsBasepointTable`], also in size and speed.
    EdwardsBasepointTableRadix128
);
#[cfg(feature = "precomputed-tables")]
basepoint_table!(
    /// As [`EdwardsBasepointTable`], also in size and speed.
    EdwardsBasepointTableRadix256
);

/// [`EdwardsBasepointTable`] by the name of its radix.
#[cfg(feature = "precomputed-tables")]
pub type EdwardsBasepointTableRadix16 = EdwardsBasepointTable;

#[cfg(feature = "precomputed-tables")]
impl EdwardsBasepointTable {
    /// Of the base point.
    pub(crate) const BASEPOINT: EdwardsBasepointTable = EdwardsBasepointTable(Table::Basepoint);
}

/// Every table from every other; the multiples are shared.
#[cfg(feature = "precomputed-tables")]
macro_rules! table_conversions {
    ($($from:ident => $($to:ident),*;)*) => {$($(
        impl From<&$from> for $to {
            fn from(table: &$from) -> $to {
                $to(table.0.clone())
            }
        }
    )*)*};
}

#[cfg(feature = "precomputed-tables")]
table_conversions! {
    EdwardsBasepointTable => EdwardsBasepointTableRadix32, EdwardsBasepointTableRadix64,
        EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix32 => EdwardsBasepointTable, EdwardsBasepointTableRadix64,
        EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix64 => EdwardsBasepointTable, EdwardsBasepointTableRadix32,
        EdwardsBasepointTableRadix128, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix128 => EdwardsBasepointTable, EdwardsBasepointTableRadix32,
        EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix256;
    EdwardsBasepointTableRadix256 => EdwardsBasepointTable, EdwardsBasepointTableRadix32,
        EdwardsBasepointTableRadix64, EdwardsBasepointTableRadix128;
}

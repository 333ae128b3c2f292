//! Points and tables known beforehand.

use curve25519_lanes as engine;
use curve25519_lanes::field::FieldElement;

#[cfg(feature = "precomputed-tables")]
use crate::edwards::EdwardsBasepointTable;
use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::field::{I, MINUS_I, element};
use crate::montgomery::MontgomeryPoint;
#[cfg(feature = "precomputed-tables")]
use crate::ristretto::RistrettoBasepointTable;
use crate::ristretto::{CompressedRistretto, RistrettoPoint};

/// The encoding of the ed25519 base point: `y = 4/5`, `x` even.
pub const ED25519_BASEPOINT_COMPRESSED: CompressedEdwardsY = {
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    CompressedEdwardsY(bytes)
};

/// The base point of ed25519.
pub const ED25519_BASEPOINT_POINT: EdwardsPoint = EdwardsPoint(engine::EdwardsPoint::BASEPOINT);

/// The encoding of the Ristretto generator.
pub const RISTRETTO_BASEPOINT_COMPRESSED: CompressedRistretto = CompressedRistretto([
    0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f, 0x58, 0xe3, 0x0b,
    0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76,
]);

/// The Ristretto generator.
pub const RISTRETTO_BASEPOINT_POINT: RistrettoPoint = RistrettoPoint(engine::RistrettoPoint::BASEPOINT);

/// The base point of X25519, `u = 9`.
pub const X25519_BASEPOINT: MontgomeryPoint = MontgomeryPoint(engine::MontgomeryPoint::BASEPOINT.0);

/// The group order as a scalar that is not reduced.
#[cfg(dalek = "4")]
#[deprecated(since = "4.1.1", note = "not a scalar: its residue is 0")]
pub const BASEPOINT_ORDER: crate::Scalar = crate::Scalar::unreduced([
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
]);

/// Multiples of the ed25519 base point.
#[cfg(feature = "precomputed-tables")]
pub static ED25519_BASEPOINT_TABLE: &EdwardsBasepointTable = &EdwardsBasepointTable::BASEPOINT;

/// Multiples of the Ristretto generator.
#[cfg(feature = "precomputed-tables")]
pub static RISTRETTO_BASEPOINT_TABLE: &RistrettoBasepointTable =
    &RistrettoBasepointTable(EdwardsBasepointTable::BASEPOINT);

/// The points of order dividing 8: `EIGHT_TORSION[i]` is `i` times the generator at index 1.
pub const EIGHT_TORSION: [EdwardsPoint; 8] = {
    const X: FieldElement = element("4ad145c54646a1de38e2e513703c195cbb4ade38329933e9284a3906a0b9d51f");
    const Y: FieldElement = element("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
    const T: FieldElement = element("81877ede3e250d2d9685facd743d99ba0aaff892d1763230eb6ba260c344e26c");
    const MINUS_X: FieldElement = element("a32eba3ab9b95e21c71d1aec8fc3e6a344b521c7cd66cc16d7b5c6f95f462a60");
    const MINUS_Y: FieldElement = element("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05");
    const MINUS_T: FieldElement = element("6c788121c1daf2d2697a05328bc26645f550076d2e89cdcf14945d9f3cbb1d13");
    const MINUS_ONE: FieldElement = element("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f");
    const ZERO: FieldElement = FieldElement::ZERO;
    const ONE: FieldElement = FieldElement::ONE;
    const fn point(x: FieldElement, y: FieldElement, t: FieldElement) -> EdwardsPoint {
        EdwardsPoint(engine::EdwardsPoint::from_coordinates_unchecked([x, y, ONE, t]))
    }
    [
        point(ZERO, ONE, ZERO),
        point(X, Y, T),
        point(MINUS_I, ZERO, ZERO),
        point(X, MINUS_Y, MINUS_T),
        point(ZERO, MINUS_ONE, ZERO),
        point(MINUS_X, MINUS_Y, T),
        point(I, ZERO, ZERO),
        point(MINUS_X, Y, MINUS_T),
    ]
};

/// [`EIGHT_TORSION`] by another name.
#[doc(hidden)]
pub const EIGHT_TORSION_INNER_DOC_HIDDEN: [EdwardsPoint; 8] = EIGHT_TORSION;

/// The `u`-coordinates that X25519 maps to 0 whatever the scalar: 0, 1, the two of order 8, p - 1, p and p + 1.
#[cfg(dalek = "5")]
pub static X25519_LOW_ORDER_POINTS: [MontgomeryPoint; 7] = {
    const fn around_p(low: u8) -> MontgomeryPoint {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (low, 0x7f);
        MontgomeryPoint(bytes)
    }
    let mut one = [0; 32];
    one[0] = 1;
    [
        MontgomeryPoint([0; 32]),
        MontgomeryPoint(one),
        MontgomeryPoint([
            0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09,
            0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
        ]),
        MontgomeryPoint([
            0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b, 0x04, 0x44,
            0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
        ]),
        around_p(0xec),
        around_p(0xed),
        around_p(0xee),
    ]
};

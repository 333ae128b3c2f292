//! What is known of the field here: constants given as text, and bytes as arrays.

use curve25519_lanes::field::FieldElement;

/// A slice of known length as an array.
#[cfg(feature = "digest")]
pub(crate) fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(bytes);
    out
}

/// A field element from 64 hexadecimal digits of its little-endian bytes.
pub(crate) const fn element(digits: &str) -> FieldElement {
    const fn digit(d: u8) -> u8 {
        if d < b'a' { d - b'0' } else { d - b'a' + 10 }
    }
    let digits = digits.as_bytes();
    let (mut bytes, mut i) = ([0; 32], 0);
    while i < 32 {
        bytes[i] = digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]);
        i += 1;
    }
    FieldElement::from_bytes(&bytes)
}

/// `-x` if told so.
#[cfg(all(dalek = "5", feature = "digest"))]
pub(crate) fn negate_if(x: FieldElement, choice: subtle::Choice) -> FieldElement {
    subtle::ConditionallySelectable::conditional_select(&x, &-x, choice)
}

/// `i = sqrt(-1)`, the even root.
pub(crate) const I: FieldElement = element("b0a00e4a271beec478e42fad0618432fa7d7fb3d99004d2b0bdfc14f8024832b");
/// `-i`
pub(crate) const MINUS_I: FieldElement = element("3d5ff1b5d8e4113b871bd052f9e7bcd0582804c266ffb2d4f4203eb07fdb7c54");

//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

/// One part of a statement or signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The one-time key of this ring member.
    Key(usize),
    /// The commitment of this ring member.
    Commitment(usize),
    /// The pseudo-output.
    PseudoOut,
    /// The key image I.
    KeyImage,
    /// D
    D,
    /// c1
    C1,
    /// The response s of this ring member.
    Response(usize),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Key(i) => write!(f, "the key of ring member {i}"),
            Field::Commitment(i) => write!(f, "the commitment of ring member {i}"),
            Field::PseudoOut => f.write_str("the pseudo-output"),
            Field::KeyImage => f.write_str("the key image"),
            Field::D => f.write_str("D"),
            Field::C1 => f.write_str("c1"),
            Field::Response(i) => write!(f, "s[{i}]"),
        }
    }
}

/// Why a signature was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// A ring without members.
    EmptyRing,
    /// Not one response for each ring member.
    Responses {
        /// Responses there are.
        found: usize,
        /// Members of the ring.
        expected: usize,
    },
    /// A scalar is not below the group order.
    Scalar(Field),
    /// The key image is the neutral element.
    IdentityImage,
    /// Not the canonical encoding of a curve point.
    Point(Field),
    /// 8·D is the neutral element.
    SmallOrderD,
    /// The challenge made with this ring member is zero.
    ZeroChallenge(usize),
    /// All parts are well formed, but the chain of challenges doesn't close.
    Equation,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::EmptyRing => f.write_str("the ring is empty"),
            VerifyError::Responses { found, expected } => {
                write!(f, "{found} responses for a ring of {expected}")
            }
            VerifyError::Scalar(field) => write!(f, "{field} is not below the group order"),
            VerifyError::IdentityImage => f.write_str("the key image is the identity"),
            VerifyError::Point(field) => write!(f, "{field} is not a canonical point encoding"),
            VerifyError::SmallOrderD => f.write_str("D is of small order"),
            VerifyError::ZeroChallenge(i) => write!(f, "the challenge of ring member {i} is zero"),
            VerifyError::Equation => f.write_str("the chain of challenges does not close"),
        }
    }
}

impl Error for VerifyError {}

/// Why a batch was refused; of invalid items the first is named.
pub type BatchError = crate::proofs::each::BatchError<VerifyError>;

/// Why no signature was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignError {
    /// The ring has no member of the witness's index.
    Index,
    /// Not the canonical encoding of a curve point.
    Point(Field),
    /// The witness's key is not that of its ring member, or zero.
    Key,
    /// The witness's mask is not the difference between its member's commitment and the pseudo-output, or zero.
    Mask,
    /// A challenge is zero, which no sound random source brings about: draw again.
    ZeroChallenge,
}

impl fmt::Display for SignError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignError::Index => f.write_str("the signer is no member of the ring"),
            SignError::Point(field) => write!(f, "{field} is not a canonical point encoding"),
            SignError::Key => f.write_str("the key is not that of the signer's ring member"),
            SignError::Mask => f.write_str("the mask does not open the signer's commitment to the pseudo-output"),
            SignError::ZeroChallenge => f.write_str("a challenge is zero"),
        }
    }
}

impl Error for SignError {}

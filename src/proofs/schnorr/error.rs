//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

/// One part of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// K of this index.
    Key(usize),
    /// KI of this index.
    Tag(usize),
    /// c
    C,
    /// r_a
    RA,
    /// r_b
    RB,
    /// r of this index.
    R(usize),
    /// T of this index.
    T(usize),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Key(i) => write!(f, "key {i}"),
            Field::Tag(i) => write!(f, "linking tag {i}"),
            Field::C => f.write_str("c"),
            Field::RA => f.write_str("r_a"),
            Field::RB => f.write_str("r_b"),
            Field::R(i) => write!(f, "r[{i}]"),
            Field::T(i) => write!(f, "T[{i}]"),
        }
    }
}

/// Why a proof was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// No key, more than [`MAX_KEYS`](super::MAX_KEYS), or not as many tags, responses and T.
    Lengths {
        /// Keys.
        keys: usize,
        /// Tags.
        tags: usize,
        /// Responses r.
        r: usize,
        /// T.
        t: usize,
    },
    /// A scalar is not below the group order.
    Scalar(Field),
    /// A scalar is zero that must not be.
    Zero(Field),
    /// Not the canonical encoding of a curve point.
    Point(Field),
    /// A tag, or eight times a T, is the neutral element.
    Identity(Field),
    /// This tag is not in the subgroup of prime order.
    TagOrder(usize),
    /// A challenge of the transcript is zero.
    ZeroChallenge,
    /// All parts are well formed, but the challenge is another.
    Challenge,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Lengths { keys, tags, r, t } => {
                write!(f, "{keys} keys, {tags} tags, {r} r and {t} T, expected equal numbers, 1 to {}", super::MAX_KEYS)
            }
            VerifyError::Scalar(field) => write!(f, "{field} is not below the group order"),
            VerifyError::Zero(field) => write!(f, "{field} is zero"),
            VerifyError::Point(field) => write!(f, "{field} is not a canonical point encoding"),
            VerifyError::Identity(field) => write!(f, "{field} is the neutral element"),
            VerifyError::TagOrder(i) => write!(f, "linking tag {i} is not in the subgroup of prime order"),
            VerifyError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
            VerifyError::Challenge => f.write_str("the challenge does not come out as stated"),
        }
    }
}

impl Error for VerifyError {}

impl VerifyError {
    /// The rule by which this is refused here and not by the reference's verifier, as `docs/differences.md` calls it.
    pub fn difference(&self) -> Option<&'static str> {
        match *self {
            VerifyError::Scalar(Field::RB) | VerifyError::Zero(Field::RB) => Some("response-range"),
            VerifyError::TagOrder(_) => Some("tag-order"),
            VerifyError::Lengths { keys, tags, r, t } if keys != 0 && [tags, r, t] == [keys; 3] => Some("limits"),
            _ => None,
        }
    }
}

/// Why a batch was refused.
pub type BatchError = crate::proofs::each::BatchError<VerifyError>;

/// Why no proof was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// No key, or more than [`MAX_KEYS`](super::MAX_KEYS).
    Keys(usize),
    /// y or z of a key is zero.
    Witness,
    /// No luck in several attempts, which no sound random source brings about.
    Randomness,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProveError::Keys(found) => write!(f, "{found} keys, expected 1 to {}", super::MAX_KEYS),
            ProveError::Witness => f.write_str("a secret is zero that must not be"),
            ProveError::Randomness => f.write_str("the random source gives unusable numbers again and again"),
        }
    }
}

impl Error for ProveError {}

/// Bytes that are no proof: of the wrong number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes given.
    pub found: usize,
    /// Keys that the proof should be about.
    pub keys: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes are no composition proof of {} keys", self.found, self.keys)
    }
}

impl Error for ParseError {}

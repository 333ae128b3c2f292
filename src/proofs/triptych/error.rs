//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

/// One part of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// K
    K,
    /// A
    A,
    /// B
    B,
    /// C of the proof.
    C,
    /// D
    D,
    /// X of this index.
    X(usize),
    /// Y of this index.
    Y(usize),
    /// Cell (row, column) of f; column 0 is the one that follows from the others.
    F(usize, usize),
    /// z_A
    ZA,
    /// z_C
    ZC,
    /// z
    Z,
    /// The key of this ring member.
    Key(usize),
    /// The commitment of this ring member.
    Commitment(usize),
    /// The offset.
    Offset,
    /// The linking tag.
    Tag,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::K => f.write_str("K"),
            Field::A => f.write_str("A"),
            Field::B => f.write_str("B"),
            Field::C => f.write_str("C"),
            Field::D => f.write_str("D"),
            Field::X(i) => write!(f, "X[{i}]"),
            Field::Y(i) => write!(f, "Y[{i}]"),
            Field::F(row, column) => write!(f, "f[{row}][{column}]"),
            Field::ZA => f.write_str("zA"),
            Field::ZC => f.write_str("zC"),
            Field::Z => f.write_str("z"),
            Field::Key(i) => write!(f, "key of ring member {i}"),
            Field::Commitment(i) => write!(f, "commitment of ring member {i}"),
            Field::Offset => f.write_str("offset"),
            Field::Tag => f.write_str("linking tag"),
        }
    }
}

/// A list of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// The points of the ring.
    Ring,
    /// The transmitted cells of f.
    F,
    /// X
    X,
    /// Y
    Y,
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            List::Ring => "points of the ring",
            List::F => "cells of f",
            List::X => "X",
            List::Y => "Y",
        })
    }
}

/// Why a proof was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// A list is not as long as the parameters say.
    Length {
        /// Which.
        list: List,
        /// Its length.
        found: usize,
        /// The length it must have.
        expected: usize,
    },
    /// A scalar is not below the group order.
    Scalar(Field),
    /// A scalar is zero that must not be.
    Zero(Field),
    /// Not the canonical encoding of a curve point.
    Point(Field),
    /// The linking tag is the neutral element.
    IdentityTag,
    /// The linking tag is not in the subgroup of prime order.
    TagOrder,
    /// A challenge of the transcript is zero.
    ZeroChallenge,
    /// All parts are well formed, but the equations don't hold.
    Equation,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Length { list, found, expected } => write!(f, "{found} {list}, expected {expected}"),
            VerifyError::Scalar(field) => write!(f, "{field} is not below the group order"),
            VerifyError::Zero(field) => write!(f, "{field} is zero"),
            VerifyError::Point(field) => write!(f, "{field} is not a canonical point encoding"),
            VerifyError::IdentityTag => f.write_str("the linking tag is the neutral element"),
            VerifyError::TagOrder => f.write_str("the linking tag is not in the subgroup of prime order"),
            VerifyError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
            VerifyError::Equation => f.write_str("the verification equations do not hold"),
        }
    }
}

impl Error for VerifyError {}

impl VerifyError {
    /// The rule by which this is refused here and not by the reference's verifier, as `docs/differences.md` calls it.
    pub fn difference(&self) -> Option<&'static str> {
        matches!(self, VerifyError::TagOrder).then_some("tag-order")
    }
}

/// Why no proof was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// The statement is malformed.
    Statement(VerifyError),
    /// The index lies outside the ring, a secret is wrong for it, or the key is zero.
    Witness,
    /// No luck in several attempts, which no sound random source brings about.
    Randomness,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProveError::Statement(error) => error.fmt(f),
            ProveError::Witness => f.write_str("the secrets do not open the ring member"),
            ProveError::Randomness => f.write_str("the random source gives unusable numbers again and again"),
        }
    }
}

impl Error for ProveError {}

//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

use crate::proofs::one_of_many::ShapeError;

/// One part of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// A
    A,
    /// B
    B,
    /// Cell (row, column) of f; column 0 is the one that follows from the others.
    F(usize, usize),
    /// X of this index.
    X(usize),
    /// z_A
    ZA,
    /// z of this index.
    Z(usize),
    /// A point of the ring.
    Ring {
        /// The member's index.
        member: usize,
        /// Which of its points.
        key: usize,
    },
    /// The offset of this index.
    Offset(usize),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::A => f.write_str("A"),
            Field::B => f.write_str("B"),
            Field::F(row, column) => write!(f, "f[{row}][{column}]"),
            Field::X(i) => write!(f, "X[{i}]"),
            Field::ZA => f.write_str("zA"),
            Field::Z(i) => write!(f, "z[{i}]"),
            Field::Ring { member, key } => write!(f, "point {key} of ring member {member}"),
            Field::Offset(i) => write!(f, "offset {i}"),
        }
    }
}

/// A list of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    /// The points of the ring.
    Ring,
    /// The offsets.
    Offsets,
    /// The transmitted cells of f.
    F,
    /// X
    X,
    /// z
    Z,
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            List::Ring => "points of the ring",
            List::Offsets => "offsets",
            List::F => "cells of f",
            List::X => "X",
            List::Z => "z",
        })
    }
}

/// Impossible parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SystemError {
    /// The ring.
    Shape(ShapeError),
    /// No key, or more than [`MAX_KEYS`](super::MAX_KEYS).
    Keys(usize),
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SystemError::Shape(error) => error.fmt(f),
            SystemError::Keys(found) => write!(f, "{found} keys a member, expected 1 to {}", super::MAX_KEYS),
        }
    }
}

impl Error for SystemError {}

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
            VerifyError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
            VerifyError::Equation => f.write_str("the verification equations do not hold"),
        }
    }
}

impl Error for VerifyError {}

/// Why no proof was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// The statement is malformed.
    Statement(VerifyError),
    /// The index lies outside the ring, or the secrets are too many, too few or wrong for it.
    Witness,
    /// No luck in several attempts, which no sound random source brings about.
    Randomness,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProveError::Statement(error) => error.fmt(f),
            ProveError::Witness => f.write_str("the secrets do not open the ring member less the offsets"),
            ProveError::Randomness => f.write_str("the random source gives unusable numbers again and again"),
        }
    }
}

impl Error for ProveError {}

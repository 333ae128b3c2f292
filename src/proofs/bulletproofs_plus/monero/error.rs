//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

use crate::proofs::accumulator;

/// One part of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The output commitment of this index.
    Commitment(usize),
    /// A
    A,
    /// A1
    A1,
    /// B
    B,
    /// r1
    R1,
    /// s1
    S1,
    /// d1
    D1,
    /// L of this round, counted from 0.
    L(usize),
    /// R of this round, counted from 0.
    R(usize),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Commitment(i) => write!(f, "commitment {i}"),
            Field::A => f.write_str("A"),
            Field::A1 => f.write_str("A1"),
            Field::B => f.write_str("B"),
            Field::R1 => f.write_str("r1"),
            Field::S1 => f.write_str("s1"),
            Field::D1 => f.write_str("d1"),
            Field::L(i) => write!(f, "L[{i}]"),
            Field::R(i) => write!(f, "R[{i}]"),
        }
    }
}

/// A number of outputs that is zero or beyond the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputCount {
    /// The number given.
    pub found: usize,
    /// The largest number allowed.
    pub limit: usize,
}

impl fmt::Display for OutputCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} outputs, expected 1 to {}", self.found, self.limit)
    }
}

impl Error for OutputCount {}

/// Why a proof was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// No commitment, or more than the generators reach.
    Outputs(OutputCount),
    /// L or R has not 6 + log2(outputs, rounded up to a power of two) entries.
    Rounds {
        /// The length of L.
        l: usize,
        /// The length of R.
        r: usize,
        /// The length both must have.
        expected: usize,
    },
    /// A scalar is not below the group order.
    Scalar(Field),
    /// Not the canonical encoding of a curve point.
    Point(Field),
    /// A challenge of the transcript is zero.
    ZeroChallenge,
    /// All parts are well formed, but the equation doesn't hold.
    Equation,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Outputs(count) => count.fmt(f),
            VerifyError::Rounds { l, r, expected } => write!(f, "{l} L and {r} R, expected {expected} of each"),
            VerifyError::Scalar(field) => write!(f, "{field} is not below the group order"),
            VerifyError::Point(field) => write!(f, "{field} is not a canonical point encoding"),
            VerifyError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
            VerifyError::Equation => f.write_str("the verification equation does not hold"),
        }
    }
}

impl Error for VerifyError {}

/// Why a batch was refused.
pub type BatchError = accumulator::BatchError<VerifyError>;

/// Why no proof was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// No opening, or more than the generators reach.
    Outputs(OutputCount),
    /// A challenge of the transcript is zero, which no sound random source brings about: draw again.
    ZeroChallenge,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProveError::Outputs(count) => count.fmt(f),
            ProveError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
        }
    }
}

impl Error for ProveError {}

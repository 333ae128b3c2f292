//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

/// One part of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// A
    A,
    /// B
    B,
    /// C
    C,
    /// D
    D,
    /// X of this index.
    X(usize),
    /// X1 of this index; parallel form only.
    X1(usize),
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
    /// z1; parallel form only.
    Z1,
    /// The key M of this ring member.
    Key(usize),
    /// The auxiliary key M1 of this ring member; parallel form only.
    AuxiliaryKey(usize),
    /// The offset; parallel form only.
    Offset,
    /// The linking tag J.
    Tag,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::A => f.write_str("A"),
            Field::B => f.write_str("B"),
            Field::C => f.write_str("C"),
            Field::D => f.write_str("D"),
            Field::X(i) => write!(f, "X[{i}]"),
            Field::X1(i) => write!(f, "X1[{i}]"),
            Field::Y(i) => write!(f, "Y[{i}]"),
            Field::F(row, column) => write!(f, "f[{row}][{column}]"),
            Field::ZA => f.write_str("z_A"),
            Field::ZC => f.write_str("z_C"),
            Field::Z => f.write_str("z"),
            Field::Z1 => f.write_str("z1"),
            Field::Key(i) => write!(f, "key {i}"),
            Field::AuxiliaryKey(i) => write!(f, "auxiliary key {i}"),
            Field::Offset => f.write_str("the offset"),
            Field::Tag => f.write_str("the linking tag"),
        }
    }
}

/// Parameters that no proof can have: n or m is below 2, or n^m is 2^32 or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterError {
    /// The base.
    pub n: u32,
    /// The digits.
    pub m: u32,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no ring of {}^{} keys: both at least 2, the power below 2^32", self.n, self.m)
    }
}

impl Error for ParameterError {}

/// A statement that no proof can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatementError {
    /// The number of keys is not that of the ring, or above it where a ring is filled up, or there are none.
    Keys {
        /// Their number.
        found: usize,
        /// The size of the ring.
        ring: usize,
    },
    /// There are not as many auxiliary keys as keys (parallel form) or there are some (single form).
    AuxiliaryKeys {
        /// Their number.
        found: usize,
        /// The number there must be.
        expected: usize,
    },
    /// A key is not the encoding of a Ristretto element.
    Point(Field),
    /// This key is the identity.
    IdentityKey(usize),
    /// This auxiliary key is the offset.
    OffsetKey(usize),
    /// An offset, where the parameters are of the single form; or none, where they are of the parallel one.
    Form,
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatementError::Keys { found, ring } => write!(f, "{found} keys for a ring of {ring}"),
            StatementError::AuxiliaryKeys { found, expected } => {
                write!(f, "{found} auxiliary keys, expected {expected}")
            }
            StatementError::Point(field) => write!(f, "{field} is not the encoding of a Ristretto element"),
            StatementError::IdentityKey(i) => write!(f, "key {i} is the identity"),
            StatementError::OffsetKey(i) => write!(f, "auxiliary key {i} is the offset"),
            StatementError::Form => f.write_str("the parallel form has an offset and the single form has none"),
        }
    }
}

impl Error for StatementError {}

/// Why a proof was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The proof is of another form, base or number of digits than the statement.
    Shape,
    /// Not the encoding of a Ristretto element.
    Point(Field),
    /// A cell of f is zero.
    Zero(Field),
    /// The challenge is zero.
    ZeroChallenge,
    /// All parts are well formed, but the equations don't hold.
    Equation,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::Shape => {
                f.write_str("the proof is of another form, base or number of digits than the statement")
            }
            VerifyError::Point(field) => write!(f, "{field} is not the encoding of a Ristretto element"),
            VerifyError::Zero(field) => write!(f, "{field} is zero"),
            VerifyError::ZeroChallenge => f.write_str("the challenge is zero"),
            VerifyError::Equation => f.write_str("the verification equations do not hold"),
        }
    }
}

impl Error for VerifyError {}

/// Why no proof was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// The offset or the linking tag is not the encoding of a Ristretto element.
    Point(Field),
    /// The index lies outside the ring, a secret is zero or none of the statement, or the witness is of another form.
    Witness,
    /// A number came out that verifiers refuse, which no sound random source brings about.
    Randomness,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProveError::Point(field) => write!(f, "{field} is not the encoding of a Ristretto element"),
            ProveError::Witness => f.write_str("the secrets are not those of the statement"),
            ProveError::Randomness => f.write_str("the random source gave unusable numbers"),
        }
    }
}

impl Error for ProveError {}

//! What can be wrong, and where.

use core::error::Error;
use core::fmt;

use super::parameters::MAX_BIT_LENGTH;

/// One part of a statement or proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The commitment of this index.
    Commitment(usize),
    /// The value base.
    ValueBase,
    /// The mask base of this index.
    MaskBase(usize),
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
    /// d1 of this index.
    D1(usize),
    /// L of this round, counted from 0.
    L(usize),
    /// R of this round, counted from 0.
    R(usize),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Commitment(i) => write!(f, "commitment {i}"),
            Field::ValueBase => f.write_str("the value base"),
            Field::MaskBase(i) => write!(f, "mask base {i}"),
            Field::A => f.write_str("A"),
            Field::A1 => f.write_str("A1"),
            Field::B => f.write_str("B"),
            Field::R1 => f.write_str("r1"),
            Field::S1 => f.write_str("s1"),
            Field::D1(i) => write!(f, "d1[{i}]"),
            Field::L(i) => write!(f, "L[{i}]"),
            Field::R(i) => write!(f, "R[{i}]"),
        }
    }
}

/// Parameters that no proof can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// The bits of a value are not a power of two up to 64.
    BitLength(usize),
    /// The most values of a proof are not a power of two, or so many that their bases can't be counted.
    Aggregation(usize),
    /// Not 1 to 6 mask bases.
    ExtensionDegree(usize),
    /// As many masks as this for a commitment with fewer mask bases, or none.
    Masks {
        /// The number of masks.
        found: usize,
        /// The number of mask bases.
        limit: usize,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterError::BitLength(n) => {
                write!(f, "values of {n} bits, expected a power of two up to {MAX_BIT_LENGTH}")
            }
            ParameterError::Aggregation(m) => write!(f, "up to {m} values a proof, expected a power of two below 2^32"),
            ParameterError::ExtensionDegree(x) => write!(f, "{x} mask bases, expected 1 to 6"),
            ParameterError::Masks { found, limit } => write!(f, "{found} masks, expected 1 to {limit}"),
        }
    }
}

impl Error for ParameterError {}

/// A statement that no proof can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatementError {
    /// The number of commitments is not a power of two.
    Commitments(usize),
    /// There are not as many promises as commitments.
    Promises {
        /// The number of promises.
        found: usize,
        /// The number of commitments.
        expected: usize,
    },
    /// The parameters are for fewer commitments.
    Aggregation {
        /// The number of commitments.
        found: usize,
        /// The most that the parameters allow.
        limit: usize,
    },
    /// A seed, though there is more than one commitment: masks can't be recovered then.
    Seed,
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatementError::Commitments(m) => write!(f, "{m} commitments, expected a power of two"),
            StatementError::Promises { found, expected } => write!(f, "{found} promises, expected {expected}"),
            StatementError::Aggregation { found, limit } => write!(f, "{found} commitments, expected at most {limit}"),
            StatementError::Seed => f.write_str("a seed for more than one commitment"),
        }
    }
}

impl Error for StatementError {}

/// Openings that no statement can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WitnessError {
    /// There are none.
    Empty,
    /// An opening has not as many masks as the first one, or the first one not 1 to 6.
    Masks {
        /// The index of the opening.
        opening: usize,
        /// The number of its masks.
        found: usize,
    },
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessError::Empty => f.write_str("no openings"),
            WitnessError::Masks { opening, found } => {
                write!(f, "opening {opening} has {found} masks, expected 1 to 6, and as many as the first")
            }
        }
    }
}

impl Error for WitnessError {}

/// Why no proof was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProveError {
    /// There are not as many openings as commitments.
    Openings {
        /// The number of openings.
        found: usize,
        /// The number of commitments.
        expected: usize,
    },
    /// The openings have not as many masks as there are mask bases.
    ExtensionDegree {
        /// The number of masks.
        found: usize,
        /// The number of mask bases.
        expected: usize,
    },
    /// The value of this index has more bits than the statement allows.
    Value(usize),
    /// This opening is not that of its commitment.
    Opening(usize),
    /// A value is below the promised minimum.
    Promise,
    /// A point that must not be is the identity.
    Identity(Field),
    /// A challenge of the transcript is zero.
    ZeroChallenge,
}

impl fmt::Display for ProveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProveError::Openings { found, expected } => write!(f, "{found} openings, expected {expected}"),
            ProveError::ExtensionDegree { found, expected } => {
                write!(f, "{found} masks an opening, expected {expected}")
            }
            ProveError::Value(i) => write!(f, "value {i} is too large"),
            ProveError::Opening(i) => write!(f, "opening {i} does not open its commitment"),
            ProveError::Promise => f.write_str("a value is below its promised minimum"),
            ProveError::Identity(field) => write!(f, "{field} is the identity"),
            ProveError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
        }
    }
}

impl Error for ProveError {}

/// Why a proof was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// The proof is for another number of mask bases.
    ExtensionDegree {
        /// That of the proof.
        found: usize,
        /// That of the statement.
        expected: usize,
    },
    /// The proof has not log2 of all bits rounds.
    Rounds {
        /// The number of L and R.
        found: usize,
        /// The right number.
        expected: usize,
    },
    /// The promised minimum of this index is beyond the range.
    Promise(usize),
    /// Not the encoding of a Ristretto element.
    Point(Field),
    /// A point that must not be is the identity.
    Identity(Field),
    /// A challenge of the transcript is zero.
    ZeroChallenge,
    /// All parts are well formed, but the equation doesn't hold.
    Equation,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifyError::ExtensionDegree { found, expected } => {
                write!(f, "a proof for {found} mask bases, expected {expected}")
            }
            VerifyError::Rounds { found, expected } => write!(f, "{found} pairs of L and R, expected {expected}"),
            VerifyError::Promise(i) => write!(f, "promise {i} is beyond the range"),
            VerifyError::Point(field) => write!(f, "{field} is not the encoding of an element"),
            VerifyError::Identity(field) => write!(f, "{field} is the identity"),
            VerifyError::ZeroChallenge => f.write_str("a transcript challenge is zero"),
            VerifyError::Equation => f.write_str("the verification equation does not hold"),
        }
    }
}

impl Error for VerifyError {}

/// Why a batch was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// There is nothing to verify. Refused, so that a lost input never reads as valid.
    Empty,
    /// Not one transcript and one proof for each statement.
    Lengths {
        /// The number of transcripts.
        transcripts: usize,
        /// The number of statements.
        statements: usize,
        /// The number of proofs.
        proofs: usize,
    },
    /// The statement of this index has another bit length or other value and mask bases than the first one of its 256.
    Parameters(usize),
    /// This item is malformed. Others may be invalid too.
    Item {
        /// Its index in the batch.
        index: usize,
        /// What is wrong with it.
        error: VerifyError,
    },
    /// All items are well formed and at least one is invalid.
    Equation,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Empty => f.write_str("the batch is empty"),
            BatchError::Lengths { transcripts, statements, proofs } => {
                write!(f, "{transcripts} transcripts, {statements} statements and {proofs} proofs")
            }
            BatchError::Parameters(i) => write!(f, "item {i}: other parameters than those before it"),
            BatchError::Item { index, error } => write!(f, "item {index}: {error}"),
            BatchError::Equation => f.write_str("at least one proof of the batch is invalid"),
        }
    }
}

impl Error for BatchError {}

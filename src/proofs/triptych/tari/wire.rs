//! The bytes of a proof.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::error::Field;
use super::parameters::Form;
use crate::field::scalar::Scalar;

/// A proof. Its scalars are below the group order; its points are bytes until it is verified.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proof {
    pub(super) a: [u8; 32],
    pub(super) b: [u8; 32],
    pub(super) c: [u8; 32],
    pub(super) d: [u8; 32],
    /// m of each of the three; no X1 in the single form.
    pub(super) x: Vec<[u8; 32]>,
    pub(super) x1: Vec<[u8; 32]>,
    pub(super) y: Vec<[u8; 32]>,
    /// Columns 1 to n − 1 of the m rows, row by row.
    pub(super) f: Vec<Scalar>,
    pub(super) z_a: Scalar,
    pub(super) z_c: Scalar,
    pub(super) z: Scalar,
    /// In the parallel form only.
    pub(super) z1: Option<Scalar>,
}

/// What is wrong with the bytes of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// n is below 2, or above 2^32 − 1.
    Base,
    /// m is below 2.
    Digits,
    /// The input has not as many bytes as a proof of this form, n and m.
    Length {
        /// The number it must have.
        expected: u128,
    },
    /// A scalar is not below the group order.
    Scalar(Field),
}

/// Bytes that are not a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    /// The index of the first byte that doesn't fit; the input's length where the number of bytes is wrong.
    pub offset: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ParseErrorKind::Base => f.write_str("n is not 2 to 2^32 − 1")?,
            ParseErrorKind::Digits => f.write_str("m is below 2")?,
            ParseErrorKind::Length { expected } => write!(f, "the proof does not have {expected} bytes")?,
            ParseErrorKind::Scalar(field) => write!(f, "{field} is not below the group order")?,
        }
        write!(f, " (byte {})", self.offset)
    }
}

impl Error for ParseError {}

impl Proof {
    /// Bytes of a proof over rings of n^m keys: 8 + 32·(7 + 2·m + m·(n − 1)), and 32·(m + 1) more in the parallel form.
    pub fn size(form: Form, n: u32, m: u32) -> u128 {
        let (n, m) = (u128::from(n), u128::from(m));
        let more = if form == Form::Parallel { m + 1 } else { 0 };
        8 + 32 * (7 + 2 * m + m * n.saturating_sub(1) + more)
    }

    /// Reads a proof that is the whole input: n − 1 and m in 4 bytes each, A, B, C, D, z_A, z_C, z, (z1), X…, (X1…), Y…, f….
    /// What is in brackets is there in the parallel form.
    ///
    /// # Errors
    /// n or m below 2, another number of bytes than they say, or a scalar that is not below the group order. That they are
    /// those of the statement is the verifier's business.
    pub fn from_bytes(form: Form, bytes: &[u8]) -> Result<Proof, ParseError> {
        let fail = |offset, kind| Err(ParseError { offset, kind });
        let header = |at: usize| bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes);
        let (Some(columns), Some(m)) = (header(0), header(4)) else {
            // No proof is smaller.
            return fail(bytes.len(), ParseErrorKind::Length { expected: Proof::size(form, 2, 2) });
        };
        let Some(n) = columns.checked_add(1).filter(|n| *n >= 2) else { return fail(0, ParseErrorKind::Base) };
        if m < 2 {
            return fail(4, ParseErrorKind::Digits);
        }
        let expected = Proof::size(form, n, m);
        if bytes.len() as u128 != expected {
            return fail(bytes.len(), ParseErrorKind::Length { expected });
        }
        // The input is as long as they say, so both fit.
        let (m, columns) = (m as usize, columns as usize);
        let mut parts = bytes[8..].as_chunks::<32>().0.iter().zip((8..).step_by(32));
        let mut next = || parts.next().expect("counted");
        let scalar = |(bytes, offset): (&[u8; 32], usize), field| {
            let scalar = Option::from(Scalar::from_canonical_bytes(*bytes));
            scalar.ok_or(ParseError { offset, kind: ParseErrorKind::Scalar(field) })
        };
        let [a, b, c, d] = [(); 4].map(|()| *next().0);
        let (z_a, z_c, z) = (scalar(next(), Field::ZA)?, scalar(next(), Field::ZC)?, scalar(next(), Field::Z)?);
        let z1 = if form == Form::Parallel { Some(scalar(next(), Field::Z1)?) } else { None };
        let mut points = |count: usize| (0..count).map(|_| *next().0).collect::<Vec<_>>();
        let x = points(m);
        let x1 = points(m * (form.width() - 1));
        let y = points(m);
        let cell = |at: usize| Field::F(at / columns, 1 + at % columns);
        let f = (0..m * columns).map(|at| scalar(next(), cell(at))).collect::<Result<_, _>>()?;
        Ok(Proof { a, b, c, d, x, x1, y, f, z_a, z_c, z, z1 })
    }

    /// The bytes that [`from_bytes`](Proof::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Proof { a, b, c, d, x, x1, y, f, z_a, z_c, z, z1 } = self;
        let mut out = Vec::with_capacity(8 + 32 * (8 + x.len() + x1.len() + y.len() + f.len()));
        out.extend_from_slice(&(self.columns() as u32).to_le_bytes());
        out.extend_from_slice(&(x.len() as u32).to_le_bytes());
        let scalars = [z_a, z_c, z].into_iter().chain(z1).map(Scalar::as_bytes);
        let points = [x, x1, y].into_iter().flatten();
        let cells = f.iter().map(Scalar::as_bytes);
        [a, b, c, d].into_iter().chain(scalars).chain(points).chain(cells).for_each(|part| out.extend_from_slice(part));
        out
    }

    /// Single or parallel.
    pub fn form(&self) -> Form {
        if self.z1.is_some() { Form::Parallel } else { Form::Single }
    }

    /// n − 1
    pub(super) fn columns(&self) -> usize {
        self.f.len() / self.x.len()
    }
}

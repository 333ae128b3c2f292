//! What the one-of-many proofs ([`grootle`](super::grootle), [`triptych`](super::triptych)) have in common.
//!
//! A ring of N = n^m members is numbered by m digits in base n, the least significant first. A proof holds a matrix f of
//! m rows and n columns; the product of one cell of each row, as the digits of a member say, is that member's coefficient.

#[cfg(any(test, feature = "rand_core"))]
mod secret;

use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::field::scalar::Scalar;
use crate::hash::keccak256_batch;

#[cfg(any(test, feature = "rand_core"))]
pub(crate) use secret::{ATTEMPTS, bit_cells, eighth, response};

/// The most cells, n·m, that the generators reach.
pub const MAX_CELLS: usize = 128;

/// The size of a ring, n^m, cut into m digits in base n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    n: usize,
    m: usize,
    ring: usize,
}

/// Impossible dimensions of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShapeError {
    /// The base.
    pub n: usize,
    /// The digits.
    pub m: usize,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no ring of {}^{} members: both at least 2, their product at most {MAX_CELLS}, the power countable",
            self.n, self.m
        )
    }
}

impl Error for ShapeError {}

/// Bytes that are no proof: of the wrong number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    /// Bytes given.
    pub found: usize,
    /// Bytes of every proof with these parameters.
    pub expected: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, expected {}", self.found, self.expected)
    }
}

impl Error for ParseError {}

impl Shape {
    /// n^m members.
    ///
    /// # Errors
    /// n or m is below 2, n·m is above [`MAX_CELLS`], or n^m overflows.
    ///
    /// ```
    /// use curve25519_lanes::proofs::one_of_many::Shape;
    /// assert_eq!(Shape::new(2, 7)?.ring_size(), 128);
    /// assert!(Shape::new(1, 7).is_err() && Shape::new(2, 65).is_err() && Shape::new(2, 64).is_err());
    /// # Ok::<(), curve25519_lanes::proofs::one_of_many::ShapeError>(())
    /// ```
    pub fn new(n: usize, m: usize) -> Result<Shape, ShapeError> {
        let shape = if n.checked_mul(m).is_some_and(|cells| cells <= MAX_CELLS) { Shape::of_any(n, m) } else { None };
        shape.ok_or(ShapeError { n, m })
    }

    /// n^m members, however many cells: for generators without an end.
    pub(crate) fn of_any(n: usize, m: usize) -> Option<Shape> {
        let ring = if n >= 2 && m >= 2 { n.checked_pow(u32::try_from(m).ok()?)? } else { return None };
        // A ring that can't be held in memory is no ring either; this keeps sizes in bytes from overflowing.
        (ring <= u32::MAX as usize).then_some(Shape { n, m, ring })
    }

    /// n, the base.
    pub fn n(&self) -> usize {
        self.n
    }

    /// m, the number of digits.
    pub fn m(&self) -> usize {
        self.m
    }

    /// N = n^m
    pub fn ring_size(&self) -> usize {
        self.ring
    }

    /// n·m
    pub(crate) fn cells(&self) -> usize {
        self.n * self.m
    }

    /// m·(n − 1), the cells that are transmitted: those of column 0 follow from the others.
    pub(crate) fn sent_cells(&self) -> usize {
        (self.n - 1) * self.m
    }

    /// The matrix f from its transmitted columns: every row sums to the challenge. The row and column of a zero, which
    /// no verifier accepts, otherwise.
    pub(crate) fn complete(&self, challenge: &Scalar, sent: &[Scalar]) -> Result<Vec<Scalar>, (usize, usize)> {
        let mut cells = Vec::with_capacity(self.cells());
        for row in sent.chunks_exact(self.n - 1) {
            cells.push(challenge - row.iter().sum::<Scalar>());
            cells.extend_from_slice(row);
        }
        match cells.iter().position(|cell| *cell == Scalar::ZERO) {
            Some(at) => Err((at / self.n, at % self.n)),
            None => Ok(cells),
        }
    }

    /// `root·Π_j f[j][k_j]/x` for every member k, x being the challenge. `cells` is the whole matrix.
    ///
    /// A tree: N·(1 − 1/n)·(1 + 1/n + …) < N multiplications. Divided by x, a row sums to 1, so its first column costs
    /// subtractions only; the quotients are m·(n − 1) multiplications.
    pub(crate) fn products(&self, root: &Scalar, challenge_inv: &Scalar, cells: &[Scalar]) -> Vec<Scalar> {
        let mut out = Vec::with_capacity(self.ring);
        out.push(*root);
        for row in cells.chunks_exact(self.n) {
            let len = out.len();
            for cell in &row[1..] {
                let unit = cell * challenge_inv;
                for k in 0..len {
                    out.push(out[k] * unit);
                }
            }
            for i in 1..self.n {
                for k in 0..len {
                    let other = out[i * len + k];
                    out[k] -= other;
                }
            }
        }
        out
    }
}

/// Keccak-256 of each message, little-endian, mod l.
pub(crate) fn hash_to_scalars(messages: &[Vec<u8>]) -> Vec<Scalar> {
    let mut digests = vec![[0; 32]; messages.len()];
    keccak256_batch(&messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), &mut digests);
    digests.into_iter().map(Scalar::from_bytes_mod_order).collect()
}

/// x^0 … x^n
pub(crate) fn powers(x: &Scalar, n: usize) -> Vec<Scalar> {
    core::iter::successors(Some(Scalar::ONE), |p| Some(p * x)).take(n + 1).collect()
}

/// The scalars of these encodings, or the index of the first that is not below l.
pub(crate) fn canonical(encodings: &[[u8; 32]]) -> Result<Vec<Scalar>, usize> {
    let mut out = Vec::with_capacity(encodings.len());
    for (i, bytes) in encodings.iter().enumerate() {
        out.push(Option::from(Scalar::from_canonical_bytes(*bytes)).ok_or(i)?);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    fn shapes() -> impl Iterator<Item = Shape> {
        [(2, 2), (2, 7), (3, 4), (4, 3), (6, 2), (9, 2)].into_iter().map(|(n, m)| Shape::new(n, m).unwrap())
    }

    fn scalars(random: &mut Random, len: usize) -> Vec<Scalar> {
        (0..len).map(|_| Scalar::from_bytes_mod_order_wide(&random.bytes64())).collect()
    }

    /// The cells that the digits of k name.
    fn cells_of(shape: &Shape, k: usize) -> Vec<usize> {
        (0..shape.m).map(|j| j * shape.n + k / shape.n.pow(j as u32) % shape.n).collect()
    }

    #[test]
    fn limits() {
        for (n, m) in [(0, 2), (1, 2), (2, 0), (2, 1), (2, 65), (3, 43), (128, 1), (65, 2), (2, 33), (usize::MAX, 2)] {
            assert_eq!(Shape::new(n, m), Err(ShapeError { n, m }));
        }
        assert_eq!(Shape::new(64, 2).unwrap().ring_size(), 4096);
    }

    #[test]
    fn products_are_those_of_the_digits() {
        let mut random = Random::new(1);
        for shape in shapes() {
            let sent = scalars(&mut random, shape.sent_cells());
            let [x, root] = scalars(&mut random, 2)[..] else { unreachable!() };
            let cells = shape.complete(&x, &sent).unwrap();
            let x_m = powers(&x, shape.m)[shape.m];
            let found = shape.products(&(root * x_m), &x.invert(), &cells);
            assert_eq!(found.len(), shape.ring);
            for (k, found) in found.iter().enumerate() {
                assert_eq!(*found, cells_of(&shape, k).iter().map(|&c| cells[c]).product::<Scalar>() * root);
            }
            assert_eq!(found.iter().sum::<Scalar>(), root * x_m);
        }
    }

    #[test]
    fn a_zero_cell_is_found() {
        let mut random = Random::new(2);
        for shape in shapes() {
            let x = scalars(&mut random, 1)[0];
            let sent = scalars(&mut random, shape.sent_cells());
            for at in 0..sent.len() {
                let (row, column) = (at / (shape.n - 1), at % (shape.n - 1));
                let mut zero = sent.clone();
                zero[at] = Scalar::ZERO;
                assert_eq!(shape.complete(&x, &zero), Err((row, column + 1)));
                // A row whose sum is the challenge leaves nothing to column 0.
                let mut full = sent.clone();
                let rest: Scalar = sent[row * (shape.n - 1)..][..shape.n - 1].iter().sum();
                full[at] += x - rest;
                assert_eq!(shape.complete(&x, &full), Err((row, 0)));
            }
        }
    }

    #[test]
    fn polynomials_evaluate_to_products() {
        let mut random = Random::new(3);
        for shape in shapes() {
            let index = random.below(shape.ring);
            let sigma = shape.indicator(index);
            let a = shape.blinding(&mut || scalars(&mut random, 1)[0]);
            for row in a.chunks(shape.n) {
                assert_eq!(row.iter().sum::<Scalar>(), Scalar::ZERO);
            }
            let x = scalars(&mut random, 1)[0];
            let cells: Vec<Scalar> =
                sigma.iter().zip(a.iter()).map(|(s, a)| a + if *s == 1 { x } else { Scalar::ZERO }).collect();
            let p = shape.polynomials(&sigma, &a);
            assert_eq!(p.len(), shape.m);
            let x_powers = powers(&x, shape.m);
            for k in 0..shape.ring {
                let lower: Scalar = p.iter().zip(&x_powers).map(|(p, x)| p[k] * x).sum();
                let top = if k == index { x_powers[shape.m] } else { Scalar::ZERO };
                assert_eq!(lower + top, cells_of(&shape, k).iter().map(|&c| cells[c]).product());
            }
            for p in &p {
                assert_eq!(p.iter().sum::<Scalar>(), Scalar::ZERO);
            }
        }
    }
}

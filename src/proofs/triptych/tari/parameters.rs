//! What statements have in common: form, size of the rings, bases.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use once_cell::race::OnceBox;

use super::error::ParameterError;
use super::transcript::digest;
use crate::group::{RistrettoPoint, compress_batch_ristretto};
use crate::hash::blake3::Blake3;
use crate::proofs::accumulator::GeneratorSet;
use crate::proofs::one_of_many::Shape;

/// Which of the two protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// One key a ring member.
    Single,
    /// A key and an auxiliary key a ring member, and an offset.
    Parallel,
}

impl Form {
    /// Points of a ring member.
    pub(super) fn width(self) -> usize {
        match self {
            Form::Single => 1,
            Form::Parallel => 2,
        }
    }
}

/// The bases of keys and linking tags. Nobody may know a relation between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bases {
    /// Of the single form.
    Single {
        /// G of the keys.
        g: RistrettoPoint,
        /// U of the linking tag.
        u: RistrettoPoint,
    },
    /// Of the parallel form.
    Parallel {
        /// G of the keys.
        g: RistrettoPoint,
        /// G1 of the auxiliary keys.
        g1: RistrettoPoint,
        /// U of the linking tag.
        u: RistrettoPoint,
    },
}

impl Bases {
    /// The default ones: G is the base point of Ristretto, the others are hashes of their names.
    pub fn new(form: Form) -> Bases {
        let (g, u) = (RistrettoPoint::BASEPOINT, named(b"Triptych U"));
        match form {
            Form::Single => Bases::Single { g, u },
            Form::Parallel => Bases::Parallel { g, g1: named(b"Triptych G1"), u },
        }
    }

    fn form(&self) -> Form {
        match self {
            Bases::Single { .. } => Form::Single,
            Bases::Parallel { .. } => Form::Parallel,
        }
    }

    /// G, U, and G1 in the parallel form.
    fn list(&self) -> Vec<RistrettoPoint> {
        match *self {
            Bases::Single { g, u } => Vec::from([g, u]),
            Bases::Parallel { g, g1, u } => Vec::from([g, u, g1]),
        }
    }
}

/// Form, size and bases. Cheap to clone, and clones share everything that is computed.
///
/// A hash to Ristretto for each of the n·m cells when made, and a table of some hundred kilobytes when the first proof is
/// verified: make them once a program.
#[derive(Clone)]
pub struct Parameters {
    form: Form,
    /// G, U, and G1 in the parallel form.
    named: Arc<[RistrettoPoint]>,
    cells: Arc<Cells>,
    hash: [u8; 32],
}

/// What follows from the size of the rings.
struct Cells {
    shape: Shape,
    /// H, then the base of each cell, row by row.
    #[cfg(feature = "rand_core")]
    bases: Vec<RistrettoPoint>,
    encodings: Vec<[u8; 32]>,
    set: Arc<GeneratorSet<RistrettoPoint>>,
    places: OnceBox<Vec<u32>>,
}

/// The element that 64 bytes of BLAKE3 of this text map to.
fn named(name: &[u8]) -> RistrettoPoint {
    RistrettoPoint::from_uniform_bytes(&Blake3::of_short(name).next_64())
}

impl Cells {
    fn new(n: u32, m: u32) -> Result<Cells, ParameterError> {
        let size = |x: u32| usize::try_from(x).unwrap_or(usize::MAX);
        let shape = Shape::of_any(size(n), size(m)).ok_or(ParameterError { n, m })?;
        let mut stream = Blake3::of_short(&[&b"Triptych CommitmentG"[..], &n.to_le_bytes(), &m.to_le_bytes()].concat());
        let uniform: Vec<[u8; 64]> = (0..shape.cells()).map(|_| stream.next_64()).collect();
        let mut bases = Vec::from([named(b"Triptych CommitmentH")]);
        bases.extend(RistrettoPoint::from_uniform_bytes_batch(&uniform));
        let encodings = compress_batch_ristretto(&bases);
        let set = Arc::new(GeneratorSet::new(&bases, &[]));
        Ok(Cells {
            shape,
            #[cfg(feature = "rand_core")]
            bases,
            encodings,
            set,
            places: OnceBox::new(),
        })
    }
}

impl Parameters {
    /// Rings of n^m keys over the [default bases](Bases::new).
    ///
    /// # Errors
    /// n or m is below 2, or n^m is 2^32 or more.
    pub fn new(form: Form, n: u32, m: u32) -> Result<Parameters, ParameterError> {
        Ok(Parameters::over(Arc::new(Cells::new(n, m)?), &Bases::new(form)))
    }

    /// Rings of the same size over other bases, which may be of the other form. Shares the tables.
    pub fn with_bases(&self, bases: &Bases) -> Parameters {
        Parameters::over(Arc::clone(&self.cells), bases)
    }

    fn over(cells: Arc<Cells>, bases: &Bases) -> Parameters {
        let (form, named) = (bases.form(), bases.list());
        let encodings = compress_batch_ristretto(&named);
        let (n, m) = (cells.shape.n() as u32, cells.shape.m() as u32);
        let (n, m) = (n.to_le_bytes(), m.to_le_bytes());
        let mut parts: Vec<(&[u8], &[u8])> = Vec::with_capacity(cells.encodings.len() + 5);
        parts.extend([(&b"n"[..], &n[..]), (b"m", &m), (b"G", &encodings[0])]);
        parts.extend(encodings[2..].iter().map(|g1| (&b"G1"[..], &g1[..])));
        parts.push((b"U", &encodings[1]));
        parts.extend(cells.encodings[1..].iter().map(|cell| (&b"CommitmentG"[..], &cell[..])));
        parts.push((b"CommitmentH", &cells.encodings[0]));
        let hash = digest(form, b"parameters", &parts);
        Parameters { form, named: named.into(), cells, hash }
    }

    /// Single or parallel.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The base n and the number of digits m.
    pub fn n_and_m(&self) -> (usize, usize) {
        (self.cells.shape.n(), self.cells.shape.m())
    }

    /// N = n^m
    pub fn ring_size(&self) -> usize {
        self.cells.shape.ring_size()
    }

    /// G, the base of the keys.
    pub fn g(&self) -> &RistrettoPoint {
        &self.named[0]
    }

    /// U, the base of the linking tag.
    pub fn u(&self) -> &RistrettoPoint {
        &self.named[1]
    }

    /// G1, the base of the auxiliary keys; none in the single form.
    pub fn g1(&self) -> Option<&RistrettoPoint> {
        self.named.get(2)
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.cells.shape
    }

    /// G, U, and G1 in the parallel form.
    pub(super) fn named(&self) -> &[RistrettoPoint] {
        &self.named
    }

    /// H, then the base of each cell, row by row.
    #[cfg(feature = "rand_core")]
    pub(super) fn commitment_bases(&self) -> &[RistrettoPoint] {
        &self.cells.bases
    }

    /// [`commitment_bases`](Parameters::commitment_bases) with their tables.
    pub(super) fn set(&self) -> &Arc<GeneratorSet<RistrettoPoint>> {
        &self.cells.set
    }

    pub(super) fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The place of each key among the products of the cells.
    ///
    /// Its digits are those of an n-ary Gray code: each digit of the key's index less the next higher one, mod n, so that
    /// neighbours differ in one digit. (The crate's running shift is the sum of the higher Gray digits, which is that digit.)
    pub(super) fn places(&self) -> &[u32] {
        self.cells.places.get_or_init(|| {
            let (n, m) = self.n_and_m();
            let place = |k: usize| {
                let (mut rest, mut place, mut weight) = (k, 0, 1);
                for _ in 0..m {
                    let digit = rest % n;
                    rest /= n;
                    place += (digit + n - rest % n) % n * weight;
                    weight *= n;
                }
                place as u32
            };
            Box::new((0..self.ring_size()).map(place).collect())
        })
    }
}

/// By what statements over them hash.
impl PartialEq for Parameters {
    fn eq(&self, other: &Parameters) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Parameters {}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, m) = self.n_and_m();
        f.debug_struct("Parameters").field("form", &self.form()).field("n", &n).field("m", &m).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The recurrence of the crate's documentation, digit by digit.
    #[test]
    fn places_are_gray_codes() {
        for (n, m) in [(2, 2), (2, 7), (3, 4), (5, 3), (200, 2)] {
            let parameters = Parameters::new(Form::Single, n, m).unwrap();
            let mut seen = alloc::vec![false; parameters.ring_size()];
            let digits = |mut place: u32| core::array::from_fn::<u32, 8, _>(|_| (place % n, place /= n).0);
            for (k, &place) in parameters.places().iter().enumerate() {
                let plain = digits(k as u32);
                let mut shift = 0;
                for i in (0..m as usize).rev() {
                    let gray = (plain[i] + shift) % n;
                    assert_eq!(digits(place)[i], gray, "{n}^{m}: key {k}, digit {i}");
                    shift += n - gray;
                }
                assert!(!core::mem::replace(&mut seen[place as usize], true));
            }
        }
    }
}

//! Verification: one proof, a batch, and what an accumulator asks.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::size_of;

use super::equation::Instance;
use super::error::{Field, List, VerifyError};
use super::generators::Generators;
use super::{BatchError, Statement, System, transcript};
use crate::field::scalar::{Scalar, ScalarSum};
use crate::group::EdwardsPoint;
use crate::proofs::accumulator::{self, EdwardsCofactored, Sum, Verifier, Weighted};
use crate::proofs::one_of_many::canonical;

/// Verifies one proof: a sum over 2·n·m + 1 static points and N·q + q + m + 2 others (concise), or N·q + q + q·m + 2 (plain).
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify(statement: &Statement<'_>) -> Result<(), VerifyError> {
    accumulator::only(verify_batch(core::slice::from_ref(statement)), VerifyError::Equation)
}

/// Verifies many proofs, of any systems, by one multiscalar sum.
///
/// # Errors
/// An empty batch, the first malformed item, or the sum. To name all invalid items, see
/// [`Accumulator::close_and_blame`](crate::proofs::accumulator::Accumulator::close_and_blame).
pub fn verify_batch(items: &[Statement<'_>]) -> Result<(), BatchError> {
    accumulator::verify_all(Generators::shared(), items.iter().copied())
}

/// A proof of a batch: well formed, nothing decoded.
#[derive(Debug)]
pub struct Item {
    system: System,
    message: [u8; 32],
    /// A, B, X, ring, offsets.
    encodings: Vec<[u8; 32]>,
    f: Vec<Scalar>,
    z_a: Scalar,
    z: Vec<Scalar>,
}

/// A proof of a batch, decoded and hashed.
pub struct Claim {
    pub(super) instance: Instance,
    pub(super) x_inv: Scalar,
    /// In the order of [`Instance::add`].
    pub(super) points: Vec<EdwardsPoint>,
}

impl core::fmt::Debug for Claim {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("system", &self.instance.system).finish_non_exhaustive()
    }
}

impl Item {
    /// The checks of lengths and scalars.
    pub(super) fn new(statement: &Statement<'_>) -> Result<Item, VerifyError> {
        let Statement { system, message, ring, offsets, proof } = statement;
        let (shape, lists) = (system.shape(), system.lists());
        for (list, found, expected) in [
            (List::Ring, ring.len(), shape.ring_size() * system.keys()),
            (List::Offsets, offsets.len(), system.keys()),
            (List::F, proof.f.len(), shape.sent_cells()),
            (List::X, proof.x.len(), lists * shape.m()),
            (List::Z, proof.z.len(), lists),
        ] {
            if found != expected {
                return Err(VerifyError::Length { list, found, expected });
            }
        }
        let columns = shape.n() - 1;
        let f = canonical(&proof.f).map_err(|at| VerifyError::Scalar(Field::F(at / columns, 1 + at % columns)))?;
        let z_a = canonical(&[proof.z_a]).map_err(|_| VerifyError::Scalar(Field::ZA))?[0];
        let z = canonical(&proof.z).map_err(|at| VerifyError::Scalar(Field::Z(at)))?;
        if let Some(at) = f.iter().position(|f| *f == Scalar::ZERO) {
            return Err(VerifyError::Zero(Field::F(at / columns, 1 + at % columns)));
        }
        if z_a == Scalar::ZERO {
            return Err(VerifyError::Zero(Field::ZA));
        }
        if let Some(at) = z.iter().position(|z| *z == Scalar::ZERO) {
            return Err(VerifyError::Zero(Field::Z(at)));
        }
        let encodings = [&[proof.a, proof.b], &proof.x[..], ring, offsets].concat();
        Ok(Item { system: *system, message: *message, encodings, f, z_a, z })
    }

    /// The length of the list X.
    fn x_len(&self) -> usize {
        self.system.lists() * self.system.shape().m()
    }

    /// Challenges, and what depends on them, of many proofs.
    pub(super) fn prepare(items: Vec<(Item, Vec<EdwardsPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        let openings = items
            .iter()
            .map(|(item, _)| {
                let (own, statement) = item.encodings.split_at(2 + item.x_len());
                let statement = statement.split_at(statement.len() - item.system.keys());
                let opening =
                    transcript::opening(&item.system, &item.message, [statement.0, statement.1], &own[0], &own[1]);
                (item.system.form(), opening, &own[2..])
            })
            .collect();
        let challenges = transcript::challenges(openings);
        let mut inverses: Vec<Scalar> = challenges.iter().map(|(_, x)| *x).collect();
        Scalar::batch_invert(&mut inverses);
        items
            .into_iter()
            .zip(challenges)
            .zip(inverses)
            .map(|(((item, points), (mu, x)), x_inv)| {
                if mu == Scalar::ZERO || x == Scalar::ZERO {
                    return Err(VerifyError::ZeroChallenge);
                }
                let cells = item
                    .system
                    .shape()
                    .complete(&x, &item.f)
                    .map_err(|(row, column)| VerifyError::Zero(Field::F(row, column)))?;
                let instance = Instance { system: item.system, mu, x, cells, z_a: item.z_a, z: item.z };
                Ok(Claim { instance, x_inv, points })
            })
            .collect()
    }

    /// What the point of this index is.
    pub(super) fn field(&self, index: usize) -> Field {
        let ring_from = 2 + self.x_len();
        let offsets_from = self.encodings.len() - self.system.keys();
        match index {
            0 => Field::A,
            1 => Field::B,
            _ if index < ring_from => Field::X(index - 2),
            _ if index < offsets_from => Field::Ring {
                member: (index - ring_from) / self.system.keys(),
                key: (index - ring_from) % self.system.keys(),
            },
            _ => Field::Offset(index - offsets_from),
        }
    }

    /// The encodings of the proof's own points, in the order of [`Instance::add`].
    pub(super) fn points(&self) -> &[[u8; 32]] {
        &self.encodings
    }
}

impl Verifier for Generators {
    type Group = EdwardsCofactored;
    type Statement<'a> = Statement<'a>;
    type Item = Item;
    type Claim = Claim;
    type Error = VerifyError;

    fn equation_error(&self) -> VerifyError {
        VerifyError::Equation
    }

    fn check(&self, statement: Statement<'_>) -> Result<Item, VerifyError> {
        Item::new(&statement)
    }

    fn encodings<'a>(&self, item: &'a Item) -> &'a [[u8; 32]] {
        item.points()
    }

    fn point_error(&self, item: &Item, index: usize) -> VerifyError {
        VerifyError::Point(item.field(index))
    }

    fn heap_bytes(&self, item: &Item) -> usize {
        // The transcript's bytes again, the scalars, and the matrix.
        let points = item.encodings.len() * (32 + size_of::<Scalar>());
        points + (item.f.len() + item.z.len() + item.system.shape().cells()) * size_of::<Scalar>()
    }

    fn prepare(&self, items: Vec<(Item, Vec<EdwardsPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        Item::prepare(items)
    }

    fn bind(&self, claim: &Claim, out: &mut Vec<u8>) {
        let Instance { system, mu, x, cells, z_a, z } = &claim.instance;
        let shape = system.shape();
        out.extend_from_slice(system.form().name().as_bytes());
        out.extend([shape.n(), shape.m(), system.keys()].iter().flat_map(|size| (*size as u64).to_le_bytes()));
        // x is a hash over the statement and every point of the proof.
        for scalar in [mu, x].into_iter().chain(cells).chain([z_a]).chain(z) {
            out.extend_from_slice(scalar.as_bytes());
        }
    }

    fn equations(&self, claim: &Claim) -> usize {
        claim.instance.equations()
    }

    fn add(&self, claims: &[Weighted<'_, Claim>], sum: &mut Sum<EdwardsCofactored>) {
        let cells = claims.iter().map(|c| c.claim.instance.cells.len()).max().unwrap_or(0);
        let mut bases = vec![ScalarSum::default(); 1 + 2 * cells];
        let mut own = Vec::new();
        for Weighted { claim, weights } in claims {
            own.clear();
            claim.instance.add(weights, &Scalar::from(8u64), &claim.x_inv, &mut bases, &mut own);
            sum.add_points(&own, &claim.points);
        }
        let bases: Vec<Scalar> = bases.iter().map(ScalarSum::reduce).collect();
        sum.add_generators(&self.set, &bases);
    }
}

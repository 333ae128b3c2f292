//! Verification: one proof, a batch, and what an accumulator asks.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::size_of;

use super::equation::{EQUATIONS, Instance, closing, opening};
use super::error::{Field, List, VerifyError};
use super::generators::Generators;
use super::{BatchError, Statement};
use crate::field::scalar::{Scalar, ScalarSum};
use crate::group::{CompressedEdwardsY, EdwardsPoint};
use crate::msm;
use crate::proofs::accumulator::{self, EdwardsCofactored, Sum, Verifier, Weighted};
use crate::proofs::one_of_many::{Shape, canonical, hash_to_scalars};

/// Verifies one proof: a sum over n·m + 3 static points and 2·N + 2·m + 7 others, and the order of the tag.
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify(statement: &Statement<'_>) -> Result<(), VerifyError> {
    accumulator::only(verify_batch(core::slice::from_ref(statement)), VerifyError::Equation)
}

/// Verifies many proofs, of any shapes, by one multiscalar sum.
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
    shape: Shape,
    message: [u8; 32],
    /// K, A, B, C, D, X, Y, ring, offset, tag.
    encodings: Vec<[u8; 32]>,
    f: Vec<Scalar>,
    z_a: Scalar,
    z_c: Scalar,
    z: Scalar,
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
        f.debug_struct("Claim").field("shape", &self.instance.shape).finish_non_exhaustive()
    }
}

impl Item {
    /// The checks of lengths and scalars.
    pub(super) fn new(statement: &Statement<'_>) -> Result<Item, VerifyError> {
        let Statement { shape, message, ring, offset, tag, proof } = statement;
        for (list, found, expected) in [
            (List::Ring, ring.len(), 2 * shape.ring_size()),
            (List::F, proof.f.len(), shape.sent_cells()),
            (List::X, proof.x.len(), shape.m()),
            (List::Y, proof.y.len(), shape.m()),
        ] {
            if found != expected {
                return Err(VerifyError::Length { list, found, expected });
            }
        }
        let cell = |at: usize| Field::F(at / (shape.n() - 1), 1 + at % (shape.n() - 1));
        let f = canonical(&proof.f).map_err(|at| VerifyError::Scalar(cell(at)))?;
        let name = |at: usize| [Field::ZA, Field::ZC, Field::Z][at];
        let responses = canonical(&[proof.z_a, proof.z_c, proof.z]).map_err(|at| VerifyError::Scalar(name(at)))?;
        if let Some(at) = f.iter().position(|f| *f == Scalar::ZERO) {
            return Err(VerifyError::Zero(cell(at)));
        }
        if let Some(at) = responses.iter().position(|z| *z == Scalar::ZERO) {
            return Err(VerifyError::Zero(name(at)));
        }
        if *tag == CompressedEdwardsY::IDENTITY.0 {
            return Err(VerifyError::IdentityTag);
        }
        let head = [proof.k, proof.a, proof.b, proof.c, proof.d];
        let encodings = [&head, &proof.x[..], &proof.y, ring, &[*offset, *tag]].concat();
        let [z_a, z_c, z] = responses[..] else { unreachable!("three of them") };
        Ok(Item { shape: *shape, message: *message, encodings, f, z_a, z_c, z })
    }

    /// Challenges, and what depends on them, of many proofs.
    pub(super) fn prepare(items: Vec<(Item, Vec<EdwardsPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        let openings: Vec<_> =
            items.iter().map(|(item, _)| opening(&item.shape, &item.message, &item.encodings)).collect();
        let mus = hash_to_scalars(&openings);
        let closings: Vec<_> = items
            .iter()
            .zip(&mus)
            .map(|((item, _), mu)| {
                let (x, y) = item.encodings[5..5 + 2 * item.shape.m()].split_at(item.shape.m());
                closing(mu, x, y)
            })
            .collect();
        let xs = hash_to_scalars(&closings);
        let mut inverses = xs.clone();
        Scalar::batch_invert(&mut inverses);
        let challenges = mus.into_iter().zip(xs).zip(inverses);
        items
            .into_iter()
            .zip(challenges)
            .map(|((item, points), ((mu, x), x_inv))| {
                if mu == Scalar::ZERO || x == Scalar::ZERO {
                    return Err(VerifyError::ZeroChallenge);
                }
                let Item { shape, f, z_a, z_c, z, .. } = item;
                let cells = shape.complete(&x, &f).map_err(|(row, column)| VerifyError::Zero(Field::F(row, column)))?;
                Ok(Claim { instance: Instance { shape, mu, x, cells, z_a, z_c, z }, x_inv, points })
            })
            .collect()
    }

    /// What the point of this index is.
    pub(super) fn field(&self, index: usize) -> Field {
        let m = self.shape.m();
        let ring_from = 5 + 2 * m;
        let from_end = self.encodings.len() - index;
        match index {
            0..5 => [Field::K, Field::A, Field::B, Field::C, Field::D][index],
            _ if index < 5 + m => Field::X(index - 5),
            _ if index < ring_from => Field::Y(index - 5 - m),
            _ if from_end == 1 => Field::Tag,
            _ if from_end == 2 => Field::Offset,
            _ if (index - ring_from).is_multiple_of(2) => Field::Key((index - ring_from) / 2),
            _ => Field::Commitment((index - ring_from) / 2),
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
        // The transcript's bytes again, the scalars of the points, and the matrix.
        2 * 32 * item.encodings.len() + (item.f.len() + item.shape.cells()) * size_of::<Scalar>()
    }

    fn prepare(&self, items: Vec<(Item, Vec<EdwardsPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        // The integer l, which is no scalar: as a residue it would be zero.
        let tags: Vec<EdwardsPoint> = items.iter().map(|(_, points)| points[points.len() - 1]).collect();
        let multiples = msm::same_scalar_vartime(&Scalar::ORDER, &tags);
        let claims = Item::prepare(items).into_iter().zip(multiples);
        claims.map(|(claim, lj)| if lj.is_identity().into() { claim } else { Err(VerifyError::TagOrder) }).collect()
    }

    fn bind(&self, claim: &Claim, out: &mut Vec<u8>) {
        let Instance { shape, mu, x, cells, z_a, z_c, z } = &claim.instance;
        out.extend_from_slice(b"triptych");
        out.extend([shape.n(), shape.m()].iter().flat_map(|size| (*size as u64).to_le_bytes()));
        // x is a hash over the statement and every point of the proof.
        for scalar in [mu, x].into_iter().chain(cells).chain([z_a, z_c, z]) {
            out.extend_from_slice(scalar.as_bytes());
        }
    }

    fn equations(&self, _: &Claim) -> usize {
        EQUATIONS
    }

    fn add(&self, claims: &[Weighted<'_, Claim>], sum: &mut Sum<EdwardsCofactored>) {
        let cells = claims.iter().map(|c| c.claim.instance.cells.len()).max().unwrap_or(0);
        let mut bases = vec![ScalarSum::default(); 3 + cells];
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

//! Verification, of one proof and of many.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::size_of;

use super::equation::Instance;
use super::error::{Field, VerifyError};
use super::statement::{InputSet, Statement};
use super::transcript::Script;
use super::wire::Proof;
use super::{BatchError, Parameters};
use crate::field::scalar::{Scalar, ScalarSum};
use crate::group::{EdwardsPoint, RistrettoPoint};
use crate::hash::Transcript;
use crate::proofs::accumulator::{self, Ristretto, Sum, Weighted};

/// One item of a batch.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The transcript as it was when the proof was made.
    pub transcript: &'a Transcript,
    /// What is claimed.
    pub statement: &'a Statement,
    /// The proof of it.
    pub proof: &'a Proof,
}

/// Verifies one proof: a sum over n·m + 3 static points and N + 2·m + 5 others; in the parallel form n·m + 4 and
/// 2·N + 3·m + 6. The transcript stays as it is.
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify(entry: Entry<'_>) -> Result<(), VerifyError> {
    accumulator::only(verify_batch(&[entry]), VerifyError::Equation)
}

/// Verifies many proofs, of any parameters and rings, by one multiscalar sum, in which a ring that several proofs share
/// is there once.
///
/// # Errors
/// An empty batch, the first malformed item, or the sum. To name all invalid items, see
/// [`Accumulator::close_and_blame`](crate::proofs::accumulator::Accumulator::close_and_blame).
pub fn verify_batch(entries: &[Entry<'_>]) -> Result<(), BatchError> {
    accumulator::verify_all(&TriptychVerifier, entries.iter().copied())
}

/// The verifier of an [`Accumulator`](super::Accumulator). Its items may have any parameters and rings.
#[derive(Debug, Clone, Copy, Default)]
pub struct TriptychVerifier;

/// A well-formed proof with its statement.
#[derive(Debug)]
pub struct Item {
    transcript: Transcript,
    statement: Statement,
    proof: Proof,
    /// A, B, C, D, X, X1, Y, offset, J.
    encodings: Vec<[u8; 32]>,
}

/// A proof decoded, with its challenge.
pub struct Claim {
    inputs: InputSet,
    instance: Instance,
    /// In the order of [`Instance::add`].
    points: Vec<RistrettoPoint>,
}

impl core::fmt::Debug for Claim {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

/// The challenges, those of proofs of one form and number of digits drawn in step.
fn challenges(items: &[(Item, Vec<RistrettoPoint>)]) -> Vec<Scalar> {
    let shape = |i: &usize| {
        let parameters = items[*i].0.statement.parameters();
        (parameters.form(), parameters.shape().m())
    };
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(shape);
    let mut out = vec![Scalar::ZERO; items.len()];
    for group in order.chunk_by(|i, j| shape(i) == shape(j)) {
        let each = || group.iter().map(|&i| &items[i].0);
        let transcripts: Vec<&Transcript> = each().map(|item| &item.transcript).collect();
        let statements: Vec<&Statement> = each().map(|item| &item.statement).collect();
        let proofs: Vec<&Proof> = each().map(|item| &item.proof).collect();
        let drawn = Script::new(&transcripts, &statements).challenges(&proofs);
        group.iter().zip(drawn).for_each(|(&i, xi)| out[i] = xi);
    }
    out
}

impl accumulator::Verifier for TriptychVerifier {
    type Group = Ristretto;
    type Statement<'a> = Entry<'a>;
    type Item = Item;
    type Claim = Claim;
    type Error = VerifyError;

    fn equation_error(&self) -> VerifyError {
        VerifyError::Equation
    }

    fn check(&self, Entry { transcript, statement, proof }: Entry<'_>) -> Result<Item, VerifyError> {
        let parameters = statement.parameters();
        let (n, m) = parameters.n_and_m();
        if proof.form() != parameters.form() || proof.x.len() != m || proof.columns() != n - 1 {
            return Err(VerifyError::Shape);
        }
        if let Some(at) = proof.f.iter().position(|f| *f == Scalar::ZERO) {
            return Err(VerifyError::Zero(Field::F(at / (n - 1), 1 + at % (n - 1))));
        }
        let offset = statement.offset().map_or(&[][..], core::slice::from_ref);
        let head = [proof.a, proof.b, proof.c, proof.d];
        let encodings = [&head[..], &proof.x, &proof.x1, &proof.y, offset, &[*statement.tag()]].concat();
        let (statement, proof) = (statement.clone(), proof.clone());
        Ok(Item { transcript: transcript.clone(), statement, proof, encodings })
    }

    fn encodings<'a>(&self, item: &'a Item) -> &'a [[u8; 32]] {
        &item.encodings
    }

    fn point_error(&self, item: &Item, index: usize) -> VerifyError {
        let m = item.proof.x.len();
        let (x1, y) = (4 + m, 4 + m + item.proof.x1.len());
        VerifyError::Point(match index {
            0..4 => [Field::A, Field::B, Field::C, Field::D][index],
            _ if index < x1 => Field::X(index - 4),
            _ if index < y => Field::X1(index - x1),
            _ if index < y + m => Field::Y(index - y),
            _ if index + 1 < item.encodings.len() => Field::Offset,
            _ => Field::Tag,
        })
    }

    /// A ring is counted for each of its proofs, as if no two shared one.
    fn heap_bytes(&self, item: &Item) -> usize {
        let Item { statement, proof, encodings, .. } = item;
        let ring = statement.inputs().points().len() * (size_of::<Scalar>() + size_of::<EdwardsPoint>());
        let products = statement.parameters().ring_size() * size_of::<Scalar>();
        let scalars = (proof.f.len() + statement.parameters().shape().cells()) * size_of::<Scalar>();
        32 * encodings.len() + scalars + ring + products + size_of::<Claim>()
    }

    fn prepare(&self, items: Vec<(Item, Vec<RistrettoPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        let challenges = challenges(&items);
        // Zero stays zero, and is refused.
        let mut inverses = challenges.clone();
        Scalar::batch_invert(&mut inverses);
        let one = |(((item, points), xi), xi_inv): (((Item, Vec<RistrettoPoint>), Scalar), Scalar)| {
            if xi == Scalar::ZERO {
                return Err(VerifyError::ZeroChallenge);
            }
            let Item { statement, proof, .. } = item;
            let Proof { f, z_a, z_c, z, z1, .. } = proof;
            let cells = statement.parameters().shape().complete(&xi, &f);
            let cells = cells.map_err(|(row, column)| VerifyError::Zero(Field::F(row, column)))?;
            let instance = Instance { xi, xi_inv, cells, z_a, z_c, z, z1 };
            Ok(Claim { inputs: statement.inputs().clone(), instance, points })
        };
        items.into_iter().zip(challenges).zip(inverses).map(one).collect()
    }

    /// The challenge is a hash over the caller's transcript, the statement and every point of the proof; the responses are
    /// what it leaves out.
    fn bind(&self, claim: &Claim, out: &mut Vec<u8>) {
        let Instance { xi, cells, z_a, z_c, z, z1, .. } = &claim.instance;
        for scalar in [xi, z_a, z_c, z].into_iter().chain(z1).chain(cells) {
            out.extend_from_slice(scalar.as_bytes());
        }
    }

    fn equations(&self, claim: &Claim) -> usize {
        claim.instance.equations()
    }

    fn add(&self, claims: &[Weighted<'_, Claim>], sum: &mut Sum<Ristretto>) {
        let identity = |c: &&Weighted<'_, Claim>| -> ([u8; 32], [u8; 32]) {
            let (parameters, ring) = c.claim.inputs.identity();
            (*parameters, *ring)
        };
        let mut order: Vec<&Weighted<'_, Claim>> = claims.iter().collect();
        order.sort_by_cached_key(identity);
        for agreeing in order.chunk_by(|a, b| identity(a).0 == identity(b).0) {
            let parameters: &Parameters = agreeing[0].claim.inputs.parameters();
            let (tabled, named) = (parameters.set().len(), parameters.named());
            let mut bases = vec![ScalarSum::default(); tabled + named.len()];
            let mut own = Vec::new();
            for together in agreeing.chunk_by(|a, b| identity(a).1 == identity(b).1) {
                let inputs = &together[0].claim.inputs;
                let mut ring = vec![Scalar::ZERO; inputs.points().len()];
                for Weighted { claim, weights } in together {
                    own.clear();
                    claim.instance.add(weights, inputs, &mut bases, &mut ring, &mut own);
                    sum.add_points(&own, &claim.points);
                }
                sum.add_points(&ring, inputs.points());
            }
            let bases: Vec<Scalar> = bases.iter().map(ScalarSum::reduce).collect();
            sum.add_generators(parameters.set(), &bases[..tabled]);
            sum.add_points(&bases[tabled..], named);
        }
    }
}

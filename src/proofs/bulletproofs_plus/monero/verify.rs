//! Verification: one proof, a batch, and the search for the bad ones of a batch.

use alloc::vec;
use alloc::vec::Vec;
use core::mem::size_of;

use super::error::{BatchError, Field, VerifyError};
use super::generators::{Generators, LOG_BITS};
use super::transcript::Transcripts;
use super::wire::RangeProof;
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch};
use crate::msm;
use crate::proofs::accumulator::{self, Accumulator, Blame, EdwardsCofactored, Limits, Sum, Weighted};
use crate::proofs::bulletproofs_plus::equation::{Challenges, Equation, Instance, Inverses, invert_challenges};

/// What is claimed: each commitment hides an amount below 2^64, and this proof shows it.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The output commitments as they stand on chain, mask·G + amount·H.
    pub commitments: &'a [[u8; 32]],
    /// Their proof.
    pub proof: &'a RangeProof,
}

/// Verifies one proof, over generators built on first use. `commitments` as in [`Statement`].
///
/// # Errors
/// The first thing found wrong, cheap checks first.
#[cfg(feature = "std")]
pub fn verify(commitments: &[[u8; 32]], proof: &RangeProof) -> Result<(), VerifyError> {
    Generators::shared().verify(commitments, proof)
}

/// Verifies a batch by one multiscalar sum; see [`Generators::verify_batch`].
///
/// # Errors
/// A malformed item is named; a sum that fails says nothing on which item: see [`find_invalid`].
#[cfg(feature = "std")]
pub fn verify_batch(items: &[Statement<'_>]) -> Result<(), BatchError> {
    Generators::shared().verify_batch(items)
}

/// The indices of all invalid items, ascending; see [`Generators::find_invalid`].
#[cfg(feature = "std")]
pub fn find_invalid(items: &[Statement<'_>]) -> Vec<usize> {
    Generators::shared().find_invalid(items)
}

impl Generators {
    /// Verifies one proof. `commitments` as in [`Statement`].
    ///
    /// Costs a sum over 128·M + 2 static points and 15 + m + 2·log2 M others, M being the number m of outputs rounded up
    /// to a power of two.
    ///
    /// # Errors
    /// The first thing found wrong, cheap checks first.
    pub fn verify(&self, commitments: &[[u8; 32]], proof: &RangeProof) -> Result<(), VerifyError> {
        accumulator::only(self.verify_batch(&[Statement { commitments, proof }]), VerifyError::Equation)
    }

    /// Verifies many proofs, of any sizes, by one multiscalar sum: the static points count once.
    ///
    /// Memory: about 6 kB a proof of two outputs.
    ///
    /// # Errors
    /// An empty batch, or the first malformed item in the order of the checks (counts and scalars of all items, then
    /// points, then challenges), or the sum.
    pub fn verify_batch(&self, items: &[Statement<'_>]) -> Result<(), BatchError> {
        accumulator::verify_all(self, items.iter().copied())
    }

    /// The indices of all invalid items, ascending; empty if all are valid.
    ///
    /// Decodes and hashes every item once. Bisects, so that k invalid items among B cost at most k·log2 B sums over parts
    /// of the batch, and never more than B.
    pub fn find_invalid(&self, items: &[Statement<'_>]) -> Vec<usize> {
        let mut batch = Accumulator::new(self, Limits::NONE);
        // The items that are in the batch, and those that are not.
        let (mut pushed, mut invalid) = (Vec::with_capacity(items.len()), Vec::new());
        for (index, item) in items.iter().enumerate() {
            if batch.push(*item).is_ok() { pushed.push(index) } else { invalid.push(index) }
        }
        if let Err(Blame::Items(found)) = batch.close_and_blame() {
            invalid.extend(found.into_iter().map(|(i, _)| pushed[i]));
        }
        invalid.sort_unstable();
        invalid
    }
}

/// A well-formed proof with its commitments.
pub struct Item {
    rounds: usize,
    /// A, A1, B, L, R and the commitments: the order that [`Equation::add`] expects.
    encodings: Vec<[u8; 32]>,
    /// r1, s1, d1
    responses: [Scalar; 3],
    /// Whether the commitments are given divided by 8.
    divided: bool,
}

impl Item {
    fn commitments(&self) -> core::ops::RangeFrom<usize> {
        3 + 2 * self.rounds..
    }
}

/// A proof decoded, with its challenges.
pub struct Claim {
    instance: Instance,
    inverses: Inverses,
    points: Vec<EdwardsPoint>,
}

/// The verifier of proofs whose commitments come divided by 8, as V = C/8 and not as they stand on chain: the form that the
/// transcript hashes. It saves a multiplication for each; the caller compares 8·V with the commitments there are.
#[derive(Debug)]
pub struct Divided<'a>(pub &'a Generators);

impl accumulator::Verifier for Divided<'_> {
    type Group = EdwardsCofactored;
    /// `commitments` are V.
    type Statement<'a> = Statement<'a>;
    type Item = Item;
    type Claim = Claim;
    type Error = VerifyError;

    fn equation_error(&self) -> VerifyError {
        self.0.equation_error()
    }

    fn check(&self, statement: Statement<'_>) -> Result<Item, VerifyError> {
        Ok(Item { divided: true, ..self.0.check(statement)? })
    }

    fn encodings<'a>(&self, item: &'a Item) -> &'a [[u8; 32]] {
        self.0.encodings(item)
    }

    fn point_error(&self, item: &Item, index: usize) -> VerifyError {
        self.0.point_error(item, index)
    }

    fn heap_bytes(&self, item: &Item) -> usize {
        self.0.heap_bytes(item)
    }

    fn prepare(&self, items: Vec<(Item, Vec<EdwardsPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        self.0.prepare(items)
    }

    fn bind(&self, claim: &Claim, out: &mut Vec<u8>) {
        self.0.bind(claim, out);
    }

    fn equations(&self, claim: &Claim) -> usize {
        self.0.equations(claim)
    }

    fn add(&self, claims: &[Weighted<'_, Claim>], sum: &mut Sum<EdwardsCofactored>) {
        self.0.add(claims, sum);
    }
}

impl accumulator::Verifier for Generators {
    type Group = EdwardsCofactored;
    type Statement<'a> = Statement<'a>;
    type Item = Item;
    type Claim = Claim;
    type Error = VerifyError;

    fn equation_error(&self) -> VerifyError {
        VerifyError::Equation
    }

    fn check(&self, statement: Statement<'_>) -> Result<Item, VerifyError> {
        let Statement { commitments, proof } = statement;
        let expected = self.rounds(commitments.len()).map_err(VerifyError::Outputs)?;
        if proof.l.len() != expected || proof.r.len() != expected {
            return Err(VerifyError::Rounds { l: proof.l.len(), r: proof.r.len(), expected });
        }
        let scalar = |bytes, field| Option::from(Scalar::from_canonical_bytes(bytes)).ok_or(VerifyError::Scalar(field));
        let responses = [scalar(proof.r1, Field::R1)?, scalar(proof.s1, Field::S1)?, scalar(proof.d1, Field::D1)?];
        let encodings = [&[proof.a, proof.a1, proof.b], &proof.l[..], &proof.r[..], commitments].concat();
        Ok(Item { rounds: expected, encodings, responses, divided: false })
    }

    fn encodings<'a>(&self, item: &'a Item) -> &'a [[u8; 32]] {
        &item.encodings
    }

    fn point_error(&self, item: &Item, index: usize) -> VerifyError {
        VerifyError::Point(point_field(item.rounds, index))
    }

    fn heap_bytes(&self, item: &Item) -> usize {
        // The rounds' challenges and inverses, y and its inverse, d1, and the hashes of the commitments.
        size_of::<Claim>() + 32 * (2 * item.rounds + 3 + item.encodings.len())
    }

    fn prepare(&self, mut items: Vec<(Item, Vec<EdwardsPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        let whole = items.iter().filter(|(item, _)| !item.divided);
        let whole: Vec<EdwardsPoint> = whole.flat_map(|(item, points)| &points[item.commitments()]).copied().collect();
        let mut quotients = divide_by_eight_vartime(&whole).into_iter();
        let mut v = Vec::new();
        for (item, points) in &mut items {
            let commitments = &mut points[item.commitments()];
            if item.divided {
                v.extend_from_slice(&item.encodings[item.commitments()]);
                commitments.iter_mut().for_each(|point| *point = point.mul_by_cofactor());
            } else {
                v.extend(quotients.by_ref().take(commitments.len()));
            }
        }
        let challenges = challenges(&items, &v);
        let instances: Vec<Instance> = items
            .iter()
            .zip(challenges)
            .map(|((item, _), challenges)| {
                let [r1, s1, d1] = item.responses;
                let commitments = item.encodings[item.commitments()].len();
                Instance { challenges, commitments, r1, s1, d1: vec![d1] }
            })
            .collect();
        let inverses = invert_challenges(&instances);
        let parts = instances.into_iter().zip(inverses).zip(items);
        parts
            .map(|((instance, inverses), (_, points))| {
                refuse_zero(&instance.challenges)?;
                Ok(Claim { instance, inverses, points })
            })
            .collect()
    }

    /// The last challenge is the end of a hash chain over the commitments and every other byte of the proof; the
    /// responses are what that chain leaves out.
    fn bind(&self, claim: &Claim, out: &mut Vec<u8>) {
        let Instance { challenges, r1, s1, d1, .. } = &claim.instance;
        for scalar in [&challenges.last, r1, s1, &d1[0]] {
            out.extend_from_slice(scalar.as_bytes());
        }
    }

    fn equations(&self, _: &Claim) -> usize {
        1
    }

    fn add(&self, claims: &[Weighted<'_, Claim>], sum: &mut Sum<EdwardsCofactored>) {
        let rounds = claims.iter().map(|c| c.claim.instance.challenges.rounds.len()).max().unwrap_or(LOG_BITS);
        let mut equation = Equation::new(LOG_BITS, 1, rounds, Scalar::from(8u64));
        for Weighted { claim, weights } in claims {
            equation.add(&weights[0], &claim.instance, &claim.inverses);
        }
        let (bases, own) = equation.finish();
        let pairs = bases.gi.iter().zip(&bases.hi).flat_map(|(g, h)| [*g, *h]);
        let scalars: Vec<Scalar> = [bases.value, bases.masks[0]].into_iter().chain(pairs).collect();
        sum.add_generators(&self.set, &scalars);
        let mut own = &own[..];
        for Weighted { claim, .. } in claims {
            let (scalars, rest) = own.split_at(claim.points.len());
            sum.add_points(scalars, &claim.points);
            own = rest;
        }
    }
}

/// Which part of a proof of so many rounds its point of this index is.
fn point_field(rounds: usize, index: usize) -> Field {
    match index {
        0 => Field::A,
        1 => Field::A1,
        2 => Field::B,
        _ if index < 3 + rounds => Field::L(index - 3),
        _ if index < 3 + 2 * rounds => Field::R(index - 3 - rounds),
        _ => Field::Commitment(index - 3 - 2 * rounds),
    }
}

/// The encodings of V = (1/8 mod l)·C. The integer 1/8 mod l, not a halving: C may have a small-order part.
fn divide_by_eight_vartime(commitments: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    compress_batch(&msm::same_scalar_vartime(&Scalar::INV_EIGHT, commitments))
}

/// Replays the transcripts, all proofs in step. `v` holds the V of all proofs one after the other.
fn challenges(items: &[(Item, Vec<EdwardsPoint>)], v: &[[u8; 32]]) -> Vec<Challenges> {
    let mut rest = v;
    let commitments: Vec<&[u8]> = items
        .iter()
        .map(|(item, points)| {
            let (own, others) = rest.split_at(points[item.commitments()].len());
            rest = others;
            own.as_flattened()
        })
        .collect();
    let mut transcripts = Transcripts::start(&commitments);
    let a: Vec<_> = items.iter().map(|(item, _)| item.encodings[0]).collect();
    let mut out: Vec<Challenges> = transcripts
        .y_and_z(&a)
        .into_iter()
        .map(|(y, z)| Challenges { y, z, rounds: Vec::new(), last: Scalar::ZERO })
        .collect();

    let most = items.iter().map(|(item, _)| item.rounds).max().unwrap_or(0);
    for j in 0..most {
        let active: Vec<usize> = (0..items.len()).filter(|&i| j < items[i].0.rounds).collect();
        let points: Vec<_> = active
            .iter()
            .map(|&i| {
                let Item { rounds, encodings, .. } = &items[i].0;
                [encodings[3 + j], encodings[3 + rounds + j]]
            })
            .collect();
        for (&i, e) in active.iter().zip(transcripts.challenge(&active, &points)) {
            out[i].rounds.push(e);
        }
    }
    let all: Vec<usize> = (0..items.len()).collect();
    let points: Vec<_> = items.iter().map(|(item, _)| [item.encodings[1], item.encodings[2]]).collect();
    for (challenges, e) in out.iter_mut().zip(transcripts.challenge(&all, &points)) {
        challenges.last = e;
    }
    out
}

/// A zero challenge is refused, as the original refuses it.
fn refuse_zero(challenges: &Challenges) -> Result<(), VerifyError> {
    let Challenges { y, z, rounds, last } = challenges;
    let zero = [y, z, last].into_iter().chain(rounds).any(|x| *x == Scalar::ZERO);
    if zero { Err(VerifyError::ZeroChallenge) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_challenges_are_refused() {
        let one = || Challenges { y: Scalar::ONE, z: Scalar::ONE, rounds: vec![Scalar::ONE; 6], last: Scalar::ONE };
        assert_eq!(refuse_zero(&one()), Ok(()));
        let zero: [fn(&mut Challenges); 5] = [
            |c| c.y = Scalar::ZERO,
            |c| c.z = Scalar::ZERO,
            |c| c.rounds[0] = Scalar::ZERO,
            |c| c.rounds[5] = Scalar::ZERO,
            |c| c.last = Scalar::ZERO,
        ];
        for set in zero {
            let mut challenges = one();
            set(&mut challenges);
            assert_eq!(refuse_zero(&challenges), Err(VerifyError::ZeroChallenge));
        }
    }

    #[test]
    fn fields_by_index() {
        let of = |index| point_field(6, index);
        assert_eq!([of(0), of(1), of(2)], [Field::A, Field::A1, Field::B]);
        assert_eq!(
            [of(3), of(8), of(9), of(14), of(15)],
            [Field::L(0), Field::L(5), Field::R(0), Field::R(5), Field::Commitment(0)]
        );
    }
}

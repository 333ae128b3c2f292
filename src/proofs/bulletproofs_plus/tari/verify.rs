//! Verification and recovery, of one proof and of many.

use alloc::vec::Vec;
use core::mem::size_of;

use super::error::{BatchError, Field, VerifyError};
use super::parameters::RangeParameters;
use super::recover::{self, Sealed};
use super::statement::RangeStatement;
use super::transcript::{Halt, Oracle, Script};
use super::wire::RangeProof;
use super::witness::ExtendedMask;
use crate::field::scalar::Scalar;
use crate::group::{RistrettoPoint, try_decompress_batch_ristretto};
use crate::hash::Transcript;
use crate::proofs::accumulator::{self, Ristretto, Sum, Weighted};
use crate::proofs::bulletproofs_plus::equation::{Challenges, Equation, Instance, Inverses, invert_challenges};

/// What [`RangeProof::verify_batch`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifyAction {
    /// Verify, for the public.
    VerifyOnly,
    /// Verify, and recover the masks of the statements that have a seed, for their owner.
    RecoverAndVerify,
    /// Recover without the equation. A success says nothing about validity, only that all points are decodable.
    RecoverOnly,
}

/// Statements of one batch must agree within groups of this many.
const AGREEING: usize = 256;

/// One item of a batch.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The transcript as it was when the proof was made.
    pub transcript: &'a Transcript,
    /// What is claimed.
    pub statement: &'a RangeStatement,
    /// The proof of it.
    pub proof: &'a RangeProof,
}

impl RangeProof {
    /// Verifies a batch by one multiscalar sum for every 256 proofs, recovers masks, or both; one result for each proof, in
    /// order, with masks where the statement has a seed and recovery was asked for. The transcripts go on from their
    /// states at the end of the proof, responses included; after an error their states mean nothing.
    ///
    /// Each group of 256 must agree in bit length and bases of commitments, as crate `tari_bulletproofs_plus` demands. For
    /// batches that don't, and to learn which proof is invalid, use an [`Accumulator`](super::Accumulator).
    ///
    /// # Errors
    /// An empty batch, lists of different lengths, disagreeing statements, or the first malformed item of 256 (counts
    /// and promises, then points, then challenges), or the sum. No masks are returned then, and for
    /// [`RecoverOnly`](VerifyAction::RecoverOnly) the sum isn't formed.
    pub fn verify_batch(
        transcripts: &mut [Transcript],
        statements: &[RangeStatement],
        proofs: &[RangeProof],
        action: VerifyAction,
    ) -> Result<Vec<Option<ExtendedMask>>, BatchError> {
        if transcripts.is_empty() || statements.is_empty() || proofs.is_empty() {
            return Err(BatchError::Empty);
        }
        if transcripts.len() != statements.len() || statements.len() != proofs.len() {
            let (transcripts, statements, proofs) = (transcripts.len(), statements.len(), proofs.len());
            return Err(BatchError::Lengths { transcripts, statements, proofs });
        }
        let mut masks = Vec::with_capacity(proofs.len());
        let groups = transcripts.chunks_mut(AGREEING).zip(statements.chunks(AGREEING)).zip(proofs.chunks(AGREEING));
        for (group, ((transcripts, statements), proofs)) in groups.enumerate() {
            let from = group * AGREEING;
            let found = verify_group(transcripts, statements, proofs, action).map_err(|error| match error {
                BatchError::Item { index, error } => BatchError::Item { index: from + index, error },
                BatchError::Parameters(index) => BatchError::Parameters(from + index),
                other => other,
            })?;
            masks.extend(found);
        }
        Ok(masks)
    }
}

/// [`RangeProof::verify_batch`] for statements that must agree; none of the lists is empty or shorter than the others.
fn verify_group(
    transcripts: &mut [Transcript],
    statements: &[RangeStatement],
    proofs: &[RangeProof],
    action: VerifyAction,
) -> Result<Vec<Option<ExtendedMask>>, BatchError> {
    let item = |index| move |error| BatchError::Item { index, error };
    let first = &statements[0].parameters;
    if let Some(i) = statements.iter().position(|statement| !statement.parameters.agree(first)) {
        return Err(BatchError::Parameters(i));
    }
    let parts = transcripts.iter().zip(statements).zip(proofs);
    let entries: Vec<Entry<'_>> =
        parts.map(|((transcript, statement), proof)| Entry { transcript, statement, proof }).collect();
    for (i, entry) in entries.iter().enumerate() {
        entry.check().map_err(item(i))?;
    }

    let encodings: Vec<[u8; 32]> = entries.iter().flat_map(Entry::encodings).collect();
    let mut decoded = try_decompress_batch_ristretto(&encodings).into_iter();
    let mut points = Vec::with_capacity(entries.len());
    for (i, entry) in entries.iter().enumerate() {
        let own: Vec<Option<RistrettoPoint>> = decoded.by_ref().take(entry.encodings().count()).collect();
        if let Some(at) = own.iter().position(Option::is_none) {
            return Err(item(i)(VerifyError::Point(entry.field(at))));
        }
        points.push(own.into_iter().flatten().collect());
    }

    let mut challenges = Vec::with_capacity(entries.len());
    let mut ends = Vec::with_capacity(entries.len());
    for (i, replayed) in replay(&entries).into_iter().enumerate() {
        let (drawn, end) = replayed.map_err(item(i))?;
        challenges.push(drawn);
        ends.push(end);
    }

    let mut masks: Vec<Option<ExtendedMask>> = entries.iter().map(|_| None).collect();
    if action != VerifyAction::VerifyOnly {
        let (mut owned, mut sealed) = (Vec::new(), Vec::new());
        for (i, (entry, challenges)) in entries.iter().zip(&challenges).enumerate() {
            if let Some(seed) = &entry.statement.seed {
                owned.push(i);
                sealed.push(Sealed { seed, proof: entry.proof, challenges });
            }
        }
        for (i, mask) in owned.into_iter().zip(recover::masks(&sealed)) {
            masks[i] = Some(mask);
        }
    }
    if action != VerifyAction::RecoverOnly
        && !accumulator::holds_vartime(&RangeVerifier, claims(&entries, points, challenges))
    {
        return Err(BatchError::Equation);
    }
    transcripts.iter_mut().zip(ends).for_each(|(transcript, end)| *transcript = end);
    Ok(masks)
}

impl Entry<'_> {
    /// The checks that need no arithmetic.
    fn check(&self) -> Result<(), VerifyError> {
        let (statement, proof) = (self.statement, self.proof);
        let (found, expected) = (proof.d1.len(), statement.parameters.extension_degree().count());
        if found != expected {
            return Err(VerifyError::ExtensionDegree { found, expected });
        }
        let (found, expected) = (proof.l.len(), statement.rounds());
        if found != expected {
            return Err(VerifyError::Rounds { found, expected });
        }
        let bits = statement.parameters.bit_length();
        match statement.minima().position(|minimum| u128::from(minimum) >> bits > 0) {
            Some(i) => Err(VerifyError::Promise(i)),
            None => Ok(()),
        }
    }

    /// The points to be decoded: A, A1, B, L, R, and the commitments unless they are decoded already.
    fn encodings(&self) -> impl Iterator<Item = [u8; 32]> {
        let RangeProof { a, a1, b, l, r, .. } = self.proof;
        let commitments = if self.statement.points.is_none() { &self.statement.encodings[..] } else { &[] };
        [*a, *a1, *b].into_iter().chain([l, r].into_iter().flatten().copied()).chain(commitments.iter().copied())
    }

    /// Which point the one of this index is.
    fn field(&self, index: usize) -> Field {
        let rounds = self.proof.l.len();
        match index {
            0 => Field::A,
            1 => Field::A1,
            2 => Field::B,
            _ if index < 3 + rounds => Field::L(index - 3),
            _ if index < 3 + 2 * rounds => Field::R(index - 3 - rounds),
            _ => Field::Commitment(index - 3 - 2 * rounds),
        }
    }
}

/// Replays the transcripts of checked entries, those of one shape in step: the challenges, and the transcripts at the end.
fn replay(entries: &[Entry<'_>]) -> Vec<Result<(Challenges, Transcript), VerifyError>> {
    let shape = |i: &usize| {
        let Entry { statement, proof, .. } = entries[*i];
        (proof.d1.len(), statement.encodings.len(), proof.l.len())
    };
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(shape);
    let mut out: Vec<Option<Result<(Challenges, Transcript), VerifyError>>> = entries.iter().map(|_| None).collect();
    for group in order.chunk_by(|i, j| shape(i) == shape(j)) {
        let entries: Vec<Entry<'_>> = group.iter().map(|&i| entries[i]).collect();
        for (found, &i) in replay_in_step(&entries).into_iter().zip(group) {
            out[i] = Some(found);
        }
    }
    out.into_iter().map(|found| found.expect("a result for each")).collect()
}

/// [`replay`] for entries of one shape.
fn replay_in_step(entries: &[Entry<'_>]) -> Vec<Result<(Challenges, Transcript), VerifyError>> {
    let proof = |i: usize| entries[i].proof;
    let transcripts: Vec<&Transcript> = entries.iter().map(|entry| entry.transcript).collect();
    let statements: Vec<&RangeStatement> = entries.iter().map(|entry| entry.statement).collect();
    let mut script = Script::of(&transcripts, &statements);
    let drawn = draw(&mut script, entries);
    let halts: Vec<Option<Halt>> = script.halts().to_vec();

    script.responses(|i| &proof(i).r1, |i| &proof(i).s1);
    script.d1(proof(0).d1.len(), |i| &proof(i).d1);
    let mut ends: Vec<Option<Transcript>> = entries.iter().map(|_| None).collect();
    script.into_transcripts().for_each(|(i, transcript)| ends[i] = Some(transcript));
    let parts = halts.into_iter().zip(drawn).zip(ends);
    parts
        .map(|((halt, challenges), end)| match halt {
            None => Ok((challenges, end.expect("a transcript for each"))),
            Some(Halt::Identity(field)) => Err(VerifyError::Identity(field)),
            Some(Halt::ZeroChallenge) => Err(VerifyError::ZeroChallenge),
        })
        .collect()
}

/// The challenges of entries of one shape, after the statements are absorbed.
pub(super) fn draw<O: Oracle>(script: &mut Script<O>, entries: &[Entry<'_>]) -> Vec<Challenges> {
    let proof = |i: usize| entries[i].proof;
    let rounds = proof(0).l.len();
    script.a(|i| &proof(i).a);
    let start = |(y, z)| Challenges { y, z, rounds: Vec::with_capacity(rounds), last: Scalar::ZERO };
    let mut out: Vec<Challenges> = script.y_and_z().into_iter().map(start).collect();
    for j in 0..rounds {
        script.round(j, |i| &proof(i).l[j], |i| &proof(i).r[j]);
        out.iter_mut().zip(script.e()).for_each(|(challenges, e)| challenges.rounds.push(e));
    }
    script.last(|i| &proof(i).a1, |i| &proof(i).b);
    out.iter_mut().zip(script.e()).for_each(|(challenges, e)| challenges.last = e);
    out
}

/// The verifier of an [`Accumulator`](super::Accumulator). Its items may have any parameters.
#[derive(Debug, Clone, Copy, Default)]
pub struct RangeVerifier;

/// A well-formed proof with its statement.
pub struct Item {
    transcript: Transcript,
    statement: RangeStatement,
    proof: RangeProof,
    encodings: Vec<[u8; 32]>,
}

impl Item {
    fn entry(&self) -> Entry<'_> {
        Entry { transcript: &self.transcript, statement: &self.statement, proof: &self.proof }
    }
}

/// A proof decoded, with its challenges.
pub struct Claim {
    parameters: RangeParameters,
    minima: Vec<u64>,
    instance: Instance,
    inverses: Inverses,
    /// A, A1, B, L, R and the commitments: the order that [`Equation::add`] expects.
    points: Vec<RistrettoPoint>,
}

/// The claims of entries whose points are decoded and whose challenges are drawn.
fn claims(entries: &[Entry<'_>], points: Vec<Vec<RistrettoPoint>>, challenges: Vec<Challenges>) -> Vec<Claim> {
    let instance = |(entry, challenges): (&Entry<'_>, Challenges)| {
        let RangeProof { r1, s1, d1, .. } = entry.proof;
        let commitments = entry.statement.encodings.len();
        Instance { challenges, commitments, r1: *r1, s1: *s1, d1: d1.clone() }
    };
    let instances: Vec<Instance> = entries.iter().zip(challenges).map(instance).collect();
    let inverses = invert_challenges(&instances);
    let parts = entries.iter().zip(points).zip(instances).zip(inverses);
    parts
        .map(|(((entry, mut points), instance), inverses)| {
            let statement = entry.statement;
            points.extend_from_slice(statement.points.as_deref().unwrap_or_default());
            let minima = statement.minima().collect();
            Claim { parameters: statement.parameters.clone(), minima, instance, inverses, points }
        })
        .collect()
}

impl accumulator::Verifier for RangeVerifier {
    type Group = Ristretto;
    type Statement<'a> = Entry<'a>;
    type Item = Item;
    type Claim = Claim;
    type Error = VerifyError;

    fn equation_error(&self) -> VerifyError {
        VerifyError::Equation
    }

    fn check(&self, entry: Entry<'_>) -> Result<Item, VerifyError> {
        entry.check()?;
        Ok(Item {
            transcript: entry.transcript.clone(),
            statement: entry.statement.clone(),
            proof: entry.proof.clone(),
            encodings: entry.encodings().collect(),
        })
    }

    fn encodings<'a>(&self, item: &'a Item) -> &'a [[u8; 32]] {
        &item.encodings
    }

    fn point_error(&self, item: &Item, index: usize) -> VerifyError {
        VerifyError::Point(item.entry().field(index))
    }

    fn heap_bytes(&self, item: &Item) -> usize {
        let Item { statement, proof, .. } = item;
        let commitments = statement.encodings.len();
        let decoded = size_of::<RistrettoPoint>() * statement.points.as_ref().map_or(0, Vec::len);
        // Statement and proof, then the claim: its challenges and their inverses.
        let statement = commitments * (32 + size_of::<Option<u64>>() + 8) + 2 * decoded;
        statement + 32 * (2 * proof.d1.len() + 4 * proof.l.len() + 3) + size_of::<Claim>() + size_of::<Transcript>()
    }

    fn prepare(&self, items: Vec<(Item, Vec<RistrettoPoint>)>) -> Vec<Result<Claim, VerifyError>> {
        let entries: Vec<Entry<'_>> = items.iter().map(|(item, _)| item.entry()).collect();
        let mut faults = Vec::with_capacity(entries.len());
        let (mut good, mut points, mut challenges) = (Vec::new(), Vec::new(), Vec::new());
        for ((replayed, entry), (_, own)) in replay(&entries).into_iter().zip(&entries).zip(&items) {
            match replayed {
                Ok((drawn, _)) => {
                    good.push(*entry);
                    points.push(own.clone());
                    challenges.push(drawn);
                    faults.push(None);
                }
                Err(error) => faults.push(Some(error)),
            }
        }
        let mut claims = claims(&good, points, challenges).into_iter();
        let one = |fault: Option<VerifyError>| match fault {
            Some(error) => Err(error),
            None => Ok(claims.next().expect("a claim for each good entry")),
        };
        faults.into_iter().map(one).collect()
    }

    /// The last challenge is the end of a hash chain over the statement and every other byte of the proof; the responses
    /// are what that chain leaves out.
    fn bind(&self, claim: &Claim, out: &mut Vec<u8>) {
        let Instance { challenges, r1, s1, d1, .. } = &claim.instance;
        for scalar in [&challenges.last, r1, s1].into_iter().chain(d1) {
            out.extend_from_slice(scalar.as_bytes());
        }
    }

    fn equations(&self, _: &Claim) -> usize {
        1
    }

    fn add(&self, claims: &[Weighted<'_, Claim>], sum: &mut Sum<Ristretto>) {
        let mut rest: Vec<&Weighted<'_, Claim>> = claims.iter().collect();
        while let Some(first) = rest.first() {
            let parameters = &first.claim.parameters;
            let (agreeing, others) = rest.iter().partition(|c| c.claim.parameters.agree(parameters));
            add_agreeing(agreeing, sum);
            rest = others;
        }
    }
}

/// Adds equations over the same bases, one at least.
fn add_agreeing(claims: Vec<&Weighted<'_, Claim>>, sum: &mut Sum<Ristretto>) {
    let rounds = |c: &&&Weighted<'_, Claim>| c.claim.instance.challenges.rounds.len();
    let Some(largest) = claims.iter().max_by_key(rounds) else { return };
    let Claim { parameters, instance, .. } = largest.claim;
    let (log_bits, rounds) = (parameters.log_bits(), instance.challenges.rounds.len());
    let mut equation = Equation::new(log_bits, instance.d1.len(), rounds, Scalar::ONE);
    for Weighted { claim, weights } in &claims {
        equation.add(&weights[0], &claim.instance, &claim.inverses);
        equation.shift_commitments(&claim.minima);
    }
    let (bases, own) = equation.finish();
    let pairs = bases.gi.iter().zip(&bases.hi).flat_map(|(g, h)| [*g, *h]);
    let scalars: Vec<Scalar> = core::iter::once(bases.value).chain(bases.masks).chain(pairs).collect();
    sum.add_generators(parameters.generators(rounds - log_bits), &scalars);
    let mut own = &own[..];
    for Weighted { claim, .. } in &claims {
        let (scalars, rest) = own.split_at(claim.points.len());
        sum.add_points(scalars, &claim.points);
        own = rest;
    }
}

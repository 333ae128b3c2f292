//! Verification.

use alloc::vec;
use alloc::vec::Vec;

use super::error::{BatchError, Field, VerifyError};
use super::transcript::{Public, Rounds, aggregation_factors};
use super::wire::{Clsag, RingMember};
use crate::field::scalar::Scalar;
use crate::group::threads::in_parts;
use crate::group::{
    CompressedEdwardsY, EdwardsPoint, compress_batch, monero_hash_to_point_batch, try_decompress_batch_strict,
};
use crate::hash::keccak256_batch;
use crate::msm::short_sums::ShortSums;

/// What is claimed: the signature's maker owns a member of the ring, whose key image and amount these are.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The ring, in the transaction's order.
    pub ring: &'a [RingMember],
    /// The key image I.
    pub key_image: &'a [u8; 32],
    /// The pseudo-output.
    pub pseudo_out: &'a [u8; 32],
    /// What is signed: for a transaction, its [signing hash](crate::tx::monero::Transaction::signing_hash).
    pub message: &'a [u8; 32],
    /// The signature.
    pub signature: &'a Clsag,
}

impl<'a> Statement<'a> {
    fn public(&self) -> Public<'a> {
        let Statement { ring, key_image, pseudo_out, message, signature } = *self;
        Public { ring, key_image, d: &signature.d, pseudo_out, message }
    }
}

/// Verifies one signature.
///
/// Costs two sums of three terms for each ring member. The key image's order is not looked at: see the
/// [module](super) on what a verdict means.
///
/// # Errors
/// The first thing found wrong, cheap checks first.
pub fn verify(statement: &Statement<'_>) -> Result<(), VerifyError> {
    verify_each(core::slice::from_ref(statement))[0]
}

/// Verifies many signatures.
///
/// # Errors
/// An empty batch, or the first invalid item.
pub fn verify_batch(items: &[Statement<'_>]) -> Result<(), BatchError> {
    if items.is_empty() {
        return Err(BatchError::Empty);
    }
    let mut verdicts = verify_each(items).into_iter().enumerate();
    verdicts.try_for_each(|(index, verdict)| verdict.map_err(|error| BatchError::Item { index, error }))
}

/// The verdict on each of many signatures, as [`verify`] gives it, for a fraction of the cost.
///
/// Memory: about 0.6 MB a hundred ring members, for at most 1024 members at a time, and what the largest ring needs.
pub fn verify_each(items: &[Statement<'_>]) -> Vec<Result<(), VerifyError>> {
    let mut verdicts = vec![Ok(()); items.len()];
    in_parts(&mut verdicts, CHAINS, |start, mut verdicts| {
        let mut items = &items[start..start + verdicts.len()];
        while !items.is_empty() {
            let (now, later) = items.split_at(block(items));
            let (verdicts_now, verdicts_later) = verdicts.split_at_mut(now.len());
            verify_block(now, verdicts_now);
            (items, verdicts) = (later, verdicts_later);
        }
    });
    verdicts
}

/// Ring members whose points are held at the same time.
const BLOCK: usize = 1024;
/// Signatures whose chains run side by side: their 32 sums fill four vectors of the widest kind, which share the
/// inversion of their encoding.
const CHAINS: usize = 16;
/// Tables made ahead of a step, three for each signature and step: few enough to stay in a second-level cache.
const AHEAD: usize = 96;

/// How many items to take together: a multiple of [`CHAINS`] if there are as many, and at least one.
fn block(items: &[Statement<'_>]) -> usize {
    let mut members = 0;
    let fit = items.iter().take_while(|item| {
        members += item.ring.len();
        members <= BLOCK
    });
    match fit.count() {
        all if all == items.len() => all,
        few if few < CHAINS => few.max(1),
        many => many - many % CHAINS,
    }
}

fn verify_block(items: &[Statement<'_>], verdicts: &mut [Result<(), VerifyError>]) {
    let mut chains = Vec::with_capacity(items.len());
    for (i, (item, verdict)) in items.iter().zip(&mut *verdicts).enumerate() {
        match Scalars::new(item) {
            Ok(scalars) => chains.push((i, scalars)),
            Err(error) => *verdict = Err(error),
        }
    }
    let sound: Vec<Statement<'_>> = chains.iter().map(|(i, _)| items[*i]).collect();
    let points = decode(&sound);
    let factors = aggregation_factors(&sound.iter().map(Statement::public).collect::<Vec<_>>());
    let mut ready = Vec::with_capacity(sound.len());
    for ((item, (i, scalars)), (points, factors)) in sound.iter().zip(chains).zip(points.into_iter().zip(factors)) {
        match points {
            Ok(points) => ready.push((i, Chain { scalars, points, factors, rounds: item.public().rounds() })),
            Err(error) => verdicts[i] = Err(error),
        }
    }
    // Chains of like length together: a lane whose chain has ended is idle.
    ready.sort_by_key(|(_, chain)| chain.points.members.len());
    for group in ready.chunks(CHAINS) {
        run(group, verdicts);
    }
}

/// The scalars of a signature, below l. All checks that need no points have been made.
struct Scalars {
    responses: Vec<Scalar>,
    first: Scalar,
}

impl Scalars {
    fn new(item: &Statement<'_>) -> Result<Scalars, VerifyError> {
        let (found, expected) = (item.signature.s.len(), item.ring.len());
        if expected == 0 {
            return Err(VerifyError::EmptyRing);
        }
        if found != expected {
            return Err(VerifyError::Responses { found, expected });
        }
        let scalar = |bytes: &[u8; 32], field| {
            Option::from(Scalar::from_canonical_bytes(*bytes)).ok_or(VerifyError::Scalar(field))
        };
        let responses = item.signature.s.iter().enumerate();
        let scalars = Scalars {
            responses: responses.map(|(i, s)| scalar(s, Field::Response(i))).collect::<Result<_, _>>()?,
            first: scalar(&item.signature.c1, Field::C1)?,
        };
        if *item.key_image == CompressedEdwardsY::IDENTITY.0 {
            return Err(VerifyError::IdentityImage);
        }
        Ok(scalars)
    }
}

/// The points of a signature.
struct Points {
    image: EdwardsPoint,
    /// 8·D
    d: EdwardsPoint,
    /// P, 8·map(K(P)) and C less the pseudo-output, of each ring member.
    members: Vec<[EdwardsPoint; 3]>,
}

/// Decodes and maps everything.
fn decode(items: &[Statement<'_>]) -> Vec<Result<Points, VerifyError>> {
    let mut encodings = Vec::new();
    for item in items {
        encodings.extend([*item.pseudo_out, *item.key_image, item.signature.d]);
        encodings.extend(item.ring.iter().flat_map(|member| [member.key, member.commitment]));
    }
    let points = try_decompress_batch_strict(&encodings);
    let keys: Vec<&[u8]> = items.iter().flat_map(|item| item.ring.iter().map(|member| &member.key[..])).collect();
    let mut hashes = vec![[0; 32]; keys.len()];
    keccak256_batch(&keys, &mut hashes);
    let bases = monero_hash_to_point_batch(&hashes);

    let (mut points, mut bases) = (&points[..], &bases[..]);
    items
        .iter()
        .map(|item| {
            let n = item.ring.len();
            let (own, others) = points.split_at(3 + 2 * n);
            let (own_bases, other_bases) = bases.split_at(n);
            (points, bases) = (others, other_bases);
            Points::new(own, own_bases)
        })
        .collect()
}

impl Points {
    /// From a signature's part of what was decoded.
    fn new(points: &[Option<EdwardsPoint>], bases: &[EdwardsPoint]) -> Result<Points, VerifyError> {
        let point = |i: usize| {
            points[i].ok_or(VerifyError::Point(match i {
                0 => Field::PseudoOut,
                1 => Field::KeyImage,
                2 => Field::D,
                _ if i % 2 == 1 => Field::Key((i - 3) / 2),
                _ => Field::Commitment((i - 3) / 2),
            }))
        };
        let (pseudo_out, image, d) = (point(0)?, point(1)?, point(2)?.mul_by_cofactor());
        if d.is_identity().into() {
            return Err(VerifyError::SmallOrderD);
        }
        let members = bases.iter().enumerate();
        let members = members.map(|(i, base)| Ok([point(3 + 2 * i)?, *base, point(4 + 2 * i)? - pseudo_out]));
        Ok(Points { image, d, members: members.collect::<Result<_, _>>()? })
    }
}

/// A signature whose challenges are to be computed one after the other.
struct Chain {
    scalars: Scalars,
    points: Points,
    /// muP and muC
    factors: (Scalar, Scalar),
    rounds: Rounds,
}

/// Runs some chains in step and gives the verdicts at their indices.
fn run(chains: &[(usize, Chain)], verdicts: &mut [Result<(), VerifyError>]) {
    let longest = chains.iter().map(|(_, chain)| chain.points.members.len()).max().unwrap_or(0);
    let ahead = (AHEAD / (3 * chains.len())).clamp(1, longest);
    // Places: G; I and 8·D of each chain; three for each chain and step ahead.
    let lasting = 1 + 2 * chains.len();
    let mut sums = ShortSums::new(lasting + 3 * ahead * chains.len(), 2 * chains.len());
    let images = chains.iter().flat_map(|(_, chain)| [chain.points.image, chain.points.d]);
    sums.set(0, &[EdwardsPoint::BASEPOINT].into_iter().chain(images).collect::<Vec<_>>());

    let mut challenges: Vec<Scalar> = chains.iter().map(|(_, chain)| chain.scalars.first).collect();
    let mut members = Vec::new();
    let mut terms = Vec::new();
    for step in 0..longest {
        // A chain that has ended or failed takes part no more.
        let active: Vec<usize> = (0..chains.len())
            .filter(|&k| step < chains[k].1.points.members.len() && verdicts[chains[k].0].is_ok())
            .collect();
        if step % ahead == 0 {
            members.clear();
            for (_, chain) in chains {
                let mut own = chain.points.members.iter().skip(step).flatten().copied();
                members.extend((0..3 * ahead).map(|_| own.next().unwrap_or(EdwardsPoint::IDENTITY)));
            }
            sums.set(lasting, &members);
        }
        terms.clear();
        for &k in &active {
            let (chain, c) = (&chains[k].1, challenges[k]);
            let (s, p, z) = (chain.scalars.responses[step], c * chain.factors.0, c * chain.factors.1);
            let member = lasting + 3 * (k * ahead + step % ahead);
            // L = s·G + c·muP·P + c·muC·(C − pseudo-output)
            terms.push([(s, 0), (p, member), (z, member + 2)]);
            // R = s·Hp + c·muP·I + c·muC·8D
            terms.push([(s, member + 1), (p, 1 + 2 * k), (z, 2 + 2 * k)]);
        }
        let encodings = compress_batch(&sums.sums_vartime(&terms));
        for (&k, [l, r]) in active.iter().zip(encodings.as_chunks().0) {
            let (index, chain) = &chains[k];
            challenges[k] = chain.rounds.challenge(l, r);
            if challenges[k].is_zero().into() {
                verdicts[*index] = Err(VerifyError::ZeroChallenge(step));
            }
        }
    }
    for ((index, chain), last) in chains.iter().zip(challenges) {
        if verdicts[*index].is_ok() && last != chain.scalars.first {
            verdicts[*index] = Err(VerifyError::Equation);
        }
    }
}

//! Verification: one proof, a batch, and the search for the bad ones of a batch.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::error::{BatchError, Field, VerifyError};
use super::generators::{Generators, LOG_BITS};
use super::transcript::Transcripts;
use super::wire::RangeProof;
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch, decompress_batch_strict};
use crate::hash::{Keccak256, keccak256_batch};
use crate::msm;
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
        let batch = Batch::new(self, &[Statement { commitments, proof }]).map_err(|(_, error)| error)?;
        if batch.holds(self, 0..1) { Ok(()) } else { Err(VerifyError::Equation) }
    }

    /// Verifies many proofs, of any sizes, by one multiscalar sum: the static points count once.
    ///
    /// Memory: about 6 kB a proof of two outputs.
    ///
    /// # Errors
    /// An empty batch, or the first malformed item in the order of the checks (counts and scalars of all items, then
    /// points, then challenges), or the sum.
    pub fn verify_batch(&self, items: &[Statement<'_>]) -> Result<(), BatchError> {
        if items.is_empty() {
            return Err(BatchError::Empty);
        }
        let batch = Batch::new(self, items).map_err(|(index, error)| BatchError::Item { index, error })?;
        if batch.holds(self, 0..items.len()) { Ok(()) } else { Err(BatchError::Equation) }
    }

    /// The indices of all invalid items, ascending; empty if all are valid.
    ///
    /// Decodes and hashes everything once more only if an item is malformed. Bisects, so that k invalid items among B
    /// cost at most 2·k·log2 B sums over parts of the batch; after B/2 such sums the rest is verified one by one.
    pub fn find_invalid(&self, items: &[Statement<'_>]) -> Vec<usize> {
        let mut invalid = Vec::new();
        let mut kept: Vec<usize> = (0..items.len()).collect();
        let mut batch = Batch::new(self, items);
        if batch.is_err() {
            kept.retain(|&i| Batch::new(self, &items[i..=i]).is_ok());
            invalid.extend((0..items.len()).filter(|i| kept.binary_search(i).is_err()));
            batch = Batch::new(self, &kept.iter().map(|&i| items[i]).collect::<Vec<_>>());
        }
        // Whatever is wrong with items that each passed alone, refuse them all.
        let Ok(batch) = batch else { return (0..items.len()).collect() };
        if !kept.is_empty() && !batch.holds(self, 0..kept.len()) {
            let mut found = Vec::new();
            bisect(0..kept.len(), &mut (kept.len() / 2), &mut found, &mut |part| batch.holds(self, part));
            invalid.extend(found.into_iter().map(|i| kept[i]));
        }
        invalid.sort_unstable();
        invalid
    }
}

/// Finds the bad items of a range that is known to contain one, at most `budget` sums deep.
fn bisect(
    range: Range<usize>,
    budget: &mut usize,
    found: &mut Vec<usize>,
    holds: &mut impl FnMut(Range<usize>) -> bool,
) {
    if range.len() == 1 {
        found.push(range.start);
    } else if *budget == 0 {
        found.extend(range.filter(|&i| !holds(i..i + 1)));
    } else {
        let middle = range.start + range.len() / 2;
        let (left, right) = (range.start..middle, middle..range.end);
        *budget -= 1;
        let left_holds = holds(left.clone());
        if !left_holds {
            bisect(left, budget, found, holds);
        }
        // If the left half is good the right one cannot be; else it takes a sum to know.
        let right_holds = !left_holds && {
            *budget = budget.saturating_sub(1);
            holds(right.clone())
        };
        if !right_holds {
            bisect(right, budget, found, holds);
        }
    }
}

/// Well-formed proofs, decoded, with their challenges.
struct Batch {
    instances: Vec<Instance>,
    inverses: Vec<Inverses>,
    /// The proofs' own points, in the order that [`Equation::add`] expects.
    points: Vec<EdwardsPoint>,
    /// Where each proof's points begin; one more entry for the end.
    starts: Vec<usize>,
}

impl Batch {
    /// Makes all checks but the equation, for all items; the first failure with its index.
    fn new(generators: &Generators, items: &[Statement<'_>]) -> Result<Batch, (usize, VerifyError)> {
        let mut responses = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            responses.push(check_form(generators, item).map_err(|error| (i, error))?);
        }

        let mut encodings = Vec::new();
        let mut starts = vec![0];
        for Statement { commitments, proof } in items {
            encodings.extend([proof.a, proof.a1, proof.b]);
            encodings.extend([&proof.l[..], &proof.r[..], commitments].into_iter().flatten());
            starts.push(encodings.len());
        }
        let points = decompress_batch_strict(&encodings).map_err(|error| {
            let item = starts.partition_point(|&start| start <= error.index()) - 1;
            (item, VerifyError::Point(point_field(items[item].proof.l.len(), error.index() - starts[item])))
        })?;

        let commitments: Vec<EdwardsPoint> = items
            .iter()
            .zip(&starts[1..])
            .flat_map(|(item, &end)| &points[end - item.commitments.len()..end])
            .copied()
            .collect();
        let challenges = challenges(items, &divide_by_eight_vartime(&commitments))?;
        let instances: Vec<Instance> = items
            .iter()
            .zip(responses)
            .zip(challenges)
            .map(|((item, [r1, s1, d1]), challenges)| Instance {
                challenges,
                commitments: item.commitments.len(),
                r1,
                s1,
                d1: vec![d1],
            })
            .collect();
        let inverses = invert_challenges(&instances);
        Ok(Batch { instances, inverses, points, starts })
    }

    /// Whether the weighted equations of these proofs sum up to the identity.
    fn holds(&self, generators: &Generators, range: Range<usize>) -> bool {
        let instances = &self.instances[range.clone()];
        let max_rounds = instances.iter().map(|i| i.challenges.rounds.len()).max().unwrap_or(LOG_BITS);
        let mut equation = Equation::new(LOG_BITS, 1, max_rounds, Scalar::from(8u64));
        for ((weight, instance), inverses) in
            weights(instances).iter().zip(instances).zip(&self.inverses[range.clone()])
        {
            equation.add(weight, instance, inverses);
        }
        let (bases, own) = equation.finish();
        let pairs = bases.gi.iter().zip(&bases.hi).flat_map(|(g, h)| [*g, *h]);
        let table_scalars: Vec<Scalar> = [bases.value, bases.masks[0]].into_iter().chain(pairs).collect();
        let points = &self.points[self.starts[range.start]..self.starts[range.end]];
        let sum = generators.table(max_rounds).mixed_vartime(&table_scalars, &own, points).expect("one scalar a point");
        // The cofactor: see the module documentation on where the factor 8 stands.
        sum.mul_by_cofactor().is_identity().into()
    }
}

/// The checks that need no arithmetic; r1, s1 and d1.
fn check_form(generators: &Generators, item: &Statement<'_>) -> Result<[Scalar; 3], VerifyError> {
    let proof = item.proof;
    let expected = generators.rounds(item.commitments.len()).map_err(VerifyError::Outputs)?;
    if proof.l.len() != expected || proof.r.len() != expected {
        return Err(VerifyError::Rounds { l: proof.l.len(), r: proof.r.len(), expected });
    }
    let scalar = |bytes, field| Option::from(Scalar::from_canonical_bytes(bytes)).ok_or(VerifyError::Scalar(field));
    Ok([scalar(proof.r1, Field::R1)?, scalar(proof.s1, Field::S1)?, scalar(proof.d1, Field::D1)?])
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
fn challenges(items: &[Statement<'_>], v: &[[u8; 32]]) -> Result<Vec<Challenges>, (usize, VerifyError)> {
    let mut rest = v;
    let commitments: Vec<&[u8]> = items
        .iter()
        .map(|item| {
            let (own, others) = rest.split_at(item.commitments.len());
            rest = others;
            own.as_flattened()
        })
        .collect();
    let mut transcripts = Transcripts::start(&commitments);
    let a: Vec<_> = items.iter().map(|item| item.proof.a).collect();
    let mut out: Vec<Challenges> = transcripts
        .y_and_z(&a)
        .into_iter()
        .map(|(y, z)| Challenges { y, z, rounds: Vec::new(), last: Scalar::ZERO })
        .collect();

    let most = items.iter().map(|item| item.proof.l.len()).max().unwrap_or(0);
    for j in 0..most {
        let active: Vec<usize> = (0..items.len()).filter(|&i| j < items[i].proof.l.len()).collect();
        let points: Vec<_> = active.iter().map(|&i| [items[i].proof.l[j], items[i].proof.r[j]]).collect();
        for (&i, e) in active.iter().zip(transcripts.challenge(&active, &points)) {
            out[i].rounds.push(e);
        }
    }
    let all: Vec<usize> = (0..items.len()).collect();
    let points: Vec<_> = items.iter().map(|item| [item.proof.a1, item.proof.b]).collect();
    for (challenges, e) in out.iter_mut().zip(transcripts.challenge(&all, &points)) {
        challenges.last = e;
    }

    refuse_zero(&out)?;
    Ok(out)
}

/// A zero challenge is refused, as the original refuses it; the proof's index.
fn refuse_zero(challenges: &[Challenges]) -> Result<(), (usize, VerifyError)> {
    let zero = |c: &Challenges| [&c.y, &c.z, &c.last].into_iter().chain(&c.rounds).any(|x| *x == Scalar::ZERO);
    challenges.iter().position(zero).map_or(Ok(()), |i| Err((i, VerifyError::ZeroChallenge)))
}

/// One weight a proof, 1 to 2^128; see the module documentation on batch weights.
fn weights(instances: &[Instance]) -> Vec<Scalar> {
    let mut transcript = Keccak256::new().chain(b"curve25519-lanes monero bulletproofs+ batch weights");
    transcript.update(&(instances.len() as u64).to_le_bytes());
    for instance in instances {
        for scalar in [&instance.challenges.last, &instance.r1, &instance.s1, &instance.d1[0]] {
            transcript.update(&scalar.to_bytes());
        }
    }
    let seed = transcript.finalize();
    let messages: Vec<[u8; 40]> = (0..instances.len() as u64)
        .map(|i| {
            let mut message = [0; 40];
            message[..32].copy_from_slice(&seed);
            message[32..].copy_from_slice(&i.to_le_bytes());
            message
        })
        .collect();
    let mut digests = vec![[0; 32]; messages.len()];
    keccak256_batch(&messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), &mut digests);
    let low = |digest: &[u8; 32]| u128::from_le_bytes(*digest.first_chunk().expect("32 bytes hold 16"));
    digests.iter().map(|digest| Scalar::from(low(digest)) + Scalar::ONE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    fn challenges_of(value: u64) -> Challenges {
        let x = Scalar::from(value);
        Challenges { y: x, z: x, rounds: vec![x; 6], last: x }
    }

    fn instance(value: u64) -> Instance {
        let x = Scalar::from(value);
        Instance { challenges: challenges_of(value), commitments: 1, r1: x, s1: x, d1: vec![x] }
    }

    #[test]
    fn zero_challenges_are_refused() {
        assert!(refuse_zero(&[challenges_of(1), challenges_of(2)]).is_ok());
        let zero: [fn(&mut Challenges); 5] = [
            |c| c.y = Scalar::ZERO,
            |c| c.z = Scalar::ZERO,
            |c| c.rounds[0] = Scalar::ZERO,
            |c| c.rounds[5] = Scalar::ZERO,
            |c| c.last = Scalar::ZERO,
        ];
        for set in zero {
            let mut batch = [challenges_of(1), challenges_of(2), challenges_of(3)];
            set(&mut batch[1]);
            assert_eq!(refuse_zero(&batch), Err((1, VerifyError::ZeroChallenge)));
        }
    }

    #[test]
    fn weights_are_distinct_and_hang_on_every_response() {
        let batch = || (0..40).map(instance).collect::<Vec<_>>();
        let first = weights(&batch());
        let small = Scalar::from(u128::MAX) + Scalar::ONE;
        for (i, w) in first.iter().enumerate() {
            assert!(*w != Scalar::ZERO && w.to_bytes()[17..] == [0; 15] && (w.to_bytes()[16] == 0 || *w == small));
            assert!(first[..i].iter().all(|other| other != w));
        }
        let change: [fn(&mut Instance); 4] = [
            |i| i.challenges.last += Scalar::ONE,
            |i| i.r1 += Scalar::ONE,
            |i| i.s1 += Scalar::ONE,
            |i| i.d1[0] += Scalar::ONE,
        ];
        for change in change {
            let mut batch = batch();
            change(&mut batch[39]);
            assert!(weights(&batch).iter().zip(&first).all(|(a, b)| a != b));
        }
        assert!(weights(&batch()[..39]).iter().zip(&first).all(|(a, b)| a != b));
    }

    #[test]
    fn bisection_finds_all_within_its_bound() {
        let mut random = Random::new(5);
        for len in 1..=70usize {
            for k in (1..=len).filter(|k| *k <= 4 || *k == len) {
                let mut all: Vec<usize> = (0..len).collect();
                random.shuffle(&mut all);
                let mut bad = all[..k].to_vec();
                bad.sort_unstable();
                let (mut sums, mut found) = (0, Vec::new());
                bisect(0..len, &mut (len / 2), &mut found, &mut |part| {
                    sums += 1;
                    !bad.iter().any(|i| part.contains(i))
                });
                found.sort_unstable();
                assert_eq!(found, bad);
                let log = len.next_power_of_two().ilog2() as usize;
                assert!(sums <= (2 * k * log).max(len + len / 2 + 1), "{len} {k} {sums}");
                if 2 * k * log <= len / 2 {
                    assert!(sums <= 2 * k * log, "{len} {k} {sums}");
                }
            }
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

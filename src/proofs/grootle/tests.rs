//! Prover against verifier, attacks, and mutations. Known answers are in `tests/seraphis_proofs`.

use alloc::vec::Vec;

use super::*;
use crate::group::{EdwardsPoint, monero_map};
use crate::proofs::accumulator::{Blame, Limits};
use crate::test_util::Random;

struct Case {
    system: System,
    message: [u8; 32],
    ring: Vec<[u8; 32]>,
    offsets: Vec<[u8; 32]>,
    proof: Proof,
}

impl Case {
    fn statement(&self) -> Statement<'_> {
        let Case { system, message, ring, offsets, proof } = self;
        Statement { system: *system, message: *message, ring, offsets, proof }
    }
}

fn scalar(random: &mut Random) -> Scalar {
    Scalar::from_bytes_mod_order_wide(&random.bytes64())
}

/// A point of order 8.
fn torsion() -> EdwardsPoint {
    let mut random = Random::new(8);
    let mut small = core::iter::repeat_with(|| Scalar::ORDER * monero_map(&random.bytes()));
    small.find(|point| !bool::from(point.mul_by_pow_2(2).is_identity())).unwrap()
}

/// A proof over random points. Those of `bent` (ring points counted from the member's first, offsets after) get a
/// small-order part.
fn case(random: &mut Random, system: System, index: usize, bent: &[usize]) -> Case {
    let offsets: Vec<_> = (0..system.keys()).map(|_| EdwardsPoint::mul_base(&scalar(random))).collect();
    case_with_offsets(random, system, index, bent, &offsets)
}

fn case_with_offsets(
    random: &mut Random,
    system: System,
    index: usize,
    bent: &[usize],
    offsets: &[EdwardsPoint],
) -> Case {
    let q = system.keys();
    let secrets: Vec<Scalar> = (0..q).map(|_| scalar(random)).collect();
    let count = system.shape().ring_size() * q;
    let mut points: Vec<EdwardsPoint> = (0..count).map(|_| EdwardsPoint::mul_base(&scalar(random))).collect();
    points.extend_from_slice(offsets);
    for a in 0..q {
        points[index * q + a] = points[count + a] + EdwardsPoint::mul_base(&secrets[a]);
    }
    for &i in bent {
        points[i] += torsion();
    }
    let encoded: Vec<[u8; 32]> = points.iter().map(|p| p.compress().0).collect();
    let (ring, offsets) = encoded.split_at(count);
    let message = random.bytes();
    let witness = Witness { index, secrets: &secrets };
    let proof = system.prove_with(&message, ring, offsets, &witness, &mut || scalar(random)).unwrap();
    Case { system, message, ring: ring.to_vec(), offsets: offsets.to_vec(), proof }
}

fn systems() -> Vec<System> {
    let mut out = Vec::new();
    for form in [Form::Concise, Form::Plain] {
        for (n, m, q) in [(2, 2, 1), (2, 3, 2), (3, 2, 2), (4, 2, 3), (2, 5, 1), (5, 2, 2)] {
            out.push(System::new(form, n, m, q).unwrap());
        }
    }
    out
}

/// Every index of small rings, single and all together.
#[test]
fn proofs_are_accepted() {
    let mut random = Random::new(41);
    let mut cases = Vec::new();
    for system in systems() {
        for index in 0..system.shape().ring_size().min(9) {
            cases.push(case(&mut random, system, index, &[]));
        }
        cases.push(case(&mut random, system, system.shape().ring_size() - 1, &[]));
    }
    let all: Vec<_> = cases.iter().map(Case::statement).collect();
    assert_eq!(verify_batch(&all), Ok(()));
    assert_eq!(verify_batch(&[]), Err(BatchError::Empty));
    for case in &cases {
        assert_eq!(verify(&case.statement()), Ok(()), "{:?}", case.system);
    }
    for case in &cases {
        let bytes = case.proof.to_bytes();
        assert_eq!(bytes.len(), case.system.proof_size());
        assert_eq!(Proof::from_bytes(&case.system, &bytes).as_ref(), Ok(&case.proof));
        assert!(Proof::from_bytes(&case.system, &bytes[1..]).is_err());
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large rings")]
fn large_rings() {
    let mut random = Random::new(42);
    for (form, n, m, q) in [(Form::Concise, 2, 12, 2), (Form::Plain, 16, 3, 2), (Form::Concise, 64, 2, 1)] {
        let system = System::new(form, n, m, q).unwrap();
        let case = case(&mut random, system, 2500, &[]);
        assert_eq!(verify(&case.statement()), Ok(()));
    }
}

/// Small-order parts of ring and offsets count for nothing, alone and in company.
#[test]
fn small_order_parts_are_ignored() {
    let mut random = Random::new(43);
    for system in systems() {
        let count = system.shape().ring_size() * system.keys();
        for bent in [[0, 1, count], [count - 1, count, 2]] {
            let case = case(&mut random, system, 1, &bent);
            for _ in 0..8 {
                assert_eq!(verify(&case.statement()), Ok(()));
            }
            assert_eq!(verify_batch(&[case.statement(); 3]), Ok(()));
        }
    }
}

/// In the reference their verdict is as the weights fall.
#[test]
#[cfg(feature = "reference_unsound")]
fn small_order_parts_are_a_game_of_dice_in_the_reference() {
    let mut random = Random::new(47);
    for system in systems() {
        let count = system.shape().ring_size() * system.keys();
        let case = case(&mut random, system, 1, &[0, count]);
        let accepted =
            (0..64).filter(|seed| reference_unsound::verify(&case.statement(), &[*seed; 32]).is_ok()).count();
        assert!(accepted > 0 && accepted < 64, "{system:?} {accepted}");
    }
}

/// Two keys of a plain proof off by amounts that cancel under the two-byte weight that the reference will draw.
#[test]
#[cfg(feature = "reference_unsound")]
fn short_weights_are_guessed() {
    let mut random = Random::new(48);
    let system = System::new(Form::Plain, 2, 2, 2).unwrap();
    let mut case = case(&mut random, system, 1, &[]);
    let seed = [3; 32];
    let weight = reference_unsound::short_weight(&seed, 1);
    let mut add =
        |at: usize, by: Scalar| case.proof.z[at] = (Scalar::from_bytes_mod_order(case.proof.z[at]) + by).to_bytes();
    add(0, weight);
    add(1, -Scalar::ONE);
    assert_eq!(reference_unsound::verify(&case.statement(), &seed), Ok(()));
    assert_eq!(reference_unsound::verify(&case.statement(), &[4; 32]), Err(VerifyError::Equation));
    assert_eq!(verify(&case.statement()), Err(VerifyError::Equation));
}

/// An offset that is the identity is a claim about the ring's points themselves, and as sound as any.
#[test]
fn offsets_may_be_the_identity() {
    let mut random = Random::new(49);
    for system in systems() {
        let index = system.shape().ring_size() - 1;
        for others in [EdwardsPoint::IDENTITY, EdwardsPoint::mul_base(&scalar(&mut random))] {
            let mut offsets = alloc::vec![others; system.keys()];
            offsets[0] = EdwardsPoint::IDENTITY;
            let case = case_with_offsets(&mut random, system, index, &[], &offsets);
            assert_eq!(case.offsets[0], crate::group::CompressedEdwardsY::IDENTITY.0);
            assert_eq!(verify(&case.statement()), Ok(()));
            #[cfg(feature = "reference_unsound")]
            assert_eq!(reference_unsound::verify(&case.statement(), &[1; 32]), Ok(()));
        }
    }
}

/// Members may be the same or the identity: their number is what counts, and only one must be known.
#[test]
fn members_may_repeat() {
    let mut random = Random::new(50);
    let system = System::new(Form::Concise, 2, 2, 1).unwrap();
    let offset = EdwardsPoint::mul_base(&scalar(&mut random));
    let secret = scalar(&mut random);
    let own = offset + EdwardsPoint::mul_base(&secret);
    let ring = [own, EdwardsPoint::IDENTITY, own, offset].map(|point| point.compress().0);
    let offsets = [offset.compress().0];
    for (index, secret) in [(0, secret), (2, secret), (3, Scalar::ZERO)] {
        let witness = Witness { index, secrets: &[secret] };
        let proof = system.prove_with(&[1; 32], &ring, &offsets, &witness, &mut || scalar(&mut random)).unwrap();
        let statement = Statement { system, message: [1; 32], ring: &ring, offsets: &offsets, proof: &proof };
        assert_eq!(verify(&statement), Ok(()), "{index}");
    }
}

/// Each field changed, alone and inside a batch.
#[test]
fn mutations_are_refused() {
    let mut random = Random::new(44);
    let good: Vec<Case> = systems().into_iter().map(|system| case(&mut random, system, 2, &[])).collect();
    let other = EdwardsPoint::mul_base(&scalar(&mut random)).compress().0;
    for target in &good {
        let count = |proof: &Proof| 3 + proof.f.len() + proof.x.len() + proof.z.len();
        let mut changed = Vec::new();
        for at in 0..count(&target.proof) {
            // Another valid value; then what is no value at all.
            for bad in [false, true] {
                let mut proof = target.proof.clone();
                let Proof { a, b, f, x, z_a, z } = &mut proof;
                let points = 2 + x.len();
                let mut fields: Vec<&mut [u8; 32]> =
                    [a, b].into_iter().chain(x).chain(f).chain([z_a]).chain(z).collect();
                *fields[at] = match (at < points, bad) {
                    (true, false) => other,
                    (false, false) => scalar(&mut random).to_bytes(),
                    (_, true) => [0xff; 32],
                };
                changed.push(Case {
                    system: target.system,
                    message: target.message,
                    ring: target.ring.clone(),
                    offsets: target.offsets.clone(),
                    proof,
                });
            }
        }
        let mut with = |change: &dyn Fn(&mut Case)| {
            let mut case = Case {
                system: target.system,
                message: target.message,
                ring: target.ring.clone(),
                offsets: target.offsets.clone(),
                proof: target.proof.clone(),
            };
            change(&mut case);
            changed.push(case);
        };
        with(&|c| c.message[0] ^= 1);
        with(&|c| c.ring.swap(0, c.system.keys()));
        with(&|c| *c.ring.last_mut().unwrap() = other);
        with(&|c| c.offsets[0] = other);
        with(&|c| c.offsets[0] = crate::group::CompressedEdwardsY::IDENTITY.0);
        with(&|c| c.proof.f[0] = [0; 32]);
        with(&|c| c.proof.z_a = [0; 32]);
        with(&|c| c.proof.z[0] = [0; 32]);
        with(&|c| c.ring.truncate(c.ring.len() - 1));
        with(&|c| c.proof.x.push(other));
        with(&|c| c.proof.f.truncate(c.proof.f.len() - 1));
        with(&|c| c.proof.z.push([1; 32]));
        with(&|c| c.offsets.truncate(c.offsets.len() - 1));
        let swap = match target.system.form() {
            Form::Concise => Form::Plain,
            Form::Plain => Form::Concise,
        };
        with(&|c| c.system.form = swap);
        for case in &changed {
            assert!(verify(&case.statement()).is_err());
            let mut batch = Accumulator::new(Generators::shared(), Limits::NONE);
            for good in &good {
                batch.push(good.statement()).unwrap();
            }
            match batch.push(case.statement()) {
                Err(_) => assert_eq!(batch.close(), Ok(())),
                Ok(index) => {
                    batch.push(target.statement()).unwrap();
                    let Err(Blame::Items(items)) = batch.close_and_blame() else { panic!("accepted") };
                    assert!(items.len() == 1 && items[0].0 == index, "{items:?}");
                }
            }
        }
    }
}

/// Two proofs with opposite errors, and one whose two equations are off by opposite amounts: equal weights would accept.
#[test]
fn errors_do_not_cancel() {
    let mut random = Random::new(45);
    for system in systems() {
        let good = case(&mut random, system, 1, &[]);
        let shift = scalar(&mut random);
        let bent = |by_z_a: Scalar, by_z: Scalar| {
            let mut proof = good.proof.clone();
            let add =
                |bytes: &mut [u8; 32], by: Scalar| *bytes = (Scalar::from_bytes_mod_order(*bytes) + by).to_bytes();
            add(&mut proof.z_a, by_z_a);
            add(&mut proof.z[0], by_z);
            Case { system, message: good.message, ring: good.ring.clone(), offsets: good.offsets.clone(), proof }
        };
        let (up, down) = (bent(shift, Scalar::ZERO), bent(-shift, Scalar::ZERO));
        assert_eq!(verify_batch(&[up.statement(), down.statement()]), Err(BatchError::Equation));
        let (up, down) = (bent(Scalar::ZERO, shift), bent(Scalar::ZERO, -shift));
        assert_eq!(verify_batch(&[up.statement(), down.statement()]), Err(BatchError::Equation));
        assert_eq!(verify(&bent(shift, shift).statement()), Err(VerifyError::Equation));
        if system.form() == Form::Plain && system.keys() > 1 {
            // Responses of two keys off by opposite amounts.
            let mut both = bent(Scalar::ZERO, shift);
            both.proof.z[1] = (Scalar::from_bytes_mod_order(both.proof.z[1]) - shift).to_bytes();
            assert_eq!(verify(&both.statement()), Err(VerifyError::Equation));
        }
    }
}

#[test]
fn impossible_witnesses_and_statements() {
    let mut random = Random::new(46);
    let system = System::new(Form::Concise, 2, 2, 2).unwrap();
    let good = case(&mut random, system, 1, &[]);
    let mut prove = |index, secrets: &[Scalar], ring: &[[u8; 32]], offsets: &[[u8; 32]]| {
        system.prove_with(&[0; 32], ring, offsets, &Witness { index, secrets }, &mut || scalar(&mut random))
    };
    let zero = [Scalar::ZERO; 2];
    assert_eq!(prove(4, &zero, &good.ring, &good.offsets), Err(ProveError::Witness));
    assert_eq!(prove(0, &zero, &good.ring, &good.offsets), Err(ProveError::Witness));
    assert_eq!(prove(0, &zero[1..], &good.ring, &good.offsets), Err(ProveError::Witness));
    let length = |list, found, expected| ProveError::Statement(VerifyError::Length { list, found, expected });
    assert_eq!(prove(0, &zero, &good.ring[1..], &good.offsets), Err(length(List::Ring, 7, 8)));
    let mut bad = good.ring.clone();
    bad[3] = [0xff; 32];
    let point = VerifyError::Point(Field::Ring { member: 1, key: 1 });
    assert_eq!(prove(0, &zero, &bad, &good.offsets), Err(ProveError::Statement(point)));
    // A member equal to its offsets: the secrets are zero, as a proof may well have it.
    let mut same = good.ring.clone();
    same[2..4].copy_from_slice(&good.offsets);
    assert!(prove(1, &zero, &same, &good.offsets).is_ok());
    assert_eq!(System::new(Form::Concise, 2, 2, 0), Err(SystemError::Keys(0)));
    assert_eq!(System::new(Form::Plain, 2, 2, MAX_KEYS + 1), Err(SystemError::Keys(MAX_KEYS + 1)));
}

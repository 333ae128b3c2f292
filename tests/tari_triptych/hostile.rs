//! Attacks, mutations with blame, and bytes that are no proof.

use curve25519_lanes::proofs::accumulator::{Blame, Limits};
use curve25519_lanes::proofs::triptych::tari::{
    Accumulator, BatchError, Entry, Field, Form, InputSet, Parameters, ParseErrorKind, Proof, ProveError, Statement,
    StatementError, TriptychVerifier, VerifyError, Witness, prove, verify, verify_batch,
};
use curve25519_lanes::{RistrettoPoint, Scalar};

use super::common::Random;
use super::{Case, encode, scalar, state, transcript, zero_rng};

const FORMS: [Form; 2] = [Form::Single, Form::Parallel];

/// Fields before f: where points and scalars are.
fn is_point(form: Form, m: usize, at: usize) -> bool {
    let (scalars, lists) = if form == Form::Single { (3, 2) } else { (4, 3) };
    at < 4 || (4 + scalars..4 + scalars + lists * m).contains(&at)
}

fn with_part(case: &Case, at: usize, value: &[u8; 32]) -> Option<Case> {
    let mut bytes = case.proof.to_bytes();
    bytes[8 + 32 * at..][..32].copy_from_slice(value);
    let proof = Proof::from_bytes(case.statement.inputs().parameters().form(), &bytes).ok()?;
    Some(Case { proof, ..case.clone() })
}

/// Every field of the proof and the statement changed, alone and among good proofs over the same ring and another.
#[test]
fn mutations_are_refused_and_named() {
    let mut random = Random(31);
    for form in FORMS {
        let parameters = Parameters::new(form, 3, 2).unwrap();
        let good: Vec<Case> = [(9, 4), (8, 8)].map(|(count, l)| Case::new(&mut random, &parameters, count, l)).into();
        let target = &good[0];
        let other = encode(&scalar(&mut random));
        let mut changed = Vec::new();
        let parts = (target.proof.to_bytes().len() - 8) / 32;
        for at in 0..parts {
            let values = if is_point(form, 2, at) {
                [Some(other), Some([0; 32])]
            } else {
                assert!(with_part(target, at, &[0xff; 32]).is_none(), "{form:?} {at}");
                [Some(scalar(&mut random).to_bytes()), Some([0; 32])]
            };
            for value in values.into_iter().flatten() {
                changed.push(with_part(target, at, &value).unwrap_or_else(|| panic!("{form:?} {at}")));
            }
            if is_point(form, 2, at) {
                // No encoding: found when it is decoded.
                let broken = with_part(target, at, &[0xff; 32]).unwrap();
                assert!(matches!(verify(broken.entry(&transcript())), Err(VerifyError::Point(_))), "{form:?} {at}");
                changed.push(broken);
            }
        }
        let inputs = target.statement.inputs();
        for tag in [other, [0; 32], [0xff; 32]] {
            changed.push(Case { statement: state(inputs, target.offset, tag), ..target.clone() });
            if let Some(offset) = &target.offset {
                assert_ne!(*offset, tag);
                changed.push(Case { statement: state(inputs, Some(tag), target.tag), ..target.clone() });
            }
        }
        let ring = |keys: &[[u8; 32]], auxiliary: &[[u8; 32]]| {
            let inputs = InputSet::padded(&parameters, keys, auxiliary).unwrap();
            Case { statement: state(&inputs, target.offset, target.tag), ..target.clone() }
        };
        let mut keys = target.keys.clone();
        keys.swap(0, 1);
        changed.push(ring(&keys, &target.auxiliary));
        keys[0] = other;
        changed.push(ring(&keys, &target.auxiliary));
        changed.push(ring(&target.keys[..8], &target.auxiliary[..target.auxiliary.len().min(8)]));
        if form == Form::Parallel {
            let mut auxiliary = target.auxiliary.clone();
            auxiliary.swap(0, 1);
            changed.push(ring(&target.keys, &auxiliary));
            changed.push(ring(&target.auxiliary, &target.keys));
        }
        let (right, wrong) = (transcript(), curve25519_lanes::hash::Transcript::new(b"tess"));
        assert_eq!(verify(target.entry(&wrong)), Err(VerifyError::Equation));

        for case in &changed {
            assert!(verify(case.entry(&right)).is_err());
            let mut batch = Accumulator::new(&TriptychVerifier, Limits::NONE);
            for good in &good {
                batch.push(good.entry(&right)).unwrap();
            }
            match batch.push(case.entry(&right)) {
                Err(_) => assert_eq!(batch.close(), Ok(())),
                Ok(index) => {
                    batch.push(good[0].entry(&right)).unwrap();
                    let Err(Blame::Items(items)) = batch.close_and_blame() else { panic!("accepted") };
                    assert!(items.len() == 1 && items[0].0 == index, "{items:?}");
                }
            }
        }
        assert!(changed.len() > 3 * parts / 2);
    }
}

/// Opposite errors in two proofs, and in every pair of the equations of one, over one ring.
#[test]
fn errors_do_not_cancel() {
    let mut random = Random(32);
    for form in FORMS {
        let parameters = Parameters::new(form, 2, 2).unwrap();
        let good = Case::new(&mut random, &parameters, 4, 1);
        let scalars = if form == Form::Single { 4..7 } else { 4..8 };
        let by = scalar(&mut random);
        let shifted = |case: &Case, at: usize, by: Scalar| {
            let bytes = case.proof.to_bytes();
            let old = bytes[8 + 32 * at..][..32].try_into().unwrap();
            with_part(case, at, &(Scalar::from_bytes_mod_order(old) + by).to_bytes()).unwrap()
        };
        let transcript = transcript();
        let batch = |cases: &[&Case]| {
            let entries: Vec<Entry<'_>> = cases.iter().map(|case| case.entry(&transcript)).collect();
            verify_batch(&entries)
        };
        assert_eq!(batch(&[&good, &good]), Ok(()));
        for i in scalars.clone() {
            let (plus, minus) = (shifted(&good, i, by), shifted(&good, i, -by));
            assert_eq!(batch(&[&plus, &minus]), Err(BatchError::Equation));
            for j in scalars.clone().filter(|j| *j != i) {
                for by_j in [by, -by] {
                    assert_eq!(batch(&[&shifted(&plus, j, by_j)]), Err(BatchError::Equation));
                    assert_eq!(batch(&[&plus, &shifted(&good, j, by_j)]), Err(BatchError::Equation));
                }
            }
        }
        assert_eq!(batch(&[]), Err(BatchError::Empty));
    }
}

#[test]
fn one_bad_among_64_over_one_ring_and_over_many() {
    let mut random = Random(33);
    let parameters = Parameters::new(Form::Single, 2, 3).unwrap();
    let secrets: Vec<Scalar> = (0..8).map(|_| scalar(&mut random)).collect();
    let keys: Vec<[u8; 32]> = secrets.iter().map(encode).collect();
    let inputs = InputSet::new(&parameters, &keys, &[]).unwrap();
    let mut cases: Vec<Case> = (0..64)
        .map(|i| match i % 2 {
            0 => {
                let witness = Witness { index: i / 2 % 8, key: secrets[i / 2 % 8], auxiliary: None };
                Case::over(&inputs, keys.clone(), Vec::new(), None, witness)
            }
            _ => Case::new(&mut random, &parameters, 8, i % 8),
        })
        .collect();
    let transcript = transcript();
    let check = |cases: &[Case]| {
        let mut batch = Accumulator::new(&TriptychVerifier, Limits::default());
        cases.iter().for_each(|case| assert!(batch.push(case.entry(&transcript)).is_ok()));
        batch.close_and_blame()
    };
    assert_eq!(check(&cases), Ok(()));
    // A valid proof of another member's tag.
    cases[38].proof = cases[40].proof.clone();
    assert_eq!(check(&cases), Err(Blame::Items(vec![(38, VerifyError::Equation)])));
    cases[3].proof = cases[5].proof.clone();
    assert_eq!(check(&cases), Err(Blame::Items(vec![(3, VerifyError::Equation), (38, VerifyError::Equation)])));
}

#[test]
fn bytes_that_are_no_proof() {
    let mut random = Random(34);
    for form in FORMS {
        let parameters = Parameters::new(form, 2, 2).unwrap();
        let bytes = Case::new(&mut random, &parameters, 4, 1).proof.to_bytes();
        let kind = |bytes: &[u8]| Proof::from_bytes(form, bytes).map_err(|error| (error.offset, error.kind));
        for len in 0..bytes.len() {
            let expected = bytes.len() as u128;
            assert_eq!(kind(&bytes[..len]), Err((len, ParseErrorKind::Length { expected })));
        }
        assert!(kind(&[&bytes[..], &[0; 32]].concat()).is_err());
        let header = |n_minus_1: u32, m: u32| [&n_minus_1.to_le_bytes(), &m.to_le_bytes(), &bytes[8..]].concat();
        assert_eq!(kind(&header(0, 2)), Err((0, ParseErrorKind::Base)));
        assert_eq!(kind(&header(u32::MAX, 2)), Err((0, ParseErrorKind::Base)));
        for m in [0, 1] {
            assert_eq!(kind(&header(1, m)), Err((4, ParseErrorKind::Digits)));
        }
        for (n_minus_1, m) in [(u32::MAX - 1, u32::MAX), (1, u32::MAX), (u32::MAX - 1, 2), (2, 2), (1, 3)] {
            let Err((at, ParseErrorKind::Length { expected })) = kind(&header(n_minus_1, m)) else { panic!("read") };
            assert_eq!((at, expected), (bytes.len(), Proof::size(form, n_minus_1 + 1, m)));
        }
        // The other form's bytes.
        let other = if form == Form::Single { Form::Parallel } else { Form::Single };
        assert!(Proof::from_bytes(other, &bytes).is_err());
        for _ in 0..2000 {
            let junk: Vec<u8> = (0..random.below(700)).map(|_| random.next() as u8).collect();
            let _ = Proof::from_bytes(form, &junk);
            let mut bytes = bytes.clone();
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
            if let Ok(proof) = Proof::from_bytes(form, &bytes) {
                assert_eq!(proof.to_bytes(), bytes);
            }
        }
    }
}

#[test]
fn parameters_statements_and_witnesses_that_can_not_be() {
    for form in FORMS {
        for (n, m) in [(0, 2), (1, 2), (2, 0), (2, 1), (2, 32), (u32::MAX, 2), (65536, 2), (2, u32::MAX)] {
            assert!(Parameters::new(form, n, m).is_err(), "{n}^{m}");
        }
    }
    let mut random = Random(35);
    let [single, parallel] = FORMS.map(|form| Parameters::new(form, 2, 2).unwrap());
    let keys: Vec<[u8; 32]> = (0..5).map(|_| encode(&scalar(&mut random))).collect();
    let (four, none) = (&keys[..4], &[][..]);
    let error = |parameters: &Parameters, keys: &[[u8; 32]], auxiliary: &[[u8; 32]]| {
        InputSet::padded(parameters, keys, auxiliary).unwrap_err()
    };
    assert_eq!(error(&single, none, none), StatementError::Keys { found: 0, ring: 4 });
    assert_eq!(error(&single, &keys, none), StatementError::Keys { found: 5, ring: 4 });
    assert_eq!(InputSet::new(&single, &keys[..3], none), Err(StatementError::Keys { found: 3, ring: 4 }));
    assert_eq!(error(&single, four, four), StatementError::AuxiliaryKeys { found: 4, expected: 0 });
    assert_eq!(error(&parallel, four, none), StatementError::AuxiliaryKeys { found: 0, expected: 4 });
    let with = |at: usize, value: [u8; 32]| {
        let mut list = four.to_vec();
        list[at] = value;
        list
    };
    assert_eq!(error(&single, &with(2, [0; 32]), none), StatementError::IdentityKey(2));
    assert_eq!(error(&single, &with(2, [1; 32]), none), StatementError::Point(Field::Key(2)));
    assert_eq!(error(&parallel, four, &with(3, [1; 32])), StatementError::Point(Field::AuxiliaryKey(3)));
    assert!(InputSet::new(&parallel, four, &with(3, [0; 32])).is_ok());

    let [one, two] = [InputSet::new(&single, four, none), InputSet::new(&parallel, four, four)].map(Result::unwrap);
    assert_eq!(Statement::single(&two, keys[4]), Err(StatementError::Form));
    assert_eq!(Statement::parallel(&one, keys[4], keys[4]), Err(StatementError::Form));
    assert_eq!(Statement::parallel(&two, keys[1], keys[4]), Err(StatementError::OffsetKey(1)));

    let good = Case::new(&mut random, &single, 4, 1);
    let attempt = |statement: &Statement, witness: &Witness| {
        prove(&transcript(), statement, witness, &mut zero_rng()).map(|_| ())
    };
    let witness = |index: usize, key: Scalar, auxiliary: Option<Scalar>| Witness { index, key, auxiliary };
    let key = good.witness.key;
    assert_eq!(attempt(&good.statement, &good.witness), Ok(()));
    for wrong in [
        witness(0, key, None),
        witness(4, key, None),
        witness(usize::MAX, key, None),
        witness(1, key + Scalar::ONE, None),
        witness(1, Scalar::ZERO, None),
        witness(1, key, Some(key)),
    ] {
        assert_eq!(attempt(&good.statement, &wrong), Err(ProveError::Witness));
    }
    let tag = RistrettoPoint::BASEPOINT.compress().0;
    assert_eq!(attempt(&state(good.statement.inputs(), None, tag), &good.witness), Err(ProveError::Witness));
    let broken = state(good.statement.inputs(), None, [1; 32]);
    assert_eq!(attempt(&broken, &good.witness), Err(ProveError::Point(Field::Tag)));

    let good = Case::new(&mut random, &parallel, 4, 1);
    let Witness { index, key, auxiliary } = good.witness.clone();
    for wrong in [None, auxiliary.map(|secret| secret + Scalar::ONE)] {
        assert_eq!(attempt(&good.statement, &witness(index, key, wrong)), Err(ProveError::Witness));
    }
    let broken = state(good.statement.inputs(), Some([1; 32]), good.tag);
    assert_eq!(attempt(&broken, &good.witness), Err(ProveError::Point(Field::Offset)));
    assert_eq!(verify(Case { statement: broken, ..good }.entry(&transcript())), Err(VerifyError::Point(Field::Offset)));
}

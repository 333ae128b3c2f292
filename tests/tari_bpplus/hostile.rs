//! What must be refused, and with which error.

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::bulletproofs_plus::tari::{
    BatchError, CommitmentOpening, Field, ParseError, ParseErrorKind, PedersenGens, ProveError, RangeParameters,
    RangeProof, RangeStatement, RangeWitness, VerifyAction, VerifyError,
};
use curve25519_lanes::{RistrettoPoint, Scalar};

use super::{Known, LABEL, parameters, zero_rng};

/// Two masks, two values of 8 bits, one of them promised.
fn sample() -> Known {
    Known::new(&parameters(8, 2, 2), &[200, 3], &[Some(7), None], None)
}

/// The parts of a sample proof in the order of its bytes.
fn fields() -> Vec<Field> {
    let mut fields = vec![Field::D1(0), Field::D1(1), Field::A, Field::A1, Field::B, Field::R1, Field::S1];
    fields.extend((0..4).flat_map(|j| [Field::L(j), Field::R(j)]));
    fields
}

fn is_scalar(field: Field) -> bool {
    matches!(field, Field::D1(_) | Field::R1 | Field::S1)
}

fn verify(statement: &RangeStatement, proof: &RangeProof, action: VerifyAction) -> Result<(), VerifyError> {
    let mut transcripts = [Transcript::new(LABEL.as_bytes())];
    let statements = std::slice::from_ref(statement);
    match RangeProof::verify_batch(&mut transcripts, statements, std::slice::from_ref(proof), action) {
        Ok(masks) => {
            assert_eq!(masks, [None]);
            Ok(())
        }
        Err(BatchError::Item { index: 0, error }) => Err(error),
        Err(BatchError::Equation) => Err(VerifyError::Equation),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn every_part_flipped_replaced_and_swapped() {
    let known = sample();
    let bytes = known.prove().to_bytes();
    let fields = fields();
    assert_eq!(bytes.len(), 1 + 32 * fields.len());
    let check = |changed: &[u8], what: &str| match RangeProof::from_bytes(changed) {
        Ok(proof) => verify(&known.statement, &proof, VerifyAction::VerifyOnly).expect_err(what),
        Err(ParseError { kind: ParseErrorKind::Scalar(field), .. }) => {
            assert!(is_scalar(field), "{what}");
            VerifyError::Equation
        }
        Err(error) => panic!("{what}: {error}"),
    };
    for (i, field) in fields.iter().enumerate() {
        let part = 1 + 32 * i..33 + 32 * i;
        for bit in if cfg!(debug_assertions) { 3..6 } else { 0..256 } {
            let mut changed = bytes.clone();
            changed[1 + 32 * i + bit / 8] ^= 1 << (bit % 8);
            check(&changed, &format!("{field}, bit {bit}"));
        }
        let replaced = |with: &[u8; 32]| {
            let mut changed = bytes.clone();
            changed[part.clone()].copy_from_slice(with);
            changed
        };
        if is_scalar(*field) {
            assert_eq!(check(&replaced(&[0; 32]), "zero"), VerifyError::Equation);
            let own = Scalar::from_bytes_mod_order(bytes[part.clone()].try_into().unwrap());
            assert_eq!(check(&replaced((own + Scalar::ONE).as_bytes()), "plus one"), VerifyError::Equation);
            // l itself: the smallest that is too large.
            let mut order = (-Scalar::ONE).to_bytes();
            order[0] += 1;
            let error = RangeProof::from_bytes(&replaced(&order)).unwrap_err();
            assert_eq!(error, ParseError { offset: part.start, kind: ParseErrorKind::Scalar(*field) });
        } else {
            assert_eq!(check(&replaced(&[0; 32]), "identity"), VerifyError::Identity(*field));
            assert_eq!(check(&replaced(&[0xff; 32]), "no encoding"), VerifyError::Point(*field));
            let base = RistrettoPoint::BASEPOINT.compress().0;
            assert_eq!(check(&replaced(&base), "another point"), VerifyError::Equation);
        }
        for j in 0..i {
            let mut changed = bytes.clone();
            changed.copy_within(part.clone(), 1 + 32 * j);
            changed[part.clone()].copy_from_slice(&bytes[1 + 32 * j..33 + 32 * j]);
            check(&changed, &format!("{field} and {} exchanged", fields[j]));
        }
    }
    assert_eq!(verify(&known.statement, &RangeProof::from_bytes(&bytes).unwrap(), VerifyAction::VerifyOnly), Ok(()));
}

#[test]
fn recovery_alone_still_decodes_every_point() {
    let known = sample();
    let bytes = known.prove().to_bytes();
    for (i, field) in fields().into_iter().enumerate() {
        let mut changed = bytes.clone();
        changed[1 + 32 * i..33 + 32 * i].copy_from_slice(&[if is_scalar(field) { 1 } else { 0xfe }; 32]);
        let Ok(proof) = RangeProof::from_bytes(&changed) else { panic!("{field}") };
        let expected = if is_scalar(field) { Ok(()) } else { Err(VerifyError::Point(field)) };
        assert_eq!(verify(&known.statement, &proof, VerifyAction::RecoverOnly), expected, "{field}");
        assert!(verify(&known.statement, &proof, VerifyAction::RecoverAndVerify).is_err());
    }
}

#[test]
fn every_length_but_the_right_one() {
    let known = sample();
    let bytes = known.prove().to_bytes();
    let mut longer = bytes.clone();
    longer.extend([0; 70]);
    let fixed = 1 + 32 * 9;
    for len in (0..longer.len()).filter(|len| *len != bytes.len()) {
        match RangeProof::from_bytes(&longer[..len]) {
            Err(ParseError { offset, kind: ParseErrorKind::End }) => assert!(len < fixed && offset == len),
            Err(ParseError { offset, kind: ParseErrorKind::Trailing }) => {
                assert!((len - fixed) % 64 != 0 && offset == len - (len - fixed) % 64, "{len} {offset}");
            }
            Err(error) => panic!("{error}"),
            Ok(proof) => {
                let found = (len - fixed) / 64 + 1;
                let error = Err(VerifyError::Rounds { found, expected: 4 });
                for action in [VerifyAction::VerifyOnly, VerifyAction::RecoverOnly] {
                    assert_eq!(verify(&known.statement, &proof, action), error);
                }
            }
        }
    }
    for count in (0..=255).filter(|count| *count != 2) {
        let mut changed = bytes.clone();
        changed[0] = count;
        let accepted = RangeProof::from_bytes(&changed);
        assert_eq!(
            RangeProof::extension_degree_from_proof_bytes(&changed).is_ok(),
            (1..=6).contains(&count),
            "{count}"
        );
        if let Ok(proof) = accepted {
            let error = VerifyError::ExtensionDegree { found: count.into(), expected: 2 };
            assert_eq!(verify(&known.statement, &proof, VerifyAction::VerifyOnly), Err(error));
        }
    }
    assert!(RangeProof::extension_degree_from_proof_bytes(&[]).is_err());
}

#[test]
fn another_statement() {
    let known = sample();
    let proof = known.prove();
    let shared = known.statement.generators();
    let commit = |v: u64, j: u64| {
        shared.pc_gens().commit(&Scalar::from(v), &[Scalar::from(1000 + 10 * j), Scalar::from(1001 + 10 * j)]).unwrap()
    };
    let right = [commit(200, 0), commit(3, 1)];
    let with = |commitments: &[RistrettoPoint], promises: &[Option<u64>], parameters: &RangeParameters| {
        let statement =
            RangeStatement::init(parameters.clone(), commitments.to_vec(), promises.to_vec(), None).unwrap();
        verify(&statement, &proof, VerifyAction::VerifyOnly)
    };
    assert_eq!(with(&right, &[Some(7), None], shared), Ok(()));
    assert_eq!(with(&right, &[Some(7), Some(0)], shared), Ok(()));
    assert_eq!(with(&right, &[Some(7), Some(0)], &parameters(8, 2, 16)), Ok(()));
    assert_eq!(with(&right, &[Some(7), Some(256)], shared), Err(VerifyError::Promise(1)));
    for promises in [[Some(6), None], [Some(8), None], [None, None], [Some(7), Some(1)], [None, Some(7)]] {
        assert_eq!(with(&right, &promises, shared), Err(VerifyError::Equation));
    }
    for commitments in [[right[1], right[0]], [right[0], right[0]], [right[0], RistrettoPoint::IDENTITY]] {
        assert_eq!(with(&commitments, &[Some(7), None], shared), Err(VerifyError::Equation));
    }
    assert!(matches!(
        with(&right, &[Some(7), None], &parameters(16, 2, 2)),
        Err(VerifyError::Rounds { found: 4, expected: 5 })
    ));
    // A commitment that is no point, given as bytes.
    let mut encodings = right.map(|c| c.compress().0).to_vec();
    encodings[1] = [0xff; 32];
    let statement = RangeStatement::from_encodings(shared.clone(), encodings, vec![Some(7), None], None).unwrap();
    for action in [VerifyAction::VerifyOnly, VerifyAction::RecoverOnly] {
        assert_eq!(verify(&statement, &proof, action), Err(VerifyError::Point(Field::Commitment(1))));
    }
    // Another past of the transcript.
    let mut transcripts = [Transcript::new(b"other")];
    let verdict = RangeProof::verify_batch(
        &mut transcripts,
        std::slice::from_ref(&known.statement),
        &[proof],
        VerifyAction::VerifyOnly,
    );
    assert_eq!(verdict, Err(BatchError::Equation));
}

#[test]
fn the_prover_refuses() {
    let parameters = parameters(8, 1, 2);
    let prove = |known: &Known| {
        RangeProof::prove(&mut Transcript::new(LABEL.as_bytes()), &known.statement, &known.witness(), &mut zero_rng())
    };
    let good = Known::new(&parameters, &[7, 9], &[None, Some(9)], None);
    assert!(prove(&good).is_ok());
    let open = |values: &[(u64, u64)]| {
        let opening = |(v, mask): &(u64, u64)| CommitmentOpening::new(*v, vec![Scalar::from(*mask)]);
        Known { openings: values.iter().map(opening).collect(), ..good.clone() }
    };
    assert_eq!(prove(&open(&[(7, 1000)])), Err(ProveError::Openings { found: 1, expected: 2 }));
    assert_eq!(prove(&open(&[(8, 1000), (9, 1010)])), Err(ProveError::Opening(0)));
    assert_eq!(prove(&open(&[(7, 1000), (9, 1011)])), Err(ProveError::Opening(1)));
    assert_eq!(prove(&open(&[(7, 1000), (256, 1010)])), Err(ProveError::Value(1)));
    let masks = Known { openings: vec![CommitmentOpening::new(7, vec![Scalar::ONE; 2]); 2], ..good.clone() };
    assert_eq!(prove(&masks), Err(ProveError::ExtensionDegree { found: 2, expected: 1 }));
    assert_eq!(prove(&Known::new(&parameters, &[7, 9], &[Some(8), None], None)), Err(ProveError::Promise));
    assert_eq!(prove(&Known::new(&parameters, &[255, 256], &[None; 2], None)), Err(ProveError::Value(1)));
    // A debug form shows no secret.
    let witness = RangeWitness::init(good.openings.clone()).unwrap();
    assert!(
        !format!("{witness:?}{:?}", Known::new(&parameters, &[7], &[None], Some(Scalar::ONE)).statement)
            .contains("1000")
    );
}

#[test]
fn the_identity_is_no_base() {
    let (h, identity) = (RistrettoPoint::BASEPOINT, RistrettoPoint::IDENTITY);
    for (bases, field) in
        [((identity, [h, h.double()]), Field::ValueBase), ((h, [h.double(), identity]), Field::MaskBase(1))]
    {
        let gens = PedersenGens::custom(bases.0, &bases.1).unwrap();
        let parameters = RangeParameters::init(8, 1, gens).unwrap();
        let known = Known::new(&parameters, &[1], &[None], None);
        let proof = RangeProof::prove(
            &mut Transcript::new(LABEL.as_bytes()),
            &known.statement,
            &known.witness(),
            &mut zero_rng(),
        );
        assert_eq!(proof, Err(ProveError::Identity(field)));
        let other = Known::new(&super::parameters(8, 2, 1), &[1], &[None], None).prove();
        let error = verify(&known.statement, &other, VerifyAction::VerifyOnly);
        assert_eq!(error, Err(VerifyError::Identity(field)));
    }
    // Other bases than the usual ones work.
    let gens = PedersenGens::custom(h.double(), &[h]).unwrap();
    let known = Known::new(&RangeParameters::init(8, 2, gens).unwrap(), &[1, 255], &[Some(1), None], None);
    assert_eq!(verify(&known.statement, &known.prove(), VerifyAction::VerifyOnly), Ok(()));
    assert!(PedersenGens::custom(h, &[]).is_err() && PedersenGens::custom(h, &[h; 7]).is_err());
}

//! The published crate's proofs, accepted and refused ones.

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::accumulator::Limits;
use curve25519_lanes::proofs::bulletproofs_plus::tari::{
    Accumulator, BatchError, CommitmentOpening, Entry, RangeProof, RangeStatement, RangeVerifier, RangeWitness,
    VerifyAction,
};
use curve25519_lanes::{CompressedRistretto, Scalar};
use serde_json::Value;

use super::common::{self, each_backend, hex, hex32, json_cases, text, truth};
use super::{parameters, zero_rng};

/// A case whose parts could be read.
struct Case {
    label: String,
    statement: RangeStatement,
    proof: RangeProof,
    masks: Option<Vec<Scalar>>,
}

fn number(value: &Value) -> u64 {
    value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap_or_else(|| panic!("no number: {value}"))
}

fn scalar(value: &Value) -> Scalar {
    Option::from(Scalar::from_canonical_bytes(hex32(value.as_str().unwrap()))).expect("a canonical scalar")
}

fn scalars(value: &Value) -> Vec<Scalar> {
    value.as_array().unwrap().iter().map(scalar).collect()
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(read).collect()
}

/// Reads a case by `from_encodings`, or by decoding first and `init`. An error is a refusal.
fn read(case: &Value, decoded: bool) -> Result<Case, String> {
    let count = |field: &str| number(&case[field]) as usize;
    let parameters = parameters(count("bits"), count("extension_degree"), count("aggregation_limit"));
    let commitments = list(&case["commitments"], |c| hex32(c.as_str().unwrap()));
    let promises = list(&case["promises"], |p| (!p.is_null()).then(|| number(p)));
    let seed = (!case["seed"].is_null()).then(|| scalar(&case["seed"]));
    let statement = if decoded {
        let points = commitments.into_iter().map(|c| CompressedRistretto(c).decompress().ok_or("commitment"));
        let points = points.collect::<Result<Vec<_>, _>>()?;
        RangeStatement::init(parameters, points, promises, seed)
    } else {
        RangeStatement::from_encodings(parameters, commitments, promises, seed)
    };
    let proof = RangeProof::from_bytes(&hex(text(case, "proof"))).map_err(|e| e.to_string())?;
    Ok(Case {
        label: text(case, "label").to_string(),
        statement: statement.map_err(|e| e.to_string())?,
        proof,
        masks: (!case["masks"].is_null()).then(|| scalars(&case["masks"])),
    })
}

fn verify(cases: &[&Case], action: VerifyAction) -> Result<Vec<Option<Vec<Scalar>>>, BatchError> {
    let mut transcripts: Vec<Transcript> = cases.iter().map(|c| Transcript::new(c.label.as_bytes())).collect();
    let statements: Vec<RangeStatement> = cases.iter().map(|c| c.statement.clone()).collect();
    let proofs: Vec<RangeProof> = cases.iter().map(|c| c.proof.clone()).collect();
    let masks = RangeProof::verify_batch(&mut transcripts, &statements, &proofs, action)?;
    Ok(masks.into_iter().map(|mask| mask.map(|mask| mask.blindings().to_vec())).collect())
}

#[test]
fn verdicts_and_masks_one_by_one() {
    let Some(cases) = json_cases("tari_bpplus.json") else { return };
    for (i, value) in cases.iter().enumerate() {
        let expected = truth(value, "expected");
        for decoded in [false, true] {
            let verdict = read(value, decoded).and_then(|case| {
                let check = |action| verify(&[&case], action).map_err(|e| e.to_string());
                let masks = check(VerifyAction::RecoverAndVerify)?;
                assert_eq!(masks, std::slice::from_ref(&case.masks), "{i}");
                assert_eq!(check(VerifyAction::RecoverOnly)?, masks, "{i}");
                assert_eq!(check(VerifyAction::VerifyOnly)?, [None], "{i}");
                assert_eq!(case.proof.to_bytes(), hex(text(value, "proof")), "{i}");
                Ok(())
            });
            assert_eq!(verdict.is_ok(), expected, "{i} {}: {verdict:?}", value["note"]);
        }
    }
}

#[test]
fn verdicts_in_one_batch_on_every_backend() {
    let Some(values) = json_cases("tari_bpplus.json") else { return };
    let cases: Vec<(bool, Case)> = values
        .iter()
        .enumerate()
        .filter_map(|(i, value)| Some((truth(value, "expected"), read(value, i % 2 == 0).ok()?)))
        .collect();
    assert!(cases.iter().filter(|(expected, _)| *expected).count() == 108 && cases.len() > 150);
    each_backend(|id| {
        // All valid ones in one batch whatever their parameters, and the bad ones found among them.
        for keep_bad in [false, true] {
            let mut batch = Accumulator::new(&RangeVerifier, Limits::NONE);
            let (mut pushed, mut refused) = (Vec::new(), 0);
            for (expected, case) in cases.iter().filter(|(expected, _)| *expected || keep_bad) {
                let transcript = Transcript::new(case.label.as_bytes());
                let entry = Entry { transcript: &transcript, statement: &case.statement, proof: &case.proof };
                match batch.push(entry) {
                    Ok(_) => pushed.push(*expected),
                    Err(_) => {
                        assert!(!expected);
                        refused += 1;
                    }
                }
            }
            let verdict = batch.close_and_blame();
            if keep_bad {
                let Err(curve25519_lanes::proofs::accumulator::Blame::Items(items)) = verdict else { panic!("{id}") };
                let bad: Vec<usize> = items.into_iter().map(|(i, _)| i).collect();
                let expected: Vec<usize> = (0..pushed.len()).filter(|i| !pushed[*i]).collect();
                assert_eq!(bad, expected, "{id}");
                assert!(refused > 0);
            } else {
                assert_eq!(verdict, Ok(()), "{id}");
            }
        }
        // Batches of equal parameters, with all masks.
        let shape = |case: &Case| (case.statement.generators().bit_length(), case.proof.extension_degree().count());
        let mut valid: Vec<&Case> = cases.iter().filter(|(expected, _)| *expected).map(|(_, case)| case).collect();
        valid.sort_by_key(|case| shape(case));
        for group in valid.chunk_by(|a, b| shape(a) == shape(b)) {
            let expected: Vec<_> = group.iter().map(|case| case.masks.clone()).collect();
            assert_eq!(verify(group, VerifyAction::RecoverAndVerify), Ok(expected), "{id}");
        }
        assert!(matches!(verify(&valid, VerifyAction::VerifyOnly), Err(BatchError::Parameters(_))));
    });
}

#[test]
fn proofs_come_out_byte_for_byte() {
    let Some(cases) = json_cases("tari_bpplus.json") else { return };
    let mut made = 0;
    for (i, value) in cases.iter().enumerate().filter(|(_, value)| value["openings"].is_array()) {
        // A debug build proves a few of the larger ones only.
        if cfg!(debug_assertions)
            && number(&value["bits"]) as usize * value["commitments"].as_array().unwrap().len() > 64
        {
            continue;
        }
        let openings = list(&value["openings"], |o| CommitmentOpening::new(number(&o["value"]), scalars(&o["masks"])));
        let case = read(value, i % 2 == 0).unwrap();
        let mut transcript = Transcript::new(case.label.as_bytes());
        let witness = RangeWitness::init(openings).unwrap();
        let proof = RangeProof::prove(&mut transcript, &case.statement, &witness, &mut zero_rng());
        let proof = proof.unwrap_or_else(|e| panic!("{i} {}: {e}", value["note"]));
        if truth(value, "expected") {
            assert_eq!(proof, case.proof, "{i} {}", value["note"]);
            made += 1;
        }
    }
    assert!(made >= if cfg!(debug_assertions) { 30 } else { 60 }, "{made} proofs were made");
}

#[test]
fn generators() {
    let parameters = parameters(64, 6, 2);
    let encodings: Vec<[u8; 32]> = parameters.pc_gens().g_bases_compressed().map(|g| g.0).collect();
    // Section 14 of the description: G_1, G_6, Gi[0], Hi[63], Gi[64].
    assert_eq!(encodings[0], common::hex32("044fad914b346d1623f0a123c90bec712c6bac717f2acbc48e12db5f6dcaef79"));
    assert_eq!(encodings[5], common::hex32("aef270d5ac749567f6ffd256a692e1d4fb718565929693ca0aab94295b937b5e"));
    let (gi, hi) = parameters.vector_bases(2);
    let encoding = |p: &curve25519_lanes::RistrettoPoint| p.compress().0;
    assert_eq!(encoding(&gi[0]), hex32("fc3b25801422672a6a8d3adb5d8457d4301fe92324b4fc56ae934c8713ddfe2d"));
    assert_eq!(encoding(&hi[63]), hex32("1626c3a94a56343cf2916ba68e2e4a49b280a29dc73264473e342cc3df4e8263"));
    assert_eq!(encoding(&gi[64]), hex32("0eeebec183d151ded1e24320cf43c987617b36e77114788e5ae8ace41570b74b"));
}

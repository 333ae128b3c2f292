//! The published crate's proofs, accepted and refused ones.

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::accumulator::{Blame, Limits};
use curve25519_lanes::proofs::triptych::tari::{
    Accumulator, Bases, Entry, Form, InputSet, Parameters, Proof, Statement, TriptychVerifier, Witness, prove, verify,
};
use curve25519_lanes::{CompressedRistretto, RistrettoPoint, Scalar};
use serde_json::Value;

use super::common::{bytes32, each_backend, hex, hex32, json_cases, text, truth};
use super::zero_rng;

/// A case whose parts could be read.
struct Read {
    transcript: Transcript,
    statement: Statement,
    proof: Proof,
}

impl Read {
    fn entry(&self) -> Entry<'_> {
        Entry { transcript: &self.transcript, statement: &self.statement, proof: &self.proof }
    }
}

fn list(value: &Value) -> Vec<[u8; 32]> {
    value.as_array().map_or(Vec::new(), |list| list.iter().map(|v| hex32(v.as_str().unwrap())).collect())
}

/// An error is a refusal.
fn read(case: &Value) -> Result<Read, String> {
    let error = |e: &dyn std::fmt::Display| e.to_string();
    let form = if text(case, "kind") == "single" { Form::Single } else { Form::Parallel };
    let size = |name: &str| u32::try_from(case[name].as_u64().unwrap()).unwrap();
    let (n, m) = (size("n"), size("m"));
    let generators = &case["generators"];
    let base = |name: &str| -> RistrettoPoint { CompressedRistretto(bytes32(generators, name)).decompress().unwrap() };
    let mut parameters = Parameters::new(form, n, m).map_err(|e| error(&e))?;
    if !generators.is_null() {
        let (g, u) = (base("G"), base("U"));
        parameters = parameters.with_bases(&match form {
            Form::Single => Bases::Single { g, u },
            Form::Parallel => Bases::Parallel { g, g1: base("G1"), u },
        });
    }
    let inputs = InputSet::padded(&parameters, &list(&case["M"]), &list(&case["M1"])).map_err(|e| error(&e))?;
    let statement = match form {
        Form::Single => Statement::single(&inputs, bytes32(case, "J")),
        Form::Parallel => Statement::parallel(&inputs, bytes32(case, "offset"), bytes32(case, "J")),
    };
    let mut transcript = Transcript::new(text(case, "label").as_bytes());
    if let Some(message) = case["message"].as_str() {
        transcript.append_message(b"message", &hex(message));
    }
    Ok(Read {
        transcript,
        statement: statement.map_err(|e| error(&e))?,
        proof: Proof::from_bytes(form, &hex(text(case, "proof"))).map_err(|e| error(&e))?,
    })
}

#[test]
fn verdicts_one_by_one() {
    let Some(cases) = json_cases("tari_triptych.json") else { return };
    let mut valid = 0;
    for (i, case) in cases.iter().enumerate() {
        let verdict = read(case).and_then(|read| {
            assert_eq!(read.proof.to_bytes(), hex(text(case, "proof")), "{i}");
            verify(read.entry()).map_err(|e| e.to_string())
        });
        assert_eq!(verdict.is_ok(), truth(case, "expected"), "{i} {}: {verdict:?}", case["note"]);
        valid += usize::from(verdict.is_ok());
    }
    assert_eq!(valid, 64);
}

/// Both forms, all sizes and all rings in one batch, and the bad ones found among the good.
#[test]
fn verdicts_in_one_batch_on_every_backend() {
    let Some(values) = json_cases("tari_triptych.json") else { return };
    let cases: Vec<(bool, Read)> =
        values.iter().filter_map(|value| Some((truth(value, "expected"), read(value).ok()?))).collect();
    assert!(cases.iter().any(|(expected, _)| !expected));
    each_backend(|id| {
        for keep_bad in [false, true] {
            let mut batch = Accumulator::new(&TriptychVerifier, Limits::NONE);
            let mut pushed = Vec::new();
            for (expected, read) in cases.iter().filter(|(expected, _)| *expected || keep_bad) {
                match batch.push(read.entry()) {
                    Ok(_) => pushed.push(*expected),
                    Err(_) => assert!(!expected, "{id}"),
                }
            }
            let bad: Vec<usize> = (0..pushed.len()).filter(|i| !pushed[*i]).collect();
            match batch.close_and_blame() {
                Ok(()) => assert!(bad.is_empty(), "{id}"),
                Err(Blame::Items(items)) => {
                    assert_eq!(items.into_iter().map(|(i, _)| i).collect::<Vec<_>>(), bad, "{id}");
                }
                Err(Blame::Empty) => panic!("{id}"),
            }
        }
    });
}

#[test]
fn proofs_come_out_byte_for_byte() {
    let Some(cases) = json_cases("tari_triptych.json") else { return };
    let secret = |value: &Value| Option::<Scalar>::from(Scalar::from_canonical_bytes(hex32(value.as_str()?)));
    let mut made = 0;
    for (i, case) in cases.iter().enumerate().filter(|(_, case)| case["witness"].is_object()) {
        let (read, witness) = (read(case).unwrap(), &case["witness"]);
        let (index, key) = (witness["l"].as_u64().unwrap() as usize, secret(&witness["r"]).unwrap());
        let witness = Witness { index, key, auxiliary: secret(&witness["r1"]) };
        assert_eq!(witness.tag(read.statement.inputs().parameters()).compress().0, *read.statement.tag());
        let proof = prove(&read.transcript, &read.statement, &witness, &mut zero_rng()).unwrap();
        assert_eq!(proof, read.proof, "{i} {}", case["note"]);
        made += 1;
    }
    assert_eq!(made, 64);
}

/// Section 10 of the description.
#[test]
fn known_answer() {
    let parameters = Parameters::new(Form::Single, 2, 3).unwrap();
    let u = "9a5168520229bb42f1067f6d26b0b25c53fe2e4916ddbadb9e7ffca7ca769d0f";
    assert_eq!(parameters.u().compress().0, hex32(u));
    let witness = Witness { index: 5, key: Scalar::from(424242u64), auxiliary: None };
    let tag = witness.tag(&parameters).compress().0;
    assert_eq!(tag, hex32("9aaf83d7fad950d32bc9ed689a7a82d3805b56d0ba3b19a987a733eb5a20a473"));
    let key = |i: u64| super::encode(&if i == 5 { witness.key } else { Scalar::from(100 + i) });
    let inputs = InputSet::new(&parameters, &(0..8).map(key).collect::<Vec<_>>(), &[]).unwrap();
    let statement = Statement::single(&inputs, tag).unwrap();
    let bytes = prove(&super::transcript(), &statement, &witness, &mut zero_rng()).unwrap().to_bytes();
    assert_eq!(bytes.len(), 520);
    assert_eq!(bytes[..40], hex("0100000003000000041bfd3daff94d50c3237462a8590d69a368be713fdc51da6d15c69f46684826"));
    assert_eq!(bytes[512..], hex("551d369f99a68408"));
}

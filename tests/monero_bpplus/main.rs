//! Monero range proofs against published vectors, mutations of them, and the published Monero crates.

#[path = "../common/mod.rs"]
mod common;

mod batches;
#[cfg(feature = "rand_core")]
mod proving;
mod refusals;

use common::{Random, hex, json_cases, vectors};
use curve25519_lanes::proofs::accumulator::{self, Blame, Limits};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{
    self, BatchError, Divided, Field, Generators, MAX_OUTPUTS, RangeProof, Statement, VerifyError,
};
use curve25519_lanes::{EdwardsPoint, Scalar};
use serde_json::Value;

fn bytes(value: &Value) -> Vec<u8> {
    hex(value.as_str().expect("a hex string"))
}

fn bytes32(value: &Value) -> [u8; 32] {
    bytes(value).try_into().expect("32 bytes")
}

fn list32(value: &Value) -> Vec<[u8; 32]> {
    value.as_array().expect("a list").iter().map(bytes32).collect()
}

#[derive(Clone, Debug)]
struct Case {
    commitments: Vec<[u8; 32]>,
    proof: RangeProof,
    expected: bool,
}

impl Case {
    fn new(case: &Value) -> Case {
        let p = &case["proof"];
        let proof = RangeProof {
            a: bytes32(&p["A"]),
            a1: bytes32(&p["A1"]),
            b: bytes32(&p["B"]),
            r1: bytes32(&p["r1"]),
            s1: bytes32(&p["s1"]),
            d1: bytes32(&p["d1"]),
            l: list32(&p["L"]),
            r: list32(&p["R"]),
        };
        Case { commitments: list32(&case["C"]), proof, expected: case["expected"].as_bool().unwrap() }
    }

    fn statement(&self) -> Statement<'_> {
        Statement { commitments: &self.commitments, proof: &self.proof }
    }

    fn verify(&self) -> Result<(), VerifyError> {
        monero::verify(&self.commitments, &self.proof)
    }
}

fn cases(name: &str) -> Option<Vec<Case>> {
    Some(json_cases(name)?.iter().map(Case::new).collect())
}

fn valid_cases() -> Vec<Case> {
    let files = ["monero_bpplus_real.json", "monero_bpplus_generated.json", "monero_bpplus_kat.json"];
    files.iter().filter_map(|name| cases(name)).flatten().collect()
}

fn statements(cases: &[Case]) -> Vec<Statement<'_>> {
    cases.iter().map(Case::statement).collect()
}

/// How many valid cases the slow tests take: all, or in an unoptimised build a few of different sizes.
fn some_valid_cases() -> Vec<Case> {
    let mut cases = valid_cases();
    if cfg!(debug_assertions) {
        cases.sort_by_key(|case| case.commitments.len());
        cases.dedup_by_key(|case| case.commitments.len().next_power_of_two());
        cases.truncate(3);
    }
    cases
}

/// `x + l` as integers, below 2^256.
fn plus_order(x: &[u8; 32]) -> [u8; 32] {
    let l_minus_1 = (Scalar::ZERO - Scalar::ONE).to_bytes();
    let mut carry = 1;
    core::array::from_fn(|i| {
        carry += u16::from(x[i]) + u16::from(l_minus_1[i]);
        let byte = carry as u8;
        carry >>= 8;
        byte
    })
}

#[test]
fn vectors_one_by_one() {
    for name in ["real", "generated", "kat", "invalid"] {
        for (i, case) in cases(&format!("monero_bpplus_{name}.json")).unwrap_or_default().iter().enumerate() {
            assert_eq!(case.verify().is_ok(), case.expected, "{name} {i}: {:?}", case.verify());
            let wire = case.proof.to_bytes();
            assert_eq!(RangeProof::from_bytes(&wire).as_ref(), Ok(&case.proof), "{name} {i}");
        }
    }
}

#[test]
fn vectors_as_batches() {
    let valid = valid_cases();
    if valid.is_empty() {
        return;
    }
    assert_eq!(monero::verify_batch(&statements(&valid)), Ok(()));
    assert_eq!(monero::find_invalid(&statements(&valid)), Vec::<usize>::new());
    // Each tampered case among the real ones, and all of them at once.
    let invalid = cases("monero_bpplus_invalid.json").unwrap_or_default();
    for (i, case) in invalid.iter().enumerate() {
        let mut mixed = statements(&valid[..5]);
        let at = i % (mixed.len() + 1);
        mixed.insert(at, case.statement());
        match monero::verify_batch(&mixed) {
            Err(BatchError::Equation) => {}
            Err(BatchError::Item { index, error }) => assert_eq!((index, Err(error)), (at, case.verify()), "{i}"),
            other => panic!("{i}: {other:?}"),
        }
        assert_eq!(monero::find_invalid(&mixed), [at], "{i}");
    }
    let all: Vec<Case> = valid.iter().zip(&invalid).flat_map(|(v, i)| [v.clone(), i.clone()]).collect();
    let expected: Vec<usize> = (0..all.len()).filter(|i| i % 2 == 1).collect();
    assert_eq!(monero::find_invalid(&statements(&all)), expected);
}

#[test]
fn seraphis_vectors() {
    // The same protocol; commitments are given as V = C/8 there, and C = 8V.
    let Some(cases) = json_cases("seraphis_bulletproof_plus.json") else { return };
    let wide = Generators::new(monero::MAX_OUTPUTS_EXTENDED).unwrap();
    let divided = Divided(&wide);
    let (mut valid, mut given) = (Vec::new(), Vec::new());
    for case in &cases {
        let v = curve25519_lanes::decompress_batch_strict(&list32(&case["V"])).unwrap();
        let mut flat = case.clone();
        flat["proof"] = case.clone();
        flat["C"] = Value::Array(Vec::new());
        flat["expected"] = case["expect"].clone();
        let mut case = Case::new(&flat);
        // As they stand, then as commitments.
        case.commitments = list32(&flat["V"]);
        let mut alone = accumulator::Accumulator::new(&divided, Limits::NONE);
        let verdict = alone.push(case.statement()).is_ok() && alone.close().is_ok();
        assert_eq!(verdict, case.expected, "{}", flat["note"]);
        given.push(case.clone());
        case.commitments = v.iter().map(|v| v.mul_by_cofactor().compress().0).collect();
        assert_eq!(case.verify().is_ok(), case.expected, "{}: {:?}", flat["note"], case.verify());
        if case.expected {
            valid.push(case);
        }
    }
    assert_eq!(wide.verify_batch(&statements(&valid)), Ok(()));
    valid[3].proof.s1[0] ^= 1;
    assert_eq!(wide.find_invalid(&statements(&valid)), [3]);

    let mut all = accumulator::Accumulator::new(&divided, Limits::NONE);
    let (mut taken, mut expected) = (0, Vec::new());
    for case in &given {
        if all.push(case.statement()).is_ok() {
            if !case.expected {
                expected.push(taken);
            }
            taken += 1;
        } else {
            assert!(!case.expected);
        }
    }
    let Err(Blame::Items(found)) = all.close_and_blame() else { panic!("some are invalid") };
    assert_eq!(found.into_iter().map(|(index, _)| index).collect::<Vec<_>>(), expected);
    // C is not V.
    assert_eq!(wide.verify(&given[0].commitments, &given[0].proof), Err(VerifyError::Equation));
}

#[test]
fn generators() {
    use sha2::{Digest, Sha256};
    let Some(text) = vectors("monero_bpplus_generators.json") else { return };
    let file: Value = serde_json::from_str(&text).unwrap();
    let generators = Generators::new(MAX_OUTPUTS).unwrap();
    for (name, points) in [("G", generators.g()), ("H", generators.h())] {
        let encodings = curve25519_lanes::compress_batch(points);
        assert_eq!(encodings.len(), 64 * MAX_OUTPUTS);
        for case in file["cases"].as_array().unwrap() {
            assert_eq!(encodings[case["i"].as_u64().unwrap() as usize], bytes32(&case[name]));
        }
        assert_eq!(Sha256::digest(encodings.as_flattened())[..], bytes(&file["sha256"][name]));
    }
}

#[test]
fn an_empty_batch_is_refused() {
    assert_eq!(monero::verify_batch(&[]), Err(BatchError::Empty));
    assert_eq!(monero::find_invalid(&[]), Vec::<usize>::new());
}

#[test]
fn transactions_as_monero_oxide_reads_them() {
    use monero_oxide::ringct::RctPrunable;
    use monero_oxide::transaction::{NotPruned, Transaction};
    let Some(cases) = json_cases("monero_tx_raw.json") else { return };
    for case in &cases {
        let tx = Transaction::<NotPruned>::read(&mut &bytes(&case["hex"])[..]).unwrap();
        let Transaction::V2 { proofs: Some(proofs), .. } = tx else { panic!("not a RingCT transaction") };
        let RctPrunable::Clsag { bulletproof, .. } = proofs.prunable else { panic!("not of type CLSAG") };
        let proof = RangeProof::from_bytes(&bulletproof.serialize()).unwrap();
        let mut signed = Vec::new();
        bulletproof.signature_write(&mut signed).unwrap();
        assert_eq!(proof.signature_bytes(), signed);
        let commitments: Vec<[u8; 32]> = proofs.base.commitments.iter().map(|c| c.to_bytes()).collect();
        assert_eq!(monero::verify(&commitments, &proof), Ok(()), "{}", case["txid"]);
    }
}

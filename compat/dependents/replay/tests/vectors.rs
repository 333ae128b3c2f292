//! Signature vectors through ed25519-dalek and ed25519-zebra, whatever curve25519-dalek is below them.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use ed25519_zebra::VerificationKey;
use serde_json::Value;

/// The cases of a file in `LANES_VECTORS`, with its number of cases checked.
fn cases(name: &str) -> Vec<Value> {
    let folder = std::env::var("LANES_VECTORS").expect("LANES_VECTORS is the folder of the vectors");
    let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("the file can be read");
    let mut file: Value = serde_json::from_str(&text).expect("it is JSON");
    let cases: Vec<Value> = serde_json::from_value(file["cases"].take()).expect("it has cases");
    assert_eq!(file["count"].as_u64(), Some(cases.len() as u64));
    cases
}

fn unhex(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("text");
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal")).collect()
}

/// Whether `verify`, `verify_strict` and zebra accept.
fn verdicts(key: &[u8], message: &[u8], signature: &[u8]) -> [bool; 3] {
    let Ok(bytes) = <[u8; 64]>::try_from(signature) else { return [false; 3] };
    let zebra = VerificationKey::try_from(key)
        .is_ok_and(|key| key.verify(&ed25519_zebra::Signature::from(bytes), message).is_ok());
    let signature = Signature::from_bytes(&bytes);
    let key = <[u8; 32]>::try_from(key).ok().and_then(|key| VerifyingKey::from_bytes(&key).ok());
    let Some(key) = key else { return [false, false, zebra] };
    [key.verify(message, &signature).is_ok(), key.verify_strict(message, &signature).is_ok(), zebra]
}

fn computed(case: &Value) -> [bool; 3] {
    ["ed25519_dalek_3_verify", "ed25519_dalek_3_verify_strict", "ed25519_zebra_5"]
        .map(|column| case["computed"][column].as_bool().unwrap_or_else(|| panic!("{column} in {case}")))
}

#[test]
fn cctv() {
    for case in cases("ed25519_cctv.json") {
        let message = case["msg"].as_str().expect("text").as_bytes();
        let found = verdicts(&unhex(&case["key"]), message, &unhex(&case["sig"]));
        assert_eq!(found, computed(&case), "{case}");
    }
}

#[test]
fn speccheck() {
    for case in cases("ed25519_speccheck.json") {
        let found = verdicts(&unhex(&case["pub_key"]), &unhex(&case["message"]), &unhex(&case["signature"]));
        assert_eq!(found, computed(&case), "{case}");
    }
}

#[test]
fn wycheproof() {
    for case in cases("wycheproof_ed25519.json") {
        let found = verdicts(&unhex(&case["pk"]), &unhex(&case["msg"]), &unhex(&case["sig"]));
        let valid = case["result"] == "valid";
        // The sign of x = 0 in R, which ZIP 215 ignores.
        let zip_215 = valid || case["tcId"] == 151;
        assert_eq!(found, [valid, valid, zip_215], "{case}");
    }
}

#[test]
fn signing() {
    for case in [cases("ed25519_sign_input.json"), cases("rfc8032_ed25519.json")].concat() {
        let (seed, message) = (unhex(&case["seed"]), unhex(&case["msg"]));
        let key = SigningKey::from_bytes(seed.as_slice().try_into().expect("32 bytes"));
        assert_eq!(key.verifying_key().to_bytes()[..], unhex(&case["pk"]), "{case}");
        let signature = key.sign(&message).to_bytes();
        assert_eq!(signature[..], unhex(&case["sig"]), "{case}");
        assert_eq!(verdicts(&unhex(&case["pk"]), &message, &signature), [true; 3], "{case}");
        let zebra = ed25519_zebra::SigningKey::try_from(seed.as_slice()).expect("a seed");
        assert_eq!(zebra.sign(&message).to_bytes(), signature, "{case}");
    }
}

#[test]
fn batches() {
    let cases = cases("ed25519_sign_input.json");
    let messages: Vec<Vec<u8>> = cases.iter().map(|case| unhex(&case["msg"])).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let bytes = |name: &str| cases.iter().map(|case| unhex(&case[name])).collect::<Vec<_>>();
    let mut signatures: Vec<Signature> =
        bytes("sig").iter().map(|sig| Signature::from_bytes(sig.as_slice().try_into().expect("64 bytes"))).collect();
    let keys: Vec<VerifyingKey> = bytes("pk")
        .iter()
        .map(|pk| VerifyingKey::from_bytes(pk.as_slice().try_into().expect("32 bytes")).expect("a key"))
        .collect();
    assert!(ed25519_dalek::verify_batch(&messages, &signatures, &keys).is_ok());
    signatures.swap(3, 4);
    assert!(ed25519_dalek::verify_batch(&messages, &signatures, &keys).is_err());
}

//! `lanes verify monero-clsag`, `lanes verify monero-tx` and `lanes prove monero-clsag`, from the outside.

mod support;
#[path = "../../tests/common/transactions.rs"]
mod transactions;

use std::fs;
use std::path::PathBuf;

use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, MAX_OUTPUTS};
use serde_json::{Value, json};
use support::{Run, lanes, lanes_fed, vector};
use transactions::Made;

fn clsag(args: &[&str], text: &str) -> Run {
    lanes_fed(&[&["verify", "monero-clsag"], args, &["-"]].concat(), text.as_bytes())
}

fn transaction(args: &[&str], input: &[u8]) -> Run {
    lanes_fed(&[&["verify", "monero-tx"], args, &["-"]].concat(), input)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Scratch {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
        fs::write(&path, content).unwrap();
        Scratch(path)
    }
    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn signature_vectors() {
    let (Some(valid), Some(invalid)) = (vector("monero_clsag.json"), vector("monero_clsag_invalid.json")) else {
        return;
    };
    for mode in [&[][..], &["--each"]] {
        let run = |args: &[&str]| lanes(&[&["verify", "monero-clsag"], mode, args].concat());
        let good = run(&[&valid]);
        assert_eq!((good.code, good.err.as_str()), (Some(0), ""), "{}", good.out);
        assert!(good.out.contains("11 signatures: 11 valid, 0 invalid\n"), "{}", good.out);
        let bad = run(&[&invalid]);
        assert_eq!(bad.code, Some(1));
        assert!(bad.out.contains("17 signatures: 0 valid, 17 invalid\n"), "{}", bad.out);
        assert!(bad.out.contains("(ring members 0 and 1 swapped): INVALID: the chain of challenges"), "{}", bad.out);
        assert_eq!(run(&["--expect", &valid, &invalid]).code, Some(0));
        let lines = run(&["--json", &valid, &invalid]);
        assert_eq!(lines.code, Some(1));
        for line in lines.out.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            if line["type"] == "verdict" {
                assert_eq!(line["valid"], line["expected"]);
            } else {
                assert_eq!((&line["valid"], &line["invalid"]), (&json!(11), &json!(17)));
            }
        }
    }
}

#[test]
fn signatures_made_here_verify_here() {
    let prove = |args: &[&str]| {
        let run = lanes(&[&["prove", "monero-clsag"], args].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        run.out
    };
    let made = prove(&["--ring", "16", "--ring", "1", "--ring", "3"]);
    let run = clsag(&["--expect"], &made);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("3 signatures: 3 valid"));
    assert_ne!(made, prove(&["--ring", "16", "--ring", "1", "--ring", "3"]));

    let seeded = prove(&["--ring", "5", "--seed", "3"]);
    for backend in ["portable", "avx2", "ifma"] {
        let run = lanes(&["--backend", backend, "prove", "monero-clsag", "--ring", "5", "--seed", "3"]);
        assert!(run.code == Some(2) || run.out == seeded, "{backend}");
    }
    let other = prove(&["--ring", "5", "--seed", "4"]);
    let nonce_tells = |text: &str| {
        let case = serde_json::from_str::<Value>(text).unwrap()["cases"][0].clone();
        [case["secret"]["x"].clone(), case["s"][0].clone(), case["key_image"].clone()]
    };
    assert!(nonce_tells(&seeded).iter().zip(nonce_tells(&other)).all(|(a, b)| *a != b));
    for bad in ["0", "1025", "-1", "x", ""] {
        assert_eq!(lanes(&["prove", "monero-clsag", &format!("--ring={bad}")]).code, Some(2), "{bad}");
    }

    // What lacks the form is unusable, what has it gets a verdict.
    let document: Value = serde_json::from_str(&seeded).unwrap();
    type Change = fn(&mut Value);
    let unusable: [(Change, &str); 6] = [
        (|c| c["ring"] = json!([["00"]]), "cases[0].ring[0]"),
        (|c| c["ring"][1] = json!(["00".repeat(32), "00".repeat(32), "00".repeat(32)]), "cases[0].ring[1]"),
        (|c| c["s"] = json!("00"), "cases[0].s"),
        (|c| c["c1"] = json!("zz".repeat(32)), "cases[0].c1"),
        (|c| drop(c.as_object_mut().unwrap().remove("key_image")), "missing field `key_image`"),
        (|c| c["D"] = json!(5), "cases[0].D"),
    ];
    for (change, place) in unusable {
        let mut document = document.clone();
        change(&mut document["cases"][0]);
        let run = clsag(&[], &document.to_string());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{place}");
        assert!(run.err.contains(place), "{}", run.err);
    }
    let invalid: [Change; 5] = [
        |c| c["ring"] = json!([]),
        |c| c["s"] = json!([]),
        |c| c["D"] = json!("ff".repeat(32)),
        |c| c["c1"] = json!("ff".repeat(32)),
        |c| c["message"] = json!("00".repeat(32)),
    ];
    for change in invalid {
        let mut document = document.clone();
        change(&mut document["cases"][0]);
        for mode in [&[][..], &["--each"]] {
            let run = clsag(mode, &document.to_string());
            assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{}", run.out);
        }
    }
}

#[test]
fn published_transactions_without_rings() {
    let Some(file) = vector("monero_tx_raw.json") else { return };
    for mode in [&[][..], &["--each"], &["--expect"]] {
        let run = lanes(&[&["verify", "monero-tx"], mode, &[file.as_str()]].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(run.out.contains("20 transactions: 20 valid, 0 invalid"), "{}", run.out);
        assert_eq!(run.out.matches("valid, but membership was not checked").count(), 20);
        assert!(run.out.contains("membership was not checked in 20 of the valid ones"), "{}", run.out);
    }
    let run = lanes(&["verify", "monero-tx", "--json", &file]);
    let summary: Value = serde_json::from_str(run.out.lines().last().unwrap()).unwrap();
    assert_eq!(summary["membership_unchecked"], 20);

    let document: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let case = &document["cases"][3];
    let digits = case["hex"].as_str().unwrap();
    let id = case["txid"].as_str().unwrap();
    // Hexadecimal on several lines, and raw bytes.
    let (first, second) = digits.split_at(100);
    let raw: Vec<u8> =
        (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect();
    for input in [format!(" {first}\n{second}\r\n").as_bytes(), &raw] {
        let run = transaction(&[], input);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(run.out.contains(&format!("standard input case 0 ({id}): valid, but")), "{}", run.out);
    }
    // Another id than the transaction's, a byte too many, a byte changed.
    let mut other = document.clone();
    other["cases"][3]["txid"] = document["cases"][4]["txid"].clone();
    other["cases"][5]["hex"] = json!(format!("{}00", document["cases"][5]["hex"].as_str().unwrap()));
    let run = transaction(&[], other.to_string().as_bytes());
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("20 transactions: 18 valid, 2 invalid"), "{}", run.out);
    assert!(
        run.out.contains(&format!("INVALID: its id is {id}")) && run.out.contains("1 bytes too many"),
        "{}",
        run.out
    );
    let mut changed = raw.clone();
    let at = changed.len() - 1;
    changed[at] ^= 1;
    assert_eq!(transaction(&[], &changed).code, Some(1));
    assert_eq!(transaction(&[], &[raw.clone(), vec![0]].concat()).code, Some(1));
    assert_eq!(transaction(&[], &raw[..500]).code, Some(1));
}

#[test]
fn transactions_with_rings() {
    let generators = Generators::new(MAX_OUTPUTS).unwrap();
    let made: Vec<Made> = (0..3).map(|seed| Made::new(&generators, 2, 2, 3, seed)).collect();
    let id = |made: &Made| hex(&made.transaction.id());
    let cases: Vec<Value> = made.iter().map(|m| json!({ "hex": hex(&m.transaction.to_bytes()) })).collect();
    let document = json!({ "cases": cases }).to_string();
    let rings = |made: &Made| -> Value {
        let ring = |ring: &Vec<_>| -> Value {
            let pair = |m: &curve25519_lanes::proofs::clsag::RingMember| json!([hex(&m.key), hex(&m.commitment)]);
            ring.iter().map(pair).collect()
        };
        made.rings.iter().map(ring).collect()
    };
    let all = json!({ id(&made[0]): rings(&made[0]), id(&made[1]): rings(&made[1]), id(&made[2]): rings(&made[2]) });
    let with = |rings: &Value, mode: &[&str]| {
        let file = Scratch::new("rings.json", rings.to_string());
        transaction(&[mode, &["--rings", file.path()]].concat(), document.as_bytes())
    };
    for mode in [&[][..], &["--each"], &["--expect"]] {
        let run = with(&all, mode);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(run.out.contains("3 transactions: 3 valid, 0 invalid"), "{}", run.out);
        assert!(!run.out.contains("not checked"), "{}", run.out);

        let mut wrong = all.clone();
        wrong[id(&made[1])][1].as_array_mut().unwrap().swap(0, 1);
        let run = with(&wrong, mode);
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("INVALID: signature of input 1: "), "{}", run.out);
        assert!(run.out.contains("3 transactions: 2 valid, 1 invalid"), "{}", run.out);

        let mut fewer = all.clone();
        fewer.as_object_mut().unwrap().remove(&id(&made[2])).unwrap();
        fewer[id(&made[0])].as_array_mut().unwrap().pop().unwrap();
        let run = with(&fewer, mode);
        assert_eq!(run.code, Some(1));
        assert!(run.out.contains("INVALID: 1 rings given for 2 inputs"), "{}", run.out);
        assert!(run.out.contains("membership was not checked in 1 of the valid ones"), "{}", run.out);
    }
    let lines = with(&all, &["--json"]);
    assert!(lines.out.lines().take(3).all(|line| line.contains("\"membership_checked\":true")), "{}", lines.out);

    for (rings, place) in [
        (json!([]), "a map"),
        (json!({ "00": [] }), "64 hex digits"),
        (json!({ id(&made[0]): 5 }), "invalid type"),
        (json!({ id(&made[0]): [[["00"]]] }), "invalid length"),
    ] {
        let run = with(&rings, &[]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.contains(place), "{}", run.err);
    }
    for (input, message) in
        [("", "empty"), (" \n", "empty"), ("020", "odd number"), ("{}", "cases"), (r#"{"cases":[{"hex":"0"}]}"#, "hex")]
    {
        let run = transaction(&[], input.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{input}");
        assert!(run.err.contains(message), "{input}: {}", run.err);
    }
    assert_eq!(transaction(&["--rings", "-"], document.as_bytes()).code, Some(2));
    assert_eq!(transaction(&["--rings", "/no/such/file"], document.as_bytes()).code, Some(2));
}

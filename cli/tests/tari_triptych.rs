//! `lanes verify tari-triptych` and `lanes prove tari-triptych`, from the outside.

mod support;

use serde_json::Value;
use support::{Run, lanes, lanes_fed, vector};

const VERIFY: &[&str] = &["verify", "tari-triptych"];

fn verify_text(args: &[&str], text: &str) -> Run {
    lanes_fed(&[VERIFY, args, &["-"]].concat(), text.as_bytes())
}

#[test]
fn shared_vectors() {
    let Some(file) = vector("tari_triptych.json") else { return };
    for mode in [&[][..], &["--each"]] {
        let run = lanes(&[VERIFY, mode, &["--expect", &file]].concat());
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.contains("179 proofs: 64 valid, 115 invalid, 0 not as expected"), "{}", run.out);
    }
    let run = lanes(&[VERIFY, &["--json", &file]].concat());
    assert_eq!(run.code, Some(1));
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for verdict in lines.iter().filter(|v| v["type"] == "verdict") {
        assert_eq!(verdict["valid"], verdict["expected"], "{verdict}");
    }
}

#[test]
fn made_proofs_are_valid_and_repeatable() {
    for options in [
        &["-n", "2", "-m", "3", "--proofs", "9"][..],
        &["--parallel", "-n", "3", "-m", "2", "--keys", "7", "--proofs", "8", "--message", "pay", "--label", "x"],
    ] {
        let make = |more: &[&str]| {
            let run = lanes(&[&["prove", "tari-triptych"], options, more].concat());
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
            run.out
        };
        let text = make(&["--seed", "7"]);
        assert_eq!(make(&["--seed", "7"]), text);
        assert!(make(&["--seed", "8"]) != text && make(&[]) != make(&[]));
        for mode in [&["--expect"][..], &["--expect", "--each"]] {
            let run = verify_text(mode, &text);
            assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        }
        // One proof changed is the one that is named.
        let mut document: Value = serde_json::from_str(&text).unwrap();
        document["cases"][4]["label"] = "other".into();
        let run = verify_text(&[], &document.to_string());
        assert_eq!(run.code, Some(1));
        let bad: Vec<&str> = run.out.lines().filter(|line| line.contains("INVALID")).collect();
        assert!(bad.len() == 1 && bad[0].contains("case 4"), "{}", run.out);
    }
}

#[test]
fn unusable_and_invalid_input() {
    let good = lanes(&["prove", "tari-triptych", "-m", "2", "--seed", "1"]).out;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut document: Value = serde_json::from_str(&good).unwrap();
        change(&mut document["cases"][0]);
        verify_text(&[], &document.to_string())
    };
    for change in [
        (&|case: &mut Value| case["n"] = "x".into()) as &dyn Fn(&mut Value),
        &|case| case["proof"] = "0".into(),
        &|case| drop(case.as_object_mut().unwrap().remove("M")),
        &|case| case["M"][0] = "00".into(),
        &|case| case["generators"] = Value::Array(Vec::new()),
    ] {
        assert_eq!(with(change).code, Some(2));
    }
    for change in [
        (&|case: &mut Value| case["n"] = 3.into()) as &dyn Fn(&mut Value),
        &|case| case["m"] = 31.into(),
        &|case| case["m"] = "18446744073709551615".into(),
        &|case| case["kind"] = "parallel".into(),
        &|case| case["kind"] = "both".into(),
        &|case| case["offset"] = "11".repeat(32).into(),
        &|case| case["M1"] = case["M"].clone(),
        &|case| case["M"] = Value::Array(Vec::new()),
        &|case| case["message"] = "00".into(),
        &|case| case["proof"] = "".into(),
        &|case| case["generators"] = serde_json::json!({ "G": "11".repeat(32), "U": "11".repeat(32) }),
    ] {
        let run = with(change);
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        assert!(run.out.contains("INVALID"), "{}", run.out);
    }
    for bad in [&["-n", "1"][..], &["-m", "17"], &["--keys", "0"], &["--keys", "129"], &["--proofs", "0"]] {
        assert_eq!(lanes(&[&["prove", "tari-triptych"], bad].concat()).code, Some(2), "{bad:?}");
    }
}

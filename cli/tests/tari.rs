//! `lanes verify tari-bpplus` and `lanes prove tari-bpplus`, from the outside.

mod support;

use serde_json::Value;
use support::{Run, example, lanes, lanes_fed, vector};

const VERIFY: &[&str] = &["verify", "tari-bpplus"];
const MODES: [&[&str]; 4] = [&[], &["--each"], &["--recover"], &["--each", "--recover"]];

fn verify_text(args: &[&str], text: &str) -> Run {
    lanes_fed(&[VERIFY, args, &["-"]].concat(), text.as_bytes())
}

fn bundled() -> Value {
    serde_json::from_str(&std::fs::read_to_string(example("tari_range_proofs.json")).unwrap()).unwrap()
}

#[test]
fn bundled_proofs_are_valid_and_the_tampered_ones_are_named() {
    let (good, bad) = (example("tari_range_proofs.json"), example("tari_range_proofs_tampered.json"));
    for mode in MODES {
        let run = lanes(&[VERIFY, mode, &[good.as_str()]].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(run.out.contains(" 0 invalid\n"), "{}", run.out);
        let run = lanes(&[VERIFY, mode, &["--expect", "--json", &good, &bad]].concat());
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        let run = lanes(&[VERIFY, mode, &["--json", &good, &bad]].concat());
        assert_eq!(run.code, Some(1));
        let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for verdict in lines.iter().filter(|v| v["type"] == "verdict") {
            assert_eq!(verdict["valid"], verdict["expected"], "{verdict}");
        }
    }
}

#[test]
fn masks_that_are_not_recovered_are_a_no() {
    let mut document = bundled();
    let case = document["cases"].as_array_mut().unwrap().iter_mut().find(|case| case["seed"].is_string()).unwrap();
    case["masks"][0] = Value::String("01".to_string() + &"00".repeat(31));
    for mode in MODES {
        let run = verify_text(mode, &document.to_string());
        let recover = mode.contains(&"--recover");
        assert_eq!(run.code, Some(i32::from(recover)), "{mode:?} {}", run.out);
        assert_eq!(run.out.contains("the masks recovered are not those stated"), recover);
    }
}

#[test]
fn every_backend_gives_the_same_verdicts() {
    let info: Value = serde_json::from_str(&lanes(&["info", "--json"]).out).unwrap();
    let backends = info["backends"].as_array().unwrap().iter().filter(|b| b["available"] == true);
    for name in backends.map(|b| b["name"].as_str().unwrap()) {
        let files = [example("tari_range_proofs.json"), example("tari_range_proofs_tampered.json")];
        let run = lanes(&[&["--backend", name], VERIFY, &["--expect", "--recover", &files[0], &files[1]]].concat());
        assert_eq!(run.code, Some(0), "{name}: {}", run.out);
        assert!(run.out.contains(&format!("backend {name}")));
    }
}

#[test]
fn shared_vectors() {
    let Some(file) = vector("tari_bpplus.json") else { return };
    for mode in MODES {
        let run = lanes(&[VERIFY, mode, &["--expect", &file]].concat());
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        assert!(run.out.contains("233 proofs: 108 valid, 125 invalid"), "{}", run.out);
    }
}

#[test]
fn unusable_and_invalid_input() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut document = bundled();
        change(&mut document["cases"][0]);
        verify_text(&[], &document.to_string())
    };
    for change in [
        (&|case: &mut Value| case["bits"] = "x".into()) as &dyn Fn(&mut Value),
        &|case| case["bits"] = (-1).into(),
        &|case| case["proof"] = "0".into(),
        &|case| case["proof"] = 7.into(),
        &|case| drop(case.as_object_mut().unwrap().remove("commitments")),
        &|case| case["commitments"][0] = "00".into(),
    ] {
        let run = with(change);
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(run.err.contains("cases[0]"), "{}", run.err);
    }
    for change in [
        (&|case: &mut Value| case["bits"] = 63.into()) as &dyn Fn(&mut Value),
        &|case| case["bits"] = "18446744073709551615".into(),
        &|case| case["extension_degree"] = 7.into(),
        &|case| case["aggregation_limit"] = 0.into(),
        &|case| case["aggregation_limit"] = "18446744073709551615".into(),
        &|case| case["commitments"] = vec!["00".repeat(32); 1024].into(),
        &|case| case["promises"] = Vec::<u64>::new().into(),
        &|case| case["proof"] = "".into(),
        &|case| case["label"] = "other".into(),
    ] {
        let run = with(change);
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        assert!(run.out.contains("INVALID"), "{}", run.out);
    }
}

#[test]
fn made_proofs_are_valid_and_repeatable() {
    let args =
        ["prove", "tari-bpplus", "--amounts", "5", "--promises", "4", "--amounts", "0,255", "--promises", "-,255"];
    let options = ["--bits", "8", "--masks", "2", "--recoverable", "--label", "x", "--seed", "7"];
    let run = lanes(&[&args[..], &options[..]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_eq!(lanes(&[&args[..], &options[..]].concat()).out, run.out);
    assert!(lanes(&args[..]).out != lanes(&args[..]).out);
    for mode in MODES {
        assert_eq!(verify_text(&[mode, &["--expect"]].concat(), &run.out).code, Some(0));
    }
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert!(cases[0]["seed"].is_string() && cases[1]["seed"].is_null());
    assert_eq!(cases[0]["masks"], cases[0]["openings"][0]["masks"]);
    // Large numbers are strings.
    let run = lanes(&["prove", "tari-bpplus", "--amounts", "18446744073709551615"]);
    assert!(run.out.contains("\"value\":\"18446744073709551615\""), "{}", run.out);
    assert_eq!(verify_text(&[], &run.out).code, Some(0));

    for bad in [
        &["--amounts", "1,2,3"][..],
        &["--amounts", "256", "--bits", "8"],
        &["--amounts", "1", "--bits", "9"],
        &["--amounts", "1", "--masks", "7"],
        &["--amounts", "1", "--promises", "2"],
        &["--amounts", "1", "--promises", "1,1"],
        &["--amounts", "1", "--amounts", "2", "--promises", "1"],
        &["--amounts", "x"],
    ] {
        assert_eq!(lanes(&[&["prove", "tari-bpplus"], bad].concat()).code, Some(2), "{bad:?}");
    }
}

//! `lanes verify` on the vectors of the Seraphis study, from the outside: where verdicts differ by design, and where not.

mod support;

use serde_json::Value;
use support::{Run, lanes, lanes_fed, vector};

const PROTOCOLS: [(&str, &str); 6] = [
    ("grootle-plain", "seraphis_grootle_plain.json"),
    ("grootle-concise", "seraphis_grootle_concise.json"),
    ("triptych", "seraphis_triptych.json"),
    ("seraphis-composition", "seraphis_composition.json"),
    ("seraphis-bpplus", "seraphis_bulletproof_plus.json"),
    ("seraphis-tx", "seraphis_mock_tx.json"),
];

fn fed(protocol: &str, args: &[&str], document: &Value) -> Run {
    lanes_fed(&[&["verify", protocol], args, &["-"]].concat(), document.to_string().as_bytes())
}

fn document(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(vector(name)?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn differences_are_named() {
    for (protocol, name) in PROTOCOLS {
        let Some(file) = vector(name) else { return };
        let run = |args: &[&str]| lanes(&[&["verify", protocol, "--expect"], args, &[&file]].concat());
        let differs = protocol == "seraphis-composition";
        let strict = run(&[]);
        assert_eq!(strict.code, Some(i32::from(differs)), "{protocol}: {}", strict.out);
        assert_eq!(
            strict.out.matches("(NOT AS EXPECTED: differs by rule response-range)").count(),
            2 * usize::from(differs)
        );
        for mode in [&["--named-differences"][..], &["--named-differences", "--each"]] {
            assert_eq!(run(mode).code, Some(0), "{protocol}");
        }
        #[cfg(feature = "reference_unsound")]
        {
            let reference = run(&["--reference"]);
            assert_eq!(reference.code, Some(0), "{protocol}: {}", reference.out);
            assert!(!reference.out.contains("NOT AS EXPECTED"));
        }
    }
    let Some(file) = vector("seraphis_composition.json") else { return };
    let json = lanes(&["verify", "seraphis-composition", "--expect", "--named-differences", "--json", &file]);
    let lines: Vec<Value> = json.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (summary, verdicts) = lines.split_last().unwrap();
    assert_eq!((&summary["unexpected"], &summary["named_differences"]), (&Value::from(2), &Value::from(2)));
    let differing = |line: &&Value| line["valid"] != line["expected"];
    assert_eq!(verdicts.iter().filter(differing).count(), 2);
    assert!(verdicts.iter().filter(differing).all(|line| line["differs_by"] == "response-range"));
    assert!(verdicts.iter().filter(|line| !differing(line)).all(|line| line.get("differs_by").is_none()));
}

/// The flag excuses nothing else: another wrong verdict, in either direction, and it means nothing without `--expect`.
#[test]
fn other_disagreements_are_not_excused() {
    let Some(mut document) = document("seraphis_composition.json") else { return };
    let run = |document: &Value| fed("seraphis-composition", &["--expect", "--named-differences"], document);
    assert_eq!(run(&document).code, Some(0));
    for at in [0, 1] {
        let expect = document["cases"][at]["expect"].as_bool().unwrap();
        document["cases"][at]["expect"] = Value::from(!expect);
        let run = run(&document);
        assert_eq!(run.code, Some(1), "{}", run.out);
        assert!(run.out.contains("3 not as expected (2 by a named rule)"), "{}", run.out);
        document["cases"][at]["expect"] = Value::from(expect);
    }
    assert_eq!(fed("seraphis-composition", &["--named-differences"], &document).code, Some(2));
    assert_eq!(fed("monero-clsag", &["--expect", "--named-differences"], &document).code, Some(2));
}

/// A squashed enote is what its address and commitment make, whatever a case says.
#[test]
fn squashed_enotes_are_computed() {
    let Some(mut document) = document("seraphis_mock_tx.json") else { return };
    let cases = document["cases"].as_array_mut().unwrap();
    let squashed = cases.iter_mut().find(|case| case["type"] == "Sp-Squashed").unwrap();
    let set = &mut squashed["membership_proofs"][0];
    let [first, second] = [0, 1].map(|at| set["reference_set_unsquashed"][at].clone());
    set["reference_set_unsquashed"][0] = second;
    set["reference_set_unsquashed"][1] = first;
    let run = fed("seraphis-tx", &[], &document);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("INVALID: squashed enote 0 is not what its address and commitment make"), "{}", run.out);
}

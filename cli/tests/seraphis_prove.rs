//! `lanes prove` for the Seraphis study's proofs and transactions, read back by `lanes verify`.

mod support;

use serde_json::Value;
use support::{lanes, lanes_fed};

/// Protocol, options, and a place in the last case where a change makes it invalid.
const CASES: &[(&str, &[&str], &str)] = &[
    ("triptych", &["-m", "3", "--proofs", "3"], "/zA"),
    ("triptych", &["-n", "3", "-m", "2", "--proofs", "2"], "/f/1/1"),
    ("grootle-plain", &["-m", "3", "--proofs", "3"], "/z/1"),
    ("grootle-plain", &["-n", "4", "-m", "2", "--keys", "1"], "/X/0/1"),
    ("grootle-concise", &["-m", "3", "--proofs", "3"], "/z"),
    ("grootle-concise", &["-n", "3", "-m", "2", "--keys", "3"], "/M/4/2"),
    ("seraphis-composition", &["--keys", "1", "--keys", "3"], "/r_i/2"),
    ("seraphis-bpplus", &["--amounts", "1,2,3", "--amounts", "18446744073709551615"], "/s1"),
    ("seraphis-tx", &["--type", "sp-concise", "-m", "2", "--batch", "2"], "/output_enote_pubkeys/0"),
    ("seraphis-tx", &["--type", "sp-plain", "-n", "3", "-m", "2", "--inputs", "1"], "/membership_proofs/0/grootle/z/1"),
    ("seraphis-tx", &["--type", "Sp-Merge", "-m", "2", "--inputs", "3"], "/image_proofs/0/r_i/2"),
    ("seraphis-tx", &["--type", "sp-squashed", "-m", "2", "--splits", "1"], "/range_proofs/1/d1"),
];

#[test]
fn made_cases_are_valid_repeatable_and_named_when_changed() {
    for (protocol, options, place) in CASES {
        let make = |more: &[&str]| {
            let run = lanes(&[&["prove", *protocol], *options, more].concat());
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{protocol} {}", run.out);
            run.out
        };
        let verify =
            |args: &[&str], text: &str| lanes_fed(&[&["verify", *protocol], args, &["-"]].concat(), text.as_bytes());
        let text = make(&["--seed", "7"]);
        assert!(make(&["--seed", "7"]) == text && make(&["--seed", "8"]) != text && make(&[]) != make(&[]));
        for mode in [&["--expect"][..], &["--expect", "--each"]] {
            let run = verify(mode, &text);
            assert_eq!(run.code, Some(0), "{protocol} {}{}", run.out, run.err);
        }
        let mut document: Value = serde_json::from_str(&text).unwrap();
        let cases = document["cases"].as_array_mut().unwrap();
        let last = cases.len() - 1;
        let value = cases[last].pointer_mut(place).unwrap_or_else(|| panic!("{protocol} {place}"));
        *value = format!("05{}", "00".repeat(31)).into();
        let run = verify(&["--expect"], &document.to_string());
        assert_eq!(run.code, Some(1), "{protocol} {place} {}", run.out);
        let bad: Vec<&str> = run.out.lines().filter(|line| line.contains("INVALID")).collect();
        assert!(bad.len() == 1 && bad[0].contains(&format!("case {last} ")), "{}", run.out);
    }
}

#[test]
fn impossible_options() {
    for args in [
        &["triptych", "-m", "1"][..],
        &["triptych", "-m", "64"],
        &["triptych", "-m", "12", "--proofs", "100"],
        &["grootle-plain", "--keys", "0"],
        &["grootle-concise", "--keys", "17"],
        &["seraphis-composition", "--keys", "0"],
        &["seraphis-composition"],
        &["seraphis-bpplus", "--amounts", "x"],
        &["seraphis-tx", "--type", "sp-nothing"],
        &["seraphis-tx", "--type", "sp-plain", "--outputs", "17"],
        &["seraphis-tx", "--type", "sp-plain", "--inputs", "0"],
    ] {
        assert_eq!(lanes(&[&["prove"], args].concat()).code, Some(2), "{args:?}");
    }
}

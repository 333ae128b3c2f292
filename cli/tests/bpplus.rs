//! `lanes verify` and `lanes prove` for Monero Bulletproofs+, from the outside.

mod support;

use std::fs::{self, File};
use std::path::PathBuf;

use serde_json::{Value, json};
use support::{command, example, lanes, lanes_fed, vector};

const VERIFY: &[&str] = &["verify", "monero-bpplus"];

fn verify(args: &[&str]) -> support::Run {
    lanes(&[VERIFY, args].concat())
}

fn verify_text(args: &[&str], text: &str) -> support::Run {
    lanes_fed(&[VERIFY, args, &["-"]].concat(), text.as_bytes())
}

fn document(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn bundled() -> Value {
    document(&example("range_proofs.json"))
}

/// A file that goes away with the value.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        Scratch(folder.join(format!("{}-{name}", std::process::id())))
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
fn bundled_proofs_are_valid_and_the_tampered_one_is_named() {
    let good = example("range_proofs.json");
    let run = verify(&[&good]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert!(run.out.contains(" 0 invalid\n"), "{}", run.out);

    let bad = example("range_proofs_tampered.json");
    for mode in [&[][..], &["--each"]] {
        let run = verify(&[mode, &[&good, &bad]].concat());
        assert_eq!(run.code, Some(1), "{}", run.out);
        let named: Vec<&str> = run.out.lines().filter(|line| line.contains("INVALID")).collect();
        let tampered = document(&bad)["cases"].as_array().unwrap().iter().filter(|c| c["expected"] == false).count();
        assert_eq!(named.len(), tampered, "{}", run.out);
        assert!(named.iter().all(|line| line.starts_with(&bad)), "{named:?}");
        assert_eq!(verify(&[mode, &["--expect", &good, &bad]].concat()).code, Some(0));
    }
}

#[test]
fn expectations_are_compared_both_ways() {
    for (expected, claim, code) in [(true, true, 0), (true, false, 1), (false, true, 1), (false, false, 0)] {
        let mut document = bundled();
        document["cases"][0]["expected"] = claim.into();
        if !expected {
            document["cases"][0]["proof"]["r1"] = document["cases"][0]["proof"]["s1"].clone();
        }
        for mode in [&["--expect"][..], &["--expect", "--each"]] {
            let run = verify_text(mode, &document.to_string());
            assert_eq!(run.code, Some(code), "{}", run.out);
            assert_eq!(run.out.contains("NOT AS EXPECTED"), code == 1);
        }
    }
    let mut document = bundled();
    document["cases"][1].as_object_mut().unwrap().remove("expected");
    assert_eq!(verify_text(&[], &document.to_string()).code, Some(0));
    let run = verify_text(&["--expect"], &document.to_string());
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("cases[1].expected: missing"), "{}", run.err);
}

#[test]
fn json_lines_tell_the_same() {
    let run = verify(&["--json", "--each", &example("range_proofs.json"), &example("range_proofs_tampered.json")]);
    assert_eq!(run.code, Some(1));
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let (summary, verdicts) = lines.split_last().unwrap();
    assert!(verdicts.iter().all(|v| v["type"] == "verdict" && v["seconds"].as_f64().unwrap() > 0.0));
    assert!(verdicts.iter().all(|v| v["valid"] == v["expected"] && v["valid"] == v["reason"].is_null()));
    assert_eq!(summary["type"], "summary");
    assert_eq!(summary["proofs"], verdicts.len());
    assert_eq!(summary["invalid"], verdicts.iter().filter(|v| v["valid"] == false).count());
    assert_eq!(summary["batched"], false);

    let run = verify(&["--json", "/no/such/file"]);
    assert_eq!(run.code, Some(2));
    let error: Value = serde_json::from_str(run.out.trim()).expect("one JSON object");
    assert_eq!(error["type"], "error");
    assert!(error["message"].as_str().unwrap().contains("/no/such/file"));
}

fn available_backends() -> Vec<String> {
    let info: Value = serde_json::from_str(&lanes(&["info", "--json"]).out).unwrap();
    let backends = info["backends"].as_array().unwrap().iter().filter(|b| b["available"] == true);
    backends.map(|b| b["name"].as_str().unwrap().to_string()).collect()
}

#[test]
fn every_backend_gives_the_same_verdicts() {
    let files = [example("range_proofs.json"), example("range_proofs_tampered.json")];
    let mut verdicts = Vec::new();
    for name in available_backends() {
        let run = lanes(&["--backend", &name, "verify", "monero-bpplus", "--expect", &files[0], &files[1]]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.out);
        assert!(run.out.contains(&format!("backend {name}")));
        let all: Vec<String> = run.out.lines().filter(|l| l.contains(" case ")).map(str::to_string).collect();
        verdicts.push(all);
    }
    assert!(verdicts.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn shared_vectors() {
    for (name, cases) in [("real", 20), ("generated", 13), ("kat", 3), ("invalid", 44)] {
        let Some(file) = vector(&format!("monero_bpplus_{name}.json")) else { continue };
        for mode in [&["--expect"][..], &["--expect", "--each"]] {
            let run = verify(&[mode, &[file.as_str()]].concat());
            assert_eq!(run.code, Some(0), "{name}: {}{}", run.out, run.err);
            assert!(run.out.contains(&format!("{cases} proofs: ")));
        }
    }
    let (Some(real), Some(invalid)) = (vector("monero_bpplus_real.json"), vector("monero_bpplus_invalid.json")) else {
        return;
    };
    // All of them in one batch: exactly the tampered ones are named.
    let run = verify(&["--json", &real, &invalid]);
    assert_eq!(run.code, Some(1));
    let verdicts: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for verdict in verdicts.iter().filter(|v| v["type"] == "verdict") {
        assert_eq!(verdict["valid"], verdict["file"] == real, "{verdict}");
    }
    assert_eq!(verdicts.last().unwrap()["valid"], 20);
}

#[test]
fn proofs_made_here_verify_here() {
    for amounts in ["0", "1,2,3", "18446744073709551615,0", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"] {
        let made = lanes(&["prove", "monero-bpplus", "--amounts", amounts]);
        assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
        let run = verify_text(&["--expect"], &made.out);
        assert_eq!(run.code, Some(0), "{amounts}: {}{}", run.out, run.err);
    }
    let two = lanes(&["prove", "monero-bpplus", "--amounts", "5,6", "--amounts", "7"]);
    assert!(verify_text(&[], &two.out).out.contains("2 proofs: 2 valid"));
}

/// The bundled file is what this command printed; every backend still prints it, byte for byte.
#[test]
fn the_bundled_file_is_reproduced() {
    let file = fs::read_to_string(example("range_proofs.json")).unwrap();
    let mut args = vec!["prove".to_string(), "monero-bpplus".into(), "--seed".into(), "1".into()];
    for case in bundled()["cases"].as_array().unwrap() {
        let amounts: Vec<String> = case["amounts"].as_array().unwrap().iter().map(Value::to_string).collect();
        args.extend(["--amounts".to_string(), amounts.join(",")]);
    }
    for backend in available_backends() {
        let args: Vec<&str> = ["--backend", &backend].into_iter().chain(args.iter().map(String::as_str)).collect();
        assert_eq!(lanes(&args).out, file, "{backend}");
    }
}

#[test]
fn a_seed_repeats_files_but_never_nonces() {
    let prove =
        |seed: &str, amounts: &str| lanes(&["prove", "monero-bpplus", "--seed", seed, "--amounts", amounts]).out;
    assert_eq!(prove("1", "5"), prove("1", "5"));
    let proofs = [prove("1", "5"), prove("1", "6"), prove("2", "5"), prove("1", "5,5")];
    let points = |text: &String| {
        let case = serde_json::from_str::<Value>(text).unwrap()["cases"][0].clone();
        [case["C"][0].clone(), case["masks"][0].clone(), case["proof"]["A"].clone(), case["proof"]["B"].clone()]
    };
    for i in 0..proofs.len() {
        for j in 0..i {
            for (a, b) in points(&proofs[i]).iter().zip(&points(&proofs[j])) {
                assert_ne!(a, b, "{i} {j}");
            }
        }
    }
    let unseeded = || lanes(&["prove", "monero-bpplus", "--amounts", "5"]).out;
    assert_ne!(unseeded(), unseeded());
    for bad in ["-1", "18446744073709551616", "1,,2", "", "1.5", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17"] {
        let run = lanes(&["prove", "monero-bpplus", &format!("--amounts={bad}")]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{bad:?}");
    }
}

/// Each alters the bundled document; the message must name the place.
#[test]
fn what_lacks_the_form_is_unusable() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut document = bundled();
        change(&mut document);
        document.to_string()
    };
    let hex = "00".repeat(32);
    let set = |pointer: &'static str, value: Value| changed(&move |d| *d.pointer_mut(pointer).unwrap() = value.clone());
    let cases: Vec<(String, &str)> = vec![
        (String::new(), "EOF"),
        ("null".into(), "an object"),
        ("[]".into(), "an object"),
        ("{}".into(), "cases"),
        (r#"{"cases":[]}"#.into(), "cases"),
        (r#"{"cases":{}}"#.into(), "cases"),
        (r#"{"cases":[1]}"#.into(), "cases[0]"),
        // Members by position, which derived code would take.
        (
            changed(&|d| {
                let case = d["cases"][0].clone();
                d["cases"][0] = json!([null, null, null, case["C"], case["proof"], true]);
            }),
            "cases[0]: invalid type: sequence",
        ),
        (r#"{"cases":[],"cases":[]}"#.into(), "duplicate"),
        (changed(&|d| d["count"] = json!(99)), "count"),
        (changed(&|d| d["count"] = json!(-1)), "count"),
        (format!("{} x", bundled()), "after the document"),
        (set("/cases/1/C", Value::Null), "cases[1].C"),
        (set("/cases/1/C", json!("00")), "cases[1].C"),
        (set("/cases/1/C/0", json!(5)), "cases[1].C[0]"),
        (set("/cases/1/C/0", json!(hex[1..])), "cases[1].C[0]"),
        (set("/cases/1/C/0", json!(format!("{hex}00"))), "cases[1].C[0]"),
        (set("/cases/1/C/0", json!(hex.replacen('0', "g", 1))), "cases[1].C[0]"),
        (set("/cases/1/C/0", json!(format!("+{}", &hex[1..]))), "cases[1].C[0]"),
        (set("/cases/1/C/0", json!("é".repeat(32))), "cases[1].C[0]"),
        (set("/cases/0/proof", json!([])), "cases[0].proof"),
        (set("/cases/0/proof/A", json!({})), "cases[0].proof.A"),
        (set("/cases/0/proof/d1", json!(1e300)), "cases[0].proof.d1"),
        (set("/cases/0/proof/L", json!({"0": hex})), "cases[0].proof.L"),
        (set("/cases/0/proof/R/3", json!(["x"])), "cases[0].proof.R[3]"),
        (set("/cases/0/expected", json!("true")), "cases[0].expected"),
        (set("/cases/0/name", json!(["\u{1b}[2J"])), "cases[0].name"),
        (changed(&|d| drop(d["cases"][0].as_object_mut().unwrap().remove("C"))), "missing field `C`"),
        (changed(&|d| drop(d["cases"][0]["proof"].as_object_mut().unwrap().remove("s1"))), "missing field `s1`"),
        (format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)), "an object"),
        (format!(r#"{{"cases":[{{"C":{}"#, "[".repeat(100_000)), "cases[0].C[0]"),
        (r#"{"cases":[{"C":["#.into(), "EOF"),
        (r#"{"count":1e400,"cases":[]}"#.into(), "count"),
    ];
    for (text, place) in &cases {
        let run = verify_text(&[], text);
        let start: String = text.chars().take(200).collect();
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{start}");
        assert!(run.err.contains(place), "{start}\ngave {}", run.err);
        assert!(run.err.starts_with("error: standard input: ") && run.err.lines().count() == 1, "{}", run.err);
        assert!(!run.err.contains('\u{1b}') && run.err.len() < 1000);
    }
    let text = bundled().to_string();
    for end in (0..text.len()).step_by(text.len() / 40) {
        assert_eq!(verify_text(&[], &text[..end]).code, Some(2), "truncated at {end}");
    }
}

/// Unknown members are annotations, and what is well formed but no proof is a verdict.
#[test]
fn what_has_the_form_gets_a_verdict() {
    let mut document = bundled();
    document["remark"] = json!({"deep": [[[1e300, -5, "x"]]]});
    document["cases"][0]["block"] = json!(12);
    document["cases"][0]["proof"]["V"] = json!(null);
    assert_eq!(verify_text(&["--expect"], &document.to_string()).code, Some(0));

    type Change = fn(&mut Value);
    let changes: [(&str, Change); 8] = [
        ("no commitment", |c| c["C"] = json!([])),
        ("seventeen commitments", |c| c["C"] = json!(vec![c["C"][0].clone(); 17])),
        ("ten thousand commitments", |c| c["C"] = json!(vec![c["C"][0].clone(); 10_000])),
        ("no rounds", |c| (c["proof"]["L"], c["proof"]["R"]) = (json!([]), json!([]))),
        ("five thousand rounds", |c| c["proof"]["L"] = json!(vec![c["proof"]["L"][0].clone(); 5000])),
        ("a point off the curve", |c| c["proof"]["A"] = json!(format!("02{}", "00".repeat(31)))),
        ("a scalar of all ones", |c| c["proof"]["r1"] = json!("ff".repeat(32))),
        ("a sign bit", |c| c["C"][0] = json!(format!("01{}80", "00".repeat(30)))),
    ];
    for (what, change) in changes {
        let mut document = bundled();
        change(&mut document["cases"][0]);
        document["cases"][0]["name"] = json!("\u{1b}[2J\nevil");
        for mode in [&[][..], &["--each"], &["--json"]] {
            let run = verify_text(mode, &document.to_string());
            assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{what}: {}", run.out);
            assert!(!run.out.contains('\u{1b}'), "{what}: {:?}", run.out);
            assert!(run.out.contains(" 1 invalid\n") || run.out.contains("\"invalid\":1,"), "{what}: {}", run.out);
        }
    }
}

#[test]
fn files_that_cannot_be_read_are_unusable() {
    let scratch = Scratch::new("bytes");
    let unusable = |content: &[u8], message: &str| {
        fs::write(&scratch.0, content).unwrap();
        let run = verify(&[&example("range_proofs.json"), scratch.path()]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
        assert!(run.err.contains(message) && run.err.contains(scratch.path()), "{}", run.err);
    };
    unusable(b"{\"cases\":[{\"name\":\"\xff\xfe\"}]}", "not UTF-8 at byte 19");
    unusable(b"\x1f\x8b\x08\x00", "UTF-8");
    unusable(b"", "EOF");

    // Sparse, so that nothing but the length is there; it is refused without being read.
    File::create(&scratch.0).unwrap().set_len(1 << 40).unwrap();
    let run = verify(&[scratch.path()]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("larger than 64 MiB"), "{}", run.err);

    let folder = env!("CARGO_MANIFEST_DIR");
    for (path, message) in [("/no/such/file", "No such file"), (folder, "directory")] {
        let run = verify(&[path]);
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(path) && (cfg!(not(target_os = "linux")) || run.err.contains(message)), "{}", run.err);
    }
    assert_eq!(verify(&["-", "-"]).code, Some(2));
    assert_eq!(verify(&["-"]).code, Some(2), "standard input is empty");
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_stream_is_cut_off() {
    let zeros = File::open("/dev/zero").unwrap();
    let run = command(&[VERIFY, &["-"]].concat()).stdin(zeros).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("larger than 64 MiB"));
    assert_eq!(verify(&["/dev/zero"]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn a_verdict_outlives_its_reader() {
    for (file, code) in [("range_proofs.json", 0), ("range_proofs_tampered.json", 1)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = command(&[VERIFY, &[&example(file)]].concat()).stdout(writer).output().unwrap();
        assert_eq!((run.status.code(), run.stderr), (Some(code), Vec::new()));
    }
}

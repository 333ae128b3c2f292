//! The libraries as C and C++ programs use them: compiled and run against the static and the shared one, and with sanitizers
//! where there are. What a missing tool keeps from running is printed.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Folder, Libraries, ROOT, compile, has, run, vector};

/// A program, the file it reads, and the status and output that it has to end with.
struct Job {
    source: &'static str,
    file: Option<PathBuf>,
    expected: (Option<i32>, String),
}

fn jobs(folder: &Folder) -> Vec<Job> {
    let mut jobs = vec![Job { source: "tests/misuse.c", file: None, expected: (Some(0), "ok\n".into()) }];
    // What the README shows.
    for (source, file, status, expected) in [
        ("examples/derive.cpp", "derivations.txt", 0, "4 lines\n"),
        ("examples/verify_range_proofs.c", "range_proofs.txt", 1, "0 valid\n1 valid\n2 the equation does not hold\n"),
        ("examples/verify_clsag.c", "clsag.txt", 1, "0 valid\n1 the equation does not hold\n"),
    ] {
        let file = Some(Path::new(ROOT).join("examples").join(file));
        jobs.push(Job { source, file, expected: (Some(status), expected.into()) });
    }
    let mut add = |source, name: &str, lines: Vec<String>, expected| {
        let file = folder.file(name);
        fs::write(&file, lines.concat()).expect("a file of lines");
        jobs.push(Job { source, file: Some(file), expected });
    };
    if let Some(lines) = derivation_lines() {
        let expected = (Some(0), format!("{} lines\n", lines.len()));
        add("examples/derive.cpp", "derivations", lines, expected);
    }
    let verdicts = |reasons: &[&str]| {
        let lines = reasons.iter().enumerate().map(|(i, reason)| format!("{i} {reason}\n")).collect();
        (Some(i32::from(reasons.iter().any(|reason| *reason != "valid"))), lines)
    };
    let of = |names: [&str; 2]| names.map(vector).into_iter().collect::<Option<Vec<String>>>();
    for (source, names, line) in [
        (
            "examples/verify_range_proofs.c",
            ["monero_bpplus_real.json", "monero_bpplus_invalid.json"],
            range_proof as fn(&Value) -> (String, &'static str),
        ),
        ("examples/verify_clsag.c", ["monero_clsag.json", "monero_clsag_invalid.json"], clsag),
    ] {
        let Some(files) = of(names) else { continue };
        let all: Vec<Value> = files.iter().map(|text| serde_json::from_str(text).expect("JSON")).collect();
        let [good, bad] = [&all[0], &all[1]].map(|all| all["cases"].as_array().expect("cases"));
        let (lines, reasons): (Vec<_>, Vec<_>) = good.iter().map(line).unzip();
        assert!(reasons.iter().all(|reason| *reason == "valid"));
        add(source, names[0], lines, verdicts(&reasons));
        // Valid and invalid ones in turn, after one cut off.
        let mixed = bad.iter().zip(good.iter().cycle()).flat_map(|(bad, good)| [line(bad), line(good)]);
        let (mut lines, mut reasons): (Vec<_>, Vec<_>) = mixed.unzip();
        let cut = lines[1].trim_end().len() - 2;
        lines.insert(0, format!("{}\n", &lines[1][..cut]));
        reasons.insert(0, "the bytes have not the right form");
        add(source, names[1], lines, verdicts(&reasons));
    }
    jobs
}

/// Transaction key, view key, and the derivation if there is one.
fn derivation_lines() -> Option<Vec<String>> {
    let all = vector("monero_crypto_tests.txt")?;
    let lines = all.lines().filter_map(|line| line.strip_prefix("generate_key_derivation "));
    let lines: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
    assert!(lines.len() > 100);
    Some(lines)
}

fn hex(value: &Value) -> &str {
    value.as_str().expect("hex")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn join(values: &[Value]) -> String {
    values.iter().map(hex).collect()
}

/// What was done to a valid one. A scalar or encoding that is no canonical one is named so.
fn encoding_fault(mutation: &str) -> Option<&'static str> {
    if mutation.contains("group order") {
        Some("a scalar is not below the group order")
    } else if mutation.contains("-0 encoding") || mutation.contains("p+1") {
        Some("an encoding is not a point")
    } else {
        None
    }
}

/// A line for the program in C, and the reason that it must print.
fn range_proof(case: &Value) -> (String, &'static str) {
    let (commitments, proof) = (list(&case["C"]), &case["proof"]);
    let fields = ["A", "A1", "B", "r1", "s1", "d1"].map(|name| hex(&proof[name])).concat();
    let [l, r] = ["L", "R"].map(|name| list(&proof[name]));
    let counted = |points: &[Value]| format!("{:02x}{}", points.len(), join(points));
    let line = format!("{} {fields}{}{}\n", join(commitments), counted(l), counted(r));
    let mutation = case["mutation"].as_str().unwrap_or("");
    let rounds = 6 + commitments.len().next_power_of_two().ilog2() as usize;
    let reason = if mutation.is_empty() {
        "valid"
    } else if let Some(fault) = encoding_fault(mutation) {
        fault
    } else if !(1..=16).contains(&commitments.len()) || (l.len(), r.len()) != (rounds, rounds) {
        "a number of parts that no valid item has"
    } else {
        "the equation does not hold"
    };
    (line, reason)
}

fn clsag(case: &Value) -> (String, &'static str) {
    let ring: String = list(&case["ring"]).iter().map(|member| join(list(member))).collect();
    let [image, pseudo_out, message, c1, d] =
        ["key_image", "pseudo_out", "message", "c1", "D"].map(|name| hex(&case[name]));
    let line = format!("{ring} {image} {pseudo_out} {message} {}{c1}{d}\n", join(list(&case["s"])));
    let mutation = case["mutation"].as_str().unwrap_or("");
    let reason = if mutation.is_empty() {
        "valid"
    } else if let Some(fault) = encoding_fault(mutation) {
        fault
    } else if ring.is_empty() {
        "a number of parts that no valid item has"
    } else if mutation.starts_with("D = ") {
        "a point is of small order"
    } else {
        "the equation does not hold"
    };
    (line, reason)
}

fn name(source: &str) -> String {
    Path::new(source).file_stem().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn programs() {
    if !has(&["cc", "c++"]) {
        return;
    }
    let folder = Folder::new("programs");
    let libraries = Libraries::build("", &folder);
    let jobs = jobs(&folder);
    for (kind, library) in [("static", &libraries.fixed), ("shared", &libraries.shared)] {
        for Job { source, file, expected } in &jobs {
            let program = compile(&folder, source, &format!("{}-{kind}", name(source)), &[], library)
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(run(&program, file.as_deref()), *expected, "{kind} {source} {file:?}");
            if file.is_some() {
                assert_eq!(run(&program, None).0, Some(2), "{source} without a file");
            }
        }
    }
    sanitized(&folder, &libraries.fixed, &jobs);
}

/// All programs under the address and undefined behaviour sanitizers, which see what the library copies, but not each of
/// its instructions; and faults that they must see.
fn sanitized(folder: &Folder, library: &Path, jobs: &[Job]) {
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let fault = match compile(folder, "tests/fault.c", "fault", &flags, library) {
        Ok(program) => program,
        Err(error) => {
            println!("skipped: sanitizers: {}", error.lines().next().unwrap_or_default());
            return;
        }
    };
    for (argument, report) in
        [("write", "heap-buffer-overflow"), ("leak", "LeakSanitizer"), ("undefined", "signed integer overflow")]
    {
        let (code, out) = run(&fault, Some(Path::new(argument)));
        assert!(code != Some(0) && out.contains(report), "{argument}: {code:?} {out}");
    }
    for Job { source, file, expected } in jobs {
        let program = compile(folder, source, &format!("{}-sanitized", name(source)), &flags, library)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run(&program, file.as_deref()), *expected, "sanitized {source} {file:?}");
    }
}

//! `lanes bench`, `lanes compare` and `lanes demo`, from the outside.

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::{command, lanes};

/// A file in the tests' own folder.
fn scratch(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
    path.to_str().expect("a UTF-8 path").to_string()
}

/// The smallest group, measured.
fn record(name: &str, args: &[&str]) -> (String, Value) {
    let path = scratch(name);
    let run = lanes(&[&["bench", "field", "--json", &path], args].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let text = std::fs::read_to_string(&path).expect("a file");
    (path, serde_json::from_str(&text).expect("JSON"))
}

/// The members of an object, against the tables of docs/bench-schema.md.
fn members(schema: &str, heading: &str) -> BTreeSet<String> {
    let part = schema.split(heading).nth(1).expect("the heading");
    let lines = part.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let names = lines.take_while(|line| line.starts_with('|')).flat_map(|line| {
        let first = line.split('|').nth(1).unwrap_or("");
        first.split(',').map(|name| name.trim().trim_matches('`').to_string()).collect::<Vec<_>>()
    });
    names.collect()
}

#[test]
fn a_record_has_the_members_that_the_schema_names() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/bench-schema.md");
    let schema = std::fs::read_to_string(path).expect("the schema's description");
    let (_, record) = record("schema.json", &["--label", "here"]);
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&record), members(&schema, "# The record"));
    assert_eq!(keys(&record["machine"]), members(&schema, "\n`machine`:"));
    assert_eq!(keys(&record["program"]), members(&schema, "\n`program`:"));
    let rows = record["rows"].as_array().expect("rows");
    assert!(rows.len() >= 7);
    for row in rows {
        assert_eq!(keys(row), members(&schema, "\nA row:"));
        assert_eq!(keys(&row["ns"]).into_iter().collect::<Vec<_>>(), ["mad", "median", "min"]);
        assert!(row["ns"]["min"].as_f64().unwrap() > 0.0 && row["samples"].as_u64().unwrap() >= 5);
        assert!(row["ns"]["min"].as_f64().unwrap() <= row["ns"]["median"].as_f64().unwrap() * 1.5);
        assert_eq!(row["ratio"].is_null(), row["peer"].is_null());
    }
    assert_eq!((&record["label"], &record["complete"], &record["version"]), (&json!("here"), &json!(true), &json!(1)));
    // What the description shows is a record, too.
    let example = schema.split("```json").nth(1).and_then(|part| part.split("```").next()).expect("an example");
    let path = scratch("example.json");
    std::fs::write(&path, example).unwrap();
    assert_eq!(lanes(&["compare", &path, &path]).code, Some(0));
}

#[test]
fn ratios_are_those_of_the_times() {
    let (_, record) = record("ratios.json", &[]);
    let rows = record["rows"].as_array().unwrap();
    let mut compared = 0;
    for row in rows.iter().filter(|row| row["kind"] == "backend" && !row["peer"].is_null()) {
        let same = |other: &&Value| {
            ["group", "op", "params", "size"].iter().all(|key| other[key] == row[key]) && other["by"] == row["peer"]
        };
        let peer = rows.iter().find(same).expect("the peer's row");
        let ratio = peer["ns"]["min"].as_f64().unwrap() / row["ns"]["min"].as_f64().unwrap();
        assert!((ratio - row["ratio"].as_f64().unwrap()).abs() < 1e-3 * ratio);
        compared += 1;
    }
    assert!(compared >= 3);
}

#[test]
fn a_record_compared_with_itself_gives_ones() {
    let (path, record) = record("self.json", &[]);
    let page = scratch("self.html");
    let run = lanes(&["compare", &path, &path, &path, "--html", &page]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let rows = record["rows"].as_array().unwrap().len();
    let lines: Vec<&str> = run.out.lines().filter(|line| line.starts_with("field: ")).collect();
    assert_eq!(lines.len(), rows);
    for line in
        lines.iter().chain(run.out.lines().filter(|line| line.starts_with("geometric mean")).collect::<Vec<_>>().iter())
    {
        assert!(line.ends_with("       1.000       1.000"), "{line}");
    }
    let html = std::fs::read_to_string(page).unwrap();
    assert_eq!(html.matches("<td>1.000</td>").count(), 2 * rows);
}

#[test]
fn what_only_one_record_has_is_counted() {
    let (path, record) = record("all.json", &[]);
    let mut part = record.clone();
    let rows = part["rows"].as_array_mut().unwrap();
    let left = rows.split_off(2).len();
    let short = scratch("part.json");
    std::fs::write(&short, part.to_string()).unwrap();
    for files in [[&path, &short], [&short, &path]] {
        let run = lanes(&["compare", files[0], files[1]]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        assert_eq!(run.out.lines().filter(|line| line.starts_with("field: ")).count(), 2, "{}", run.out);
        assert!(run.out.ends_with(&format!("Left out: {left} figures that only one record has.\n")), "{}", run.out);
    }
}

#[test]
fn what_is_no_record_is_refused() {
    let (path, record) = record("good.json", &[]);
    let text = std::fs::read_to_string(&path).unwrap();
    let refused = |name: &str, text: &str, reason: &str| {
        let bad = scratch(name);
        std::fs::write(&bad, text).unwrap();
        for files in [[path.as_str(), bad.as_str()], [bad.as_str(), path.as_str()]] {
            let run = lanes(&["compare", files[0], files[1]]);
            assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{name}");
            assert!(run.err.contains(reason) && run.err.contains(name), "{name}: {}", run.err);
            assert!(!run.err.contains('\u{1b}'));
        }
    };
    refused("empty.json", "", "no JSON");
    refused("cut.json", &text[..text.len() / 2], "no JSON");
    refused("foreign.json", "{\"name\": \"something else\"}", "schema");
    refused("list.json", "[1, 2]", "schema");
    let change = |path: &[&str], value: Value| {
        let mut changed = record.clone();
        let last = path.iter().fold(&mut changed, |value, key| match key.parse::<usize>() {
            Ok(index) => &mut value[index],
            Err(_) => &mut value[*key],
        });
        *last = value;
        changed.to_string()
    };
    refused("newer.json", &change(&["version"], json!(2)), "schema version 2");
    refused("none.json", &change(&["version"], json!("1")), "no schema version");
    refused("negative.json", &change(&["rows", "0", "ns", "min"], json!(-1.0)), "can't be");
    refused("huge.json", &text.replacen("\"min\": ", "\"min\": 1e9999, \"x\": ", 1), "no JSON");
    refused("zero.json", &change(&["rows", "1", "size"], json!(0)), "can't be");
    refused("typed.json", &change(&["rows", "1", "op"], json!(7)), "rows[1].op");
    refused("hostile.json", &change(&["rows", "1", "kind"], json!("\u{1b}[31m")), "rows[1].kind");
    refused("extra.json", &change(&["more"], json!(1)), "unknown field");
    let mut twice = record.clone();
    let first: Vec<Value> = twice["rows"].as_array().unwrap()[..2].to_vec();
    twice["rows"].as_array_mut().unwrap().extend(first);
    refused("twice.json", &twice.to_string(), "twice");
    refused("control.json", &change(&["label"], json!("\u{1b}[31m")), "can't be shown");
    assert_eq!(lanes(&["compare"]).code, Some(2));
    assert_eq!(lanes(&["compare", &path, "no/such/file"]).code, Some(2));
    assert_eq!(lanes(&["bench", "field", "--json", "no/such/folder/x.json"]).code, Some(2));
}

/// Of the backends that need more than Rust, those that the program was built with.
const BUILT: [(&str, bool); 4] = [
    ("amd64-51", cfg!(feature = "amd64-51")),
    ("amd64-64", cfg!(feature = "amd64-64")),
    ("avx2", cfg!(feature = "avx2")),
    ("ifma", cfg!(feature = "ifma")),
];

/// Measures the smallest group with these backends disabled, and says which there were and which not.
fn backends(name: &str, disabled: &str) -> (Value, Value) {
    let path = scratch(name);
    let run = command(&["bench", "field", "--json", &path]).env("LANES_DISABLE", disabled).output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let missing = record["program"]["missing"].clone();
    let names: Vec<&str> = missing.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    if !names.is_empty() {
        let out = String::from_utf8(run.stdout).unwrap();
        assert!(out.contains(&format!("Not here: {}", names.join(", "))), "{out}");
    }
    for row in record["rows"].as_array().unwrap() {
        assert!(!names.iter().any(|name| row["by"] == *name), "measured without being there: {row}");
    }
    (record["program"]["backends"].clone(), missing)
}

#[test]
fn a_machine_with_less_is_a_machine_with_less() {
    let all = "amd64-51,amd64-64,avx2,ifma";
    assert_eq!(backends("less.json", all), (json!(["portable"]), json!(["amd64-51", "amd64-64", "avx2", "ifma"])));
    let run = command(&["demo"]).env("LANES_DISABLE", all).output().unwrap();
    let out = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.status.code(), Some(0), "{out}");
    assert!(out.contains("alike on 1 backend."), "{out}");
}

/// As on a CPU without AVX-512. What else there is depends on the CPU; what is gone does not.
#[test]
fn a_machine_without_avx_512() {
    let (there, missing) = backends("no-avx-512.json", "ifma");
    let (all_there, all_missing) = backends("as-it-is.json", "");
    let without = |names: &Value| {
        let names = names.as_array().unwrap().iter().filter_map(Value::as_str);
        names.filter(|name| *name != "ifma").map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(json!(without(&all_there)), there);
    assert_eq!(json!([without(&all_missing), vec!["ifma".to_string()]].concat()), missing);
}

/// `.ci/release` runs this with `--no-default-features`, too.
#[test]
fn a_backend_that_is_not_built_is_missing() {
    let (there, missing) = backends("built.json", "");
    for (name, _) in BUILT.iter().filter(|(_, built)| !built) {
        assert!(missing.as_array().unwrap().contains(&json!(name)), "{name} is not in {missing}");
        let run = lanes(&["--backend", name, "info"]);
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(run.err.contains(name), "{}", run.err);
    }
    if BUILT.iter().all(|(_, built)| !built) {
        assert_eq!(there, json!(["portable"]));
        let run = lanes(&["demo"]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(run.out.contains("alike on 1 backend."), "{}", run.out);
    }
}

#[test]
fn the_demo_shows_every_protocol_and_finds_every_forgery() {
    let run = lanes(&["demo"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let verdicts = run.out.matches("all valid").count();
    assert!(verdicts >= 10, "{}", run.out);
    assert_eq!(run.out.matches("caught: ").count(), verdicts);
    for text in
        ["Monero range proofs", "CLSAG", "Tari range proofs", "Triptych", "Grootle", "Sp-Squashed", "× portable"]
    {
        assert!(run.out.contains(text), "no {text} in\n{}", run.out);
    }
    assert!(!run.out.contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_valid_file() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let path = scratch("interrupted.json");
    let mut child = command(&["bench", "field", "msm", "wallet", "--json", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    // The first group is done when its file is there.
    while !PathBuf::from(&path).exists() && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let Ok(true) = killed.map(|status| status.success()) else {
        let _ = child.kill();
        let _ = child.wait();
        println!("skipped: no way to send an interrupt");
        return;
    };
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains("Interrupted"), "{out}");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(record["complete"], json!(false));
    let groups: BTreeSet<&str> =
        record["rows"].as_array().unwrap().iter().map(|row| row["group"].as_str().unwrap()).collect();
    assert!(groups.contains("field") && !groups.contains("wallet"), "{groups:?}");
    assert_eq!(lanes(&["compare", &path, &path]).code, Some(0));
}

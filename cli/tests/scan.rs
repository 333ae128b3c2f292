//! `lanes scan`.

mod support;

use support::{example, lanes, vector};

/// A file of this content, deleted when dropped.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, content: &str) -> File {
        let path = std::env::temp_dir().join(format!("lanes-scan-{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("a temporary file");
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a UTF-8 path")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn finds_what_the_vectors_own() {
    let Some(file) = vector("monero_scan.json") else { return };
    for threads in ["1", "3"] {
        let run = lanes(&["scan", "--keys", &file, "--txs", &file, "--expect", "--threads", threads]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
        assert!(run.out.contains("7000000000") && run.out.contains("23985700000"), "{}", run.out);
        assert!(run.out.contains("a second") && run.out.ends_with("as expected\n"), "{}", run.out);
    }
    let run = lanes(&["scan", "--keys", &file, "--txs", &file, "--json"]);
    let lines: Vec<serde_json::Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.code, lines.len()), (Some(0), 3));
    assert_eq!((&lines[0]["type"], &lines[0]["amount"]), (&"output".into(), &7_000_000_000_u64.into()));
    assert_eq!(
        (&lines[2]["type"], &lines[2]["outputs"], &lines[2]["pairs"]),
        (&"summary".into(), &2.into(), &8.into())
    );
}

#[test]
fn finds_what_the_examples_own() {
    let [keys, txs] = ["scan_keys.json", "scan_transactions.json"].map(example);
    let run = lanes(&["scan", "--keys", &keys, "--txs", &txs, "--expect"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert!(run.out.contains("1500000000000") && run.out.contains("0/2"), "{}", run.out);
    assert!(run.out.ends_with("as expected\n"), "{}", run.out);
}

#[test]
fn disagreements_and_raw_hex() {
    let Some(file) = vector("monero_scan.json") else { return };
    let mut document: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let raw: Vec<&str> = (0..2).map(|i| document["cases"][i]["tx_hex"].as_str().unwrap()).collect();
    let raw = File::new("raw", &format!("{}\n\n{}\n", raw[0], raw[1]));
    let run = lanes(&["scan", "--keys", &file, "--txs", raw.path()]);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 4), "{}{}", run.out, run.err);
    // Nothing to compare with.
    assert_eq!(lanes(&["scan", "--keys", &file, "--txs", raw.path(), "--expect"]).code, Some(2));

    document["cases"][1]["owned"][0]["amount"] = 1.into();
    let changed = File::new("changed", &document.to_string());
    let run = lanes(&["scan", "--keys", &file, "--txs", changed.path(), "--expect"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(run.out.contains("transaction 1: found"), "{}", run.out);
    assert_eq!(lanes(&["scan", "--keys", &file, "--txs", changed.path()]).code, Some(0));
}

#[test]
fn unusable_input() {
    let zero = "0".repeat(64);
    let good = File::new("keys", &format!(r#"{{"cases":[{{"view_secret":"{zero}","spend_secret":"{zero}"}}]}}"#));
    for (keys, txs) in [
        ("/nonexistent", "00"),
        (r#"{"cases":[]}"#, "00"),
        (r#"{"cases":[{"view_secret":"00"}]}"#, "00"),
        (&*format!(r#"{{"cases":[{{"view_secret":"{zero}"}}]}}"#), "00"),
        (&*format!(r#"{{"cases":[{{"view_secret":"{zero}","spend_public":"{}"}}]}}"#, "f".repeat(64)), "00"),
        (&*format!(r#"{{"cases":[{{"view_secret":"{}","spend_public":"{zero}"}}]}}"#, "f".repeat(64)), "00"),
        ("good", ""),
        ("good", "xyz"),
        ("good", "0"),
        ("good", "02000107"),
        ("good", r#"{"cases":[{"tx_hex":"0200"}]}"#),
        ("good", r#"{"cases":[{}]}"#),
    ] {
        let other = File::new("bad", keys);
        let txs = File::new("txs", txs);
        let path = if keys == "good" { good.path() } else { other.path() };
        let run = lanes(&["scan", "--keys", path, "--txs", txs.path()]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{path}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}

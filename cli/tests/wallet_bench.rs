//! `lanes wallet-bench`: the tree's shape and the command line. What is printed for given times is tested with the tree.

mod support;

use support::lanes;

#[test]
fn prints_two_trees() {
    let run = lanes(&["wallet-bench", "2", "3,1,3", "--impl", "ref10,portable,dalek,x25519-dalek"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[..3],
        ["Running benchmark using 2 iterations", "Transaction Component Benchmarks", &"-".repeat(32)]
    );
    let second = lines.iter().position(|line| *line == "Transaction Benchmarks").expect("a second tree");
    assert_eq!(lines[second + 1], "-".repeat(22));
    let groups = |lines: &[&str]| lines.iter().filter(|line| line.starts_with("+ ")).count();
    assert_eq!((groups(&lines[..second]), groups(&lines[second..])), (2, 2));
    for text in ["TX Pub Key", "Output Pub Key", "Txes with 1 outputs", "Txes with 3 outputs"] {
        assert!(run.out.contains(&format!("+ {text} ")), "no {text} in\n{}", run.out);
    }
    // Every node names its own best time, and the best of siblings comes first.
    for (i, line) in lines.iter().enumerate() {
        if line.starts_with("|-+ ") {
            let time = |line: &str| line.split(" ns (+").next().unwrap().split(' ').next_back().unwrap().to_string();
            assert_eq!(time(line), time(lines[i + 1]), "{line}");
            assert!(lines[i + 1].ends_with("ns (+0%)") && lines[i + 1].starts_with("| |--"), "{}", lines[i + 1]);
        }
    }
    assert_eq!(lines.last(), Some(&"| "));
    assert!(lines.iter().any(|line| line.starts_with("| |-----------> ref10 => ")), "{}", run.out);
}

#[test]
fn names_and_json() {
    let run = lanes(&["wallet-bench", "1", "2", "--impl", "cn,portable", "--names", "monero"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for text in
        ["generate_key_derivation step", "derive_subaddress_public_key step", "Transactions with 2 outputs", "> cn"]
    {
        assert!(run.out.contains(text), "no {text} in\n{}", run.out);
    }
    // Named twice, run once.
    let run = lanes(&["wallet-bench", "1", "2", "--impl", "ref10,ref10", "--json"]);
    let rows: Vec<serde_json::Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.code, rows.len()), (Some(0), 3));
    assert_eq!((&rows[0]["variant"], &rows[0]["implementation"]), (&"standard".into(), &"ref10".into()));
    assert!(rows.iter().all(|row| row["nanoseconds"].as_u64().is_some_and(|time| time > 0)));
}

#[test]
fn bad_arguments_end_with_1() {
    let bad = [
        &["x"][..],
        &["0"],
        &["-1"],
        &["4294967296"],
        &["1", ""],
        &["1", ",2"],
        &["1", "x"],
        &["1", "-2"],
        &["1", "10001"],
        &["1", "2", "--impl", "nonsense"],
        &["1", "2", "--impl", "ref10,"],
        &["1", "2", "--impl", ""],
    ];
    for args in bad {
        let run = lanes(&[&["wallet-bench"], args].concat());
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{args:?}");
        assert!(run.err.starts_with("Error: "), "{args:?}: {}", run.err);
    }
    for args in [&["--nonsense"][..], &["1", "2", "3"], &["--names", "other"], &["--impl"]] {
        assert_eq!(lanes(&[&["wallet-bench"], args].concat()).code, Some(2), "{args:?}");
    }
    // What an escape sequence would do is left to nobody's terminal.
    let run = lanes(&["wallet-bench", "--impl", "\u{1b}[2J"]);
    assert!(run.code == Some(1) && !run.err.contains('\u{1b}'), "{:?}", run.err);
}

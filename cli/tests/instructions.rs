//! What commands cost in instructions, counted by Valgrind: a guard against getting slower that no busy machine disturbs.
//!
//! The bounds stand in `instructions.txt`: backend, count, command. A count may differ from its line by 3 %; more is an
//! error, less too, so that gains are kept. Counts belong to a compiler, which the file names; under another one, in a
//! debug build, or without Valgrind the test says so and passes. Valgrind knows no AVX-512: `ifma` is not counted.
//!
//! To write the file anew: `LANES_UPDATE_INSTRUCTIONS=1 cargo test --release -p lanes-cli --test instructions`.

mod support;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use support::example;

const TOLERANCE: f64 = 0.03;

/// Commands of fixed input; `@` stands for the folder of examples.
const COMMANDS: [&str; 4] = [
    "verify monero-bpplus @range_proofs.json",
    "verify tari-bpplus @tari_range_proofs.json",
    "prove monero-bpplus --amounts 1,2 --seed 1",
    "prove monero-clsag --ring 16 --seed 1",
];
const BACKENDS: [&str; 4] = ["portable", "amd64-51", "amd64-64", "avx2"];

/// Instructions of a command on a backend; nothing if the machine or the build lacks it.
fn count(backend: &str, command: &str) -> Option<u64> {
    let arguments = command.split(' ').map(|word| match word.strip_prefix('@') {
        Some(name) => example(name),
        None => word.to_string(),
    });
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", env!("CARGO_BIN_EXE_lanes")])
        .args(arguments)
        .env("LANES_BACKEND", backend)
        .env_remove("LANES_DISABLE")
        .output()
        .expect("valgrind starts");
    if output.status.code() == Some(2) {
        println!("skipped: backend {backend}");
        return None;
    }
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{backend}: {command}: {text}");
    let line = text.lines().find_map(|line| line.split("Collected : ").nth(1));
    Some(line.expect("a count").trim().parse().expect("a number"))
}

fn compiler() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let output = Command::new(rustc).arg("--version").output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string()).unwrap_or_default()
}

#[test]
fn no_command_costs_more_instructions_than_before() {
    let valgrind = Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if cfg!(debug_assertions) || !valgrind || !cfg!(target_arch = "x86_64") {
        println!("skipped: needs a release build, valgrind and x86-64");
        return;
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/instructions.txt");
    let compiler = compiler();
    if std::env::var_os("LANES_UPDATE_INSTRUCTIONS").is_some() {
        let mut text = format!("# {compiler}\n");
        for command in COMMANDS {
            for backend in BACKENDS {
                if let Some(count) = count(backend, command) {
                    writeln!(text, "{backend} {count} {command}").unwrap();
                }
            }
        }
        std::fs::write(&path, text).unwrap();
        return;
    }
    let bounds = std::fs::read_to_string(&path).expect("instructions.txt");
    let mut lines = bounds.lines();
    let measured_by = lines.next().and_then(|line| line.strip_prefix("# ")).expect("a compiler");
    if measured_by != compiler {
        println!("skipped: the bounds are those of {measured_by}, this is {compiler}");
        return;
    }
    let mut wrong = String::new();
    for line in lines {
        let mut words = line.splitn(3, ' ');
        let (backend, bound, command) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let bound: f64 = bound.parse().expect("a number");
        let Some(count) = count(backend, command) else { continue };
        let change = count as f64 / bound - 1.0;
        if change.abs() > TOLERANCE {
            writeln!(wrong, "{backend}: {command}: {count}, {:+.1} %", 100.0 * change).unwrap();
        }
    }
    assert!(
        wrong.is_empty(),
        "instructions beyond the bounds of cli/tests/instructions.txt:\n{wrong}If that is meant, write the file anew: \
         LANES_UPDATE_INSTRUCTIONS=1 cargo test --release -p lanes-cli --test instructions"
    );
}

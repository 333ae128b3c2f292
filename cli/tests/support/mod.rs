//! Runs the binary.

// Each test file uses its part.
#![allow(dead_code)]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The binary with these arguments, its environment free of backend choices.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanes"));
    command.args(args).env_remove("LANES_BACKEND").env_remove("LANES_DISABLE").stdin(Stdio::null());
    command
}

pub(crate) fn lanes(args: &[&str]) -> Run {
    command(args).output().expect("the binary starts").into()
}

/// With this standard input.
pub(crate) fn lanes_fed(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // The child may stop reading early; that is its right.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the binary ends");
    feeder.join().expect("the feeder ends");
    output.into()
}

/// A file of `examples/data`.
pub(crate) fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/data").join(name);
    path.to_str().expect("a UTF-8 path").to_string()
}

/// A file of the shared vectors, or nothing where they are not at hand and not required.
pub(crate) fn vector(name: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors").join(name);
    if path.exists() {
        return path.to_str().map(str::to_string);
    }
    assert_ne!(std::env::var("LANES_REQUIRE_VECTORS").as_deref(), Ok("1"), "{} is required", path.display());
    println!("skipped: no {}", path.display());
    None
}

//! What the compiler made of the lane code, read from the release binary `lanes`.
//!
//! * A symbol of `core::arch` is an intrinsic that was *called*: somewhere between a frame and its intrinsics an
//!   `#[inline(always)]` is missing, and that code runs many times slower without any other sign.
//! * Each vector backend must have left its multiply instruction in our functions.
//!
//! Runs with `--release` on x86-64 Linux; elsewhere it says that it was skipped.

use std::collections::BTreeMap;
use std::env;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use object::{Object, ObjectSymbol};

/// Functions of `core::arch` that are meant to be called.
const CALLED_ON_PURPOSE: &[&str] = &["_xgetbv", "__cpuid"];

/// The instruction a backend lives on.
const MULTIPLY: &[(&str, &str)] = &[("amd64-64", "adcx"), ("avx2", "vfmadd"), ("ifma", "vpmadd52luq")];

#[test]
fn lane_code_is_inlined_and_uses_its_instructions() {
    if cfg!(debug_assertions) || !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("skipped: needs --release on x86-64 Linux");
        return;
    }
    let binary = build();
    let symbols = symbols(&binary);
    let ours = symbols.iter().filter(|name| is_ours(name)).count();
    assert!(ours > 0, "no symbol of this crate among {}; was the binary stripped?", symbols.len());
    let stray = stray_intrinsics(&symbols);
    assert!(stray.is_empty(), "intrinsics called instead of inlined:\n{}", stray.join("\n"));

    let Some(counts) = instructions(&binary) else {
        println!("skipped: no objdump to look for instructions");
        return;
    };
    let info = Command::new(&binary).args(["info", "--json"]).output().expect("lanes runs");
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).expect("lanes info --json prints JSON");
    for (backend, instruction) in MULTIPLY {
        let known = info["backends"].as_array().expect("a list").iter().find(|b| b["name"] == *backend);
        if known.is_some_and(|b| b["compiled"] == true) {
            let count = counts.get(instruction).copied().unwrap_or(0);
            assert!(count > 0, "backend {backend} is compiled, but there is no {instruction} in it");
            println!("{backend}: {count} times {instruction}");
        }
    }
}

#[test]
fn a_stray_intrinsic_is_seen() {
    let symbol = |name: &str| name.to_string();
    let legacy = symbol("_ZN4core9core_arch3x866avx51218_mm512_add_epi64_x17h0123456789abcdefE");
    let v0 = symbol("_RNvNtNtNtCs1234_4core9core_arch3x867avx51218_mm512_add_epi64");
    let meant = symbol("_ZN4core9core_arch3x865xsave7_xgetbv17h0123456789abcdefE");
    let other = symbol("_ZN16curve25519_lanes3msm8vartimeE");
    assert_eq!(stray_intrinsics(&[legacy.clone(), meant, other, v0.clone()]), [legacy, v0]);
}

fn is_ours(symbol: &str) -> bool {
    symbol.contains("curve25519_lanes")
}

fn stray_intrinsics(symbols: &[String]) -> Vec<String> {
    let stray = |name: &&String| name.contains("core_arch") && !CALLED_ON_PURPOSE.iter().any(|f| name.contains(f));
    symbols.iter().filter(stray).cloned().collect()
}

/// Builds the binary as a user does and returns its path. The tests of the binary find this one in place of their own, so
/// it keeps the feature that they look for.
fn build() -> PathBuf {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let features = if cfg!(feature = "reference_unsound") { &["--features", "reference_unsound"][..] } else { &[] };
    let build = Command::new(cargo)
        .args(["build", "--release", "--package", "lanes-cli", "--message-format", "json"])
        .args(features)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(build.status.success(), "lanes-cli does not build");
    let messages = String::from_utf8(build.stdout).expect("cargo prints UTF-8");
    let path = messages.lines().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_lanes = message["target"]["name"] == "lanes";
        message["executable"].as_str().filter(|_| is_lanes).map(PathBuf::from)
    });
    path.expect("cargo names the executable")
}

fn symbols(binary: &PathBuf) -> Vec<String> {
    let bytes = std::fs::read(binary).expect("the binary can be read");
    let file = object::File::parse(&*bytes).expect("an object file");
    file.symbols().filter_map(|symbol| symbol.name().ok().map(str::to_string)).collect()
}

/// How often each instruction of [`MULTIPLY`] occurs in functions of this crate.
fn instructions(binary: &PathBuf) -> Option<BTreeMap<&'static str, usize>> {
    let mut objdump = Command::new("objdump")
        .args(["--disassemble", "--no-show-raw-insn"])
        .arg(binary)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut counts = BTreeMap::new();
    let mut inside = false;
    for line in BufReader::new(objdump.stdout.take()?).split(b'\n') {
        let line = String::from_utf8_lossy(&line.ok()?).into_owned();
        if line.ends_with(">:") {
            inside = is_ours(&line);
        } else if inside {
            for (_, instruction) in MULTIPLY.iter().filter(|(_, i)| line.contains(i)) {
                *counts.entry(*instruction).or_insert(0) += 1;
            }
        }
    }
    objdump.wait().ok()?.success().then_some(counts)
}

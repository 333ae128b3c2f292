//! What the compiler made of the lane code, read from the release binary `lanes`.
//!
//! * A symbol of `core::arch` is an intrinsic that was *called*: somewhere between a frame and its intrinsics an
//!   `#[inline(always)]` is missing, and that code runs many times slower without any other sign.
//! * Each vector backend must have left its multiply instruction in our functions.
//! * What computes with secrets and is not inlined has no conditional jump but those that close a loop, which count something
//!   public. Compilers have put branches into a selection that the source made of masks (RUSTSEC-2024-0344, in
//!   curve25519-dalek's subtraction of scalars). Selections are inlined everywhere, so this program holds a few by themselves.
//!
//! Runs with `--release` on x86-64 Linux; elsewhere it says that it was skipped.

use std::collections::BTreeMap;
use std::env;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use curve25519_lanes::{EdwardsPoint, Scalar};
use object::{Object, ObjectSymbol};
use subtle::{Choice, ConditionallyNegatable, ConditionallySelectable};

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

/// Functions by themselves, to be looked at.
mod alone {
    use super::*;

    #[inline(never)]
    pub(super) fn select_point(a: &EdwardsPoint, b: &EdwardsPoint, choice: Choice) -> EdwardsPoint {
        EdwardsPoint::conditional_select(a, b, choice)
    }

    #[inline(never)]
    pub(super) fn negate_point(a: &mut EdwardsPoint, choice: Choice) {
        a.conditional_negate(choice);
    }

    #[inline(never)]
    pub(super) fn select_scalar(a: &Scalar, b: &Scalar, choice: Choice) -> Scalar {
        Scalar::conditional_select(a, b, choice)
    }

    #[inline(never)]
    pub(super) fn swap_scalars(a: &mut Scalar, b: &mut Scalar, choice: Choice) {
        Scalar::conditional_swap(a, b, choice);
    }

    /// What must be seen.
    #[inline(never)]
    pub(super) fn planted(a: &mut Scalar, secret: u8) {
        if secret & 1 == 1 {
            *a = a.invert();
        }
    }
}

/// Of the library: parts of the names of functions that compute with secrets, and of those among them that needn't be straight:
/// public inputs, loops over lists, the choice of a backend.
const STRAIGHT: &[&str] = &[
    "curve25519_lanes::field::scalar::",
    "curve25519_lanes::field::FieldElement as core::ops",
    "curve25519_lanes::field::FieldElement::",
    "_ladder",
];
const NOT_STRAIGHT: &[&str] = &[
    "vartime",
    "batch_invert",
    "::random",
    "drop_in_place",
    "eroiz",
    "core::fmt",
    "serde",
    "core::iter",
    "::msm::",
    "closure",
    "Vec<",
];
/// What is found unless this test has gone blind.
const LOOKED_AT: &[&str] = &[
    "Scalar::from_bytes_mod_order",
    "Scalar::from_bytes_mod_order_wide",
    "Scalar::from_canonical_bytes",
    "Scalar::invert",
    "Scalar as core::ops::arith::Mul>::mul",
    "Scalar as core::ops::arith::Sub>::sub",
    "::radix_16",
    "FieldElement as core::ops::arith::Mul>::mul",
];

#[test]
fn secrets_meet_no_branch() {
    if cfg!(debug_assertions) || !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("skipped: needs --release on x86-64 Linux");
        return;
    }
    let choice = Choice::from(black_box(1));
    let (mut k, mut l) = black_box((Scalar::from(2u64), Scalar::from(3u64)));
    let mut p = alone::select_point(&EdwardsPoint::IDENTITY, &EdwardsPoint::BASEPOINT, choice);
    alone::negate_point(&mut p, choice);
    alone::swap_scalars(&mut k, &mut l, choice);
    alone::planted(&mut k, black_box(0));
    assert!(p == -EdwardsPoint::BASEPOINT && alone::select_scalar(&k, &l, choice) == Scalar::from(2u64));

    let own = env::current_exe().expect("this program has a path");
    let Some(own) = forward_jumps(&own, |name| name.contains("::alone::")) else {
        println!("skipped: no objdump");
        return;
    };
    assert_eq!(own.len(), 5, "{own:?}");
    for (name, jumps) in own {
        assert_eq!(jumps > 0, name.contains("planted"), "{name} has {jumps} conditional jumps forward");
    }
    let of_interest = |name: &str| {
        STRAIGHT.iter().any(|part| name.contains(part)) && !NOT_STRAIGHT.iter().any(|part| name.contains(part))
    };
    let found = forward_jumps(&build(), of_interest).expect("objdump has just run");
    for part in LOOKED_AT {
        assert!(found.iter().any(|(name, _)| name.ends_with(part)), "no function {part} in {found:?}");
    }
    let branching: Vec<_> = found.iter().filter(|(_, jumps)| *jumps > 0).collect();
    assert!(branching.is_empty(), "conditional jumps that close no loop: {branching:#?}");
    println!("{} functions without a branch", found.len());
}

/// The functions of interest, and the number of conditional jumps in each that go forward.
fn forward_jumps(binary: &Path, of_interest: impl Fn(&str) -> bool) -> Option<Vec<(String, usize)>> {
    let mut objdump = Command::new("objdump")
        .args(["--disassemble", "--demangle", "--no-show-raw-insn"])
        .arg(binary)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut out: Vec<(String, usize)> = Vec::new();
    let mut inside = false;
    for line in BufReader::new(objdump.stdout.take()?).split(b'\n') {
        let line = String::from_utf8_lossy(&line.ok()?).into_owned();
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            inside = of_interest(name);
            if inside {
                out.push((name.to_string(), 0));
            }
        } else if inside && is_forward_jump(&line) {
            out.last_mut()?.1 += 1;
        }
    }
    objdump.wait().ok()?.success().then_some(out)
}

/// Whether a line `address: mnemonic target <…>` is a conditional jump to a later address.
fn is_forward_jump(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (Some(address), Some(mnemonic), Some(target)) = (words.next(), words.next(), words.next()) else {
        return false;
    };
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    mnemonic.starts_with('j')
        && mnemonic != "jmp"
        && number(address.trim_end_matches(':')).zip(number(target)).is_none_or(|(address, target)| target > address)
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

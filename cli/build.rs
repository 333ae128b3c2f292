//! Names the compiler and the versions of the crates that are measured, for the records of `lanes bench`.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var_os("RUSTC")
        .and_then(|rustc| Command::new(rustc).arg("--version").output().ok())
        .and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=LANES_COMPILER={}", compiler.as_deref().unwrap_or("unknown").trim());

    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = std::fs::read_to_string(lock).unwrap_or_default();
    println!("cargo::rustc-env=LANES_LOCKED={}", packages(&lock).join(" "));
}

/// `name=version` of each package of a lock file that comes from elsewhere: stand-ins of the same name are no peers.
fn packages(lock: &str) -> Vec<String> {
    let value = |line: &str, key: &str| {
        let text = line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?;
        Some(text.to_string())
    };
    let package = |block: &str| {
        let of = |key: &str| block.lines().find_map(|line| value(line, key));
        of("source")?;
        Some(format!("{}={}", of("name")?, of("version")?))
    };
    lock.split("[[package]]").filter_map(package).collect()
}

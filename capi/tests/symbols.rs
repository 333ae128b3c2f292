//! What the libraries and the one object export is what `exports.txt` lists, and with the features of those names what
//! supercop's libraries do; and the object takes their place in a build by CMake.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Folder, Libraries, ROOT, compile, has, run, succeed};

/// The features with their names in C.
const SUPERCOP: [(&str, &str); 2] = [("amd64-51-30k", "amd64_51_30k"), ("amd64-64-24k", "amd64_64_24k")];

/// Global symbols that an object defines.
fn exported(file: &Path, dynamic: bool) -> BTreeSet<String> {
    let symbols = succeed(
        Command::new("nm").args(["--defined-only", "--extern-only"]).args(dynamic.then_some("--dynamic")).arg(file),
    );
    symbols.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_string).collect()
}

/// What is listed, and the three functions under further names.
fn listed(names: &[&str]) -> BTreeSet<String> {
    let own: BTreeSet<String> = include_str!("../exports.txt").lines().map(str::to_string).collect();
    let supercop = names.iter().flat_map(|name| {
        ["ge25519_scalarmult", "generate_key_derivation", "generate_subaddress_public_key"]
            .map(|function| format!("monero_crypto_{name}_{function}"))
    });
    own.into_iter().chain(supercop).collect()
}

/// The one object of a library, which must export just this.
fn object(folder: &Folder, library: &Path, exports: &BTreeSet<String>) -> PathBuf {
    let (list, out) = (folder.file("exports.txt"), folder.file("lanes.o"));
    let lines: String = exports.iter().map(|name| format!("{name}\n")).collect();
    fs::write(&list, lines).expect("a list");
    succeed(Command::new("sh").arg(Path::new(ROOT).join("object.sh")).args([library, &out, &list]));
    assert_eq!(exported(&out, false), *exports);
    out
}

/// Builds the project that uses the object under one of its names, and runs its program.
fn consume(folder: &Folder, object: &Path, namespace: &str) {
    let build = folder.file(namespace);
    succeed(
        Command::new("cmake")
            .args(["-S", &format!("{ROOT}/cmake")])
            .arg("-B")
            .arg(&build)
            .arg(format!("-DLANES_OBJECT={}", object.display()))
            .arg(format!("-DLANES_NAMESPACE={namespace}")),
    );
    succeed(Command::new("cmake").arg("--build").arg(&build));
    assert_eq!(run(&build.join("consumer"), None), (Some(0), String::new()), "{namespace}");
}

#[test]
fn exactly_the_listed_symbols() {
    if !cfg!(target_os = "linux") {
        println!("skipped: symbols are looked at on Linux");
        return;
    }
    if !has(&["nm", "ld", "objcopy", "cc"]) {
        return;
    }
    let cmake = has(&["cmake"]);
    let folder = Folder::new("symbols");
    for features in [&SUPERCOP[..0], &SUPERCOP[..1], &SUPERCOP] {
        let (names, namespaces): (Vec<_>, Vec<_>) = features.iter().copied().unzip();
        let libraries = Libraries::build(&names.join(","), &folder);
        let exports = listed(&namespaces);
        assert_eq!(exported(&libraries.shared, true), exports, "{names:?}");
        if features.len() == 1 {
            continue;
        }
        let object = object(&folder, &libraries.fixed, &exports);
        let misuse = compile(&folder, "tests/misuse.c", "misuse", &[], &object).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(run(&misuse, None), (Some(0), "ok\n".to_string()));
        if cmake {
            for namespace in ["curve25519_lanes"].iter().chain(&namespaces) {
                consume(&folder, &object, namespace);
            }
        }
    }
}

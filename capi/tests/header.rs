//! The header in `include` is what cbindgen makes of the source, and declares exactly the exported functions.

use std::path::Path;

#[test]
fn the_header_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let sources = ["border", "curve", "proofs", "wallet"].map(|name| root.join(format!("src/{name}.rs")));
    let builder =
        sources.into_iter().fold(cbindgen::Builder::new().with_config(config), |b, source| b.with_src(source));
    let mut made = Vec::new();
    builder.generate().expect("bindings").write(&mut made);
    let made = String::from_utf8(made).expect("UTF-8");
    let path = root.join("include/curve25519_lanes.h");
    if std::env::var_os("LANES_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header is written");
    }
    let header = std::fs::read_to_string(&path).expect("the header");
    assert!(header == made, "include/curve25519_lanes.h is stale: run this test with LANES_WRITE_HEADER=1");
}

#[test]
fn every_exported_function_is_declared_and_listed() {
    let header = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/include/curve25519_lanes.h"))
        .expect("the header");
    let listed: Vec<&str> = include_str!("../exports.txt").lines().collect();
    assert!(listed.is_sorted());
    for name in &listed {
        if name.starts_with("monero_crypto") {
            continue;
        }
        assert!(header.contains(&format!("{name}(")), "{name} is not declared");
    }
    let readme = include_str!("../README.md");
    for name in &listed {
        assert!(readme.contains(&format!("`{name}`")), "{name} is not in the README");
    }
}

/// Functions that touch no argument, or only free a handle: nothing in them can panic.
const WITHOUT_GUARD: [&str; 5] = [
    "curve25519_lanes_backend",
    "curve25519_lanes_points_free",
    "curve25519_lanes_reason",
    "curve25519_lanes_table_free",
    "curve25519_lanes_version",
];

#[test]
fn every_exported_function_is_guarded() {
    let mut without = Vec::new();
    for file in ["border", "curve", "proofs", "wallet"] {
        let path = format!("{}/src/{file}.rs", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(&path).expect("a source file");
        for function in source.split("extern \"C\" fn ").skip(1) {
            let body = function.split("\n}").next().expect("a body");
            // The functions that a macro makes hand everything to one that is guarded.
            if !body.contains("guard(") && !body.contains("monero_function(") {
                without.push(function.split('(').next().expect("a name").to_string());
            }
        }
    }
    without.sort();
    assert_eq!(without, WITHOUT_GUARD);
}

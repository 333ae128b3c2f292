//! Tells the source which line of curve25519-dalek it stands in for: `cfg(dalek = "4")` or `cfg(dalek = "5")`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(dalek, values(\"4\", \"5\"))");
    // Features of one line only.
    println!("cargo::rustc-check-cfg=cfg(feature, values(\"lizard\", \"group-bits\"))");
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    println!("cargo::rustc-cfg=dalek=\"{major}\"");
}

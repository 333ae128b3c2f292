//! Decides which optional backends this build contains and tells the source by `cfg(have_…)`.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(have_avx2, have_ifma)");

    let set = |name: &str| env::var_os(name).is_some();
    let cfg = |name: &str| env::var(name).unwrap_or_default();
    // A soft-float x86-64 target (a kernel) has no vector registers to offer; it is told apart by SSE2 being off.
    let vectors =
        cfg("CARGO_CFG_TARGET_ARCH") == "x86_64" && cfg("CARGO_CFG_TARGET_FEATURE").split(',').any(|f| f == "sse2");
    if vectors && set("CARGO_FEATURE_AVX2") {
        println!("cargo::rustc-cfg=have_avx2");
    }
    if vectors && set("CARGO_FEATURE_IFMA") {
        println!("cargo::rustc-cfg=have_ifma");
    }
}

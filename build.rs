//! Decides which optional backends this build contains and tells the source by `cfg(have_…)`.
//!
//! Assembly needs a C compiler of the GNU or Clang family. Without one, or with `CURVE25519_LANES_NO_ASM=1`, the
//! build goes on without the assembly backends and says so once: it never fails for their sake. With
//! `CURVE25519_LANES_32BIT=1` the portable field has the limbs that it has on 32-bit machines, to be tested on others.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(have_amd64_51, have_amd64_64, have_avx2, have_ifma, curve25519_lanes_32bit)");
    println!("cargo::rerun-if-env-changed=CURVE25519_LANES_32BIT");
    if env::var("CURVE25519_LANES_32BIT").is_ok_and(|v| v == "1") {
        println!("cargo::rustc-cfg=curve25519_lanes_32bit");
    }

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
    // The routines hold pointers in 64 bits, which x86-64 with 32-bit pointers does not.
    #[cfg(any(feature = "amd64-51", feature = "amd64-64"))]
    if vectors && cfg("CARGO_CFG_TARGET_POINTER_WIDTH") == "64" {
        assembly::build();
    }
}

#[cfg(any(feature = "amd64-51", feature = "amd64-64"))]
mod assembly {
    use std::env;
    use std::error::Error;
    use std::fs;

    /// Feature, directory below `asm`, cfg.
    const BACKENDS: [(&str, &str, &str); 2] = [
        ("CARGO_FEATURE_AMD64_51", "amd64_51", "have_amd64_51"),
        ("CARGO_FEATURE_AMD64_64", "amd64_64", "have_amd64_64"),
    ];

    pub(super) fn build() {
        println!("cargo::rerun-if-changed=asm");
        println!("cargo::rerun-if-env-changed=CURVE25519_LANES_NO_ASM");
        // Crate name and version, so that two versions of the crate can live in one program.
        let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
        let version = version.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let prefix = format!("curve25519_lanes_{version}_");
        println!("cargo::rustc-env=CURVE25519_LANES_SYMBOL_PREFIX={prefix}");

        if env::var("CURVE25519_LANES_NO_ASM").is_ok_and(|v| v == "1") {
            println!("cargo::warning=CURVE25519_LANES_NO_ASM=1: building without the assembly backends");
            return;
        }
        for (feature, directory, cfg) in BACKENDS {
            if env::var_os(feature).is_some() {
                if let Err(reason) = assemble(directory, &prefix) {
                    let reason = reason.to_string().replace('\n', " ");
                    println!("cargo::warning=building without the assembly backends: {reason}");
                    return;
                }
                println!("cargo::rustc-cfg={cfg}");
            }
        }
    }

    fn assemble(directory: &str, prefix: &str) -> Result<(), Box<dyn Error>> {
        let mut build = cc::Build::new();
        build.cargo_warnings(false).include("asm").define("LANES_PREFIX", prefix);
        let compiler = build.try_get_compiler()?;
        if !compiler.is_like_gnu() && !compiler.is_like_clang() {
            return Err("the C compiler is neither of the GNU nor of the Clang family".into());
        }
        for entry in fs::read_dir(format!("asm/{directory}"))? {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == "S") {
                build.file(path);
            }
        }
        build.try_compile(&format!("{prefix}{directory}"))?;
        Ok(())
    }
}

//! The public interface against curve25519-dalek 5 and x25519-dalek 3, and every backend against every other.
//!
//! Inputs are drawn by proptest from edges and from everything; results are compared as bytes. Products use integers
//! as they stand, so the oracle for them works in two halves of 128 bits, which no reduction touches.

#[path = "../common/mod.rs"]
mod common;

mod inputs;
mod matrix;
mod points;
mod scalars;
mod sums;

use proptest::test_runner::Config;

/// Few cases of many items each in a debug build, more otherwise. `PROPTEST_CASES` overrides both.
fn config() -> Config {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 300, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = if cfg!(debug_assertions) { 4 } else { 64 };
    }
    config
}

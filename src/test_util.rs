//! What the unit tests of several layers share.

use crate::cpu::BackendId;
use crate::field::FieldElement;
use std::println;

#[cfg(all(target_arch = "x86_64", target_os = "linux", feature = "rand_core"))]
mod provers;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod secrets;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod valgrind;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub(crate) use valgrind::publish;

/// Runs `test` for every backend of this build that the machine has, and says which it lacks.
pub(crate) fn each_backend(mut test: impl FnMut(BackendId)) {
    for &id in BackendId::ALL {
        if id.is_detected() {
            test(id);
        } else {
            println!("skipped: backend {id} (not in this build or not on this machine)");
        }
    }
}

/// Repeatable pseudo-random test data (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut out = [0; 32];
        out.chunks_exact_mut(8).for_each(|w| w.copy_from_slice(&self.next().to_le_bytes()));
        out
    }

    pub(crate) fn bytes64(&mut self) -> [u8; 64] {
        let mut out = [0; 64];
        out[..32].copy_from_slice(&self.bytes());
        out[32..].copy_from_slice(&self.bytes());
        out
    }

    pub(crate) fn element(&mut self) -> FieldElement {
        FieldElement::from_bytes(&self.bytes())
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A file of test vectors, parsed. They live beside the repository; without them the test that asks is skipped in
/// print, or fails if `LANES_REQUIRE_VECTORS=1`.
pub(crate) fn vectors(name: &str) -> Option<serde_json::Value> {
    let path = std::format!("{}/../shared/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))),
        Err(e) if std::env::var("LANES_REQUIRE_VECTORS").is_ok_and(|v| v == "1") => panic!("{path}: {e}"),
        Err(e) => {
            println!("skipped: {path}: {e}");
            None
        }
    }
}

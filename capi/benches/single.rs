//! One derivation through the C interface against curve25519-dalek 5, in one process: our time over the peer's, with what
//! it may be at most.
//!
//! CPU time of the thread; the peer and all backends in turn, each timed call after one that is not; the figure is the
//! least of the medians of five rounds in a row. Results are compared first.
//!
//! ```sh
//! cargo bench -p curve25519-lanes-capi --bench single
//! ```

use std::ffi::{c_char, c_int};
use std::hint::black_box;

use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes_c::{curve25519_lanes_derive, monero_crypto_curve25519_lanes_generate_key_derivation};

type Key = [u8; 32];

/// What is timed: a derivation of a view key (first) and a transaction key.
type Derive = fn(&Key, &Key) -> Key;

/// As the peer's users write it.
fn peer(secret: &Key, public: &Key) -> Key {
    let secret = dalek::Scalar::from_bytes_mod_order(*secret);
    let point = dalek::edwards::CompressedEdwardsY(*public).decompress().expect("a point");
    (secret * point).mul_by_cofactor().compress().0
}

/// The function that Monero links.
fn linked(secret: &Key, public: &Key) -> Key {
    let mut out = [0; 32];
    let chars = |key: &Key| key.as_ptr().cast::<c_char>();
    // SAFETY: three arrays of 32 bytes.
    let code: c_int = unsafe {
        monero_crypto_curve25519_lanes_generate_key_derivation(out.as_mut_ptr().cast(), chars(public), chars(secret))
    };
    assert_eq!(code, 0);
    out
}

/// The function for batches, given one of each.
fn batch(secret: &Key, public: &Key) -> Key {
    let (mut out, mut good) = ([0; 32], 0);
    // SAFETY: three arrays of 32 bytes, and one byte.
    let code: c_int = unsafe {
        curve25519_lanes_derive(out.as_mut_ptr(), 32, &raw mut good, 1, secret.as_ptr(), 32, public.as_ptr(), 32)
    };
    assert_eq!((code, good), (0, 1));
    out
}

/// At most so much of the peer's time.
fn bar(id: BackendId) -> Option<f64> {
    match id {
        BackendId::Ifma => Some(0.75),
        BackendId::Amd64_64 => Some(0.9),
        _ => None,
    }
}

fn main() {
    let inputs: Vec<(Key, Key)> = (1..=16u64)
        .map(|i| {
            let secret = dalek::Scalar::from(i * 0x9e37_79b9_7f4a_7c15).invert();
            (secret.to_bytes(), dalek::EdwardsPoint::mul_base(&(secret + dalek::Scalar::ONE)).compress().0)
        })
        .collect();
    let backends: Vec<BackendId> = BackendId::available().collect();
    let ways: [(&str, Derive); 2] = [("the function that Monero links", linked), ("the batch function", batch)];
    let (mut theirs, mut ours) = (Vec::new(), vec![Vec::new(); ways.len() * backends.len()]);
    for round in 0..ROUNDS {
        let (secret, public) = &inputs[round % inputs.len()];
        let expected = peer(secret, public);
        theirs.push(nanoseconds(peer, secret, public));
        let mut times = ours.iter_mut();
        for id in &backends {
            cpu::force(Some(*id)).expect("an available backend");
            for (name, derive) in ways {
                assert_eq!(derive(secret, public), expected, "{name} on {id}");
                times.next().expect("a list for each").push(nanoseconds(derive, secret, public));
            }
        }
    }
    let least = least_median(&theirs);
    println!("one derivation, curve25519-dalek 5: {:.2} us. Our time, and over the peer's", least / 1e3);
    for (times, (id, name)) in ours.iter().zip(backends.iter().flat_map(|id| ways.map(|(name, _)| (id, name)))) {
        let time = least_median(times);
        let bar = bar(*id)
            .map_or(String::new(), |bar| format!("  {} {bar}", if time > bar * least { "MISSED" } else { "passed" }));
        println!("    {:<9} {:>8.2} us {:>6.3}  {name}{bar}", id.name(), time / 1e3, time / least);
    }
}

const ROUNDS: usize = 60;
const CALLS: u32 = 20;
/// Measurements of which the median is taken before the least.
const GROUP: usize = 5;

/// CPU time of one call, after another that brings back caches and predictions.
fn nanoseconds(derive: Derive, secret: &Key, public: &Key) -> f64 {
    black_box(derive(secret, public));
    let start = ThreadTime::now();
    for _ in 0..CALLS {
        black_box(derive(black_box(secret), black_box(public)));
    }
    start.elapsed().as_nanos() as f64 / f64::from(CALLS)
}

fn least_median(times: &[f64]) -> f64 {
    let median = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    times.chunks_exact(GROUP).map(median).fold(f64::INFINITY, f64::min)
}

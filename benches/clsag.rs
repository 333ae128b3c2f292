//! Ring signatures and whole Monero transactions: the published crate's time over ours, and the time of the C++ reference
//! carried over to this machine.
//!
//! CPU time of the thread, both sides and all backends in turn, each timed call after one that is not; the figure is the
//! least of the medians of three rounds in a row. Verdicts are looked at first.
//!
//! ```sh
//! cargo bench --bench clsag --features rand_core -- [BACKEND...] [--quick]
//! ```
//!
//! The reference (`mock_tx` of the Seraphis study's C++ branch, built with its own curve arithmetic) was timed on another
//! day's machine, where curve25519-dalek's fixed-base multiplication took 11.6 µs. Its figures are scaled by what that takes
//! here and now.

mod common;
#[path = "../tests/common/transactions.rs"]
mod transactions;

use std::hint::black_box;
use std::process::ExitCode;

use common::{PEER, on_each};
use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, MAX_OUTPUTS};
use curve25519_lanes::proofs::clsag;
use curve25519_lanes::tx::monero;
use transactions::Made;

/// What fixed-base multiplication took where the reference was timed, in microseconds.
const FIXED_BASE_THEN: f64 = 11.6;

/// Backend, at least.
type Bar = (BackendId, f64);

fn main() -> ExitCode {
    common::one_thread();
    let mut backends = Vec::new();
    let mut quick = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            // Cargo's own.
            "--bench" => {}
            "--quick" => quick = true,
            name => match BackendId::from_name(name) {
                Ok(id) => backends.push(id),
                Err(error) => {
                    eprintln!("{name}: {error}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    if backends.is_empty() {
        backends.extend(BackendId::available());
    }
    println!("peer: monero-clsag 0.1.0 on curve25519-dalek 4 ({PEER}). Other's time over ours, and the bar");
    let bench = Bench { backends, rounds: if quick { 3 } else { 12 } };
    bench.signatures();
    bench.transactions(16);
    if !quick {
        bench.transactions(128);
    }
    ExitCode::SUCCESS
}

struct Bench {
    backends: Vec<BackendId>,
    rounds: usize,
}

impl Bench {
    fn signatures(&self) {
        let generators = Generators::new(MAX_OUTPUTS).expect("in range");
        let made: Vec<Made> = (0..64).map(|seed| Made::new(&generators, 1, 2, 16, seed)).collect();
        let messages: Vec<[u8; 32]> = made.iter().map(|m| m.transaction.signing_hash()).collect();
        let statements: Vec<clsag::Statement> = made
            .iter()
            .zip(&messages)
            .map(|(m, message)| {
                let input = &m.transaction.inputs[0];
                clsag::Statement {
                    ring: &m.rings[0],
                    key_image: &input.key_image,
                    pseudo_out: &input.pseudo_out,
                    message,
                    signature: &input.signature,
                }
            })
            .collect();
        let point = |bytes: &[u8; 32]| monero_ed25519::CompressedPoint::from(*bytes);
        let peers: Vec<_> = statements
            .iter()
            .map(|s| {
                let signature = monero_clsag::Clsag::read(16, &mut &s.signature.to_bytes()[..]).expect("a signature");
                let ring: Vec<_> = s.ring.iter().map(|m| [point(&m.key), point(&m.commitment)]).collect();
                (signature, ring, point(s.key_image), point(s.pseudo_out), s.message)
            })
            .collect();
        for (count, bar) in [(1, 3.0), (2, 0.0), (4, 0.0), (16, 0.0), (64, 8.0)] {
            self.row(
                &format!("CLSAG, ring of 16, batch of {count}"),
                vec![(BackendId::Ifma, bar)],
                &|| {
                    for (signature, ring, image, pseudo_out, message) in &peers[..count] {
                        signature.verify(ring.clone(), image, pseudo_out, message).expect("a valid signature");
                    }
                },
                &|_| clsag::verify_batch(&statements[..count]).expect("valid signatures"),
            );
        }
    }

    /// Two inputs, two outputs; the reference's times with batches of 1 and 25.
    fn transactions(&self, ring: usize) {
        let (reference, bars) = match ring {
            16 => ([15_060.0, 9_680.0], [7.0, 9.0]),
            _ => ([86_900.0, 81_900.0], [9.0, 9.0]),
        };
        let of_backend = |id| {
            let mut made = None;
            on_each(&[id], |_| made = Some(Generators::new(MAX_OUTPUTS).expect("in range")));
            made.expect("one call")
        };
        // Tables belong to the backend that built them.
        let generators: Vec<(BackendId, Generators)> = self.backends.iter().map(|&id| (id, of_backend(id))).collect();
        let made: Vec<Made> = (0..25).map(|seed| Made::new(&generators[0].1, 2, 2, ring, seed)).collect();
        let items: Vec<monero::Statement> = made.iter().map(Made::statement).collect();
        for ((count, reference), at_least) in [1, 25].into_iter().zip(reference).zip(bars) {
            let scalar = dalek::Scalar::from_bytes_mod_order([7; 32]);
            let yardstick = || {
                for _ in 0..100 {
                    black_box(dalek::EdwardsPoint::mul_base(black_box(&scalar)));
                }
            };
            let mut fixed_base = Vec::new();
            let mut times = vec![Vec::new(); self.backends.len()];
            for _ in 0..self.rounds {
                fixed_base.push(microseconds(&yardstick) / 100.0);
                let mut times = times.iter_mut();
                on_each(&self.backends, |id| {
                    let generators = &generators.iter().find(|(backend, _)| *backend == id).expect("made above").1;
                    let work = || monero::verify_batch(generators, &items[..count]).expect("valid transactions");
                    times.next().expect("a list for each backend").push(microseconds(&work) / count as f64);
                });
            }
            let reference = reference * least_median(&fixed_base) / FIXED_BASE_THEN;
            println!("transaction, 2 in 2 out, ring of {ring}, batch of {count}: reference {reference:.0} us each");
            for (id, times) in self.backends.iter().zip(&times) {
                let bars = [
                    (BackendId::Ifma, at_least),
                    (BackendId::Avx2, 6.0),
                    (BackendId::Amd64_64, 3.0),
                    (BackendId::Portable, 2.0),
                ];
                print_row(*id, least_median(times), reference, &bars);
            }
        }
    }

    fn row(&self, name: &str, bars: Vec<Bar>, peer: &dyn Fn(), ours: &dyn Fn(BackendId)) {
        let mut times = vec![Vec::new(); 1 + self.backends.len()];
        for _ in 0..self.rounds {
            times[0].push(microseconds(peer));
            let mut times = times[1..].iter_mut();
            on_each(&self.backends, |id| {
                times.next().expect("a list for each backend").push(microseconds(&|| ours(id)));
            });
        }
        let peer = least_median(&times[0]);
        println!("{name}: peer {peer:.0} us");
        for (id, times) in self.backends.iter().zip(&times[1..]) {
            print_row(*id, least_median(times), peer, &bars);
        }
    }
}

fn print_row(id: BackendId, ours: f64, other: f64, bars: &[Bar]) {
    let ratio = other / ours;
    let bar = bars.iter().find(|(backend, at_least)| *backend == id && *at_least > 0.0);
    let bar = bar.map_or(String::new(), |(_, at_least)| {
        format!("  {} {at_least}", if ratio < *at_least { "MISSED" } else { "passed" })
    });
    println!("    {:<9} {ours:>10.1} us {ratio:>6.2}{bar}", id.name());
}

/// CPU time of a call, after another that brings back caches and predictions.
fn microseconds(work: &dyn Fn()) -> f64 {
    work();
    let start = ThreadTime::now();
    work();
    start.elapsed().as_nanos() as f64 / 1e3
}

/// The least of the medians of three measurements in a row.
fn least_median(times: &[f64]) -> f64 {
    let median = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    times.chunks_exact(3).map(median).fold(f64::INFINITY, f64::min)
}

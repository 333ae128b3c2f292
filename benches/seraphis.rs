//! Verification of the mock transactions of the Seraphis study, per transaction, against the C++ reference's figures.
//!
//! Thread CPU time; ring members are compressed in the ledger and decoded inside the timed region. A figure is the least of
//! the medians of three rounds. The reference's figures (rounded from `cli/src/bench/reference.csv`) were taken on another
//! day and are carried over by the peer's fixed-base multiplication, which cost 11.6 µs then. Batches repeat no transaction.
//!
//! ```sh
//! cargo bench --features rand_core --bench seraphis -- [BACKEND...] [--json FILE]
//! cargo bench --features rand_core --bench seraphis -- [BACKEND] --profile SECONDS
//! ```
//!
//! The experiments of the study are in `lanes bench seraphis`. With `--profile`, batches of 25 Sp-Squashed transactions are
//! verified for so long, for a profiler to look at: `perf record -D 2000` skips their making.

mod common;

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use common::{Counter, on_each};
use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::{seraphis, triptych};

/// Which transaction.
#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Triptych,
    Seraphis(seraphis::Kind),
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Protocol::Triptych => "Triptych",
            Protocol::Seraphis(kind) => kind.name(),
        }
    }
}

const CONCISE: Protocol = Protocol::Seraphis(seraphis::Kind::Concise);
const MERGE: Protocol = Protocol::Seraphis(seraphis::Kind::Merge);
const PLAIN: Protocol = Protocol::Seraphis(seraphis::Kind::Plain);
const SQUASHED: Protocol = Protocol::Seraphis(seraphis::Kind::Squashed);

/// A row: protocol, inputs and outputs, the reference's µs at batches of 1 and 25, and the bars.
const ROWS: [(Protocol, usize, [f64; 2], [f64; 2]); 6] = [
    (Protocol::Triptych, 2, [23_060.0, 17_760.0], [10.0, 13.0]),
    (CONCISE, 2, [20_340.0, 13_260.0], [10.0, 13.0]),
    (MERGE, 2, [20_000.0, 13_040.0], [10.0, 13.0]),
    (PLAIN, 2, [19_350.0, 12_630.0], [10.0, 13.0]),
    (SQUASHED, 2, [18_460.0, 8_460.0], [10.0, 13.0]),
    (SQUASHED, 16, [114_200.0, 62_400.0], [10.0, 13.0]),
];

/// The peer's fixed-base multiplication when the reference was measured, µs.
const YARDSTICK: f64 = 11.6;

/// What is measured.
#[derive(Clone, Copy)]
struct Case {
    protocol: Protocol,
    n: usize,
    m: usize,
    inputs: usize,
    outputs: usize,
    splits: usize,
    batch: usize,
}

/// A batch, ready to be verified, and the bytes of a transaction.
enum Batch {
    Triptych(Vec<triptych::Transaction>, MemoryLedger),
    Seraphis(Vec<seraphis::Transaction>, MemoryLedger),
}

impl Batch {
    fn new(case: &Case) -> Batch {
        let Case { protocol, n, m, inputs, outputs, splits, batch } = *case;
        let shape = Shape::new(n, m).expect("a shape of the study");
        let (mut ledger, mut rng) = (MemoryLedger::new(), Counter(1));
        match protocol {
            Protocol::Triptych => {
                let mock = triptych::Mock { shape, inputs, outputs, splits };
                let txs = (0..batch).map(|_| mock.build(&mut ledger, &mut rng).expect("within the limits")).collect();
                Batch::Triptych(txs, ledger)
            }
            Protocol::Seraphis(kind) => {
                let mock = seraphis::Mock { kind, shape, inputs, outputs, splits };
                let txs = (0..batch).map(|_| mock.build(&mut ledger, &mut rng).expect("within the limits")).collect();
                Batch::Seraphis(txs, ledger)
            }
        }
    }

    fn verify(&self) {
        match black_box(self) {
            Batch::Triptych(txs, ledger) => triptych::verify_batch(txs, ledger).expect("valid"),
            Batch::Seraphis(txs, ledger) => seraphis::verify_batch(txs, ledger).expect("valid"),
        }
    }

    fn size(&self) -> usize {
        match self {
            Batch::Triptych(txs, _) => txs[0].size(),
            Batch::Seraphis(txs, _) => txs[0].size(),
        }
    }
}

/// The least of the medians of some rounds, µs.
fn measure(mut work: impl FnMut()) -> f64 {
    work();
    let round = |work: &mut dyn FnMut()| {
        let mut times: Vec<Duration> = Vec::new();
        while times.len() < 5 || times.len() < 40 && times.iter().sum::<Duration>() < Duration::from_millis(150) {
            let start = ThreadTime::now();
            work();
            times.push(start.elapsed());
        }
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    (0..3).map(|_| round(&mut work)).fold(f64::INFINITY, f64::min)
}

/// µs of the peer's fixed-base multiplication, now.
fn yardstick() -> f64 {
    let scalar = dalek::Scalar::from_bytes_mod_order([0x5a; 32]);
    let run = || {
        for _ in 0..100 {
            black_box(dalek::EdwardsPoint::mul_base(black_box(&scalar)));
        }
    };
    measure(run) / 100.0
}

fn main() -> ExitCode {
    common::one_thread();
    let (mut backends, mut json, mut profile) = (Vec::new(), None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = Some(arguments.next().expect("--json needs a file")),
            "--profile" => {
                let seconds = arguments.next().and_then(|text| text.parse().ok());
                profile = Some(Duration::from_secs(seconds.expect("--profile needs a number of seconds")));
            }
            // Cargo's own.
            "--bench" => {}
            name => match BackendId::from_name(name) {
                Ok(id) => backends.push(id),
                Err(error) => {
                    eprintln!("{name}: {error}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    if let Some(time) = profile {
        let case = Case { protocol: SQUASHED, n: 2, m: 7, inputs: 2, outputs: 2, splits: 0, batch: 25 };
        let made = Batch::new(&case);
        backends.push(BackendId::current());
        on_each(&backends[..1], |_| {
            let start = Instant::now();
            while start.elapsed() < time {
                made.verify();
            }
        });
        return ExitCode::SUCCESS;
    }
    if backends.is_empty() {
        backends = BackendId::available().collect();
    }
    let mut lines = Vec::new();
    table(&backends, &mut lines);
    if let Some(path) = json {
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap_or_else(|e| panic!("{path}: {e}"));
    }
    ExitCode::SUCCESS
}

/// The rows of the comparison with the reference.
fn table(backends: &[BackendId], lines: &mut Vec<String>) {
    println!(
        "{:<14} {:>5} {:>5} {:<9} {:>10} {:>9} {:>6}",
        "", "in=out", "batch", "backend", "µs a tx", "faster", "bar"
    );
    for (protocol, count, reference, bars) in ROWS {
        for (batch, (reference, bar)) in [1, 25].into_iter().zip(reference.into_iter().zip(bars)) {
            let case = Case { protocol, n: 2, m: 7, inputs: count, outputs: count, splits: 0, batch };
            let made = Batch::new(&case);
            on_each(backends, |id| {
                let before = yardstick();
                let time = measure(|| made.verify()) / batch as f64;
                let factor = reference * before.min(yardstick()) / YARDSTICK / time;
                let name = protocol.name();
                println!("{name:<14} {count:>5} {batch:>5} {id:<9} {time:>10.1} {factor:>8.1}x {bar:>5.0}x");
                lines.push(record(&case, id, time, made.size()));
            });
        }
    }
}

fn record(case: &Case, id: BackendId, time: f64, size: usize) -> String {
    let Case { protocol, n, m, inputs, outputs, splits, batch } = case;
    let mut line = String::new();
    write!(
        line,
        "{{\"protocol\":\"{}\",\"backend\":\"{id}\",\"n\":{n},\"m\":{m},\"inputs\":{inputs},\"outputs\":{outputs},\
         \"splits\":{splits},\"batch\":{batch},\"us_per_tx\":{time:.1},\"bytes\":{size}}}",
        protocol.name()
    )
    .expect("a string takes everything");
    line
}

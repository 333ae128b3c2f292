//! One thread against two, by the wall clock: feature `parallel` on rayon pools of one and of two threads.
//!
//! The two take turns, each timed call after one that is not, on a machine that must have nothing else to do; a figure is
//! the least of the medians of five calls in a row. Results are compared first.
//!
//! ```sh
//! cargo bench --features parallel,rand_core --bench threads -- [BACKEND...]
//! ```

mod common;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use common::{Counter, Inputs, on_each};
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::seraphis;
use curve25519_lanes::{compress_batch, decompress_batch_strict, msm};
use rayon::ThreadPool;

/// Measurements of which the median is taken before the least.
const GROUP: usize = 5;

fn main() -> ExitCode {
    let mut backends = Vec::new();
    for name in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match BackendId::from_name(&name) {
            Ok(id) => backends.push(id),
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if backends.is_empty() {
        backends.push(BackendId::current());
    }
    let pools = [1, 2].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("a pool"));
    println!("{:<30} {:<9} {:>12} {:>12} {:>6} {:>6}", "", "backend", "one, us", "two, us", "ratio", "bar");
    let row = |name: &str, bar: f64, work: &(dyn Fn() -> Vec<[u8; 32]> + Sync)| {
        on_each(&backends, |id| {
            assert_eq!(pools[0].install(work), pools[1].install(work), "{name}: results differ");
            let [one, two] = measure(&pools, work);
            println!("{name:<30} {id:<9} {one:>12.1} {two:>12.1} {:>6.2} {bar:>6}", one / two);
        });
    };

    let inputs = Inputs::new(65536);
    for (n, bar) in [(1024, 1.7), (4096, 1.7), (16384, 1.85), (65536, 1.85)] {
        let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
        let work = || vec![msm::vartime(scalars, points).expect("equal lengths").compress().0];
        row(&format!("MSM of {n}"), bar, &work);
    }
    let encodings = &inputs.encodings[..4096];
    row("decompress 4096", 1.8, &|| {
        let points = decompress_batch_strict(encodings).expect("points");
        vec![points[4095].compress().0]
    });
    row("compress 4096", 1.8, &|| compress_batch(&inputs.points[..4096]));

    let (mut ledger, mut rng) = (MemoryLedger::new(), Counter(1));
    let shape = Shape::new(2, 7).expect("a shape of the study");
    let mock = seraphis::Mock { kind: seraphis::Kind::Squashed, shape, inputs: 2, outputs: 2, splits: 0 };
    let txs: Vec<_> = (0..25).map(|_| mock.build(&mut ledger, &mut rng).expect("within the limits")).collect();
    row("25 Sp-Squashed transactions", 1.8, &|| {
        seraphis::verify_batch(&txs, &ledger).expect("valid");
        Vec::new()
    });
    ExitCode::SUCCESS
}

/// Microseconds on each pool.
fn measure(pools: &[ThreadPool; 2], work: &(dyn Fn() -> Vec<[u8; 32]> + Sync)) -> [f64; 2] {
    let mut least = [Duration::MAX; 2];
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(1500) {
        for (pool, least) in pools.iter().zip(&mut least) {
            let mut times = [Duration::ZERO; GROUP];
            for time in &mut times {
                pool.install(|| {
                    black_box(work());
                    let start = Instant::now();
                    black_box(work());
                    *time = start.elapsed();
                });
            }
            times.sort();
            *least = times[GROUP / 2].min(*least);
        }
    }
    least.map(|time| time.as_secs_f64() * 1e6)
}

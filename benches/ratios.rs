//! The peer's time over ours, for the operations that have a bar to pass: curve25519-dalek 5 (x25519-dalek 3), all in
//! one process.
//!
//! CPU time of the thread, both sides and all backends in turn, each timed call after one that is not. A virtual
//! machine's clock now and then charges far too little, so the figure is not the bare minimum but the least of the
//! medians of five rounds in a row; the ratio of medians of all rounds stands in brackets. Results are compared
//! first. The allocator is told to keep its memory, by running
//! the program again with glibc's settings for that, since page faults would be charged to whoever allocates next.
//!
//! ```sh
//! cargo bench --bench ratios -- [BACKEND...] [--max N]
//! RUSTFLAGS='--cfg curve25519_dalek_backend="serial"' cargo bench --bench ratios -- portable
//! ```
//!
//! `--max` is the largest multi-scalar multiplication (65536 unless given). The bars for vector backends hold against
//! the peer's default build, those for `portable` against its serial one; only what applies is printed.

mod common;

use std::hint::black_box;
use std::process::{Command, ExitCode};

use common::{Inputs, PEER, on_each, peer_encodings};
use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{
    CompressedEdwardsY, EdwardsPoint, RistrettoPoint, compress_batch, decompress_batch_ristretto,
    decompress_batch_strict, x25519, x25519_batch,
};
use dalek::traits::{VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};

/// The peer's build that the bars for `portable` are set against.
const SERIAL: bool = cfg!(curve25519_dalek_backend = "serial");

/// Keep freed memory, take it from the heap and not by mmap, and grow the heap in large steps.
const KEEP_MEMORY: [(&str, &str); 3] =
    [("MALLOC_TRIM_THRESHOLD_", "1099511627776"), ("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TOP_PAD_", "67108864")];

fn main() -> ExitCode {
    common::one_thread();
    if KEEP_MEMORY.iter().any(|(name, _)| std::env::var_os(name).is_none()) {
        let this = std::env::current_exe().expect("the path of this program");
        let status = Command::new(this).args(std::env::args_os().skip(1)).envs(KEEP_MEMORY).status();
        let success = status.expect("this program runs again").success();
        return if success { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let mut backends = Vec::new();
    let mut max = 65536;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--max" => max = arguments.next().and_then(|n| n.parse().ok()).expect("--max needs a number"),
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
    if backends.is_empty() {
        backends.extend(BackendId::available());
    }
    println!("peer: {PEER}. Peer's time over ours, (of medians), and what it must be at least / aims at");
    let table = Table { backends };
    table.multi_scalar(max);
    table.encodings();
    table.products();
    ExitCode::SUCCESS
}

/// Measurements of which the median is taken before the least.
const GROUP: usize = 5;

/// `(backend, at least, aim)`
type Bar = (BackendId, f64, f64);

/// The bars of the vector backends, `(at least, aim)` each.
fn vector(ifma: (f64, f64), avx2: (f64, f64)) -> Vec<Bar> {
    vec![(BackendId::Ifma, ifma.0, ifma.1), (BackendId::Avx2, avx2.0, avx2.1)]
}

/// The same, and the one bar of the portable backend.
fn all(ifma: (f64, f64), avx2: (f64, f64), portable: f64) -> Vec<Bar> {
    let mut bars = vector(ifma, avx2);
    bars.extend(only_portable(portable));
    bars
}

fn only_portable(at_least: f64) -> Vec<Bar> {
    vec![(BackendId::Portable, at_least, at_least)]
}

struct Table {
    backends: Vec<BackendId>,
}

impl Table {
    fn multi_scalar(&self, max: usize) {
        let inputs = Inputs::new(max.max(1024));
        let sizes = [
            (16, vector((2.1, 3.0), (1.45, 1.9))),
            (32, vector((2.8, 4.2), (1.5, 2.1))),
            (64, vector((4.0, 5.3), (1.7, 2.3))),
            (128, vector((5.0, 6.2), (1.85, 2.7))),
            (256, all((5.0, 6.3), (2.2, 2.8), 0.95)),
            (1024, vector((5.5, 6.5), (2.3, 3.1))),
            (4096, all((6.0, 7.5), (2.4, 3.2), 0.95)),
            (16384, vector((7.5, 9.0), (2.9, 3.7))),
            (65536, all((8.0, 10.5), (3.3, 4.2), 1.3)),
            (262144, vector((8.5, 11.0), (3.5, 4.5))),
        ];
        for (n, bars) in sizes.into_iter().filter(|(n, _)| *n <= max) {
            let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
            let (peer_scalars, peer_points) = (&inputs.peer_scalars[..n], &inputs.peer_points[..n]);
            self.row(
                &format!("MSM vartime N = {n}"),
                bars,
                &[&|| dalek::EdwardsPoint::vartime_multiscalar_mul(peer_scalars, peer_points)],
                |p| peer_encodings(&[p]),
                || msm::vartime(scalars, points).expect("equal lengths"),
                |p| vec![p.compress().0],
            );
        }

        let (scalars, points) = (&inputs.scalars[..1024], &inputs.points[..1024]);
        let (peer_scalars, peer_points) = (&inputs.peer_scalars[..1024], &inputs.peer_points[..1024]);
        let precomputed = dalek::edwards::VartimeEdwardsPrecomputation::new(peer_points);
        let mut tables = Vec::new();
        on_each(&self.backends, |id| tables.push((id, StaticPoints::new(points))));
        let table = |id| &tables.iter().find(|(backend, _)| *backend == id).expect("a table for each backend").1;
        self.row(
            "MSM N = 1024, all static (against the peer's better one)",
            vector((6.0, 8.5), (2.7, 4.0)),
            &[&|| precomputed.vartime_multiscalar_mul(peer_scalars), &|| {
                dalek::EdwardsPoint::vartime_multiscalar_mul(peer_scalars, peer_points)
            }],
            |p| peer_encodings(&[p]),
            || table(BackendId::current()).mixed_vartime(scalars, &[], &[]).expect("as many scalars as points"),
            |p| vec![p.compress().0],
        );
    }

    fn encodings(&self) {
        let inputs = Inputs::new(64);
        let peer: Vec<_> = inputs.encodings.iter().map(|e| dalek::edwards::CompressedEdwardsY(*e)).collect();
        self.row(
            "decompress, batch of 64",
            all((8.0, 9.5), (3.0, 3.6), 0.85),
            &[&|| peer.iter().map(|e| e.decompress().expect("a point")).collect::<Vec<_>>()],
            |p| peer_encodings(&p),
            || decompress_batch_strict(&inputs.encodings).expect("points"),
            |p| compress_batch(&p),
        );
        let single = CompressedEdwardsY(inputs.encodings[0]);
        self.row(
            "decompress, one",
            only_portable(0.85),
            &[&|| peer[0].decompress().expect("a point")],
            |p| peer_encodings(&[p]),
            || single.decompress_strict().expect("a point"),
            |p| vec![p.compress().0],
        );

        let elements: Vec<_> = inputs.peer_scalars.iter().map(dalek::RistrettoPoint::mul_base).collect();
        let compressed: Vec<_> = elements.iter().map(|p| p.compress()).collect();
        let encodings: Vec<[u8; 32]> = compressed.iter().map(|e| e.0).collect();
        self.row(
            "decompress Ristretto, batch of 64",
            vector((7.5, 9.5), (2.7, 3.3)),
            &[&|| compressed.iter().map(|e| e.decompress().expect("an element")).collect::<Vec<_>>()],
            |p| p.iter().map(|p| p.compress().0).collect(),
            || decompress_batch_ristretto(&encodings).expect("elements"),
            |p: Vec<RistrettoPoint>| p.iter().map(|p| p.compress().0).collect(),
        );

        // What a caller computed: Z is anything.
        let points: Vec<EdwardsPoint> = inputs.points.iter().map(EdwardsPoint::double).collect();
        let peer_points: Vec<dalek::EdwardsPoint> = inputs.peer_points.iter().map(|p| p + p).collect();
        self.row(
            "compress, batch of 64, against the peer's single form",
            vector((20.0, 30.0), (12.0, 20.0)),
            &[&|| peer_encodings(&peer_points)],
            |encodings| encodings,
            || compress_batch(&points),
            |encodings| encodings,
        );
        self.row(
            "compress, batch of 64, against its batch form",
            vector((2.5, 4.0), (1.2, 1.2)),
            &[&|| dalek::EdwardsPoint::compress_batch_alloc(&peer_points)],
            |encodings| encodings.iter().map(|e| e.0).collect(),
            || compress_batch(&points),
            |encodings| encodings,
        );
    }

    fn products(&self) {
        let inputs = Inputs::new(16);
        let (scalars, points) = (&inputs.scalars[..8], &inputs.points[..8]);
        let (peer_scalars, peer_points) = (&inputs.peer_scalars[..8], &inputs.peer_points[..8]);
        self.row(
            "variable base, batch of 8",
            vector((6.0, 7.0), (2.15, 2.8)),
            &[&|| peer_scalars.iter().zip(peer_points).map(|(k, p)| k * p).collect::<Vec<_>>()],
            |p| peer_encodings(&p),
            || msm::mul_batch(scalars, points).expect("equal lengths"),
            |p| compress_batch(&p),
        );
        self.row(
            "variable base, one",
            Vec::new(),
            &[&|| peer_scalars[0] * peer_points[0]],
            |p| peer_encodings(&[p]),
            || scalars[0] * points[0],
            |p| vec![p.compress().0],
        );
        self.row(
            "fixed base, batch of 8",
            vector((8.0, 10.0), (3.3, 4.0)),
            &[&|| peer_scalars.iter().map(dalek::EdwardsPoint::mul_base).collect::<Vec<_>>()],
            |p| peer_encodings(&p),
            || msm::mul_base_batch(scalars),
            |p| compress_batch(&p),
        );
        self.row(
            "fixed base, one",
            Vec::new(),
            &[&|| dalek::EdwardsPoint::mul_base(&peer_scalars[0])],
            |p| peer_encodings(&[p]),
            || EdwardsPoint::mul_base(&scalars[0]),
            |p| vec![p.compress().0],
        );
        let (secrets, publics) = (&inputs.scalar_bytes()[8..], &inputs.encodings[8..]);
        self.row(
            "X25519, batch of 8",
            all((8.0, 11.0), (2.3, 3.0), 0.85),
            &[&|| secrets.iter().zip(publics).map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect::<Vec<_>>()],
            |shared| shared,
            || x25519_batch(secrets, publics),
            |shared| shared,
        );
        self.row(
            "X25519, one",
            only_portable(0.85),
            &[&|| x25519_dalek::x25519(secrets[0], publics[0])],
            |shared| vec![shared],
            || x25519(&secrets[0], &publics[0]),
            |shared| vec![shared],
        );
    }

    /// Compares the results of `peers` and of `ours` on each backend, measures, and prints a row. Of several peers the
    /// fastest counts.
    fn row<A, B>(
        &self,
        name: &str,
        bars: Vec<Bar>,
        peers: &[&dyn Fn() -> A],
        peer_bytes: impl Fn(A) -> Vec<[u8; 32]>,
        ours: impl Fn() -> B,
        our_bytes: impl Fn(B) -> Vec<[u8; 32]>,
    ) {
        let expected = peer_bytes(peers[0]());
        for peer in &peers[1..] {
            assert_eq!(peer_bytes(peer()), expected, "{name}: the peer against itself");
        }
        on_each(&self.backends, |id| assert_eq!(our_bytes(ours()), expected, "{name} on {id}"));

        let repeat = repetitions(&|| drop(black_box(peers[0]())));
        let mut times = vec![Vec::new(); peers.len() + self.backends.len()];
        let start = ThreadTime::now();
        while times[0].len() < 2 * GROUP || start.elapsed().as_millis() < 1000 && times[0].len() < 400 {
            let (peer_times, our_times) = times.split_at_mut(peers.len());
            for (times, peer) in peer_times.iter_mut().zip(peers) {
                times.push(nanoseconds(repeat, &|| drop(black_box(peer()))));
            }
            let mut our_times = our_times.iter_mut();
            on_each(&self.backends, |_| {
                let times = our_times.next().expect("a list for each backend");
                times.push(nanoseconds(repeat, &|| drop(black_box(ours()))));
            });
        }
        let figures: Vec<(f64, f64)> = times.into_iter().map(|times| (least_median(&times), median(&times))).collect();
        let (peer, ours) = figures.split_at(peers.len());
        let best = |figure: fn(&(f64, f64)) -> f64| peer.iter().map(figure).fold(f64::INFINITY, f64::min);
        let (peer_least, peer_median) = (best(|f| f.0), best(|f| f.1));
        println!("{name}: peer {:.2} us", peer_least / 1e3);
        for (id, (least, median)) in self.backends.iter().zip(ours) {
            let ratio = peer_least / least;
            let bar = bars.iter().find(|bar| bar.0 == *id).filter(|_| SERIAL == (*id == BackendId::Portable));
            let bar = bar.map_or(String::new(), |(_, at_least, aim)| {
                let verdict = if ratio < *at_least { "MISSED" } else { "passed" };
                format!("  {verdict} {at_least} / {aim}")
            });
            let name = id.name();
            println!("    {name:<9} {:>10.2} us {ratio:>6.2} ({:.2}){bar}", least / 1e3, peer_median / median);
        }
    }
}

/// How often to call for the clock's resolution and price not to matter: 20 us and more.
fn repetitions(work: &dyn Fn()) -> u32 {
    let once = median(&[(); 3].map(|()| nanoseconds(1, work)));
    (20_000.0 / once.max(20.0)).ceil() as u32
}

/// CPU time of one of `repeat` calls, after another that brings back caches and predictions.
fn nanoseconds(repeat: u32, work: &dyn Fn()) -> f64 {
    work();
    let start = ThreadTime::now();
    (0..repeat).for_each(|_| work());
    start.elapsed().as_nanos() as f64 / f64::from(repeat)
}

/// The least of the medians of [`GROUP`] measurements in a row.
fn least_median(times: &[f64]) -> f64 {
    times.chunks_exact(GROUP).map(median).fold(f64::INFINITY, f64::min)
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

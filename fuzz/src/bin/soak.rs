//! Mixed batches for a long time: proofs of every system, valid and changed, alone, in batches and searched for the bad ones;
//! whole transactions of all protocols in one batch, any of them spoilt or there a second time; sums, products and decodings.
//! All on many threads, while each of them changes the backend that all use. Verdicts and results are known beforehand,
//! memory must stay.
//!
//!     soak MINUTES [THREADS]

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::mixed::{BatchError, Transactions, verify_batch};
use curve25519_lanes::tx::{clsag, seraphis, triptych};
use curve25519_lanes::{EdwardsPoint, Scalar, compress_batch, decompress_batch_strict, msm, x25519_batch};
use curve25519_lanes_fuzz::Input;
use curve25519_lanes_fuzz::cases::{all, change, expected};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

/// What was done, by all threads.
#[derive(Default)]
struct Done {
    proofs: AtomicU64,
    changed: AtomicU64,
    batches: AtomicU64,
    spoilt: AtomicU64,
    again: AtomicU64,
    sums: AtomicU64,
}

/// The backend that everybody uses from now on.
fn change_backend(rng: &mut ChaCha12Rng) {
    let available: Vec<BackendId> = BackendId::available().collect();
    let id = available.get(rng.next_u32() as usize % (available.len() + 1)).copied();
    cpu::force(id).expect("it is available");
}

/// A proof of some system, changed or not, asked for in three ways.
fn proof(rng: &mut ChaCha12Rng, done: &Done) {
    let available: Vec<BackendId> = BackendId::available().collect();
    let case = &all()[rng.next_u32() as usize % all().len()];
    let mut edits = [0; 48];
    rng.fill_bytes(&mut edits);
    let edits = if edits[47] % 3 == 0 { &[][..] } else { &edits[..47] };
    let bytes = change(case, &mut Input(edits));
    let backends = [(); 3].map(|()| available[rng.next_u32() as usize % available.len()]);
    let expected = expected(case, &bytes);
    done.proofs.fetch_add(1, Relaxed);
    done.changed.fetch_add(u64::from(!expected.single), Relaxed);
    match (case.judge)(&bytes, backends) {
        None => assert!(!expected.single, "{}: a valid proof is not read", case.name),
        Some(verdicts) => assert_eq!(verdicts, expected, "{} on {backends:?}: {bytes:02x?}", case.name),
    }
}

/// Valid transactions of all protocols over one ledger.
struct Chain {
    clsag: Vec<clsag::Transaction>,
    triptych: Vec<triptych::Transaction>,
    seraphis: Vec<seraphis::Transaction>,
    ledger: MemoryLedger,
}

impl Chain {
    fn new(rng: &mut ChaCha12Rng) -> Chain {
        let mut ledger = MemoryLedger::new();
        let mut chain = (Vec::new(), Vec::new(), Vec::new());
        for (inputs, outputs, splits, n, m) in [(2, 2, 0, 2, 2), (1, 3, 1, 3, 2), (3, 2, 0, 2, 3), (2, 4, 2, 4, 2)] {
            let shape = Shape::new(n, m).expect("small");
            let mock = clsag::Mock { ring_size: shape.ring_size() + 1, inputs, outputs, splits };
            chain.0.push(mock.build(&mut ledger, rng).expect("within the limits"));
            let mock = triptych::Mock { shape, inputs, outputs, splits };
            chain.1.push(mock.build(&mut ledger, rng).expect("within the limits"));
            for kind in seraphis::Kind::ALL {
                let mock = seraphis::Mock { kind, shape, inputs, outputs, splits };
                chain.2.push(mock.build(&mut ledger, rng).expect("within the limits"));
            }
        }
        Chain { clsag: chain.0, triptych: chain.1, seraphis: chain.2, ledger }
    }

    /// Some of the transactions, a few of them spoilt, a few a second time, in one batch. Named are those that are spoilt, and
    /// those that spend what a valid one before them spent, and no other.
    fn batch(&self, rng: &mut ChaCha12Rng, done: &Done) {
        let mut some = |count: usize| -> Vec<usize> {
            let mut which: Vec<usize> = (0..count).filter(|_| !rng.next_u32().is_multiple_of(3)).collect();
            which.extend((0..rng.next_u32() % 3).map(|_| rng.next_u32() as usize % count));
            which
        };
        fn each<T: Clone>(of: &[T], which: &[usize]) -> Vec<T> {
            which.iter().map(|&i| of[i].clone()).collect()
        }
        let which = [self.clsag.len(), self.triptych.len(), self.seraphis.len()].map(&mut some);
        let mut txs = (each(&self.clsag, &which[0]), each(&self.triptych, &which[1]), each(&self.seraphis, &which[2]));
        let mut spoilt = [Vec::new(), Vec::new(), Vec::new()];
        let mut bad = |place: usize, at: usize, rng: &mut ChaCha12Rng| {
            let bad = rng.next_u32().is_multiple_of(6);
            if bad {
                spoilt[place].push(at);
            }
            bad
        };
        let range = |ranges: &mut [seraphis::Range], rng: &mut ChaCha12Rng| {
            let at = rng.next_u32() as usize % ranges.len();
            bend(&mut ranges[at].proof.r1);
        };
        for (at, tx) in txs.0.iter_mut().enumerate() {
            if bad(0, at, rng) {
                match rng.next_u32() % 2 {
                    0 => bend(&mut tx.inputs[0].signature.s[1]),
                    _ => range(&mut tx.ranges, rng),
                }
            }
        }
        for (at, tx) in txs.1.iter_mut().enumerate() {
            if bad(1, at, rng) {
                match rng.next_u32() % 2 {
                    0 => bend(&mut tx.inputs[0].proof.z),
                    _ => range(&mut tx.ranges, rng),
                }
            }
        }
        for (at, tx) in txs.2.iter_mut().enumerate() {
            if bad(2, at, rng) {
                match rng.next_u32() % 3 {
                    0 => bend(&mut tx.memberships[0].proof.z_a),
                    1 => bend(&mut tx.ownership[0].r_a),
                    _ => range(&mut tx.ranges, rng),
                }
            }
        }
        let count = txs.0.len() + txs.1.len() + txs.2.len();
        if count == 0 {
            return;
        }
        done.batches.fetch_add(1, Relaxed);
        done.spoilt.fetch_add(spoilt.iter().map(Vec::len).sum::<usize>() as u64, Relaxed);
        for (expected, which) in spoilt.iter_mut().zip(&which) {
            let again: Vec<usize> = (0..which.len())
                .filter(|at| !expected.contains(at))
                .filter(|&at| (0..at).any(|before| which[before] == which[at] && !expected.contains(&before)))
                .collect();
            done.again.fetch_add(again.len() as u64, Relaxed);
            expected.extend(again);
            expected.sort_unstable();
        }
        let all = Transactions { clsag: &txs.0, triptych: &txs.1, seraphis: &txs.2 };
        let named = match verify_batch(&all, &self.ledger) {
            Ok(()) => [Vec::new(), Vec::new(), Vec::new()],
            Err(BatchError::Invalid(failures)) => [
                failures.clsag.iter().map(|failure| failure.transaction).collect(),
                failures.triptych.iter().map(|failure| failure.transaction).collect(),
                failures.seraphis.iter().map(|failure| failure.transaction).collect(),
            ],
            Err(BatchError::Empty) => panic!("{count} transactions are no empty batch"),
        };
        assert_eq!(named, spoilt, "of {count} transactions");
    }
}

fn bend(bytes: &mut [u8; 32]) {
    *bytes = (Scalar::from_bytes_mod_order(*bytes) + Scalar::ONE).to_bytes();
}

/// Sums, encodings and exchanges whose results were computed before, by portable code.
struct Sums {
    scalars: Vec<Scalar>,
    points: Vec<EdwardsPoint>,
    encodings: Vec<[u8; 32]>,
    shared: Vec<[u8; 32]>,
    /// By the number of terms.
    sums: Vec<(usize, [u8; 32])>,
}

impl Sums {
    fn new(rng: &mut ChaCha12Rng) -> Sums {
        cpu::force(Some(BackendId::Portable)).expect("it is always there");
        let mut scalars = |n| (0..n).map(|_| Scalar::random(rng)).collect::<Vec<_>>();
        let (scalars, secrets) = (scalars(1500), scalars(1500));
        let points = msm::mul_base_batch(&secrets);
        let encodings = compress_batch(&points);
        let keys: Vec<[u8; 32]> = scalars.iter().map(Scalar::to_bytes).collect();
        let shared = x25519_batch(&keys, &encodings);
        let mut sum = EdwardsPoint::IDENTITY;
        let mut sums = Vec::new();
        for (n, (scalar, point)) in scalars.iter().zip(&points).enumerate() {
            if n < 70 || n % 97 == 0 {
                sums.push((n, sum.compress().0));
            }
            sum += scalar * point;
        }
        cpu::force(None).expect("nothing to refuse");
        Sums { scalars, points, encodings, shared, sums }
    }

    fn check(&self, rng: &mut ChaCha12Rng, done: &Done) {
        let (n, expected) = self.sums[rng.next_u32() as usize % self.sums.len()];
        done.sums.fetch_add(1, Relaxed);
        let sum = msm::vartime(&self.scalars[..n], &self.points[..n]).expect("equal lengths");
        assert_eq!(sum.compress().0, expected, "sum of {n}");
        let encodings = &self.encodings[..n];
        let points = decompress_batch_strict(encodings).expect("points");
        assert_eq!(compress_batch(&points), encodings, "{n} points");
        let n = n.min(40);
        let keys: Vec<[u8; 32]> = self.scalars[..n].iter().map(Scalar::to_bytes).collect();
        assert_eq!(x25519_batch(&keys, &self.encodings[..n]), &self.shared[..n], "{n} exchanges");
    }
}

/// A number of `/proc/self/…`, 0 where there is none.
fn system(file: &str, field: usize) -> u64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or("");
    fields.split_whitespace().nth(field).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// MiB in memory, in pages of 4 KiB.
fn resident() -> u64 {
    system("/proc/self/statm", 1) / 256
}

fn main() -> ExitCode {
    let number = |at: usize| std::env::args().nth(at).and_then(|text| text.parse::<f64>().ok());
    let Some(minutes) = number(1) else {
        eprintln!("soak MINUTES [THREADS]");
        return ExitCode::from(2);
    };
    let threads = number(2).map_or(std::thread::available_parallelism().map_or(1, |n| n.get()), |n| n as usize);
    let mut rng = ChaCha12Rng::from_seed([3; 32]);
    let (chain, sums) = (Chain::new(&mut rng), Sums::new(&mut rng));
    let (done, failed) = (Done::default(), AtomicBool::new(false));
    let (begin, time) = (Instant::now(), Duration::from_secs_f64(60.0 * minutes));
    let mut sizes = Vec::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let (chain, sums, done, failed) = (&chain, &sums, &done, &failed);
                scope.spawn(move || {
                    let mut rng = ChaCha12Rng::from_seed([thread as u8; 32]);
                    while begin.elapsed() < time && !failed.load(Relaxed) {
                        change_backend(&mut rng);
                        match rng.next_u32() % 4 {
                            0 => chain.batch(&mut rng, done),
                            1 => sums.check(&mut rng, done),
                            _ => proof(&mut rng, done),
                        }
                    }
                })
            })
            .collect();
        // Memory twenty times; the first after everything was used once.
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(200));
            if begin.elapsed() > time.mul_f64((sizes.len() + 1) as f64 / 21.0) {
                sizes.push(resident());
                println!("{:>5.1} min, {} MiB", begin.elapsed().as_secs_f64() / 60.0, resident());
            }
        }
        for worker in workers {
            failed.fetch_or(worker.join().is_err(), Relaxed);
        }
    });
    // Ticks of a hundredth of a second, of programs and of the system for them.
    let cpu = (system("/proc/self/stat", 11) + system("/proc/self/stat", 12)) as f64 / 6000.0;
    let Done { proofs, changed, batches, spoilt, again, sums } = &done;
    let [proofs, changed, batches, spoilt, again, sums] =
        [proofs, changed, batches, spoilt, again, sums].map(|n| n.load(Relaxed));
    println!(
        "{:.1} minutes, {cpu:.1} of CPU time, {threads} threads: {proofs} proofs, {changed} of them changed; {batches} batches with \
         {spoilt} spoilt transactions and {again} double spends; {sums} sums",
        begin.elapsed().as_secs_f64() / 60.0
    );
    let (first, most) = (sizes.first().copied().unwrap_or(0), sizes.iter().copied().max().unwrap_or(0));
    println!("memory: {first} MiB at first, {most} MiB at most");
    if failed.load(Relaxed) {
        println!("WRONG: see above");
        return ExitCode::FAILURE;
    }
    if most > first + first / 4 + 32 {
        println!("WRONG: memory grew");
        return ExitCode::FAILURE;
    }
    println!("no wrong verdict, no wrong result");
    ExitCode::SUCCESS
}

//! Does time depend on secrets? After dudect (Reparaz, Balasch, Verbauwhede: "dude, is my code constant time?", 2017): inputs of
//! two classes, one fixed and one at random, in an order of chance; Welch's t-test on their times, whole and cropped at many
//! percentiles. |t| below 4.5 shows nothing; a planted leak has to show. A test that exceeds 10 is run again, with
//! other inputs, and fails if it does so twice: what other programs do to the clock is not repeatable.
//!
//! For the backends that Valgrind can't judge: it can't run AVX-512, and knows nothing of floating-point time.
//!
//! `cargo bench --bench dudect [-- SECONDS]`, for each test. Of our own, because a test needs its backend forced, and the
//! crate for this (dudect-bencher) brings a command line and a generation of random generators more.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::{EdwardsPoint, RistrettoPoint, Scalar, compress_batch_secret, msm, x25519, x25519_batch};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};
use subtle::{Choice, ConditionallySelectable};

/// Inputs that are made, in both classes alike, before any of them is timed.
const BLOCK: usize = 500;
/// Measurements that a test takes at least, and all it needs to judge a crop.
const LEAST: usize = 4000;
const OF_A_CLASS: f64 = 500.0;
/// Percentiles at which times are cropped.
const CROPS: usize = 50;

const NOTHING: f64 = 4.5;
const LEAK: f64 = 10.0;

/// 256 random bytes, or in the fixed class always the same ones.
type Bytes = [[u8; 32]; 8];

struct Test {
    name: &'static str,
    fixed: Bytes,
    run: Box<dyn Fn(&Bytes)>,
    leaks: bool,
}

/// Mean and variance, as they come (Welford 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn push(&mut self, x: f64) {
        self.count += 1.0;
        let delta = x - self.mean;
        self.mean += delta / self.count;
        self.squares += delta * (x - self.mean);
    }

    fn error(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// Welch's t, where there is enough to judge.
fn welch([a, b]: &[Moments; 2]) -> f64 {
    let error = (a.error() + b.error()).sqrt();
    if a.count.min(b.count) < OF_A_CLASS || error == 0.0 { 0.0 } else { (a.mean - b.mean) / error }
}

/// The t of largest size, and the number of measurements.
fn measure(test: &Test, seed: u64, during: Duration) -> (f64, usize) {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let mut crops: Vec<f64> = Vec::new();
    let mut moments = [[Moments::default(); 2]; CROPS];
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < during || count < LEAST {
        let inputs: Vec<(usize, Bytes)> = (0..BLOCK)
            .map(|_| {
                let class = (rng.next_u32() & 1) as usize;
                let mut bytes: Bytes = Default::default();
                bytes.iter_mut().for_each(|bytes| rng.fill_bytes(bytes));
                let choice = Choice::from(class as u8);
                for (x, fixed) in bytes.as_flattened_mut().iter_mut().zip(test.fixed.as_flattened()) {
                    x.conditional_assign(fixed, choice);
                }
                (class, bytes)
            })
            .collect();
        let times: Vec<f64> = inputs
            .iter()
            .map(|(_, bytes)| {
                let before = Instant::now();
                (test.run)(black_box(bytes));
                before.elapsed().as_nanos() as f64
            })
            .collect();
        if crops.is_empty() {
            // The first block warms up and says where to crop: ever closer to the fastest, and the last not at all.
            let mut sorted = times;
            sorted.sort_by(f64::total_cmp);
            let share = |i: usize| 1.0 - 0.5f64.powf(10.0 * (i + 1) as f64 / CROPS as f64);
            crops = (0..CROPS - 1).map(|i| sorted[(share(i) * BLOCK as f64) as usize]).collect();
            crops.push(f64::INFINITY);
            continue;
        }
        for (time, (class, _)) in times.iter().zip(&inputs) {
            crops.iter().zip(&mut moments).filter(|(crop, _)| time <= crop).for_each(|(_, m)| m[*class].push(*time));
        }
        count += BLOCK;
    }
    let largest = moments.iter().map(welch).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or_default();
    (largest, count)
}

fn done<T>(x: T) {
    black_box(&x);
}

fn scalars(bytes: &Bytes) -> [Scalar; 8] {
    bytes.map(Scalar::from_bytes_mod_order)
}

fn tests() -> Vec<Test> {
    let point = EdwardsPoint::mul_base(&Scalar::from(12_345_678u64));
    let points: [EdwardsPoint; 8] = std::array::from_fn(|i| EdwardsPoint::mul_base(&Scalar::from(i as u64 + 2)));
    let base = {
        let mut u = [0; 32];
        u[0] = 9;
        u
    };
    // Fixed classes: all zero; all ones; one; a number with long runs.
    let (zero, ones) = ([[0; 32]; 8], [[0xff; 32]; 8]);
    let mut one = zero;
    one.iter_mut().for_each(|k| k[0] = 1);
    let runs = [[0xf0; 32]; 8];
    let mut tests = Vec::new();
    let mut test = |name, fixed, run: Box<dyn Fn(&Bytes)>| tests.push(Test { name, fixed, run, leaks: false });
    test("scalar times point", one, Box::new(move |b| done(scalars(b)[0] * point)));
    test("scalar times base point", one, Box::new(|b| done(EdwardsPoint::mul_base(&scalars(b)[0]))));
    test("msm::mul_batch, 8 products", one, Box::new(move |b| done(msm::mul_batch(&scalars(b), &points))));
    test("msm::constant_time, 8 terms", zero, Box::new(move |b| done(msm::constant_time(&scalars(b), &points))));
    test("msm::mul_base_batch, 8 products", runs, Box::new(|b| done(msm::mul_base_batch(&scalars(b)))));
    test("x25519, the scalar", zero, Box::new(move |b| done(x25519(&b[0], &base))));
    test("x25519_batch, 8 scalars", ones, Box::new(move |b| done(x25519_batch(b, &[base; 8]))));
    // Operands of the field that are as sparse as can be: every product is 0, or small.
    test("x25519_batch, u = 0", zero, Box::new(|b| done(x25519_batch(&[[0x5a; 32]; 8], b))));
    test("x25519_batch, u = 1", one, Box::new(|b| done(x25519_batch(&[[0x5a; 32]; 8], b))));
    test("x25519_batch, u = 2^255 - 1", ones, Box::new(|b| done(x25519_batch(&[[0x5a; 32]; 8], b))));
    test(
        "Ristretto map and encoding",
        zero,
        Box::new(|b| {
            let wide = b[..2].as_flattened().try_into().expect("64 bytes");
            black_box(RistrettoPoint::from_uniform_bytes(wide).compress());
        }),
    );
    test(
        "compress_batch_secret, 8 of k·B",
        one,
        Box::new(|b| {
            done(compress_batch_secret(&msm::mul_base_batch(&scalars(b))));
        }),
    );
    test(
        "scalars: reduced, 64 times",
        ones,
        Box::new(|b| {
            for _ in 0..8 {
                black_box(scalars(black_box(b)));
            }
        }),
    );
    test(
        "scalars: product, sum, difference",
        zero,
        Box::new(|b| {
            let k = b.map(Scalar::from_integer_unreduced);
            for _ in 0..8 {
                let [x, y] = black_box([k[0], k[1]]);
                black_box((x * y, x + y, x - y));
            }
        }),
    );
    test("scalars: inverse", one, Box::new(|b| done(scalars(b)[0].invert())));
    test(
        "selection of a point from 8",
        zero,
        Box::new(move |b| {
            for _ in 0..16 {
                let index = black_box(b[0][0] & 7);
                let found = points.iter().zip(0u8..).fold(points[0], |found, (p, i)| {
                    EdwardsPoint::conditional_select(&found, p, subtle::ConstantTimeEq::ct_eq(&i, &index))
                });
                black_box(found);
            }
        }),
    );
    tests.push(Test {
        name: "planted: msm::vartime",
        fixed: one,
        run: Box::new(move |b| done(msm::vartime(&scalars(b)[..1], &points[..1]))),
        leaks: true,
    });
    tests
}

fn main() -> ExitCode {
    let seconds = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(2.0);
    let during = Duration::from_secs_f64(seconds);
    let mut good = true;
    for id in [BackendId::Avx2, BackendId::Ifma] {
        if cpu::force(Some(id)).is_err() {
            println!("skipped: backend {id}");
            continue;
        }
        for test in tests() {
            let (mut t, mut count) = measure(&test, 1, during);
            if !test.leaks && t.abs() > LEAK {
                println!("{id:8} {:36} t = {t:7.2}, once more", test.name);
                (t, count) = measure(&test, 2, during);
            }
            let verdict = match (test.leaks, t.abs()) {
                (true, t) if t > LEAK => "a leak, as it has to",
                (true, _) => "NOT SEEN",
                (false, t) if t < NOTHING => "",
                (false, t) if t < LEAK => "noise, or little",
                (false, _) => "A LEAK",
            };
            good &= test.leaks == (t.abs() > LEAK);
            println!("{id:8} {:36} t = {t:7.2} of {count} {verdict}", test.name);
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

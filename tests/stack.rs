//! How much stack the entry points need, found by threads with ever smaller stacks in processes of their own: where one is
//! too small, its guard page ends the process. `docs/assurance.md` has the figures; here the bound.

#[path = "common/mod.rs"]
mod common;
#[path = "common/transactions.rs"]
mod transactions;

use std::env;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::thread;

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::hash::{keccak256_batch, poseidon2};
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::proofs::bulletproofs_plus::monero;
use curve25519_lanes::proofs::grootle::{self, System};
use curve25519_lanes::proofs::schnorr::{self, Secrets};
use curve25519_lanes::tx::monero as monero_tx;
use curve25519_lanes::wallet::derive::derivations;
use curve25519_lanes::{
    CompressedEdwardsY, EdwardsPoint, RistrettoPoint, Scalar, compress_batch, decompress_batch_strict,
    monero_hash_to_point_batch, x25519, x25519_batch,
};

/// No entry point may need more. Threads of musl have 128 KiB, and what else is on the stack must fit.
const BOUND: usize = 96 << 10;
/// Sizes are found to this.
const STEP: usize = 2 << 10;

fn scalars(n: usize) -> Vec<Scalar> {
    (1..=n as u64).map(|k| Scalar::from(k).invert()).collect()
}

fn points(n: usize) -> Vec<EdwardsPoint> {
    msm::mul_base_batch(&scalars(n))
}

fn done<T>(x: T) {
    black_box(&x);
}

/// What most of the work is about: 70 of each.
struct Inputs {
    k: Vec<Scalar>,
    p: Vec<EdwardsPoint>,
    encodings: Vec<[u8; 32]>,
}

/// What runs on the small stack.
type Work = Box<dyn Fn() + Send>;

/// What prepares it on the large one.
type Prepare = fn(Inputs) -> Work;

const WORKS: &[(&str, Prepare)] = &[
    ("nothing", |_| Box::new(|| ())),
    ("msm::vartime, 70", |i| Box::new(move || done(msm::vartime(&i.k, &i.p)))),
    ("msm::vartime, 3000", |_| {
        let (k, p) = (scalars(3000), points(3000));
        Box::new(move || done(msm::vartime(&k, &p)))
    }),
    ("msm::constant_time", |i| Box::new(move || done(msm::constant_time(&i.k, &i.p)))),
    ("StaticPoints", |i| Box::new(move || done(StaticPoints::new(&i.p).mixed_vartime(&i.k, &[], &[])))),
    ("msm::mul_batch", |i| Box::new(move || done(msm::mul_batch(&i.k, &i.p)))),
    ("msm::mul_base_batch", |i| Box::new(move || done(msm::mul_base_batch(&i.k)))),
    ("EdwardsPoint::mul_base", |i| Box::new(move || done(EdwardsPoint::mul_base(&i.k[0])))),
    ("scalar times point", |i| Box::new(move || done(i.k[3] * i.p[4]))),
    ("double_base_vartime", |i| Box::new(move || done(msm::double_base_vartime(&i.k[0], &i.p[0], &i.k[1])))),
    ("mul_by_cofactor_grid", |i| Box::new(move || done(msm::mul_by_cofactor_grid(&i.k, &i.p[..3])))),
    ("FixedBase", |i| Box::new(move || done(msm::FixedBase::new(&i.p[0]).mul(&i.k[0])))),
    ("decompress", |i| Box::new(move || done(CompressedEdwardsY(i.encodings[0]).decompress_strict()))),
    ("decompress_batch_strict", |i| Box::new(move || done(decompress_batch_strict(&i.encodings)))),
    ("compress_batch", |i| Box::new(move || done(compress_batch(&i.p)))),
    ("monero_hash_to_point_batch", |i| Box::new(move || done(monero_hash_to_point_batch(&i.encodings)))),
    ("RistrettoPoint::from_uniform_bytes", |_| Box::new(|| done(RistrettoPoint::from_uniform_bytes(&[7; 64])))),
    ("x25519", |i| Box::new(move || done(x25519(&i.encodings[0], &i.encodings[1])))),
    ("x25519_batch", |i| Box::new(move || done(x25519_batch(&i.encodings, &i.encodings)))),
    ("Scalar::invert", |i| Box::new(move || done(i.k[0].invert()))),
    ("keccak256_batch", |i| {
        Box::new(move || {
            let inputs: Vec<&[u8]> = i.encodings.iter().map(|e| &e[..]).collect();
            keccak256_batch(&inputs, &mut vec![[0; 32]; inputs.len()]);
        })
    }),
    ("poseidon2::compress_batch", |i| {
        Box::new(move || {
            let x = poseidon2::Fr::from_bytes_reduced(&i.encodings[0]);
            poseidon2::compress_batch(&[[x; 2]; 70], &mut [x; 70]);
        })
    }),
    ("wallet: derivations", |i| Box::new(move || done(derivations(&i.k[..9], &i.encodings)))),
    ("prove, verify: monero range proof", |_| {
        Box::new(|| {
            let openings = [monero::Opening::new(5, Scalar::from(77u64)), monero::Opening::new(6, Scalar::from(78u64))];
            let commitments: Vec<[u8; 32]> = openings.iter().map(|o| o.commit().0).collect();
            let proof = monero::prove(&openings, &mut transactions::Numbers(3)).expect("two outputs");
            assert_eq!(monero::verify(&commitments, &proof), Ok(()));
        })
    }),
    ("verify: monero transaction", |_| {
        let generators = monero::Generators::shared();
        let made = transactions::Made::new(generators, 2, 2, 16, 5);
        Box::new(move || assert!(monero_tx::verify_batch(generators, &[made.statement()]).is_ok()))
    }),
    ("prove, verify: grootle", |_| {
        Box::new(|| {
            let system = System::new(grootle::Form::Concise, 2, 3, 2).expect("allowed");
            let point = |k: u64| EdwardsPoint::mul_base(&Scalar::from(k)).compress().0;
            let mut ring: Vec<[u8; 32]> = (1..=16).map(|k| point(10 + k)).collect();
            [ring[4], ring[5]] = [point(105), point(206)];
            let offsets = [point(100), point(200)];
            let secrets = [Scalar::from(5u64), Scalar::from(6u64)];
            let witness = grootle::Witness { index: 2, secrets: &secrets };
            let proof = system.prove(&[7; 32], &ring, &offsets, &witness, &mut transactions::Numbers(3)).expect("fits");
            let statement =
                grootle::Statement { system, message: [7; 32], ring: &ring, offsets: &offsets, proof: &proof };
            assert_eq!(grootle::verify(&statement), Ok(()));
        })
    }),
    ("prove: composition", |i| {
        Box::new(move || {
            let secrets = [Secrets { x: i.k[0], y: i.k[1], z: i.k[2] }];
            done(schnorr::prove(&[7; 32], &secrets, &mut transactions::Numbers(3)));
        })
    }),
];

/// Says to the other process what to run.
const ASKED: &str = "LANES_TEST_STACK";

#[test]
#[ignore = "runs in a process of its own, started by `entry_points_need_little_stack`"]
fn on_a_small_stack() {
    let asked = env::var(ASKED).expect("started by the other test");
    let [name, backend, size] = asked.split('|').collect::<Vec<_>>()[..] else { panic!("{asked}") };
    cpu::force(Some(BackendId::from_name(backend).expect("a backend"))).expect("it can run");
    let (_, prepare) = WORKS.iter().find(|(known, _)| *known == name).expect("a known name");
    let p = points(70);
    let work = prepare(Inputs { k: scalars(70), encodings: compress_batch(&p), p });
    let size = size.parse().expect("a number");
    thread::Builder::new().stack_size(size).spawn(work).expect("a thread").join().expect("no panic");
}

fn fits(name: &str, id: BackendId, size: usize) -> bool {
    Command::new(env::current_exe().expect("this program has a path"))
        .args(["--exact", "on_a_small_stack", "--ignored", "--test-threads=1"])
        .env(ASKED, format!("{name}|{id}|{size}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("it starts")
        .success()
}

/// The smallest stack that does, found by halves. Libraries of threads have a least size of their own.
fn needed(name: &str, id: BackendId) -> usize {
    let (mut small, mut large) = (0, 512 << 10);
    assert!(fits(name, id, large), "{name} on {id} does not run in {large} bytes of stack");
    while large - small > STEP {
        let middle = (small + large) / 2 / 1024 * 1024;
        if fits(name, id, middle) { large = middle } else { small = middle }
    }
    large
}

#[test]
fn entry_points_need_little_stack() {
    if cfg!(debug_assertions) || !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("skipped: needs --release on x86-64 Linux");
        return;
    }
    let measured = env::var_os("LANES_STACK_FIGURES").is_some();
    for &id in BackendId::ALL {
        if !id.is_detected() {
            println!("skipped: backend {id}");
            continue;
        }
        for &(name, _) in WORKS {
            if measured {
                println!("{id:8} {name:36} {:4} KiB", needed(name, id) >> 10);
            }
            assert!(fits(name, id, BOUND), "{name} on {id} needs more than {BOUND} bytes of stack");
        }
    }
    assert!(!fits("no such name", BackendId::Portable, BOUND), "a failure is seen");
}

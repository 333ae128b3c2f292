//! Batches of Monero range proofs: the published verifier's time over ours, what a bad batch costs, very large proofs,
//! and where the time of a batch of 256 goes.
//!
//! ```sh
//! cargo bench --bench accumulator --features rand_core -- [BACKEND...]
//! ```
//!
//! CPU time of the thread; what is compared runs in turn; the least of the medians of three runs in a row. As in
//! `ratios`, the allocator keeps its memory.

mod common;
#[path = "../tests/common/random.rs"]
mod random;

use std::cell::RefCell;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use common::{backends, on_each};
use cpu_time::ThreadTime;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::accumulator::{Sum, Verifier, Weighted};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{
    Generators, MAX_OUTPUTS, MAX_OUTPUTS_EXTENDED, Opening, RangeProof, Statement,
};
use curve25519_lanes::{Scalar, compress_batch, decompress_batch_strict, msm};
use monero_bulletproofs::{BatchVerifier, Bulletproof};
use monero_ed25519::CompressedPoint;
use random::Random;

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
    let mut chosen = Vec::new();
    for name in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match BackendId::from_name(&name) {
            Ok(id) => chosen.push(id),
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if chosen.is_empty() {
        chosen = backends();
    }
    println!("against monero-bulletproofs 0.1.0 in its default build; times in microseconds");
    let mut random = Random(1);
    on_each(&chosen, |id| {
        println!("{id}");
        let generators = Generators::new(MAX_OUTPUTS).expect("a number of outputs in range");
        against_the_peer(&generators, &mut random);
        bad_batches(&generators, &mut random);
        shares(&generators, &mut random);
        extended(&mut random);
    });
    ExitCode::SUCCESS
}

struct Proof {
    commitments: Vec<[u8; 32]>,
    proof: RangeProof,
}

impl Proof {
    fn new(generators: &Generators, outputs: usize, random: &mut Random) -> Proof {
        let openings: Vec<_> = (0..outputs).map(|_| Opening::new(random.next(), Scalar::random(random))).collect();
        let proof = generators.prove(&openings, random).expect("a proof");
        Proof { commitments: openings.iter().map(|o| o.commit().0).collect(), proof }
    }

    fn statement(&self) -> Statement<'_> {
        Statement { commitments: &self.commitments, proof: &self.proof }
    }
}

/// A few proofs, again and again: no verifier remembers what it saw.
fn batch<'a>(proofs: &'a [Proof], len: usize) -> Vec<Statement<'a>> {
    proofs.iter().cycle().take(len).map(Proof::statement).collect()
}

fn against_the_peer(generators: &Generators, random: &mut Random) {
    for (outputs, len) in [(2, 1), (16, 1), (2, 64), (2, 256)] {
        let proofs: Vec<_> = (0..len.min(8)).map(|_| Proof::new(generators, outputs, random)).collect();
        let items = batch(&proofs, len);
        let peer: Vec<_> = items
            .iter()
            .map(|item| {
                let proof = Bulletproof::read_plus(&mut &item.proof.to_bytes()[..]).expect("a proof");
                (proof, item.commitments.iter().map(|c| CompressedPoint::from(*c)).collect::<Vec<_>>())
            })
            .collect();
        let rng = RefCell::new(Random(9));
        let peer = || {
            let mut batch = BatchVerifier::new();
            let taken =
                peer.iter().all(|(proof, points)| proof.batch_verify(&mut *rng.borrow_mut(), &mut batch, points));
            assert!(taken && batch.verify());
        };
        let ours = || assert_eq!(generators.verify_batch(&items), Ok(()));
        let [peer, ours] = least(&[&peer, &ours])[..] else { unreachable!("two measured") };
        println!("    {len:>3} of {outputs:>2} outputs: {peer:>9.1} / {ours:>8.1} = {:.2}", peer / ours);
    }
}

fn bad_batches(generators: &Generators, random: &mut Random) {
    let proofs: Vec<_> = (0..64).map(|_| Proof::new(generators, 2, random)).collect();
    let spoil = |bad: &[usize]| -> Vec<RangeProof> {
        let mut all: Vec<_> = proofs.iter().map(|p| p.proof.clone()).collect();
        // Still below l.
        bad.iter().for_each(|&i| all[i].d1[0] ^= 1);
        all
    };
    let all: Vec<usize> = (0..64).collect();
    let cases: [&[usize]; 4] = [&[], &[63], &[3, 20, 41], &all];
    for bad in cases {
        let spoiled = spoil(bad);
        let items: Vec<_> =
            proofs.iter().zip(&spoiled).map(|(p, proof)| Statement { commitments: &p.commitments, proof }).collect();
        let search = || assert_eq!(generators.find_invalid(&items), bad);
        let single = || {
            let invalid = items.iter().filter(|i| generators.verify(i.commitments, i.proof).is_err()).count();
            assert_eq!(invalid, bad.len());
        };
        let [search, single] = least(&[&search, &single])[..] else { unreachable!("two measured") };
        println!("    64, {:>2} invalid: all named in {search:>8.1}, one by one {single:>8.1}", bad.len());
    }
}

fn shares(generators: &Generators, random: &mut Random) {
    let proofs: Vec<_> = (0..8).map(|_| Proof::new(generators, 2, random)).collect();
    let items = batch(&proofs, 256);
    let checked = || items.iter().map(|i| generators.check(*i).expect("well formed")).collect::<Vec<_>>();
    let encodings: Vec<[u8; 32]> = checked().iter().flat_map(|i| generators.encodings(i)).copied().collect();
    let commitments: Vec<[u8; 32]> = items.iter().flat_map(|i| i.commitments).copied().collect();
    let commitments = decompress_batch_strict(&commitments).expect("points");
    let with_points = || {
        let each = |item| {
            let points = decompress_batch_strict(generators.encodings(&item)).expect("points");
            (item, points)
        };
        checked().into_iter().map(each).collect::<Vec<_>>()
    };
    let prepared = RefCell::new(Vec::new());
    let claims: Vec<_> = generators.prepare(with_points()).into_iter().map(|c| c.expect("a claim")).collect();
    let weights = [Scalar::from(u128::MAX)];
    let weighted: Vec<_> = claims.iter().map(|claim| Weighted { claim, weights: &weights }).collect();

    let whole = || assert_eq!(generators.verify_batch(&items), Ok(()));
    let check = || drop(black_box(checked()));
    let decode = || drop(black_box(decompress_batch_strict(&encodings)));
    let eighths = || drop(black_box(msm::same_scalar_vartime(&Scalar::INV_EIGHT, &commitments)));
    let encode = || drop(black_box(compress_batch(&commitments)));
    let refill = || *prepared.borrow_mut() = with_points();
    let prepare = || {
        refill();
        drop(black_box(generators.prepare(prepared.take())));
    };
    let scalars = || {
        let mut sum = Sum::default();
        generators.add(&weighted, &mut sum);
        black_box(&sum);
    };
    let times = least(&[&whole, &check, &decode, &eighths, &encode, &prepare, &refill, &scalars]);
    let [whole, check, decode, eighths, encode, prepare, refill, scalars] = times[..] else {
        unreachable!("eight measured")
    };
    let prepare = prepare - refill;
    println!("    256 of 2 outputs: {whole:.1}, of which");
    let rest = whole - check - decode - prepare - scalars;
    for (name, time) in [
        ("form", check),
        ("decompression", decode),
        ("commitments / 8", eighths + encode),
        ("hashing and inversion", prepare - eighths - encode),
        ("scalars", scalars),
        ("multiscalar sum, weights", rest),
    ] {
        println!("        {name:<25} {time:>8.1} {:>4.1} %", 100.0 * time / whole);
    }
}

/// One proof of 128 outputs, alone and among 64 of two.
fn extended(random: &mut Random) {
    let generators = Generators::new(MAX_OUTPUTS_EXTENDED).expect("a number of outputs in range");
    let large = [Proof::new(&generators, MAX_OUTPUTS_EXTENDED, random)];
    let small: Vec<_> = (0..8).map(|_| Proof::new(&generators, 2, random)).collect();
    let alone = || assert_eq!(generators.verify_batch(&batch(&large, 1)), Ok(()));
    let few = || assert_eq!(generators.verify_batch(&batch(&small, 64)), Ok(()));
    let both = || {
        let items = [batch(&small, 64), batch(&large, 1)].concat();
        assert_eq!(generators.verify_batch(&items), Ok(()));
    };
    let [alone, few, both] = least(&[&alone, &few, &both])[..] else { unreachable!("three measured") };
    println!("    one of 128 outputs: {alone:.1}; 64 of 2: {few:.1}; together: {both:.1}");
}

/// Microseconds of each.
fn least(works: &[&dyn Fn()]) -> Vec<f64> {
    let mut times = vec![Vec::new(); works.len()];
    let start = ThreadTime::now();
    while times[0].len() < 9 || start.elapsed().as_millis() < 1500 && times[0].len() < 150 {
        for (times, work) in times.iter_mut().zip(works) {
            let start = ThreadTime::now();
            work();
            times.push(start.elapsed().as_nanos() as f64 / 1e3);
        }
    }
    let median = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    times.iter().map(|times| times.chunks_exact(3).map(median).fold(f64::INFINITY, f64::min)).collect()
}

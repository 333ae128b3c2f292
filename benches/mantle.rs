//! Poseidon2 and the Mantle transaction hash, against `taceo-poseidon2` in the same sponge with `blake2b_simd`.
//!
//! All times are CPU time of the thread. First a table of ratios, each pair measured in turns and by its median (that
//! is what quotients are to be taken from; `-- --table` stops there), then Criterion's own groups. Every measured result is compared with the
//! peer's first.

mod common;

use std::hint::black_box;
use std::time::Duration;

use ark_ff::{BigInteger, One, PrimeField, Zero};
use cpu_time::ThreadTime;
use criterion::{BenchmarkId, Criterion, Throughput};
use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::hash::blake2b_256;
use curve25519_lanes::hash::poseidon2::{Fr, permute, permute_batch_on};
use curve25519_lanes::tx::mantle::{Encoding, Inscription, Ledger, MantleTx, Op, Variant};

type PeerFr = ark_bn254::Fr;

const PAYLOADS: [usize; 9] = [64, 256, 1 << 10, 1 << 12, 1 << 16, 1 << 19, 1 << 20, 1 << 21, 1 << 22];

/// The transaction of the RFC's table.
fn transaction(message: &[u8]) -> MantleTx<'_> {
    const SIGNER: [u8; 32] = [
        0x8a, 0x88, 0xe3, 0xdd, 0x74, 0x09, 0xf1, 0x95, 0xfd, 0x52, 0xdb, 0x2d, 0x3c, 0xba, 0x5d, 0x72, 0xca, 0x67,
        0x09, 0xbf, 0x1d, 0x94, 0x12, 0x1b, 0xf3, 0x74, 0x88, 0x01, 0xb4, 0x0f, 0x6f, 0x5c,
    ];
    MantleTx {
        ops: vec![Op::Inscribe(Inscription { channel: [0xaa; 32], message, parent: [0xbb; 32], signer: SIGNER })],
        ledger: Ledger { execution_gas_price: 100, storage_gas_price: 50, ..Ledger::default() },
    }
}

fn ours(variant: Variant, tx: &MantleTx<'_>) -> [u8; 32] {
    tx.hash(variant, Encoding::V1_0).expect("short enough")
}

/// Encodes into a buffer, hashes with `blake2b_simd` and the peer's permutation: A2 and R.
fn peer(variant: Variant, tx: &MantleTx<'_>) -> [u8; 32] {
    let encoding = tx.encode(Encoding::V1_0).expect("short enough");
    let hash = |elements: &mut dyn Iterator<Item = &[u8]>| {
        let mut state = [PeerFr::zero(); 3];
        for element in elements.map(PeerFr::from_le_bytes_mod_order).chain([PeerFr::one()]) {
            state[0] += element;
            taceo_poseidon2::bn254::t3::permutation_in_place(&mut state);
        }
        let mut out = [0; 32];
        out.copy_from_slice(&state[0].into_bigint().to_bytes_le());
        out
    };
    match variant {
        Variant::A2 => hash(&mut [&b"MANTLE_TXHASH_V1"[..]].into_iter().chain(encoding.chunks(31))),
        Variant::R => hash(&mut bare_blake2b(&encoding).chunks(31)),
        _ => unreachable!("not compared"),
    }
}

fn bare_blake2b(encoding: &[u8]) -> [u8; 32] {
    blake2b_simd::Params::new().hash_length(32).hash(encoding).as_bytes().try_into().expect("32 bytes")
}

/// CPU nanoseconds of each function: the median over `rounds` rounds in which they take turns. (Guests are charged too
/// little now and then, so a minimum may be a false one.)
fn medians<const N: usize>(rounds: usize, repeat: u32, mut run: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (times, run) in times.iter_mut().zip(&mut run) {
            let start = ThreadTime::now();
            (0..repeat).for_each(|_| run());
            times.push(start.elapsed().as_nanos() as f64 / f64::from(repeat));
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn permutation_ratios<const T: usize>(peer: fn(&mut [PeerFr; T])) {
    let start: [u64; T] = std::array::from_fn(|i| i as u64 + 7);
    let mut theirs = start.map(PeerFr::from);
    let mut one = start.map(Fr::from);
    peer(&mut theirs);
    permute(&mut one);
    for (a, b) in one.iter().zip(&theirs) {
        assert_eq!(a.to_bytes()[..], b.into_bigint().to_bytes_le()[..]);
    }
    for &id in BackendId::ALL {
        for count in [1, 8, 16] {
            let mut states: Vec<[Fr; T]> = (0..count).map(|i| start.map(|x| Fr::from(x + i))).collect();
            let expected: Vec<[Fr; T]> = states
                .iter()
                .map(|state| {
                    let mut state = *state;
                    permute(&mut state);
                    state
                })
                .collect();
            if !permute_batch_on(id, &mut states) {
                println!("skipped: backend {id}");
                break;
            }
            assert_eq!(states, expected);
            let [a, b] = medians(
                300,
                10,
                [&mut || peer(black_box(&mut theirs)), &mut || _ = permute_batch_on(id, black_box(&mut states))],
            );
            let b = b / count as f64;
            println!("permutation t={T} {:>8} x{count:<2}: peer {a:7.0} ns, here {b:7.0} ns, {:.2}", id.name(), a / b);
        }
    }
}

fn transaction_ratios() {
    println!("payload       A2 us       R us       B us       C us   A2/R  R/bare  B/bare  peer/R  peer/A2");
    for payload in PAYLOADS {
        let message = vec![0xab; payload];
        let tx = transaction(&message);
        let encoding = tx.encode(Encoding::V1_0).expect("short enough");
        for variant in [Variant::A2, Variant::R] {
            assert_eq!(ours(variant, &tx), peer(variant, &tx));
        }
        let run = |variant| {
            let tx = &tx;
            move || _ = black_box(ours(variant, black_box(tx)))
        };
        let (rounds, repeat) = if payload < 1 << 14 { (200, 10) } else { (12, 1) };
        let [bare, r, b, c, peer_r] = medians(
            if payload < 1 << 14 { 200 } else { 40 },
            repeat,
            [
                &mut || _ = black_box(bare_blake2b(black_box(&encoding))),
                &mut run(Variant::R),
                &mut run(Variant::B),
                &mut run(Variant::C),
                &mut || _ = black_box(peer(Variant::R, black_box(&tx))),
            ],
        );
        let rounds = if payload > 1 << 18 { 3 } else { rounds / 4 };
        let [a2, peer_a2] =
            medians(rounds, repeat, [&mut run(Variant::A2), &mut || _ = black_box(peer(Variant::A2, black_box(&tx)))]);
        println!(
            "{payload:>7} {:>11.2} {:>10.2} {:>10.2} {:>10.2} {:>6.1} {:>7.3} {:>7.3} {:>7.2} {:>8.2}",
            a2 / 1e3,
            r / 1e3,
            b / 1e3,
            c / 1e3,
            a2 / r,
            r / bare,
            b / bare,
            peer_r / r,
            peer_a2 / a2
        );
    }
}

fn groups(criterion: &mut Criterion<common::ThreadClock>) {
    let mut group = criterion.benchmark_group("hash/poseidon2-t3");
    for id in BackendId::available() {
        for count in [1usize, 8, 16, 64] {
            let mut states = vec![[Fr::ONE; 3]; count];
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(BenchmarkId::new(id.name(), count), |b| {
                b.iter(|| permute_batch_on(id, black_box(&mut states)));
            });
        }
    }
    let mut state = [PeerFr::one(); 3];
    group.throughput(Throughput::Elements(1));
    group.bench_function(BenchmarkId::new("taceo", 1), |b| {
        b.iter(|| taceo_poseidon2::bn254::t3::permutation_in_place(black_box(&mut state)));
    });
    group.finish();

    let mut group = criterion.benchmark_group("tx/mantle-hash");
    for payload in PAYLOADS {
        let message = vec![0xab; payload];
        let tx = transaction(&message);
        let encoding = tx.encode(Encoding::V1_0).expect("short enough");
        group.throughput(Throughput::Bytes(encoding.len() as u64));
        for variant in Variant::ALL {
            // One call of the long chains takes up to a second: see the table.
            if payload <= 1 << 16 || !matches!(variant, Variant::A | Variant::A2) {
                group.bench_function(BenchmarkId::new(variant.name(), payload), |b| {
                    b.iter(|| ours(*variant, black_box(&tx)));
                });
            }
        }
        group.bench_function(BenchmarkId::new("blake2b", payload), |b| b.iter(|| blake2b_256(black_box(&encoding))));
    }
    group.finish();
}

fn main() {
    common::one_thread();
    cpu::init_from_env().expect("LANES_BACKEND and LANES_DISABLE name available backends");
    permutation_ratios::<2>(taceo_poseidon2::bn254::t2::permutation_in_place);
    permutation_ratios::<3>(taceo_poseidon2::bn254::t3::permutation_in_place);
    permutation_ratios::<4>(taceo_poseidon2::bn254::t4::permutation_in_place);
    transaction_ratios();
    if std::env::args().any(|argument| argument == "--table") {
        return;
    }
    let criterion = Criterion::default()
        .with_measurement(common::ThreadClock)
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    groups(&mut criterion.configure_from_args());
    Criterion::default().configure_from_args().final_summary();
}

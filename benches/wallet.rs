//! Wallet scanning against straightforward code on curve25519-dalek 5, x25519-dalek 3 and sha3, all in one process.
//!
//! Our time over the peer's, with what it may be at most. CPU time of the thread; the peer and all backends in turn, each
//! timed call after one that is not; the figure is the least of the medians of five rounds in a row. Results are compared
//! first. Secrets go the constant-time way on both sides.
//!
//! ```sh
//! cargo bench --bench wallet -- [BACKEND...]
//! ```

mod common;

use std::collections::HashMap;
use std::hint::black_box;
use std::process::ExitCode;

use common::{Inputs, PEER, on_each};
use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::wallet::derive::{derivations, spend_keys, view_tags};
use curve25519_lanes::wallet::ecdh::x25519_grid;
use curve25519_lanes::wallet::subaddress::LOOKAHEAD;
use curve25519_lanes::wallet::{
    Derivation, EncryptedAmount, Output, Scanner, SubaddressTable, Transaction, TxExtra, ViewPair,
};
use curve25519_lanes::{EdwardsPoint, x25519_batch};
use sha3::{Digest, Keccak256};

fn main() -> ExitCode {
    common::one_thread();
    let mut backends = Vec::new();
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match BackendId::from_name(&argument) {
            Ok(id) => backends.push(id),
            Err(error) => {
                eprintln!("{argument}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if backends.is_empty() {
        backends.extend(BackendId::available());
    }
    println!("peer: {PEER}. Our time over the peer's, and what it may be at most");
    let table = Table { backends };
    table.derivations();
    table.outputs();
    table.montgomery();
    table.scan();
    ExitCode::SUCCESS
}

fn peer_derivation(secret: &dalek::Scalar, key: &[u8; 32]) -> [u8; 32] {
    let point = dalek::edwards::CompressedEdwardsY(*key).decompress().expect("a point");
    (secret * point).mul_by_cofactor().compress().0
}

fn peer_tag(derivation: &[u8; 32], index: u8) -> u8 {
    Keccak256::new().chain_update(b"view_tag").chain_update(derivation).chain_update([index]).finalize()[0]
}

fn peer_scalar(derivation: &[u8; 32], index: u8) -> dalek::Scalar {
    let hash = Keccak256::new().chain_update(derivation).chain_update([index]).finalize();
    dalek::Scalar::from_bytes_mod_order(hash.into())
}

/// At most, on `ifma` and on `avx2`.
type Bars = (Option<f64>, Option<f64>);

struct Table {
    backends: Vec<BackendId>,
}

impl Table {
    fn derivations(&self) {
        let inputs = Inputs::new(64);
        let (secrets, keys) = (&inputs.scalars, &inputs.encodings);
        let bytes = |all: Vec<Option<Derivation>>| all.iter().map(|d| d.as_ref().expect("a point").0).collect();
        for count in [8, 64] {
            let one = &inputs.peer_scalars[0];
            self.row(
                &format!("derivation, one wallet and {count} keys"),
                if count == 64 { (Some(0.17), Some(0.45)) } else { (None, None) },
                || keys[..count].iter().map(|key| peer_derivation(one, key)).collect::<Vec<_>>(),
                |all| all,
                || derivations(&secrets[..1], &keys[..count]),
                bytes,
            );
            self.row(
                &format!("derivation, {count} wallets and one key"),
                if count == 64 { (Some(0.08), Some(0.2)) } else { (None, None) },
                || inputs.peer_scalars[..count].iter().map(|s| peer_derivation(s, &keys[0])).collect::<Vec<_>>(),
                |all| all,
                || derivations(&secrets[..count], &keys[..1]),
                bytes,
            );
        }
        self.row(
            "derivation, 64 wallets and 8 keys",
            (None, None),
            || {
                let all = keys[..8].iter().flat_map(|key| inputs.peer_scalars.iter().map(|s| peer_derivation(s, key)));
                all.collect::<Vec<_>>()
            },
            |all| all,
            || derivations(secrets, &keys[..8]),
            bytes,
        );
        self.row(
            "derivation, one",
            (None, None),
            || peer_derivation(&inputs.peer_scalars[0], &keys[0]),
            |d| vec![d],
            || Derivation::new(&secrets[0], &keys[0]).expect("a point"),
            |d| vec![d.0],
        );
    }

    fn outputs(&self) {
        let inputs = Inputs::new(512);
        let derivations: Vec<Derivation> = inputs.scalar_bytes().into_iter().map(Derivation).collect();
        let outputs: Vec<(&Derivation, u64)> = derivations.iter().map(|d| (d, 1)).collect();
        self.row(
            "view tags, 512",
            (Some(0.25), Some(0.6)),
            || derivations.iter().map(|d| peer_tag(&d.0, 1)).collect::<Vec<_>>(),
            |tags| tags.into_iter().map(|tag| [tag; 32]).collect(),
            || view_tags(&outputs),
            |tags| tags.into_iter().map(|tag| [tag; 32]).collect(),
        );
        let (scalars, points) = (&inputs.scalars[..64], &inputs.points[..64]);
        self.row(
            "output key, 64, decoded before",
            (Some(0.12), None),
            || {
                let pairs = inputs.peer_scalars[..64].iter().zip(&inputs.peer_points);
                pairs.map(|(s, k)| (k - dalek::EdwardsPoint::mul_base(s)).compress().0).collect::<Vec<_>>()
            },
            |keys| keys,
            || spend_keys(scalars, points).expect("equal lengths"),
            |keys| keys,
        );
        let keys = ViewPair::from_secrets(&scalars[0], &scalars[1]);
        let peer_keys = (&inputs.peer_scalars[0], dalek::EdwardsPoint::mul_base(&inputs.peer_scalars[1]));
        let (majors, minors) = (LOOKAHEAD.0 / 10, LOOKAHEAD.1);
        self.row(
            "table of 5 × 200 subaddresses",
            (None, None),
            || {
                let mut table = HashMap::new();
                for (major, minor) in (0..majors).flat_map(|major| (0..minors).map(move |minor| (major, minor))) {
                    let hash = Keccak256::new()
                        .chain_update(b"SubAddr\0")
                        .chain_update(peer_keys.0.as_bytes())
                        .chain_update(major.to_le_bytes())
                        .chain_update(minor.to_le_bytes());
                    let m = dalek::Scalar::from_bytes_mod_order(hash.finalize().into());
                    let m = if (major, minor) == (0, 0) { dalek::Scalar::ZERO } else { m };
                    table.insert((peer_keys.1 + dalek::EdwardsPoint::mul_base(&m)).compress().0, (major, minor));
                }
                table
            },
            |table| table.keys().max().into_iter().copied().collect(),
            || SubaddressTable::new(&keys, majors, minors).expect("a small table"),
            |table| {
                let all: Vec<_> = (0..majors).flat_map(|major| (0..minors).map(move |minor| (major, minor))).collect();
                let all = keys.spend_keys(&all);
                assert!(all.iter().all(|key| table.get(key).is_some()));
                all.iter().max().into_iter().copied().collect()
            },
        );
    }

    fn montgomery(&self) {
        let inputs = Inputs::new(64);
        let secrets = inputs.scalar_bytes();
        let us: Vec<[u8; 32]> = inputs.points.iter().map(|p| p.to_montgomery().0).collect();
        self.row(
            "X25519, 64 pairs",
            (Some(0.12), None),
            || secrets.iter().zip(&us).map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect::<Vec<_>>(),
            |shared| shared,
            || x25519_batch(&secrets, &us),
            |shared| shared,
        );
        self.row(
            "X25519, 64 secrets and one u, by tables",
            (None, None),
            || secrets.iter().map(|k| x25519_dalek::x25519(*k, us[0])).collect::<Vec<_>>(),
            |shared| shared,
            || x25519_grid(&secrets, &us[..1]),
            |shared| shared,
        );
    }

    /// Two tagged outputs a transaction, one of 50 transactions for somebody.
    fn scan(&self) {
        let inputs = Inputs::new(400);
        for wallets in [1, 8, 64] {
            let transactions = if wallets == 64 { 64 } else { 256 };
            let views = &inputs.scalars[..wallets];
            let spends: Vec<EdwardsPoint> = inputs.points[..wallets].to_vec();
            let mut scanner = Scanner::default();
            let mut table = HashMap::new();
            for (w, view) in views.iter().enumerate() {
                let keys = ViewPair::new(view, &inputs.encodings[w]).expect("a point");
                scanner.add_wallet(&keys, 1, 20).expect("small tables");
                let indexes: Vec<(u32, u32)> = (0..20).map(|minor| (0, minor)).collect();
                table.extend(keys.spend_keys(&indexes).into_iter().map(|key| (key, w)));
            }
            let raw: Vec<(TxExtra, [Output; 2])> = (0..transactions)
                .map(|t| {
                    let key = inputs.encodings[t + 64];
                    let output = |o: usize| {
                        let mut derivation = Derivation(inputs.encodings[t]);
                        let mut spend = inputs.points[399 - t];
                        if t % 50 == 3 {
                            derivation = Derivation::new(&views[t % wallets], &key).expect("a point");
                            spend = spends[t % wallets];
                        }
                        let s = derivation.scalar(o as u64);
                        Output {
                            key: (EdwardsPoint::mul_base(&s) + spend).compress().0,
                            view_tag: Some(derivation.view_tag(o as u64)),
                            amount: EncryptedAmount::Plain(1),
                        }
                    };
                    (TxExtra { keys: vec![key], ..TxExtra::default() }, [output(0), output(1)])
                })
                .collect();
            let transactions: Vec<Transaction<'_>> =
                raw.iter().map(|(extra, outputs)| Transaction { extra, outputs }).collect();
            let peer = || {
                let mut found = Vec::new();
                for (t, (extra, outputs)) in raw.iter().enumerate() {
                    for (w, view) in inputs.peer_scalars[..wallets].iter().enumerate() {
                        let derivation = peer_derivation(view, &extra.keys[0]);
                        for (o, output) in (0..).zip(outputs) {
                            if output.view_tag != Some(peer_tag(&derivation, o)) {
                                continue;
                            }
                            let key = dalek::edwards::CompressedEdwardsY(output.key).decompress().expect("a point");
                            let s = peer_scalar(&derivation, o);
                            let spend = (key - dalek::EdwardsPoint::mul_base(&s)).compress().0;
                            if table.get(&spend) == Some(&w) {
                                found.push([t as u8, o, w as u8]);
                            }
                        }
                    }
                }
                found
            };
            let pad = |found: Vec<[u8; 3]>| {
                let mut all: Vec<[u8; 32]> = Vec::new();
                for [t, o, w] in found {
                    let mut bytes = [0; 32];
                    bytes[..3].copy_from_slice(&[t, o, w]);
                    all.push(bytes);
                }
                assert!(!all.is_empty());
                all
            };
            self.row(
                &format!("scan of {} transactions of 2 outputs, {wallets} wallets", raw.len()),
                if wallets == 64 { (Some(1.0 / 12.0), Some(1.0 / 4.5)) } else { (None, None) },
                peer,
                pad,
                || scanner.scan(&transactions),
                |found| pad(found.iter().map(|f| [f.transaction as u8, f.output as u8, f.wallet as u8]).collect()),
            );
        }
    }

    /// Compares the results of `peer` and of `ours` on each backend, measures, and prints a row.
    fn row<A, B>(
        &self,
        name: &str,
        bars: Bars,
        peer: impl Fn() -> A,
        peer_bytes: impl Fn(A) -> Vec<[u8; 32]>,
        ours: impl Fn() -> B,
        our_bytes: impl Fn(B) -> Vec<[u8; 32]>,
    ) {
        let expected = peer_bytes(peer());
        on_each(&self.backends, |id| assert_eq!(our_bytes(ours()), expected, "{name} on {id}"));
        let repeat = (20_000.0 / nanoseconds(1, &|| drop(black_box(peer()))).max(20.0)).ceil() as u32;
        let (mut peer_times, mut our_times) = (Vec::new(), vec![Vec::new(); self.backends.len()]);
        let start = ThreadTime::now();
        while peer_times.len() < 2 * GROUP || start.elapsed().as_millis() < 1500 && peer_times.len() < 200 {
            peer_times.push(nanoseconds(repeat, &|| drop(black_box(peer()))));
            let mut our_times = our_times.iter_mut();
            on_each(&self.backends, |_| {
                let times = our_times.next().expect("a list for each backend");
                times.push(nanoseconds(repeat, &|| drop(black_box(ours()))));
            });
        }
        let peer = least_median(&peer_times);
        println!("{name}: peer {:.2} us", peer / 1e3);
        for (id, times) in self.backends.iter().zip(our_times) {
            let least = least_median(&times);
            let bar = match id {
                BackendId::Ifma => bars.0,
                BackendId::Avx2 => bars.1,
                _ => None,
            };
            let bar = bar.map_or(String::new(), |bar| {
                format!("  {} {bar:.3}", if least > bar * peer { "MISSED" } else { "passed" })
            });
            let name = id.name();
            println!("    {name:<9} {:>10.2} us {:>6.3} ({:.1}x){bar}", least / 1e3, least / peer, peer / least);
        }
    }
}

/// Measurements of which the median is taken before the least.
const GROUP: usize = 5;

/// CPU time of one of `repeat` calls, after another that brings back caches and predictions.
fn nanoseconds(repeat: u32, work: &dyn Fn()) -> f64 {
    work();
    let start = ThreadTime::now();
    (0..repeat).for_each(|_| work());
    start.elapsed().as_nanos() as f64 / f64::from(repeat)
}

/// The least of the medians of [`GROUP`] measurements in a row.
fn least_median(times: &[f64]) -> f64 {
    let median = |times: &[f64]| {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    times.chunks_exact(GROUP).map(median).fold(f64::INFINITY, f64::min)
}

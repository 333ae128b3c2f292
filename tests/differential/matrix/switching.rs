//! The choice of backend changes while others compute: results don't.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{compress_batch, decompress_batch_strict, monero_hash_to_point_batch, x25519_batch};

use super::super::common::{Random, forcing};
use super::super::inputs::{as_they_stand, integers, points};

#[test]
fn choices_change_under_running_work() {
    const THREADS: u64 = 8;
    let during = Duration::from_millis(if cfg!(debug_assertions) { 300 } else { 2000 });
    let (switches, rounds) = (AtomicUsize::new(0), AtomicUsize::new(0));
    forcing(|| {
        let end = Instant::now() + during;
        thread::scope(|scope| {
            for seed in 0..THREADS {
                let rounds = &rounds;
                scope.spawn(move || {
                    let mut random = Random(seed);
                    let count = 9 + 7 * seed as usize;
                    let integers = integers(&mut random, count);
                    let (scalars, points) = (as_they_stand(&integers), points(&mut random, count));
                    let points: Vec<_> = points.iter().map(|p| p.ours).collect();
                    let half = count / 2;
                    let all = || {
                        let encodings = compress_batch(&points);
                        let table = StaticPoints::new(&points[..half]);
                        (
                            msm::vartime(&scalars, &points).unwrap(),
                            table.mixed_vartime(&scalars[..half], &scalars[half..], &points[half..]).unwrap(),
                            msm::constant_time(&scalars, &points).unwrap(),
                            msm::mul_batch(&scalars, &points).unwrap(),
                            (msm::mul_base_batch(&scalars), monero_hash_to_point_batch(&encodings)),
                            decompress_batch_strict(&encodings).expect("points"),
                            x25519_batch(&integers, &encodings),
                        )
                    };
                    let first = all();
                    assert!(first.0 == first.1 && first.0 == first.2 && first.5 == points);
                    while Instant::now() < end {
                        assert!(all() == first, "a result changed");
                        rounds.fetch_add(1, Relaxed);
                    }
                });
            }
            let detected: Vec<BackendId> = BackendId::ALL.iter().copied().filter(|id| id.is_detected()).collect();
            let mut random = Random(99);
            while Instant::now() < end {
                cpu::force(None).expect("always allowed");
                if random.below(2) == 0 {
                    cpu::force(Some(detected[random.below(detected.len())])).expect("a detected backend");
                } else {
                    let mut away = detected.clone();
                    away.retain(|id| *id != BackendId::Portable && random.below(2) == 0);
                    cpu::disable(&away).expect("none is forced");
                }
                cpu::keep_secrets_off_floating_point(switches.fetch_add(1, Relaxed) % 3 == 0);
                thread::sleep(Duration::from_micros(200));
                // What is forced must not have been taken away.
                cpu::force(None).expect("always allowed");
                cpu::disable(&[]).expect("giving back is always allowed");
            }
        });
        cpu::keep_secrets_off_floating_point(false);
    });
    println!(
        "{} changes of the choice during {} rounds on {THREADS} threads",
        switches.into_inner(),
        rounds.into_inner()
    );
}

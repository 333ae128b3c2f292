//! What the benches share: a clock, inputs equal on both sides, a walk over the backends.

// Each bench uses its own part of this.
#![allow(dead_code)]

pub(crate) mod compare;

use std::time::Duration;

use cpu_time::ThreadTime;
use criterion::Criterion;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::{EdwardsPoint, Scalar, decompress_batch_strict};

/// How the peer is built; its own build script decides on AVX2 or not at run time unless told.
pub(crate) const PEER: &str = if cfg!(curve25519_dalek_backend = "serial") {
    "curve25519-dalek 5, cfg serial"
} else if cfg!(curve25519_dalek_backend = "fiat") {
    "curve25519-dalek 5, cfg fiat"
} else {
    "curve25519-dalek 5, default build"
};

/// Criterion's clock, running only while the thread does.
pub(crate) struct ThreadClock;

impl Measurement for ThreadClock {
    type Intermediate = ThreadTime;
    type Value = Duration;
    fn start(&self) -> ThreadTime {
        ThreadTime::now()
    }
    fn end(&self, start: ThreadTime) -> Duration {
        start.elapsed()
    }
    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }
    fn zero(&self) -> Duration {
        Duration::ZERO
    }
    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

/// Runs the groups of one bench program, backends chosen as `LANES_BACKEND` and `LANES_DISABLE` say.
pub(crate) fn run(groups: &[fn(&mut Criterion<ThreadClock>)]) {
    one_thread();
    cpu::init_from_env().expect("LANES_BACKEND and LANES_DISABLE name available backends");
    println!("peer: {PEER}");
    let mut criterion = Criterion::default()
        .with_measurement(ThreadClock)
        .sample_size(20)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .configure_from_args();
    groups.iter().for_each(|group| group(&mut criterion));
    Criterion::default().configure_from_args().final_summary();
}

/// The clock is that of one thread.
pub(crate) fn one_thread() {
    if cfg!(feature = "parallel") {
        panic!("work on other threads isn't counted: run without feature `parallel`");
    }
}

/// The backends to measure: the forced one, or all that are available.
pub(crate) fn backends() -> Vec<BackendId> {
    match BackendId::forced() {
        Some(id) => vec![id],
        None => BackendId::available().collect(),
    }
}

/// Calls `measure` with each of `backends` forced, and gives the choice back.
pub(crate) fn on_each(backends: &[BackendId], mut measure: impl FnMut(BackendId)) {
    let before = BackendId::forced();
    for &id in backends {
        cpu::force(Some(id)).expect("an available backend");
        measure(id);
    }
    cpu::force(before).expect("what was forced before");
}

/// Repeatable randomness: what is secret in a bench?
pub(crate) struct Counter(pub(crate) u64);

impl rand_core::TryRng for Counter {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|x| x as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Ok(self.0 ^ self.0 >> 29)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Counter {}

/// Points of the prime-order subgroup and scalars below l, the same on both sides. Points come from decoding, as
/// callers have them.
pub(crate) struct Inputs {
    pub(crate) encodings: Vec<[u8; 32]>,
    pub(crate) points: Vec<EdwardsPoint>,
    pub(crate) peer_points: Vec<dalek::EdwardsPoint>,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) peer_scalars: Vec<dalek::Scalar>,
}

impl Inputs {
    pub(crate) fn new(count: usize) -> Inputs {
        let mut state = 1u64;
        let mut word = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state ^ state >> 29).to_le_bytes()
        };
        let peer_scalars: Vec<dalek::Scalar> = (0..count)
            .map(|_| {
                let mut bytes = [0; 32];
                bytes.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&word()));
                dalek::Scalar::from_bytes_mod_order(bytes)
            })
            .collect();
        let step = dalek::EdwardsPoint::mul_base(&dalek::Scalar::from(987_654_321_u64));
        let mut point = dalek::constants::ED25519_BASEPOINT_POINT;
        let multiples: Vec<dalek::EdwardsPoint> = (0..count)
            .map(|_| {
                point += step;
                point
            })
            .collect();
        let compressed = dalek::EdwardsPoint::compress_batch_alloc(&multiples);
        let encodings: Vec<[u8; 32]> = compressed.iter().map(|c| c.0).collect();
        Inputs {
            points: decompress_batch_strict(&encodings).expect("encodings of points"),
            peer_points: compressed.iter().map(|c| c.decompress().expect("an encoding of a point")).collect(),
            scalars: peer_scalars.iter().map(|k| Scalar::from_bytes_mod_order(k.to_bytes())).collect(),
            encodings,
            peer_scalars,
        }
    }

    /// The bytes of the scalars.
    pub(crate) fn scalar_bytes(&self) -> Vec<[u8; 32]> {
        self.scalars.iter().map(Scalar::to_bytes).collect()
    }
}

/// The encodings of the peer's points.
pub(crate) fn peer_encodings(points: &[dalek::EdwardsPoint]) -> Vec<[u8; 32]> {
    points.iter().map(|p| p.compress().0).collect()
}

//! Multi-scalar multiplication: `layer/op/backend/size`, curve25519-dalek beside. CPU time of the thread; results are
//! compared before they are timed.
//!
//! `LANES_BENCH_LARGE=1` adds the sizes above 1024.

mod common;

use std::hint::black_box;

use common::{Inputs, ThreadClock, backends, on_each};
use criterion::{BenchmarkId, Criterion, Throughput};
use curve25519_dalek as dalek;
use curve25519_lanes::msm::{self, StaticPoints};
use dalek::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};

/// 190 is where the peer changes its algorithm.
const VARTIME: [usize; 15] = [1, 2, 4, 8, 16, 32, 64, 128, 189, 190, 256, 384, 512, 768, 1024];
const LARGE: [usize; 3] = [4096, 16384, 65536];
const CONSTANT_TIME: [usize; 11] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const STATIC: [usize; 7] = [1, 4, 16, 64, 128, 256, 1024];

fn main() {
    common::run(&[vartime, constant_time, static_points, static_tables]);
}

fn vartime(criterion: &mut Criterion<ThreadClock>) {
    let mut sizes = VARTIME.to_vec();
    if std::env::var_os("LANES_BENCH_LARGE").is_some_and(|value| value == "1") {
        sizes.extend(LARGE);
    }
    let inputs = Inputs::new(sizes[sizes.len() - 1]);
    let mut group = criterion.benchmark_group("msm/vartime");
    for n in sizes {
        group.throughput(Throughput::Elements(n as u64));
        let peer = || dalek::EdwardsPoint::vartime_multiscalar_mul(&inputs.peer_scalars[..n], &inputs.peer_points[..n]);
        let expected = peer().compress().0;
        let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
        on_each(&backends(), |id| {
            assert_eq!(msm::vartime(scalars, points).unwrap().compress().0, expected);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| msm::vartime(black_box(scalars), black_box(points)));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| bench.iter(peer));
    }
    group.finish();
}

fn constant_time(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(1024);
    let mut group = criterion.benchmark_group("msm/constant-time");
    for n in CONSTANT_TIME {
        group.throughput(Throughput::Elements(n as u64));
        let peer = || dalek::EdwardsPoint::multiscalar_mul(&inputs.peer_scalars[..n], &inputs.peer_points[..n]);
        let expected = peer().compress().0;
        let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
        on_each(&backends(), |id| {
            assert_eq!(msm::constant_time(scalars, points).unwrap().compress().0, expected);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| msm::constant_time(black_box(scalars), black_box(points)));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| bench.iter(peer));
    }
    group.finish();
}

/// All points known beforehand.
fn static_points(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(1024);
    let mut group = criterion.benchmark_group("msm/static");
    for n in STATIC {
        group.throughput(Throughput::Elements(n as u64));
        let peer = dalek::edwards::VartimeEdwardsPrecomputation::new(&inputs.peer_points[..n]);
        let expected = peer.vartime_multiscalar_mul(&inputs.peer_scalars[..n]).compress().0;
        let scalars = &inputs.scalars[..n];
        on_each(&backends(), |id| {
            let table = StaticPoints::new(&inputs.points[..n]);
            assert_eq!(table.mixed_vartime(scalars, &[], &[]).unwrap().compress().0, expected);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| table.mixed_vartime(black_box(scalars), &[], &[]));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| peer.vartime_multiscalar_mul(black_box(&inputs.peer_scalars[..n])));
        });
    }
    group.finish();
}

/// What the tables cost once.
fn static_tables(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(256);
    let mut group = criterion.benchmark_group("msm/static-tables");
    for n in [1, 16, 256] {
        group.throughput(Throughput::Elements(n as u64));
        on_each(&backends(), |id| {
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| StaticPoints::new(black_box(&inputs.points[..n])));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| dalek::edwards::VartimeEdwardsPrecomputation::new(black_box(&inputs.peer_points[..n])));
        });
    }
    group.finish();
}

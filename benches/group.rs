//! Products of points and scalars side by side, constant-time: `layer/op/backend/size`, curve25519-dalek beside. CPU
//! time of the thread; results are compared before they are timed.

mod common;

use std::hint::black_box;

use common::{Inputs, ThreadClock, backends, on_each, peer_encodings};
use criterion::{BenchmarkId, Criterion, Throughput};
use curve25519_dalek as dalek;
use curve25519_lanes::{EdwardsPoint, compress_batch, msm};

const SIZES: [usize; 3] = [1, 8, 64];

fn main() {
    common::run(&[variable_base, fixed_base, single]);
}

fn variable_base(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    let products: Vec<_> = inputs.peer_scalars.iter().zip(&inputs.peer_points).map(|(k, p)| k * p).collect();
    let expected = peer_encodings(&products);
    let mut group = criterion.benchmark_group("msm/variable-base");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
        on_each(&backends(), |id| {
            assert_eq!(compress_batch(&msm::mul_batch(scalars, points).unwrap()), expected[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| msm::mul_batch(black_box(scalars), black_box(points)));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| {
                for (k, p) in inputs.peer_scalars[..n].iter().zip(&inputs.peer_points) {
                    black_box(black_box(k) * black_box(p));
                }
            });
        });
    }
    group.finish();
}

fn fixed_base(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    let products: Vec<_> = inputs.peer_scalars.iter().map(dalek::EdwardsPoint::mul_base).collect();
    let expected = peer_encodings(&products);
    let mut group = criterion.benchmark_group("msm/fixed-base");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        let scalars = &inputs.scalars[..n];
        on_each(&backends(), |id| {
            assert_eq!(compress_batch(&msm::mul_base_batch(scalars)), expected[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| msm::mul_base_batch(black_box(scalars)));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| {
                for k in &inputs.peer_scalars[..n] {
                    black_box(dalek::EdwardsPoint::mul_base(black_box(k)));
                }
            });
        });
    }
    group.finish();
}

/// The operators that take one scalar; `chosen` is the backend they would choose.
fn single(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(1);
    let (k, p) = (inputs.scalars[0], inputs.points[0]);
    let (peer_k, peer_p) = (inputs.peer_scalars[0], inputs.peer_points[0]);
    let mut group = criterion.benchmark_group("msm/single-variable-base");
    let mut measure = |name: &str| {
        assert_eq!((k * p).compress().0, (peer_k * peer_p).compress().0);
        group.bench_function(BenchmarkId::new(name, 1), |bench| bench.iter(|| black_box(&k) * black_box(&p)));
    };
    on_each(&backends(), |id| measure(id.name()));
    measure("chosen");
    group.bench_function(BenchmarkId::new("dalek", 1), |bench| bench.iter(|| black_box(&peer_k) * black_box(&peer_p)));
    group.finish();
    let mut group = criterion.benchmark_group("msm/single-fixed-base");
    let mut measure = |name: &str| {
        assert_eq!(EdwardsPoint::mul_base(&k).compress().0, dalek::EdwardsPoint::mul_base(&peer_k).compress().0);
        group.bench_function(BenchmarkId::new(name, 1), |bench| bench.iter(|| EdwardsPoint::mul_base(black_box(&k))));
    };
    on_each(&backends(), |id| measure(id.name()));
    measure("chosen");
    group.bench_function(BenchmarkId::new("dalek", 1), |bench| {
        bench.iter(|| dalek::EdwardsPoint::mul_base(black_box(&peer_k)));
    });
    group.finish();
}

//! Scalars, encodings and X25519: `layer/op/backend/size`, curve25519-dalek and x25519-dalek beside. CPU time of the
//! thread; results are compared before they are timed.

mod common;

use std::hint::black_box;

use common::{Inputs, ThreadClock, backends, on_each, peer_encodings};
use criterion::{BenchmarkId, Criterion, Throughput};
use curve25519_dalek as dalek;
use curve25519_lanes::{
    RistrettoPoint, Scalar, compress_batch, compress_batch_ristretto, decompress_batch_ristretto,
    decompress_batch_strict, x25519_batch,
};

/// One point, lanes half filled, filled, and one too many, up to eight vectors of eight.
const SIZES: [usize; 12] = [1, 2, 4, 5, 8, 9, 16, 17, 24, 32, 48, 64];

fn main() {
    common::run(&[scalars, decompress, compress, ristretto, x25519]);
}

/// Scalars have no backends.
fn scalars(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    let (a, b) = (inputs.scalars[0], inputs.scalars[1]);
    let (x, y) = (inputs.peer_scalars[0], inputs.peer_scalars[1]);
    assert_eq!((a * b).to_bytes(), (x * y).to_bytes());
    assert_eq!(a.invert().to_bytes(), x.invert().to_bytes());
    let mut group = criterion.benchmark_group("field/scalar-mul");
    group.bench_function(BenchmarkId::new("any", 1), |bench| bench.iter(|| black_box(&a) * black_box(&b)));
    group.bench_function(BenchmarkId::new("dalek", 1), |bench| bench.iter(|| black_box(&x) * black_box(&y)));
    group.finish();
    let mut group = criterion.benchmark_group("field/scalar-invert");
    group.bench_function(BenchmarkId::new("any", 1), |bench| bench.iter(|| black_box(&a).invert()));
    group.bench_function(BenchmarkId::new("dalek", 1), |bench| bench.iter(|| black_box(&x).invert()));
    group.bench_function(BenchmarkId::new("any", 64), |bench| {
        bench.iter(|| {
            let mut scalars = inputs.scalars.clone();
            Scalar::batch_invert(&mut scalars);
            scalars
        });
    });
    group.bench_function(BenchmarkId::new("dalek", 64), |bench| {
        bench.iter(|| {
            let mut scalars = inputs.peer_scalars.clone();
            dalek::Scalar::invert_batch_alloc(&mut scalars);
            scalars
        });
    });
    group.finish();
}

fn decompress(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    let peer: Vec<_> = inputs.encodings.iter().map(|e| dalek::edwards::CompressedEdwardsY(*e)).collect();
    let mut group = criterion.benchmark_group("group/decompress");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        on_each(&backends(), |id| {
            assert_eq!(decompress_batch_strict(&inputs.encodings[..n]).unwrap(), inputs.points[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| decompress_batch_strict(black_box(&inputs.encodings[..n])));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| {
                for e in &peer[..n] {
                    black_box(black_box(e).decompress());
                }
            });
        });
    }
    group.finish();
}

fn compress(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    // A caller encodes what he computed: Z is anything.
    let points: Vec<_> = inputs.points.iter().map(|p| p.double()).collect();
    let peer: Vec<_> = inputs.peer_points.iter().map(|p| p + p).collect();
    let expected = peer_encodings(&peer);
    let mut group = criterion.benchmark_group("group/compress");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        on_each(&backends(), |id| {
            assert_eq!(compress_batch(&points[..n]), expected[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| compress_batch(black_box(&points[..n])));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| dalek::EdwardsPoint::compress_batch_alloc(black_box(&peer[..n])));
        });
        group.bench_function(BenchmarkId::new("dalek-singly", n), |bench| {
            bench.iter(|| {
                for p in &peer[..n] {
                    black_box(black_box(p).compress());
                }
            });
        });
    }
    group.finish();
}

fn ristretto(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    let points: Vec<_> = inputs.scalars.iter().map(RistrettoPoint::mul_base).collect();
    let peer: Vec<_> = inputs.peer_scalars.iter().map(dalek::RistrettoPoint::mul_base).collect();
    let compressed: Vec<_> = peer.iter().map(|p| p.compress()).collect();
    let encodings: Vec<[u8; 32]> = compressed.iter().map(|c| c.0).collect();
    let mut group = criterion.benchmark_group("group/ristretto-decompress");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        on_each(&backends(), |id| {
            assert_eq!(decompress_batch_ristretto(&encodings[..n]).unwrap(), points[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| decompress_batch_ristretto(black_box(&encodings[..n])));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| {
                for e in &compressed[..n] {
                    black_box(black_box(e).decompress());
                }
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("group/ristretto-compress");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        on_each(&backends(), |id| {
            assert_eq!(compress_batch_ristretto(&points[..n]), encodings[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| compress_batch_ristretto(black_box(&points[..n])));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| {
                for p in &peer[..n] {
                    black_box(black_box(p).compress());
                }
            });
        });
    }
    group.finish();
}

fn x25519(criterion: &mut Criterion<ThreadClock>) {
    let inputs = Inputs::new(64);
    let (secrets, publics) = (inputs.scalar_bytes(), &inputs.encodings);
    let expected: Vec<[u8; 32]> = secrets.iter().zip(publics).map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect();
    let mut group = criterion.benchmark_group("group/x25519");
    for n in SIZES {
        group.throughput(Throughput::Elements(n as u64));
        on_each(&backends(), |id| {
            assert_eq!(x25519_batch(&secrets[..n], &publics[..n]), expected[..n]);
            group.bench_function(BenchmarkId::new(id.name(), n), |bench| {
                bench.iter(|| x25519_batch(black_box(&secrets[..n]), black_box(&publics[..n])));
            });
        });
        group.bench_function(BenchmarkId::new("dalek", n), |bench| {
            bench.iter(|| {
                for (k, u) in secrets[..n].iter().zip(&publics[..n]) {
                    black_box(x25519_dalek::x25519(*black_box(k), *black_box(u)));
                }
            });
        });
    }
    group.finish();
}

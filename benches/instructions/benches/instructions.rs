//! Instruction counts under Valgrind, each below a bound: 3 % above what it was when the bound was written.
//!
//! ```sh
//! cargo install gungraun-runner --version 0.20.0
//! cargo bench -p lanes-instructions
//! ```
//!
//! A count above its bound: if the change is worth it, write the new count, raised by 3 %, in place of the bound; the
//! counts are the lines `Instructions`. A count well below: write it, too, so that the gain is kept. Counts differ between
//! compilers; these are of the one that CI has. `amd64-64` and `ifma` need instructions that Valgrind does not have.

#![allow(missing_docs, reason = "the macros make public modules")]

use std::hint::black_box;

use curve25519_lanes::proofs::bulletproofs_plus::monero::{RangeProof, verify};
use curve25519_lanes::{EdwardsPoint, compress_batch, decompress_batch_strict, msm, x25519};
use gungraun::prelude::*;
use gungraun::{Callgrind, EventKind};
use lanes_instructions::{Inputs, inputs, range_proof};

/// At most this many instructions.
fn at_most(instructions: u64) -> LibraryBenchmarkConfig {
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(Callgrind::with_args(["--cache-sim=no"]).hard_limits([(EventKind::Ir, instructions)]));
    config
}

// 64 points decoded.
#[library_benchmark(setup = inputs)]
#[bench::portable(args = ("portable", 64), config = at_most(2_720_000))]
#[bench::amd64_51(args = ("amd64-51", 64), config = at_most(2_730_000))]
#[bench::avx2(args = ("avx2", 64), config = at_most(853_000))]
fn decompress(inputs: Option<Inputs>) -> Option<Vec<EdwardsPoint>> {
    decompress_batch_strict(&black_box(&inputs).as_ref()?.encodings).ok()
}

// 64 points encoded.
#[library_benchmark(setup = inputs)]
#[bench::portable(args = ("portable", 64), config = at_most(172_000))]
#[bench::amd64_51(args = ("amd64-51", 64), config = at_most(121_000))]
#[bench::avx2(args = ("avx2", 64), config = at_most(68_300))]
fn compress(inputs: Option<Inputs>) -> Option<Vec<[u8; 32]>> {
    Some(compress_batch(&black_box(&inputs).as_ref()?.points))
}

// A scalar times a point.
#[library_benchmark(setup = inputs)]
#[bench::portable(args = ("portable", 1), config = at_most(585_000))]
#[bench::amd64_51(args = ("amd64-51", 1), config = at_most(447_000))]
#[bench::avx2(args = ("avx2", 1), config = at_most(643_000))]
fn variable_base(inputs: Option<Inputs>) -> Option<EdwardsPoint> {
    let inputs = black_box(&inputs).as_ref()?;
    Some(inputs.scalars[0] * inputs.points[0])
}

// X25519.
#[library_benchmark(setup = inputs)]
#[bench::portable(args = ("portable", 1), config = at_most(501_000))]
#[bench::amd64_51(args = ("amd64-51", 1), config = at_most(414_000))]
#[bench::avx2(args = ("avx2", 1), config = at_most(619_000))]
fn exchange(inputs: Option<Inputs>) -> Option<[u8; 32]> {
    let inputs = black_box(&inputs).as_ref()?;
    Some(x25519(&inputs.scalars[0].to_bytes(), &inputs.encodings[0]))
}

// A sum by Straus's method.
#[library_benchmark(setup = inputs)]
#[bench::portable(args = ("portable", 32), config = at_most(4_910_000))]
#[bench::amd64_51(args = ("amd64-51", 32), config = at_most(3_800_000))]
#[bench::avx2(args = ("avx2", 32), config = at_most(1_540_000))]
fn straus(inputs: Option<Inputs>) -> Option<EdwardsPoint> {
    let inputs = black_box(&inputs).as_ref()?;
    msm::vartime(&inputs.scalars, &inputs.points).ok()
}

// A sum by Pippenger's method.
#[library_benchmark(setup = inputs)]
#[bench::portable(args = ("portable", 1024), config = at_most(73_900_000))]
#[bench::amd64_51(args = ("amd64-51", 1024), config = at_most(58_800_000))]
#[bench::avx2(args = ("avx2", 1024), config = at_most(22_200_000))]
fn pippenger(inputs: Option<Inputs>) -> Option<EdwardsPoint> {
    let inputs = black_box(&inputs).as_ref()?;
    msm::vartime(&inputs.scalars, &inputs.points).ok()
}

// A range proof on two outputs verified.
#[library_benchmark(setup = range_proof)]
#[bench::portable(args = ("portable"), config = at_most(19_300_000))]
#[bench::amd64_51(args = ("amd64-51"), config = at_most(15_400_000))]
#[bench::avx2(args = ("avx2"), config = at_most(6_440_000))]
fn range(proof: Option<(Vec<[u8; 32]>, RangeProof)>) -> Option<bool> {
    let (commitments, proof) = black_box(&proof).as_ref()?;
    Some(verify(commitments, proof).is_ok())
}

library_benchmark_group!(
    name = counts,
    benchmarks = [decompress, compress, variable_base, exchange, straus, pippenger, range]
);
main!(library_benchmark_groups = counts);

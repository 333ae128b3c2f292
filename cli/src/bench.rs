//! `lanes bench`: tables of times on this machine.

use curve25519_lanes::hash::blake2b_256;
use curve25519_lanes::tx::mantle::{Variant, tx_hash};
use serde::Serialize;

use crate::OK;
use crate::clock::{least, micros};
use crate::output::{Output, Unusable};

#[derive(clap::Subcommand)]
pub(crate) enum Group {
    /// The Mantle transaction hash by payload size: every variant, and the ratios the RFC compares
    #[command(after_help = "Example:\n  lanes bench mantle\n  lanes bench mantle --json | jq .ratio_a2_r")]
    Mantle(Args),
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

const PAYLOADS: [usize; 9] = [64, 256, 1 << 10, 1 << 12, 1 << 16, 1 << 19, 1 << 20, 1 << 21, 1 << 22];
const VARIANTS: [Variant; 5] = [Variant::A, Variant::A2, Variant::R, Variant::B, Variant::C];

/// One size; times in nanoseconds of CPU time, the least of several runs.
#[derive(Serialize)]
struct Row {
    payload: usize,
    blake2b: u64,
    a: u64,
    a2: u64,
    r: u64,
    b: u64,
    c: u64,
    ratio_a2_r: f64,
    ratio_r_blake2b: f64,
    ratio_b_blake2b: f64,
}

pub(crate) fn run(group: &Group, out: &mut Output) -> Result<u8, Unusable> {
    let Group::Mantle(args) = group;
    if !args.json {
        out.line("Mantle transaction hash, microseconds of CPU time (least of several runs)")?;
        out.line(format_args!(
            "{:>8} {:>10} {:>11} {:>11} {:>10} {:>10} {:>10} {:>7} {:>9} {:>9}",
            "bytes", "BLAKE2b", "A", "A2", "R", "B", "C", "A2/R", "R/BLAKE2b", "B/BLAKE2b"
        ))?;
    }
    for payload in PAYLOADS {
        let row = measure(payload);
        if args.json {
            out.json(&row)?;
            continue;
        }
        let [blake2b, a, a2, r, b, c] = [row.blake2b, row.a, row.a2, row.r, row.b, row.c].map(micros);
        out.line(format_args!(
            "{payload:>8} {blake2b:>10.2} {a:>11.2} {a2:>11.2} {r:>10.2} {b:>10.2} {c:>10.2} {:>7.1} {:>9.3} {:>9.3}",
            row.ratio_a2_r, row.ratio_r_blake2b, row.ratio_b_blake2b
        ))?;
    }
    Ok(OK)
}

fn measure(payload: usize) -> Row {
    let bytes: Vec<u8> = (0..payload).map(|i| (i * 131 + (i >> 8)) as u8).collect();
    let blake2b = least(|| blake2b_256(&bytes));
    let [a, a2, r, b, c] = VARIANTS.map(|variant| least(|| tx_hash(variant, &bytes)));
    let ratio = |x: u64, y: u64| x as f64 / y as f64;
    Row {
        payload,
        blake2b,
        a,
        a2,
        r,
        b,
        c,
        ratio_a2_r: ratio(a2, r),
        ratio_r_blake2b: ratio(r, blake2b),
        ratio_b_blake2b: ratio(b, blake2b),
    }
}

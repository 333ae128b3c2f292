//! `lanes mock-tx`: makes a batch of mock transactions of the Seraphis study and verifies it.

use std::time::Instant;

use clap::ValueEnum;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::{clsag, seraphis, triptych};
use serde::Serialize;

use crate::OK;
use crate::output::{Output, Unusable};
use crate::prove::Stream;

/// The most ring members of all transactions together: some hundred bytes each.
const MAX_MEMBERS: usize = 1 << 21;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Clsag,
    Triptych,
    SpConcise,
    SpPlain,
    SpMerge,
    SpSquashed,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The kind of the transactions
    #[arg(long = "type", value_name = "TYPE")]
    kind: Kind,
    /// Inputs of each
    #[arg(long, default_value_t = 2)]
    inputs: usize,
    /// Outputs of each
    #[arg(long, default_value_t = 2)]
    outputs: usize,
    /// Rings have n^m members
    #[arg(short, default_value_t = 2)]
    n: usize,
    /// Rings have n^m members
    #[arg(short, default_value_t = 7)]
    m: usize,
    /// How many times the range proof is split
    #[arg(long, default_value_t = 0)]
    splits: usize,
    /// Transactions
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    batch: u64,
    /// Make the same transactions every time [default: the system's random generator]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    transactions: u64,
    bytes: usize,
    making_seconds: f64,
    seconds: f64,
    seconds_per_transaction: f64,
    backend: &'static str,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let Args { kind, inputs, outputs, n, m, splits, batch, seed, json } = *args;
    let shape = Shape::new(n, m).map_err(|error| Unusable::new(error.to_string()))?;
    let members = shape.ring_size().saturating_mul(inputs).saturating_mul(usize::try_from(batch).unwrap_or(usize::MAX));
    if members > MAX_MEMBERS {
        return Err(Unusable::new(format!("rings of {members} members together, at most {MAX_MEMBERS} are made")));
    }
    let mut rng = Stream::new(b"lanes mock-tx", 0, &[inputs, outputs, n, m, splits].map(|x| x as u64), seed)?;
    let mut ledger = MemoryLedger::new();
    let start = Instant::now();
    let unusable = |error: &dyn std::fmt::Display| Unusable::new(error.to_string());
    // The kinds' builders and validators are alike in name only.
    macro_rules! batch {
        ($module:ident, $mock:expr) => {{
            let mock = $mock;
            let txs: Result<Vec<_>, _> = (0..batch).map(|_| mock.build(&mut ledger, &mut rng)).collect();
            let txs = txs.map_err(|error| unusable(&error))?;
            // Tables are built when first needed: not in the time of the batch.
            $module::verify(&txs[0], &ledger).map_err(|error| unusable(&error))?;
            let made = Instant::now();
            $module::verify_batch(&txs, &ledger).map_err(|error| unusable(&error))?;
            (txs[0].size(), made - start, made.elapsed())
        }};
    }
    let seraphis = |kind| seraphis::Mock { kind, shape, inputs, outputs, splits };
    let (bytes, making, verifying) = match kind {
        Kind::Clsag => batch!(clsag, clsag::Mock { ring_size: shape.ring_size(), inputs, outputs, splits }),
        Kind::Triptych => batch!(triptych, triptych::Mock { shape, inputs, outputs, splits }),
        Kind::SpConcise => batch!(seraphis, seraphis(seraphis::Kind::Concise)),
        Kind::SpPlain => batch!(seraphis, seraphis(seraphis::Kind::Plain)),
        Kind::SpMerge => batch!(seraphis, seraphis(seraphis::Kind::Merge)),
        Kind::SpSquashed => batch!(seraphis, seraphis(seraphis::Kind::Squashed)),
    };
    let report = Report {
        transactions: batch,
        bytes,
        making_seconds: making.as_secs_f64(),
        seconds: verifying.as_secs_f64(),
        seconds_per_transaction: verifying.as_secs_f64() / batch as f64,
        backend: BackendId::current().name(),
    };
    if json {
        out.json(&report)?;
    } else {
        out.line(format_args!(
            "{batch} transactions of {bytes} bytes: all valid\n\
             {:.2} ms in one batch, {:.1} µs each (after {:.0} ms for making them and tables), backend {}",
            report.seconds * 1e3,
            report.seconds_per_transaction * 1e6,
            report.making_seconds * 1e3,
            report.backend
        ))?;
    }
    Ok(OK)
}

//! `lanes mock-tx`: makes a batch of mock transactions of the Seraphis study and verifies it.

use std::time::Instant;

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::{clsag, seraphis, triptych};
use rand_core::CryptoRng;
use serde::Serialize;

use crate::OK;
use crate::bench::experiments::{Case, Protocol};
use crate::output::{Output, Unusable};
use crate::prove::Stream;

/// The most ring members of all transactions together: some hundred bytes each.
const MAX_MEMBERS: usize = 1 << 21;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The kind of the transactions
    #[arg(long = "type", value_name = "TYPE")]
    protocol: Protocol,
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

/// Valid transactions, and the ledger that they spend from.
pub(crate) struct Batch {
    txs: Transactions,
    ledger: MemoryLedger,
}

enum Transactions {
    Clsag(Vec<clsag::Transaction>),
    Triptych(Vec<triptych::Transaction>),
    Seraphis(Vec<seraphis::Transaction>),
}

impl Batch {
    /// Makes them, no two of which spend the same.
    pub(crate) fn new(case: &Case, rng: &mut impl CryptoRng) -> Result<Batch, Unusable> {
        let Case { protocol, n, m, inputs, outputs, splits, batch } = *case;
        let ring_size = u32::try_from(m).ok().and_then(|m| n.checked_pow(m)).unwrap_or(usize::MAX);
        let members = ring_size.saturating_mul(inputs).saturating_mul(batch);
        if members > MAX_MEMBERS {
            return Err(Unusable::new(format!("rings of {members} members together, at most {MAX_MEMBERS} are made")));
        }
        let shape = || Shape::new(n, m).map_err(unusable);
        let mut ledger = MemoryLedger::new();
        let seraphis = |kind| Ok(seraphis::Mock { kind, shape: shape()?, inputs, outputs, splits });
        let mock = match protocol {
            Protocol::Clsag => {
                let mock = clsag::Mock { ring_size, inputs, outputs, splits };
                let txs =
                    (0..batch).map(|_| mock.build(&mut ledger, rng).map_err(unusable)).collect::<Result<_, _>>()?;
                return Ok(Batch { txs: Transactions::Clsag(txs), ledger });
            }
            Protocol::Triptych => {
                let mock = triptych::Mock { shape: shape()?, inputs, outputs, splits };
                let txs =
                    (0..batch).map(|_| mock.build(&mut ledger, rng).map_err(unusable)).collect::<Result<_, _>>()?;
                return Ok(Batch { txs: Transactions::Triptych(txs), ledger });
            }
            Protocol::Concise => seraphis(seraphis::Kind::Concise)?,
            Protocol::Merge => seraphis(seraphis::Kind::Merge)?,
            Protocol::Squashed => seraphis(seraphis::Kind::Squashed)?,
            Protocol::Plain => seraphis(seraphis::Kind::Plain)?,
        };
        let txs = (0..batch).map(|_| mock.build(&mut ledger, rng).map_err(unusable)).collect::<Result<_, _>>()?;
        Ok(Batch { txs: Transactions::Seraphis(txs), ledger })
    }

    /// Verifies the first so many together.
    pub(crate) fn verify(&self, count: usize) -> Result<(), Unusable> {
        match &self.txs {
            Transactions::Clsag(txs) => clsag::verify_batch(&txs[..count], &self.ledger).map_err(unusable),
            Transactions::Triptych(txs) => triptych::verify_batch(&txs[..count], &self.ledger).map_err(unusable),
            Transactions::Seraphis(txs) => seraphis::verify_batch(&txs[..count], &self.ledger).map_err(unusable),
        }
    }

    /// Bytes of one.
    pub(crate) fn size(&self) -> usize {
        match &self.txs {
            Transactions::Clsag(txs) => txs[0].size(),
            Transactions::Triptych(txs) => txs[0].size(),
            Transactions::Seraphis(txs) => txs[0].size(),
        }
    }
}

fn unusable(error: impl std::fmt::Display) -> Unusable {
    Unusable::new(error.to_string())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let Args { protocol, inputs, outputs, n, m, splits, batch, seed, json } = *args;
    let count = usize::try_from(batch).map_err(unusable)?;
    let case = Case { protocol, n, m, inputs, outputs, splits, batch: count };
    let mut rng = Stream::new(b"lanes mock-tx", 0, &[inputs, outputs, n, m, splits].map(|x| x as u64), seed)?;
    let start = Instant::now();
    let made = Batch::new(&case, &mut rng)?;
    // Tables are built when first needed: not in the time of the batch.
    made.verify(1)?;
    let begin = Instant::now();
    made.verify(count)?;
    let (making, verifying) = (begin - start, begin.elapsed());
    let report = Report {
        transactions: batch,
        bytes: made.size(),
        making_seconds: making.as_secs_f64(),
        seconds: verifying.as_secs_f64(),
        seconds_per_transaction: verifying.as_secs_f64() / batch as f64,
        backend: BackendId::current().name(),
    };
    if json {
        out.json(&report)?;
    } else {
        out.line(format_args!(
            "{batch} transactions of {} bytes: all valid\n\
             {:.2} ms in one batch, {:.1} µs each (after {:.0} ms for making them and tables), backend {}",
            report.bytes,
            report.seconds * 1e3,
            report.seconds_per_transaction * 1e6,
            report.making_seconds * 1e3,
            report.backend
        ))?;
    }
    Ok(OK)
}

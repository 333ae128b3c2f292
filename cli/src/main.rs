//! `lanes`: the command line of curve25519-lanes.
#![forbid(unsafe_code)]

mod bench;
mod bpplus;
mod cases;
mod clock;
mod clsag;
mod demo;
mod info;
mod made;
mod mock_tx;
mod output;
mod progress;
mod prove;
mod scan;
mod seraphis;
mod seraphis_prove;
mod tari;
mod tari_triptych;
mod transactions;
mod tune;
mod tx_hash;
mod verify;
mod wallet_bench;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use curve25519_lanes::cpu::{self, BackendId};

use crate::output::{Output, Unusable};

/// Exit code: everything asked for holds.
const OK: u8 = 0;
/// Exit code: something asked for does not hold.
const NO: u8 = 1;
/// Exit code: the input, the command line or the machine is not usable; nothing was decided.
const UNUSABLE: u8 = 2;

/// Proofs, signatures and transactions on Curve25519, and what this CPU makes of them.
#[derive(Parser)]
#[command(name = "lanes", version, arg_required_else_help = true)]
#[command(after_help = "\
Exit status: 0 yes, 1 no (a proof is invalid), 2 unusable input or command line.
The environment variables LANES_BACKEND=NAME and LANES_DISABLE=NAME,NAME choose the backend too; \
--backend is the stronger.")]
struct Cli {
    /// Arithmetic backend to use instead of the best one (`lanes info` lists them)
    #[arg(long, global = true, value_name = "NAME")]
    backend: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the CPU, its features, and which backend is chosen and why
    #[command(after_help = "Example:\n  lanes info\n  LANES_DISABLE=ifma lanes info --json")]
    Info(info::Args),
    /// Verify made-up proofs of Monero, Tari and the Seraphis study on every backend, and find the forgeries among them
    #[command(after_help = "Example:\n  lanes demo\n\nExit status: 0 all as it must be, 1 not so.")]
    Demo,
    /// Verify proofs read from JSON files
    #[command(subcommand)]
    Verify(verify::Protocol),
    /// Make proofs to try things with
    #[command(subcommand)]
    Prove(prove::Protocol),
    /// Make a batch of the Seraphis study's mock transactions and verify it
    #[command(
        after_help = "Example:\n  lanes mock-tx --type sp-squashed --batch 25\n  lanes mock-tx --type triptych -n 3 -m 4 --inputs 7"
    )]
    MockTx(mock_tx::Args),
    /// Find the outputs that belong to some Monero wallets
    #[command(after_help = "\
Example:
  lanes scan --keys examples/data/scan_keys.json --txs examples/data/scan_transactions.json --expect

Exit status: 0 scanned (with --expect: as expected), 1 not as expected, 2 unusable input.")]
    Scan(scan::Args),
    /// Measure what scanning for wallets costs, in each known way and by each implementation
    #[command(after_help = "\
Examples:
  lanes wallet-bench
  lanes wallet-bench 1000 2,3,4
  lanes wallet-bench --impl ref10,amd64-64,ifma --json

Exit status: 0 measured, 1 a bad argument or a wrong result.")]
    WalletBench(wallet_bench::Args),
    /// Hash an encoded Mantle transaction
    #[command(
        after_help = "Example:\n  lanes tx-hash --variant C transaction.bin\n  printf abc | lanes tx-hash --variant B --json -"
    )]
    TxHash(tx_hash::Args),
    /// Measure what this CPU does on every backend, beside other implementations
    #[command(after_help = "\
Examples:
  lanes bench
  lanes bench msm mantle --json record.json --html record.html
  LANES_DISABLE=ifma lanes bench group

Exit status: 0 measured (Ctrl-C included: what was measured is printed and written), 1 a wrong result, 2 unusable.
The form of the JSON is described in docs/bench-schema.md.")]
    Bench(bench::Args),
    /// Put records of `lanes bench` side by side, machines or versions of this program; or show one again
    #[command(after_help = "\
Examples:
  lanes compare old.json new.json --html both.html
  lanes compare record.json --html record.html

Exit status: 0 compared, 2 a file that is no record of this schema.")]
    Compare(bench::compare::Args),
    /// Measure what the backends' operations cost here, and whether other plans would be faster
    #[command(after_help = "Example:\n  lanes tune\n  lanes tune --backend avx2 --json")]
    Tune(tune::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe must not turn `lanes --help | head` into a panic.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let mut out = Output::stdout();
    let code = run(&cli, &mut out).and_then(|code| out.finish().map(|()| code));
    ExitCode::from(code.unwrap_or_else(|unusable| {
        output::complain(&unusable);
        UNUSABLE
    }))
}

fn run(cli: &Cli, out: &mut Output) -> Result<u8, Unusable> {
    cpu::init_from_env().map_err(|error| Unusable::new(error.to_string()))?;
    if let Some(name) = &cli.backend {
        BackendId::from_name(name)
            .and_then(|id| cpu::force(Some(id)))
            .map_err(|error| Unusable::new(format!("--backend {}: {error}", output::shown(name))))?;
    }
    match &cli.command {
        Command::Info(args) => info::run(args, cli.backend.is_some(), out),
        Command::Demo => demo::run(out),
        Command::Verify(protocol) => verify::run(protocol, out),
        Command::Prove(protocol) => prove::run(protocol, out),
        Command::MockTx(args) => mock_tx::run(args, out),
        Command::Scan(args) => scan::run(args, out),
        Command::WalletBench(args) => wallet_bench::run(args, out),
        Command::TxHash(args) => tx_hash::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Compare(args) => bench::compare::run(args, out),
        Command::Tune(args) => tune::run(args, out),
    }
}

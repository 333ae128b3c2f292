//! `lanes verify`: one verdict a case, and one answer in the exit status.

use std::time::{Duration, Instant};

use clap::Subcommand;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, MAX_OUTPUTS, Statement};
use serde::Serialize;

use crate::cases::{self, Case};
use crate::output::{Output, Unusable, shown};
use crate::progress::Progress;
use crate::{NO, OK};

#[derive(Subcommand)]
pub(crate) enum Protocol {
    /// Monero's Bulletproofs+ range proofs (RingCT type 6)
    #[command(after_help = "\
Examples:
  lanes verify monero-bpplus examples/data/range_proofs.json
  lanes prove monero-bpplus --amounts 1,2,3 | lanes verify monero-bpplus -

Exit status: 0 all valid (with --expect: all as expected), 1 not so, 2 unusable input.
A file that lacks the form described in the README is unusable. A case of that form whose bytes are no proof \
(a wrong number of commitments or rounds, a bad point or scalar) is invalid.")]
    MoneroBpplus(Args),
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// JSON files with cases; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Compare each verdict with the case's `expected`
    #[arg(long)]
    expect: bool,
    /// Verify and time each proof by itself instead of all in one batch
    #[arg(long)]
    each: bool,
    /// One JSON object a line: verdicts, then the summary
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Verdict(Verdict<'a>),
    Summary(Summary),
    Error { message: String },
}

#[derive(Serialize)]
struct Verdict<'a> {
    file: &'a str,
    case: usize,
    name: Option<&'a str>,
    valid: bool,
    reason: Option<&'a str>,
    /// What the case says of itself; compared only under `--expect`.
    expected: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct Summary {
    proofs: usize,
    valid: usize,
    invalid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    unexpected: Option<usize>,
    batched: bool,
    /// Time to build the generators' tables, once a program; not part of `seconds`.
    setup_seconds: f64,
    seconds: f64,
    seconds_per_proof: f64,
    backend: &'static str,
}

/// The verdicts, in the order of the cases: nothing, or why not. Times are wall time.
struct Outcome {
    faults: Vec<Option<String>>,
    times: Option<Vec<Duration>>,
    total: Duration,
}

pub(crate) fn run(protocol: &Protocol, out: &mut Output) -> Result<u8, Unusable> {
    let Protocol::MoneroBpplus(args) = protocol;
    let result = monero_bpplus(args, out);
    if let (true, Err(unusable)) = (args.json, &result) {
        out.json(&Line::Error { message: unusable.to_string() })?;
        out.finish()?;
    }
    result
}

fn monero_bpplus(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    if args.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Unusable::new("standard input (-) can be read only once"));
    }
    let mut cases = Vec::new();
    for file in &args.files {
        cases.append(&mut cases::read(file)?);
    }
    if args.expect
        && let Some(case) = cases.iter().find(|case| case.expected.is_none())
    {
        return Err(Unusable::new(format!("{}: cases[{}].expected: missing", case.file, case.index)));
    }
    let start = Instant::now();
    let generators = Generators::new(MAX_OUTPUTS).map_err(|error| Unusable::new(format!("generators: {error}")))?;
    let setup = start.elapsed();
    let outcome = if args.each { singly(&generators, &cases) } else { batched(&generators, &cases)? };
    report(args, &cases, &outcome, setup, out)
}

fn singly(generators: &Generators, cases: &[Case]) -> Outcome {
    let mut progress = Progress::counting(cases.len());
    let start = Instant::now();
    let (mut faults, mut times) = (Vec::new(), Vec::new());
    for case in cases {
        let start = Instant::now();
        let verdict = generators.verify(&case.commitments, &case.proof);
        times.push(start.elapsed());
        faults.push(verdict.err().map(|error| error.to_string()));
        progress.step();
    }
    Outcome { faults, times: Some(times), total: start.elapsed() }
}

fn batched(generators: &Generators, cases: &[Case]) -> Result<Outcome, Unusable> {
    let items: Vec<Statement> =
        cases.iter().map(|case| Statement { commitments: &case.commitments, proof: &case.proof }).collect();
    let _progress = Progress::waiting(cases.len());
    let mut faults = vec![None; cases.len()];
    let start = Instant::now();
    if let Err(refusal) = generators.verify_batch(&items) {
        let invalid = generators.find_invalid(&items);
        if invalid.is_empty() {
            return Err(Unusable::new(format!("the batch was refused ({refusal}), but none of its proofs")));
        }
        for index in invalid {
            let alone = generators.verify(items[index].commitments, items[index].proof);
            faults[index] = Some(alone.err().map_or_else(|| refusal.to_string(), |error| error.to_string()));
        }
    }
    Ok(Outcome { faults, times: None, total: start.elapsed() })
}

fn report(args: &Args, cases: &[Case], outcome: &Outcome, setup: Duration, out: &mut Output) -> Result<u8, Unusable> {
    let mut unexpected = 0;
    for (i, (case, fault)) in cases.iter().zip(&outcome.faults).enumerate() {
        let valid = fault.is_none();
        let surprise = args.expect && case.expected != Some(valid);
        unexpected += usize::from(surprise);
        let verdict = Verdict {
            file: &case.file,
            case: case.index,
            name: case.name.as_deref(),
            valid,
            reason: fault.as_deref(),
            expected: case.expected,
            seconds: outcome.times.as_ref().map(|times| times[i].as_secs_f64()),
        };
        if args.json { out.json(&Line::Verdict(verdict))? } else { out.line(verdict.text(surprise))? }
    }
    let invalid = outcome.faults.iter().flatten().count();
    let seconds = outcome.total.as_secs_f64();
    let summary = Summary {
        proofs: cases.len(),
        valid: cases.len() - invalid,
        invalid,
        unexpected: args.expect.then_some(unexpected),
        batched: !args.each,
        setup_seconds: setup.as_secs_f64(),
        seconds,
        seconds_per_proof: seconds / cases.len() as f64,
        backend: BackendId::current().name(),
    };
    let good = if args.expect { unexpected == 0 } else { invalid == 0 };
    if args.json {
        out.json(&Line::Summary(summary))?
    } else {
        out.line(summary.text())?
    }
    Ok(if good { OK } else { NO })
}

impl Verdict<'_> {
    fn text(&self, surprise: bool) -> String {
        let name = self.name.map(|name| format!(" ({})", shown(name))).unwrap_or_default();
        let verdict = match self.reason {
            None => "valid".to_string(),
            Some(reason) => format!("INVALID: {reason}"),
        };
        let time = self.seconds.map(|seconds| format!(", {}", duration(seconds))).unwrap_or_default();
        let surprise = if surprise { " (NOT AS EXPECTED)" } else { "" };
        format!("{} case {}{name}: {verdict}{time}{surprise}", self.file, self.case)
    }
}

impl Summary {
    fn text(&self) -> String {
        let Summary { proofs, valid, invalid, .. } = self;
        let unexpected = self.unexpected.map(|n| format!(", {n} not as expected")).unwrap_or_default();
        let how = match (self.batched, self.invalid) {
            (true, 0) => "in one batch",
            (true, _) => "in a batch and the search for what is wrong in it",
            (false, _) => "one by one",
        };
        let [total, each, setup] = [self.seconds, self.seconds_per_proof, self.setup_seconds].map(duration);
        format!(
            "{proofs} proofs: {valid} valid, {invalid} invalid{unexpected}\n\
             {total} {how}, {each} a proof (after {setup} for tables), backend {}",
            self.backend
        )
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

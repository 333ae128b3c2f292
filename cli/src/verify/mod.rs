//! `lanes verify`: one verdict a case, and one answer in the exit status.

mod report;
mod task;

use std::time::{Duration, Instant};

use clap::Subcommand;
use curve25519_lanes::proofs::accumulator::Verifier;
use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, MAX_OUTPUTS, MAX_OUTPUTS_EXTENDED};
use curve25519_lanes::proofs::triptych::tari::TriptychVerifier;
use curve25519_lanes::proofs::{grootle, triptych};

use self::report::Line;
use self::task::{Differences, Flags, Task};
use crate::cases::{self, Case, Form};
use crate::output::{Output, Unusable};
use crate::transactions::Rings;
use crate::{bpplus, clsag, seraphis, tari, tari_triptych, transactions};

#[derive(Subcommand)]
#[allow(clippy::enum_variant_names, reason = "named as on the command line")]
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
    /// Tari's Bulletproofs+ range proofs on Ristretto
    #[command(after_help = "\
Examples:
  lanes verify tari-bpplus --recover examples/data/tari_range_proofs.json
  lanes prove tari-bpplus --amounts 1,2 | lanes verify tari-bpplus -

Exit status: 0 all valid (with --expect: all as expected), 1 not so, 2 unusable input.
With --recover, a case with a seed and masks is valid only if its masks are recovered by its seed.")]
    TariBpplus(TariArgs),
    /// Tari's Triptych proofs on Ristretto, single and parallel
    #[command(after_help = "\
Example:
  lanes prove tari-triptych -n 2 -m 8 --proofs 16 | lanes verify tari-triptych -

Exit status: 0 all valid (with --expect: all as expected), 1 not so, 2 unusable input.")]
    TariTriptych(Args),
    /// Monero's CLSAG ring signatures
    #[command(after_help = "\
Example:
  lanes prove monero-clsag --ring 16 | lanes verify monero-clsag -

Exit status: 0 all valid (with --expect: all as expected), 1 not so, 2 unusable input.
The verdict is that of the network's function, which leaves the order of the key image to the transaction's checks.")]
    MoneroClsag(Args),
    /// Monero's transactions (RingCT type 6), with their rings or without
    #[command(after_help = "\
Examples:
  lanes verify monero-tx transaction.hex
  lanes verify monero-tx transactions.json --rings rings.json

A FILE is a transaction's raw bytes, the same in hexadecimal, or a JSON object whose `cases` have `hex` and may have \
`txid`. RINGS is a JSON object: transaction id, then one ring for each input, each [[one-time key, commitment], ...].
A transaction whose rings are not given is checked in all but its ring signatures: then NOTHING IS KNOWN of whether its \
maker owns what it spends, and the verdict says so.

Exit status: 0 all valid (with --expect: all as expected), 1 not so, 2 unusable input.")]
    MoneroTx(TransactionArgs),
    /// Grootle membership proofs of the Seraphis study, plain form
    #[command(after_help = SERAPHIS_HELP)]
    GrootlePlain(SeraphisArgs),
    /// Grootle membership proofs of the Seraphis study, concise form
    #[command(after_help = SERAPHIS_HELP)]
    GrootleConcise(SeraphisArgs),
    /// Triptych proofs on ed25519, as in the Seraphis study
    #[command(after_help = SERAPHIS_HELP)]
    Triptych(SeraphisArgs),
    /// Seraphis composition proofs, of one key or many
    #[command(after_help = SERAPHIS_HELP)]
    SeraphisComposition(SeraphisArgs),
    /// Range proofs of the Seraphis study: up to 128 commitments, given divided by 8
    #[command(after_help = SERAPHIS_HELP)]
    SeraphisBpplus(SeraphisArgs),
    /// Mock transactions of the Seraphis study, each with the ring members it refers to; always one by one
    #[command(after_help = SERAPHIS_HELP)]
    SeraphisTx(SeraphisArgs),
}

const SERAPHIS_HELP: &str = "\
Examples:
  lanes verify seraphis-composition --expect --named-differences ../shared/vectors/seraphis_composition.json

A FILE has the form of the vectors of the Seraphis study; `expect` is the verdict of its C++ reference. The verdict given here \
is the sound one. Where the reference accepts what a rule of ours refuses, the case is not as expected, and the rule is named; \
docs/differences.md lists the rules.

Exit status: 0 all valid (with --expect: all as expected; with --named-differences besides: all others differ by a named \
rule), 1 not so, 2 unusable input.";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// JSON files with cases; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    flags: Flags,
}

#[derive(clap::Args)]
pub(crate) struct TariArgs {
    #[command(flatten)]
    args: Args,
    /// Recover the masks of cases with a seed, and compare them with the masks stated
    #[arg(long)]
    recover: bool,
}

#[derive(clap::Args)]
pub(crate) struct SeraphisArgs {
    #[command(flatten)]
    args: Args,
    /// Count a case that differs from its `expect` by a named rule as one that agrees
    #[arg(long, requires = "expect")]
    named_differences: bool,
    /// Give the verdicts of the study's C++ reference, weaknesses included
    #[cfg(feature = "reference_unsound")]
    #[arg(long, conflicts_with = "named_differences")]
    reference: bool,
}

impl SeraphisArgs {
    fn by_reference(&self) -> bool {
        #[cfg(feature = "reference_unsound")]
        return self.reference;
        #[cfg(not(feature = "reference_unsound"))]
        false
    }
}

#[derive(clap::Args)]
pub(crate) struct TransactionArgs {
    /// Transactions; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The rings they spend from; without them, membership is not checked
    #[arg(long, value_name = "RINGS")]
    rings: Option<String>,
    #[command(flatten)]
    flags: Flags,
}

pub(crate) fn run(protocol: &Protocol, out: &mut Output) -> Result<u8, Unusable> {
    let (flags, result) = match protocol {
        Protocol::MoneroBpplus(args) => (&args.flags, monero_bpplus(args, out)),
        Protocol::TariBpplus(args) => (&args.args.flags, tari_bpplus(args, out)),
        Protocol::TariTriptych(args) => (&args.flags, tari_triptych(args, out)),
        Protocol::MoneroClsag(args) => (&args.flags, monero_clsag(args, out)),
        Protocol::MoneroTx(args) => (&args.flags, monero_tx(args, out)),
        Protocol::GrootlePlain(args) => (&args.args.flags, grootle::<seraphis::Plain>(args, out)),
        Protocol::GrootleConcise(args) => (&args.args.flags, grootle::<seraphis::Concise>(args, out)),
        Protocol::Triptych(args) => (&args.args.flags, triptych(args, out)),
        Protocol::SeraphisComposition(args) => (&args.args.flags, composition(args, out)),
        Protocol::SeraphisBpplus(args) => (&args.args.flags, seraphis_bpplus(args, out)),
        Protocol::SeraphisTx(args) => (&args.args.flags, seraphis_tx(args, out)),
    };
    if let (true, Err(unusable)) = (flags.json, &result) {
        out.json(&Line::Error { message: unusable.to_string() })?;
        out.finish()?;
    }
    result
}

fn monero_bpplus(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let cases = read_all::<bpplus::CaseJson>(&args.files)?;
    let (generators, setup) = generators()?;
    let task = Task {
        noun: "proofs",
        setup,
        one: &|claim| bpplus::one(&generators, claim),
        all: &|claims| bpplus::all(&generators, claims),
        membership: None,
        differences: None,
    };
    task.run(&args.flags, &cases, out)
}

fn tari_bpplus(args: &TariArgs, out: &mut Output) -> Result<u8, Unusable> {
    let TariArgs { args, recover } = args;
    let cases = read_all::<tari::CaseJson>(&args.files)?;
    let start = Instant::now();
    tari::prepare(cases.iter().map(|case| &case.claim));
    let task = Task {
        noun: "proofs",
        setup: start.elapsed(),
        one: &|claim| tari::one(claim, *recover),
        all: &|claims| Ok(tari::all(claims, *recover)),
        membership: None,
        differences: None,
    };
    task.run(&args.flags, &cases, out)
}

fn monero_clsag(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let cases = read_all::<clsag::CaseJson>(&args.files)?;
    let task = Task {
        noun: "signatures",
        setup: Duration::ZERO,
        one: &clsag::one,
        all: &|claims| Ok(clsag::all(claims)),
        membership: None,
        differences: None,
    };
    task.run(&args.flags, &cases, out)
}

fn monero_tx(args: &TransactionArgs, out: &mut Output) -> Result<u8, Unusable> {
    standard_input_once(args.files.iter().chain(&args.rings))?;
    let rings = args.rings.as_ref().map_or(Ok(Rings::new()), |file| transactions::rings(file))?;
    let mut cases = Vec::new();
    for file in &args.files {
        cases.append(&mut transactions::read(file, &rings)?);
    }
    let (generators, setup) = generators()?;
    let task = Task {
        noun: "transactions",
        setup,
        one: &|claim| transactions::one(&generators, claim),
        all: &|claims| Ok(transactions::all(&generators, claims)),
        membership: Some(&|claim: &transactions::Claim| claim.rings.is_some()),
        differences: None,
    };
    task.run(&args.flags, &cases, out)
}

/// A kind of proof that an accumulator takes.
struct Accumulated<C, V: Verifier + 'static> {
    /// What the proofs share, built when first asked.
    generators: fn() -> &'static V,
    statement: for<'a> fn(&'a C) -> V::Statement<'a>,
    /// The rule by which something is refused, if it is named.
    difference: fn(&V::Error) -> Option<&'static str>,
    #[cfg(feature = "reference_unsound")]
    reference: fn(&C) -> Option<String>,
}

impl<C, V: Verifier + 'static> Accumulated<C, V> {
    /// All valid, or not, by one sum.
    fn run<F: Form<Claim = seraphis::Read<C>>>(&self, args: &SeraphisArgs, out: &mut Output) -> Result<u8, Unusable> {
        #[cfg(feature = "reference_unsound")]
        if args.reference {
            let reference = |claim: &seraphis::Read<C>| match claim {
                Err(fault) => Some(fault.clone()),
                Ok(claim) => (self.reference)(claim),
            };
            return one_by_one::<F>(args, out, "proofs", &reference, &|_| None);
        }
        let cases = read_all::<F>(&args.args.files)?;
        let start = Instant::now();
        let generators = (self.generators)();
        let all = |claims: &[&_]| seraphis::all(generators, claims, self.statement);
        let rule = |claim: &seraphis::Read<C>| {
            let error = seraphis::error(generators, (self.statement)(claim.as_ref().ok()?))?;
            (self.difference)(&error)
        };
        let task = Task {
            noun: "proofs",
            setup: start.elapsed(),
            one: &|claim| all(&[claim]).swap_remove(0),
            all: &|claims| Ok(all(claims)),
            membership: None,
            differences: Some(Differences { rule: &rule, allowed: args.named_differences }),
        };
        task.run(&args.args.flags, &cases, out)
    }
}

fn grootle<L: seraphis::Lists>(args: &SeraphisArgs, out: &mut Output) -> Result<u8, Unusable> {
    let proofs = Accumulated {
        generators: grootle::Generators::shared,
        statement: seraphis::GrootleClaim::statement,
        difference: |_| None,
        #[cfg(feature = "reference_unsound")]
        reference: seraphis::GrootleClaim::reference,
    };
    proofs.run::<seraphis::GrootleJson<L>>(args, out)
}

fn triptych(args: &SeraphisArgs, out: &mut Output) -> Result<u8, Unusable> {
    let proofs = Accumulated {
        generators: triptych::Generators::shared,
        statement: seraphis::TriptychClaim::statement,
        difference: triptych::VerifyError::difference,
        #[cfg(feature = "reference_unsound")]
        reference: seraphis::TriptychClaim::reference,
    };
    proofs.run::<seraphis::TriptychJson>(args, out)
}

fn tari_triptych(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let cases = read_all::<tari_triptych::CaseJson>(&args.files)?;
    let all = |claims: &[&_]| seraphis::all(&TriptychVerifier, claims, tari_triptych::Claim::entry);
    let start = Instant::now();
    tari_triptych::prepare(cases.iter().map(|case| &case.claim));
    let task = Task {
        noun: "proofs",
        setup: start.elapsed(),
        one: &|claim| all(&[claim]).swap_remove(0),
        all: &|claims| Ok(all(claims)),
        membership: None,
        differences: None,
    };
    task.run(&args.flags, &cases, out)
}

fn composition(args: &SeraphisArgs, out: &mut Output) -> Result<u8, Unusable> {
    #[cfg(feature = "reference_unsound")]
    if args.reference {
        let reference = seraphis::CompositionClaim::reference;
        return one_by_one::<seraphis::CompositionJson>(args, out, "proofs", &reference, &|_| None);
    }
    let cases = read_all::<seraphis::CompositionJson>(&args.args.files)?;
    let task = Task {
        noun: "proofs",
        setup: Duration::ZERO,
        one: &|claim| seraphis::compositions(&[claim]).swap_remove(0),
        all: &|claims| Ok(seraphis::compositions(claims)),
        membership: None,
        differences: Some(Differences {
            rule: &seraphis::CompositionClaim::difference,
            allowed: args.named_differences,
        }),
    };
    task.run(&args.args.flags, &cases, out)
}

/// By either rule, since they agree.
fn seraphis_bpplus(args: &SeraphisArgs, out: &mut Output) -> Result<u8, Unusable> {
    let cases = read_all::<seraphis::RangeCaseJson>(&args.args.files)?;
    let start = Instant::now();
    let generators =
        Generators::new(MAX_OUTPUTS_EXTENDED).map_err(|error| Unusable::new(format!("generators: {error}")))?;
    let task = Task {
        noun: "proofs",
        setup: start.elapsed(),
        one: &|claim| seraphis::ranges(&generators, &[claim]).swap_remove(0),
        all: &|claims| Ok(seraphis::ranges(&generators, claims)),
        membership: None,
        differences: None,
    };
    task.run(&args.args.flags, &cases, out)
}

/// One by one, as each case brings its own ledger.
fn seraphis_tx(args: &SeraphisArgs, out: &mut Output) -> Result<u8, Unusable> {
    let verdict = |claim: &_| seraphis::transaction(claim, args.by_reference());
    one_by_one::<seraphis::TransactionJson>(args, out, "transactions", &verdict, &seraphis::transaction_difference)
}

fn one_by_one<F: Form>(
    args: &SeraphisArgs,
    out: &mut Output,
    noun: &'static str,
    one: &dyn Fn(&F::Claim) -> Option<String>,
    rule: &dyn Fn(&F::Claim) -> Option<&'static str>,
) -> Result<u8, Unusable> {
    let SeraphisArgs { args, named_differences: allowed, .. } = args;
    let cases = read_all::<F>(&args.files)?;
    let task = Task {
        noun,
        setup: Duration::ZERO,
        one,
        all: &|claims| Ok(claims.iter().map(|claim| one(claim)).collect()),
        membership: None,
        differences: Some(Differences { rule, allowed: *allowed }),
    };
    let Flags { expect, json, .. } = args.flags;
    task.run(&Flags { expect, each: true, json }, &cases, out)
}

fn standard_input_once<'a>(files: impl Iterator<Item = &'a String>) -> Result<(), Unusable> {
    if files.filter(|file| *file == "-").count() > 1 {
        return Err(Unusable::new("standard input (-) can be read only once"));
    }
    Ok(())
}

fn read_all<F: Form>(files: &[String]) -> Result<Vec<Case<F::Claim>>, Unusable> {
    standard_input_once(files.iter())?;
    let mut cases = Vec::new();
    for file in files {
        cases.append(&mut cases::read::<F>(file)?);
    }
    Ok(cases)
}

fn generators() -> Result<(Generators, Duration), Unusable> {
    let start = Instant::now();
    let generators = Generators::new(MAX_OUTPUTS).map_err(|error| Unusable::new(format!("generators: {error}")))?;
    Ok((generators, start.elapsed()))
}

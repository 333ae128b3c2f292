//! `lanes wallet-bench`: what scanning costs, in each known way and by each implementation, as a tree.
//!
//! The form is that of the benchmark which the Monero project discussed: command line, groups, variants, order and
//! percentages. Batches are divided down to the same unit of work, so that percentages stay comparable.

mod ref10;
mod tree;
pub(crate) mod works;

use std::io::Write;
use std::time::Instant;

use clap::ValueEnum;
use curve25519_lanes::cpu::{self, BackendId};
use serde::Serialize;

use self::tree::Leaf;
use self::works::{Implementation, Inputs, Work};
use crate::output::{Output, Unusable, shown};
use crate::{NO, OK};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Calls in each timed loop
    #[arg(default_value = "1000", allow_negative_numbers = true)]
    iterations: String,
    /// Numbers of outputs of the transactions, joined by commas
    #[arg(default_value = "2,4", allow_negative_numbers = true)]
    list: String,
    /// Whose names for groups and implementations are printed
    #[arg(long, value_enum, default_value_t = Names::Seed)]
    names: Names,
    /// Implementations to run, joined by commas; all that this machine can run, unless given
    #[arg(long = "impl", value_name = "A,B", value_delimiter = ',')]
    implementations: Vec<String>,
    /// One JSON object a measurement instead of the trees
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Names {
    /// Those of the study that proposed the optimisations
    Seed,
    /// Those of the program in Monero's tree
    Monero,
}

#[derive(Serialize)]
struct Row<'a> {
    group: &'a str,
    variant: &'a str,
    implementation: &'a str,
    iterations: u64,
    nanoseconds: u64,
}

/// Calls before those that are timed.
const WARM_UP: usize = 100;

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    match bench(args, out) {
        Ok(()) => Ok(OK),
        Err(Fault::Check(message)) => {
            // The words and the status of the program this one stands in for.
            let _ = writeln!(std::io::stderr(), "Error: {message}");
            Ok(NO)
        }
        Err(Fault::Unusable(unusable)) => Err(unusable),
    }
}

/// Why there is no tree: a bad argument or a wrong result, or something else.
enum Fault {
    Check(String),
    Unusable(Unusable),
}

impl From<Unusable> for Fault {
    fn from(unusable: Unusable) -> Fault {
        Fault::Unusable(unusable)
    }
}

/// The number that a text starts with, and what follows.
fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse::<u32>().ok()?.into(), &text[end..]))
}

/// Numbers joined by commas, in order and once each; what does not belong to them ends the list.
fn numbers(text: &str) -> Option<Vec<u64>> {
    let (first, mut rest) = number(text)?;
    let mut all = vec![first];
    while let Some((next, after)) = rest.strip_prefix(',').and_then(number) {
        all.push(next);
        rest = after;
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

fn bench(args: &Args, out: &mut Output) -> Result<(), Fault> {
    let (iterations, _) =
        number(&args.iterations).filter(|(n, _)| *n > 0).ok_or_else(|| Fault::Check("bad iterations".into()))?;
    let list = numbers(&args.list).ok_or_else(|| Fault::Check("bad tx outputs string".into()))?;
    if list.iter().any(|n| *n > 10_000) {
        return Err(Fault::Check("more than 10000 tx outputs".into()));
    }
    let who = implementations(args)?;
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| Unusable::new(format!("system randomness: {error}")))?;
    let inputs = Inputs::new(&seed);
    let monero = args.names == Names::Monero;
    let [tx, output, transactions] = match monero {
        false => ["TX Pub Key", "Output Pub Key", "Txes"],
        true => ["generate_key_derivation step", "derive_subaddress_public_key step", "Transactions"],
    };

    if !args.json {
        out.line(format_args!("Running benchmark using {iterations} iterations"))?;
    }
    let mut leaves = Vec::new();
    for who in &who {
        leaves.extend(measured(tx, works::tx_pub_key(&inputs, *who), iterations, monero)?);
        leaves.extend(measured(output, works::output_pub_key(&inputs, *who), iterations, monero)?);
    }
    print("Transaction Component Benchmarks", &leaves, iterations, args.json, out)?;
    leaves.clear();
    for n in &list {
        let group = format!("{transactions} with {n} outputs");
        for who in &who {
            leaves.extend(measured(&group, works::transactions(&inputs, *who, *n), iterations, monero)?);
        }
    }
    print("Transaction Benchmarks", &leaves, iterations, args.json, out)
}

fn implementations(args: &Args) -> Result<Vec<Implementation>, Fault> {
    let all = Implementation::all();
    if args.implementations.is_empty() {
        return Ok(all);
    }
    let find = |name: &String| {
        let label = |who: Implementation| label(who, args.names == Names::Monero);
        all.iter().copied().find(|who| who.name() == *name || label(*who) == *name).ok_or_else(|| {
            let known: Vec<String> = all.iter().map(|who| who.name()).collect();
            Fault::Check(format!("no implementation {} here; there are {}", shown(name), known.join(", ")))
        })
    };
    let mut out = Vec::new();
    for name in &args.implementations {
        let who = find(name)?;
        // Each once, however often it is named.
        if !out.contains(&who) {
            out.push(who);
        }
    }
    Ok(out)
}

fn label(who: Implementation, monero: bool) -> String {
    match who {
        Implementation::Ref10 if monero => "cn".into(),
        Implementation::Backend(BackendId::Amd64_51) if monero => "amd64_51_30k".into(),
        Implementation::Backend(BackendId::Amd64_64) if monero => "amd64_64_24k".into(),
        _ => who.name(),
    }
}

fn measured(group: &str, works: Vec<Work<'_>>, iterations: u64, monero: bool) -> Result<Vec<Leaf>, Fault> {
    let mut leaves = Vec::new();
    for mut work in works {
        let before = BackendId::forced();
        let unavailable = |error: cpu::BackendError| Unusable::new(error.to_string());
        if let Some(id) = work.implementation.backend() {
            cpu::force(Some(id)).map_err(unavailable)?;
        }
        let time = measure(&mut work, iterations);
        cpu::force(before).map_err(unavailable)?;
        let implementation = label(work.implementation, monero);
        let time = time.ok_or_else(|| {
            Fault::Check(format!("TEST FAILED: {group}, {}: {implementation} computes something else", work.variant))
        })?;
        let variant = if monero && work.variant == "standard scanning" { "standard".into() } else { work.variant };
        leaves.push(Leaf { group: group.into(), variant, implementation, time });
    }
    Ok(leaves)
}

/// Nanoseconds for `iterations` operations, unless a result is wrong.
fn measure(work: &mut Work<'_>, iterations: u64) -> Option<u64> {
    let good = |work: &mut Work<'_>, index: u64| (work.call)(index) == (work.expected)(index);
    if !good(work, 0) {
        return None;
    }
    let units = work.units as u64;
    for index in 0..(WARM_UP as u64).div_ceil(units) {
        std::hint::black_box((work.call)(index));
    }
    let calls = iterations.div_ceil(units);
    let start = Instant::now();
    for index in 0..calls {
        std::hint::black_box((work.call)(index));
    }
    let time = start.elapsed().as_nanos();
    let time = time * u128::from(iterations) / u128::from(calls * units);
    good(work, calls - 1).then(|| u64::try_from(time).unwrap_or(u64::MAX).max(1))
}

fn print(title: &str, leaves: &[Leaf], iterations: u64, json: bool, out: &mut Output) -> Result<(), Fault> {
    if json {
        for Leaf { group, variant, implementation, time } in leaves {
            out.json(&Row { group, variant, implementation, iterations, nanoseconds: *time })?;
        }
        return Ok(());
    }
    out.line(title)?;
    out.line("-".repeat(title.len()))?;
    for line in tree::tree(leaves).lines() {
        out.line(line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!(numbers("4,2,4,3"), Some(vec![2, 3, 4]));
        assert_eq!(numbers("7x,2"), Some(vec![7]));
        assert_eq!(numbers("7,"), Some(vec![7]));
        for bad in ["", ",2", "x", "-1", "99999999999"] {
            assert_eq!(numbers(bad), None);
        }
    }

    #[test]
    fn every_leaf_computes_what_it_should() {
        let inputs = Inputs::new(&[7; 32]);
        for who in Implementation::all() {
            assert!(who.name().len() <= 16 && label(who, true).len() <= 16);
            let works = [
                works::tx_pub_key(&inputs, who),
                works::output_pub_key(&inputs, who),
                works::transactions(&inputs, who, 0),
                works::transactions(&inputs, who, 3),
            ];
            let leaves: Vec<Leaf> = works
                .into_iter()
                .flat_map(|works| measured("group", works, 1, false).unwrap_or_else(|_| panic!("{who:?}")))
                .collect();
            assert!(!leaves.is_empty(), "{who:?}");
        }
    }
}

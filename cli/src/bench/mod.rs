//! `lanes bench`: what this CPU does on every backend, beside other implementations.
//!
//! A group is a function that walks its cases twice: first they are only counted, for the time left, then each is made
//! and measured. Add a group here and in [`Topic`].

mod bpplus;
pub(crate) mod compare;
pub(crate) mod experiments;
mod field;
mod group;
mod inputs;
mod machine;
mod mantle;
mod measure;
mod msm;
mod page;
#[cfg(feature = "peers")]
mod peers;
mod record;
mod reference;
mod ring;
mod seraphis;
mod surroundings;
mod table;
mod throughput;
mod verdicts;
mod wallet;
mod work;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::ValueEnum;
use curve25519_lanes::cpu::{self, BackendId};

pub(crate) use self::inputs::Numbers;
use self::measure::{Measured, Patience, measure};
use self::record::{Kind, Machine, Program, Record, Row, SCHEMA, VERSION, write_whole};
pub(crate) use self::table::micros;
use self::work::{Spec, Work};
use crate::output::{Output, Unusable, shown};
use crate::progress::Progress;
use crate::{NO, OK};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to measure; everything, unless given
    #[arg(value_enum, value_name = "GROUP")]
    groups: Vec<Topic>,
    /// Some sizes of everything, in about a minute; what happens unless `--full` is given
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// All sizes, and the grids of the published studies, in half an hour or so
    #[arg(long)]
    full: bool,
    /// Of the Seraphis study, measure this experiment alone: 1.1 to 6.3, E1 to E6, 7.1 to 7.3
    #[arg(long, value_name = "NUMBER", conflicts_with = "full")]
    experiment: Option<String>,
    /// Write the record to FILE; `-` is standard output, instead of the tables
    #[arg(long, value_name = "FILE")]
    json: Option<String>,
    /// Write a page with pictures to FILE
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Transactions of the chain that a verification time is given for
    #[arg(long, value_name = "N", default_value_t = throughput::CHAIN, value_parser = clap::value_parser!(u64).range(1..))]
    chain: u64,
    /// Name this run in comparisons [default: the CPU's name]
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Topic {
    /// Scalars and field elements
    Field,
    /// Encodings of points, products, X25519
    Group,
    /// Sums of scalars times points
    Msm,
    /// Bulletproofs+ range proofs of Monero and Tari
    Bpplus,
    /// Monero's ring signatures and transactions
    Ring,
    /// The mock transactions of the Seraphis study
    Seraphis,
    /// Scanning for Monero wallets
    Wallet,
    /// The Mantle transaction hash and Poseidon2
    Mantle,
}

impl Topic {
    fn measure(self, session: &mut Session) -> Result<(), Stop> {
        match self {
            Topic::Field => field::cases(session),
            Topic::Group => group::cases(session),
            Topic::Msm => msm::cases(session),
            Topic::Bpplus => bpplus::cases(session),
            Topic::Ring => ring::cases(session),
            Topic::Seraphis => seraphis::cases(session),
            Topic::Wallet => wallet::cases(session),
            Topic::Mantle => mantle::cases(session),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Topic::Field => "field",
            Topic::Group => "group",
            Topic::Msm => "msm",
            Topic::Bpplus => "bpplus",
            Topic::Ring => "ring",
            Topic::Seraphis => "seraphis",
            Topic::Wallet => "wallet",
            Topic::Mantle => "mantle",
        }
    }
}

/// Why measuring ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    Interrupted,
    /// Somebody computed something else.
    Wrong(String),
    Unusable(Unusable),
}

impl From<Unusable> for Stop {
    fn from(unusable: Unusable) -> Stop {
        Stop::Unusable(unusable)
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether the user has pressed Ctrl-C.
fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// How much of the grids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Quick,
    Full,
}

/// A run of cases.
pub(crate) struct Session {
    pub(crate) scale: Scale,
    /// Which of the Seraphis study's, if one alone.
    pub(crate) experiment: Option<String>,
    /// The forced one, or all available.
    pub(crate) backends: Vec<BackendId>,
    /// Cases so far, while they are only counted.
    counting: Option<usize>,
    record: Record,
    progress: Progress,
}

impl Session {
    /// Picks by scale.
    pub(crate) fn sizes<T: Copy>(&self, quick: &[T], full: &[T]) -> Vec<T> {
        if self.scale == Scale::Full { full.to_vec() } else { quick.to_vec() }
    }

    /// Measures one case. `make` is called only if it really is measured, and may be expensive.
    pub(crate) fn case<'a>(
        &mut self,
        spec: &Spec,
        make: impl FnOnce() -> Result<Work<'a>, Unusable>,
    ) -> Result<(), Stop> {
        if let Some(count) = &mut self.counting {
            *count += 1;
            return Ok(());
        }
        if interrupted() {
            return Err(Stop::Interrupted);
        }
        let before = BackendId::forced();
        let measured = make().map_err(Stop::Unusable).and_then(|mut work| {
            if let Some(name) = work.odd_one() {
                return Err(Stop::Wrong(format!("{}: {name} computes something else", spec.name())));
            }
            let measured = measure(&mut work, self.patience())?;
            Ok(rows(spec, &work, &measured))
        });
        cpu::force(before).map_err(|error| Unusable::new(error.to_string()))?;
        let rows = measured?;
        for row in rows.iter().filter(|row| row.kind == Kind::Peer) {
            // What follows a comma tells two ways of one crate apart.
            let name = row.by.split(',').next().unwrap_or(&row.by);
            self.record.program.peers.entry(name.to_string()).or_insert_with(|| machine::version_of(name));
        }
        self.record.rows.extend(rows);
        self.progress.step();
        Ok(())
    }

    fn patience(&self) -> Patience {
        match self.scale {
            Scale::Quick => Patience { time: Duration::from_millis(40), most_samples: 60 },
            Scale::Full => Patience { time: Duration::from_millis(300), most_samples: 300 },
        }
    }
}

/// The rows of one case, ratios included.
fn rows(spec: &Spec, work: &Work<'_>, measured: &[Measured]) -> Vec<Row> {
    let row = |by: &str, kind, measured: &Measured| Row {
        group: spec.group.to_string(),
        op: spec.op.clone(),
        params: spec.params.clone(),
        size: spec.size,
        unit: spec.unit.to_string(),
        by: by.to_string(),
        kind,
        ns: measured.ns,
        samples: measured.samples as u64,
        noisy: measured.noisy,
        peer: None,
        ratio: None,
        over_portable: None,
    };
    let ours = work.contenders.iter().zip(measured);
    let mut rows: Vec<Row> = ours.map(|(who, measured)| row(&who.name, who.kind, measured)).collect();
    rows.extend(work.references.iter().map(|(name, ns)| {
        let ns = record::Figures { min: *ns, median: *ns, mad: 0.0 };
        row(name, Kind::Reference, &Measured { ns, samples: 0, noisy: false })
    }));
    let best = |kind| {
        let those = rows.iter().filter(|row| row.kind == kind);
        those.min_by(|a, b| a.ns.min.total_cmp(&b.ns.min)).map(|row| (row.by.clone(), row.ns.min))
    };
    let peer = best(Kind::Peer).or_else(|| best(Kind::Reference));
    let portable = rows.iter().find(|row| row.by == BackendId::Portable.name()).map(|row| row.ns.min);
    let ratio = |other: f64, this: f64| (other / this * 1e4).round().max(1.0) / 1e4;
    for row in rows.iter_mut().filter(|row| row.kind == Kind::Backend) {
        if let Some((name, time)) = &peer {
            row.peer = Some(name.clone());
            row.ratio = Some(ratio(*time, row.ns.min));
        }
        if row.by != "any" {
            row.over_portable = portable.map(|time| ratio(time, row.ns.min));
        }
    }
    rows
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let memory_kept = surroundings::keep_memory();
    let machine = Machine::this();
    let pinned = surroundings::pin();
    // Where no handler can be had, Ctrl-C ends the program as ever.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let scale = if args.full { Scale::Full } else { Scale::Quick };
    let groups = match &args.experiment {
        _ if !args.groups.is_empty() => args.groups.clone(),
        Some(_) => vec![Topic::Seraphis],
        None => Topic::value_variants().to_vec(),
    };
    let backends = BackendId::forced().map_or_else(|| BackendId::available().collect(), |id| vec![id]);
    let record = Record {
        schema: SCHEMA.to_string(),
        version: VERSION,
        label: shown(args.label.as_ref().unwrap_or(&machine.cpu)),
        date: machine::now(),
        scale: if args.full { "full" } else { "quick" }.to_string(),
        complete: false,
        program: Program::this(&backends, memory_kept, pinned),
        machine,
        rows: Vec::new(),
    };
    let mut session = Session {
        scale,
        experiment: args.experiment.clone(),
        backends,
        counting: Some(0),
        record,
        progress: Progress::of(0, "measurements"),
    };
    let files = Files { json: args.json.as_deref(), html: args.html.as_deref(), chain: args.chain };
    let quiet = args.json.as_deref() == Some("-");
    if !quiet {
        out.line(table::heading(&session.record))?;
    }
    let ended = measure_groups(&mut session, &groups, &files, quiet, out);
    session.record.complete = ended.is_ok();
    files.write(&session.record, true, out)?;
    match ended {
        Ok(()) => {}
        Err(Stop::Interrupted) if quiet => {}
        Err(Stop::Interrupted) => out.line("\nInterrupted: the rest was not measured.")?,
        Err(Stop::Wrong(message)) => {
            crate::output::complain(&Unusable::new(message));
            return Ok(NO);
        }
        Err(Stop::Unusable(unusable)) => return Err(unusable),
    }
    if !quiet {
        out.line(table::remarks(&session.record))?;
        for verdict in verdicts::verdicts(&session.record, args.chain) {
            out.line(verdict)?;
        }
    }
    Ok(OK)
}

fn measure_groups(
    session: &mut Session,
    groups: &[Topic],
    files: &Files<'_>,
    quiet: bool,
    out: &mut Output,
) -> Result<(), Stop> {
    for group in groups {
        group.measure(session)?;
    }
    session.progress = Progress::of(session.counting.take().unwrap_or(0), "measurements");
    for group in groups {
        let done = group.measure(session);
        if !quiet {
            let rows: Vec<Row> = session.record.rows.iter().filter(|row| row.group == group.name()).cloned().collect();
            session.progress.suspend(|| -> Result<(), Unusable> {
                for line in table::table(group.name(), &rows, crate::output::coloured()) {
                    out.line(line)?;
                }
                out.finish()
            })?;
        }
        done?;
        files.write(&session.record, false, out)?;
    }
    Ok(())
}

/// What is written beside the tables.
struct Files<'a> {
    json: Option<&'a str>,
    html: Option<&'a str>,
    chain: u64,
}

impl Files<'_> {
    /// Files grow with each group; standard output is written once.
    fn write(&self, record: &Record, last: bool, out: &mut Output) -> Result<(), Unusable> {
        match self.json {
            Some("-") if last => out.line(record.to_json()?)?,
            Some(path) if path != "-" => write_whole(&PathBuf::from(path), &(record.to_json()? + "\n"))?,
            _ => {}
        }
        if let Some(path) = self.html {
            write_whole(&PathBuf::from(path), &page::page(record, self.chain))?;
        }
        Ok(())
    }
}

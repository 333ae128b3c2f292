//! What a run leaves behind: the machine, the program and one row a measurement. The form is described in
//! `docs/bench-schema.md`; its version changes whenever a reader would have to.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::output::{Unusable, shown};

/// What the file is.
pub(crate) const SCHEMA: &str = "curve25519-lanes/bench";
/// Which form of it.
pub(crate) const VERSION: u64 = 1;
/// No record is longer.
const MAX_BYTES: u64 = 16 << 20;

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Record {
    pub(crate) schema: String,
    pub(crate) version: u64,
    /// Names the run in comparisons.
    pub(crate) label: String,
    /// Day and time, UTC.
    pub(crate) date: String,
    /// `quick` or `full`.
    pub(crate) scale: String,
    /// Whether everything asked for was measured; not so if the run was interrupted.
    pub(crate) complete: bool,
    pub(crate) machine: Machine,
    pub(crate) program: Program,
    pub(crate) rows: Vec<Row>,
}

/// Where it ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Machine {
    /// The brand string.
    pub(crate) cpu: String,
    /// Family, model and stepping, where the CPU says so.
    pub(crate) signature: Option<[u64; 3]>,
    /// Hardware threads open to the program.
    pub(crate) threads: u64,
    /// Estimated from a chain of 64-bit multiplications, taken as three cycles each, and exclusive ors, one.
    pub(crate) clock_ghz: f64,
    /// Those of the known features that CPU and operating system offer.
    pub(crate) features: Vec<String>,
    /// Architecture and operating system.
    pub(crate) target: String,
}

/// What ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Program {
    pub(crate) version: String,
    pub(crate) compiler: String,
    /// Features the whole program was compiled for.
    pub(crate) compiled_for: Vec<String>,
    /// Backends measured.
    pub(crate) backends: Vec<String>,
    /// Backends that this build or machine lacks.
    pub(crate) missing: Vec<String>,
    /// Whether glibc's allocator was told to keep its memory, and the thread was kept on one core.
    pub(crate) memory_kept: bool,
    pub(crate) pinned: bool,
    /// Versions of the crates measured beside ours.
    pub(crate) peers: BTreeMap<String, String>,
}

/// Who did the work of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A backend of this library.
    Backend,
    /// Another implementation, in the same process.
    Peer,
    /// Another program on another day's machine, carried over by a yardstick measured on both.
    Reference,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) group: String,
    pub(crate) op: String,
    /// What else was chosen: ring sizes, numbers of inputs and so on.
    pub(crate) params: BTreeMap<String, u64>,
    /// Units of work in one call.
    pub(crate) size: u64,
    /// What a unit is.
    pub(crate) unit: String,
    /// The backend's or the peer's name.
    pub(crate) by: String,
    pub(crate) kind: Kind,
    /// Of one call.
    pub(crate) ns: Figures,
    /// Timed calls, or groups of calls, that the figures are drawn from; 0 for a reference.
    pub(crate) samples: u64,
    /// Whether the spread stayed wide even when measured again.
    pub(crate) noisy: bool,
    /// The fastest peer in this place, and its time over this one's.
    pub(crate) peer: Option<String>,
    pub(crate) ratio: Option<f64>,
    /// The portable backend's time over this one's.
    pub(crate) over_portable: Option<f64>,
}

/// Nanoseconds of the thread's CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figures {
    /// The least of the medians of five samples in a row.
    pub(crate) min: f64,
    pub(crate) median: f64,
    /// The median deviation from the median.
    pub(crate) mad: f64,
}

impl Row {
    /// Nanoseconds of one unit; of the whole where the unit is a byte.
    pub(crate) fn each(&self) -> f64 {
        if self.unit == "byte" { self.ns.min } else { self.ns.min / self.size.max(1) as f64 }
    }

    /// Whether both measure the same work.
    pub(crate) fn same_work(&self, other: &Row) -> bool {
        (&self.group, &self.op, &self.params, self.size) == (&other.group, &other.op, &other.params, other.size)
    }
}

impl Record {
    /// The rows in runs of the same work.
    pub(crate) fn works(&self) -> Vec<&[Row]> {
        self.rows.chunk_by(Row::same_work).collect()
    }

    pub(crate) fn to_json(&self) -> Result<String, Unusable> {
        serde_json::to_string_pretty(self).map_err(|error| Unusable::new(format!("JSON: {error}")))
    }

    /// Reads a record, and refuses whatever is none.
    pub(crate) fn read(path: &str) -> Result<Record, Unusable> {
        let fault = |what: &dyn std::fmt::Display| Unusable::new(format!("{}: {what}", shown(path)));
        let mut text = String::new();
        let file = File::open(path).map_err(|error| fault(&error))?;
        file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(|error| fault(&error))?;
        if text.len() as u64 > MAX_BYTES {
            return Err(fault(&format!("longer than {} MiB", MAX_BYTES >> 20)));
        }
        Record::parse(&text).map_err(|what| fault(&what))
    }

    fn parse(text: &str) -> Result<Record, String> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
        if value.get("schema").and_then(|schema| schema.as_str()) != Some(SCHEMA) {
            return Err(format!("no record of `lanes bench`: its schema is not \"{SCHEMA}\""));
        }
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(VERSION) => {}
            Some(version) => {
                return Err(format!("schema version {version}; this program reads {VERSION}, so measure again"));
            }
            None => return Err("no schema version".to_string()),
        }
        let record: Record = serde_path_to_error::deserialize(&value).map_err(|error| shown(&error.to_string()))?;
        record.check()?;
        Ok(record)
    }

    /// What the types alone don't say.
    fn check(&self) -> Result<(), String> {
        let (machine, program) = (&self.machine, &self.program);
        let texts =
            [&self.label, &self.date, &self.scale, &machine.cpu, &machine.target, &program.version, &program.compiler];
        let lists = [&machine.features, &program.compiled_for, &program.backends, &program.missing];
        let of_rows = self
            .rows
            .iter()
            .flat_map(|row| [&row.group, &row.op, &row.unit, &row.by].into_iter().chain(row.params.keys()));
        let peers = program.peers.iter().flat_map(|(name, version)| [name, version]);
        let mut all = texts.into_iter().chain(lists.into_iter().flatten()).chain(of_rows).chain(peers);
        if let Some(text) = all.find(|text| shown(text) != **text) {
            return Err(format!("text that can't be shown: {}", shown(text)));
        }
        if !(machine.clock_ghz.is_finite() && machine.clock_ghz >= 0.0) {
            return Err("machine.clock_ghz: a figure that can't be".to_string());
        }
        for (index, row) in self.rows.iter().enumerate() {
            let Figures { min, median, mad } = row.ns;
            let positive = |x: f64| x.is_finite() && x > 0.0;
            let fine = positive(min) && positive(median) && mad.is_finite() && mad >= 0.0;
            let ratios = [row.ratio, row.over_portable].into_iter().flatten().all(positive);
            if !fine || !ratios || row.size == 0 {
                return Err(format!("rows[{index}]: a figure that can't be"));
            }
            if row.peer.is_some() != row.ratio.is_some() {
                return Err(format!("rows[{index}]: a peer without a ratio, or the other way round"));
            }
        }
        let works = self.works();
        for (i, work) in works.iter().enumerate() {
            if works[..i].iter().any(|before| before[0].same_work(&work[0])) {
                return Err(format!("{} {} is there twice", shown(&work[0].group), shown(&work[0].op)));
            }
        }
        Ok(())
    }
}

/// Writes a file whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), Unusable> {
    let fault = |error: std::io::Error| Unusable::new(format!("{}: {error}", shown(&path.to_string_lossy())));
    // Devices and pipes can't be renamed over.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
        return fs::write(path, text).map_err(fault);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&part);
        fault(error)
    })
}

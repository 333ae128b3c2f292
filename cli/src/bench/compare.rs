//! `lanes compare`: records side by side, each figure as the first record's time over that record's.

use std::path::Path;

use super::record::{Record, Row, write_whole};
use super::table::{micros, units, work_name};
use super::throughput::CHAIN;
use super::verdicts::verdicts;
use super::{page, table};
use crate::OK;
use crate::output::{Output, Unusable};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Records written by `lanes bench --json`; the first is what the others are compared with. One alone is shown as when it
    /// was measured
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write a page with pictures to FILE
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Transactions of the chain that a verification time is given for
    #[arg(long, value_name = "N", default_value_t = CHAIN, value_parser = clap::value_parser!(u64).range(1..))]
    chain: u64,
}

/// The same work by the same implementation, in some of the records.
pub(super) struct Line<'a> {
    pub(super) row: &'a Row,
    /// A row for each record that has one.
    pub(super) rows: Vec<Option<&'a Row>>,
}

impl Line<'_> {
    /// The first record's time over that of another.
    pub(super) fn ratio(&self, record: usize) -> Option<f64> {
        Some(self.rows[0]?.ns.min / self.rows[record]?.ns.min)
    }
}

/// Every row of every record once, in the order of the first record that has it.
pub(super) fn lines(records: &[Record]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (i, record) in records.iter().enumerate() {
        for row in &record.rows {
            let known = |line: &&mut Line<'_>| line.row.same_work(row) && line.row.by == row.by;
            match lines.iter_mut().find(known) {
                Some(line) => line.rows[i] = Some(row),
                None => {
                    let mut rows = vec![None; records.len()];
                    rows[i] = Some(row);
                    lines.push(Line { row, rows });
                }
            }
        }
    }
    lines
}

/// The geometric mean of a record's ratios.
pub(super) fn mean(lines: &[Line<'_>], record: usize) -> Option<f64> {
    let logs: Vec<f64> = lines.iter().filter_map(|line| line.ratio(record)).map(f64::ln).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    let records = args.files.iter().map(|file| Record::read(file)).collect::<Result<Vec<_>, _>>()?;
    if let [record] = &records[..] {
        return show(record, args, out);
    }
    for (i, record) in records.iter().enumerate() {
        let partial = if record.complete { "" } else { ", interrupted" };
        out.line(format_args!(
            "{}  {}: {}, lanes {}, {}, {}{partial}",
            i + 1,
            record.label,
            record.machine.cpu,
            record.program.version,
            record.program.compiler,
            record.date
        ))?;
    }
    if let Some(path) = &args.html {
        write_whole(Path::new(path), &page::compared(&records))?;
    }
    // What only one record has compares with nothing: the page shows it.
    let (lines, alone): (Vec<Line<'_>>, Vec<_>) =
        lines(&records).into_iter().partition(|line| line.rows.iter().flatten().count() > 1);
    let heads: Vec<String> = (2..=records.len()).map(|i| format!("1 over {i}")).collect();
    let width = lines.iter().map(|line| name(line.row).chars().count()).max().unwrap_or(0);
    let times: Vec<String> = (1..=records.len()).map(|i| format!("{i}, µs")).collect();
    let cells = |cells: &[String]| cells.iter().map(|cell| format!("  {cell:>10}")).collect::<String>();
    out.line("")?;
    out.line(format_args!("{:width$}{}{}", "", cells(&times), cells(&heads)))?;
    for line in &lines {
        let times: Vec<String> = line.rows.iter().map(|row| row.map_or("-".into(), |row| micros(row.each()))).collect();
        let ratios: Vec<String> = (1..records.len())
            .map(|record| line.ratio(record).map_or("-".into(), |ratio| format!("{ratio:.3}")))
            .collect();
        out.line(format_args!("{:width$}{}{}", name(line.row), cells(&times), cells(&ratios)))?;
    }
    let means: Vec<String> =
        (1..records.len()).map(|record| mean(&lines, record).map_or("-".into(), |mean| format!("{mean:.3}"))).collect();
    let blank = vec![String::new(); records.len()];
    out.line(format_args!("{:width$}{}{}", "geometric mean", cells(&blank), cells(&means)))?;
    out.line("Ratios above 1: faster than the first record.")?;
    if !alone.is_empty() {
        out.line(format_args!("Left out: {} figures that only one record has.", alone.len()))?;
    }
    Ok(OK)
}

/// One record: its tables, and its page.
fn show(record: &Record, args: &Args, out: &mut Output) -> Result<u8, Unusable> {
    if let Some(path) = &args.html {
        write_whole(Path::new(path), &page::page(record, args.chain))?;
    }
    out.line(table::heading(record))?;
    for rows in record.rows.chunk_by(|a, b| a.group == b.group) {
        for line in table::table(&rows[0].group, rows, crate::output::coloured()) {
            out.line(line)?;
        }
    }
    out.line(table::remarks(record))?;
    for verdict in verdicts(record, args.chain) {
        out.line(verdict)?;
    }
    Ok(OK)
}

fn name(row: &Row) -> String {
    format!("{}: {}, {}, {}", row.group, work_name(row), units(row), row.by)
}

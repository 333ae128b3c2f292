//! A record on the terminal: one line a piece of work, one column an implementation.

use curve25519_lanes::cpu::BackendId;

use super::record::{Kind, Record, Row};

/// What precedes the tables.
pub(super) fn heading(record: &Record) -> String {
    let machine = &record.machine;
    let mut text = format!(
        "{}, {} threads, about {:.1} GHz; lanes {}, {}\nCPU time of one thread, µs for one unit, or for all of the bytes",
        machine.cpu, machine.threads, machine.clock_ghz, record.program.version, record.program.compiler
    );
    if !record.program.missing.is_empty() {
        text.push_str(&format!(". Not here: {}", record.program.missing.join(", ")));
    }
    if !record.program.compiled_for.iter().all(|feature| feature.starts_with("sse")) {
        text.push_str(&format!(".\nThe whole program is compiled for {}", record.program.compiled_for.join(" ")));
    }
    text
}

/// What follows them.
pub(super) fn remarks(record: &Record) -> String {
    let noisy = record.rows.iter().filter(|row| row.noisy).count();
    let mut text = String::from("\n× is the fastest other implementation's time over that of the fastest backend.");
    if noisy > 0 {
        text.push_str(&format!(
            "\n~ marks {noisy} of {} figures whose spread stayed above 5 % when measured again: a busy machine.",
            record.rows.len()
        ));
    }
    text
}

/// µs in four figures.
pub(crate) fn micros(ns: f64) -> String {
    let us = ns / 1e3;
    let digits = match us {
        us if us < 0.001 => 6,
        us if us < 0.01 => 5,
        us if us < 0.1 => 4,
        us if us < 10.0 => 3,
        us if us < 100.0 => 2,
        us if us < 1000.0 => 1,
        _ => 0,
    };
    format!("{us:.digits$}")
}

/// The work in words: operation, choices, how many.
pub(crate) fn work_name(row: &Row) -> String {
    let params: Vec<String> = row.params.iter().map(|(name, value)| format!("{name} {value}")).collect();
    match params.is_empty() {
        true => row.op.clone(),
        false => format!("{}, {}", row.op, params.join(", ")),
    }
}

/// Column heads in order: backends from the best one down, then whoever else there is, as they come.
pub(crate) fn columns(rows: &[Row]) -> Vec<(String, Kind)> {
    let mut out: Vec<(String, Kind)> = Vec::new();
    let backends = BackendId::ALL.iter().rev().map(|id| id.name()).chain(["any"]);
    for name in backends {
        if rows.iter().any(|row| row.kind == Kind::Backend && row.by == name) {
            out.push((name.to_string(), Kind::Backend));
        }
    }
    for row in rows {
        if !out.iter().any(|(name, _)| *name == row.by) {
            out.push((row.by.clone(), row.kind));
        }
    }
    out
}

/// How much work a call is.
pub(super) fn units(row: &Row) -> String {
    match row.size {
        1 => format!("1 {}", row.unit),
        size => format!("{size} {}s", row.unit),
    }
}

/// The lines of one group.
pub(super) fn table(group: &str, rows: &[Row], coloured: bool) -> Vec<String> {
    let columns = columns(rows);
    let works: Vec<&[Row]> = rows.chunk_by(Row::same_work).collect();
    let mut grid = vec![vec![group.to_string(), "of".into()]];
    grid[0].extend(columns.iter().map(|(name, _)| name.clone()));
    grid[0].push("×".into());
    let mut best = vec![None];
    for work in &works {
        let mut line = vec![work_name(&work[0]), units(&work[0])];
        let ours = work.iter().filter(|row| row.kind == Kind::Backend);
        let fastest = ours.min_by(|a, b| a.ns.min.total_cmp(&b.ns.min));
        for (name, _) in &columns {
            let cell = work.iter().find(|row| row.by == *name);
            let noise = |row: &Row| if row.noisy { "~" } else { "" };
            line.push(cell.map_or(String::new(), |row| format!("{}{}", noise(row), micros(row.each()))));
        }
        line.push(fastest.and_then(|row| row.ratio).map_or(String::new(), |ratio| format!("{ratio:.2}")));
        best.push(fastest.and_then(|row| columns.iter().position(|(name, _)| *name == row.by)));
        grid.push(line);
    }
    let count = columns.len() + 3;
    let width = |i: usize| grid.iter().map(|line| line[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut out = vec![String::new()];
    for (n, (line, best)) in grid.iter().zip(best).enumerate() {
        let mut text = String::new();
        for (i, cell) in line.iter().enumerate() {
            let pad = " ".repeat(widths[i] - cell.chars().count());
            let emphasis = match coloured {
                true if n == 0 => "1",
                true if i > 1 && best == Some(i - 2) => "32",
                _ => "",
            };
            let cell = if emphasis.is_empty() { cell.clone() } else { format!("\u{1b}[{emphasis}m{cell}\u{1b}[0m") };
            match i {
                0 => text.push_str(&format!("{cell}{pad}")),
                _ => text.push_str(&format!("  {pad}{cell}")),
            }
        }
        out.push(text.trim_end().to_string());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::record::Figures;
    use super::*;

    fn row(op: &str, size: u64, by: &str, kind: Kind, min: f64, ratio: Option<f64>, noisy: bool) -> Row {
        Row {
            group: "msm".into(),
            op: op.into(),
            params: Default::default(),
            size,
            unit: "point".into(),
            by: by.into(),
            kind,
            ns: Figures { min, median: min, mad: 0.0 },
            samples: 5,
            noisy,
            peer: ratio.map(|_| "curve25519-dalek".into()),
            ratio,
            over_portable: None,
        }
    }

    fn rows() -> Vec<Row> {
        vec![
            row("any points", 1, "portable", Kind::Backend, 41_200.0, Some(0.8), false),
            row("any points", 1, "ifma", Kind::Backend, 12_600.0, Some(2.2), false),
            row("any points", 1, "curve25519-dalek", Kind::Peer, 27_720.0, None, false),
            row("any points", 1024, "portable", Kind::Backend, 4_811_000.0, Some(0.89), true),
            row("any points", 1024, "ifma", Kind::Backend, 630_000.0, Some(6.79), false),
            row("any points", 1024, "curve25519-dalek", Kind::Peer, 4_278_000.0, None, false),
        ]
    }

    #[test]
    fn golden() {
        let expected = "
msm                  of   ifma  portable  curve25519-dalek     ×
any points      1 point  12.60     41.20             27.72  2.20
any points  1024 points  0.615    ~4.698             4.178  6.79";
        assert_eq!(table("msm", &rows(), false).join("\n"), expected);
    }

    #[test]
    fn colours_are_only_added() {
        let strip = |text: &str| {
            let mut out = String::new();
            let mut parts = text.split("\u{1b}[");
            out.push_str(parts.next().unwrap());
            parts.for_each(|part| out.push_str(part.split_once('m').unwrap().1));
            out
        };
        let coloured = table("msm", &rows(), true);
        assert!(coloured[2].contains("\u{1b}[32m12.60\u{1b}[0m"), "{}", coloured[2]);
        let plain: Vec<String> = coloured.iter().map(|line| strip(line)).collect();
        assert_eq!(plain, table("msm", &rows(), false));
    }

    #[test]
    fn four_figures() {
        for (ns, text) in [
            (0.5, "0.000500"),
            (12.345, "0.0123"),
            (123.45, "0.123"),
            (1234.5, "1.234"),
            (12_345.0, "12.35"),
            (123_456.0, "123.5"),
            (1_234_567.0, "1235"),
        ] {
            assert_eq!(micros(ns), text);
        }
    }
}

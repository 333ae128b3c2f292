//! Several records on one page.

use std::fmt::Write;

use super::{Bar, COLOURS, blocks, document, escaped, legend};
use crate::bench::compare::{lines, mean};
use crate::bench::record::{Kind, Record};
use crate::bench::table::{micros, work_name};

/// The page of `lanes compare`.
pub(in crate::bench) fn compared(records: &[Record]) -> String {
    let lines = lines(records);
    let mut body = String::from("<header><h1>Records side by side</h1><ul class=\"verdicts\">");
    for (i, record) in records.iter().enumerate() {
        let against = match mean(&lines, i) {
            Some(mean) if i > 0 => format!(": {mean:.2} times as fast as 1, in the mean"),
            _ => String::new(),
        };
        let _ = write!(
            body,
            "<li>{} · {} · {} · lanes {}, {} · {}{against}</li>",
            i + 1,
            escaped(&record.label),
            escaped(&record.machine.cpu),
            escaped(&record.program.version),
            escaped(&record.program.compiler),
            escaped(&record.date)
        );
    }
    body.push_str("</ul></header><main>");
    let entries: Vec<_> = records
        .iter()
        .enumerate()
        .map(|(i, record)| (i % COLOURS, format!("{} {}", i + 1, record.label), false))
        .collect();
    for group in lines.chunk_by(|a, b| a.row.group == b.row.group) {
        let name = &group[0].row.group;
        // What the fastest backend of each machine makes of it.
        let mut works: Vec<(String, Vec<Bar>)> = Vec::new();
        for work in group.chunk_by(|a, b| a.row.same_work(b.row)) {
            let best = |i: usize| {
                let ours = work.iter().filter_map(|line| line.rows[i]).filter(|row| row.kind == Kind::Backend);
                ours.map(|row| row.each()).min_by(f64::total_cmp)
            };
            let bars: Vec<Bar> = (0..records.len()).filter_map(|i| Some((i % COLOURS, best(i)?))).collect();
            if bars.len() > 1 {
                works.push((format!("{}, {}", work_name(work[0].row), work[0].row.size), bars));
            }
        }
        let mut table = String::from("<table><thead><tr><th>µs each</th><th>of</th><th>by</th>");
        (1..=records.len()).for_each(|i| _ = write!(table, "<th>{i}</th>"));
        (2..=records.len()).for_each(|i| _ = write!(table, "<th>1 over {i}</th>"));
        table.push_str("</tr></thead><tbody>");
        for line in group {
            let _ = write!(
                table,
                "<tr><td>{}</td><td>{}</td><td>{}</td>",
                escaped(&work_name(line.row)),
                line.row.size,
                escaped(&line.row.by)
            );
            for row in &line.rows {
                let _ = write!(table, "<td>{}</td>", row.map_or(String::new(), |row| micros(row.each())));
            }
            for i in 1..records.len() {
                let _ = write!(table, "<td>{}</td>", line.ratio(i).map_or(String::new(), |r| format!("{r:.3}")));
            }
            table.push_str("</tr>");
        }
        table.push_str("</tbody></table>");
        let _ = write!(body, "<section><h2>{}</h2>", escaped(name));
        let pictures = blocks("The fastest backend of each", "µs each.", &legend(&entries), &works, &table);
        if pictures.is_empty() {
            let _ = write!(body, "<div class=\"scroll\">{table}</div>");
        }
        body.push_str(&pictures);
        body.push_str("</section>");
    }
    body.push_str("</main>");
    document("Records side by side", &body)
}

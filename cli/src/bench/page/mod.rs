//! A record as one page: no network, light and dark, readable on a phone. Every picture stands beside its table.

mod compared;
mod plot;
mod sections;

use std::fmt::Write;

pub(super) use self::compared::compared;
use self::plot::{Bar, COLOURS, Lines, Series};
use super::record::{Kind, Record, Row};
use super::table::{columns, micros, work_name};
use super::throughput::{duration, rate, throughput};
use super::verdicts::verdicts;

/// The whole page.
pub(super) fn page(record: &Record, chain: u64) -> String {
    let machine = &record.machine;
    let program = &record.program;
    let mut body = String::new();
    let signature = machine.signature.map_or(String::new(), |[family, model, stepping]| {
        format!(" (family {family}, model {model}, stepping {stepping})")
    });
    let _ = write!(
        body,
        "<header><h1>{}</h1><p class=\"soft\">{}{signature}, {} hardware threads, about {:.1} GHz, {} · lanes {}, {} · {} \
         run of {}{}</p>",
        escaped(&record.label),
        escaped(&machine.cpu),
        machine.threads,
        machine.clock_ghz,
        escaped(&machine.target),
        escaped(&program.version),
        escaped(&program.compiler),
        escaped(&record.scale),
        escaped(&record.date),
        if record.complete { "" } else { " · interrupted" }
    );
    let sentences: String = verdicts(record, chain).iter().map(|s| format!("<li>{}</li>", escaped(s))).collect();
    let _ = write!(body, "<ul class=\"verdicts\">{sentences}</ul>");
    let sections = sections::sections(record);
    let links: String = sections.iter().map(|s| format!("<a href=\"#{}\">{}</a>", s.id, s.title)).collect();
    let _ = write!(body, "<nav>{links}<a href=\"#all\">All figures</a></nav></header><main>");
    body.push_str(&users(record, chain));
    for section in &sections {
        let _ = write!(body, "<section><h2 id=\"{}\">{}</h2>{}</section>", section.id, section.title, section.body);
    }
    body.push_str(&everything(record));
    let features = machine.features.join(" ");
    let peers: Vec<String> = program.peers.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let _ = write!(
        body,
        "</main><main><footer><p>CPU time of one thread. A figure is the least of the medians of five samples in a row; samples of \
         all implementations take turns in one process, and their results are compared first. ~ marks a spread above 5 %. × is the \
         fastest other implementation's time over that of the fastest backend.</p><p>CPU features: {}. The program as a whole is \
         compiled for {}. Beside ours: {}. Memory kept by the allocator: {}; thread on one core: {}.</p></footer></main>",
        escaped(&features),
        escaped(&program.compiled_for.join(" ")),
        escaped(&peers.join(", ")),
        yes(program.memory_kept),
        yes(program.pinned),
    );
    document(&record.label, &body)
}

fn yes(this: bool) -> &'static str {
    if this { "yes" } else { "no" }
}

fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\"><meta name=\"generator\" content=\"lanes bench\">\
         <link rel=\"icon\" href=\"data:,\"><title>{}</title><style>\n{}</style></head><body>{body}</body></html>\n",
        escaped(title),
        include_str!("page.css")
    )
}

/// What the record says may come from a stranger's file.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The colour of an implementation: backends have fixed ones.
fn colour(record: &Record, name: &str) -> usize {
    const BACKENDS: [&str; 6] = ["ifma", "avx2", "amd64-64", "amd64-51", "portable", "any"];
    if let Some(at) = BACKENDS.iter().position(|backend| *backend == name) {
        return at;
    }
    let mut others: Vec<&str> = Vec::new();
    for row in &record.rows {
        if !BACKENDS.contains(&row.by.as_str()) && !others.contains(&row.by.as_str()) {
            others.push(&row.by);
        }
    }
    let at = others.iter().position(|other| *other == name).unwrap_or(0);
    BACKENDS.len() + at % (COLOURS - BACKENDS.len())
}

fn legend(entries: &[(usize, String, bool)]) -> String {
    let entry = |(colour, name, elsewhere): &(usize, String, bool)| {
        let class = if *elsewhere { " class=\"elsewhere\"" } else { "" };
        format!(
            "<li><i{class} style=\"background:var(--c{colour});border-color:var(--c{colour})\"></i>{}</li>",
            escaped(name)
        )
    };
    format!("<ul class=\"legend\">{}</ul>", entries.iter().map(entry).collect::<String>())
}

/// A picture and its table, side by side where there is room.
fn pair(title: &str, caption: &str, legend: &str, picture: Option<String>, table: &str) -> String {
    framed("pair", title, caption, legend, &picture.unwrap_or_default(), table)
}

/// Bars of several kinds of work and their table, one below the other if they are many.
fn blocks(title: &str, caption: &str, legend: &str, blocks: &[(String, Vec<Bar>)], table: &str) -> String {
    let pictures: Vec<String> = blocks.iter().filter_map(|(name, bars)| plot::bars(name, bars)).collect();
    let class = if pictures.len() > 3 { "pair many" } else { "pair" };
    let pictures =
        if pictures.is_empty() { String::new() } else { format!("<div class=\"blocks\">{}</div>", pictures.concat()) };
    framed(class, title, caption, legend, &pictures, table)
}

/// Nothing where there is no picture.
fn framed(class: &str, title: &str, caption: &str, legend: &str, pictures: &str, table: &str) -> String {
    if pictures.is_empty() {
        return String::new();
    }
    format!(
        "<div class=\"{class}\"><figure><h3>{}</h3>{legend}{pictures}<figcaption>{}</figcaption></figure>\
         <div class=\"scroll\">{table}</div></div>",
        escaped(title),
        escaped(caption)
    )
}

/// Rows of the same work in a line, implementations in columns. A cell keeps the time of a call beside what it shows.
fn table(rows: &[&Row]) -> String {
    let owned: Vec<Row> = rows.iter().map(|row| (*row).clone()).collect();
    let columns = columns(&owned);
    let mut out = String::from("<table><thead><tr><th>µs each</th><th>of</th>");
    for (name, _) in &columns {
        let _ = write!(out, "<th>{}</th>", escaped(name));
    }
    out.push_str("<th>×</th></tr></thead><tbody>");
    for work in owned.chunk_by(Row::same_work) {
        let _ = write!(out, "<tr><td>{}</td><td>{}</td>", escaped(&work_name(&work[0])), work[0].size);
        let best = work.iter().filter(|row| row.kind == Kind::Backend).min_by(|a, b| a.ns.min.total_cmp(&b.ns.min));
        for (name, _) in &columns {
            match work.iter().find(|row| row.by == *name) {
                None => out.push_str("<td></td>"),
                Some(row) => {
                    let class = if best.is_some_and(|best| best.by == row.by) { " class=\"best\"" } else { "" };
                    let noise = if row.noisy { "~" } else { "" };
                    let _ = write!(out, "<td{class} data-ns=\"{}\">{noise}{}</td>", row.ns.min, micros(row.each()));
                }
            }
        }
        let ratio = best.and_then(|row| row.ratio).map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let _ = write!(out, "<td>{ratio}</td></tr>");
    }
    out.push_str("</tbody></table>");
    out
}

/// The table of rows that a plot is about: what is the same in all of them is said by its title and caption.
fn varying(rows: &[&Row]) -> String {
    let mut owned: Vec<Row> = rows.iter().map(|row| (*row).clone()).collect();
    if let Some(first) = rows.first() {
        for (name, value) in &first.params {
            if rows.iter().all(|row| row.params.get(name) == Some(value)) {
                for row in &mut owned {
                    row.params.remove(name);
                }
            }
        }
    }
    table(&owned.iter().collect::<Vec<_>>())
}

/// A line for each implementation: time of one unit over `x`.
fn lines(
    record: &Record,
    title: &str,
    caption: &str,
    axes: [&str; 2],
    rows: &[&Row],
    x: impl Fn(&Row) -> f64,
    marks: Vec<(f64, String)>,
) -> String {
    let mut series: Vec<(String, Series)> = Vec::new();
    for row in rows {
        let point = (x(row), row.each() / 1e3);
        match series.iter_mut().find(|(name, _)| *name == row.by) {
            Some((_, series)) => series.points.push(point),
            None => {
                let elsewhere = row.kind == Kind::Reference;
                let colour = colour(record, &row.by);
                series.push((row.by.clone(), Series { colour, points: vec![point], elsewhere }));
            }
        }
    }
    let mut names: Vec<_> = series.iter().map(|(name, s)| (s.colour, name.clone(), s.elsewhere)).collect();
    names.sort_unstable();
    let legend = legend(&names);
    let series = series.into_iter().map(|(_, series)| series).collect();
    let picture = Lines { x: axes[0], y: axes[1], series, marks }.draw();
    pair(title, caption, &legend, picture, &varying(rows))
}

/// Bars of one unit's time, a block for each kind of work.
fn bars(record: &Record, title: &str, caption: &str, rows: &[&Row]) -> String {
    let mut names: Vec<(usize, String, bool)> = Vec::new();
    let mut works: Vec<(String, Vec<Bar>)> = Vec::new();
    for work in rows.chunk_by(|a, b| a.same_work(b)) {
        let mut bars: Vec<Bar> = Vec::new();
        let owned: Vec<Row> = work.iter().map(|row| (*row).clone()).collect();
        for (name, kind) in columns(&owned) {
            let Some(row) = work.iter().find(|row| row.by == name) else { continue };
            let entry = (colour(record, &name), name, kind == Kind::Reference);
            bars.push((entry.0, row.each()));
            if !names.contains(&entry) {
                names.push(entry);
            }
        }
        let of = if work[0].size == 1 { String::new() } else { format!(", {} together", work[0].size) };
        works.push((format!("{}{of}", work_name(work[0])), bars));
    }
    names.sort_unstable();
    blocks(title, caption, &legend(&names), &works, &table(rows))
}

/// Throughput in users' words.
fn users(record: &Record, chain: u64) -> String {
    let all = throughput(record, chain);
    if all.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<section><h2 id=\"users\">What one core does</h2><p>Sustained is a tenth of what is possible, so that a node that was away \
         catches up ten times as fast as the chain grows. The chain has {} transactions.</p><div class=\"scroll\"><table><thead><tr>\
         <th>What</th><th>a second</th><th>by</th><th>chain verified in</th><th>sustained, a second</th></tr></thead><tbody>",
        rate(chain as f64)
    );
    for this in &all {
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&this.what),
            rate(this.a_second),
            escaped(&this.by),
            this.chain.map_or(String::new(), duration),
            this.sustained.map_or(String::new(), rate)
        );
    }
    out.push_str("</tbody></table></div></section>");
    out
}

/// Every row of the record.
fn everything(record: &Record) -> String {
    let mut out = String::from("<section><h2 id=\"all\">All figures</h2><div id=\"rows\">");
    for group in record.rows.chunk_by(|a, b| a.group == b.group) {
        let rows: Vec<&Row> = group.iter().collect();
        let _ = write!(out, "<h3>{}</h3><div class=\"scroll\">{}</div>", escaped(&group[0].group), table(&rows));
    }
    out.push_str("</div></section>");
    out
}

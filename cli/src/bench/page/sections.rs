//! What the page shows of each group.

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::msm;

use super::plot::{Lines, Series};
use super::{Kind, Record, Row, bars, legend, lines, pair, varying};
use crate::bench::field::PRODUCT;

/// A part of the page.
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) body: String,
}

pub(super) fn sections(record: &Record) -> Vec<Section> {
    let all = [
        Section { id: "msm", title: "Sums of points", body: sums(record) },
        Section { id: "field", title: "Field products and the multiplier", body: field(record) },
        Section { id: "group", title: "Points one by one and side by side", body: group(record) },
        Section { id: "bpplus", title: "Range proofs", body: bpplus(record) },
        Section { id: "ring", title: "Ring signatures and Monero's transactions", body: ring(record) },
        Section { id: "seraphis", title: "The Seraphis study", body: seraphis(record) },
        Section { id: "wallet", title: "Scanning for wallets", body: wallet(record) },
        Section { id: "mantle", title: "The Mantle transaction hash", body: mantle(record) },
    ];
    all.into_iter().filter(|section| !section.body.is_empty()).collect()
}

fn select<'a>(record: &'a Record, group: &str, wanted: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
    record.rows.iter().filter(|row| row.group == group && wanted(row)).collect()
}

fn param(row: &Row, name: &str) -> u64 {
    row.params.get(name).copied().unwrap_or(0)
}

/// The backend that wide work runs on.
fn fastest(record: &Record) -> Option<&String> {
    record.program.backends.iter().max_by_key(|name| {
        let place = BackendId::ALL.iter().position(|known| known.name() == name.as_str());
        place.unwrap_or(0)
    })
}

fn sums(record: &Record) -> String {
    let size = |row: &Row| row.size as f64;
    let axes = ["points in the sum", "µs a point"];
    let any = select(record, "msm", |row| row.op == "any points");
    // What a record was measured with is this program.
    let backends = record.program.backends.iter();
    let crossings: Vec<(&String, usize)> =
        backends.filter_map(|name| Some((name, msm::pippenger_from(BackendId::from_name(name).ok()?)))).collect();
    let fastest = fastest(record).and_then(|by| crossings.iter().find(|(name, _)| *name == by));
    let mut marks = vec![(190.0, "curve25519-dalek".to_string())];
    marks.extend(fastest.map(|(name, n)| (*n as f64, name.to_string())));
    let caption = format!(
        "Marked is where Straus's method ends and Pippenger's begins: at 190 points in curve25519-dalek, and where costs cross here: {}.",
        crossings.iter().map(|(name, n)| format!("{n} on {name}")).collect::<Vec<_>>().join(", ")
    );
    let mut out = lines(record, "Cost of a point in a sum", &caption, axes, &any, size, marks);
    for (op, title) in [
        ("static points", "All points known beforehand, tables made"),
        ("secret scalars", "Secret scalars, in constant time"),
    ] {
        let rows = select(record, "msm", |row| row.op == op);
        let sizes = rows.chunk_by(|a, b| a.size == b.size).count();
        out += &if sizes > 4 {
            lines(record, title, "µs a point.", axes, &rows, size, Vec::new())
        } else {
            bars(record, title, "µs a point.", &rows)
        };
    }
    out
}

/// Products beside what the multiplier alone would take for them.
fn field(record: &Record) -> String {
    let rows = select(record, "field", |row| PRODUCT.contains(&row.op.as_str()));
    let of = |op: &str, by: &str| rows.iter().find(|row| row.op == op && row.by == by).map(|row| row.ns.min);
    let shares = record.program.backends.iter().filter_map(|by| {
        let share = of(PRODUCT[1], by)? / of(PRODUCT[0], by)?;
        Some(format!("{:.0} % on {by}", 100.0 * share))
    });
    let caption = format!(
        "µs a product, side by side with others. The second is measured, too: as many of the same multiply instructions, \
         with nothing to wait for. That is how fast the CPU's multipliers could be done; as a share of what a product takes: {}.",
        shares.collect::<Vec<_>>().join(", ")
    );
    bars(record, "Time of one product", &caption, &rows)
}

fn group(record: &Record) -> String {
    let rows = select(record, "group", |row| [1, 64].contains(&row.size));
    bars(record, "Time of one operation", "µs each, alone or as part of a batch.", &rows)
}

fn bpplus(record: &Record) -> String {
    let one_mask = |row: &Row| param(row, "masks") <= 1;
    let largest = |rows: &[&Row]| rows.iter().map(|row| row.size).max().unwrap_or(0);
    let mut out = String::new();
    for (system, count, batch, each) in
        [("Monero", "outputs", "Monero, verify", 2), ("Tari", "values", "Tari, verify many", 1)]
    {
        for (op, title) in [("prove", "making a proof"), ("verify", "verifying one proof")] {
            let op = format!("{system}, {op}");
            let rows = select(record, "bpplus", |row| row.op == op && one_mask(row) && row.size == 1);
            out += &lines(
                record,
                &format!("{system}: {title}"),
                "64-bit values, one mask each.",
                [&format!("{count} in the proof"), "µs a proof"],
                &rows,
                |row| param(row, count) as f64,
                Vec::new(),
            );
        }
        let many = select(record, "bpplus", |row| row.op == batch && one_mask(row) && param(row, count) == each);
        if many.iter().any(|row| row.size != largest(&many)) {
            out += &lines(
                record,
                &format!("{system}: what a batch gains"),
                &format!("Proofs of {each} {}.", if each == 1 { "value" } else { count }),
                ["proofs in the batch", "µs a proof"],
                &many,
                |row| row.size as f64,
                Vec::new(),
            );
        }
    }
    let monero = select(record, "bpplus", |row| row.op == "Monero, verify" && row.size > 1);
    let together: Vec<&Row> = monero.iter().copied().filter(|row| row.size == largest(&monero)).collect();
    out += &bars(record, "Monero: a batch, by outputs", "µs a proof.", &together);
    let ops = ["Tari, verify many", "Tari, verify and recover", "Tari, recover"];
    let tari = select(record, "bpplus", |row| one_mask(row) && ops.contains(&row.op.as_str()));
    let together: Vec<&Row> = tari.iter().copied().filter(|row| row.size == largest(&tari)).collect();
    let time = |op: &str, by: &str| together.iter().find(|row| row.op == op && row.by == by).map(|row| row.ns.min);
    let overheads = record.program.backends.iter().filter_map(|by| {
        let overhead = time(ops[1], by)? / time(ops[0], by)? - 1.0;
        Some(format!("{:.0} % on {by}", 100.0 * overhead))
    });
    let caption = format!(
        "µs a proof of one value. Recovering masks while verifying costs {} more.",
        overheads.collect::<Vec<_>>().join(", ")
    );
    out + &bars(record, "Tari: a batch, and what recovering masks costs", &caption, &together)
}

fn ring(record: &Record) -> String {
    let all = select(record, "ring", |_| true);
    let largest = |op: &str| all.iter().filter(|row| row.op == op).map(|row| row.size).max();
    let ends = |row: &&Row| row.size == 1 || Some(row.size) == largest(&row.op);
    let rows: Vec<&Row> = all.iter().copied().filter(ends).collect();
    bars(
        record,
        "Signatures and transactions",
        "µs each. The C++ reference ran on another day's machine; its figures are carried over by what a fixed-base multiplication of \
         curve25519-dalek took there and takes here, so they are ratios and no measurements.",
        &rows,
    )
}

/// The experiments of the study, on the fastest backend, beside the reference.
fn seraphis(record: &Record) -> String {
    let ring = |row: &Row| (param(row, "n") as f64).powf(param(row, "m") as f64);
    let counts = |row: &Row| (param(row, "inputs"), param(row, "outputs"));
    let plain = |row: &Row| param(row, "splits") == 0;
    let at_128 = move |row: &Row| param(row, "n") == 2 && param(row, "m") == 7 && plain(row);
    let protocol = |row: &Row| row.op.clone();
    let mut out = String::new();
    out += &experiment(
        record,
        "Experiment 1: ring size, one transaction at a time",
        ["ring size", "µs a transaction"],
        |row| counts(row) == (2, 2) && param(row, "n") == 2 && row.size == 1 && plain(row),
        ring,
        protocol,
    );
    out += &experiment(
        record,
        "Experiment 2: ring size, 25 transactions together",
        ["ring size", "µs a transaction"],
        |row| counts(row) == (2, 2) && param(row, "n") == 2 && row.size == 25 && plain(row),
        ring,
        protocol,
    );
    let sized = select(record, "seraphis", |row| {
        Some(&row.by) == fastest(record) && counts(row) == (2, 2) && param(row, "n") == 2 && row.size == 1 && plain(row)
    });
    if sized.len() > 12 {
        out += &by_op(
            "Experiments 1 and 2: size of a transaction",
            "Bytes, from the form of the transaction.",
            ["ring size", "bytes"],
            &sized,
            |row| (ring(row), param(row, "bytes") as f64),
        );
    }
    for op in ["Triptych", "Sp-Concise", "Sp-Squashed"] {
        out += &experiment(
            record,
            &format!("Experiment 3: base of the decomposition, {op}"),
            ["ring size", "µs a transaction"],
            |row| row.op == op && counts(row) == (2, 2) && row.size == 1 && plain(row),
            ring,
            |row| format!("base {}", param(row, "n")),
        );
    }
    for (ring, m, clsag) in [(128, 7, 4), (256, 8, 8)] {
        let beside = if clsag == m { String::new() } else { format!(" (CLSAG of {})", 1 << clsag) };
        out += &experiment(
            record,
            &format!("Experiment 4: inputs, rings of {ring}{beside}, two outputs"),
            ["inputs", "µs a transaction"],
            |row| {
                let its = if row.op == "CLSAG" { clsag } else { m };
                let batch = row.size == 1 || row.size == 25 && row.op == "Sp-Squashed";
                batch && counts(row).1 == 2 && param(row, "n") == 2 && param(row, "m") == its && plain(row)
            },
            |row| param(row, "inputs") as f64,
            |row| if row.size == 1 { row.op.clone() } else { format!("{}, {} together", row.op, row.size) },
        );
    }
    out += &experiment(
        record,
        "Outputs, rings of 128, two inputs",
        ["outputs", "µs a transaction"],
        move |row| counts(row).0 == 2 && row.size == 1 && at_128(row),
        |row| param(row, "outputs") as f64,
        protocol,
    );
    out += &experiment(
        record,
        "Experiment 5: 16 inputs, 16 outputs, rings of 128, by batch",
        ["transactions in the batch", "µs a transaction"],
        move |row| counts(row) == (16, 16) && at_128(row),
        |row| row.size as f64,
        protocol,
    );
    out += &experiment(
        record,
        "Batches: two inputs, two outputs, rings of 256",
        ["transactions in the batch", "µs a transaction"],
        |row| counts(row) == (2, 2) && param(row, "n") == 2 && param(row, "m") == 8 && plain(row),
        |row| row.size as f64,
        protocol,
    );
    for (number, batch) in [(5, 1), (6, 25)] {
        out += &experiment(
            record,
            &format!(
                "The first report's Experiment {number}: split range proofs, two inputs, 16 outputs, batches of {batch}"
            ),
            ["range proofs, at most", "µs a transaction"],
            |row| counts(row) == (2, 16) && param(row, "n") == 2 && param(row, "m") == 8 && row.size == batch,
            |row| (1 << param(row, "splits").min(30)) as f64,
            protocol,
        );
    }
    if out.is_empty() {
        out = bars(record, "Transactions of the study", "µs a transaction.", &select(record, "seraphis", |_| true));
    }
    out
}

/// A line for each `series` on the fastest backend, and a dashed one for what the reference took.
fn experiment(
    record: &Record,
    title: &str,
    axes: [&str; 2],
    wanted: impl Fn(&Row) -> bool,
    x: impl Fn(&Row) -> f64,
    series: impl Fn(&Row) -> String,
) -> String {
    let rows = select(record, "seraphis", wanted);
    let Some(fastest) = fastest(record) else { return String::new() };
    let shown: Vec<&Row> =
        rows.iter().copied().filter(|row| row.by == *fastest || row.kind == Kind::Reference).collect();
    let mut names: Vec<String> = Vec::new();
    let mut curves: Vec<(usize, bool, Series)> = Vec::new();
    for row in &shown {
        let name = series(row);
        let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        let elsewhere = row.kind == Kind::Reference;
        let point = (x(row), row.each() / 1e3);
        match curves.iter_mut().find(|(name, e, _)| (*name, *e) == (at, elsewhere)) {
            Some((.., curve)) => curve.points.push(point),
            None => curves.push((
                at,
                elsewhere,
                Series { colour: COLOUR_OF[at % COLOUR_OF.len()], points: vec![point], elsewhere },
            )),
        }
    }
    let mut entries: Vec<(usize, String, bool)> =
        names.iter().enumerate().map(|(i, name)| (COLOUR_OF[i % COLOUR_OF.len()], name.clone(), false)).collect();
    if curves.iter().any(|(_, elsewhere, _)| *elsewhere) {
        entries.push((4, "C++ reference, carried over".into(), true));
    }
    let mut curves: Vec<Series> = curves.into_iter().map(|(.., curve)| curve).collect();
    curves.iter_mut().for_each(|curve| curve.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    if !curves.iter().any(|curve| curve.points.len() > 1) {
        return String::new();
    }
    let elsewhere = curves.iter().any(|curve| curve.elsewhere);
    let picture = Lines { x: axes[0], y: axes[1], series: curves, marks: Vec::new() }.draw();
    let caption = if !elsewhere {
        format!("On {fastest}.")
    } else {
        format!(
            "On {fastest}. Dashed: the study's C++ code on another day's machine, carried over: ratios, no measurements."
        )
    };
    pair(title, &caption, &legend(&entries), picture, &varying(&shown))
}

/// Colours that are told apart most easily, first.
const COLOUR_OF: [usize; 8] = [0, 1, 2, 3, 6, 7, 8, 9];

fn wallet(record: &Record) -> String {
    let scans = select(record, "wallet", |row| row.unit == "pair");
    let mut out = bars(record, "A whole scan", "µs for one output tried for one wallet.", &scans);
    for (start, title) in [
        ("transaction key: ", "Shared secret of a transaction key"),
        ("output key: ", "Key of an output"),
        ("transaction of ", "A whole transaction"),
    ] {
        let rows = select(record, "wallet", |row| row.op.starts_with(start));
        out += &bars(record, title, "µs each; ways to do the same, alone or in batches.", &rows);
    }
    out
}

fn mantle(record: &Record) -> String {
    let rows = select(record, "mantle", |row| row.unit == "byte");
    let mut out = by_op(
        "A transaction's hash, by variant",
        "R, B and C hash bytes by BLAKE2b; A and A2 by Poseidon2.",
        ["bytes", "µs a transaction"],
        &rows,
        |row| (row.size as f64, row.each() / 1e3),
    );
    let states = select(record, "mantle", |row| row.unit == "permutation");
    out += &bars(record, "Poseidon2 over BN254, three elements", "µs a permutation.", &states);
    out
}

/// A line for each of this library's operations.
fn by_op(title: &str, caption: &str, axes: [&str; 2], rows: &[&Row], point: impl Fn(&Row) -> (f64, f64)) -> String {
    let mut curves: Vec<(String, Series)> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == Kind::Backend) {
        match curves.iter_mut().find(|(name, _)| *name == row.op) {
            Some((_, curve)) => curve.points.push(point(row)),
            None => {
                let colour = COLOUR_OF[curves.len() % COLOUR_OF.len()];
                curves.push((row.op.clone(), Series { colour, points: vec![point(row)], elsewhere: false }));
            }
        }
    }
    let entries: Vec<_> = curves.iter().map(|(name, curve)| (curve.colour, name.clone(), false)).collect();
    let series = curves.into_iter().map(|(_, curve)| curve).collect();
    let picture = Lines { x: axes[0], y: axes[1], series, marks: Vec::new() }.draw();
    pair(title, caption, &legend(&entries), picture, &varying(rows))
}

//! A record in sentences.

use super::field::PRODUCT;
use super::record::{Kind, Record, Row};
use super::throughput::{duration, rate, throughput};

/// What a stranger should know first.
pub(crate) fn verdicts(record: &Record, chain: u64) -> Vec<String> {
    let mut out = Vec::new();
    let backends = record.program.backends.iter();
    // What the multiplier could do is nobody's work.
    let works = || record.rows.iter().filter(|row| row.op != PRODUCT[1]);
    let gain = |name: &String| {
        let gains: Vec<f64> = works().filter(|row| row.by == *name).filter_map(|row| row.over_portable).collect();
        Some((name.clone(), mean(&gains)?, gains.len()))
    };
    let best = backends.filter_map(gain).max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((name, gain, works)) = best
        && name != "portable"
    {
        out.push(format!(
            "The fastest backend of this CPU is {name}: {gain:.1} times as fast as portable code in the mean of {works} kinds \
             of work."
        ));
    }
    out.extend(against(record));
    for this in throughput(record, chain).iter().filter(|this| this.chain.is_some()) {
        let (time, sustained) = (duration(this.chain.unwrap_or(0.0)), rate(this.sustained.unwrap_or(0.0)));
        out.push(format!(
            "{}: {} a second on one core ({}); {} of them take {time}; plan for {sustained} a second, a tenth.",
            this.what,
            rate(this.a_second),
            this.by,
            rate(chain as f64)
        ));
    }
    let noisy = record.rows.iter().filter(|row| row.noisy).count();
    if noisy * 10 > record.rows.len() {
        out.push(format!(
            "The machine was busy: {noisy} of {} figures had a spread above 5 %. Ratios hold better than times.",
            record.rows.len()
        ));
    }
    if !record.complete {
        out.push("The run was interrupted; what follows is what had been measured.".to_string());
    }
    out
}

/// How the fastest backend of each kind of work stands beside each peer, where there are several comparisons.
fn against(record: &Record) -> Vec<String> {
    let mut peers: Vec<(&str, Vec<(f64, &Row)>)> = Vec::new();
    for work in record.works() {
        let ours = work.iter().filter(|row| row.kind == Kind::Backend).map(|row| row.ns.min);
        let Some(best) = ours.min_by(f64::total_cmp) else { continue };
        for row in work.iter().filter(|row| row.kind == Kind::Peer) {
            let ratio = (row.ns.min / best, row);
            match peers.iter_mut().find(|(name, _)| *name == row.by) {
                Some((_, ratios)) => ratios.push(ratio),
                None => peers.push((&row.by, vec![ratio])),
            }
        }
    }
    let sentence = |(name, ratios): &(&str, Vec<(f64, &Row)>)| {
        let mean = mean(&ratios.iter().map(|(ratio, _)| *ratio).collect::<Vec<_>>())?;
        let by_ratio = |a: &&(f64, &Row), b: &&(f64, &Row)| a.0.total_cmp(&b.0);
        let (low, high) = (ratios.iter().min_by(by_ratio)?, ratios.iter().max_by(by_ratio)?);
        let work = |row: &Row| match row.size {
            1 => row.op.clone(),
            size => format!("{}, {size} together", row.op),
        };
        Some(format!(
            "Beside {name}, the best backend for the work is {mean:.1} times as fast in the mean of {} kinds of work, from {:.1} ({}) \
             to {:.1} ({}).",
            ratios.len(),
            low.0,
            work(low.1),
            high.0,
            work(high.1)
        ))
    };
    peers.iter().filter(|(_, ratios)| ratios.len() > 2).filter_map(sentence).collect()
}

/// The geometric mean.
pub(super) fn mean(numbers: &[f64]) -> Option<f64> {
    let sum: f64 = numbers.iter().map(|x| x.ln()).sum();
    (!numbers.is_empty()).then(|| (sum / numbers.len() as f64).exp())
}

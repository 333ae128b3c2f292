//! A record in users' words: so many a second, so long for a chain.

use super::record::{Kind, Record, Row};

/// Transactions of the chain that a verification time is given for, unless the user chooses.
pub(crate) const CHAIN: u64 = 1_000_000;

/// What one core does of one thing.
pub(crate) struct Throughput {
    pub(crate) what: String,
    pub(crate) by: String,
    pub(crate) a_second: f64,
    /// Seconds for the chain, where the thing is something a chain is made of.
    pub(crate) chain: Option<f64>,
    /// What a network should plan with: a tenth, so that a node that was away catches up ten times as fast as the
    /// chain grows.
    pub(crate) sustained: Option<f64>,
}

/// The best of each protocol, by the fastest backend in the largest batch measured.
pub(crate) fn throughput(record: &Record, chain: u64) -> Vec<Throughput> {
    let mut out: Vec<(Throughput, String)> = Vec::new();
    for row in record.rows.iter().filter(|row| row.kind == Kind::Backend) {
        let Some((what, chained)) = named(row) else { continue };
        let a_second = 1e9 / row.each();
        let of_chain = |x: f64| chained.then_some(x);
        let this = Throughput {
            what: what.clone(),
            by: row.by.clone(),
            a_second,
            chain: of_chain(chain as f64 / a_second),
            sustained: of_chain(a_second / 10.0),
        };
        match out.iter_mut().find(|(_, name)| *name == what) {
            Some((known, _)) if known.a_second < a_second => *known = this,
            Some(_) => {}
            None => out.push((this, what)),
        }
    }
    out.into_iter().map(|(this, _)| this).collect()
}

/// What users call it, and whether chains are made of it.
fn named(row: &Row) -> Option<(String, bool)> {
    let param = |name: &str| row.params.get(name).copied();
    let small = param("inputs") == Some(2) && param("outputs") == Some(2);
    match (row.group.as_str(), row.unit.as_str()) {
        ("ring", "transaction") => {
            Some((format!("Monero transactions, 2 in, 2 out, rings of {}", param("ring")?), true))
        }
        ("seraphis", "transaction") if small && param("splits").unwrap_or(0) == 0 => {
            let ring = param("n")?.checked_pow(u32::try_from(param("m")?).ok()?)?;
            (ring == 128 && param("n") == Some(2))
                .then(|| (format!("{} transactions, 2 in, 2 out, rings of 128", row.op), true))
        }
        ("ring", "signature") => Some((format!("CLSAG signatures, rings of {}", param("ring")?), false)),
        ("bpplus", "proof") if row.op == "Monero, verify" => {
            let outputs = param("outputs")?;
            Some((format!("Monero range proofs of {outputs} output{}", if outputs == 1 { "" } else { "s" }), false))
        }
        ("bpplus", "proof") if row.op == "Tari, verify many" && param("masks") == Some(1) => {
            Some(("Tari range proofs of one value".to_string(), false))
        }
        ("wallet", "pair") => {
            Some((format!("times an output tried for a wallet, {} at once", param("wallets")?), false))
        }
        ("mantle", "byte") if row.size == 1024 && row.op.ends_with(" C") => {
            Some(("Mantle transactions of 1 KiB hashed".to_string(), true))
        }
        _ => None,
    }
}

/// `3 h 20 min`, `12 s`
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..10 => format!("{seconds:.1} s"),
        10..120 => format!("{whole} s"),
        120..7200 => format!("{} min", whole / 60),
        7200..172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{:.1} days", seconds / 86_400.0),
    }
}

/// Three or four figures, thousands apart.
pub(crate) fn rate(a_second: f64) -> String {
    if a_second < 100.0 {
        return format!("{a_second:.1}");
    }
    let digits = format!("{}", a_second.round() as u64);
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            // A narrow space at which no line breaks.
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_numbers() {
        assert_eq!(duration(3.12345), "3.1 s");
        assert_eq!(duration(60.0), "60 s");
        assert_eq!(duration(600.0), "10 min");
        assert_eq!(duration(12_000.0), "3 h 20 min");
        assert_eq!(duration(864_000.0), "10.0 days");
        assert_eq!(rate(12.34), "12.3");
        assert_eq!(rate(999.6), "1\u{202f}000");
        assert_eq!(rate(1_234_567.0), "1\u{202f}234\u{202f}567");
    }
}

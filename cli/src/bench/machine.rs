//! The machine and the program, as a record names them.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{SystemTime, UNIX_EPOCH};

use curve25519_lanes::cpu::BackendId;

use super::record::{Machine, Program};
use crate::{clock, info};

impl Machine {
    pub(crate) fn this() -> Machine {
        Machine {
            cpu: info::cpu_name(),
            signature: info::cpu_signature(),
            threads: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
            clock_ghz: clock_ghz(),
            features: info::present_features().into_iter().map(str::to_string).collect(),
            target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        }
    }
}

impl Program {
    pub(crate) fn this(backends: &[BackendId], memory_kept: bool, pinned: bool) -> Program {
        let names = |ids: &mut dyn Iterator<Item = &BackendId>| ids.map(|id| id.name().to_string()).collect();
        Program {
            version: env!("CARGO_PKG_VERSION").to_string(),
            compiler: env!("LANES_COMPILER").to_string(),
            compiled_for: info::compiled_for().into_iter().map(str::to_string).collect(),
            backends: names(&mut backends.iter()),
            missing: names(&mut BackendId::ALL.iter().filter(|id| !id.is_available())),
            memory_kept,
            pinned,
            peers: BTreeMap::new(),
        }
    }
}

/// The locked versions of a crate; what no registry has is part of this program.
pub(crate) fn version_of(name: &str) -> String {
    let locked = env!("LANES_LOCKED").split(' ').filter_map(|package| package.split_once('='));
    let versions: Vec<&str> = locked.filter(|(package, _)| *package == name).map(|(_, version)| version).collect();
    if versions.is_empty() { "part of this program".to_string() } else { versions.join(" and ") }
}

/// Cycles a nanosecond, by a chain of multiplications and exclusive ors, each needing the one before: four cycles a step
/// on every x86-64 CPU of the last twelve years and on most others.
fn clock_ghz() -> f64 {
    const STEPS: u64 = 400_000;
    let factor = black_box(0x9e37_79b9_7f4a_7c15_u64);
    let chain = || {
        let mut x = black_box(1u64);
        for i in 0..STEPS {
            x = x.wrapping_mul(factor) ^ i;
        }
        x
    };
    (4.0 * STEPS as f64 / clock::median(chain) * 100.0).round() / 100.0
}

/// `2026-12-01 04:05 UTC`
pub(crate) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds)
}

/// Days are counted from 1 March of year 0, in eras of 400 years.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = 400 * era + year + next;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_399, "2000-02-28 23:59 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_798_761_600, "2027-01-01 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn versions_come_from_the_lock_file() {
        assert!(version_of("plotters").starts_with("0."));
        // A stand-in of this workspace has the name, too.
        assert_eq!(
            version_of("curve25519-dalek").split(" and ").filter(|version| version.starts_with("5.")).count(),
            1
        );
        assert_eq!(version_of("ref10"), "part of this program");
    }
}

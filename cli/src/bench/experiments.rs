//! The experiments of the two reports of the Seraphis performance study: numbers only.
//!
//! The study (research-lab issue 91 of the Monero project) measured the time to verify mock transactions. `Updated` are the
//! runs behind the updated report, with the numbers of branch `seraphis_perf` of `seraphis-migration/monero` at commit
//! `86b253e`. `First` is what its disabled first set and the first report's text say of that one, whose commit is not to be
//! had: what is not stated there is taken from the updated set. `Added` are points that the updated report draws by adding and
//! subtracting others; here they are measured.

use std::ops::RangeInclusive;

use super::reference;

/// Which transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Protocol {
    Clsag,
    Triptych,
    #[value(name = "sp-concise")]
    Concise,
    #[value(name = "sp-merge")]
    Merge,
    #[value(name = "sp-squashed")]
    Squashed,
    #[value(name = "sp-plain")]
    Plain,
}

use Protocol::{Clsag, Concise, Merge, Plain, Squashed, Triptych};

impl Protocol {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Clsag => "CLSAG",
            Triptych => "Triptych",
            Concise => "Sp-Concise",
            Merge => "Sp-Merge",
            Squashed => "Sp-Squashed",
            Plain => "Sp-Plain",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    First,
    Updated,
    Added,
}

/// Rings of n^m members, for all these m.
pub(crate) type Rings = (usize, RangeInclusive<usize>);

/// A run: every combination is a case, but for splits of more than half the amounts.
#[derive(Debug)]
pub(crate) struct Experiment {
    pub(crate) report: Report,
    /// The number in the list of the study's runs, in the first report, or our own.
    pub(crate) id: &'static str,
    pub(crate) protocols: &'static [Protocol],
    /// Transactions verified together.
    pub(crate) batches: &'static [usize],
    pub(crate) inputs: &'static [usize],
    pub(crate) outputs: &'static [usize],
    pub(crate) rings: &'static [Rings],
    /// How often the range proof is split.
    pub(crate) splits: &'static [usize],
}

/// One point of a plot: transactions that are alike, verified together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Case {
    pub(crate) protocol: Protocol,
    pub(crate) n: usize,
    pub(crate) m: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
    pub(crate) splits: usize,
    pub(crate) batch: usize,
}

impl Case {
    /// Amounts under range proofs.
    pub(crate) fn amounts(&self) -> usize {
        self.outputs + if self.protocol == Squashed { self.inputs } else { 0 }
    }
}

impl Experiment {
    pub(crate) fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        for &protocol in self.protocols {
            for &batch in self.batches {
                for &inputs in self.inputs {
                    for &outputs in self.outputs {
                        for (n, ms) in self.rings {
                            for m in ms.clone() {
                                let case = |&splits| Case { protocol, n: *n, m, inputs, outputs, splits, batch };
                                let cases_here = self.splits.iter().map(case);
                                cases.extend(cases_here.filter(|case| case.splits <= case.amounts() / 2));
                            }
                        }
                    }
                }
            }
        }
        cases
    }
}

const COUNTS: &[usize] = &[1, 2, 4, 7, 12, 16];
const LINKED: &[Rings] = &[(2, 0..=8)];
const BINARY: &[Rings] = &[(2, 2..=12)];
const TWO_BASES: &[Rings] = &[(2, 2..=12), (3, 2..=7)];
const FIVE_BASES: &[Rings] = &[(2, 2..=12), (3, 2..=7), (4, 2..=6), (6, 2..=5), (9, 2..=4)];
const RING_16: &[Rings] = &[(2, 4..=4)];
const RING_128: &[Rings] = &[(2, 7..=7)];
const RING_256: &[Rings] = &[(2, 8..=8)];
const ALL: &[Protocol] = &[Clsag, Triptych, Concise, Merge, Squashed, Plain];
const UNLINKED: &[Protocol] = &[Triptych, Concise, Merge, Squashed, Plain];

const fn updated(
    id: &'static str,
    protocols: &'static [Protocol],
    batches: &'static [usize],
    inputs: &'static [usize],
    outputs: &'static [usize],
    rings: &'static [Rings],
) -> Experiment {
    Experiment { report: Report::Updated, id, protocols, batches, inputs, outputs, rings, splits: &[0] }
}

const fn added(
    id: &'static str,
    protocols: &'static [Protocol],
    batches: &'static [usize],
    counts: &'static [usize],
    rings: &'static [Rings],
) -> Experiment {
    Experiment { report: Report::Added, ..updated(id, protocols, batches, counts, counts, rings) }
}

const fn first(
    id: &'static str,
    protocols: &'static [Protocol],
    batches: &'static [usize],
    inputs: &'static [usize],
    outputs: &'static [usize],
    rings: &'static [Rings],
    splits: &'static [usize],
) -> Experiment {
    Experiment { report: Report::First, splits, ..updated(id, protocols, batches, inputs, outputs, rings) }
}

/// All of them.
pub(crate) const EXPERIMENTS: &[Experiment] = &[
    updated("1.1", &[Clsag], &[1], COUNTS, &[2], RING_16),
    updated("1.2", &[Clsag], &[1], &[2], &[2], LINKED),
    updated("1.3", &[Clsag], &[1, 25], &[2], COUNTS, RING_16),
    updated("2.1", &[Triptych], &[1], COUNTS, &[2], RING_128),
    updated("2.2", &[Triptych], &[1], &[2], &[2], TWO_BASES),
    updated("3.1", &[Concise], &[1], COUNTS, &[2], RING_128),
    updated("3.2", &[Concise], &[1], &[2], &[2], FIVE_BASES),
    updated("3.3", &[Concise], &[25], &[2], &[2], BINARY),
    updated("3.4", &[Concise], &[1], &[2], COUNTS, RING_128),
    updated("3.5", &[Concise], &[7, 15], &[2], &[16], RING_128),
    updated("3.6", &[Concise], &[25], &[2], COUNTS, RING_128),
    updated("4.1", &[Merge], &[1], COUNTS, &[2], RING_128),
    updated("5.1", &[Squashed], &[1], COUNTS, &[2], RING_128),
    updated("5.2", &[Squashed], &[1], &[2], &[2], TWO_BASES),
    updated("5.3", &[Squashed], &[25], &[2], &[2], BINARY),
    updated("5.4", &[Squashed], &[1], COUNTS, COUNTS, RING_128),
    updated("5.5", &[Squashed], &[7, 15], &[16], &[16], RING_128),
    updated("5.6", &[Squashed], &[25], COUNTS, COUNTS, RING_128),
    updated("6.1", &[Plain], &[1], COUNTS, &[2], RING_128),
    updated("6.2", &[Plain], &[1, 25], &[2], &[2], BINARY),
    updated("6.3", &[Plain], &[1, 7, 15, 25], &[16], &[16], RING_128),
    added("7.1", &[Clsag], &[25], &[2], LINKED),
    added("7.2", &[Triptych], &[25], &[2], BINARY),
    added("7.3", &[Concise, Merge], &[1, 7, 15, 25], &[16], RING_128),
    first("E1", &[Clsag], &[1], &[2], &[2], LINKED, &[0]),
    first("E1", UNLINKED, &[1], &[2], &[2], BINARY, &[0]),
    first("E2", ALL, &[1, 2, 4, 7, 11, 25], &[2], &[2], RING_256, &[0]),
    first("E3", &[Triptych, Squashed], &[1], &[2], &[2], FIVE_BASES, &[0]),
    first("E4", ALL, &[1], COUNTS, &[2], RING_256, &[0]),
    first("E5", ALL, &[1], &[2], COUNTS, RING_256, &[0, 1, 2, 3, 4]),
    first("E6", ALL, &[25], &[2], COUNTS, RING_256, &[0, 1, 2, 3, 4]),
];

/// What the comparison with the reference is about, on every backend: as many inputs as outputs, rings of 2^m.
pub(crate) const TIMED: &[(Protocol, usize, usize)] = &[
    (Clsag, 2, 4),
    (Clsag, 2, 7),
    (Triptych, 2, 7),
    (Concise, 2, 7),
    (Merge, 2, 7),
    (Plain, 2, 7),
    (Squashed, 2, 7),
    (Squashed, 16, 7),
];

/// The reference's µs a transaction, if it was timed on such a case.
pub(crate) fn reference(case: &Case) -> Option<f64> {
    let Case { protocol, n, m, inputs, outputs, splits, batch } = *case;
    let us = reference::us(protocol.name(), [inputs, outputs, n, m, batch].map(|x| x as u64));
    us.filter(|_| splits == 0)
}

/// Whether it is one of those that are measured on every backend.
pub(crate) fn compared(case: &Case) -> bool {
    [1, 25].contains(&case.batch)
        && TIMED.iter().any(|(protocol, count, m)| {
            let like = Case {
                protocol: *protocol,
                n: 2,
                m: *m,
                inputs: *count,
                outputs: *count,
                splits: 0,
                batch: case.batch,
            };
            *case == like
        })
}

/// The cases of the comparison with the reference: what a quick run measures.
pub(crate) fn quick() -> Vec<Case> {
    let cases = TIMED.iter().flat_map(|&(protocol, count, m)| {
        [1, 25].map(|batch| Case { protocol, n: 2, m, inputs: count, outputs: count, splits: 0, batch })
    });
    // Sixteen inputs are the work of a minute.
    cases.filter(|case| case.inputs == 2).collect()
}

/// The cases of the experiments of this number, or a list of the numbers that there are.
pub(crate) fn named(id: &str) -> Result<Vec<Case>, String> {
    let those = EXPERIMENTS.iter().filter(|experiment| experiment.id == id);
    let cases: Vec<Case> = those.flat_map(Experiment::cases).collect();
    if !cases.is_empty() {
        return Ok(cases);
    }
    let list = |report: Report| {
        let those = EXPERIMENTS.iter().filter(|experiment| experiment.report == report);
        let mut ids: Vec<&str> = those.map(|experiment| experiment.id).collect();
        ids.dedup();
        ids.join(" ")
    };
    let [first, updated, added] = [Report::First, Report::Updated, Report::Added].map(list);
    Err(format!("the experiments are {updated} of the updated report, {first} of the first, and {added}, added here"))
}

/// The cases of all experiments, each once.
pub(crate) fn full() -> Vec<Case> {
    let mut cases: Vec<Case> = EXPERIMENTS.iter().flat_map(Experiment::cases).collect();
    cases.extend(TIMED.iter().flat_map(|&(protocol, count, m)| {
        [1, 25].map(|batch| Case { protocol, n: 2, m, inputs: count, outputs: count, splits: 0, batch })
    }));
    cases.sort();
    cases.dedup();
    cases
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Counted by hand from the study's list.
    #[test]
    fn grids_have_their_sizes() {
        let size = |id: &str| named(id).unwrap().len();
        for (id, expected) in [("1.2", 9), ("1.3", 12), ("2.2", 17), ("3.2", 29), ("5.6", 36), ("6.2", 22), ("6.3", 4)]
        {
            assert_eq!(size(id), expected, "{id}");
        }
        assert_eq!((size("E1"), size("E2")), (9 + 5 * 11, 6 * 6));
        assert!(named("E").unwrap_err().contains(" 6.3 of the updated report, E1 "));
        // Two outputs may be split once, four and more up to half their number; a squashed transaction has two amounts more.
        assert_eq!(size("E5"), 5 * (1 + 2 + 3 + 4 + 5 + 5) + (2 + 3 + 4 + 5 + 5 + 5));
    }

    #[test]
    fn everything_timed_is_measured() {
        let all: BTreeSet<Case> = full().into_iter().collect();
        assert_eq!(all.len(), full().len());
        assert!(quick().iter().all(|case| all.contains(case) && reference(case).is_some()));
        assert_eq!(full().iter().filter(|case| compared(case)).count(), 2 * TIMED.len());
        assert!(full().iter().filter(|case| compared(case)).all(|case| reference(case).is_some()));
        assert_eq!(reference(&Case { splits: 1, ..quick()[0] }), None);
        assert_eq!(reference(&Case { batch: 7, ..quick()[0] }), None);
        let reports = |report| EXPERIMENTS.iter().filter(|experiment| experiment.report == report).count();
        assert_eq!((reports(Report::Updated), reports(Report::Added), reports(Report::First)), (21, 3, 7));
        assert_eq!(ALL.iter().map(|protocol| protocol.name()).collect::<BTreeSet<_>>().len(), ALL.len());
        let most = full().iter().map(|case| case.n.pow(case.m as u32) * case.inputs * case.batch).max();
        assert_eq!(most, Some(204_800));
    }
}

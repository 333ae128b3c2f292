//! Cases verified in one batch or one by one, and their verdicts.

use std::time::{Duration, Instant};

use curve25519_lanes::cpu::BackendId;

use super::report::{Line, Summary, Verdict};
use crate::cases::Case;
use crate::output::{Output, Unusable};
use crate::progress::Progress;
use crate::{NO, OK};

#[derive(clap::Args)]
pub(super) struct Flags {
    /// Compare each verdict with the case's `expected`
    #[arg(long)]
    pub(super) expect: bool,
    /// Verify and time each case by itself instead of all in one batch
    #[arg(long)]
    pub(super) each: bool,
    /// One JSON object a line: verdicts, then the summary
    #[arg(long)]
    pub(super) json: bool,
}

/// The verdicts, in the order of the cases: nothing, or why not. Times are wall time.
struct Outcome {
    faults: Vec<Option<String>>,
    times: Option<Vec<Duration>>,
    total: Duration,
}

/// Why each of many is invalid, if it is.
pub(super) type All<'a, C> = &'a dyn Fn(&[&C]) -> Result<Vec<Option<String>>, Unusable>;

/// How the cases of a protocol are verified.
pub(super) struct Task<'a, C> {
    /// What they are, in the plural.
    pub(super) noun: &'static str,
    /// Time that was needed before the first.
    pub(super) setup: Duration,
    pub(super) one: &'a dyn Fn(&C) -> Option<String>,
    pub(super) all: All<'a, C>,
    /// Whether a case's rings are known, if it may lack them.
    pub(super) membership: Option<&'a dyn Fn(&C) -> bool>,
    /// Where verdicts may differ from those of another verifier.
    pub(super) differences: Option<Differences<'a, C>>,
}

/// Rules that are stricter than those of the verifier by which cases are expected to be valid or not.
pub(super) struct Differences<'a, C> {
    /// The rule by which a case is refused here and not there.
    pub(super) rule: &'a dyn Fn(&C) -> Option<&'static str>,
    /// Whether such a case counts as one that agrees.
    pub(super) allowed: bool,
}

impl<C> Task<'_, C> {
    pub(super) fn run(&self, flags: &Flags, cases: &[Case<C>], out: &mut Output) -> Result<u8, Unusable> {
        if flags.expect
            && let Some(case) = cases.iter().find(|case| case.expected.is_none())
        {
            return Err(Unusable::new(format!("{}: cases[{}].expected: missing", case.file, case.index)));
        }
        let outcome = if flags.each { self.singly(cases) } else { self.batched(cases)? };
        self.report(flags, cases, &outcome, out)
    }

    fn singly(&self, cases: &[Case<C>]) -> Outcome {
        let mut progress = Progress::counting(cases.len());
        let start = Instant::now();
        let (mut faults, mut times) = (Vec::new(), Vec::new());
        for case in cases {
            let start = Instant::now();
            let fault = (self.one)(&case.claim);
            times.push(start.elapsed());
            faults.push(fault);
            progress.step();
        }
        Outcome { faults, times: Some(times), total: start.elapsed() }
    }

    fn batched(&self, cases: &[Case<C>]) -> Result<Outcome, Unusable> {
        let claims: Vec<&C> = cases.iter().map(|case| &case.claim).collect();
        let _progress = Progress::waiting(cases.len());
        let start = Instant::now();
        let faults = (self.all)(&claims)?;
        Ok(Outcome { faults, times: None, total: start.elapsed() })
    }

    fn report(&self, flags: &Flags, cases: &[Case<C>], outcome: &Outcome, out: &mut Output) -> Result<u8, Unusable> {
        let (mut unexpected, mut named, mut unchecked) = (0, 0, 0);
        for (i, (case, fault)) in cases.iter().zip(&outcome.faults).enumerate() {
            let valid = fault.is_none();
            let surprise = flags.expect && case.expected != Some(valid);
            unexpected += usize::from(surprise);
            let differences = self.differences.as_ref().filter(|_| surprise && !valid);
            let differs_by = differences.and_then(|differences| (differences.rule)(&case.claim));
            named += usize::from(differs_by.is_some());
            let membership_checked = self.membership.map(|known| known(&case.claim));
            unchecked += usize::from(valid && membership_checked == Some(false));
            let verdict = Verdict {
                file: &case.file,
                case: case.index,
                name: case.name.as_deref(),
                valid,
                reason: fault.as_deref(),
                expected: case.expected,
                differs_by,
                membership_checked,
                seconds: outcome.times.as_ref().map(|times| times[i].as_secs_f64()),
            };
            if flags.json { out.json(&Line::Verdict(verdict))? } else { out.line(verdict.text(surprise))? }
        }
        let invalid = outcome.faults.iter().flatten().count();
        let seconds = outcome.total.as_secs_f64();
        let summary = Summary {
            proofs: cases.len(),
            valid: cases.len() - invalid,
            invalid,
            unexpected: flags.expect.then_some(unexpected),
            named_differences: self.differences.as_ref().filter(|_| flags.expect).map(|_| named),
            membership_unchecked: self.membership.map(|_| unchecked),
            noun: self.noun,
            batched: !flags.each,
            setup_seconds: self.setup.as_secs_f64(),
            seconds,
            seconds_per_proof: seconds / cases.len() as f64,
            backend: BackendId::current().name(),
        };
        let allowed = self.differences.as_ref().is_some_and(|differences| differences.allowed);
        let good = match flags.expect {
            true => unexpected == if allowed { named } else { 0 },
            false => invalid == 0,
        };
        if flags.json {
            out.json(&Line::Summary(summary))?
        } else {
            out.line(summary.text())?
        }
        Ok(if good { OK } else { NO })
    }
}

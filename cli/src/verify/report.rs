//! What `lanes verify` says of a case and of all of them, as text and in JSON.

use serde::Serialize;

use crate::output::shown;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Line<'a> {
    Verdict(Verdict<'a>),
    Summary(Summary),
    Error { message: String },
}

#[derive(Serialize)]
pub(super) struct Verdict<'a> {
    pub(super) file: &'a str,
    pub(super) case: usize,
    pub(super) name: Option<&'a str>,
    pub(super) valid: bool,
    pub(super) reason: Option<&'a str>,
    /// What the case says of itself; compared only under `--expect`.
    pub(super) expected: Option<bool>,
    /// The rule by which it is refused and was expected not to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) differs_by: Option<&'static str>,
    /// Whether its rings were given; only where a case may lack them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) membership_checked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) proofs: usize,
    pub(super) valid: usize,
    pub(super) invalid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unexpected: Option<usize>,
    /// Those of the unexpected that differ by a named rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) named_differences: Option<usize>,
    /// Valid in all but their ring signatures, which could not be looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) membership_unchecked: Option<usize>,
    /// What is counted.
    #[serde(skip)]
    pub(super) noun: &'static str,
    pub(super) batched: bool,
    /// Time to build the generators' tables, once a program; not part of `seconds`.
    pub(super) setup_seconds: f64,
    pub(super) seconds: f64,
    pub(super) seconds_per_proof: f64,
    pub(super) backend: &'static str,
}

impl Verdict<'_> {
    pub(super) fn text(&self, surprise: bool) -> String {
        let name = self.name.map(|name| format!(" ({})", shown(name))).unwrap_or_default();
        let verdict = match self.reason {
            None if self.membership_checked == Some(false) => "valid, but membership was not checked".to_string(),
            None => "valid".to_string(),
            Some(reason) => format!("INVALID: {reason}"),
        };
        let time = self.seconds.map(|seconds| format!(", {}", duration(seconds))).unwrap_or_default();
        let surprise = match (surprise, self.differs_by) {
            (true, Some(rule)) => format!(" (NOT AS EXPECTED: differs by rule {rule})"),
            (true, None) => " (NOT AS EXPECTED)".to_string(),
            (false, _) => String::new(),
        };
        format!("{} case {}{name}: {verdict}{time}{surprise}", self.file, self.case)
    }
}

impl Summary {
    pub(super) fn text(&self) -> String {
        let Summary { proofs, valid, invalid, noun, .. } = self;
        let named =
            self.named_differences.filter(|n| *n > 0).map(|n| format!(" ({n} by a named rule)")).unwrap_or_default();
        let unexpected = self.unexpected.map(|n| format!(", {n} not as expected{named}")).unwrap_or_default();
        let how = match (self.batched, self.invalid) {
            (true, 0) => "in one batch",
            (true, _) => "in a batch and the search for what is wrong in it",
            (false, _) => "one by one",
        };
        let [total, each, setup] = [self.seconds, self.seconds_per_proof, self.setup_seconds].map(duration);
        let setup = if self.setup_seconds > 0.0 { format!(" (after {setup} for tables)") } else { String::new() };
        let unchecked = match self.membership_unchecked {
            None | Some(0) => String::new(),
            Some(n) => format!("membership was not checked in {n} of the valid ones: their rings were not given\n"),
        };
        format!(
            "{proofs} {noun}: {valid} valid, {invalid} invalid{unexpected}\n\
             {unchecked}{total} {how}, {each} each{setup}, backend {}",
            self.backend
        )
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

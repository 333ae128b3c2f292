//! A progress bar on standard error, only for long work and only on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(700);
/// A batch is one indivisible piece of work; from this many proofs on it may outlast the patience.
const LONG_BATCH: usize = 2000;

/// Clears itself when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
}

impl Progress {
    /// Counts `steps` pieces of work.
    pub(crate) fn counting(steps: usize) -> Progress {
        Progress {
            bar: hidden(Some(steps), "{bar:40} {pos}/{len} proofs, {eta} left"),
            start: Instant::now(),
            shown: false,
        }
    }

    /// Counts `steps` pieces of work, `things` each.
    pub(crate) fn of(steps: usize, things: &str) -> Progress {
        let template = format!("{{bar:40}} {{pos}}/{{len}} {things}, {{eta}} left");
        Progress { bar: hidden(Some(steps), &template), start: Instant::now(), shown: false }
    }

    /// Shows that a batch of that many proofs is under way.
    pub(crate) fn waiting(proofs: usize) -> Progress {
        let bar = hidden(None, "{spinner} {msg}, {elapsed}");
        if proofs >= LONG_BATCH {
            bar.set_message(format!("verifying {proofs} proofs in one batch"));
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress { bar, start: Instant::now(), shown: true }
    }

    /// Prints something that the bar must not cut through.
    pub(crate) fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// One piece is done.
    pub(crate) fn step(&mut self) {
        self.steps(1);
    }

    /// Some pieces are done.
    pub(crate) fn steps(&mut self, count: usize) {
        self.bar.inc(count as u64);
        if !self.shown && self.start.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn hidden(length: Option<usize>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length.map(|n| n as u64), ProgressDrawTarget::hidden());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

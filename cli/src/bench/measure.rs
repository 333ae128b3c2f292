//! The clock: contenders in turn, by the CPU time of the thread.
//!
//! A sample is one call, or as many as take 20 µs, after a call that is not timed and brings back caches and
//! predictions. All contenders give a sample in each round, so that whatever disturbs the machine disturbs all. Guests of
//! a virtual machine are now and then charged far too little: the figure that counts is therefore no bare minimum but the
//! least of the medians of five samples in a row.

use std::time::Duration;

use cpu_time::ThreadTime;

use super::record::Figures;
use super::work::Work;
use super::{Stop, interrupted};

/// Samples of which a median is taken.
const GROUP: usize = 5;
/// What a sample should take at least, in nanoseconds: the clock costs some 0.3 µs.
const SAMPLE: f64 = 20_000.0;
/// From this on a call needs no other before it.
const LONG: f64 = 2_000_000.0;
/// A median deviation of more than this part of the median is a noisy machine.
const NOISE: f64 = 0.05;

/// How much is measured.
#[derive(Clone, Copy)]
pub(crate) struct Patience {
    /// CPU time for each contender.
    pub(crate) time: Duration,
    pub(crate) most_samples: usize,
}

/// What came out for a contender.
pub(crate) struct Measured {
    pub(crate) ns: Figures,
    pub(crate) samples: usize,
    pub(crate) noisy: bool,
}

/// Measures all contenders; again, once, if the spread is wide, and then by what is quieter.
pub(crate) fn measure(work: &mut Work<'_>, patience: Patience) -> Result<Vec<Measured>, Stop> {
    let mut first = rounds(work, patience)?;
    if first.iter().any(|measured| measured.noisy) {
        for (first, again) in first.iter_mut().zip(rounds(work, patience)?) {
            let spread = |measured: &Measured| measured.ns.mad / measured.ns.median;
            let min = first.ns.min.min(again.ns.min);
            if spread(&again) < spread(first) {
                *first = again;
            }
            first.ns.min = min;
        }
    }
    Ok(first)
}

fn rounds(work: &mut Work<'_>, patience: Patience) -> Result<Vec<Measured>, Stop> {
    let contenders = work.contenders.len();
    let mut repeats = Vec::with_capacity(contenders);
    for contender in 0..contenders {
        work.prepare(contender);
        let once = time(work, contender, 1);
        // The first call may have built a table.
        let once = if once < LONG { time(work, contender, 1).min(once) } else { once };
        repeats.push((SAMPLE / once.max(1.0)).ceil().clamp(1.0, 1e6) as u32);
    }
    let mut times = vec![Vec::new(); contenders];
    let begin = ThreadTime::now();
    let budget = patience.time * contenders as u32;
    let mut done = 0;
    while done < GROUP || done < patience.most_samples && begin.elapsed() < budget {
        for (contender, times) in times.iter_mut().enumerate() {
            if interrupted() {
                return Err(Stop::Interrupted);
            }
            work.prepare(contender);
            if times.last().is_none_or(|last| *last < LONG) {
                work.call(contender, false);
            }
            times.push(time(work, contender, repeats[contender]));
        }
        done += 1;
    }
    Ok(times.iter().map(|times| figures(times)).collect())
}

/// Nanoseconds of a call.
fn time(work: &mut Work<'_>, contender: usize, repeat: u32) -> f64 {
    let start = ThreadTime::now();
    for _ in 0..repeat {
        work.call(contender, false);
    }
    start.elapsed().as_nanos() as f64 / f64::from(repeat)
}

fn figures(times: &[f64]) -> Measured {
    let median = median_of(times);
    let mad = median_of(&times.iter().map(|time| (time - median).abs()).collect::<Vec<_>>());
    let min = times.chunks_exact(GROUP).map(median_of).fold(f64::INFINITY, f64::min);
    let rounded = |ns: f64| (ns * 100.0).round() / 100.0;
    let ns = Figures { min: rounded(min).max(0.01), median: rounded(median).max(0.01), mad: rounded(mad) };
    Measured { ns, samples: times.len(), noisy: mad > NOISE * median }
}

fn median_of(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_known_times() {
        // The lone 1 is a clock that charged too little; medians of five don't see it.
        let times = [10.0, 11.0, 1.0, 12.0, 13.0, 20.0, 21.0, 22.0, 23.0, 24.0];
        let Measured { ns, samples, noisy } = figures(&times);
        assert_eq!((ns.min, ns.median, samples), (11.0, 20.0, 10));
        assert_eq!(ns.mad, 7.0);
        assert!(noisy);
        assert!(!figures(&[100.0, 101.0, 99.0, 100.0, 102.0]).noisy);
    }
}

//! CPU time of this thread, and measuring by it.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

/// CPU time this thread has used, in nanoseconds.
pub(crate) fn nanoseconds() -> u64 {
    ThreadTime::now().as_duration().as_nanos() as u64
}

/// The least of several runs, in nanoseconds: at least five, and as many as fit in 30 ms.
pub(crate) fn least<R>(mut work: impl FnMut() -> R) -> u64 {
    let begin = ThreadTime::now();
    let mut least = u64::MAX;
    let mut runs = 0;
    while runs < 5 || (begin.elapsed() < Duration::from_millis(30) && runs < 1000) {
        let start = ThreadTime::now();
        black_box(work());
        least = least.min(start.elapsed().as_nanos() as u64);
        runs += 1;
    }
    least.max(1)
}

/// The median of fifteen runs, in nanoseconds, after one that is not timed. A guest of a virtual machine is now and then
/// charged far too little; that can't make it.
pub(crate) fn median<R>(mut work: impl FnMut() -> R) -> f64 {
    black_box(work());
    let mut times = [(); 15].map(|()| {
        let start = ThreadTime::now();
        black_box(work());
        start.elapsed()
    });
    times.sort_unstable();
    times[7].as_nanos() as f64
}

/// The same for work that takes long: five runs.
pub(crate) fn few<R>(mut work: impl FnMut() -> R) -> f64 {
    let mut times = [(); 5].map(|()| {
        let start = ThreadTime::now();
        black_box(work());
        start.elapsed()
    });
    times.sort_unstable();
    times[2].as_nanos() as f64
}

/// Nanoseconds as microseconds.
pub(crate) fn micros(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1000.0
}

//! Several programs doing the same work in turn, by the CPU time of the thread.

use std::process::{Command, ExitCode};
use std::time::Duration;

use cpu_time::ThreadTime;

/// Measurements of which a median is taken.
const GROUP: usize = 5;

/// Keep freed memory, take it from the heap and not by mmap, and grow the heap in large steps: page faults would be
/// charged to whoever allocates next.
const KEEP_MEMORY: [(&str, &str); 3] =
    [("MALLOC_TRIM_THRESHOLD_", "1099511627776"), ("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TOP_PAD_", "67108864")];

/// Runs the program again with glibc's settings for kept memory, unless this is that run already.
pub(crate) fn with_kept_memory() -> Option<ExitCode> {
    if KEEP_MEMORY.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return None;
    }
    let this = std::env::current_exe().expect("the path of this program");
    let status = Command::new(this).args(std::env::args_os().skip(1)).envs(KEEP_MEMORY).status();
    let success = status.expect("this program runs again").success();
    Some(if success { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Seconds that each takes: in turn, each timed call after one that is not, the least of the medians of five rounds in a
/// row. A virtual machine's clock now and then charges far too little, hence no bare minimum.
pub(crate) fn seconds<const N: usize>(works: [&dyn Fn(); N], patience: Duration) -> [f64; N] {
    let repeat = works.map(|work| {
        let once = once(work, 1).max(1e-9);
        (2e-5 / once).ceil() as u32
    });
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    let start = ThreadTime::now();
    while times[0].len() < 2 * GROUP || start.elapsed() < patience && times[0].len() < 400 {
        for ((work, repeat), times) in works.iter().zip(repeat).zip(&mut times) {
            work();
            times.push(once(work, repeat));
        }
    }
    times.map(|times| times.chunks_exact(GROUP).map(median).fold(f64::INFINITY, f64::min))
}

fn once(work: &dyn Fn(), repeat: u32) -> f64 {
    let start = ThreadTime::now();
    (0..repeat).for_each(|_| work());
    start.elapsed().as_secs_f64() / f64::from(repeat)
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

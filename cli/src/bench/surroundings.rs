//! What is arranged around a measurement: memory that stays, and one core.

/// glibc's settings for an allocator that keeps freed memory, takes it from the heap and not by mmap, and grows the heap
/// in large steps: page faults would be charged to whoever allocates next.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEEP_MEMORY: [(&str, &str); 3] =
    [("MALLOC_TRIM_THRESHOLD_", "1099511627776"), ("MALLOC_MMAP_MAX_", "0"), ("MALLOC_TOP_PAD_", "67108864")];

/// Starts the program again in its own place with an allocator that keeps its memory, unless this is that start already.
/// Whether memory is kept.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn keep_memory() -> bool {
    use std::os::unix::process::CommandExt;
    if KEEP_MEMORY.iter().all(|(name, _)| std::env::var_os(name).is_some()) {
        return true;
    }
    if let Ok(this) = std::env::current_exe() {
        // Returns only if it failed.
        let _ = std::process::Command::new(this).args(std::env::args_os().skip(1)).envs(KEEP_MEMORY).exec();
    }
    false
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn keep_memory() -> bool {
    false
}

/// Keeps this thread on the core it is on. Whether that worked.
#[cfg(target_os = "linux")]
pub(super) fn pin() -> bool {
    use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
    let mut set = CpuSet::new();
    set.set(sched_getcpu());
    sched_setaffinity(None, &set).is_ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn pin() -> bool {
    false
}

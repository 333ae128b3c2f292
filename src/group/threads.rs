//! Batches cut over threads. Each task makes its own coarse call, and with it enters its own frame: a closure sent to
//! another thread from inside one would leave the instruction set behind.

use alloc::vec::Vec;

/// Calls `work(start, part)` on parts of `out` that together are all of it. With feature `parallel` the parts run on
/// rayon's current pool, none shorter than `least` items (but the last) and all multiples of 16, the widest pair of
/// vectors; otherwise there is one part.
pub(crate) fn in_parts<T: Send>(out: &mut [T], least: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let part = out.len().div_ceil(rayon::current_num_threads()).max(least).next_multiple_of(16);
        if part < out.len() {
            out.par_chunks_mut(part).enumerate().for_each(|(i, out)| work(i * part, out));
            return;
        }
    }
    let _ = least;
    work(0, out);
}

/// Threads that there are for one call.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "parallel"))]
    1
}

/// `Σ work(i)` over `i = 0 .. parts`, each on a thread of its own where there are threads.
pub(crate) fn sum_of<P: Send + core::iter::Sum>(parts: usize, work: impl Fn(usize) -> P + Sync + Send) -> P {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let parts: Vec<P> = (0..parts).into_par_iter().map(work).collect();
        parts.into_iter().sum()
    }
    #[cfg(not(feature = "parallel"))]
    (0..parts).map(work).sum()
}

/// Sums `work(start .. end)` over parts of `0 .. n` that are equal and no shorter than `least`.
pub(crate) fn sum_of_parts<P: Send + core::iter::Sum>(
    n: usize,
    least: usize,
    work: impl Fn(core::ops::Range<usize>) -> P + Sync + Send,
) -> P {
    let parts = threads().min(n / least).max(1);
    sum_of(parts, |i| work(i * n / parts..(i + 1) * n / parts))
}

/// What `work` makes of parts of the items, one after the other; parts are equal and no shorter than `least`.
pub(crate) fn map_parts<T: Send, R: Send>(
    mut items: Vec<T>,
    least: usize,
    work: impl Fn(Vec<T>) -> Vec<R> + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let count = threads().min(items.len() / least).max(1);
        let mut parts: Vec<Vec<T>> = (1..count).rev().map(|i| items.split_off(i * items.len() / (i + 1))).collect();
        if !parts.is_empty() {
            parts.push(items);
            return parts.into_par_iter().rev().flat_map_iter(work).collect();
        }
    }
    let _ = (least, &mut items);
    work(items)
}

/// Both results, side by side where there are threads.
pub(crate) fn both<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "parallel")]
    return rayon::join(a, b);
    #[cfg(not(feature = "parallel"))]
    (a(), b())
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use super::*;

    /// Every item once and in order, whatever the number of threads.
    #[test]
    fn parts_are_all_there_is() {
        for threads in 1..=5 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for (n, least) in (0..40).flat_map(|n| [1, 3, 8, 16].map(|least| (n, least))) {
                let items: Vec<usize> = (0..n).collect();
                let twice = |part: Vec<usize>| {
                    assert!(part.len() >= least.min(n));
                    part.into_iter().map(|x| 2 * x).collect()
                };
                let expected: Vec<usize> = items.iter().map(|x| 2 * x).collect();
                assert_eq!(pool.install(|| map_parts(items, least, twice)), expected, "{threads} {n} {least}");
                let sum = pool.install(|| sum_of_parts(n, least, |part| part.sum::<usize>()));
                assert_eq!(sum, (0..n).sum::<usize>(), "{threads} {n} {least}");
            }
        }
    }
}

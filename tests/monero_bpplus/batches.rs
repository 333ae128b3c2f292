//! Batches as a node holds them.

use curve25519_lanes::proofs::accumulator::PushError;

use super::*;

/// A batch as a node holds it: filled as proofs come, of mixed sizes, closed when full; a bad one wherever it stands.
#[test]
fn a_batch_that_fills_as_proofs_come() {
    let valid = some_valid_cases();
    if valid.is_empty() {
        return;
    }
    let new = |items| monero::Accumulator::new(Generators::shared(), Limits { items, ..Limits::NONE });
    let len = valid.len().min(9);
    let valid = &valid[valid.len() - len..];
    for bad in [None, Some(0), Some(len / 2), Some(len - 1)] {
        let mut batch = new(len);
        for (i, case) in valid.iter().enumerate() {
            let mut case = case.clone();
            case.proof.r1 = plus_order(&case.proof.r1);
            let refused = PushError::Item(VerifyError::Scalar(Field::R1));
            assert_eq!(batch.push(case.statement()), Err(refused));
            case.proof.r1 = valid[i].proof.r1;
            if bad == Some(i) {
                case.proof.r1[0] ^= 1;
            }
            assert!(!batch.is_full());
            assert_eq!(batch.push(case.statement()), Ok(i));
        }
        assert!(batch.is_full() && batch.len() == len);
        assert_eq!(batch.push(valid[0].statement()), Err(PushError::Full));
        let expected = bad.map_or(Ok(()), |i| Err(Blame::Items(vec![(i, VerifyError::Equation)])));
        assert_eq!(batch.close_and_blame(), expected);
    }
    // A batch that is dropped says nothing about the next.
    let mut dropped = new(2);
    dropped.push(valid[0].statement()).unwrap();
    drop(dropped);
    assert_eq!(new(2).close(), Err(BatchError::Empty));
    assert_eq!(new(2).close_and_blame(), Err(Blame::Empty));
}

/// The system's allocator, counting what each thread holds.
#[cfg(not(any(feature = "parallel", debug_assertions)))]
mod memory {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::Cell;

    thread_local! {
        static HELD: Cell<isize> = const { Cell::new(0) };
        static MOST: Cell<isize> = const { Cell::new(0) };
    }

    struct Counting;

    #[global_allocator]
    static COUNTING: Counting = Counting;

    fn add(bytes: isize) {
        let held = HELD.get() + bytes;
        HELD.set(held);
        MOST.set(MOST.get().max(held));
    }

    // SAFETY: every call is handed on as it came.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            add(layout.size() as isize);
            // SAFETY: the caller's promise.
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            add(-(layout.size() as isize));
            // SAFETY: the caller's promise.
            unsafe { System.dealloc(pointer, layout) }
        }
    }

    /// What `work` holds at most beyond what was held before.
    pub(super) fn most<T>(work: impl FnOnce() -> T) -> (isize, T) {
        let before = HELD.get();
        MOST.set(before);
        let result = work();
        (MOST.get() - before, result)
    }
}

/// What a batch says it takes is what it takes, but for a fixed part: on the calling thread, where all the work is done.
#[cfg(not(any(feature = "parallel", debug_assertions)))]
#[test]
fn a_batch_is_as_large_as_it_says() {
    let mut valid = valid_cases();
    if valid.is_empty() {
        return;
    }
    valid.sort_by_key(|case| case.commitments.len());
    let close = |case: &Case, len: usize| {
        let mut batch = monero::Accumulator::new(Generators::shared(), Limits::NONE);
        let mut bytes = 0;
        let (most, verdict) = memory::most(|| {
            (0..len).for_each(|i| assert_eq!(batch.push(case.statement()), Ok(i)));
            bytes = batch.bytes() as isize;
            batch.close_and_blame()
        });
        assert_eq!(verdict, Ok(()));
        (most, bytes)
    };
    for case in [&valid[0], &valid[valid.len() - 1]] {
        // Tables and all that is built once.
        close(case, 1);
        // Both fill the blocks of the multiscalar sum, whose size is bounded.
        let [(few, few_bytes), (many, many_bytes)] = [600, 1200].map(|len| close(case, len));
        println!("{} outputs: {few} of {few_bytes}, {many} of {many_bytes}", case.commitments.len());
        let growth = many - few;
        let said = many_bytes - few_bytes;
        assert!(growth <= said && 2 * growth > said, "{growth} of {said}");
        // What a sum takes whatever its length.
        assert!(many <= many_bytes + (4 << 20), "{many} of {many_bytes}");
    }
}

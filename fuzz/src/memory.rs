//! An allocator that counts, to see that nothing hostile asks for much memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what each thread asks for.
pub struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn count(size: usize) {
    // Not while a thread ends.
    let _ = ASKED.try_with(|asked| asked.set(asked.get().saturating_add(size)));
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
        // SAFETY: passed on.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: passed on.
        unsafe { System.dealloc(old, layout) }
    }
}

/// What `work` gives, which may ask for 64 bytes of memory for each byte of input, and a little more, all in all.
pub fn bounded<T>(input: &[u8], work: impl FnOnce() -> T) -> T {
    let before = ASKED.get();
    let out = work();
    let asked = ASKED.get() - before;
    assert!(asked <= 64 * input.len() + 1024, "{asked} bytes of memory for {} bytes of input", input.len());
    out
}

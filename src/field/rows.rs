//! Table rows in memory: what buckets and lookup tables are made of.
//!
//! A row holds three or four field elements in the form its backend likes best, padded so that rows can be moved
//! with wide aligned accesses. Only the backend that wrote a row reads it.

use alloc::vec::Vec;
use core::marker::PhantomData;

use super::lanes::FieldLanes;

/// Words in one aligned line.
const LINE: usize = 8;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u64; LINE]);

/// A growable, 64-byte aligned array of rows of one width.
pub(crate) struct Rows<F> {
    lines: Vec<Line>,
    stride: usize,
    count: usize,
    _backend: PhantomData<F>,
}

impl<F: FieldLanes> Rows<F> {
    /// `count` rows of three elements, all zero.
    pub(crate) fn of_three(count: usize) -> Self {
        Self::new(F::ROW3, count)
    }

    /// `count` rows of four elements, all zero.
    pub(crate) fn of_four(count: usize) -> Self {
        Self::new(F::ROW4, count)
    }

    fn new(stride: usize, count: usize) -> Self {
        let words = stride.checked_mul(count).expect("a table that fits the address space");
        let lines = alloc::vec![Line([0; LINE]); words.div_ceil(LINE)];
        Rows { lines, stride, count, _backend: PhantomData }
    }

    /// Words from one row to the next: no backend may touch more of a row than these.
    #[cfg(have_ifma)]
    #[inline(always)]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Where row `row` starts; the row has `stride` words.
    ///
    /// # Panics
    /// If there is no such row, so that the pointer may be used for a whole row without further checks.
    #[inline(always)]
    pub(super) fn row(&self, row: u32) -> *const u64 {
        assert!((row as usize) < self.count, "row {row} of {}", self.count);
        // The product can't overflow: it lies inside the allocation.
        self.lines.as_ptr().cast::<u64>().wrapping_add(row as usize * self.stride)
    }

    /// Like [`Rows::row`], for writing.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, row: u32) -> *mut u64 {
        assert!((row as usize) < self.count, "row {row} of {}", self.count);
        self.lines.as_mut_ptr().cast::<u64>().wrapping_add(row as usize * self.stride)
    }

    /// Asks the CPU to bring a row close. Never faults, whatever the row.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: u32) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let start = self.lines.as_ptr().cast::<u64>().wrapping_add((row as usize).wrapping_mul(self.stride));
            for line in 0..self.stride.div_ceil(LINE) {
                // SAFETY: prefetching is a hint; it reads nothing and can't fault.
                unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line * LINE).cast()) };
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
        let _ = row;
    }
}

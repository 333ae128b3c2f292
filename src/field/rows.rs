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

/// The limbs of one element in memory.
///
/// # Safety
/// Any `WORDS` words of 64 bits are a value, without padding, at an alignment of at most 8 bytes.
pub(super) unsafe trait Limbs: Copy {
    const WORDS: usize;
}

// SAFETY: arrays of integers have no padding and no invalid bits, and need the alignment of their items.
unsafe impl<const N: usize> Limbs for [u64; N] {
    const WORDS: usize = N;
}

// SAFETY: as above; two items a word.
unsafe impl Limbs for [u32; 10] {
    const WORDS: usize = 5;
}

/// A growable, 64-byte aligned array of rows of one width.
pub(crate) struct Rows<F> {
    lines: Vec<Line>,
    stride: usize,
    count: usize,
    _backend: PhantomData<F>,
}

impl<F: FieldLanes> Rows<F> {
    /// `count` rows of three elements, all zero.
    #[cfg(test)]
    pub(crate) fn of_three(count: usize) -> Self {
        let mut rows = Self::room_of_three(count);
        rows.grow(count);
        rows
    }

    /// `count` rows of four elements, all zero.
    pub(crate) fn of_four(count: usize) -> Self {
        let mut rows = Self::room_of_four(count);
        rows.grow(count);
        rows
    }

    /// No rows of three elements yet, but room for `count`.
    pub(crate) fn room_of_three(count: usize) -> Self {
        Self::room(F::ROW3, count)
    }

    /// No rows of four elements yet, but room for `count`.
    pub(crate) fn room_of_four(count: usize) -> Self {
        Self::room(F::ROW4, count)
    }

    fn room(stride: usize, count: usize) -> Self {
        let words = stride.checked_mul(count).expect("a table that fits the address space");
        Rows { lines: Vec::with_capacity(words.div_ceil(LINE)), stride, count: 0, _backend: PhantomData }
    }

    /// At least `count` rows, new ones all zero. Zeroed just before they are used, they are cheap: then it is this that
    /// brings them into the caches.
    pub(crate) fn grow(&mut self, count: usize) {
        if count > self.count {
            let words = self.stride.checked_mul(count).expect("a table that fits the address space");
            self.lines.resize(words.div_ceil(LINE), Line([0; LINE]));
            self.count = count;
        }
    }

    /// Where row `row` starts, of which `words` words are to be touched.
    ///
    /// # Panics
    /// If there is no such row or a row has fewer words, so that the pointer may be used for them without further checks.
    #[inline(always)]
    pub(super) fn row(&self, row: u32, words: usize) -> *const u64 {
        self.lines.as_ptr().cast::<u64>().wrapping_add(self.start(row, words))
    }

    /// Like [`Rows::row`], for writing.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, row: u32, words: usize) -> *mut u64 {
        let start = self.start(row, words);
        self.lines.as_mut_ptr().cast::<u64>().wrapping_add(start)
    }

    #[inline(always)]
    fn start(&self, row: u32, words: usize) -> usize {
        assert!(words <= self.stride, "{words} words of a row of {}", self.stride);
        assert!((row as usize) < self.count, "row {row} of {}", self.count);
        // The product can't overflow: it lies inside the allocation.
        row as usize * self.stride
    }

    /// The first `N` elements of a row, for a backend of one lane.
    #[inline(always)]
    pub(super) fn read<T: Limbs, const N: usize>(&self, row: u32) -> [T; N] {
        let at = self.row(row, T::WORDS * N).cast::<[T; N]>();
        // SAFETY: `row` checked that so many words are there; any bits are limbs, which need no more alignment than words.
        unsafe { at.read() }
    }

    /// Writes the first `N` elements of a row, for a backend of one lane.
    #[inline(always)]
    pub(super) fn write<T: Limbs, const N: usize>(&mut self, row: u32, x: &[T; N]) {
        let at = self.row_mut(row, T::WORDS * N).cast::<[T; N]>();
        // SAFETY: as in `read`.
        unsafe { at.write(*x) }
    }

    /// Asks the CPU to bring a row close. Never faults, whatever the row.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: u32) {
        let start = self.lines.as_ptr().cast::<u64>().wrapping_add((row as usize).wrapping_mul(self.stride));
        for line in 0..self.stride.div_ceil(LINE) {
            prefetch_line(start.wrapping_add(line * LINE));
        }
    }
}

/// Asks the CPU to bring an item close.
#[inline(always)]
pub(crate) fn prefetch<T>(item: &T) {
    for line in 0..size_of::<T>().div_ceil(8 * LINE) {
        prefetch_line((&raw const *item).cast::<u64>().wrapping_add(line * LINE));
    }
}

#[inline(always)]
fn prefetch_line(at: *const u64) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching is a hint; it reads nothing and can't fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = at;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::portable::R51x1;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn no_access_outside_a_row() {
        let mut rows = Rows::<R51x1>::of_three(3);
        rows.write(2, &[[7u64; 5]; 3]);
        assert_eq!(rows.read::<[u64; 5], 3>(2), [[7; 5]; 3]);
        assert_eq!(rows.read::<[u64; 5], 3>(1), [[0; 5]; 3]);
        let width = R51x1::ROW3;
        assert_eq!(rows.row(2, width) as usize - rows.row(0, width) as usize, 16 * width);
        let mut refused = |work: &mut dyn FnMut(&mut Rows<R51x1>)| {
            assert!(catch_unwind(AssertUnwindSafe(|| work(&mut rows))).is_err());
        };
        refused(&mut |rows| _ = rows.read::<[u64; 5], 3>(3));
        refused(&mut |rows| _ = rows.read::<[u64; 5], 4>(0));
        refused(&mut |rows| rows.write(0, &[[0u64; 5]; 4]));
        refused(&mut |rows| rows.write(u32::MAX, &[[0u64; 5]; 3]));
        refused(&mut |rows| _ = rows.row(0, width + 1));
    }
}

//! The search for the invalid items of a batch.

use alloc::vec::Vec;
use core::ops::{Add, Range, Sub};

/// Appends all positions of `range` whose own sum is not zero, ascending. `total` is the sum over the range.
pub(super) fn search<T>(
    range: Range<usize>,
    total: &T,
    sum: &mut impl FnMut(Range<usize>) -> T,
    is_zero: &impl Fn(&T) -> bool,
    found: &mut Vec<usize>,
) where
    T: Copy + Add<Output = T> + Sub<Output = T>,
{
    if is_zero(total) {
        return;
    }
    if range.len() == 1 {
        found.push(range.start);
        return;
    }
    let middle = range.start + range.len() / 2;
    let left = sum(range.start..middle);
    search(range.start..middle, &left, sum, is_zero, found);
    search(middle..range.end, &(*total - left), sum, is_zero, found);
}

//! Which row each lane adds in which step: the digits of many scalars sorted by bucket.
//!
//! A counting sort whose output is already in the order of use. Buckets are taken from the longest to the shortest,
//! a vector's worth at a time, one a lane; a vector takes as many steps as its longest bucket, and lanes that run
//! out add the identity. So the loop that adds reads one stream of entries, `LANES` a step, and can ask for the
//! rows of later steps across the borders of buckets. (With one list a bucket, rows could be asked for only within
//! the list: of lists of eight most came too late.)

use alloc::vec::Vec;

/// Digits of a row of rows, as `digits` codes them: digit `i` says, add row `row + i`, or its negative, to bucket
/// `bucket + |digit|`. Digits 0 say nothing.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) bucket: u32,
    pub(crate) row: u32,
    pub(crate) digits: &'a [u16],
}

/// Sorted digits. Memory is reused from one sort to the next.
#[derive(Default)]
pub(crate) struct Schedule {
    /// `row << 1 | negative` for each lane, step by step; what stands after the last step is of no meaning.
    steps: Vec<u32>,
    /// The buckets, a vector after the other.
    order: Vec<u32>,
    /// Steps of each vector of buckets.
    lengths: Vec<u32>,
    /// Of each bucket: first its length, then where its next entry goes.
    slots: Vec<u32>,
    /// How many buckets have each length.
    count: Vec<u32>,
}

impl Schedule {
    /// Sorts `runs`, whose buckets are `0 .. buckets`, for vectors of `lanes`. Bucket `b` will be row `first + b` of
    /// the sums, and lanes that have no bucket work on the rows `spare ..`. `identity` is a row to add where there is
    /// nothing to add.
    pub(crate) fn sort_vartime<'a>(
        &mut self,
        runs: impl Iterator<Item = Run<'a>> + Clone,
        lanes: usize,
        buckets: usize,
        [first, spare, identity]: [u32; 3],
    ) {
        self.slots.clear();
        self.slots.resize(buckets, 0);
        for run in runs.clone() {
            let slots = &mut self.slots[run.bucket as usize..];
            for digit in run.digits {
                slots[usize::from(digit >> 1)] += 1;
            }
        }
        // Digits 0.
        runs.clone().for_each(|run| self.slots[run.bucket as usize] = 0);
        self.order(lanes);
        self.lay_out(lanes, [first, spare, identity << 1]);
        let steps = &mut self.steps[..];
        for run in runs {
            let slots = &mut self.slots[run.bucket as usize..];
            for (row, digit) in (run.row..).zip(run.digits) {
                if *digit != 0 {
                    let slot = &mut slots[usize::from(digit >> 1)];
                    steps[*slot as usize] = row << 1 | u32::from(digit & 1);
                    *slot += lanes as u32;
                }
            }
        }
    }

    /// Buckets from the longest to the shortest, by another counting sort.
    fn order(&mut self, lanes: usize) {
        // Neighbours are counted apart, as most have the same length: increments of one counter wait for each other.
        const APART: usize = 4;
        let longest = self.slots.iter().copied().max().unwrap_or(0);
        let counter = |bucket: usize, length: u32| (longest - length) as usize * APART + bucket % APART;
        self.count.clear();
        self.count.resize((longest as usize + 1) * APART, 0);
        for (bucket, length) in self.slots.iter().enumerate() {
            self.count[counter(bucket, *length)] += 1;
        }
        let mut start = 0;
        for count in &mut self.count {
            start += core::mem::replace(count, start);
        }
        self.order.clear();
        self.order.resize(self.slots.len().next_multiple_of(lanes), u32::MAX);
        for (bucket, length) in self.slots.iter().enumerate() {
            let place = &mut self.count[counter(bucket, *length)];
            self.order[*place as usize] = bucket as u32;
            *place += 1;
        }
    }

    /// Places for the entries, with `nothing` in those that will stay empty; bucket numbers become rows of the sums.
    fn lay_out(&mut self, lanes: usize, [first, spare, nothing]: [u32; 3]) {
        let (order, slots) = (&mut self.order, &mut self.slots);
        self.lengths.clear();
        self.lengths.extend(order.chunks_exact(lanes).map(|buckets| slots[buckets[0] as usize]));
        let steps: usize = self.lengths.iter().map(|length| *length as usize).sum();
        if self.steps.len() < steps * lanes {
            self.steps.resize(steps * lanes, 0);
        }
        let mut start = 0;
        for (buckets, longest) in order.chunks_exact_mut(lanes).zip(&self.lengths) {
            let end = start + *longest as usize * lanes;
            for (lane, bucket) in buckets.iter_mut().enumerate() {
                let mut length = 0;
                if let Some(slot) = slots.get_mut(*bucket as usize) {
                    length = core::mem::replace(slot, (start + lane) as u32);
                    *bucket += first;
                } else {
                    *bucket = spare + lane as u32;
                }
                let mut empty = start + length as usize * lanes + lane;
                while empty < end {
                    self.steps[empty] = nothing;
                    empty += lanes;
                }
            }
            start = end;
        }
    }

    /// For each vector of buckets, their rows and the number of steps; from the longest to the shortest.
    pub(crate) fn vectors(&self, lanes: usize) -> impl Iterator<Item = (&[u32], usize)> {
        self.order.chunks_exact(lanes).zip(self.lengths.iter().map(|length| *length as usize))
    }

    /// All entries, and maybe more after them.
    pub(crate) fn steps(&self) -> &[u32] {
        &self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;
    use alloc::vec;

    /// Every digit is found once, in its bucket's lane; all else adds nothing; each bucket has one row.
    #[test]
    fn every_digit_has_its_step() {
        let mut random = Random::new(31);
        let mut schedule = Schedule::default();
        for lanes in [1, 4, 8] {
            for (n, width, sets) in [(0, 4, 3), (1, 2, 1), (7, 3, 8), (100, 5, 3), (300, 8, 2), (1000, 3, 8)] {
                let half = 1u32 << (width - 1);
                let stride = half + 1;
                let digits: Vec<Vec<u16>> = (0..sets)
                    .map(|_| {
                        (0..n)
                            .map(|_| random.below(2 * half as usize + 2) as u16)
                            .map(|d| if d == 1 { 0 } else { d })
                            .collect()
                    })
                    .collect();
                let buckets = sets as u32 * stride;
                let runs = digits.iter().enumerate().map(|(set, digits)| Run {
                    bucket: set as u32 * stride,
                    row: 5 * set as u32,
                    digits,
                });
                let (first, spare, identity) = (1000, 90_000, 70_000);
                schedule.sort_vartime(runs, lanes, buckets as usize, [first, spare, identity]);
                let mut expected = vec![Vec::new(); buckets as usize];
                for (set, digits) in digits.iter().enumerate() {
                    for (i, digit) in digits.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                        let bucket = set * stride as usize + usize::from(digit >> 1);
                        expected[bucket].push((5 * set + i) as u32 * 2 + u32::from(digit & 1));
                    }
                }
                let mut found = vec![None; buckets as usize];
                let (mut start, mut shortest) = (0, usize::MAX);
                for (rows, length) in schedule.vectors(lanes) {
                    assert!(length <= shortest);
                    shortest = length;
                    for (lane, row) in rows.iter().enumerate() {
                        let mut list: Vec<u32> =
                            (0..length).map(|step| schedule.steps()[start + step * lanes + lane]).collect();
                        while list.last() == Some(&(identity << 1)) {
                            list.pop();
                        }
                        if *row >= spare {
                            assert!(list.is_empty() && *row == spare + lane as u32);
                        } else {
                            assert!(found[(row - first) as usize].replace(list).is_none());
                        }
                    }
                    start += length * lanes;
                }
                let found: Vec<_> = found.into_iter().map(Option::unwrap).collect();
                assert_eq!(found, expected, "{lanes} {n} {width} {sets}");
            }
        }
    }
}

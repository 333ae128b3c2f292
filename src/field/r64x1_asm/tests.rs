extern crate std;

use std::vec::Vec;

use super::*;
use crate::field::asm_tests::{self, Raw};
use crate::field::assembly::raw_items;
use crate::test_util::Random;

const ALL: u64 = u64::MAX;
const HALF: u64 = 1 << 63;

impl Raw for R64x1 {
    const RADIX: usize = 64;

    fn full(random: &mut Random) -> Vec<Words> {
        // 2^256-1, around 2p, p and 2^255, small ones, words of ones and zeros.
        let mut out = alloc::vec![[ALL; 4], [ALL - 37, ALL, ALL, ALL], [ALL - 38, ALL, ALL, ALL], [0; 4]];
        out.extend([1, 18, 19, 37, 38, 39].map(|x| [x, 0, 0, 0]));
        out.extend([20, 19, 18, 17, 0].map(|x| [ALL - x, ALL, ALL, HALF - 1]));
        out.extend([[0, 0, 0, HALF], [ALL, 0, 0, HALF], [0, 0, 0, ALL], [ALL, ALL, 0, ALL], [0, ALL, ALL, 0]]);
        out.extend((0..8).map(|_| core::array::from_fn(|_| random.next())));
        out
    }
    fn tight(random: &mut Random) -> Vec<Words> {
        let mut out = alloc::vec![[ALL, ALL, ALL, HALF + 127], [ALL, ALL, ALL, HALF - 1], [0, 0, 0, HALF], [0; 4]];
        out.extend([1, 19, 37, 38].map(|x| [x, 0, 0, 0]));
        out.extend([20, 19, 18].map(|x| [ALL - x, ALL, ALL, HALF - 1]));
        out.extend((0..4).map(|_| {
            let [a, b, c, d] = core::array::from_fn(|_| random.next());
            [a, b, c, d >> 1]
        }));
        out
    }
    fn is_full(_: &Words) -> bool {
        true
    }
    fn is_tight(x: &Words) -> bool {
        x[3] < HALF + 128
    }

    raw_items!(Words, TightWords);
}

#[test]
fn every_operation_at_its_bounds() {
    asm_tests::run::<R64x1>();
}

extern crate std;

use std::vec::Vec;

use super::*;
use crate::field::asm_tests::{self, Raw};
use crate::field::assembly::raw_items;
use crate::test_util::Random;

/// Limbs up to `max`, extreme ones often.
fn values(random: &mut Random, max: u64) -> Vec<Limbs> {
    let mut out = alloc::vec![[max; 5], [0; 5], [1, 0, 0, 0, 0], [MASK; 5], [1 << 51; 5]];
    out.extend([18, 19, 20].map(|x| [MASK - x, MASK, MASK, MASK, MASK]));
    out.extend([[max, 0, 0, 0, 0], [0, 0, 0, 0, max], [0, max, 0, max, 0], [MASK, 0, max, MASK, max]]);
    out.extend((0..8).map(|_| core::array::from_fn(|_| random.next() % (max + 1))));
    out
}

impl Raw for R51x1 {
    const RADIX: usize = 51;

    fn full(random: &mut Random) -> Vec<Limbs> {
        values(random, FULL - 1)
    }
    fn tight(random: &mut Random) -> Vec<Limbs> {
        values(random, TIGHT - 1)
    }
    fn is_full(x: &Limbs) -> bool {
        x.iter().all(|limb| *limb < FULL)
    }
    fn is_tight(x: &Limbs) -> bool {
        x.iter().all(|limb| *limb < TIGHT)
    }

    raw_items!(Limbs, TightLimbs);
}

#[test]
fn every_operation_at_its_bounds() {
    asm_tests::run::<R51x1>();
}

#[test]
fn factors_may_reach_2_to_the_54() {
    let Some(isa) = <Amd64_51 as crate::cpu::Isa>::detect() else { return };
    let top = [(1 << 54) - 1; 5];
    let (mut product, mut square) = (R51x1::product(isa), R51x1::product(isa));
    R51x1::mul(&mut product, &R51x1(top), &R51x1(top));
    R51x1::square(&mut square, &R51x1(top));
    assert!(R51x1::is_tight(&product.0) && R51x1::is_tight(&square.0));
    // 2^54·(1 + 2^51 + ..) less (1 + 2^51 + ..): as the carried forms of the limbs show.
    let carried = R51x1(tighten(&top));
    let mut expected = R51x1::product(isa);
    R51x1::mul(&mut expected, &carried, &carried);
    let bytes = |x: &TightLimbs| R51x1(x.0).to_element().to_bytes();
    assert_eq!((bytes(&product), bytes(&square)), (bytes(&expected), bytes(&expected)));
}

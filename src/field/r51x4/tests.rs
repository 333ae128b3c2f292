//! Every operation against the portable field, lane by lane, on random values and on limbs at their bounds.

use std::println;
use std::vec::Vec;

use super::*;
use crate::cpu::Isa;
use crate::cpu::fpenv::with_mxcsr;
use crate::field::{chains, constants};
use crate::test_util::Random;

type Limbs = [[i64; 5]; 4];
type Lanes = [FieldElement; 4];

/// Runs `test` inside the frame, or says that it can't.
fn on_avx2(test: impl FnOnce(Avx2)) {
    match Avx2::detect() {
        Some(isa) => isa.frame(|| test(isa)),
        None => println!("skipped: this CPU lacks AVX2 or FMA"),
    }
}

/// How many rounds: the full number in release builds.
const fn rounds(n: usize) -> usize {
    if cfg!(debug_assertions) { n / 50 } else { n }
}

const EDGES: [i64; 18] = [
    B,
    -B,
    B - 1,
    1 - B,
    1 << 50,
    -(1 << 50),
    (1 << 50) - 1,
    1 - (1 << 50),
    (1 << 50) + 1,
    0,
    1,
    -1,
    1 << 49,
    -(1 << 49),
    (1 << 25) + 1,
    (1 << 26) - 1,
    (1 << 50) - (1 << 24),
    B - (1 << 13),
];

/// Limbs of one residue: uniform, edges, or mostly one edge.
fn limbs_of(random: &mut Random) -> [i64; 5] {
    let edge = EDGES[random.below(EDGES.len())];
    let kind = random.below(3);
    core::array::from_fn(|_| match kind {
        0 => (random.next() % (2 * B as u64 + 1)) as i64 - B,
        1 => EDGES[random.below(EDGES.len())],
        _ if random.below(4) == 0 => EDGES[random.below(EDGES.len())],
        _ => edge,
    })
}

/// An operand, sometimes with −0.0 for 0, and what it stands for.
fn operand(random: &mut Random) -> (R51x4, Limbs) {
    let x: Limbs = core::array::from_fn(|_| limbs_of(random));
    let zero = if random.below(2) == 0 { 0.0 } else { -0.0 };
    let double = |k: usize, i: usize| if x[i][k] == 0 { zero } else { x[i][k] as f64 };
    let rows: [[f64; 4]; 5] = core::array::from_fn(|k| core::array::from_fn(|i| double(k, i)));
    // SAFETY: same layout.
    (R51x4(unsafe { core::mem::transmute::<[[f64; 4]; 5], [__m256d; 5]>(rows) }), x)
}

/// Σ x_k·2^(51k) by the portable field.
fn value(x: &[i64; 5]) -> FieldElement {
    let radix = FieldElement([0, 1, 0, 0, 0]);
    x.iter().rev().fold(FieldElement::ZERO, |sum, limb| {
        let size = FieldElement([limb.unsigned_abs(), 0, 0, 0, 0]);
        sum * radix + if *limb < 0 { -size } else { size }
    })
}

fn values(x: &Limbs) -> Lanes {
    core::array::from_fn(|i| value(&x[i]))
}

fn stored(x: &R51x4) -> Lanes {
    x.check();
    let mut out = [FieldElement::ZERO; 4];
    x.store(&mut out);
    for x in &out {
        assert_eq!(x.0, FieldElement::from_bytes(&x.to_bytes()).0, "not canonical");
    }
    out
}

/// 0, 1, 2, p−1, p, p+1, 2^255−1 (also with limbs of 2^51), constants, random.
fn element(random: &mut Random) -> FieldElement {
    const M: u64 = (1 << 51) - 1;
    match random.below(14) {
        0 => FieldElement::ZERO,
        1 => FieldElement::ONE,
        2 => FieldElement([2, 0, 0, 0, 0]),
        3 => FieldElement([M - 19, M, M, M, M]),
        4 => FieldElement([M - 18, M, M, M, M]),
        5 => FieldElement([M - 17, M, M, M, M]),
        6 => FieldElement([M; 5]),
        7 => FieldElement([M + 1; 5]),
        8 => FieldElement([M + 1, M, M, M, M]),
        9 => FieldElement([M + 1, 0, 0, 0, 0]),
        10 => constants::SQRT_M1,
        _ => random.element(),
    }
}

fn elements(random: &mut Random) -> Lanes {
    core::array::from_fn(|_| element(random))
}

fn each(f: impl Fn(usize) -> FieldElement) -> Lanes {
    core::array::from_fn(f)
}

#[test]
fn products_of_limbs_at_their_bounds() {
    on_avx2(|isa| {
        let mut random = Random::new(1);
        let mut largest = [0i64; 2];
        for _ in 0..rounds(250_000) {
            let ((a, x), (b, y)) = (operand(&mut random), operand(&mut random));
            let (x, y) = (values(&x), values(&y));
            let (product, square) = (each(|i| x[i] * y[i]), each(|i| x[i].square()));

            let mut columns = R51x4::product(isa);
            let mut carried = a;
            R51x4::mul(&mut columns, &a, &b);
            assert_eq!(stored(&R51x4::reduce(&columns)), product);
            columns.check();
            R51x4::mul_carry(&mut carried, &a, &b);
            assert_eq!(stored(&carried), product);
            for (k, limb) in carried.limbs().iter().enumerate() {
                let limb = limb.iter().fold(0, |max, x| max.max(x.abs() as i64));
                largest[k.min(1)] = largest[k.min(1)].max(limb);
            }

            R51x4::square(&mut columns, &a);
            assert_eq!(stored(&R51x4::reduce(&columns)), square);
            R51x4::square_carry(&mut carried, &a);
            assert_eq!(stored(&carried), square);
        }
        assert!(largest[0] <= (1 << 50) + 19 * 64 && largest[1] <= (1 << 50) + 64, "{largest:?}");
    });
}

#[test]
fn products_in_place() {
    on_avx2(|isa| {
        let mut random = Random::new(2);
        for _ in 0..rounds(5_000) {
            let ((a, x), (b, y)) = (operand(&mut random), operand(&mut random));
            let (x, y) = (values(&x), values(&y));
            // The trait's references can't overlap, the routines' pointers may.
            let mut first = a;
            product::square_n(&mut first, 1);
            assert_eq!(stored(&first), each(|i| x[i].square()));
            let n = random.below(4);
            let mut power = b;
            R51x4::square_n(&mut power, n);
            assert_eq!(stored(&power), each(|i| (0..n).fold(y[i], |y, _| y.square())));

            let mut out = R51x4::product(isa);
            for square in [false, true] {
                for to_second in [false, true] {
                    let (mut a, mut b) = (a, b);
                    product::in_place(&mut a, &mut b, square, to_second);
                    let got = if to_second { b } else { a };
                    R51x4::mul(&mut out, &got, &R51x4::splat(isa, &FieldElement::ONE));
                    let expected = each(|i| if square { x[i].square() } else { x[i] * y[i] });
                    assert_eq!(stored(&R51x4::reduce(&out)), expected);
                }
            }
        }
    });
}

#[test]
fn sums() {
    on_avx2(|isa| {
        let mut random = Random::new(3);
        for _ in 0..rounds(40_000) {
            // Products, squares and widened operands in every mixture.
            let mut term = || {
                let ((a, x), (b, y)) = (operand(&mut random), operand(&mut random));
                let (x, y) = (values(&x), values(&y));
                let mut out = R51x4::product(isa);
                match random.below(4) {
                    0 => (a.widen(), x),
                    1 => {
                        R51x4::square(&mut out, &b);
                        (out, each(|i| y[i].square()))
                    }
                    2 => {
                        R51x4::mul(&mut out, &a, &a);
                        (out, each(|i| x[i].square()))
                    }
                    _ => {
                        R51x4::mul(&mut out, &a, &b);
                        (out, each(|i| x[i] * y[i]))
                    }
                }
            };
            let ((a, x), (b, y), (c, z)) = (term(), term(), term());
            assert_eq!(stored(&R51x4::carry(&R51x4::add(&a, &b))), each(|i| x[i] + y[i]));
            assert_eq!(stored(&R51x4::carry(&R51x4::sub(&a, &b))), each(|i| x[i] - y[i]));
            assert_eq!(stored(&R51x4::carry(&R51x4::add_sub(&a, &b, &c))), each(|i| x[i] + y[i] - z[i]));
            let sum = R51x4::double_add_sub(&a, &b, &c);
            assert_eq!(stored(&R51x4::carry(&sum)), each(|i| x[i] + x[i] + y[i] - z[i]));
            for bits in 0..16 {
                let (f, g) = R51x4::sub_add(R51x4::mask(isa, bits), &a, &c);
                let swapped = |i: usize| bits >> i & 1 == 1;
                let (difference, sum) = (|i: usize| x[i] - z[i], |i: usize| x[i] + z[i]);
                let expected = each(|i| if swapped(i) { sum(i) } else { difference(i) });
                assert_eq!(stored(&R51x4::carry(&f)), expected, "mask {bits:04b}");
                let expected = each(|i| if swapped(i) { difference(i) } else { sum(i) });
                assert_eq!(stored(&R51x4::carry(&g)), expected, "mask {bits:04b}");
            }
        }
        let zero = R51x4::product(isa);
        assert_eq!(stored(&R51x4::reduce(&zero)), [FieldElement::ZERO; 4]);
    });
}

#[test]
fn columns_at_their_bounds() {
    on_avx2(|isa| {
        // What no product reaches, but the contract's sums could: both ends of ±2^57, and both sides of a carry.
        let column = [1 << 57, (1 << 57) - 1, 1 << 50, (1 << 50) - 1, 1 << 51, 3 << 50, 0, 1];
        let mut random = Random::new(4);
        for _ in 0..rounds(20_000) {
            let mut term = || {
                let x: Limbs = core::array::from_fn(|_| {
                    core::array::from_fn(|_| {
                        let size = column[random.below(column.len())] - random.below(2) as i64;
                        if random.below(2) == 0 { size.min((1 << 57) - 1) } else { -size.min((1 << 57) - 1) }
                    })
                });
                let rows: [[i64; 4]; 5] =
                    core::array::from_fn(|k| core::array::from_fn(|i| x[i][k].wrapping_add(OFFSETS[k])));
                // SAFETY: same layout.
                let columns = Columns(unsafe { core::mem::transmute::<[[i64; 4]; 5], [__m256i; 5]>(rows) });
                columns.check();
                (columns, each(|i| wide_value(&x[i])))
            };
            let ((a, x), (b, y), (c, z)) = (term(), term(), term());
            assert_eq!(stored(&R51x4::reduce(&a)), x);
            assert_eq!(stored(&R51x4::add(&a, &b)), each(|i| x[i] + y[i]));
            assert_eq!(stored(&R51x4::sub(&a, &b)), each(|i| x[i] - y[i]));
            assert_eq!(stored(&R51x4::add_sub(&a, &b, &c)), each(|i| x[i] + y[i] - z[i]));
            assert_eq!(stored(&R51x4::double_add_sub(&a, &b, &c)), each(|i| x[i] + x[i] + y[i] - z[i]));
            let (f, g) = R51x4::sub_add(R51x4::mask(isa, 0b0110), &a, &c);
            assert_eq!(stored(&f), [x[0] - z[0], x[1] + z[1], x[2] + z[2], x[3] - z[3]]);
            assert_eq!(stored(&g), [x[0] + z[0], x[1] - z[1], x[2] - z[2], x[3] + z[3]]);
        }
    });
}

/// Like [`value`] for columns, in two parts that the portable field can take as limbs.
fn wide_value(x: &[i64; 5]) -> FieldElement {
    let high = value(&x.map(|x| x >> 40));
    value(&x.map(|x| x & ((1 << 40) - 1))) + high * FieldElement([1 << 40, 0, 0, 0, 0])
}

#[test]
fn load_store_and_canonical_residues() {
    on_avx2(|isa| {
        let mut random = Random::new(5);
        for _ in 0..rounds(50_000) {
            let x = elements(&mut random);
            let lanes = R51x4::load(isa, |i| x[i]);
            lanes.check();
            assert_eq!(stored(&lanes), x);
            assert_eq!(stored(&R51x4::splat(isa, &x[0])), [x[0]; 4]);
            check_residues(&lanes, &x);
            check_residues(&lanes.neg(), &x.map(|x| -x));

            let (a, limbs) = operand(&mut random);
            check_residues(&a, &values(&limbs));

            // Zero and its neighbours in other forms than the canonical one: differences of equal values.
            let (one, zero) = (R51x4::splat(isa, &FieldElement::ONE).widen(), R51x4::sub(&a.widen(), &a.widen()));
            check_residues(&zero, &[FieldElement::ZERO; 4]);
            check_residues(&R51x4::add(&zero.widen(), &one), &[FieldElement::ONE; 4]);
            check_residues(&R51x4::sub(&zero.widen(), &one), &[-FieldElement::ONE; 4]);
        }
        // ±p and its neighbours in the largest limbs.
        let big = 1 << 50;
        for d in [-20i64, -19, -18, -1, 0, 1, 18, 19, 20] {
            for x in [
                [d, 0, 0, 0, 0],
                [d - 19, 0, 0, 0, big],
                [big + d, big, big, big, big],
                [d - big, -big, -big, -big, -big],
                [B - d.abs(), B, B, B, B],
                [d.abs() - B, -B, -B, -B, -B],
            ] {
                let rows: [[f64; 4]; 5] = core::array::from_fn(|k| [x[k] as f64; 4]);
                // SAFETY: same layout.
                let a = R51x4(unsafe { core::mem::transmute::<[[f64; 4]; 5], [__m256d; 5]>(rows) });
                check_residues(&a, &[value(&x); 4]);
            }
        }
    });
}

fn check_residues(a: &R51x4, x: &Lanes) {
    a.check();
    assert_eq!(stored(a), *x);
    let bits = |f: fn(&FieldElement) -> subtle::Choice| (0..4).map(|i| u32::from(f(&x[i]).unwrap_u8()) << i).sum();
    let expected: u32 = bits(FieldElement::is_zero);
    assert_eq!(R51x4::bits(a.is_zero()), expected, "{x:?}");
    let expected: u32 = bits(FieldElement::is_negative);
    assert_eq!(R51x4::bits(a.is_odd()), expected, "{x:?}");
}

#[test]
fn masks_select_and_digits() {
    on_avx2(|isa| {
        let mut random = Random::new(6);
        for bits in 0..16u32 {
            let ((a, x), (b, y)) = (operand(&mut random), operand(&mut random));
            let (x, y) = (values(&x), values(&y));
            let mask = R51x4::mask(isa, bits);
            assert_eq!(R51x4::bits(mask), bits);
            let expected = each(|i| if bits >> i & 1 == 1 { y[i] } else { x[i] });
            assert_eq!(stored(&R51x4::select(mask, &a, &b)), expected);
        }
        // Higher bits are no one's.
        assert_eq!(R51x4::bits(R51x4::mask(isa, 0xffff_fff0)), 0);
        // A mask made by `is_odd` or `is_zero` is as good as one made from bits.
        let lanes = R51x4::load(isa, |i| FieldElement([i as u64, 0, 0, 0, 0]));
        let (one, two) = (R51x4::splat(isa, &FieldElement::ONE).widen(), lanes.widen());
        for mask in [lanes.is_odd(), lanes.is_zero()] {
            let again = R51x4::mask(isa, R51x4::bits(mask));
            let ((a, b), (c, d)) = (R51x4::sub_add(mask, &two, &one), R51x4::sub_add(again, &two, &one));
            assert_eq!((stored(&a), stored(&b)), (stored(&c), stored(&d)));
        }
        let digits = [0i16, 1, -1, 2, -2, 255, -256, 4096, i16::MAX, -i16::MAX, i16::MIN, -7];
        for _ in 0..rounds(2_000) {
            let d: [i16; 4] = core::array::from_fn(|_| digits[random.below(digits.len())]);
            let (index, negative) = R51x4::index(isa, &d);
            assert_eq!(R51x4::bits(negative), (0..4).map(|i| u32::from(d[i] < 0) << i).sum::<u32>());
            for other in digits {
                let value = other.unsigned_abs();
                let expected = (0..4).map(|i| u32::from(d[i].unsigned_abs() == value) << i).sum::<u32>();
                assert_eq!(R51x4::bits(R51x4::index_is(index, value)), expected, "{d:?} {value}");
            }
        }
    });
}

#[test]
fn rows_in_any_order() {
    on_avx2(|isa| {
        let mut random = Random::new(7);
        const ROWS: usize = 12;
        let (mut three, mut four) = (Rows::<R51x4>::of_three(ROWS), Rows::<R51x4>::of_four(ROWS));
        let mut expected: Vec<[FieldElement; 7]> = std::vec![[FieldElement::ZERO; 7]; ROWS];
        let zero = R51x4::splat(isa, &FieldElement::ZERO);
        for _ in 0..rounds(5_000) {
            let row: [u32; 4] = core::array::from_fn(|_| random.below(ROWS) as u32);
            let x: [(R51x4, Limbs); 7] = core::array::from_fn(|_| operand(&mut random));
            R51x4::store3(&mut three, &row, [&x[0].0, &x[1].0, &x[2].0]);
            R51x4::store4(&mut four, &row, [&x[3].0, &x[4].0, &x[5].0, &x[6].0]);
            for (i, row) in row.iter().enumerate() {
                // The last lane of a row stays.
                expected[*row as usize] = core::array::from_fn(|j| value(&x[j].1[i]));
            }

            let row: [u32; 4] = core::array::from_fn(|_| random.below(ROWS) as u32);
            let at = |j: usize| each(|i| expected[row[i] as usize][j]);
            let (mut a, mut b, mut c, mut d) = (zero, zero, zero, zero);
            R51x4::load3(&three, &row, [&mut a, &mut b, &mut c]);
            assert_eq!([stored(&a), stored(&b), stored(&c)], [at(0), at(1), at(2)]);
            R51x4::load4(&four, &row, [&mut a, &mut b, &mut c, &mut d]);
            assert_eq!([stored(&a), stored(&b), stored(&c), stored(&d)], [at(3), at(4), at(5), at(6)]);
            R51x4::splat3(&three, row[0], [&mut a, &mut b, &mut c]);
            let at = |j: usize| [expected[row[0] as usize][j]; 4];
            assert_eq!([stored(&a), stored(&b), stored(&c)], [at(0), at(1), at(2)]);
        }
    });
}

#[test]
#[should_panic = "row 5 of 5"]
fn rows_outside_are_refused() {
    let Some(isa) = Avx2::detect() else { panic!("row 5 of 5: skipped, this CPU lacks AVX2 or FMA") };
    let rows = Rows::<R51x4>::of_three(5);
    let zero = R51x4::splat(isa, &FieldElement::ZERO);
    let (mut a, mut b, mut c) = (zero, zero, zero);
    isa.frame(|| R51x4::load3(&rows, &[0, 1, 5, 2], [&mut a, &mut b, &mut c]));
}

#[test]
fn chains_in_lanes() {
    on_avx2(|isa| {
        let mut random = Random::new(8);
        for _ in 0..rounds(1_000) {
            let x = [elements(&mut random), elements(&mut random)];
            let y = [elements(&mut random), elements(&mut random)];
            let load = |x: &Lanes| R51x4::load(isa, |i| x[i]);
            let (a, b) = (x.each_ref().map(load), y.each_ref().map(load));
            let inverse = chains::invert(&a);
            let (root, square) = chains::sqrt_ratio(&a, &b);
            for j in 0..2 {
                assert_eq!(stored(&inverse[j]), x[j].map(|x| x.invert()));
                assert_eq!(stored(&chains::invert(&[a[j]])[0]), x[j].map(|x| x.invert()));
                let expected = each(|i| FieldElement::sqrt_ratio(&x[j][i], &y[j][i]).1);
                assert_eq!(stored(&root[j]), expected);
                let expected = (0..4).map(|i| {
                    let (square, _) = FieldElement::sqrt_ratio(&x[j][i], &y[j][i]);
                    u32::from(square.unwrap_u8()) << i
                });
                assert_eq!(R51x4::bits(square[j]), expected.sum::<u32>());
            }
        }
    });
}

#[test]
fn results_in_any_floating_point_environment() {
    let Some(isa) = Avx2::detect() else {
        println!("skipped: this CPU lacks AVX2 or FMA");
        return;
    };
    let mut random = Random::new(9);
    let x = elements(&mut random).map(|x| x + random.element());
    // Nearest, down, up, to zero; the precision trap on; flush-to-zero and denormals-are-zero; both.
    for mxcsr in [0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x0f80, 0x9fc0, 0x6fc0, 0xffc0] {
        let work = || {
            isa.frame(|| {
                let a = [R51x4::load(isa, |i| x[i])];
                let (mut out, mut odd) = ([FieldElement::ZERO; 4], [FieldElement::ZERO; 4]);
                chains::invert(&a)[0].store(&mut out);
                R51x4::sub(&a[0].widen(), &R51x4::splat(isa, &constants::D).widen()).store(&mut odd);
                (out, odd)
            })
        };
        let ((inverse, difference), after) = with_mxcsr(mxcsr, work);
        assert_eq!(inverse, x.map(|x| x.invert()), "{mxcsr:#x}");
        assert_eq!(difference, x.map(|x| x - constants::D), "{mxcsr:#x}");
        // The sticky flags may be set where there was nothing to switch.
        assert_eq!(after & !0x3f, mxcsr, "{mxcsr:#x}");
    }
}

//! Every operation against the portable field, lane by lane, on random values and on limbs at their bounds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::prelude::v1::*;

use super::arith::{self, MASK52, OPERAND_MAX, PRODUCT_MAX, SUM_MAX, V};
use super::*;
use crate::cpu::Isa;
use crate::field::{chains, constants};
use crate::test_util::Random;
use subtle::ConditionallySelectable;

type Lanes = [FieldElement; 8];

fn isa() -> Option<Ifma> {
    let isa = Ifma::detect();
    if isa.is_none() {
        std::println!("skipped: this CPU lacks AVX-512 IFMA");
    }
    isa
}

/// Random values with many edges.
struct Cases {
    seed: u64,
    random: Random,
}

impl Cases {
    fn new(seed: u64) -> Self {
        Cases { seed, random: Random::new(seed) }
    }

    fn next(&mut self) -> u64 {
        self.random.next()
    }

    /// Often an edge, else uniform.
    fn limb(&mut self, max: u64) -> u64 {
        match self.next() % 8 {
            0 => max,
            1 => 0,
            2 => max - self.next() % 20,
            3 => (MASK52 + 1).min(max),
            _ if max == u64::MAX => self.next(),
            _ => self.next() % (max + 1),
        }
    }

    fn element(&mut self) -> FieldElement {
        const TOP: u64 = 1 << 51;
        const M: u64 = TOP - 1;
        match self.next() % 12 {
            0 => FieldElement([0; 5]),
            1 => FieldElement([1 + self.next() % 2, 0, 0, 0, 0]),
            2 => FieldElement([M - 19 + self.next() % 3, M, M, M, M]), // p-1, p, p+1
            3 => FieldElement([M - self.next() % 21, M, M, M, M]),
            4 => FieldElement([TOP; 5]),
            5 => constants::SQRT_M1,
            _ => FieldElement(core::array::from_fn(|_| self.limb(TOP))),
        }
    }

    fn elements(&mut self) -> Lanes {
        core::array::from_fn(|_| self.element())
    }

    fn limbs(&mut self, isa: Ifma, max: &[u64; 5]) -> Limbs {
        let mut x = [[0; 8]; 5];
        let all_max = self.next().is_multiple_of(8);
        for (x, max) in x.iter_mut().zip(max) {
            for lane in x.iter_mut() {
                *lane = if all_max { *max } else { self.limb(*max) };
            }
        }
        from_words(isa, &x)
    }

    fn operand(&mut self, isa: Ifma) -> R52x8 {
        R52x8::new(self.limbs(isa, &OPERAND_MAX))
    }

    fn product(&mut self, isa: Ifma) -> Columns {
        Columns::product(self.limbs(isa, &PRODUCT_MAX))
    }
}

fn from_words(_: Ifma, x: &[[u64; 8]; 5]) -> Limbs {
    // SAFETY: both are 320 bytes without padding, and the token is here.
    unsafe { core::mem::transmute::<[[u64; 8]; 5], [V; 5]>(*x) }
}

/// `Σ limb_i·2^(52 i)` in each lane, by the portable field.
fn value(limbs: &Limbs, mask: u64) -> Lanes {
    let x = limbs.map(arith::lanes);
    let radix = FieldElement([0, 2, 0, 0, 0]);
    core::array::from_fn(|lane| {
        (0..5).rev().fold(FieldElement::ZERO, |sum, i| {
            let limb = x[i][lane] & if i < 4 { mask } else { u64::MAX };
            sum * radix + FieldElement([limb & ((1 << 51) - 1), limb >> 51, 0, 0, 0])
        })
    })
}

fn of(x: &R52x8) -> Lanes {
    value(&x.0, MASK52)
}

fn sum_of(x: &Columns) -> Lanes {
    value(&x.0, u64::MAX)
}

fn map2(a: &Lanes, b: &Lanes, f: impl Fn(FieldElement, FieldElement) -> FieldElement) -> Lanes {
    core::array::from_fn(|i| f(a[i], b[i]))
}

fn bits(f: impl Fn(usize) -> bool) -> u32 {
    (0..8).map(|i| u32::from(f(i)) << i).sum()
}

/// Runs `body` in frames over many seeds.
fn rounds(n: u64, mut body: impl FnMut(Ifma, &mut Cases)) {
    let Some(isa) = isa() else { return };
    for seed in 0..n {
        isa.frame(|| body(isa, &mut Cases::new(seed)));
    }
}

#[test]
fn load_store_splat() {
    rounds(300, |isa, rng| {
        let e = rng.elements();
        let x = R52x8::load(isa, |i| e[i]);
        let mut back = [FieldElement::ONE; 8];
        x.store(&mut back);
        assert_eq!((of(&x), back), (e, e));
        assert_eq!(of(&R52x8::splat(isa, &e[0])), [e[0]; 8]);

        let x = rng.operand(isa);
        x.store(&mut back);
        assert_eq!(back, of(&x));
        assert!(back.iter().all(|x| x.0.iter().all(|limb| *limb < 1 << 51)));
    });
}

#[test]
fn products() {
    rounds(1000, |isa, rng| {
        let (x, y) = (rng.operand(isa), rng.operand(isa));
        let (a, b) = (of(&x), of(&y));
        let (ab, aa) = (map2(&a, &b, |a, b| a * b), a.map(|a| a.square()));
        let mut out = R52x8::product(isa);
        assert_eq!(sum_of(&out), [FieldElement::ZERO; 8]);
        R52x8::mul(&mut out, &x, &y);
        assert_eq!(sum_of(&out), ab);
        assert_eq!(of(&R52x8::reduce(&out)), ab);
        R52x8::square(&mut out, &x);
        assert_eq!(sum_of(&out), aa);
        let mut z = x;
        R52x8::mul_carry(&mut z, &x, &y);
        assert_eq!(of(&z), ab);
        R52x8::square_carry(&mut z, &x);
        assert_eq!(of(&z), aa);
        R52x8::square_n(&mut z, 3);
        assert_eq!(of(&z), aa.map(|a| a.square().square().square()));
    });
}

#[test]
fn sums() {
    rounds(1000, |isa, rng| {
        let (x, y, z) = (rng.product(isa), rng.product(isa), rng.product(isa));
        let (a, b, c) = (sum_of(&x), sum_of(&y), sum_of(&z));
        let expect = |sum: Columns, lanes: Lanes| {
            assert_eq!(sum_of(&sum), lanes);
            assert_eq!(of(&R52x8::carry(&sum)), lanes);
        };
        let a_plus_b = map2(&a, &b, |a, b| a + b);
        expect(R52x8::add(&x, &y), a_plus_b);
        expect(R52x8::sub(&x, &y), map2(&a, &b, |a, b| a - b));
        expect(R52x8::add_sub(&x, &y, &z), map2(&a_plus_b, &c, |s, c| s - c));
        expect(R52x8::double_add_sub(&z, &x, &y), map2(&map2(&a, &b, |a, b| a - b), &c, |d, c| c + c + d));
        assert_eq!(of(&R52x8::reduce(&x)), a);
        let largest = Columns::sum(rng.limbs(isa, &SUM_MAX));
        assert_eq!(of(&R52x8::carry(&largest)), sum_of(&largest));

        let x = rng.operand(isa);
        assert_eq!(sum_of(&x.widen()), of(&x));
        assert_eq!(of(&x.neg()), of(&x).map(|x| -x));
    });
}

#[test]
fn masks() {
    rounds(256, |isa, rng| {
        let pattern = rng.seed as u32;
        let mask = R52x8::mask(isa, pattern);
        assert_eq!(R52x8::bits(mask), pattern);
        let in_mask = |i: usize| pattern >> i & 1 == 1;

        let (x, y) = (rng.operand(isa), rng.operand(isa));
        let chosen = R52x8::select(mask, &x, &y);
        assert_eq!(of(&chosen), core::array::from_fn(|i| if in_mask(i) { of(&y)[i] } else { of(&x)[i] }));

        let (d, c) = (rng.product(isa), rng.product(isa));
        let (minus, plus) =
            (map2(&sum_of(&d), &sum_of(&c), |d, c| d - c), map2(&sum_of(&d), &sum_of(&c), |d, c| d + c));
        let (f, g) = R52x8::sub_add(mask, &d, &c);
        assert_eq!(sum_of(&f), core::array::from_fn(|i| if in_mask(i) { plus[i] } else { minus[i] }));
        assert_eq!(sum_of(&g), core::array::from_fn(|i| if in_mask(i) { minus[i] } else { plus[i] }));

        // Zero as 0 and as p, beside anything that is neither.
        let one_to_p = rng.elements().map(|x| FieldElement::conditional_select(&x, &constants::D, x.is_zero()));
        let p = FieldElement([(1 << 51) - 19, (1 << 51) - 1, (1 << 51) - 1, (1 << 51) - 1, (1 << 51) - 1]);
        let zero = [FieldElement::ZERO, p][(rng.next() % 2) as usize];
        let x = R52x8::load(isa, |i| if in_mask(i) { zero } else { one_to_p[i] });
        assert_eq!(R52x8::bits(x.is_zero()), pattern);

        for x in [x, y] {
            assert_eq!(R52x8::bits(x.is_zero()), bits(|i| of(&x)[i].is_zero().into()));
            assert_eq!(R52x8::bits(x.is_odd()), bits(|i| of(&x)[i].is_negative().into()));
        }
        let even = rng.elements().map(|x| FieldElement::conditional_select(&x, &-x, x.is_negative() & !x.is_zero()));
        let x = R52x8::load(isa, |i| if in_mask(i) { even[i] + FieldElement::ONE } else { even[i] });
        let odd = bits(|i| of(&x)[i].is_negative().into());
        assert_eq!(R52x8::bits(x.is_odd()), odd);
    });
}

#[test]
fn zero_in_every_form() {
    let Some(isa) = isa() else { return };
    // Multiples of p an operand can be: 0 and p; near misses; and the same with dirty bits.
    let p = [MASK52 - 18, MASK52, MASK52, MASK52, (1 << 47) - 1];
    let mut x = [[0; 8]; 5];
    let forms = [
        [0; 5],
        p,
        [MASK52 - 17, p[1], p[2], p[3], p[4]],
        [MASK52 - 19, p[1], p[2], p[3], p[4]],
        [MASK52, p[1], p[2], p[3], p[4]],
        [0, 0, 0, 0, 1 << 47],
        [1, 0, 0, 0, 0],
        [p[0], p[1], p[2], p[3] - 1, p[4]],
    ];
    for dirt in [0, 1 << 52, 0xfff << 52] {
        for lane in 0..8 {
            for i in 0..5 {
                x[i][lane] = forms[lane][i] | if i < 4 { dirt } else { 0 };
            }
        }
        isa.frame(|| {
            let x = R52x8::new(from_words(isa, &x));
            assert_eq!(R52x8::bits(x.is_zero()), 0b11);
            // 0, 0, 1, p-1, 18, 19, 1, p - 2^156
            assert_eq!(R52x8::bits(x.is_odd()), 0b1110_0100);
        });
    }
}

#[test]
fn digits() {
    rounds(100, |isa, rng| {
        let edges = [0, 1, -1, i16::MIN, i16::MAX, i16::MIN + 1, 255, -256];
        let digits: [i16; 8] = core::array::from_fn(|_| match rng.next() % 3 {
            0 => rng.next() as i16,
            _ => edges[(rng.next() % 8) as usize],
        });
        let (index, negative) = R52x8::index(isa, &digits);
        assert_eq!(R52x8::bits(negative), bits(|i| digits[i] < 0));
        for value in digits.map(i16::unsigned_abs).into_iter().chain([0, 1, 2, 256, 32767, 32768, 65535]) {
            let found = R52x8::bits(R52x8::index_is(index, value));
            assert_eq!(found, bits(|i| digits[i].unsigned_abs() == value));
        }
    });
}

#[test]
fn rows() {
    rounds(100, |isa, rng| {
        let count = 1 + (rng.next() % 40) as u32;
        let (mut three, mut four) = (Rows::<R52x8>::of_three(count as usize), Rows::<R52x8>::of_four(count as usize));
        // What each row should hold, as raw words.
        let mut model = vec![[[0; 5]; 7]; count as usize];
        let word = |x: &R52x8, lane: usize| x.0.map(|limb| arith::lanes(limb)[lane]);
        for _ in 0..20 {
            // Rows in any order, often repeated; where they are, the highest lane stays.
            let row: [u32; 8] = core::array::from_fn(|_| (rng.next() % u64::from(count)) as u32);
            let x: [R52x8; 7] = core::array::from_fn(|_| rng.operand(isa));
            R52x8::store3(&mut three, &row, [&x[0], &x[1], &x[2]]);
            R52x8::store4(&mut four, &row, [&x[3], &x[4], &x[5], &x[6]]);
            for lane in 0..8 {
                model[row[lane] as usize] = core::array::from_fn(|k| word(&x[k], lane));
            }
            let row: [u32; 8] = core::array::from_fn(|_| (rng.next() % u64::from(count)) as u32);
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g] = x;
            R52x8::load3(&three, &row, [&mut a, &mut b, &mut c]);
            R52x8::load4(&four, &row, [&mut d, &mut e, &mut f, &mut g]);
            for lane in 0..8 {
                assert_eq!([&a, &b, &c, &d, &e, &f, &g].map(|x| word(x, lane)), model[row[lane] as usize]);
            }
            R52x8::splat3(&three, row[0], [&mut a, &mut b, &mut c]);
            for lane in 0..8 {
                assert_eq!([&a, &b, &c].map(|x| word(x, lane)), model[row[0] as usize][..3]);
            }
        }
    });
}

#[test]
fn rows_outside_panic() {
    let Some(isa) = isa() else { return };
    let x = R52x8::splat(isa, &constants::D);
    let (mut three, mut four) = (Rows::<R52x8>::of_three(3), Rows::<R52x8>::of_four(3));
    let mut panics = |f: &mut dyn FnMut(&mut Rows<R52x8>, &mut Rows<R52x8>)| {
        assert!(catch_unwind(AssertUnwindSafe(|| f(&mut three, &mut four))).is_err());
    };
    for lane in 0..8 {
        let mut row = [0; 8];
        row[lane] = 3;
        let mut out = [x; 4];
        let [a, b, c, d] = &mut out;
        panics(&mut |three, _| R52x8::load3(three, &row, [a, b, c]));
        panics(&mut |_, four| R52x8::load4(four, &row, [a, b, c, d]));
        panics(&mut |three, _| R52x8::store3(three, &row, [&x; 3]));
        panics(&mut |_, four| R52x8::store4(four, &row, [&x; 4]));
        panics(&mut |three, _| R52x8::splat3(three, 3, [a, b, c]));
        // Four elements don't fit the rows of three, and seven rows don't fill eight lanes.
        panics(&mut |three, _| R52x8::load4(three, &[0; 8], [a, b, c, d]));
        panics(&mut |three, _| R52x8::store4(three, &[0; 8], [&x; 4]));
        panics(&mut |three, _| R52x8::load3(three, &[0; 7], [a, b, c]));
    }
}

#[test]
fn bounds_are_checked() {
    let Some(isa) = isa() else { return };
    for i in 0..5 {
        for lane in 0..8 {
            let above = |max: &[u64; 5]| {
                let mut x = [[0; 8]; 5];
                x[i][lane] = max[i].saturating_add(1);
                from_words(isa, &x)
            };
            if i == 4 {
                assert!(catch_unwind(|| R52x8::new(above(&OPERAND_MAX)).isa()).is_err() == cfg!(debug_assertions));
            }
            assert!(catch_unwind(|| Columns::product(above(&PRODUCT_MAX))).is_err() == cfg!(debug_assertions));
            assert!(catch_unwind(|| Columns::sum(above(&SUM_MAX))).is_err() == cfg!(debug_assertions));
        }
    }
}

fn chains<const M: usize>(rounds_: u64) {
    rounds(rounds_, |isa, rng| {
        let (u, v): ([Lanes; M], [Lanes; M]) =
            (core::array::from_fn(|_| rng.elements()), core::array::from_fn(|_| rng.elements()));
        let load = |x: &[Lanes; M]| x.map(|x| R52x8::load(isa, |i| x[i]));
        let inverse = chains::invert(&load(&u));
        let (root, square) = chains::sqrt_ratio(&load(&u), &load(&v));
        for j in 0..M {
            assert_eq!(of(&inverse[j]), u[j].map(|x| x.invert()));
            let expected: [_; 8] = core::array::from_fn(|i| FieldElement::sqrt_ratio(&u[j][i], &v[j][i]));
            assert_eq!(of(&root[j]), expected.map(|(_, root)| root));
            assert_eq!(R52x8::bits(square[j]), bits(|i| expected[i].0.into()));
        }
    });
}

#[test]
fn chains_of_one_and_two() {
    chains::<1>(6);
    chains::<2>(4);
}

#[test]
fn single_doublings() {
    let Some(isa) = isa() else { return };
    let mut rng = Cases::new(1);
    for round in 0..200 {
        let [mut x, mut y, mut z] = core::array::from_fn(|_| rng.element());
        let n = if round % 50 == 0 { 224 } else { (rng.next() % 6) as usize };
        let out = single::double_n_single(isa, &[x, y, z], n);
        // The formulas are polynomials, so any three elements will do; n = 0 only has the projective meaning.
        let mut t = x * y;
        for _ in 0..n {
            let (a, b, c, s) = (x.square(), y.square(), z.square(), (x + y).square());
            let (e, g, h) = (a + b - s, a - b, a + b);
            let f = c + c + g;
            (x, y, z, t) = (e * f, g * h, f * g, e * h);
        }
        if n == 0 {
            (x, y, z) = (x * z, y * z, z.square());
        }
        assert_eq!(out, [x, y, z, t]);
        // Where nothing was doubled, they are products of single elements: at most 2^51.
        assert!(out.iter().all(|x| x.0.iter().all(|limb| *limb <= 1 << 51)));
    }
}

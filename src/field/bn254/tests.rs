use alloc::vec::Vec;
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};

use super::lanes::{Constant, FrLanes};
use super::r64x1::{Arithmetic, R64x1};
use super::*;
#[allow(unused_imports)]
use crate::cpu::Isa;
use crate::cpu::Portable;
use crate::test_util::Random;

type Oracle = ark_bn254::Fr;

fn oracle(x: &Fr) -> Oracle {
    let bytes = x.to_bytes();
    let y = Oracle::from_le_bytes_mod_order(&bytes);
    assert_eq!(y.into_bigint().to_bytes_le(), bytes, "not canonical");
    y
}

fn of_oracle(x: Oracle) -> [u8; 32] {
    x.into_bigint().to_bytes_le().try_into().unwrap()
}

fn number(words: [u64; 4]) -> [u8; 32] {
    let mut out = [0; 32];
    out.chunks_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    out
}

/// Numbers at every border of the arithmetic, as 32 bytes.
fn edges() -> Vec<[u8; 32]> {
    let near_p = |d: u64| number([P[0].wrapping_add(d), P[1], P[2], P[3]]);
    let mut out = alloc::vec![
        number([0; 4]),
        number([1, 0, 0, 0]),
        number([2, 0, 0, 0]),
        near_p(u64::MAX),
        near_p(0),
        near_p(1),
        number([0, 0, 0, 1 << 62]),
        number([0, 0, 0, 1 << 63]),
        number([u64::MAX; 4]),
        number([u64::MAX, 0, u64::MAX, 0]),
        number([0, u64::MAX, 0, P[3]]),
        number([u64::MAX, u64::MAX, u64::MAX, P[3] - 1]),
        // Limbs of 52 bits all ones.
        number([u64::MAX, u64::MAX, u64::MAX, (1 << 62) - 1]),
        number([(1 << 52) - 1, 0, 0, 0]),
        number([!((1 << 52) - 1), 0, 0, 0]),
        // Montgomery forms of few bits: 2^256, 2^260 mod p and their neighbours.
        number(constants::R),
        number(constants::R2),
        number(constants::power_of_two(260)),
        number(constants::TWO_P),
    ];
    let mut random = Random::new(1);
    out.extend((0..14).map(|_| random.bytes()));
    out
}

fn elements() -> Vec<Fr> {
    edges().iter().map(Fr::from_bytes_reduced).collect()
}

#[test]
fn bytes() {
    for bytes in edges() {
        let expected = of_oracle(Oracle::from_le_bytes_mod_order(&bytes));
        let x = Fr::from_bytes_reduced(&bytes);
        assert_eq!(x.to_bytes(), expected);
        let canonical = bytes.iter().rev().lt(number(P).iter().rev());
        assert_eq!(Fr::from_bytes(&bytes), if canonical { Ok(x) } else { Err(NotCanonical) });
        let up_to_p = canonical || bytes == number(P);
        assert_eq!(Fr::from_bytes_modulus_is_zero(&bytes), if up_to_p { Ok(x) } else { Err(NotCanonical) });
        for length in 0..32 {
            let mut short = [0; 32];
            short[..length].copy_from_slice(&bytes[..length]);
            assert_eq!(Fr::from_short(&bytes[..length]).to_bytes(), short);
        }
    }
    assert_eq!(Fr::from_bytes_modulus_is_zero(&number(P)), Ok(Fr::ZERO));
    assert_eq!(Fr::from(u64::MAX).to_bytes(), number([u64::MAX, 0, 0, 0]));
    assert_eq!(Fr::ONE, Fr::from(1));
    assert_eq!(alloc::format!("{:?}", Fr::from(0xab)), alloc::format!("Fr(0x{:064x})", 0xab));
}

#[test]
fn element_operations() {
    for a in elements() {
        let x = oracle(&a);
        assert_eq!((-a).to_bytes(), of_oracle(-x));
        assert_eq!(a.square().to_bytes(), of_oracle(x.square()));
        for b in elements() {
            let y = oracle(&b);
            assert_eq!((a + b).to_bytes(), of_oracle(x + y));
            assert_eq!((a - b).to_bytes(), of_oracle(x - y));
            assert_eq!((a * b).to_bytes(), of_oracle(x * y));
            assert_eq!(a == b, x == y);
        }
    }
}

/// One lane value from the elements that `start` and its successors name, and the oracle's.
fn pick<V: FrLanes>(isa: V::Isa, all: &[Fr], start: usize) -> (V, Vec<Oracle>) {
    let picked: Vec<Fr> = (0..V::LANES).map(|lane| all[(start + 7 * lane) % all.len()]).collect();
    (V::load(isa, &picked), picked.iter().map(oracle).collect())
}

fn expect<V: FrLanes>(what: &str, x: V, expected: impl Iterator<Item = Oracle>) {
    let mut out = alloc::vec![Fr::ONE; V::LANES];
    x.store(&mut out);
    for (lane, expected) in expected.enumerate() {
        assert_eq!(out[lane].to_bytes(), of_oracle(expected), "{what}, lane {lane}");
    }
}

const SEVEN: Constant = Constant::new([7, 0, 0, 0]);

/// Every operation, with a different residue in each lane, and sums as heavy as the contract allows.
fn lanes<V: FrLanes>(isa: V::Isa) {
    let all = elements();
    for i in 0..all.len() {
        let (a, x) = pick::<V>(isa, &all, i);
        expect("load and store", a, x.iter().copied());
        expect("reduce", a.reduce(), x.iter().copied());
        expect("square", a.carry().square(), x.iter().map(Field::square));
        expect("fifth power", a.carry().power_of_five(), x.iter().map(|x| x.pow([5])));
        expect("constant", V::splat(isa, &SEVEN), x.iter().map(|_| Oracle::from(7)));
        for j in 0..all.len() {
            let (b, y) = pick::<V>(isa, &all, j);
            let pairs = || x.iter().zip(&y);
            expect("product", a.carry().mul(b.carry()), pairs().map(|(x, y)| *x * y));
            // From weight 3 each to 18 + 3 and, reduced to 2 + 1, on to 48 and 80.
            let sum = a.double().add(a).double().add(b);
            let six = |x: &Oracle, y: &Oracle| x.double() * Oracle::from(3) + y;
            expect("sum", sum.reduce(), pairs().map(|(x, y)| six(x, y)));
            let times16 = sum.reduce().add(V::splat(isa, &SEVEN)).double().double().double().double();
            let expected = |x: &Oracle, y: &Oracle| (six(x, y) + Oracle::from(7)) * Oracle::from(16);
            expect("heavy sum", times16.reduce(), pairs().map(|(x, y)| expected(x, y)));
            let heaviest = times16.add(sum).add(sum.reduce()).add(a).add(a.reduce()).add(V::splat(isa, &SEVEN));
            let total = |x: &Oracle, y: &Oracle| expected(x, y) + six(x, y).double() + x.double() + Oracle::from(7);
            expect("heaviest sum", heaviest.reduce(), pairs().map(|(x, y)| total(x, y)));
            expect(
                "heavy square",
                a.double().double().add(a).carry().square().reduce(),
                x.iter().map(|x| (*x * Oracle::from(5)).square()),
            );
        }
    }
}

/// Fewer elements than lanes: the others stay as they are.
fn few<V: FrLanes>(isa: V::Isa) {
    let all = elements();
    for count in 1..=V::LANES {
        let mut out = alloc::vec![Fr::from(99); V::LANES];
        V::load(isa, &all[5..5 + count]).store(&mut out[..count]);
        assert_eq!(out[..count], all[5..5 + count]);
        assert!(out[count..].iter().all(|x| *x == Fr::from(99)));
    }
}

#[test]
fn every_lane_type() {
    lanes::<R64x1<Portable>>(Portable::TOKEN);
    lanes::<[R64x1<Portable>; 2]>(Portable::TOKEN);
    few::<[R64x1<Portable>; 2]>(Portable::TOKEN);
    #[cfg(have_avx2)]
    if let Some(isa) = crate::cpu::Avx2::detect() {
        lanes::<R64x1<crate::cpu::Bmi2>>(isa.into());
    }
    #[cfg(have_ifma)]
    if let Some(isa) = crate::cpu::Ifma::detect() {
        lanes::<R64x1<crate::cpu::Bmi2>>(isa.into());
        isa.frame(|| {
            lanes::<r52x8::R52x8>(isa);
            lanes::<[r52x8::R52x8; 2]>(isa);
            few::<r52x8::R52x8>(isa);
            few::<[r52x8::R52x8; 2]>(isa);
        });
    }
}

/// The operations of one lane on words at the borders of their contract, where carries run furthest.
fn arithmetic<M: Arithmetic>(isa: M) {
    let below_2p = |x: &[u64; 4]| subtract(x, &constants::TWO_P).1;
    let mut factors: Vec<[u64; 4]> = edges().iter().map(words).collect();
    factors.push(subtract(&constants::TWO_P, &[1, 0, 0, 0]).0);
    factors.retain(below_2p);
    let per_256 = Oracle::from(2).pow([256]).inverse().unwrap();
    let value = |x: &[u64; 4]| Oracle::from_le_bytes_mod_order(&number(*x));
    for a in &factors {
        for b in &factors {
            let (product, square, sum) = (isa.mul(a, b), isa.square(a), isa.add(a, b));
            assert!(below_2p(&product) && below_2p(&square) && below_2p(&sum), "{a:x?} {b:x?}");
            assert_eq!(value(&sum), value(a) + value(b), "{a:x?} {b:x?}");
            assert_eq!(value(&product), value(a) * value(b) * per_256, "{a:x?} {b:x?}");
            assert_eq!(value(&square), value(a).square() * per_256, "{a:x?}");
        }
    }
}

#[test]
fn every_arithmetic() {
    arithmetic(Portable::TOKEN);
    #[cfg(have_avx2)]
    if let Some(isa) = crate::cpu::Avx2::detect() {
        arithmetic(crate::cpu::Bmi2::from(isa));
    }
    #[cfg(have_ifma)]
    if let Some(isa) = crate::cpu::Ifma::detect() {
        arithmetic(crate::cpu::Bmi2::from(isa));
    }
}

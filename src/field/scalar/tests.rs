//! Against the slow reference and against curve25519-dalek.

extern crate std;
use std::vec;
use std::vec::Vec;

use curve25519_dalek::scalar::Scalar as Dalek;

use super::*;
use crate::field::reference::{self, L};
use crate::test_util::Random;

/// Integers below 2^256 where something could go wrong, some random ones among them.
fn integers() -> Vec<[u8; 32]> {
    let small = |x: u8| Scalar::small(x).bytes;
    let power = |bit: usize| {
        let mut out = [0; 32];
        out[bit / 8] = 1 << (bit % 8);
        out
    };
    let below = |mut x: [u8; 32], by: u8| {
        let mut i = 0;
        let mut borrow = by;
        while borrow > 0 {
            let (digit, under) = x[i].overflowing_sub(borrow);
            (x[i], borrow) = (digit, u8::from(under));
            i += 1;
        }
        x
    };
    let times_l = |k: u8| -> [u8; 32] { reference::mul_integers(&L, &[k])[..32].try_into().unwrap() };
    let mut out = vec![small(0), small(1), small(2), small(255)];
    for bit in [62, 63, 64, 124, 125, 128, 191, 192, 248, 251, 252, 253, 254, 255] {
        out.extend([power(bit), below(power(bit), 1)]);
    }
    for k in 1..=15 {
        let mut above = times_l(k);
        above[0] += 1; // no multiple of l here ends in 0xff
        out.extend([times_l(k), below(times_l(k), 1), above]);
    }
    for byte in [0x00, 0x08, 0x0f, 0x55, 0x77, 0x7f, 0x80, 0x88, 0xaa, 0xff] {
        out.push([byte; 32]);
        let mut even = [0; 32];
        (0..32).step_by(2).for_each(|i| even[i] = byte);
        out.push(even);
    }
    out.push(below([0xff; 32], 0x80));
    let mut random = Random::new(1);
    out.extend((0..20).map(|_| random.bytes()));
    out
}

fn unreduced() -> Vec<Scalar> {
    integers().into_iter().map(Scalar::from_integer_unreduced).collect()
}

#[test]
fn constants() {
    assert_eq!(reduce::store(&reduce::L), L);
    assert_eq!(Scalar::INV_EIGHT * Scalar::from(8u8), Scalar::ONE);
    assert!(bool::from(Scalar::INV_EIGHT.is_canonical()));
    let mut two_512 = [0; 65];
    two_512[64] = 1;
    let mut sum = ScalarSum::default();
    sum.0[8] = 1;
    assert_eq!(sum.reduce().bytes, reference::reduce(&two_512, &L));
}

#[test]
fn constructors() {
    for bytes in integers() {
        let residue = reference::reduce(&bytes, &L);
        assert_eq!(Scalar::from_bytes_mod_order(bytes).bytes, residue);
        let canonical = bytes == residue;
        assert_eq!(bool::from(Scalar { bytes }.is_canonical()), canonical);
        let read = Option::<Scalar>::from(Scalar::from_canonical_bytes(bytes));
        assert_eq!(read.map(|s| s.bytes), canonical.then_some(bytes));
        assert_eq!(Scalar::from_integer_unreduced(bytes).as_bytes(), &bytes);
    }
    assert_eq!(Scalar::from(u128::MAX).bytes[..17], [&[0xff; 16][..], &[0]].concat());
    assert_eq!(Scalar::from(0x0102_0304u32).bytes[..5], [4, 3, 2, 1, 0]);
}

#[test]
fn wide_reduction() {
    let mut random = Random::new(2);
    let halves = integers();
    let mut inputs: Vec<[u8; 64]> = (0..1000).map(|_| random.bytes64()).collect();
    for low in &halves {
        for high in &halves {
            inputs.push([*low, *high].concat().try_into().unwrap());
        }
    }
    for wide in inputs {
        let ours = Scalar::from_bytes_mod_order_wide(&wide);
        assert_eq!(ours.bytes, Dalek::from_bytes_mod_order_wide(&wide).to_bytes());
        if wide[0] % 16 == 0 {
            assert_eq!(ours.bytes, reference::reduce(&wide, &L));
        }
    }
}

#[test]
fn ring_operations() {
    for x in unreduced() {
        assert_eq!((-x).bytes, reference::neg(&x.bytes, &L));
        assert_eq!(x.square().bytes, reference::mul(&x.bytes, &x.bytes, &L));
        for y in unreduced() {
            assert_eq!((x + y).bytes, reference::add(&x.bytes, &y.bytes, &L));
            let (a, b) = (Dalek::from_bytes_mod_order(x.bytes), Dalek::from_bytes_mod_order(y.bytes));
            assert_eq!((x - y).bytes, (a - b).to_bytes());
            assert_eq!((x * y).bytes, (a * b).to_bytes());
            assert_eq!(x == y, a == b);
        }
    }
    let (x, y) = (Scalar::from(5u8), Scalar::from(3u8));
    let mut z = x;
    z += y;
    z -= &Scalar::ONE;
    z *= y;
    assert_eq!(z, Scalar::from(21u8));
    assert_eq!([x, y].iter().sum::<Scalar>(), Scalar::from(8u8));
    assert_eq!([x, y].into_iter().product::<Scalar>(), x * y);
}

#[test]
fn products_against_the_reference() {
    let mut random = Random::new(3);
    for _ in 0..200 {
        let (x, y) = (random.bytes(), random.bytes());
        let product = Scalar { bytes: x } * Scalar { bytes: y };
        assert_eq!(product.bytes, reference::mul(&x, &y, &L));
    }
}

#[test]
fn inversion() {
    let mut all = unreduced();
    let mut random = Random::new(4);
    all.extend((0..300).map(|_| Scalar::from_integer_unreduced(random.bytes())));
    for x in &all {
        let inverse = x.invert();
        assert!(bool::from(inverse.is_canonical()));
        let expected = if *x == Scalar::ZERO { Scalar::ZERO } else { Scalar::ONE };
        assert_eq!(inverse * x, expected);
        if *x != Scalar::ZERO {
            assert_eq!(inverse.bytes, Dalek::from_bytes_mod_order(x.bytes).invert().to_bytes());
        } else {
            assert_eq!(inverse.bytes, [0; 32]);
        }
    }
    assert_eq!(all[4].invert().bytes, reference::invert(&all[4].bytes, &L));

    for n in [0, 1, 2, all.len()] {
        let mut batch = all[..n].to_vec();
        Scalar::batch_invert(&mut batch);
        for (x, inverse) in all.iter().zip(&batch) {
            assert_eq!(inverse.bytes, x.invert().bytes);
        }
    }
}

#[test]
fn sums_of_products() {
    let all = unreduced();
    let (mut sum, mut expected) = (ScalarSum::default(), Scalar::ZERO);
    for x in &all {
        for y in &all {
            sum.add_product(x, y);
            expected += x * y;
        }
        sum.add(x);
        expected += x;
        assert_eq!(sum.reduce().bytes, expected.bytes);
    }
    let full = ScalarSum([u64::MAX; 9]);
    assert_eq!(full.reduce().bytes, reference::reduce(&[0xff; 72], &L));
    let mut wiped = full;
    wiped.zeroize();
    assert_eq!(wiped.0, [0; 9]);
}

#[test]
fn selection_and_wiping() {
    let (a, b) = (Scalar { bytes: [0xff; 32] }, Scalar { bytes: L });
    assert_eq!(Scalar::conditional_select(&a, &b, Choice::from(0)).bytes, a.bytes);
    assert_eq!(Scalar::conditional_select(&a, &b, Choice::from(1)).bytes, b.bytes);
    assert!(bool::from(b.is_zero() & !a.is_zero()));
    let hash = |s: &Scalar| {
        let mut hasher = std::hash::DefaultHasher::new();
        s.hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(&b), hash(&Scalar::ZERO));
    let mut wiped = a;
    wiped.zeroize();
    assert_eq!(wiped.bytes, [0; 32]);
    assert!(std::format!("{:?}", Scalar::from(0x1234u16)).ends_with("00001234)"));
}

/// Adds `digit · 2^position` into a 320-bit two's complement sum.
fn accumulate(sum: &mut [u64; 5], digit: i64, position: usize) {
    let fill = (digit >> 63) as u64;
    let mut carry = 0;
    for (j, sum) in sum[position / 64..].iter_mut().enumerate() {
        let word = |k: usize| if k == 0 { digit as u64 } else { fill };
        let shifted = match (position % 64, j) {
            (0, _) => word(j),
            (s, 0) => word(0) << s,
            (s, _) => word(j) << s | word(j - 1) >> (64 - s),
        };
        let t = u128::from(*sum) + u128::from(shifted) + carry;
        (*sum, carry) = (t as u64, t >> 64);
    }
}

fn value(digits: impl Iterator<Item = (i64, usize)>) -> [u64; 5] {
    let mut sum = [0; 5];
    digits.for_each(|(digit, position)| accumulate(&mut sum, digit, position));
    sum
}

fn integer(x: &Scalar) -> [u64; 5] {
    let [a, b, c, d] = x.words();
    [a, b, c, d, 0]
}

#[test]
fn non_adjacent_forms() {
    let mut all = unreduced();
    let mut random = Random::new(5);
    all.extend((0..500).map(|_| Scalar::from_integer_unreduced(random.bytes())));
    for width in 2..=8 {
        for x in &all {
            let digits = x.naf_vartime(width);
            assert_eq!(value(digits.iter().zip(0..).map(|(&d, i)| (i64::from(d), i))), integer(x));
            let mut last = None;
            for (i, &digit) in digits.iter().enumerate().filter(|(_, d)| **d != 0) {
                assert!(digit % 2 != 0 && i32::from(digit).abs() < 1 << (width - 1));
                assert!(last.is_none_or(|last| i - last >= width));
                last = Some(i);
            }
        }
    }
}

#[test]
fn radix_16() {
    let mut all = unreduced();
    let mut random = Random::new(6);
    all.extend((0..500).map(|_| Scalar::from_integer_unreduced(random.bytes())));
    for x in all {
        let digits = x.radix_16();
        assert_eq!(value(digits.iter().zip(0..).map(|(&d, i)| (i64::from(d), 4 * i))), integer(&x));
        assert!(digits[..64].iter().all(|d| (-8..8).contains(d)) && (0..2).contains(&digits[64]));
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_refuses_unreduced_bytes() {
    let scalar = Scalar::from(0x0201u16);
    let json = serde_json::to_string(&scalar).unwrap();
    assert!(json.starts_with("[1,2,0,"));
    assert_eq!(serde_json::from_str::<Scalar>(&json).unwrap(), scalar);
    assert!(serde_json::from_str::<Scalar>(&serde_json::to_string(&L).unwrap()).is_err());
    assert!(serde_json::from_str::<Scalar>("[1,2]").is_err());
    // An unreduced integer is written as its residue, so that what was written can be read.
    assert!(serde_json::to_string(&Scalar { bytes: L }).unwrap().starts_with("[0,0,"));
}

#[cfg(feature = "rand_core")]
#[test]
fn random_scalars_take_64_bytes() {
    use core::convert::Infallible;

    struct Counter(u64);
    impl rand_core::TryRng for Counter {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!()
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            unreachable!()
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            assert_eq!(out.len(), 64);
            out.fill(0xff);
            self.0 += 1;
            Ok(())
        }
    }
    impl rand_core::TryCryptoRng for Counter {}

    let mut rng = Counter(0);
    assert_eq!(Scalar::random(&mut rng).bytes, reference::reduce(&[0xff; 64], &L));
    assert_eq!(rng.0, 1);
}

//! Slow big-integer arithmetic, the oracle of the field tests: as plain as it can be, and sharing no code with
//! what it checks. Numbers are little-endian bytes, 32 of them below the modulus.

extern crate std;
use std::vec;
use std::vec::Vec;

/// p = 2^255 - 19
pub(crate) const P: [u8; 32] = {
    let mut p = [0xff; 32];
    p[0] = 0xed;
    p[31] = 0x7f;
    p
};

/// l = 2^252 + 27742317777372353535851937790883648493
pub(crate) const L: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// `x mod m` for `x` of any length, one bit at a time.
pub(crate) fn reduce(x: &[u8], m: &[u8; 32]) -> [u8; 32] {
    let mut r = [0u8; 33];
    for byte in x.iter().rev() {
        for bit in (0..8).rev() {
            let mut carry = byte >> bit & 1;
            for digit in r.iter_mut() {
                (*digit, carry) = (*digit << 1 | carry, *digit >> 7);
            }
            if !less(&r, m) {
                let mut borrow = 0;
                for (i, digit) in r.iter_mut().enumerate() {
                    let d = i16::from(*digit) - i16::from(*m.get(i).unwrap_or(&0)) - borrow;
                    (*digit, borrow) = (d.rem_euclid(256) as u8, i16::from(d < 0));
                }
            }
        }
    }
    r[..32].try_into().unwrap()
}

fn less(a: &[u8; 33], b: &[u8; 32]) -> bool {
    a[32] == 0 && a[..32].iter().rev().lt(b.iter().rev())
}

/// `a + b`, not reduced.
pub(crate) fn add_integers(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = vec![0; a.len().max(b.len()) + 1];
    let mut carry = 0;
    for (i, digit) in out.iter_mut().enumerate() {
        let s = u16::from(*a.get(i).unwrap_or(&0)) + u16::from(*b.get(i).unwrap_or(&0)) + carry;
        (*digit, carry) = (s as u8, s >> 8);
    }
    out
}

/// `a · b`, not reduced.
pub(crate) fn mul_integers(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = vec![0; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        let mut carry = 0;
        for (j, digit) in out[i..].iter_mut().enumerate() {
            let s = u16::from(*digit) + u16::from(*x) * u16::from(*b.get(j).unwrap_or(&0)) + carry;
            (*digit, carry) = (s as u8, s >> 8);
        }
    }
    out
}

/// `a + b mod m`
pub(crate) fn add(a: &[u8; 32], b: &[u8; 32], m: &[u8; 32]) -> [u8; 32] {
    reduce(&add_integers(a, b), m)
}

/// `-a mod m`, as (m - 1)·a.
pub(crate) fn neg(a: &[u8; 32], m: &[u8; 32]) -> [u8; 32] {
    let mut minus_one = *m;
    minus_one[0] -= 1; // both moduli are odd
    mul(a, &minus_one, m)
}

/// `a - b mod m`
pub(crate) fn sub(a: &[u8; 32], b: &[u8; 32], m: &[u8; 32]) -> [u8; 32] {
    add(a, &neg(b, m), m)
}

/// `a · b mod m`
pub(crate) fn mul(a: &[u8; 32], b: &[u8; 32], m: &[u8; 32]) -> [u8; 32] {
    reduce(&mul_integers(a, b), m)
}

/// `a^(m-2) mod m`: the inverse for a prime `m`; 0 for 0.
pub(crate) fn invert(a: &[u8; 32], m: &[u8; 32]) -> [u8; 32] {
    let mut exponent = *m;
    exponent[0] -= 2; // neither modulus borrows
    let mut r = [0; 32];
    r[0] = 1;
    for byte in exponent.iter().rev() {
        for bit in (0..8).rev() {
            r = mul(&r, &r, m);
            if byte >> bit & 1 == 1 {
                r = mul(&r, a, m);
            }
        }
    }
    r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_cases_by_hand() {
        let number = |x: u8| {
            let mut out = [0; 32];
            out[0] = x;
            out
        };
        for m in [P, L] {
            assert_eq!(reduce(&m, &m), number(0));
            assert_eq!(add(&m, &number(7), &m), number(7));
            assert_eq!(sub(&number(3), &number(5), &m), neg(&number(2), &m));
            assert_eq!(mul(&neg(&number(3), &m), &neg(&number(5), &m), &m), number(15));
            assert_eq!(mul(&invert(&number(3), &m), &number(3), &m), number(1));
            assert_eq!(invert(&number(0), &m), number(0));
        }
        // 2^255 = 19 mod p, 2^256 = 38 mod p
        assert_eq!(reduce(&[&[0; 32][..], &[1]].concat(), &P), number(38));
    }
}

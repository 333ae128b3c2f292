//! Key derivation the way the oldest implementations have it: 10 limbs of 25.5 bits, signed radix-16 digits, nothing else.
//!
//! The measure that other implementations are held against; it shares no code with the library. Structure after the public
//! description of ref10 (Bernstein, Duif, Lange, Schwabe, Yang, "High-speed high-security signatures", 2011): scalar
//! multiplication with a table of eight multiples read whole, a fixed base with 32 × 8 multiples.
//!
//! Bounds: limbs of products are below 2^25·1.01 (even) and 2^24·1.01 (odd) in absolute value, sums of two of those are
//! multiplied without carrying; a product of sums is below 2^62.

use std::sync::LazyLock;

/// A residue mod p: the sum of `limb[i]·2^ceil(25.5·i)`.
#[derive(Clone, Copy)]
struct Fe([i32; 10]);

const ZERO: Fe = Fe([0; 10]);
const ONE: Fe = Fe([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

#[inline(always)]
fn m(a: i32, b: i32) -> i64 {
    i64::from(a) * i64::from(b)
}

/// Each limb's excess to the next, in two interleaved chains; written out, so that limbs stay in registers.
#[inline(always)]
fn carry(h: [i64; 10]) -> Fe {
    let [mut h0, mut h1, mut h2, mut h3, mut h4, mut h5, mut h6, mut h7, mut h8, mut h9] = h;
    macro_rules! step {
        ($from:ident, $to:ident, $bits:literal, $times:literal) => {
            let c = ($from + (1 << ($bits - 1))) >> $bits;
            $to += $times * c;
            $from -= c << $bits;
        };
    }
    step!(h0, h1, 26, 1);
    step!(h4, h5, 26, 1);
    step!(h1, h2, 25, 1);
    step!(h5, h6, 25, 1);
    step!(h2, h3, 26, 1);
    step!(h6, h7, 26, 1);
    step!(h3, h4, 25, 1);
    step!(h7, h8, 25, 1);
    step!(h4, h5, 26, 1);
    step!(h8, h9, 26, 1);
    step!(h9, h0, 25, 19);
    step!(h0, h1, 26, 1);
    Fe([h0, h1, h2, h3, h4, h5, h6, h7, h8, h9].map(|x| x as i32))
}

impl Fe {
    fn from_bytes(s: &[u8; 32]) -> Fe {
        let mut h = [0i64; 10];
        let mut bit = 0;
        for (i, h) in h.iter_mut().enumerate() {
            let width = 26 - (i & 1);
            for k in 0..width.min(255 - bit) {
                *h |= i64::from(s[(bit + k) / 8] >> ((bit + k) % 8) & 1) << k;
            }
            bit += width;
        }
        carry(h)
    }

    fn to_bytes(self) -> [u8; 32] {
        let mut h = self.0;
        // q = floor(value / p), by the carry that 19·2^-255 + 1/2 would make.
        let mut q = (19 * h[9] + (1 << 24)) >> 25;
        for (i, h) in h.iter().enumerate() {
            q = (h + q) >> (26 - (i & 1));
        }
        h[0] += 19 * q;
        for i in 0..10 {
            let bits = 26 - (i & 1);
            let c = h[i] >> bits;
            if i < 9 {
                h[i + 1] += c;
            }
            h[i] -= c << bits;
        }
        let mut out = [0; 32];
        let mut bit = 0;
        for (i, h) in h.iter().enumerate() {
            let width = 26 - (i & 1);
            for k in 0..width.min(256 - bit) {
                out[(bit + k) / 8] |= ((h >> k & 1) as u8) << ((bit + k) % 8);
            }
            bit += width;
        }
        out
    }

    fn add(&self, g: &Fe) -> Fe {
        Fe(std::array::from_fn(|i| self.0[i] + g.0[i]))
    }

    fn sub(&self, g: &Fe) -> Fe {
        Fe(std::array::from_fn(|i| self.0[i] - g.0[i]))
    }

    fn neg(&self) -> Fe {
        ZERO.sub(self)
    }

    #[rustfmt::skip]
    fn mul(&self, g: &Fe) -> Fe {
        let [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = self.0;
        let [g0, g1, g2, g3, g4, g5, g6, g7, g8, g9] = g.0;
        // Doubled, and times 19.
        let [f1d, f3d, f5d, f7d, f9d] = [f1, f3, f5, f7, f9].map(|x| 2 * x);
        let [g1n, g2n, g3n, g4n, g5n, g6n, g7n, g8n, g9n] = [g1, g2, g3, g4, g5, g6, g7, g8, g9].map(|x| 19 * x);
        carry([
        m(f0, g0) + m(f1d, g9n) + m(f2, g8n) + m(f3d, g7n) + m(f4, g6n) + m(f5d, g5n) + m(f6, g4n) + m(f7d, g3n) + m(f8, g2n) + m(f9d, g1n),
        m(f0, g1) + m(f1, g0) + m(f2, g9n) + m(f3, g8n) + m(f4, g7n) + m(f5, g6n) + m(f6, g5n) + m(f7, g4n) + m(f8, g3n) + m(f9, g2n),
        m(f0, g2) + m(f1d, g1) + m(f2, g0) + m(f3d, g9n) + m(f4, g8n) + m(f5d, g7n) + m(f6, g6n) + m(f7d, g5n) + m(f8, g4n) + m(f9d, g3n),
        m(f0, g3) + m(f1, g2) + m(f2, g1) + m(f3, g0) + m(f4, g9n) + m(f5, g8n) + m(f6, g7n) + m(f7, g6n) + m(f8, g5n) + m(f9, g4n),
        m(f0, g4) + m(f1d, g3) + m(f2, g2) + m(f3d, g1) + m(f4, g0) + m(f5d, g9n) + m(f6, g8n) + m(f7d, g7n) + m(f8, g6n) + m(f9d, g5n),
        m(f0, g5) + m(f1, g4) + m(f2, g3) + m(f3, g2) + m(f4, g1) + m(f5, g0) + m(f6, g9n) + m(f7, g8n) + m(f8, g7n) + m(f9, g6n),
        m(f0, g6) + m(f1d, g5) + m(f2, g4) + m(f3d, g3) + m(f4, g2) + m(f5d, g1) + m(f6, g0) + m(f7d, g9n) + m(f8, g8n) + m(f9d, g7n),
        m(f0, g7) + m(f1, g6) + m(f2, g5) + m(f3, g4) + m(f4, g3) + m(f5, g2) + m(f6, g1) + m(f7, g0) + m(f8, g9n) + m(f9, g8n),
        m(f0, g8) + m(f1d, g7) + m(f2, g6) + m(f3d, g5) + m(f4, g4) + m(f5d, g3) + m(f6, g2) + m(f7d, g1) + m(f8, g0) + m(f9d, g9n),
        m(f0, g9) + m(f1, g8) + m(f2, g7) + m(f3, g6) + m(f4, g5) + m(f5, g4) + m(f6, g3) + m(f7, g2) + m(f8, g1) + m(f9, g0),
        ])
    }

    #[rustfmt::skip]
    fn square(&self) -> Fe {
        let [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = self.0;
        // Doubled, doubled twice, and times 19.
        let [f0d, f1d, f2d, f3d, f4d, f5d, f6d, f7d, f8d, f9d] = [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9].map(|x| 2 * x);
        let [f1q, f3q, f5q, f7q] = [f1, f3, f5, f7].map(|x| 4 * x);
        let [f5n, f6n, f7n, f8n, f9n] = [f5, f6, f7, f8, f9].map(|x| 19 * x);
        carry([
        m(f0, f0) + m(f1q, f9n) + m(f2d, f8n) + m(f3q, f7n) + m(f4d, f6n) + m(f5d, f5n),
        m(f0d, f1) + m(f2d, f9n) + m(f3d, f8n) + m(f4d, f7n) + m(f5d, f6n),
        m(f0d, f2) + m(f1d, f1) + m(f3q, f9n) + m(f4d, f8n) + m(f5q, f7n) + m(f6, f6n),
        m(f0d, f3) + m(f1d, f2) + m(f4d, f9n) + m(f5d, f8n) + m(f6d, f7n),
        m(f0d, f4) + m(f1q, f3) + m(f2, f2) + m(f5q, f9n) + m(f6d, f8n) + m(f7d, f7n),
        m(f0d, f5) + m(f1d, f4) + m(f2d, f3) + m(f6d, f9n) + m(f7d, f8n),
        m(f0d, f6) + m(f1q, f5) + m(f2d, f4) + m(f3d, f3) + m(f7q, f9n) + m(f8, f8n),
        m(f0d, f7) + m(f1d, f6) + m(f2d, f5) + m(f3d, f4) + m(f8d, f9n),
        m(f0d, f8) + m(f1q, f7) + m(f2d, f6) + m(f3q, f5) + m(f4, f4) + m(f9d, f9n),
        m(f0d, f9) + m(f1d, f8) + m(f2d, f7) + m(f3d, f6) + m(f4d, f5),
        ])
    }

    fn square_n(&self, n: usize) -> Fe {
        (0..n).fold(*self, |x, _| x.square())
    }

    /// `(x^(2^250 - 1), x^11)`
    fn pow_250(&self) -> (Fe, Fe) {
        let x2 = self.square();
        let x9 = x2.square_n(2).mul(self);
        let x11 = x9.mul(&x2);
        let n5 = x11.square().mul(&x9);
        let n10 = n5.square_n(5).mul(&n5);
        let n20 = n10.square_n(10).mul(&n10);
        let n40 = n20.square_n(20).mul(&n20);
        let n50 = n40.square_n(10).mul(&n10);
        let n100 = n50.square_n(50).mul(&n50);
        let n200 = n100.square_n(100).mul(&n100);
        (n200.square_n(50).mul(&n50), x11)
    }

    fn invert(&self) -> Fe {
        let (n250, x11) = self.pow_250();
        n250.square_n(5).mul(&x11)
    }

    fn pow_p58(&self) -> Fe {
        self.pow_250().0.square_n(2).mul(self)
    }

    fn is_zero(&self) -> bool {
        self.to_bytes() == [0; 32]
    }

    fn is_odd(&self) -> bool {
        self.to_bytes()[0] & 1 == 1
    }

    /// `g` where `mask` is all ones, `self` where it is 0.
    fn select(&self, g: &Fe, mask: i32) -> Fe {
        Fe(std::array::from_fn(|i| self.0[i] ^ (mask & (self.0[i] ^ g.0[i]))))
    }
}

/// Small constants of the curve, computed at first use.
struct Constants {
    d: Fe,
    d2: Fe,
    sqrt_m1: Fe,
    /// `(j + 1)·256^i·B`.
    base: Box<[[Niels; 8]; 32]>,
}

static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| {
    let small = |x: i32| Fe([x, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let big = |x: i32| carry(small(x).0.map(i64::from));
    let d = big(-121_665).mul(&big(121_666).invert());
    // 2^((p - 1)/4) = (2^((p - 5)/8))^2·2.
    let sqrt_m1 = small(2).pow_p58().square().mul(&small(2));
    let mut constants =
        Constants { d, d2: carry(d.add(&d).0.map(i64::from)), sqrt_m1, base: Box::new([[NEUTRAL; 8]; 32]) };
    let y = small(4).mul(&small(5).invert());
    let mut step = decompress_with(&constants, &y.to_bytes()).expect("the base point");
    for i in 0..32 {
        let mut multiple = step;
        for j in 0..8 {
            constants.base[i][j] = Niels::new(&multiple, &constants.d2);
            multiple = add(&multiple, &Cached::new(&step, &constants.d2), 0).extended();
        }
        for _ in 0..8 {
            step = step.double().extended();
        }
    }
    constants
});

/// `(X : Y : Z : T)`.
#[derive(Clone, Copy)]
pub(super) struct Point {
    x: Fe,
    y: Fe,
    z: Fe,
    t: Fe,
}

/// `((E, H), (G, F))` of which `x = E/G`, `y = H/F`.
struct Completed {
    x: Fe,
    y: Fe,
    z: Fe,
    t: Fe,
}

#[derive(Clone, Copy)]
struct Cached {
    plus: Fe,
    minus: Fe,
    z: Fe,
    t2d: Fe,
}

#[derive(Clone, Copy)]
struct Niels {
    plus: Fe,
    minus: Fe,
    xy2d: Fe,
}

const NEUTRAL: Niels = Niels { plus: ONE, minus: ONE, xy2d: ZERO };
const IDENTITY: Point = Point { x: ZERO, y: ONE, z: ONE, t: ZERO };

impl Completed {
    fn extended(&self) -> Point {
        Point { x: self.x.mul(&self.t), y: self.y.mul(&self.z), z: self.z.mul(&self.t), t: self.x.mul(&self.y) }
    }

    /// Without T, for doublings.
    fn projective(&self) -> Point {
        Point { x: self.x.mul(&self.t), y: self.y.mul(&self.z), z: self.z.mul(&self.t), t: ZERO }
    }
}

impl Cached {
    fn new(p: &Point, d2: &Fe) -> Cached {
        Cached { plus: p.y.add(&p.x), minus: p.y.sub(&p.x), z: p.z, t2d: p.t.mul(d2) }
    }
}

impl Niels {
    fn new(p: &Point, d2: &Fe) -> Niels {
        let inverse = p.z.invert();
        let (x, y) = (p.x.mul(&inverse), p.y.mul(&inverse));
        let reduce = |x: Fe| carry(x.0.map(i64::from));
        Niels { plus: reduce(y.add(&x)), minus: reduce(y.sub(&x)), xy2d: x.mul(&y).mul(d2) }
    }
}

impl Point {
    fn double(&self) -> Completed {
        let (xx, yy, zz) = (self.x.square(), self.y.square(), self.z.square());
        let ss = self.x.add(&self.y).square();
        let (y, z) = (yy.add(&xx), yy.sub(&xx));
        let x = ss.sub(&y);
        let t = carry(zz.add(&zz).sub(&z).0.map(i64::from));
        Completed { x, y, z, t }
    }

    pub(super) fn compress(&self) -> [u8; 32] {
        let inverse = self.z.invert();
        let mut out = self.y.mul(&inverse).to_bytes();
        out[31] ^= u8::from(self.x.mul(&inverse).is_odd()) << 7;
        out
    }

    /// Times 8.
    fn mul8(&self) -> Point {
        self.double().projective().double().projective().double().extended()
    }
}

/// `p + q`, or `p - q` where `mask` is all ones.
fn add(p: &Point, q: &Cached, mask: i32) -> Completed {
    let (plus, minus) = (q.plus.select(&q.minus, mask), q.minus.select(&q.plus, mask));
    let t2d = q.t2d.select(&q.t2d.neg(), mask);
    let a = p.y.add(&p.x).mul(&plus);
    let b = p.y.sub(&p.x).mul(&minus);
    let c = t2d.mul(&p.t);
    let zz = p.z.mul(&q.z);
    let d = zz.add(&zz);
    Completed { x: a.sub(&b), y: a.add(&b), z: d.add(&c), t: d.sub(&c) }
}

fn add_niels(p: &Point, q: &Niels, mask: i32) -> Completed {
    let (plus, minus) = (q.plus.select(&q.minus, mask), q.minus.select(&q.plus, mask));
    let xy2d = q.xy2d.select(&q.xy2d.neg(), mask);
    let a = p.y.add(&p.x).mul(&plus);
    let b = p.y.sub(&p.x).mul(&minus);
    let c = xy2d.mul(&p.t);
    let d = p.z.add(&p.z);
    Completed { x: a.sub(&b), y: a.add(&b), z: d.add(&c), t: d.sub(&c) }
}

/// The point, if the bytes are its one encoding.
pub(super) fn decompress(bytes: &[u8; 32]) -> Option<Point> {
    decompress_with(&CONSTANTS, bytes)
}

fn decompress_with(constants: &Constants, bytes: &[u8; 32]) -> Option<Point> {
    let y = Fe::from_bytes(bytes);
    let mut canonical = y.to_bytes();
    let sign = bytes[31] >> 7;
    canonical[31] |= sign << 7;
    if canonical != *bytes {
        return None;
    }
    let yy = y.square();
    let u = yy.sub(&ONE);
    let v = yy.mul(&constants.d).add(&ONE);
    let v3 = v.square().mul(&v);
    let mut x = v3.square().mul(&v).mul(&u).pow_p58().mul(&v3).mul(&u);
    let check = x.square().mul(&v);
    if !check.sub(&u).is_zero() {
        if !check.add(&u).is_zero() {
            return None;
        }
        x = x.mul(&constants.sqrt_m1);
    }
    if x.is_zero() && sign == 1 {
        return None;
    }
    if x.is_odd() != (sign == 1) {
        x = x.neg();
    }
    Some(Point { x, y, z: ONE, t: x.mul(&y) })
}

/// 64 digits from -8 to 8 of a scalar below 2^255.
fn digits(scalar: &[u8; 32]) -> [i8; 64] {
    let mut out = [0; 64];
    let mut carry = 0;
    for (i, digit) in out.iter_mut().enumerate() {
        let raw = (scalar[i / 2] >> (4 * (i % 2)) & 15) as i8 + carry;
        carry = if i == 63 { 0 } else { (raw + 8) >> 4 };
        *digit = raw - (carry << 4);
    }
    out
}

/// All ones where `a = b`.
fn equal(a: u8, b: u8) -> i32 {
    i32::from(a ^ b).wrapping_sub(1) >> 31
}

/// `scalar·p`, constant-time.
fn mul(scalar: &[u8; 32], p: &Point) -> Point {
    let d2 = &CONSTANTS.d2;
    let first = Cached::new(p, d2);
    let mut table = [first; 8];
    let mut multiple = *p;
    for entry in &mut table[1..] {
        multiple = add(&multiple, &first, 0).extended();
        *entry = Cached::new(&multiple, d2);
    }
    let mut sum = IDENTITY;
    for digit in digits(scalar).iter().rev() {
        let doubled = sum.double().projective().double().projective().double().projective().double();
        let mut q = Cached { plus: ONE, minus: ONE, z: ONE, t2d: ZERO };
        for (e, entry) in (1..).zip(&table) {
            let mask = equal(e, digit.unsigned_abs());
            q = Cached {
                plus: q.plus.select(&entry.plus, mask),
                minus: q.minus.select(&entry.minus, mask),
                z: q.z.select(&entry.z, mask),
                t2d: q.t2d.select(&entry.t2d, mask),
            };
        }
        sum = add(&doubled.extended(), &q, i32::from(*digit) >> 31).extended();
    }
    sum
}

/// `scalar·B`, constant-time: the odd digits, four doublings, the even ones.
pub(super) fn mul_base(scalar: &[u8; 32]) -> Point {
    let digits = digits(scalar);
    let mut sum = IDENTITY;
    for odd in [1, 0] {
        if odd == 0 {
            sum = sum.double().projective().double().projective().double().projective().double().extended();
        }
        for (i, row) in CONSTANTS.base.iter().enumerate() {
            let digit = digits[2 * i + odd];
            let mut q = NEUTRAL;
            for (e, entry) in (1..).zip(row) {
                let mask = equal(e, digit.unsigned_abs());
                q = Niels {
                    plus: q.plus.select(&entry.plus, mask),
                    minus: q.minus.select(&entry.minus, mask),
                    xy2d: q.xy2d.select(&entry.xy2d, mask),
                };
            }
            sum = add_niels(&sum, &q, i32::from(digit) >> 31).extended();
        }
    }
    sum
}

/// `encode(8·(secret·R))`
pub(super) fn derivation(secret: &[u8; 32], tx_public: &[u8; 32]) -> Option<[u8; 32]> {
    Some(mul(secret, &decompress(tx_public)?).mul8().compress())
}

/// `encode(scalar·G + point)`
pub(super) fn output_key(scalar: &[u8; 32], point: &Point) -> [u8; 32] {
    let constants = &CONSTANTS;
    add(&mul_base(scalar), &Cached::new(point, &constants.d2), 0).extended().compress()
}

#[cfg(test)]
mod tests {
    use curve25519_lanes::wallet::Derivation;
    use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar};

    use super::*;

    #[test]
    fn agrees_with_the_library() {
        let mut scalar = Scalar::from(7u64);
        let mut bytes = [0; 32];
        for i in 0..60u8 {
            bytes[31] ^= 0x80 | i;
            bytes[0] = i;
            assert_eq!(
                decompress(&bytes).map(|p| p.compress()),
                CompressedEdwardsY(bytes).decompress_strict().map(|p| p.compress().0),
                "{bytes:02x?}"
            );
            scalar = scalar.square() - Scalar::from(i);
            let public = EdwardsPoint::mul_base(&scalar);
            let key = public.compress().0;
            assert_eq!(mul_base(scalar.as_bytes()).compress(), key);
            let expected = Derivation::new(&scalar, &key).unwrap();
            assert_eq!(derivation(scalar.as_bytes(), &key), Some(expected.0));
            let sum = EdwardsPoint::mul_base(&scalar) + public;
            assert_eq!(output_key(scalar.as_bytes(), &decompress(&key).unwrap()), sum.compress().0);
        }
        for special in [[0xff; 32], [0; 32], [1; 32]] {
            assert_eq!(decompress(&special).is_some(), CompressedEdwardsY(special).decompress_strict().is_some());
        }
    }
}

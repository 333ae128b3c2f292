//! Inversion by a fixed number of division steps (Bernstein and Yang, "Fast constant-time gcd computation
//! and modular inversion", 2019), mod l and mod p, in the half-delta variant and with the bounds worked out by Pieter Wuille for
//! libsecp256k1 (its `doc/safegcd_implementation.md`): 590 steps suffice for any odd modulus below 2^256.
//!
//! 60 steps look only at the low words of f and g and give a 2×2 matrix; ten such matrices are applied to the
//! full f, g and to the cofactors d, e. Multi-word numbers here are five signed limbs, each of weight 2^62 above
//! the one before; all but the top limb lie in [0, 2^62).
//!
//! Tried and slower (cycles, with a multiplication at 76 to 97): four separate matrix entries over 59 steps at a
//! time (6400), where the six operations a step for each of them are what costs. With 20 steps at a time, f and
//! its row of the matrix fit one word.

use super::mask;

/// Matrices of 60 steps each.
const BATCHES: u32 = 10;
const LOW_62: u64 = (1 << 62) - 1;

/// An odd modulus below 2^256.
pub(super) struct Modulus {
    /// In limbs.
    limbs: [i64; 5],
    /// The inverse mod 2^62.
    inverse: u64,
}

impl Modulus {
    /// From words.
    pub(super) const fn new(words: &[u64; 4]) -> Modulus {
        // Newton: an odd number is its own inverse mod 8, and each step doubles the bits.
        let (m, mut x, mut i) = (words[0], words[0], 0);
        while i < 5 {
            x = x.wrapping_mul(2u64.wrapping_sub(m.wrapping_mul(x)));
            i += 1;
        }
        Modulus { limbs: split(words), inverse: x & LOW_62 }
    }
}

/// The matrix of some division steps, times a power of 2: `scale·(f, g) <- (u·f + v·g, q·f + r·g)`. Each row has
/// `|u| + |v| <= scale`.
#[derive(Clone, Copy)]
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Matrix {
    /// First `self`, then `next`.
    #[inline(always)]
    fn then(self, next: Matrix) -> Matrix {
        Matrix {
            u: next.u * self.u + next.v * self.q,
            v: next.u * self.v + next.v * self.r,
            q: next.q * self.u + next.r * self.q,
            r: next.q * self.v + next.r * self.r,
        }
    }

    /// `(f, g)` after the 20 steps of this matrix, mod 2^44 of what is known mod 2^64.
    #[inline(always)]
    fn advance(self, f: i64, g: i64) -> (i64, i64) {
        let row = |u: i64, v: i64| u.wrapping_mul(f).wrapping_add(v.wrapping_mul(g)) >> 20;
        (row(self.u, self.v), row(self.q, self.r))
    }
}

/// Words to limbs.
const fn split(x: &[u64; 4]) -> [i64; 5] {
    [
        (x[0] & LOW_62) as i64,
        ((x[0] >> 62 | x[1] << 2) & LOW_62) as i64,
        ((x[1] >> 60 | x[2] << 4) & LOW_62) as i64,
        ((x[2] >> 58 | x[3] << 6) & LOW_62) as i64,
        (x[3] >> 56) as i64,
    ]
}

/// 20 division steps on the low 20 bits of f (odd) and g; `zeta` is -(delta + 1/2). The matrix has scale 2^20.
///
/// A step is linear, so it can act on f and its matrix row packed as the integer f + 2^21·u + 2^42·v, and on g
/// likewise. The rows start as those of -2^20 times the identity, which makes every halving exact and keeps all
/// entries in [-2^20, 2^20), signed fields of 21 bits. Sums before a halving fit 64 bits: an entry -2^20 is in
/// one row only, and from the first step on only in that of f, as what g gets is halved.
#[inline(always)]
fn divsteps_20(zeta: &mut i64, f: i64, g: i64) -> Matrix {
    const LOW_20: i64 = (1 << 20) - 1;
    let mut f = (f & LOW_20) - (1 << 41);
    let mut g = (g & LOW_20) - (1 << 62);
    let mut z = *zeta;
    for _ in 0..20 {
        let positive = (z >> 63) as u64; // all ones where delta > 0
        let odd = mask(g as u64 & 1);
        let swap = (positive & odd) as i64;
        let (positive, odd) = (positive as i64, odd as i64);
        // g odd: add f, or subtract it and take g for f where delta > 0; delta then changes its sign.
        let signed = ((f ^ positive) - positive) & odd;
        f ^= (f ^ g) & swap;
        g = (g + signed) >> 1;
        z = (z ^ swap) - 1;
    }
    *zeta = z;
    // The low field rounds to 0, the others come out with their signs.
    let fields = |packed: i64| {
        let rounded = packed + (1 << 20);
        (-(rounded << 22 >> 43), -((rounded + (1 << 41)) >> 42))
    };
    let ((u, v), (q, r)) = (fields(f), fields(g));
    Matrix { u, v, q, r }
}

/// 60 division steps; the matrix has scale 2^62.
#[inline(always)]
fn divsteps_60(zeta: &mut i64, f: u64, g: u64) -> Matrix {
    let (f, g) = (f as i64, g as i64);
    let first = divsteps_20(zeta, f, g);
    let (f, g) = first.advance(f, g);
    let second = divsteps_20(zeta, f, g);
    let (f, g) = second.advance(f, g);
    let Matrix { u, v, q, r } = first.then(second).then(divsteps_20(zeta, f, g));
    Matrix { u: u << 2, v: v << 2, q: q << 2, r: r << 2 }
}

/// `(f, g) <- (u·f + v·g, q·f + r·g) / 2^62`, exact.
#[inline(always)]
fn apply(t: &Matrix, f: &mut [i64; 5], g: &mut [i64; 5]) {
    let (mut carry_f, mut carry_g) = (0i128, 0i128);
    for i in 0..5 {
        let (x, y) = (i128::from(f[i]), i128::from(g[i]));
        carry_f += i128::from(t.u) * x + i128::from(t.v) * y;
        carry_g += i128::from(t.q) * x + i128::from(t.r) * y;
        if i > 0 {
            f[i - 1] = (carry_f as u64 & LOW_62) as i64;
            g[i - 1] = (carry_g as u64 & LOW_62) as i64;
        }
        carry_f >>= 62;
        carry_g >>= 62;
    }
    f[4] = carry_f as i64;
    g[4] = carry_g as i64;
}

/// The same for the cofactors, mod m: multiples of m are added that make the low 62 bits zero and keep d and e
/// between -2m and m.
#[inline(always)]
fn apply_mod(m: &Modulus, t: &Matrix, d: &mut [i64; 5], e: &mut [i64; 5]) {
    // Rows of a matrix have |u| + |v| <= 2^62. With m added where d or e is negative they lie in (-m, m).
    let (sign_d, sign_e) = (d[4] >> 63, e[4] >> 63);
    let mut times_d = (t.u & sign_d) + (t.v & sign_e);
    let mut times_e = (t.q & sign_d) + (t.r & sign_e);
    let (mut carry_d, mut carry_e) = (0i128, 0i128);
    for i in 0..5 {
        let (x, y) = (i128::from(d[i]), i128::from(e[i]));
        carry_d += i128::from(t.u) * x + i128::from(t.v) * y;
        carry_e += i128::from(t.q) * x + i128::from(t.r) * y;
        if i == 0 {
            let excess = |low: i128, times: i64| {
                ((low as u64).wrapping_mul(m.inverse).wrapping_add(times as u64) & LOW_62) as i64
            };
            times_d -= excess(carry_d, times_d);
            times_e -= excess(carry_e, times_e);
        }
        carry_d += i128::from(m.limbs[i]) * i128::from(times_d);
        carry_e += i128::from(m.limbs[i]) * i128::from(times_e);
        if i > 0 {
            d[i - 1] = (carry_d as u64 & LOW_62) as i64;
            e[i - 1] = (carry_e as u64 & LOW_62) as i64;
        }
        carry_d >>= 62;
        carry_e >>= 62;
    }
    d[4] = carry_d as i64;
    e[4] = carry_e as i64;
}

/// The inverse of `x < m`, 0 for 0, as a number in [0, 4m) of limbs in [0, 2^62): not reduced.
#[inline(always)]
pub(super) fn invert(m: &Modulus, x: &[u64; 4]) -> [u64; 5] {
    let (mut f, mut g) = (m.limbs, split(x));
    let (mut d, mut e) = ([0; 5], [1, 0, 0, 0, 0]);
    let mut zeta = -1;
    for _ in 0..BATCHES {
        let t = divsteps_60(&mut zeta, f[0] as u64, g[0] as u64);
        apply_mod(m, &t, &mut d, &mut e);
        apply(&t, &mut f, &mut g);
    }
    // g = 0 now and f = ±gcd(x, m), so d·x = f: the inverse up to the sign. For x = 0, d has stayed 0.
    debug_assert_eq!(g, [0; 5]);
    // ±d + 2m, as d lies in (-2m, m).
    let sign = f[4] >> 63;
    let mut limbs = [0u64; 5];
    let mut carry = 0i128;
    for i in 0..5 {
        carry += i128::from((d[i] ^ sign) - sign) + 2 * i128::from(m.limbs[i]);
        limbs[i] = carry as u64 & LOW_62;
        carry >>= 62;
    }
    limbs
}

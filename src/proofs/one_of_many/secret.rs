//! The prover's half: what depends on the secret index and on nonces. Constant-time in both.

use alloc::vec;
use alloc::vec::Vec;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

use super::Shape;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::msm;

/// Attempts before the random source is given up. One suffices but for a chance of about 2^−245.
pub(crate) const ATTEMPTS: usize = 8;

/// A constant-time sum of scalars/8 times points. Wipes the scalars.
pub(crate) fn eighth(scalars: &mut [Scalar], points: &[EdwardsPoint]) -> EdwardsPoint {
    scalars.iter_mut().for_each(|s| *s *= Scalar::INV_EIGHT);
    let sum = msm::constant_time(scalars, points).expect("one scalar a point");
    scalars.zeroize();
    sum
}

/// The response secret·x^m − Σ rho_j·x^j, from the powers of x.
pub(crate) fn response(secret: &Scalar, rho: &[Scalar], x_powers: &[Scalar]) -> Scalar {
    secret * x_powers[rho.len()] - rho.iter().zip(x_powers).map(|(rho, x)| rho * x).sum::<Scalar>()
}

/// The cells of the commitments A, B, C, D of Triptych: a, sigma, a·(1 − 2·sigma), −a².
pub(crate) fn bit_cells(sigma: &[u8], a: &[Scalar]) -> [Zeroizing<Vec<Scalar>>; 4] {
    let chosen = |sigma: u8, yes: &Scalar, no: &Scalar| Scalar::conditional_select(no, yes, Choice::from(sigma));
    let each = |cell: &dyn Fn(u8, &Scalar) -> Scalar| {
        Zeroizing::new(sigma.iter().zip(a).map(|(sigma, a)| cell(*sigma, a)).collect::<Vec<_>>())
    };
    [
        each(&|_, a| *a),
        each(&|sigma, _| chosen(sigma, &Scalar::ONE, &Scalar::ZERO)),
        each(&|sigma, a| chosen(sigma, &-a, a)),
        each(&|_, a| -a.square()),
    ]
}

impl Shape {
    /// sigma: 1 where digit j of `index` is i, else 0, in cell j·n + i. Constant-time in `index`.
    pub(crate) fn indicator(&self, index: usize) -> Zeroizing<Vec<u8>> {
        let mut sigma = Zeroizing::new(vec![0; self.cells()]);
        for k in 0..self.ring {
            let here = (k as u64).ct_eq(&(index as u64)).unwrap_u8();
            let mut rest = k;
            for row in sigma.chunks_exact_mut(self.n) {
                row[rest % self.n] |= here;
                rest /= self.n;
            }
        }
        sigma
    }

    /// The transmitted cells of f, which is sigma·x + a. `sigma` as scalars.
    pub(crate) fn sent(&self, sigma: &[Scalar], a: &[Scalar], x: &Scalar) -> Vec<Scalar> {
        (0..self.cells()).filter(|i| i % self.n != 0).map(|i| a[i] + sigma[i] * x).collect()
    }

    /// Member `index` of a ring of `width` points a member. Constant-time in `index`.
    pub(crate) fn select(&self, ring: &[EdwardsPoint], width: usize, index: usize) -> Zeroizing<Vec<EdwardsPoint>> {
        let mut out = Zeroizing::new(vec![EdwardsPoint::IDENTITY; width]);
        for (k, member) in ring.chunks_exact(width).enumerate() {
            let here = (k as u64).ct_eq(&(index as u64));
            out.iter_mut().zip(member).for_each(|(out, point)| out.conditional_assign(point, here));
        }
        out
    }

    /// Blinding matrix a: rows that sum to zero, columns from 1 drawn in order.
    pub(crate) fn blinding(&self, nonce: &mut dyn FnMut() -> Scalar) -> Zeroizing<Vec<Scalar>> {
        let mut a = Zeroizing::new(vec![Scalar::ZERO; self.cells()]);
        for row in a.chunks_exact_mut(self.n) {
            for i in 1..self.n {
                row[i] = nonce();
                row[0] -= row[i];
            }
        }
        a
    }

    /// The coefficients of x^0 … x^(m−1) of Π_j (sigma\[j\]\[k_j\]·x + a\[j\]\[k_j\]), of every member k: one vector of
    /// N for each power. (That of x^m is sigma of the index. For each lower power they sum to zero over the ring.)
    pub(crate) fn polynomials(&self, sigma: &[u8], a: &[Scalar]) -> Vec<Zeroizing<Vec<Scalar>>> {
        let one = || Zeroizing::new(vec![Scalar::ONE]);
        let mut powers = vec![one()];
        for (sigma, a) in sigma.chunks_exact(self.n).zip(a.chunks_exact(self.n)) {
            let len = powers[0].len();
            let degree = powers.len();
            let mut next = Vec::with_capacity(degree + 1);
            for power in 0..=degree {
                let mut out = Zeroizing::new(Vec::with_capacity(len * self.n));
                for (sigma, a) in sigma.iter().zip(a) {
                    for k in 0..len {
                        let low = powers.get(power).map_or(Scalar::ZERO, |p| p[k] * a);
                        let high = if power > 0 { powers[power - 1][k] } else { Scalar::ZERO };
                        out.push(low + Scalar::conditional_select(&Scalar::ZERO, &high, Choice::from(*sigma)));
                    }
                }
                next.push(out);
            }
            powers = next;
        }
        powers.truncate(self.m);
        powers
    }
}

//! The prover of the weighted inner product argument (figure 1 of ePrint 2020/735).
//!
//! Witness: vectors a, b of N = 2^q scalars and masks alpha. Every scalar that depends on it goes through
//! constant-time multiscalar sums. Challenges and bases are public, so the folded bases may take any time.
//!
//! Folding Gi to e⁻¹·Gi_lo + e·y^(−h)·Gi_hi is done as Gi_lo + (e²·y^(−h))·Gi_hi, with the common factor e⁻¹ carried
//! along and multiplied into the next round's scalars, and the ratio as a quotient of two numbers of half its length, with
//! another factor to carry along. Likewise Hi. A round's L and R are computed side by side.

use alloc::vec::Vec;

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroizing;

use super::equation::powers;
use crate::field::scalar::Scalar;
use crate::group::EdwardsPoint;
use crate::msm;

/// What a flavour supplies to the argument: the encoding of points, the transcript, the nonces.
pub(crate) trait Host {
    /// Why there is no proof: a challenge is zero (probability about 2^−252), or whatever else the flavour refuses.
    type Error;
    /// The next `count` nonces. Roles come in the order in which they are declared, L and R by turns, round by round.
    fn nonces(&mut self, role: Role, count: usize) -> Zeroizing<Vec<Scalar>>;
    /// Encodes two points as transmitted.
    fn encode(&self, points: [EdwardsPoint; 2]) -> [[u8; 32]; 2];
    /// Absorbs L and R; the challenge of the round, not zero.
    fn round(&mut self, l: &[u8; 32], r: &[u8; 32]) -> Result<Scalar, Self::Error>;
    /// Absorbs A1 and B; the last challenge, not zero.
    fn last(&mut self, a1: &[u8; 32], b: &[u8; 32]) -> Result<Scalar, Self::Error>;
}

/// What nonces are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The masks of L in this round, counted from 0.
    L(usize),
    /// The masks of R.
    R(usize),
    /// r and s.
    Responses,
    /// The masks of A1.
    A1,
    /// The masks of B.
    B,
}

/// The bases of one proof: as many of `gi` and `hi` as the vectors are long.
pub(crate) struct Bases<'a> {
    pub(crate) gi: &'a [EdwardsPoint],
    pub(crate) hi: &'a [EdwardsPoint],
    pub(crate) value: EdwardsPoint,
    pub(crate) masks: &'a [EdwardsPoint],
}

/// What is proved: Â = <a, Gi> + <b, Hi> + (Σ a_i·b_i·y^(i+1))·value + <alpha, masks>.
pub(crate) struct Witness {
    pub(crate) a: Zeroizing<Vec<Scalar>>,
    pub(crate) b: Zeroizing<Vec<Scalar>>,
    pub(crate) alpha: Zeroizing<Vec<Scalar>>,
}

impl Witness {
    /// `bits` are 0 or 1. What A = <aL, Gi> + <aR, Hi> + <alpha, masks> becomes under the challenges y and z, aL being the bits of the values
    /// and aR = aL − 1: a = aL − z, b_i = aR_i + z + d_i·y^(N−i), and alpha plus y^(N+1)·z^(2j) times the masks of the j-th
    /// commitment, j from 1.
    pub(crate) fn under(
        y: &Scalar,
        z: &Scalar,
        log_bits: usize,
        bits: &[u8],
        alpha: Zeroizing<Vec<Scalar>>,
        masks: &[&[Scalar]],
    ) -> Witness {
        let (len, bit_length) = (bits.len(), 1 << log_bits);
        let y_powers = powers(y, y, len + 1);
        let zz = z.square();
        let z_powers = powers(&zz, &zz, len >> log_bits);
        let two_powers = powers(&Scalar::ONE, &Scalar::from(2u64), bit_length);
        let mut a = Zeroizing::new(Vec::with_capacity(len));
        let mut b = Zeroizing::new(Vec::with_capacity(len));
        for (i, bit) in bits.iter().enumerate() {
            let bit = Zeroizing::new(Scalar::conditional_select(&Scalar::ZERO, &Scalar::ONE, Choice::from(*bit)));
            let d = z_powers[i >> log_bits] * two_powers[i % bit_length];
            a.push(*bit - z);
            b.push(*bit - Scalar::ONE + z + d * y_powers[len - i - 1]);
        }
        let mut alpha = alpha;
        for (masks, z_power) in masks.iter().zip(&z_powers) {
            let factor = y_powers[len] * z_power;
            for (alpha, mask) in alpha.iter_mut().zip(*masks) {
                *alpha += factor * mask;
            }
        }
        Witness { a, b, alpha }
    }
}

/// <aL, Gi> + <aR, Hi>: a set bit adds Gi, a clear one takes Hi away. Constant-time. Not blinded, so as secret as the bits.
pub(crate) fn commit_to_bits(bits: &[u8], gi: &[EdwardsPoint], hi: &[EdwardsPoint]) -> Zeroizing<EdwardsPoint> {
    let mut sum = Zeroizing::new(EdwardsPoint::IDENTITY);
    for ((bit, gi), hi) in bits.iter().zip(gi).zip(hi) {
        *sum += EdwardsPoint::conditional_select(&-hi, gi, Choice::from(*bit));
    }
    sum
}

/// The part of a proof that the argument makes.
pub(crate) struct Argument {
    pub(crate) l: Vec<[u8; 32]>,
    pub(crate) r: Vec<[u8; 32]>,
    pub(crate) a1: [u8; 32],
    pub(crate) b: [u8; 32],
    pub(crate) r1: Scalar,
    pub(crate) s1: Scalar,
    pub(crate) d1: Vec<Scalar>,
}

/// Runs the argument. Transmitted points are `scale` times those of the paper.
pub(crate) fn prove<H: Host>(
    host: &mut H,
    bases: &Bases<'_>,
    y: &Scalar,
    scale: &Scalar,
    witness: Witness,
) -> Result<Argument, H::Error> {
    let Witness { mut a, mut b, mut alpha } = witness;
    let rounds = a.len().ilog2() as usize;
    let y_powers = powers(y, y, a.len());
    let y_inv = y.invert();
    let mut fold = Folding { gi: bases.gi.to_vec(), hi: bases.hi.to_vec(), gi_factor: *scale, hi_factor: *scale };
    let (mut l, mut r) = (Vec::with_capacity(rounds), Vec::with_capacity(rounds));

    while a.len() > 1 {
        let h = a.len() / 2;
        let y_h = y_powers[h - 1];
        let y_h_inv = (0..h.ilog2()).fold(y_inv, |x, _| x.square());
        let (a_lo, a_hi) = a.split_at(h);
        let (b_lo, b_hi) = b.split_at(h);
        let d_l = host.nonces(Role::L(l.len()), alpha.len());
        let d_r = host.nonces(Role::R(r.len()), alpha.len());

        let c_l = weighted(a_lo, b_hi, &y_powers[..h]);
        let c_r = weighted(a_hi, b_lo, &y_powers[h..]);
        let points = secret_sums([
            fold.terms(bases, scale, (a_lo, &y_h_inv, Half::High), (b_hi, Half::Low), &c_l, &d_l),
            fold.terms(bases, scale, (a_hi, &y_h, Half::Low), (b_lo, Half::High), &c_r, &d_r),
        ]);
        let [l_bytes, r_bytes] = host.encode(points);
        l.push(l_bytes);
        r.push(r_bytes);

        let e = host.round(&l_bytes, &r_bytes)?;
        let e_inv = e.invert();
        fold_vector(&mut a, &e, &(e_inv * y_h));
        fold_vector(&mut b, &e_inv, &e);
        let (ee, ee_inv) = (e.square(), e_inv.square());
        for ((alpha, d_l), d_r) in alpha.iter_mut().zip(d_l.iter()).zip(d_r.iter()) {
            *alpha += ee * d_l + ee_inv * d_r;
        }
        fold.advance_vartime(&e, &e_inv, &(ee * y_h_inv), &ee_inv);
    }

    let nonce = host.nonces(Role::Responses, 2);
    let delta = host.nonces(Role::A1, alpha.len());
    let eta = host.nonces(Role::B, alpha.len());
    let (a, b) = (&a[0], &b[0]);
    let (r_nonce, s_nonce) = (&nonce[0], &nonce[1]);
    let (rb, sa, ry) = (Zeroizing::new(r_nonce * b), Zeroizing::new(s_nonce * a), Zeroizing::new(r_nonce * y));
    let cross = Zeroizing::new(y * (*rb + *sa));
    let product = Zeroizing::new(*ry * s_nonce);

    let masked = |factors: &[Scalar], masks: &[Scalar]| {
        let mut scalars = Zeroizing::new(Vec::with_capacity(factors.len() + masks.len()));
        scalars.extend_from_slice(factors);
        scalars.extend(masks.iter().map(|mask| scale * mask));
        scalars
    };
    let factors = Zeroizing::new([fold.gi_factor * r_nonce, fold.hi_factor * s_nonce, scale * *cross]);
    let points = secret_sums([
        (masked(&*factors, &delta), [&[fold.gi[0], fold.hi[0], bases.value], bases.masks].concat()),
        (masked(&[scale * *product], &eta), [&[bases.value], bases.masks].concat()),
    ]);
    let [a1, b_bytes] = host.encode(points);

    let e = host.last(&a1, &b_bytes)?;
    let ee = e.square();
    let d1 = eta.iter().zip(delta.iter()).zip(alpha.iter()).map(|((eta, d), alpha)| eta + d * e + alpha * ee);
    Ok(Argument { l, r, a1, b: b_bytes, r1: r_nonce + a * e, s1: s_nonce + b * e, d1: d1.collect() })
}

/// Which half of the bases a vector is laid on.
#[derive(Clone, Copy)]
enum Half {
    Low,
    High,
}

/// The folded bases: the true ones are `gi_factor·gi` and `hi_factor·hi`.
struct Folding {
    gi: Vec<EdwardsPoint>,
    hi: Vec<EdwardsPoint>,
    gi_factor: Scalar,
    hi_factor: Scalar,
}

impl Folding {
    /// The scalars and points of <a·factor, half of Gi> + <b, half of Hi> + c·value + <d, masks>, all times `scale`.
    fn terms(
        &self,
        bases: &Bases<'_>,
        scale: &Scalar,
        (a, factor, a_half): (&[Scalar], &Scalar, Half),
        (b, b_half): (&[Scalar], Half),
        c: &Scalar,
        d: &[Scalar],
    ) -> Terms {
        fn half(points: &[EdwardsPoint], half: Half) -> &[EdwardsPoint] {
            let (low, high) = points.split_at(points.len() / 2);
            match half {
                Half::Low => low,
                Half::High => high,
            }
        }
        let a_factor = self.gi_factor * factor;
        let mut scalars = Zeroizing::new(Vec::with_capacity(2 * a.len() + 1 + d.len()));
        scalars.extend(a.iter().map(|a| a_factor * a));
        scalars.extend(b.iter().map(|b| self.hi_factor * b));
        scalars.push(scale * c);
        scalars.extend(d.iter().map(|d| scale * d));
        let points = [half(&self.gi, a_half), half(&self.hi, b_half), &[bases.value], bases.masks].concat();
        (scalars, points)
    }

    /// Halves the bases, for public challenges.
    fn advance_vartime(&mut self, e: &Scalar, e_inv: &Scalar, gi_ratio: &Scalar, hi_ratio: &Scalar) {
        let mut carried = [Scalar::ONE; 2];
        for ((points, ratio), carried) in
            [(&mut self.gi, gi_ratio), (&mut self.hi, hi_ratio)].into_iter().zip(&mut carried)
        {
            let (low, high) = points.split_at(points.len() / 2);
            (*carried, *points) = msm::fold::fold_vartime(ratio, low, high);
        }
        Scalar::batch_invert(&mut carried);
        self.gi_factor *= e_inv * carried[0];
        self.hi_factor *= e * carried[1];
    }
}

/// Secret scalars and their points.
type Terms = (Zeroizing<Vec<Scalar>>, Vec<EdwardsPoint>);

/// Σ a_i·b_i·y_i
fn weighted(a: &[Scalar], b: &[Scalar], y: &[Scalar]) -> Zeroizing<Scalar> {
    Zeroizing::new(a.iter().zip(b).zip(y).map(|((a, b), y)| a * b * y).sum())
}

/// lo·v_lo + hi·v_hi
fn fold_vector(v: &mut Vec<Scalar>, lo: &Scalar, hi: &Scalar) {
    let h = v.len() / 2;
    for i in 0..h {
        v[i] = lo * v[i] + hi * v[h + i];
    }
    // The upper half stays in the spare capacity, which the owner's `Zeroizing` wipes.
    v.truncate(h);
}

/// Two constant-time multiscalar sums.
fn secret_sums([a, b]: [Terms; 2]) -> [EdwardsPoint; 2] {
    msm::constant_time_pair([(&a.0, &a.1), (&b.0, &b.1)]).expect("one point a scalar")
}

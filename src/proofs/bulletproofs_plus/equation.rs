//! The verification equation of a batch, as scalars.
//!
//! A proof is valid when a sum over its own points, its commitments and the shared bases is the identity
//! (`Equation::add` spells it out). A batch is the sum of its proofs' equations, each times its weight, so all
//! proofs share one scalar for every base: a proof adds to those scalars and brings only its own 3 + 2q + m points.
//!
//! The N-long part is what costs. The scalar of a vector base is a product over the bits of its index, so the list of
//! all N is the outer product of two lists of about √N. Each proof builds the short lists and adds the long products
//! *unreduced* into one accumulator per base: three multiplications an index and proof, one reduction an index and
//! batch. (Building the long list by doubling costs as many multiplications, each with its reduction, and one more
//! addition.) The constant part of a scalar, ±e²z, depends on the proof's size only and is added once per size.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::scalar::{Scalar, ScalarSum};

/// The challenges of one proof. None is zero.
pub(crate) struct Challenges {
    pub(crate) y: Scalar,
    pub(crate) z: Scalar,
    pub(crate) rounds: Vec<Scalar>,
    pub(crate) last: Scalar,
}

/// One proof as the equation sees it: everything but its points.
pub(crate) struct Instance {
    pub(crate) challenges: Challenges,
    /// m, not padded
    pub(crate) commitments: usize,
    pub(crate) r1: Scalar,
    pub(crate) s1: Scalar,
    /// one scalar for each mask base
    pub(crate) d1: Vec<Scalar>,
}

/// 1/y, then 1/e_1 … 1/e_q.
pub(crate) struct Inverses(Vec<Scalar>);

/// The inverses that every instance needs, by one inversion for all.
pub(crate) fn invert_challenges(instances: &[Instance]) -> Vec<Inverses> {
    let mut all: Vec<Scalar> = instances
        .iter()
        .flat_map(|i| core::iter::once(i.challenges.y).chain(i.challenges.rounds.iter().copied()))
        .collect();
    Scalar::batch_invert(&mut all);
    let mut rest = all.into_iter();
    instances.iter().map(|i| Inverses(rest.by_ref().take(1 + i.challenges.rounds.len()).collect())).collect()
}

/// The scalars of the shared bases.
pub(crate) struct BaseScalars {
    pub(crate) value: Scalar,
    pub(crate) masks: Vec<Scalar>,
    pub(crate) gi: Vec<Scalar>,
    pub(crate) hi: Vec<Scalar>,
}

/// The accumulated equation of a batch.
pub(crate) struct Equation {
    /// log2 of the bits of a value
    log_bits: usize,
    /// How many times the transmitted points count; a protocol that transmits P/8 says 8.
    point_factor: Scalar,
    value: Scalar,
    masks: Vec<Scalar>,
    gi: Vec<ScalarSum>,
    hi: Vec<ScalarSum>,
    /// `constant[q]` = Σ w·e²·z over the proofs with q rounds
    constant: Vec<Scalar>,
    /// The scalars of the proofs' own points.
    own: Vec<Scalar>,
}

impl Equation {
    /// The empty sum, with room for proofs of up to `max_rounds` rounds over values of `2^log_bits` bits.
    pub(crate) fn new(log_bits: usize, mask_bases: usize, max_rounds: usize, point_factor: Scalar) -> Equation {
        Equation {
            log_bits,
            point_factor,
            value: Scalar::ZERO,
            masks: vec![Scalar::ZERO; mask_bases],
            gi: vec![ScalarSum::default(); 1 << max_rounds],
            hi: vec![ScalarSum::default(); 1 << max_rounds],
            constant: vec![Scalar::ZERO; max_rounds + 1],
            own: Vec::new(),
        }
    }

    /// Adds `weight` times the equation of one proof. With f = `point_factor`, N = 2^q, and π_i the product over the
    /// rounds of e_j or 1/e_j, as the j-th bit of i, the most significant first, is 1 or 0:
    ///
    /// | point | scalar |
    /// | --- | --- |
    /// | A, A1, B | f·e², f·e, f |
    /// | L_j, R_j | f·e²·e_j², f·e²/e_j² |
    /// | V_j, j from 1, as committed (not scaled) | e²·y^(N+1)·z^(2j) |
    /// | Gi\[i\] | −e²z − r1·e·y^(−i)·π_i |
    /// | Hi\[i\] | e²(z + d_i·y^(N−i)) − s1·e·π_(N−1−i) |
    /// | value base | e²((z − z²)·Σ_(i=1..N) y^i − z·y^(N+1)·Σ d_i) − r1·y·s1 |
    /// | mask bases | −d1 |
    ///
    /// The proof's own points are expected in the order A, A1, B, L, R, V.
    pub(crate) fn add(&mut self, weight: &Scalar, proof: &Instance, inverses: &Inverses) {
        let Challenges { y, z, rounds, last: e } = &proof.challenges;
        let (y_inv, round_inv) = (inverses.0[0], &inverses.0[1..]);
        let q = rounds.len();
        let parties = 1usize << (q - self.log_bits);
        let we = weight * e;
        let wee = we * e;

        // Σ_(i=1..2^t) y^i doubles in length with t: S(2^(t+1)) = S(2^t)·(1 + y^(2^t)).
        let (mut y_n, mut y_sum) = (*y, *y);
        for _ in 0..q {
            y_sum += y_sum * y_n;
            y_n = y_n.square();
        }
        let y_n1 = y_n * y;
        let zz = z.square();
        let z_powers = powers(&zz, &zz, parties);
        // Σ d_i = (2^n − 1)·(z² + z⁴ + … + z^(2M))
        let ones = Scalar::from(((1u128 << (1u32 << self.log_bits)) - 1) as u64);
        let d_sum: Scalar = z_powers.iter().sum::<Scalar>() * ones;

        self.value += wee * ((z - zz) * y_sum - z * y_n1 * d_sum) - weight * proof.r1 * y * proof.s1;
        for (sum, d1) in self.masks.iter_mut().zip(&proof.d1) {
            *sum -= weight * d1;
        }
        self.constant[q] += wee * z;

        let squares: Vec<Scalar> = rounds.iter().map(Scalar::square).collect();
        let inv_squares: Vec<Scalar> = round_inv.iter().map(Scalar::square).collect();
        let own = wee * self.point_factor;
        self.own.extend([own, we * self.point_factor, weight * self.point_factor]);
        self.own.extend(squares.iter().map(|s| own * s));
        self.own.extend(inv_squares.iter().map(|s| own * s));
        let commitment = wee * y_n1;
        self.own.extend(z_powers[..proof.commitments].iter().map(|z| commitment * z));

        // The index is high·2^low_bits + low. Bit t of it belongs to round q−1−t.
        let low_bits = (q / 2).min(self.log_bits);
        let mut gi_bits = Vec::with_capacity(q);
        let mut y_inv_t = y_inv;
        for square in squares.iter().rev() {
            gi_bits.push(square * y_inv_t);
            y_inv_t = y_inv_t.square();
        }
        let hi_bits: Vec<Scalar> = inv_squares.into_iter().rev().collect();
        let product: Scalar = rounds.iter().product();
        let product_inv: Scalar = round_inv.iter().product();
        let gi_low = subset_products(Scalar::ONE, &gi_bits[..low_bits]);
        let gi_high = subset_products(-(we * proof.r1 * product_inv), &gi_bits[low_bits..]);
        let hi_low = subset_products(Scalar::ONE, &hi_bits[..low_bits]);
        let hi_high = subset_products(-(we * proof.s1 * product), &hi_bits[low_bits..]);

        // w·e²·d_i·y^(N−i): times 2/y from one index to the next inside a value.
        let ratio = y_inv + y_inv;
        let d_low = powers(&Scalar::ONE, &ratio, 1 << low_bits);
        let step = d_low[d_low.len() - 1] * ratio;
        let next_value = zz * (0..self.log_bits).fold(y_inv, |x, _| x.square());
        let mut d_high = Vec::with_capacity(1 << (q - low_bits));
        let mut first = wee * zz * y_n;
        for _ in 0..parties {
            d_high.extend(powers(&first, &step, 1 << (self.log_bits - low_bits)));
            first *= next_value;
        }

        let gi = self.gi.chunks_exact_mut(gi_low.len());
        let hi = self.hi.chunks_exact_mut(hi_low.len());
        for ((((gi, hi), gi_high), hi_high), d_high) in gi.zip(hi).zip(&gi_high).zip(&hi_high).zip(&d_high) {
            for (sum, low) in gi.iter_mut().zip(&gi_low) {
                sum.add_product(gi_high, low);
            }
            for ((sum, low), d_low) in hi.iter_mut().zip(&hi_low).zip(&d_low) {
                sum.add_product(hi_high, low);
                sum.add_product(d_high, d_low);
            }
        }
    }

    /// Puts C_j − p_j·(value base) in the place of the V_j of the proof that was added last: C_j then stands where V_j was
    /// expected, and the proof is about the value above p_j.
    pub(crate) fn shift_commitments(&mut self, minima: &[u64]) {
        let commitments = &self.own[self.own.len() - minima.len()..];
        for (scalar, minimum) in commitments.iter().zip(minima).filter(|(_, minimum)| **minimum > 0) {
            self.value -= scalar * Scalar::from(*minimum);
        }
    }

    /// The scalars of the shared bases, and those of the proofs' own points in the order of [`add`](Equation::add).
    pub(crate) fn finish(self) -> (BaseScalars, Vec<Scalar>) {
        let mut gi: Vec<Scalar> = self.gi.iter().map(ScalarSum::reduce).collect();
        let mut hi: Vec<Scalar> = self.hi.iter().map(ScalarSum::reduce).collect();
        // A proof of q rounds reaches the indices below 2^q: walk the sizes downwards, their sum growing.
        let mut constant = Scalar::ZERO;
        for q in (0..self.constant.len()).rev() {
            constant += self.constant[q];
            let from = if q == 0 { 0 } else { 1 << (q - 1) };
            for i in from..1 << q {
                gi[i] -= constant;
                hi[i] += constant;
            }
        }
        (BaseScalars { value: self.value, masks: self.masks, gi, hi }, self.own)
    }
}

/// `first · ratio^i` for i below `len`.
pub(crate) fn powers(first: &Scalar, ratio: &Scalar, len: usize) -> Vec<Scalar> {
    core::iter::successors(Some(*first), |x| Some(x * ratio)).take(len).collect()
}

/// `first` times the product of the factors whose bit is set in the index, for every index of `factors.len()` bits.
fn subset_products(first: Scalar, factors: &[Scalar]) -> Vec<Scalar> {
    let mut out = Vec::with_capacity(1 << factors.len());
    out.push(first);
    for factor in factors {
        for i in 0..out.len() {
            out.push(out[i] * factor);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    fn scalar(random: &mut Random) -> Scalar {
        Scalar::from_bytes_mod_order_wide(&random.bytes64())
    }

    fn pow(x: &Scalar, n: usize) -> Scalar {
        (0..n).fold(Scalar::ONE, |product, _| product * x)
    }

    /// The table of [`Equation::add`], term by term.
    fn naive(log_bits: usize, f: &Scalar, w: &Scalar, proof: &Instance) -> (BaseScalars, Vec<Scalar>) {
        let Challenges { y, z, rounds, last: e } = &proof.challenges;
        let (q, bits) = (rounds.len(), 1 << log_bits);
        let n = 1usize << q;
        let ee = e * e;
        let d = |i: usize| pow(z, 2 * (i / bits + 1)) * pow(&Scalar::from(2u64), i % bits);
        let pi = |i: usize| -> Scalar {
            let factor = |(j, e): (usize, &Scalar)| if i >> (q - 1 - j) & 1 == 1 { *e } else { e.invert() };
            rounds.iter().enumerate().map(factor).product()
        };
        let y_sum: Scalar = (1..=n).map(|i| pow(y, i)).sum();
        let d_sum: Scalar = (0..n).map(d).sum();
        let value = ee * ((z - z * z) * y_sum - z * pow(y, n + 1) * d_sum) - proof.r1 * y * proof.s1;
        let gi = (0..n).map(|i| -ee * z - proof.r1 * e * pow(&y.invert(), i) * pi(i));
        let hi = (0..n).map(|i| ee * (z + d(i) * pow(y, n - i)) - proof.s1 * e * pi(n - 1 - i));
        let mut own = vec![f * ee, f * e, *f];
        own.extend(rounds.iter().map(|x| f * ee * x * x));
        own.extend(rounds.iter().map(|x| f * ee * (x * x).invert()));
        own.extend((1..=proof.commitments).map(|j| ee * pow(y, n + 1) * pow(z, 2 * j)));
        let bases = BaseScalars {
            value: w * value,
            masks: proof.d1.iter().map(|d1| -w * d1).collect(),
            gi: gi.map(|x| w * x).collect(),
            hi: hi.map(|x| w * x).collect(),
        };
        (bases, own.into_iter().map(|x| w * x).collect())
    }

    /// Values of 1 to 64 bits and 1 to 8 of them, several sizes in one sum.
    #[test]
    fn sums_equal_the_written_equation() {
        let mut random = Random::new(11);
        for log_bits in 0..=6 {
            let factor = Scalar::from(8u64);
            let mut equation = Equation::new(log_bits, 2, log_bits + 3, factor);
            let width = 1 << (log_bits + 3);
            let mut sum = BaseScalars {
                value: Scalar::ZERO,
                masks: vec![Scalar::ZERO; 2],
                gi: vec![Scalar::ZERO; width],
                hi: vec![Scalar::ZERO; width],
            };
            let mut own = Vec::new();
            for commitments in [1, 8, 3, 2, 5] {
                let q = log_bits + usize::next_power_of_two(commitments).ilog2() as usize;
                let challenges = Challenges {
                    y: scalar(&mut random),
                    z: scalar(&mut random),
                    rounds: (0..q).map(|_| scalar(&mut random)).collect(),
                    last: scalar(&mut random),
                };
                let d1 = vec![scalar(&mut random), scalar(&mut random)];
                let (r1, s1) = (scalar(&mut random), scalar(&mut random));
                let proof = Instance { challenges, commitments, r1, s1, d1 };
                let weight = scalar(&mut random);
                let (bases, points) = naive(log_bits, &factor, &weight, &proof);
                sum.value += bases.value;
                sum.masks.iter_mut().zip(bases.masks).for_each(|(a, b)| *a += b);
                sum.gi.iter_mut().zip(bases.gi).for_each(|(a, b)| *a += b);
                sum.hi.iter_mut().zip(bases.hi).for_each(|(a, b)| *a += b);
                own.extend(points);
                let proof = [proof];
                equation.add(&weight, &proof[0], &invert_challenges(&proof)[0]);
            }
            let (bases, points) = equation.finish();
            assert_eq!(points, own);
            assert_eq!((bases.value, bases.masks), (sum.value, sum.masks));
            assert_eq!(bases.gi, sum.gi);
            assert_eq!(bases.hi, sum.hi);
        }
    }
}

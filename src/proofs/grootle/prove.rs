//! The prover.

use alloc::vec::Vec;

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::error::{Field, List, ProveError, VerifyError};
use super::generators::Generators;
use super::{Form, Proof, System, Witness, transcript};
use crate::field::scalar::Scalar;
use crate::field::scalar::disclosed::{disclose, disclosed};
use crate::group::{EdwardsPoint, compress_batch_secret, try_decompress_batch_strict};
use crate::msm;
use crate::proofs::one_of_many::{ATTEMPTS, bit_cells, eighth, powers, response};

impl System {
    /// Proves knowledge of a member's discrete logarithms. `ring` and `offsets` as in [`Statement`](super::Statement).
    ///
    /// Constant-time in the witness. m·q (plain) or m (concise) multiscalar sums over N + 1 points, and one over 2·n·m + 1
    /// for each of A and B. Draws 64 bytes, reduced mod l, for each nonce: those of a, row by row; r_A; r_B; those of X.
    ///
    /// # Errors
    /// A statement that no proof could make valid, or a witness that doesn't fit it.
    #[cfg(feature = "rand_core")]
    pub fn prove(
        &self,
        message: &[u8; 32],
        ring: &[[u8; 32]],
        offsets: &[[u8; 32]],
        witness: &Witness<'_>,
        rng: &mut impl rand_core::CryptoRng,
    ) -> Result<Proof, ProveError> {
        self.prove_with(message, ring, offsets, witness, &mut || Scalar::random(rng))
    }

    /// [`prove`](System::prove) from the nonces.
    pub(super) fn prove_with(
        &self,
        message: &[u8; 32],
        ring: &[[u8; 32]],
        offsets: &[[u8; 32]],
        witness: &Witness<'_>,
        nonce: &mut dyn FnMut() -> Scalar,
    ) -> Result<Proof, ProveError> {
        let points = self.decode(ring, offsets).map_err(ProveError::Statement)?;
        let (members, offset_points) = points.split_at(ring.len());
        if disclosed(witness.index >= self.shape.ring_size()) || witness.secrets.len() != self.keys {
            return Err(ProveError::Witness);
        }
        // A statement may carry small-order parts, which count for nothing.
        let member = self.shape.select(members, self.keys, witness.index);
        for ((point, offset), secret) in member.iter().zip(offset_points).zip(witness.secrets) {
            let opened = Zeroizing::new(EdwardsPoint::mul_base(secret) + offset);
            if disclosed((*opened - point).is_small_order().unwrap_u8()) == 0 {
                return Err(ProveError::Witness);
            }
        }
        for _ in 0..ATTEMPTS {
            if let Some(proof) = self.attempt(message, ring, offsets, members, witness, nonce) {
                return Ok(proof);
            }
        }
        Err(ProveError::Randomness)
    }

    /// One proof, unless a number comes out that the verifier refuses.
    fn attempt(
        &self,
        message: &[u8; 32],
        ring: &[[u8; 32]],
        offsets: &[[u8; 32]],
        members: &[EdwardsPoint],
        witness: &Witness<'_>,
        nonce: &mut dyn FnMut() -> Scalar,
    ) -> Option<Proof> {
        let (shape, q, m) = (self.shape, self.keys, self.shape.m());
        let sigma = shape.indicator(witness.index);
        let a = shape.blinding(nonce);
        let r_a = Zeroizing::new(nonce());
        let r_b = Zeroizing::new(nonce());
        let rho = Zeroizing::new((0..self.lists() * m).map(|_| nonce()).collect::<Vec<_>>());

        // A commits to a and −a², B to sigma and a·(1 − 2·sigma): mask first, then by turns as the generators stand.
        let bases = &Generators::shared().points[..1 + 2 * shape.cells()];
        let mut a_scalars = Zeroizing::new(Vec::with_capacity(bases.len()));
        let mut b_scalars = Zeroizing::new(Vec::with_capacity(bases.len()));
        a_scalars.push(*r_a);
        b_scalars.push(*r_b);
        let [_, sigma_cells, chosen, squares] = bit_cells(&sigma, &a);
        a_scalars.extend(a.iter().zip(squares.iter()).flat_map(|(a, square)| [*a, *square]));
        b_scalars.extend(sigma_cells.iter().zip(chosen.iter()).flat_map(|(sigma, chosen)| [*sigma, *chosen]));
        let [a_point, b_point] = [&mut a_scalars, &mut b_scalars].map(|scalars| eighth(scalars, bases));
        let encoded = compress_batch_secret(&[a_point, b_point]);

        disclose(&encoded);
        let opening = transcript::opening(self, message, [ring, offsets], &encoded[0], &encoded[1]);
        let (mu, before) = match self.form {
            Form::Concise => {
                let mu = transcript::aggregation(opening);
                (mu, mu.to_bytes().to_vec())
            }
            Form::Plain => (Scalar::ONE, opening),
        };
        // What each list X is over: the keys folded with powers of μ, or each key.
        let key = |a: usize| members.iter().skip(a).step_by(q).copied();
        let folded: Vec<Vec<EdwardsPoint>> = match self.form {
            Form::Plain => (0..q).map(|a| key(a).collect()).collect(),
            Form::Concise => {
                let mut sum: Vec<EdwardsPoint> = key(q - 1).collect();
                for a in (0..q - 1).rev() {
                    sum = msm::same_scalar_vartime(&mu, &sum);
                    sum.iter_mut().zip(key(a)).for_each(|(sum, point)| *sum += point);
                }
                Vec::from([sum])
            }
        };
        let mu_powers = powers(&mu, q - 1);
        let secrets = Zeroizing::new(match self.form {
            Form::Plain => witness.secrets.to_vec(),
            Form::Concise => Vec::from([witness.secrets.iter().zip(&mu_powers).map(|(s, mu)| s * mu).sum::<Scalar>()]),
        });

        // The p_k of a power sum to zero over the ring, so the offsets drop out of X.
        let p = shape.polynomials(&sigma, &a);
        let mut x_points = Vec::with_capacity(rho.len());
        for (ring, rho) in folded.iter().zip(rho.chunks_exact(m)) {
            let points = [&[EdwardsPoint::BASEPOINT], &ring[..]].concat();
            for (p, rho) in p.iter().zip(rho) {
                let mut scalars = Zeroizing::new(Vec::with_capacity(points.len()));
                scalars.push(*rho);
                scalars.extend_from_slice(p);
                x_points.push(eighth(&mut scalars, &points));
            }
        }
        let x_encoded = compress_batch_secret(&x_points);
        disclose(&x_encoded);
        let x = transcript::challenge(&before, &x_encoded);
        if mu == Scalar::ZERO || x == Scalar::ZERO {
            return None;
        }

        let x_powers = powers(&x, m);
        let f = shape.sent(&sigma_cells, &a, &x);
        disclose(&f);
        shape.complete(&x, &f).ok()?;
        let z_a = disclosed(*r_b * x + *r_a);
        let responses = secrets.iter().zip(rho.chunks_exact(m)).map(|(s, rho)| response(s, rho, &x_powers));
        let z: Vec<Scalar> = responses.collect();
        disclose(&z);
        let zero = |s: &Scalar| bool::from(s.ct_eq(&Scalar::ZERO));
        if zero(&z_a) || z.iter().any(zero) {
            return None;
        }
        Some(Proof {
            a: encoded[0],
            b: encoded[1],
            f: f.iter().map(Scalar::to_bytes).collect(),
            x: x_encoded,
            z_a: z_a.to_bytes(),
            z: z.iter().map(Scalar::to_bytes).collect(),
        })
    }

    /// The points of ring and offsets.
    fn decode(&self, ring: &[[u8; 32]], offsets: &[[u8; 32]]) -> Result<Vec<EdwardsPoint>, VerifyError> {
        for (list, found, expected) in
            [(List::Ring, ring.len(), self.shape.ring_size() * self.keys), (List::Offsets, offsets.len(), self.keys)]
        {
            if found != expected {
                return Err(VerifyError::Length { list, found, expected });
            }
        }
        let points = try_decompress_batch_strict(&[ring, offsets].concat());
        if let Some(at) = points.iter().position(Option::is_none) {
            return Err(VerifyError::Point(match at.checked_sub(ring.len()) {
                Some(offset) => Field::Offset(offset),
                None => Field::Ring { member: at / self.keys, key: at % self.keys },
            }));
        }
        Ok(points.into_iter().flatten().collect())
    }
}

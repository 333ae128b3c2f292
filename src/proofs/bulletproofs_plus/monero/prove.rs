//! The prover.

use alloc::vec::Vec;

use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroizing;

use super::error::ProveError;
use super::generators::{Generators, LOG_BITS};
use super::opening::Opening;
use super::transcript::Transcripts;
use super::wire::RangeProof;
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch};
use crate::proofs::bulletproofs_plus::argument::{self, Bases, Host, Witness};
use crate::proofs::bulletproofs_plus::equation::powers;

/// Proves that all amounts are below 2^64, over generators built on first use; see [`Generators::prove`].
///
/// # Errors
/// No opening, or more than [`MAX_OUTPUTS`](super::MAX_OUTPUTS).
#[cfg(all(feature = "std", feature = "rand_core"))]
pub fn prove(openings: &[Opening], rng: &mut impl rand_core::CryptoRng) -> Result<RangeProof, ProveError> {
    Generators::shared().prove(openings, rng)
}

impl Generators {
    /// Proves that the amounts of all openings, in this order, are below 2^64.
    ///
    /// Constant-time in the openings, but for their number. Draws 64 bytes, reduced mod l, for each nonce in the order
    /// of `bulletproofs_plus.cc`: alpha; then dL and dR of each round; then r, s, d and eta. The same random bytes give
    /// the same proof, so they must never repeat for other openings.
    ///
    /// # Errors
    /// No opening, or more than [`max_outputs`](Generators::max_outputs).
    #[cfg(feature = "rand_core")]
    pub fn prove(&self, openings: &[Opening], rng: &mut impl rand_core::CryptoRng) -> Result<RangeProof, ProveError> {
        self.prove_with(openings, &mut || Scalar::random(rng), &compress_batch)
    }

    /// [`prove`](Generators::prove) from the nonces, with a choice of how points are encoded.
    pub(super) fn prove_with(
        &self,
        openings: &[Opening],
        nonce: &mut dyn FnMut() -> Scalar,
        encode: &Encode<'_>,
    ) -> Result<RangeProof, ProveError> {
        let rounds = self.rounds(openings.len()).map_err(ProveError::Outputs)?;
        let len = 1 << rounds;
        let (gi, hi) = (&self.gi[..len], &self.hi[..len]);
        let alpha = Zeroizing::new(nonce());

        let v: Vec<_> = openings.iter().map(|o| o.commitment(&self.value, &Scalar::INV_EIGHT)).collect();
        let v = encode(&v);
        // aL are the bits of the amounts, aR = aL − 1: a set bit adds Gi, a clear one takes Hi away.
        // Not blinded yet, so as secret as the amounts.
        let mut a = Zeroizing::new(EdwardsPoint::IDENTITY);
        for (i, (gi, hi)) in gi.iter().zip(hi).enumerate() {
            *a += EdwardsPoint::conditional_select(&-hi, gi, bit(openings, i));
        }
        let alpha_scaled = Zeroizing::new(*alpha * Scalar::INV_EIGHT);
        let a = encode(&[Scalar::INV_EIGHT * *a + EdwardsPoint::mul_base(&alpha_scaled)])[0];

        let mut transcript = Transcripts::start(&[v.as_flattened()]);
        let (y, z) = transcript.y_and_z(&[a])[0];
        if y == Scalar::ZERO || z == Scalar::ZERO {
            return Err(ProveError::ZeroChallenge);
        }

        // With d_i = z^(2(⌊i/64⌋+1))·2^(i mod 64): a = aL − z, b_i = aR_i + z + d_i·y^(N−i),
        // alpha' = alpha + y^(N+1)·Σ z^(2j)·mask_j.
        let y_powers = powers(&y, &y, len + 1);
        let zz = z.square();
        let z_powers = powers(&zz, &zz, len >> LOG_BITS);
        let two_powers = powers(&Scalar::ONE, &Scalar::from(2u64), 1 << LOG_BITS);
        let mut left = Zeroizing::new(Vec::with_capacity(len));
        let mut right = Zeroizing::new(Vec::with_capacity(len));
        for i in 0..len {
            let bit = Zeroizing::new(Scalar::conditional_select(&Scalar::ZERO, &Scalar::ONE, bit(openings, i)));
            let d = z_powers[i >> LOG_BITS] * two_powers[i % (1 << LOG_BITS)];
            left.push(*bit - z);
            right.push(*bit - Scalar::ONE + z + d * y_powers[len - i - 1]);
        }
        let masks = Zeroizing::new(openings.iter().zip(&z_powers).map(|(o, z)| o.mask * z).sum::<Scalar>());
        let alpha = Zeroizing::new(alloc::vec![*alpha + y_powers[len] * *masks]);

        let bases = Bases { gi, hi, value: self.value, masks: &[EdwardsPoint::BASEPOINT] };
        let witness = Witness { a: left, b: right, alpha };
        let mut host = Prover { transcript, nonce, encode };
        let argument = argument::prove(&mut host, &bases, &y, &Scalar::INV_EIGHT, witness)
            .map_err(|_| ProveError::ZeroChallenge)?;
        Ok(RangeProof {
            a,
            a1: argument.a1,
            b: argument.b,
            r1: argument.r1.to_bytes(),
            s1: argument.s1.to_bytes(),
            d1: argument.d1[0].to_bytes(),
            l: argument.l,
            r: argument.r,
        })
    }
}

/// Bit `i mod 64` of amount `⌊i/64⌋`; padding amounts are 0.
fn bit(openings: &[Opening], i: usize) -> Choice {
    let amount = openings.get(i >> LOG_BITS).map_or(0, |o| o.amount);
    Choice::from((amount >> (i % (1 << LOG_BITS)) & 1) as u8)
}

/// The encodings of points, in order.
pub(super) type Encode<'a> = dyn Fn(&[EdwardsPoint]) -> Vec<[u8; 32]> + 'a;

struct Prover<'a> {
    transcript: Transcripts,
    nonce: &'a mut dyn FnMut() -> Scalar,
    encode: &'a Encode<'a>,
}

impl Host for Prover<'_> {
    fn nonce(&mut self) -> Scalar {
        (self.nonce)()
    }

    fn encode(&self, points: [EdwardsPoint; 2]) -> [[u8; 32]; 2] {
        let encodings = (self.encode)(&points);
        [encodings[0], encodings[1]]
    }

    fn round(&mut self, l: &[u8; 32], r: &[u8; 32]) -> Scalar {
        self.transcript.challenge(&[0], &[[*l, *r]])[0]
    }

    fn last(&mut self, a1: &[u8; 32], b: &[u8; 32]) -> Scalar {
        self.transcript.challenge(&[0], &[[*a1, *b]])[0]
    }
}

//! The prover.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::error::ProveError;
use super::generators::{Generators, LOG_BITS};
use super::opening::Opening;
use super::transcript::Transcripts;
use super::wire::RangeProof;
use crate::field::scalar::Scalar;
#[cfg(feature = "rand_core")]
use crate::field::scalar::disclosed::disclose;
use crate::group::EdwardsPoint;
#[cfg(feature = "rand_core")]
use crate::group::compress_batch_secret;
use crate::proofs::bulletproofs_plus::argument::{self, Bases, Host, Role, Witness};

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
        self.prove_with(openings, &mut || Scalar::random(rng), &encode)
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
        let bits: Zeroizing<Vec<u8>> = Zeroizing::new((0..len).map(|i| bit(openings, i)).collect());
        let a = argument::commit_to_bits(&bits, gi, hi);
        let alpha_scaled = Zeroizing::new(*alpha * Scalar::INV_EIGHT);
        let unblinded = Zeroizing::new(Scalar::INV_EIGHT * *a);
        let blinding = Zeroizing::new(EdwardsPoint::mul_base(&alpha_scaled));
        let a = encode(&[*unblinded + *blinding])[0];

        let mut transcript = Transcripts::start(&[v.as_flattened()]);
        let (y, z) = transcript.y_and_z(&[a])[0];
        let (y, z) = (not_zero(y)?, not_zero(z)?);
        let masks: Vec<&[Scalar]> = openings.iter().map(|o| core::slice::from_ref(&o.mask)).collect();
        let witness = Witness::under(&y, &z, LOG_BITS, &bits, Zeroizing::new(alloc::vec![*alpha]), &masks);

        let bases = Bases { gi, hi, value: self.value, masks: &[EdwardsPoint::BASEPOINT] };
        let mut host = Prover { transcript, nonce, encode };
        let argument = argument::prove(&mut host, &bases, &y, &Scalar::INV_EIGHT, witness)?;
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
fn bit(openings: &[Opening], i: usize) -> u8 {
    let amount = openings.get(i >> LOG_BITS).map_or(0, |o| o.amount);
    (amount >> (i % (1 << LOG_BITS)) & 1) as u8
}

/// Encodings that are sent.
#[cfg(feature = "rand_core")]
fn encode(points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    let encodings = compress_batch_secret(points);
    disclose(&encodings);
    encodings
}

/// The encodings of points, in order.
pub(super) type Encode<'a> = dyn Fn(&[EdwardsPoint]) -> Vec<[u8; 32]> + 'a;

struct Prover<'a> {
    transcript: Transcripts,
    nonce: &'a mut dyn FnMut() -> Scalar,
    encode: &'a Encode<'a>,
}

impl Host for Prover<'_> {
    type Error = ProveError;

    fn nonces(&mut self, _: Role, count: usize) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new((0..count).map(|_| (self.nonce)()).collect())
    }

    fn encode(&self, points: [EdwardsPoint; 2]) -> [[u8; 32]; 2] {
        let encodings = (self.encode)(&points);
        [encodings[0], encodings[1]]
    }

    fn round(&mut self, l: &[u8; 32], r: &[u8; 32]) -> Result<Scalar, ProveError> {
        not_zero(self.transcript.challenge(&[0], &[[*l, *r]])[0])
    }

    fn last(&mut self, a1: &[u8; 32], b: &[u8; 32]) -> Result<Scalar, ProveError> {
        not_zero(self.transcript.challenge(&[0], &[[*a1, *b]])[0])
    }
}

fn not_zero(challenge: Scalar) -> Result<Scalar, ProveError> {
    if challenge == Scalar::ZERO { Err(ProveError::ZeroChallenge) } else { Ok(challenge) }
}

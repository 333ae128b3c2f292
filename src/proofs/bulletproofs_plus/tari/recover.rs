//! Masks out of proofs, by the seed that their prover's nonces came from.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::nonces::{Seeded, seed_nonces};
use super::wire::RangeProof;
use super::witness::ExtendedMask;
use crate::field::scalar::Scalar;
use crate::proofs::bulletproofs_plus::equation::Challenges;

/// A proof of one value, with its challenges and its owner's seed.
pub(super) struct Sealed<'a> {
    pub(super) seed: &'a Scalar,
    pub(super) proof: &'a RangeProof,
    pub(super) challenges: &'a Challenges,
}

/// The masks of each: with q rounds and N = 2^q,
/// (d1 − eta − e·d − e²·(alpha + Σ_j (e_j²·dL_j + e_j^(−2)·dR_j))) / (e²·z²·y^(N+1)).
///
/// A wrong seed gives wrong masks. All hashes fill vectors together, and there is one inversion.
pub(super) fn masks(proofs: &[Sealed<'_>]) -> Vec<ExtendedMask> {
    let seeded = proofs.iter().map(|sealed| Seeded {
        seed: sealed.seed,
        rounds: sealed.challenges.rounds.len(),
        masks: sealed.proof.d1.len(),
    });
    let nonces = seed_nonces(&seeded.collect::<Vec<_>>());

    let mut inverses = Vec::new();
    for Challenges { y, z, rounds, last } in proofs.iter().map(|sealed| sealed.challenges) {
        let y_n = rounds.iter().fold(*y, |y, _| y.square());
        inverses.push((last * z).square() * y_n * y);
        inverses.extend_from_slice(rounds);
    }
    Scalar::batch_invert(&mut inverses);

    let mut inverses = &inverses[..];
    let mut out = Vec::with_capacity(proofs.len());
    for (Sealed { proof, challenges, .. }, nonces) in proofs.iter().zip(&nonces) {
        let Challenges { rounds, last: e, .. } = challenges;
        let (own, rest) = inverses.split_at(1 + rounds.len());
        inverses = rest;
        let squares: Vec<Scalar> = rounds.iter().map(Scalar::square).collect();
        let inverse_squares: Vec<Scalar> = own[1..].iter().map(Scalar::square).collect();
        let mask = |k: usize| {
            let mut folded = Zeroizing::new(nonces.alpha[k]);
            for (j, (square, inverse)) in squares.iter().zip(&inverse_squares).enumerate() {
                *folded += square * nonces.d_l[j][k] + inverse * nonces.d_r[j][k];
            }
            (proof.d1[k] - nonces.eta[k] - e * nonces.d[k] - e.square() * *folded) * own[0]
        };
        out.push(ExtendedMask::new((0..proof.d1.len()).map(mask).collect()));
    }
    out
}

//! The weights of a batch.

use alloc::vec;
use alloc::vec::Vec;

use super::Verifier;
use crate::field::scalar::Scalar;
use crate::hash::{Keccak256, keccak256_batch};

/// One weight an equation, 1 to 2^128, from a hash over all claims.
///
/// What a claim binds is hashed by itself, so that the claims fill lanes and their lengths need no marking; then all
/// these hashes, with the number of equations of each; then, for each equation, that hash and its number.
pub(super) fn draw<V: Verifier>(verifier: &V, claims: &[(usize, V::Claim)]) -> Vec<Vec<Scalar>> {
    let bound: Vec<Vec<u8>> = claims
        .iter()
        .map(|(_, claim)| {
            let mut bytes = Vec::new();
            verifier.bind(claim, &mut bytes);
            bytes
        })
        .collect();
    let counts: Vec<usize> = claims.iter().map(|(_, claim)| verifier.equations(claim)).collect();
    let mut transcript = Keccak256::new().chain(b"curve25519-lanes batch weights");
    transcript.update(&(claims.len() as u64).to_le_bytes());
    for (digest, count) in hash_all(&bound).iter().zip(&counts) {
        transcript.update(&(*count as u64).to_le_bytes());
        transcript.update(digest);
    }
    let seed = transcript.finalize();
    let total: usize = counts.iter().sum();
    let messages: Vec<_> = (0..total as u64).map(|i| [&seed[..], &i.to_le_bytes()].concat()).collect();
    let low = |digest: &[u8; 32]| u128::from_le_bytes(*digest.first_chunk().expect("32 bytes hold 16"));
    let mut weights = hash_all(&messages).into_iter().map(|digest| Scalar::from(low(&digest)) + Scalar::ONE);
    counts.iter().map(|count| weights.by_ref().take(*count).collect()).collect()
}

fn hash_all(messages: &[Vec<u8>]) -> Vec<[u8; 32]> {
    let mut digests = vec![[0; 32]; messages.len()];
    keccak256_batch(&messages.iter().map(|m| &m[..]).collect::<Vec<_>>(), &mut digests);
    digests
}

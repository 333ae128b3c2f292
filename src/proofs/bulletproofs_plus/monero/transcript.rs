//! The transcript: a chain of Keccak-256 hashes read as scalars, for many proofs in step.
//!
//! The proofs of a batch take each step together, so that their hashes fill the lanes of one
//! [`keccak256_batch`]; a prover is a batch of one.

use alloc::vec;
use alloc::vec::Vec;

use crate::field::scalar::Scalar;
use crate::hash::keccak256_batch;

/// The encoding of 8·map(K(K("bulletproof_plus_transcript"))), the state before anything is absorbed.
pub(super) const START: [u8; 32] = [
    0x4a, 0x67, 0x7c, 0x90, 0xeb, 0x73, 0x05, 0x1e, 0x79, 0x0d, 0xa4, 0x55, 0x91, 0x10, 0x7f, 0x6e, 0xe1, 0x05, 0x90,
    0x4d, 0x91, 0x87, 0xc5, 0xd3, 0x54, 0x71, 0x09, 0x6c, 0x44, 0x5a, 0x22, 0x75,
];

/// The running states of some proofs: scalars, always canonical.
pub(super) struct Transcripts(Vec<[u8; 32]>);

impl Transcripts {
    /// Absorbs the commitments of each proof: the concatenated encodings of its V.
    pub(super) fn start(commitments: &[&[u8]]) -> Transcripts {
        let inner = hash_to_scalars(commitments);
        let messages: Vec<_> = inner.iter().map(|hash| [START, hash.to_bytes()]).collect();
        Transcripts(hash_arrays(&messages).iter().map(Scalar::to_bytes).collect())
    }

    /// Absorbs the A of each proof; its y and z.
    pub(super) fn y_and_z(&mut self, a: &[[u8; 32]]) -> Vec<(Scalar, Scalar)> {
        let messages: Vec<_> = self.0.iter().zip(a).map(|(state, a)| [*state, *a]).collect();
        let y = hash_arrays(&messages);
        let messages: Vec<_> = y.iter().map(|y| [y.to_bytes()]).collect();
        let z = hash_arrays(&messages);
        self.0 = z.iter().map(Scalar::to_bytes).collect();
        y.into_iter().zip(z).collect()
    }

    /// Absorbs two points into each of the proofs named; their challenges.
    pub(super) fn challenge(&mut self, proofs: &[usize], points: &[[[u8; 32]; 2]]) -> Vec<Scalar> {
        let messages: Vec<_> = proofs.iter().zip(points).map(|(&i, &[l, r])| [self.0[i], l, r]).collect();
        let challenges = hash_arrays(&messages);
        for (&i, challenge) in proofs.iter().zip(&challenges) {
            self.0[i] = challenge.to_bytes();
        }
        challenges
    }
}

fn hash_arrays<const N: usize>(messages: &[[[u8; 32]; N]]) -> Vec<Scalar> {
    hash_to_scalars(&messages.iter().map(|m| m.as_flattened()).collect::<Vec<_>>())
}

/// Keccak-256 of each message, little-endian, mod l.
pub(super) fn hash_to_scalars(messages: &[&[u8]]) -> Vec<Scalar> {
    let mut digests = vec![[0; 32]; messages.len()];
    keccak256_batch(messages, &mut digests);
    digests.into_iter().map(Scalar::from_bytes_mod_order).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::monero_hash_to_point;
    use crate::hash::keccak256;

    #[test]
    fn start_is_the_hash_of_its_name() {
        let point = monero_hash_to_point(&keccak256(&keccak256(b"bulletproof_plus_transcript")));
        assert_eq!(point.compress().0, START);
    }
}

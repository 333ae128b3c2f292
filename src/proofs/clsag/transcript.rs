//! What is hashed, as `rctSigs.cpp` orders it; its comments list another order than its code.

use alloc::vec;
use alloc::vec::Vec;

use super::wire::RingMember;
use crate::field::scalar::Scalar;
use crate::hash::{Keccak256, keccak256, keccak256_batch};

/// A tag of 32 bytes, padded with zeros.
const fn tag(name: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    let mut i = 0;
    while i < name.len() {
        out[i] = name[i];
        i += 1;
    }
    out
}

const AGGREGATE_0: [u8; 32] = tag(b"CLSAG_agg_0");
const AGGREGATE_1: [u8; 32] = tag(b"CLSAG_agg_1");
const ROUND: [u8; 32] = tag(b"CLSAG_round");

/// The public parts that every hash begins with.
#[derive(Clone, Copy)]
pub(super) struct Public<'a> {
    pub(super) ring: &'a [RingMember],
    pub(super) key_image: &'a [u8; 32],
    pub(super) d: &'a [u8; 32],
    pub(super) pseudo_out: &'a [u8; 32],
    pub(super) message: &'a [u8; 32],
}

impl Public<'_> {
    /// `tag || keys || commitments`, with room for what follows.
    fn body(&self, tag: &[u8; 32]) -> Vec<u8> {
        let mut out = Vec::with_capacity(32 * (2 * self.ring.len() + 4));
        out.extend(tag);
        self.ring.iter().for_each(|member| out.extend(member.key));
        self.ring.iter().for_each(|member| out.extend(member.commitment));
        out
    }

    fn aggregate(&self, tag: &[u8; 32]) -> Vec<u8> {
        let mut out = self.body(tag);
        [self.key_image, self.d, self.pseudo_out].into_iter().for_each(|part| out.extend(part));
        out
    }

    /// The state after all that the hashes of one signature's rounds have in common, absorbed once.
    pub(super) fn rounds(&self) -> Rounds {
        Rounds(Keccak256::new().chain(&self.body(&ROUND)).chain(self.pseudo_out).chain(self.message))
    }
}

/// `(muP, muC)` of each.
pub(super) fn aggregation_factors(publics: &[Public<'_>]) -> Vec<(Scalar, Scalar)> {
    let messages: Vec<Vec<u8>> =
        publics.iter().flat_map(|public| [public.aggregate(&AGGREGATE_0), public.aggregate(&AGGREGATE_1)]).collect();
    let mut digests = vec![[0; 32]; messages.len()];
    keccak256_batch(&messages.iter().map(|message| &message[..]).collect::<Vec<_>>(), &mut digests);
    let scalar = |digest: &[u8; 32]| Scalar::from_bytes_mod_order(*digest);
    digests.as_chunks().0.iter().map(|[p, c]| (scalar(p), scalar(c))).collect()
}

/// The hash of a signature's rounds, ready for the two points of one.
pub(super) struct Rounds(Keccak256);

impl Rounds {
    /// The challenge made with these encodings.
    pub(super) fn challenge(&self, l: &[u8; 32], r: &[u8; 32]) -> Scalar {
        Scalar::from_bytes_mod_order(self.0.clone().chain(l).chain(r).finalize())
    }
}

/// Keccak-256 of each ring member's key: what is mapped to its second base point.
pub(super) fn key_hashes(ring: &[RingMember]) -> Vec<[u8; 32]> {
    ring.iter().map(|member| keccak256(&member.key)).collect()
}

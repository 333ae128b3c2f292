//! Nonces that follow from a seed, so that its owner can take them off a proof again.
//!
//! A nonce is keyed BLAKE2b-512 of the empty message, mod l: the key is byte 0, the seed, `j` and the round where there is
//! one, `k` and the index of the mask; the personalisation tells the nonces' roles apart. The hashes of many proofs fill
//! vectors together.

use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use crate::field::scalar::Scalar;
use crate::hash::blake2b::{Keyed, blake2b_512_keyed_batch};

/// The nonces of one proof that a seed determines; one entry of each for each mask base. Wiped when dropped.
pub(super) struct SeedNonces {
    pub(super) alpha: Vec<Scalar>,
    /// By round.
    pub(super) d_l: Vec<Vec<Scalar>>,
    pub(super) d_r: Vec<Vec<Scalar>>,
    pub(super) d: Vec<Scalar>,
    pub(super) eta: Vec<Scalar>,
}

/// The seed of a proof and its size.
pub(super) struct Seeded<'a> {
    pub(super) seed: &'a Scalar,
    pub(super) rounds: usize,
    pub(super) masks: usize,
}

/// The nonces of each proof.
pub(super) fn seed_nonces(proofs: &[Seeded<'_>]) -> Vec<SeedNonces> {
    let mut keys = Vec::with_capacity(proofs.iter().map(|proof| proof.masks * (3 + 2 * proof.rounds)).sum());
    for proof in proofs {
        let seed = Zeroizing::new(proof.seed.reduce());
        let mut push = |personal: &'static [u8], j: Option<usize>| {
            keys.extend((0..proof.masks).map(|k| Key::new(&seed, personal, j, k)));
        };
        push(b"alpha", None);
        (0..proof.rounds).for_each(|j| push(b"dL", Some(j)));
        (0..proof.rounds).for_each(|j| push(b"dR", Some(j)));
        push(b"d", None);
        push(b"eta", None);
    }
    let messages: Vec<Keyed<'_>> =
        keys.iter().map(|key| Keyed { key: &key.bytes[..key.len], personal: key.personal }).collect();
    let mut digests = Zeroizing::new(alloc::vec![[0; 64]; messages.len()]);
    blake2b_512_keyed_batch(&messages, &mut digests);
    let mut scalars = digests.iter().map(Scalar::from_bytes_mod_order_wide);
    let nonces = |proof: &Seeded<'_>| {
        let mut next = || scalars.by_ref().take(proof.masks).collect::<Vec<_>>();
        let alpha = next();
        let d_l = (0..proof.rounds).map(|_| next()).collect();
        let d_r = (0..proof.rounds).map(|_| next()).collect();
        SeedNonces { alpha, d_l, d_r, d: next(), eta: next() }
    };
    proofs.iter().map(nonces).collect()
}

struct Key {
    bytes: [u8; 43],
    len: usize,
    personal: &'static [u8],
}

impl Key {
    fn new(seed: &Scalar, personal: &'static [u8], j: Option<usize>, k: usize) -> Key {
        let mut key = Key { bytes: [0; 43], len: 1, personal };
        key.push(seed.as_bytes());
        if let Some(j) = j {
            key.push(b"j");
            key.push(&(j as u32).to_le_bytes());
        }
        key.push(b"k");
        key.push(&(k as u32).to_le_bytes());
        key
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        self.bytes.zeroize();
    }
}

impl Drop for SeedNonces {
    fn drop(&mut self) {
        for scalars in self.d_l.iter_mut().chain(&mut self.d_r) {
            scalars.zeroize();
        }
        for scalars in [&mut self.alpha, &mut self.d, &mut self.eta] {
            scalars.zeroize();
        }
    }
}

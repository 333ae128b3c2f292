//! Which wallets, and which of their subaddresses, have a given spend key.

use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use super::hashing::hash_to_scalar;
use crate::field::scalar::Scalar;

/// A wallet's number and a subaddress of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) wallet: u32,
    pub(super) major: u32,
    pub(super) minor: u32,
}

/// Spend keys and their owners: open addressing, at most half full, one entry for each owner of a key.
///
/// Spend keys may be chosen by whoever registers a wallet, so slots depend on a seed that is hashed from the view keys of
/// the wallets before, and taken anew at every growth; and on the number of the wallet, as many may register one key.
#[derive(Default)]
pub(super) struct Lookup {
    entries: Vec<([u8; 32], Owner)>,
    /// Number of an entry plus one, 0 where free. The length is a power of two.
    slots: Vec<u32>,
    seed: [u64; 4],
    next_seed: [u64; 4],
}

/// The most entries that slots can number.
pub(super) const MAX_ENTRIES: usize = 1 << 31;

impl Drop for Lookup {
    fn drop(&mut self) {
        self.seed.zeroize();
        self.next_seed.zeroize();
    }
}

impl Lookup {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Makes a view key part of the seed, from the next growth on.
    pub(super) fn stir(&mut self, view_secret: &Scalar) {
        let old = Zeroizing::new(self.next_seed.map(u64::to_le_bytes).concat());
        let new = Zeroizing::new(hash_to_scalar(&[b"spend key lookup", &old, view_secret.as_bytes()]).to_bytes());
        let (words, _) = new.as_chunks();
        self.next_seed = core::array::from_fn(|i| u64::from_le_bytes(words[i]));
    }

    fn rebuild(&mut self, slots: usize) {
        self.seed = self.next_seed;
        self.slots.clear();
        self.slots.resize(slots, 0);
        for i in 0..self.entries.len() {
            self.place(i);
        }
    }

    fn home(&self, key: &[u8; 32], wallet: u32) -> usize {
        let (words, _) = key.as_chunks();
        // The odd constant of Fibonacci hashing, 2^64 over the golden ratio.
        let of_wallet = u64::from(wallet).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = |i: usize| u64::from_le_bytes(words[i]) ^ self.seed[i] ^ if i == 3 { of_wallet } else { 0 };
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        (fold(word(0), word(1)) ^ fold(word(2), word(3)).rotate_left(32)) as usize & (self.slots.len() - 1)
    }

    fn place(&mut self, entry: usize) {
        let (key, owner) = &self.entries[entry];
        let mut slot = self.home(key, owner.wallet);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry as u32 + 1;
    }

    /// Adds an owner of a key. The caller keeps below [`MAX_ENTRIES`].
    pub(super) fn insert(&mut self, key: [u8; 32], owner: Owner) {
        debug_assert!(self.entries.len() < MAX_ENTRIES);
        self.entries.push((key, owner));
        if 2 * self.entries.len() > self.slots.len() {
            self.rebuild((2 * self.slots.len()).max(16));
        } else {
            self.place(self.entries.len() - 1);
        }
    }

    /// The first subaddress of this wallet that has this spend key.
    pub(super) fn find(&self, key: &[u8; 32], wallet: u32) -> Option<Owner> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = self.home(key, wallet);
        while let Some(entry) = self.slots[slot].checked_sub(1) {
            let (found, owner) = &self.entries[entry as usize];
            if found == key && owner.wallet == wallet {
                return Some(*owner);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    #[test]
    fn finds_what_was_inserted_for_the_wallet() {
        let mut random = Random::new(9);
        let mut lookup = Lookup::default();
        assert_eq!(lookup.find(&[0; 32], 0), None);
        let mut all = Vec::new();
        for i in 0..3000u32 {
            // Every third key has two owners.
            let key = if i % 3 == 1 { all[i as usize - 1] } else { random.bytes() };
            all.push(key);
            if i % 100 == 0 {
                lookup.stir(&Scalar::from(i));
            }
            lookup.insert(key, Owner { wallet: i % 3, major: i, minor: i + 1 });
        }
        assert_eq!(lookup.len(), 3000);
        for (i, key) in (0..).zip(&all) {
            let owner = Owner { wallet: i % 3, major: i, minor: i + 1 };
            assert_eq!(lookup.find(key, i % 3), Some(owner));
            assert_eq!(lookup.find(key, 3), None);
        }
        assert_eq!(lookup.find(&random.bytes(), 0), None);
    }

    /// One key registered by many wallets must not make one long run of slots, which every search that enters it walks.
    #[test]
    fn a_key_of_many_wallets_is_spread() {
        let mut random = Random::new(10);
        let mut lookup = Lookup::default();
        lookup.stir(&Scalar::from(1u64));
        let key = random.bytes();
        for wallet in 0..20_000 {
            lookup.insert(key, Owner { wallet, major: 0, minor: 0 });
        }
        let longest = lookup.slots.split(|slot| *slot == 0).map(<[u32]>::len).max().unwrap();
        assert!(longest < 200, "{longest}");
        for wallet in [0, 1, 9_999, 19_999] {
            assert_eq!(lookup.find(&key, wallet), Some(Owner { wallet, major: 0, minor: 0 }));
        }
        assert_eq!(lookup.find(&key, 20_000), None);
    }
}

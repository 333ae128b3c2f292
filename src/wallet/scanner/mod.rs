//! Many wallets against many transactions.
//!
//! Work is a grid: wallets times transaction keys. It is cut into *blocks* of keys with the outputs they may unlock, and
//! *slabs* of wallets. For each block and slab:
//!
//! 1. the keys are decoded once; every wallet's derivations are computed in tiles of wallets
//!    ([`mul_by_cofactor_grid`](crate::msm::mul_by_cofactor_grid) chooses tables or combs);
//! 2. view tags are hashed in lanes; one pair in 256 survives, and every pair of an output without a tag;
//! 3. outputs that something survives for are decoded, once for all wallets;
//! 4. the survivors' spend keys `K - s·G` are computed and looked up in one table of all wallets' subaddresses.
//!
//! Only what is found is decrypted. Memory beside the result is bounded by the sizes of block and slab, whatever the
//! transactions say. With feature `parallel`, tiles and pieces of the survivors run on rayon's current pool. What is found
//! depends neither on the cuts nor on the backend or the number of threads: it is sorted by transaction, output and wallet.
//!
//! A view key is used by table look-ups that read whole tables; everything that holds derivations is wiped.

mod blocks;
mod found;

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroize;

pub use found::{Found, Via};

use self::blocks::{Block, Blocks};
use self::found::Survivor;
use super::amount::EncryptedAmount;
use super::extra::TxExtra;
use super::hashing::Messages;
use super::lookup::Lookup;
use super::subaddress::{self, TableTooLarge, ViewPair};
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, try_decompress_batch_strict};
use crate::msm;

/// One output, as it stands in a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The one-time key.
    pub key: [u8; 32],
    /// The view tag, of outputs that have one.
    pub view_tag: Option<u8>,
    /// The amount.
    pub amount: EncryptedAmount,
}

/// What scanning needs of a transaction.
#[derive(Clone, Copy, Debug)]
pub struct Transaction<'a> {
    /// The keys and the payment id.
    pub extra: &'a TxExtra,
    /// The outputs, in order.
    pub outputs: &'a [Output],
}

/// What to do about a transaction key that is no point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadKey {
    /// Take the encoding of the neutral element for its derivation, as the reference wallet does: an output built on that
    /// is found.
    #[default]
    Identity,
    /// Pass over it, as the light wallet server does: over the whole transaction if it is the first key, over all
    /// additional keys if it is one of them.
    Skip,
}

/// Which keys of a transaction are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyRule {
    /// All transaction keys, and the additional keys if there is a transaction key: the reference wallet.
    #[default]
    ReferenceWallet,
    /// The first transaction key, and the additional keys if there are as many as outputs: the light wallet server.
    LightWalletServer,
    /// All keys there are.
    All,
}

/// What wallets in use disagree about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Transaction keys that are no points.
    pub bad_key: BadKey,
    /// Which keys are tried.
    pub keys: KeyRule,
    /// The most transaction keys that are tried, from the first on; additional keys aside. Every one of them meets every
    /// output, so without a bound, as in the reference wallet and by default, the time for a transaction grows with the square
    /// of its size: 2000 keys and outputs, 136 kB, take a wallet seconds. 32 keys fit into the 1060 bytes of `tx_extra` that
    /// Monero's nodes relay; blocks may hold more.
    pub max_keys: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { bad_key: BadKey::default(), keys: KeyRule::default(), max_keys: usize::MAX }
    }
}

/// How the work is cut. Changes no result, only time and memory; for machines with other caches. 0 counts as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cuts {
    /// Wallets whose derivations are computed together.
    pub tile: usize,
    /// Wallets a slab.
    pub slab: usize,
    /// Derivations a tile: 200 bytes each while it is worked on.
    pub derivations: usize,
    /// Pairs of a wallet's key and an output that a slab and block have: 50 bytes each, of outputs without view tags.
    pub pairs: usize,
    /// Messages hashed, or survivors looked at, together.
    pub piece: usize,
}

impl Default for Cuts {
    fn default() -> Cuts {
        Cuts { tile: 64, slab: 512, derivations: 4096, pairs: 1 << 19, piece: 1024 }
    }
}

impl Cuts {
    /// The most keys and pairs of a block for this many wallets.
    fn block(&self, wallets: usize) -> (usize, usize) {
        let keys = self.derivations / wallets.clamp(1, self.tile);
        let pairs = (self.pairs / wallets.clamp(1, self.slab)).min(self.derivations);
        (keys.max(1), pairs.max(1))
    }
}

struct Wallet {
    spend_public: [u8; 32],
    /// Accounts, and addresses an account, in the table.
    size: (u32, u32),
}

/// Wallets and their subaddresses, ready to look at transactions. Secret view keys are wiped when dropped.
///
/// ```
/// use curve25519_lanes::wallet::{EncryptedAmount, Derivation, Output, Scanner, Transaction, TxExtra, ViewPair};
/// use curve25519_lanes::{EdwardsPoint, Scalar};
///
/// let (view, spend, r) = (Scalar::from(11u64), Scalar::from(12u64), Scalar::from(13u64));
/// let keys = ViewPair::from_secrets(&view, &spend);
/// let mut scanner = Scanner::default();
/// scanner.add_wallet(&keys, 1, 1).unwrap();
///
/// // Somebody pays 5 to the primary address.
/// let tx_key = EdwardsPoint::mul_base(&r).compress().0;
/// let derivation = Derivation::new(&view, &tx_key).unwrap();
/// let output = Output {
///     key: derivation.output_key(0, keys.spend_public()).unwrap(),
///     view_tag: Some(derivation.view_tag(0)),
///     amount: EncryptedAmount::compact(&derivation.scalar(0), 5),
/// };
/// let extra = TxExtra { keys: vec![tx_key], ..TxExtra::default() };
/// let found = scanner.scan(&[Transaction { extra: &extra, outputs: &[output] }]);
/// assert_eq!(found[0].opening.as_ref().unwrap().amount, 5);
/// ```
pub struct Scanner {
    wallets: Vec<Wallet>,
    view_secrets: Wiped<Scalar>,
    lookup: Lookup,
    options: Options,
    cuts: Cuts,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner::new(Options::default())
    }
}

impl fmt::Debug for Scanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scanner({} wallets, {} subaddresses)", self.wallets.len(), self.lookup.len())
    }
}

impl Scanner {
    /// No wallets yet.
    pub fn new(options: Options) -> Scanner {
        let lookup = Lookup::default();
        Scanner { wallets: Vec::new(), view_secrets: Wiped::with_capacity(0), lookup, options, cuts: Cuts::default() }
    }

    /// Cuts the work otherwise from now on.
    pub fn set_cuts(&mut self, cuts: Cuts) {
        let Cuts { tile, slab, derivations, pairs, piece } = cuts;
        let [tile, slab, derivations, pairs, piece] = [tile, slab, derivations, pairs, piece].map(|cut| cut.max(1));
        self.cuts = Cuts { tile, slab, derivations, pairs, piece };
    }

    /// Adds a wallet with a table of `majors` accounts of `minors` addresses (usually
    /// [`LOOKAHEAD`](subaddress::LOOKAHEAD)) and gives its number: 0 for the first.
    ///
    /// # Errors
    /// [`TableTooLarge`] beyond 2^31 subaddresses of all wallets; the wallet is not added then.
    pub fn add_wallet(&mut self, keys: &ViewPair, majors: u32, minors: u32) -> Result<usize, TableTooLarge> {
        let number = self.wallets.len();
        self.lookup.stir(keys.view_secret());
        let size = subaddress::grow(&mut self.lookup, keys, number as u32, (0, 0), (majors, minors))?;
        self.wallets.push(Wallet { spend_public: *keys.spend_public(), size });
        self.view_secrets.push(keys.view_secret());
        Ok(number)
    }

    /// Makes a wallet's table of subaddresses at least so large.
    ///
    /// # Errors
    /// [`TableTooLarge`] beyond 2^31 subaddresses of all wallets; nothing changes then.
    ///
    /// # Panics
    /// If there is no such wallet.
    pub fn grow(&mut self, wallet: usize, majors: u32, minors: u32) -> Result<(), TableTooLarge> {
        let Wallet { spend_public, size } = self.wallets[wallet];
        let keys = ViewPair::new(&self.view_secrets.0[wallet], &spend_public).expect("the key of a wallet");
        self.wallets[wallet].size = subaddress::grow(&mut self.lookup, &keys, wallet as u32, size, (majors, minors))?;
        Ok(())
    }

    /// Number of wallets.
    pub fn len(&self) -> usize {
        self.wallets.len()
    }

    /// Whether there are no wallets.
    pub fn is_empty(&self) -> bool {
        self.wallets.is_empty()
    }

    /// The outputs that belong to a wallet, sorted by transaction, output and wallet; one entry for each output and wallet.
    pub fn scan(&self, transactions: &[Transaction<'_>]) -> Vec<Found> {
        self.scan_with(transactions, |_| true).0
    }

    /// As [`scan`](Scanner::scan), with news of the progress: `progress` is told how many pairs of a wallet's key and an
    /// output were looked at, and stops the work by `false`. What was found, and whether all was looked at.
    pub fn scan_with(
        &self,
        transactions: &[Transaction<'_>],
        mut progress: impl FnMut(u64) -> bool,
    ) -> (Vec<Found>, bool) {
        let mut found = Vec::new();
        let mut done = 0;
        let (keys, pairs) = self.cuts.block(self.wallets.len());
        for block in Blocks::new(transactions, self.options, keys, pairs) {
            let mut sight = Sight { scanner: self, block: &block, transactions, outputs: Default::default() };
            let before = found.len();
            let mut complete = true;
            for start in (0..self.wallets.len()).step_by(self.cuts.slab) {
                let end = self.wallets.len().min(start + self.cuts.slab);
                sight.scan(start..end, &mut found);
                done += (end - start) as u64 * block.pairs.len() as u64;
                complete = progress(done);
                if !complete {
                    break;
                }
            }
            found::settle(&mut found, before);
            if !complete {
                return (found, false);
            }
        }
        (found, true)
    }
}

/// One block of keys and outputs, seen by slabs of wallets.
struct Sight<'a> {
    scanner: &'a Scanner,
    block: &'a Block,
    transactions: &'a [Transaction<'a>],
    /// The block's outputs that were decoded so far.
    outputs: Vec<Decoded>,
}

#[derive(Clone, Copy)]
enum Decoded {
    NotYet,
    Bad,
    Point(EdwardsPoint),
}

impl Sight<'_> {
    /// Adds what these wallets own.
    fn scan(&mut self, wallets: core::ops::Range<usize>, found: &mut Vec<Found>) {
        let tile = self.scanner.cuts.tile;
        let tiles: Vec<_> = wallets.clone().step_by(tile).map(|start| start..wallets.end.min(start + tile)).collect();
        let parts = map(&tiles, |tile| self.survivors(tile.clone()));
        let mut survivors = Wiped::with_capacity(parts.iter().map(|part| part.0.len()).sum());
        parts.iter().flat_map(|part| &part.0).for_each(|survivor| survivors.push(survivor));
        self.decode(&survivors.0);
        let pieces: Vec<&[Survivor]> = survivors.0.chunks(self.scanner.cuts.piece).collect();
        found.extend(map(&pieces, |survivors| self.owned(survivors)).into_iter().flatten());
    }

    /// The pairs that the view tag does not exclude.
    fn survivors(&self, wallets: core::ops::Range<usize>) -> Wiped<Survivor> {
        let secrets = &self.scanner.view_secrets.0[wallets.clone()];
        let mut derivations = msm::mul_by_cofactor_grid_encoded(secrets, &self.block.keys);
        let mut out = Wiped::with_capacity(0);
        let piece = self.scanner.cuts.piece;
        let mut messages = Messages::new(piece, 50);
        let mut pending: Vec<(u8, Survivor)> = Vec::with_capacity(piece);
        let mut test = |pending: &mut Vec<(u8, Survivor)>| {
            for (_, survivor) in pending.iter() {
                messages.push_indexed(&[b"view_tag", &survivor.derivation], self.index(survivor));
            }
            let tags = messages.digests().iter().map(|digest| digest[0]);
            let fitting = pending.iter().zip(tags).filter(|((tag, _), found)| tag == found);
            fitting.for_each(|((_, survivor), _)| out.push(survivor));
            pending.iter_mut().for_each(|(_, survivor)| survivor.zeroize());
            pending.clear();
        };
        let mut untagged = Wiped::with_capacity(0);
        for (p, pair) in self.block.pairs.iter().enumerate() {
            let tag = self.output(pair).view_tag;
            let derivations = &derivations[pair.key as usize * secrets.len()..][..secrets.len()];
            for (wallet, derivation) in wallets.clone().zip(derivations) {
                let survivor = Survivor { wallet: wallet as u32, pair: p as u32, derivation: *derivation };
                match tag {
                    None => untagged.push(&survivor),
                    Some(tag) => {
                        pending.push((tag, survivor));
                        if pending.len() == piece {
                            test(&mut pending);
                        }
                    }
                }
            }
        }
        test(&mut pending);
        untagged.0.iter().for_each(|survivor| out.push(survivor));
        derivations.iter_mut().for_each(|derivation| derivation.zeroize());
        out
    }

    fn index(&self, survivor: &Survivor) -> u64 {
        u64::from(self.block.pairs[survivor.pair as usize].output)
    }

    fn output(&self, pair: &blocks::Pair) -> &Output {
        &self.transactions[pair.transaction as usize].outputs[pair.output as usize]
    }

    /// Decodes the outputs of these pairs that were not decoded yet.
    fn decode(&mut self, survivors: &[Survivor]) {
        self.outputs.resize(self.block.outputs, Decoded::NotYet);
        let (mut slots, mut keys) = (Vec::new(), Vec::new());
        for survivor in survivors {
            let pair = &self.block.pairs[survivor.pair as usize];
            let slot = pair.slot as usize;
            if matches!(self.outputs[slot], Decoded::NotYet) {
                self.outputs[slot] = Decoded::Bad;
                slots.push(slot);
                keys.push(self.output(pair).key);
            }
        }
        for (slot, point) in slots.into_iter().zip(try_decompress_batch_strict(&keys)) {
            self.outputs[slot] = point.map_or(Decoded::Bad, Decoded::Point);
        }
    }

    /// What of these pairs belongs to the wallet.
    fn owned(&self, survivors: &[Survivor]) -> Vec<Found> {
        let mut messages = Messages::new(survivors.len(), 42);
        let (mut candidates, mut points) = (Vec::new(), Vec::new());
        for survivor in survivors {
            let slot = self.block.pairs[survivor.pair as usize].slot as usize;
            if let Decoded::Point(point) = self.outputs[slot] {
                candidates.push(survivor);
                points.push(point);
                messages.push_indexed(&[&survivor.derivation], self.index(survivor));
            }
        }
        let mut scalars = messages.scalars();
        let spend_keys = super::derive::spend_keys(&scalars, &points).expect("a scalar a point");
        let mut out = Vec::new();
        for ((survivor, spend_key), scalar) in candidates.iter().zip(&spend_keys).zip(&scalars) {
            if let Some(owner) = self.scanner.lookup.find(spend_key, survivor.wallet) {
                let pair = &self.block.pairs[survivor.pair as usize];
                let transaction = &self.transactions[pair.transaction as usize];
                let view_secret = &self.scanner.view_secrets.0[survivor.wallet as usize];
                out.push(Found::new(pair, transaction, survivor, &owner, view_secret, scalar));
            }
        }
        scalars.iter_mut().for_each(|scalar| scalar.zeroize());
        out
    }
}

/// What `work` gives for each item.
fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        items.par_iter().map(work).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        items.iter().map(work).collect()
    }
}

/// Secrets side by side, wiped when dropped and when moved to a larger place.
struct Wiped<T: Copy + Zeroize>(Vec<T>);

impl<T: Copy + Zeroize> Wiped<T> {
    fn with_capacity(capacity: usize) -> Wiped<T> {
        Wiped(Vec::with_capacity(capacity))
    }

    fn push(&mut self, secret: &T) {
        if self.0.len() == self.0.capacity() {
            let mut larger = Vec::with_capacity((2 * self.0.len()).max(64));
            larger.extend_from_slice(&self.0);
            self.0.zeroize();
            self.0 = larger;
        }
        self.0.push(*secret);
    }
}

impl<T: Copy + Zeroize> Drop for Wiped<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

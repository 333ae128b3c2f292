//! Subaddresses: a wallet has as many as it likes, each with a spend key of its own.
//!
//! * scalar: `m(x,y) = Hs("SubAddr\0" ‖ a ‖ le32(x) ‖ le32(y))`, none for the primary address (0,0);
//! * spend key: `B(x,y) = B + m(x,y)·G`; view key: `a·B(x,y)`, but `a·G` for the primary address.

use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroize;

use super::hashing::{Messages, hash_to_scalar};
use super::lookup::{Lookup, Owner};
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint, compress_batch_secret};
use crate::msm;

/// The domain of subaddress scalars, with its terminating zero.
const DOMAIN: &[u8] = b"SubAddr\0";

/// Subaddresses computed at once: bounds the memory beside the result.
const BLOCK: usize = 4096;

/// Accounts and addresses an account that the reference wallet looks ahead.
pub const LOOKAHEAD: (u32, u32) = (50, 200);

/// The keys that finding outputs takes: the secret view key `a` and the public spend key `B`. `a` is wiped when dropped.
#[derive(Clone)]
pub struct ViewPair {
    view_secret: Scalar,
    spend: EdwardsPoint,
    spend_public: [u8; 32],
}

/// The public spend key is no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpendKeyError;

impl fmt::Display for SpendKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the public spend key is not a point")
    }
}

impl core::error::Error for SpendKeyError {}

impl ViewPair {
    /// From the secret view key (taken mod l) and the public spend key.
    ///
    /// # Errors
    /// [`SpendKeyError`] if the spend key is not the strict encoding of a point.
    pub fn new(view_secret: &Scalar, spend_public: &[u8; 32]) -> Result<ViewPair, SpendKeyError> {
        let spend = CompressedEdwardsY(*spend_public).decompress_strict().ok_or(SpendKeyError)?;
        Ok(ViewPair { view_secret: view_secret.reduce(), spend, spend_public: *spend_public })
    }

    /// From both secret keys.
    pub fn from_secrets(view_secret: &Scalar, spend_secret: &Scalar) -> ViewPair {
        let spend = EdwardsPoint::mul_base(spend_secret);
        ViewPair { view_secret: view_secret.reduce(), spend, spend_public: spend.compress().0 }
    }

    /// The secret view key.
    pub fn view_secret(&self) -> &Scalar {
        &self.view_secret
    }

    /// The public spend key of the primary address.
    pub fn spend_public(&self) -> &[u8; 32] {
        &self.spend_public
    }

    /// `m(major, minor)`, and 0 for the primary address (0, 0).
    pub fn subaddress_scalar(&self, major: u32, minor: u32) -> Scalar {
        if (major, minor) == (0, 0) {
            return Scalar::ZERO;
        }
        let (x, y) = (major.to_le_bytes(), minor.to_le_bytes());
        hash_to_scalar(&[DOMAIN, self.view_secret.as_bytes(), &x, &y])
    }

    /// The public spend keys of these subaddresses.
    ///
    /// ```
    /// use curve25519_lanes::{Scalar, wallet::ViewPair};
    /// let keys = ViewPair::from_secrets(&Scalar::from(2u64), &Scalar::from(3u64));
    /// assert_eq!(keys.spend_keys(&[(0, 0)]), [*keys.spend_public()]);
    /// ```
    pub fn spend_keys(&self, indexes: &[(u32, u32)]) -> Vec<[u8; 32]> {
        let mut out = Vec::with_capacity(indexes.len());
        for indexes in indexes.chunks(BLOCK) {
            out.extend(compress_batch_secret(&self.spend_points(indexes)));
        }
        out
    }

    /// The public view keys of these subaddresses.
    pub fn view_keys(&self, indexes: &[(u32, u32)]) -> Vec<[u8; 32]> {
        let mut out = Vec::with_capacity(indexes.len());
        for indexes in indexes.chunks(BLOCK) {
            let mut points = self.spend_points(indexes);
            for (point, index) in points.iter_mut().zip(indexes) {
                if *index == (0, 0) {
                    *point = EdwardsPoint::BASEPOINT;
                }
            }
            let secrets = alloc::vec![self.view_secret; points.len()];
            let products = msm::mul_batch(&secrets, &points).expect("a secret a point");
            out.extend(compress_batch_secret(&products));
        }
        out
    }

    fn spend_points(&self, indexes: &[(u32, u32)]) -> Vec<EdwardsPoint> {
        let mut messages = Messages::new(indexes.len(), DOMAIN.len() + 40);
        for (major, minor) in indexes {
            messages.push(&[DOMAIN, self.view_secret.as_bytes(), &major.to_le_bytes(), &minor.to_le_bytes()]);
        }
        let mut scalars = messages.scalars();
        for (scalar, index) in scalars.iter_mut().zip(indexes) {
            if *index == (0, 0) {
                *scalar = Scalar::ZERO;
            }
        }
        let spend = alloc::vec![self.spend; indexes.len()];
        let out = msm::add_base_batch(&spend, &scalars).expect("a scalar a point");
        scalars.iter_mut().for_each(|scalar| scalar.zeroize());
        out
    }
}

impl Drop for ViewPair {
    fn drop(&mut self) {
        self.view_secret.zeroize();
    }
}

impl fmt::Debug for ViewPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ViewPair").field("spend_public", &CompressedEdwardsY(self.spend_public)).finish_non_exhaustive()
    }
}

/// The subaddresses `(major, minor)` below `now` that are not below `before`, in order.
pub(super) fn new_indexes(before: (u32, u32), now: (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    (0..now.0).flat_map(move |major| {
        let known = if major < before.0 { before.1 } else { 0 };
        (known..now.1).map(move |minor| (major, minor))
    })
}

/// A table is asked for more subaddresses than it can number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableTooLarge {
    pub(super) entries: u64,
}

impl fmt::Display for TableTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} subaddresses, at most {} fit in a table", self.entries, super::lookup::MAX_ENTRIES)
    }
}

impl core::error::Error for TableTooLarge {}

/// Adds the subaddresses of a wallet up to `now` (exclusive) to a table that has those up to `before`, and gives what it
/// has then.
pub(super) fn grow(
    lookup: &mut Lookup,
    keys: &ViewPair,
    wallet: u32,
    before: (u32, u32),
    now: (u32, u32),
) -> Result<(u32, u32), TableTooLarge> {
    let now = (before.0.max(now.0), before.1.max(now.1));
    let count = |(majors, minors): (u32, u32)| u64::from(majors) * u64::from(minors);
    let entries = (count(now) - count(before)).saturating_add(lookup.len() as u64);
    if entries > super::lookup::MAX_ENTRIES as u64 {
        return Err(TableTooLarge { entries });
    }
    let mut indexes = new_indexes(before, now);
    loop {
        let block: Vec<_> = indexes.by_ref().take(BLOCK).collect();
        if block.is_empty() {
            return Ok(now);
        }
        for (key, (major, minor)) in keys.spend_keys(&block).into_iter().zip(block) {
            lookup.insert(key, Owner { wallet, major, minor });
        }
    }
}

/// The spend keys of one wallet's subaddresses: `majors` accounts of `minors` addresses.
///
/// ```
/// use curve25519_lanes::{Scalar, wallet::{SubaddressTable, ViewPair}};
/// let keys = ViewPair::from_secrets(&Scalar::from(2u64), &Scalar::from(3u64));
/// let mut table = SubaddressTable::new(&keys, 2, 3).unwrap();
/// let key = keys.spend_keys(&[(1, 5)])[0];
/// assert_eq!(table.get(&key), None);
/// table.grow(2, 6).unwrap();
/// assert_eq!(table.get(&key), Some((1, 5)));
/// ```
pub struct SubaddressTable {
    keys: ViewPair,
    lookup: Lookup,
    size: (u32, u32),
}

impl SubaddressTable {
    /// A table of `majors` times `minors` subaddresses; [`LOOKAHEAD`] is usual. A third of a single fixed-base product
    /// each with eight lanes.
    ///
    /// # Errors
    /// [`TableTooLarge`] beyond 2^31 subaddresses.
    pub fn new(keys: &ViewPair, majors: u32, minors: u32) -> Result<SubaddressTable, TableTooLarge> {
        let mut lookup = Lookup::default();
        lookup.stir(keys.view_secret());
        let size = grow(&mut lookup, keys, 0, (0, 0), (majors, minors))?;
        Ok(SubaddressTable { keys: keys.clone(), lookup, size })
    }

    /// Makes the table at least so large; what it has stays.
    ///
    /// # Errors
    /// [`TableTooLarge`] beyond 2^31 subaddresses; the table is then as before.
    pub fn grow(&mut self, majors: u32, minors: u32) -> Result<(), TableTooLarge> {
        self.size = grow(&mut self.lookup, &self.keys, 0, self.size, (majors, minors))?;
        Ok(())
    }

    /// The subaddress with this spend key.
    pub fn get(&self, spend_key: &[u8; 32]) -> Option<(u32, u32)> {
        self.lookup.find(spend_key, 0).map(|owner| (owner.major, owner.minor))
    }

    /// Number of subaddresses.
    pub fn len(&self) -> usize {
        self.lookup.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Debug for SubaddressTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SubaddressTable({} × {})", self.size.0, self.size.1)
    }
}

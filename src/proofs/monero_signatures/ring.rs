//! The ring signature of the first transactions, verified.

use alloc::vec::Vec;

use super::{Signature, SignatureError, scalars};
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch, monero_hash_to_point_batch, try_decompress_batch_strict};
use crate::hash::{Keccak256, keccak256_batch};
use crate::msm;

/// A ring signature with what it signs.
#[derive(Clone, Copy, Debug)]
pub struct RingItem<'a> {
    /// The hash of the transaction's prefix.
    pub message: &'a [u8; 32],
    /// The key image.
    pub image: &'a [u8; 32],
    /// The ring.
    pub publics: &'a [[u8; 32]],
    /// A pair for each key.
    pub pairs: &'a [Signature],
}

/// Whether this is a signature of `message` by the holder of one of `publics`, whose key image is `image`.
///
/// # Errors
/// [`SignatureError`] if not.
///
/// ```
/// use curve25519_lanes::proofs::monero_signatures::{RingItem, SignatureError, verify_ring};
/// let item = RingItem { message: &[0; 32], image: &[0xff; 32], publics: &[], pairs: &[] };
/// assert_eq!(verify_ring(&item), Err(SignatureError::Image));
/// ```
pub fn verify_ring(item: &RingItem<'_>) -> Result<(), SignatureError> {
    verify_ring_batch(&[*item])[0]
}

/// The verdict on each. Four scalar multiplications a ring member, a lane each.
pub fn verify_ring_batch(items: &[RingItem<'_>]) -> Vec<Result<(), SignatureError>> {
    let images: Vec<[u8; 32]> = items.iter().map(|item| *item.image).collect();
    let images = try_decompress_batch_strict(&images);
    let mut members = Members::default();
    let mut verdicts: Vec<Result<(), SignatureError>> = Vec::with_capacity(items.len());
    for (item, image) in items.iter().zip(images) {
        let start = members.cs.len();
        let verdict = image.ok_or(SignatureError::Image).and_then(|image| members.push(item, &image));
        if verdict.is_err() {
            members.truncate(start);
        }
        verdicts.push(verdict);
    }
    let (ls, rs) = members.commitments();
    let mut commitments = members.cs.iter().zip(ls.iter().zip(&rs));
    for (item, verdict) in items.iter().zip(&mut verdicts) {
        if verdict.is_err() {
            continue;
        }
        let (mut sum, mut hash) = (Scalar::ZERO, Keccak256::new().chain(item.message));
        for (c, (l, r)) in commitments.by_ref().take(item.pairs.len()) {
            sum += c;
            hash = hash.chain(l).chain(r);
        }
        if Scalar::from_bytes_mod_order(hash.finalize()) != sum {
            *verdict = Err(SignatureError::Equation);
        }
    }
    verdicts
}

/// The members of all rings, one after the other.
#[derive(Default)]
struct Members {
    keys: Vec<[u8; 32]>,
    points: Vec<EdwardsPoint>,
    images: Vec<EdwardsPoint>,
    cs: Vec<Scalar>,
    rs: Vec<Scalar>,
}

impl Members {
    fn push(&mut self, item: &RingItem<'_>, image: &EdwardsPoint) -> Result<(), SignatureError> {
        if item.publics.len() != item.pairs.len() {
            return Err(SignatureError::Length { keys: item.publics.len(), pairs: item.pairs.len() });
        }
        let points = try_decompress_batch_strict(item.publics);
        for (i, ((key, point), pair)) in item.publics.iter().zip(points).zip(item.pairs).enumerate() {
            let point = point.ok_or(SignatureError::PublicKey(i))?;
            let (c, r) = scalars(pair, i)?;
            self.keys.push(*key);
            self.points.push(point);
            self.images.push(*image);
            self.cs.push(c);
            self.rs.push(r);
        }
        Ok(())
    }

    fn truncate(&mut self, length: usize) {
        self.keys.truncate(length);
        self.points.truncate(length);
        self.images.truncate(length);
        self.cs.truncate(length);
        self.rs.truncate(length);
    }

    /// `c·P + r·G` and `r·Hp(P) + c·I`.
    fn commitments(&self) -> (Vec<[u8; 32]>, Vec<[u8; 32]>) {
        let products = msm::mul_batch(&self.cs, &self.points).expect("a scalar a point");
        let ls = msm::add_base_batch(&products, &self.rs).expect("a scalar a point");
        let messages: Vec<&[u8]> = self.keys.iter().map(|key| &key[..]).collect();
        let mut digests = alloc::vec![[0; 32]; messages.len()];
        keccak256_batch(&messages, &mut digests);
        let hashed = msm::mul_batch(&self.rs, &monero_hash_to_point_batch(&digests)).expect("a scalar a point");
        let images = msm::mul_batch(&self.cs, &self.images).expect("a scalar a point");
        let rs: Vec<EdwardsPoint> = hashed.iter().zip(&images).map(|(a, b)| a + b).collect();
        (compress_batch(&ls), compress_batch(&rs))
    }
}

//! From a view key and a transaction key to the keys of outputs.
//!
//! | name | formula |
//! |---|---|
//! | derivation | `D = encode(8·(a·R))`, `a` as it is, never clamped |
//! | output scalar | `s = Hs(D ‖ varint(index))` |
//! | view tag | first byte of `Keccak("view_tag" ‖ D ‖ varint(index))` |
//! | output key | `K = encode(s·G + B)` |
//! | spend key of an output | `B = encode(K - s·G)`; what of `K` has small order stays |
//!
//! Batches cost about an eighth (eight lanes) of single calls: a derivation in a batch shares the inversion of its
//! encoding with all others, and many view keys on one `R` share the multiples of `R`.

use alloc::vec::Vec;
use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use super::hashing::{Messages, hash_to_scalar};
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint, try_decompress_batch_strict};
use crate::hash::keccak256;
use crate::msm;
use crate::proofs::varint::Varint;

/// The domain of view tags.
const VIEW_TAG: &[u8] = b"view_tag";

/// The shared secret of a wallet and a transaction: the encoding of `8·(a·R)`. Wiped when dropped; compared in constant
/// time; not shown by `Debug`.
#[derive(Clone)]
pub struct Derivation(pub [u8; 32]);

impl Derivation {
    /// The encoding of the neutral element, which the reference wallet takes where `R` is no point.
    pub const IDENTITY: Derivation = Derivation(CompressedEdwardsY::IDENTITY.0);

    /// `encode(8·(a·R))` for a view key `a` and the transaction key `R`, or none where `R` is no point.
    ///
    /// ```
    /// use curve25519_lanes::{EdwardsPoint, Scalar, wallet::Derivation};
    /// let (a, r) = (Scalar::from(5u64), Scalar::from(7u64));
    /// let public = |s| EdwardsPoint::mul_base(s).compress().0;
    /// assert_eq!(Derivation::new(&a, &public(&r)), Derivation::new(&r, &public(&a)));
    /// ```
    pub fn new(view_secret: &Scalar, tx_public: &[u8; 32]) -> Option<Derivation> {
        let point = CompressedEdwardsY(*tx_public).decompress_strict()?;
        let mut shared = (view_secret * point).mul_by_cofactor();
        let out = Derivation(shared.compress().0);
        shared.zeroize();
        Some(out)
    }

    /// The output scalar `Hs(D ‖ varint(index))`.
    pub fn scalar(&self, index: u64) -> Scalar {
        hash_to_scalar(&[&self.0, Varint::new(index).bytes()])
    }

    /// The view tag of output `index`.
    pub fn view_tag(&self, index: u64) -> u8 {
        let mut message = [VIEW_TAG, &self.0, Varint::new(index).bytes()].concat();
        let tag = keccak256(&message)[0];
        message.zeroize();
        tag
    }

    /// The key of output `index` for an address with this spend key: `s·G + B`, or none where `B` is no point.
    pub fn output_key(&self, index: u64, spend_public: &[u8; 32]) -> Option<[u8; 32]> {
        let spend = CompressedEdwardsY(*spend_public).decompress_strict()?;
        Some((EdwardsPoint::mul_base(&self.scalar(index)) + spend).compress().0)
    }

    /// The secret key of output `index`: `s + b`.
    pub fn output_secret(&self, index: u64, spend_secret: &Scalar) -> Scalar {
        self.scalar(index) + spend_secret
    }

    /// The spend key that output `index` with key `K` is for, if it is for this wallet at all: `K - s·G`, or none where
    /// `K` is no point. To be looked up among the wallet's own.
    pub fn spend_key(&self, index: u64, output_key: &[u8; 32]) -> Option<[u8; 32]> {
        let key = CompressedEdwardsY(*output_key).decompress_strict()?;
        Some((key - EdwardsPoint::mul_base(&self.scalar(index))).compress().0)
    }
}

impl Drop for Derivation {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl PartialEq for Derivation {
    fn eq(&self, other: &Derivation) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Derivation {}

impl fmt::Debug for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Derivation(secret)")
    }
}

/// The derivations of many view keys with many transaction keys, that of `view_secrets[w]` and `tx_publics[r]` at
/// `r·view_secrets.len() + w`; none where a transaction key is no point.
///
/// ```
/// use curve25519_lanes::{EdwardsPoint, Scalar, wallet::{Derivation, derive::derivations}};
/// let secrets = [Scalar::from(3u64), Scalar::from(4u64)];
/// let keys = [EdwardsPoint::BASEPOINT.compress().0, [0xff; 32]];
/// let all = derivations(&secrets, &keys);
/// assert_eq!(all[1], Derivation::new(&secrets[1], &keys[0]));
/// assert!(all[2].is_none() && all[3].is_none());
/// ```
pub fn derivations(view_secrets: &[Scalar], tx_publics: &[[u8; 32]]) -> Vec<Option<Derivation>> {
    let points = try_decompress_batch_strict(tx_publics);
    let multiplied: Vec<EdwardsPoint> = points.iter().map(|p| p.unwrap_or(EdwardsPoint::IDENTITY)).collect();
    let mut encodings = msm::mul_by_cofactor_grid_encoded(view_secrets, &multiplied);
    let good = |i: usize| points[i / view_secrets.len()].is_some();
    let out = encodings.iter().enumerate().map(|(i, d)| good(i).then_some(Derivation(*d))).collect();
    encodings.iter_mut().for_each(|encoding| encoding.zeroize());
    out
}

/// The view tags of many outputs, each given by its derivation and index.
pub fn view_tags(outputs: &[(&Derivation, u64)]) -> Vec<u8> {
    let mut messages = Messages::new(outputs.len(), 50);
    outputs.iter().for_each(|(derivation, index)| messages.push_indexed(&[VIEW_TAG, &derivation.0], *index));
    messages.digests().iter().map(|digest| digest[0]).collect()
}

/// The output scalars of many outputs.
pub fn output_scalars(outputs: &[(&Derivation, u64)]) -> Vec<Scalar> {
    let mut messages = Messages::new(outputs.len(), 42);
    outputs.iter().for_each(|(derivation, index)| messages.push_indexed(&[&derivation.0], *index));
    messages.scalars()
}

/// `encode(scalars[i]·G + spend_publics[i])`: the output keys for addresses with these spend keys.
///
/// # Errors
/// [`LengthError`](msm::LengthError) if the slices differ in length.
pub fn output_keys(scalars: &[Scalar], spend_publics: &[EdwardsPoint]) -> Result<Vec<[u8; 32]>, msm::LengthError> {
    Ok(msm::encode_secret(&mut msm::add_base_batch(spend_publics, scalars)?))
}

/// `encode(output_keys[i] - scalars[i]·G)`: the spend keys that these outputs are for, if they are for the wallets that
/// the scalars come from.
///
/// # Errors
/// [`LengthError`](msm::LengthError) if the slices differ in length.
pub fn spend_keys(scalars: &[Scalar], output_keys: &[EdwardsPoint]) -> Result<Vec<[u8; 32]>, msm::LengthError> {
    Ok(msm::encode_secret(&mut msm::sub_base_batch(output_keys, scalars)?))
}

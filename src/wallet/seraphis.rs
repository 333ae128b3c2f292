//! Enotes of the Seraphis research code (branch `seraphis_perf`): view tag, nominal spend key, amount.
//!
//! With the derivation `D = encode(8·(v·R))` as today:
//!
//! * view tag: low byte of `Hs("seraphis enote view tag" ‖ D ‖ varint(index))`;
//! * `q = Hs("seraphis sender-receiver secret" ‖ D ‖ varint(index))`;
//! * nominal spend key: `Ko - Hs("seraphis sender address extension" ‖ q)·X`;
//! * mask: `Hs("seraphis enote amount commitment blinding factor" ‖ q)`;
//! * amount: the encoded one, XORed for `i = 0 ..= 7` with byte `i` of `Hs("seraphis enote amount encoding" ‖ q)`, read as a
//!   signed byte, widened with its sign and shifted left by `8i`. The sign looks like an accident, but amounts depend on it.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use zeroize::{Zeroize, Zeroizing};

use super::amount::{AmountError, Opening, opened};
use super::derive::{Derivation, derivations};
use super::hashing::{Messages, hash_to_scalar};
use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, compress_batch_secret, try_decompress_batch_strict};
use crate::msm;
use crate::proofs::schnorr::x_base;

/// One enote, with the key that goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enote {
    /// The one-time address Ko.
    pub onetime_address: [u8; 32],
    /// The amount commitment.
    pub amount_commitment: [u8; 32],
    /// The encoded amount.
    pub encoded_amount: u64,
    /// The view tag.
    pub view_tag: u8,
    /// R.
    pub enote_public: [u8; 32],
    /// The enote's index in its transaction.
    pub index: u64,
}

/// What a view key makes of an enote whose tag fits. One of 256 fits by chance: the enote is the wallet's only if the spend
/// key is. The secret is wiped when dropped, and not shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Nominal {
    /// The spend key that the enote is for.
    pub spend_key: [u8; 32],
    /// `q`.
    pub sender_receiver_secret: Scalar,
    /// The amount, if the commitment holds it.
    pub opening: Result<Opening, AmountError>,
}

impl Drop for Nominal {
    fn drop(&mut self) {
        self.sender_receiver_secret.zeroize();
    }
}

impl fmt::Debug for Nominal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nominal").field("spend_key", &self.spend_key).finish_non_exhaustive()
    }
}

/// Looks at many enotes with one view key: what they are nominally, or nothing where the tag does not fit or a key is no
/// point.
///
/// ```
/// use curve25519_lanes::{Scalar, wallet::seraphis};
/// assert!(seraphis::scan(&Scalar::ONE, &[]).is_empty());
/// ```
pub fn scan(view_secret: &Scalar, enotes: &[Enote]) -> Vec<Option<Nominal>> {
    let keys: Vec<[u8; 32]> = enotes.iter().map(|enote| enote.enote_public).collect();
    let derivations = derivations(core::slice::from_ref(view_secret), &keys);
    let known: Vec<(usize, &Derivation)> =
        derivations.iter().enumerate().filter_map(|(i, derivation)| Some((i, derivation.as_ref()?))).collect();
    let mut messages = Messages::new(known.len(), 80);
    let mut hashes = |domain: &[u8], known: &[(usize, &Derivation)]| {
        for (i, derivation) in known {
            messages.push_indexed(&[domain, &derivation.0], enotes[*i].index);
        }
        messages.scalars()
    };
    let tags = Zeroizing::new(hashes(b"seraphis enote view tag", &known));
    let fitting: Vec<(usize, &Derivation)> = (known.iter().zip(tags.iter()))
        .filter(|((i, _), tag)| tag.as_bytes()[0] == enotes[*i].view_tag)
        .map(|(known, _)| *known)
        .collect();
    let secrets = Zeroizing::new(hashes(b"seraphis sender-receiver secret", &fitting));
    let addresses: Vec<[u8; 32]> = fitting.iter().map(|(i, _)| enotes[*i].onetime_address).collect();
    let addresses = try_decompress_batch_strict(&addresses);

    let extensions: Zeroizing<Vec<Scalar>> = Zeroizing::new(
        secrets.iter().map(|q| hash_to_scalar(&[b"seraphis sender address extension", q.as_bytes()])).collect(),
    );
    let products = msm::mul_batch(&extensions, &vec![x_base(); extensions.len()]).expect("a scalar a point");
    let products = Zeroizing::new(products);
    let spend_points: Zeroizing<Vec<EdwardsPoint>> = Zeroizing::new(
        (addresses.iter().zip(products.iter()))
            .map(|(ko, product)| ko.unwrap_or(EdwardsPoint::IDENTITY) - product)
            .collect(),
    );

    let mut out = vec![None; enotes.len()];
    let found = fitting.iter().zip(&addresses).zip(compress_batch_secret(&spend_points)).zip(secrets.iter());
    for ((((i, _), address), spend_key), q) in found {
        out[*i] = address.map(|_| Nominal { spend_key, opening: open(&enotes[*i], q), sender_receiver_secret: *q });
    }
    out
}

fn open(enote: &Enote, q: &Scalar) -> Result<Opening, AmountError> {
    let mask = hash_to_scalar(&[b"seraphis enote amount commitment blinding factor", q.as_bytes()]);
    let pad = Zeroizing::new(hash_to_scalar(&[b"seraphis enote amount encoding", q.as_bytes()]));
    let mut amount = enote.encoded_amount;
    for (i, byte) in pad.as_bytes()[..8].iter().enumerate() {
        amount ^= (i64::from(*byte as i8) as u64) << (8 * i);
    }
    opened(amount, mask, &enote.amount_commitment)
}

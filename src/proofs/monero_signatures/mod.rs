//! Monero's signatures from before RingCT: the plain signature (messages signed by a wallet, transaction proofs) and the ring
//! signature of the first transactions.
//!
//! * [`Signature`]: `(c, r)` with `c = Hs(message ‖ P ‖ c·P + r·G)`.
//! * [`verify_ring`]: `Σ c_i = Hs(message ‖ L_1 ‖ R_1 ‖ …)`, `L_i = c_i·P_i + r_i·G`, `R_i = r_i·Hp(P_i) + c_i·I`.
//!
//! Both verdicts are those of Monero's `crypto.cpp`, small-order parts of keys and images included: scalars count as integers.
//! Each signature hashes points of its own, so signatures can't be merged into one sum; batches fill lanes with them.
//! Whether an image lies in the subgroup of prime order, and was not spent before, is for whoever keeps the ledger.

mod plain;
mod ring;

use core::fmt;

use crate::field::scalar::Scalar;

pub use plain::{Signature, verify_batch};
pub use ring::{RingItem, verify_ring, verify_ring_batch};

/// What is wrong with a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureError {
    /// There are not as many pairs `(c, r)` as keys.
    Length {
        /// Keys of the ring.
        keys: usize,
        /// Pairs of the signature.
        pairs: usize,
    },
    /// The public key of this index is no point.
    PublicKey(usize),
    /// The image is no point.
    Image,
    /// `c` of this index is not below l, or is 0 in a plain signature.
    Challenge(usize),
    /// `r` of this index is not below l.
    Response(usize),
    /// `c·P + r·G` is the neutral element.
    Identity,
    /// The hash is another.
    Equation,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::Length { keys, pairs } => write!(f, "{pairs} pairs for {keys} keys"),
            SignatureError::PublicKey(i) => write!(f, "public key {i} is not a point"),
            SignatureError::Image => f.write_str("the image is not a point"),
            SignatureError::Challenge(i) => write!(f, "c[{i}] is out of range"),
            SignatureError::Response(i) => write!(f, "r[{i}] is out of range"),
            SignatureError::Identity => f.write_str("the commitment is the neutral element"),
            SignatureError::Equation => f.write_str("the equation does not hold"),
        }
    }
}

impl core::error::Error for SignatureError {}

/// The scalars of pair `i`, both below l.
fn scalars(signature: &Signature, i: usize) -> Result<(Scalar, Scalar), SignatureError> {
    let canonical = |bytes| Option::<Scalar>::from(Scalar::from_canonical_bytes(bytes));
    let c = canonical(signature.c).ok_or(SignatureError::Challenge(i))?;
    let r = canonical(signature.r).ok_or(SignatureError::Response(i))?;
    Ok((c, r))
}

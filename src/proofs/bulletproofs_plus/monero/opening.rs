//! Openings of commitments.

use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::generators::value_base;
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint};

/// The secret of a commitment. Wiped when dropped; compared in constant time; not shown by `Debug`.
#[derive(Clone)]
pub struct Opening {
    /// The amount, in atomic units.
    pub amount: u64,
    /// The mask, or blinding factor.
    pub mask: Scalar,
}

impl Opening {
    /// An opening.
    pub fn new(amount: u64, mask: Scalar) -> Opening {
        Opening { amount, mask }
    }

    /// The commitment mask·G + amount·H, as it stands on chain. Constant-time.
    pub fn commit(&self) -> CompressedEdwardsY {
        self.commitment(&value_base(), &Scalar::ONE).compress()
    }

    /// `scale` times the commitment.
    pub(super) fn commitment(&self, value_base: &EdwardsPoint, scale: &Scalar) -> EdwardsPoint {
        let mask = Zeroizing::new(scale * self.mask);
        let amount = Zeroizing::new(scale * Scalar::from(self.amount));
        let value = Zeroizing::new(*amount * value_base);
        let blinding = Zeroizing::new(EdwardsPoint::mul_base(&mask));
        *blinding + *value
    }
}

impl ConstantTimeEq for Opening {
    fn ct_eq(&self, other: &Opening) -> Choice {
        self.amount.ct_eq(&other.amount) & self.mask.ct_eq(&other.mask)
    }
}

impl PartialEq for Opening {
    fn eq(&self, other: &Opening) -> bool {
        self.ct_eq(other).into()
    }
}

impl Eq for Opening {}

impl Zeroize for Opening {
    fn zeroize(&mut self) {
        self.amount.zeroize();
        self.mask.zeroize();
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl ZeroizeOnDrop for Opening {}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").finish_non_exhaustive()
    }
}

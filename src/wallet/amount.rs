//! What an owned output holds: its amount, checked against the commitment, and the payment id that came with it.
//!
//! * compact (RingCT types 4 and later): `amount = encrypted ⊕ Keccak("amount" ‖ s)[0..8]`, mask `Hs("commitment_mask" ‖ s)`;
//! * full (types 1 to 3): `x1 = Hs(s)`, `x2 = Hs(x1)`, mask `m - x1`, amount `a - x2`;
//! * the commitment must be `mask·G + amount·H`.

use core::fmt;

use zeroize::{Zeroize, Zeroizing};

use super::derive::Derivation;
use super::hashing::hash_to_scalar;
use crate::field::scalar::Scalar;
use crate::hash::keccak256;
pub use crate::proofs::bulletproofs_plus::monero::Opening;

/// How the amount of an output stands on the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncryptedAmount {
    /// In the clear: before RingCT, and of miners.
    Plain(u64),
    /// RingCT types 4 and later.
    Compact {
        /// The encrypted amount.
        amount: [u8; 8],
        /// The output's commitment.
        commitment: [u8; 32],
    },
    /// RingCT types 1 to 3.
    Full {
        /// The encrypted mask.
        mask: [u8; 32],
        /// The encrypted amount.
        amount: [u8; 32],
        /// The output's commitment.
        commitment: [u8; 32],
    },
}

/// Why an amount can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// The decrypted amount has more than 64 bits.
    TooLarge,
    /// Amount and mask do not open the commitment.
    Commitment,
}

impl fmt::Display for AmountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AmountError::TooLarge => "the decrypted amount has more than 64 bits",
            AmountError::Commitment => "amount and mask do not open the commitment",
        })
    }
}

impl core::error::Error for AmountError {}

impl EncryptedAmount {
    /// Amount and mask of an output with this output scalar.
    ///
    /// # Errors
    /// [`AmountError`] if they are not what the commitment holds.
    ///
    /// ```
    /// use curve25519_lanes::{Scalar, wallet::EncryptedAmount};
    /// let s = Scalar::from(9u64);
    /// let encrypted = EncryptedAmount::compact(&s, 1_000);
    /// assert_eq!(encrypted.decrypt(&s).unwrap().amount, 1_000);
    /// assert!(encrypted.decrypt(&Scalar::ONE).is_err());
    /// ```
    pub fn decrypt(&self, output_scalar: &Scalar) -> Result<Opening, AmountError> {
        match self {
            EncryptedAmount::Plain(amount) => Ok(Opening::new(*amount, Scalar::ONE)),
            EncryptedAmount::Compact { amount, commitment } => {
                let pad = amount_pad(output_scalar);
                let amount = u64::from_le_bytes(core::array::from_fn(|i| amount[i] ^ pad[i]));
                opened(amount, commitment_mask(output_scalar), commitment)
            }
            EncryptedAmount::Full { mask, amount, commitment } => {
                let x1 = Zeroizing::new(hash_to_scalar(&[output_scalar.reduce().as_bytes()]));
                let x2 = Zeroizing::new(hash_to_scalar(&[x1.as_bytes()]));
                let amount = Zeroizing::new((Scalar::from_integer_unreduced(*amount) - *x2).to_bytes());
                if amount[8..] != [0; 24] {
                    return Err(AmountError::TooLarge);
                }
                let amount = u64::from_le_bytes(core::array::from_fn(|i| amount[i]));
                opened(amount, Scalar::from_integer_unreduced(*mask) - *x1, commitment)
            }
        }
    }

    /// What a sender puts on the chain for an amount, in the compact form.
    pub fn compact(output_scalar: &Scalar, amount: u64) -> EncryptedAmount {
        let (pad, bytes) = (amount_pad(output_scalar), amount.to_le_bytes());
        EncryptedAmount::Compact {
            amount: core::array::from_fn(|i| bytes[i] ^ pad[i]),
            commitment: Opening::new(amount, commitment_mask(output_scalar)).commit().0,
        }
    }
}

/// The first 8 bytes of `Keccak("amount" ‖ s)`.
fn amount_pad(output_scalar: &Scalar) -> Zeroizing<[u8; 8]> {
    let mut message = [b"amount", &output_scalar.reduce().as_bytes()[..]].concat();
    let digest = Zeroizing::new(keccak256(&message));
    message.zeroize();
    Zeroizing::new(core::array::from_fn(|i| digest[i]))
}

/// `Hs("commitment_mask" ‖ s)`: the mask of a compact amount.
pub fn commitment_mask(output_scalar: &Scalar) -> Scalar {
    hash_to_scalar(&[b"commitment_mask", output_scalar.reduce().as_bytes()])
}

/// The opening, if it opens this commitment.
pub(super) fn opened(amount: u64, mask: Scalar, expected: &[u8; 32]) -> Result<Opening, AmountError> {
    let opening = Opening::new(amount, mask);
    if opening.commit().0 == *expected { Ok(opening) } else { Err(AmountError::Commitment) }
}

/// Encrypts or decrypts a short payment id: `id ⊕ Keccak(D ‖ 0x8d)[0..8]`.
///
/// ```
/// use curve25519_lanes::wallet::{Derivation, amount::payment_id};
/// let derivation = Derivation([7; 32]);
/// assert_eq!(payment_id(&derivation, &payment_id(&derivation, &[1; 8])), [1; 8]);
/// ```
pub fn payment_id(derivation: &Derivation, id: &[u8; 8]) -> [u8; 8] {
    let mut message = [&derivation.0[..], &[0x8d]].concat();
    let pad = keccak256(&message);
    message.zeroize();
    core::array::from_fn(|i| id[i] ^ pad[i])
}

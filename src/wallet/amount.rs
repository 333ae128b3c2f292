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
use crate::group::{CompressedEdwardsY, EdwardsPoint};
use crate::hash::keccak256;
use crate::msm;

/// The value base: 8 times the point whose encoding is the hash of the encoded base point.
const VALUE_BASE: CompressedEdwardsY = CompressedEdwardsY([
    0x8b, 0x65, 0x59, 0x70, 0x15, 0x37, 0x99, 0xaf, 0x2a, 0xea, 0xdc, 0x9f, 0xf1, 0xad, 0xd0, 0xea, 0x6c, 0x72, 0x51,
    0xd5, 0x41, 0x54, 0xcf, 0xa9, 0x2c, 0x17, 0x3a, 0x0d, 0xd3, 0x9c, 0x1f, 0x94,
]);

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

/// What a commitment holds. The mask is wiped when dropped.
#[derive(Clone, PartialEq, Eq)]
pub struct Opening {
    /// The amount.
    pub amount: u64,
    /// The mask; 1 for an amount in the clear.
    pub mask: Scalar,
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.mask.zeroize();
    }
}

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("amount", &self.amount).finish_non_exhaustive()
    }
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
            EncryptedAmount::Plain(amount) => Ok(Opening { amount: *amount, mask: Scalar::ONE }),
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
            commitment: commitment(amount, &commitment_mask(output_scalar)),
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

/// `mask·G + amount·H`, constant-time.
pub fn commitment(amount: u64, mask: &Scalar) -> [u8; 32] {
    let value = VALUE_BASE.decompress_strict().expect("a constant that is a point");
    let product = msm::constant_time(&[Scalar::from(amount)], &[value]).expect("one scalar, one point");
    (EdwardsPoint::mul_base(mask) + product).compress().0
}

fn opened(amount: u64, mask: Scalar, expected: &[u8; 32]) -> Result<Opening, AmountError> {
    let opening = Opening { amount, mask };
    if commitment(amount, &opening.mask) == *expected { Ok(opening) } else { Err(AmountError::Commitment) }
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

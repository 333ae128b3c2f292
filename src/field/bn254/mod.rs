//! The scalar field of the curve BN254, which Poseidon2 of the Mantle transaction hash is built on: arithmetic mod
//! p = 21888242871839275222246405745257275088548364400416034343698204186575808495617, in one or more lanes.
//!
//! * [`Fr`]: one residue, the public form.
//! * `lanes`: the contract of a vector of residues. `r64x1` is one lane of four 64-bit words, with the compiler's
//!   multiplication or that of `r64x1_mulx` (assembly); `r52x8` is eight lanes of five 52-bit limbs.
//!
//! All of it is constant-time: Poseidon2 also hashes secret keys.

mod constants;
pub(crate) mod lanes;
#[cfg(have_ifma)]
pub(crate) mod r52x8;
pub(crate) mod r64x1;
#[cfg(any(have_avx2, have_ifma))]
pub(crate) mod r64x1_mulx;
#[cfg(test)]
mod tests;

use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use subtle::{Choice, ConstantTimeEq};
use zeroize::DefaultIsZeroes;

pub(crate) use self::constants::P;
use self::constants::{R, R2, add, subtract, subtract_once};
use self::r64x1::montgomery;
use super::words;

/// An element of the scalar field of BN254: `x·2^256 mod p`, always below p.
///
/// ```
/// use curve25519_lanes::field::bn254::Fr;
/// let x = Fr::from(3) * Fr::from(5) - Fr::ONE;
/// assert_eq!(x, Fr::from(14));
/// assert_eq!(x.to_bytes()[0], 14);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fr([u64; 4]);

/// 32 bytes stand for a number that is not below the modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotCanonical;

impl fmt::Display for NotCanonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field element is not below the modulus of BN254's scalar field")
    }
}

impl core::error::Error for NotCanonical {}

impl Fr {
    /// 0
    pub const ZERO: Fr = Fr([0; 4]);
    /// 1
    pub const ONE: Fr = Fr(R);

    /// Reads 32 little-endian bytes.
    ///
    /// # Errors
    /// [`NotCanonical`] for p and above.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Fr, NotCanonical> {
        let (_, below) = subtract(&words(bytes), &P);
        if below { Ok(Fr::from_bytes_reduced(bytes)) } else { Err(NotCanonical) }
    }

    /// Reads 32 little-endian bytes as the published Mantle node does: like [`Fr::from_bytes`], but p itself is read
    /// as 0 (the node compares with "greater than").
    ///
    /// # Errors
    /// [`NotCanonical`] for p + 1 and above.
    pub fn from_bytes_modulus_is_zero(bytes: &[u8; 32]) -> Result<Fr, NotCanonical> {
        let (_, above) = subtract(&P, &words(bytes));
        if above { Err(NotCanonical) } else { Ok(Fr::from_bytes_reduced(bytes)) }
    }

    /// Reads 32 little-endian bytes and reduces the number mod p.
    pub fn from_bytes_reduced(bytes: &[u8; 32]) -> Fr {
        // Below 2^256/2^256·p + p.
        Fr::reduced(montgomery(&R2, &words(bytes)))
    }

    /// Reads up to 31 little-endian bytes, a number that is always below p.
    ///
    /// # Panics
    /// If there are more than 31.
    pub fn from_short(bytes: &[u8]) -> Fr {
        assert!(bytes.len() < 32, "{} bytes for a short element", bytes.len());
        let mut whole = [0; 32];
        whole[..bytes.len()].copy_from_slice(bytes);
        Fr::from_bytes_reduced(&whole)
    }

    /// The canonical 32 little-endian bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        let number = Fr::reduced(montgomery(&self.0, &[1, 0, 0, 0])).0;
        let mut out = [0; 32];
        for (bytes, word) in out.as_chunks_mut::<8>().0.iter_mut().zip(number) {
            *bytes = word.to_le_bytes();
        }
        out
    }

    /// `self²`
    pub fn square(&self) -> Fr {
        *self * *self
    }

    /// The element of Montgomery form `x < 2p`.
    #[inline(always)]
    const fn reduced(x: [u64; 4]) -> Fr {
        Fr(subtract_once(&x, &P))
    }
}

impl From<u64> for Fr {
    fn from(x: u64) -> Fr {
        Fr::reduced(montgomery(&R2, &[x, 0, 0, 0]))
    }
}

impl Add for Fr {
    type Output = Fr;
    fn add(self, b: Fr) -> Fr {
        Fr::reduced(add(&self.0, &b.0))
    }
}

impl Sub for Fr {
    type Output = Fr;
    fn sub(self, b: Fr) -> Fr {
        Fr::reduced(add(&self.0, &subtract(&P, &b.0).0))
    }
}

impl Mul for Fr {
    type Output = Fr;
    fn mul(self, b: Fr) -> Fr {
        Fr::reduced(montgomery(&self.0, &b.0))
    }
}

impl Neg for Fr {
    type Output = Fr;
    fn neg(self) -> Fr {
        Fr::ZERO - self
    }
}

impl AddAssign for Fr {
    fn add_assign(&mut self, b: Fr) {
        *self = *self + b;
    }
}

impl SubAssign for Fr {
    fn sub_assign(&mut self, b: Fr) {
        *self = *self - b;
    }
}

impl MulAssign for Fr {
    fn mul_assign(&mut self, b: Fr) {
        *self = *self * b;
    }
}

impl ConstantTimeEq for Fr {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0[..].ct_eq(&other.0[..])
    }
}

impl Default for Fr {
    fn default() -> Self {
        Fr::ZERO
    }
}

impl fmt::Debug for Fr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Fr(0x")?;
        self.to_bytes().iter().rev().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

impl DefaultIsZeroes for Fr {}

//! The Seraphis composition proof: a Schnorr-like proof that linking tags belong to keys.
//!
//! For q keys K_i = x_i·G + y_i·X + z_i·U and tags KI_i = (z_i/y_i)·U the prover knows all x_i (which may be zero), y_i and
//! z_i. One proof for each input of a transaction has q = 1, a merged one q = the number of inputs. Bytes, challenges and
//! generators are those of branch `seraphis_perf` of `seraphis-migration/monero` at commit `86b253e`.
//!
//! # The equations
//! T_i = (1/y_i)·K_i is transmitted as T_i/8; W_i = T_i − X − KI_i must be a multiple of G. With Hs(b) = Keccak-256(b) mod l:
//!
//! * μ_a = Hs(Hs("seraphis composition proof transcript") | message | all T_i/8 | all KI_i), μ_b = Hs(μ_a),
//!   h = Hs(μ_b | all K_i)
//! * V_a = r_a·G + c·Σ μ_a^i·W_i, V_b = r_b·U + c·Σ μ_b^i·KI_i, V_i = r_i·K_i + c·T_i
//! * c = Hs(h | V_a | V_b | all V_i)
//!
//! The challenge is a hash of the sums, so proofs don't fold into one sum: those of a batch are computed side by side.
//! Sums use integers: scalars below l, as transmitted, on points as they are.
//!
//! # What differs from the reference
//! (`docs/differences.md` names the rules, for all the study's proofs and transactions.)
//!
//! | | reference | here |
//! |---|---|---|
//! | r_b not below l | accepted, so every proof has a second form | refused, as are the other responses |
//! | r_b = 0 | accepted | refused |
//! | tag outside the subgroup of prime order | left to the caller | refused |
//!
//! K_i may have a small-order part, which nothing here depends on but the hash.
//! With feature `reference_unsound`, `verify_reference_unsound` answers as the reference does.

mod error;
#[cfg(any(test, feature = "rand_core"))]
mod prove;
#[cfg(test)]
mod tests;
mod verify;

use alloc::vec::Vec;

use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint};

pub use error::{BatchError, Field, ParseError, ProveError, VerifyError};
#[cfg(feature = "rand_core")]
pub use prove::prove;
#[cfg(feature = "reference_unsound")]
pub use verify::verify_reference_unsound;
pub(crate) use verify::{Rules, verdicts};
pub use verify::{verify, verify_batch, verify_each};

/// The most keys of one proof.
pub const MAX_KEYS: usize = 256;

/// X, 8·map(K(K("seraphis X"))), encoded.
pub const X: CompressedEdwardsY = CompressedEdwardsY([
    0x40, 0x17, 0xa1, 0x26, 0x18, 0x1c, 0x34, 0xb0, 0x77, 0x4d, 0x59, 0x05, 0x23, 0xa0, 0x83, 0x46, 0xbe, 0x4f, 0x42,
    0x34, 0x8e, 0xdd, 0xd5, 0x0e, 0xb7, 0xa4, 0x41, 0xb5, 0x71, 0xb2, 0xb6, 0x13,
]);

/// U, 8·map(K(K("seraphis U"))), encoded.
pub const U: CompressedEdwardsY = CompressedEdwardsY([
    0x12, 0x65, 0x82, 0xdf, 0xc3, 0x57, 0xb1, 0x0e, 0xcb, 0x0c, 0xe0, 0xf1, 0x2c, 0x26, 0x35, 0x9f, 0x53, 0xc6, 0x4d,
    0x49, 0x00, 0xb7, 0x69, 0x6c, 0x2c, 0x4b, 0x3f, 0x7d, 0xca, 0xb7, 0xf7, 0x30,
]);

pub(crate) fn x_base() -> EdwardsPoint {
    X.decompress_strict().expect("a constant that is a point")
}

pub(crate) fn u_base() -> EdwardsPoint {
    U.decompress_strict().expect("a constant that is a point")
}

/// The transmitted parts of a proof, as bytes. Nothing about them is checked before verification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CompositionProof {
    /// c, the challenge.
    pub c: [u8; 32],
    /// r_a, a scalar, as are `r_b` and `r`.
    pub r_a: [u8; 32],
    /// r_b
    pub r_b: [u8; 32],
    /// r_i, one for each key.
    pub r: Vec<[u8; 32]>,
    /// T_i/8, one for each key.
    pub t: Vec<[u8; 32]>,
}

impl CompositionProof {
    /// Bytes of a proof of this many keys.
    pub const fn size(keys: usize) -> usize {
        32 * (3 + 2 * keys)
    }

    /// c, r_a, r_b, all r_i, all T_i/8, for this many keys.
    ///
    /// # Errors
    /// The number of bytes is not [`size`](CompositionProof::size), or the number of keys not 1 to [`MAX_KEYS`].
    pub fn from_bytes(keys: usize, bytes: &[u8]) -> Result<CompositionProof, ParseError> {
        let (parts, rest) = bytes.as_chunks::<32>();
        if keys == 0 || keys > MAX_KEYS || !rest.is_empty() || bytes.len() != Self::size(keys) {
            return Err(ParseError { found: bytes.len(), keys });
        }
        let (r, t) = parts[3..].split_at(keys);
        Ok(CompositionProof { c: parts[0], r_a: parts[1], r_b: parts[2], r: r.to_vec(), t: t.to_vec() })
    }

    /// The bytes that [`from_bytes`](CompositionProof::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = [self.c, self.r_a, self.r_b];
        [head.as_flattened(), self.r.as_flattened(), self.t.as_flattened()].concat()
    }
}

/// What is claimed: each tag belongs to the key of the same index.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// What the proof signs.
    pub message: [u8; 32],
    /// K
    pub keys: &'a [[u8; 32]],
    /// KI
    pub tags: &'a [[u8; 32]],
    /// The proof.
    pub proof: &'a CompositionProof,
}

/// The secrets of one key x·G + y·X + z·U; y and z are not zero.
#[derive(Clone, Copy)]
pub struct Secrets {
    /// x
    pub x: Scalar,
    /// y
    pub y: Scalar,
    /// z
    pub z: Scalar,
}

impl core::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl zeroize::DefaultIsZeroes for Secrets {}

impl Default for Secrets {
    fn default() -> Secrets {
        Secrets { x: Scalar::ZERO, y: Scalar::ZERO, z: Scalar::ZERO }
    }
}

impl Secrets {
    /// x·G + y·X + z·U. Constant-time.
    pub fn key(&self) -> EdwardsPoint {
        let scalars = zeroize::Zeroizing::new([self.y, self.z]);
        let rest = crate::msm::constant_time(&*scalars, &[x_base(), u_base()]).expect("two of each");
        EdwardsPoint::mul_base(&self.x) + rest
    }

    /// The tag (z/y)·U. Constant-time.
    pub fn tag(&self) -> EdwardsPoint {
        let ratio = zeroize::Zeroizing::new(self.z * self.y.invert());
        *ratio * u_base()
    }
}

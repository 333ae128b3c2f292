//! Triptych (Noether and Goodell, ePrint 2020/018) on ed25519, as in the Seraphis research code.
//!
//! A ring has N = n^m members, each a key M_k and a commitment P_k, and there is one *offset* C. The prover knows an index t
//! and scalars r, s with M_t = r·G, P_t − C = s·G and the *linking tag* J = (1/r)·U. Bytes, challenges and generators are those
//! of branch `seraphis_perf` of `seraphis-migration/monero` at commit `86b253e`.
//!
//! # The equations
//! Com(V; z) = z·H + Σ V·HT over the cells of a matrix, f_(j,0) = x − Σ_(i≥1) f_(j,i), t_k = Π_j f_(j,k_j), hatted points count eight
//! times, and with Hs(b) = Keccak-256(b) mod l:
//!
//! * μ = Hs(Hs("triptych transcript") | message | M_0 | P_0 | M_1 | P_1 … | C | J | K | A | B | C' | D), x = Hs(μ | X_0 | Y_0 | …)
//! * A + x·B = Com(f; z_A), D + x·C' = Com(f·(x − f); z_C)
//! * Σ_k t_k·(M_k + μ·(P_k − C)) − Σ_j x^j·X_j = z·G
//! * Σ_k t_k·(U + μ·K) − Σ_j x^j·Y_j = z·J
//!
//! As in [`grootle`](super::grootle), Σ_k t_k is x^m, and the sum of a batch is multiplied by the cofactor before it is
//! compared with the identity.
//!
//! # What differs from the reference
//! (`docs/differences.md` names the rules, for all the study's proofs and transactions.)
//!
//! | | reference | here |
//! |---|---|---|
//! | ring member or offset with a small-order part | verdict as the random weights fall | the part counts for nothing |
//! | tag outside the subgroup of prime order | left to the caller | refused |
//! | n and m | from the proof | fixed by the caller in a [`Shape`] |
//! | batches | rings one by one | one sum for all |
//!
//! [`tari`] is another protocol of that name, on Ristretto.
//!
//! With feature `reference_unsound`, `reference_unsound` answers as the reference does.

mod equation;
mod error;
mod generators;
#[cfg(any(test, feature = "rand_core"))]
mod prove;
#[cfg(feature = "reference_unsound")]
pub mod reference_unsound;
pub mod tari;
#[cfg(test)]
mod tests;
mod verify;

use alloc::vec::Vec;

use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint};
use crate::proofs::accumulator;
use crate::proofs::one_of_many::Shape;

pub use crate::proofs::one_of_many::ParseError;
pub use error::{Field, List, ProveError, VerifyError};
pub use generators::Generators;
#[cfg(feature = "rand_core")]
pub use prove::prove;
pub use verify::{Claim, Item, verify, verify_batch};

/// Why a batch was refused.
pub type BatchError = accumulator::BatchError<VerifyError>;

/// A batch that grows as proofs come. Proofs of all shapes may be mixed.
pub type Accumulator = accumulator::Accumulator<&'static Generators>;

/// U, 8·map(K(K("triptych U"))), encoded.
pub const U: CompressedEdwardsY = CompressedEdwardsY([
    0x59, 0xa7, 0x7c, 0x58, 0x14, 0x39, 0x7f, 0xce, 0x62, 0x09, 0xe4, 0x53, 0x85, 0xf2, 0xd1, 0xcc, 0x53, 0x6f, 0xee,
    0x1d, 0xee, 0x20, 0x4d, 0x67, 0x6b, 0xcc, 0x5f, 0x80, 0x40, 0x7d, 0x40, 0x01,
]);

pub(crate) fn u_base() -> EdwardsPoint {
    U.decompress_strict().expect("a constant that is a point")
}

/// The transmitted parts of a proof, as bytes. Nothing about them is checked before verification.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Proof {
    /// K, a point divided by 8, as are all points of the proof.
    pub k: [u8; 32],
    /// A
    pub a: [u8; 32],
    /// B
    pub b: [u8; 32],
    /// C
    pub c: [u8; 32],
    /// D
    pub d: [u8; 32],
    /// X: m points.
    pub x: Vec<[u8; 32]>,
    /// Y: m points.
    pub y: Vec<[u8; 32]>,
    /// Columns 1 to n − 1 of the m rows of f, row by row: scalars.
    pub f: Vec<[u8; 32]>,
    /// z_A, a scalar, as are `z_c` and `z`.
    pub z_a: [u8; 32],
    /// z_C
    pub z_c: [u8; 32],
    /// z
    pub z: [u8; 32],
}

impl Proof {
    /// Bytes of a proof: 32·(8 + 2·m + m·(n − 1)).
    ///
    /// ```
    /// use curve25519_lanes::proofs::{one_of_many::Shape, triptych::Proof};
    /// assert_eq!(Proof::size(&Shape::new(2, 7)?), 32 * 29);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn size(shape: &Shape) -> usize {
        32 * (8 + 2 * shape.m() + shape.sent_cells())
    }

    /// K, A, B, C, D, X, Y, f, z_A, z_C, z, without any counts.
    ///
    /// # Errors
    /// The number of bytes is not [`size`](Proof::size).
    pub fn from_bytes(shape: &Shape, bytes: &[u8]) -> Result<Proof, ParseError> {
        let (parts, rest) = bytes.as_chunks::<32>();
        let expected = Proof::size(shape);
        if !rest.is_empty() || bytes.len() != expected {
            return Err(ParseError { found: bytes.len(), expected });
        }
        let m = shape.m();
        let ([k, a, b, c, d], rest) = parts.split_first_chunk().expect("counted");
        let (rest, [z_a, z_c, z]) = rest.split_last_chunk().expect("counted");
        let (x, rest) = rest.split_at(m);
        let (y, f) = rest.split_at(m);
        Ok(Proof {
            k: *k,
            a: *a,
            b: *b,
            c: *c,
            d: *d,
            x: x.to_vec(),
            y: y.to_vec(),
            f: f.to_vec(),
            z_a: *z_a,
            z_c: *z_c,
            z: *z,
        })
    }

    /// The bytes that [`from_bytes`](Proof::from_bytes) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = [self.k, self.a, self.b, self.c, self.d];
        let tail = [self.z_a, self.z_c, self.z];
        [&head[..], &self.x, &self.y, &self.f, &tail].concat().into_flattened()
    }
}

/// What is claimed: the prover knows the secret key of a member, and its commitment opens to zero less the offset.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The ring. Nothing in the transcript says what n and m are, so the caller fixes them.
    pub shape: Shape,
    /// What the proof signs.
    pub message: [u8; 32],
    /// M_0, P_0, M_1, P_1, …
    pub ring: &'a [[u8; 32]],
    /// C, the offset.
    pub offset: [u8; 32],
    /// J, the linking tag: as it is, not divided by 8.
    pub tag: [u8; 32],
    /// The proof.
    pub proof: &'a Proof,
}

/// What the prover knows.
#[derive(Clone, Copy)]
pub struct Witness {
    /// The index t of the member.
    pub index: usize,
    /// r, with M_t = r·G; not zero.
    pub key: Scalar,
    /// s, with P_t − C = s·G.
    pub commitment: Scalar,
}

impl Witness {
    /// The linking tag J = (1/r)·U. Constant-time.
    pub fn tag(&self) -> EdwardsPoint {
        let inverse = zeroize::Zeroizing::new(self.key.invert());
        *inverse * u_base()
    }
}

impl core::fmt::Debug for Witness {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Witness").finish_non_exhaustive()
    }
}

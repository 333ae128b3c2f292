//! Grootle: one-of-many proofs over rings of points or of tuples of points (Groth and Kohlweiss; Bootle et al.; with the
//! two bit commitments of MatRiCT, ePrint 2019/1287, section 1.3), as in the Seraphis research code.
//!
//! A ring has N = n^m members, each a tuple of q points S_(k,0) … S_(k,q−1), and there are q *offsets* O_a. The prover knows
//! an index t and scalars s_a with S_(t,a) − O_a = s_a·G for every a. Two forms:
//!
//! * [`Form::Concise`] folds the q keys with powers of a challenge: one list X of m points and one response, whatever q.
//! * [`Form::Plain`] has a list X and a response for every key.
//!
//! Bytes, challenges and generators are those of branch `seraphis_perf` of `seraphis-migration/monero` at commit
//! `86b253e`; what is accepted differs where its verifier is weak (below).
//!
//! # The equations
//! With f_(j,0) = x − Σ_(i≥1) f_(j,i), t_k = Π_j f_(j,k_j), where k_j is the j-th digit of k, and every hatted point counting
//! eight times:
//!
//! * A + x·B = z_A·G + Σ f·HA + Σ f·(x − f)·HB
//! * concise: Σ_k t_k·Σ_a μ^a·(S_(k,a) − O_a) − Σ_j x^j·X_j = z·G; plain: the same for every a, without μ, with X_(a,j) and z_a
//!
//! Each equation has a weight of its own in the batch. Σ_k t_k is x^m whatever f, so an offset's scalar needs no sum; the t_k
//! are a tree of products (N multiplications a key); the scalars of all proofs of the batch add up on the generators.
//!
//! # Where the factor 8 stands
//! A, B and X are transmitted as P/8 and count eight times. Ring and offsets are raw, may carry a small-order part, and are
//! multiplied by weights mod l, which on such a part mean nothing. So the sum of a batch is multiplied by the cofactor
//! before it is compared with the identity: small-order parts count for nothing, whatever the weights, and the verdict is
//! repeatable. Whoever needs an offset in the subgroup of prime order checks that beside the proof. An offset may be the
//! identity, a claim about the ring's points themselves; transactions refuse it.
//!
//! # What differs from the reference
//! (`docs/differences.md` names the rules, for all the study's proofs and transactions.)
//!
//! | | reference | here |
//! |---|---|---|
//! | ring member or offset with a small-order part | verdict as the random weights fall | the part counts for nothing |
//! | weights between the keys of plain proofs | 2 bytes | 16 bytes, and of the whole batch |
//! | n, m and q | from the proof, of the first proof in a batch | fixed by the caller in a [`System`], each proof its own |
//!
//! With feature `reference_unsound`, `reference_unsound` answers as the reference does.
//!
//! ```
//! # #[cfg(feature = "rand_core")]
//! # {
//! use curve25519_lanes::proofs::grootle::{self, Form, Statement, System, Witness};
//! use curve25519_lanes::{EdwardsPoint, Scalar};
//! # struct Counter(u64);
//! # impl rand_core::TryRng for Counter {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { self.0 += 1; Ok(self.0 as u32) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { self.0 += 1; Ok(self.0) }
//! #     fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
//! #         self.0 += 1; out.fill(self.0 as u8); Ok(())
//! #     }
//! # }
//! # impl rand_core::TryCryptoRng for Counter {}
//! # let mut rng = Counter(0); // any cryptographic generator
//! // Four members of one point each; the third is known to be the offset plus 5·G.
//! let system = System::new(Form::Concise, 2, 2, 1)?;
//! let point = |k: u64| EdwardsPoint::mul_base(&Scalar::from(k)).compress().0;
//! let ring = [point(11), point(12), point(105), point(14)];
//! let offsets = [point(100)];
//! let witness = Witness { index: 2, secrets: &[Scalar::from(5u64)] };
//! let proof = system.prove(&[7; 32], &ring, &offsets, &witness, &mut rng)?;
//!
//! let received = grootle::Proof::from_bytes(&system, &proof.to_bytes())?;
//! let statement = Statement { system, message: [7; 32], ring: &ring, offsets: &offsets, proof: &received };
//! grootle::verify(&statement)?;
//! grootle::verify_batch(&[statement; 5])?; // much less than five times the work, for small rings
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod equation;
mod error;
mod generators;
#[cfg(any(test, feature = "rand_core"))]
mod prove;
#[cfg(feature = "reference_unsound")]
pub mod reference_unsound;
#[cfg(test)]
mod tests;
mod transcript;
mod verify;
mod wire;

use crate::field::scalar::Scalar;
use crate::proofs::accumulator;
use crate::proofs::one_of_many::Shape;

pub use crate::proofs::one_of_many::ParseError;
pub use error::{Field, List, ProveError, SystemError, VerifyError};
pub use generators::Generators;
pub(crate) use generators::family;
pub use verify::{Claim, Item, verify, verify_batch};
pub use wire::Proof;

/// The most points a member of a ring.
pub const MAX_KEYS: usize = 16;

/// Why a batch was refused.
pub type BatchError = accumulator::BatchError<VerifyError>;

/// A batch that grows as proofs come. Proofs of all [`System`]s may be mixed.
pub type Accumulator = accumulator::Accumulator<&'static Generators>;

/// Which of the two proofs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The keys folded into one.
    Concise,
    /// Every key by itself.
    Plain,
}

/// The parameters of a proof. Nothing in a transcript says what they were (2^6 = 4^3 members look alike), so they are
/// fixed by whoever verifies, and never read from the proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct System {
    form: Form,
    shape: Shape,
    keys: usize,
}

impl System {
    /// Rings of n^m members of `keys` points each.
    ///
    /// # Errors
    /// A shape that [`Shape::new`] refuses, or a number of keys that isn't 1 to [`MAX_KEYS`].
    pub fn new(form: Form, n: usize, m: usize, keys: usize) -> Result<System, SystemError> {
        let shape = Shape::new(n, m).map_err(SystemError::Shape)?;
        if keys == 0 || keys > MAX_KEYS {
            return Err(SystemError::Keys(keys));
        }
        Ok(System { form, shape, keys })
    }

    /// The form of the proof.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The ring.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// q, the points of a member.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// The lists X, and the responses z: one, or one a key.
    pub(crate) fn lists(&self) -> usize {
        match self.form {
            Form::Concise => 1,
            Form::Plain => self.keys,
        }
    }
}

/// What is claimed: the prover knows a member of the ring and, for each of its points, the discrete logarithm to G of
/// that point less its offset.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'a> {
    /// The parameters.
    pub system: System,
    /// What the proof signs.
    pub message: [u8; 32],
    /// The points of the first member, then of the second, ….
    pub ring: &'a [[u8; 32]],
    /// One for each point of a member.
    pub offsets: &'a [[u8; 32]],
    /// The proof.
    pub proof: &'a Proof,
}

/// What the prover knows.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The index t of the member.
    pub index: usize,
    /// s_a with S_(t,a) − O_a = s_a·G, one for each point of a member.
    pub secrets: &'a [Scalar],
}

impl core::fmt::Debug for Witness<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Witness").finish_non_exhaustive()
    }
}

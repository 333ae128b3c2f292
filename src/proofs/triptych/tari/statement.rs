//! What is claimed, and what its prover knows.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::error::{Field, StatementError};
use super::parameters::{Form, Parameters};
use super::transcript::digest;
use crate::field::scalar::Scalar;
use crate::group::{RistrettoPoint, try_decompress_batch_ristretto};

/// A ring, decoded and hashed. Cheap to clone, and clones share it; proofs over one ring cost much less in a batch than
/// proofs over as many rings.
#[derive(Clone)]
pub struct InputSet(Arc<Ring>);

struct Ring {
    parameters: Parameters,
    /// M of each key given, then M1 in the parallel form.
    points: Vec<RistrettoPoint>,
    /// The encodings of M1.
    auxiliary: Vec<[u8; 32]>,
    hash: [u8; 32],
}

/// The encoding of the identity.
const IDENTITY: [u8; 32] = [0; 32];

impl InputSet {
    /// A ring of n^m keys M; in the parallel form with as many auxiliary keys M1, else with none. Decodes them all.
    ///
    /// # Errors
    /// Another number of keys, or one that is no encoding or the identity. An auxiliary key may be the identity.
    pub fn new(parameters: &Parameters, keys: &[[u8; 32]], auxiliary: &[[u8; 32]]) -> Result<InputSet, StatementError> {
        if keys.len() != parameters.ring_size() {
            return Err(StatementError::Keys { found: keys.len(), ring: parameters.ring_size() });
        }
        InputSet::padded(parameters, keys, auxiliary)
    }

    /// A ring of up to n^m keys, one at least, filled up with the last one. It is another ring than the one with these keys
    /// written out. Takes time and memory for all n^m, so the parameters are nothing to read from a stranger.
    ///
    /// # Errors
    /// As [`new`](InputSet::new).
    pub fn padded(
        parameters: &Parameters,
        keys: &[[u8; 32]],
        auxiliary: &[[u8; 32]],
    ) -> Result<InputSet, StatementError> {
        let (count, ring) = (keys.len(), parameters.ring_size());
        if count == 0 || count > ring {
            return Err(StatementError::Keys { found: count, ring });
        }
        let expected = count * (parameters.form().width() - 1);
        if auxiliary.len() != expected {
            return Err(StatementError::AuxiliaryKeys { found: auxiliary.len(), expected });
        }
        if let Some(i) = keys.iter().position(|key| *key == IDENTITY) {
            return Err(StatementError::IdentityKey(i));
        }
        let decoded = try_decompress_batch_ristretto(&[keys, auxiliary].concat());
        if let Some(i) = decoded.iter().position(Option::is_none) {
            let field = if i < count { Field::Key(i) } else { Field::AuxiliaryKey(i - count) };
            return Err(StatementError::Point(field));
        }

        // Below 2^32, as the ring is.
        let unpadded = (count as u32).to_le_bytes();
        let mut parts: Vec<(&[u8], &[u8])> = Vec::with_capacity(1 + ring * parameters.form().width());
        parts.push((b"unpadded_size", &unpadded));
        for (label, list) in [(&b"M"[..], keys), (b"M1", auxiliary)] {
            let Some(last) = list.last() else { continue };
            parts.extend(list.iter().chain(core::iter::repeat(last)).take(ring).map(|key| (label, &key[..])));
        }
        let hash = digest(parameters.form(), b"input set", &parts);
        Ok(InputSet(Arc::new(Ring {
            parameters: parameters.clone(),
            points: decoded.into_iter().flatten().collect(),
            auxiliary: auxiliary.to_vec(),
            hash,
        })))
    }

    /// What it is a ring of.
    pub fn parameters(&self) -> &Parameters {
        &self.0.parameters
    }

    /// The keys M, without those the ring is filled up with.
    pub fn keys(&self) -> &[RistrettoPoint] {
        &self.0.points[..self.given()]
    }

    /// The auxiliary keys M1; none in the single form.
    pub fn auxiliary_keys(&self) -> &[RistrettoPoint] {
        &self.0.points[self.given()..]
    }

    /// The number of keys given.
    pub(super) fn given(&self) -> usize {
        self.0.points.len() / self.0.parameters.form().width()
    }

    /// M of each key given, then M1 in the parallel form.
    pub(super) fn points(&self) -> &[RistrettoPoint] {
        &self.0.points
    }

    /// What rings of equal meaning agree in.
    pub(super) fn identity(&self) -> (&[u8; 32], &[u8; 32]) {
        (self.0.parameters.hash(), &self.0.hash)
    }
}

impl PartialEq for InputSet {
    fn eq(&self, other: &InputSet) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for InputSet {}

impl fmt::Debug for InputSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputSet").field("parameters", self.parameters()).field("keys", &self.given()).finish()
    }
}

/// A claim: somebody knows the secret of a key of the ring, whose linking tag is J.
#[derive(Clone, PartialEq, Eq)]
pub struct Statement {
    inputs: InputSet,
    offset: Option<[u8; 32]>,
    tag: [u8; 32],
    hash: [u8; 32],
}

impl Statement {
    /// A statement of the single form: M_l = r·G and r·J = U for some l.
    ///
    /// J is decoded when the proof is verified, with all points of the batch.
    ///
    /// # Errors
    /// The ring is of the parallel form.
    pub fn single(inputs: &InputSet, tag: [u8; 32]) -> Result<Statement, StatementError> {
        Statement::new(inputs, None, tag)
    }

    /// A statement of the parallel form: as [`single`](Statement::single), and M1_l − offset = r1·G1 for the same l.
    ///
    /// # Errors
    /// The ring is of the single form, or the offset is an auxiliary key.
    pub fn parallel(inputs: &InputSet, offset: [u8; 32], tag: [u8; 32]) -> Result<Statement, StatementError> {
        Statement::new(inputs, Some(offset), tag)
    }

    fn new(inputs: &InputSet, offset: Option<[u8; 32]>, tag: [u8; 32]) -> Result<Statement, StatementError> {
        let form = inputs.parameters().form();
        if offset.is_some() != (form == Form::Parallel) {
            return Err(StatementError::Form);
        }
        if let Some(i) = inputs.0.auxiliary.iter().position(|key| Some(*key) == offset) {
            return Err(StatementError::OffsetKey(i));
        }
        let (parameters, input_set) = inputs.identity();
        let mut parts: Vec<(&[u8], &[u8])> = Vec::from([(&b"params"[..], &parameters[..]), (b"input_set", input_set)]);
        parts.extend(offset.iter().map(|offset| (&b"offset"[..], &offset[..])));
        parts.push((b"J", &tag));
        let hash = digest(form, b"statement", &parts);
        Ok(Statement { inputs: inputs.clone(), offset, tag, hash })
    }

    /// The ring.
    pub fn inputs(&self) -> &InputSet {
        &self.inputs
    }

    /// The offset; none in the single form.
    pub fn offset(&self) -> Option<&[u8; 32]> {
        self.offset.as_ref()
    }

    /// The linking tag J.
    pub fn tag(&self) -> &[u8; 32] {
        &self.tag
    }

    pub(super) fn parameters(&self) -> &Parameters {
        self.inputs.parameters()
    }

    pub(super) fn hash(&self) -> &[u8; 32] {
        &self.hash
    }
}

impl fmt::Debug for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Statement");
        debug.field("inputs", &self.inputs).field("offset", &self.offset).field("tag", &self.tag);
        debug.finish_non_exhaustive()
    }
}

/// What the prover knows. Wiped when dropped; not shown by `Debug`.
#[derive(Clone)]
pub struct Witness {
    /// The index l of the key.
    pub index: usize,
    /// r, with M_l = r·G; not zero.
    pub key: Scalar,
    /// r1, with M1_l − offset = r1·G1; in the parallel form only.
    pub auxiliary: Option<Scalar>,
}

impl Witness {
    /// The linking tag J = (1/r)·U. Constant-time; the identity for a key of zero.
    pub fn tag(&self, parameters: &Parameters) -> RistrettoPoint {
        let inverse = zeroize::Zeroizing::new(self.key.invert());
        RistrettoPoint(*inverse * parameters.u().0)
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.index.zeroize();
        self.key.zeroize();
        self.auxiliary.zeroize();
    }
}

impl ZeroizeOnDrop for Witness {}

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Witness").finish_non_exhaustive()
    }
}

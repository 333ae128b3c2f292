//! Secrets: what opens commitments, and what recovery gives back.

use alloc::vec::Vec;
use core::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop};

use super::error::{ParameterError, WitnessError};
use super::parameters::ExtensionDegree;
use crate::field::scalar::Scalar;

/// The value and masks of a commitment. Wiped when dropped; not shown by `Debug`.
#[derive(Clone)]
pub struct CommitmentOpening {
    pub(super) value: u64,
    pub(super) masks: Vec<Scalar>,
}

impl CommitmentOpening {
    /// An opening.
    pub fn new(value: u64, masks: Vec<Scalar>) -> CommitmentOpening {
        CommitmentOpening { value, masks }
    }
}

impl Zeroize for CommitmentOpening {
    fn zeroize(&mut self) {
        self.value.zeroize();
        self.masks.zeroize();
    }
}

impl Drop for CommitmentOpening {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl ZeroizeOnDrop for CommitmentOpening {}

impl fmt::Debug for CommitmentOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommitmentOpening").finish_non_exhaustive()
    }
}

/// The openings of all commitments of a statement.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "rand_core"), allow(dead_code, reason = "read by the prover"))]
pub struct RangeWitness {
    pub(super) openings: Vec<CommitmentOpening>,
    pub(super) degree: ExtensionDegree,
}

impl RangeWitness {
    /// These openings, in the order of the commitments.
    ///
    /// # Errors
    /// There are none, or they differ in their number of masks.
    pub fn init(openings: Vec<CommitmentOpening>) -> Result<RangeWitness, WitnessError> {
        let first = openings.first().ok_or(WitnessError::Empty)?.masks.len();
        let fault = |opening, found| WitnessError::Masks { opening, found };
        let degree = ExtensionDegree::try_from(first).map_err(|_| fault(0, first))?;
        match openings.iter().position(|opening| opening.masks.len() != first) {
            Some(i) => Err(fault(i, openings[i].masks.len())),
            None => Ok(RangeWitness { openings, degree }),
        }
    }
}

/// The masks of a commitment, one for each mask base. Wiped when dropped; not shown by `Debug`.
#[derive(Clone)]
pub struct ExtendedMask(Vec<Scalar>);

impl ExtendedMask {
    /// These masks.
    ///
    /// # Errors
    /// There are not as many as mask bases.
    pub fn assign(degree: ExtensionDegree, masks: Vec<Scalar>) -> Result<ExtendedMask, ParameterError> {
        if masks.len() != degree.count() {
            return Err(ParameterError::Masks { found: masks.len(), limit: degree.count() });
        }
        Ok(ExtendedMask(masks))
    }

    pub(super) fn new(masks: Vec<Scalar>) -> ExtendedMask {
        ExtendedMask(masks)
    }

    /// The masks.
    pub fn blindings(&self) -> &[Scalar] {
        &self.0
    }
}

/// In constant time for masks of equal number.
impl PartialEq for ExtendedMask {
    fn eq(&self, other: &ExtendedMask) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for ExtendedMask {}

impl Drop for ExtendedMask {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for ExtendedMask {}

impl fmt::Debug for ExtendedMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExtendedMask").finish_non_exhaustive()
    }
}

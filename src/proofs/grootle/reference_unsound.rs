//! Verdicts of the Seraphis research code, weaknesses included: for its test vectors and for measuring against it.
//!
//! Not for use on anything that matters. The sum is compared with the identity without the cofactor, so ring members or
//! offsets with a small-order part get a verdict that hangs on the weights; the keys of plain proofs are merged with 2-byte
//! weights, so one in 65 535 proofs that are wrong in one key is accepted.

use alloc::vec;
use alloc::vec::Vec;

use super::verify::Item;
use super::{Form, Generators, Statement, VerifyError};
use crate::field::scalar::{Scalar, ScalarSum};
use crate::group::{EdwardsPoint, try_decompress_batch_strict};
use crate::hash::keccak256;
use crate::msm;

/// The reference's verdict on one proof. Its random weights are a hash of `seed`.
///
/// # Errors
/// The first thing found wrong.
pub fn verify(statement: &Statement<'_>, seed: &[u8; 32]) -> Result<(), VerifyError> {
    let item = Item::new(statement)?;
    let mut points = Vec::with_capacity(item.points().len());
    for (i, point) in try_decompress_batch_strict(item.points()).into_iter().enumerate() {
        points.push(point.ok_or_else(|| VerifyError::Point(item.field(i)))?);
    }
    let hats = 2 + statement.proof.x.len();
    points[..hats].iter_mut().for_each(|point| *point = point.mul_by_cofactor());
    let claim = Item::prepare(vec![(item, points)]).swap_remove(0)?;

    let full = |i: u8| Scalar::from_bytes_mod_order(hash(seed, i));
    let mut weights = vec![full(0), full(1)];
    if statement.system.form() == Form::Plain {
        weights.extend((1..statement.system.keys() as u8).map(|a| full(1) * short_weight(seed, a)));
    }
    let mut bases = vec![ScalarSum::default(); 1 + 2 * claim.instance.cells.len()];
    let mut scalars = Vec::new();
    claim.instance.add(&weights, &Scalar::ONE, &claim.x_inv, &mut bases, &mut scalars);
    scalars.extend(bases.iter().map(ScalarSum::reduce));
    let generators = &Generators::shared().points[..bases.len()];
    let points: Vec<EdwardsPoint> = claim.points.iter().chain(generators).copied().collect();
    let sum = msm::vartime(&scalars, &points).expect("one scalar a point");
    if sum.is_identity().into() { Ok(()) } else { Err(VerifyError::Equation) }
}

fn hash(seed: &[u8; 32], i: u8) -> [u8; 32] {
    keccak256(&[&seed[..], &[i]].concat())
}

/// The weight of a plain proof's key, that of key 0 being 1.
pub(super) fn short_weight(seed: &[u8; 32], key: u8) -> Scalar {
    let bytes = hash(seed, 1 + key);
    Scalar::from(u16::from_le_bytes([bytes[0], bytes[1]]).max(1))
}

//! Verdicts of the Seraphis research code, weaknesses included: for its test vectors and for measuring against it.
//!
//! Not for use on anything that matters. The sum is compared with the identity without the cofactor, so ring members, an
//! offset or a tag with a small-order part get a verdict that hangs on the weights.

use alloc::vec;
use alloc::vec::Vec;

use super::equation::EQUATIONS;
use super::verify::Item;
use super::{Generators, Statement, VerifyError};
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
    let hats = 5 + 2 * statement.shape.m();
    points[..hats].iter_mut().for_each(|point| *point = point.mul_by_cofactor());
    let claim = Item::prepare(vec![(item, points)]).swap_remove(0)?;

    let weight = |i: u8| Scalar::from_bytes_mod_order(keccak256(&[&seed[..], &[i]].concat()));
    let weights: Vec<Scalar> = (0..EQUATIONS as u8).map(weight).collect();
    let mut bases = vec![ScalarSum::default(); 3 + claim.instance.cells.len()];
    let mut scalars = Vec::new();
    claim.instance.add(&weights, &Scalar::ONE, &claim.x_inv, &mut bases, &mut scalars);
    scalars.extend(bases.iter().map(ScalarSum::reduce));
    let generators = &Generators::shared().points[..bases.len()];
    let points: Vec<EdwardsPoint> = claim.points.iter().chain(generators).copied().collect();
    let sum = msm::vartime(&scalars, &points).expect("one scalar a point");
    if sum.is_identity().into() { Ok(()) } else { Err(VerifyError::Equation) }
}

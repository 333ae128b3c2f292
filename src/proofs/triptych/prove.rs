//! The prover.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::equation::{closing, opening};
use super::error::{Field, List, ProveError, VerifyError};
use super::generators::Generators;
use super::{Proof, Witness};
use crate::field::scalar::Scalar;
use crate::field::scalar::disclosed::{disclose, disclosed};
use crate::group::{EdwardsPoint, compress_batch_secret, try_decompress_batch_strict};
use crate::msm;
use crate::proofs::one_of_many::{ATTEMPTS, Shape, bit_cells, eighth, hash_to_scalars, powers, response};

/// Proves that the tag [`Witness::tag`] belongs to a member of the ring, whose commitment opens to zero less the offset.
/// `ring` and `offset` as in [`Statement`](super::Statement).
///
/// Constant-time in the witness. m multiscalar sums over N + 1 points, and one over n·m + 1 for each of A, B, C, D. Draws 64
/// bytes, reduced mod l, for each nonce: those of a, row by row; r_A, r_B, r_C, r_D; those of X and Y.
///
/// # Errors
/// A statement that no proof could make valid, or a witness that doesn't fit it.
#[cfg(feature = "rand_core")]
pub fn prove(
    shape: &Shape,
    message: &[u8; 32],
    ring: &[[u8; 32]],
    offset: &[u8; 32],
    witness: &Witness,
    rng: &mut impl rand_core::CryptoRng,
) -> Result<Proof, ProveError> {
    prove_with(shape, message, ring, offset, witness, &mut || Scalar::random(rng))
}

/// [`prove`] from the nonces.
pub(super) fn prove_with(
    shape: &Shape,
    message: &[u8; 32],
    ring: &[[u8; 32]],
    offset: &[u8; 32],
    witness: &Witness,
    nonce: &mut dyn FnMut() -> Scalar,
) -> Result<Proof, ProveError> {
    let points = decode(shape, ring, offset).map_err(ProveError::Statement)?;
    let (members, offset_point) = (&points[..ring.len()], &points[ring.len()]);
    if disclosed(witness.index >= shape.ring_size()) || disclosed(witness.key.is_zero().unwrap_u8()) != 0 {
        return Err(ProveError::Witness);
    }
    // A statement may carry small-order parts, which count for nothing.
    let member = shape.select(members, 2, witness.index);
    let key = Zeroizing::new(EdwardsPoint::mul_base(&witness.key) - member[0]);
    let commitment = Zeroizing::new(EdwardsPoint::mul_base(&witness.commitment) + offset_point - member[1]);
    if disclosed((key.is_small_order() & commitment.is_small_order()).unwrap_u8()) == 0 {
        return Err(ProveError::Witness);
    }
    for _ in 0..ATTEMPTS {
        if let Some(proof) = attempt(shape, message, ring, offset, members, witness, nonce) {
            return Ok(proof);
        }
    }
    Err(ProveError::Randomness)
}

/// One proof, unless a number comes out that the verifier refuses.
fn attempt(
    shape: &Shape,
    message: &[u8; 32],
    ring: &[[u8; 32]],
    offset: &[u8; 32],
    members: &[EdwardsPoint],
    witness: &Witness,
    nonce: &mut dyn FnMut() -> Scalar,
) -> Option<Proof> {
    let m = shape.m();
    let sigma = shape.indicator(witness.index);
    let a = shape.blinding(nonce);
    let masks = Zeroizing::new([nonce(), nonce(), nonce(), nonce()]);
    let rho = Zeroizing::new((0..m).map(|_| nonce()).collect::<Vec<_>>());
    let [r_a, r_b, r_c, r_d] = &*masks;

    let bases = &Generators::shared().points;
    let cells: Vec<EdwardsPoint> = [&bases[1..2], &bases[3..3 + shape.cells()]].concat();
    let matrices = bit_cells(&sigma, &a);
    let commit = |mask: &Scalar, matrix: usize| {
        let mut scalars = Zeroizing::new(Vec::with_capacity(cells.len()));
        scalars.push(*mask);
        scalars.extend_from_slice(&matrices[matrix]);
        eighth(&mut scalars, &cells)
    };
    let tag = witness.tag();
    let tag_secret = Zeroizing::new(witness.commitment * Scalar::INV_EIGHT);
    let head = [*tag_secret * tag, commit(r_a, 0), commit(r_b, 1), commit(r_c, 2), commit(r_d, 3)];
    let head = compress_batch_secret(&head);
    let tag_bytes = disclosed(tag.compress().0);
    disclose(&head);
    let nothing = alloc::vec![[0; 32]; 2 * m];
    let all = [&head[..], &nothing, ring, &[*offset, tag_bytes]].concat();
    let mu = hash_to_scalars(&[opening(shape, message, &all)])[0];

    // The p_k of a power sum to zero over the ring, so the offset drops out of X, and U and K out of Y.
    let commitments: Vec<EdwardsPoint> = members.iter().skip(1).step_by(2).copied().collect();
    let mut points = Vec::from([EdwardsPoint::BASEPOINT]);
    let folded = msm::same_scalar_vartime(&mu, &commitments);
    points.extend(members.iter().step_by(2).zip(&folded).map(|(key, commitment)| key + commitment));
    let p = shape.polynomials(&sigma, &a);
    let mut x_points = Vec::with_capacity(m);
    for (p, rho) in p.iter().zip(rho.iter()) {
        let mut scalars = Zeroizing::new(Vec::with_capacity(points.len()));
        scalars.push(*rho);
        scalars.extend_from_slice(p);
        x_points.push(eighth(&mut scalars, &points));
    }
    let rho_eighths = Zeroizing::new(rho.iter().map(|rho| rho * Scalar::INV_EIGHT).collect::<Vec<_>>());
    let y_points = msm::mul_batch(&rho_eighths, &alloc::vec![tag; m]).expect("one scalar a point");
    let (x_bytes, y_bytes) = (compress_batch_secret(&x_points), compress_batch_secret(&y_points));
    [&x_bytes, &y_bytes].into_iter().for_each(|sent| disclose(sent));
    let x = hash_to_scalars(&[closing(&mu, &x_bytes, &y_bytes)])[0];
    if mu == Scalar::ZERO || x == Scalar::ZERO {
        return None;
    }

    let x_powers = powers(&x, m);
    let f = shape.sent(&matrices[1], &a, &x);
    disclose(&f);
    shape.complete(&x, &f).ok()?;
    let (z_a, z_c) = (r_b * x + r_a, r_c * x + r_d);
    let secret = Zeroizing::new(witness.key + mu * witness.commitment);
    let z = response(&secret, &rho, &x_powers);
    let [z_a, z_c, z] = disclosed([z_a, z_c, z]);
    if [z_a, z_c, z].contains(&Scalar::ZERO) {
        return None;
    }
    Some(Proof {
        k: head[0],
        a: head[1],
        b: head[2],
        c: head[3],
        d: head[4],
        x: x_bytes,
        y: y_bytes,
        f: f.iter().map(Scalar::to_bytes).collect(),
        z_a: z_a.to_bytes(),
        z_c: z_c.to_bytes(),
        z: z.to_bytes(),
    })
}

/// The points of the ring, and the offset.
fn decode(shape: &Shape, ring: &[[u8; 32]], offset: &[u8; 32]) -> Result<Vec<EdwardsPoint>, VerifyError> {
    let (found, expected) = (ring.len(), 2 * shape.ring_size());
    if found != expected {
        return Err(VerifyError::Length { list: List::Ring, found, expected });
    }
    let points = try_decompress_batch_strict(&[ring, &[*offset]].concat());
    if let Some(at) = points.iter().position(Option::is_none) {
        return Err(VerifyError::Point(match at {
            _ if at == ring.len() => Field::Offset,
            _ if at % 2 == 0 => Field::Key(at / 2),
            _ => Field::Commitment(at / 2),
        }));
    }
    Ok(points.into_iter().flatten().collect())
}

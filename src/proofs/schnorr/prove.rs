//! The prover.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::error::ProveError;
use super::verify::{challenges, last_challenges};
use super::{CompositionProof, MAX_KEYS, Secrets, u_base};
use crate::field::scalar::Scalar;
use crate::field::scalar::disclosed::{disclose, disclosed};
use crate::group::{EdwardsPoint, compress_batch_secret};
use crate::msm;

/// Attempts before the random source is given up. One suffices but for a chance of about 2^−250.
const ATTEMPTS: usize = 8;

/// Proves that the tags [`Secrets::tag`] belong to the keys [`Secrets::key`], in this order.
///
/// Constant-time in the secrets. Draws 64 bytes, reduced mod l, for each nonce: alpha_a, alpha_b, then one a key.
///
/// # Errors
/// No key or too many, or a y or z that is zero.
#[cfg(feature = "rand_core")]
pub fn prove(
    message: &[u8; 32],
    secrets: &[Secrets],
    rng: &mut impl rand_core::CryptoRng,
) -> Result<CompositionProof, ProveError> {
    prove_with(message, secrets, &mut || Scalar::random(rng))
}

/// [`prove`] from the nonces.
pub(super) fn prove_with(
    message: &[u8; 32],
    secrets: &[Secrets],
    nonce: &mut dyn FnMut() -> Scalar,
) -> Result<CompositionProof, ProveError> {
    if secrets.is_empty() || secrets.len() > MAX_KEYS {
        return Err(ProveError::Keys(secrets.len()));
    }
    if secrets.iter().any(|s| disclosed((s.y.is_zero() | s.z.is_zero()).unwrap_u8()) != 0) {
        return Err(ProveError::Witness);
    }
    let mut y_inv = Zeroizing::new(secrets.iter().map(|s| s.y).collect::<Vec<_>>());
    Scalar::batch_invert(&mut y_inv);
    let keys: Vec<EdwardsPoint> = secrets.iter().map(Secrets::key).collect();
    let tags: Vec<EdwardsPoint> = secrets.iter().map(Secrets::tag).collect();
    let eighths = Zeroizing::new(y_inv.iter().map(|y| y * Scalar::INV_EIGHT).collect::<Vec<_>>());
    let t = compress_batch_secret(&msm::mul_batch(&eighths, &keys).expect("one a key"));
    let (key_bytes, tag_bytes) = (compress_batch_secret(&keys), compress_batch_secret(&tags));
    [&t, &key_bytes, &tag_bytes].into_iter().for_each(|sent| disclose(sent));
    let start = challenges(&[(message, [&t, &tag_bytes, &key_bytes])]).swap_remove(0);

    for _ in 0..ATTEMPTS {
        let alpha_a = Zeroizing::new(nonce());
        let alpha_b = Zeroizing::new(nonce());
        let alpha = Zeroizing::new(secrets.iter().map(|_| nonce()).collect::<Vec<_>>());
        let mut v = Vec::from([EdwardsPoint::mul_base(&alpha_a), *alpha_b * u_base()]);
        v.extend(msm::mul_batch(&alpha, &keys).expect("one a key"));
        let v = compress_batch_secret(&v);
        disclose(&v);
        let c = last_challenges(&[(start.message, &v)])[0];

        let (mut r_a, mut r_b, mut r) = (*alpha_a, *alpha_b, Vec::with_capacity(secrets.len()));
        let (mut weight_a, mut weight_b) = (c, c);
        for ((secrets, y_inv), alpha) in secrets.iter().zip(y_inv.iter()).zip(alpha.iter()) {
            r_a -= weight_a * secrets.x * y_inv;
            r_b -= weight_b * secrets.z * y_inv;
            r.push(alpha - c * y_inv);
            weight_a *= start.mu_a;
            weight_b *= start.mu_b;
        }
        disclose(&r);
        let [r_a, r_b] = disclosed([r_a, r_b]);
        if start.has_zero() || [c, r_a, r_b].iter().chain(&r).any(|s| *s == Scalar::ZERO) {
            continue;
        }
        let r = r.iter().map(Scalar::to_bytes).collect();
        return Ok(CompositionProof { c: c.to_bytes(), r_a: r_a.to_bytes(), r_b: r_b.to_bytes(), r, t });
    }
    Err(ProveError::Randomness)
}

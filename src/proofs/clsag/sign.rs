//! The signer.
//!
//! Constant-time in key, mask, nonces and the signer's place in the ring. The chain of challenges starts behind the
//! signer, so the ring is first rotated obliviously, by conditional moves, until the signer comes last; from there on
//! every ring takes the same steps.

use alloc::vec::Vec;
use core::{fmt, mem};

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

use super::error::{Field, SignError};
use super::transcript::{Public, aggregation_factors, key_hashes};
use super::wire::{Clsag, RingMember};
use crate::field::scalar::Scalar;
use crate::field::scalar::disclosed::{disclose, disclosed};
use crate::group::{EdwardsPoint, compress_batch_secret, decompress_batch_strict, monero_hash_to_point_batch};
use crate::msm;

/// What a signer knows. Wiped when dropped.
#[derive(Clone)]
pub struct Witness {
    index: u64,
    key: Scalar,
    mask: Scalar,
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.index.zeroize();
        self.key.zeroize();
        self.mask.zeroize();
    }
}

impl fmt::Debug for Witness {
    /// Nothing of what is inside.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Witness(..)")
    }
}

impl Witness {
    /// The signer's place in the ring, the secret p of its key P = p·G, and the difference z of the masks of its
    /// commitment and the pseudo-output: C − pseudo-output = z·G.
    pub fn new(index: usize, key: Scalar, mask: Scalar) -> Witness {
        Witness { index: index as u64, key, mask }
    }
}

/// Signs, and gives the key image too.
///
/// Constant-time in the witness; about one batch of six scalar multiplications for each ring member. Draws 64 bytes,
/// reduced mod l, for the nonce and then for the response of each ring member in order, the signer's being replaced. The
/// same random bytes give the same signature, so they must never repeat for another message.
///
/// # Errors
/// A witness that doesn't fit the ring, an encoding that is no point.
#[cfg(feature = "rand_core")]
pub fn sign(
    ring: &[RingMember],
    pseudo_out: &[u8; 32],
    message: &[u8; 32],
    witness: &Witness,
    rng: &mut impl rand_core::CryptoRng,
) -> Result<(Clsag, [u8; 32]), SignError> {
    sign_with(ring, pseudo_out, message, witness, &mut || Scalar::random(rng))
}

/// A signature over nonces from elsewhere, for known answers: the nonce, then a response for each ring member. For all
/// else see `sign`, behind feature `rand_core`.
///
/// A nonce that is predictable or comes again gives the key away.
///
/// # Errors
/// A witness that doesn't fit the ring, an encoding that is no point.
pub fn sign_with(
    ring: &[RingMember],
    pseudo_out: &[u8; 32],
    message: &[u8; 32],
    witness: &Witness,
    nonces: &mut dyn FnMut() -> Scalar,
) -> Result<(Clsag, [u8; 32]), SignError> {
    let n = ring.len();
    if disclosed(witness.index >= n as u64) {
        return Err(SignError::Index);
    }
    let mut members = Zeroizing::new(members(ring, pseudo_out)?);
    let own = Zeroizing::new(select(&members, witness.index));
    let [key, mask] = [&witness.key, &witness.mask].map(EdwardsPoint::mul_base);
    if disclosed((!key.ct_eq(&own.key) | witness.key.is_zero()).unwrap_u8()) != 0 {
        return Err(SignError::Key);
    }
    if disclosed((!mask.ct_eq(&own.commitment) | witness.mask.is_zero()).unwrap_u8()) != 0 {
        return Err(SignError::Mask);
    }

    let nonce = Zeroizing::new(nonces());
    let mut responses: Vec<Scalar> = (0..n).map(|_| nonces()).collect();
    let [image, d, second] = products([&witness.key, &witness.mask, &nonce], [&own.base; 3]);
    let first = EdwardsPoint::mul_base(&nonce);
    let [image_bytes, d_bytes, l, r] = encodings([image, Scalar::INV_EIGHT * d, first, second]);

    let public = Public { ring, key_image: &image_bytes, d: &d_bytes, pseudo_out, message };
    let (mu_p, mu_c) = aggregation_factors(&[public])[0];
    let rounds = public.rounds();
    // From here on position k belongs to ring member index + 1 + k mod n.
    for (member, response) in members.iter_mut().zip(&responses) {
        member.response = *response;
    }
    rotate(&mut members, witness.index + 1);
    let mut challenge = rounds.challenge(&l, &r);
    let mut c1 = challenge;
    for (k, member) in members.iter().enumerate() {
        if challenge.is_zero().into() {
            return Err(SignError::ZeroChallenge);
        }
        // Member 0 stands at position n - 1 - index.
        c1.conditional_assign(&challenge, (k as u64).ct_eq(&(n as u64 - 1 - witness.index)));
        if k + 1 < n {
            let (s, p, z) = (&member.response, &(challenge * mu_p), &(challenge * mu_c));
            let points = [&EdwardsPoint::BASEPOINT, &member.key, &member.commitment, &member.base, &image, &d];
            let [sg, pp, zc, sh, pi, zd] = products([s, p, z, s, p, z], points);
            let [l, r] = encodings([sg + pp + zc, sh + pi + zd]);
            challenge = rounds.challenge(&l, &r);
        }
    }
    let secret = Zeroizing::new(mu_p * witness.key + mu_c * witness.mask);
    let response = *nonce - challenge * *secret;
    for (i, s) in responses.iter_mut().enumerate() {
        s.conditional_assign(&response, (i as u64).ct_eq(&witness.index));
    }
    let signature = Clsag { s: responses.iter().map(Scalar::to_bytes).collect(), c1: c1.to_bytes(), d: d_bytes };
    Ok((signature, image_bytes))
}

/// A ring member's points, and its response.
#[derive(Clone, Copy, Default)]
struct Member {
    key: EdwardsPoint,
    /// C less the pseudo-output.
    commitment: EdwardsPoint,
    /// 8·map(K(P))
    base: EdwardsPoint,
    response: Scalar,
}

impl zeroize::DefaultIsZeroes for Member {}

impl ConditionallySelectable for Member {
    fn conditional_select(a: &Self, b: &Self, choice: subtle::Choice) -> Self {
        Member {
            key: EdwardsPoint::conditional_select(&a.key, &b.key, choice),
            commitment: EdwardsPoint::conditional_select(&a.commitment, &b.commitment, choice),
            base: EdwardsPoint::conditional_select(&a.base, &b.base, choice),
            response: Scalar::conditional_select(&a.response, &b.response, choice),
        }
    }
}

/// Decodes and maps the ring. Everything here is public.
fn members(ring: &[RingMember], pseudo_out: &[u8; 32]) -> Result<Vec<Member>, SignError> {
    let mut encodings = alloc::vec![*pseudo_out];
    encodings.extend(ring.iter().flat_map(|member| [member.key, member.commitment]));
    let points = decompress_batch_strict(&encodings).map_err(|error| {
        SignError::Point(match error.index() {
            0 => Field::PseudoOut,
            i if i % 2 == 1 => Field::Key(i / 2),
            i => Field::Commitment(i / 2 - 1),
        })
    })?;
    let bases = monero_hash_to_point_batch(&key_hashes(ring));
    let pairs = points[1..].as_chunks().0;
    let member = |([key, commitment], base): (&[EdwardsPoint; 2], EdwardsPoint)| Member {
        key: *key,
        commitment: *commitment - points[0],
        base,
        response: Scalar::ZERO,
    };
    Ok(pairs.iter().zip(bases).map(member).collect())
}

/// The item of this index; all are read.
fn select<T: ConditionallySelectable + Default>(items: &[T], index: u64) -> T {
    items
        .iter()
        .enumerate()
        .fold(T::default(), |found, (i, item)| T::conditional_select(&found, item, (i as u64).ct_eq(&index)))
}

/// Moves item `by + k` mod n to place `k`; `by` is at most n. A round for each bit of n, in each of which every item moves
/// or every item stays.
fn rotate<T: ConditionallySelectable + Zeroize>(items: &mut Vec<T>, by: u64) {
    let n = items.len();
    for bit in 0..=n.ilog2() {
        let moves = ((by >> bit & 1) as u8).into();
        let moved = (0..n).map(|k| T::conditional_select(&items[k], &items[(k + (1 << bit)) % n], moves)).collect();
        mem::replace(items, moved).zeroize();
    }
}

/// Each scalar times its point, constant-time.
fn products<const N: usize>(scalars: [&Scalar; N], points: [&EdwardsPoint; N]) -> [EdwardsPoint; N] {
    let products = Zeroizing::new(
        msm::mul_batch(&*Zeroizing::new(scalars.map(|s| *s)), &points.map(|p| *p)).expect("equal lengths"),
    );
    core::array::from_fn(|i| products[i])
}

fn encodings<const N: usize>(points: [EdwardsPoint; N]) -> [[u8; 32]; N] {
    let encodings = compress_batch_secret(&points);
    disclose(&encodings);
    core::array::from_fn(|i| encodings[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations() {
        for n in 1..=20u64 {
            for by in 0..=n {
                let mut items: Vec<u64> = (0..n).collect();
                rotate(&mut items, by);
                assert_eq!(items, (0..n).map(|k| (by + k) % n).collect::<Vec<_>>());
            }
            let items: Vec<u64> = (10..10 + n).collect();
            (0..n).for_each(|i| assert_eq!(select(&items, i), 10 + i));
        }
    }
}

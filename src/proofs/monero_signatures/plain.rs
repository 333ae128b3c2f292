//! The plain signature.

use alloc::vec::Vec;

use super::{SignatureError, scalars};
use crate::field::scalar::Scalar;
#[cfg(any(test, feature = "rand_core"))]
use crate::field::scalar::disclosed::disclosed;
#[cfg(any(test, feature = "rand_core"))]
use crate::group::EdwardsPoint;
use crate::group::{compress_batch, try_decompress_batch_strict};
use crate::hash::Keccak256;
use crate::msm;

/// A signature `(c, r)`, or one pair of a ring signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The challenge.
    pub c: [u8; 32],
    /// The response.
    pub r: [u8; 32],
}

/// `Hs(message ‖ P ‖ commitment)`
fn challenge(message: &[u8; 32], public: &[u8; 32], commitment: &[u8; 32]) -> Scalar {
    Scalar::from_bytes_mod_order(Keccak256::new().chain(message).chain(public).chain(commitment).finalize())
}

impl Signature {
    /// From `c ‖ r`.
    pub fn from_bytes(bytes: &[u8; 64]) -> Signature {
        let (halves, _) = bytes.as_chunks();
        Signature { c: halves[0], r: halves[1] }
    }

    /// `c ‖ r`
    pub fn to_bytes(&self) -> [u8; 64] {
        let mut out = [0; 64];
        out[..32].copy_from_slice(&self.c);
        out[32..].copy_from_slice(&self.r);
        out
    }

    /// Signs for the key `secret·G`. Constant-time in `secret`.
    ///
    /// ```
    /// # struct Counter(u64);
    /// # impl rand_core::TryRng for Counter {
    /// #     type Error = core::convert::Infallible;
    /// #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(self.try_next_u64()? as u32) }
    /// #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { self.0 += 1; Ok(self.0) }
    /// #     fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
    /// #         for byte in out { self.0 += 1; *byte = self.0 as u8; }
    /// #         Ok(())
    /// #     }
    /// # }
    /// # impl rand_core::TryCryptoRng for Counter {}
    /// # let mut rng = Counter(0); // Never do this.
    /// use curve25519_lanes::{EdwardsPoint, Scalar, proofs::monero_signatures::Signature};
    /// let secret = Scalar::from(77u64);
    /// let signature = Signature::sign(&[1; 32], &secret, &mut rng);
    /// let public = EdwardsPoint::mul_base(&secret).compress().0;
    /// assert_eq!(signature.verify(&[1; 32], &public), Ok(()));
    /// assert!(signature.verify(&[2; 32], &public).is_err());
    /// ```
    #[cfg(feature = "rand_core")]
    pub fn sign(message: &[u8; 32], secret: &Scalar, rng: &mut impl rand_core::CryptoRng) -> Signature {
        loop {
            if let Some(signature) = Signature::from_nonce(message, secret, Scalar::random(rng)) {
                return signature;
            }
        }
    }

    /// The signature with this nonce, unless `c` or `r` is 0.
    #[cfg(any(test, feature = "rand_core"))]
    fn from_nonce(message: &[u8; 32], secret: &Scalar, mut nonce: Scalar) -> Option<Signature> {
        use zeroize::Zeroize;

        let [public, commitment] = [secret, &nonce].map(|k| disclosed(EdwardsPoint::mul_base(k).compress().0));
        let c = challenge(message, &public, &commitment);
        let r = disclosed(nonce - c * secret);
        nonce.zeroize();
        let zero = c.is_zero() | r.is_zero();
        (!bool::from(zero)).then(|| Signature { c: c.to_bytes(), r: r.to_bytes() })
    }

    /// Whether this is a signature of `message` by the holder of `public`.
    ///
    /// # Errors
    /// [`SignatureError`] if not.
    pub fn verify(&self, message: &[u8; 32], public: &[u8; 32]) -> Result<(), SignatureError> {
        verify_batch(&[(*message, *public, *self)])[0]
    }
}

/// The verdict on each `(message, public key, signature)`. Two scalar multiplications each, a lane each.
pub fn verify_batch(items: &[([u8; 32], [u8; 32], Signature)]) -> Vec<Result<(), SignatureError>> {
    let publics: Vec<[u8; 32]> = items.iter().map(|(_, public, _)| *public).collect();
    let mut verdicts: Vec<Result<(), SignatureError>> = Vec::with_capacity(items.len());
    let (mut whole, mut points, mut cs, mut rs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, ((_, _, signature), point)) in items.iter().zip(try_decompress_batch_strict(&publics)).enumerate() {
        let parts = point.ok_or(SignatureError::PublicKey(0)).and_then(|point| {
            let (c, r) = scalars(signature, 0)?;
            if c == Scalar::ZERO { Err(SignatureError::Challenge(0)) } else { Ok((point, c, r)) }
        });
        verdicts.push(parts.map(|(point, c, r)| {
            whole.push(i);
            points.push(point);
            cs.push(c);
            rs.push(r);
        }));
    }
    let products = msm::mul_batch(&cs, &points).expect("a scalar a point");
    let commitments = compress_batch(&msm::add_base_batch(&products, &rs).expect("a scalar a point"));
    let mut neutral = [0; 32];
    neutral[0] = 1;
    for ((i, commitment), c) in whole.into_iter().zip(&commitments).zip(&cs) {
        let (message, public, _) = &items[i];
        if *commitment == neutral {
            verdicts[i] = Err(SignatureError::Identity);
        } else if challenge(message, public, commitment) != *c {
            verdicts[i] = Err(SignatureError::Equation);
        }
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    #[test]
    fn made_and_checked() {
        let mut random = Random::new(2);
        let mut items = Vec::new();
        for _ in 0..19 {
            let [secret, nonce] = [(); 2].map(|()| Scalar::from_bytes_mod_order(random.bytes()));
            let (message, public) = (random.bytes(), EdwardsPoint::mul_base(&secret).compress().0);
            let signature = Signature::from_nonce(&message, &secret, nonce).unwrap();
            assert_eq!(Signature::from_bytes(&signature.to_bytes()), signature);
            assert_eq!(signature.verify(&message, &public), Ok(()));
            items.push((message, public, signature));
        }
        for byte in 0..128 {
            let mut changed = items[byte % 19];
            match byte / 32 {
                0 => changed.0[byte % 32] ^= 4,
                1 => changed.1[byte % 32] ^= 4,
                2 => changed.2.c[byte % 32] ^= 4,
                _ => changed.2.r[byte % 32] ^= 4,
            }
            let mut batch = items.clone();
            batch[byte % 19] = changed;
            for (i, verdict) in verify_batch(&batch).into_iter().enumerate() {
                assert_eq!(verdict.is_ok(), i != byte % 19, "byte {byte}, item {i}");
            }
            assert!(changed.2.verify(&changed.0, &changed.1).is_err());
        }
        assert!(verify_batch(&[]).is_empty());
    }

    #[test]
    fn edges() {
        let (message, secret) = ([3; 32], Scalar::from(5u64));
        let public = EdwardsPoint::mul_base(&secret).compress().0;
        let good = Signature::from_nonce(&message, &secret, Scalar::from(9u64)).unwrap();
        let verdict = |c: Scalar, r: Scalar| {
            let signature = Signature { c: c.to_bytes(), r: r.to_bytes() };
            signature.verify(&message, &public).unwrap_err()
        };
        // c·P + r·G = 0.
        assert_eq!(verdict(Scalar::ONE, -secret), SignatureError::Identity);
        assert_eq!(verdict(Scalar::ZERO, Scalar::ONE), SignatureError::Challenge(0));
        assert_eq!(Signature { c: [0xff; 32], ..good }.verify(&message, &public), Err(SignatureError::Challenge(0)));
        assert_eq!(Signature { r: [0xff; 32], ..good }.verify(&message, &public), Err(SignatureError::Response(0)));
        assert_eq!(good.verify(&message, &[0xff; 32]), Err(SignatureError::PublicKey(0)));
        // The nonce 0 has a neutral commitment.
        let signature = Signature::from_nonce(&message, &secret, Scalar::ZERO).unwrap();
        assert_eq!(signature.verify(&message, &public), Err(SignatureError::Identity));
    }
}

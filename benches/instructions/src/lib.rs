//! What is counted, made ready beforehand.

use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{Opening, RangeProof, prove, verify};
use curve25519_lanes::{EdwardsPoint, Scalar, compress_batch, msm};
use rand_chacha::ChaCha12Rng;
use rand_core::SeedableRng;

/// Scalars, points, and the points encoded.
pub struct Inputs {
    /// Random scalars.
    pub scalars: Vec<Scalar>,
    /// Random points with coordinates as decoding leaves them.
    pub points: Vec<EdwardsPoint>,
    /// The same points.
    pub encodings: Vec<[u8; 32]>,
}

/// Makes a backend current. Valgrind shows programs a CPU of its own.
fn choose(backend: &str) -> bool {
    match BackendId::from_name(backend) {
        Ok(id) => cpu::force(Some(id)).is_ok(),
        Err(error) => {
            eprintln!("skipped: {error}");
            false
        }
    }
}

/// Inputs of `n` points, and everything built that is built once. Nothing where the backend can't run.
pub fn inputs(backend: &str, n: usize) -> Option<Inputs> {
    if !choose(backend) {
        return None;
    }
    let mut rng = ChaCha12Rng::from_seed([1; 32]);
    let scalars: Vec<Scalar> = (0..n).map(|_| Scalar::random(&mut rng)).collect();
    let secrets: Vec<Scalar> = (0..n).map(|_| Scalar::random(&mut rng)).collect();
    let encodings = compress_batch(&msm::mul_base_batch(&secrets));
    let points = curve25519_lanes::decompress_batch_strict(&encodings).ok()?;
    Some(Inputs { scalars, points, encodings })
}

/// A range proof on two outputs, and their commitments. It is verified once, which builds the generators' tables.
pub fn range_proof(backend: &str) -> Option<(Vec<[u8; 32]>, RangeProof)> {
    if !choose(backend) {
        return None;
    }
    let mut rng = ChaCha12Rng::from_seed([2; 32]);
    let openings = [3, 5].map(|amount| Opening::new(amount, Scalar::random(&mut rng)));
    let proof = prove(&openings, &mut rng).ok()?;
    let commitments: Vec<[u8; 32]> = openings.iter().map(|opening| opening.commit().0).collect();
    verify(&commitments, &proof).ok()?;
    Some((commitments, proof))
}

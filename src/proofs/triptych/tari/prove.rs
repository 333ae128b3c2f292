//! The prover.

use alloc::vec::Vec;

use rand_core::CryptoRng;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::error::{Field, ProveError};
use super::parameters::{Form, Parameters};
use super::statement::{Statement, Witness};
use super::transcript::Script;
use super::wire::Proof;
use crate::field::scalar::Scalar;
use crate::field::scalar::disclosed::{disclose, disclosed};
use crate::group::{EdwardsPoint, RistrettoPoint, compress_batch_ristretto_secret, try_decompress_batch_ristretto};
use crate::hash::{Transcript, TranscriptRng};
use crate::msm;
use crate::proofs::one_of_many::{bit_cells, powers, response};

/// Proves a statement, on a transcript in the state that the verifier's will be in. It stays as it is.
///
/// Constant-time in the witness. m multiscalar sums over N + 1 points, in the parallel form twice as many, and one over
/// n·m + 1 for each of A, B, C, D. Draws 32 bytes from `rng` and mixes them with the transcript and the witness, so a weak
/// generator alone gives no secret away. The same inputs and random bytes make the same proof, byte for byte that of crate
/// `triptych`.
///
/// # Errors
/// The witness is none of the statement.
pub fn prove(
    transcript: &Transcript,
    statement: &Statement,
    witness: &Witness,
    rng: &mut impl CryptoRng,
) -> Result<Proof, ProveError> {
    let inputs = statement.inputs();
    let parameters = inputs.parameters();
    let (shape, form) = (parameters.shape(), parameters.form());
    let (n, m) = parameters.n_and_m();
    let [tag, offset] = decode(statement)?;
    if disclosed(witness.index >= shape.ring_size()) || witness.auxiliary.is_some() != (form == Form::Parallel) {
        return Err(ProveError::Witness);
    }
    let Members { ring, place } = members(statement, witness, &tag, &offset)?;

    let mut script = Script::new(&[transcript], &[statement]);
    let mut nonces = nonces(&script, witness, rng);
    let mut next = || Scalar::random(&mut nonces);
    let r_a = Zeroizing::new(next());
    let mut drawn = 0;
    let a = shape.blinding(&mut || {
        // The crate draws for column 0, too, and overwrites it.
        if drawn % (n - 1) == 0 {
            next();
        }
        drawn += 1;
        next()
    });
    let [r_b, r_c, r_d] = [(); 3].map(|()| Zeroizing::new(next()));
    // rho, and rho1 in the parallel form.
    let rhos: Vec<Zeroizing<Vec<Scalar>>> =
        (0..form.width()).map(|_| Zeroizing::new((0..m).map(|_| next()).collect())).collect();

    let sigma = shape.indicator(place);
    let matrices = bit_cells(&sigma, &a);
    let commitment_bases: Vec<EdwardsPoint> = parameters.commitment_bases().iter().map(|base| base.0).collect();
    let mut points = Zeroizing::new(Vec::with_capacity(4 + (1 + form.width()) * m));
    for (mask, cells) in [&r_a, &r_b, &r_c, &r_d].into_iter().zip(&matrices) {
        points.push(sum(mask, cells, &commitment_bases));
    }
    // The p_k of a power sum to zero over the ring, so the offset drops out of X1, and U out of Y.
    let p = shape.polynomials(&sigma, &a);
    let key_bases = [Some(parameters.g()), parameters.g1()];
    for (i, (rho, base)) in rhos.iter().zip(key_bases.into_iter().flatten()).enumerate() {
        let keys = ring.iter().skip(i).step_by(form.width());
        let ring: Vec<EdwardsPoint> = core::iter::once(&base.0).chain(keys).copied().collect();
        for (rho, p) in rho.iter().zip(&p) {
            points.push(sum(rho, p, &ring));
        }
    }
    let y = Zeroizing::new(msm::mul_batch(&rhos[0], &alloc::vec![tag; m]).expect("one scalar a point"));
    points.extend(y.iter().copied().map(RistrettoPoint));

    let encodings = compress_batch_ristretto_secret(&points);
    disclose(&encodings);
    let mut encodings = encodings.into_iter();
    let mut list = |count: usize| encodings.by_ref().take(count).collect::<Vec<_>>();
    let [a_bytes, b, c, d] = list(4)[..] else { unreachable!("four of them") };
    let (x, x1, y) = (list(m), list(m * (form.width() - 1)), list(m));
    let zero = Scalar::ZERO;
    let mut proof = Proof { a: a_bytes, b, c, d, x, x1, y, f: Vec::new(), z_a: zero, z_c: zero, z: zero, z1: None };
    let xi = script.challenges(&[&proof])[0];
    let xi_powers = powers(&xi, m);

    proof.f = shape.sent(&matrices[1], &a, &xi);
    disclose(&proof.f);
    if xi == zero || shape.complete(&xi, &proof.f).is_err() {
        return Err(ProveError::Randomness);
    }
    proof.z_a = *r_a + xi * *r_b;
    proof.z_c = xi * *r_c + *r_d;
    proof.z = response(&witness.key, &rhos[0], &xi_powers);
    proof.z1 = witness.auxiliary.as_ref().map(|secret| response(secret, &rhos[1], &xi_powers));
    Ok(proof)
}

/// The linking tag of the statement and its offset, which is the identity in the single form.
fn decode(statement: &Statement) -> Result<[EdwardsPoint; 2], ProveError> {
    let encodings: Vec<[u8; 32]> = core::iter::once(statement.tag()).chain(statement.offset()).copied().collect();
    let mut out = [EdwardsPoint::IDENTITY; 2];
    for (i, point) in try_decompress_batch_ristretto(&encodings).into_iter().enumerate() {
        out[i] = point.ok_or(ProveError::Point([Field::Tag, Field::Offset][i]))?.0;
    }
    Ok(out)
}

/// The points of the ring by the places of its members, and the prover's place.
struct Members {
    ring: Vec<EdwardsPoint>,
    place: usize,
}

/// Whether the witness is one of the statement.
fn members(
    statement: &Statement,
    witness: &Witness,
    tag: &EdwardsPoint,
    offset: &EdwardsPoint,
) -> Result<Members, ProveError> {
    let inputs = statement.inputs();
    let parameters: &Parameters = inputs.parameters();
    let (shape, width, given) = (parameters.shape(), parameters.form().width(), inputs.given());
    let mut ring = alloc::vec![EdwardsPoint::IDENTITY; width * shape.ring_size()];
    let mut place = Zeroizing::new(0u64);
    for (k, &at) in parameters.places().iter().enumerate() {
        for (i, point) in ring[width * at as usize..][..width].iter_mut().enumerate() {
            *point = inputs.points()[i * given + k.min(given - 1)].0;
        }
        let here = (k as u64).ct_eq(&(witness.index as u64)).unwrap_u8();
        *place += u64::from(at) * u64::from(here);
    }
    let place = *place as usize;

    let member = shape.select(&ring, width, place);
    let secrets = Zeroizing::new(
        [Some(witness.key), Some(witness.key), witness.auxiliary].into_iter().flatten().collect::<Vec<_>>(),
    );
    let bases: Vec<EdwardsPoint> =
        [Some(parameters.g().0), Some(*tag), parameters.g1().map(|g1| g1.0)].into_iter().flatten().collect();
    let products = Zeroizing::new(msm::mul_batch(&secrets, &bases).expect("one secret a base"));
    let equal = |a: &EdwardsPoint, b: &EdwardsPoint| RistrettoPoint(*a).ct_eq(&RistrettoPoint(*b));
    let mut fits = equal(&products[0], &member[0]) & equal(&products[1], &parameters.u().0) & !witness.key.is_zero();
    // The auxiliary point of the member, in the parallel form.
    for (product, auxiliary) in products.iter().skip(2).zip(member.iter().skip(1)) {
        fits &= equal(&(product + offset), auxiliary);
    }
    if disclosed(fits.unwrap_u8()) != 0 { Ok(Members { ring, place }) } else { Err(ProveError::Witness) }
}

/// Nonces that depend on the transcript, the witness and 32 fresh bytes.
fn nonces(script: &Script, witness: &Witness, rng: &mut impl CryptoRng) -> TranscriptRng {
    let index = Zeroizing::new((witness.index as u32).to_le_bytes());
    let key = Zeroizing::new(witness.key.reduce());
    let builder =
        script.build_rng().rekey_with_witness_bytes(b"l", &*index).rekey_with_witness_bytes(b"r", key.as_bytes());
    match &witness.auxiliary {
        None => builder.finalize(rng),
        Some(secret) => {
            let secret = Zeroizing::new(secret.reduce());
            builder.rekey_with_witness_bytes(b"r1", secret.as_bytes()).finalize(rng)
        }
    }
}

/// mask·first + Σ scalars·rest, constant-time.
fn sum(mask: &Scalar, scalars: &[Scalar], points: &[EdwardsPoint]) -> RistrettoPoint {
    let mut all = Zeroizing::new(Vec::with_capacity(points.len()));
    all.push(*mask);
    all.extend_from_slice(scalars);
    RistrettoPoint(msm::constant_time(&all, points).expect("one scalar a point"))
}

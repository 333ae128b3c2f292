//! The prover.

use alloc::vec::Vec;

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::error::ProveError;
use super::nonces::{SeedNonces, Seeded, seed_nonces};
use super::parameters::PedersenGens;
use super::statement::RangeStatement;
use super::transcript::{Halt, Oracle, Script};
use super::wire::RangeProof;
use super::witness::RangeWitness;
use crate::field::scalar::Scalar;
use crate::field::scalar::disclosed::{disclose, disclosed};
use crate::group::{EdwardsPoint, RistrettoPoint, compress_batch_ristretto_secret};
use crate::hash::{Transcript, TranscriptRng};
use crate::msm;
use crate::proofs::bulletproofs_plus::argument::{self, Argument, Bases, Host, Role, Witness};

impl RangeProof {
    /// Proves a statement. The transcript must be in the same state as the verifier's will be, and goes on from there.
    ///
    /// Constant-time in the witness and the seed, but for the numbers of values and masks. Draws 32 bytes at a time from
    /// `rng` and mixes them with the transcript and the witness, so a weak generator alone gives no secret away. The same
    /// inputs and random bytes make the same proof, byte for byte that of crate `tari_bulletproofs_plus`.
    ///
    /// # Errors
    /// The witness is none of the statement. Nothing is said of which value is below its promise.
    pub fn prove(
        transcript: &mut Transcript,
        statement: &RangeStatement,
        witness: &RangeWitness,
        rng: &mut impl CryptoRng,
    ) -> Result<RangeProof, ProveError> {
        check(statement, witness)?;
        let script = Script::of(&[transcript], &[statement]);
        let (proof, script) = prove_on(script, statement, witness, rng)?;
        if let Some((_, end)) = script.into_transcripts().next() {
            *transcript = end;
        }
        Ok(proof)
    }
}

/// Proves a checked statement, which the transcript has absorbed; the transcript at the end.
pub(super) fn prove_on<O: Oracle>(
    script: Script<O>,
    statement: &RangeStatement,
    witness: &RangeWitness,
    rng: &mut impl CryptoRng,
) -> Result<(RangeProof, Script<O>), ProveError> {
    let parameters = &statement.parameters;
    let bases = parameters.vectors(statement.log_values());
    let pedersen: Vec<EdwardsPoint> = parameters.pc_gens().bases().collect();
    let (value_base, mask_bases) = (pedersen[0], &pedersen[1..]);

    let mut bytes = Zeroizing::new(Vec::with_capacity(witness.openings.len() * (8 + 32 * mask_bases.len())));
    for opening in &witness.openings {
        bytes.extend_from_slice(&opening.value.to_le_bytes());
        opening.masks.iter().for_each(|mask| bytes.extend_from_slice(mask.reduce().as_bytes()));
    }
    let seed = statement.seed.as_ref().map(|seed| {
        let seeded = Seeded { seed, rounds: statement.rounds(), masks: mask_bases.len() };
        seed_nonces(&[seeded]).swap_remove(0)
    });
    let mut prover = Prover::new(script, bytes, seed, rng)?;

    let bits = bits(statement, witness)?;
    let alpha = prover.alpha(mask_bases.len());
    let mut points = commit(parameters.pc_gens(), witness, &alpha);
    let commitments = witness.openings.len();
    points[commitments] += *argument::commit_to_bits(&bits, &bases.gi, &bases.hi);
    let points: Zeroizing<Vec<RistrettoPoint>> = Zeroizing::new(points.iter().map(|p| RistrettoPoint(*p)).collect());
    let encodings = compress_batch_ristretto_secret(&points);
    disclose(&encodings);
    // Each opening must be that of its commitment; the last point is A.
    let mut opened = encodings.iter().zip(&statement.encodings);
    if let Some(i) = opened.position(|(ours, claimed)| ours != claimed) {
        return Err(ProveError::Opening(i));
    }
    let a = encodings[commitments];
    let (y, z) = prover.y_and_z(&a)?;

    let masks: Vec<&[Scalar]> = witness.openings.iter().map(|opening| &opening.masks[..]).collect();
    let inner = Witness::under(&y, &z, parameters.log_bits(), &bits, alpha, &masks);
    let bases = Bases { gi: &bases.gi, hi: &bases.hi, value: value_base, masks: mask_bases };
    let Argument { l, r, a1, b, r1, s1, d1 } = argument::prove(&mut prover, &bases, &y, &Scalar::ONE, inner)?;
    Ok((RangeProof { a, a1, b, r1, s1, d1, l, r }, prover.script))
}

/// Whether the witness can be one of the statement, by counts and ranges.
fn check(statement: &RangeStatement, witness: &RangeWitness) -> Result<(), ProveError> {
    let (found, expected) = (witness.openings.len(), statement.encodings.len());
    if found != expected {
        return Err(ProveError::Openings { found, expected });
    }
    let degree = statement.parameters.extension_degree();
    if witness.degree != degree {
        return Err(ProveError::ExtensionDegree { found: witness.degree.count(), expected: degree.count() });
    }
    let bits = statement.parameters.bit_length();
    let too_large = |value: u64| u64::try_from(u128::from(value) >> bits).is_ok_and(|above| above > 0);
    match witness.openings.iter().position(|opening| disclosed(too_large(opening.value))) {
        Some(i) => Err(ProveError::Value(i)),
        None => Ok(()),
    }
}

/// The commitments that the openings make, and <alpha, mask bases>: all products side by side.
fn commit(gens: &PedersenGens, witness: &RangeWitness, alpha: &[Scalar]) -> Zeroizing<Vec<EdwardsPoint>> {
    let bases: Vec<EdwardsPoint> = gens.bases().collect();
    let rows = witness.openings.len();
    // Of full size from the start: a vector that grows leaves its secrets behind.
    let mut scalars = Zeroizing::new(Vec::with_capacity(rows * bases.len() + alpha.len()));
    for opening in &witness.openings {
        scalars.push(Scalar::from(opening.value));
        scalars.extend_from_slice(&opening.masks);
    }
    scalars.extend_from_slice(alpha);
    let points: Vec<EdwardsPoint> = bases.iter().cycle().take(rows * bases.len()).chain(&bases[1..]).copied().collect();
    let products = Zeroizing::new(msm::mul_batch(&scalars, &points).expect("one scalar a base"));
    Zeroizing::new(products.chunks(bases.len()).map(|terms| terms.iter().sum()).collect())
}

/// The bits of the values above their promised minima, 0 or 1, lowest first, value by value.
fn bits(statement: &RangeStatement, witness: &RangeWitness) -> Result<Zeroizing<Vec<u8>>, ProveError> {
    let bit_length = statement.parameters.bit_length();
    let mut bits = Zeroizing::new(Vec::with_capacity(bit_length * witness.openings.len()));
    let mut below = false;
    for (opening, minimum) in witness.openings.iter().zip(statement.minima()) {
        let (above, borrow) = opening.value.overflowing_sub(minimum);
        below |= borrow;
        bits.extend((0..bit_length).map(|i| (above >> i & 1) as u8));
    }
    if disclosed(below) { Err(ProveError::Promise) } else { Ok(bits) }
}

/// The transcript, and where nonces come from.
struct Prover<'a, O, R> {
    script: Script<O>,
    /// The bytes of the witness.
    witness: Zeroizing<Vec<u8>>,
    seed: Option<SeedNonces>,
    rng: &'a mut R,
    nonces: TranscriptRng,
    round: usize,
}

impl<'a, O: Oracle, R: CryptoRng> Prover<'a, O, R> {
    fn new(
        script: Script<O>,
        witness: Zeroizing<Vec<u8>>,
        seed: Option<SeedNonces>,
        rng: &'a mut R,
    ) -> Result<Prover<'a, O, R>, ProveError> {
        let nonces = fresh(&script, &witness, rng);
        let prover = Prover { script, witness, seed, rng, nonces, round: 0 };
        prover.check()?;
        Ok(prover)
    }

    /// Starts nonces anew, from the transcript as it is now.
    fn renew(&mut self) {
        self.nonces = fresh(&self.script, &self.witness, self.rng);
    }

    /// Refuses what the transcript halted at.
    fn check(&self) -> Result<(), ProveError> {
        match self.script.halts()[0] {
            None => Ok(()),
            Some(Halt::Identity(field)) => Err(ProveError::Identity(field)),
            Some(Halt::ZeroChallenge) => Err(ProveError::ZeroChallenge),
        }
    }

    fn random(&mut self, count: usize) -> Zeroizing<Vec<Scalar>> {
        let mut scalar = || loop {
            let scalar = Scalar::random(&mut self.nonces);
            if disclosed(scalar.is_zero().unwrap_u8()) == 0 {
                return scalar;
            }
        };
        Zeroizing::new((0..count).map(|_| scalar()).collect())
    }

    fn alpha(&mut self, count: usize) -> Zeroizing<Vec<Scalar>> {
        match &self.seed {
            Some(seed) => Zeroizing::new(seed.alpha.clone()),
            None => self.random(count),
        }
    }

    /// Absorbs A; y and z.
    fn y_and_z(&mut self, a: &[u8; 32]) -> Result<(Scalar, Scalar), ProveError> {
        self.script.a(|_| a);
        self.renew();
        let challenges = self.script.y_and_z()[0];
        self.check()?;
        Ok(challenges)
    }

    fn e(&mut self) -> Result<Scalar, ProveError> {
        self.renew();
        let e = self.script.e()[0];
        self.check()?;
        Ok(e)
    }
}

fn fresh(script: &Script<impl Oracle>, witness: &[u8], rng: &mut impl CryptoRng) -> TranscriptRng {
    script.oracle.build_rng().rekey_with_witness_bytes(b"witness", witness).finalize(rng)
}

impl<O: Oracle, R: CryptoRng> Host for Prover<'_, O, R> {
    type Error = ProveError;

    fn nonces(&mut self, role: Role, count: usize) -> Zeroizing<Vec<Scalar>> {
        let seeded = self.seed.as_ref().and_then(|seed| match role {
            Role::L(j) => Some(&seed.d_l[j]),
            Role::R(j) => Some(&seed.d_r[j]),
            Role::Responses => None,
            Role::A1 => Some(&seed.d),
            Role::B => Some(&seed.eta),
        });
        match seeded {
            Some(nonces) => Zeroizing::new(nonces.clone()),
            None => self.random(count),
        }
    }

    fn encode(&self, points: [EdwardsPoint; 2]) -> [[u8; 32]; 2] {
        let encodings = compress_batch_ristretto_secret(&points.map(RistrettoPoint));
        disclose(&encodings);
        [encodings[0], encodings[1]]
    }

    fn round(&mut self, l: &[u8; 32], r: &[u8; 32]) -> Result<Scalar, ProveError> {
        self.script.round(self.round, |_| l, |_| r);
        self.round += 1;
        self.e()
    }

    fn last(&mut self, a1: &[u8; 32], b: &[u8; 32]) -> Result<Scalar, ProveError> {
        self.script.last(|_| a1, |_| b);
        self.e()
    }
}

//! Tari's range proofs in JSON, their verifier, and cases made here.
//!
//! A case is an object `{ "label": transcript label, "bits": of a value, "extension_degree": 1 to 6 mask bases,
//! "aggregation_limit": values that the generators are for, "commitments": [hex…], "promises": [number or null…],
//! "proof": hex, "seed": hex or null, "masks": [hex…] or null, "openings": [{ "value", "masks": [hex…] }…] or null, "note",
//! "expected": bool }`. Numbers beyond 2^53 are decimal strings. The proof is in the bytes of crate
//! `tari_bulletproofs_plus`; `masks` is what recovery gives with `seed`.

use std::collections::HashSet;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use curve25519_lanes::Scalar;
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::accumulator::{Blame, Limits};
use curve25519_lanes::proofs::bulletproofs_plus::tari::{
    Accumulator, BatchError, CommitmentOpening, Entry, ExtendedMask, ExtensionDegree, ParameterError, PedersenGens,
    RangeParameters, RangeProof, RangeStatement, RangeVerifier, RangeWitness, VerifyAction, VerifyError,
};
use serde::{Deserialize, Serialize};

use crate::cases::{Form, Hex, HexBytes, Number, hex, unhex};
use crate::output::{Unusable, shown};
use crate::prove::Stream;

/// More values in a proof are refused: a file must not make the program build gigabytes of tables.
const MAX_AGGREGATION: usize = 256;

#[derive(Deserialize)]
pub(crate) struct CaseJson {
    label: String,
    bits: Number,
    extension_degree: Number,
    aggregation_limit: Number,
    commitments: Vec<Hex>,
    promises: Vec<Option<Number>>,
    proof: HexBytes,
    seed: Option<Hex>,
    masks: Option<Vec<Hex>>,
    note: Option<String>,
    expected: Option<bool>,
}

/// A proof with its statement, or why they can't be either.
pub(crate) struct Claim {
    proved: Result<Proved, String>,
    masks: Option<Vec<[u8; 32]>>,
}

struct Proved {
    transcript: Transcript,
    statement: RangeStatement,
    proof: RangeProof,
    shape: Shape,
}

/// Bits, mask bases and commitments: what tables are built for.
type Shape = (usize, usize, usize);

/// Parameters that share their tables with all others of this program, for up to [`MAX_AGGREGATION`] values.
fn shared(bits: usize, degree: ExtensionDegree) -> Result<RangeParameters, ParameterError> {
    static SHARED: Mutex<Vec<RangeParameters>> = Mutex::new(Vec::new());
    let mut known = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |p: &&RangeParameters| p.bit_length() == bits && p.extension_degree() == degree;
    if let Some(parameters) = known.iter().find(same) {
        return Ok(parameters.clone());
    }
    let parameters = RangeParameters::init(bits, MAX_AGGREGATION, PedersenGens::new(degree))?;
    known.push(parameters.clone());
    Ok(parameters)
}

impl Form for CaseJson {
    type Claim = Claim;

    fn open(mut self) -> (Option<String>, Option<bool>, Claim) {
        let masks = self.masks.take().map(unhex);
        let (note, expected) = (self.note.take(), self.expected);
        (note, expected, Claim { proved: self.proved(), masks })
    }
}

impl CaseJson {
    fn proved(self) -> Result<Proved, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let count = |x: Number| usize::try_from(x.0).unwrap_or(usize::MAX);
        let (bits, limit) = (count(self.bits), count(self.aggregation_limit));
        let degree = ExtensionDegree::try_from(count(self.extension_degree)).map_err(|e| text(&e))?;
        let mut parameters = shared(bits, degree).map_err(|e| text(&e))?;
        let own = RangeParameters::init(bits, limit, parameters.pc_gens().clone()).map_err(|e| text(&e))?;
        if self.commitments.len() > MAX_AGGREGATION {
            return Err(format!(
                "{} commitments; this program verifies up to {MAX_AGGREGATION}",
                self.commitments.len()
            ));
        }
        if self.commitments.len() > limit {
            // Refused, with the limit stated.
            parameters = own;
        }
        let shape = (bits, degree.count(), self.commitments.len());
        let seed = match self.seed {
            None => None,
            Some(Hex(seed)) => {
                let seed = Option::<Scalar>::from(Scalar::from_canonical_bytes(seed));
                Some(seed.ok_or("the seed is not below the group order")?)
            }
        };
        let promises = self.promises.into_iter().map(|promise| promise.map(|p| p.0)).collect();
        let statement = RangeStatement::from_encodings(parameters, unhex(self.commitments), promises, seed);
        Ok(Proved {
            transcript: Transcript::new(self.label.as_bytes()),
            statement: statement.map_err(|e| text(&e))?,
            proof: RangeProof::from_bytes(&self.proof.0).map_err(|e| text(&e))?,
            shape,
        })
    }
}

/// Builds the tables for these claims: the first proof of each shape does.
pub(crate) fn prepare<'a>(claims: impl Iterator<Item = &'a Claim>) {
    let mut seen = HashSet::new();
    for claim in claims {
        if let Ok(proved) = &claim.proved
            && seen.insert(proved.shape)
        {
            one(claim, false);
        }
    }
}

/// Why one is invalid, if it is.
pub(crate) fn one(claim: &Claim, recover: bool) -> Option<String> {
    let proved = match &claim.proved {
        Ok(proved) => proved,
        Err(fault) => return Some(fault.clone()),
    };
    let action = if recover { VerifyAction::RecoverAndVerify } else { VerifyAction::VerifyOnly };
    match proved.run(action) {
        Ok(masks) => claim.compare(masks),
        Err(BatchError::Item { error, .. }) => Some(error.to_string()),
        Err(BatchError::Equation) => Some(VerifyError::Equation.to_string()),
        Err(error) => Some(error.to_string()),
    }
}

/// Why each is invalid, if it is. They need not agree in their parameters.
pub(crate) fn all(claims: &[&Claim], recover: bool) -> Vec<Option<String>> {
    let mut batch = Accumulator::new(&RangeVerifier, Limits::NONE);
    let mut faults = Vec::with_capacity(claims.len());
    let mut pushed = Vec::new();
    for (i, claim) in claims.iter().enumerate() {
        faults.push(match &claim.proved {
            Err(fault) => Some(fault.clone()),
            Ok(Proved { transcript, statement, proof, .. }) => {
                let taken = batch.push(Entry { transcript, statement, proof });
                if taken.is_ok() {
                    pushed.push(i);
                }
                taken.err().map(|error| error.to_string())
            }
        });
    }
    if let Err(Blame::Items(invalid)) = batch.close_and_blame() {
        for (index, error) in invalid {
            faults[pushed[index]] = Some(error.to_string());
        }
    }
    if recover {
        for (claim, fault) in claims.iter().zip(&mut faults).filter(|(_, fault)| fault.is_none()) {
            if let Ok(proved) = &claim.proved {
                *fault = match proved.run(VerifyAction::RecoverOnly) {
                    Ok(masks) => claim.compare(masks),
                    Err(error) => Some(error.to_string()),
                };
            }
        }
    }
    faults
}

impl Proved {
    fn run(&self, action: VerifyAction) -> Result<Option<ExtendedMask>, BatchError> {
        let Proved { transcript, statement, proof, .. } = self;
        let (statements, proofs) = (std::slice::from_ref(statement), std::slice::from_ref(proof));
        let masks = RangeProof::verify_batch(&mut [transcript.clone()], statements, proofs, action)?;
        Ok(masks.into_iter().flatten().next())
    }
}

impl Claim {
    /// What is wrong with the masks recovered, if some are stated and others found.
    fn compare(&self, found: Option<ExtendedMask>) -> Option<String> {
        let (found, stated) = (found?, self.masks.as_ref()?);
        let same = found.blindings().iter().map(Scalar::to_bytes).eq(stated.iter().copied());
        (!same).then(|| "the masks recovered are not those stated".to_string())
    }
}

/// What cases are made of.
#[derive(clap::Args)]
pub(crate) struct ProveArgs {
    /// The values of one proof, a power of two of them; give the option again for more proofs
    #[arg(long, required = true, value_name = "N,N,…")]
    amounts: Vec<Values>,
    /// The promised minima of each proof in turn, `-` for none; all none where not given
    #[arg(long, value_name = "N,-,…", allow_hyphen_values = true)]
    promises: Vec<Minima>,
    /// The bits of a value, a power of two up to 64
    #[arg(long, default_value_t = 64, value_name = "N")]
    bits: usize,
    /// The number of masks of a commitment, 1 to 6
    #[arg(long, default_value_t = 1, value_name = "N")]
    masks: usize,
    /// Make the masks of proofs of one value recoverable
    #[arg(long)]
    recoverable: bool,
    /// The label of the transcript
    #[arg(long, default_value = "lanes", value_name = "TEXT")]
    label: String,
    /// Make the same file every time, everything random following from this number and the other options
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(Clone)]
struct Values(Vec<u64>);

#[derive(Clone)]
struct Minima(Vec<Option<u64>>);

impl FromStr for Values {
    type Err = String;
    fn from_str(text: &str) -> Result<Values, String> {
        text.split(',').map(number).collect::<Result<_, _>>().map(Values)
    }
}

impl FromStr for Minima {
    type Err = String;
    fn from_str(text: &str) -> Result<Minima, String> {
        let minimum = |part: &str| if part.trim() == "-" { Ok(None) } else { number(part).map(Some) };
        text.split(',').map(minimum).collect::<Result<_, _>>().map(Minima)
    }
}

fn number(part: &str) -> Result<u64, String> {
    part.trim().parse::<u64>().map_err(|error| format!("{:?}: {error}", shown(part)))
}

#[derive(Serialize)]
pub(crate) struct MadeJson {
    label: String,
    bits: usize,
    extension_degree: usize,
    aggregation_limit: usize,
    commitments: Vec<Hex>,
    promises: Vec<Option<Number>>,
    proof: HexBytes,
    seed: Option<Hex>,
    masks: Option<Vec<Hex>>,
    openings: Vec<OpeningJson>,
    note: String,
    expected: bool,
}

#[derive(Serialize)]
struct OpeningJson {
    value: Number,
    masks: Vec<Hex>,
}

/// Makes the proofs asked for.
pub(crate) fn prove(args: &ProveArgs) -> Result<Vec<MadeJson>, Unusable> {
    if !args.promises.is_empty() && args.promises.len() != args.amounts.len() {
        return Err(Unusable::new("--promises must be given as often as --amounts, or not at all"));
    }
    let degree = ExtensionDegree::try_from(args.masks).map_err(|error| Unusable::new(format!("--masks: {error}")))?;
    let parameters = shared(args.bits, degree).map_err(|error| Unusable::new(format!("--bits: {error}")))?;
    args.amounts.iter().enumerate().map(|(i, values)| prove_one(args, &parameters, i, &values.0)).collect()
}

fn prove_one(args: &ProveArgs, parameters: &RangeParameters, i: usize, values: &[u64]) -> Result<MadeJson, Unusable> {
    let fault = |error: &dyn std::fmt::Display| Unusable::new(format!("proof {i}: {error}"));
    let promises = args.promises.get(i).map_or_else(|| vec![None; values.len()], |minima| minima.0.clone());
    // Whatever goes into a proof goes into its random bytes.
    let mut inputs = vec![args.bits as u64, args.masks as u64, args.recoverable.into(), args.label.len() as u64];
    inputs.extend(args.label.bytes().map(u64::from));
    inputs.extend(values);
    inputs.extend(promises.iter().flat_map(|p| [p.is_some().into(), p.unwrap_or(0)]));
    let stream = |purpose: &[u8]| Stream::new(purpose, i, &inputs, args.seed);

    let mut secrets = stream(b"lanes prove tari masks")?;
    let opening = |value: &u64| (*value, (0..args.masks).map(|_| secrets.scalar()).collect::<Vec<_>>());
    let openings: Vec<(u64, Vec<Scalar>)> = values.iter().map(opening).collect();
    let seed = (args.recoverable && values.len() == 1).then(|| secrets.scalar());
    let commit = |(value, masks): &(u64, Vec<Scalar>)| {
        parameters.pc_gens().commit(&Scalar::from(*value), masks).map_err(|e| fault(&e)).map(|c| c.compress().0)
    };
    let commitments = openings.iter().map(commit).collect::<Result<Vec<_>, _>>()?;
    let statement = RangeStatement::from_encodings(parameters.clone(), commitments.clone(), promises.clone(), seed)
        .map_err(|e| fault(&e))?;
    let witness = openings.iter().map(|(value, masks)| CommitmentOpening::new(*value, masks.clone())).collect();
    let witness = RangeWitness::init(witness).map_err(|e| fault(&e))?;
    let mut transcript = Transcript::new(args.label.as_bytes());
    let mut nonces = stream(b"lanes prove tari nonces")?;
    let proof = RangeProof::prove(&mut transcript, &statement, &witness, &mut nonces).map_err(|e| fault(&e))?;

    let scalars = |scalars: &[Scalar]| scalars.iter().map(|scalar| Hex(scalar.to_bytes())).collect::<Vec<_>>();
    Ok(MadeJson {
        label: args.label.clone(),
        bits: args.bits,
        extension_degree: args.masks,
        aggregation_limit: values.len(),
        commitments: hex(&commitments),
        promises: promises.into_iter().map(|promise| promise.map(Number)).collect(),
        proof: HexBytes(proof.to_bytes()),
        masks: seed.map(|_| scalars(&openings[0].1)),
        seed: seed.map(|seed| Hex(seed.to_bytes())),
        openings: openings.iter().map(|(v, masks)| OpeningJson { value: Number(*v), masks: scalars(masks) }).collect(),
        note: format!("made {i}, values {}", values.len()),
        expected: true,
    })
}

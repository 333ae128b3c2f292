//! Tari's Triptych proofs in JSON, their verifier, and cases made here.
//!
//! A case is an object `{ "kind": "single" or "parallel", "label": transcript label, "message": hex or null, "n", "m",
//! "generators": null or { "G", "U", "G1" }, "M": [hex…], "M1": [hex…], "offset": hex, "J": hex, "proof": hex, "witness", "note",
//! "expected": bool }`; `M1`, `offset` and `G1` are of the parallel form only. The proof is in the bytes of crate `triptych`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::triptych::tari::{
    Bases, Entry, Form, InputSet, Parameters, Proof, Statement, Witness, prove as prove_statement, verify,
};
use curve25519_lanes::{CompressedRistretto, RistrettoPoint, Scalar, msm};
use serde::{Deserialize, Serialize};

use crate::cases::{self, Hex, HexBytes, Number, hex, unhex};
use crate::output::{Unusable, shown};
use crate::prove::Stream;

/// Larger rings are refused: a file must not make the program fill up a ring of gigabytes.
const MAX_RING: u64 = 1 << 16;

/// The most keys written to a file: some hundred megabytes.
const MAX_WRITTEN: u64 = 1 << 20;

#[derive(Deserialize)]
pub(crate) struct CaseJson {
    kind: String,
    label: String,
    message: Option<HexBytes>,
    n: Number,
    m: Number,
    generators: Option<cases::Object<BasesJson>>,
    #[serde(rename = "M")]
    keys: Vec<Hex>,
    #[serde(rename = "M1", default)]
    auxiliary: Vec<Hex>,
    offset: Option<Hex>,
    #[serde(rename = "J")]
    tag: Hex,
    proof: HexBytes,
    note: Option<String>,
    expected: Option<bool>,
}

#[derive(Deserialize)]
struct BasesJson {
    #[serde(rename = "G")]
    g: Hex,
    #[serde(rename = "G1")]
    g1: Option<Hex>,
    #[serde(rename = "U")]
    u: Hex,
}

/// A proof with its statement.
pub(crate) struct Claim {
    transcript: Transcript,
    statement: Statement,
    proof: Proof,
}

impl Claim {
    pub(crate) fn entry(&self) -> Entry<'_> {
        let Claim { transcript, statement, proof } = self;
        Entry { transcript, statement, proof }
    }
}

/// Builds the tables for these claims: the first proof of each size does.
pub(crate) fn prepare<'a>(claims: impl Iterator<Item = &'a Result<Claim, String>>) {
    let mut seen = BTreeSet::new();
    for claim in claims.flatten() {
        if seen.insert(claim.statement.inputs().parameters().n_and_m()) {
            // The verdict is asked for later.
            let _ = verify(claim.entry());
        }
    }
}

/// Parameters that share their tables with all others of this program of this size.
fn shared(form: Form, n: u64, m: u64) -> Result<Parameters, String> {
    static SHARED: Mutex<BTreeMap<(u32, u32), Parameters>> = Mutex::new(BTreeMap::new());
    let size = |x: u64| u32::try_from(x).unwrap_or(u32::MAX);
    let (n, m) = (size(n), size(m));
    if u64::from(n).checked_pow(m).is_none_or(|ring| ring > MAX_RING) {
        return Err(format!("rings of {n}^{m} keys; this program takes up to {MAX_RING}"));
    }
    let mut known = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let parameters = match known.get(&(n, m)) {
        Some(parameters) => parameters.clone(),
        None => Parameters::new(form, n, m).map_err(|error| error.to_string())?,
    };
    known.insert((n, m), parameters.clone());
    Ok(if parameters.form() == form { parameters } else { parameters.with_bases(&Bases::new(form)) })
}

impl cases::Form for CaseJson {
    type Claim = Result<Claim, String>;

    fn open(mut self) -> (Option<String>, Option<bool>, Result<Claim, String>) {
        (self.note.take(), self.expected, self.claim())
    }
}

impl CaseJson {
    fn claim(self) -> Result<Claim, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let form = match self.kind.as_str() {
            "single" => Form::Single,
            "parallel" => Form::Parallel,
            other => return Err(format!("no proofs of kind {}", shown(other))),
        };
        let mut parameters = shared(form, self.n.0, self.m.0)?;
        if let Some(cases::Object(BasesJson { g, g1, u })) = self.generators {
            let point = |name, Hex(bytes): Hex| {
                CompressedRistretto(bytes).decompress().ok_or_else(|| format!("{name} is no encoding of an element"))
            };
            let (g, u) = (point("G", g)?, point("U", u)?);
            parameters = parameters.with_bases(&match form {
                Form::Single => Bases::Single { g, u },
                Form::Parallel => Bases::Parallel { g, g1: point("G1", g1.ok_or("no G1")?)?, u },
            });
        }
        let inputs = InputSet::padded(&parameters, &unhex(self.keys), &unhex(self.auxiliary)).map_err(|e| text(&e))?;
        let statement = match self.offset {
            None => Statement::single(&inputs, self.tag.0),
            Some(Hex(offset)) => Statement::parallel(&inputs, offset, self.tag.0),
        };
        Ok(Claim {
            transcript: transcript(&self.label, self.message.as_ref().map(|message| &message.0[..])),
            statement: statement.map_err(|e| text(&e))?,
            proof: Proof::from_bytes(form, &self.proof.0).map_err(|e| text(&e))?,
        })
    }
}

fn transcript(label: &str, message: Option<&[u8]>) -> Transcript {
    let mut transcript = Transcript::new(label.as_bytes());
    if let Some(message) = message {
        transcript.append_message(b"message", message);
    }
    transcript
}

/// What cases are made of.
#[derive(clap::Args)]
pub(crate) struct ProveArgs {
    /// Make proofs of the parallel form, which show that amounts are equal, too
    #[arg(long)]
    parallel: bool,
    /// Rings have n^m keys
    #[arg(short, default_value_t = 2)]
    n: u64,
    /// Rings have n^m keys
    #[arg(short, default_value_t = 7)]
    m: u64,
    /// The number of keys given, to be filled up to n^m [default: n^m]
    #[arg(long, value_name = "N")]
    keys: Option<usize>,
    /// Proofs, all over one ring, each of another key while there are some
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    proofs: u64,
    /// The label of the transcript
    #[arg(long, default_value = "lanes", value_name = "TEXT")]
    label: String,
    /// What the proofs sign [default: nothing]
    #[arg(long, value_name = "TEXT")]
    message: Option<String>,
    /// Make the same file every time, everything random following from this number and the other options
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct MadeJson {
    kind: &'static str,
    label: String,
    message: Option<HexBytes>,
    n: u64,
    m: u64,
    generators: Option<()>,
    #[serde(rename = "M")]
    keys: Vec<Hex>,
    #[serde(rename = "M1", skip_serializing_if = "Vec::is_empty")]
    auxiliary: Vec<Hex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<Hex>,
    #[serde(rename = "J")]
    tag: Hex,
    proof: HexBytes,
    witness: WitnessJson,
    note: String,
    expected: bool,
}

#[derive(Serialize)]
struct WitnessJson {
    l: usize,
    r: Hex,
    #[serde(skip_serializing_if = "Option::is_none")]
    r1: Option<Hex>,
}

/// Makes the proofs asked for.
pub(crate) fn prove(args: &ProveArgs) -> Result<Vec<MadeJson>, Unusable> {
    let ProveArgs { parallel, n, m, keys, proofs, ref label, ref message, seed } = *args;
    let form = if parallel { Form::Parallel } else { Form::Single };
    let parameters = shared(form, n, m).map_err(Unusable::new)?;
    let count = keys.unwrap_or(parameters.ring_size());
    if count == 0 || count > parameters.ring_size() {
        return Err(Unusable::new(format!("--keys {count}: a ring has 1 to {} keys", parameters.ring_size())));
    }
    if proofs.saturating_mul(count as u64) > MAX_WRITTEN {
        return Err(Unusable::new(format!(
            "{proofs} proofs with {count} keys each: at most {MAX_WRITTEN} are written"
        )));
    }
    // Whatever goes into a proof goes into its random bytes.
    let mut inputs = vec![parallel.into(), n, m, count as u64, proofs, label.len() as u64];
    inputs.extend(label.bytes().map(u64::from));
    inputs.extend(message.iter().flat_map(|text| text.bytes()).map(u64::from));
    let mut random = Stream::new(b"lanes prove tari triptych", 0, &inputs, seed)?;
    let mut scalars = |count: usize| (0..count).map(|_| random.scalar()).collect::<Vec<Scalar>>();
    let (secrets, masks, offset_secret) = (scalars(count), scalars(count * usize::from(parallel)), scalars(1)[0]);
    let element = |point: &curve25519_lanes::EdwardsPoint| RistrettoPoint::from_edwards_unchecked(*point);
    let encode = |secrets: &[Scalar]| -> Vec<[u8; 32]> {
        msm::mul_base_batch(secrets).iter().map(|point| element(point).compress().0).collect()
    };
    let ring = encode(&secrets);
    // Every auxiliary key is the offset and a multiple of G1, so every member could be the signer.
    let offset_point = RistrettoPoint::mul_base(&offset_secret);
    let auxiliary: Vec<[u8; 32]> = match parameters.g1() {
        None => Vec::new(),
        Some(g1) => masks.iter().map(|mask| (mask * g1 + offset_point).compress().0).collect(),
    };
    let offset = parallel.then(|| offset_point.compress().0);
    let fault = |i: u64, error: &dyn std::fmt::Display| Unusable::new(format!("proof {i}: {error}"));
    let set = InputSet::padded(&parameters, &ring, &auxiliary).map_err(|error| fault(0, &error))?;
    let transcript = transcript(label, message.as_ref().map(|text| text.as_bytes()));
    let mut nonces = Stream::new(b"lanes prove tari triptych nonces", 0, &inputs, seed)?;
    (0..proofs)
        .map(|i| {
            let index = i as usize % count;
            let witness = Witness { index, key: secrets[index], auxiliary: masks.get(index).copied() };
            let tag = witness.tag(&parameters).compress().0;
            let statement = match offset {
                None => Statement::single(&set, tag),
                Some(offset) => Statement::parallel(&set, offset, tag),
            };
            let statement = statement.map_err(|error| fault(i, &error))?;
            let proof =
                prove_statement(&transcript, &statement, &witness, &mut nonces).map_err(|error| fault(i, &error))?;
            Ok(MadeJson {
                kind: if parallel { "parallel" } else { "single" },
                label: label.clone(),
                message: message.clone().map(|text| HexBytes(text.into_bytes())),
                n,
                m,
                generators: None,
                keys: hex(&ring),
                auxiliary: hex(&auxiliary),
                offset: offset.map(Hex),
                tag: Hex(tag),
                proof: HexBytes(proof.to_bytes()),
                witness: WitnessJson {
                    l: index,
                    r: Hex(witness.key.to_bytes()),
                    r1: witness.auxiliary.map(|r1| Hex(r1.to_bytes())),
                },
                note: format!("made {i}, ring {n}^{m}, signer at {index}"),
                expected: true,
            })
        })
        .collect()
}

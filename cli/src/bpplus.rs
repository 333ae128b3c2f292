//! Monero's Bulletproofs+ range proofs in JSON, read and written.
//!
//! A case is an object `{ "C": [hex…], "proof": { "A", "A1", "B", "r1", "s1", "d1", "L": [hex…], "R": [hex…] }, "expected":
//! bool }`. `C` are the output commitments as they stand on the chain; every hex value has 32 bytes. `name`, `mutation` and
//! `txid` label it.

use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, RangeProof, Statement};
use serde::{Deserialize, Serialize};

use crate::cases::{Form, Hex, Object, hex, unhex};
use crate::output::Unusable;

/// One proof with what it claims to prove.
pub(crate) struct Claim {
    commitments: Vec<[u8; 32]>,
    proof: RangeProof,
}

/// Why one is invalid, if it is.
pub(crate) fn one(generators: &Generators, claim: &Claim) -> Option<String> {
    generators.verify(&claim.commitments, &claim.proof).err().map(|error| error.to_string())
}

/// Why each is invalid, if it is; by one sum if none is.
pub(crate) fn all(generators: &Generators, claims: &[&Claim]) -> Result<Vec<Option<String>>, Unusable> {
    let items: Vec<Statement> =
        claims.iter().map(|claim| Statement { commitments: &claim.commitments, proof: &claim.proof }).collect();
    let mut faults = vec![None; claims.len()];
    if let Err(refusal) = generators.verify_batch(&items) {
        let invalid = generators.find_invalid(&items);
        if invalid.is_empty() {
            return Err(Unusable::new(format!("the batch was refused ({refusal}), but none of its proofs")));
        }
        for index in invalid {
            faults[index] = Some(one(generators, claims[index]).unwrap_or_else(|| refusal.to_string()));
        }
    }
    Ok(faults)
}

#[derive(Deserialize)]
pub(crate) struct CaseJson {
    name: Option<String>,
    mutation: Option<String>,
    txid: Option<String>,
    #[serde(rename = "C")]
    commitments: Vec<Hex>,
    proof: Object<ProofJson>,
    expected: Option<bool>,
}

impl Form for CaseJson {
    type Claim = Claim;
    fn open(self) -> (Option<String>, Option<bool>, Claim) {
        let claim = Claim { commitments: unhex(self.commitments), proof: self.proof.0.into() };
        (self.name.or(self.mutation).or(self.txid), self.expected, claim)
    }
}

/// The eight members of a proof, in the order of the wire.
#[derive(Serialize, Deserialize)]
pub(crate) struct ProofJson {
    #[serde(rename = "A")]
    a: Hex,
    #[serde(rename = "A1")]
    a1: Hex,
    #[serde(rename = "B")]
    b: Hex,
    r1: Hex,
    s1: Hex,
    d1: Hex,
    #[serde(rename = "L")]
    l: Vec<Hex>,
    #[serde(rename = "R")]
    r: Vec<Hex>,
}

impl From<ProofJson> for RangeProof {
    fn from(p: ProofJson) -> RangeProof {
        let [a, a1, b, r1, s1, d1] = [p.a, p.a1, p.b, p.r1, p.s1, p.d1].map(|hex| hex.0);
        RangeProof { a, a1, b, r1, s1, d1, l: unhex(p.l), r: unhex(p.r) }
    }
}

impl From<RangeProof> for ProofJson {
    fn from(p: RangeProof) -> ProofJson {
        let [a, a1, b, r1, s1, d1] = [p.a, p.a1, p.b, p.r1, p.s1, p.d1].map(Hex);
        ProofJson { a, a1, b, r1, s1, d1, l: hex(&p.l), r: hex(&p.r) }
    }
}

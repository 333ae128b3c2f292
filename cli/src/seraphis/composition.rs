//! Composition proofs.

use curve25519_lanes::proofs::schnorr::{self, CompositionProof};
use serde::{Deserialize, Serialize};

use super::Label;
use crate::cases::{Form, Hex, hex, unhex};

pub(crate) struct CompositionClaim {
    message: [u8; 32],
    keys: Vec<[u8; 32]>,
    tags: Vec<[u8; 32]>,
    proof: CompositionProof,
}

impl CompositionClaim {
    fn statement(&self) -> schnorr::Statement<'_> {
        let CompositionClaim { message, keys, tags, proof } = self;
        schnorr::Statement { message: *message, keys, tags, proof }
    }

    /// The rule by which it is refused, if it is a named one.
    pub(crate) fn difference(&self) -> Option<&'static str> {
        schnorr::verify(&self.statement()).err()?.difference()
    }

    /// Why the reference refuses it, if it does.
    #[cfg(feature = "reference_unsound")]
    pub(crate) fn reference(&self) -> Option<String> {
        schnorr::verify_reference_unsound(&self.statement()).err().map(|error| error.to_string())
    }
}

/// Why each of many composition proofs is invalid, if it is.
pub(crate) fn compositions(claims: &[&CompositionClaim]) -> Vec<Option<String>> {
    let items: Vec<_> = claims.iter().map(|claim| claim.statement()).collect();
    schnorr::verify_each(&items).into_iter().map(|verdict| verdict.err().map(|error| error.to_string())).collect()
}

#[derive(Serialize, Deserialize)]
pub(crate) struct CompositionProofJson {
    c: Hex,
    r_a: Hex,
    r_b: Hex,
    r_i: Vec<Hex>,
    #[serde(rename = "K_t1")]
    t: Vec<Hex>,
}

impl From<CompositionProof> for CompositionProofJson {
    fn from(p: CompositionProof) -> CompositionProofJson {
        let [c, r_a, r_b] = [p.c, p.r_a, p.r_b].map(Hex);
        CompositionProofJson { c, r_a, r_b, r_i: hex(&p.r), t: hex(&p.t) }
    }
}

impl From<CompositionProofJson> for CompositionProof {
    fn from(p: CompositionProofJson) -> CompositionProof {
        let [c, r_a, r_b] = [p.c, p.r_a, p.r_b].map(|hex| hex.0);
        CompositionProof { c, r_a, r_b, r: unhex(p.r_i), t: unhex(p.t) }
    }
}

/// A case as it is read and, with a label of its own, written.
#[derive(Deserialize, Serialize)]
pub(crate) struct CompositionJson<T = Label> {
    #[serde(flatten)]
    pub(crate) label: T,
    pub(crate) message: Hex,
    #[serde(rename = "K")]
    pub(crate) keys: Vec<Hex>,
    #[serde(rename = "KI")]
    pub(crate) tags: Vec<Hex>,
    #[serde(flatten)]
    pub(crate) proof: CompositionProofJson,
}

impl Form for CompositionJson {
    type Claim = CompositionClaim;
    fn open(self) -> (Option<String>, Option<bool>, CompositionClaim) {
        let CompositionJson { label, message, keys, tags, proof } = self;
        label.open(CompositionClaim { message: message.0, keys: unhex(keys), tags: unhex(tags), proof: proof.into() })
    }
}

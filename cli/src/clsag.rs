//! Monero's CLSAG ring signatures in JSON, read and written.
//!
//! A case is an object `{ "ring": [[key, commitment], …], "key_image", "pseudo_out", "message", "D", "c1", "s": [hex…],
//! "expected": bool }`; every hex value has 32 bytes. `name`, `mutation` and `txid` label it.

use curve25519_lanes::proofs::clsag::{self, Clsag, RingMember, Statement};
use serde::Deserialize;

use crate::cases::{Form, Hex, unhex};

/// A signature with what it claims.
pub(crate) struct Claim {
    ring: Vec<RingMember>,
    key_image: [u8; 32],
    pseudo_out: [u8; 32],
    message: [u8; 32],
    signature: Clsag,
}

impl Claim {
    fn statement(&self) -> Statement<'_> {
        let Claim { ring, key_image, pseudo_out, message, signature } = self;
        Statement { ring, key_image, pseudo_out, message, signature }
    }
}

/// Why one is invalid, if it is.
pub(crate) fn one(claim: &Claim) -> Option<String> {
    clsag::verify(&claim.statement()).err().map(|error| error.to_string())
}

/// Why each is invalid, if it is.
pub(crate) fn all(claims: &[&Claim]) -> Vec<Option<String>> {
    let items: Vec<Statement> = claims.iter().map(|claim| claim.statement()).collect();
    clsag::verify_each(&items).into_iter().map(|verdict| verdict.err().map(|error| error.to_string())).collect()
}

#[derive(Deserialize)]
pub(crate) struct CaseJson {
    name: Option<String>,
    mutation: Option<String>,
    txid: Option<String>,
    ring: Vec<[Hex; 2]>,
    key_image: Hex,
    pseudo_out: Hex,
    message: Hex,
    #[serde(rename = "D")]
    d: Hex,
    c1: Hex,
    s: Vec<Hex>,
    expected: Option<bool>,
}

impl Form for CaseJson {
    type Claim = Claim;
    fn open(self) -> (Option<String>, Option<bool>, Claim) {
        let claim = Claim {
            ring: members(self.ring),
            key_image: self.key_image.0,
            pseudo_out: self.pseudo_out.0,
            message: self.message.0,
            signature: Clsag { s: unhex(self.s), c1: self.c1.0, d: self.d.0 },
        };
        (self.name.or(self.mutation).or(self.txid), self.expected, claim)
    }
}

/// A ring's pairs of key and commitment.
pub(crate) fn members(pairs: Vec<[Hex; 2]>) -> Vec<RingMember> {
    pairs.into_iter().map(|[key, commitment]| RingMember { key: key.0, commitment: commitment.0 }).collect()
}

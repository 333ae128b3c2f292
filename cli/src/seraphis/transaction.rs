//! Mock transactions, each with the ring members it refers to.

use std::collections::BTreeMap;

use curve25519_lanes::tx::ledger::{Ledger, Protocol};
use curve25519_lanes::tx::seraphis::{self, Enote, Image, Kind, Membership, Transaction};
use serde::{Deserialize, Serialize};

#[cfg(feature = "reference_unsound")]
use super::SEED;
use super::{CompositionProofJson, Concise, GrootleProofJson, Label, Plain, RangeJson, Read, shape};
use crate::cases::{Form, Hex, Number, Object, unhex};

/// A transaction with the part of a ledger that it refers to.
pub(crate) struct TransactionClaim {
    tx: Transaction,
    ledger: Rings,
}

/// The outputs that a case brings along: pairs, or squashed enotes.
#[derive(Default)]
struct Rings(BTreeMap<u64, Vec<[u8; 32]>>);

impl Ledger for Rings {
    fn output(&self, protocol: Protocol, index: u64) -> Option<[[u8; 32]; 2]> {
        if protocol != Protocol::Seraphis {
            return None;
        }
        self.0.get(&index)?.as_slice().try_into().ok()
    }

    fn squashed(&self, index: u64) -> Option<[u8; 32]> {
        let [point] = self.0.get(&index)?[..] else { return None };
        Some(point)
    }

    fn is_spent(&self, _: &[u8; 32]) -> bool {
        false
    }
}

/// Why a transaction is invalid, if it is; or, without `reference_unsound` never, why the reference refuses it.
pub(crate) fn transaction(claim: &Read<TransactionClaim>, by_reference: bool) -> Option<String> {
    match claim {
        Err(fault) => Some(fault.clone()),
        #[cfg(feature = "reference_unsound")]
        Ok(TransactionClaim { tx, ledger }) if by_reference => {
            seraphis::reference_unsound::verify(tx, ledger, &SEED).err().map(|check| check.to_string())
        }
        Ok(TransactionClaim { tx, ledger }) => {
            debug_assert!(!by_reference, "not in this build");
            seraphis::verify(tx, ledger).err().map(|check| check.to_string())
        }
    }
}

/// The rule by which a transaction is refused, if it is a named one.
pub(crate) fn transaction_difference(claim: &Read<TransactionClaim>) -> Option<&'static str> {
    let TransactionClaim { tx, ledger } = claim.as_ref().ok()?;
    seraphis::verify(tx, ledger).err()?.difference()
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ImageJson {
    masked_address: Hex,
    masked_commitment: Hex,
    key_image: Hex,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct EnoteJson {
    onetime_address: Hex,
    amount_commitment: Hex,
    encoded_amount_u64_decimal_string: Number,
    view_tag: u8,
}

impl From<Image> for ImageJson {
    fn from(image: Image) -> ImageJson {
        let [masked_address, masked_commitment, key_image] = [image.address, image.commitment, image.tag].map(Hex);
        ImageJson { masked_address, masked_commitment, key_image }
    }
}

impl From<Enote> for EnoteJson {
    fn from(enote: Enote) -> EnoteJson {
        EnoteJson {
            onetime_address: Hex(enote.address),
            amount_commitment: Hex(enote.commitment),
            encoded_amount_u64_decimal_string: Number(enote.amount),
            view_tag: enote.view_tag,
        }
    }
}

#[derive(Deserialize)]
struct MembershipJson {
    n: u64,
    m: u64,
    ledger_indices: Vec<u64>,
    reference_set: Vec<Vec<Hex>>,
    /// Of squashed enotes, what they were made of.
    reference_set_unsquashed: Option<Vec<[Hex; 2]>>,
    /// Of either form: which, the kind of the transaction tells.
    grootle: serde_json::Value,
}

#[derive(Deserialize)]
pub(crate) struct TransactionJson {
    #[serde(flatten)]
    label: Label,
    #[serde(rename = "type")]
    kind: String,
    input_images: Vec<Object<ImageJson>>,
    outputs: Vec<Object<EnoteJson>>,
    output_enote_pubkeys: Vec<Hex>,
    range_proofs: Vec<Object<RangeJson>>,
    remainder_blinding_factor: Option<Hex>,
    membership_proofs: Vec<Object<MembershipJson>>,
    image_proofs: Vec<Object<CompositionProofJson>>,
}

impl Form for TransactionJson {
    type Claim = Read<TransactionClaim>;
    fn open(self) -> (Option<String>, Option<bool>, Read<TransactionClaim>) {
        let name = format!("{}, {}", self.kind, self.label.note.as_deref().unwrap_or("no note"));
        let expected = self.label.expect.or(self.label.expected);
        (Some(name), expected, self.claim())
    }
}

/// That squashed enotes are made of these parts.
fn squash(parts: &[[Hex; 2]], stated: &[Vec<Hex>]) -> Read<()> {
    if parts.len() != stated.len() {
        return Err(format!("{} enotes unsquashed, {} squashed", parts.len(), stated.len()));
    }
    let parts: Vec<_> = parts.iter().map(|pair| pair.map(|hex| hex.0)).collect();
    let squashed = seraphis::squashed_batch(&parts);
    match squashed.iter().zip(stated).position(|(made, stated)| made.map(Hex).as_slice() != stated) {
        Some(at) => Err(format!("squashed enote {at} is not what its address and commitment make")),
        None => Ok(()),
    }
}

impl TransactionJson {
    fn claim(self) -> Read<TransactionClaim> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == self.kind);
        let kind = kind.ok_or_else(|| format!("no transactions of type {}", crate::output::shown(&self.kind)))?;
        let mut ledger = Rings::default();
        let mut shapes = Vec::new();
        let mut memberships = Vec::new();
        for Object(membership) in self.membership_proofs {
            let MembershipJson { n, m, ledger_indices, reference_set, reference_set_unsquashed, grootle } = membership;
            let shape = shape(n, m)?;
            if reference_set.len() != ledger_indices.len() {
                return Err(format!("{} indices for {} ring members", ledger_indices.len(), reference_set.len()));
            }
            if kind == Kind::Squashed
                && let Some(parts) = reference_set_unsquashed
            {
                squash(&parts, &reference_set)?;
            }
            for (index, points) in ledger_indices.iter().zip(reference_set) {
                let points = unhex(points);
                if ledger.0.insert(*index, points.clone()).is_some_and(|other| other != points) {
                    return Err(format!("two different outputs of index {index}"));
                }
            }
            let fault = |error: serde_json::Error| format!("membership proof: {error}");
            let proof = match kind {
                Kind::Plain => {
                    serde_json::from_value::<GrootleProofJson<Plain>>(grootle).map_err(fault)?.proof(&shape)?
                }
                _ => serde_json::from_value::<GrootleProofJson<Concise>>(grootle).map_err(fault)?.proof(&shape)?,
            };
            memberships.push(Membership { indices: ledger_indices, proof });
            shapes.push(shape);
        }
        let Some(shape) = shapes.first().copied() else { return Err("no membership proof".to_string()) };
        if shapes.iter().any(|other| *other != shape) {
            return Err("membership proofs of different shapes".to_string());
        }
        let image = |Object(i): Object<ImageJson>| Image {
            address: i.masked_address.0,
            commitment: i.masked_commitment.0,
            tag: i.key_image.0,
        };
        let enote = |Object(e): Object<EnoteJson>| Enote {
            address: e.onetime_address.0,
            commitment: e.amount_commitment.0,
            amount: e.encoded_amount_u64_decimal_string.0,
            view_tag: e.view_tag,
        };
        let tx = Transaction {
            kind,
            shape,
            images: self.input_images.into_iter().map(image).collect(),
            outputs: self.outputs.into_iter().map(enote).collect(),
            pubkeys: unhex(self.output_enote_pubkeys),
            ranges: self.range_proofs.into_iter().map(|Object(range)| range.into()).collect(),
            remainder: self.remainder_blinding_factor.map(|hex| hex.0),
            memberships,
            ownership: self.image_proofs.into_iter().map(|Object(proof)| proof.into()).collect(),
        };
        Ok(TransactionClaim { tx, ledger })
    }
}

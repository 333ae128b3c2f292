//! Triptych proofs on ed25519.

use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::triptych;
use serde::{Deserialize, Serialize};

#[cfg(feature = "reference_unsound")]
use super::SEED;
use super::{Label, Read, rows, shape};
use crate::cases::{Form, Hex, unhex};

pub(crate) struct TriptychClaim {
    shape: Shape,
    message: [u8; 32],
    ring: Vec<[u8; 32]>,
    offset: [u8; 32],
    tag: [u8; 32],
    proof: triptych::Proof,
}

impl TriptychClaim {
    pub(crate) fn statement(&self) -> triptych::Statement<'_> {
        let TriptychClaim { shape, message, ring, offset, tag, proof } = self;
        triptych::Statement { shape: *shape, message: *message, ring, offset: *offset, tag: *tag, proof }
    }

    /// Why the reference refuses it, if it does.
    #[cfg(feature = "reference_unsound")]
    pub(crate) fn reference(&self) -> Option<String> {
        triptych::reference_unsound::verify(&self.statement(), &SEED).err().map(|error| error.to_string())
    }
}

/// A case as it is read and, with a label of its own, written.
#[derive(Deserialize, Serialize)]
pub(crate) struct TriptychJson<T = Label> {
    #[serde(flatten)]
    pub(crate) label: T,
    pub(crate) n: u64,
    pub(crate) m: u64,
    pub(crate) message: Hex,
    #[serde(rename = "M")]
    pub(crate) keys: Vec<Hex>,
    #[serde(rename = "P")]
    pub(crate) commitments: Vec<Hex>,
    #[serde(rename = "C_offset")]
    pub(crate) offset: Hex,
    #[serde(rename = "J")]
    pub(crate) tag: Hex,
    #[serde(rename = "K")]
    pub(crate) k: Hex,
    #[serde(rename = "A")]
    pub(crate) a: Hex,
    #[serde(rename = "B")]
    pub(crate) b: Hex,
    #[serde(rename = "C")]
    pub(crate) c: Hex,
    #[serde(rename = "D")]
    pub(crate) d: Hex,
    #[serde(rename = "X")]
    pub(crate) x: Vec<Hex>,
    #[serde(rename = "Y")]
    pub(crate) y: Vec<Hex>,
    pub(crate) f: Vec<Vec<Hex>>,
    #[serde(rename = "zA")]
    pub(crate) z_a: Hex,
    #[serde(rename = "zC")]
    pub(crate) z_c: Hex,
    pub(crate) z: Hex,
}

impl Form for TriptychJson {
    type Claim = Read<TriptychClaim>;
    fn open(self) -> (Option<String>, Option<bool>, Read<TriptychClaim>) {
        let TriptychJson { label, n, m, message, keys, commitments, offset, tag, k, a, b, c, d, x, y, f, z_a, z_c, z } =
            self;
        let claim = || {
            let shape = shape(n, m)?;
            if keys.len() != commitments.len() {
                return Err(format!("{} keys and {} commitments in the ring", keys.len(), commitments.len()));
            }
            let ring = keys.into_iter().zip(commitments).flat_map(|(key, commitment)| [key.0, commitment.0]).collect();
            let [k, a, b, c, d, z_a, z_c, z] = [k, a, b, c, d, z_a, z_c, z].map(|hex| hex.0);
            let f = rows(&shape, f)?;
            let proof = triptych::Proof { k, a, b, c, d, x: unhex(x), y: unhex(y), f, z_a, z_c, z };
            Ok(TriptychClaim { shape, message: message.0, ring, offset: offset.0, tag: tag.0, proof })
        };
        label.open(claim())
    }
}

//! Grootle membership proofs of either form.

use curve25519_lanes::proofs::grootle::{self, System};
use curve25519_lanes::proofs::one_of_many::Shape;
use serde::{Deserialize, Serialize};

#[cfg(feature = "reference_unsound")]
use super::SEED;
use super::{Label, Read, rows, shape};
use crate::cases::{Form, Hex, hex, unhex};

pub(crate) struct GrootleClaim {
    system: System,
    message: [u8; 32],
    ring: Vec<[u8; 32]>,
    offsets: Vec<[u8; 32]>,
    proof: grootle::Proof,
}

impl GrootleClaim {
    pub(crate) fn statement(&self) -> grootle::Statement<'_> {
        let GrootleClaim { system, message, ring, offsets, proof } = self;
        grootle::Statement { system: *system, message: *message, ring, offsets, proof }
    }

    /// Why the reference refuses it, if it does.
    #[cfg(feature = "reference_unsound")]
    pub(crate) fn reference(&self) -> Option<String> {
        grootle::reference_unsound::verify(&self.statement(), &SEED).err().map(|error| error.to_string())
    }
}

/// X and z of either form: a list of points and a scalar, or a list of lists and a list.
pub(crate) trait Lists {
    const FORM: grootle::Form;
    type X: serde::de::DeserializeOwned + Serialize;
    type Z: serde::de::DeserializeOwned + Serialize;
    fn x(x: Self::X) -> Vec<Vec<Hex>>;
    fn z(z: Self::Z) -> Vec<Hex>;
    /// The other way, for lists of m points.
    fn written(x: &[[u8; 32]], z: &[[u8; 32]], m: usize) -> (Self::X, Self::Z);
}

pub(crate) enum Concise {}
pub(crate) enum Plain {}

impl Lists for Concise {
    const FORM: grootle::Form = grootle::Form::Concise;
    type X = Vec<Hex>;
    type Z = Hex;
    fn x(x: Vec<Hex>) -> Vec<Vec<Hex>> {
        vec![x]
    }
    fn z(z: Hex) -> Vec<Hex> {
        vec![z]
    }
    fn written(x: &[[u8; 32]], z: &[[u8; 32]], _: usize) -> (Vec<Hex>, Hex) {
        (hex(x), Hex(z[0]))
    }
}

impl Lists for Plain {
    const FORM: grootle::Form = grootle::Form::Plain;
    type X = Vec<Vec<Hex>>;
    type Z = Vec<Hex>;
    fn x(x: Vec<Vec<Hex>>) -> Vec<Vec<Hex>> {
        x
    }
    fn z(z: Vec<Hex>) -> Vec<Hex> {
        z
    }
    fn written(x: &[[u8; 32]], z: &[[u8; 32]], m: usize) -> (Vec<Vec<Hex>>, Vec<Hex>) {
        (x.chunks(m).map(hex).collect(), hex(z))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct GrootleProofJson<L: Lists> {
    #[serde(rename = "A")]
    a: Hex,
    #[serde(rename = "B")]
    b: Hex,
    f: Vec<Vec<Hex>>,
    #[serde(rename = "X")]
    x: L::X,
    #[serde(rename = "zA")]
    z_a: Hex,
    z: L::Z,
}

impl<L: Lists> GrootleProofJson<L> {
    pub(crate) fn of(proof: &grootle::Proof, shape: &Shape) -> GrootleProofJson<L> {
        let (x, z) = L::written(&proof.x, &proof.z, shape.m());
        let f = proof.f.chunks(shape.n() - 1).map(hex).collect();
        GrootleProofJson { a: Hex(proof.a), b: Hex(proof.b), f, x, z_a: Hex(proof.z_a), z }
    }

    pub(super) fn proof(self, shape: &Shape) -> Read<grootle::Proof> {
        let x = L::x(self.x);
        if let Some(list) = x.iter().find(|list| list.len() != shape.m()) {
            return Err(format!("a list X has {} points, expected {}", list.len(), shape.m()));
        }
        Ok(grootle::Proof {
            a: self.a.0,
            b: self.b.0,
            f: rows(shape, self.f)?,
            x: unhex(x.into_iter().flatten().collect()),
            z_a: self.z_a.0,
            z: unhex(L::z(self.z)),
        })
    }
}

/// A case as it is read and, with a label of its own, written.
#[derive(Deserialize, Serialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub(crate) struct GrootleJson<L: Lists, T = Label> {
    #[serde(flatten)]
    pub(crate) label: T,
    pub(crate) n: u64,
    pub(crate) m: u64,
    pub(crate) message: Hex,
    #[serde(rename = "M")]
    pub(crate) ring: Vec<Vec<Hex>>,
    pub(crate) offsets: Vec<Hex>,
    #[serde(flatten)]
    pub(crate) proof: GrootleProofJson<L>,
}

impl<L: Lists> Form for GrootleJson<L> {
    type Claim = Read<GrootleClaim>;
    fn open(self) -> (Option<String>, Option<bool>, Read<GrootleClaim>) {
        let GrootleJson { label, n, m, message, ring, offsets, proof } = self;
        let claim = || {
            let shape = shape(n, m)?;
            let keys = offsets.len();
            let system = System::new(L::FORM, shape.n(), shape.m(), keys).map_err(|error| error.to_string())?;
            if let Some(member) = ring.iter().find(|member| member.len() != keys) {
                return Err(format!("a ring member has {} points, expected {keys}", member.len()));
            }
            let ring = unhex(ring.into_iter().flatten().collect());
            Ok(GrootleClaim { system, message: message.0, ring, offsets: unhex(offsets), proof: proof.proof(&shape)? })
        };
        label.open(claim())
    }
}

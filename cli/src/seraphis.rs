//! The proofs and transactions of the Seraphis study in JSON, as its vectors have them.
//!
//! Every hex value has 32 bytes. `note` labels a case, `expect` is the verdict that is expected; `expected` is understood, too.

use curve25519_lanes::proofs::accumulator::{Accumulator, Blame, Limits, PushError, Verifier};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, Divided, Generators, RangeProof};
use curve25519_lanes::proofs::grootle::{self, System};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::{self, CompositionProof};
use curve25519_lanes::proofs::triptych;
use curve25519_lanes::tx::ledger::Ledger;
use curve25519_lanes::tx::seraphis::{self, Enote, Image, Kind, Membership, Range, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::bpplus::ProofJson;
use crate::cases::{Form, Hex, Number, Object, hex, unhex};

/// A claim, or why there can be none.
pub(crate) type Read<C> = Result<C, String>;

/// Members that all cases may have.
#[derive(Deserialize)]
pub(crate) struct Label {
    note: Option<String>,
    name: Option<String>,
    expect: Option<bool>,
    expected: Option<bool>,
}

impl Label {
    fn open<C>(self, claim: C) -> (Option<String>, Option<bool>, C) {
        (self.note.or(self.name), self.expect.or(self.expected), claim)
    }
}

/// Why each of many is invalid, if it is; by one sum if none is.
pub(crate) fn all<'a, C, V: Verifier>(
    verifier: &V,
    claims: &[&'a Read<C>],
    statement: impl Fn(&'a C) -> V::Statement<'a>,
) -> Vec<Option<String>> {
    let mut faults = vec![None; claims.len()];
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    let mut places = Vec::new();
    for (i, claim) in claims.iter().enumerate() {
        match claim {
            Err(fault) => faults[i] = Some(fault.clone()),
            Ok(claim) => match batch.push(statement(claim)) {
                Ok(_) => places.push(i),
                Err(PushError::Item(error)) => faults[i] = Some(error.to_string()),
                Err(PushError::Full) => unreachable!("no limits"),
            },
        }
    }
    if !batch.is_empty()
        && let Err(Blame::Items(items)) = batch.close_and_blame()
    {
        for (at, error) in items {
            faults[places[at]] = Some(error.to_string());
        }
    }
    faults
}

/// What is wrong with one, if anything is.
pub(crate) fn error<V: Verifier>(verifier: &V, statement: V::Statement<'_>) -> Option<V::Error> {
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    match batch.push(statement) {
        Err(PushError::Item(error)) => Some(error),
        Err(PushError::Full) => unreachable!("no limits"),
        Ok(_) => match batch.close_and_blame() {
            Err(Blame::Items(items)) => items.into_iter().next().map(|(_, error)| error),
            Err(Blame::Empty) => unreachable!("one item"),
            Ok(()) => None,
        },
    }
}

/// What the reference's random weights are made from here, so that verdicts repeat.
#[cfg(feature = "reference_unsound")]
const SEED: [u8; 32] = [0; 32];

fn shape(n: u64, m: u64) -> Read<Shape> {
    // What does not fit is too large anyway.
    let size = |x: u64| usize::try_from(x).unwrap_or(usize::MAX);
    Shape::new(size(n), size(m)).map_err(|error| error.to_string())
}

/// Rows of n − 1 cells.
fn rows(shape: &Shape, rows: Vec<Vec<Hex>>) -> Read<Vec<[u8; 32]>> {
    match rows.iter().find(|row| row.len() != shape.n() - 1) {
        Some(row) => Err(format!("a row of f has {} cells, expected {}", row.len(), shape.n() - 1)),
        None => Ok(unhex(rows.into_iter().flatten().collect())),
    }
}

/// Grootle.
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

    fn proof(self, shape: &Shape) -> Read<grootle::Proof> {
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

/// Triptych.
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

/// Composition proofs.
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

/// Range proofs with up to 128 commitments, which are given as V = C/8.
pub(crate) struct RangeClaim(Range);

impl RangeClaim {
    pub(crate) fn statement(&self) -> monero::Statement<'_> {
        monero::Statement { commitments: &self.0.v, proof: &self.0.proof }
    }
}

/// Why each of many range proofs is invalid, if it is.
pub(crate) fn ranges(generators: &Generators, claims: &[&Read<RangeClaim>]) -> Vec<Option<String>> {
    all(&Divided(generators), claims, RangeClaim::statement)
}

#[derive(Serialize, Deserialize)]
pub(crate) struct RangeJson {
    #[serde(rename = "V")]
    v: Vec<Hex>,
    #[serde(flatten)]
    proof: ProofJson,
}

impl From<Range> for RangeJson {
    fn from(range: Range) -> RangeJson {
        RangeJson { v: hex(&range.v), proof: range.proof.into() }
    }
}

impl From<RangeJson> for Range {
    fn from(json: RangeJson) -> Range {
        Range { v: unhex(json.v), proof: RangeProof::from(json.proof) }
    }
}

#[derive(Deserialize)]
pub(crate) struct RangeCaseJson {
    #[serde(flatten)]
    label: Label,
    #[serde(flatten)]
    range: RangeJson,
}

impl Form for RangeCaseJson {
    type Claim = Read<RangeClaim>;
    fn open(self) -> (Option<String>, Option<bool>, Read<RangeClaim>) {
        self.label.open(Ok(RangeClaim(self.range.into())))
    }
}

/// A transaction with the part of a ledger that it refers to.
pub(crate) struct TransactionClaim {
    tx: Transaction,
    ledger: Rings,
}

/// The outputs that a case brings along: pairs, or squashed enotes.
#[derive(Default)]
struct Rings(BTreeMap<u64, Vec<[u8; 32]>>);

impl Ledger for Rings {
    fn output(&self, index: u64) -> Option<[[u8; 32]; 2]> {
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

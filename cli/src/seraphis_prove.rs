//! `lanes prove` for the proofs and transactions of the Seraphis study, in the form of its vectors.

use std::str::FromStr;

use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, MAX_OUTPUTS_EXTENDED, Opening};
use curve25519_lanes::proofs::grootle::{self, System};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::{self, Secrets};
use curve25519_lanes::proofs::triptych;
use curve25519_lanes::tx::ledger::{Ledger, MemoryLedger, Protocol};
use curve25519_lanes::tx::seraphis::{Kind, Mock, Range, Transaction};
use curve25519_lanes::{EdwardsPoint, Scalar, compress_batch, msm};
use serde::Serialize;

use crate::cases::{Hex, hex};
use crate::output::{Unusable, shown};
use crate::prove::Stream;
use crate::seraphis::{
    CompositionJson, CompositionProofJson, EnoteJson, GrootleJson, GrootleProofJson, ImageJson, Lists, RangeJson,
    TriptychJson,
};

/// The most ring members of all proofs together: some hundred bytes each in the file.
const MAX_MEMBERS: u64 = 1 << 18;

/// A ring and how many proofs are made over such rings.
#[derive(clap::Args)]
pub(crate) struct RingArgs {
    /// Rings have n^m members
    #[arg(short, default_value_t = 2)]
    n: usize,
    /// Rings have n^m members
    #[arg(short, default_value_t = 7)]
    m: usize,
    /// Proofs, each over a ring of its own
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    proofs: u64,
    /// Make the same file every time, everything random following from this number and the other options
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(clap::Args)]
pub(crate) struct GrootleArgs {
    #[command(flatten)]
    pub(crate) ring: RingArgs,
    /// Points of a ring member
    #[arg(long, default_value_t = 2)]
    keys: usize,
}

#[derive(clap::Args)]
pub(crate) struct CompositionArgs {
    /// The number of keys of a proof; give the option again for more proofs
    #[arg(long, required = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=128))]
    keys: Vec<u64>,
    /// Make the same file every time, everything random following from this number and the other options
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(clap::Args)]
pub(crate) struct RangeArgs {
    /// The amounts of one proof, 1 to 128 of them, each below 2^64; give the option again for more proofs
    #[arg(long, required = true, value_name = "N,N,…")]
    amounts: Vec<Amounts>,
    /// Make the same file every time, masks and nonces following from this number and the amounts
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

#[derive(Clone)]
struct Amounts(Vec<u64>);

impl FromStr for Amounts {
    type Err = String;

    fn from_str(text: &str) -> Result<Amounts, String> {
        let parse = |part: &str| part.trim().parse::<u64>().map_err(|error| format!("{:?}: {error}", shown(part)));
        let amounts = text.split(',').map(parse).collect::<Result<Vec<_>, _>>()?;
        match amounts.len() {
            1..=MAX_OUTPUTS_EXTENDED => Ok(Amounts(amounts)),
            count => Err(format!("{count} amounts; a proof has at most {MAX_OUTPUTS_EXTENDED}")),
        }
    }
}

#[derive(clap::Args)]
pub(crate) struct TransactionArgs {
    /// The kind of the transactions: sp-concise, sp-plain, sp-merge or sp-squashed
    #[arg(long = "type", value_name = "TYPE", value_parser = kind)]
    kind: Kind,
    /// Inputs of each
    #[arg(long, default_value_t = 2)]
    inputs: usize,
    /// Outputs of each
    #[arg(long, default_value_t = 2)]
    outputs: usize,
    /// Rings have n^m members
    #[arg(short, default_value_t = 2)]
    n: usize,
    /// Rings have n^m members
    #[arg(short, default_value_t = 3)]
    m: usize,
    /// How many times the range proof is split
    #[arg(long, default_value_t = 0)]
    splits: usize,
    /// Transactions
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    batch: u64,
    /// Make the same file every time, everything random following from this number and the other options
    /// [default: the system's random generator]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

fn kind(text: &str) -> Result<Kind, String> {
    let found = Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "sp-concise, sp-plain, sp-merge or sp-squashed".to_string())
}

/// The members that all cases have.
#[derive(Serialize)]
pub(crate) struct Label {
    id: usize,
    note: String,
    expect: bool,
}

impl Label {
    fn new(id: usize, what: String) -> Label {
        Label { id, note: format!("made {id}, {what}"), expect: true }
    }
}

fn shape(n: usize, m: usize, rings: u64) -> Result<Shape, Unusable> {
    let shape = Shape::new(n, m).map_err(|error| Unusable::new(error.to_string()))?;
    let members = rings.saturating_mul(shape.ring_size() as u64);
    if members > MAX_MEMBERS {
        return Err(Unusable::new(format!("rings of {members} members together, at most {MAX_MEMBERS} are made")));
    }
    Ok(shape)
}

fn fault(index: usize, error: &dyn std::fmt::Display) -> Unusable {
    Unusable::new(format!("proof {index}: {error}"))
}

/// Random multiples of G, and their secrets.
fn points(random: &mut Stream, count: usize) -> (Vec<Scalar>, Vec<EdwardsPoint>) {
    let secrets: Vec<Scalar> = (0..count).map(|_| random.scalar()).collect();
    let points = msm::mul_base_batch(&secrets);
    (secrets, points)
}

/// The two streams of random bytes of a proof: for secrets and statement, and for nonces. Both follow from the same values.
fn streams(what: &[u8], index: usize, values: &[u64], seed: Option<u64>) -> Result<[Stream; 2], Unusable> {
    let stream = |purpose: &[u8]| Stream::new(&[b"lanes prove ", what, purpose].concat(), index, values, seed);
    Ok([stream(b" secrets")?, stream(b" nonces")?])
}

/// Triptych proofs over random rings.
pub(crate) fn triptych(args: &RingArgs) -> Result<Vec<TriptychJson<Label>>, Unusable> {
    let RingArgs { n, m, proofs, seed } = *args;
    let shape = shape(n, m, proofs)?;
    let make = |id: usize| {
        let [mut random, mut nonces] = streams(b"triptych", id, &[n as u64, m as u64], seed)?;
        let index = (random.number() % shape.ring_size() as u64) as usize;
        let message = random.scalar().to_bytes();
        let (secrets, mut ring) = points(&mut random, 2 * shape.ring_size() + 1);
        let (commitment, key) = (random.scalar(), secrets[2 * index]);
        let offset = ring.pop().expect("one more than the ring's");
        ring[2 * index + 1] = offset + EdwardsPoint::mul_base(&commitment);
        let (ring, offset) = (compress_batch(&ring), offset.compress().0);
        let witness = triptych::Witness { index, key, commitment };
        let proof = triptych::prove(&shape, &message, &ring, &offset, &witness, &mut nonces);
        let proof = proof.map_err(|error| fault(id, &error))?;
        let half = |at: usize| ring.iter().skip(at).step_by(2).copied().map(Hex).collect();
        let triptych::Proof { k, a, b, c, d, x, y, f, z_a, z_c, z } = proof;
        let [message, offset, tag] = [message, offset, witness.tag().compress().0].map(Hex);
        let [k, a, b, c, d, z_a, z_c, z] = [k, a, b, c, d, z_a, z_c, z].map(Hex);
        let (keys, commitments, f) = (half(0), half(1), f.chunks(n - 1).map(hex).collect());
        let label = Label::new(id, format!("ring {n}^{m}"));
        let (x, y) = (hex(&x), hex(&y));
        let (n, m) = (n as u64, m as u64);
        Ok(TriptychJson { label, n, m, message, keys, commitments, offset, tag, k, a, b, c, d, x, y, f, z_a, z_c, z })
    };
    (0..proofs as usize).map(make).collect()
}

/// Grootle proofs over random rings.
pub(crate) fn grootle<L: Lists>(args: &GrootleArgs) -> Result<Vec<GrootleJson<L, Label>>, Unusable> {
    let GrootleArgs { ring: RingArgs { n, m, proofs, seed }, keys } = *args;
    let system = System::new(L::FORM, n, m, keys).map_err(|error| Unusable::new(error.to_string()))?;
    let shape = shape(n, m, proofs.saturating_mul(keys as u64))?;
    let what: &[u8] = match L::FORM {
        grootle::Form::Concise => b"concise grootle",
        grootle::Form::Plain => b"plain grootle",
    };
    let make = |id: usize| {
        let [mut random, mut nonces] = streams(what, id, &[n as u64, m as u64, keys as u64], seed)?;
        let index = (random.number() % shape.ring_size() as u64) as usize;
        let message = random.scalar().to_bytes();
        let (_, mut ring) = points(&mut random, keys * shape.ring_size());
        let (_, offsets) = points(&mut random, keys);
        let (secrets, differences) = points(&mut random, keys);
        for ((member, offset), difference) in ring[keys * index..].iter_mut().zip(&offsets).zip(&differences) {
            *member = offset + difference;
        }
        let (ring, offsets) = (compress_batch(&ring), compress_batch(&offsets));
        let witness = grootle::Witness { index, secrets: &secrets };
        let proof =
            system.prove(&message, &ring, &offsets, &witness, &mut nonces).map_err(|error| fault(id, &error))?;
        let label = Label::new(id, format!("ring {n}^{m}, {keys} keys"));
        let (ring, offsets) = (ring.chunks(keys).map(hex).collect(), hex(&offsets));
        let proof = GrootleProofJson::of(&proof, &shape);
        let (n, m) = (n as u64, m as u64);
        Ok(GrootleJson { label, n, m, message: Hex(message), ring, offsets, proof })
    };
    (0..proofs as usize).map(make).collect()
}

/// Composition proofs of random keys.
pub(crate) fn compositions(args: &CompositionArgs) -> Result<Vec<CompositionJson<Label>>, Unusable> {
    let make = |(id, &keys): (usize, &u64)| {
        let [mut random, mut nonces] = streams(b"composition", id, &[keys], args.seed)?;
        let message = random.scalar().to_bytes();
        let secrets: Vec<Secrets> =
            (0..keys).map(|_| Secrets { x: random.scalar(), y: random.scalar(), z: random.scalar() }).collect();
        let proof = schnorr::prove(&message, &secrets, &mut nonces).map_err(|error| fault(id, &error))?;
        let encoded =
            |point: fn(&Secrets) -> EdwardsPoint| secrets.iter().map(|s| Hex(point(s).compress().0)).collect();
        Ok(CompositionJson {
            label: Label::new(id, format!("{keys} keys")),
            message: Hex(message),
            keys: encoded(Secrets::key),
            tags: encoded(Secrets::tag),
            proof: proof.into(),
        })
    };
    args.keys.iter().enumerate().map(make).collect()
}

#[derive(Serialize)]
pub(crate) struct RangeMade {
    #[serde(flatten)]
    label: Label,
    #[serde(flatten)]
    range: RangeJson,
    amounts: Vec<u64>,
    masks: Vec<Hex>,
}

/// Range proofs of up to 128 amounts.
pub(crate) fn ranges(args: &RangeArgs) -> Result<Vec<RangeMade>, Unusable> {
    let generators = Generators::new(MAX_OUTPUTS_EXTENDED).map_err(|error| Unusable::new(error.to_string()))?;
    let make = |(id, Amounts(amounts)): (usize, &Amounts)| {
        let [mut random, mut nonces] = streams(b"seraphis-bpplus", id, amounts, args.seed)?;
        let openings: Vec<Opening> = amounts.iter().map(|&amount| Opening::new(amount, random.scalar())).collect();
        let proof = generators.prove(&openings, &mut nonces).map_err(|error| fault(id, &error))?;
        let eighth = |opening: &Opening| {
            let point = opening.commit().decompress_strict().expect("an encoding just made");
            (Scalar::from(8u64).invert() * point).compress().0
        };
        Ok(RangeMade {
            label: Label::new(id, format!("outputs {}", amounts.len())),
            range: Range { v: openings.iter().map(eighth).collect(), proof }.into(),
            amounts: amounts.clone(),
            masks: openings.iter().map(|opening| Hex(opening.mask.to_bytes())).collect(),
        })
    };
    args.amounts.iter().enumerate().map(make).collect()
}

#[derive(Serialize)]
pub(crate) struct TransactionMade {
    #[serde(flatten)]
    label: Label,
    #[serde(rename = "type")]
    kind: &'static str,
    size_bytes: usize,
    version_bytes: String,
    input_images: Vec<ImageJson>,
    outputs: Vec<EnoteJson>,
    output_enote_pubkeys: Vec<Hex>,
    range_proofs: Vec<RangeJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remainder_blinding_factor: Option<Hex>,
    membership_proofs: Vec<MembershipMade>,
    image_proofs: Vec<CompositionProofJson>,
}

#[derive(Serialize)]
struct MembershipMade {
    n: usize,
    m: usize,
    ledger_indices: Vec<u64>,
    reference_set: Vec<Vec<Hex>>,
    /// Of squashed enotes, what they were made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference_set_unsquashed: Option<Vec<Vec<Hex>>>,
    /// Of either form.
    grootle: serde_json::Value,
}

/// Transactions, each over a ledger of its own.
pub(crate) fn transactions(args: &TransactionArgs) -> Result<Vec<TransactionMade>, Unusable> {
    let TransactionArgs { kind, inputs, outputs, n, m, splits, batch, seed } = *args;
    let shape = shape(n, m, batch.saturating_mul(inputs as u64))?;
    let mock = Mock { kind, shape, inputs, outputs, splits };
    let values = [inputs, outputs, n, m, splits].map(|x| x as u64);
    let make = |id: usize| {
        let [mut random, _] = streams(kind.name().as_bytes(), id, &values, seed)?;
        let mut ledger = MemoryLedger::new();
        let tx = mock.build(&mut ledger, &mut random).map_err(|error| fault(id, &error))?;
        let label = Label::new(id, format!("{inputs} inputs, {outputs} outputs, ring {n}^{m}"));
        written(label, tx, &ledger).map_err(|error| fault(id, &error))
    };
    (0..batch as usize).map(make).collect()
}

fn written(label: Label, tx: Transaction, ledger: &MemoryLedger) -> Result<TransactionMade, serde_json::Error> {
    let (kind, shape) = (tx.kind, tx.shape);
    let memberships = tx.memberships.iter().map(|membership| {
        let pair = |&index: &u64| ledger.output(Protocol::Seraphis, index).map(|pair| hex(&pair));
        let pairs = || membership.indices.iter().filter_map(pair).collect();
        let squashed = |&index: &u64| ledger.squashed(index).map(|point| vec![Hex(point)]);
        let (reference_set, reference_set_unsquashed) = match kind {
            Kind::Squashed => (membership.indices.iter().filter_map(squashed).collect(), Some(pairs())),
            _ => (pairs(), None),
        };
        Ok(MembershipMade {
            n: shape.n(),
            m: shape.m(),
            ledger_indices: membership.indices.clone(),
            reference_set,
            reference_set_unsquashed,
            grootle: match kind {
                Kind::Plain => {
                    serde_json::to_value(GrootleProofJson::<crate::seraphis::Plain>::of(&membership.proof, &shape))
                }
                _ => serde_json::to_value(GrootleProofJson::<crate::seraphis::Concise>::of(&membership.proof, &shape)),
            }?,
        })
    });
    Ok(TransactionMade {
        label,
        kind: kind.name(),
        size_bytes: tx.size(),
        version_bytes: kind.version().iter().map(|byte| format!("{byte:02x}")).collect(),
        membership_proofs: memberships.collect::<Result<_, serde_json::Error>>()?,
        input_images: tx.images.into_iter().map(ImageJson::from).collect(),
        outputs: tx.outputs.into_iter().map(EnoteJson::from).collect(),
        output_enote_pubkeys: hex(&tx.pubkeys),
        range_proofs: tx.ranges.into_iter().map(RangeJson::from).collect(),
        remainder_blinding_factor: tx.remainder.map(Hex),
        image_proofs: tx.ownership.into_iter().map(CompositionProofJson::from).collect(),
    })
}

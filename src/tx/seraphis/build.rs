//! Building transactions, and whole mock ledgers to spend from.

use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{
    Enote, Image, Kind, MAX_INPUTS, MAX_OUTPUTS, Membership, Range, Transaction, image_message, membership_message,
    squash,
};
use crate::field::scalar::Scalar;
use crate::group::{CompressedEdwardsY, EdwardsPoint, compress_batch_secret};
use crate::msm;
use crate::proofs::bulletproofs_plus::monero::{self, Opening};
use crate::proofs::grootle::{self, Witness};
use crate::proofs::one_of_many::Shape;
use crate::proofs::schnorr::{self, Secrets};
use crate::tx::batch::range_generators;
use crate::tx::ledger::{Ledger, MemoryLedger, Protocol};

/// An enote to be spent: its address is y·X + z·U, its commitment mask·G + amount·H. Wiped when dropped.
#[derive(Clone)]
pub struct Input {
    /// The ring, ascending indices of the ledger.
    pub indices: Vec<u64>,
    /// Which member of the ring it is.
    pub position: usize,
    /// y
    pub y: Scalar,
    /// z
    pub z: Scalar,
    /// Amount and mask.
    pub opening: Opening,
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").finish_non_exhaustive()
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.position.zeroize();
        self.y.zeroize();
        self.z.zeroize();
    }
}

impl ZeroizeOnDrop for Input {}

/// An output to be made.
#[derive(Debug, Clone)]
pub struct Output {
    /// The one-time address.
    pub address: [u8; 32],
    /// R
    pub pubkey: [u8; 32],
    /// The amount as its receiver will find it.
    pub encoded_amount: u64,
    /// The view tag.
    pub view_tag: u8,
    /// Amount and mask.
    pub opening: Opening,
}

/// Why no transaction was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// No input or output, or too many.
    Counts {
        /// Inputs.
        inputs: usize,
        /// Outputs.
        outputs: usize,
    },
    /// The ledger has no such output.
    Missing(u64),
    /// What is spent is not what is received, in integers.
    Unbalanced,
    /// A composition proof failed.
    Ownership(schnorr::ProveError),
    /// A membership proof failed.
    Membership(grootle::ProveError),
    /// A range proof failed.
    Range(monero::ProveError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Counts { inputs, outputs } => {
                write!(f, "{inputs} inputs and {outputs} outputs, expected up to {MAX_INPUTS} and {MAX_OUTPUTS}")
            }
            BuildError::Missing(index) => write!(f, "the ledger has no output {index}"),
            BuildError::Unbalanced => f.write_str("the amounts spent and received differ"),
            BuildError::Ownership(error) => write!(f, "composition proof: {error}"),
            BuildError::Membership(error) => write!(f, "membership proof: {error}"),
            BuildError::Range(error) => write!(f, "range proof: {error}"),
        }
    }
}

impl Error for BuildError {}

/// An input with what it is masked by.
struct Masked<'a> {
    input: &'a Input,
    /// Address, composition secrets.
    secrets: Zeroizing<Secrets>,
    image: Image,
    /// t_k, t_c
    masks: Zeroizing<[Scalar; 2]>,
}

/// Builds a transaction. Range proofs are split `splits` times: each time groups of amounts become half as large, rounded
/// down to a power of two.
///
/// Constant-time in secrets but for their sorting by public tags.
///
/// # Errors
/// Amounts that don't balance, numbers beyond the limits, or secrets that don't open what the ledger has.
pub fn build(
    kind: Kind,
    shape: Shape,
    inputs: &[Input],
    outputs: &[Output],
    splits: usize,
    ledger: &impl Ledger,
    rng: &mut impl CryptoRng,
) -> Result<Transaction, BuildError> {
    if inputs.is_empty() || inputs.len() > MAX_INPUTS || outputs.is_empty() || outputs.len() > MAX_OUTPUTS {
        return Err(BuildError::Counts { inputs: inputs.len(), outputs: outputs.len() });
    }
    let total = |amounts: &mut dyn Iterator<Item = u64>| amounts.map(u128::from).sum::<u128>();
    if total(&mut inputs.iter().map(|i| i.opening.amount)) != total(&mut outputs.iter().map(|o| o.opening.amount)) {
        return Err(BuildError::Unbalanced);
    }
    let received: Scalar = outputs.iter().map(|o| o.opening.mask).sum();
    let mut masked = mask(kind, inputs, &received, rng);
    masked.sort_by_key(|masked| masked.image.tag);
    let images: Vec<Image> = masked.iter().map(|masked| masked.image).collect();

    let spent: Scalar = masked.iter().map(|m| m.masks[1] + m.input.opening.mask).sum();
    let remainder = (kind != Kind::Merge).then(|| (spent - received).to_bytes());

    let enotes: Vec<Enote> = outputs
        .iter()
        .map(|output| Enote {
            address: output.address,
            commitment: output.opening.commit().0,
            amount: output.encoded_amount,
            view_tag: output.view_tag,
        })
        .collect();
    let pubkeys: Vec<[u8; 32]> = outputs.iter().map(|output| output.pubkey).collect();

    let mut openings = Vec::new();
    if kind == Kind::Squashed {
        openings.extend(masked.iter().map(|m| {
            let Opening { amount, mask } = &m.input.opening;
            Opening::new(*amount, mask + m.masks[1])
        }));
    }
    openings.extend(outputs.iter().map(|output| output.opening.clone()));
    let ranges = openings
        .chunks(group(openings.len(), splits))
        .map(|part| range(part, rng).map_err(BuildError::Range))
        .collect::<Result<_, _>>()?;

    let message = image_message(kind, &enotes, &pubkeys);
    let secrets = Zeroizing::new(masked.iter().map(|m| *m.secrets).collect::<Vec<_>>());
    let each = masked.len() / kind.ownership_proofs(masked.len());
    let ownership = secrets.chunks(each).map(|secrets| schnorr::prove(&message, secrets, rng));
    let ownership = ownership.collect::<Result<_, _>>().map_err(BuildError::Ownership)?;

    let memberships = masked.iter().map(|m| membership(kind, shape, m, ledger, rng)).collect::<Result<_, _>>()?;
    Ok(Transaction { kind, shape, images, outputs: enotes, pubkeys, ranges, remainder, memberships, ownership })
}

/// Masks all inputs; in Merge transactions the last mask makes up for the difference to `received`.
fn mask<'a>(kind: Kind, inputs: &'a [Input], received: &Scalar, rng: &mut impl CryptoRng) -> Vec<Masked<'a>> {
    let mut open = Zeroizing::new(*received - inputs.iter().map(|input| input.opening.mask).sum::<Scalar>());
    let mut out = Vec::with_capacity(inputs.len());
    for (i, input) in inputs.iter().enumerate() {
        let mut masks = Zeroizing::new([Scalar::random(rng), Scalar::random(rng)]);
        if kind == Kind::Merge && i + 1 == inputs.len() {
            masks[1] = *open;
        }
        *open -= masks[1];
        let own = Zeroizing::new(Secrets { x: Scalar::ZERO, y: input.y, z: input.z });
        let commitment = input.opening.commit();
        let h = match kind {
            Kind::Squashed => squash(&own.key().compress().0, &commitment.0),
            _ => Scalar::ONE,
        };
        let secrets = Zeroizing::new(Secrets { x: masks[0], y: h * input.y, z: h * input.z });
        let point = commitment.decompress_strict().expect("an encoding just made");
        let points = [secrets.key(), EdwardsPoint::mul_base(&masks[1]) + point, secrets.tag()];
        let [address, commitment, tag] = points.map(|point| point.compress().0);
        out.push(Masked { input, secrets, image: Image { address, commitment, tag }, masks });
    }
    out
}

/// The amounts under one range proof.
pub(crate) fn group(amounts: usize, splits: usize) -> usize {
    // Every split takes a bit off the size, until it is 1.
    (0..splits.min(usize::BITS as usize)).fold(amounts, |size, _| match size {
        1 => 1,
        _ if size.is_power_of_two() => size / 2,
        _ => 1 << size.ilog2(),
    })
}

/// A range proof with the V of its commitments.
pub(crate) fn range(openings: &[Opening], rng: &mut impl CryptoRng) -> Result<Range, monero::ProveError> {
    let proof = range_generators().prove(openings, rng)?;
    let commitments: Vec<EdwardsPoint> =
        openings.iter().map(|o| o.commit().decompress_strict().expect("an encoding just made")).collect();
    let v = compress_batch_secret(&msm::same_scalar_vartime(&Scalar::INV_EIGHT, &commitments));
    Ok(Range { v, proof })
}

fn membership(
    kind: Kind,
    shape: Shape,
    masked: &Masked<'_>,
    ledger: &impl Ledger,
    rng: &mut impl CryptoRng,
) -> Result<Membership, BuildError> {
    let Masked { input, image, masks, .. } = masked;
    let message = membership_message(&input.indices);
    let [t_k, t_c] = **masks;
    let (mut ring, offsets, secrets) = match kind {
        Kind::Squashed => {
            let points = [image.address, image.commitment]
                .map(|bytes| CompressedEdwardsY(bytes).decompress_strict().expect("an encoding just made"));
            (Vec::new(), vec![(points[0] + points[1]).compress().0], Zeroizing::new(vec![-(t_k + t_c)]))
        }
        _ => (Vec::new(), vec![image.address, image.commitment], Zeroizing::new(vec![-t_k, -t_c])),
    };
    for &index in &input.indices {
        match kind {
            Kind::Squashed => ring.push(ledger.squashed(index).ok_or(BuildError::Missing(index))?),
            _ => ring.extend(ledger.output(Protocol::Seraphis, index).ok_or(BuildError::Missing(index))?),
        }
    }
    let witness = Witness { index: input.position, secrets: &secrets };
    let proof = kind.system(shape).prove(&message, &ring, &offsets, &witness, rng).map_err(BuildError::Membership)?;
    Ok(Membership { indices: input.indices.clone(), proof })
}

/// What a mock transaction looks like.
///
/// Amounts are those of the study: each side gets (2^64 − 1)/(the larger count) an entry, and the shorter side's last entry
/// the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mock {
    /// The kind.
    pub kind: Kind,
    /// The shape of the rings.
    pub shape: Shape,
    /// Inputs.
    pub inputs: usize,
    /// Outputs.
    pub outputs: usize,
    /// Times that the range proof is split.
    pub splits: usize,
}

impl Mock {
    /// A transaction over rings of new outputs, which are added to the ledger: all but the spent ones are random points.
    ///
    /// # Errors
    /// As [`build`].
    pub fn build(&self, ledger: &mut MemoryLedger, rng: &mut impl CryptoRng) -> Result<Transaction, BuildError> {
        let Mock { kind, shape, inputs, outputs, splits } = *self;
        if inputs == 0 || inputs > MAX_INPUTS || outputs == 0 || outputs > MAX_OUTPUTS {
            return Err(BuildError::Counts { inputs, outputs });
        }
        let spent: Vec<Input> = amounts(inputs, outputs)
            .into_iter()
            .map(|amount| {
                let mut bytes = [0; 8];
                rng.fill_bytes(&mut bytes);
                let position = (u64::from_le_bytes(bytes) % shape.ring_size() as u64) as usize;
                let [y, z, mask] = core::array::from_fn(|_| Scalar::random(rng));
                Input { indices: Vec::new(), position, y, z, opening: Opening::new(amount, mask) }
            })
            .collect();
        let spent: Vec<Input> = spent.into_iter().map(|input| ring(kind, shape, input, ledger, rng)).collect();
        let received: Vec<Output> = amounts(outputs, inputs)
            .into_iter()
            .map(|amount| {
                let [address, pubkey, mask] = core::array::from_fn(|_| Scalar::random(rng));
                let points = compress_batch_secret(&msm::mul_base_batch(&[address, pubkey]));
                let mut bytes = [0; 9];
                rng.fill_bytes(&mut bytes);
                Output {
                    address: points[0],
                    pubkey: points[1],
                    encoded_amount: u64::from_le_bytes(*bytes.first_chunk().expect("nine bytes hold eight")),
                    view_tag: bytes[8],
                    opening: Opening::new(amount, mask),
                }
            })
            .collect();
        build(kind, shape, &spent, &received, splits, ledger, rng)
    }
}

/// The amounts of one side with `own` entries, the other having `other`.
pub(crate) fn amounts(own: usize, other: usize) -> Vec<u64> {
    let chunk = u64::MAX / own.max(other) as u64;
    let mut out = vec![chunk; own];
    // 2^64 − 1 is odd, so the longer side may fall short of it: both sides sum up to what the longer one has.
    out[own - 1] += chunk * (own.max(other) - own) as u64;
    out
}

/// Adds a ring of random outputs to the ledger, with the spent one at its place.
fn ring(kind: Kind, shape: Shape, mut input: Input, ledger: &mut MemoryLedger, rng: &mut impl CryptoRng) -> Input {
    let secrets: Vec<Scalar> = (0..2 * shape.ring_size()).map(|_| Scalar::random(rng)).collect();
    let mut points = msm::mul_base_batch(&secrets);
    let own = Zeroizing::new(Secrets { x: Scalar::ZERO, y: input.y, z: input.z });
    points[2 * input.position] = own.key();
    points[2 * input.position + 1] = input.opening.commit().decompress_strict().expect("an encoding just made");
    let encoded = compress_batch_secret(&points);
    let (pairs, _) = encoded.as_chunks::<2>();
    match kind {
        Kind::Squashed => input.indices.extend(ledger.push_squashed(pairs).expect("encodings just made")),
        _ => input
            .indices
            .extend(pairs.iter().map(|&[address, commitment]| ledger.push(Protocol::Seraphis, address, commitment))),
    }
    input
}

//! What statements have in common: bit length, limits, bases.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use once_cell::race::OnceBox;

use super::error::ParameterError;
use crate::field::scalar::Scalar;
use crate::group::{CompressedRistretto, EdwardsPoint, RistrettoPoint, compress_batch_ristretto};
use crate::hash::shake::Shake256;
use crate::msm;
use crate::proofs::accumulator::GeneratorSet;

/// The most bits of a value.
pub const MAX_BIT_LENGTH: usize = 64;

/// How many mask bases there are: 1 to 6. Tari's names count those beyond the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExtensionDegree {
    /// 1
    DefaultPedersen = 1,
    /// 2
    AddOneBasePoint,
    /// 3
    AddTwoBasePoints,
    /// 4
    AddThreeBasePoints,
    /// 5
    AddFourBasePoints,
    /// 6
    AddFiveBasePoints,
}

impl ExtensionDegree {
    /// All of them, ascending.
    pub const ALL: [ExtensionDegree; 6] = [
        ExtensionDegree::DefaultPedersen,
        ExtensionDegree::AddOneBasePoint,
        ExtensionDegree::AddTwoBasePoints,
        ExtensionDegree::AddThreeBasePoints,
        ExtensionDegree::AddFourBasePoints,
        ExtensionDegree::AddFiveBasePoints,
    ];

    /// The number of mask bases.
    pub const fn count(self) -> usize {
        self as usize
    }
}

impl TryFrom<usize> for ExtensionDegree {
    type Error = ParameterError;

    fn try_from(count: usize) -> Result<ExtensionDegree, ParameterError> {
        let found = ExtensionDegree::ALL.into_iter().find(|degree| degree.count() == count);
        found.ok_or(ParameterError::ExtensionDegree(count))
    }
}

/// The bases of commitments: C = v·H + Σ r_k·G_k. Shared when cloned.
#[derive(Clone)]
pub struct PedersenGens(Arc<Pedersen>);

struct Pedersen {
    degree: ExtensionDegree,
    value: RistrettoPoint,
    masks: Vec<RistrettoPoint>,
    /// The encodings of all: H, G_1, …
    encodings: Vec<[u8; 32]>,
}

impl PedersenGens {
    /// Tari's bases: H is the base point of Ristretto, G_k the map of SHA3-512 of `RISTRETTO_MASKING_BASEPOINT_` with k
    /// in decimal, from 1.
    pub fn new(degree: ExtensionDegree) -> PedersenGens {
        let hash = |k: usize| {
            let label = alloc::format!("RISTRETTO_MASKING_BASEPOINT_{k}");
            <[u8; 64]>::from(<sha3::Sha3_512 as sha3::Digest>::digest(label))
        };
        let hashes: Vec<[u8; 64]> = (1..=degree.count()).map(hash).collect();
        PedersenGens::of(degree, RistrettoPoint::BASEPOINT, RistrettoPoint::from_uniform_bytes_batch(&hashes))
    }

    /// Other bases. Nobody may know a relation between them; a proof over the identity is refused.
    ///
    /// # Errors
    /// Not 1 to 6 mask bases.
    pub fn custom(h_base: RistrettoPoint, g_bases: &[RistrettoPoint]) -> Result<PedersenGens, ParameterError> {
        Ok(PedersenGens::of(ExtensionDegree::try_from(g_bases.len())?, h_base, g_bases.to_vec()))
    }

    fn of(degree: ExtensionDegree, value: RistrettoPoint, masks: Vec<RistrettoPoint>) -> PedersenGens {
        let encodings = compress_batch_ristretto(&[&[value], &masks[..]].concat());
        PedersenGens(Arc::new(Pedersen { degree, value, masks, encodings }))
    }

    /// How many mask bases there are.
    pub fn extension_degree(&self) -> ExtensionDegree {
        self.0.degree
    }

    /// H, the base of the value.
    pub fn h_base(&self) -> &RistrettoPoint {
        &self.0.value
    }

    /// The bases of the masks.
    pub fn g_bases(&self) -> &[RistrettoPoint] {
        &self.0.masks
    }

    /// The encoding of H.
    pub fn h_base_compressed(&self) -> CompressedRistretto {
        CompressedRistretto(self.0.encodings[0])
    }

    /// The encodings of the mask bases.
    pub fn g_bases_compressed(&self) -> impl ExactSizeIterator<Item = CompressedRistretto> {
        self.0.encodings[1..].iter().copied().map(CompressedRistretto)
    }

    /// The commitment value·H + Σ masks\[k\]·G_k. Constant-time.
    ///
    /// # Errors
    /// No mask, or more than mask bases.
    pub fn commit(&self, value: &Scalar, masks: &[Scalar]) -> Result<RistrettoPoint, ParameterError> {
        if masks.is_empty() || masks.len() > self.0.masks.len() {
            return Err(ParameterError::Masks { found: masks.len(), limit: self.0.masks.len() });
        }
        let scalars = zeroize::Zeroizing::new([&[*value], masks].concat());
        let points: Vec<EdwardsPoint> = self.bases().take(scalars.len()).collect();
        Ok(RistrettoPoint(msm::constant_time(&scalars, &points).expect("one scalar a base")))
    }

    /// H, G_1, …
    pub(super) fn bases(&self) -> impl Iterator<Item = EdwardsPoint> {
        core::iter::once(self.0.value.0).chain(self.0.masks.iter().map(|g| g.0))
    }

    /// The encodings of H, G_1, …
    pub(super) fn encodings(&self) -> &[[u8; 32]] {
        &self.0.encodings
    }
}

impl PartialEq for PedersenGens {
    fn eq(&self, other: &PedersenGens) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.encodings == other.0.encodings
    }
}

impl Eq for PedersenGens {}

impl fmt::Debug for PedersenGens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PedersenGens").field("encodings", &self.0.encodings).finish()
    }
}

/// What all statements of a kind have in common. Cheap to clone, and clones share everything that is computed.
///
/// Bases and tables are built when they are first needed, in lanes, for each number of values of a proof by itself:
/// a table is cut for sums over all its points. For m values of n bits that are 2·m·n bases of 480 bytes (0.4 ms for
/// 128 of them, 12 ms for 4096) and, for verifiers, a table of up to 1 MiB, or 512 bytes a base where that is more.
#[derive(Clone)]
pub struct RangeParameters(Arc<Parameters>);

struct Parameters {
    log_bits: usize,
    pedersen: PedersenGens,
    /// The t-th for proofs of 2^t values.
    vectors: Vec<OnceBox<VectorBases>>,
}

/// The vector bases for some number of values.
pub(super) struct VectorBases {
    pub(super) gi: Vec<EdwardsPoint>,
    pub(super) hi: Vec<EdwardsPoint>,
    /// H, G_1, …, then Gi and Hi by turns.
    set: OnceBox<Arc<GeneratorSet<RistrettoPoint>>>,
}

impl RangeParameters {
    /// Parameters for values of `bit_length` bits and up to `max_aggregation_factor` values a proof.
    ///
    /// # Errors
    /// A bit length that is no power of two up to 64, or a number of values that is no power of two below 2^32.
    pub fn init(
        bit_length: usize,
        max_aggregation_factor: usize,
        pc_gens: PedersenGens,
    ) -> Result<RangeParameters, ParameterError> {
        if !max_aggregation_factor.is_power_of_two() || u32::try_from(max_aggregation_factor).is_err() {
            return Err(ParameterError::Aggregation(max_aggregation_factor));
        }
        if !bit_length.is_power_of_two() || bit_length > MAX_BIT_LENGTH {
            return Err(ParameterError::BitLength(bit_length));
        }
        let vectors = (0..=max_aggregation_factor.ilog2()).map(|_| OnceBox::new()).collect();
        let log_bits = bit_length.ilog2() as usize;
        Ok(RangeParameters(Arc::new(Parameters { log_bits, pedersen: pc_gens, vectors })))
    }

    /// The bases of commitments.
    pub fn pc_gens(&self) -> &PedersenGens {
        &self.0.pedersen
    }

    /// The bits of a value.
    pub fn bit_length(&self) -> usize {
        1 << self.0.log_bits
    }

    /// The most values of a proof.
    pub fn max_aggregation_factor(&self) -> usize {
        1 << (self.0.vectors.len() - 1)
    }

    /// How many mask bases there are.
    pub fn extension_degree(&self) -> ExtensionDegree {
        self.0.pedersen.extension_degree()
    }

    /// The vector bases Gi and Hi of a proof of this many values, in order: as many of each as bits.
    ///
    /// # Panics
    /// `values` is no power of two or more than the parameters allow.
    pub fn vector_bases(&self, values: usize) -> (Vec<RistrettoPoint>, Vec<RistrettoPoint>) {
        assert!(values.is_power_of_two() && values <= self.max_aggregation_factor(), "{values} values");
        let bases = self.vectors(values.ilog2() as usize);
        let elements = |points: &[EdwardsPoint]| points.iter().map(|p| RistrettoPoint(*p)).collect();
        (elements(&bases.gi), elements(&bases.hi))
    }

    /// log2 of the bits of a value.
    pub(super) fn log_bits(&self) -> usize {
        self.0.log_bits
    }

    /// Whether proofs over these and over the other parameters can share one equation.
    pub(super) fn agree(&self, other: &RangeParameters) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.log_bits == other.0.log_bits && self.0.pedersen == other.0.pedersen
    }

    /// The bases for 2^`log_values` values.
    pub(super) fn vectors(&self, log_values: usize) -> &VectorBases {
        self.0.vectors[log_values].get_or_init(|| {
            let bases = |name| vector_bases(name, self.bit_length(), 1 << log_values);
            Box::new(VectorBases { gi: bases(b'G'), hi: bases(b'H'), set: OnceBox::new() })
        })
    }

    /// The bases of the equations of proofs of up to 2^`log_values` values: H, G_1, …, then Gi and Hi by turns.
    pub(super) fn generators(&self, log_values: usize) -> &Arc<GeneratorSet<RistrettoPoint>> {
        let bases = self.vectors(log_values);
        bases.set.get_or_init(|| {
            let pairs = bases.gi.iter().zip(&bases.hi).flat_map(|(g, h)| [*g, *h]);
            let points: Vec<_> = self.0.pedersen.bases().chain(pairs).map(RistrettoPoint).collect();
            Box::new(Arc::new(GeneratorSet::new(&points, &[])))
        })
    }
}

impl PartialEq for RangeParameters {
    fn eq(&self, other: &RangeParameters) -> bool {
        self.agree(other) && self.0.vectors.len() == other.0.vectors.len()
    }
}

impl Eq for RangeParameters {}

impl fmt::Debug for RangeParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeParameters")
            .field("bit_length", &self.bit_length())
            .field("max_aggregation_factor", &self.max_aggregation_factor())
            .field("extension_degree", &self.extension_degree())
            .finish_non_exhaustive()
    }
}

/// For each value j, `bits` elements: the map of successive 64 bytes of SHAKE256(`GeneratorsChain` | name | j).
fn vector_bases(name: u8, bits: usize, values: usize) -> Vec<EdwardsPoint> {
    let mut uniform = Vec::with_capacity(bits * values);
    for j in 0..values as u32 {
        let mut shake = Shake256::of_short(&[&b"GeneratorsChain"[..], &[name], &j.to_le_bytes()].concat());
        uniform.extend((0..bits).map(|_| shake.next_64()));
    }
    RistrettoPoint::from_uniform_bytes_batch(&uniform).into_iter().map(|p| p.0).collect()
}

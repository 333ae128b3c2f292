//! The hash of an encoding.

use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::hash::blake2b::{Blake2b256, blake2b_256_batch};
use crate::hash::poseidon2::{Fr, Sponge, hash, hash_batch};

/// A form of the transaction hash; see the [module](super) for the definitions. Choosing one is a consensus decision,
/// so there is no default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Variant {
    /// Poseidon2 of everything, tag `NOMOS_MANTLE_TXHASH_V1`.
    A,
    /// Poseidon2 of everything, tag `MANTLE_TXHASH_V1`.
    A2,
    /// Poseidon2 of an untagged BLAKE2b digest cut into 31 + 1 bytes.
    R,
    /// Poseidon2 of the halves of a tagged BLAKE2b digest.
    B,
    /// A tagged BLAKE2b digest: today's rule.
    C,
}

impl Variant {
    /// Every variant, from the oldest on.
    pub const ALL: &'static [Variant] = &[Variant::A, Variant::A2, Variant::R, Variant::B, Variant::C];

    /// The name in the table of the [module](super).
    pub const fn name(self) -> &'static str {
        match self {
            Variant::A => "A",
            Variant::A2 => "A2",
            Variant::R => "R",
            Variant::B => "B",
            Variant::C => "C",
        }
    }

    /// What is hashed before the encoding.
    const fn tag(self) -> &'static [u8] {
        match self {
            Variant::A => b"NOMOS_MANTLE_TXHASH_V1",
            Variant::A2 | Variant::B | Variant::C => b"MANTLE_TXHASH_V1",
            Variant::R => b"",
        }
    }

    /// Where the first element of a digest ends, for the variants that hash a digest once more.
    const fn cut(self) -> usize {
        match self {
            Variant::R => CHUNK,
            _ => 16,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no variant's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownVariant;

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "no such variant of the Mantle transaction hash; there are A, A2, R, B (the RFC) and C (today's rule)",
        )
    }
}

impl core::error::Error for UnknownVariant {}

impl FromStr for Variant {
    type Err = UnknownVariant;
    fn from_str(name: &str) -> Result<Variant, UnknownVariant> {
        Variant::ALL.iter().copied().find(|variant| variant.name() == name).ok_or(UnknownVariant)
    }
}

/// Bytes that always fit an element.
const CHUNK: usize = 31;

/// The hash of one encoding.
///
/// ```
/// use curve25519_lanes::tx::mantle::{Variant, tx_hash};
/// // A transaction of no operations, under today's rule.
/// assert_eq!(tx_hash(Variant::C, &[0])[..4], [0x2e, 0xba, 0x3f, 0x66]);
/// ```
pub fn tx_hash(variant: Variant, encoding: &[u8]) -> [u8; 32] {
    let mut hasher = TxHasher::new(variant);
    hasher.update(encoding);
    hasher.finalize()
}

/// The element that stands for a hash of variant C inside a circuit: the digest little-endian, mod p.
pub fn digest_element(digest: &[u8; 32]) -> Fr {
    Fr::from_bytes_reduced(digest)
}

/// The hash of an encoding that comes in pieces. Its size doesn't depend on what it is given.
///
/// ```
/// use curve25519_lanes::tx::mantle::{TxHasher, Variant, tx_hash};
/// let mut hasher = TxHasher::new(Variant::B);
/// hasher.update(&[1, 2]);
/// hasher.update(&[3]);
/// assert_eq!(hasher.finalize(), tx_hash(Variant::B, &[1, 2, 3]));
/// ```
#[derive(Clone, Debug)]
pub struct TxHasher {
    variant: Variant,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Elements of 31 bytes; the last one not yet whole.
    Sponge {
        sponge: Sponge,
        partial: [u8; CHUNK],
        filled: usize,
    },
    Digest(Blake2b256),
}

impl TxHasher {
    /// The state before any byte.
    pub fn new(variant: Variant) -> TxHasher {
        let state = match variant {
            Variant::A | Variant::A2 => {
                let mut sponge = Sponge::new();
                sponge.absorb(Fr::from_short(variant.tag()));
                State::Sponge { sponge, partial: [0; CHUNK], filled: 0 }
            }
            Variant::R | Variant::B | Variant::C => State::Digest(Blake2b256::new().chain(variant.tag())),
        };
        TxHasher { variant, state }
    }

    /// Appends bytes of the encoding. How it is cut into pieces doesn't matter.
    pub fn update(&mut self, mut bytes: &[u8]) {
        match &mut self.state {
            State::Digest(digest) => digest.update(bytes),
            State::Sponge { sponge, partial, filled } => {
                if *filled > 0 {
                    let (now, later) = bytes.split_at(bytes.len().min(CHUNK - *filled));
                    partial[*filled..][..now.len()].copy_from_slice(now);
                    *filled += now.len();
                    bytes = later;
                    if *filled < CHUNK {
                        return;
                    }
                    sponge.absorb(Fr::from_short(partial));
                    *filled = 0;
                }
                let (chunks, rest) = bytes.as_chunks::<CHUNK>();
                chunks.iter().for_each(|chunk| sponge.absorb(Fr::from_short(chunk)));
                partial[..rest.len()].copy_from_slice(rest);
                *filled = rest.len();
            }
        }
    }

    /// The hash of all bytes given.
    pub fn finalize(self) -> [u8; 32] {
        match self.state {
            State::Sponge { mut sponge, partial, filled } => {
                if filled > 0 {
                    sponge.absorb(Fr::from_short(&partial[..filled]));
                }
                sponge.finish().to_bytes()
            }
            State::Digest(digest) => {
                let digest = digest.finalize();
                match self.variant {
                    Variant::C => digest,
                    variant => hash(&digest_elements(variant, &digest)).to_bytes(),
                }
            }
        }
    }
}

/// The two elements that variants R and B hash.
fn digest_elements(variant: Variant, digest: &[u8; 32]) -> [Fr; 2] {
    let (first, second) = digest.split_at(variant.cut());
    [Fr::from_short(first), Fr::from_short(second)]
}

/// The hashes of many encodings: `out[i]` is [`tx_hash`] of `encodings[i]`. Lengths may differ.
///
/// # Panics
/// If `encodings` and `out` differ in length.
pub fn tx_hash_batch(variant: Variant, encodings: &[&[u8]], out: &mut [[u8; 32]]) {
    assert_eq!(encodings.len(), out.len(), "one hash an encoding");
    match variant {
        Variant::A | Variant::A2 => {
            let elements: Vec<Vec<Fr>> = encodings
                .iter()
                .map(|encoding| {
                    core::iter::once(variant.tag()).chain(encoding.chunks(CHUNK)).map(Fr::from_short).collect()
                })
                .collect();
            hash_elements(&elements, out);
        }
        Variant::R | Variant::B => {
            blake2b_256_batch(variant.tag(), encodings, out);
            let elements: Vec<[Fr; 2]> = out.iter().map(|digest| digest_elements(variant, digest)).collect();
            hash_elements(&elements, out);
        }
        Variant::C => blake2b_256_batch(variant.tag(), encodings, out),
    }
}

fn hash_elements(elements: &[impl AsRef<[Fr]>], out: &mut [[u8; 32]]) {
    let lists: Vec<&[Fr]> = elements.iter().map(AsRef::as_ref).collect();
    let mut hashes = alloc::vec![Fr::ZERO; lists.len()];
    hash_batch(&lists, &mut hashes);
    for (out, hash) in out.iter_mut().zip(hashes) {
        *out = hash.to_bytes();
    }
}

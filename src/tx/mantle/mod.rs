//! The Mantle transaction hash, in every form it has had.
//!
//! | [`Variant`] | where | definition |
//! |---|---|---|
//! | `A` | node code of December 2025 | Poseidon2 of tag `NOMOS_MANTLE_TXHASH_V1` and the encoding in elements of 31 bytes |
//! | `A2` | Mantle specification 1.2.0 | the same with tag `MANTLE_TXHASH_V1` |
//! | `R` | benchmark of the RFC that replaced A2 | d = BLAKE2b-256 of the encoding; Poseidon2 of d cut into 31 + 1 bytes |
//! | `B` | 1.2.1 to 1.4.0, what that RFC proposed | d = BLAKE2b-256 of tag and encoding; Poseidon2 of d's two halves |
//! | `C` | since 1.5.0 (6 May 2026), **today's rule** | d alone, 32 bytes |
//!
//! Poseidon2 is the sponge of [`hash::poseidon2`](crate::hash::poseidon2) with 3 elements; an element becomes 32
//! little-endian bytes. A chunk's bytes are read little-endian and the last chunk is not padded, so zero bytes at its
//! end don't show in the element; the encoding itself carries all lengths.
//!
//! [`TxHasher`] takes an encoding in pieces, [`tx_hash`] in one, [`tx_hash_batch`] many of them. They look at bytes
//! only. [`MantleTx`] encodes and decodes the transactions that the forms were compared on.
//!
//! # Cost
//! A and A2 are one chain of permutations, one for every 31 bytes: no vector helps a single long transaction, only
//! many at once. R, B and C are BLAKE2b with nothing or three permutations on top.

mod decode;
mod encode;
mod hash;
#[cfg(test)]
mod tests;

pub use self::decode::{DecodeError, Reason};
pub use self::encode::{Encoding, Inscription, Ledger, MantleTx, Note, Op, TooLong};
pub use self::hash::{TxHasher, UnknownVariant, Variant, digest_element, tx_hash, tx_hash_batch};

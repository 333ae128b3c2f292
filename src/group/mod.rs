//! Points. Edwards, Ristretto and Montgomery forms, their encodings and the maps between them.
//!
//! * `formulas`: the point formulas, once, over any lanes; `backend` ties lanes to instruction sets.
//! * `codec`: Edwards encodings under both rules; `ristretto`, `montgomery`: the other two forms.
//! * `hash_to_point`: Monero's map; `elligator`: that of Ristretto.

pub(crate) mod backend;
pub(crate) mod codec;
pub(crate) mod edwards;
pub(crate) mod elligator;
pub(crate) mod formulas;
pub(crate) mod hash_to_point;
pub(crate) mod montgomery;
mod pairs;
pub(crate) mod ristretto;
pub(crate) mod ristretto_double;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
pub(crate) mod threads;
pub mod throughput;

pub use codec::{
    CompressedEdwardsY, DecodeError, compress_batch, compress_batch_secret, decompress_batch_dalek,
    decompress_batch_strict, try_decompress_batch_dalek, try_decompress_batch_strict,
};
pub use edwards::EdwardsPoint;
pub use hash_to_point::{monero_hash_to_point, monero_hash_to_point_batch, monero_map};
pub use montgomery::{MontgomeryPoint, clamp, mul_bits_batch, to_montgomery_batch, x25519, x25519_batch};
#[cfg(feature = "rand_core")]
pub(crate) use ristretto::compress_batch_ristretto_secret;
pub use ristretto::{
    CompressedRistretto, RistrettoPoint, compress_batch_ristretto, decompress_batch_ristretto,
    try_decompress_batch_ristretto,
};
pub use ristretto_double::double_and_compress_batch_ristretto;

//! The C interface: byte arrays with lengths in, byte arrays out.
//!
//! * Functions return [`CURVE25519_LANES_OK`] (0), a positive number where they say so, or a negative number for arguments that
//!   can't be used: a null pointer with a length, a wrong length, an output that overlaps another argument. Outputs are
//!   untouched then.
//! * Encodings of points have 32 bytes and are decoded by Monero's strict rule. Scalars have 32 bytes, little-endian.
//! * Nothing unwinds into the caller. There is no state but the choice of a backend: all functions may be called from many
//!   threads. A handle may be used by many threads at once, and freed by one when none uses it any more.
//! * The three functions with names in `monero_crypto_` are those of the libraries that Monero can be built with: no lengths,
//!   0 or -1, and the output may be an input.

mod border;
mod curve;
mod proofs;
mod wallet;

pub use border::*;
pub use curve::*;
pub use proofs::*;
pub use wallet::*;

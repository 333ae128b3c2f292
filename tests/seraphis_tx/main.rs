//! Whole transactions of the Seraphis study: those of the reference (`seraphis_mock_tx.json`), and our own, changed in every
//! way one can think of.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "rand_core")]
mod built;
#[cfg(feature = "rand_core")]
mod clsag;
#[cfg(feature = "rand_core")]
mod differences;
#[cfg(feature = "rand_core")]
mod mixed;
#[cfg(feature = "rand_core")]
mod spend;
#[cfg(feature = "rand_core")]
mod triptych;
mod vectors;

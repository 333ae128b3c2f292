//! Published and computed vectors, read in place from `../shared/vectors`, on every backend, one by one and in batches.
//!
//! Every case of a file is dispatched on its operation, an unknown one fails, and the cases that were checked are
//! counted against the file. Operations of later layers are listed where they are passed over.

#[path = "../common/mod.rs"]
mod common;

mod monero;
mod points;
mod seraphis;
mod wallet;
mod x25519;

//! Transactions: what is hashed, proved and checked of them.
//!
//! * [`mantle`]: the transaction hash of the Logos blockchain's Mantle layer.
#![forbid(unsafe_code)]

pub mod mantle;

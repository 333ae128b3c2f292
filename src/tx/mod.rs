//! Transactions: what is hashed, proved and checked of them.
//!
//! * [`failure`]: what failed in a batch of mock transactions.
//! * [`ledger`]: what a validator asks of the chain.
//! * [`mantle`]: the transaction hash of the Logos blockchain's Mantle layer.
//! * [`monero`]: Monero's transactions of RingCT type 6.
//! * [`seraphis`]: the mock transactions of the Seraphis performance study.
//! * [`triptych`]: its mock transaction over Triptych.
#![forbid(unsafe_code)]

mod batch;
pub mod failure;
pub mod ledger;
pub mod mantle;
pub mod monero;
pub mod seraphis;
pub mod triptych;

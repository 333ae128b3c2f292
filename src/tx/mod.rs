//! Transactions: what is hashed, proved and checked of them.
//!
//! * [`clsag`]: the mock transaction of the Seraphis performance study over CLSAG.
//! * [`failure`]: what failed in a batch of mock transactions.
//! * [`ledger`]: what a validator asks of the chain.
//! * [`mantle`]: the transaction hash of the Logos blockchain's Mantle layer.
//! * [`mixed`]: mock transactions of several protocols in one batch.
//! * [`monero`]: Monero's transactions of RingCT type 6.
//! * [`ring_inputs`]: what the mock transactions over CLSAG and Triptych have in common.
//! * [`seraphis`]: the study's own mock transactions.
//! * [`triptych`]: its mock transaction over Triptych.
#![forbid(unsafe_code)]

mod batch;
pub mod clsag;
pub mod failure;
pub mod ledger;
pub mod mantle;
pub mod mixed;
pub mod monero;
pub mod ring_inputs;
pub mod seraphis;
pub mod triptych;

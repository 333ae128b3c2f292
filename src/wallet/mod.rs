//! Finding which outputs belong to which Monero wallets, from view keys.
//!
//! * [`mod@derive`]: shared secrets, output scalars, view tags and output keys, one by one and in batches.
//! * [`subaddress`]: subaddress keys and tables of them.
//! * [`amount`]: payment ids and amounts, checked against their commitments.
//! * [`extra`]: the keys and the payment id in a transaction's `extra`.
//! * [`raw`]: what scanning needs of a raw transaction.
//! * [`scanner`]: many wallets against many transactions.
//! * [`seraphis`]: enotes of the Seraphis research code.
//! * [`ecdh`]: shared secrets on the Montgomery curve.
//!
//! Whatever is computed with a view key is constant-time in it. Which outputs pass a view tag or belong to a wallet is
//! found out in variable time: that a server has found something shows in what it does next anyway.
//!
//! Points are decoded by Monero's strict rule. Formulas: Monero's `crypto.cpp`, `device_default.cpp` and `rctOps.cpp`,
//! as written down beside the vectors.
#![forbid(unsafe_code)]

pub mod amount;
pub mod derive;
pub mod ecdh;
pub mod extra;
mod hashing;
mod lookup;
pub mod raw;
pub mod scanner;
pub mod seraphis;
pub mod subaddress;

pub use amount::{AmountError, EncryptedAmount, Opening};
pub use derive::Derivation;
pub use extra::{PaymentId, TxExtra};
pub use raw::RawTransaction;
pub use scanner::{Found, Output, Scanner, Transaction};
pub use subaddress::{SubaddressTable, ViewPair};

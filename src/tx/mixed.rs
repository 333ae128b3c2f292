//! Mock transactions of several protocols in one batch: what a node would do in a chain that allows them all.
//!
//! CLSAG signatures run side by side; Triptych, Grootle and range proofs of all transactions are one multiscalar sum. Tags are
//! checked against the ledger and across the transactions of a protocol. Across protocols they would show nothing, as each makes
//! another tag of the same key: there an output is spent once because it belongs to one [`Protocol`] of the ledger.

use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use super::batch::range_generators;
use super::ledger::{Ledger, Protocol};
use super::{clsag, ring_inputs, seraphis, triptych};
use crate::proofs::accumulator::{Accumulator, Blame, Either, Limits, Pair, PairError};
use crate::proofs::bulletproofs_plus::monero::{self, Divided};
use crate::proofs::{grootle, triptych as triptych_proofs};

/// Transactions to be validated together.
#[derive(Debug, Clone, Copy, Default)]
pub struct Transactions<'a> {
    /// Those over CLSAG.
    pub clsag: &'a [clsag::Transaction],
    /// Those over Triptych.
    pub triptych: &'a [triptych::Transaction],
    /// Those of the Seraphis study's own kinds.
    pub seraphis: &'a [seraphis::Transaction],
}

/// Why transactions were refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchError {
    /// There is nothing to verify. Refused, so that a lost input never reads as valid.
    Empty,
    /// Failed checks, at least one. All transactions that are not named are valid.
    Invalid(Failures),
}

/// Failed checks, by ascending transaction. A transaction that failed a cheap check was not looked at further.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failures {
    /// Of those over CLSAG.
    pub clsag: Vec<clsag::Failure>,
    /// Of those over Triptych.
    pub triptych: Vec<triptych::Failure>,
    /// Of those of the Seraphis study's own kinds.
    pub seraphis: Vec<seraphis::Failure>,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BatchError::Invalid(failures) = self else { return f.write_str("the batch is empty") };
        f.write_str("invalid transactions of the batch:")?;
        failures.clsag.iter().try_for_each(|failure| write!(f, "\nCLSAG {failure}"))?;
        failures.triptych.iter().try_for_each(|failure| write!(f, "\nTriptych {failure}"))?;
        failures.seraphis.iter().try_for_each(|failure| write!(f, "\nSeraphis {failure}"))
    }
}

impl Error for BatchError {}

/// A proof of the sum: whose it is, whether it is a range proof, and its number among those of its kind.
#[derive(Clone, Copy)]
struct Place {
    protocol: Protocol,
    transaction: usize,
    is_range: bool,
    number: usize,
}

type MembershipError = PairError<triptych_proofs::VerifyError, grootle::VerifyError>;

/// Validates transactions of all protocols. Of those of one protocol none may spend what a valid one before it does.
///
/// # Errors
/// An empty batch, or all failed checks, each with its transaction and proof.
pub fn verify_batch(txs: &Transactions<'_>, ledger: &impl Ledger) -> Result<(), BatchError> {
    // A protocol without transactions has no batch.
    let mut over_clsag = ring_inputs::stages(txs.clsag, ledger).ok();
    let mut over_triptych = ring_inputs::stages(txs.triptych, ledger).ok();
    let mut of_seraphis = seraphis::stages(txs.seraphis, ledger, seraphis::Rules::Sound).ok();
    if over_clsag.is_none() && over_triptych.is_none() && of_seraphis.is_none() {
        return Err(BatchError::Empty);
    }

    if let Some((batch, parts)) = &mut over_clsag {
        clsag::signatures(batch, parts);
    }

    let ranges = Divided(range_generators());
    let memberships = Pair::new(triptych_proofs::Generators::shared(), grootle::Generators::shared());
    let verifier = Pair::new(&memberships, &ranges);
    let mut sum = Accumulator::new(&verifier, Limits::NONE);
    let (mut places, mut refused) = (Vec::new(), Vec::new());
    let mut push = |protocol, transaction, statements: Vec<_>| {
        let mut counts = [0; 2];
        for statement in statements {
            let is_range = matches!(statement, Either::Second(_));
            let number = counts[usize::from(is_range)];
            counts[usize::from(is_range)] += 1;
            let place = Place { protocol, transaction, is_range, number };
            match sum.push(statement) {
                Ok(_) => places.push(place),
                Err(error) => refused.push((place, error.malformed())),
            }
        }
    };
    if let Some((batch, _)) = &over_clsag {
        for i in batch.good() {
            let statements = txs.clsag[i].ranges.iter().map(|range| Either::Second(range.statement()));
            push(Protocol::Clsag, i, statements.collect());
        }
    }
    if let Some((batch, parts)) = &over_triptych {
        for i in batch.good() {
            let proofs = triptych::proofs(&txs.triptych[i], parts, i).into_iter();
            push(Protocol::Triptych, i, proofs.map(|proof| first(proof, Either::First)).collect());
        }
    }
    if let Some((batch, parts)) = &of_seraphis {
        for i in batch.good() {
            let proofs = parts.proofs(&txs.seraphis[i], i).into_iter();
            push(Protocol::Seraphis, i, proofs.map(|proof| first(proof, Either::Second)).collect());
        }
    }
    if !sum.is_empty()
        && let Err(Blame::Items(items)) = sum.close_and_blame()
    {
        refused.extend(items.into_iter().map(|(at, error)| (places[at], error)));
    }

    for (Place { protocol, transaction, is_range, number }, error) in refused {
        let membership = |error: PairError<MembershipError, monero::VerifyError>| match error {
            PairError::First(error) => error,
            PairError::Second(_) | PairError::Equation => PairError::Equation,
        };
        let range = match &error {
            PairError::Second(error) => *error,
            PairError::First(_) | PairError::Equation => monero::VerifyError::Equation,
        };
        match protocol {
            Protocol::Clsag => {
                let Some((batch, _)) = &mut over_clsag else { continue };
                batch.fail(transaction, clsag::Check::Range { proof: number, error: range });
            }
            Protocol::Triptych => {
                let Some((batch, _)) = &mut over_triptych else { continue };
                let error = match membership(error) {
                    _ if is_range => Either::Second(range),
                    PairError::First(error) => Either::First(error),
                    PairError::Second(_) | PairError::Equation => Either::First(triptych_proofs::VerifyError::Equation),
                };
                batch.fail(transaction, triptych::proof_failure(number, error));
            }
            Protocol::Seraphis => {
                let Some((batch, _)) = &mut of_seraphis else { continue };
                let error = match membership(error) {
                    _ if is_range => Either::Second(range),
                    PairError::Second(error) => Either::First(error),
                    PairError::First(_) | PairError::Equation => Either::First(grootle::VerifyError::Equation),
                };
                batch.fail(transaction, seraphis::proof_failure(number, error));
            }
        }
    }

    if let Some((batch, parts)) = &mut over_clsag {
        ring_inputs::spent_once(batch, parts);
    }
    if let Some((batch, parts)) = &mut over_triptych {
        ring_inputs::spent_once(batch, parts);
    }
    if let Some((batch, _)) = &mut of_seraphis {
        batch.tags_once();
    }

    let failures = Failures {
        clsag: over_clsag.map_or(Vec::new(), |(batch, _)| batch.failures()),
        triptych: over_triptych.map_or(Vec::new(), |(batch, _)| batch.failures()),
        seraphis: of_seraphis.map_or(Vec::new(), |(batch, _)| batch.failures()),
    };
    if failures == Failures::default() { Ok(()) } else { Err(BatchError::Invalid(failures)) }
}

/// The first of two, changed.
fn first<A, B, C>(either: Either<A, B>, change: impl FnOnce(A) -> C) -> Either<C, B> {
    match either {
        Either::First(a) => Either::First(change(a)),
        Either::Second(b) => Either::Second(b),
    }
}

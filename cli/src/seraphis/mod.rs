//! The proofs and transactions of the Seraphis study in JSON, as its vectors have them.
//!
//! Every hex value has 32 bytes. `note` labels a case, `expect` is the verdict that is expected; `expected` is understood, too.

mod composition;
mod grootle;
mod range;
mod transaction;
mod triptych;

use curve25519_lanes::proofs::accumulator::{Accumulator, Blame, Limits, PushError, Verifier};
use curve25519_lanes::proofs::one_of_many::Shape;
use serde::Deserialize;

pub(crate) use self::composition::{CompositionClaim, CompositionJson, CompositionProofJson, compositions};
pub(crate) use self::grootle::{Concise, GrootleClaim, GrootleJson, GrootleProofJson, Lists, Plain};
pub(crate) use self::range::{RangeCaseJson, RangeJson, ranges};
pub(crate) use self::transaction::{EnoteJson, ImageJson, TransactionJson, transaction, transaction_difference};
pub(crate) use self::triptych::{TriptychClaim, TriptychJson};
use crate::cases::{Hex, unhex};

/// A claim, or why there can be none.
pub(crate) type Read<C> = Result<C, String>;

/// Members that all cases may have.
#[derive(Deserialize)]
pub(crate) struct Label {
    note: Option<String>,
    name: Option<String>,
    expect: Option<bool>,
    expected: Option<bool>,
}

impl Label {
    fn open<C>(self, claim: C) -> (Option<String>, Option<bool>, C) {
        (self.note.or(self.name), self.expect.or(self.expected), claim)
    }
}

/// Why each of many is invalid, if it is; by one sum if none is.
pub(crate) fn all<'a, C, V: Verifier>(
    verifier: &V,
    claims: &[&'a Read<C>],
    statement: impl Fn(&'a C) -> V::Statement<'a>,
) -> Vec<Option<String>> {
    let mut faults = vec![None; claims.len()];
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    let mut places = Vec::new();
    for (i, claim) in claims.iter().enumerate() {
        match claim {
            Err(fault) => faults[i] = Some(fault.clone()),
            Ok(claim) => match batch.push(statement(claim)) {
                Ok(_) => places.push(i),
                Err(PushError::Item(error)) => faults[i] = Some(error.to_string()),
                Err(PushError::Full) => unreachable!("no limits"),
            },
        }
    }
    if !batch.is_empty()
        && let Err(Blame::Items(items)) = batch.close_and_blame()
    {
        for (at, error) in items {
            faults[places[at]] = Some(error.to_string());
        }
    }
    faults
}

/// What is wrong with one, if anything is.
pub(crate) fn error<V: Verifier>(verifier: &V, statement: V::Statement<'_>) -> Option<V::Error> {
    let mut batch = Accumulator::new(verifier, Limits::NONE);
    match batch.push(statement) {
        Err(PushError::Item(error)) => Some(error),
        Err(PushError::Full) => unreachable!("no limits"),
        Ok(_) => match batch.close_and_blame() {
            Err(Blame::Items(items)) => items.into_iter().next().map(|(_, error)| error),
            Err(Blame::Empty) => unreachable!("one item"),
            Ok(()) => None,
        },
    }
}

/// What the reference's random weights are made from here, so that verdicts repeat.
#[cfg(feature = "reference_unsound")]
const SEED: [u8; 32] = [0; 32];

fn shape(n: u64, m: u64) -> Read<Shape> {
    // What does not fit is too large anyway.
    let size = |x: u64| usize::try_from(x).unwrap_or(usize::MAX);
    Shape::new(size(n), size(m)).map_err(|error| error.to_string())
}

/// Rows of n − 1 cells.
fn rows(shape: &Shape, rows: Vec<Vec<Hex>>) -> Read<Vec<[u8; 32]>> {
    match rows.iter().find(|row| row.len() != shape.n() - 1) {
        Some(row) => Err(format!("a row of f has {} cells, expected {}", row.len(), shape.n() - 1)),
        None => Ok(unhex(rows.into_iter().flatten().collect())),
    }
}

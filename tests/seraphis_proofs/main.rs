//! The proofs emitted by the Seraphis reference, `seraphis_{generators,grootle_*,composition,triptych}.json`, on every
//! backend, one by one and in batches; and known answers of an independent implementation.
//!
//! `expect` is what the reference answered. The default verdicts must be the same, but for the differences named here.

#[path = "../common/mod.rs"]
mod common;

mod composition;
mod generators;
mod grootle;
mod known_answers;
mod triptych;

use serde_json::Value;

use common::hex32;

/// A list of 32-byte strings in a field of a case, nested lists one after the other.
fn list(case: &Value, field: &str) -> Vec<[u8; 32]> {
    fn collect(value: &Value, out: &mut Vec<[u8; 32]>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, out)),
            Value::String(digits) => out.push(hex32(digits)),
            _ => panic!("neither list nor string: {value}"),
        }
    }
    let mut out = Vec::new();
    collect(&case[field], &mut out);
    out
}

/// A number in a field of a case.
fn number(case: &Value, field: &str) -> usize {
    case[field].as_u64().unwrap_or_else(|| panic!("no number {field} in {case}")) as usize
}

/// Adds what a batch of these answers said to what is expected of it: all valid if each is, else not all.
fn check_batches<T>(items: &[T], valid: impl Fn(&T) -> bool, verify: impl Fn(&[T]) -> bool) {
    common::batches(items, |start, batch| {
        assert_eq!(verify(batch), batch.iter().all(&valid), "batch of {} from {start}", batch.len());
    });
}

//! What the integration tests share: the vectors beside the repository, hexadecimal, and a walk over the backends.

// Each test program uses its own part of this.
#![allow(dead_code)]

mod random;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use curve25519_lanes::cpu::{self, BackendId};
#[allow(unused_imports)]
pub(crate) use random::Random;
use serde_json::Value;

/// The choice of backend is global, tests run on many threads: whoever forces a backend holds this.
static FORCING: Mutex<()> = Mutex::new(());

/// Holds the lock and gives the choice of backend back at the end, also of a failing test.
struct Forcing(#[allow(dead_code, reason = "held for its lock")] MutexGuard<'static, ()>);

impl Forcing {
    fn begin() -> Forcing {
        Forcing(FORCING.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Forcing {
    fn drop(&mut self) {
        cpu::force(None).expect("giving the choice back can't fail");
    }
}

/// Runs `test` on every backend of this build that the machine has, and says which it lacks.
pub(crate) fn each_backend(mut test: impl FnMut(BackendId)) {
    let _forcing = Forcing::begin();
    for &id in BackendId::ALL {
        if id.is_detected() {
            cpu::force(Some(id)).expect("a detected backend");
            test(id);
        } else {
            println!("skipped: backend {id} (not in this build or not on this machine)");
        }
    }
}

/// Runs `test`, which forces backends by itself, while nobody else does.
pub(crate) fn forcing<T>(test: impl FnOnce() -> T) -> T {
    let _forcing = Forcing::begin();
    test()
}

/// What `compute` gives, the same on every backend.
pub(crate) fn on_all_backends<T: PartialEq + std::fmt::Debug>(mut compute: impl FnMut() -> T) -> T {
    let mut first: Option<(BackendId, T)> = None;
    each_backend(|id| {
        let result = compute();
        match &first {
            None => first = Some((id, result)),
            Some((other, expected)) => {
                assert!(*expected == result, "{other} and {id} differ: {}", difference(expected, &result));
            }
        }
    });
    first.expect("the portable backend is always there").1
}

/// Where two results part, without all the rest of long lists.
fn difference(a: &impl std::fmt::Debug, b: &impl std::fmt::Debug) -> String {
    let (a, b) = (format!("{a:02x?}"), format!("{b:02x?}"));
    let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.chars().skip(at.saturating_sub(40)).take(240).collect::<String>();
    format!("after {at} characters\n  …{}\n  …{}", part(&a), part(&b))
}

/// Runs `test` on every ordered pair of backends: the first one is current during `make`, the second during `test`.
pub(crate) fn each_pair<T>(mut make: impl FnMut() -> T, mut test: impl FnMut(&T, BackendId, BackendId)) {
    let _forcing = Forcing::begin();
    let detected = || BackendId::ALL.iter().copied().filter(|id| id.is_detected());
    for first in detected() {
        cpu::force(Some(first)).expect("a detected backend");
        let made = make();
        for second in detected() {
            cpu::force(Some(second)).expect("a detected backend");
            test(&made, first, second);
        }
    }
}

/// The text of a vector file, or `None` where the vectors are not beside the repository (said in one line).
///
/// # Panics
/// If it is missing and `LANES_REQUIRE_VECTORS` is 1.
pub(crate) fn vectors(name: &str) -> Option<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            println!("skipped: {name}: {error}");
            assert!(
                std::env::var("LANES_REQUIRE_VECTORS").as_deref() != Ok("1"),
                "LANES_REQUIRE_VECTORS=1, and {} can't be read: {error}",
                path.display()
            );
            None
        }
    }
}

/// The cases of a JSON vector file. Where the file states their `count`, it must be right.
pub(crate) fn json_cases(name: &str) -> Option<Vec<Value>> {
    let mut file: Value = serde_json::from_str(&vectors(name)?).expect(name);
    let Value::Array(cases) = file["cases"].take() else { panic!("{name} has no cases") };
    assert!(!cases.is_empty(), "{name} is empty");
    if let Some(count) = file["count"].as_u64() {
        assert_eq!(cases.len() as u64, count, "{name}");
    }
    Some(cases)
}

/// The string in a field of a case.
pub(crate) fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_else(|| panic!("no string {field} in {case}"))
}

/// 32 bytes in a field of a case.
pub(crate) fn bytes32(case: &Value, field: &str) -> [u8; 32] {
    hex32(text(case, field))
}

/// 32 bytes, or `None` for null. A missing field is no null.
pub(crate) fn optional32(case: &Value, field: &str) -> Option<[u8; 32]> {
    match case.get(field).unwrap_or_else(|| panic!("no {field} in {case}")) {
        Value::Null => None,
        _ => Some(bytes32(case, field)),
    }
}

/// A truth value in a field of a case.
pub(crate) fn truth(case: &Value, field: &str) -> bool {
    case[field].as_bool().unwrap_or_else(|| panic!("no truth value {field} in {case}"))
}

/// Bytes from hexadecimal digits.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    assert!(
        digits.len().is_multiple_of(2) && digits.bytes().all(|c| c.is_ascii_hexdigit()),
        "not hexadecimal: {digits}"
    );
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("two digits")).collect()
}

/// 32 bytes from hexadecimal digits.
pub(crate) fn hex32(digits: &str) -> [u8; 32] {
    hex(digits).try_into().unwrap_or_else(|_| panic!("not 32 bytes: {digits}"))
}

/// Monero's encoding of a number: seven bits a byte, the lowest first.
pub(crate) fn varint(mut n: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
    out
}

/// Cuts a list into the batches that tests run: all at once, and pieces of 1, 2, 3, … 17 items in turn, which leave
/// lanes of every width unfilled (in a debug build, of the first 45 items only). `test` gets the index of the first item beside the batch.
pub(crate) fn batches<T>(items: &[T], mut test: impl FnMut(usize, &[T])) {
    test(0, items);
    let last = if cfg!(debug_assertions) { items.len().min(45) } else { items.len() };
    let mut start = 0;
    for size in (1..=17).cycle() {
        if start == last {
            break;
        }
        let end = last.min(start + size);
        test(start, &items[start..end]);
        start = end;
    }
}

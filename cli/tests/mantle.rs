//! `lanes tx-hash`, from the outside.

mod support;

use serde_json::Value;
use support::{lanes, lanes_fed};

/// The Mantle specification's own answer: variant C of a transaction of no operations (one zero byte).
const OFFICIAL: &str = "2eba3f667b80a508f3d44d149a1c27a90ea365a51e4fc8209289088142b364e5";

#[test]
fn the_official_hash_comes_out_in_both_forms() {
    let run = lanes_fed(&["tx-hash", "--variant", "C", "-"], &[0]);
    assert_eq!((run.code, run.out.trim_end()), (Some(0), OFFICIAL), "{}", run.err);
    let run = lanes_fed(&["tx-hash", "--variant", "C", "--json", "-"], &[0]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&report["hash"], &report["bytes"], &report["variant"]), (&OFFICIAL.into(), &1.into(), &"C".into()));
}

#[test]
fn variants_differ_and_input_may_be_longer_than_a_piece() {
    let input = vec![7; 200_001];
    let mut seen = std::collections::HashSet::new();
    for variant in ["A", "A2", "R", "B", "C"] {
        let run = lanes_fed(&["tx-hash", "--variant", variant, "-"], &input);
        assert_eq!(run.code, Some(0));
        assert_eq!(run.out.trim_end().len(), 64);
        assert!(seen.insert(run.out));
    }
}

#[test]
fn unusable_calls_say_so() {
    for args in [
        &["tx-hash", "--variant", "D", "-"][..],
        &["tx-hash", "-"],
        &["tx-hash", "--variant", "C", "no/such/file"],
        &["bench", "unheard-of"],
    ] {
        let run = lanes(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.err);
        assert!(!run.err.is_empty());
    }
}

//! That nothing is forgotten: the public functions of `src/` that take slices of items, and where each is tested.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Functions tested elsewhere, each with a file that names it.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cpu/mod.rs disable", "tests/differential/matrix/switching.rs"),
    ("proofs/accumulator/sum.rs new", "src/proofs/accumulator/tests.rs"),
    ("proofs/accumulator/sum.rs add_generators", "src/proofs/accumulator/tests.rs"),
    ("proofs/accumulator/sum.rs add_points", "src/proofs/accumulator/tests.rs"),
    ("proofs/bulletproofs_plus/monero/prove.rs prove", "tests/monero_bpplus/proving.rs"),
    ("proofs/bulletproofs_plus/monero/verify.rs verify", "tests/monero_bpplus/main.rs"),
    ("proofs/bulletproofs_plus/tari/parameters.rs custom", "tests/tari_bpplus/hostile.rs"),
    ("proofs/bulletproofs_plus/tari/parameters.rs commit", "tests/tari_bpplus/differential.rs"),
    ("proofs/bulletproofs_plus/tari/verify.rs verify_batch", "tests/tari_bpplus/differential.rs"),
    ("proofs/clsag/sign.rs sign", "tests/monero_clsag.rs"),
    ("proofs/clsag/sign.rs sign_with", "tests/monero_clsag.rs"),
    ("proofs/grootle/prove.rs prove", "src/proofs/grootle/tests.rs"),
    ("proofs/monero_signatures/ring.rs verify_ring_batch", "tests/vectors/wallet.rs"),
    ("proofs/schnorr/prove.rs prove", "src/proofs/schnorr/tests.rs"),
    ("proofs/triptych/prove.rs prove", "src/proofs/triptych/tests.rs"),
    ("proofs/triptych/tari/statement.rs new", "tests/tari_triptych/differential.rs"),
    ("proofs/triptych/tari/statement.rs padded", "tests/tari_triptych/hostile.rs"),
    ("proofs/triptych/tari/verify.rs verify_batch", "tests/tari_triptych/differential.rs"),
    ("tx/clsag/verify.rs verify_batch", "tests/seraphis_tx/clsag.rs"),
    ("tx/ledger.rs push_squashed", "tests/seraphis_tx/vectors.rs"),
    ("tx/monero/verify.rs verify", "tests/monero_tx.rs"),
    ("tx/monero/verify.rs verify_batch", "tests/monero_tx.rs"),
    ("tx/monero/verify.rs verify_each", "tests/monero_tx.rs"),
    ("tx/monero/verify.rs verify_each_without_rings", "tests/monero_tx.rs"),
    ("tx/seraphis/build.rs build", "tests/seraphis_tx/built.rs"),
    ("tx/seraphis/message.rs membership_message", "tests/seraphis_tx/vectors.rs"),
    ("tx/seraphis/message.rs image_message", "tests/seraphis_tx/vectors.rs"),
    ("tx/seraphis/reference_unsound.rs verify_batch", "tests/seraphis_tx/differences.rs"),
    ("tx/seraphis/verify.rs verify_batch", "tests/seraphis_tx/built.rs"),
    ("tx/triptych/verify.rs verify_batch", "tests/seraphis_tx/triptych.rs"),
    ("wallet/scanner/mod.rs scan", "tests/wallet_scanner.rs"),
    ("wallet/scanner/mod.rs scan_with", "tests/wallet_scanner.rs"),
    ("wallet/seraphis.rs scan", "src/wallet/seraphis.rs"),
];

/// In the matrix though they take no slice.
const SINGLE: &[&str] = &["msm/batch.rs mul_base", "msm/double_base.rs double_base_vartime", "msm/fixed_base.rs mul"];

/// In the matrix only if there are provers.
const OF_PROVERS: &[&str] = &[
    "proofs/bulletproofs_plus/monero/verify.rs find_invalid",
    "proofs/bulletproofs_plus/monero/verify.rs verify_batch",
    "proofs/clsag/verify.rs verify_batch",
    "proofs/clsag/verify.rs verify_each",
    "proofs/grootle/verify.rs verify_batch",
    "proofs/monero_signatures/plain.rs verify_batch",
    "proofs/schnorr/verify.rs verify_batch",
    "proofs/schnorr/verify.rs verify_each",
    "proofs/triptych/verify.rs verify_batch",
];

/// `file name` of each public function with a parameter that is a slice of anything but bytes.
fn functions(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the source can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions(&path, root, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let file = path.strip_prefix(root).expect("below the root").display().to_string();
            let text = fs::read_to_string(&path).expect("a source file");
            found.extend(in_text(&text).map(|name| format!("{file} {name}")));
        }
    }
}

fn in_text(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("pub fn ").filter(|(at, _)| text[..*at].ends_with(['\n', ' ']));
    starts.filter_map(|(at, keyword)| {
        let text = &text[at + keyword.len()..];
        let line_start = text.find('{').unwrap_or(text.len());
        let parameters = text[..line_start].split("->").next().unwrap_or_default();
        let slices = ["&[", "&mut ["].iter().flat_map(|open| parameters.split(open).skip(1));
        let of_items = slices.into_iter().any(|rest| !rest.starts_with("u8]") && !rest.starts_with("u8;"));
        of_items.then(|| text.split(['(', '<']).next().unwrap_or_default())
    })
}

/// Fails for a function that nobody tests, or one that is listed and isn't there.
pub(super) fn must_be_here(matrix: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut there = BTreeSet::new();
    functions(&root.join("src"), &root.join("src"), &mut there);
    for (function, file) in ELSEWHERE {
        let name = function.split(' ').next_back().expect("two words");
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(text.contains(name), "{file} has no {name}");
    }
    let elsewhere = ELSEWHERE.iter().map(|(function, _)| *function);
    let no_provers = OF_PROVERS.iter().copied().filter(|_| !cfg!(all(feature = "std", feature = "rand_core")));
    let listed: BTreeSet<String> =
        matrix.iter().copied().chain(elsewhere).chain(no_provers).map(String::from).collect();
    let forgotten: Vec<&String> = there.difference(&listed).collect();
    assert!(forgotten.is_empty(), "not in the matrix, and not named in this file: {forgotten:#?}");
    let gone: Vec<&String> = listed.difference(&there).filter(|name| !SINGLE.contains(&name.as_str())).collect();
    assert!(gone.is_empty(), "listed, but not there: {gone:#?}");
}

#[test]
fn a_new_function_is_seen() {
    let text = "\npub fn sum(points: &[Point]) -> Point {\n    pub fn one(bytes: &[u8], x: &[u8; 32]) -> &[Point] {\n\
                \n    pub fn invert<T>(\n        k: &mut [T],\n    ) {\n    pub(crate) fn inner(x: &[Point]) {\n";
    assert_eq!(in_text(text).collect::<Vec<_>>(), ["sum", "invert"]);
}

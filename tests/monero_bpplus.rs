//! Monero range proofs against published vectors, mutations of them, and the published Monero crates.

use std::fs;

use curve25519_lanes::proofs::accumulator::{self, Blame, Limits, PushError};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{
    self, BatchError, Divided, Field, Generators, MAX_OUTPUTS, RangeProof, Statement, VerifyError,
};
use curve25519_lanes::{EdwardsPoint, Scalar};
use serde_json::Value;

/// The cases of a vector file, read where they lie. Without the files: one line, and a failure if they are required.
fn vectors(name: &str) -> Option<Value> {
    let path = format!("{}/../shared/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    match fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))),
        Err(error) => {
            println!("skipped: {path}: {error}");
            let required = std::env::var("LANES_REQUIRE_VECTORS").is_ok_and(|v| v == "1");
            assert!(!required, "{path} is required");
            None
        }
    }
}

fn bytes(value: &Value) -> Vec<u8> {
    let hex = value.as_str().expect("a hex string");
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).expect("hex digits")).collect()
}

fn bytes32(value: &Value) -> [u8; 32] {
    bytes(value).try_into().expect("32 bytes")
}

fn list32(value: &Value) -> Vec<[u8; 32]> {
    value.as_array().expect("a list").iter().map(bytes32).collect()
}

#[derive(Clone, Debug)]
struct Case {
    commitments: Vec<[u8; 32]>,
    proof: RangeProof,
    expected: bool,
}

impl Case {
    fn new(case: &Value) -> Case {
        let p = &case["proof"];
        let proof = RangeProof {
            a: bytes32(&p["A"]),
            a1: bytes32(&p["A1"]),
            b: bytes32(&p["B"]),
            r1: bytes32(&p["r1"]),
            s1: bytes32(&p["s1"]),
            d1: bytes32(&p["d1"]),
            l: list32(&p["L"]),
            r: list32(&p["R"]),
        };
        Case { commitments: list32(&case["C"]), proof, expected: case["expected"].as_bool().unwrap() }
    }

    fn statement(&self) -> Statement<'_> {
        Statement { commitments: &self.commitments, proof: &self.proof }
    }

    fn verify(&self) -> Result<(), VerifyError> {
        monero::verify(&self.commitments, &self.proof)
    }
}

fn cases(name: &str) -> Option<Vec<Case>> {
    Some(vectors(name)?["cases"].as_array().unwrap().iter().map(Case::new).collect())
}

fn valid_cases() -> Vec<Case> {
    let files = ["monero_bpplus_real.json", "monero_bpplus_generated.json", "monero_bpplus_kat.json"];
    files.iter().filter_map(|name| cases(name)).flatten().collect()
}

fn statements(cases: &[Case]) -> Vec<Statement<'_>> {
    cases.iter().map(Case::statement).collect()
}

/// How many valid cases the slow tests take: all, or in an unoptimised build a few of different sizes.
fn some_valid_cases() -> Vec<Case> {
    let mut cases = valid_cases();
    if cfg!(debug_assertions) {
        cases.sort_by_key(|case| case.commitments.len());
        cases.dedup_by_key(|case| case.commitments.len().next_power_of_two());
        cases.truncate(3);
    }
    cases
}

/// Repeatable pseudo-random data (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn fill(&mut self, out: &mut [u8]) {
        out.chunks_mut(8).for_each(|w| w.copy_from_slice(&self.next().to_le_bytes()[..w.len()]));
    }
}

#[test]
fn vectors_one_by_one() {
    for name in ["real", "generated", "kat", "invalid"] {
        for (i, case) in cases(&format!("monero_bpplus_{name}.json")).unwrap_or_default().iter().enumerate() {
            assert_eq!(case.verify().is_ok(), case.expected, "{name} {i}: {:?}", case.verify());
            let wire = case.proof.to_bytes();
            assert_eq!(RangeProof::from_bytes(&wire).as_ref(), Ok(&case.proof), "{name} {i}");
        }
    }
}

#[test]
fn vectors_as_batches() {
    let valid = valid_cases();
    if valid.is_empty() {
        return;
    }
    assert_eq!(monero::verify_batch(&statements(&valid)), Ok(()));
    assert_eq!(monero::find_invalid(&statements(&valid)), Vec::<usize>::new());
    // Each tampered case among the real ones, and all of them at once.
    let invalid = cases("monero_bpplus_invalid.json").unwrap_or_default();
    for (i, case) in invalid.iter().enumerate() {
        let mut mixed = statements(&valid[..5]);
        let at = i % (mixed.len() + 1);
        mixed.insert(at, case.statement());
        match monero::verify_batch(&mixed) {
            Err(BatchError::Equation) => {}
            Err(BatchError::Item { index, error }) => assert_eq!((index, Err(error)), (at, case.verify()), "{i}"),
            other => panic!("{i}: {other:?}"),
        }
        assert_eq!(monero::find_invalid(&mixed), [at], "{i}");
    }
    let all: Vec<Case> = valid.iter().zip(&invalid).flat_map(|(v, i)| [v.clone(), i.clone()]).collect();
    let expected: Vec<usize> = (0..all.len()).filter(|i| i % 2 == 1).collect();
    assert_eq!(monero::find_invalid(&statements(&all)), expected);
}

#[test]
fn seraphis_vectors() {
    // The same protocol; commitments are given as V = C/8 there, and C = 8V.
    let Some(file) = vectors("seraphis_bulletproof_plus.json") else { return };
    let wide = Generators::new(monero::MAX_OUTPUTS_EXTENDED).unwrap();
    let divided = Divided(&wide);
    let (mut valid, mut given) = (Vec::new(), Vec::new());
    for case in file["cases"].as_array().unwrap() {
        let v = curve25519_lanes::decompress_batch_strict(&list32(&case["V"])).unwrap();
        let mut flat = case.clone();
        flat["proof"] = case.clone();
        flat["C"] = Value::Array(Vec::new());
        flat["expected"] = case["expect"].clone();
        let mut case = Case::new(&flat);
        // As they stand, then as commitments.
        case.commitments = list32(&flat["V"]);
        let mut alone = accumulator::Accumulator::new(&divided, Limits::NONE);
        let verdict = alone.push(case.statement()).is_ok() && alone.close().is_ok();
        assert_eq!(verdict, case.expected, "{}", flat["note"]);
        given.push(case.clone());
        case.commitments = v.iter().map(|v| v.mul_by_cofactor().compress().0).collect();
        assert_eq!(case.verify().is_ok(), case.expected, "{}: {:?}", flat["note"], case.verify());
        if case.expected {
            valid.push(case);
        }
    }
    assert_eq!(wide.verify_batch(&statements(&valid)), Ok(()));
    valid[3].proof.s1[0] ^= 1;
    assert_eq!(wide.find_invalid(&statements(&valid)), [3]);

    let mut all = accumulator::Accumulator::new(&divided, Limits::NONE);
    let (mut taken, mut expected) = (0, Vec::new());
    for case in &given {
        if all.push(case.statement()).is_ok() {
            if !case.expected {
                expected.push(taken);
            }
            taken += 1;
        } else {
            assert!(!case.expected);
        }
    }
    let Err(Blame::Items(found)) = all.close_and_blame() else { panic!("some are invalid") };
    assert_eq!(found.into_iter().map(|(index, _)| index).collect::<Vec<_>>(), expected);
    // C is not V.
    assert_eq!(wide.verify(&given[0].commitments, &given[0].proof), Err(VerifyError::Equation));
}

#[test]
fn generators() {
    use sha2::{Digest, Sha256};
    let Some(file) = vectors("monero_bpplus_generators.json") else { return };
    let generators = Generators::new(MAX_OUTPUTS).unwrap();
    for (name, points) in [("G", generators.g()), ("H", generators.h())] {
        let encodings = curve25519_lanes::compress_batch(points);
        assert_eq!(encodings.len(), 64 * MAX_OUTPUTS);
        for case in file["cases"].as_array().unwrap() {
            assert_eq!(encodings[case["i"].as_u64().unwrap() as usize], bytes32(&case[name]));
        }
        assert_eq!(Sha256::digest(encodings.as_flattened())[..], bytes(&file["sha256"][name]));
    }
}

/// Every 32-byte part of a case, named, by reference.
fn parts(case: &mut Case) -> Vec<(Field, &mut [u8; 32])> {
    let RangeProof { a, a1, b, r1, s1, d1, l, r } = &mut case.proof;
    let mut out =
        vec![(Field::A, a), (Field::A1, a1), (Field::B, b), (Field::R1, r1), (Field::S1, s1), (Field::D1, d1)];
    out.extend(l.iter_mut().enumerate().map(|(i, x)| (Field::L(i), x)));
    out.extend(r.iter_mut().enumerate().map(|(i, x)| (Field::R(i), x)));
    out.extend(case.commitments.iter_mut().enumerate().map(|(i, x)| (Field::Commitment(i), x)));
    out
}

fn is_scalar(field: Field) -> bool {
    matches!(field, Field::R1 | Field::S1 | Field::D1)
}

/// `x + l` as integers, below 2^256.
fn plus_order(x: &[u8; 32]) -> [u8; 32] {
    let l_minus_1 = (Scalar::ZERO - Scalar::ONE).to_bytes();
    let mut carry = 1;
    core::array::from_fn(|i| {
        carry += u16::from(x[i]) + u16::from(l_minus_1[i]);
        let byte = carry as u8;
        carry >>= 8;
        byte
    })
}

/// Encodings that no strict decoder takes: the identity with p added to y, with a sign, with both; y of no point.
fn bad_points() -> [[u8; 32]; 4] {
    let mut y_plus_p = [0xff; 32];
    y_plus_p[0] = 0xee;
    y_plus_p[31] = 0x7f;
    let mut signed = [0; 32];
    signed[0] = 1;
    signed[31] = 0x80;
    let mut both = y_plus_p;
    both[31] = 0xff;
    let mut off_curve = [0; 32];
    off_curve[0] = 2;
    [y_plus_p, signed, both, off_curve]
}

/// Mutations of one field, with the error where it is certain which.
fn mutations(case: &Case, random: &mut Random) -> Vec<(String, Case, Option<VerifyError>)> {
    let mut out = Vec::new();
    let mut original = case.clone();
    let parts_before: Vec<(Field, [u8; 32])> = parts(&mut original).into_iter().map(|(f, x)| (f, *x)).collect();
    let mut push = |name: String, error: Option<VerifyError>, change: &dyn Fn(&mut Case)| {
        let mut changed = case.clone();
        change(&mut changed);
        out.push((name, changed, error));
    };
    let set = |i: usize, value: [u8; 32]| move |case: &mut Case| *parts(case)[i].1 = value;
    for (i, &(field, value)) in parts_before.iter().enumerate() {
        let bit = random.next() as usize % 256;
        for bit in [bit, 0, 255] {
            let mut flipped = value;
            flipped[bit / 8] ^= 1 << (bit % 8);
            push(format!("{field} bit {bit}"), None, &set(i, flipped));
        }
        // The next part of the same kind, in its place and it in the other's.
        let other = (i + 1..parts_before.len()).find(|&j| is_scalar(parts_before[j].0) == is_scalar(field));
        if let Some(j) = other.filter(|&j| parts_before[j].1 != value) {
            let swap = |case: &mut Case| {
                set(i, parts_before[j].1)(case);
                set(j, value)(case);
            };
            push(format!("{field} swapped with {}", parts_before[j].0), None, &swap);
        }
        if is_scalar(field) {
            let more = plus_order(&value);
            push(format!("{field} + l"), Some(VerifyError::Scalar(field)), &set(i, more));
            push(format!("{field} all ones"), Some(VerifyError::Scalar(field)), &set(i, [0xff; 32]));
            push(format!("{field} = 0"), None, &set(i, [0; 32]));
        } else {
            for bad in bad_points() {
                push(format!("{field} not canonical"), Some(VerifyError::Point(field)), &set(i, bad));
            }
            let mut identity = [0; 32];
            identity[0] = 1;
            push(format!("{field} = identity"), None, &set(i, identity));
            // The point of order two, y = -1, added.
            let point = curve25519_lanes::CompressedEdwardsY(value).decompress_strict().unwrap();
            let mut minus_one = [0xff; 32];
            minus_one[0] = 0xec;
            minus_one[31] = 0x7f;
            let torsion: EdwardsPoint = curve25519_lanes::CompressedEdwardsY(minus_one).decompress_strict().unwrap();
            push(format!("{field} + torsion"), None, &set(i, (point + torsion).compress().0));
        }
    }
    let (l, m) = (case.proof.l.len(), case.commitments.len());
    let rounds = |l, r| Some(VerifyError::Rounds { l, r, expected: case.proof.l.len() });
    push("L truncated".into(), rounds(l - 1, l), &|c| c.proof.l.truncate(l - 1));
    push("R truncated".into(), rounds(l, l - 1), &|c| c.proof.r.truncate(l - 1));
    push("L and R truncated".into(), rounds(l - 1, l - 1), &|c| {
        c.proof.l.truncate(l - 1);
        c.proof.r.truncate(l - 1);
    });
    push("L extended".into(), rounds(l + 1, l), &|c| c.proof.l.push(c.proof.l[0]));
    push("R extended".into(), rounds(l, l + 1), &|c| c.proof.r.push(c.proof.r[0]));
    push("L and R extended".into(), rounds(l + 1, l + 1), &|c| {
        c.proof.l.push(c.proof.l[0]);
        c.proof.r.push(c.proof.r[0]);
    });
    push("L and R exchanged".into(), None, &|c| core::mem::swap(&mut c.proof.l, &mut c.proof.r));
    push("no rounds".into(), rounds(0, 0), &|c| {
        c.proof.l.clear();
        c.proof.r.clear();
    });
    push("commitment missing".into(), None, &|c| c.commitments.truncate(m - 1));
    push("commitment repeated".into(), None, &|c| c.commitments.push(c.commitments[0]));
    let outputs = |found| Some(VerifyError::Outputs(monero::OutputCount { found, limit: MAX_OUTPUTS }));
    push("no commitment".into(), outputs(0), &|c| c.commitments.clear());
    push("too many commitments".into(), outputs(17), &|c| c.commitments.resize(17, c.commitments[0]));
    out
}

#[test]
fn every_mutation_is_refused_alone_and_in_a_batch() {
    let valid = some_valid_cases();
    let mut random = Random(1);
    for case in &valid {
        for (name, mutated, error) in mutations(case, &mut random) {
            let found = mutated.verify().expect_err(&name);
            if let Some(error) = error {
                assert_eq!(found, error, "{name}");
            }
            let batch = [valid[0].statement(), mutated.statement(), case.statement()];
            let expected = match found {
                VerifyError::Equation => BatchError::Equation,
                error => BatchError::Item { index: 1, error },
            };
            assert_eq!(monero::verify_batch(&batch), Err(expected), "{name}");
        }
    }
}

#[test]
fn errors_that_cancel_under_equal_weights_are_refused() {
    let cases = some_valid_cases();
    for pair in cases.windows(2) {
        let mut pair = pair.to_vec();
        // d1 enters no challenge, so these two errors are opposite multiples of G.
        for (case, sign) in pair.iter_mut().zip([Scalar::ONE, -Scalar::ONE]) {
            let d1 = Scalar::from_canonical_bytes(case.proof.d1).unwrap() + sign;
            case.proof.d1 = d1.to_bytes();
        }
        assert_eq!(monero::verify_batch(&statements(&pair)), Err(BatchError::Equation));
        assert_eq!(monero::find_invalid(&statements(&pair)), [0, 1]);
    }
}

#[test]
fn bad_proofs_among_64_are_named() {
    let valid = valid_cases();
    if valid.is_empty() {
        return;
    }
    let small: Vec<Case> = valid.iter().filter(|c| c.commitments.len() <= 2).cloned().collect();
    let batch: Vec<Case> = small.iter().cycle().take(64).cloned().collect();
    let wrong = |case: &mut Case| case.proof.d1[0] ^= 1;
    let malformed = |case: &mut Case| case.proof.a = bad_points()[0];
    let positions = [0, 1, 2, 15, 16, 30, 31, 32, 33, 47, 48, 62, 63];
    for at in positions {
        for change in [wrong, malformed] {
            let mut batch = batch.clone();
            change(&mut batch[at]);
            assert!(monero::verify_batch(&statements(&batch)).is_err());
            assert_eq!(monero::find_invalid(&statements(&batch)), [at]);
        }
    }
    let mut several = batch.clone();
    for (k, &at) in positions.iter().enumerate() {
        if k % 2 == 0 { wrong(&mut several[at]) } else { malformed(&mut several[at]) }
    }
    assert_eq!(monero::find_invalid(&statements(&several)), positions);
    let mut all = batch.clone();
    all.iter_mut().for_each(wrong);
    assert_eq!(monero::find_invalid(&statements(&all)), (0..64).collect::<Vec<_>>());
    let mut all = batch;
    all.iter_mut().for_each(malformed);
    assert_eq!(monero::find_invalid(&statements(&all)), (0..64).collect::<Vec<_>>());
}

/// The choice is the process's; other tests running beside this one go through other backends for a while.
#[test]
fn every_backend_gives_the_same_verdicts() {
    use curve25519_lanes::cpu::{BackendId, force};
    let valid = valid_cases();
    let invalid = cases("monero_bpplus_invalid.json").unwrap_or_default();
    let chosen = BackendId::forced();
    for &id in BackendId::ALL {
        if force(Some(id)).is_err() {
            println!("skipped: backend {id} (not in this build or not on this machine)");
            continue;
        }
        // Tables belong to the backend that built them.
        let generators = Generators::new(MAX_OUTPUTS).unwrap();
        if !valid.is_empty() {
            assert_eq!(generators.verify_batch(&statements(&valid)), Ok(()), "{id}");
        }
        for case in valid.iter().step_by(5).chain(&invalid) {
            assert_eq!(generators.verify(&case.commitments, &case.proof).is_ok(), case.expected, "{id}");
        }
        #[cfg(feature = "rand_core")]
        proving::same_bytes_as_the_published_crate(3);
    }
    force(chosen).expect("the choice from before");
}

/// A batch as a node holds it: filled as proofs come, of mixed sizes, closed when full; a bad one wherever it stands.
#[test]
fn a_batch_that_fills_as_proofs_come() {
    let valid = some_valid_cases();
    if valid.is_empty() {
        return;
    }
    let new = |items| monero::Accumulator::new(Generators::shared(), Limits { items, ..Limits::NONE });
    let len = valid.len().min(9);
    let valid = &valid[valid.len() - len..];
    for bad in [None, Some(0), Some(len / 2), Some(len - 1)] {
        let mut batch = new(len);
        for (i, case) in valid.iter().enumerate() {
            let mut case = case.clone();
            case.proof.r1 = plus_order(&case.proof.r1);
            let refused = PushError::Item(VerifyError::Scalar(Field::R1));
            assert_eq!(batch.push(case.statement()), Err(refused));
            case.proof.r1 = valid[i].proof.r1;
            if bad == Some(i) {
                case.proof.r1[0] ^= 1;
            }
            assert!(!batch.is_full());
            assert_eq!(batch.push(case.statement()), Ok(i));
        }
        assert!(batch.is_full() && batch.len() == len);
        assert_eq!(batch.push(valid[0].statement()), Err(PushError::Full));
        let expected = bad.map_or(Ok(()), |i| Err(Blame::Items(vec![(i, VerifyError::Equation)])));
        assert_eq!(batch.close_and_blame(), expected);
    }
    // A batch that is dropped says nothing about the next.
    let mut dropped = new(2);
    dropped.push(valid[0].statement()).unwrap();
    drop(dropped);
    assert_eq!(new(2).close(), Err(BatchError::Empty));
    assert_eq!(new(2).close_and_blame(), Err(Blame::Empty));
}

/// The system's allocator, counting what each thread holds.
#[cfg(not(any(feature = "parallel", debug_assertions)))]
mod memory {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::Cell;

    thread_local! {
        static HELD: Cell<isize> = const { Cell::new(0) };
        static MOST: Cell<isize> = const { Cell::new(0) };
    }

    struct Counting;

    #[global_allocator]
    static COUNTING: Counting = Counting;

    fn add(bytes: isize) {
        let held = HELD.get() + bytes;
        HELD.set(held);
        MOST.set(MOST.get().max(held));
    }

    // SAFETY: every call is handed on as it came.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            add(layout.size() as isize);
            // SAFETY: the caller's promise.
            unsafe { System.alloc(layout) }
        }
        unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
            add(-(layout.size() as isize));
            // SAFETY: the caller's promise.
            unsafe { System.dealloc(pointer, layout) }
        }
    }

    /// What `work` holds at most beyond what was held before.
    pub(super) fn most<T>(work: impl FnOnce() -> T) -> (isize, T) {
        let before = HELD.get();
        MOST.set(before);
        let result = work();
        (MOST.get() - before, result)
    }
}

/// What a batch says it takes is what it takes, but for a fixed part: on the calling thread, where all the work is done.
#[cfg(not(any(feature = "parallel", debug_assertions)))]
#[test]
fn a_batch_is_as_large_as_it_says() {
    let mut valid = valid_cases();
    if valid.is_empty() {
        return;
    }
    valid.sort_by_key(|case| case.commitments.len());
    let close = |case: &Case, len: usize| {
        let mut batch = monero::Accumulator::new(Generators::shared(), Limits::NONE);
        let mut bytes = 0;
        let (most, verdict) = memory::most(|| {
            (0..len).for_each(|i| assert_eq!(batch.push(case.statement()), Ok(i)));
            bytes = batch.bytes() as isize;
            batch.close_and_blame()
        });
        assert_eq!(verdict, Ok(()));
        (most, bytes)
    };
    for case in [&valid[0], &valid[valid.len() - 1]] {
        // Tables and all that is built once.
        close(case, 1);
        // Both fill the blocks of the multiscalar sum, whose size is bounded.
        let [(few, few_bytes), (many, many_bytes)] = [600, 1200].map(|len| close(case, len));
        println!("{} outputs: {few} of {few_bytes}, {many} of {many_bytes}", case.commitments.len());
        let growth = many - few;
        let said = many_bytes - few_bytes;
        assert!(growth <= said && 2 * growth > said, "{growth} of {said}");
        // What a sum takes whatever its length.
        assert!(many <= many_bytes + (4 << 20), "{many} of {many_bytes}");
    }
}

#[test]
fn an_empty_batch_is_refused() {
    assert_eq!(monero::verify_batch(&[]), Err(BatchError::Empty));
    assert_eq!(monero::find_invalid(&[]), Vec::<usize>::new());
}

#[test]
fn transactions_as_monero_oxide_reads_them() {
    use monero_oxide::ringct::RctPrunable;
    use monero_oxide::transaction::{NotPruned, Transaction};
    let Some(file) = vectors("monero_tx_raw.json") else { return };
    for case in file["cases"].as_array().unwrap() {
        let tx = Transaction::<NotPruned>::read(&mut &bytes(&case["hex"])[..]).unwrap();
        let Transaction::V2 { proofs: Some(proofs), .. } = tx else { panic!("not a RingCT transaction") };
        let RctPrunable::Clsag { bulletproof, .. } = proofs.prunable else { panic!("not of type CLSAG") };
        let proof = RangeProof::from_bytes(&bulletproof.serialize()).unwrap();
        let mut signed = Vec::new();
        bulletproof.signature_write(&mut signed).unwrap();
        assert_eq!(proof.signature_bytes(), signed);
        let commitments: Vec<[u8; 32]> = proofs.base.commitments.iter().map(|c| c.to_bytes()).collect();
        assert_eq!(monero::verify(&commitments, &proof), Ok(()), "{}", case["txid"]);
    }
}

#[cfg(feature = "rand_core")]
mod proving {
    use core::convert::Infallible;

    use curve25519_lanes::proofs::bulletproofs_plus::monero::{Opening, OutputCount, ProveError};
    use monero_bulletproofs::{BatchVerifier, Bulletproof};
    use monero_ed25519::{Commitment, CompressedPoint};

    use super::*;

    impl rand_core::TryRng for Random {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(self.next() as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.next())
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            self.fill(out);
            Ok(())
        }
    }
    impl rand_core::TryCryptoRng for Random {}

    impl rand_core_0_6::RngCore for Random {
        fn next_u32(&mut self) -> u32 {
            self.next() as u32
        }
        fn next_u64(&mut self) -> u64 {
            self.next()
        }
        fn fill_bytes(&mut self, out: &mut [u8]) {
            self.fill(out);
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core_0_6::Error> {
            self.fill(out);
            Ok(())
        }
    }
    impl rand_core_0_6::CryptoRng for Random {}

    /// A source that gives prescribed scalars: each as 64 bytes, the upper half zero.
    struct Prescribed(std::vec::IntoIter<[u8; 32]>);

    impl rand_core::TryRng for Prescribed {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("the prover draws bytes")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            unreachable!("the prover draws bytes")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            assert_eq!(out.len(), 64);
            out.fill(0);
            out[..32].copy_from_slice(&self.0.next().expect("a nonce is left"));
            Ok(())
        }
    }
    impl rand_core::TryCryptoRng for Prescribed {}

    /// Amounts at the ends of the range and in between, random masks.
    fn openings(n: usize, random: &mut Random) -> Vec<Opening> {
        let edges = [0, u64::MAX, 1, 1 << 63, (1 << 63) - 1, 1 << 32];
        (0..n).map(|i| Opening::new(if i < 6 { edges[i] } else { random.next() }, Scalar::random(random))).collect()
    }

    fn peer_commitments(openings: &[Opening]) -> Vec<Commitment> {
        let mask = |o: &Opening| monero_ed25519::Scalar::read(&mut &o.mask.to_bytes()[..]).unwrap();
        openings.iter().map(|o| Commitment::new(mask(o), o.amount)).collect()
    }

    #[test]
    fn known_answers() {
        let Some(file) = vectors("monero_bpplus_kat.json") else { return };
        let mut seen = 0;
        for case in file["cases"].as_array().unwrap() {
            let nonces = &case["randomness"];
            if nonces.is_null() {
                continue;
            }
            let rounds = list32(&nonces["dL"]).into_iter().zip(list32(&nonces["dR"])).flat_map(|(l, r)| [l, r]);
            let last = ["r", "s", "d", "eta"].map(|name| bytes32(&nonces[name]));
            let all: Vec<_> = [bytes32(&nonces["alpha"])].into_iter().chain(rounds).chain(last).collect();
            let masks = list32(&case["masks"]).into_iter().map(|m| Scalar::from_canonical_bytes(m).unwrap());
            let amounts = case["amounts"].as_array().unwrap().iter().map(|a| a.as_u64().unwrap());
            let openings: Vec<Opening> = amounts.zip(masks).map(|(a, m)| Opening::new(a, m)).collect();
            let expected = Case::new(case);
            let commitments: Vec<_> = openings.iter().map(|o| o.commit().0).collect();
            assert_eq!(commitments, expected.commitments);
            let mut source = Prescribed(all.into_iter());
            assert_eq!(monero::prove(&openings, &mut source).unwrap(), expected.proof);
            assert_eq!(source.0.len(), 0, "every nonce is used");
            seen += 1;
        }
        assert!(seen >= 2);
    }

    /// The same random bytes make the same proof here and there.
    pub(super) fn same_bytes_as_the_published_crate(n: usize) {
        let openings = openings(n, &mut Random(5));
        let ours = monero::prove(&openings, &mut Random(n as u64)).unwrap();
        let peer = Bulletproof::prove_plus(&mut Random(n as u64), peer_commitments(&openings)).unwrap();
        assert_eq!(ours.to_bytes(), peer.serialize(), "{n}");
    }

    #[test]
    fn both_ways_with_the_published_crate() {
        let mut random = Random(2);
        let mut ours = Vec::new();
        for n in 1..=MAX_OUTPUTS {
            let openings = openings(n, &mut random);
            let commitments: Vec<_> = openings.iter().map(|o| o.commit().0).collect();
            let peer_points: Vec<_> = commitments.iter().map(|c| CompressedPoint::from(*c)).collect();

            let proof = monero::prove(&openings, &mut random).unwrap();
            let peer = Bulletproof::read_plus(&mut &proof.to_bytes()[..]).unwrap();
            assert!(peer.verify(&mut random, &peer_points), "{n}");
            assert_eq!(monero::verify(&commitments, &proof), Ok(()), "{n}");

            let peer = Bulletproof::prove_plus(&mut random, peer_commitments(&openings)).unwrap();
            let theirs = RangeProof::from_bytes(&peer.serialize()).unwrap();
            assert_eq!(theirs.to_bytes(), peer.serialize());
            assert_eq!(monero::verify(&commitments, &theirs), Ok(()), "{n}");
            same_bytes_as_the_published_crate(n);
            ours.push(Case { commitments: commitments.clone(), proof, expected: true });
            ours.push(Case { commitments, proof: theirs, expected: true });
        }
        assert_eq!(monero::verify_batch(&statements(&ours)), Ok(()));
        let mut batch = BatchVerifier::new();
        for case in &ours {
            let peer = Bulletproof::read_plus(&mut &case.proof.to_bytes()[..]).unwrap();
            let points: Vec<_> = case.commitments.iter().map(|c| CompressedPoint::from(*c)).collect();
            assert!(peer.batch_verify(&mut random, &mut batch, &points));
        }
        assert!(batch.verify());
    }

    #[test]
    fn number_of_openings() {
        let mut random = Random(3);
        for found in [0, MAX_OUTPUTS + 1] {
            let error = monero::prove(&openings(found, &mut random), &mut random).unwrap_err();
            assert_eq!(error, ProveError::Outputs(OutputCount { found, limit: MAX_OUTPUTS }));
        }
    }

    #[test]
    fn the_largest_extended_proof() {
        let generators = Generators::new(monero::MAX_OUTPUTS_EXTENDED).unwrap();
        let mut random = Random(4);
        let openings = openings(monero::MAX_OUTPUTS_EXTENDED, &mut random);
        let commitments: Vec<_> = openings.iter().map(|o| o.commit().0).collect();
        let proof = generators.prove(&openings, &mut random).unwrap();
        assert_eq!(RangeProof::from_bytes(&proof.to_bytes()).as_ref(), Ok(&proof));
        assert_eq!(generators.verify(&commitments, &proof), Ok(()));
        let small = monero::verify(&commitments, &proof).unwrap_err();
        assert_eq!(small, VerifyError::Outputs(OutputCount { found: 128, limit: MAX_OUTPUTS }));
        // Two outputs exchanged: only a few of the 8192 scalars of each kind see it.
        let mut exchanged = commitments;
        exchanged.swap(126, 127);
        assert_eq!(generators.verify(&exchanged, &proof), Err(VerifyError::Equation));
    }
}

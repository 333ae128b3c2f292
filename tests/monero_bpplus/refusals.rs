//! What must be refused, alone, in a batch, and by its name among others.

use super::*;

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

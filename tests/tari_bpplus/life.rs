//! Batches: sizes around the limit of 256, the one bad proof anywhere, and the accumulator.

use curve25519_lanes::Scalar;
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::accumulator::{BatchError as Refusal, Blame, Limits, PushError};
use curve25519_lanes::proofs::bulletproofs_plus::tari::{
    Accumulator, BatchError, Entry, RangeProof, RangeStatement, RangeVerifier, VerifyAction, VerifyError,
};

use super::{Known, LABEL, parameters};

/// Statements with proofs over values of 4 bits, one, two or four in each; single ones have a seed.
fn pool() -> Vec<(RangeStatement, RangeProof)> {
    let parameters = parameters(4, 1, 4);
    (0..12)
        .map(|i| {
            let m = [1, 1, 2, 4][i % 4];
            let values: Vec<u64> = (0..m).map(|j| (i as u64 + j) % 16).collect();
            let seed = (m == 1).then(|| Scalar::from(i as u64));
            let known = Known::new(&parameters, &values, &vec![None; m as usize], seed);
            let proof = known.prove();
            (known.statement, proof)
        })
        .collect()
}

fn verify(
    items: &[(RangeStatement, RangeProof)],
    action: VerifyAction,
) -> Result<Vec<Option<Vec<Scalar>>>, BatchError> {
    let mut transcripts = vec![Transcript::new(LABEL.as_bytes()); items.len()];
    let (statements, proofs): (Vec<_>, Vec<_>) = items.iter().cloned().unzip();
    let masks = RangeProof::verify_batch(&mut transcripts, &statements, &proofs, action)?;
    Ok(masks.into_iter().map(|mask| mask.map(|mask| mask.blindings().to_vec())).collect())
}

fn spoil(proof: &RangeProof) -> RangeProof {
    let mut bytes = proof.to_bytes();
    // r1, where there is one mask.
    bytes[1 + 32 * 4] ^= 1;
    RangeProof::from_bytes(&bytes).unwrap()
}

#[test]
fn the_bad_proof_is_found_first_last_and_beyond_256() {
    let pool = pool();
    for count in [1, 2, 255, 256, 257, 1000] {
        let items: Vec<_> = pool.iter().cycle().take(count).cloned().collect();
        let found = verify(&items, VerifyAction::RecoverAndVerify).unwrap();
        assert_eq!(found.len(), count);
        for (i, mask) in found.iter().enumerate() {
            let expected = (i % 12 % 4 < 2).then(|| vec![Scalar::from(1000u64)]);
            assert_eq!(*mask, expected, "{i} of {count}");
        }
        assert_eq!(verify(&items, VerifyAction::RecoverOnly), Ok(found), "{count}");
        let mut places = vec![0, count / 2, count - 1];
        places.extend([255, 256, 257, 511, 512, 900].into_iter().filter(|i| *i < count));
        for at in places {
            let mut items = items.clone();
            items[at].1 = spoil(&items[at].1);
            assert_eq!(verify(&items, VerifyAction::VerifyOnly), Err(BatchError::Equation), "{at} of {count}");
            let mut bytes = items[at].1.to_bytes();
            let end = bytes.len();
            bytes[end - 32..].fill(0xff);
            items[at].1 = RangeProof::from_bytes(&bytes).unwrap();
            for action in [VerifyAction::VerifyOnly, VerifyAction::RecoverOnly, VerifyAction::RecoverAndVerify] {
                match verify(&items, action) {
                    Err(BatchError::Item { index, error: VerifyError::Point(_) }) => assert_eq!(index, at),
                    other => panic!("{at} of {count}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn empty_and_uneven_batches() {
    let pool = pool();
    assert_eq!(verify(&[], VerifyAction::VerifyOnly), Err(BatchError::Empty));
    let (statements, proofs): (Vec<_>, Vec<_>) = pool.iter().cloned().unzip();
    let mut transcripts = vec![Transcript::new(LABEL.as_bytes()); 3];
    let mut uneven = |t: usize, s: usize, p: usize| {
        RangeProof::verify_batch(&mut transcripts[..t], &statements[..s], &proofs[..p], VerifyAction::RecoverOnly)
    };
    for (t, s, p) in [(2, 3, 3), (3, 2, 3), (3, 3, 2), (1, 2, 2)] {
        let lengths = BatchError::Lengths { transcripts: t, statements: s, proofs: p };
        assert_eq!(uneven(t, s, p), Err(lengths));
    }
    for (t, s, p) in [(0, 3, 3), (3, 0, 3), (3, 3, 0), (0, 0, 0)] {
        assert_eq!(uneven(t, s, p), Err(BatchError::Empty));
    }
    // Statements that don't agree.
    let mut items = pool[..3].to_vec();
    let other = Known::new(&parameters(8, 1, 1), &[1], &[None], None);
    items.push((other.statement.clone(), other.prove()));
    assert_eq!(verify(&items, VerifyAction::VerifyOnly), Err(BatchError::Parameters(3)));
}

/// Errors of two proofs that would cancel each other if both had the same weight.
#[test]
fn errors_do_not_cancel() {
    let known = Known::new(&parameters(4, 1, 1), &[5], &[None], None);
    let bytes = known.prove().to_bytes();
    // d1 stands in the equation with a factor that is the same in both.
    let shifted = |by: Scalar| {
        let mut bytes = bytes.clone();
        let d1 = Scalar::from_canonical_bytes(bytes[1..33].try_into().unwrap()).unwrap();
        bytes[1..33].copy_from_slice((d1 + by).as_bytes());
        (known.statement.clone(), RangeProof::from_bytes(&bytes).unwrap())
    };
    let delta = Scalar::from(77u64);
    let pair = [shifted(delta), shifted(-delta)];
    assert_eq!(verify(&pair, VerifyAction::VerifyOnly), Err(BatchError::Equation));
    assert_eq!(verify(&[shifted(Scalar::ZERO), shifted(Scalar::ZERO)], VerifyAction::VerifyOnly), Ok(vec![None, None]));
}

#[test]
fn accumulator() {
    let pool = pool();
    let transcript = Transcript::new(LABEL.as_bytes());
    let other = Known::new(&parameters(8, 2, 2), &[200, 1], &[Some(100), None], None);
    let (other_statement, other_proof) = (other.statement.clone(), other.prove());
    let fill = |bad: &[usize]| {
        let mut batch = Accumulator::new(&RangeVerifier, Limits::default());
        for (i, (statement, proof)) in pool.iter().enumerate() {
            let proof = if bad.contains(&i) { &spoil(proof) } else { proof };
            batch.push(Entry { transcript: &transcript, statement, proof }).unwrap();
        }
        // Other bit length and masks: batches of the accumulator need not agree.
        batch.push(Entry { transcript: &transcript, statement: &other_statement, proof: &other_proof }).unwrap();
        assert!(!batch.is_full() && batch.bytes() > 0);
        batch
    };
    assert_eq!(fill(&[]).close(), Ok(()));
    assert_eq!(fill(&[3]).close(), Err(Refusal::Equation));
    let Err(Blame::Items(items)) = fill(&[3, 0, 11]).close_and_blame() else { panic!() };
    assert_eq!(items, [0, 3, 11].map(|i| (i, VerifyError::Equation)));
    // Wrong at a glance.
    let mut batch = Accumulator::new(&RangeVerifier, Limits::default());
    let entry = Entry { transcript: &transcript, statement: &other_statement, proof: &pool[0].1 };
    assert!(matches!(batch.push(entry), Err(PushError::Item(VerifyError::ExtensionDegree { found: 1, expected: 2 }))));
    assert_eq!(batch.close(), Err(Refusal::Empty));
}

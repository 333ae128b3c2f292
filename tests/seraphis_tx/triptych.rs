//! Transactions over Triptych that we built, and what may be done to them.

use curve25519_lanes::proofs::bulletproofs_plus::monero;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::triptych;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::triptych::{
    BatchError, BuildError, Check, Failure, MAX_INPUTS, MAX_OUTPUTS, Mock, Range, Transaction, verify, verify_batch,
};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar, monero_map};

use super::common::{Random, each_backend};

fn mock(n: usize, m: usize, inputs: usize, outputs: usize, splits: usize) -> Mock {
    Mock { shape: Shape::new(n, m).unwrap(), inputs, outputs, splits }
}

/// Transactions of several sizes and shapes, over one ledger.
fn mixed(seed: u64) -> (Vec<Transaction>, MemoryLedger) {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(seed));
    let mocks = [mock(2, 3, 2, 2, 0), mock(3, 2, 1, 3, 1), mock(2, 2, 3, 1, 0), mock(2, 4, 2, 5, 2)];
    (mocks.iter().map(|mock| mock.build(&mut ledger, &mut rng).unwrap()).collect(), ledger)
}

fn point(k: u64) -> [u8; 32] {
    EdwardsPoint::mul_base(&Scalar::from(k)).compress().0
}

#[test]
fn transactions_are_accepted() {
    let (txs, ledger) = mixed(1);
    each_backend(|id| assert_eq!(verify_batch(&txs, &ledger), Ok(()), "{id}"));
    for tx in &txs {
        assert_eq!(verify(tx, &ledger), Ok(()));
    }
    assert_eq!(verify_batch(&[], &ledger), Err(BatchError::Empty));
}

/// The true sizes of the study's table.
#[test]
fn published_sizes() {
    let mut ledger = MemoryLedger::new();
    for (n, m, inputs, outputs, size) in
        [(2, 4, 2, 2, 2256), (2, 7, 2, 2, 2832), (3, 4, 2, 2, 2512), (2, 7, 1, 2, 1840)]
    {
        let tx = mock(n, m, inputs, outputs, 0).build(&mut ledger, &mut Random(2)).unwrap();
        assert_eq!(tx.size(), size);
    }
}

#[test]
fn limits() {
    let mut ledger = MemoryLedger::new();
    for (inputs, outputs) in [(0, 1), (1, 0), (MAX_INPUTS + 1, 1), (1, MAX_OUTPUTS + 1)] {
        let built = mock(2, 2, inputs, outputs, 0).build(&mut ledger, &mut Random(3));
        assert_eq!(built.unwrap_err(), BuildError::Counts { inputs, outputs });
    }
    let tx = mock(2, 2, 2, 2, 0).build(&mut ledger, &mut Random(4)).unwrap();
    let check = |change: &dyn Fn(&mut Transaction), expected: Check| {
        let mut tx = tx.clone();
        change(&mut tx);
        assert_eq!(verify(&tx, &ledger), Err(expected));
    };
    check(&|tx| tx.inputs.clear(), Check::Inputs(0));
    check(&|tx| tx.inputs = vec![tx.inputs[0].clone(); MAX_INPUTS + 1], Check::Inputs(MAX_INPUTS + 1));
    check(&|tx| tx.outputs.clear(), Check::Outputs(0));
    check(&|tx| tx.outputs = vec![tx.outputs[0]; MAX_OUTPUTS + 1], Check::Outputs(MAX_OUTPUTS + 1));
    check(&|tx| tx.ranges.clear(), Check::Amounts { found: 0, expected: 2 });
    check(
        &|tx| tx.ranges.push(Range { v: Vec::new(), ..tx.ranges[0].clone() }),
        Check::Range { proof: 1, error: monero::VerifyError::Outputs(monero::OutputCount { found: 0, limit: 128 }) },
    );
    check(&|tx| tx.inputs[1].indices.truncate(3), Check::RingSize(1));
    check(&|tx| tx.inputs[1].indices.swap(0, 1), Check::RingOrder(1));
    check(&|tx| tx.inputs[1].indices[3] = u64::MAX, Check::Missing { input: 1, index: u64::MAX });
}

#[test]
fn mutations_are_refused_and_named() {
    let (txs, ledger) = mixed(5);
    let mut identity = [0; 32];
    identity[0] = 1;
    let mut changed: Vec<Transaction> = Vec::new();
    let mut with = |change: &dyn Fn(&mut Transaction)| {
        let mut tx = txs[0].clone();
        change(&mut tx);
        assert_ne!(tx, txs[0]);
        changed.push(tx);
    };
    for value in [point(77), identity, [0xff; 32]] {
        with(&|tx| tx.inputs[0].commitment = value);
        with(&|tx| tx.inputs[1].tag_eighth = value);
        with(&|tx| tx.inputs[1].proof.a = value);
        with(&|tx| tx.inputs[1].proof.k = value);
        with(&|tx| tx.inputs[1].proof.y[1] = value);
        with(&|tx| tx.inputs[1].proof.z_c = value);
        with(&|tx| tx.inputs[1].proof.f[0] = value);
        with(&|tx| tx.outputs[0].commitment = value);
        with(&|tx| tx.ranges[0].v[1] = value);
        with(&|tx| tx.ranges[0].proof.b = value);
        with(&|tx| tx.ranges[0].proof.r1 = value);
    }
    // Keys of outputs are under no proof here: only that they are points.
    with(&|tx| tx.outputs[1].key = [0xff; 32]);
    with(&|tx| tx.inputs[0].indices[0] = tx.inputs[0].indices[1]);
    with(&|tx| tx.inputs.swap(0, 1));
    with(&|tx| tx.inputs[0].tag_eighth = tx.inputs[1].tag_eighth);
    with(&|tx| tx.outputs[0].commitment = tx.outputs[1].commitment);
    // Inputs may stand in any order.
    changed.retain(|tx| tx.inputs[0] != txs[0].inputs[1]);
    for tx in &changed {
        let alone = verify(tx, &ledger).expect_err("changed");
        let batch = [txs[1].clone(), tx.clone(), txs[2].clone()];
        let Err(BatchError::Invalid(failures)) = verify_batch(&batch, &ledger) else { panic!("accepted") };
        assert!(failures.iter().all(|failure| failure.transaction == 1), "{failures:?}");
        assert_eq!(failures[0].check, alone);
    }
}

#[test]
fn tags_are_spent_once() {
    let (txs, mut ledger) = mixed(6);
    let batch = [txs[0].clone(), txs[1].clone(), txs[0].clone()];
    let check = Check::SpentInBatch { input: 0, transaction: 0 };
    assert_eq!(verify_batch(&batch, &ledger), Err(BatchError::Invalid(vec![Failure { transaction: 2, check }])));
    // An invalid one before it spends nothing.
    let mut invalid = txs[0].clone();
    invalid.ranges[0].proof.d1[3] ^= 4;
    let Err(BatchError::Invalid(failures)) = verify_batch(&[invalid, txs[0].clone()], &ledger) else {
        panic!("accepted")
    };
    assert!(failures.iter().all(|failure| failure.transaction == 0), "{failures:?}");

    // The same tag under another encoding of an eighth.
    let small = (0..).map(|i| monero_map(&[i; 32])).map(|p| p - Scalar::INV_EIGHT * p.mul_by_cofactor());
    let small = small.into_iter().find(|point| !bool::from(point.is_identity())).unwrap();
    assert!(bool::from(small.is_small_order()));
    let mut bent = txs[0].clone();
    let eighth = CompressedEdwardsY(bent.inputs[1].tag_eighth).decompress_strict().unwrap() + small;
    bent.inputs[1].tag_eighth = eighth.compress().0;
    assert_eq!(verify(&bent, &ledger), Ok(()));
    let check = Check::SpentInBatch { input: 0, transaction: 0 };
    let failures = vec![Failure { transaction: 1, check }];
    assert_eq!(verify_batch(&[txs[0].clone(), bent.clone()], &ledger), Err(BatchError::Invalid(failures)));
    // Commitments untouched, so it balances.
    bent.inputs[0].tag_eighth = txs[0].inputs[1].tag_eighth;
    assert_eq!(verify(&bent, &ledger), Err(Check::SpentTwice(1)));

    let tag = CompressedEdwardsY(txs[0].inputs[1].tag_eighth).decompress_strict().unwrap().mul_by_cofactor();
    assert!(ledger.spend(tag.compress().0));
    assert_eq!(verify(&txs[0], &ledger), Err(Check::Spent(1)));
}

#[test]
fn one_bad_among_16() {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(7));
    let mut txs: Vec<Transaction> =
        (0..16).map(|i| mock(2, 2, 1 + i % 2, 1 + i / 2 % 2, 0).build(&mut ledger, &mut rng).unwrap()).collect();
    assert_eq!(verify_batch(&txs, &ledger), Ok(()));
    txs[11].inputs[0].proof.z[3] ^= 4;
    let Err(BatchError::Invalid(failures)) = verify_batch(&txs, &ledger) else { panic!("accepted") };
    let check = Check::Membership { input: 0, error: triptych::VerifyError::Equation };
    assert_eq!(failures, [Failure { transaction: 11, check }]);
}

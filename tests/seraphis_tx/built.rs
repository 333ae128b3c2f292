//! Transactions that we built, and what may be done to them.

use curve25519_lanes::proofs::bulletproofs_plus::monero;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::{grootle, schnorr};
use curve25519_lanes::tx::ledger::{Ledger, MemoryLedger};
use curve25519_lanes::tx::seraphis::{
    BatchError, BuildError, Check, Failure, Kind, MAX_INPUTS, MAX_OUTPUTS, Mock, Range, Transaction, build, size,
    verify, verify_batch,
};
use curve25519_lanes::{EdwardsPoint, Scalar, monero_map};

use super::common::{Random, each_backend};
use super::spend::{receiving, spendable};

fn mock(kind: Kind, n: usize, m: usize, inputs: usize, outputs: usize) -> Mock {
    Mock { kind, shape: Shape::new(n, m).unwrap(), inputs, outputs, splits: 0 }
}

/// Transactions of all kinds and of several sizes and shapes, over one ledger.
fn mixed(seed: u64) -> (Vec<Transaction>, MemoryLedger) {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(seed));
    let mut txs = Vec::new();
    for kind in Kind::ALL {
        for (n, m, inputs, outputs, splits) in [(2, 3, 2, 2, 0), (3, 2, 1, 3, 1), (2, 2, 3, 1, 2)] {
            let mock = Mock { splits, ..mock(kind, n, m, inputs, outputs) };
            txs.push(mock.build(&mut ledger, &mut rng).unwrap());
        }
    }
    (txs, ledger)
}

#[test]
fn transactions_are_accepted() {
    let (txs, ledger) = mixed(1);
    each_backend(|id| {
        assert_eq!(verify_batch(&txs, &ledger), Ok(()), "{id}");
    });
    for tx in &txs {
        assert_eq!(verify(tx, &ledger), Ok(()));
        if tx.ranges.len() == 1 {
            assert_eq!(tx.size(), size(tx.kind, &tx.shape, tx.images.len(), tx.outputs.len()));
        }
    }
}

/// What the study counts is what there is: the parts of a transaction in bytes.
#[test]
fn sizes_are_those_of_the_bytes() {
    let (txs, _) = mixed(10);
    for tx in &txs {
        let ranges: usize = tx.ranges.iter().map(|range| range.proof.to_bytes().len() - 2).sum();
        let memberships: usize = tx.memberships.iter().map(|membership| membership.proof.to_bytes().len()).sum();
        let ownership: usize = tx.ownership.iter().map(|proof| proof.to_bytes().len()).sum();
        let images = tx.images.len() * (32 + 32 + 32);
        let outputs = tx.outputs.len() * (32 + 32 + 8 + 1) + 32 * tx.pubkeys.len();
        let remainder = tx.remainder.map_or(0, |remainder| remainder.len());
        assert_eq!(tx.size(), images + outputs + remainder + ranges + memberships + ownership);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "large rings")]
fn rings_of_4096() {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(11));
    let shapes = [(2, 12), (64, 2), (16, 3), (4, 6)];
    let txs: Vec<Transaction> = Kind::ALL
        .into_iter()
        .zip(shapes)
        .map(|(kind, (n, m))| mock(kind, n, m, 1, 1).build(&mut ledger, &mut rng).unwrap())
        .collect();
    assert!(txs.iter().all(|tx| tx.memberships[0].indices.len() == 4096));
    assert_eq!(verify_batch(&txs, &ledger), Ok(()));
}

/// An output may stand in a ring more than once.
#[test]
fn ring_members_may_repeat() {
    let mut rng = Random(12);
    for kind in Kind::ALL {
        let mut ledger = MemoryLedger::new();
        let (mut input, opening) = spendable(&mut ledger, 4, &mut rng);
        input.indices = vec![0, 1, 1, 1];
        let tx = build(
            kind,
            Shape::new(2, 2).unwrap(),
            &[input],
            &[receiving(opening, EdwardsPoint::BASEPOINT.compress().0)],
            0,
            &ledger,
            &mut rng,
        );
        assert_eq!(verify(&tx.unwrap(), &ledger), Ok(()));
    }
}

#[test]
fn limits() {
    let mut ledger = MemoryLedger::new();
    for (inputs, outputs) in [(0, 1), (1, 0), (MAX_INPUTS + 1, 1), (1, MAX_OUTPUTS + 1)] {
        let built = mock(Kind::Concise, 2, 2, inputs, outputs).build(&mut ledger, &mut Random(2));
        assert_eq!(built.unwrap_err(), BuildError::Counts { inputs, outputs });
    }
    let tx = mock(Kind::Squashed, 2, 2, 1, MAX_OUTPUTS).build(&mut ledger, &mut Random(3)).unwrap();
    assert_eq!(verify(&tx, &ledger), Ok(()));
    let check = |change: &dyn Fn(&mut Transaction), expected: Check| {
        let mut tx = tx.clone();
        change(&mut tx);
        assert_eq!(verify(&tx, &ledger), Err(expected));
    };
    check(&|tx| tx.images.clear(), Check::Inputs(0));
    check(&|tx| tx.images = vec![tx.images[0]; MAX_INPUTS + 1], Check::Inputs(MAX_INPUTS + 1));
    check(&|tx| tx.outputs.clear(), Check::Outputs(0));
    check(&|tx| tx.outputs.push(tx.outputs[0]), Check::Outputs(MAX_OUTPUTS + 1));
    check(&|tx| tx.memberships.clear(), Check::Memberships(0));
    check(&|tx| tx.ownership.clear(), Check::OwnershipProofs(0));
    check(&|tx| tx.pubkeys.clear(), Check::Pubkeys(0));
    check(&|tx| tx.ranges.clear(), Check::Amounts { found: 0, expected: 17 });
    check(
        &|tx| tx.ranges.push(Range { v: Vec::new(), ..tx.ranges[0].clone() }),
        Check::Range { proof: 1, error: monero::VerifyError::Outputs(monero::OutputCount { found: 0, limit: 128 }) },
    );
    check(
        &|tx| {
            let range = tx.ranges[0].clone();
            let part = |amounts: core::ops::Range<usize>| Range { v: range.v[amounts].to_vec(), ..range.clone() };
            tx.ranges = vec![part(0..2), part(2..16), part(16..17)];
        },
        Check::RangeGroup(1),
    );
    check(&|tx| tx.remainder = None, Check::Remainder);
    check(&|tx| tx.remainder = Some([0xff; 32]), Check::RemainderRange);
    check(&|tx| tx.memberships[0].indices.truncate(3), Check::RingSize(0));
    check(&|tx| tx.memberships[0].indices.swap(0, 3), Check::RingOrder(0));
    check(&|tx| tx.memberships[0].indices[3] = u64::MAX, Check::Missing { input: 0, index: u64::MAX });
    check(&|tx| tx.shape = Shape::new(2, 3).unwrap(), Check::RingSize(0));
}

/// Every field of 32 bytes.
fn fields(tx: &mut Transaction) -> Vec<&mut [u8; 32]> {
    let images = tx.images.iter_mut().flat_map(|image| [&mut image.address, &mut image.commitment, &mut image.tag]);
    let outputs = tx.outputs.iter_mut().flat_map(|enote| [&mut enote.address, &mut enote.commitment]);
    let mut all: Vec<_> = images.chain(outputs).chain(&mut tx.pubkeys).chain(&mut tx.remainder).collect();
    for Range { v, proof } in &mut tx.ranges {
        let monero::RangeProof { a, a1, b, r1, s1, d1, l, r } = proof;
        all.extend(v.iter_mut().chain([a, a1, b, r1, s1, d1]).chain(l).chain(r));
    }
    for membership in &mut tx.memberships {
        let grootle::Proof { a, b, f, x, z_a, z } = &mut membership.proof;
        all.extend([a, b].into_iter().chain(f).chain(x).chain([z_a]).chain(z));
    }
    for schnorr::CompositionProof { c, r_a, r_b, r, t } in &mut tx.ownership {
        all.extend([c, r_a, r_b].into_iter().chain(r).chain(t));
    }
    all
}

/// Refused alone, and named among good transactions, of which none may be blamed.
fn refused_and_named(tx: &Transaction, good: [&Transaction; 2], ledger: &MemoryLedger) {
    let alone = verify(tx, ledger).expect_err("changed");
    let batch = [good[0].clone(), tx.clone(), good[1].clone()];
    let Err(BatchError::Invalid(failures)) = verify_batch(&batch, ledger) else { panic!("accepted") };
    assert!(failures.iter().all(|failure| failure.transaction == 1), "{failures:?}");
    assert_eq!(failures[0].check, alone);
}

#[test]
fn every_field_of_every_kind_matters() {
    let (txs, ledger) = mixed(13);
    for target in [0, 3, 6, 9] {
        let count = fields(&mut txs[target].clone()).len();
        assert!(count > 60, "{count}");
        for at in 0..count {
            for change in [|field: &mut [u8; 32]| field[7] ^= 0x10, |field: &mut [u8; 32]| field.fill(0xff)] {
                let mut tx = txs[target].clone();
                change(fields(&mut tx)[at]);
                refused_and_named(&tx, [&txs[1], &txs[11]], &ledger);
            }
        }
    }
}

/// Values of every field that are of the right form, and fields that are no bytes.
#[test]
fn mutations_are_refused_and_named() {
    let (txs, ledger) = mixed(4);
    let mut rng = Random(5);
    let other = EdwardsPoint::mul_base(&Scalar::random(&mut rng)).compress().0;
    let scalar = Scalar::random(&mut rng).to_bytes();
    let mut identity = [0; 32];
    identity[0] = 1;
    for target in [0, 4, 6, 9] {
        let mut changed: Vec<Transaction> = Vec::new();
        let mut with = |change: &dyn Fn(&mut Transaction)| {
            let mut tx = txs[target].clone();
            change(&mut tx);
            assert_ne!(tx, txs[target]);
            changed.push(tx);
        };
        for value in [other, identity, [0xff; 32]] {
            with(&|tx| tx.images[0].address = value);
            with(&|tx| tx.images[0].commitment = value);
            with(&|tx| tx.images[0].tag = value);
            with(&|tx| tx.outputs[0].address = value);
            with(&|tx| tx.outputs[0].commitment = value);
            with(&|tx| tx.ranges[0].v[0] = value);
            with(&|tx| tx.ranges[0].proof.a = value);
            with(&|tx| tx.ranges[0].proof.l[2] = value);
            with(&|tx| tx.memberships[0].proof.a = value);
            with(&|tx| tx.memberships[0].proof.x[0] = value);
            with(&|tx| tx.ownership[0].t[0] = value);
        }
        for value in [scalar, [0xff; 32]] {
            with(&|tx| tx.ranges[0].proof.s1 = value);
            with(&|tx| tx.memberships[0].proof.z_a = value);
            with(&|tx| tx.memberships[0].proof.z[0] = value);
            with(&|tx| tx.memberships[0].proof.f[0] = value);
            with(&|tx| tx.ownership[0].c = value);
            with(&|tx| tx.ownership[0].r_a = value);
            with(&|tx| tx.ownership[0].r_b = value);
            with(&|tx| tx.ownership[0].r[0] = value);
            with(&|tx| tx.remainder = if tx.kind == Kind::Merge { Some(value) } else { None });
            if txs[target].kind != Kind::Merge {
                with(&|tx| tx.remainder = Some(value));
            }
        }
        with(&|tx| tx.outputs[0].amount ^= 1);
        with(&|tx| tx.outputs[0].view_tag ^= 1);
        with(&|tx| tx.pubkeys[0] = other);
        with(&|tx| tx.memberships[0].indices[0] = tx.memberships[0].indices[1]);
        with(&|tx| tx.kind = if tx.kind == Kind::Concise { Kind::Squashed } else { Kind::Concise });
        if txs[target].images.len() > 1 {
            with(&|tx| tx.images.swap(0, 1));
            with(&|tx| tx.memberships.swap(0, 1));
            with(&|tx| tx.images[1].tag = tx.images[0].tag);
        }
        if txs[target].ownership.len() > 1 {
            with(&|tx| tx.ownership.swap(0, 1));
        }
        for tx in &changed {
            refused_and_named(tx, [&txs[1], &txs[11]], &ledger);
        }
    }
}

#[test]
fn tags_are_spent_once() {
    let (txs, mut ledger) = mixed(6);
    let batch = [txs[0].clone(), txs[5].clone(), txs[0].clone()];
    let check = Check::SpentInBatch { input: 0, transaction: 0 };
    let failures = vec![Failure { transaction: 2, check }];
    assert_eq!(verify_batch(&batch, &ledger), Err(BatchError::Invalid(failures)));
    // An invalid one before it spends nothing.
    let mut invalid = txs[0].clone();
    invalid.ranges[0].proof.d1[3] ^= 4;
    let Err(BatchError::Invalid(failures)) = verify_batch(&[invalid, txs[0].clone()], &ledger) else {
        panic!("accepted")
    };
    assert!(failures.iter().all(|failure| failure.transaction == 0), "{failures:?}");
    assert!(ledger.spend(txs[0].images[1].tag) && ledger.is_spent(&txs[0].images[1].tag));
    assert_eq!(verify(&txs[0], &ledger), Err(Check::Spent(1)));
}

/// Errors of two transactions, or of two proofs of one, that cancel: with equal weights both would pass.
#[test]
fn errors_do_not_cancel() {
    let (txs, ledger) = mixed(7);
    let shift = |bytes: &mut [u8; 32], by: Scalar| *bytes = (Scalar::from_bytes_mod_order(*bytes) + by).to_bytes();
    let by = Scalar::from(12345u64);
    for (a, b) in [(0, 3), (0, 9), (6, 9)] {
        let mut pair = [txs[a].clone(), txs[b].clone()];
        shift(&mut pair[0].memberships[0].proof.z_a, by);
        shift(&mut pair[1].memberships[0].proof.z_a, -by);
        let Err(BatchError::Invalid(failures)) = verify_batch(&pair, &ledger) else { panic!("accepted") };
        assert_eq!(failures.iter().map(|failure| failure.transaction).collect::<Vec<_>>(), [0, 1]);
        // The mask of a membership proof against that of a range proof: both are multiples of G.
        let mut tx = txs[a].clone();
        shift(&mut tx.memberships[0].proof.z_a, by);
        shift(&mut tx.ranges[0].proof.d1, by);
        assert!(verify(&tx, &ledger).is_err());
        shift(&mut tx.ranges[0].proof.d1, -(by + by));
        assert!(verify(&tx, &ledger).is_err());
    }
}

/// A tag plus a point of small order would be a second tag of the same enote.
#[test]
fn tags_outside_the_subgroup_are_refused() {
    let (txs, ledger) = mixed(8);
    let small = (0..).map(|i| Scalar::from_integer_unreduced(ORDER) * monero_map(&[i; 32]));
    let small = small.into_iter().find(|point| !bool::from(point.is_identity())).unwrap();
    for mut tx in txs.into_iter().filter(|tx| tx.images.len() == 1) {
        let tag = curve25519_lanes::CompressedEdwardsY(tx.images[0].tag).decompress_strict().unwrap();
        tx.images[0].tag = (tag + small).compress().0;
        let error = schnorr::VerifyError::TagOrder(0);
        assert_eq!(verify(&tx, &ledger), Err(Check::Ownership { proof: 0, error }));
    }
}

/// l, little-endian.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

#[test]
fn one_bad_among_64() {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(9));
    let mut txs: Vec<Transaction> = (0..64)
        .map(|i| mock(Kind::ALL[i % 4], 2, 2, 1 + i % 2, 1 + i / 2 % 2).build(&mut ledger, &mut rng).unwrap())
        .collect();
    assert_eq!(verify_batch(&txs, &ledger), Ok(()));
    let equation = grootle::VerifyError::Equation;
    let challenge = schnorr::VerifyError::Challenge;
    type Fault = (fn(&mut Transaction), Check);
    let faults: [Fault; 5] = [
        (|tx| tx.memberships[0].proof.z[0][3] ^= 4, Check::Membership { proof: 0, error: equation }),
        (|tx| tx.ranges[0].proof.d1[3] ^= 4, Check::Range { proof: 0, error: monero::VerifyError::Equation }),
        (|tx| tx.outputs[0].amount ^= 1, Check::Ownership { proof: 0, error: challenge }),
        (|tx| tx.images[0].commitment = tx.images[0].address, Check::Balance),
        (|tx| tx.memberships[0].indices[3] = u64::MAX, Check::Missing { input: 0, index: u64::MAX }),
    ];
    for (at, (change, check)) in [37, 0, 63, 21, 40].into_iter().zip(faults) {
        let good = txs[at].clone();
        change(&mut txs[at]);
        let Err(BatchError::Invalid(failures)) = verify_batch(&txs, &ledger) else { panic!("accepted") };
        assert!(failures.iter().all(|failure| failure.transaction == at), "{failures:?}");
        assert_eq!(failures[0].check, check);
        txs[at] = good;
    }
}

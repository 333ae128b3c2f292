//! Whole transactions of the Seraphis study: those of the reference (`seraphis_mock_tx.json`), and our own, changed in every
//! way one can think of.

mod common;

use common::{bytes32, each_backend, hex32, json_cases, text, truth};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, RangeProof};
use curve25519_lanes::proofs::grootle;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::{self, CompositionProof};
use curve25519_lanes::tx::ledger::{Ledger, MemoryLedger};
use curve25519_lanes::tx::seraphis::{
    BatchError, Check, Enote, Failure, Image, Kind, Membership, Range, Transaction, image_message, membership_message,
    size, squashed, verify, verify_batch,
};
use serde_json::Value;

fn list(value: &Value) -> Vec<[u8; 32]> {
    match value {
        Value::Array(items) => items.iter().flat_map(list).collect(),
        Value::String(digits) => vec![hex32(digits)],
        _ => panic!("neither list nor string: {value}"),
    }
}

/// A transaction of the vectors, and the ledger it spends from.
fn read(case: &Value) -> (Transaction, MemoryLedger) {
    let all = |field: &str| case[field].as_array().unwrap();
    let kind = *Kind::ALL.iter().find(|kind| kind.name() == text(case, "type")).unwrap();
    let first = &all("membership_proofs")[0];
    let number = |value: &Value| value.as_u64().unwrap();
    let shape = Shape::new(number(&first["n"]) as usize, number(&first["m"]) as usize).unwrap();
    let tx = Transaction {
        kind,
        shape,
        images: all("input_images")
            .iter()
            .map(|image| Image {
                address: bytes32(image, "masked_address"),
                commitment: bytes32(image, "masked_commitment"),
                tag: bytes32(image, "key_image"),
            })
            .collect(),
        outputs: all("outputs")
            .iter()
            .map(|enote| Enote {
                address: bytes32(enote, "onetime_address"),
                commitment: bytes32(enote, "amount_commitment"),
                amount: text(enote, "encoded_amount_u64_decimal_string").parse().unwrap(),
                view_tag: number(&enote["view_tag"]) as u8,
            })
            .collect(),
        pubkeys: list(&case["output_enote_pubkeys"]),
        ranges: all("range_proofs")
            .iter()
            .map(|proof| Range {
                v: list(&proof["V"]),
                proof: RangeProof {
                    a: bytes32(proof, "A"),
                    a1: bytes32(proof, "A1"),
                    b: bytes32(proof, "B"),
                    r1: bytes32(proof, "r1"),
                    s1: bytes32(proof, "s1"),
                    d1: bytes32(proof, "d1"),
                    l: list(&proof["L"]),
                    r: list(&proof["R"]),
                },
            })
            .collect(),
        remainder: case.get("remainder_blinding_factor").map(|_| bytes32(case, "remainder_blinding_factor")),
        memberships: all("membership_proofs")
            .iter()
            .map(|membership| {
                let proof = &membership["grootle"];
                Membership {
                    indices: membership["ledger_indices"].as_array().unwrap().iter().map(number).collect(),
                    proof: grootle::Proof {
                        a: bytes32(proof, "A"),
                        b: bytes32(proof, "B"),
                        f: list(&proof["f"]),
                        x: list(&proof["X"]),
                        z_a: bytes32(proof, "zA"),
                        z: list(&proof["z"]),
                    },
                }
            })
            .collect(),
        ownership: all("image_proofs")
            .iter()
            .map(|proof| CompositionProof {
                c: bytes32(proof, "c"),
                r_a: bytes32(proof, "r_a"),
                r_b: bytes32(proof, "r_b"),
                r: list(&proof["r_i"]),
                t: list(&proof["K_t1"]),
            })
            .collect(),
    };
    let mut rings: Vec<(u64, Vec<[u8; 32]>)> = Vec::new();
    for membership in all("membership_proofs") {
        let indices = membership["ledger_indices"].as_array().unwrap().iter().map(number);
        rings.extend(indices.zip(membership["reference_set"].as_array().unwrap().iter().map(list)));
        assert_eq!(membership_message(&tx.memberships[0].indices), bytes32(first, "message"),);
    }
    rings.sort();
    let mut ledger = MemoryLedger::new();
    for (i, (index, points)) in rings.iter().enumerate() {
        assert_eq!(i as u64, *index);
        match points[..] {
            [squashed] => ledger.push_squashed([0; 32], [0; 32], squashed),
            [address, commitment] => ledger.push(address, commitment),
            _ => panic!("{points:?}"),
        };
    }
    (tx, ledger)
}

#[test]
fn vectors() {
    let Some(cases) = json_cases("seraphis_mock_tx.json") else { return };
    let read: Vec<_> = cases.iter().map(read).collect();
    each_backend(|id| {
        for (case, (tx, ledger)) in cases.iter().zip(&read) {
            let expected = truth(case, "expect");
            let verdict = verify(tx, ledger);
            assert_eq!(verdict.is_ok(), expected, "{id} {} {}: {verdict:?}", tx.kind.name(), text(case, "note"));
            match verdict {
                Ok(()) => {}
                Err(Check::Ownership { .. }) => assert!(text(case, "note").starts_with("encoded amount")),
                Err(Check::Range { proof: 0, error: monero::VerifyError::Equation }) => {
                    assert!(text(case, "note").starts_with("range proof s1"));
                }
                Err(other) => panic!("{other:?}"),
            }
        }
    });
    for (case, (tx, _)) in cases.iter().zip(&read) {
        let (inputs, outputs) = (tx.images.len(), tx.outputs.len());
        assert_eq!(tx.size(), case["size_bytes"].as_u64().unwrap() as usize);
        assert_eq!(tx.size(), size(tx.kind, &tx.shape, inputs, outputs));
        let message = image_message(tx.kind, &tx.outputs, &tx.pubkeys);
        assert_eq!(message, bytes32(case, "image_proof_message"));
    }
}

/// The known answer of the squashed enote: address and commitment are those of member 0 of the known answers.
#[test]
fn squashed_enote() {
    let address = hex32("822d9a29c38f69f69d74e4acffeb8154b9e518e5c2c46bbb2d88deb34b8cd89a");
    let commitment = hex32("5f5c0ecef9fd32f9cf2e834466bf764cc2fb6d0552d03cbfb833b52a2fbb5ddb");
    let expected = hex32("2098132253067d62a735233e37c82a5d24409bb86ba1dc352f9f56a181890ba1");
    assert_eq!(squashed(&address, &commitment), Some(expected));
    assert_eq!(squashed(&[0xff; 32], &commitment), None);
}

#[test]
fn an_empty_batch_is_refused() {
    assert_eq!(verify_batch(&[], &MemoryLedger::new()), Err(BatchError::Empty));
}

#[cfg(feature = "rand_core")]
mod built {
    use super::*;
    use curve25519_lanes::tx::seraphis::{BuildError, MAX_INPUTS, MAX_OUTPUTS, Mock};
    use curve25519_lanes::{EdwardsPoint, Scalar, monero_map};

    /// Repeatable randomness for provers under test.
    struct Rng(common::Random);

    impl rand_core::TryRng for Rng {
        type Error = core::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            Ok(self.0.next() as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(self.0.next())
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
            for chunk in out.chunks_mut(8) {
                chunk.copy_from_slice(&self.0.next().to_le_bytes()[..chunk.len()]);
            }
            Ok(())
        }
    }

    impl rand_core::TryCryptoRng for Rng {}

    fn rng(seed: u64) -> Rng {
        Rng(common::Random(seed))
    }

    fn mock(kind: Kind, n: usize, m: usize, inputs: usize, outputs: usize) -> Mock {
        Mock { kind, shape: Shape::new(n, m).unwrap(), inputs, outputs, splits: 0 }
    }

    /// Transactions of all kinds and of several sizes and shapes, over one ledger.
    fn mixed(seed: u64) -> (Vec<Transaction>, MemoryLedger) {
        let (mut ledger, mut rng) = (MemoryLedger::new(), rng(seed));
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

    #[test]
    fn limits() {
        let mut ledger = MemoryLedger::new();
        for (inputs, outputs) in [(0, 1), (1, 0), (MAX_INPUTS + 1, 1), (1, MAX_OUTPUTS + 1)] {
            let built = mock(Kind::Concise, 2, 2, inputs, outputs).build(&mut ledger, &mut rng(2));
            assert_eq!(built.unwrap_err(), BuildError::Counts { inputs, outputs });
        }
        let tx = mock(Kind::Squashed, 2, 2, 1, MAX_OUTPUTS).build(&mut ledger, &mut rng(3)).unwrap();
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
            Check::Range {
                proof: 1,
                error: monero::VerifyError::Outputs(monero::OutputCount { found: 0, limit: 128 }),
            },
        );
        check(&|tx| tx.remainder = None, Check::Remainder);
        check(&|tx| tx.remainder = Some([0xff; 32]), Check::RemainderRange);
        check(&|tx| tx.memberships[0].indices.truncate(3), Check::RingSize(0));
        check(&|tx| tx.memberships[0].indices.swap(0, 3), Check::RingOrder(0));
        check(&|tx| tx.memberships[0].indices[3] = u64::MAX, Check::Missing { input: 0, index: u64::MAX });
        check(&|tx| tx.shape = Shape::new(2, 3).unwrap(), Check::RingSize(0));
    }

    /// Every field of every kind changed, alone and among good transactions, of which none may be blamed.
    #[test]
    fn mutations_are_refused_and_named() {
        let (txs, ledger) = mixed(4);
        let mut rng = rng(5);
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
                let alone = verify(tx, &ledger).expect_err("changed");
                let batch = [txs[1].clone(), tx.clone(), txs[11].clone()];
                let Err(BatchError::Invalid(failures)) = verify_batch(&batch, &ledger) else { panic!("accepted") };
                assert!(failures.iter().all(|failure| failure.transaction == 1), "{failures:?}");
                assert_eq!(failures[0].check, alone);
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
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];

    #[test]
    fn one_bad_among_64() {
        let (mut ledger, mut rng) = (MemoryLedger::new(), rng(9));
        let mut txs: Vec<Transaction> = (0..64)
            .map(|i| mock(Kind::ALL[i % 4], 2, 2, 1 + i % 2, 1 + i / 2 % 2).build(&mut ledger, &mut rng).unwrap())
            .collect();
        assert_eq!(verify_batch(&txs, &ledger), Ok(()));
        txs[37].memberships[0].proof.z[0][3] ^= 4;
        let Err(BatchError::Invalid(failures)) = verify_batch(&txs, &ledger) else { panic!("accepted") };
        let check = Check::Membership { proof: 0, error: grootle::VerifyError::Equation };
        assert_eq!(failures, [Failure { transaction: 37, check }]);
    }
}

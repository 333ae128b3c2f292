//! Transactions of several protocols in one batch.

use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::{bulletproofs_plus::monero, clsag as signatures, grootle, triptych as proofs};
use curve25519_lanes::tx::ledger::{Ledger, MemoryLedger, Protocol};
use curve25519_lanes::tx::mixed::{BatchError, Failures, Transactions, verify_batch};
use curve25519_lanes::tx::{clsag, seraphis, triptych};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar};

use super::common::{Random, each_backend};

#[derive(Clone)]
struct Mixed {
    clsag: Vec<clsag::Transaction>,
    triptych: Vec<triptych::Transaction>,
    seraphis: Vec<seraphis::Transaction>,
    ledger: MemoryLedger,
}

impl Mixed {
    /// Transactions of several sizes of each protocol, over one ledger.
    fn new(seed: u64) -> Mixed {
        let (mut ledger, mut rng) = (MemoryLedger::new(), Random(seed));
        let mut mixed = Mixed { clsag: Vec::new(), triptych: Vec::new(), seraphis: Vec::new(), ledger: ledger.clone() };
        for (inputs, outputs, splits, n, m) in [(2, 2, 0, 2, 2), (1, 3, 1, 3, 2)] {
            let shape = Shape::new(n, m).unwrap();
            let mock = clsag::Mock { ring_size: shape.ring_size() + 1, inputs, outputs, splits };
            mixed.clsag.push(mock.build(&mut ledger, &mut rng).unwrap());
            let mock = triptych::Mock { shape, inputs, outputs, splits };
            mixed.triptych.push(mock.build(&mut ledger, &mut rng).unwrap());
            for kind in seraphis::Kind::ALL {
                let mock = seraphis::Mock { kind, shape, inputs, outputs, splits };
                mixed.seraphis.push(mock.build(&mut ledger, &mut rng).unwrap());
            }
        }
        mixed.ledger = ledger;
        mixed
    }

    fn all(&self) -> Transactions<'_> {
        Transactions { clsag: &self.clsag, triptych: &self.triptych, seraphis: &self.seraphis }
    }

    fn failures(&self) -> Failures {
        match verify_batch(&self.all(), &self.ledger) {
            Ok(()) => Failures::default(),
            Err(BatchError::Invalid(failures)) => failures,
            Err(BatchError::Empty) => panic!("not empty"),
        }
    }
}

fn bend(bytes: &mut [u8; 32]) {
    *bytes = (Scalar::from_bytes_mod_order(*bytes) + Scalar::ONE).to_bytes();
}

#[test]
fn all_protocols_and_each_alone() {
    let mixed = Mixed::new(1);
    each_backend(|id| assert_eq!(verify_batch(&mixed.all(), &mixed.ledger), Ok(()), "{id}"));
    let none = Transactions::default();
    for some in [
        Transactions { clsag: &mixed.clsag, ..none },
        Transactions { triptych: &mixed.triptych, ..none },
        Transactions { seraphis: &mixed.seraphis, ..none },
    ] {
        assert_eq!(verify_batch(&some, &mixed.ledger), Ok(()));
    }
    assert_eq!(verify_batch(&none, &mixed.ledger), Err(BatchError::Empty));
}

/// A proof of each kind in each protocol is invalid; each is named, and nothing else.
#[test]
fn what_is_invalid_is_named() {
    let mut mixed = Mixed::new(2);
    bend(&mut mixed.clsag[1].ranges[1].proof.s1);
    bend(&mut mixed.clsag[0].inputs[1].signature.c1);
    bend(&mut mixed.triptych[0].inputs[1].proof.z_c);
    bend(&mut mixed.triptych[1].ranges[0].proof.r1);
    bend(&mut mixed.seraphis[2].memberships[1].proof.z_a);
    bend(&mut mixed.seraphis[7].ranges[1].proof.d1);
    // Refused before the sum.
    mixed.triptych[1].inputs[0].proof.z = [0; 32];
    mixed.seraphis[4].memberships[0].proof.z[0] = [0xff; 32];
    let range = monero::VerifyError::Equation;
    let expected = Failures {
        clsag: vec![
            clsag::Failure {
                transaction: 0,
                check: clsag::Check::Membership { input: 1, error: signatures::VerifyError::Equation },
            },
            clsag::Failure { transaction: 1, check: clsag::Check::Range { proof: 1, error: range } },
        ],
        triptych: vec![
            triptych::Failure {
                transaction: 0,
                check: triptych::Check::Membership { input: 1, error: proofs::VerifyError::Equation },
            },
            triptych::Failure {
                transaction: 1,
                check: triptych::Check::Membership { input: 0, error: proofs::VerifyError::Zero(proofs::Field::Z) },
            },
            triptych::Failure { transaction: 1, check: triptych::Check::Range { proof: 0, error: range } },
        ],
        seraphis: vec![
            seraphis::Failure {
                transaction: 2,
                check: seraphis::Check::Membership { proof: 1, error: grootle::VerifyError::Equation },
            },
            seraphis::Failure {
                transaction: 4,
                check: seraphis::Check::Membership {
                    proof: 0,
                    error: grootle::VerifyError::Scalar(grootle::Field::Z(0)),
                },
            },
            seraphis::Failure { transaction: 7, check: seraphis::Check::Range { proof: 1, error: range } },
        ],
    };
    assert_eq!(mixed.failures(), expected);
}

/// Errors of two protocols that cancel under equal weights: both proofs have multiples of G.
#[test]
fn errors_do_not_cancel() {
    let mut mixed = Mixed::new(3);
    let shift = |bytes: &mut [u8; 32], by: Scalar| *bytes = (Scalar::from_bytes_mod_order(*bytes) + by).to_bytes();
    shift(&mut mixed.clsag[0].ranges[0].proof.d1, Scalar::ONE);
    for by in [Scalar::ONE, -Scalar::ONE] {
        let mut mixed = mixed.clone();
        shift(&mut mixed.seraphis[0].memberships[0].proof.z_a, by);
        let failures = mixed.failures();
        assert_eq!((failures.clsag.len(), failures.triptych.len(), failures.seraphis.len()), (1, 0, 1));
    }
}

/// Whoever copies the tag of another's transaction spends nothing, whatever the protocol.
#[test]
fn a_copied_tag() {
    let mut mixed = Mixed::new(4);
    let tag = mixed.seraphis[1].images[1].tag;
    let point = CompressedEdwardsY(tag).decompress_strict().unwrap();
    let eighth = (Scalar::from(8u64).invert() * point).compress().0;
    mixed.triptych[1].inputs[0].tag_eighth = eighth;
    mixed.clsag[0].inputs[1].tag_eighth = eighth;
    let failures = mixed.failures();
    assert_eq!(failures.clsag.iter().map(|failure| failure.transaction).collect::<Vec<_>>(), [0]);
    assert!(matches!(failures.clsag[0].check, clsag::Check::Membership { input: 1, .. }));
    assert!(failures.triptych.iter().all(|failure| failure.transaction == 1) && !failures.triptych.is_empty());
    assert_eq!(failures.seraphis, []);
    assert!(mixed.ledger.spend(tag) && mixed.ledger.is_spent(&tag));
    let failures = mixed.failures();
    assert_eq!(failures.clsag, [clsag::Failure { transaction: 0, check: clsag::Check::Spent(1) }]);
    assert_eq!(failures.seraphis, [seraphis::Failure { transaction: 1, check: seraphis::Check::Spent(1) }]);
}

/// One output, spent over CLSAG and over Triptych. The tags differ, so nothing that looks at tags notices.
#[test]
fn one_output_over_two_protocols() {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(5));
    let shape = Shape::new(2, 2).unwrap();
    let mock = clsag::Mock { ring_size: shape.ring_size(), inputs: 1, outputs: 1, splits: 0 };
    let made = mock.build(&mut ledger, &mut rng).unwrap();
    let pseudo = made.inputs[0].commitment;
    let decode = |bytes| CompressedEdwardsY(bytes).decompress_strict().unwrap();
    let eighth = |tag: EdwardsPoint| (Scalar::from(8u64).invert() * tag).compress().0;

    let [key, mask] = [0; 2].map(|_| Scalar::random(&mut rng));
    let mut random = || EdwardsPoint::mul_base(&Scalar::random(&mut rng)).compress().0;
    let mut ring = [0; 4].map(|_| [random(), random()]);
    ring[1] =
        [EdwardsPoint::mul_base(&key), decode(pseudo) + EdwardsPoint::mul_base(&mask)].map(|point| point.compress().0);

    let members = ring.map(|[key, commitment]| signatures::RingMember { key, commitment });
    let witness = signatures::Witness::new(1, key, mask);
    let (signature, image) = signatures::sign(&members, &pseudo, &[0; 32], &witness, &mut rng).unwrap();
    let mut over_clsag = made.clone();
    over_clsag.inputs[0] =
        clsag::Input { commitment: pseudo, tag_eighth: eighth(decode(image)), indices: Vec::new(), signature };

    let witness = proofs::Witness { index: 1, key, commitment: mask };
    let proof = proofs::prove(&shape, &[0; 32], ring.as_flattened(), &pseudo, &witness, &mut rng).unwrap();
    let tag_eighth = eighth(witness.tag());
    let input = triptych::Input { commitment: pseudo, tag_eighth, indices: Vec::new(), proof };
    let mut over_triptych =
        triptych::Transaction { shape, inputs: vec![input], outputs: made.outputs, ranges: made.ranges };

    for protocol in [Protocol::Clsag, Protocol::Triptych, Protocol::Seraphis] {
        let indices: Vec<u64> = ring.iter().map(|[key, commitment]| ledger.push(protocol, *key, *commitment)).collect();
        let index = indices[0];
        over_clsag.inputs[0].indices.clone_from(&indices);
        over_triptych.inputs[0].indices = indices;

        let mut expected = Failures::default();
        if protocol != Protocol::Clsag {
            let check = clsag::Check::Missing { input: 0, index };
            assert_eq!(clsag::verify(&over_clsag, &ledger), Err(check));
            expected.clsag.push(clsag::Failure { transaction: 0, check });
        }
        if protocol != Protocol::Triptych {
            let check = triptych::Check::Missing { input: 0, index };
            assert_eq!(triptych::verify(&over_triptych, &ledger), Err(check));
            expected.triptych.push(triptych::Failure { transaction: 0, check });
        }
        let both = Transactions {
            clsag: core::slice::from_ref(&over_clsag),
            triptych: core::slice::from_ref(&over_triptych),
            seraphis: &[],
        };
        assert_eq!(verify_batch(&both, &ledger), Err(BatchError::Invalid(expected)), "outputs of {protocol:?}");
    }
}

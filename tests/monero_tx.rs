//! Monero transactions: published ones, ones made here, every byte of them changed, and the published crate's reading.

mod common;
#[path = "common/transactions.rs"]
mod transactions;

use std::sync::LazyLock;

use common::{each_backend, hex, hex32, json_cases, text};
use curve25519_lanes::proofs::bulletproofs_plus::monero::{self as range, Generators, MAX_OUTPUTS, ParseErrorKind};
use curve25519_lanes::proofs::clsag::{self, RingMember};
use curve25519_lanes::tx::monero::{
    self, BatchError, MAX_BYTES, ParseError, Part, Reason, Statement, Transaction, VerifyError,
};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint};
use monero_oxide::transaction::{NotPruned, Transaction as Peer};
use proptest::prelude::*;
use transactions::Made;

static GENERATORS: LazyLock<Generators> = LazyLock::new(|| Generators::new(MAX_OUTPUTS).expect("in range"));

fn made(inputs: usize, outputs: usize, ring: usize, seed: u64) -> Made {
    Made::new(&GENERATORS, inputs, outputs, ring, seed)
}

fn verify(made: &Made) -> Result<(), VerifyError> {
    monero::verify(&GENERATORS, &made.transaction, &made.rings)
}

/// The published transactions: bytes and names.
fn published() -> Vec<(Vec<u8>, [u8; 32])> {
    let cases = json_cases("monero_tx_raw.json").unwrap_or_default();
    cases.iter().map(|case| (hex(text(case, "hex")), hex32(text(case, "txid")))).collect()
}

fn peer(bytes: &[u8]) -> Option<Peer<NotPruned>> {
    let mut rest = bytes;
    Peer::read(&mut rest).ok().filter(|_| rest.is_empty())
}

#[test]
fn published_transactions() {
    let all: Vec<_> = published().iter().map(|(bytes, id)| (Transaction::from_bytes(bytes).unwrap(), *id)).collect();
    for ((transaction, id), (bytes, _)) in all.iter().zip(published()) {
        assert_eq!(transaction.id(), *id);
        assert_eq!(transaction.to_bytes(), bytes);
        let peer = peer(&bytes).unwrap();
        assert_eq!(peer.signature_hash(), Some(transaction.signing_hash()));
        assert_eq!(peer.hash(), *id);
        let rings: Vec<Vec<RingMember>> = Vec::new();
        let error = VerifyError::Rings { found: 0, expected: transaction.inputs.len() };
        assert_eq!(monero::verify(&GENERATORS, transaction, &rings), Err(error));
    }
    let references: Vec<&Transaction> = all.iter().map(|(transaction, _)| transaction).collect();
    each_backend(|id| {
        let generators = Generators::new(MAX_OUTPUTS).unwrap();
        assert_eq!(monero::verify_each_without_rings(&generators, &references), vec![Ok(()); all.len()], "{id}");
    });
    for transaction in references {
        assert_eq!(monero::verify_without_rings(&GENERATORS, transaction), Ok(()));
    }
}

/// The one input of a published transaction whose ring is at hand.
#[test]
fn a_published_ring() {
    for case in json_cases("monero_clsag.json").unwrap_or_default() {
        let (Some(id), Some(input)) = (case["txid"].as_str(), case["input"].as_u64()) else { continue };
        let (bytes, _) = published().into_iter().find(|(_, found)| *found == hex32(id)).expect("its transaction");
        let transaction = Transaction::from_bytes(&bytes).unwrap();
        let message = transaction.signing_hash();
        assert_eq!(message, hex32(text(&case, "message")));
        let member = |m: &serde_json::Value| RingMember {
            key: hex32(m[0].as_str().unwrap()),
            commitment: hex32(m[1].as_str().unwrap()),
        };
        let ring: Vec<RingMember> = case["ring"].as_array().unwrap().iter().map(member).collect();
        let input = &transaction.inputs[input as usize];
        let statement = clsag::Statement {
            ring: &ring,
            key_image: &input.key_image,
            pseudo_out: &input.pseudo_out,
            message: &message,
            signature: &input.signature,
        };
        assert_eq!(clsag::verify(&statement), Ok(()));
        // The other inputs' rings are not known, so any other one must fail.
        let rings = vec![ring.clone(); transaction.inputs.len()];
        let error = monero::verify(&GENERATORS, &transaction, &rings).unwrap_err();
        assert!(matches!(error, VerifyError::Signature { input: 1, error: clsag::VerifyError::Equation }), "{error}");
    }
}

#[test]
fn made_transactions() {
    let shapes = [(1, 2, 1), (1, 2, 16), (2, 2, 16), (2, 3, 11), (3, 16, 4), (5, 2, 2)];
    let all: Vec<Made> = shapes.iter().zip(1..).map(|(&(i, o, r), seed)| made(i, o, r, seed)).collect();
    let statements: Vec<Statement> = all.iter().map(Made::statement).collect();
    for made in &all {
        assert_eq!(verify(made), Ok(()));
        let bytes = made.transaction.to_bytes();
        assert_eq!(Transaction::from_bytes(&bytes).as_ref(), Ok(&made.transaction));
        let peer = peer(&bytes).unwrap();
        assert_eq!(peer.serialize(), bytes);
        assert_eq!(peer.hash(), made.transaction.id());
        assert_eq!(peer.signature_hash(), Some(made.transaction.signing_hash()));
    }
    each_backend(|id| {
        let generators = Generators::new(MAX_OUTPUTS).unwrap();
        assert_eq!(monero::verify_batch(&generators, &statements), Ok(()), "{id}");
    });
}

/// Every byte of a transaction changed in every bit and in one: it can't be read, or is refused; and a good one beside it is
/// not.
#[test]
fn every_byte_counts() {
    let good = made(2, 2, 2, 11);
    let bytes = good.transaction.to_bytes();
    let mut changed = Vec::new();
    for at in 0..bytes.len() {
        for bits in [0xff, 1 << (at % 8)] {
            let mut bytes = bytes.clone();
            bytes[at] ^= bits;
            if let Ok(transaction) = Transaction::from_bytes(&bytes) {
                assert_eq!(transaction.to_bytes(), bytes);
                assert_ne!(transaction.id(), good.transaction.id());
                changed.push((at, Made { transaction, rings: good.rings.clone() }));
            }
        }
    }
    assert!(changed.len() > bytes.len());
    let other = made(1, 2, 3, 12);
    for some in changed.chunks(400) {
        let mut items: Vec<Statement> = some.iter().map(|(_, made)| made.statement()).collect();
        items.push(other.statement());
        let mut verdicts = monero::verify_each(&GENERATORS, &items);
        assert_eq!(verdicts.pop(), Some(Ok(())));
        for ((at, _), verdict) in some.iter().zip(&verdicts) {
            assert!(verdict.is_err(), "byte {at}");
        }
        // Alone and in a batch of two.
        for k in [0, some.len() / 2, some.len() - 1] {
            assert_eq!(verify(&some[k].1), verdicts[k]);
            let batch = [other.statement(), items[k]];
            let error = BatchError::Transaction { index: 1, error: verdicts[k].unwrap_err() };
            assert_eq!(monero::verify_batch(&GENERATORS, &batch), Err(error));
        }
    }
}

const NO_POINT: [u8; 32] = [0xff; 32];

fn torsion() -> EdwardsPoint {
    let mut minus_one = [0xff; 32];
    (minus_one[0], minus_one[31]) = (0xec, 0x7f);
    CompressedEdwardsY(minus_one).decompress_strict().unwrap()
}

fn plus_torsion(bytes: &mut [u8; 32]) {
    *bytes = (CompressedEdwardsY(*bytes).decompress_strict().unwrap() + torsion()).compress().0;
}

/// One thing wrong at a time, and what is said of it.
#[test]
fn errors_name_the_fault() {
    let good = made(3, 2, 3, 21);
    type Change = fn(&mut Made);
    let rounds = |o| VerifyError::RangeProof(range::VerifyError::Rounds { l: 7, r: 7, expected: o });
    let cases: Vec<(Change, VerifyError)> = vec![
        (|m| m.transaction.inputs.clear(), VerifyError::NoInputs),
        (
            |m| {
                m.transaction.inputs[0].amount = u64::MAX;
                m.transaction.inputs[2].amount = 1;
            },
            VerifyError::AmountOverflow,
        ),
        (|m| m.transaction.outputs.truncate(1), VerifyError::Outputs(1)),
        (|m| m.transaction.outputs.resize(17, m.transaction.outputs[0].clone()), VerifyError::Outputs(17)),
        (|m| m.transaction.outputs[1].view_tag = None, VerifyError::OutputKind(1)),
        (|m| m.transaction.inputs[2].offsets.truncate(2), VerifyError::RingSize { input: 2, found: 2, expected: 3 }),
        (
            |m| m.transaction.inputs.iter_mut().for_each(|i| i.offsets.clear()),
            VerifyError::RingSize { input: 0, found: 0, expected: 0 },
        ),
        (|m| m.transaction.inputs[1].offsets[2] = 0, VerifyError::RepeatedMember { input: 1, member: 2 }),
        (|m| m.transaction.inputs.swap(1, 2), VerifyError::KeyImageOrder(2)),
        (|m| m.transaction.inputs[1].key_image = m.transaction.inputs[0].key_image, VerifyError::KeyImageOrder(1)),
        (|m| m.transaction.outputs[1].key = NO_POINT, VerifyError::Point(Part::OutputKey(1))),
        (|m| m.transaction.outputs[0].commitment = NO_POINT, VerifyError::Point(Part::Commitment(0))),
        (|m| m.transaction.inputs[2].pseudo_out = NO_POINT, VerifyError::Point(Part::PseudoOut(2))),
        (|m| m.transaction.inputs[0].key_image = NO_POINT, VerifyError::Point(Part::KeyImage(0))),
        (|m| m.transaction.inputs[2].key_image = EdwardsPoint::IDENTITY.compress().0, VerifyError::IdentityImage(2)),
        (
            |m| {
                m.transaction.inputs.truncate(1);
                m.rings.truncate(1);
                m.transaction.inputs[0].key_image = EdwardsPoint::IDENTITY.compress().0;
            },
            VerifyError::IdentityImage(0),
        ),
        (
            |m| {
                m.transaction.inputs.truncate(1);
                m.rings.truncate(1);
                m.transaction.inputs[0].key_image = torsion().compress().0;
            },
            VerifyError::Balance,
        ),
        (|m| m.transaction.fee += 1, VerifyError::Balance),
        (|m| m.transaction.inputs[0].pseudo_out = m.transaction.inputs[1].pseudo_out, VerifyError::Balance),
        // Exact, small-order parts included: one is too much, two cancel, but then it is another pseudo-output.
        (|m| plus_torsion(&mut m.transaction.inputs[0].pseudo_out), VerifyError::Balance),
        (
            |m| m.transaction.inputs[..2].iter_mut().for_each(|i| plus_torsion(&mut i.pseudo_out)),
            VerifyError::Signature { input: 0, error: clsag::VerifyError::Equation },
        ),
        (
            |m| m.transaction.outputs.iter_mut().for_each(|o| plus_torsion(&mut o.commitment)),
            VerifyError::RangeProof(range::VerifyError::Equation),
        ),
        (|m| m.transaction.range_proof.l.truncate(6), {
            VerifyError::RangeProof(range::VerifyError::Rounds { l: 6, r: 7, expected: 7 })
        }),
        (
            |m| {
                // Balanced still: its commitment is the identity.
                let zero = EdwardsPoint::IDENTITY.compress().0;
                let mut more = m.transaction.outputs[0].clone();
                more.commitment = zero;
                m.transaction.outputs.push(more);
            },
            rounds(8),
        ),
        (|m| m.rings.truncate(2), VerifyError::Rings { found: 2, expected: 3 }),
        (|m| m.rings[1].truncate(2), VerifyError::RingGiven { input: 1, found: 2, expected: 3 }),
        (|m| m.rings[2].swap(0, 1), VerifyError::Signature { input: 2, error: clsag::VerifyError::Equation }),
        (
            |m| m.rings[1][2].commitment = NO_POINT,
            VerifyError::Signature { input: 1, error: clsag::VerifyError::Point(clsag::Field::Commitment(2)) },
        ),
        (
            |m| m.transaction.inputs[1].signature.s.truncate(2),
            VerifyError::Signature { input: 1, error: clsag::VerifyError::Responses { found: 2, expected: 3 } },
        ),
        (|m| m.transaction.extra.push(0), VerifyError::Signature { input: 0, error: clsag::VerifyError::Equation }),
        (|m| m.transaction.unlock_time = 1, VerifyError::Signature { input: 0, error: clsag::VerifyError::Equation }),
    ];
    for (k, (change, error)) in cases.iter().enumerate() {
        let mut changed = good.clone();
        change(&mut changed);
        assert_eq!(verify(&changed), Err(*error), "case {k}");
        let batch = [changed.statement(), good.statement()];
        assert_eq!(monero::verify_each(&GENERATORS, &batch), [Err(*error), Ok(())], "case {k}");
    }
    // A part of small order in an image, wherever the order of bytes puts it.
    for input in 0..3 {
        let mut changed = good.clone();
        plus_torsion(&mut changed.transaction.inputs[input].key_image);
        let error = verify(&changed).unwrap_err();
        assert!(error == VerifyError::TorsionImage(input) || matches!(error, VerifyError::KeyImageOrder(_)), "{error}");
    }
    let mut one = made(1, 2, 1, 22);
    plus_torsion(&mut one.transaction.inputs[0].key_image);
    assert_eq!(verify(&one), Err(VerifyError::TorsionImage(0)));
}

#[test]
fn one_bad_transaction_among_64_is_named() {
    let all: Vec<Made> = (0..64).map(|i| made(1 + i % 2, 2, 2, 100 + i as u64)).collect();
    let statements = |all: &[Made]| -> BatchError {
        let items: Vec<Statement> = all.iter().map(Made::statement).collect();
        monero::verify_batch(&GENERATORS, &items).unwrap_err()
    };
    let items: Vec<Statement> = all.iter().map(Made::statement).collect();
    assert_eq!(monero::verify_batch(&GENERATORS, &items), Ok(()));
    assert_eq!(monero::verify_batch(&GENERATORS, &[]), Err(BatchError::Empty));
    type Change = fn(&mut Made);
    let changes: [(Change, VerifyError); 3] = [
        (|m| m.transaction.fee ^= 1, VerifyError::Balance),
        (|m| m.transaction.range_proof.d1[0] ^= 1, VerifyError::RangeProof(range::VerifyError::Equation)),
        (|m| m.rings[0].swap(0, 1), VerifyError::Signature { input: 0, error: clsag::VerifyError::Equation }),
    ];
    for (at, (change, error)) in [0, 31, 63, 17].into_iter().zip(changes.iter().cycle()) {
        let mut all = all.clone();
        change(&mut all[at]);
        assert_eq!(statements(&all), BatchError::Transaction { index: at, error: *error });
    }
}

#[test]
fn what_is_spent_twice_in_a_batch() {
    let [a, b] = [made(2, 2, 2, 31), made(1, 2, 2, 32)];
    let mut bad = a.clone();
    bad.transaction.fee += 1;
    // Refused itself, the first spends nothing; the third is the second again.
    let items = [bad.statement(), a.statement(), a.statement(), b.statement()];
    assert_eq!(
        monero::verify_each(&GENERATORS, &items),
        [Err(VerifyError::Balance), Ok(()), Err(VerifyError::SpentInBatch { input: 0, by: 1 }), Ok(())]
    );
}

/// Without rings nobody has shown to own what he spends, so a copied key image must not refuse the owner's transaction.
#[test]
fn without_rings_a_copied_key_image_spends_nothing() {
    let owner = made(1, 2, 2, 51);
    let mut thief = made(1, 2, 2, 52);
    thief.transaction.inputs[0].key_image = owner.transaction.inputs[0].key_image;
    for transaction in [&thief.transaction, &owner.transaction] {
        assert_eq!(monero::verify_without_rings(&GENERATORS, transaction), Ok(()));
    }
    let both = [&thief.transaction, &owner.transaction];
    assert_eq!(monero::verify_each_without_rings(&GENERATORS, &both), [Ok(()), Ok(())]);
    // With rings the copy is refused, and spends nothing either.
    let verdicts = monero::verify_each(&GENERATORS, &[thief.statement(), owner.statement()]);
    assert!(matches!(verdicts[0], Err(VerifyError::Signature { input: 0, .. })) && verdicts[1].is_ok());
}

#[test]
fn what_can_not_be_read() {
    let good = made(1, 2, 3, 41).transaction;
    let bytes = good.to_bytes();
    let error = |bytes: &[u8]| Transaction::from_bytes(bytes).unwrap_err();
    for len in 0..bytes.len() {
        assert!(matches!(error(&bytes[..len]).reason, Reason::Truncated | Reason::RangeProof(ParseErrorKind::End)));
    }
    let mut longer = bytes.clone();
    longer.extend([0; 3]);
    let trailing = ParseError { what: "end of transaction", offset: bytes.len(), reason: Reason::TrailingBytes(3) };
    assert_eq!(error(&longer), trailing);
    assert_eq!(error(&vec![0; MAX_BYTES + 1]).reason, Reason::TooLong(MAX_BYTES + 1));
    let at = |offset: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[offset] = byte;
        error(&bytes)
    };
    let unsupported = |what, offset, value| ParseError { what, offset, reason: Reason::Unsupported(value) };
    assert_eq!(at(0, 1), unsupported("version", 0, 1));
    assert_eq!(at(3, 0xff), unsupported("input type", 3, 255));
    // Version, lock, count; type, amount, count, offsets (up to 3 bytes each), image.
    let prefix = bytes.windows(32).position(|w| w == good.inputs[0].key_image).unwrap() + 32;
    assert_eq!(at(prefix + 1, 5), unsupported("output amount", prefix + 1, 5));
    assert_eq!(at(prefix + 2, 4), unsupported("output type", prefix + 2, 4));
    // An output has 35 bytes, what comes behind the prefix begins with the type.
    let base = prefix + 1 + 2 * 35 + 1 + good.extra.len();
    assert_eq!(at(base, 5), unsupported("RingCT type", base, 5));
    // Integers: too long, too large, more things than bytes.
    let with = |head: &[u8]| error(&[head, &bytes[2..]].concat());
    let integer = ParseError { what: "unlock time", offset: 1, reason: Reason::Integer };
    assert_eq!(with(&[2, 0x80, 0]), integer);
    assert_eq!(with(&[&[2], &[0xff; 9][..], &[2]].concat()), integer);
    assert_eq!(with(&[&[2], &[0xff; 10][..], &[1]].concat()), integer);
    let huge = [&[2, 0], &[0xff; 9][..], &[1]].concat();
    assert_eq!(error(&huge), ParseError { what: "input count", offset: 2, reason: Reason::Truncated });
    let mut sizes = made(2, 2, 3, 42).transaction;
    sizes.inputs[1].offsets.pop();
    assert!(matches!(error(&sizes.to_bytes()).reason, Reason::RingSize(2)));
    // The largest integers are read.
    let mut large = good.clone();
    (large.unlock_time, large.fee, large.inputs[0].amount) = (u64::MAX, u64::MAX, 1 << 63);
    assert_eq!(Transaction::from_bytes(&large.to_bytes()), Ok(large));
}

proptest! {
    /// Changes of any kind to bytes of a transaction: no panic, and what can be read is written as it was.
    #[test]
    fn hostile_bytes(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
        insert in prop::collection::vec(any::<u8>(), 0..4),
        shorten in any::<bool>(),
    ) {
        static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| made(2, 3, 4, 51).transaction.to_bytes());
        let mut bytes = BYTES.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let cut = cut.index(bytes.len());
        bytes.splice(cut..cut, insert);
        if shorten {
            bytes.truncate(cut);
        }
        if let Ok(transaction) = Transaction::from_bytes(&bytes) {
            prop_assert_eq!(transaction.to_bytes(), bytes);
        }
    }

    /// Any bytes at all.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let with_version = [&[2, 0], &bytes[..]].concat();
        for bytes in [bytes, with_version] {
            if let Ok(transaction) = Transaction::from_bytes(&bytes) {
                prop_assert_eq!(transaction.to_bytes(), bytes);
            }
        }
    }
}

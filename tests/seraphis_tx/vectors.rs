//! `seraphis_mock_tx.json`

use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, RangeProof};
use curve25519_lanes::proofs::grootle;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::CompositionProof;
use curve25519_lanes::tx::ledger::{Ledger, MemoryLedger, Protocol};
use curve25519_lanes::tx::seraphis::{
    BatchError, Check, Enote, Image, Kind, Membership, Range, Transaction, image_message, membership_message, size,
    squashed, squashed_batch, verify, verify_batch,
};
use serde_json::Value;

use super::common::{bytes32, each_backend, hex32, json_cases, text, truth};

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
    // What is referred to: pairs of address and commitment. Squashed forms are computed from them, and must be the stated ones.
    let pairs = if kind == Kind::Squashed { "reference_set_unsquashed" } else { "reference_set" };
    type Member = (u64, Vec<[u8; 32]>, Vec<[u8; 32]>);
    let mut ring: Vec<Member> = Vec::new();
    for (membership, proof) in tx.memberships.iter().zip(all("membership_proofs")) {
        let points = |field: &str| proof[field].as_array().unwrap().iter().map(list).collect::<Vec<_>>();
        let members = points(pairs).into_iter().zip(points("reference_set"));
        ring.extend(membership.indices.iter().zip(members).map(|(index, (pair, stated))| (*index, pair, stated)));
        assert_eq!(membership_message(&membership.indices), bytes32(proof, "message"));
    }
    ring.sort();
    let mut ledger = MemoryLedger::new();
    for (i, (index, pair, stated)) in ring.iter().enumerate() {
        assert_eq!(i as u64, *index);
        let pair: [[u8; 32]; 2] = pair[..].try_into().unwrap();
        if kind == Kind::Squashed {
            assert_eq!(ledger.push_squashed(&[pair]), Some(*index..*index + 1));
            assert_eq!(ledger.squashed(*index).as_slice(), &stated[..]);
        } else {
            assert_eq!(ledger.push(Protocol::Seraphis, pair[0], pair[1]), *index);
        }
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
            #[cfg(feature = "reference_unsound")]
            {
                use curve25519_lanes::tx::seraphis::reference_unsound;
                let reference = reference_unsound::verify(tx, ledger, &[5; 32]);
                assert_eq!(reference, verdict, "{id} {}", text(case, "note"));
                assert_eq!(reference_unsound::verify_batch(std::slice::from_ref(tx), ledger, &[6; 32]), expected);
            }
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
    let good = [address, commitment];
    let many = [good, [[0xff; 32], commitment], good, [address, [0xff; 32]], [commitment, address]];
    let forms = squashed_batch(&many);
    assert_eq!(forms[..4], [Some(expected), None, Some(expected), None]);
    assert_eq!(forms[4], squashed(&commitment, &address));

    // The ledger computes it, kept or not; it takes in nothing of what has a part that is no point.
    let mut ledger = MemoryLedger::new();
    assert_eq!(ledger.push_squashed(&many), None);
    assert!(ledger.is_empty());
    assert_eq!(ledger.push_squashed(&[good; 2]), Some(0..2));
    assert_eq!(ledger.push(Protocol::Seraphis, address, commitment), 2);
    assert_eq!(ledger.push(Protocol::Seraphis, address, [0xff; 32]), 3);
    let found = [0, 1, 2, 3, 4].map(|index| ledger.squashed(index));
    assert_eq!(found, [Some(expected), Some(expected), Some(expected), None, None]);
}

#[test]
fn an_empty_batch_is_refused() {
    assert_eq!(verify_batch(&[], &MemoryLedger::new()), Err(BatchError::Empty));
}

//! `seraphis_mock_tx.json`

use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, RangeProof};
use curve25519_lanes::proofs::grootle;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::CompositionProof;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::seraphis::{
    BatchError, Check, Enote, Image, Kind, Membership, Range, Transaction, image_message, membership_message, size,
    squashed, verify, verify_batch,
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

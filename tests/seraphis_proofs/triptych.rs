//! `seraphis_triptych.json`

use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::triptych::{self, Proof, Statement};
use serde_json::Value;

use super::common::{bytes32, each_backend, json_cases, truth};
use super::{check_batches, list, number};

struct Case {
    shape: Shape,
    message: [u8; 32],
    ring: Vec<[u8; 32]>,
    offset: [u8; 32],
    tag: [u8; 32],
    proof: Proof,
    expected: bool,
}

impl Case {
    fn read(case: &Value) -> Case {
        let pairs = list(case, "M").into_iter().zip(list(case, "P"));
        Case {
            shape: Shape::new(number(case, "n"), number(case, "m")).unwrap(),
            message: bytes32(case, "message"),
            ring: pairs.flat_map(|(key, commitment)| [key, commitment]).collect(),
            offset: bytes32(case, "C_offset"),
            tag: bytes32(case, "J"),
            proof: Proof {
                k: bytes32(case, "K"),
                a: bytes32(case, "A"),
                b: bytes32(case, "B"),
                c: bytes32(case, "C"),
                d: bytes32(case, "D"),
                x: list(case, "X"),
                y: list(case, "Y"),
                f: list(case, "f"),
                z_a: bytes32(case, "zA"),
                z_c: bytes32(case, "zC"),
                z: bytes32(case, "z"),
            },
            expected: truth(case, "expect"),
        }
    }

    fn statement(&self) -> Statement<'_> {
        let Case { shape, message, ring, offset, tag, proof, .. } = self;
        Statement { shape: *shape, message: *message, ring, offset: *offset, tag: *tag, proof }
    }
}

#[test]
fn vectors() {
    let Some(cases) = json_cases("seraphis_triptych.json") else { return };
    let cases: Vec<Case> = cases.iter().map(Case::read).collect();
    assert!(cases.iter().any(|case| case.expected) && cases.iter().any(|case| !case.expected));
    each_backend(|id| {
        for (i, case) in cases.iter().enumerate() {
            assert_eq!(triptych::verify(&case.statement()).is_ok(), case.expected, "{id} {i}");
            #[cfg(feature = "reference_unsound")]
            {
                let verdict = triptych::reference_unsound::verify(&case.statement(), &[i as u8; 32]);
                assert_eq!(verdict.is_ok(), case.expected, "{id} {i}");
            }
        }
        let accepts = |batch: &[Case]| {
            let items: Vec<_> = batch.iter().map(Case::statement).collect();
            triptych::verify_batch(&items).is_ok()
        };
        check_batches(&cases, |case| case.expected, accepts);
    });
    let good: Vec<_> = cases.iter().filter(|case| case.expected).map(Case::statement).collect();
    assert_eq!(triptych::verify_batch(&good), Ok(()));
}

//! `seraphis_grootle_{concise,plain}.json`

use curve25519_lanes::proofs::grootle::{self, Form, Proof, Statement, System};
use serde_json::Value;

use super::common::{bytes32, each_backend, json_cases, truth};
use super::{check_batches, list, number};

struct Case {
    system: System,
    message: [u8; 32],
    ring: Vec<[u8; 32]>,
    offsets: Vec<[u8; 32]>,
    proof: Proof,
    expected: bool,
}

impl Case {
    fn read(form: Form, case: &Value) -> Case {
        let (ring, offsets) = (list(case, "M"), list(case, "offsets"));
        Case {
            system: System::new(form, number(case, "n"), number(case, "m"), offsets.len()).unwrap(),
            message: bytes32(case, "message"),
            ring,
            offsets,
            proof: Proof {
                a: bytes32(case, "A"),
                b: bytes32(case, "B"),
                f: list(case, "f"),
                x: list(case, "X"),
                z_a: bytes32(case, "zA"),
                z: list(case, "z"),
            },
            expected: truth(case, "expect"),
        }
    }

    fn statement(&self) -> Statement<'_> {
        let Case { system, message, ring, offsets, proof, .. } = self;
        Statement { system: *system, message: *message, ring, offsets, proof }
    }
}

#[test]
fn vectors() {
    let mut cases = Vec::new();
    for (form, file) in [(Form::Concise, "seraphis_grootle_concise.json"), (Form::Plain, "seraphis_grootle_plain.json")]
    {
        let Some(file) = json_cases(file) else { return };
        cases.extend(file.iter().map(|case| Case::read(form, case)));
    }
    assert!(cases.iter().any(|case| case.expected) && cases.iter().any(|case| !case.expected));
    each_backend(|id| {
        for (i, case) in cases.iter().enumerate() {
            assert_eq!(grootle::verify(&case.statement()).is_ok(), case.expected, "{id} {i}");
        }
        let accepts = |batch: &[Case]| {
            let items: Vec<_> = batch.iter().map(Case::statement).collect();
            grootle::verify_batch(&items).is_ok()
        };
        check_batches(&cases, |case| case.expected, accepts);
    });
    let good: Vec<_> = cases.iter().filter(|case| case.expected).map(Case::statement).collect();
    assert_eq!(grootle::verify_batch(&good), Ok(()));
}

#[test]
#[cfg(feature = "reference_unsound")]
fn vectors_by_the_reference_rule() {
    for (form, file) in [(Form::Concise, "seraphis_grootle_concise.json"), (Form::Plain, "seraphis_grootle_plain.json")]
    {
        for case in json_cases(file).unwrap_or_default() {
            let case = Case::read(form, &case);
            let verdict = grootle::reference_unsound::verify(&case.statement(), &[7; 32]);
            assert_eq!(verdict.is_ok(), case.expected);
        }
    }
}

//! `seraphis_composition.json`

use curve25519_lanes::proofs::schnorr::{self, CompositionProof, Field, Statement, VerifyError};
use serde_json::Value;

use super::common::{bytes32, each_backend, json_cases, text, truth};
use super::list;

struct Case {
    message: [u8; 32],
    keys: Vec<[u8; 32]>,
    tags: Vec<[u8; 32]>,
    proof: CompositionProof,
    /// The reference's verdict.
    reference: bool,
    /// Accepted by the reference only: r_b is not below the group order.
    differs: bool,
}

impl Case {
    fn read(case: &Value) -> Case {
        Case {
            message: bytes32(case, "message"),
            keys: list(case, "K"),
            tags: list(case, "KI"),
            proof: CompositionProof {
                c: bytes32(case, "c"),
                r_a: bytes32(case, "r_a"),
                r_b: bytes32(case, "r_b"),
                r: list(case, "r_i"),
                t: list(case, "K_t1"),
            },
            reference: truth(case, "expect"),
            differs: text(case, "note").starts_with("r_b + l (non canonical"),
        }
    }

    fn statement(&self) -> Statement<'_> {
        Statement { message: self.message, keys: &self.keys, tags: &self.tags, proof: &self.proof }
    }
}

#[test]
fn vectors() {
    let Some(cases) = json_cases("seraphis_composition.json") else { return };
    let cases: Vec<Case> = cases.iter().map(Case::read).collect();
    assert_eq!(cases.iter().filter(|case| case.differs).count(), 2);
    each_backend(|id| {
        let statements: Vec<_> = cases.iter().map(Case::statement).collect();
        let together = schnorr::verify_each(&statements);
        for (i, case) in cases.iter().enumerate() {
            let verdict = schnorr::verify(&case.statement());
            assert_eq!(verdict, together[i], "{id} {i}");
            if case.differs {
                assert!(case.reference);
                assert_eq!(verdict, Err(VerifyError::Scalar(Field::RB)), "{id} {i}");
            } else {
                assert_eq!(verdict.is_ok(), case.reference, "{id} {i} {verdict:?}");
            }
            #[cfg(feature = "reference_unsound")]
            assert_eq!(schnorr::verify_reference_unsound(&case.statement()).is_ok(), case.reference, "{id} {i}");
        }
        let good: Vec<_> = cases.iter().filter(|c| c.reference && !c.differs).map(Case::statement).collect();
        assert_eq!(schnorr::verify_batch(&good), Ok(()));
        assert!(schnorr::verify_batch(&statements).is_err());
    });
}

//! Range proofs with up to 128 commitments, which are given as V = C/8.

use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, Divided, Generators, RangeProof};
use curve25519_lanes::tx::seraphis::Range;
use serde::{Deserialize, Serialize};

use super::{Label, Read, all};
use crate::bpplus::ProofJson;
use crate::cases::{Form, Hex, hex, unhex};

pub(crate) struct RangeClaim(Range);

impl RangeClaim {
    pub(crate) fn statement(&self) -> monero::Statement<'_> {
        monero::Statement { commitments: &self.0.v, proof: &self.0.proof }
    }
}

/// Why each of many range proofs is invalid, if it is.
pub(crate) fn ranges(generators: &Generators, claims: &[&Read<RangeClaim>]) -> Vec<Option<String>> {
    all(&Divided(generators), claims, RangeClaim::statement)
}

#[derive(Serialize, Deserialize)]
pub(crate) struct RangeJson {
    #[serde(rename = "V")]
    v: Vec<Hex>,
    #[serde(flatten)]
    proof: ProofJson,
}

impl From<Range> for RangeJson {
    fn from(range: Range) -> RangeJson {
        RangeJson { v: hex(&range.v), proof: range.proof.into() }
    }
}

impl From<RangeJson> for Range {
    fn from(json: RangeJson) -> Range {
        Range { v: unhex(json.v), proof: RangeProof::from(json.proof) }
    }
}

#[derive(Deserialize)]
pub(crate) struct RangeCaseJson {
    #[serde(flatten)]
    label: Label,
    #[serde(flatten)]
    range: RangeJson,
}

impl Form for RangeCaseJson {
    type Claim = Read<RangeClaim>;
    fn open(self) -> (Option<String>, Option<bool>, Read<RangeClaim>) {
        self.label.open(Ok(RangeClaim(self.range.into())))
    }
}

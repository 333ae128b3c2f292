//! Tari's range proofs against its vectors and its published crate, both ways.

#[path = "../common/mod.rs"]
mod common;

mod differential;
mod hostile;
mod life;
mod vectors;

use curve25519_lanes::Scalar;
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::bulletproofs_plus::tari::{
    CommitmentOpening, ExtensionDegree, PedersenGens, RangeParameters, RangeProof, RangeStatement, RangeWitness,
};
use rand_chacha::ChaCha12Rng;
use rand_core::SeedableRng;

/// The label of transcripts of both sides in these tests.
const LABEL: &str = "test";

/// The random bytes that every proof of the vectors was made with.
fn zero_rng() -> ChaCha12Rng {
    ChaCha12Rng::from_seed([0; 32])
}

fn parameters(bits: usize, degree: usize, limit: usize) -> RangeParameters {
    let degree = ExtensionDegree::try_from(degree).unwrap();
    RangeParameters::init(bits, limit, PedersenGens::new(degree)).unwrap()
}

/// A statement with what opens it.
#[derive(Clone)]
struct Known {
    statement: RangeStatement,
    openings: Vec<CommitmentOpening>,
}

impl Known {
    /// `values` committed to with masks 1000, 1001, … in turn.
    fn new(parameters: &RangeParameters, values: &[u64], promises: &[Option<u64>], seed: Option<Scalar>) -> Known {
        let degree = parameters.extension_degree().count() as u64;
        let masks = |j: usize| (0..degree).map(|k| Scalar::from(1000 + 10 * j as u64 + k)).collect::<Vec<_>>();
        let commitments = values.iter().enumerate();
        let commitments =
            commitments.map(|(j, v)| parameters.pc_gens().commit(&Scalar::from(*v), &masks(j)).unwrap()).collect();
        let statement = RangeStatement::init(parameters.clone(), commitments, promises.to_vec(), seed).unwrap();
        let openings = values.iter().enumerate().map(|(j, v)| CommitmentOpening::new(*v, masks(j))).collect();
        Known { statement, openings }
    }

    fn witness(&self) -> RangeWitness {
        RangeWitness::init(self.openings.clone()).unwrap()
    }

    fn prove(&self) -> RangeProof {
        let mut transcript = Transcript::new(LABEL.as_bytes());
        RangeProof::prove(&mut transcript, &self.statement, &self.witness(), &mut zero_rng()).unwrap()
    }
}

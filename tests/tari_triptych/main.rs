//! Tari's Triptych against its vectors and its published crate, both ways.

#[path = "../common/mod.rs"]
mod common;

mod differential;
mod hostile;
mod vectors;

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::triptych::tari::{Entry, Form, InputSet, Parameters, Proof, Statement, Witness, prove};
use curve25519_lanes::{RistrettoPoint, Scalar};
use rand_chacha::ChaCha12Rng;
use rand_core::SeedableRng;

use self::common::Random;

/// The random bytes that every proof of the vectors was made with.
fn zero_rng() -> ChaCha12Rng {
    ChaCha12Rng::from_seed([0; 32])
}

fn transcript() -> Transcript {
    Transcript::new(b"test")
}

fn scalar(random: &mut Random) -> Scalar {
    Scalar::from_bytes_mod_order(random.bytes())
}

fn encode(secret: &Scalar) -> [u8; 32] {
    RistrettoPoint::mul_base(secret).compress().0
}

/// A proof with all that it is about.
#[derive(Clone)]
struct Case {
    keys: Vec<[u8; 32]>,
    auxiliary: Vec<[u8; 32]>,
    offset: Option<[u8; 32]>,
    tag: [u8; 32],
    witness: Witness,
    statement: Statement,
    proof: Proof,
}

impl Case {
    fn entry<'a>(&'a self, transcript: &'a Transcript) -> Entry<'a> {
        Entry { transcript, statement: &self.statement, proof: &self.proof }
    }

    /// A proof over a new ring of `count` keys, filled up where they are too few.
    fn new(random: &mut Random, parameters: &Parameters, count: usize, index: usize) -> Case {
        let parallel = parameters.form() == Form::Parallel;
        let secrets: Vec<Scalar> = (0..count).map(|_| scalar(random)).collect();
        let keys: Vec<[u8; 32]> = secrets.iter().map(encode).collect();
        let (offset_point, secret) = (RistrettoPoint::mul_base(&scalar(random)), scalar(random));
        let mut auxiliary: Vec<[u8; 32]> =
            if parallel { (0..count).map(|_| encode(&scalar(random))).collect() } else { Vec::new() };
        if let Some(g1) = parameters.g1() {
            auxiliary[index.min(count - 1)] = (secret * g1 + offset_point).compress().0;
        }
        let inputs = InputSet::padded(parameters, &keys, &auxiliary).unwrap();
        let witness = Witness { index, key: secrets[index.min(count - 1)], auxiliary: parallel.then_some(secret) };
        let offset = parallel.then(|| offset_point.compress().0);
        Case::over(&inputs, keys, auxiliary, offset, witness)
    }

    fn over(
        inputs: &InputSet,
        keys: Vec<[u8; 32]>,
        auxiliary: Vec<[u8; 32]>,
        offset: Option<[u8; 32]>,
        witness: Witness,
    ) -> Case {
        let tag = witness.tag(inputs.parameters()).compress().0;
        let statement = state(inputs, offset, tag);
        let proof = prove(&transcript(), &statement, &witness, &mut zero_rng()).unwrap();
        Case { keys, auxiliary, offset, tag, witness, statement, proof }
    }
}

fn state(inputs: &InputSet, offset: Option<[u8; 32]>, tag: [u8; 32]) -> Statement {
    match offset {
        None => Statement::single(inputs, tag).unwrap(),
        Some(offset) => Statement::parallel(inputs, offset, tag).unwrap(),
    }
}

//! Provers, signers and the recovery of masks with secret witnesses and secret random bytes. What they may look at is what
//! they disclose by `field::scalar::disclosed`: whether a witness fits, and what they send.

use core::convert::Infallible;
use std::prelude::v1::*;
use std::vec;

use rand_chacha::ChaCha12Rng;
use rand_core::{SeedableRng, TryCryptoRng, TryRng};

use super::secrets::{Case, done};
use super::valgrind::{publish, secret};
use crate::field::scalar::disclosed::disclosed;
use crate::hash::Transcript;
use crate::proofs::bulletproofs_plus::{monero, tari};
use crate::proofs::clsag::{self, RingMember};
use crate::proofs::grootle::{self, System};
use crate::proofs::monero_signatures::Signature;
use crate::proofs::one_of_many::Shape;
use crate::proofs::schnorr::{self, Secrets};
use crate::proofs::triptych::{self, tari as tari_triptych};
use crate::{EdwardsPoint, RistrettoPoint, Scalar};

/// Random bytes that are secret.
struct SecretRng(ChaCha12Rng);

impl TryRng for SecretRng {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(secret(self.0.try_next_u32()?))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(secret(self.0.try_next_u64()?))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(out)?;
        out.iter_mut().for_each(|byte| *byte = secret(*byte));
        Ok(())
    }
}

impl TryCryptoRng for SecretRng {}

fn rng() -> SecretRng {
    SecretRng(ChaCha12Rng::from_seed([7; 32]))
}

/// The public key of a secret.
fn point(k: &Scalar) -> [u8; 32] {
    disclosed(EdwardsPoint::mul_base(k).compress().0)
}

fn element(p: RistrettoPoint) -> [u8; 32] {
    disclosed(p.compress().0)
}

fn other(k: u64) -> [u8; 32] {
    point(&Scalar::from(k))
}

/// A proof exists; nobody looks at it.
fn made<T, E: core::fmt::Debug>(proof: Result<T, E>) {
    done(proof.expect("the witness fits"));
}

pub(super) const CASES: &[Case] = &[
    ("monero: range proof", |i| {
        let amount = u64::from_le_bytes(*i.bytes[0].first_chunk().expect("eight bytes"));
        let openings = [monero::Opening::new(amount, i.k[0]), monero::Opening::new(!amount, i.k[1])];
        made(monero::Generators::shared().prove(&openings, &mut rng()));
    }),
    ("tari: range proof and mask", |i| {
        use tari::{CommitmentOpening, ExtensionDegree, PedersenGens, RangeParameters, RangeStatement, RangeWitness};
        let bases = PedersenGens::new(ExtensionDegree::DefaultPedersen);
        let parameters = RangeParameters::init(8, 1, bases).expect("allowed");
        let value = u64::from(i.bytes[0][0]);
        let commitment = parameters.pc_gens().commit(&Scalar::from(value), &i.k[..1]).expect("one mask");
        let opening = CommitmentOpening::new(value, i.k[..1].to_vec());
        let witness = RangeWitness::init(vec![opening]).expect("one");
        for seed in [None, Some(i.k[1])] {
            let encodings = vec![element(commitment)];
            let statement =
                RangeStatement::from_encodings(parameters.clone(), encodings, vec![None], seed).expect("one");
            let start = || Transcript::new(b"test");
            let proof = tari::RangeProof::prove(&mut start(), &statement, &witness, &mut rng()).expect("it fits");
            if seed.is_some() {
                // What is sent is public, whoever looks at it.
                let bytes = proof.to_bytes();
                publish(&bytes);
                let proof = tari::RangeProof::from_bytes(&bytes).expect("as it was written");
                let action = tari::VerifyAction::RecoverAndVerify;
                made(tari::RangeProof::verify_batch(&mut [start()], &[statement], &[proof], action));
            }
        }
    }),
    ("monero: CLSAG", |i| {
        let mut ring: Vec<RingMember> =
            (1..=5).map(|k| RingMember { key: other(k), commitment: other(100 + k) }).collect();
        let (pseudo_out, mask) = (other(100), i.k[1] + Scalar::from(100u64));
        ring[2] = RingMember { key: point(&i.k[0]), commitment: point(&mask) };
        let witness = clsag::Witness::new(secret(2), i.k[0], i.k[1]);
        made(clsag::sign(&ring, &pseudo_out, &[7; 32], &witness, &mut rng()));
    }),
    ("monero: signature", |i| done(Signature::sign(&[7; 32], &i.k[0], &mut rng()))),
    ("triptych", |i| {
        let shape = Shape::new(2, 2).expect("allowed");
        let mut ring: Vec<[u8; 32]> = (1..=4).flat_map(|k| [other(k), other(100 + k)]).collect();
        [ring[4], ring[5]] = [point(&i.k[0]), point(&(i.k[1] + Scalar::from(100u64)))];
        let witness = triptych::Witness { index: secret(2), key: i.k[0], commitment: i.k[1] };
        made(triptych::prove(&shape, &[7; 32], &ring, &other(100), &witness, &mut rng()));
    }),
    ("tari: triptych", |i| {
        use tari_triptych::{Form, InputSet, Parameters, Statement, Witness};
        for form in [Form::Single, Form::Parallel] {
            let parameters = Parameters::new(form, 2, 2).expect("allowed");
            let base = |k: u64| element(RistrettoPoint::mul_base(&Scalar::from(k)));
            let mut keys: Vec<[u8; 32]> = (1..=4).map(base).collect();
            keys[2] = element(i.k[0] * *parameters.g());
            let auxiliary = parameters.g1().map(|g1| {
                let own = i.k[1] * *g1 + RistrettoPoint::mul_base(&Scalar::from(50u64));
                vec![base(61), base(62), element(own), base(64)]
            });
            let witness = Witness { index: secret(2), key: i.k[0], auxiliary: auxiliary.as_ref().map(|_| i.k[1]) };
            let tag = element(witness.tag(&parameters));
            let set = InputSet::new(&parameters, &keys, auxiliary.as_deref().unwrap_or_default()).expect("points");
            let statement = match form {
                Form::Single => Statement::single(&set, tag),
                Form::Parallel => Statement::parallel(&set, base(50), tag),
            };
            let statement = statement.expect("points");
            made(tari_triptych::prove(&Transcript::new(b"test"), &statement, &witness, &mut rng()));
        }
    }),
    ("grootle", |i| {
        for form in [grootle::Form::Concise, grootle::Form::Plain] {
            let system = System::new(form, 2, 2, 2).expect("allowed");
            let mut ring: Vec<[u8; 32]> = (11..=18).map(other).collect();
            let hundred = Scalar::from(100u64);
            [ring[4], ring[5]] = [point(&(i.k[0] + hundred)), point(&(i.k[1] + hundred))];
            let witness = grootle::Witness { index: secret(2), secrets: &i.k[..2] };
            made(system.prove(&[7; 32], &ring, &[other(100), other(100)], &witness, &mut rng()));
        }
    }),
    ("seraphis: composition", |i| {
        let secrets = [0, 3].map(|j| Secrets { x: i.k[j], y: i.k[j + 1], z: i.k[j + 2] });
        made(schnorr::prove(&[7; 32], &secrets, &mut rng()));
    }),
];

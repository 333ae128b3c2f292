//! Tari's Triptych: the published crate's time over ours, rings of 256 keys.
//!
//! CPU time of the thread; on each backend both sides in turn, each timed call after one that is not; the figure is the least
//! of the medians of five rounds in a row. Verdicts and bytes are looked at first.
//!
//! ```sh
//! cargo bench --bench triptych --features rand_core -- [BACKEND...]
//! ```
//!
//! *Read* has both sides start from the bytes of the proofs. The crate decodes points when it reads a proof and we when we
//! verify, so of *verify* we do more than it.

mod common;

use std::hint::black_box;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use common::compare::seconds;
use common::{on_each, one_thread};
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::triptych::tari::{Entry, Form, InputSet, Parameters, Proof, Statement, Witness, prove};
use curve25519_lanes::proofs::triptych::tari::{verify, verify_batch};
use curve25519_lanes::{RistrettoPoint, Scalar};
use dalek_4::ristretto::CompressedRistretto;
use rand_chacha_0_3::rand_core::SeedableRng;
use triptych as peer;

/// What is verified together, and at least this many times as fast on the widest backend.
const BATCH: usize = 16;
const BAR: f64 = 5.0;

fn main() -> ExitCode {
    one_thread();
    let mut backends = Vec::new();
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match BackendId::from_name(&argument) {
            Ok(id) => backends.push(id),
            Err(error) => {
                eprintln!("{argument}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if backends.is_empty() {
        backends.extend(BackendId::available());
    }
    println!(
        "peer: triptych 0.1.1 on curve25519-dalek 4; its time over ours, bar {BAR} for batches of {BATCH} on ifma"
    );
    let case = Case::new();
    on_each(&backends, |id| case.measure(id));
    ExitCode::SUCCESS
}

/// Proofs over one ring, as both sides have them.
struct Case {
    witnesses: Vec<Witness>,
    statements: Vec<Statement>,
    proofs: Vec<Proof>,
    bytes: Vec<Vec<u8>>,
    peer_witness: peer::TriptychWitness,
    peer_statements: Vec<peer::TriptychStatement>,
    peer_proofs: Vec<peer::TriptychProof>,
}

fn rng() -> rand_chacha::ChaCha12Rng {
    rand_core::SeedableRng::from_seed([1; 32])
}

fn transcript() -> Transcript {
    Transcript::new(b"bench")
}

fn peer_transcripts(count: usize) -> Vec<peer::Transcript> {
    vec![peer::Transcript::new(b"bench"); count]
}

impl Case {
    fn new() -> Case {
        let parameters = Parameters::new(Form::Single, 2, 8).expect("a size");
        let mut rng = rng();
        let secrets: Vec<Scalar> = (0..256).map(|_| Scalar::random(&mut rng)).collect();
        let keys: Vec<[u8; 32]> = secrets.iter().map(|s| RistrettoPoint::mul_base(s).compress().0).collect();
        let inputs = InputSet::new(&parameters, &keys, &[]).expect("a ring");
        let witnesses: Vec<Witness> =
            (0..BATCH).map(|i| Witness { index: 15 * i, key: secrets[15 * i], auxiliary: None }).collect();
        let tags: Vec<[u8; 32]> = witnesses.iter().map(|w| w.tag(&parameters).compress().0).collect();
        let statements: Vec<Statement> =
            tags.iter().map(|tag| Statement::single(&inputs, *tag).expect("of the form")).collect();
        let proofs: Vec<Proof> = statements
            .iter()
            .zip(&witnesses)
            .map(|(statement, witness)| prove(&transcript(), statement, witness, &mut rng).expect("a witness"))
            .collect();
        let bytes: Vec<Vec<u8>> = proofs.iter().map(Proof::to_bytes).collect();

        let point = |bytes: &[u8; 32]| CompressedRistretto(*bytes).decompress().expect("an element");
        let peer_parameters = Arc::new(peer::TriptychParameters::new(2, 8).expect("a size"));
        let ring: Vec<_> = keys.iter().map(point).collect();
        let ring = Arc::new(peer::TriptychInputSet::new(&ring).expect("a ring"));
        let secret = dalek_4::Scalar::from_canonical_bytes(witnesses[1].key.to_bytes()).expect("below l");
        let peer_witness = peer::TriptychWitness::new(&peer_parameters, 15, &secret).expect("a witness");
        let peer_statements: Vec<_> = tags
            .iter()
            .map(|tag| peer::TriptychStatement::new(&peer_parameters, &ring, &point(tag)).expect("a statement"))
            .collect();
        let peer_proofs: Vec<_> =
            bytes.iter().map(|bytes| peer::TriptychProof::from_bytes(bytes).expect("a proof")).collect();
        let verdict = peer::TriptychProof::verify_batch(&peer_statements, &peer_proofs, &mut peer_transcripts(BATCH));
        assert!(verdict.is_ok(), "our proofs there");
        Case { witnesses, statements, proofs, bytes, peer_witness, peer_statements, peer_proofs }
    }

    fn entries<'a>(&'a self, transcript: &'a Transcript, proofs: &'a [Proof]) -> Vec<Entry<'a>> {
        let pairs = self.statements.iter().zip(proofs);
        pairs.map(|(statement, proof)| Entry { transcript, statement, proof }).collect()
    }

    fn measure(&self, id: BackendId) {
        let transcript = transcript();
        let report = |what: &str, ours: &dyn Fn(), theirs: &dyn Fn()| {
            let [ours, theirs] = seconds([ours, theirs], Duration::from_millis(1500));
            println!("{:9} {what:24} {:9.1} µs {:6.2}", id.name(), ours * 1e6, theirs / ours);
        };
        report("verify 1", &|| verify(self.entries(&transcript, &self.proofs)[0]).expect("valid"), &|| {
            self.peer_proofs[0].verify(&self.peer_statements[0], &mut peer_transcripts(1)[0]).expect("valid")
        });
        report("verify 16", &|| verify_batch(&self.entries(&transcript, &self.proofs)).expect("valid"), &|| {
            let transcripts = &mut peer_transcripts(BATCH);
            peer::TriptychProof::verify_batch(&self.peer_statements, &self.peer_proofs, transcripts).expect("valid");
        });
        report(
            "read and verify 16",
            &|| {
                let read = self.bytes.iter().map(|bytes| Proof::from_bytes(Form::Single, bytes).expect("a proof"));
                verify_batch(&self.entries(&transcript, &read.collect::<Vec<_>>())).expect("valid");
            },
            &|| {
                let read = self.bytes.iter().map(|bytes| peer::TriptychProof::from_bytes(bytes).expect("a proof"));
                let (proofs, transcripts) = (read.collect::<Vec<_>>(), &mut peer_transcripts(BATCH));
                peer::TriptychProof::verify_batch(&self.peer_statements, &proofs, transcripts).expect("valid");
            },
        );
        report(
            "prove",
            &|| {
                let proof = prove(&transcript, &self.statements[1], &self.witnesses[1], &mut rng());
                black_box(proof.expect("a witness"));
            },
            &|| {
                let (rng, transcript) =
                    (&mut rand_chacha_0_3::ChaCha12Rng::from_seed([1; 32]), &mut peer_transcripts(1)[0]);
                let proof =
                    peer::TriptychProof::prove_with_rng(&self.peer_witness, &self.peer_statements[1], rng, transcript);
                black_box(proof.expect("a witness"));
            },
        );
    }
}

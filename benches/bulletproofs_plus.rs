//! Tari's range proofs: the time of the published crates over ours, all in one process.
//!
//! Peers: tari_bulletproofs_plus 0.5.3 and, for Bulletproofs+ against Bulletproofs, bulletproofs 5.0.0, both as their default
//! builds choose. Proofs are compared byte for byte and verified both ways before anything is measured. See `common/compare.rs`
//! for the clock.
//!
//! ```sh
//! cargo bench --bench bulletproofs_plus -- [BACKEND...] [--tables]
//! ```
//!
//! `--tables` adds creation and verification over numbers of values and masks, and what batches and recovery cost.

mod common;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use bulletproofs::{BulletproofGens, PedersenGens as BulletproofPedersen, RangeProof as Bulletproof};
use common::compare::{seconds, with_kept_memory};
use common::on_each;
use curve25519_lanes::Scalar;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::bulletproofs_plus::tari as ours;
use rand_chacha::ChaCha12Rng;
use rand_core::SeedableRng;
use rand_core_0_6::SeedableRng as _;
use tari_bulletproofs_plus as peer;
use tari_bulletproofs_plus::ristretto::{RistrettoRangeProof, create_pedersen_gens_with_extension_degree};

const LABEL: &[u8] = b"bench";
const PATIENCE: Duration = Duration::from_millis(800);

/// At least, and the aim.
type Bar = Option<(f64, f64)>;

fn main() -> ExitCode {
    common::one_thread();
    if let Some(code) = with_kept_memory() {
        return code;
    }
    let (mut backends, mut tables) = (Vec::new(), false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--tables" => tables = true,
            // Cargo's own.
            "--bench" => {}
            name => match BackendId::from_name(name) {
                Ok(id) => backends.push(id),
                Err(error) => {
                    eprintln!("{name}: {error}");
                    return ExitCode::from(2);
                }
            },
        }
    }
    if backends.is_empty() {
        backends.extend(BackendId::available());
    }
    println!("Peer's time over ours, at least / aim (0.45 of each on avx2)");
    on_each(&backends, |id| {
        println!("{id}");
        bars();
        if tables {
            grids();
        }
    });
    ExitCode::SUCCESS
}

fn bars() {
    for (m, verify, prove) in [(1, (4.0, 6.0), (4.0, 6.0)), (16, (8.0, 12.0), (4.0, 6.0))] {
        let one = Batch::new(m, 1, 1, false);
        one.row(&format!("verify one, {m} values"), ours::VerifyAction::VerifyOnly, Some(verify));
        one.against_bulletproof(m);
        one.prove_row(&format!("prove, {m} values"), Some(prove));
    }
    let batch = Batch::new(1, 1, 256, true);
    batch.row("verify 256", ours::VerifyAction::VerifyOnly, Some((4.5, 7.0)));
    batch.row("recover only, 256", ours::VerifyAction::RecoverOnly, Some((3.0, 5.0)));
    batch.row("recover and verify, 256", ours::VerifyAction::RecoverAndVerify, None);
    batch.one_by_one_row("recover only, 256 one by one", ours::VerifyAction::RecoverOnly, Some((3.0, 5.0)));
}

fn grids() {
    for degree in 1..=3 {
        for m in [1, 2, 4, 8, 16, 32] {
            let one = Batch::new(m, degree, 1, false);
            one.prove_row(&format!("prove, {m} values, {degree} masks"), None);
            one.row(&format!("verify one, {m} values, {degree} masks"), ours::VerifyAction::VerifyOnly, None);
        }
        for count in [1, 2, 4, 8, 16, 32, 64, 128, 256] {
            let batch = Batch::new(1, degree, count, true);
            for action in
                [ours::VerifyAction::VerifyOnly, ours::VerifyAction::RecoverAndVerify, ours::VerifyAction::RecoverOnly]
            {
                batch.row(&format!("{action:?} {count}, {degree} masks"), action, None);
            }
        }
    }
}

/// The same statements and proofs on both sides.
struct Batch {
    statements: Vec<ours::RangeStatement>,
    witnesses: Vec<ours::RangeWitness>,
    proofs: Vec<ours::RangeProof>,
    peer_statements: Vec<peer::range_statement::RangeStatement<dalek::RistrettoPoint>>,
    peer_witnesses: Vec<peer::range_witness::RangeWitness>,
    peer_proofs: Vec<RistrettoRangeProof>,
}

use curve25519_dalek as dalek;

impl Batch {
    /// `count` proofs of `m` values of 64 bits with `degree` masks each.
    fn new(m: usize, degree: usize, count: usize, seeds: bool) -> Batch {
        let our_degree = ours::ExtensionDegree::try_from(degree).expect("1 to 6");
        let parameters =
            ours::RangeParameters::init(64, m, ours::PedersenGens::new(our_degree)).expect("powers of two");
        let peer_degree = peer::generators::pedersen_gens::ExtensionDegree::try_from(degree).expect("1 to 6");
        let gens = create_pedersen_gens_with_extension_degree(peer_degree);
        let peer_parameters = peer::range_parameters::RangeParameters::init(64, m, gens).expect("powers of two");
        let mut out = Batch {
            statements: Vec::new(),
            witnesses: Vec::new(),
            proofs: Vec::new(),
            peer_statements: Vec::new(),
            peer_witnesses: Vec::new(),
            peer_proofs: Vec::new(),
        };
        for i in 0..count as u64 {
            let value = |j: u64| u64::MAX / 3 + 1000 * i + j;
            let masks = |j: u64| (0..degree as u64).map(move |k| 5000 * i + 10 * j + k + 1);
            let promises: Vec<Option<u64>> = (0..m as u64).map(|j| Some(value(j) / 3)).collect();
            let openings =
                (0..m as u64).map(|j| ours::CommitmentOpening::new(value(j), masks(j).map(Scalar::from).collect()));
            let witness = ours::RangeWitness::init(openings.collect()).expect("openings");
            let commit = |j| {
                let masks: Vec<Scalar> = masks(j).map(Scalar::from).collect();
                parameters.pc_gens().commit(&Scalar::from(value(j)), &masks).expect("as many masks as bases")
            };
            let commitments: Vec<_> = (0..m as u64).map(commit).collect();
            let seed = seeds.then(|| Scalar::from(i + 1));
            let statement = ours::RangeStatement::init(parameters.clone(), commitments, promises.clone(), seed)
                .expect("a statement");

            let openings = (0..m as u64).map(|j| {
                peer::commitment_opening::CommitmentOpening::new(value(j), masks(j).map(dalek::Scalar::from).collect())
            });
            let peer_witness = peer::range_witness::RangeWitness::init(openings.collect()).expect("openings");
            let commit = |j| {
                let masks: Vec<dalek::Scalar> = masks(j).map(dalek::Scalar::from).collect();
                peer_parameters
                    .pc_gens()
                    .commit(&dalek::Scalar::from(value(j)), &masks)
                    .expect("as many masks as bases")
            };
            let peer_statement = peer::range_statement::RangeStatement::init(
                peer_parameters.clone(),
                (0..m as u64).map(commit).collect(),
                promises,
                seeds.then(|| dalek::Scalar::from(i + 1)),
            )
            .expect("a statement");

            let proof = prove(&statement, &witness);
            let peer_proof = RistrettoRangeProof::from_bytes(&proof.to_bytes()).expect("a proof");
            if i == 0 {
                assert_eq!(peer_prove(&peer_statement, &peer_witness).to_bytes(), proof.to_bytes());
            }
            out.statements.push(statement);
            out.witnesses.push(witness);
            out.proofs.push(proof);
            out.peer_statements.push(peer_statement);
            out.peer_witnesses.push(peer_witness);
            out.peer_proofs.push(peer_proof);
        }
        out
    }

    fn verify(&self, range: std::ops::Range<usize>, action: ours::VerifyAction) -> Vec<Option<Vec<[u8; 32]>>> {
        let mut transcripts = vec![Transcript::new(LABEL); range.len()];
        let (statements, proofs) = (&self.statements[range.clone()], &self.proofs[range]);
        let masks = ours::RangeProof::verify_batch(&mut transcripts, statements, proofs, action).expect("valid proofs");
        masks.iter().map(|mask| mask.as_ref().map(|m| m.blindings().iter().map(Scalar::to_bytes).collect())).collect()
    }

    fn peer_verify(&self, range: std::ops::Range<usize>, action: ours::VerifyAction) -> Vec<Option<Vec<[u8; 32]>>> {
        let action = match action {
            ours::VerifyAction::VerifyOnly => peer::range_proof::VerifyAction::VerifyOnly,
            ours::VerifyAction::RecoverAndVerify => peer::range_proof::VerifyAction::RecoverAndVerify,
            ours::VerifyAction::RecoverOnly => peer::range_proof::VerifyAction::RecoverOnly,
        };
        let mut transcripts = vec![tari_merlin::Transcript::new(LABEL); range.len()];
        let (statements, proofs) = (&self.peer_statements[range.clone()], &self.peer_proofs[range]);
        let masks =
            RistrettoRangeProof::verify_batch(&mut transcripts, statements, proofs, action).expect("valid proofs");
        let bytes = |mask: &peer::extended_mask::ExtendedMask| {
            mask.blindings().expect("masks").iter().map(dalek::Scalar::to_bytes).collect()
        };
        masks.iter().map(|mask| mask.as_ref().map(bytes)).collect()
    }

    fn row(&self, name: &str, action: ours::VerifyAction, bar: Bar) {
        let all = 0..self.proofs.len();
        assert_eq!(self.verify(all.clone(), action), self.peer_verify(all.clone(), action), "{name}");
        let times = seconds(
            [&|| drop(black_box(self.peer_verify(all.clone(), action))), &|| {
                drop(black_box(self.verify(all.clone(), action)))
            }],
            PATIENCE,
        );
        print(name, times, bar);
    }

    fn one_by_one_row(&self, name: &str, action: ours::VerifyAction, bar: Bar) {
        let each = 0..self.proofs.len();
        let times = seconds(
            [&|| each.clone().for_each(|i| drop(black_box(self.peer_verify(i..i + 1, action)))), &|| {
                each.clone().for_each(|i| drop(black_box(self.verify(i..i + 1, action))))
            }],
            PATIENCE,
        );
        print(name, times, bar);
    }

    fn prove_row(&self, name: &str, bar: Bar) {
        let times = seconds(
            [&|| drop(black_box(peer_prove(&self.peer_statements[0], &self.peer_witnesses[0]))), &|| {
                drop(black_box(prove(&self.statements[0], &self.witnesses[0])))
            }],
            PATIENCE,
        );
        print(name, times, bar);
    }

    /// A Bulletproof of as many values, verified by its own crate, against our verification of a Bulletproof+.
    fn against_bulletproof(&self, m: usize) {
        let (gens, pedersen) = (BulletproofGens::new(64, m), BulletproofPedersen::default());
        let mut rng = rand_chacha_0_3::ChaCha12Rng::from_seed([0; 32]);
        let values: Vec<u64> = (0..m as u64).map(|j| u64::MAX / 3 + j).collect();
        let masks: Vec<_> = (0..m as u64).map(dalek_4::Scalar::from).collect();
        let mut transcript = merlin::Transcript::new(LABEL);
        let (proof, commitments) =
            Bulletproof::prove_multiple_with_rng(&gens, &pedersen, &mut transcript, &values, &masks, 64, &mut rng)
                .expect("a proof");
        let verify = || {
            let (mut transcript, mut rng) = (merlin::Transcript::new(LABEL), rng.clone());
            proof
                .verify_multiple_with_rng(&gens, &pedersen, &mut transcript, &commitments, 64, &mut rng)
                .expect("a valid proof");
        };
        let ours = || drop(black_box(self.verify(0..1, ours::VerifyAction::VerifyOnly)));
        print(
            &format!("verify one, {m} values, against a Bulletproof"),
            seconds([&verify, &ours], PATIENCE),
            Some((5.0, 7.0)),
        );
    }
}

fn prove(statement: &ours::RangeStatement, witness: &ours::RangeWitness) -> ours::RangeProof {
    let mut transcript = Transcript::new(LABEL);
    let mut rng = ChaCha12Rng::from_seed([0; 32]);
    ours::RangeProof::prove(&mut transcript, statement, witness, &mut rng).expect("a proof")
}

fn peer_prove(
    statement: &peer::range_statement::RangeStatement<dalek::RistrettoPoint>,
    witness: &peer::range_witness::RangeWitness,
) -> RistrettoRangeProof {
    let mut transcript = tari_merlin::Transcript::new(LABEL);
    let mut rng = ChaCha12Rng::from_seed([0; 32]);
    RistrettoRangeProof::prove_with_rng(&mut transcript, statement, witness, &mut rng).expect("a proof")
}

fn print(name: &str, [peer, ours]: [f64; 2], bar: Bar) {
    let ratio = peer / ours;
    let factor = match BackendId::current() {
        BackendId::Ifma => Some(1.0),
        BackendId::Avx2 => Some(0.45),
        _ => None,
    };
    let bar = bar.zip(factor).map_or(String::new(), |((least, aim), factor)| {
        let (least, aim) = (least * factor, aim * factor);
        let verdict = if ratio < least { "MISSED" } else { "passed" };
        format!("  {verdict} {least:.1} / {aim:.1}")
    });
    println!("    {name:<48} {:>10.1} us {:>10.1} us {ratio:>6.2}{bar}", peer * 1e6, ours * 1e6);
}

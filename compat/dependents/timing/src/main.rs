//! What dependents of curve25519-dalek do, timed: `operation <tab> nanoseconds` a line, CPU time of the thread, the least
//! of several runs. `../run` builds it with the original and with ours and prints the ratios.

use std::hint::black_box;
use std::sync::Arc;

use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_dalek_4 as dalek_4;
use rand_chacha::rand_core::SeedableRng;
use rand_chacha_10::rand_core::SeedableRng as _;

fn time<R>(name: &str, rounds: usize, mut work: impl FnMut() -> R) {
    let mut least = u128::MAX;
    for _ in 0..rounds {
        let start = ThreadTime::now();
        black_box(work());
        least = least.min(start.elapsed().as_nanos());
    }
    println!("{name}\t{least}");
}

fn main() {
    signatures();
    curve();
    tari();
    triptych();
    monero();
    others();
}

fn signatures() {
    use ed25519_dalek::{Signer, SigningKey, Verifier, VerifyingKey, verify_batch};
    let keys: Vec<SigningKey> = (0..=255u8).map(|i| SigningKey::from_bytes(&[i; 32])).collect();
    let messages: Vec<[u8; 32]> = (0..=255u8).map(|i| [i; 32]).collect();
    let signatures: Vec<_> = keys.iter().zip(&messages).map(|(key, message)| key.sign(message)).collect();
    let verifying: Vec<VerifyingKey> = keys.iter().map(SigningKey::verifying_key).collect();
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    time("ed25519-dalek sign", 200, || keys[1].sign(&messages[1]));
    time("ed25519-dalek verify", 200, || verifying[1].verify(&messages[1], &signatures[1]).unwrap());
    time("ed25519-dalek verify_strict", 200, || verifying[1].verify_strict(&messages[1], &signatures[1]).unwrap());
    time("ed25519-dalek verify_batch of 256", 30, || verify_batch(&slices, &signatures, &verifying).unwrap());
    let (secret, public) = (x25519_dalek::StaticSecret::from([7; 32]), x25519_dalek::PublicKey::from([9; 32]));
    time("x25519-dalek shared secret", 200, || secret.diffie_hellman(&public));
    time("x25519-dalek public key", 200, || x25519_dalek::PublicKey::from(&secret));
}

fn curve() {
    use dalek::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};
    use dalek::{EdwardsPoint, RistrettoPoint, Scalar};
    let scalars: Vec<Scalar> = (1..=1024u64).map(|i| Scalar::from(i).invert()).collect();
    let points: Vec<EdwardsPoint> = scalars.iter().map(EdwardsPoint::mul_base).collect();
    let elements: Vec<RistrettoPoint> = scalars.iter().map(RistrettoPoint::mul_base).collect();
    let encodings: Vec<_> = elements.iter().map(RistrettoPoint::compress).collect();
    time("scalar times point", 200, || scalars[3] * points[4]);
    time("scalar times base point", 200, || EdwardsPoint::mul_base(&scalars[3]));
    time("sum of 1000 points, one by one", 30, || points[..1000].iter().sum::<EdwardsPoint>());
    time("Ristretto decoding", 200, || encodings[3].decompress().unwrap());
    time("Ristretto encoding", 200, || elements[3].compress());
    time("Ristretto from 64 bytes", 200, || RistrettoPoint::from_uniform_bytes(black_box(&[7; 64])));
    time("Ristretto double_and_compress_batch of 256", 30, || {
        RistrettoPoint::double_and_compress_batch(&elements[..256])
    });
    time("constant-time sum of 2", 100, || EdwardsPoint::multiscalar_mul(&scalars[..2], &points[..2]));
    time("constant-time sum of 16", 50, || EdwardsPoint::multiscalar_mul(&scalars[..16], &points[..16]));
    time("variable-time sum of 3", 100, || EdwardsPoint::vartime_multiscalar_mul(&scalars[..3], &points[..3]));
    time("variable-time sum of 1024", 20, || EdwardsPoint::vartime_multiscalar_mul(&scalars, &points));
    let table = |n: usize| dalek::edwards::VartimeEdwardsPrecomputation::new(&points[..n]);
    time("table of 128 points, built", 10, || table(128));
    for n in [2, 16, 128, 1024] {
        let table = table(n);
        let name = format!("sum of {n} points with a table");
        time(&name, 30, || table.vartime_multiscalar_mul(&scalars[..n]));
    }
}

fn tari() {
    use tari_bulletproofs_plus::commitment_opening::CommitmentOpening;
    use tari_bulletproofs_plus::generators::pedersen_gens::ExtensionDegree;
    use tari_bulletproofs_plus::range_parameters::RangeParameters;
    use tari_bulletproofs_plus::range_proof::VerifyAction;
    use tari_bulletproofs_plus::range_statement::RangeStatement;
    use tari_bulletproofs_plus::range_witness::RangeWitness;
    use tari_bulletproofs_plus::ristretto::{RistrettoRangeProof, create_pedersen_gens_with_extension_degree};
    use tari_merlin::Transcript;
    let mut rng = rand_chacha_10::ChaCha12Rng::seed_from_u64(1);
    let degree = ExtensionDegree::DefaultPedersen;
    let generators = RangeParameters::init(64, 1, create_pedersen_gens_with_extension_degree(degree)).unwrap();
    let transcript = || Transcript::new(b"timing");
    // 16 proofs, each verified 16 times in one batch.
    let (mut statements, mut proofs) = (Vec::new(), Vec::new());
    for value in 0..16u64 {
        let blinding = dalek::Scalar::random(&mut rng);
        let commitment = generators.pc_gens().commit(&dalek::Scalar::from(value), &[blinding]).unwrap();
        let witness = RangeWitness::init(vec![CommitmentOpening::new(value, vec![blinding])]).unwrap();
        let statement = RangeStatement::init(generators.clone(), vec![commitment], vec![None], None).unwrap();
        let prove =
            |rng: &mut _| RistrettoRangeProof::prove_with_rng(&mut transcript(), &statement, &witness, rng).unwrap();
        if value == 0 {
            time("tari_bulletproofs_plus prove", 5, || prove(&mut rng));
        }
        proofs.push(prove(&mut rng));
        statements.push(statement);
    }
    for copies in [1, 16] {
        let many = |n: usize| (0..copies).flat_map(move |_| 0..n);
        let statements: Vec<_> = many(16).map(|i| statements[i].clone()).collect();
        let proofs: Vec<_> = many(16).map(|i| proofs[i].clone()).collect();
        let name = format!("tari_bulletproofs_plus verify_batch of {}", proofs.len());
        time(&name, 5, || {
            let mut transcripts: Vec<_> = proofs.iter().map(|_| transcript()).collect();
            let action = VerifyAction::VerifyOnly;
            RistrettoRangeProof::verify_batch(&mut transcripts, &statements, &proofs, action).unwrap()
        });
    }
}

fn triptych() {
    use dalek_4::{RistrettoPoint, Scalar};
    use triptych::{
        Transcript, TriptychInputSet, TriptychParameters, TriptychProof, TriptychStatement, TriptychWitness,
    };
    let mut rng = rand_chacha::ChaCha12Rng::seed_from_u64(1);
    let parameters = TriptychParameters::new(2, 8).unwrap();
    let parameters = Arc::new(parameters);
    let witnesses: Vec<_> =
        (0..16).map(|i| TriptychWitness::new(&parameters, i, &Scalar::random(&mut rng)).unwrap()).collect();
    let mut keys: Vec<_> = (0..256).map(|_| RistrettoPoint::random(&mut rng)).collect();
    for witness in &witnesses {
        keys[witness.get_l() as usize] = witness.compute_verification_key();
    }
    let keys = Arc::new(TriptychInputSet::new(&keys).unwrap());
    let statements: Vec<_> = witnesses
        .iter()
        .map(|witness| TriptychStatement::new(&parameters, &keys, &witness.compute_linking_tag()).unwrap())
        .collect();
    let transcript = || Transcript::new(b"timing");
    let proofs: Vec<_> = witnesses
        .iter()
        .zip(&statements)
        .map(|(witness, statement)| {
            TriptychProof::prove_with_rng_vartime(witness, statement, &mut rng, &mut transcript()).unwrap()
        })
        .collect();
    time("triptych prove, N = 256", 5, || {
        TriptychProof::prove_with_rng(&witnesses[0], &statements[0], &mut rng, &mut transcript()).unwrap()
    });
    time("triptych verify_batch of 16, N = 256", 10, || {
        let mut transcripts: Vec<_> = proofs.iter().map(|_| transcript()).collect();
        TriptychProof::verify_batch(&statements, &proofs, &mut transcripts).unwrap();
    });
}

fn monero() {
    use monero_bulletproofs::Bulletproof;
    use monero_ed25519::{Commitment, Scalar};
    let mut rng = rand_chacha::ChaCha12Rng::seed_from_u64(1);
    let openings: Vec<_> = (0..16).map(|i| Commitment::new(Scalar::random(&mut rng), i)).collect();
    let commitments: Vec<_> = openings.iter().map(|opening| opening.commit().compress()).collect();
    let plus = Bulletproof::prove_plus(&mut rng, openings.clone()).unwrap();
    let original = Bulletproof::prove(&mut rng, openings).unwrap();
    time("monero-bulletproofs verify of 16 outputs (plus)", 10, || assert!(plus.verify(&mut rng, &commitments)));
    time("monero-bulletproofs verify of 16 outputs", 10, || assert!(original.verify(&mut rng, &commitments)));
}

fn others() {
    use bulletproofs::{BulletproofGens, PedersenGens, RangeProof};
    use merlin::Transcript;
    let (generators, bases) = (BulletproofGens::new(64, 1), PedersenGens::default());
    let blinding = dalek_4::Scalar::from(77u64);
    let transcript = || Transcript::new(b"timing");
    let (proof, commitment) =
        RangeProof::prove_single(&generators, &bases, &mut transcript(), 5, &blinding, 64).unwrap();
    time("bulletproofs verify", 20, || {
        proof.verify_single(&generators, &bases, &mut transcript(), &commitment, 64).unwrap();
    });
    time("bulletproofs prove", 5, || {
        RangeProof::prove_single(&generators, &bases, &mut transcript(), 5, &blinding, 64).unwrap()
    });
    let keys =
        schnorrkel::MiniSecretKey::from_bytes(&[7; 32]).unwrap().expand_to_keypair(schnorrkel::ExpansionMode::Uniform);
    let signature = keys.sign_simple(b"timing", b"message");
    time("schnorrkel sign", 100, || keys.sign_simple(b"timing", b"message"));
    time("schnorrkel verify", 100, || keys.public.verify_simple(b"timing", b"message", &signature).unwrap());
}

//! The proofs, from our own provers with fixed randomness.

use std::sync::OnceLock;

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::bulletproofs_plus::{monero, tari};
use curve25519_lanes::proofs::clsag::{self, Clsag, RingMember};
use curve25519_lanes::proofs::grootle::{self, System};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::{self, CompositionProof, Secrets};
use curve25519_lanes::proofs::triptych::{self, tari as tari_triptych};
use curve25519_lanes::{EdwardsPoint, RistrettoPoint, Scalar};
use rand_chacha::ChaCha12Rng;
use rand_core::SeedableRng;

use super::{Case, ask, blame, parts, refused};

/// What a prover gave: the words of the statement, and the proof's bytes.
#[derive(Clone)]
pub struct Made {
    pub words: Vec<[u8; 32]>,
    pub proof: Vec<u8>,
}

fn rng() -> ChaCha12Rng {
    ChaCha12Rng::from_seed([7; 32])
}

fn small(k: u64) -> Scalar {
    Scalar::from(k)
}

fn point(k: u64) -> [u8; 32] {
    EdwardsPoint::mul_base(&small(k)).compress().0
}

fn case(name: &'static str, made: Made, header: usize, judge: super::Judge) -> Case {
    let proof_at = 32 * made.words.len();
    Case { name, bytes: [made.words.as_flattened(), &made.proof].concat(), proof_at, header, judge }
}

/// The proofs of all systems, made once.
pub fn all() -> &'static [Case] {
    static ALL: OnceLock<Vec<Case>> = OnceLock::new();
    ALL.get_or_init(|| {
        vec![
            monero_range_proof(),
            tari_range_proof(),
            clsag(),
            triptych(),
            tari_triptych(tari_triptych::Form::Single),
            tari_triptych(tari_triptych::Form::Parallel),
            grootle(grootle::Form::Concise),
            grootle(grootle::Form::Plain),
            composition(),
        ]
    })
}

/// The statement and the proof of a case.
pub fn made(case: &Case) -> Made {
    let (words, proof) = parts(&case.bytes, case.proof_at / 32).expect("as it was put together");
    Made { words: words.to_vec(), proof: proof.to_vec() }
}

fn monero_range_proof() -> Case {
    let openings = [monero::Opening::new(u64::MAX, small(77)), monero::Opening::new(0, small(78))];
    let proof = monero::prove(&openings, &mut rng()).expect("two outputs");
    let made = Made { words: openings.iter().map(|o| o.commit().0).collect(), proof: proof.to_bytes() };
    let words = made.words.clone();
    let judge = move |bytes: &[u8], backends| {
        let (commitments, received) = parts(bytes, 2)?;
        let received = monero::RangeProof::from_bytes(received).ok()?;
        let good = monero::Statement { commitments: &words, proof: &proof };
        let items = [good, monero::Statement { commitments, proof: &received }, good];
        ask(
            backends,
            || monero::verify(commitments, &received).is_ok(),
            || monero::verify_batch(&items).is_ok(),
            || {
                let found = monero::find_invalid(&items);
                assert_eq!(found, blame(monero::Generators::shared(), items));
                found
            },
        )
    };
    case("monero-bpplus", made, 0, Box::new(judge))
}

fn tari_range_proof() -> Case {
    use tari::{CommitmentOpening, ExtensionDegree, PedersenGens, RangeParameters, RangeStatement, RangeWitness};
    let bases = PedersenGens::new(ExtensionDegree::AddOneBasePoint);
    let parameters = RangeParameters::init(4, 2, bases).expect("allowed");
    let masks = [vec![small(5), small(6)], vec![small(7), small(8)]];
    let commitments: Vec<[u8; 32]> = std::iter::zip([9, 15], &masks)
        .map(|(value, masks)| parameters.pc_gens().commit(&small(value), masks).expect("two masks").compress().0)
        .collect();
    let openings = std::iter::zip([9, 15], &masks).map(|(value, masks)| CommitmentOpening::new(value, masks.clone()));
    let witness = RangeWitness::init(openings.collect()).expect("equal numbers of masks");
    let statement = move |commitments: &[[u8; 32]]| {
        let promises = vec![Some(3), None];
        RangeStatement::from_encodings(parameters.clone(), commitments.to_vec(), promises, None).expect("two of each")
    };
    let start = || Transcript::new(b"fuzz");
    let good = statement(&commitments);
    let proof = tari::RangeProof::prove(&mut start(), &good, &witness, &mut rng()).expect("the witness fits");
    let made = Made { words: commitments, proof: proof.to_bytes() };
    let judge = move |bytes: &[u8], backends| {
        let (commitments, received) = parts(bytes, 2)?;
        let received = tari::RangeProof::from_bytes(received).ok()?;
        let (transcript, claim) = (start(), statement(commitments));
        let verify = |statements: &[RangeStatement], proofs: &[tari::RangeProof]| {
            let mut transcripts = vec![start(); proofs.len()];
            let action = tari::VerifyAction::VerifyOnly;
            tari::RangeProof::verify_batch(&mut transcripts, statements, proofs, action).is_ok()
        };
        let entry = tari::Entry { transcript: &transcript, statement: &good, proof: &proof };
        let items = [entry, tari::Entry { statement: &claim, proof: &received, ..entry }, entry];
        ask(
            backends,
            || verify(std::slice::from_ref(&claim), std::slice::from_ref(&received)),
            || verify(&items.map(|item| item.statement.clone()), &items.map(|item| item.proof.clone())),
            || blame(&tari::RangeVerifier, items),
        )
    };
    case("tari-bpplus", made, 1, Box::new(judge))
}

fn clsag() -> Case {
    let words = |ring: &[RingMember]| -> Vec<[u8; 32]> { ring.iter().flat_map(|m| [m.key, m.commitment]).collect() };
    let members = |words: &[[u8; 32]]| -> Vec<RingMember> {
        words.as_chunks().0.iter().map(|[key, commitment]| RingMember { key: *key, commitment: *commitment }).collect()
    };
    let ring: Vec<RingMember> = (1..=3).map(|k| RingMember { key: point(k), commitment: point(100 + k) }).collect();
    let (pseudo_out, message) = (point(100), [7; 32]);
    let witness = clsag::Witness::new(1, small(2), small(2));
    let (signature, image) = clsag::sign(&ring, &pseudo_out, &message, &witness, &mut rng()).expect("the witness fits");
    let proof = signature.to_bytes();
    let made = Made { words: [&words(&ring)[..], &[image, pseudo_out, message]].concat(), proof };
    let judge = move |bytes: &[u8], backends| {
        let (words, received) = parts(bytes, 9)?;
        let (members, [key_image, pseudo, text]) = (members(&words[..6]), words[6..].first_chunk()?);
        let received = Clsag::from_bytes(received, members.len()).ok()?;
        let good = clsag::Statement {
            ring: &ring,
            key_image: &image,
            pseudo_out: &pseudo_out,
            message: &message,
            signature: &signature,
        };
        let changed =
            clsag::Statement { ring: &members, key_image, pseudo_out: pseudo, message: text, signature: &received };
        let items = [good, changed, good];
        ask(
            backends,
            || clsag::verify(&changed).is_ok(),
            || clsag::verify_batch(&items).is_ok(),
            || refused(clsag::verify_each(&items)),
        )
    };
    case("monero-clsag", made, 0, Box::new(judge))
}

fn triptych() -> Case {
    let shape = Shape::new(2, 2).expect("allowed");
    let ring: Vec<[u8; 32]> = (1..=4).flat_map(|k| [point(k), point(100 + k)]).collect();
    let witness = triptych::Witness { index: 2, key: small(3), commitment: small(3) };
    let (message, offset, tag) = ([7; 32], point(100), witness.tag().compress().0);
    let proof = triptych::prove(&shape, &message, &ring, &offset, &witness, &mut rng()).expect("the witness fits");
    let made = Made { words: [&ring[..], &[message, offset, tag]].concat(), proof: proof.to_bytes() };
    let judge = move |bytes: &[u8], backends| {
        let (words, received) = parts(bytes, 11)?;
        let received = triptych::Proof::from_bytes(&shape, received).ok()?;
        let good = triptych::Statement { shape, message, ring: &ring, offset, tag, proof: &proof };
        let &[message, offset, tag] = words[8..].first_chunk()?;
        let changed = triptych::Statement { shape, message, ring: &words[..8], offset, tag, proof: &received };
        let items = [good, changed, good];
        ask(
            backends,
            || triptych::verify(&changed).is_ok(),
            || triptych::verify_batch(&items).is_ok(),
            || blame(triptych::Generators::shared(), items),
        )
    };
    case("triptych", made, 0, Box::new(judge))
}

fn tari_triptych(form: tari_triptych::Form) -> Case {
    use tari_triptych::{Entry, Form, InputSet, Parameters, Proof, Statement, StatementError, Witness};
    let parameters = Parameters::new(form, 2, 2).expect("allowed");
    let element = |k: u64| RistrettoPoint::mul_base(&small(k)).compress().0;
    let keys: Vec<[u8; 32]> = (1..=4).map(element).collect();
    let (offset, auxiliary) = match parameters.g1() {
        None => (None, Vec::new()),
        Some(g1) => {
            let own = small(9) * *g1 + RistrettoPoint::mul_base(&small(50));
            (Some(element(50)), vec![element(61), element(62), own.compress().0, element(64)])
        }
    };
    let witness = Witness { index: 2, key: small(3), auxiliary: offset.map(|_| small(9)) };
    let tag = witness.tag(&parameters).compress().0;
    let words: Vec<[u8; 32]> = [keys, auxiliary].concat().into_iter().chain(offset).chain([tag]).collect();
    let statement = move |words: &[[u8; 32]]| -> Result<Statement, StatementError> {
        let tag = *words.last().expect("there is one");
        match form {
            Form::Single => Statement::single(&InputSet::new(&parameters, &words[..4], &[])?, tag),
            Form::Parallel => {
                Statement::parallel(&InputSet::new(&parameters, &words[..4], &words[4..8])?, words[8], tag)
            }
        }
    };
    let good = statement(&words).expect("made of points");
    let start = || Transcript::new(b"fuzz");
    let proof = tari_triptych::prove(&start(), &good, &witness, &mut rng()).expect("the witness fits");
    let (count, made) = (words.len(), Made { words, proof: proof.to_bytes() });
    let judge = move |bytes: &[u8], backends| {
        let (words, received) = parts(bytes, count)?;
        let received = Proof::from_bytes(form, received).ok()?;
        let (transcript, claim) = (start(), statement(words).ok()?);
        let entry = Entry { transcript: &transcript, statement: &good, proof: &proof };
        let changed = Entry { transcript: &transcript, statement: &claim, proof: &received };
        let items = [entry, changed, entry];
        ask(
            backends,
            || tari_triptych::verify(changed).is_ok(),
            || tari_triptych::verify_batch(&items).is_ok(),
            || blame(&tari_triptych::TriptychVerifier, items),
        )
    };
    case("tari-triptych", made, 8, Box::new(judge))
}

fn grootle(form: grootle::Form) -> Case {
    let system = System::new(form, 2, 2, 2).expect("allowed");
    let mut ring: Vec<[u8; 32]> = (1..=8).map(|k| point(10 + k)).collect();
    let offsets = [point(100), point(200)];
    [ring[4], ring[5]] = [point(105), point(206)];
    let witness = grootle::Witness { index: 2, secrets: &[small(5), small(6)] };
    let message = [7; 32];
    let proof = system.prove(&message, &ring, &offsets, &witness, &mut rng()).expect("the witness fits");
    let made = Made { words: [&ring[..], &offsets, &[message]].concat(), proof: proof.to_bytes() };
    let judge = move |bytes: &[u8], backends| {
        let (words, received) = parts(bytes, 11)?;
        let received = grootle::Proof::from_bytes(&system, received).ok()?;
        let good = grootle::Statement { system, message, ring: &ring, offsets: &offsets, proof: &proof };
        let changed = grootle::Statement {
            system,
            message: words[10],
            ring: &words[..8],
            offsets: &words[8..10],
            proof: &received,
        };
        let items = [good, changed, good];
        ask(
            backends,
            || grootle::verify(&changed).is_ok(),
            || grootle::verify_batch(&items).is_ok(),
            || blame(grootle::Generators::shared(), items),
        )
    };
    case(form.name(), made, 0, Box::new(judge))
}

fn composition() -> Case {
    let secrets = [1, 4].map(|k| Secrets { x: small(k), y: small(k + 1), z: small(k + 2) });
    let (keys, tags) =
        (secrets.map(|secret| secret.key().compress().0), secrets.map(|secret| secret.tag().compress().0));
    let message = [7; 32];
    let proof = schnorr::prove(&message, &secrets, &mut rng()).expect("nothing is zero");
    let made = Made { words: [&keys[..], &tags, &[message]].concat(), proof: proof.to_bytes() };
    let judge = move |bytes: &[u8], backends| {
        let (words, received) = parts(bytes, 5)?;
        let received = CompositionProof::from_bytes(2, received).ok()?;
        let good = schnorr::Statement { message, keys: &keys, tags: &tags, proof: &proof };
        let changed = schnorr::Statement { message: words[4], keys: &words[..2], tags: &words[2..4], proof: &received };
        let items = [good, changed, good];
        ask(
            backends,
            || schnorr::verify(&changed).is_ok(),
            || schnorr::verify_batch(&items).is_ok(),
            || refused(schnorr::verify_each(&items)),
        )
    };
    case("seraphis-composition", made, 0, Box::new(judge))
}

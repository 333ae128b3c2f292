//! CLSAG against published vectors, mutations of them, and the published crate.

mod common;

use common::{Random, bytes32, each_backend, hex32, json_cases, text, truth};
use curve25519_lanes::proofs::clsag::{
    self, BatchError, Clsag, Field, RingMember, SignError, Statement, VerifyError, Witness,
};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar};
use serde_json::Value;

#[derive(Clone, Debug)]
struct Case {
    name: String,
    ring: Vec<RingMember>,
    key_image: [u8; 32],
    pseudo_out: [u8; 32],
    message: [u8; 32],
    signature: Clsag,
    expected: bool,
}

fn list32(value: &Value) -> Vec<[u8; 32]> {
    value.as_array().expect("a list").iter().map(|hex| hex32(hex.as_str().expect("hex digits"))).collect()
}

impl Case {
    /// From a `monero_*` file.
    fn new(case: &Value) -> Case {
        let ring = case["ring"].as_array().expect("a ring").iter().map(|member| {
            let [key, commitment] = list32(member).try_into().expect("pairs");
            RingMember { key, commitment }
        });
        Case {
            name: ["name", "mutation", "txid"]
                .iter()
                .find_map(|key| case[key].as_str())
                .unwrap_or_default()
                .to_string(),
            ring: ring.collect(),
            key_image: bytes32(case, "key_image"),
            pseudo_out: bytes32(case, "pseudo_out"),
            message: bytes32(case, "message"),
            signature: Clsag { s: list32(&case["s"]), c1: bytes32(case, "c1"), d: bytes32(case, "D") },
            expected: truth(case, "expected"),
        }
    }

    /// From a `seraphis_*` file.
    fn seraphis(case: &Value) -> Case {
        let (keys, commitments) = (list32(&case["ring_P"]), list32(&case["ring_C"]));
        let members = keys.into_iter().zip(commitments);
        Case {
            name: text(case, "note").to_string(),
            ring: members.map(|(key, commitment)| RingMember { key, commitment }).collect(),
            key_image: bytes32(case, "I"),
            pseudo_out: bytes32(case, "C_offset"),
            message: bytes32(case, "message"),
            signature: Clsag { s: list32(&case["s"]), c1: bytes32(case, "c1"), d: bytes32(case, "D") },
            expected: truth(case, "expect"),
        }
    }

    fn statement(&self) -> Statement<'_> {
        Statement {
            ring: &self.ring,
            key_image: &self.key_image,
            pseudo_out: &self.pseudo_out,
            message: &self.message,
            signature: &self.signature,
        }
    }

    fn verify(&self) -> Result<(), VerifyError> {
        clsag::verify(&self.statement())
    }

    /// The published crate's verdict. Unlike the network's function it refuses key images with a small-order part.
    fn peer(&self) -> bool {
        let point = |bytes: &[u8; 32]| monero_ed25519::CompressedPoint::from(*bytes);
        let ring = self.ring.iter().map(|member| [point(&member.key), point(&member.commitment)]).collect();
        let signature = monero_clsag::Clsag::read(self.signature.s.len(), &mut &self.signature.to_bytes()[..]);
        signature.is_ok_and(|signature| {
            signature.verify(ring, &point(&self.key_image), &point(&self.pseudo_out), &self.message).is_ok()
        })
    }
}

fn statements(cases: &[Case]) -> Vec<Statement<'_>> {
    cases.iter().map(Case::statement).collect()
}

fn cases(name: &str, read: fn(&Value) -> Case) -> Vec<Case> {
    json_cases(name).unwrap_or_default().iter().map(read).collect()
}

fn all_cases() -> Vec<Case> {
    let mut all = cases("monero_clsag.json", Case::new);
    all.extend(cases("monero_clsag_invalid.json", Case::new));
    all.extend(cases("seraphis_clsag.json", Case::seraphis));
    all
}

/// H, the base of amounts.
fn amount_base() -> EdwardsPoint {
    let h = hex32("8b655970153799af2aeadc9ff1add0ea6c7251d54154cfa92c173a0dd39c1f94");
    CompressedEdwardsY(h).decompress_strict().unwrap()
}

fn commit(amount: u64, mask: &Scalar) -> EdwardsPoint {
    Scalar::from(amount) * amount_base() + EdwardsPoint::mul_base(mask)
}

fn order_two() -> EdwardsPoint {
    let mut minus_one = [0xff; 32];
    (minus_one[0], minus_one[31]) = (0xec, 0x7f);
    CompressedEdwardsY(minus_one).decompress_strict().unwrap()
}

/// A point of order 8 (one of its encodings is well known).
fn order_eight() -> EdwardsPoint {
    let encoding = hex32("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
    CompressedEdwardsY(encoding).decompress_strict().unwrap()
}

/// What a signer has.
struct Signer {
    ring: Vec<RingMember>,
    index: usize,
    key: Scalar,
    amount: u64,
    mask: Scalar,
    pseudo_mask: Scalar,
    message: [u8; 32],
}

impl Signer {
    fn new(n: usize, index: usize, random: &mut Random) -> Signer {
        let [key, mask, pseudo_mask] = [(); 3].map(|()| Scalar::random(random));
        let amount = random.next();
        let mut ring: Vec<RingMember> = (0..n)
            .map(|_| RingMember {
                key: EdwardsPoint::mul_base(&Scalar::random(random)).compress().0,
                commitment: commit(random.next(), &Scalar::random(random)).compress().0,
            })
            .collect();
        ring[index] = RingMember {
            key: EdwardsPoint::mul_base(&key).compress().0,
            commitment: commit(amount, &mask).compress().0,
        };
        Signer { ring, index, key, amount, mask, pseudo_mask, message: random.bytes() }
    }

    fn witness(&self) -> Witness {
        Witness::new(self.index, self.key, self.mask - self.pseudo_mask)
    }

    fn pseudo_out(&self) -> [u8; 32] {
        commit(self.amount, &self.pseudo_mask).compress().0
    }

    fn case(&self, (signature, key_image): (Clsag, [u8; 32])) -> Case {
        Case {
            name: format!("ring of {}, signer {}", self.ring.len(), self.index),
            ring: self.ring.clone(),
            key_image,
            pseudo_out: self.pseudo_out(),
            message: self.message,
            signature,
            expected: true,
        }
    }

    fn sign(&self, random: &mut Random) -> Case {
        let made = clsag::sign(&self.ring, &self.pseudo_out(), &self.message, &self.witness(), random);
        self.case(made.unwrap())
    }

    fn peer_sign(&self, random: &mut Random) -> Case {
        let scalar = |s: &Scalar| monero_ed25519::Scalar::read(&mut &s.to_bytes()[..]).unwrap();
        let point = |bytes: &[u8; 32]| monero_ed25519::CompressedPoint::from(*bytes).decompress().unwrap();
        let ring: Vec<_> = self.ring.iter().map(|m| [point(&m.key), point(&m.commitment)]).collect();
        let decoys = monero_clsag::Decoys::new(vec![1; ring.len()], self.index as u8, ring).unwrap();
        let commitment = monero_ed25519::Commitment::new(scalar(&self.mask), self.amount);
        let context = monero_clsag::ClsagContext::new(decoys, commitment).unwrap();
        let inputs = vec![(zeroize::Zeroizing::new(scalar(&self.key)), context)];
        let mut made = monero_clsag::Clsag::sign(random, inputs, scalar(&self.pseudo_mask), self.message).unwrap();
        let (signature, pseudo_out) = made.pop().unwrap();
        assert_eq!(pseudo_out.compress().to_bytes(), self.pseudo_out());
        let mut bytes = Vec::new();
        signature.write(&mut bytes).unwrap();
        let base =
            curve25519_lanes::monero_hash_to_point(&curve25519_lanes::hash::keccak256(&self.ring[self.index].key));
        self.case((Clsag::from_bytes(&bytes, self.ring.len()).unwrap(), (self.key * base).compress().0))
    }
}

#[test]
fn vectors_alone_and_together() {
    let all = all_cases();
    each_backend(|id| {
        for case in &all {
            assert_eq!(case.verify().is_ok(), case.expected, "{id}: {}", case.name);
        }
        common::batches(&all, |_, some| {
            for (case, verdict) in some.iter().zip(clsag::verify_each(&statements(some))) {
                assert_eq!(verdict, case.verify(), "{id}: {}", case.name);
            }
        });
    });
    for case in &all {
        assert_eq!(case.peer(), case.expected, "{}", case.name);
        let bytes = case.signature.to_bytes();
        let n = case.signature.s.len();
        assert_eq!(Clsag::from_bytes(&bytes, n).as_ref(), Ok(&case.signature));
        for wrong in [&bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            assert!(Clsag::from_bytes(wrong, n).is_err());
        }
        assert!(Clsag::from_bytes(&bytes, n + 1).is_err() && Clsag::from_bytes(&bytes, usize::MAX).is_err());
    }
}

#[test]
fn known_answers() {
    for case in json_cases("monero_clsag.json").unwrap_or_default() {
        let secret = &case["secret"];
        if !secret["alpha"].is_string() {
            continue;
        }
        let known = Case::new(&case);
        let scalar = |name| Scalar::from_canonical_bytes(bytes32(secret, name)).unwrap();
        let index = secret["index"].as_u64().unwrap() as usize;
        // The responses of decoys are what was drawn for them.
        let drawn = known.signature.s.iter().map(|s| Scalar::from_canonical_bytes(*s).unwrap());
        let mut nonces = [scalar("alpha")].into_iter().chain(drawn);
        let witness = Witness::new(index, scalar("p"), scalar("t") - scalar("pseudo_mask"));
        let made = clsag::sign_with(&known.ring, &known.pseudo_out, &known.message, &witness, &mut || {
            nonces.next().expect("a nonce is left")
        });
        assert_eq!(made, Ok((known.signature.clone(), known.key_image)));
        assert_eq!(nonces.next(), None, "every nonce is used");
    }
}

/// Signs with every size of ring and, in small rings, at every place; both ways with the published crate, which draws its
/// random numbers in the same order.
#[test]
fn both_ways_with_the_published_crate() {
    let mut random = Random(7);
    let mut ours = Vec::new();
    for (n, step) in [(1, 1), (2, 1), (3, 1), (7, 3), (11, 5), (16, 5), (31, 30), (64, 21)] {
        for index in (0..n).step_by(step) {
            let signer = Signer::new(n, index, &mut random);
            let seed = random.next();
            let mine = signer.sign(&mut Random(seed));
            let theirs = signer.peer_sign(&mut Random(seed));
            assert_eq!((&mine.signature, mine.key_image), (&theirs.signature, theirs.key_image), "{}", mine.name);
            assert!(mine.peer() && mine.verify() == Ok(()), "{}", mine.name);
            ours.push(mine);
        }
    }
    assert_eq!(clsag::verify_batch(&statements(&ours)), Ok(()));
}

/// Rings that a careless or hostile signer may make, all valid by the network's rule: members repeated, with a small-order
/// part, of small order altogether; responses of zero.
#[test]
fn odd_but_valid() {
    let mut random = Random(9);
    let add = |bytes: &mut [u8; 32], t: EdwardsPoint| {
        *bytes = (CompressedEdwardsY(*bytes).decompress_strict().unwrap() + t).compress().0;
    };
    let mut made = Vec::new();
    for n in [2, 5, 16] {
        for index in [0, n / 2, n - 1] {
            let mut signer = Signer::new(n, index, &mut random);
            let other = (index + 1) % n;
            signer.ring[other] = signer.ring[index];
            made.push(signer.sign(&mut random));
            signer.ring[other].key = order_eight().compress().0;
            made.push(signer.sign(&mut random));
            signer.ring[other].key = EdwardsPoint::IDENTITY.compress().0;
            signer.ring[other].commitment = signer.pseudo_out();
            made.push(signer.sign(&mut random));
            let mut signer = Signer::new(n, index, &mut random);
            for (i, member) in signer.ring.iter_mut().enumerate().filter(|(i, _)| *i != index) {
                let t = if i % 2 == 0 { order_eight() } else { order_two() };
                add(&mut member.key, t);
                add(&mut member.commitment, -t);
            }
            made.push(signer.sign(&mut random));
            // The nonce is not zero, all responses but the signer's are.
            let mut first = true;
            let mut nonce = || if core::mem::take(&mut first) { Scalar::from(77u64) } else { Scalar::ZERO };
            let signature =
                clsag::sign_with(&signer.ring, &signer.pseudo_out(), &signer.message, &signer.witness(), &mut nonce);
            made.push(signer.case(signature.unwrap()));
            assert!(made.last().unwrap().signature.s.iter().enumerate().all(|(i, s)| (i == index) != (*s == [0; 32])));
        }
    }
    each_backend(|id| {
        for case in &made {
            assert_eq!(case.verify(), Ok(()), "{id}: {}", case.name);
        }
        assert_eq!(clsag::verify_batch(&statements(&made)), Ok(()), "{id}");
    });
    assert!(made.iter().all(Case::peer));
}

#[test]
fn what_can_not_be_signed() {
    let mut random = Random(11);
    let signer = Signer::new(5, 3, &mut random);
    let sign = |ring: &[RingMember], pseudo_out: &[u8; 32], witness: &Witness| {
        clsag::sign(ring, pseudo_out, &[0; 32], witness, &mut Random(1)).map(|_| ())
    };
    let (ring, pseudo_out) = (&signer.ring, &signer.pseudo_out());
    let z = signer.mask - signer.pseudo_mask;
    assert_eq!(sign(ring, pseudo_out, &signer.witness()), Ok(()));
    assert_eq!(sign(&[], pseudo_out, &signer.witness()), Err(SignError::Index));
    assert_eq!(sign(ring, pseudo_out, &Witness::new(5, signer.key, z)), Err(SignError::Index));
    assert_eq!(sign(ring, pseudo_out, &Witness::new(2, signer.key, z)), Err(SignError::Key));
    assert_eq!(sign(ring, pseudo_out, &Witness::new(3, signer.key + Scalar::ONE, z)), Err(SignError::Key));
    assert_eq!(sign(ring, pseudo_out, &Witness::new(3, signer.key, z + Scalar::ONE)), Err(SignError::Mask));
    let mut bad = ring.clone();
    bad[4].commitment = [0xff; 32];
    assert_eq!(sign(&bad, pseudo_out, &signer.witness()), Err(SignError::Point(Field::Commitment(4))));
    bad[0].key = [0xff; 32];
    assert_eq!(sign(&bad, pseudo_out, &signer.witness()), Err(SignError::Point(Field::Key(0))));
    assert_eq!(sign(&bad, &[0xff; 32], &signer.witness()), Err(SignError::Point(Field::PseudoOut)));
    // Nothing would tell key images apart, or D would be refused.
    let mut own = ring.clone();
    own[3].key = EdwardsPoint::IDENTITY.compress().0;
    assert_eq!(sign(&own, pseudo_out, &Witness::new(3, Scalar::ZERO, z)), Err(SignError::Key));
    let own_commitment = &ring[3].commitment;
    assert_eq!(sign(ring, own_commitment, &Witness::new(3, signer.key, Scalar::ZERO)), Err(SignError::Mask));
}

/// 32 bytes that are no canonical encoding of a point.
const NO_POINT: [u8; 32] = [0xff; 32];

/// 32 bytes that are no scalar below l: l itself.
fn order() -> [u8; 32] {
    hex32("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
}

/// Everything about a statement and signature changed once.
fn mutations(case: &Case) -> Vec<(String, Case, Option<VerifyError>)> {
    let mut out = Vec::new();
    let mut push = |name: String, error: Option<VerifyError>, change: &dyn Fn(&mut Case)| {
        let mut mutated = case.clone();
        change(&mut mutated);
        out.push((name, mutated, error));
    };
    let n = case.ring.len();
    type Get = Box<dyn Fn(&mut Case) -> &mut [u8; 32]>;
    let mut points: Vec<(Field, Get)> = vec![
        (Field::PseudoOut, Box::new(|c| &mut c.pseudo_out)),
        (Field::KeyImage, Box::new(|c| &mut c.key_image)),
        (Field::D, Box::new(|c| &mut c.signature.d)),
    ];
    let mut scalars: Vec<(Field, Get)> = vec![(Field::C1, Box::new(|c| &mut c.signature.c1))];
    for i in 0..n {
        points.push((Field::Key(i), Box::new(move |c| &mut c.ring[i].key)));
        points.push((Field::Commitment(i), Box::new(move |c| &mut c.ring[i].commitment)));
        scalars.push((Field::Response(i), Box::new(move |c| &mut c.signature.s[i])));
    }
    for (field, get) in &points {
        push(format!("{field}: no point"), Some(VerifyError::Point(*field)), &|c| *get(c) = NO_POINT);
        push(format!("{field}: another point"), None, &|c| {
            *get(c) = EdwardsPoint::mul_base(&Scalar::from(5u64)).compress().0;
        });
        for t in [order_two(), order_eight()] {
            push(format!("{field}: plus torsion"), None, &|c| {
                let bytes = get(c);
                *bytes = (CompressedEdwardsY(*bytes).decompress_strict().unwrap() + t).compress().0;
            });
        }
    }
    for (field, get) in &scalars {
        push(format!("{field}: not canonical"), Some(VerifyError::Scalar(*field)), &|c| *get(c) = order());
        push(format!("{field}: all bits"), Some(VerifyError::Scalar(*field)), &|c| *get(c) = [0xff; 32]);
        push(format!("{field}: plus one"), None, &|c| {
            let bytes = get(c);
            *bytes = (Scalar::from_canonical_bytes(*bytes).unwrap() + Scalar::ONE).to_bytes();
        });
        push(format!("{field}: zero"), None, &|c| *get(c) = [0; 32]);
    }
    let identity = EdwardsPoint::IDENTITY.compress().0;
    push("identity image".into(), Some(VerifyError::IdentityImage), &|c| c.key_image = identity);
    push("image of small order".into(), None, &|c| c.key_image = order_eight().compress().0);
    for d in [EdwardsPoint::IDENTITY, order_two(), order_eight()] {
        push("D of small order".into(), Some(VerifyError::SmallOrderD), &|c| c.signature.d = d.compress().0);
    }
    push("message".into(), None, &|c| c.message[31] ^= 0x80);
    push("ring missing".into(), Some(VerifyError::EmptyRing), &|c| {
        c.ring.clear();
        c.signature.s.clear();
    });
    let responses = |found, expected| Some(VerifyError::Responses { found, expected });
    push("response missing".into(), responses(n - 1, n).filter(|_| n > 0), &|c| c.signature.s.truncate(n - 1));
    push("response too many".into(), responses(n + 1, n), &|c| c.signature.s.push([1; 32]));
    push("member too many".into(), responses(n, n + 1), &|c| c.ring.push(c.ring[0]));
    push("member and response too many".into(), None, &|c| {
        c.ring.push(c.ring[0]);
        c.signature.s.push(c.signature.s[0]);
    });
    push("responses rotated, or plus one".into(), None, &|c| {
        c.signature.s.rotate_left(1);
        if n == 1 {
            c.signature.s[0][0] ^= 1;
        }
    });
    if n > 1 {
        for i in 0..n - 1 {
            push(format!("members {i} and {} exchanged", i + 1), None, &|c| c.ring.swap(i, i + 1));
            push(format!("member {i} repeated"), None, &|c| c.ring[i + 1] = c.ring[i]);
        }
        push("ring rotated with its responses".into(), None, &|c| {
            c.ring.rotate_left(1);
            c.signature.s.rotate_left(1);
        });
        push("ring reversed".into(), None, &|c| c.ring.reverse());
        push("keys exchanged with commitments".into(), None, &|c| {
            c.ring.iter_mut().for_each(|m| core::mem::swap(&mut m.key, &mut m.commitment));
        });
    }
    out
}

#[test]
fn every_mutation_is_refused_alone_and_in_a_batch() {
    let mut random = Random(5);
    let valid: Vec<Case> = [(16, 4), (1, 0), (2, 1), (5, 2)]
        .into_iter()
        .map(|(n, index)| Signer::new(n, index, &mut random).sign(&mut random))
        .collect();
    let mut mutated = Vec::new();
    for case in &valid {
        for (name, changed, error) in mutations(case) {
            let found = changed.verify().expect_err(&name);
            assert_eq!(found, error.unwrap_or(found), "{name}");
            // What the peer calls good must be good.
            assert!(!changed.peer(), "{name}");
            let batch = [valid[0].statement(), changed.statement(), case.statement()];
            assert_eq!(clsag::verify_batch(&batch), Err(BatchError::Item { index: 1, error: found }), "{name}");
            mutated.push((changed, found));
        }
    }
    // All of them between good ones: a fault spoils no neighbour.
    let mixed: Vec<Statement> =
        mutated.iter().flat_map(|(changed, _)| [changed.statement(), valid[2].statement()]).collect();
    each_backend(|id| {
        for ((_, error), verdicts) in mutated.iter().zip(clsag::verify_each(&mixed).chunks(2)) {
            assert_eq!(verdicts, [Err(*error), Ok(())], "{id}");
        }
    });
}

#[test]
fn bad_signatures_among_64_are_named() {
    let mut random = Random(6);
    let good: Vec<Case> = (0..4).map(|index| Signer::new(16 - index, index, &mut random).sign(&mut random)).collect();
    let batch: Vec<Case> = good.iter().cycle().take(64).cloned().collect();
    assert_eq!(clsag::verify_batch(&statements(&batch)), Ok(()));
    let wrong = |case: &mut Case| case.message[0] ^= 1;
    let malformed = |case: &mut Case| case.ring[3].key = NO_POINT;
    for at in [0, 1, 2, 15, 16, 31, 32, 47, 48, 62, 63] {
        for (change, error) in
            [(wrong as fn(&mut Case), VerifyError::Equation), (malformed, VerifyError::Point(Field::Key(3)))]
        {
            let mut batch = batch.clone();
            change(&mut batch[at]);
            let verdicts = clsag::verify_each(&statements(&batch));
            for (i, verdict) in verdicts.into_iter().enumerate() {
                assert_eq!(verdict, if i == at { Err(error) } else { Ok(()) });
            }
            assert_eq!(clsag::verify_batch(&statements(&batch)), Err(BatchError::Item { index: at, error }));
        }
    }
}

#[test]
fn batches_of_any_shape() {
    assert_eq!(clsag::verify_batch(&[]), Err(BatchError::Empty));
    assert_eq!(clsag::verify_each(&[]), []);
    let mut random = Random(8);
    // Rings around the number of members taken together, and among many small ones.
    let sizes: Vec<usize> = (0..40).map(|i| [1, 2, 3, 5, 16, 64, 200][i * i % 7]).collect();
    let made: Vec<Case> = sizes.iter().map(|&n| Signer::new(n, n / 3, &mut random).sign(&mut random)).collect();
    common::batches(&made, |_, some| assert_eq!(clsag::verify_batch(&statements(some)), Ok(())));
    let large = Signer::new(1300, 1100, &mut random).sign(&mut random);
    let mut changed = large.clone();
    changed.signature.s[1299][0] ^= 1;
    assert_eq!(large.verify(), Ok(()));
    assert_eq!(
        clsag::verify_each(&[made[0].statement(), changed.statement(), large.statement(), made[4].statement()]),
        [Ok(()), Err(VerifyError::Equation), Ok(()), Ok(())]
    );
}

//! Verdicts on batches: proofs of our own provers, three of which don't belong to their statements.

use curve25519_lanes::proofs::bulletproofs_plus::monero;
use curve25519_lanes::proofs::clsag::{self, RingMember};
use curve25519_lanes::proofs::grootle::{self, Form, System};
use curve25519_lanes::proofs::monero_signatures::{Signature, verify_batch as verify_signatures};
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::{self, Secrets};
use curve25519_lanes::proofs::triptych;
use curve25519_lanes::{EdwardsPoint, Scalar};
use rand_chacha::ChaCha12Rng;
use rand_core::SeedableRng;

use super::Matrix;

/// Items, and which of them are bad.
const ITEMS: usize = 17;
const BAD: [usize; 3] = [3, 8, 16];
const SIZES: &[usize] = &[0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17];

fn small(k: u64) -> Scalar {
    Scalar::from(k)
}

fn point(k: u64) -> [u8; 32] {
    EdwardsPoint::mul_base(&small(k)).compress().0
}

/// What is signed by item `i`, and what is claimed.
fn messages(i: usize) -> ([u8; 32], [u8; 32]) {
    ([i as u8; 32], if BAD.contains(&i) { [0xbb; 32] } else { [i as u8; 32] })
}

/// A batch of nothing is not valid.
fn good(window: std::ops::Range<usize>) -> bool {
    !window.is_empty() && !BAD.iter().any(|bad| window.contains(bad))
}

fn each_good(window: std::ops::Range<usize>) -> Vec<bool> {
    window.map(|i| !BAD.contains(&i)).collect()
}

pub(super) fn run(matrix: &mut Matrix) {
    (matrix.sizes, matrix.spread) = (SIZES, ITEMS);
    let mut rng = ChaCha12Rng::from_seed([7; 32]);

    let proofs: Vec<(Vec<[u8; 32]>, monero::RangeProof)> = (0..ITEMS)
        .map(|i| {
            let opening = |k: usize| monero::Opening::new(u64::MAX >> i, small((10 * i + k + 1) as u64));
            let openings: Vec<monero::Opening> = (0..i % 3 + 1).map(opening).collect();
            let mut commitments: Vec<[u8; 32]> = openings.iter().map(|o| o.commit().0).collect();
            if BAD.contains(&i) {
                commitments[0] = point(5);
            }
            (commitments, monero::prove(&openings, &mut rng).expect("a few outputs"))
        })
        .collect();
    let items: Vec<monero::Statement<'_>> =
        proofs.iter().map(|(commitments, proof)| monero::Statement { commitments, proof }).collect();
    matrix.check("proofs/bulletproofs_plus/monero/verify.rs verify_batch", &[], good, |w| {
        monero::verify_batch(&items[w]).is_ok()
    });
    matrix.check("proofs/bulletproofs_plus/monero/verify.rs find_invalid", &[], each_good, |w| {
        let found = monero::find_invalid(&items[w.clone()]);
        (0..w.len()).map(|i| !found.contains(&i)).collect()
    });

    let ring: Vec<RingMember> = (1..=3).map(|k| RingMember { key: point(k), commitment: point(100 + k) }).collect();
    let witness = clsag::Witness::new(1, small(2), small(2));
    let signed: Vec<_> = (0..ITEMS)
        .map(|i| clsag::sign(&ring, &point(100), &messages(i).0, &witness, &mut rng).expect("the witness fits"))
        .collect();
    let (pseudo_out, claimed) = (point(100), (0..ITEMS).map(|i| messages(i).1).collect::<Vec<_>>());
    let items: Vec<clsag::Statement<'_>> = (signed.iter().zip(&claimed))
        .map(|((signature, key_image), message)| clsag::Statement {
            ring: &ring,
            key_image,
            pseudo_out: &pseudo_out,
            message,
            signature,
        })
        .collect();
    matrix.check("proofs/clsag/verify.rs verify_batch", &[], good, |w| clsag::verify_batch(&items[w]).is_ok());
    matrix.check("proofs/clsag/verify.rs verify_each", &[], each_good, |w| {
        clsag::verify_each(&items[w]).iter().map(Result::is_ok).collect()
    });

    let shape = Shape::new(2, 2).expect("allowed");
    let ring: Vec<[u8; 32]> = (1..=4).flat_map(|k| [point(k), point(100 + k)]).collect();
    let witness = triptych::Witness { index: 2, key: small(3), commitment: small(3) };
    let (offset, tag) = (point(100), witness.tag().compress().0);
    let proofs: Vec<triptych::Proof> = (0..ITEMS)
        .map(|i| triptych::prove(&shape, &messages(i).0, &ring, &offset, &witness, &mut rng).expect("the witness fits"))
        .collect();
    let items: Vec<triptych::Statement<'_>> = (proofs.iter().zip(&claimed))
        .map(|(proof, message)| triptych::Statement { shape, message: *message, ring: &ring, offset, tag, proof })
        .collect();
    matrix.check("proofs/triptych/verify.rs verify_batch", &[], good, |w| triptych::verify_batch(&items[w]).is_ok());

    for form in [Form::Concise, Form::Plain] {
        let system = System::new(form, 2, 2, 2).expect("allowed");
        let mut ring: Vec<[u8; 32]> = (1..=8).map(|k| point(10 + k)).collect();
        let offsets = [point(100), point(200)];
        [ring[4], ring[5]] = [point(105), point(206)];
        let witness = grootle::Witness { index: 2, secrets: &[small(5), small(6)] };
        let proofs: Vec<grootle::Proof> = (0..ITEMS)
            .map(|i| system.prove(&messages(i).0, &ring, &offsets, &witness, &mut rng).expect("the witness fits"))
            .collect();
        let items: Vec<grootle::Statement<'_>> = (proofs.iter().zip(&claimed))
            .map(|(proof, m)| grootle::Statement { system, message: *m, ring: &ring, offsets: &offsets, proof })
            .collect();
        matrix.check("proofs/grootle/verify.rs verify_batch", &[], good, |w| grootle::verify_batch(&items[w]).is_ok());
    }

    let secrets = [1, 4].map(|k| Secrets { x: small(k), y: small(k + 1), z: small(k + 2) });
    let (keys, tags) =
        (secrets.each_ref().map(|s| s.key().compress().0), secrets.each_ref().map(|s| s.tag().compress().0));
    let proofs: Vec<_> =
        (0..ITEMS).map(|i| schnorr::prove(&messages(i).0, &secrets, &mut rng).expect("nothing is zero")).collect();
    let items: Vec<schnorr::Statement<'_>> = (proofs.iter().zip(&claimed))
        .map(|(proof, message)| schnorr::Statement { message: *message, keys: &keys, tags: &tags, proof })
        .collect();
    matrix.check("proofs/schnorr/verify.rs verify_batch", &[], good, |w| schnorr::verify_batch(&items[w]).is_ok());
    matrix.check("proofs/schnorr/verify.rs verify_each", &[], each_good, |w| {
        schnorr::verify_each(&items[w]).iter().map(Result::is_ok).collect()
    });

    let items: Vec<([u8; 32], [u8; 32], Signature)> = (0..ITEMS)
        .map(|i| {
            let (message, claimed) = messages(i);
            let secret = small(i as u64 + 2);
            (claimed, point(i as u64 + 2), Signature::sign(&message, &secret, &mut rng))
        })
        .collect();
    matrix.check("proofs/monero_signatures/plain.rs verify_batch", &[], each_good, |w| {
        verify_signatures(&items[w]).iter().map(Result::is_ok).collect()
    });
}

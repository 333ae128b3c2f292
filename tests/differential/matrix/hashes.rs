//! Hashes of many messages.

use ark_ff::{BigInteger, PrimeField};
use blake2::Digest;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::hash::poseidon2::{self, Fr};
use curve25519_lanes::hash::{blake2b_256_batch, keccak256_batch, keccak256_batch_on};
use curve25519_lanes::tx::mantle::{Variant, tx_hash, tx_hash_batch};

use super::super::common::Random;
use super::super::inputs::edges;
use super::Matrix;

const LARGE: &[usize] = &[127, 128, 129];
/// Around blocks of Keccak-256 (136 bytes) and BLAKE2b (128 bytes, with and without the prefix), and words.
const LENGTHS: &[usize] =
    &[0, 1, 7, 8, 31, 32, 33, 64, 105, 106, 127, 128, 129, 134, 135, 136, 137, 256, 257, 271, 272, 273];

fn theirs(x: &Fr) -> ark_bn254::Fr {
    ark_bn254::Fr::from_le_bytes_mod_order(&x.to_bytes())
}

fn bytes(x: &ark_bn254::Fr) -> [u8; 32] {
    x.into_bigint().to_bytes_le().try_into().expect("32 bytes")
}

/// Poseidon2's permutation of each state by somebody else, against ours of all of them.
fn permutations<const T: usize>(
    matrix: &mut Matrix,
    elements: &[Fr],
    peer: impl Fn(&[ark_bn254::Fr; T]) -> [ark_bn254::Fr; T],
) {
    let states: Vec<[Fr; T]> =
        (0..200).map(|i| std::array::from_fn(|j| elements[(i + 7 * j) % elements.len()])).collect();
    let expected: Vec<[[u8; 32]; T]> =
        states.iter().map(|state| peer(&state.each_ref().map(theirs)).each_ref().map(bytes)).collect();
    let out = |states: &[[Fr; T]]| states.iter().map(|state| state.each_ref().map(Fr::to_bytes)).collect();
    matrix.each("hash/poseidon2/mod.rs permute_batch", LARGE, &expected, |w| {
        let mut states = states[w].to_vec();
        poseidon2::permute_batch(&mut states);
        out(&states)
    });
    matrix.each("hash/poseidon2/mod.rs permute_batch_on", LARGE, &expected, |w| {
        let (mut some, id) = (states[w].to_vec(), BackendId::current());
        if !poseidon2::permute_batch_on(id, &mut some) {
            assert!(id != BackendId::Portable && id != BackendId::Ifma, "{id} has no permutation");
            some.iter_mut().for_each(poseidon2::permute);
        }
        out(&some)
    });
    matrix.each("hash/poseidon2/mod.rs permute", &[], &expected, |w| {
        let mut states = states[w].to_vec();
        states.iter_mut().for_each(poseidon2::permute);
        out(&states)
    });
}

/// The hash by the peer's permutation: each element and a one are added before a permutation.
fn hash(elements: &[Fr]) -> [u8; 32] {
    let mut state = [ark_bn254::Fr::from(0u64); 3];
    for element in elements.iter().map(theirs).chain([ark_bn254::Fr::from(1u64)]) {
        state[0] += element;
        state = taceo_poseidon2::bn254::t3::permutation(&state);
    }
    bytes(&state[0])
}

pub(super) fn run(matrix: &mut Matrix) {
    let mut random = Random(17);
    let messages: Vec<Vec<u8>> = (0..200)
        .map(|i| {
            // Runs of one length as well as changing ones.
            let place = if i % 40 < 20 { i / 40 } else { random.below(LENGTHS.len()) };
            (0..LENGTHS[place]).map(|_| random.next() as u8).collect()
        })
        .collect();
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let digests = |count: usize| vec![[0u8; 32]; count];

    let expected: Vec<[u8; 32]> = slices.iter().map(|m| sha3::Keccak256::digest(m).into()).collect();
    matrix.each("hash/keccak_lanes.rs keccak256_batch", LARGE, &expected, |w| {
        let mut out = digests(w.len());
        keccak256_batch(&slices[w], &mut out);
        out
    });
    matrix.each("hash/keccak_lanes.rs keccak256_batch_on", LARGE, &expected, |w| {
        let mut out = digests(w.len());
        if !keccak256_batch_on(BackendId::current(), &slices[w.clone()], &mut out) {
            assert!(out.iter().all(|digest| *digest == [0; 32]), "refused, and written to");
            keccak256_batch(&slices[w], &mut out);
        }
        out
    });

    type Blake2b256 = blake2::Blake2b<blake2::digest::consts::U32>;
    let prefix = b"some domain";
    let blake = |m: &[u8]| -> [u8; 32] { Blake2b256::new().chain_update(prefix).chain_update(m).finalize().into() };
    let expected: Vec<[u8; 32]> = slices.iter().map(|m| blake(m)).collect();
    matrix.each("hash/blake2b.rs blake2b_256_batch", LARGE, &expected, |w| {
        let mut out = digests(w.len());
        blake2b_256_batch(prefix, &slices[w], &mut out);
        out
    });

    let elements: Vec<Fr> =
        edges().iter().chain(&[random.bytes(), random.bytes()]).map(Fr::from_bytes_reduced).collect();
    permutations::<2>(matrix, &elements, taceo_poseidon2::bn254::t2::permutation);
    permutations::<3>(matrix, &elements, taceo_poseidon2::bn254::t3::permutation);
    permutations::<4>(matrix, &elements, taceo_poseidon2::bn254::t4::permutation);
    let lists: Vec<Vec<Fr>> =
        (0..200).map(|i| (0..random.below(5)).map(|j| elements[(i + j) % elements.len()]).collect()).collect();
    let expected: Vec<[u8; 32]> = lists.iter().map(|list| hash(list)).collect();
    let lists: Vec<&[Fr]> = lists.iter().map(Vec::as_slice).collect();
    let encoded = |out: Vec<Fr>| out.iter().map(Fr::to_bytes).collect::<Vec<_>>();
    matrix.each("hash/poseidon2/mod.rs hash_batch", LARGE, &expected, |w| {
        let mut out = vec![Fr::ZERO; w.len()];
        poseidon2::hash_batch(&lists[w], &mut out);
        encoded(out)
    });
    matrix.each("hash/poseidon2/mod.rs hash", &[], &expected, |w| {
        lists[w].iter().map(|list| poseidon2::hash(list).to_bytes()).collect()
    });
    let pairs: Vec<[Fr; 2]> = (0..200).map(|i| [0, 11].map(|j| elements[(i + j) % elements.len()])).collect();
    let expected: Vec<[u8; 32]> = (pairs.iter())
        .map(|[a, b]| {
            bytes(&taceo_poseidon2::bn254::t3::permutation(&[theirs(a), theirs(b), ark_bn254::Fr::from(0u64)])[0])
        })
        .collect();
    matrix.each("hash/poseidon2/mod.rs compress_batch", LARGE, &expected, |w| {
        let mut out = vec![Fr::ZERO; w.len()];
        poseidon2::compress_batch(&pairs[w], &mut out);
        encoded(out)
    });
    matrix.each("hash/poseidon2/mod.rs merkle_layer", LARGE, &expected, |w| {
        let mut out = vec![Fr::ZERO; w.len()];
        poseidon2::merkle_layer(pairs[w].as_flattened(), &mut out);
        encoded(out)
    });

    // Variants by the single form, which the vectors check.
    for &variant in Variant::ALL {
        let expected: Vec<[u8; 32]> = slices.iter().map(|m| tx_hash(variant, m)).collect();
        matrix.each("tx/mantle/hash.rs tx_hash_batch", LARGE, &expected, |w| {
            let mut out = digests(w.len());
            tx_hash_batch(variant, &slices[w], &mut out);
            out
        });
    }
}

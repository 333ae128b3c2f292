use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::constants::Parameters;
use super::*;
use crate::field::bn254::P;
use crate::test_util::{Random, each_backend, vectors};

const FILE: &str = "poseidon2_bn254.json";

fn element(x: &Value) -> Fr {
    match x.as_u64() {
        Some(x) => Fr::from(x),
        None => {
            let hex = x.as_str().unwrap().strip_prefix("0x").unwrap();
            let mut bytes: [u8; 32] = core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap());
            bytes.reverse();
            Fr::from_bytes(&bytes).unwrap()
        }
    }
}

fn list(x: &Value) -> Vec<Fr> {
    x.as_array().unwrap().iter().map(element).collect()
}

/// All round constants in the order they are drawn, then the diagonal.
fn constants<const T: usize>() -> (Vec<Fr>, Vec<Fr>) {
    let Parameters { external, internal, diagonal } = Parameters::<T>::VALUE;
    let (first, last) = external.split_at(4);
    let rounds = first.as_flattened().iter().chain(internal).chain(last.as_flattened());
    (rounds.map(|c| c.element()).collect(), diagonal.iter().map(|c| c.element()).collect())
}

/// The compile-time generator against the published list and the digests of all lists.
#[test]
fn constants_are_the_published_ones() {
    let Some(file) = vectors(FILE) else { return };
    let all = [(2, constants::<2>()), (3, constants::<3>()), (4, constants::<4>())];
    for (t, (rounds, diagonal)) in &all {
        assert_eq!(rounds.len(), 8 * t + 56);
        let big_endian: Vec<u8> = rounds.iter().flat_map(|x| x.to_bytes().into_iter().rev()).collect();
        use sha2::Digest;
        let digest: String = sha2::Sha256::digest(&big_endian).iter().map(|b| alloc::format!("{b:02x}")).collect();
        assert_eq!(digest, file["round_constants_digest"][alloc::format!("t{t}")].as_str().unwrap(), "t = {t}");
        assert_eq!(*diagonal, list(&file["internal_diag_minus_1"][alloc::format!("t{t}")]), "t = {t}");
    }
    let published = &file["round_constants_t3"];
    let external: Vec<Fr> = published["external"].as_array().unwrap().iter().flat_map(list).collect();
    let expected = [&external[..12], &list(&published["internal"])[..], &external[12..]].concat();
    assert_eq!(all[1].1.0, expected);
}

/// The same list drawn by the plainest program there is: bits in a list, numbers by doubling.
#[test]
fn constants_are_from_the_lfsr() {
    fn check<const T: usize>() {
        let mut bits: Vec<u8> = Vec::new();
        for (value, width) in [(1, 2), (0, 4), (254, 12), (T, 12), (8, 10), (56, 10), ((1 << 30) - 1, 30)] {
            bits.extend((0..width).rev().map(|i| (value >> i & 1) as u8));
        }
        assert_eq!(bits.len(), 80);
        let mut clock = move || {
            let bit = [62, 51, 38, 23, 13, 0].iter().fold(0, |x, &tap| x ^ bits[tap]);
            bits.remove(0);
            bits.push(bit);
            bit
        };
        (0..160).for_each(|_| _ = clock());
        let mut draw = || {
            let mut bytes = [0u8; 32];
            let mut place = 254;
            while place > 0 {
                let (keep, bit) = (clock(), clock());
                if keep == 1 {
                    place -= 1;
                    bytes[place / 8] |= bit << (place % 8);
                }
            }
            bytes
        };
        let (rounds, diagonal) = constants::<T>();
        for expected in rounds {
            let x = loop {
                if let Ok(x) = Fr::from_bytes(&draw()) {
                    break x;
                }
            };
            assert_eq!(x, expected, "t = {T}");
        }
        if T == 4 {
            (0..16).for_each(|_| _ = draw());
            for expected in diagonal {
                assert_eq!(Fr::from_bytes_reduced(&draw()) - Fr::ONE, expected);
            }
        }
    }
    check::<2>();
    check::<3>();
    check::<4>();
}

#[test]
fn published_permutations() {
    let Some(file) = vectors(FILE) else { return };
    fn check<const T: usize>(case: &Value) {
        let mut state: [Fr; T] = list(&case["in"]).try_into().unwrap();
        permute(&mut state);
        assert_eq!(state[..], list(&case["out"])[..], "{case}");
    }
    let cases = file["permutations"].as_array().unwrap();
    for case in cases {
        match case["t"].as_u64().unwrap() {
            2 => check::<2>(case),
            3 => check::<3>(case),
            4 => check::<4>(case),
            t => panic!("t = {t}"),
        }
    }
    assert_eq!(cases.len(), 18);
}

#[test]
fn published_hashes_and_compressions() {
    let Some(file) = vectors(FILE) else { return };
    let cases = file["hash_mode"].as_array().unwrap();
    assert_eq!(cases.len(), 27);
    let inputs: Vec<Vec<Fr>> = cases.iter().map(|case| list(&case["in"])).collect();
    let expected: Vec<Fr> = cases.iter().map(|case| element(&case["out"])).collect();
    let mut out = alloc::vec![Fr::ZERO; cases.len()];
    hash_batch(&inputs.iter().map(|x| &x[..]).collect::<Vec<_>>(), &mut out);
    assert_eq!(out, expected);
    for (input, expected) in inputs.iter().zip(expected) {
        assert_eq!(hash(input), expected);
    }

    let cases = file["compress_mode"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let pair = list(&case["in"]);
        let expected = element(&case["out"]);
        assert_eq!(compress(pair[0], pair[1]), expected);
        let mut layer = [Fr::ZERO; 70];
        merkle_layer(&pair.repeat(70), &mut layer);
        assert_eq!(layer, [expected; 70]);
    }
}

fn oracle(x: &Fr) -> ark_bn254::Fr {
    ark_ff::PrimeField::from_le_bytes_mod_order(&x.to_bytes())
}

fn of_oracle(x: &ark_bn254::Fr) -> Fr {
    use ark_ff::{BigInteger, PrimeField};
    Fr::from_bytes(&x.into_bigint().to_bytes_le().try_into().unwrap()).unwrap()
}

/// Every count of states around the lane widths, every state different, edge values among them.
fn against_peer<const T: usize>(peer: fn(&[ark_bn254::Fr; T]) -> [ark_bn254::Fr; T]) {
    let mut random = Random::new(T as u64);
    let mut minus_one = [0; 32];
    minus_one.chunks_mut(8).zip(P).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    minus_one[0] -= 1;
    let edges = [Fr::ZERO, Fr::ONE, Fr::from_bytes(&minus_one).unwrap(), Fr::from(u64::MAX)];
    let states: Vec<[Fr; T]> = (0..40)
        .map(|i| {
            core::array::from_fn(|j| match i {
                0..20 => edges[(i * T + j * j) % 4],
                _ => Fr::from_bytes_reduced(&random.bytes()),
            })
        })
        .collect();
    let expected: Vec<[Fr; T]> =
        states.iter().map(|state| peer(&state.each_ref().map(oracle)).each_ref().map(of_oracle)).collect();
    each_backend(|backend| {
        for count in 0..=33 {
            let mut some = states[40 - count..].to_vec();
            assert!(permute_batch_on(backend, &mut some));
            assert_eq!(some, expected[40 - count..], "{backend}, {count} states");
        }
        let mut some = states.clone();
        assert!(permute_batch_on(backend, &mut some));
        assert_eq!(some, expected, "{backend}");
    });
    let mut one = states[39];
    permute(&mut one);
    assert_eq!(one, expected[39]);
}

#[test]
fn permutations_against_taceo() {
    against_peer::<2>(taceo_poseidon2::bn254::t2::permutation);
    against_peer::<3>(taceo_poseidon2::bn254::t3::permutation);
    against_peer::<4>(taceo_poseidon2::bn254::t4::permutation);
}

#[test]
fn batches_equal_single_calls() {
    let mut random = Random::new(9);
    let elements: Vec<Fr> = (0..200).map(|_| Fr::from_bytes_reduced(&random.bytes())).collect();
    for count in [0, 1, 2, 7, 8, 9, 16, 17, 25] {
        let inputs: Vec<&[Fr]> = (0..count).map(|i| &elements[i..i + i * 5 % 7]).collect();
        let mut out = alloc::vec![Fr::ZERO; count];
        hash_batch(&inputs, &mut out);
        assert!(out.iter().zip(&inputs).all(|(out, input)| *out == hash(input)));
    }
    for count in [0, 1, 5, 63, 64, 65, 100] {
        let mut out = alloc::vec![Fr::ZERO; count];
        merkle_layer(&elements[..2 * count], &mut out);
        assert!(out.iter().enumerate().all(|(i, out)| *out == compress(elements[2 * i], elements[2 * i + 1])));
    }
}

//! `monero_crypto_tests.txt`, the operations on scalars and points, and `monero_check_torsion.txt`.

use std::collections::BTreeMap;

use curve25519_lanes::hash::{keccak256, keccak256_batch};
use curve25519_lanes::msm;
use curve25519_lanes::{
    CompressedEdwardsY, EdwardsPoint, Scalar, compress_batch, decompress_batch_strict, monero_hash_to_point,
    monero_hash_to_point_batch, monero_map, try_decompress_batch_strict,
};

use super::common::{batches, each_backend, hex, hex32, vectors};

/// Operations made of the ones tested here and Monero's own hashing: they are tested with the wallet and its signatures.
const OF_LATER_LAYERS: [&str; 7] = [
    "check_ring_signature",
    "check_signature",
    "derive_public_key",
    "derive_secret_key",
    "derive_view_tag",
    "generate_key_derivation",
    "generate_signature",
];

/// The lines of a file by operation, without it, split into fields.
pub(super) type Lines = BTreeMap<String, Vec<Vec<String>>>;

pub(super) fn lines(name: &str) -> Option<Lines> {
    let mut lines = Lines::new();
    for line in vectors(name)?.lines() {
        let mut fields = line.split(' ').map(String::from);
        let operation = fields.next().expect("an operation");
        lines.entry(operation).or_default().push(fields.collect());
    }
    Some(lines)
}

pub(super) fn column(lines: &[Vec<String>], field: usize) -> Vec<[u8; 32]> {
    lines.iter().map(|fields| hex32(&fields[field])).collect()
}

pub(super) fn truth(field: &str) -> bool {
    match field {
        "true" => true,
        "false" => false,
        _ => panic!("{field} is no truth value"),
    }
}

pub(super) fn canonical(bytes: [u8; 32]) -> Option<Scalar> {
    Option::from(Scalar::from_canonical_bytes(bytes))
}

fn encodings(points: &[EdwardsPoint]) -> Vec<[u8; 32]> {
    let encodings = compress_batch(points);
    assert!(points.iter().zip(&encodings).all(|(p, encoding)| p.compress().0 == *encoding));
    encodings
}

#[test]
fn crypto_tests() {
    let Some(all) = lines("monero_crypto_tests.txt") else { return };
    let total: usize = all.values().map(Vec::len).sum();
    each_backend(|id| {
        let mut seen = 0;
        for (operation, lines) in &all {
            match operation.as_str() {
                "check_scalar" => check_scalar(lines),
                "hash_to_scalar" => hash_to_scalar(lines),
                "generate_keys" => {
                    let secrets = column(lines, 1).into_iter().map(|s| canonical(s).expect("a secret key"));
                    public_keys(&secrets.collect::<Vec<_>>(), &column(lines, 0));
                }
                "secret_key_to_public_key" => secret_key_to_public_key(lines),
                "check_key" => check_key(lines),
                "hash_to_point" => hash_to_point(lines),
                "hash_to_ec" => hash_to_ec(lines),
                "generate_key_image" => generate_key_image(lines),
                later => assert!(OF_LATER_LAYERS.contains(&later), "unknown operation {later}"),
            }
            seen += lines.len();
        }
        assert_eq!(seen, total, "{id}");
    });
    for operation in all.keys() {
        println!(
            "{operation}: {} lines{}",
            all[operation].len(),
            match OF_LATER_LAYERS.contains(&&**operation) {
                true => ", of a later layer",
                false => "",
            }
        );
    }
}

fn check_scalar(lines: &[Vec<String>]) {
    for (fields, bytes) in lines.iter().zip(column(lines, 0)) {
        assert_eq!(canonical(bytes).is_some(), truth(&fields[1]), "{fields:?}");
        let integer = Scalar::from_integer_unreduced(bytes);
        assert_eq!(bool::from(integer.is_canonical()), truth(&fields[1]), "{fields:?}");
        assert_eq!(integer.reduce().to_bytes() == bytes, truth(&fields[1]), "{fields:?}");
    }
}

fn hash_to_scalar(lines: &[Vec<String>]) {
    let messages: Vec<Vec<u8>> =
        lines.iter().map(|fields| if fields[0] == "x" { Vec::new() } else { hex(&fields[0]) }).collect();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let expected = column(lines, 1);
    for (message, expected) in messages.iter().zip(&expected) {
        assert_eq!(Scalar::from_bytes_mod_order(keccak256(message)).to_bytes(), *expected, "{message:02x?}");
    }
    batches(&messages, |start, messages| {
        let mut digests = vec![[0; 32]; messages.len()];
        keccak256_batch(messages, &mut digests);
        for (i, digest) in digests.into_iter().enumerate() {
            assert_eq!(Scalar::from_bytes_mod_order(digest).to_bytes(), expected[start + i], "line {}", start + i);
        }
    });
}

/// `s·G` by every road.
fn public_keys(secrets: &[Scalar], expected: &[[u8; 32]]) {
    assert_eq!(secrets.len(), expected.len());
    // The roads that are long in a debug build see part of the lines there.
    let part = if cfg!(debug_assertions) { 20 } else { secrets.len() };
    for (i, (s, expected)) in secrets.iter().zip(expected).enumerate() {
        assert_eq!(EdwardsPoint::mul_base(s).compress().0, *expected);
        assert!(i >= part || (s * EdwardsPoint::BASEPOINT).compress().0 == *expected);
    }
    batches(secrets, |start, secrets| {
        let expected = &expected[start..start + secrets.len()];
        assert_eq!(encodings(&msm::mul_base_batch(secrets)), expected);
        let part = part.min(secrets.len());
        let base = vec![EdwardsPoint::BASEPOINT; part];
        assert_eq!(encodings(&msm::mul_batch(&secrets[..part], &base).unwrap()), expected[..part]);
    });
}

fn secret_key_to_public_key(lines: &[Vec<String>]) {
    let (mut secrets, mut expected) = (Vec::new(), Vec::new());
    for fields in lines {
        let secret = canonical(hex32(&fields[0]));
        assert_eq!(secret.is_some(), truth(&fields[1]), "{fields:?}");
        if let Some(secret) = secret {
            secrets.push(secret);
            expected.push(hex32(&fields[2]));
        }
    }
    public_keys(&secrets, &expected);
}

fn check_key(lines: &[Vec<String>]) {
    let keys = column(lines, 0);
    let expected: Vec<bool> = lines.iter().map(|fields| truth(&fields[1])).collect();
    for (key, expected) in keys.iter().zip(&expected) {
        let point = CompressedEdwardsY(*key).decompress_strict();
        assert_eq!(point.is_some(), *expected, "{key:02x?}");
        assert!(point.is_none_or(|p| p.compress().0 == *key), "{key:02x?}");
    }
    batches(&keys, |start, keys| {
        let expected = &expected[start..start + keys.len()];
        let points = try_decompress_batch_strict(keys);
        assert_eq!(points.iter().map(Option::is_some).collect::<Vec<_>>(), expected);
        match decompress_batch_strict(keys) {
            Ok(points) => assert!(!expected.contains(&false) && encodings(&points) == keys),
            Err(error) => assert_eq!(Some(error.index()), expected.iter().position(|good| !good)),
        }
    });
}

/// The bare map; the batch form comes with the factor 8.
fn hash_to_point(lines: &[Vec<String>]) {
    let (hashes, expected) = (column(lines, 0), column(lines, 1));
    for (hash, expected) in hashes.iter().zip(&expected) {
        assert_eq!(monero_map(hash).compress().0, *expected, "{hash:02x?}");
    }
    let points: Vec<EdwardsPoint> =
        decompress_batch_strict(&expected).unwrap().iter().map(EdwardsPoint::mul_by_cofactor).collect();
    batches(&hashes, |start, hashes| {
        assert_eq!(monero_hash_to_point_batch(hashes), points[start..start + hashes.len()]);
    });
}

/// `Hp` of each key, by the batch form.
fn hashed_keys(keys: &[[u8; 32]]) -> Vec<EdwardsPoint> {
    let messages: Vec<&[u8]> = keys.iter().map(|key| &key[..]).collect();
    let mut digests = vec![[0; 32]; keys.len()];
    keccak256_batch(&messages, &mut digests);
    monero_hash_to_point_batch(&digests)
}

fn hash_to_ec(lines: &[Vec<String>]) {
    let (keys, expected) = (column(lines, 0), column(lines, 1));
    for (key, expected) in keys.iter().zip(&expected) {
        assert_eq!(monero_hash_to_point(&keccak256(key)).compress().0, *expected, "{key:02x?}");
    }
    batches(&keys, |start, keys| {
        assert_eq!(encodings(&hashed_keys(keys)), expected[start..start + keys.len()]);
    });
}

fn generate_key_image(lines: &[Vec<String>]) {
    let (keys, expected) = (column(lines, 0), column(lines, 2));
    let secrets: Vec<Scalar> = column(lines, 1).into_iter().map(|s| canonical(s).expect("a secret key")).collect();
    public_keys(&secrets, &keys);
    for ((key, secret), expected) in keys.iter().zip(&secrets).zip(&expected) {
        assert_eq!((secret * monero_hash_to_point(&keccak256(key))).compress().0, *expected, "{key:02x?}");
    }
    batches(&keys, |start, keys| {
        let range = start..start + keys.len();
        let images = msm::mul_batch(&secrets[range.clone()], &hashed_keys(keys)).unwrap();
        assert_eq!(encodings(&images), expected[range]);
    });
}

#[test]
fn check_torsion() {
    let Some(all) = lines("monero_check_torsion.txt") else { return };
    let lines = &all["check_torsion"];
    assert_eq!(all.len(), 1, "unknown operation");
    let keys = column(lines, 0);
    let good = |p: &Option<EdwardsPoint>| p.is_some_and(|p| bool::from(p.is_torsion_free() & !p.is_small_order()));
    each_backend(|id| {
        for (fields, key) in lines.iter().zip(&keys) {
            assert_eq!(good(&CompressedEdwardsY(*key).decompress_strict()), truth(&fields[1]), "{id} {fields:?}");
        }
        let expected: Vec<bool> = lines.iter().map(|fields| truth(&fields[1])).collect();
        let answers: Vec<bool> = try_decompress_batch_strict(&keys).iter().map(good).collect();
        assert_eq!(answers, expected, "{id}");
    });
}

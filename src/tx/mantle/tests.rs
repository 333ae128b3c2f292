use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::*;
use crate::hash::blake2b_256;
use crate::hash::poseidon2::Fr;
use crate::test_util::{Random, vectors};

const FILE: &str = "poseidon2_bn254.json";

fn unhex(x: &Value) -> Vec<u8> {
    let hex = x.as_str().unwrap();
    hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// A field element of the vectors: big-endian behind "0x".
fn element(x: &Value) -> Vec<u8> {
    let mut bytes = unhex(&Value::from(x.as_str().unwrap().strip_prefix("0x").unwrap()));
    bytes.reverse();
    bytes
}

/// The transaction of the RFC's benchmark.
fn benchmark_tx(message: &[u8]) -> MantleTx<'_> {
    let signer = unhex(&Value::from("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"));
    MantleTx {
        ops: alloc::vec![Op::Inscribe(Inscription {
            channel: [0xaa; 32],
            message,
            parent: [0xbb; 32],
            signer: signer.try_into().unwrap(),
        })],
        ledger: Ledger { execution_gas_price: 100, storage_gas_price: 50, ..Ledger::default() },
    }
}

/// Something of everything.
fn full_tx(messages: &[Vec<u8>]) -> MantleTx<'_> {
    let mut random = Random::new(5);
    let mut key = || Fr::from_bytes_reduced(&random.bytes()).to_bytes();
    MantleTx {
        ops: messages
            .iter()
            .map(|message| Op::Inscribe(Inscription { channel: key(), message, parent: key(), signer: key() }))
            .collect(),
        ledger: Ledger {
            inputs: (0..3).map(|_| key()).collect(),
            outputs: (0..2).map(|i| Note { value: u64::MAX - i, key: key() }).collect(),
            execution_gas_price: 1,
            storage_gas_price: u64::MAX,
        },
    }
}

#[test]
fn published_hashes() {
    let Some(file) = vectors(FILE) else { return };
    let cases = file["tx_hash_inscription"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    let mut encodings = Vec::new();
    let mut expected = alloc::vec![Vec::new(); Variant::ALL.len()];
    for case in cases {
        let payload = alloc::vec![0xab; case["payload"].as_u64().unwrap() as usize];
        let tx = benchmark_tx(&payload);
        let encoding = tx.encode(Encoding::V1_0).unwrap();
        assert_eq!(encoding.len() as u64, case["encoded_len"].as_u64().unwrap());
        if let Some(hex) = case.get("encoded_hex").filter(|hex| hex.is_string()) {
            assert_eq!(encoding, unhex(hex));
        }
        assert_eq!(blake2b_256(&encoding)[..], unhex(&case["blake2b256_encoded"])[..]);
        let hashes = [
            element(&case["A_nomos_full_poseidon2"]),
            element(&case["A2_full_poseidon2"]),
            element(&case["R_rfc_benchmark"]),
            element(&case["B_nested_v1_2_1"]),
            unhex(&case["blake2b256_dst_encoded"]),
        ];
        for ((variant, hash), all) in Variant::ALL.iter().zip(hashes).zip(&mut expected) {
            assert_eq!(tx_hash(*variant, &encoding)[..], hash[..], "{variant}, payload {}", payload.len());
            assert_eq!(tx.hash(*variant, Encoding::V1_0).unwrap()[..], hash[..], "{variant}");
            all.push(hash);
        }
        encodings.push(encoding);
    }
    let inputs: Vec<&[u8]> = encodings.iter().map(|e| &e[..]).collect();
    for (variant, expected) in Variant::ALL.iter().zip(expected) {
        let mut out = alloc::vec![[0; 32]; inputs.len()];
        tx_hash_batch(*variant, &inputs, &mut out);
        assert!(out.iter().zip(expected).all(|(out, hash)| out[..] == hash[..]), "{variant}");
    }

    for case in file["tx_hash_C_official"].as_array().unwrap() {
        let encoding = unhex(&case["encoded_hex"]);
        let hash = tx_hash(Variant::C, &encoding);
        assert_eq!(hash[..], unhex(&case["blake2b256_dst_encoded"])[..]);
        assert_eq!(digest_element(&hash).to_bytes()[..], element(&case["as_fr"])[..]);
        let tx = MantleTx::decode(Encoding::V1_4, &encoding).unwrap();
        assert_eq!(tx.hash(Variant::C, Encoding::V1_4).unwrap(), hash);
    }
}

#[test]
fn pieces_of_every_size() {
    let encoding: Vec<u8> = (0..300).map(|i| (i * 7) as u8).collect();
    for variant in Variant::ALL {
        for length in [0, 1, 30, 31, 32, 62, 128, 300] {
            let expected = tx_hash(*variant, &encoding[..length]);
            for size in 1..=70 {
                let mut hasher = TxHasher::new(*variant);
                encoding[..length].chunks(size).for_each(|piece| hasher.update(piece));
                hasher.update(&[]);
                assert_eq!(hasher.finalize(), expected, "{variant}, {length} bytes in pieces of {size}");
            }
        }
    }
}

#[test]
fn batches_equal_single_calls() {
    let encodings: Vec<Vec<u8>> = (0..20).map(|i| (0..i * i * 13).map(|k| (k * 3 + i) as u8).collect()).collect();
    for variant in Variant::ALL {
        for count in 0..=encodings.len() {
            let inputs: Vec<&[u8]> = encodings[..count].iter().map(|e| &e[..]).collect();
            let mut out = alloc::vec![[0; 32]; count];
            tx_hash_batch(*variant, &inputs, &mut out);
            assert!(out.iter().zip(inputs).all(|(out, input)| *out == tx_hash(*variant, input)), "{variant}");
        }
    }
}

#[test]
fn names() {
    for variant in Variant::ALL {
        assert_eq!(variant.name().parse(), Ok(*variant));
    }
    assert_eq!("c".parse::<Variant>(), Err(UnknownVariant));
}

#[test]
fn decoding_reverses_encoding() {
    let messages = [alloc::vec![1, 2, 3], Vec::new(), alloc::vec![9; 1000]];
    let tx = full_tx(&messages);
    let bytes = tx.encode(Encoding::V1_0).unwrap();
    assert_eq!(MantleTx::decode(Encoding::V1_0, &bytes).as_ref(), Ok(&tx));
    let bytes = tx.encode(Encoding::V1_4).unwrap();
    let without_ledger = MantleTx { ledger: Ledger::default(), ..tx };
    assert_eq!(MantleTx::decode(Encoding::V1_4, &bytes), Ok(without_ledger));
    assert_eq!(benchmark_tx(&[0; 64]).encode(Encoding::V1_4).unwrap().len(), 64 + 102);
}

#[test]
fn truncated_anywhere_is_an_error() {
    let messages = [alloc::vec![7; 5]];
    for encoding in [Encoding::V1_0, Encoding::V1_4] {
        let bytes = full_tx(&messages).encode(encoding).unwrap();
        for length in 0..bytes.len() {
            let error = MantleTx::decode(encoding, &bytes[..length]).unwrap_err();
            assert!(matches!(error.reason, Reason::Truncated { .. }), "{length}: {error}");
            assert!(error.offset <= length);
        }
        let longer = [&bytes[..], &[0]].concat();
        let error = MantleTx::decode(encoding, &longer).unwrap_err();
        assert_eq!((error.offset, error.reason), (bytes.len(), Reason::TrailingBytes(1)));
    }
}

#[test]
fn hostile_lengths_and_values() {
    // A message of 4 GiB in a few bytes.
    let mut bytes = alloc::vec![1, 0x11];
    bytes.extend([0; 32]);
    bytes.extend([0xff; 4]);
    bytes.extend([0; 10]);
    let error = MantleTx::decode(Encoding::V1_4, &bytes).unwrap_err();
    let reason = Reason::Truncated { needed: u32::MAX as usize, left: 10 };
    assert_eq!(error, DecodeError { what: "message", offset: 38, reason });
    // 255 operations, inputs, outputs that are not there.
    assert!(MantleTx::decode(Encoding::V1_4, &[255]).is_err());
    assert!(MantleTx::decode(Encoding::V1_0, &[0, 255]).is_err());
    assert!(MantleTx::decode(Encoding::V1_0, &[0, 0, 255]).is_err());
    // Each edition knows its own opcode only.
    for (encoding, opcode) in [(Encoding::V1_0, 0x11), (Encoding::V1_4, 0x00), (Encoding::V1_4, 0xff)] {
        let error = MantleTx::decode(encoding, &[1, opcode]).unwrap_err();
        assert_eq!(error, DecodeError { what: "opcode", offset: 1, reason: Reason::UnknownOpcode(opcode) });
    }
}

/// A note at p + d for small d: p itself reads as 0, what is above is refused.
#[test]
fn elements_at_the_modulus() {
    let p: [u8; 32] = {
        let minus_one = (Fr::ZERO - Fr::ONE).to_bytes();
        core::array::from_fn(|i| if i == 0 { minus_one[0] + 1 } else { minus_one[i] })
    };
    let tx = |input: [u8; 32], key: [u8; 32]| MantleTx {
        ledger: Ledger {
            inputs: alloc::vec![input],
            outputs: alloc::vec![Note { value: 1, key }],
            ..Ledger::default()
        },
        ..MantleTx::default()
    };
    let mut above = p;
    above[0] += 1;
    let mut below = p;
    below[0] -= 1;
    let decode = |bytes: &[u8]| MantleTx::decode(Encoding::V1_0, bytes).map(|tx| tx.ledger);
    let bytes = tx(below, below).encode(Encoding::V1_0).unwrap();
    assert_eq!(decode(&bytes).unwrap(), tx(below, below).ledger);
    let bytes = tx(p, p).encode(Encoding::V1_0).unwrap();
    assert_eq!(decode(&bytes).unwrap(), tx([0; 32], [0; 32]).ledger);
    for (input, key, what, offset) in [(above, below, "input", 2), (below, [0xff; 32], "output key", 2 + 32 + 1 + 8)] {
        let bytes = tx(input, key).encode(Encoding::V1_0).unwrap();
        assert_eq!(decode(&bytes), Err(DecodeError { what, offset, reason: Reason::NotCanonical }));
    }
}

#[test]
fn too_long_to_encode() {
    let op = benchmark_tx(&[]).ops.remove(0);
    let many = |n| MantleTx { ops: alloc::vec![op.clone(); n], ..MantleTx::default() };
    assert!(many(255).encode(Encoding::V1_4).is_ok());
    let error = TooLong { what: "operations", length: 256, most: 255 };
    assert_eq!(many(256).encode(Encoding::V1_4), Err(error));
    assert_eq!(many(256).hash(Variant::C, Encoding::V1_4), Err(error));
    let ledger = Ledger { inputs: alloc::vec![[0; 32]; 256], ..Ledger::default() };
    let tx = MantleTx { ledger, ..MantleTx::default() };
    let text: String = alloc::format!("{}", tx.encode(Encoding::V1_0).unwrap_err());
    assert_eq!(text, "inputs: 256 where 255 is the most");
    assert!(tx.encode(Encoding::V1_4).is_ok());
}

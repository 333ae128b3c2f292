//! Every parser of bytes from outside: no panic, memory in proportion to the input, and what is read is written again as it
//! was.
#![no_main]

use std::fmt::{Debug, Display};

use curve25519_lanes::proofs::bulletproofs_plus::{monero as monero_range, tari as tari_range};
use curve25519_lanes::proofs::clsag::Clsag;
use curve25519_lanes::proofs::grootle::{self, System};
use curve25519_lanes::proofs::monero_signatures::Signature;
use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::proofs::schnorr::CompositionProof;
use curve25519_lanes::proofs::triptych::{self, tari as tari_triptych};
use curve25519_lanes::tx::mantle::{Encoding, MantleTx, Variant, tx_hash};
use curve25519_lanes::tx::monero::{self, Transaction};
use curve25519_lanes::wallet::{RawTransaction, TxExtra};
use curve25519_lanes_fuzz::Input;
use curve25519_lanes_fuzz::memory::{Counting, bounded};
use libfuzzer_sys::fuzz_target;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads, and writes what was read.
fn again<T: Debug, E: Debug + Display>(
    bytes: &[u8],
    read: impl FnOnce(&[u8]) -> Result<T, E>,
    write: impl FnOnce(&T) -> Vec<u8>,
) -> Option<T> {
    match bounded(bytes, || read(bytes)) {
        Ok(value) => {
            assert_eq!(write(&value), bytes, "{value:?}");
            Some(value)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

fn monero_transaction(bytes: &[u8]) {
    let raw = bounded(bytes, || RawTransaction::parse(bytes));
    let Some(transaction) = again(bytes, Transaction::from_bytes, Transaction::to_bytes) else { return };
    assert_ne!(transaction.id(), transaction.signing_hash());
    // The scanner's parser has to read it as well, and the same.
    let raw = raw.expect("a transaction");
    assert_eq!(raw.extra, TxExtra::parse(&transaction.extra));
    assert_eq!(raw.outputs.len(), transaction.outputs.len());
    for (output, expected) in raw.outputs.iter().zip(&transaction.outputs) {
        assert_eq!((output.key, output.view_tag), (expected.key, expected.view_tag));
    }
    if transaction.outputs.len() <= 4 {
        let _ = monero::verify_without_rings(monero_range::Generators::shared(), &transaction);
    }
}

fn mantle(encoding: Encoding, bytes: &[u8]) {
    let Ok(transaction) = bounded(bytes, || MantleTx::decode(encoding, bytes)) else { return };
    let written = transaction.encode(encoding).expect("it was as short as that");
    // The modulus in place of 0 is read, and not written.
    assert_eq!(written.len(), bytes.len());
    assert_eq!(MantleTx::decode(encoding, &written).as_ref(), Ok(&transaction));
    assert_eq!(transaction.hash(Variant::C, encoding), Ok(tx_hash(Variant::C, &written)));
    if encoding != Encoding::V1_0 {
        assert_eq!(written, bytes);
    }
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (kind, n, m) = (input.below(14), input.below(9), input.below(9));
    let bytes = input.0;
    match kind {
        0 => {
            again(bytes, monero_range::RangeProof::from_bytes, monero_range::RangeProof::to_bytes);
            let mut rest = bytes;
            match monero_range::RangeProof::read(&mut rest) {
                Ok(proof) => assert_eq!([&proof.to_bytes(), rest].concat(), bytes),
                Err(_) => assert_eq!(rest, bytes),
            }
        }
        1 => {
            if let Some(proof) = again(bytes, tari_range::RangeProof::from_bytes, tari_range::RangeProof::to_bytes) {
                let degree = tari_range::RangeProof::extension_degree_from_proof_bytes(bytes);
                assert_eq!(degree, Ok(proof.extension_degree()));
            }
        }
        2 | 3 => {
            let form = if kind == 2 { tari_triptych::Form::Single } else { tari_triptych::Form::Parallel };
            let read = |bytes: &[u8]| tari_triptych::Proof::from_bytes(form, bytes);
            if let Some(proof) = again(bytes, read, tari_triptych::Proof::to_bytes) {
                assert_eq!(proof.form(), form);
            }
        }
        4 | 5 => monero_transaction(bytes),
        6 => {
            let extra = bounded(bytes, || TxExtra::parse(bytes));
            assert!(32 * (extra.keys.len() + extra.additional_keys.len()) <= bytes.len());
        }
        7 => mantle(Encoding::V1_0, bytes),
        8 => mantle(Encoding::V1_4, bytes),
        9 => {
            again(bytes, |bytes| Clsag::from_bytes(bytes, n), Clsag::to_bytes);
            let (mut rest, huge) = (bytes, usize::MAX >> n);
            assert!(Clsag::read(&mut rest, huge).is_err());
        }
        10 => {
            if let Ok(shape) = Shape::new(n, m) {
                let read = |bytes: &[u8]| triptych::Proof::from_bytes(&shape, bytes);
                again(bytes, read, triptych::Proof::to_bytes);
            }
        }
        11 => {
            let form = if m % 2 == 0 { grootle::Form::Concise } else { grootle::Form::Plain };
            if let Ok(system) = System::new(form, n, 2 + m / 4, 1 + m / 2 % 2) {
                let read = |bytes: &[u8]| grootle::Proof::from_bytes(&system, bytes);
                again(bytes, read, grootle::Proof::to_bytes);
            }
        }
        12 => {
            again(bytes, |bytes| CompositionProof::from_bytes(n, bytes), CompositionProof::to_bytes);
        }
        _ => {
            if let Ok(bytes) = bytes.try_into() {
                assert_eq!(Signature::from_bytes(bytes).to_bytes(), *bytes);
            }
        }
    }
});

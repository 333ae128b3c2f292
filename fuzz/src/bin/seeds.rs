//! Writes the corpora that fuzzing starts from, made by our own provers: one file a seed, in a folder for each target.
//!
//!     seeds fuzz/corpus

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use curve25519_lanes::proofs::bulletproofs_plus::monero::RangeProof;
use curve25519_lanes::proofs::clsag::Clsag;
use curve25519_lanes::tx::mantle::{Encoding, Inscription, Ledger, MantleTx, Note, Op};
use curve25519_lanes::tx::monero::{Input, Output, Transaction};
use curve25519_lanes_fuzz::cases::{all, made};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

/// A transaction of the right form, around the words that a range proof and a ring signature of 3 are about.
fn transaction(proof: &[u8], commitments: &[[u8; 32]], signature: &[u8], words: &[[u8; 32]]) -> Vec<u8> {
    let output = |(i, commitment): (usize, &[u8; 32])| Output {
        key: words[i],
        view_tag: Some(i as u8),
        encrypted_amount: [i as u8; 8],
        commitment: *commitment,
    };
    let extra = [&[1][..], &words[0], &[2, 9, 1], &[3; 8], &[4, 1], &words[2], &[0, 0]].concat();
    let input = Input {
        amount: 0,
        offsets: vec![1_000_000, 300, 1],
        key_image: words[6],
        pseudo_out: words[7],
        signature: Clsag::from_bytes(signature, 3).expect("a ring of 3"),
    };
    Transaction {
        unlock_time: 0,
        inputs: vec![input],
        outputs: commitments.iter().enumerate().map(output).collect(),
        extra,
        fee: 30_000,
        range_proof: RangeProof::from_bytes(proof).expect("a proof"),
    }
    .to_bytes()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("where to?")?);
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(name), bytes)
    };
    let cases = all();
    let proofs: Vec<_> = cases.iter().map(made).collect();

    // The kind of each case for the target `parsers`, and the two numbers that some kinds have.
    let kinds = [[0, 0, 0], [1, 0, 0], [9, 3, 0], [10, 2, 2], [2, 0, 0], [3, 0, 0], [11, 2, 2], [11, 2, 3], [12, 2, 0]];
    for ((case, proof), kind) in cases.iter().zip(&proofs).zip(kinds) {
        write("parsers", case.name, &[&kind, &proof.proof[..]].concat())?;
    }
    let (range, ring) = (&proofs[0], &proofs[2]);
    let transaction = transaction(&range.proof, &range.words, &ring.proof, &ring.words);
    write("parsers", "transaction", &[&[4, 0, 0], &transaction[..]].concat())?;
    write("parsers", "extra", &[&[6, 0, 0, 1][..], &[7; 32], &[2, 33, 0], &[5; 32], &[4, 1], &[6; 32]].concat())?;
    let inscription = Inscription { channel: [1; 32], message: b"text", parent: [2; 32], signer: [3; 32] };
    let ledger = Ledger {
        inputs: vec![[4; 32]],
        outputs: vec![Note { value: 5, key: [6; 32] }],
        execution_gas_price: 7,
        storage_gas_price: 8,
    };
    let mantle = MantleTx { ops: vec![Op::Inscribe(inscription)], ledger };
    write("parsers", "mantle-1.0", &[&[7, 0, 0], &mantle.encode(Encoding::V1_0)?[..]].concat())?;
    write("parsers", "mantle-1.4", &[&[8, 0, 0], &mantle.encode(Encoding::V1_4)?[..]].concat())?;

    // Each system, unchanged and with each kind of change.
    for system in 0..cases.len() as u8 {
        write("verifiers", &format!("unchanged-{system}"), &[system, 0, 1, 2])?;
        for kind in 0..8 {
            // Long enough for words of 32 bytes.
            let change = [&[system, 3, 4, 5, 1, kind, 3, 1][..], &[9; 56]].concat();
            write("verifiers", &format!("changed-{system}-{kind}"), &change)?;
        }
    }
    // Bytes that are read as several scalars and points, of all kinds, and as calls.
    for target in ["decoding", "msm", "field_scalar", "capi"] {
        for start in 0..16u8 {
            let length = 40 * (1 + u16::from(start));
            let bytes: Vec<u8> = (0..length).map(|i| (i as u8).wrapping_mul(start * 2 + 1) ^ start).collect();
            write(target, &format!("{start}"), &bytes)?;
        }
    }
    // Transactions with outputs for the wallets that scan them, as chance has it.
    for seed in 0..16u8 {
        let mut bytes = [0; 400];
        ChaCha12Rng::from_seed([seed; 32]).fill_bytes(&mut bytes);
        write("scanner", &format!("{seed}"), &bytes)?;
    }
    Ok(())
}

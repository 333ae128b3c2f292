//! Verifying the range proofs of a block, as a node would: parse, verify all at once, name the bad one.
//!
//!     cargo run --release --features rand_core --example verify_range_proofs
//!
//! The transactions come from a prover here, so that the example needs no input.

use std::error::Error;
use std::time::Instant;

use curve25519_lanes::Scalar;
use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, BatchError, Opening, RangeProof, Statement};

/// What a node takes out of a transaction: the output commitments, and the proof's bytes.
struct Received {
    commitments: Vec<[u8; 32]>,
    proof: Vec<u8>,
}

/// A transaction of this many outputs.
fn make(outputs: usize, rng: &mut impl rand_core::CryptoRng) -> Result<Received, Box<dyn Error>> {
    let openings: Vec<Opening> =
        (0..outputs).map(|_| Opening::new(rng.next_u64(), Scalar::random(&mut *rng))).collect();
    let proof = monero::prove(&openings, rng)?;
    Ok(Received { commitments: openings.iter().map(|o| o.commit().0).collect(), proof: proof.to_bytes() })
}

/// Verifies a block: nothing if all is well, else a line on what is wrong.
fn verify_block(block: &[Received]) -> Result<(), String> {
    // Parsing is cheap, bounded, and comes first: it names its transaction by itself.
    let mut proofs = Vec::with_capacity(block.len());
    for (i, tx) in block.iter().enumerate() {
        proofs.push(RangeProof::from_bytes(&tx.proof).map_err(|error| format!("transaction {i}: {error}"))?);
    }
    let items: Vec<Statement<'_>> =
        block.iter().zip(&proofs).map(|(tx, proof)| Statement { commitments: &tx.commitments, proof }).collect();
    match monero::verify_batch(&items) {
        Ok(()) => Ok(()),
        Err(BatchError::Item { index, error }) => Err(format!("transaction {index}: {error}")),
        // The sum over all proofs failed. Only now is it worth asking which.
        Err(BatchError::Equation) => Err(format!("invalid: transactions {:?}", monero::find_invalid(&items))),
        Err(error) => Err(error.to_string()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = rand_core::UnwrapErr(getrandom::SysRng);
    let mut block = Vec::new();
    for i in 0..64 {
        block.push(make(if i % 8 == 0 { 16 } else { 2 }, &mut rng)?);
    }
    verify_block(&block[..1])?; // builds the generators

    let start = Instant::now();
    verify_block(&block)?;
    println!("{} transactions verified in {:?}", block.len(), start.elapsed());

    // A range proof says nothing about other commitments.
    block[41].commitments[1] = block[40].commitments[1];
    println!("{}", verify_block(&block).unwrap_err());
    // A cut-off transaction.
    block[7].proof.truncate(100);
    println!("{}", verify_block(&block).unwrap_err());
    Ok(())
}

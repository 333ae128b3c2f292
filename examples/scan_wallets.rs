//! Finding the outputs of many wallets in new transactions, as a light server does: parse what the chain has, try every output
//! for every wallet, open the amounts of those that belong to one.
//!
//!     cargo run --release --features rand_core --example scan_wallets
//!
//! The transactions are made here, so that the example needs no input.

use std::error::Error;
use std::time::Instant;

use curve25519_lanes::wallet::{Derivation, EncryptedAmount, Output, Scanner, Transaction, TxExtra, ViewPair};
use curve25519_lanes::{EdwardsPoint, Scalar};
use rand_core::Rng;

/// A transaction's `extra` as its bytes stand on the chain, and its outputs.
struct Received {
    extra: Vec<u8>,
    outputs: Vec<Output>,
}

/// Two outputs for wallets whose view secrets and spend keys are known to the payer only here.
fn pay(to: [&(Scalar, ViewPair); 2], amount: u64, rng: &mut impl rand_core::CryptoRng) -> Option<Received> {
    let key = EdwardsPoint::mul_base(&Scalar::random(rng)).compress().0;
    let mut outputs = Vec::new();
    for (index, (view, wallet)) in (0..).zip(to) {
        let derivation = Derivation::new(view, &key)?;
        outputs.push(Output {
            key: derivation.output_key(index, wallet.spend_public())?,
            view_tag: Some(derivation.view_tag(index)),
            amount: EncryptedAmount::compact(&derivation.scalar(index), amount + index),
        });
    }
    // Tag 1: the transaction's public key.
    Some(Received { extra: [&[1], &key[..]].concat(), outputs })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = rand_core::UnwrapErr(getrandom::SysRng);
    let wallets: Vec<(Scalar, ViewPair)> = (0..64)
        .map(|_| {
            let view = Scalar::random(&mut rng);
            (view, ViewPair::from_secrets(&view, &Scalar::random(&mut rng)))
        })
        .collect();
    // The first half is ours; the others' outputs are what most of a chain is.
    let mut scanner = Scanner::default();
    for (_, wallet) in &wallets[..32] {
        scanner.add_wallet(wallet, 1, 1)?;
    }
    let mut block = Vec::new();
    for i in 0..200 {
        let mut any = || &wallets[rng.next_u32() as usize % wallets.len()];
        let to = [any(), any()];
        block.push(pay(to, 1000 * i, &mut rng).ok_or("a key that is no point")?);
    }

    let start = Instant::now();
    // A hostile `extra` is parsed as far as it goes; nothing in it can fail or ask for much memory.
    let extras: Vec<TxExtra> = block.iter().map(|tx| TxExtra::parse(&tx.extra)).collect();
    let txs: Vec<Transaction<'_>> =
        block.iter().zip(&extras).map(|(tx, extra)| Transaction { extra, outputs: &tx.outputs }).collect();
    let found = scanner.scan(&txs);
    println!("{} outputs tried for 32 wallets in {:?}: {} are theirs", 2 * block.len(), start.elapsed(), found.len());
    for found in found.iter().take(3) {
        // The amount is given only if it fits the commitment, where there is one.
        let amount = found.opening.as_ref().map_or("not open".to_string(), |opening| opening.amount.to_string());
        println!(
            "transaction {}, output {}: wallet {}, amount {amount}",
            found.transaction, found.output, found.wallet
        );
    }
    Ok(())
}

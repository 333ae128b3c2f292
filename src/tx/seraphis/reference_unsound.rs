//! Verdicts of the Seraphis research code on whole transactions, weaknesses included: for its test vectors and for measuring
//! against it. Not for use on anything that matters; what it lets pass is listed in `docs/differences.md`.

use super::verify::{Rules, proof_failure, stages};
use super::{BatchError, Check, Transaction};
use crate::hash::keccak256;
use crate::proofs::accumulator::{self, Either};
use crate::proofs::bulletproofs_plus::monero::{self, Divided};
use crate::proofs::grootle;
use crate::tx::batch::{self, range_generators};
use crate::tx::ledger::Ledger;

/// The reference's verdict on one transaction. The random weights of its membership proofs are hashes of `seed`.
///
/// # Errors
/// The first failed check.
pub fn verify(tx: &Transaction, ledger: &impl Ledger, seed: &[u8; 32]) -> Result<(), Check> {
    batch::only(verdict(core::slice::from_ref(tx), ledger, seed))
}

/// The reference's one answer to a batch, which must be of one kind and shape. That two transactions spend the same is not
/// noticed.
///
/// Membership proofs are looked at one by one, each with weights of its own; where the reference adds them up, errors of
/// small order in two of them may cancel, as its weights fall.
pub fn verify_batch(txs: &[Transaction], ledger: &impl Ledger, seed: &[u8; 32]) -> bool {
    let alike = txs.windows(2).all(|pair| pair[0].kind == pair[1].kind && pair[0].shape == pair[1].shape);
    alike && verdict(txs, ledger, seed).is_ok()
}

fn verdict(txs: &[Transaction], ledger: &impl Ledger, seed: &[u8; 32]) -> Result<(), BatchError> {
    let (mut batch, parts) = stages(txs, ledger, Rules::Reference)?;
    let ranges = Divided(range_generators());
    batch.each(|tx, i| {
        let mut counts = [0; 2];
        for statement in parts.proofs(tx, i) {
            let number = &mut counts[usize::from(matches!(statement, Either::Second(_)))];
            let own_seed = keccak256(&[&seed[..], &(i as u64).to_le_bytes(), &(*number as u64).to_le_bytes()].concat());
            let verdict = match statement {
                Either::First(statement) => {
                    grootle::reference_unsound::verify(&statement, &own_seed).map_err(Either::First)
                }
                Either::Second(statement) => {
                    let verdict = accumulator::verify_all(&ranges, [statement]);
                    accumulator::only(verdict, monero::VerifyError::Equation).map_err(Either::Second)
                }
            };
            verdict.map_err(|error| proof_failure(*number, error))?;
            *number += 1;
        }
        Ok(())
    });
    batch.verdict()
}

//! Where our rule for whole transactions is another than the reference's: `docs/differences.md`, row by row.

use curve25519_lanes::proofs::one_of_many::Shape;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::seraphis::{BatchError, Check, Kind, Mock, build, verify, verify_batch};
#[cfg(feature = "reference_unsound")]
use curve25519_lanes::tx::seraphis::{Transaction, reference_unsound};
use curve25519_lanes::{CompressedEdwardsY, Scalar};

use super::common::Random;
use super::spend::{receiving, spendable};

const TABLE: &str = include_str!("../../docs/differences.md");

/// A rule by which something is refused here and not by the reference.
fn refused_by(rule: &str, verdict: Result<(), Check>) {
    let check = verdict.expect_err(rule);
    assert_eq!(check.difference(), Some(rule), "{check}");
    assert!(TABLE.contains(&format!("`{rule}`")));
}

fn mock(kind: Kind, n: usize, m: usize) -> Mock {
    Mock { kind, shape: Shape::new(n, m).unwrap(), inputs: 1, outputs: 1, splits: 0 }
}

fn one(verdict: Result<(), BatchError>) -> Result<(), Check> {
    match verdict {
        Err(BatchError::Invalid(failures)) => Err(failures[0].check),
        other => other.map_err(|error| panic!("{error}")),
    }
}

#[test]
fn batch_tags() {
    let mut ledger = MemoryLedger::new();
    let tx = mock(Kind::Concise, 2, 2).build(&mut ledger, &mut Random(21)).unwrap();
    let twice = [tx.clone(), tx];
    refused_by("batch-tags", one(verify_batch(&twice, &ledger)));
    #[cfg(feature = "reference_unsound")]
    assert!(reference_unsound::verify_batch(&twice, &ledger, &[0; 32]));
}

#[test]
fn batch_shapes() {
    let (mut ledger, mut rng) = (MemoryLedger::new(), Random(22));
    let mocks = [mock(Kind::Concise, 2, 4), mock(Kind::Concise, 4, 2), mock(Kind::Squashed, 2, 4)];
    let txs = mocks.map(|mock| mock.build(&mut ledger, &mut rng).unwrap());
    assert_eq!(verify_batch(&txs, &ledger), Ok(()));
    assert!(TABLE.contains("`batch-shapes`"));
    #[cfg(feature = "reference_unsound")]
    {
        let accepts = |txs: &[Transaction]| reference_unsound::verify_batch(txs, &ledger, &[0; 32]);
        assert!(txs.iter().all(|tx| accepts(std::slice::from_ref(tx))));
        assert!(!accepts(&txs[..2]) && !accepts(&[txs[0].clone(), txs[2].clone()]) && !accepts(&[]));
    }
}

#[test]
fn remainder_range() {
    let mut ledger = MemoryLedger::new();
    let mut tx = mock(Kind::Squashed, 2, 2).build(&mut ledger, &mut Random(23)).unwrap();
    let order = Scalar::ZERO - Scalar::ONE;
    let mut carry = 1;
    for (byte, l) in tx.remainder.as_mut().unwrap().iter_mut().zip(order.to_bytes()) {
        carry += u16::from(*byte) + u16::from(l);
        *byte = carry as u8;
        carry >>= 8;
    }
    refused_by("remainder-range", verify(&tx, &ledger));
    #[cfg(feature = "reference_unsound")]
    assert_eq!(reference_unsound::verify(&tx, &ledger, &[0; 32]), Ok(()));
}

/// An image whose parts cancel. It can't be made to balance, so that the reference refuses this one too, but elsewhere.
#[test]
fn identity_offset() {
    let mut ledger = MemoryLedger::new();
    let mut tx = mock(Kind::Squashed, 2, 2).build(&mut ledger, &mut Random(24)).unwrap();
    let opposite = -CompressedEdwardsY(tx.images[0].address).decompress_strict().unwrap();
    tx.images[0].commitment = opposite.compress().0;
    tx.ranges[0].v[0] = (Scalar::INV_EIGHT * opposite).compress().0;
    refused_by("identity-offset", verify(&tx, &ledger));
    #[cfg(feature = "reference_unsound")]
    assert_eq!(reference_unsound::verify(&tx, &ledger, &[0; 32]), Err(Check::Balance));
}

#[test]
fn output_address() {
    let mut rng = Random(25);
    for kind in Kind::ALL {
        let mut ledger = MemoryLedger::new();
        let (input, opening) = spendable(&mut ledger, 4, &mut rng);
        let output = receiving(opening, [0xff; 32]);
        let tx = build(kind, Shape::new(2, 2).unwrap(), &[input], &[output], 0, &ledger, &mut rng).unwrap();
        refused_by("output-address", verify(&tx, &ledger));
        #[cfg(feature = "reference_unsound")]
        assert_eq!(reference_unsound::verify(&tx, &ledger, &[0; 32]), Ok(()));
    }
}

/// The responses of composition proofs inside a transaction.
#[test]
fn response_range() {
    let mut ledger = MemoryLedger::new();
    let mut tx = mock(Kind::Merge, 2, 2).build(&mut ledger, &mut Random(26)).unwrap();
    let mut carry = 1;
    for (byte, l) in tx.ownership[0].r_b.iter_mut().zip((Scalar::ZERO - Scalar::ONE).to_bytes()) {
        carry += u16::from(*byte) + u16::from(l);
        *byte = carry as u8;
        carry >>= 8;
    }
    refused_by("response-range", verify(&tx, &ledger));
    #[cfg(feature = "reference_unsound")]
    assert_eq!(reference_unsound::verify(&tx, &ledger, &[0; 32]), Ok(()));
}

#[test]
fn limits() {
    let mut ledger = MemoryLedger::new();
    let mut tx = mock(Kind::Concise, 2, 2).build(&mut ledger, &mut Random(27)).unwrap();
    tx.outputs = vec![tx.outputs[0]; 17];
    refused_by("limits", verify(&tx, &ledger));
    // The reference goes on to count what belongs to them.
    #[cfg(feature = "reference_unsound")]
    assert_eq!(reference_unsound::verify(&tx, &ledger, &[0; 32]), Err(Check::Pubkeys(1)));
    tx.outputs.clear();
    assert_eq!(verify(&tx, &ledger).unwrap_err().difference(), None);
}

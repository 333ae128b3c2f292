//! Scanning: what `lanes wallet-bench` measures, and whole scans of many wallets.

use std::hint::black_box;

use curve25519_lanes::wallet::{Derivation, EncryptedAmount, Output, Scanner, Transaction, TxExtra, ViewPair};
use curve25519_lanes::{EdwardsPoint, Scalar};

use super::inputs::{DALEK, Inputs};
use super::record::Kind;
use super::work::{Spec, Work};
use super::{Session, Stop};
use crate::made::fault;
use crate::output::Unusable;
use crate::wallet_bench::works::{self, Implementation};

const GROUP: &str = "wallet";

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    scans(session)?;
    let inputs = works::Inputs::new(&[7; 32]);
    let who: Vec<Implementation> = Implementation::all()
        .into_iter()
        .filter(|who| who.backend().is_none_or(|id| session.backends.contains(&id)))
        .collect();
    parts(session, "transaction key", who.iter().flat_map(|who| works::tx_pub_key(&inputs, *who)))?;
    parts(session, "output key", who.iter().flat_map(|who| works::output_pub_key(&inputs, *who)))?;
    for outputs in session.sizes(&[2], &[1, 2, 3, 4, 16]) {
        let name = format!("transaction of {outputs} outputs");
        parts(session, &name, who.iter().flat_map(|who| works::transactions(&inputs, *who, outputs)))?;
    }
    Ok(())
}

/// A case for each variant, by all who know it.
fn parts<'a>(session: &mut Session, group: &str, works: impl Iterator<Item = works::Work<'a>>) -> Result<(), Stop> {
    let mut variants: Vec<(String, usize, Vec<works::Work<'a>>)> = Vec::new();
    for work in works {
        let variant = if work.variant.starts_with("batch ") { "batch".to_string() } else { work.variant.clone() };
        match variants.iter_mut().find(|(name, units, _)| *name == variant && *units == work.units) {
            Some((.., works)) => works.push(work),
            None => variants.push((variant, work.units, vec![work])),
        }
    }
    for (variant, units, works) in variants {
        session.case(&Spec::new(GROUP, format!("{group}: {variant}"), units, "operation"), || {
            let mut all = Work::none();
            for works::Work { implementation, mut call, expected, .. } in works {
                let kind = implementation.backend().map_or(Kind::Peer, |_| Kind::Backend);
                all = all.expecting(expected(0).concat());
                let run = Box::new(move |asked: bool| {
                    let result = black_box(call(0));
                    asked.then(|| result.concat())
                });
                let name = match implementation {
                    Implementation::Dalek => DALEK.to_string(),
                    other => other.name(),
                };
                all = all.contender(&name, kind, implementation.backend(), run);
            }
            Ok(all)
        })?;
    }
    Ok(())
}

/// Transactions of two outputs, one of fifty for somebody.
fn scans(session: &mut Session) -> Result<(), Stop> {
    let backends = session.backends.clone();
    const TRANSACTIONS: usize = 64;
    for wallets in session.sizes(&[1, 64], &[1, 8, 64, 512]) {
        let pairs = wallets * TRANSACTIONS * 2;
        let spec = Spec::new(GROUP, "scan, outputs tried for wallets", pairs, "pair").with("wallets", wallets as u64);
        session.case(&spec, || {
            let inputs = Inputs::new(wallets + TRANSACTIONS)?;
            let mut scanner = Scanner::default();
            for (view, spend) in inputs.scalars[..wallets].iter().zip(&inputs.encodings) {
                let keys = ViewPair::new(view, spend).map_err(fault)?;
                scanner.add_wallet(&keys, 1, 20).map_err(fault)?;
            }
            let raw =
                (0..TRANSACTIONS).map(|t| transaction(&inputs, wallets, t)).collect::<Result<Vec<_>, Unusable>>()?;
            let work = move || {
                let transactions: Vec<Transaction<'_>> =
                    raw.iter().map(|(extra, outputs)| Transaction { extra, outputs }).collect();
                scanner.scan(black_box(&transactions))
            };
            Ok(Work::on(&backends, work, |found| {
                found.iter().flat_map(|f| [f.transaction, f.output, f.wallet]).flat_map(usize::to_le_bytes).collect()
            }))
        })?;
    }
    Ok(())
}

fn transaction(inputs: &Inputs, wallets: usize, t: usize) -> Result<(TxExtra, [Output; 2]), Unusable> {
    let key = inputs.encodings[wallets + t];
    let mut derivation = Derivation(key);
    let mut spend = inputs.points[wallets + t];
    if t % 50 == 3 {
        let wallet = t % wallets;
        derivation = Derivation::new(&inputs.scalars[wallet], &key).ok_or_else(|| fault("a point"))?;
        spend = inputs.points[wallet];
    }
    let output = |index: u64| {
        let s: Scalar = derivation.scalar(index);
        Output {
            key: (EdwardsPoint::mul_base(&s) + spend).compress().0,
            view_tag: Some(derivation.view_tag(index)),
            amount: EncryptedAmount::Plain(1),
        }
    };
    Ok((TxExtra { keys: vec![key], ..TxExtra::default() }, [output(0), output(1)]))
}

//! Monero transactions from files, and the rings that they spend from.
//!
//! A file is a transaction's raw bytes, the same in hexadecimal, or JSON with cases `{ "hex", "txid", "expected" }`, of which
//! only `hex` must be there; a `txid` must be the transaction's. Rings come as an object of transaction ids, each with a list
//! of rings, one for each input in order, a ring being a list of pairs `[key, commitment]`.

use std::collections::BTreeMap;

use curve25519_lanes::proofs::bulletproofs_plus::monero::Generators;
use curve25519_lanes::proofs::clsag::RingMember;
use curve25519_lanes::tx::monero::{self, Statement, Transaction};
use serde::Deserialize;

use crate::cases::{self, Case, Form, Hex, HexBytes, from_hex};
use crate::clsag::members;
use crate::output::Unusable;

/// A transaction with its rings, if they are known; or why its bytes are none, or not the one named.
pub(crate) struct Claim {
    transaction: Result<Transaction, String>,
    pub(crate) rings: Option<Vec<Vec<RingMember>>>,
}

/// Rings by transaction id.
pub(crate) type Rings = BTreeMap<Hex, Vec<Vec<[Hex; 2]>>>;

/// Reads a file of rings.
pub(crate) fn rings(file: &str) -> Result<Rings, Unusable> {
    let text = cases::load(file).and_then(cases::utf8).and_then(|text| cases::json(&text));
    text.map_err(|error| Unusable::new(format!("{}: {error}", cases::title(file))))
}

/// All transactions of a file.
pub(crate) fn read(file: &str, rings: &Rings) -> Result<Vec<Case<Claim>>, Unusable> {
    let name = cases::title(file);
    let unusable = |error: String| Unusable::new(format!("{name}: {error}"));
    let bytes = cases::load(file).map_err(unusable)?;
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    let mut cases = if bytes.iter().find(|byte| !blank(byte)) == Some(&b'{') {
        let text = cases::utf8(bytes).map_err(unusable)?;
        cases::document::<CaseJson>(&name, &text)?
    } else if bytes.iter().all(blank) {
        return Err(unusable("empty, so there is nothing to verify".to_string()));
    } else {
        let bytes = if bytes.iter().all(|byte| blank(byte) || byte.is_ascii_hexdigit()) {
            let digits: Vec<u8> = bytes.into_iter().filter(|byte| !blank(byte)).collect();
            from_hex(&digits).ok_or_else(|| unusable("an odd number of hex digits".to_string()))?
        } else {
            bytes
        };
        let (label, expected, claim) = CaseJson { hex: HexBytes(bytes), txid: None, expected: None }.open();
        vec![Case { file: name.clone(), index: 0, name: label, expected, claim }]
    };
    for case in &mut cases {
        if let Ok(transaction) = &case.claim.transaction {
            let given = rings.get(&Hex(transaction.id())).cloned();
            case.claim.rings = given.map(|rings| rings.into_iter().map(members).collect());
        }
    }
    Ok(cases)
}

/// Why one is invalid, if it is.
pub(crate) fn one(generators: &Generators, claim: &Claim) -> Option<String> {
    let transaction = match &claim.transaction {
        Ok(transaction) => transaction,
        Err(error) => return Some(error.clone()),
    };
    let verdict = match &claim.rings {
        Some(rings) => monero::verify(generators, transaction, rings),
        None => monero::verify_without_rings(generators, transaction),
    };
    verdict.err().map(|error| error.to_string())
}

/// Why each is invalid, if it is.
pub(crate) fn all(generators: &Generators, claims: &[&Claim]) -> Vec<Option<String>> {
    let mut faults = vec![None; claims.len()];
    let (mut whole, mut whole_at, mut bare, mut bare_at) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, claim) in claims.iter().enumerate() {
        match (&claim.transaction, &claim.rings) {
            (Err(error), _) => faults[i] = Some(error.clone()),
            (Ok(transaction), Some(rings)) => {
                whole.push(Statement { transaction, rings });
                whole_at.push(i);
            }
            (Ok(transaction), None) => {
                bare.push(transaction);
                bare_at.push(i);
            }
        }
    }
    let whole = whole_at.into_iter().zip(monero::verify_each(generators, &whole));
    let bare = bare_at.into_iter().zip(monero::verify_each_without_rings(generators, &bare));
    for (i, verdict) in whole.chain(bare) {
        faults[i] = verdict.err().map(|error| error.to_string());
    }
    faults
}

#[derive(Deserialize)]
struct CaseJson {
    hex: HexBytes,
    txid: Option<Hex>,
    expected: Option<bool>,
}

impl Form for CaseJson {
    type Claim = Claim;
    fn open(self) -> (Option<String>, Option<bool>, Claim) {
        let transaction = Transaction::from_bytes(&self.hex.0).map_err(|error| error.to_string());
        let id = transaction.as_ref().ok().map(|transaction| Hex(transaction.id()));
        let transaction = transaction.and_then(|transaction| match (self.txid, id) {
            (Some(named), Some(id)) if named != id => Err(format!("its id is {id}")),
            _ => Ok(transaction),
        });
        // Without a verdict in the file it is from a chain, or claims to be.
        let claim = Claim { transaction, rings: None };
        (self.txid.or(id).map(|id| id.to_string()), self.expected.or(Some(true)), claim)
    }
}

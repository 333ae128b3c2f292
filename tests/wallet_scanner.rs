//! The scanner against a slow direct one on curve25519-dalek, sha3 and sorted maps, on random wallets and transactions
//! with whatever can go wrong in them.

mod common;

use std::collections::BTreeMap;

use common::{Random, each_backend, varint};
use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::edwards::CompressedEdwardsY;
use curve25519_dalek::{EdwardsPoint, Scalar};
use curve25519_lanes::wallet::scanner::{BadKey, Cuts, Found, KeyRule, Options, Via};
use curve25519_lanes::wallet::{
    AmountError, EncryptedAmount, Output, PaymentId, Scanner, Transaction, TxExtra, ViewPair,
};
use sha3::{Digest, Keccak256};

fn keccak(pieces: &[&[u8]]) -> [u8; 32] {
    pieces.iter().fold(Keccak256::new(), |hash, piece| hash.chain_update(piece)).finalize().into()
}

fn hash_to_scalar(pieces: &[&[u8]]) -> Scalar {
    Scalar::from_bytes_mod_order(keccak(pieces))
}

/// Monero's rule: what decodes to a point and is that point's own encoding.
fn decode(bytes: &[u8; 32]) -> Option<EdwardsPoint> {
    CompressedEdwardsY(*bytes).decompress().filter(|point| point.compress().0 == *bytes)
}

/// A wallet as the slow scanner has it.
struct Wallet {
    view: Scalar,
    spend: EdwardsPoint,
    subaddresses: BTreeMap<[u8; 32], (u32, u32)>,
    size: (u32, u32),
}

impl Wallet {
    fn new(random: &mut Random, size: (u32, u32)) -> Wallet {
        let view = Scalar::from_bytes_mod_order(random.bytes());
        let spend = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(random.bytes()));
        let mut wallet = Wallet { view, spend, subaddresses: BTreeMap::new(), size };
        for major in 0..size.0 {
            for minor in 0..size.1 {
                let key = wallet.subaddress(major, minor).compress().0;
                wallet.subaddresses.insert(key, (major, minor));
            }
        }
        wallet
    }

    fn subaddress(&self, major: u32, minor: u32) -> EdwardsPoint {
        if (major, minor) == (0, 0) {
            return self.spend;
        }
        let pieces: [&[u8]; 4] = [b"SubAddr\0", self.view.as_bytes(), &major.to_le_bytes(), &minor.to_le_bytes()];
        self.spend + EdwardsPoint::mul_base(&hash_to_scalar(&pieces))
    }

    /// `None` for a key that is no point.
    fn derivation(&self, key: &[u8; 32]) -> Option<[u8; 32]> {
        Some((self.view * decode(key)?).mul_by_cofactor().compress().0)
    }
}

const IDENTITY: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 1;
    bytes
};

/// What is found, without secrets.
type Finding = (usize, usize, usize, (u32, u32), Via, Result<u64, AmountError>, Option<PaymentId>);

fn plain(found: &Found) -> Finding {
    let opening = found.opening.as_ref().map(|opening| opening.amount).map_err(|error| *error);
    (found.transaction, found.output, found.wallet, found.subaddress, found.via, opening, found.payment_id)
}

/// One output and wallet after the other.
fn slow_scan(wallets: &[Wallet], transactions: &[(TxExtra, Vec<Output>)], options: Options) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (t, (extra, outputs)) in transactions.iter().enumerate() {
        for (o, output) in outputs.iter().enumerate() {
            for (w, wallet) in wallets.iter().enumerate() {
                findings.extend(slow_look((t, extra, outputs), (o, output), (w, wallet), options));
            }
        }
    }
    findings
}

fn slow_look(
    (t, extra, outputs): (usize, &TxExtra, &[Output]),
    (o, output): (usize, &Output),
    (w, wallet): (usize, &Wallet),
    options: Options,
) -> Option<Finding> {
    let skip = options.bad_key == BadKey::Skip;
    let mut main = &extra.keys[..extra.keys.len().min(options.max_keys)];
    let mut additional = &extra.additional_keys[..];
    match options.keys {
        KeyRule::ReferenceWallet if main.is_empty() => return None,
        KeyRule::ReferenceWallet | KeyRule::All => {}
        KeyRule::LightWalletServer => {
            main = main.get(..1)?;
            if additional.len() != outputs.len() {
                additional = &[];
            }
        }
    }
    let bad = |key: &[u8; 32]| decode(key).is_none();
    if skip && main.first().is_some_and(bad) {
        return None;
    }
    if skip && additional.iter().take(outputs.len()).any(bad) {
        additional = &[];
    }
    let mut keys: Vec<(Via, &[u8; 32])> = main.iter().enumerate().map(|(k, key)| (Via::Main(k), key)).collect();
    keys.extend(additional.get(o).map(|key| (Via::Additional, key)));
    let point = decode(&output.key)?;
    for (via, key) in keys {
        let derivation = match wallet.derivation(key) {
            Some(derivation) => derivation,
            None if skip => continue,
            None => IDENTITY,
        };
        let index = varint(o as u64);
        if output.view_tag.is_some_and(|tag| tag != keccak(&[b"view_tag", &derivation, &index])[0]) {
            continue;
        }
        let s = hash_to_scalar(&[&derivation, &index]);
        let Some(subaddress) = wallet.subaddresses.get(&(point - EdwardsPoint::mul_base(&s)).compress().0) else {
            continue;
        };
        let payment_id = match extra.payment_id {
            Some(PaymentId::Encrypted(id)) => extra.keys.first().map(|first| {
                let pad = keccak(&[&wallet.derivation(first).unwrap_or(IDENTITY), &[0x8d]]);
                PaymentId::Encrypted(std::array::from_fn(|i| id[i] ^ pad[i]))
            }),
            other => other,
        };
        return Some((t, o, w, *subaddress, via, slow_open(&output.amount, &s), payment_id));
    }
    None
}

fn slow_open(amount: &EncryptedAmount, s: &Scalar) -> Result<u64, AmountError> {
    let value = keccak(&[&EdwardsPoint::mul_base(&Scalar::ONE).compress().0]);
    let value = CompressedEdwardsY(value).decompress().unwrap().mul_by_cofactor();
    let check = |amount: u64, mask: Scalar, commitment: &[u8; 32]| {
        let found = EdwardsPoint::mul_base(&mask) + Scalar::from(amount) * value;
        if found.compress().0 == *commitment { Ok(amount) } else { Err(AmountError::Commitment) }
    };
    match amount {
        EncryptedAmount::Plain(amount) => Ok(*amount),
        EncryptedAmount::Compact { amount, commitment } => {
            let pad = keccak(&[b"amount", s.as_bytes()]);
            let amount = u64::from_le_bytes(std::array::from_fn(|i| amount[i] ^ pad[i]));
            check(amount, hash_to_scalar(&[b"commitment_mask", s.as_bytes()]), commitment)
        }
        EncryptedAmount::Full { mask, amount, commitment } => {
            let x1 = hash_to_scalar(&[s.as_bytes()]);
            let x2 = hash_to_scalar(&[x1.as_bytes()]);
            let amount = (Scalar::from_bytes_mod_order(*amount) - x2).to_bytes();
            if amount[8..].iter().any(|byte| *byte != 0) {
                return Err(AmountError::TooLarge);
            }
            let amount = u64::from_le_bytes(std::array::from_fn(|i| amount[i]));
            check(amount, Scalar::from_bytes_mod_order(*mask) - x1, commitment)
        }
    }
}

/// An amount as a sender encrypts it, in any form, sometimes wrong.
fn encrypt(random: &mut Random, s: &Scalar) -> EncryptedAmount {
    let lanes = curve25519_lanes::Scalar::from_bytes_mod_order(s.to_bytes());
    let clear = random.next();
    let mut amount = EncryptedAmount::compact(&lanes, clear);
    match random.below(6) {
        0 => return EncryptedAmount::Plain(clear),
        1 | 2 => {
            let x1 = hash_to_scalar(&[s.as_bytes()]);
            let x2 = hash_to_scalar(&[x1.as_bytes()]);
            let mask = Scalar::from_bytes_mod_order(random.bytes());
            let own_mask = curve25519_lanes::Scalar::from_bytes_mod_order(mask.to_bytes());
            let commitment = curve25519_lanes::wallet::Opening::new(clear, own_mask).commit().0;
            let wide = if random.below(4) == 0 { Scalar::from(1u128 << 64) } else { Scalar::ZERO };
            amount = EncryptedAmount::Full {
                mask: (mask + x1).to_bytes(),
                amount: (Scalar::from(clear) + wide + x2).to_bytes(),
                commitment,
            };
        }
        3 => {
            if let EncryptedAmount::Compact { amount, .. } = &mut amount {
                amount[7] ^= 0x80;
            }
        }
        _ => {}
    }
    amount
}

/// A key: a point, one with a small-order part, an old one again, or no point.
fn some_key(random: &mut Random, before: &[[u8; 32]]) -> [u8; 32] {
    let point = EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(random.bytes()));
    match random.below(8) {
        0 => (point + EIGHT_TORSION[1 + random.below(7)]).compress().0,
        1 => [0xff; 32],
        2 if !before.is_empty() => before[random.below(before.len())],
        3 if random.below(3) == 0 => EIGHT_TORSION[random.below(8)].compress().0,
        _ => point.compress().0,
    }
}

fn some_transaction(random: &mut Random, wallets: &[Wallet]) -> (TxExtra, Vec<Output>) {
    let count = random.below(6);
    let mut keys = Vec::new();
    for _ in 0..[1, 1, 1, 2, 3, 0][random.below(6)] {
        keys.push(some_key(random, &keys));
    }
    let mut additional_keys = Vec::new();
    if random.below(2) == 0 {
        for _ in 0..(count + random.below(3)).saturating_sub(random.below(2)) {
            additional_keys.push(some_key(random, &keys));
        }
    }
    let payment_id = match random.below(3) {
        0 => None,
        1 => Some(PaymentId::Plain(random.bytes())),
        _ => Some(PaymentId::Encrypted(random.next().to_le_bytes())),
    };
    let mut outputs = Vec::new();
    for o in 0..count {
        let wallet = &wallets[random.below(wallets.len())];
        let all: Vec<&[u8; 32]> = keys.iter().chain(additional_keys.get(o)).collect();
        let key = all.get(random.below(all.len().max(1))).map_or(IDENTITY, |key| **key);
        let derivation = wallet.derivation(&key).unwrap_or(IDENTITY);
        let s = hash_to_scalar(&[&derivation, &varint(o as u64)]);
        // One more than the table has, now and then.
        let (major, minor) =
            (random.below(wallet.size.0 as usize + 1) as u32, random.below(wallet.size.1 as usize) as u32);
        let mut point = wallet.subaddress(major, minor) + EdwardsPoint::mul_base(&s);
        let mut view_tag = Some(keccak(&[b"view_tag", &derivation, &varint(o as u64)])[0]);
        let owned = random.below(3) > 0;
        match random.below(8) {
            0 => point += EIGHT_TORSION[1 + random.below(7)],
            1 => view_tag = view_tag.map(|tag| tag ^ 1),
            2 | 3 => view_tag = None,
            _ => {}
        }
        let key = match random.below(12) {
            0 => [0xff; 32],
            1 => outputs.last().map_or([2; 32], |output: &Output| output.key),
            _ if owned => point.compress().0,
            _ => EdwardsPoint::mul_base(&Scalar::from_bytes_mod_order(random.bytes())).compress().0,
        };
        outputs.push(Output { key, view_tag, amount: encrypt(random, &s) });
    }
    (TxExtra { keys, additional_keys, payment_id, complete: true }, outputs)
}

fn scanner(wallets: &[Wallet], options: Options) -> Scanner {
    let mut scanner = Scanner::new(options);
    for (w, wallet) in wallets.iter().enumerate() {
        let view = curve25519_lanes::Scalar::from_bytes_mod_order(wallet.view.to_bytes());
        let keys = ViewPair::new(&view, &wallet.spend.compress().0).unwrap();
        // Grown in steps, some of them.
        let first = if w % 2 == 0 { wallet.size } else { (1, wallet.size.1) };
        assert_eq!(scanner.add_wallet(&keys, first.0, first.1).unwrap(), w);
    }
    for (w, wallet) in wallets.iter().enumerate() {
        scanner.grow(w, wallet.size.0, wallet.size.1).unwrap();
    }
    assert_eq!(scanner.len(), wallets.len());
    scanner
}

fn views(transactions: &[(TxExtra, Vec<Output>)]) -> Vec<Transaction<'_>> {
    transactions.iter().map(|(extra, outputs)| Transaction { extra, outputs }).collect()
}

const OPTIONS: [Options; 7] = {
    let mut all = [Options { bad_key: BadKey::Identity, keys: KeyRule::ReferenceWallet, max_keys: usize::MAX }; 7];
    all[1].bad_key = BadKey::Skip;
    all[2].keys = KeyRule::LightWalletServer;
    all[3].keys = KeyRule::All;
    all[4] = Options { keys: KeyRule::LightWalletServer, ..all[1] };
    all[5] = Options { keys: KeyRule::All, ..all[1] };
    all[6].max_keys = 1;
    all
};

#[test]
fn random_wallets_and_transactions() {
    let mut random = Random(77);
    let (mut owned, mut bad, mut additional, mut torsion) = (0, 0, 0, 0);
    let last = if cfg!(debug_assertions) { 5 } else { 17 };
    for w in 1..=last {
        let sizes = [(1, 1), (2, 3), (1, 4)];
        let mut wallets: Vec<Wallet> = (0..w).map(|i| Wallet::new(&mut random, sizes[i % 3])).collect();
        if w > 3 {
            // The same wallet twice, and the same spend key under two view keys.
            let (view, spend) = (wallets[0].view, wallets[0].spend);
            wallets[2] = Wallet { view, spend, subaddresses: wallets[0].subaddresses.clone(), size: (1, 1) };
            wallets[3] =
                Wallet { view: wallets[3].view, spend, subaddresses: wallets[0].subaddresses.clone(), size: (1, 1) };
        }
        let transactions: Vec<_> = (0..3 * (18 - w)).map(|_| some_transaction(&mut random, &wallets)).collect();
        let options = OPTIONS[w % 6];
        let expected = slow_scan(&wallets, &transactions, options);
        owned += expected.len();
        bad += expected.iter().filter(|f| f.5.is_err()).count();
        additional += expected.iter().filter(|f| f.4 == Via::Additional).count();
        let small = |key: &[u8; 32]| decode(key).is_some_and(|p| !p.is_torsion_free());
        torsion += expected.iter().filter(|f| transactions[f.0].0.keys.iter().any(small)).count();
        let mut scanner = scanner(&wallets, options);
        each_backend(|id| {
            for cuts in [
                Cuts::default(),
                Cuts { tile: 1, slab: 1, derivations: 1, pairs: 1, piece: 1 },
                Cuts { tile: 3, slab: 7, derivations: 10, pairs: 30, piece: 5 },
            ] {
                scanner.set_cuts(cuts);
                let found: Vec<Finding> = scanner.scan(&views(&transactions)).iter().map(plain).collect();
                assert_eq!(found, expected, "{id} {w} wallets {options:?} {cuts:?}");
            }
        });
    }
    if last == 17 {
        assert!(owned > 150 && bad > 20 && additional > 20 && torsion > 20, "{owned} {bad} {additional} {torsion}");
    }
}

#[test]
fn every_option() {
    let mut random = Random(4);
    let wallets: Vec<Wallet> = (0..5).map(|_| Wallet::new(&mut random, (2, 2))).collect();
    let count = if cfg!(debug_assertions) { 30 } else { 150 };
    let transactions: Vec<_> = (0..count).map(|_| some_transaction(&mut random, &wallets)).collect();
    let mut results = Vec::new();
    for options in OPTIONS {
        let expected = slow_scan(&wallets, &transactions, options);
        let scanner = scanner(&wallets, options);
        let found: Vec<Finding> = scanner.scan(&views(&transactions)).iter().map(plain).collect();
        assert_eq!(found, expected, "{options:?}");
        results.push(found);
    }
    for (i, a) in results.iter().enumerate() {
        assert!(results[..i].iter().all(|b| a != b), "option {i} makes no difference");
    }
}

/// Thousands of keys and outputs in one transaction: blocks end in the middle of it, and what several keys find counts once.
#[test]
fn one_large_transaction() {
    let mut random = Random(6);
    let wallets: Vec<Wallet> = (0..3).map(|_| Wallet::new(&mut random, (1, 1))).collect();
    let key = EdwardsPoint::mul_base(&Scalar::from(5u64)).compress().0;
    let outputs: Vec<Output> = (0..40)
        .map(|o| {
            let wallet = &wallets[o % 3];
            let derivation = wallet.derivation(&key).unwrap();
            let s = hash_to_scalar(&[&derivation, &varint(o as u64)]);
            let key = (wallet.spend + EdwardsPoint::mul_base(&s)).compress().0;
            Output { key, view_tag: None, amount: EncryptedAmount::Plain(1) }
        })
        .collect();
    let extra = TxExtra { keys: vec![key; 300], additional_keys: vec![key; 50], ..TxExtra::default() };
    let mut scanner = scanner(&wallets, Options::default());
    scanner.set_cuts(Cuts { derivations: 40, pairs: 500, ..Cuts::default() });
    let mut last = 0;
    let (found, complete) = scanner.scan_with(&[Transaction { extra: &extra, outputs: &outputs }], |done| {
        assert!(done > last);
        last = done;
        true
    });
    assert!(complete);
    assert_eq!(last, 3 * (300 * 40 + 40));
    let places: Vec<_> = found.iter().map(|f| (f.output, f.wallet, f.via)).collect();
    assert_eq!(places, (0..40).map(|o| (o, o % 3, Via::Main(0))).collect::<Vec<_>>());
    // Stopped at once.
    let (_, complete) = scanner.scan_with(&[Transaction { extra: &extra, outputs: &outputs }], |_| false);
    assert!(!complete);
    assert!(Scanner::default().scan(&[Transaction { extra: &extra, outputs: &outputs }]).is_empty());
}

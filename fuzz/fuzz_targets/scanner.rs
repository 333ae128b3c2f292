//! The scanner, on every backend and with its work cut in several ways, against the functions for one output at a time.
#![no_main]

use std::sync::OnceLock;

use curve25519_lanes::wallet::scanner::{BadKey, Cuts, KeyRule, Options, Via};
use curve25519_lanes::wallet::{
    Derivation, EncryptedAmount, Output, Scanner, SubaddressTable, Transaction, TxExtra, ViewPair,
};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar};
use curve25519_lanes_fuzz::{Input, on_every_backend};
use libfuzzer_sys::fuzz_target;

/// Accounts, and addresses in each.
const SIZE: (u32, u32) = (2, 2);
const IDENTITY: CompressedEdwardsY = CompressedEdwardsY::IDENTITY;

struct Wallet {
    view: Scalar,
    keys: ViewPair,
    addresses: Vec<[u8; 32]>,
    table: SubaddressTable,
}

fn wallets() -> &'static [Wallet] {
    static ALL: OnceLock<Vec<Wallet>> = OnceLock::new();
    ALL.get_or_init(|| {
        (1..4_u64)
            .map(|i| {
                let view = Scalar::from(100 * i);
                let keys = ViewPair::from_secrets(&view, &Scalar::from(100 * i + 1));
                let all: Vec<_> = (0..SIZE.0).flat_map(|major| (0..SIZE.1).map(move |minor| (major, minor))).collect();
                let table = SubaddressTable::new(&keys, SIZE.0, SIZE.1).expect("a small table");
                Wallet { view, addresses: keys.spend_keys(&all), keys, table }
            })
            .collect()
    })
}

/// A transaction key of a payer, or anything.
fn key(input: &mut Input<'_>) -> [u8; 32] {
    match input.below(3) {
        0 => input.encoding(),
        _ => EdwardsPoint::mul_base(&Scalar::from(1 + u64::from(input.byte()))).compress().0,
    }
}

fn transaction(input: &mut Input<'_>) -> (TxExtra, Vec<Output>) {
    let keys: Vec<_> = (0..input.below(3)).map(|_| key(input)).collect();
    let additional_keys: Vec<_> = (0..input.below(5)).map(|_| key(input)).collect();
    let outputs = (0..input.below(5) as u64).map(|index| {
        // For somebody by some key, with the tag that belongs to it or another or none.
        let wallet = &wallets()[input.below(3)];
        let by = keys.iter().chain(additional_keys.get(index as usize)).nth(input.below(3));
        let derivation = by.and_then(|key| Derivation::new(&wallet.view, key));
        let address = &wallet.addresses[input.below(4)];
        let made = derivation.and_then(|d| Some((d.output_key(index, address)?, d.view_tag(index))));
        let kind = input.below(8);
        let (key, tag) = made.filter(|_| kind != 0).unwrap_or_else(|| (input.encoding(), input.byte()));
        let view_tag = match kind {
            1 => None,
            2 => Some(input.byte()),
            _ => Some(tag),
        };
        Output { key, view_tag, amount: EncryptedAmount::compact(&Scalar::ONE, 5) }
    });
    let outputs = outputs.collect();
    (TxExtra { keys, additional_keys, ..TxExtra::default() }, outputs)
}

type Finding = (usize, usize, usize, (u32, u32), Via);

/// One output for one wallet.
fn direct(
    wallet: &Wallet,
    extra: &TxExtra,
    outputs: &[Output],
    o: usize,
    options: Options,
) -> Option<((u32, u32), Via)> {
    let is_point = |key: &[u8; 32]| CompressedEdwardsY(*key).decompress_strict().is_some();
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
    let skip = options.bad_key == BadKey::Skip;
    if skip && main.first().is_some_and(|key| !is_point(key)) {
        return None;
    }
    if skip && additional.iter().take(outputs.len()).any(|key| !is_point(key)) {
        additional = &[];
    }
    let main = main.iter().enumerate().map(|(k, key)| (Via::Main(k), key));
    for (via, key) in main.chain(additional.get(o).map(|key| (Via::Additional, key))) {
        let derivation = match Derivation::new(&wallet.view, key) {
            None if skip => continue,
            // What Monero's wallet goes on with.
            None => Derivation(IDENTITY.0),
            Some(derivation) => derivation,
        };
        if outputs[o].view_tag.is_some_and(|tag| tag != derivation.view_tag(o as u64)) {
            continue;
        }
        let spend = derivation.spend_key(o as u64, &outputs[o].key)?;
        if let Some(subaddress) = wallet.table.get(&spend) {
            return Some((subaddress, via));
        }
    }
    None
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let options = Options {
        keys: [KeyRule::ReferenceWallet, KeyRule::All, KeyRule::LightWalletServer][input.below(3)],
        bad_key: [BadKey::Skip, BadKey::Identity][input.below(2)],
        max_keys: [usize::MAX, 0, 1, 2][input.below(4)],
    };
    let cuts = Cuts {
        tile: 1 + input.below(4),
        slab: 1 + input.below(4),
        derivations: 1 + input.below(20),
        pairs: 1 + input.below(20),
        piece: 1 + input.below(20),
    };
    let txs: Vec<(TxExtra, Vec<Output>)> = (0..1 + input.below(3)).map(|_| transaction(&mut input)).collect();
    let mut expected: Vec<Finding> = Vec::new();
    for (t, (extra, outputs)) in txs.iter().enumerate() {
        for o in 0..outputs.len() {
            for (w, wallet) in wallets().iter().enumerate() {
                let found = direct(wallet, extra, outputs, o, options);
                expected.extend(found.map(|(subaddress, via)| (t, o, w, subaddress, via)));
            }
        }
    }
    on_every_backend(|id| {
        for cut in [false, true] {
            let mut scanner = Scanner::new(options);
            if cut {
                scanner.set_cuts(cuts);
            }
            for wallet in wallets() {
                scanner.add_wallet(&wallet.keys, SIZE.0, SIZE.1).expect("a small table");
            }
            let txs: Vec<Transaction<'_>> = txs.iter().map(|(extra, outputs)| Transaction { extra, outputs }).collect();
            let found = scanner.scan(&txs);
            let found: Vec<Finding> =
                found.iter().map(|f| (f.transaction, f.output, f.wallet, f.subaddress, f.via)).collect();
            assert_eq!(found, expected, "{id}, cut: {cut}");
        }
    });
});

//! Wallet operations: derivation and signature lines of `monero_crypto_tests.txt`, and the scan and subaddress files.

use curve25519_lanes::proofs::monero_signatures::{RingItem, Signature, verify_batch, verify_ring, verify_ring_batch};
use curve25519_lanes::wallet::derive::{derivations, output_keys, output_scalars, spend_keys, view_tags};
use curve25519_lanes::wallet::scanner::Via;
use curve25519_lanes::wallet::{Derivation, RawTransaction, Scanner, SubaddressTable, ViewPair, seraphis};
use curve25519_lanes::{
    CompressedEdwardsY, EdwardsPoint, Scalar, decompress_batch_strict, try_decompress_batch_strict,
};
use serde_json::Value;

use super::common::{batches, bytes32, each_backend, hex, hex32, json_cases, text, truth};
use super::monero::{canonical, column, lines, truth as truth_field};

fn scalar(bytes: [u8; 32]) -> Scalar {
    Scalar::from_integer_unreduced(bytes)
}

#[test]
fn derivation_lines() {
    let Some(all) = lines("monero_crypto_tests.txt") else { return };
    each_backend(|_| {
        generate_key_derivation(&all["generate_key_derivation"]);
        derive_public_key(&all["derive_public_key"]);
        derive_secret_key(&all["derive_secret_key"]);
        derive_view_tag(&all["derive_view_tag"]);
    });
}

fn generate_key_derivation(lines: &[Vec<String>]) {
    let keys = column(lines, 0);
    let secrets: Vec<Scalar> = column(lines, 1).into_iter().map(|s| canonical(s).expect("a secret key")).collect();
    let expected: Vec<Option<Derivation>> =
        lines.iter().map(|fields| truth_field(&fields[2]).then(|| Derivation(hex32(&fields[3])))).collect();
    assert!(expected.iter().any(Option::is_none) && expected.iter().any(Option::is_some));
    for ((key, secret), expected) in keys.iter().zip(&secrets).zip(&expected) {
        assert_eq!(Derivation::new(secret, key), *expected, "{key:02x?}");
    }
    // Every batch as a grid, of which one diagonal is known.
    batches(&keys, |start, keys| {
        let keys = &keys[..keys.len().min(20)];
        let secrets = &secrets[start..start + keys.len()];
        let all = derivations(secrets, keys);
        assert_eq!(all.len(), keys.len() * keys.len());
        for (i, expected) in expected[start..start + keys.len()].iter().enumerate() {
            assert_eq!(all[i * keys.len() + i], *expected, "line {}", start + i);
        }
        let one = derivations(&secrets[..1], keys);
        assert_eq!(one, all.iter().step_by(keys.len()).cloned().collect::<Vec<_>>());
    });
}

fn derive_public_key(lines: &[Vec<String>]) {
    let derivations: Vec<Derivation> = column(lines, 0).into_iter().map(Derivation).collect();
    let bases = column(lines, 2);
    let (mut outputs, mut points, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    for ((fields, derivation), base) in lines.iter().zip(&derivations).zip(&bases) {
        let index = fields[1].parse().unwrap();
        let key = derivation.output_key(index, base);
        assert_eq!(key.is_some(), truth_field(&fields[3]), "{fields:?}");
        if let Some(key) = key {
            assert_eq!(key, hex32(&fields[4]), "{fields:?}");
            assert_eq!(derivation.spend_key(index, &key), Some(*base), "{fields:?}");
            outputs.push((derivation, index));
            points.push(CompressedEdwardsY(*base).decompress_strict().unwrap());
            expected.push((*base, key));
        }
    }
    batches(&outputs, |start, outputs| {
        let range = start..start + outputs.len();
        let scalars = output_scalars(outputs);
        let keys = output_keys(&scalars, &points[range.clone()]).unwrap();
        let expected = &expected[range];
        assert_eq!(keys, expected.iter().map(|(_, key)| *key).collect::<Vec<_>>());
        let bases = spend_keys(&scalars, &decompress_batch_strict(&keys).unwrap()).unwrap();
        assert_eq!(bases, expected.iter().map(|(base, _)| *base).collect::<Vec<_>>());
    });
}

fn derive_secret_key(lines: &[Vec<String>]) {
    for fields in lines {
        let derivation = Derivation(hex32(&fields[0]));
        let base = canonical(hex32(&fields[2])).expect("a secret key");
        let secret = derivation.output_secret(fields[1].parse().unwrap(), &base);
        assert_eq!(secret.to_bytes(), hex32(&fields[3]), "{fields:?}");
    }
}

fn derive_view_tag(lines: &[Vec<String>]) {
    let derivations: Vec<Derivation> = column(lines, 0).into_iter().map(Derivation).collect();
    let outputs: Vec<(&Derivation, u64)> =
        lines.iter().zip(&derivations).map(|(fields, d)| (d, fields[1].parse().unwrap())).collect();
    let expected: Vec<u8> = lines.iter().map(|fields| hex(&fields[2])[0]).collect();
    for ((derivation, index), expected) in outputs.iter().zip(&expected) {
        assert_eq!(derivation.view_tag(*index), *expected);
    }
    batches(&outputs, |start, outputs| {
        assert_eq!(view_tags(outputs), expected[start..start + outputs.len()]);
    });
}

#[test]
fn scan() {
    let Some(cases) = json_cases("monero_scan.json") else { return };
    let transactions: Vec<RawTransaction> =
        cases.iter().map(|case| RawTransaction::parse(&hex(text(case, "tx_hex"))).expect("a transaction")).collect();
    let wallets: Vec<ViewPair> = cases
        .iter()
        .map(|case| {
            ViewPair::from_secrets(&scalar(bytes32(case, "view_secret")), &scalar(bytes32(case, "spend_secret")))
        })
        .collect();
    each_backend(|id| {
        let mut scanner = Scanner::default();
        for (case, wallet) in cases.iter().zip(&wallets) {
            let size = |what: &str| case["subaddress_range"][what].as_array().unwrap().len() as u32;
            scanner.add_wallet(wallet, size("major"), size("minor")).unwrap();
        }
        let views: Vec<_> = transactions.iter().map(RawTransaction::as_transaction).collect();
        let found = scanner.scan(&views);
        let mut expected = 0;
        for (t, case) in cases.iter().enumerate() {
            let secret = scalar(bytes32(case, "spend_secret"));
            for owned in case["owned"].as_array().unwrap() {
                let f = &found[expected];
                expected += 1;
                assert_eq!((f.transaction, f.wallet), (t, t), "{id}");
                assert_eq!(f.output as u64, owned["output"], "{id}");
                assert_eq!(f.opening.as_ref().unwrap().amount, owned["amount"], "{id}");
                assert_eq!(f.derivation.0, bytes32(owned, "derivation"), "{id}");
                assert_eq!(Value::from(vec![f.subaddress.0, f.subaddress.1]), owned["subaddress"], "{id}");
                assert_eq!((f.via, text(owned, "via")), (Via::Main(0), "main"), "{id}");
                let m = wallets[t].subaddress_scalar(f.subaddress.0, f.subaddress.1);
                let one_time = f.output_scalar + secret + m;
                assert_eq!(one_time.to_bytes(), bytes32(owned, "one_time_secret"), "{id}");
                assert_eq!(EdwardsPoint::mul_base(&one_time).compress().0, bytes32(owned, "one_time_public"), "{id}");
                assert_eq!(transactions[t].outputs[f.output].key, bytes32(owned, "one_time_public"), "{id}");
            }
            for tag in case["view_tags"].as_array().unwrap() {
                let key = transactions[t].extra.keys[0];
                let derivation = Derivation::new(&scalar(bytes32(case, "view_secret")), &key).unwrap();
                let output = tag["output"].as_u64().unwrap();
                let matches =
                    transactions[t].outputs[output as usize].view_tag.map(|t| t == derivation.view_tag(output));
                assert_eq!(matches.map_or(Value::Null, Value::from), tag["view_tag_match"], "{id}");
            }
        }
        assert_eq!(found.len(), expected, "{id}");
    });
}

#[test]
fn raw_transactions() {
    let Some(cases) = json_cases("monero_tx_raw.json") else { return };
    let field = ["tx_hex", "raw", "hex", "tx"].into_iter().find(|f| cases[0].get(*f).is_some()).expect("raw bytes");
    for case in &cases {
        let bytes = hex(text(case, field));
        let transaction = RawTransaction::parse(&bytes).expect("a transaction");
        assert!(transaction.extra.complete && !transaction.outputs.is_empty());
        // Cut off anywhere and changed anywhere: an error or something else, and no panic.
        for at in 0..bytes.len().min(400) {
            assert!(RawTransaction::parse(&bytes[..at]).is_err() || at > 100);
            let mut changed = bytes.clone();
            changed[at] ^= 0x81;
            let _ = RawTransaction::parse(&changed);
        }
    }
}

#[test]
fn subaddresses() {
    let Some(cases) = json_cases("monero_subaddress.json") else { return };
    let keys = |case: &Value| {
        ViewPair::from_secrets(&scalar(bytes32(case, "view_secret")), &scalar(bytes32(case, "spend_secret")))
    };
    let index = |case: &Value| {
        let number = |what: &str| case[what].as_u64().unwrap() as u32;
        (number("major"), number("minor"))
    };
    each_backend(|id| {
        for case in &cases {
            assert_eq!(keys(case).spend_keys(&[index(case)]), [bytes32(case, "spend_public")], "{id} {case}");
            assert_eq!(keys(case).view_keys(&[index(case)]), [bytes32(case, "view_public")], "{id} {case}");
        }
        for same in cases.chunk_by(|a, b| a["view_secret"] == b["view_secret"]) {
            let indexes: Vec<_> = same.iter().map(index).collect();
            let expected: Vec<_> = same.iter().map(|case| bytes32(case, "spend_public")).collect();
            assert_eq!(keys(&same[0]).spend_keys(&indexes), expected, "{id}");
            let (majors, minors) = indexes.iter().fold((0, 0), |(x, y), i| (i.0.max(x), i.1.max(y)));
            let mut table = SubaddressTable::new(&keys(&same[0]), majors, minors).unwrap();
            assert_eq!(table.len(), (majors * minors) as usize);
            for (key, index) in expected.iter().zip(&indexes) {
                assert_eq!(table.get(key), (index.0 < majors && index.1 < minors).then_some(*index), "{id}");
            }
            table.grow(majors + 1, minors + 1).unwrap();
            assert_eq!(table.len(), ((majors + 1) * (minors + 1)) as usize);
            for (key, index) in expected.iter().zip(&indexes) {
                assert_eq!(table.get(key), Some(*index), "{id}");
            }
        }
    });
}

#[test]
fn seraphis_view_scan() {
    let Some(cases) = json_cases("seraphis_view_scan.json") else { return };
    each_backend(|id| {
        let mut seen = 0;
        for case in &cases {
            let view_secret = scalar(bytes32(case, "view_secret"));
            let index = case["output_index"].as_u64().unwrap();
            seen += 1;
            if text(case, "kind") == "cryptonote" {
                let derivation = Derivation::new(&view_secret, &bytes32(case, "tx_public_key")).unwrap();
                assert_eq!(derivation.0, bytes32(case, "derivation_8vR"), "{id}");
                assert_eq!(derivation.scalar(index).to_bytes(), bytes32(case, "derivation_scalar"), "{id}");
                let recovered = derivation.spend_key(index, &bytes32(case, "onetime_address")).unwrap();
                assert_eq!(recovered, bytes32(case, "recovered_spend_key"), "{id}");
                assert_eq!(recovered == bytes32(case, "spend_public_key"), truth(case, "match"), "{id}");
                continue;
            }
            assert_eq!(text(case, "kind"), "seraphis");
            let derivation = Derivation::new(&view_secret, &bytes32(case, "enote_pubkey_R")).unwrap();
            assert_eq!(derivation.0, bytes32(case, "derivation_8vR"), "{id}");
            let enote = seraphis::Enote {
                onetime_address: bytes32(case, "onetime_address"),
                amount_commitment: bytes32(case, "amount_commitment"),
                encoded_amount: text(case, "encoded_amount_u64_decimal_string").parse().unwrap(),
                view_tag: case["view_tag"].as_u64().unwrap() as u8,
                enote_public: bytes32(case, "enote_pubkey_R"),
                index,
            };
            let mut strange = enote;
            strange.enote_public = [0xff; 32];
            let found = seraphis::scan(&view_secret, &[strange, enote, strange, enote]);
            assert!(found[0].is_none() && found[1] == found[3], "{id}");
            assert_eq!(found[1].is_some(), truth(case, "tag_matches"), "{id}");
            if let Some(nominal) = &found[1] {
                assert_eq!(nominal.sender_receiver_secret.to_bytes(), bytes32(case, "sender_receiver_secret"), "{id}");
                assert_eq!(nominal.spend_key, bytes32(case, "nominal_spend_key"), "{id}");
                assert_eq!(nominal.opening.is_ok(), truth(case, "amount_recovered"), "{id}");
                if let Ok(opening) = &nominal.opening {
                    assert_eq!(opening.amount.to_string(), text(case, "amount_decimal_string"), "{id}");
                }
            }
        }
        assert_eq!(seen, cases.len(), "{id}");
    });
}

/// Which strings are keys: the strict rule for derivations and outputs.
#[test]
fn decoding() {
    let Some(cases) = json_cases("point_decode_edge.json") else { return };
    let keys: Vec<[u8; 32]> = cases.iter().map(|case| bytes32(case, "in")).collect();
    each_backend(|id| {
        let all = derivations(&[Scalar::from(3u64)], &keys);
        let points = try_decompress_batch_strict(&keys);
        for (((case, key), derivation), point) in cases.iter().zip(&keys).zip(&all).zip(&points) {
            assert_eq!(derivation.is_some(), truth(case, "monero"), "{id} {case}");
            assert_eq!(Derivation::new(&Scalar::from(3u64), key), *derivation, "{id} {case}");
            assert_eq!(Derivation([1; 32]).spend_key(0, key).is_some(), truth(case, "monero"), "{id} {case}");
            assert_eq!(Derivation([1; 32]).output_key(0, key).is_some(), truth(case, "monero"), "{id} {case}");
            assert_eq!(point.is_some(), truth(case, "monero"), "{id} {case}");
            let relaxed = CompressedEdwardsY(*key).decompress_dalek().map(|p| p.compress().0);
            assert_eq!(relaxed, super::common::optional32(case, "dalek_edwards"), "{id} {case}");
        }
    });
}

#[test]
fn signature_lines() {
    let Some(all) = lines("monero_crypto_tests.txt") else { return };
    let signature = |field: &str| Signature::from_bytes(&hex(field).try_into().unwrap());
    let mut items = Vec::new();
    let mut expected = Vec::new();
    for fields in &all["check_signature"] {
        items.push((hex32(&fields[0]), hex32(&fields[1]), signature(&fields[2])));
        expected.push(truth_field(&fields[3]));
    }
    assert!(expected.contains(&true) && expected.contains(&false));
    for fields in &all["generate_signature"] {
        let public = EdwardsPoint::mul_base(&canonical(hex32(&fields[2])).unwrap()).compress().0;
        assert_eq!(public, hex32(&fields[1]));
        items.push((hex32(&fields[0]), public, signature(&fields[3])));
        expected.push(true);
    }
    each_backend(|id| {
        batches(&items, |start, items| {
            let verdicts: Vec<bool> = verify_batch(items).iter().map(Result::is_ok).collect();
            assert_eq!(verdicts, expected[start..start + items.len()], "{id}");
        });
    });
}

#[test]
fn ring_signature_lines() {
    let Some(all) = lines("monero_crypto_tests.txt") else { return };
    struct Line {
        message: [u8; 32],
        image: [u8; 32],
        publics: Vec<[u8; 32]>,
        pairs: Vec<Signature>,
        expected: bool,
    }
    let lines: Vec<Line> = all["check_ring_signature"]
        .iter()
        .map(|fields| {
            let n: usize = fields[2].parse().unwrap();
            let pairs = hex(&fields[3 + n]);
            let (pairs, rest) = pairs.as_chunks();
            assert!(rest.is_empty() && fields.len() == n + 5);
            Line {
                message: hex32(&fields[0]),
                image: hex32(&fields[1]),
                publics: fields[3..3 + n].iter().map(|key| hex32(key)).collect(),
                pairs: pairs.iter().map(Signature::from_bytes).collect(),
                expected: truth_field(&fields[4 + n]),
            }
        })
        .collect();
    let items: Vec<RingItem<'_>> = lines
        .iter()
        .map(|l| RingItem { message: &l.message, image: &l.image, publics: &l.publics, pairs: &l.pairs })
        .collect();
    assert!(lines.iter().any(|line| line.expected) && lines.iter().any(|line| !line.expected));
    let part = if cfg!(debug_assertions) { 60 } else { items.len() };
    each_backend(|id| {
        for pieces in [part, 7] {
            for (items, lines) in items[..part].chunks(pieces).zip(lines.chunks(pieces)) {
                for (verdict, line) in verify_ring_batch(items).iter().zip(lines) {
                    assert_eq!(verdict.is_ok(), line.expected, "{id} {verdict:?}");
                }
            }
        }
        // What is true does not stay so when something changes.
        for (item, line) in items.iter().zip(&lines).filter(|(_, line)| line.expected).take(8) {
            let mut pairs = line.pairs.clone();
            pairs[0].r[3] ^= 1;
            assert!(verify_ring(&RingItem { pairs: &pairs, ..*item }).is_err());
            assert!(verify_ring(&RingItem { pairs: &pairs[1..], ..*item }).is_err());
            assert!(verify_ring(&RingItem { image: &line.publics[0], ..*item }).is_err());
        }
    });
}

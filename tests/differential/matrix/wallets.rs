//! What wallets derive, many at a time, against the same written with curve25519-dalek and Keccak-256.

use curve25519_dalek as dalek;
use curve25519_lanes::Scalar;
use curve25519_lanes::tx::seraphis::squashed_batch;
use curve25519_lanes::wallet::derive::{derivations, output_keys, output_scalars, spend_keys, view_tags};
use curve25519_lanes::wallet::ecdh::{unclamped_grid, x25519_grid};
use curve25519_lanes::wallet::{Derivation, ViewPair};
use sha3::{Digest, Keccak256};

use super::super::common::varint;
use super::super::inputs::product;
use super::{Matrix, Pool};

fn hash(parts: &[&[u8]]) -> [u8; 32] {
    Keccak256::digest(parts.concat()).into()
}

fn to_scalar(parts: &[&[u8]]) -> dalek::Scalar {
    dalek::Scalar::from_bytes_mod_order(hash(parts))
}

pub(super) fn run(matrix: &mut Matrix, pool: &Pool) {
    // View keys are numbers mod l; transaction keys may be no points.
    let secrets: Vec<dalek::Scalar> =
        pool.integers[..10].iter().map(|k| dalek::Scalar::from_bytes_mod_order(*k)).collect();
    let ours: Vec<Scalar> = secrets.iter().map(|k| Scalar::from_integer_unreduced(k.to_bytes())).collect();
    let keys: Vec<[u8; 32]> =
        (pool.theirs.iter().enumerate()).map(|(i, p)| if i % 7 == 3 { [0xff; 32] } else { p.compress().0 }).collect();
    let shared: Vec<Vec<Option<[u8; 32]>>> = (0..super::SPREAD)
        .map(|i| {
            let good = i % 7 != 3;
            secrets.iter().map(|k| good.then(|| (k * pool.theirs[i].mul_by_cofactor()).compress().0)).collect()
        })
        .collect();
    let expected = |w: std::ops::Range<usize>| {
        let mut out = Vec::new();
        for width in [1, 10] {
            out.extend(shared[w.clone()].iter().flat_map(|row| row[..width].to_vec()));
        }
        out
    };
    let spread = std::mem::replace(&mut matrix.spread, super::GRID_SPREAD);
    matrix.check("wallet/derive.rs derivations", &[], expected, |w| {
        let mut out = Vec::new();
        for width in [1, 10] {
            out.extend(derivations(&ours[..width], &keys[w.clone()]).iter().map(|d| d.as_ref().map(|d| d.0)));
        }
        out
    });
    matrix.spread = spread;

    let indexes = [0, 1, 127, 128, 16383, 16384, u64::MAX];
    let outputs: Vec<(Derivation, u64)> =
        (0..super::SPREAD).map(|i| (Derivation(pool.products[i].compress().0), indexes[i % indexes.len()])).collect();
    let borrowed: Vec<(&Derivation, u64)> = outputs.iter().map(|(d, i)| (d, *i)).collect();
    let expected: Vec<u8> = outputs.iter().map(|(d, i)| hash(&[b"view_tag", &d.0, &varint(*i)])[0]).collect();
    matrix.each("wallet/derive.rs view_tags", &[], &expected, |w| view_tags(&borrowed[w]));
    let scalars: Vec<dalek::Scalar> = outputs.iter().map(|(d, i)| to_scalar(&[&d.0, &varint(*i)])).collect();
    let expected: Vec<[u8; 32]> = scalars.iter().map(dalek::Scalar::to_bytes).collect();
    matrix.each("wallet/derive.rs output_scalars", &[], &expected, |w| {
        output_scalars(&borrowed[w]).iter().map(Scalar::to_bytes).collect()
    });

    let base = |k: &[u8; 32]| dalek::EdwardsPoint::mul_base(&dalek::Scalar::from_bytes_mod_order(*k));
    let terms = || pool.integers.iter().zip(&pool.theirs);
    let expected: Vec<[u8; 32]> = terms().map(|(k, p)| (p + base(k)).compress().0).collect();
    matrix.each("wallet/derive.rs output_keys", &[129], &expected, |w| {
        output_keys(&pool.scalars[w.clone()], &pool.points[w]).unwrap()
    });
    let expected: Vec<[u8; 32]> = terms().map(|(k, p)| (p - base(k)).compress().0).collect();
    matrix.each("wallet/derive.rs spend_keys", &[129], &expected, |w| {
        spend_keys(&pool.scalars[w.clone()], &pool.points[w]).unwrap()
    });

    // Below and above the number of secrets from which on tables are made; points of the twist, of small order.
    let us: Vec<[u8; 32]> = (0..super::SPREAD)
        .map(|i| if i % 5 == 4 { pool.integers[i] } else { pool.theirs[i].to_montgomery().0 })
        .collect();
    matrix.spread = super::GRID_SPREAD;
    for width in [1, 8] {
        let ks = &pool.integers[..width];
        let clamped: Vec<Vec<[u8; 32]>> =
            us.iter().map(|u| ks.iter().map(|k| x25519_dalek::x25519(*k, *u)).collect()).collect();
        matrix.check("wallet/ecdh.rs x25519_grid", &[], |w| clamped[w].concat(), |w| x25519_grid(ks, &us[w]));
        let bits = |k: [u8; 32]| (0..256).rev().map(move |i| k[i / 8] >> (i % 8) & 1 == 1);
        let plain: Vec<Vec<[u8; 32]>> = (us.iter())
            .map(|u| ks.iter().map(|k| dalek::MontgomeryPoint(*u).mul_bits_be(bits(*k)).0).collect())
            .collect();
        matrix.check("wallet/ecdh.rs unclamped_grid", &[], |w| plain[w].concat(), |w| unclamped_grid(ks, &us[w]));
    }
    matrix.spread = spread;

    let (view, spend) = (secrets[9], dalek::Scalar::from(77u64));
    let pair = ViewPair::from_secrets(&ours[9], &Scalar::from(77u64));
    let numbers = [0, 1, 255, 256, u32::MAX];
    let places: Vec<(u32, u32)> = (0..super::SPREAD).map(|i| (numbers[i % 5], numbers[i / 5 % 5])).collect();
    let spends: Vec<dalek::EdwardsPoint> = (places.iter())
        .map(|(x, y)| {
            let m = match (x, y) {
                (0, 0) => dalek::Scalar::ZERO,
                _ => to_scalar(&[b"SubAddr\0", view.as_bytes(), &x.to_le_bytes(), &y.to_le_bytes()]),
            };
            dalek::EdwardsPoint::mul_base(&(spend + m))
        })
        .collect();
    let expected: Vec<[u8; 32]> = spends.iter().map(|p| p.compress().0).collect();
    matrix.each("wallet/subaddress.rs spend_keys", &[], &expected, |w| pair.spend_keys(&places[w]));
    let expected: Vec<[u8; 32]> = (spends.iter().zip(&places))
        .map(|(p, place)| if *place == (0, 0) { dalek::EdwardsPoint::mul_base(&view) } else { view * p }.compress().0)
        .collect();
    matrix.each("wallet/subaddress.rs view_keys", &[], &expected, |w| pair.view_keys(&places[w]));

    let pairs: Vec<[[u8; 32]; 2]> = (0..super::SPREAD).map(|i| [keys[i], keys[i + 1]]).collect();
    let squashed: Vec<Option<[u8; 32]>> = (0..super::SPREAD)
        .map(|i| {
            let h = to_scalar(&[b"seraphis squashed enote", &keys[i], &keys[i + 1]]);
            let sum = product(h.as_bytes(), &pool.theirs[i]) + pool.theirs[i + 1];
            (i % 7 != 3 && (i + 1) % 7 != 3).then(|| sum.compress().0)
        })
        .collect();
    matrix.each("tx/seraphis/message.rs squashed_batch", &[], &squashed, |w| squashed_batch(&pairs[w]));
}

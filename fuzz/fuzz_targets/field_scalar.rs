//! Scalars against curve25519-dalek, which reduces what we take as it stands; field elements in the lanes of every backend, by
//! what is hardly more than field arithmetic: ladders and the map to Ristretto.
#![no_main]

use curve25519_dalek::montgomery::MontgomeryPoint as MontgomeryOracle;
use curve25519_dalek::ristretto::RistrettoPoint as RistrettoOracle;
use curve25519_dalek::scalar::Scalar as Oracle;
use curve25519_lanes::{MontgomeryPoint, RistrettoPoint, Scalar, compress_batch_ristretto, mul_bits_batch};
use curve25519_lanes_fuzz::{Input, on_every_backend};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let (a, b) = (input.integer(), input.integer());
    let wide = {
        let (low, high) = (input.integer(), input.integer());
        let mut wide = [0; 64];
        wide[..32].copy_from_slice(&low);
        wide[32..].copy_from_slice(&high);
        wide
    };
    let same = |ours: Scalar, oracle: Oracle| assert_eq!(ours.to_bytes(), oracle.to_bytes());

    for bytes in [a, b] {
        let (ours, oracle) = (Scalar::from_integer_unreduced(bytes), Oracle::from_bytes_mod_order(bytes));
        assert_eq!(ours.to_bytes(), bytes);
        same(Scalar::from_bytes_mod_order(bytes), oracle);
        same(ours.reduce(), oracle);
        let canonical: Option<Oracle> = Oracle::from_canonical_bytes(bytes).into();
        let found: Option<Scalar> = Scalar::from_canonical_bytes(bytes).into();
        assert_eq!(found.map(|x| x.to_bytes()), canonical.map(|x| x.to_bytes()));
        assert_eq!(bool::from(ours.is_canonical()), canonical.is_some());
        assert_eq!(bool::from(ours.is_zero()), oracle == Oracle::ZERO);
        same(-ours, -oracle);
        same(ours.square(), oracle * oracle);
        if oracle != Oracle::ZERO {
            same(ours.invert(), oracle.invert());
        }
    }
    same(Scalar::from_bytes_mod_order_wide(&wide), Oracle::from_bytes_mod_order_wide(&wide));

    let (x, y) = (Scalar::from_integer_unreduced(a), Scalar::from_integer_unreduced(b));
    let (u, v) = (Oracle::from_bytes_mod_order(a), Oracle::from_bytes_mod_order(b));
    same(x + y, u + v);
    same(x - y, u - v);
    same(x * y, u * v);
    assert_eq!(x == y, u == v);

    let mut many: Vec<Scalar> = [x, y, x * y, x + y, x - y].into_iter().filter(|x| !bool::from(x.is_zero())).collect();
    let one_by_one: Vec<Scalar> = many.iter().map(Scalar::invert).collect();
    Scalar::batch_invert(&mut many);
    assert_eq!(many, one_by_one);

    let pairs: Vec<_> = (0..1 + input.below(9)).map(|_| (input.integer(), input.integer())).collect();
    let (ks, us): (Vec<_>, Vec<_>) = pairs.iter().map(|(k, u)| (*k, MontgomeryPoint(*u))).unzip();
    let bits = |k: &[u8; 32]| (0..256).rev().map(|i| k[i / 8] >> (i % 8) & 1 == 1).collect::<Vec<_>>().into_iter();
    let products: Vec<_> = pairs.iter().map(|(k, u)| MontgomeryOracle(*u).mul_bits_be(bits(k)).0).collect();
    let uniform: Vec<[u8; 64]> =
        pairs.iter().map(|(k, u)| std::array::from_fn(|i| if i < 32 { k[i] } else { u[i - 32] })).collect();
    let mapped: Vec<_> = uniform.iter().map(|b| RistrettoOracle::from_uniform_bytes(b).compress().0).collect();
    on_every_backend(|id| {
        let found: Vec<_> = mul_bits_batch(&ks, &us).iter().map(|p| p.0).collect();
        assert_eq!(found, products, "{id}");
        let found = compress_batch_ristretto(&RistrettoPoint::from_uniform_bytes_batch(&uniform));
        assert_eq!(found, mapped, "{id}");
    });
});

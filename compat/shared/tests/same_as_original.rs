//! Every public function against the registry's curve25519-dalek of the same version, on random and edge inputs.

mod common;

use common::{ORDER, Random, encodings, hash, integers, points, unhex, vectors};
use curve25519_dalek as ours;
use original as real;
use ours::traits::{BasepointTable as _, Identity as _, IsIdentity as _};
use real::traits::{BasepointTable as _, Identity as _, IsIdentity as _};
use sha2::Sha512;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroize;

type Scalar = ours::Scalar;
type RealScalar = real::Scalar;

#[allow(deprecated)] // In the 4.1 line.
fn scalar(bytes: [u8; 32]) -> (Scalar, RealScalar) {
    (Scalar::from_bits(bytes), RealScalar::from_bits(bytes))
}

/// Unreduced ones among them.
fn scalars() -> Vec<(Scalar, RealScalar)> {
    integers().into_iter().map(scalar).collect()
}

fn reduced() -> Vec<(Scalar, RealScalar)> {
    let reduce = |bytes| (Scalar::from_bytes_mod_order(bytes), RealScalar::from_bytes_mod_order(bytes));
    integers().into_iter().map(reduce).collect()
}

fn real_point(p: &ours::EdwardsPoint) -> real::EdwardsPoint {
    real::edwards::CompressedEdwardsY(p.compress().0).decompress().expect("a point")
}

fn real_ristretto(p: &ours::RistrettoPoint) -> real::RistrettoPoint {
    real::ristretto::CompressedRistretto(p.compress().0).decompress().expect("an element")
}

fn pairs() -> Vec<(ours::EdwardsPoint, real::EdwardsPoint)> {
    points().into_iter().map(|p| (p, real_point(&p))).collect()
}

fn ristretto_pairs() -> Vec<(ours::RistrettoPoint, real::RistrettoPoint)> {
    let mut random = Random(5);
    let mut out: Vec<_> = (0..20)
        .map(|_| {
            let bytes = random.bytes();
            (ours::RistrettoPoint::from_uniform_bytes(&bytes), real::RistrettoPoint::from_uniform_bytes(&bytes))
        })
        .collect();
    out.push((ours::RistrettoPoint::identity(), real::RistrettoPoint::identity()));
    out.push((ours::constants::RISTRETTO_BASEPOINT_POINT, real::constants::RISTRETTO_BASEPOINT_POINT));
    out
}

macro_rules! same {
    ($ours:expr, $real:expr) => {
        assert_eq!($ours.compress().0, $real.compress().0)
    };
}

#[test]
fn scalar_arithmetic() {
    for (a, x) in scalars() {
        assert_eq!(a.to_bytes(), x.to_bytes());
        assert_eq!(format!("{a:?}"), format!("{x:?}"));
        assert_eq!(hash(&a), hash(&x));
        assert_eq!(a[31], x[31]);
        assert_eq!((-a).to_bytes(), (-x).to_bytes());
        assert_eq!(a.invert().to_bytes(), x.invert().to_bytes());
        for (b, y) in scalars() {
            assert_eq!((a * b).to_bytes(), (x * y).to_bytes());
            assert_eq!(a == b, x == y, "equality is that of the bytes");
            let choose = |c: u8| Scalar::conditional_select(&a, &b, Choice::from(c)).to_bytes();
            assert_eq!((choose(0), choose(1)), (a.to_bytes(), b.to_bytes()));
        }
    }
    let all = reduced();
    for (a, x) in &all {
        for (b, y) in &all {
            assert_eq!((a + b).to_bytes(), (x + y).to_bytes());
            assert_eq!((a - b).to_bytes(), (x - y).to_bytes());
        }
    }
    let (a, x): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    assert_eq!(a.iter().sum::<Scalar>().to_bytes(), x.iter().sum::<RealScalar>().to_bytes());
    assert_eq!(a[1..].iter().product::<Scalar>().to_bytes(), x[1..].iter().product::<RealScalar>().to_bytes());
    assert_eq!(Scalar::from(u128::MAX).to_bytes(), RealScalar::from(u128::MAX).to_bytes());
    let mut wiped = a[5];
    wiped.zeroize();
    assert_eq!((wiped, Scalar::default()), (Scalar::ZERO, Scalar::ZERO));
    assert_eq!(wiped.ct_eq(&Scalar::ONE).unwrap_u8(), 0);
}

#[test]
fn scalar_constructors() {
    let mut random = Random(3);
    for bytes in integers() {
        let read = Option::<Scalar>::from(Scalar::from_canonical_bytes(bytes)).map(|k| k.to_bytes());
        let expected = Option::<RealScalar>::from(RealScalar::from_canonical_bytes(bytes)).map(|k| k.to_bytes());
        assert_eq!(read, expected);
        let wide = [bytes, random.bytes()].concat().try_into().expect("64 bytes");
        let read = Scalar::from_bytes_mod_order_wide(&wide).to_bytes();
        assert_eq!(read, RealScalar::from_bytes_mod_order_wide(&wide).to_bytes());
        assert_eq!(ours::scalar::clamp_integer(bytes), real::scalar::clamp_integer(bytes));
    }
    let message = b"some message";
    let hashed = Scalar::hash_from_bytes::<Sha512>(message).to_bytes();
    assert_eq!(hashed, RealScalar::hash_from_bytes::<Sha512>(message).to_bytes());
    let state = <Sha512 as sha2::Digest>::new_with_prefix(message);
    assert_eq!(Scalar::from_hash(state).to_bytes(), hashed);
    let (mut a, mut b) = (Random(9), Random(9));
    assert_eq!(Scalar::random(&mut a).to_bytes(), RealScalar::random(&mut b).to_bytes());
    assert_eq!(a.0, b.0, "as many bytes drawn");
}

#[test]
fn batches_of_inversions() {
    for n in [0, 1, 2, 7] {
        let mut a: Vec<Scalar> = reduced().iter().map(|k| k.0).filter(|k| *k != Scalar::ZERO).take(n).collect();
        let mut x: Vec<RealScalar> = a.iter().map(|k| RealScalar::from_bytes_mod_order(k.to_bytes())).collect();
        #[cfg(dalek = "5")]
        let products = (Scalar::invert_batch_alloc(&mut a), RealScalar::invert_batch_alloc(&mut x));
        #[cfg(dalek = "4")]
        let products = (Scalar::batch_invert(&mut a), RealScalar::batch_invert(&mut x));
        assert_eq!(products.0.to_bytes(), products.1.to_bytes());
        assert!(a.iter().zip(&x).all(|(a, x)| a.to_bytes() == x.to_bytes()));
    }
    #[cfg(dalek = "5")]
    {
        let mut three = [Scalar::from(2u8), Scalar::from(3u8), Scalar::from(4u8)];
        let inverse = Scalar::invert_batch(&mut three);
        assert_eq!(inverse * Scalar::from(24u8), Scalar::ONE);
        assert_eq!(three[1] * Scalar::from(3u8), Scalar::ONE);
        for (a, x) in reduced() {
            assert_eq!(a.div_by_2().to_bytes(), x.div_by_2().to_bytes());
        }
    }
}

#[test]
fn a_zero_among_inversions_is_a_panic_in_debug_builds_only() {
    let invert = || {
        let mut a = [Scalar::ONE, Scalar::ZERO];
        #[cfg(dalek = "5")]
        let product = Scalar::invert_batch(&mut a);
        #[cfg(dalek = "4")]
        let product = Scalar::batch_invert(&mut a);
        (a, product)
    };
    let found = std::panic::catch_unwind(invert).ok();
    let expected = if cfg!(debug_assertions) { None } else { Some(([Scalar::ZERO; 2], Scalar::ZERO)) };
    assert_eq!(found, expected);
}

#[test]
fn edwards_encodings() {
    for bytes in encodings() {
        let (a, x) = (ours::edwards::CompressedEdwardsY(bytes), real::edwards::CompressedEdwardsY(bytes));
        let (p, q) = (a.decompress(), x.decompress());
        assert_eq!(p.map(|p| p.compress().0), q.map(|q| q.compress().0), "{bytes:02x?}");
        assert_eq!((hash(&a), format!("{a:?}")), (hash(&x), format!("{x:?}")));
        assert_eq!((a.as_bytes(), a.to_bytes()), (&bytes, bytes));
    }
    use ours::edwards::CompressedEdwardsY as Ours;
    assert_eq!(Ours::default().0, real::edwards::CompressedEdwardsY::default().0);
    assert_eq!(Ours::identity(), Ours::default());
    assert!(Ours::identity().is_identity() && ours::EdwardsPoint::default().is_identity());
    assert!(Ours::from_slice(&[0; 31]).is_err() && Ours::try_from(&[0; 33][..]).is_err());
    assert_eq!(Ours::from_slice(&[7; 32]).unwrap(), Ours([7; 32]));
    let mut wiped = Ours([9; 32]);
    wiped.zeroize();
    assert_eq!(wiped, Ours::identity());
    let mut wiped = ours::constants::ED25519_BASEPOINT_POINT;
    wiped.zeroize();
    assert!(wiped.is_identity());
}

#[test]
fn edwards_arithmetic() {
    let all = pairs();
    for (i, (p, q)) in all.iter().enumerate() {
        let (p2, q2) = &all[(i * 31 + 7) % all.len()];
        same!((p + p2), (q + q2));
        same!((p - p2), (q - q2));
        same!((-p), (-q));
        same!(p.mul_by_cofactor(), q.mul_by_cofactor());
        assert_eq!(p == p2, q == q2);
        assert_eq!(p.to_montgomery().0, q.to_montgomery().0);
        assert_eq!((p.is_small_order(), p.is_torsion_free()), (q.is_small_order(), q.is_torsion_free()));
        assert_eq!(p.is_identity(), q.is_identity());
        same!(ours::EdwardsPoint::conditional_select(p, p2, Choice::from(1)), q2);
    }
    let (ours_all, real_all): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    same!(ours_all.iter().sum::<ours::EdwardsPoint>(), real_all.iter().sum::<real::EdwardsPoint>());
    let mut p = ours_all[20];
    p += ours_all[30];
    p -= &ours_all[31];
    p *= Scalar::from(5u8);
    same!(p, ((real_all[20] + real_all[30] - real_all[31]) * RealScalar::from(5u8)));
    #[cfg(dalek = "5")]
    {
        let encodings = ours::EdwardsPoint::compress_batch_alloc(&ours_all);
        let us = ours::EdwardsPoint::to_montgomery_batch(&ours_all);
        for ((encoding, u), q) in encodings.iter().zip(us).zip(&real_all) {
            assert_eq!((encoding.0, u.0), (q.compress().0, q.to_montgomery().0));
        }
        let three = [ours_all[1], ours_all[40], ours_all[0]];
        assert_eq!(ours::EdwardsPoint::compress_batch(&three), three.map(|p| p.compress()));
    }
}

#[test]
fn edwards_products() {
    let all = pairs();
    let scalars = scalars();
    for (i, (p, q)) in all.iter().enumerate() {
        let ((a, x), (b, y)) = (&scalars[i % scalars.len()], &scalars[(i * 5 + 1) % scalars.len()]);
        same!((p * a), (q * x));
        same!((a * p), (x * q));
        same!(
            ours::EdwardsPoint::vartime_double_scalar_mul_basepoint(a, p, b),
            real::EdwardsPoint::vartime_double_scalar_mul_basepoint(x, q, y)
        );
        same!(p.mul_clamped(a.to_bytes()), q.mul_clamped(x.to_bytes()));
    }
    for (a, x) in &scalars {
        same!(ours::EdwardsPoint::mul_base(a), real::EdwardsPoint::mul_base(x));
        same!(ours::EdwardsPoint::mul_base_clamped(a.to_bytes()), real::EdwardsPoint::mul_base_clamped(x.to_bytes()));
    }
}

#[test]
fn tables() {
    use ours::edwards::*;
    let (p, q) = pairs()[25];
    let (table, expected) = (EdwardsBasepointTable::create(&p), real::edwards::EdwardsBasepointTable::create(&q));
    let others = (
        EdwardsBasepointTableRadix32::from(&table),
        EdwardsBasepointTableRadix64::from(&table),
        EdwardsBasepointTableRadix128::from(&EdwardsBasepointTableRadix64::from(&table)),
        EdwardsBasepointTableRadix256::create(&p),
    );
    assert_eq!(EdwardsBasepointTableRadix16::from(&others.0).basepoint(), p);
    assert!(format!("{table:?}").starts_with("EdwardsBasepointTable("));
    for (a, x) in scalars() {
        let sum = &expected * &x;
        same!((&a * &table), sum);
        for product in [&others.0 * &a, &others.1 * &a, &a * &others.2, &others.3.clone() * &a] {
            same!(product, sum);
        }
        same!(table.mul_base_clamped(a.to_bytes()), expected.mul_base_clamped(x.to_bytes()));
        same!((ours::constants::ED25519_BASEPOINT_TABLE * &a), (real::constants::ED25519_BASEPOINT_TABLE * &x));
        same!((&a * ours::constants::RISTRETTO_BASEPOINT_TABLE), (&x * real::constants::RISTRETTO_BASEPOINT_TABLE));
    }
    let element = ristretto_pairs()[3].0;
    let table = ours::ristretto::RistrettoBasepointTable::create(&element);
    assert_eq!(table.basepoint(), element);
    assert_eq!(&table.clone() * &Scalar::from(3u8), element + element + element);
}

#[test]
fn montgomery() {
    use ours::MontgomeryPoint as Ours;
    use real::MontgomeryPoint as Real;
    let scalars = scalars();
    for (i, bytes) in encodings().into_iter().enumerate() {
        let (u, v) = (Ours(bytes), Real(bytes));
        let (a, x) = &scalars[i % scalars.len()];
        assert_eq!((a * u).0, (x * v).0);
        assert_eq!((u * a).0, (v * x).0);
        assert_eq!(u.mul_clamped(a.to_bytes()).0, v.mul_clamped(x.to_bytes()).0);
        for sign in [0, 1, 2, 255] {
            let lift = |p: Option<[u8; 32]>| p;
            let found = lift(u.to_edwards(sign).map(|p| p.compress().0));
            assert_eq!(found, v.to_edwards(sign).map(|p| p.compress().0), "{bytes:02x?} {sign}");
        }
        assert_eq!((hash(&u), format!("{u:?}")), (hash(&v), format!("{v:?}")));
        let other = encodings()[(i * 3) % 90];
        assert_eq!(u == Ours(other), v == Real(other));
    }
    let mut random = Random(8);
    for length in [0, 1, 2, 64, 255, 256, 300] {
        let bits: Vec<bool> = (0..length).map(|_| random.next() % 2 == 1).collect();
        let bytes = random.bytes();
        let found = Ours(bytes).mul_bits_be(bits.iter().copied());
        assert_eq!(found.0, Real(bytes).mul_bits_be(bits.iter().copied()).0, "{length} bits");
    }
    let (a, x) = &scalars[20];
    assert_eq!(Ours::mul_base(a).0, Real::mul_base(x).0);
    assert_eq!(Ours::mul_base_clamped(a.to_bytes()).0, Real::mul_base_clamped(x.to_bytes()).0);
    let mut u = Ours([7; 32]);
    u *= a;
    assert_eq!(u.0, (Real([7; 32]) * x).0);
    assert!(Ours::identity().is_identity());
    #[cfg(dalek = "5")]
    for (u, v) in ours::constants::X25519_LOW_ORDER_POINTS.iter().zip(&real::constants::X25519_LOW_ORDER_POINTS) {
        assert_eq!(u.0, v.0);
    }
}

#[test]
fn ristretto() {
    use ours::ristretto::CompressedRistretto as Ours;
    for bytes in encodings() {
        let (a, x) = (Ours(bytes), real::ristretto::CompressedRistretto(bytes));
        assert_eq!(a.decompress().map(|p| p.compress().0), x.decompress().map(|q| q.compress().0), "{bytes:02x?}");
        assert_eq!((hash(&a), format!("{a:?}")), (hash(&x), format!("{x:?}")));
    }
    assert_eq!(Ours::default().0, [0; 32]);
    assert!(Ours::try_from(&[0; 31][..]).is_err());
    let scalars = scalars();
    let all = ristretto_pairs();
    for (i, (p, q)) in all.iter().enumerate() {
        let ((p2, q2), (a, x)) = (&all[(i * 7 + 3) % all.len()], &scalars[i % scalars.len()]);
        same!((p + p2), (q + q2));
        same!((p - p2), (q - q2));
        same!((-p), (-q));
        same!((a * p), (x * q));
        same!(ours::RistrettoPoint::mul_base(a), real::RistrettoPoint::mul_base(x));
        same!(
            ours::RistrettoPoint::vartime_double_scalar_mul_basepoint(a, p, a),
            real::RistrettoPoint::vartime_double_scalar_mul_basepoint(x, q, x)
        );
        assert_eq!(p == p2, q == q2);
        let shifted = real_ristretto(&(p + p2));
        same!((p + p2), shifted);
        assert_eq!(format!("{p:?}").matches("EdwardsPoint{").count(), 4);
    }
    let (ours_all, real_all): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    let found: Vec<_> = ours::RistrettoPoint::double_and_compress_batch(&ours_all).iter().map(|c| c.0).collect();
    let expected: Vec<_> = real::RistrettoPoint::double_and_compress_batch(&real_all).iter().map(|c| c.0).collect();
    assert_eq!(found, expected);
    same!(ours_all.iter().sum::<ours::RistrettoPoint>(), real_all.iter().sum::<real::RistrettoPoint>());
    same!(
        ours::RistrettoPoint::hash_from_bytes::<Sha512>(b"message"),
        real::RistrettoPoint::hash_from_bytes::<Sha512>(b"message")
    );
    let (mut a, mut b) = (Random(4), Random(4));
    same!(ours::RistrettoPoint::random(&mut a), real::RistrettoPoint::random(&mut b));
    assert_eq!(a.0, b.0, "as many bytes drawn");
    let mut wiped = ours_all[0];
    wiped.zeroize();
    assert!(wiped.is_identity());
}

#[cfg(dalek = "5")]
#[test]
fn maps_and_lizard() {
    use sha2::Sha256;
    let mut inputs = encodings();
    // Both special preimages: 0 and sqrt(i·d).
    inputs.push(unhex("a81b5c4acb2a3075aa6dea0e2da9bccd156eeb739954347597eb7bf45855b305").try_into().unwrap());
    for bytes in inputs {
        let (p, q) = (ours::RistrettoPoint::map_to_curve(bytes), real::RistrettoPoint::map_to_curve(bytes));
        same!(p, q);
        let some = |found: [subtle::CtOption<[u8; 32]>; 16]| found.map(Option::<[u8; 32]>::from);
        let found = some(p.map_to_curve_inverse());
        // The order depends on the representative, so compare as sets, even and odd ones apart.
        let expected = some(q.map_to_curve_inverse());
        for half in [0..8, 8..16] {
            let set =
                |all: &[Option<[u8; 32]>]| all.iter().flatten().copied().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(set(&found[half.clone()]), set(&expected[half]), "{bytes:02x?}");
        }
        let data: [u8; 16] = bytes[..16].try_into().unwrap();
        let carrier = ours::RistrettoPoint::lizard_encode::<Sha256>(&data);
        same!(carrier, real::RistrettoPoint::lizard_encode::<Sha256>(&data));
        assert_eq!(carrier.lizard_decode::<Sha256>(), Some(data));
        assert_eq!(p.lizard_decode::<Sha256>(), q.lizard_decode::<Sha256>());
    }
    for byte in [(0, 1), (31, 0x40), (31, 0x80)] {
        let mut bytes = [0; 32];
        bytes[byte.0] = byte.1;
        assert!(std::panic::catch_unwind(|| ours::RistrettoPoint::map_to_curve_restricted(bytes)).is_err());
    }
    let (mut a, mut b) = (Random(6), Random(6));
    same!(ours::RistrettoPoint::try_random(&mut a).unwrap(), real::RistrettoPoint::try_random(&mut b).unwrap());
    same!(ours::EdwardsPoint::random(&mut a), real::EdwardsPoint::random(&mut b));
    assert_eq!(a.0, b.0, "as many bytes drawn");
}

#[cfg(dalek = "5")]
#[test]
fn hashing_to_the_curve() {
    for (message, tag) in [(&b"abc"[..], &b"tag"[..]), (b"", b"x"), (&[7; 300], &[1; 255])] {
        let halves = message.split_at(message.len() / 2);
        let (parts, tags) = ([halves.0, halves.1], [&tag[..1], &tag[1..]]);
        same!(
            ours::EdwardsPoint::hash_to_curve::<Sha512>(&parts, &tags),
            real::EdwardsPoint::hash_to_curve::<Sha512>(&[message], &[tag])
        );
        same!(
            ours::EdwardsPoint::encode_to_curve::<Sha512>(&parts, &tags),
            real::EdwardsPoint::encode_to_curve::<Sha512>(&[message], &[tag])
        );
    }
    for tag in [&[][..], &[1; 256]] {
        let hash = || ours::EdwardsPoint::hash_to_curve::<Sha512>(&[b"message"], &[tag]);
        assert!(std::panic::catch_unwind(hash).is_err());
    }
}

#[test]
fn known_answers() {
    let Some(file) = vectors("dalek_kats.json") else { return };
    let mut seen = 0;
    for case in file["cases"].as_array().expect("cases") {
        let text = |name: &str| case[name].as_str().unwrap_or_else(|| panic!("{name} in {case}"));
        let bytes = |name: &str| -> [u8; 32] { unhex(text(name)).try_into().expect("32 bytes") };
        let scalar = |name: &str| Scalar::from_bytes_mod_order(bytes(name));
        match case["op"].as_str().expect("op") {
            "mul_base" => {
                let n = Scalar::from(case["n"].as_u64().expect("n"));
                assert_eq!(ours::EdwardsPoint::mul_base(&n).compress().0, bytes("out"));
            }
            "scalar_mul_base" => {
                assert_eq!(ours::EdwardsPoint::mul_base(&scalar("a")).compress().0, bytes("out"));
            }
            "double_scalar_mul_base" => {
                let point = ours::edwards::CompressedEdwardsY(bytes("A")).decompress().expect("a point");
                let (a, b) = (scalar("a"), scalar("b"));
                let sum = ours::EdwardsPoint::vartime_double_scalar_mul_basepoint(&a, &point, &b);
                assert_eq!(sum.compress().0, bytes("out"));
            }
            #[cfg(dalek = "5")]
            op => {
                // RFC 9380, J.5.1 and J.5.2.
                let kind = op.strip_prefix("rfc9380_").expect("a known operation");
                let tag = format!("QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_{kind}_");
                let parts = ([text("msg").as_bytes()], [tag.as_bytes()]);
                let point = match kind {
                    "RO" => ours::EdwardsPoint::hash_to_curve::<Sha512>(&parts.0, &parts.1),
                    _ => ours::EdwardsPoint::encode_to_curve::<Sha512>(&parts.0, &parts.1),
                };
                let mut y = bytes("y_be");
                y.reverse();
                y[31] |= (bytes("x_be")[31] & 1) << 7;
                assert_eq!(point.compress().0, y, "{case}");
            }
            #[cfg(dalek = "4")]
            _ => continue,
        }
        seen += 1;
    }
    assert_eq!(seen, if cfg!(dalek = "5") { 14 } else { 4 });
}

#[cfg(dalek = "4")]
#[test]
#[allow(deprecated)]
fn legacy_items() {
    let mut random = Random(12);
    for _ in 0..50 {
        let message: [u8; 9] = random.bytes();
        same!(
            ours::EdwardsPoint::nonspec_map_to_curve::<Sha512>(&message),
            real::EdwardsPoint::nonspec_map_to_curve::<Sha512>(&message)
        );
    }
    assert_eq!(ours::constants::BASEPOINT_ORDER.to_bytes(), ORDER);
}

#[test]
fn constants() {
    use ours::constants as ours;
    use real::constants as real;
    const IN_CONST_CONTEXT: [::curve25519_dalek::EdwardsPoint; 2] =
        [ours::ED25519_BASEPOINT_POINT, ours::EIGHT_TORSION[1]];
    same!(IN_CONST_CONTEXT[0], real::ED25519_BASEPOINT_POINT);
    for (p, q) in ours::EIGHT_TORSION.iter().zip(&real::EIGHT_TORSION) {
        same!(p, q);
        // The last coordinate too, which addition uses.
        same!((p + IN_CONST_CONTEXT[0]), (q + real::ED25519_BASEPOINT_POINT));
    }
    assert_eq!(ours::EIGHT_TORSION_INNER_DOC_HIDDEN, ours::EIGHT_TORSION);
    same!(ours::RISTRETTO_BASEPOINT_POINT, real::RISTRETTO_BASEPOINT_POINT);
    assert_eq!(ours::RISTRETTO_BASEPOINT_COMPRESSED.0, real::RISTRETTO_BASEPOINT_COMPRESSED.0);
    assert_eq!(ours::ED25519_BASEPOINT_COMPRESSED.0, real::ED25519_BASEPOINT_COMPRESSED.0);
    assert_eq!(ours::X25519_BASEPOINT.0, real::X25519_BASEPOINT.0);
    assert_eq!(ours::ED25519_BASEPOINT_TABLE.basepoint(), IN_CONST_CONTEXT[0]);
    assert_eq!(real::ED25519_BASEPOINT_TABLE.basepoint(), real::ED25519_BASEPOINT_POINT);
    assert_eq!(ours::RISTRETTO_BASEPOINT_TABLE.basepoint(), ours::RISTRETTO_BASEPOINT_POINT);
    assert!(ORDER[0] == 0xed);
}

#[test]
fn serde() {
    let ours_point = points()[40];
    let real_point = real_point(&ours_point);
    let element = ristretto_pairs()[2];
    let (a, x) = reduced()[25];
    fn json(value: &impl serde::Serialize) -> String {
        serde_json::to_string(value).expect("text")
    }
    fn back<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
        serde_json::from_str(text).ok()
    }
    let texts = [
        (json(&a), json(&x)),
        (json(&ours_point), json(&real_point)),
        (json(&ours_point.compress()), json(&real_point.compress())),
        (json(&element.0), json(&element.1)),
        (json(&element.0.compress()), json(&element.1.compress())),
        (json(&ours_point.to_montgomery()), json(&real_point.to_montgomery())),
    ];
    texts.iter().for_each(|(ours, real)| assert_eq!(ours, real));
    assert_eq!(back::<Scalar>(&texts[0].0), Some(a));
    assert_eq!(back::<ours::EdwardsPoint>(&texts[1].0), Some(ours_point));
    assert_eq!(back::<ours::edwards::CompressedEdwardsY>(&texts[2].0), Some(ours_point.compress()));
    assert_eq!(back::<ours::RistrettoPoint>(&texts[3].0), Some(element.0));
    assert_eq!(back::<ours::ristretto::CompressedRistretto>(&texts[4].0), Some(element.0.compress()));
    assert_eq!(back::<ours::MontgomeryPoint>(&texts[5].0), Some(ours_point.to_montgomery()));
    for bytes in encodings() {
        let text = json(&bytes);
        assert_eq!(back::<Scalar>(&text).is_some(), back::<RealScalar>(&text).is_some());
        assert_eq!(back::<ours::EdwardsPoint>(&text).is_some(), back::<real::EdwardsPoint>(&text).is_some());
        assert_eq!(back::<ours::RistrettoPoint>(&text).is_some(), back::<real::RistrettoPoint>(&text).is_some());
    }
    assert_eq!(back::<ours::EdwardsPoint>("[1,0]"), None);
}

#[test]
fn group_traits() {
    use group::cofactor::CofactorGroup;
    use group::ff::{Field, FromUniformBytes, PrimeField};
    use group::{Group, GroupEncoding};
    type Subgroup = ours::edwards::SubgroupPoint;
    let (mut a, mut b) = (Random(14), Random(14));
    assert_eq!(<Scalar as Field>::random(&mut a).to_repr(), <RealScalar as Field>::random(&mut b).to_repr());
    same!(<ours::EdwardsPoint as Group>::random(&mut a), <real::EdwardsPoint as Group>::random(&mut b));
    same!(<ours::RistrettoPoint as Group>::random(&mut a), <real::RistrettoPoint as Group>::random(&mut b));
    let found = <Subgroup as Group>::random(&mut a).to_bytes();
    assert_eq!(found, <real::edwards::SubgroupPoint as Group>::random(&mut b).to_bytes());
    assert_eq!(a.0, b.0, "as many bytes drawn");
    for (a, x) in reduced() {
        let root = Option::<Scalar>::from(a.sqrt()).map(|r| r.to_bytes());
        assert_eq!(root, Option::<RealScalar>::from(x.sqrt()).map(|r| r.to_bytes()));
        let (square, ratio) = Scalar::sqrt_ratio(&a, &Scalar::from(5u8));
        let (real_square, real_ratio) = RealScalar::sqrt_ratio(&x, &RealScalar::from(5u8));
        assert_eq!((square.unwrap_u8(), ratio.to_bytes()), (real_square.unwrap_u8(), real_ratio.to_bytes()));
        assert_eq!(Field::invert(&a).is_some().unwrap_u8(), Field::invert(&x).is_some().unwrap_u8());
        assert_eq!((Field::square(&a), Field::double(&a)), (a * a, a + a));
        assert_eq!(a.is_odd().unwrap_u8(), x.is_odd().unwrap_u8());
    }
    for bytes in integers() {
        let found = Scalar::from_repr_vartime(bytes).map(|k| k.to_bytes());
        assert_eq!(found, RealScalar::from_repr_vartime(bytes).map(|k| k.to_bytes()));
    }
    for (ours, real) in [
        (Scalar::TWO_INV, RealScalar::TWO_INV),
        (Scalar::MULTIPLICATIVE_GENERATOR, RealScalar::MULTIPLICATIVE_GENERATOR),
        (Scalar::ROOT_OF_UNITY, RealScalar::ROOT_OF_UNITY),
        (Scalar::ROOT_OF_UNITY_INV, RealScalar::ROOT_OF_UNITY_INV),
        (Scalar::DELTA, RealScalar::DELTA),
    ] {
        assert_eq!(ours.to_bytes(), real.to_bytes());
    }
    assert_eq!(
        (Scalar::S, Scalar::NUM_BITS, Scalar::CAPACITY),
        (RealScalar::S, RealScalar::NUM_BITS, RealScalar::CAPACITY)
    );
    assert_eq!(Scalar::MODULUS, RealScalar::MODULUS);
    assert_eq!(Scalar::from_uniform_bytes(&[9; 64]), Scalar::from_bytes_mod_order_wide(&[9; 64]));
    for (p, q) in pairs() {
        let (bytes, subgroup) = (p.to_bytes(), p.into_subgroup());
        assert_eq!(subgroup.is_some().unwrap_u8(), q.into_subgroup().is_some().unwrap_u8());
        same!(Group::double(&p), Group::double(&q));
        let read = Option::<Subgroup>::from(Subgroup::from_bytes(&bytes)).map(|p| p.to_bytes());
        let expected = Option::<real::edwards::SubgroupPoint>::from(GroupEncoding::from_bytes(&bytes));
        assert_eq!(read, expected.map(|q| q.to_bytes()));
        let (c, d) = (p.clear_cofactor(), q.clear_cofactor());
        assert_eq!((c + c - -c).to_bytes(), (d + d - -d).to_bytes());
        same!((p + c), (q + d));
        assert_eq!((c * Scalar::from(3u8)).to_bytes(), [c, c, c].iter().sum::<Subgroup>().to_bytes());
    }
    for bytes in encodings() {
        let found = Option::<ours::EdwardsPoint>::from(GroupEncoding::from_bytes(&bytes)).map(|p| p.to_bytes());
        let expected = Option::<real::EdwardsPoint>::from(GroupEncoding::from_bytes(&bytes)).map(|p| p.to_bytes());
        assert_eq!(found, expected);
        let found = Option::<ours::RistrettoPoint>::from(GroupEncoding::from_bytes(&bytes)).map(|p| p.to_bytes());
        let expected = Option::<real::RistrettoPoint>::from(GroupEncoding::from_bytes(&bytes)).map(|p| p.to_bytes());
        assert_eq!(found, expected);
    }
    assert_eq!(ours::RistrettoPoint::generator(), ours::constants::RISTRETTO_BASEPOINT_POINT);
    #[cfg(dalek = "4")]
    {
        use group::ff::PrimeFieldBits;
        assert_eq!(Scalar::ONE.to_le_bits().into_inner()[0], 1);
        assert_eq!(Scalar::char_le_bits().into_inner()[..], RealScalar::char_le_bits().into_inner()[..]);
    }
}

//! The building blocks emitted by the Seraphis reference: `seraphis_{scalars,point_decode,hash_to_point,scalarmult_msm}.json`.

use curve25519_lanes::hash::{keccak256, keccak256_batch};
use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{
    CompressedEdwardsY, EdwardsPoint, Scalar, compress_batch, monero_hash_to_point, monero_hash_to_point_batch,
    monero_map, try_decompress_batch_strict,
};
use serde_json::Value;

use super::common::{batches, bytes32, each_backend, hex, hex32, json_cases, text, truth};

#[test]
fn scalars() {
    let Some(cases) = json_cases("seraphis_scalars.json") else { return };
    each_backend(|id| {
        let (mut checked, mut all, mut inverses) = (0, Vec::new(), Vec::new());
        for case in &cases {
            let input = bytes32(case, "in");
            let reduced = Scalar::from_bytes_mod_order(input);
            let canonical = Option::<Scalar>::from(Scalar::from_canonical_bytes(input));
            assert_eq!(canonical.is_some(), truth(case, "canonical"), "{id} {case}");
            assert_eq!(reduced.to_bytes(), bytes32(case, "reduced"), "{id} {case}");
            let mut wide = [0; 64];
            wide[..32].copy_from_slice(&input);
            assert_eq!(Scalar::from_bytes_mod_order_wide(&wide).to_bytes(), reduced.to_bytes(), "{id} {case}");
            // Zero has no inverse, and the file none for it; here it is 0.
            let zero = bool::from(reduced.is_zero());
            assert_eq!(case.get("inverse_of_reduced").is_none(), zero, "{case}");
            let inverse = if zero { [0; 32] } else { bytes32(case, "inverse_of_reduced") };
            assert_eq!(reduced.invert().to_bytes(), inverse, "{id} {case}");
            all.push(Scalar::from_integer_unreduced(input));
            inverses.push(inverse);
            checked += 1;
        }
        assert_eq!(checked, cases.len(), "{id}");
        batches(&all, |start, scalars| {
            let mut scalars = scalars.to_vec();
            Scalar::batch_invert(&mut scalars);
            let bytes: Vec<[u8; 32]> = scalars.iter().map(Scalar::to_bytes).collect();
            assert_eq!(bytes, inverses[start..start + bytes.len()], "{id}");
        });
    });
}

#[test]
fn point_decode() {
    let Some(cases) = json_cases("seraphis_point_decode.json") else { return };
    let inputs: Vec<[u8; 32]> = cases.iter().map(|case| bytes32(case, "in")).collect();
    each_backend(|id| {
        let check = |case: &Value, point: Option<EdwardsPoint>| {
            assert_eq!(point.is_some(), truth(case, "accept"), "{id} {case}");
            let Some(p) = point else { return };
            assert_eq!(p.compress().0, bytes32(case, "reencoded"), "{id} {case}");
            assert_eq!(p.mul_by_cofactor().compress().0, bytes32(case, "mul8"), "{id} {case}");
            assert_eq!(bool::from(p.is_torsion_free()), truth(case, "prime_subgroup"), "{id} {case}");
        };
        let mut checked = 0;
        for (case, input) in cases.iter().zip(&inputs) {
            check(case, CompressedEdwardsY(*input).decompress_strict());
            checked += 1;
        }
        assert_eq!(checked, cases.len(), "{id}");
        batches(&inputs, |start, inputs| {
            let points = try_decompress_batch_strict(inputs);
            assert_eq!(points.len(), inputs.len());
            points.iter().zip(&cases[start..]).for_each(|(p, case)| check(case, *p));
        });
    });
}

#[test]
fn hash_to_point() {
    let Some(cases) = json_cases("seraphis_hash_to_point.json") else { return };
    each_backend(|id| {
        let (mut messages, mut digests) = (Vec::new(), Vec::new());
        let (mut hashes, mut points) = (Vec::new(), Vec::new());
        let mut checked = 0;
        for case in &cases {
            let input = hex(text(case, "in"));
            match text(case, "op") {
                "hash_to_p3" => {
                    let digest = keccak256(&input);
                    assert_eq!(digest, bytes32(case, "keccak"), "{id} {case}");
                    assert_eq!(monero_map(&digest).compress().0, bytes32(case, "map_before_mul8"), "{id} {case}");
                    assert_eq!(monero_hash_to_point(&digest).compress().0, bytes32(case, "out"), "{id} {case}");
                    hashes.push(digest);
                    points.push(bytes32(case, "out"));
                    messages.push(input);
                    digests.push(digest);
                }
                "ge_fromfe_frombytes_vartime" => {
                    let hash = bytes32(case, "in");
                    assert_eq!(monero_map(&hash).compress().0, bytes32(case, "map_before_mul8"), "{id} {case}");
                    assert_eq!(monero_hash_to_point(&hash).compress().0, bytes32(case, "mul8"), "{id} {case}");
                    hashes.push(hash);
                    points.push(bytes32(case, "mul8"));
                }
                "hash_to_scalar" => {
                    let digest = keccak256(&input);
                    assert_eq!(digest, bytes32(case, "keccak"), "{id} {case}");
                    assert_eq!(Scalar::from_bytes_mod_order(digest).to_bytes(), bytes32(case, "scalar"), "{id} {case}");
                    messages.push(input);
                    digests.push(digest);
                }
                other => panic!("unknown operation {other}"),
            }
            checked += 1;
        }
        assert_eq!(checked, cases.len(), "{id}");
        batches(&hashes, |start, hashes| {
            let encodings = compress_batch(&monero_hash_to_point_batch(hashes));
            assert_eq!(encodings, points[start..start + hashes.len()], "{id}");
        });
        let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
        batches(&messages, |start, messages| {
            let mut out = vec![[0; 32]; messages.len()];
            keccak256_batch(messages, &mut out);
            assert_eq!(out, digests[start..start + out.len()], "{id}");
        });
    });
}

#[test]
fn scalarmult_msm() {
    let Some(cases) = json_cases("seraphis_scalarmult_msm.json") else { return };
    // Scalars at or above l are used as they stand: on a point with a torsion part they are another integer.
    let scalar = |case: &Value, field: &str| Scalar::from_integer_unreduced(bytes32(case, field));
    let point = |encoding: [u8; 32]| CompressedEdwardsY(encoding).decompress_strict().expect("a point");
    let list = |case: &Value, field: &str| -> Vec<[u8; 32]> {
        let items = case[field].as_array().unwrap_or_else(|| panic!("no list {field} in {case}"));
        items.iter().map(|item| hex32(item.as_str().expect("a string"))).collect()
    };
    each_backend(|id| {
        let (mut scalars, mut points, mut products) = (Vec::new(), Vec::new(), Vec::new());
        let (mut base_scalars, mut base_products) = (Vec::new(), Vec::new());
        let mut checked = 0;
        for case in &cases {
            let out = bytes32(case, "out");
            match text(case, "op") {
                "scalarmult" => {
                    let (k, p) = (scalar(case, "scalar"), point(bytes32(case, "point")));
                    assert_eq!((k * p).compress().0, out, "{id} {case}");
                    sums(&[k], &[p], &out, case);
                    scalars.push(k);
                    points.push(p);
                    products.push(out);
                }
                "scalarmult_base" => {
                    let k = scalar(case, "scalar");
                    assert_eq!(EdwardsPoint::mul_base(&k).compress().0, out, "{id} {case}");
                    sums(&[k], &[EdwardsPoint::BASEPOINT], &out, case);
                    base_scalars.push(k);
                    base_products.push(out);
                }
                "a*A + b*G" => {
                    let scalars = [scalar(case, "a"), scalar(case, "b")];
                    sums(&scalars, &[point(bytes32(case, "A")), EdwardsPoint::BASEPOINT], &out, case);
                }
                "multiexp" => {
                    assert!(truth(case, "straus_equals_pippenger"));
                    let scalars: Vec<Scalar> =
                        list(case, "scalars").into_iter().map(Scalar::from_integer_unreduced).collect();
                    let points: Vec<EdwardsPoint> = list(case, "points").into_iter().map(point).collect();
                    sums(&scalars, &points, &out, case);
                }
                other => panic!("unknown operation {other}"),
            }
            checked += 1;
        }
        assert_eq!(checked, cases.len(), "{id}");
        batches(&scalars, |start, scalars| {
            let range = start..start + scalars.len();
            let batch = msm::mul_batch(scalars, &points[range.clone()]).unwrap();
            assert_eq!(compress_batch(&batch), products[range], "{id}");
        });
        batches(&base_scalars, |start, scalars| {
            let expected = &base_products[start..start + scalars.len()];
            assert_eq!(compress_batch(&msm::mul_base_batch(scalars)), expected, "{id}");
        });
    });
}

/// The sum by every algorithm: none, half and all of the points known beforehand.
fn sums(scalars: &[Scalar], points: &[EdwardsPoint], expected: &[u8; 32], case: &Value) {
    assert_eq!(msm::vartime(scalars, points).unwrap().compress().0, *expected, "{case}");
    assert_eq!(msm::constant_time(scalars, points).unwrap().compress().0, *expected, "{case}");
    for known in [0, points.len() / 2, points.len()] {
        let table = StaticPoints::new(&points[..known]);
        let sum = table.mixed_vartime(&scalars[..known], &scalars[known..], &points[known..]).unwrap();
        assert_eq!(sum.compress().0, *expected, "{known} known, {case}");
    }
}

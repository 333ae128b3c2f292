//! Encodings and products of points: `point_decode_edge.json`, `rfc9496_ristretto.json`, `dalek_kats.json`.

use curve25519_lanes::msm::{self, StaticPoints};
use curve25519_lanes::{
    CompressedEdwardsY, CompressedRistretto, EdwardsPoint, MontgomeryPoint, RistrettoPoint, Scalar, compress_batch,
    compress_batch_ristretto, decompress_batch_dalek, decompress_batch_ristretto, decompress_batch_strict,
    try_decompress_batch_dalek, try_decompress_batch_ristretto, try_decompress_batch_strict,
};
use serde_json::Value;

use super::common::{batches, bytes32, each_backend, hex, json_cases, optional32, text, truth};

#[test]
fn point_decode_edge() {
    let Some(cases) = json_cases("point_decode_edge.json") else { return };
    let inputs: Vec<[u8; 32]> = cases.iter().map(|case| bytes32(case, "in")).collect();
    each_backend(|id| {
        let mut checked = 0;
        for (case, input) in cases.iter().zip(&inputs) {
            let permissive = CompressedEdwardsY(*input).decompress_dalek();
            let strict = CompressedEdwardsY(*input).decompress_strict();
            let ristretto = CompressedRistretto(*input).decompress();
            let from_montgomery = MontgomeryPoint(*input).to_edwards(0);
            assert_eq!(permissive.map(|p| p.compress().0), optional32(case, "dalek_edwards"), "{id} {case}");
            assert_eq!(strict.is_some(), truth(case, "monero"), "{id} {case}");
            assert!(strict.is_none_or(|p| p.compress().0 == *input), "{id} {case}");
            assert_eq!(ristretto.map(|p| p.compress().0), optional32(case, "ristretto"), "{id} {case}");
            let expected = optional32(case, "montgomery_to_edwards_sign0");
            assert_eq!(from_montgomery.map(|p| p.compress().0), expected, "{id} {case}");
            match permissive {
                Some(p) => {
                    assert_eq!(bool::from(p.is_small_order()), truth(case, "small_order"), "{id} {case}");
                    assert_eq!(bool::from(p.is_torsion_free()), truth(case, "torsion_free"), "{id} {case}");
                }
                None => assert!(case["small_order"].is_null() && case["torsion_free"].is_null(), "{case}"),
            }
            checked += 1;
        }
        assert_eq!(checked, cases.len(), "{id}");
        batches(&inputs, |start, inputs| {
            let cases = &cases[start..start + inputs.len()];
            let field = |name: &str| cases.iter().map(|case| optional32(case, name)).collect::<Vec<_>>();
            let permissive = try_decompress_batch_dalek(inputs);
            assert_eq!(encode_each(&permissive), field("dalek_edwards"), "{id}");
            let strict = try_decompress_batch_strict(inputs);
            assert_eq!(
                strict.iter().map(Option::is_some).collect::<Vec<_>>(),
                cases.iter().map(|case| truth(case, "monero")).collect::<Vec<_>>(),
                "{id}"
            );
            let ristretto = try_decompress_batch_ristretto(inputs);
            let encodings: Vec<_> = ristretto.iter().map(|p| p.map(|p| p.compress().0)).collect();
            assert_eq!(encodings, field("ristretto"), "{id}");
            // All or the first that is none.
            let index = |points: &[Option<EdwardsPoint>]| points.iter().position(Option::is_none);
            assert_eq!(decompress_batch_dalek(inputs).err().map(|e| e.index()), index(&permissive), "{id}");
            assert_eq!(decompress_batch_strict(inputs).err().map(|e| e.index()), index(&strict), "{id}");
            assert_eq!(
                decompress_batch_ristretto(inputs).err().map(|e| e.index()),
                ristretto.iter().position(Option::is_none),
                "{id}"
            );
        });
    });
}

/// The encoding of each point there is, by the batch form.
fn encode_each(points: &[Option<EdwardsPoint>]) -> Vec<Option<[u8; 32]>> {
    let there: Vec<EdwardsPoint> = points.iter().flatten().copied().collect();
    let mut encodings = compress_batch(&there).into_iter();
    points.iter().map(|p| p.and_then(|_| encodings.next())).collect()
}

#[test]
fn rfc9496_ristretto() {
    let Some(cases) = json_cases("rfc9496_ristretto.json") else { return };
    each_backend(|id| {
        let (mut multiples, mut bad, mut uniform) = (Vec::new(), Vec::new(), Vec::new());
        for case in &cases {
            match text(case, "op") {
                "small_multiple" => {
                    let n = case["n"].as_u64().expect("a number");
                    let sum: RistrettoPoint = (0..n).map(|_| RistrettoPoint::BASEPOINT).sum();
                    let k = Scalar::from(n);
                    for p in [sum, RistrettoPoint::mul_base(&k), k * RistrettoPoint::BASEPOINT] {
                        assert_eq!(p.compress().0, bytes32(case, "out"), "{id} {case}");
                        multiples.push((p, bytes32(case, "out")));
                    }
                    assert_eq!(CompressedRistretto(bytes32(case, "out")).decompress(), Some(sum), "{id} {case}");
                }
                "bad_encoding" => {
                    assert_eq!(text(case, "expected"), "reject");
                    assert_eq!(CompressedRistretto(bytes32(case, "in")).decompress(), None, "{id} {case}");
                    bad.push(bytes32(case, "in"));
                }
                "from_uniform" => {
                    let input: [u8; 64] = hex(text(case, "in")).try_into().expect("64 bytes");
                    let p = RistrettoPoint::from_uniform_bytes(&input);
                    assert_eq!(p.compress().0, bytes32(case, "out"), "{id} {case}");
                    uniform.push((p, bytes32(case, "out")));
                }
                other => panic!("unknown operation {other}"),
            }
        }
        assert_eq!(multiples.len() / 3 + bad.len() + uniform.len(), cases.len(), "{id}");
        let (points, encodings): (Vec<RistrettoPoint>, Vec<[u8; 32]>) =
            multiples.into_iter().chain(uniform.iter().copied()).unzip();
        batches(&encodings, |start, encodings| {
            let points = &points[start..start + encodings.len()];
            assert_eq!(compress_batch_ristretto(points), encodings, "{id}");
            assert_eq!(decompress_batch_ristretto(encodings).unwrap(), points, "{id}");
        });
        batches(&bad, |_, bad| {
            assert_eq!(try_decompress_batch_ristretto(bad), vec![None; bad.len()], "{id}");
        });
        // Good and bad ones side by side.
        let mixed: Vec<[u8; 32]> = encodings.iter().zip(&bad).flat_map(|(good, bad)| [*good, *bad]).collect();
        for (i, p) in try_decompress_batch_ristretto(&mixed).iter().enumerate() {
            assert_eq!(*p, (i % 2 == 0).then(|| points[i / 2]), "{id} {i}");
        }
    });
}

#[test]
fn dalek_kats() {
    let Some(cases) = json_cases("dalek_kats.json") else { return };
    each_backend(|id| {
        let (mut checked, mut later) = (0, 0);
        for case in &cases {
            let scalar = |field: &str| Scalar::from_canonical_bytes(bytes32(case, field)).expect("a scalar below l");
            match text(case, "op") {
                "mul_base" => products_of_base(&Scalar::from(case["n"].as_u64().expect("a number")), case),
                "scalar_mul_base" => products_of_base(&scalar("a"), case),
                "double_scalar_mul_base" => {
                    let a = CompressedEdwardsY(bytes32(case, "A")).decompress_strict().expect("a point");
                    let (scalars, points) = ([scalar("a"), scalar("b")], [a, EdwardsPoint::BASEPOINT]);
                    let table = StaticPoints::new(&points[1..]);
                    for sum in [
                        msm::vartime(&scalars, &points).unwrap(),
                        msm::constant_time(&scalars, &points).unwrap(),
                        table.mixed_vartime(&scalars[1..], &scalars[..1], &points[..1]).unwrap(),
                        scalars[0] * points[0] + EdwardsPoint::mul_base(&scalars[1]),
                    ] {
                        assert_eq!(sum.compress().0, bytes32(case, "out"), "{id} {case}");
                    }
                }
                // Hashing to the curve with SHA-512 belongs to a later layer.
                "rfc9380_NU" | "rfc9380_RO" => later += 1,
                other => panic!("unknown operation {other}"),
            }
            checked += 1;
        }
        assert_eq!(checked, cases.len(), "{id}");
        println!("{id}: {} cases, {later} of a later layer", checked - later);
    });
}

/// `k·B` by every road.
fn products_of_base(k: &Scalar, case: &Value) {
    let base = [EdwardsPoint::BASEPOINT];
    let expected = bytes32(case, "out");
    for product in [
        EdwardsPoint::mul_base(k),
        k * base[0],
        msm::mul_base_batch(&[*k])[0],
        msm::mul_batch(&[*k], &base).unwrap()[0],
        msm::vartime(&[*k], &base).unwrap(),
        msm::constant_time(&[*k], &base).unwrap(),
        StaticPoints::new(&base).mixed_vartime(&[*k], &[], &[]).unwrap(),
    ] {
        assert_eq!(product.compress().0, expected, "{case}");
        assert_eq!(compress_batch(&[product]), [expected], "{case}");
    }
}

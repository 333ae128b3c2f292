//! The Mantle transaction hash by size, every variant, and Poseidon2 states side by side.

use std::hint::black_box;

use curve25519_lanes::field::bn254::Fr;
use curve25519_lanes::hash::blake2b_256;
use curve25519_lanes::hash::poseidon2::permute_batch;
use curve25519_lanes::tx::mantle::{Variant, tx_hash};

use super::work::{Spec, Work};
use super::{Session, Stop};

const GROUP: &str = "mantle";
const VARIANTS: [Variant; 5] = [Variant::A, Variant::A2, Variant::R, Variant::B, Variant::C];

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    const ALL: [usize; 9] = [64, 256, 1 << 10, 1 << 12, 1 << 16, 1 << 19, 1 << 20, 1 << 21, 1 << 22];
    let backends = session.backends.clone();
    for payload in session.sizes(&[64, 1 << 10, 1 << 14, 1 << 16], &ALL) {
        let bytes: Vec<u8> = (0..payload).map(|i| (i * 131 + (i >> 8)) as u8).collect();
        session.case(&Spec::new(GROUP, "BLAKE2b-256", payload, "byte"), || {
            Ok(Work::on_any(|| blake2b_256(black_box(&bytes)), |hash| hash.to_vec()))
        })?;
        for variant in VARIANTS {
            let op = format!("transaction hash {}", variant.name());
            session.case(&Spec::new(GROUP, op, payload, "byte"), || {
                let work = Work::on_any(|| tx_hash(variant, black_box(&bytes)), |hash| hash.to_vec());
                #[cfg(feature = "peers")]
                let work = super::peers::mantle(work, variant, &bytes);
                Ok(work)
            })?;
        }
    }
    for count in session.sizes(&[1, 64], &[1, 8, 16, 64]) {
        session.case(&Spec::new(GROUP, "Poseidon2, three elements", count, "permutation"), || {
            let states: Vec<[Fr; 3]> =
                (0..count as u64).map(|i| [Fr::from(i + 7), Fr::from(i + 8), Fr::from(i + 9)]).collect();
            let permute = {
                let states = states.clone();
                move || {
                    let mut states = states.clone();
                    permute_batch(black_box(&mut states));
                    states
                }
            };
            let bytes = |states: &Vec<[Fr; 3]>| states.iter().flatten().flat_map(Fr::to_bytes).collect();
            let work = Work::on(&backends, permute, bytes);
            #[cfg(feature = "peers")]
            let work = super::peers::poseidon2(work, count);
            Ok(work)
        })?;
    }
    Ok(())
}

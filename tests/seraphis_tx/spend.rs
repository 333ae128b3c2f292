//! What provers under test spend and make.

use curve25519_lanes::proofs::bulletproofs_plus::monero::Opening;
use curve25519_lanes::proofs::schnorr::Secrets;
use curve25519_lanes::tx::ledger::MemoryLedger;
use curve25519_lanes::tx::seraphis::{Input, Output};
use curve25519_lanes::{EdwardsPoint, Scalar};

use super::common::Random;

/// Puts a ring into an empty ledger, whose second member can be spent.
pub(super) fn spendable(ledger: &mut MemoryLedger, ring: usize, rng: &mut Random) -> (Input, Opening) {
    let [y, z, mask] = core::array::from_fn(|_| Scalar::random(rng));
    let opening = Opening::new(1000, mask);
    let mut point = || EdwardsPoint::mul_base(&Scalar::random(rng)).compress().0;
    let mut members: Vec<[[u8; 32]; 2]> = (0..ring).map(|_| [point(), point()]).collect();
    let address = Secrets { x: Scalar::ZERO, y, z }.key().compress().0;
    members[1] = [address, opening.commit().0];
    let indices = ledger.push_squashed(&members).expect("points").collect();
    let received = Opening::new(1000, Scalar::random(rng));
    (Input { indices, position: 1, y, z, opening }, received)
}

/// An output with this address, which may be no point.
pub(super) fn receiving(opening: Opening, address: [u8; 32]) -> Output {
    let pubkey = EdwardsPoint::BASEPOINT.compress().0;
    Output { address, pubkey, encoded_amount: 7, view_tag: 8, opening }
}

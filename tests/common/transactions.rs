//! Monero transactions made for tests and benches: random rings, amounts that balance.

// Each program that includes this uses its own part.
#![allow(dead_code)]

use core::convert::Infallible;

use curve25519_lanes::hash::keccak256;
use curve25519_lanes::proofs::bulletproofs_plus::monero::{Generators, Opening};
use curve25519_lanes::proofs::clsag::{self, Clsag, RingMember, Witness};
use curve25519_lanes::tx::monero::{Input, Output, Statement, Transaction};
use curve25519_lanes::{EdwardsPoint, Scalar, monero_hash_to_point};

/// Repeatable random numbers (splitmix64) in the form that provers take.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

impl rand_core::TryRng for Numbers {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next() as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.chunks_mut(8).for_each(|w| w.copy_from_slice(&self.next().to_le_bytes()[..w.len()]));
        Ok(())
    }
}
impl rand_core::TryCryptoRng for Numbers {}

/// A transaction and its rings.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) transaction: Transaction,
    pub(crate) rings: Vec<Vec<RingMember>>,
}

impl Made {
    pub(crate) fn statement(&self) -> Statement<'_> {
        Statement { transaction: &self.transaction, rings: &self.rings }
    }

    /// Makes a valid transaction.
    pub(crate) fn new(generators: &Generators, inputs: usize, outputs: usize, ring: usize, seed: u64) -> Made {
        let mut numbers = Numbers(seed);
        let point = |numbers: &mut Numbers| EdwardsPoint::mul_base(&Scalar::random(numbers)).compress().0;
        let amounts: Vec<u64> = (0..outputs).map(|_| numbers.next() >> 16).collect();
        let made: Vec<Opening> = amounts.iter().map(|&a| Opening::new(a, Scalar::random(&mut numbers))).collect();
        let fee = numbers.next() >> 40;
        let mut left = amounts.iter().sum::<u64>() + fee;
        // Key, its place in the ring, amount.
        let mut spent: Vec<(Scalar, usize, u64)> = (0..inputs)
            .map(|i| {
                let amount = if i + 1 < inputs { left / 2 } else { left };
                left -= amount;
                (Scalar::random(&mut numbers), numbers.next() as usize % ring, amount)
            })
            .collect();
        let image = |key: &Scalar| {
            (key * monero_hash_to_point(&keccak256(&EdwardsPoint::mul_base(key).compress().0))).compress().0
        };
        spent.sort_by_key(|(key, ..)| core::cmp::Reverse(image(key)));

        let mut transaction = Transaction {
            unlock_time: 0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            extra: (0..44).map(|_| numbers.next() as u8).collect(),
            fee,
            range_proof: generators.prove(&made, &mut numbers).expect("openings in range"),
        };
        for opening in &made {
            transaction.outputs.push(Output {
                key: point(&mut numbers),
                view_tag: Some(numbers.next() as u8),
                encrypted_amount: numbers.next().to_le_bytes(),
                commitment: opening.commit().0,
            });
        }
        let mut pseudo: Vec<Opening> =
            spent.iter().map(|&(.., amount)| Opening::new(amount, Scalar::random(&mut numbers))).collect();
        let sum = |openings: &[Opening]| openings.iter().map(|o| o.mask).sum::<Scalar>();
        let last = sum(&made) - sum(&pseudo[..inputs - 1]);
        pseudo[inputs - 1].mask = last;
        let (mut rings, mut witnesses) = (Vec::new(), Vec::new());
        for ((key, index, amount), pseudo) in spent.iter().zip(&pseudo) {
            let mut members: Vec<RingMember> =
                (0..ring).map(|_| RingMember { key: point(&mut numbers), commitment: point(&mut numbers) }).collect();
            let mask = Scalar::random(&mut numbers);
            members[*index] = RingMember {
                key: EdwardsPoint::mul_base(key).compress().0,
                commitment: Opening::new(*amount, mask).commit().0,
            };
            rings.push(members);
            witnesses.push(Witness::new(*index, *key, mask - pseudo.mask));
            transaction.inputs.push(Input {
                amount: 0,
                offsets: (0..ring).map(|_| 1 + numbers.next() % 1_000_000).collect(),
                key_image: image(key),
                pseudo_out: pseudo.commit().0,
                signature: Clsag { s: Vec::new(), c1: [0; 32], d: [0; 32] },
            });
        }
        let message = transaction.signing_hash();
        for ((input, ring), witness) in transaction.inputs.iter_mut().zip(&rings).zip(&witnesses) {
            let (signature, key_image) =
                clsag::sign(ring, &input.pseudo_out, &message, witness, &mut numbers).expect("a witness that fits");
            assert_eq!(key_image, input.key_image);
            input.signature = signature;
        }
        Made { transaction, rings }
    }
}

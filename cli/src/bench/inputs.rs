//! Points and scalars, the same on both sides.

use std::hint::black_box;
use std::sync::OnceLock;

use curve25519_dalek as dalek;
use curve25519_lanes::{EdwardsPoint, Scalar, decompress_batch_strict};

use crate::output::Unusable;

/// The name of the peer, as a record has it.
pub(super) const DALEK: &str = "curve25519-dalek";
pub(super) const X25519_DALEK: &str = "x25519-dalek";

/// Points of the prime-order subgroup and scalars below l. Points come from decoding, as callers have them.
pub(super) struct Inputs {
    pub(super) encodings: Vec<[u8; 32]>,
    pub(super) points: Vec<EdwardsPoint>,
    pub(super) peer_points: Vec<dalek::EdwardsPoint>,
    pub(super) scalars: Vec<Scalar>,
    pub(super) peer_scalars: Vec<dalek::Scalar>,
}

impl Inputs {
    pub(super) fn new(count: usize) -> Result<Inputs, Unusable> {
        let mut numbers = Numbers::new(1);
        let peer_scalars: Vec<dalek::Scalar> =
            (0..count).map(|_| dalek::Scalar::from_bytes_mod_order(numbers.bytes())).collect();
        let step = dalek::EdwardsPoint::mul_base(&dalek::Scalar::from(987_654_321_u64));
        let mut point = dalek::constants::ED25519_BASEPOINT_POINT;
        let multiples: Vec<dalek::EdwardsPoint> = (0..count)
            .map(|_| {
                point += step;
                point
            })
            .collect();
        let compressed = dalek::EdwardsPoint::compress_batch_alloc(&multiples);
        let encodings: Vec<[u8; 32]> = compressed.iter().map(|c| c.0).collect();
        Ok(Inputs {
            points: decompress_batch_strict(&encodings).map_err(|error| Unusable::new(error.to_string()))?,
            peer_points: compressed.iter().filter_map(|c| c.decompress()).collect(),
            scalars: peer_scalars.iter().map(|k| Scalar::from_bytes_mod_order(k.to_bytes())).collect(),
            encodings,
            peer_scalars,
        })
    }
}

/// Repeatable numbers (splitmix64) in the form that provers take. What is secret in a bench?
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.chunks_exact_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.number().to_le_bytes()));
        bytes
    }
}

impl rand_core::TryRng for Numbers {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.number() as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.number())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.number().to_le_bytes()[..chunk.len()]));
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Numbers {}

/// The bytes of the peer's points.
pub(super) fn peer_bytes(points: &[dalek::EdwardsPoint]) -> Vec<u8> {
    points.iter().flat_map(|p| p.compress().0).collect()
}

/// The bytes of ours.
pub(super) fn our_bytes(points: &[EdwardsPoint]) -> Vec<u8> {
    points.iter().flat_map(|p| p.compress().0).collect()
}

/// Named as what it is: the mock transactions of the Seraphis study's C++ branch, another day, on another machine.
pub(super) const REFERENCE: &str = "C++ reference, carried over";

/// Nanoseconds here of what took the C++ reference `us` microseconds there: scaled by the fixed-base multiplication of
/// curve25519-dalek, which took 11.6 µs there and is measured here, once.
pub(super) fn carried_over(us: f64) -> f64 {
    static FIXED_BASE: OnceLock<f64> = OnceLock::new();
    let here = FIXED_BASE.get_or_init(|| {
        let scalar = dalek::Scalar::from_bytes_mod_order([0x5a; 32]);
        let hundred = || (0..100).for_each(|_| _ = black_box(dalek::EdwardsPoint::mul_base(black_box(&scalar))));
        crate::clock::median(hundred) / 100.0
    });
    us * 1e3 * here / 11_600.0
}

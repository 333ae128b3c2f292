//! What the fuzz targets have in common: how bytes become inputs, and the valid proofs that they change.

pub mod cases;
pub mod memory;

use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT, EIGHT_TORSION};
use curve25519_dalek::scalar::Scalar;
use curve25519_lanes::cpu::{self, BackendId};

/// The bytes not yet used; zeros follow them.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        let (now, later) = self.0.split_at(N.min(self.0.len()));
        out[..now.len()].copy_from_slice(now);
        self.0 = later;
        out
    }

    pub fn byte(&mut self) -> u8 {
        self.array::<1>()[0]
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Below `bound`, which is at most 256.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// A 256-bit integer: any, or one where reductions and recodings change their ways.
    pub fn integer(&mut self) -> [u8; 32] {
        const L: [u8; 32] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ];
        let small = i16::from(self.byte().cast_signed());
        match self.below(8) {
            0 => near(&[0; 32], small),
            1 => near(&L, small),
            // 2^255, 2^256, and p as the integers nearby.
            2 => near(&std::array::from_fn(|i| if i == 31 { 0x80 } else { 0 }), small),
            3 => near(&[0; 32], small.wrapping_sub(1).min(-1)),
            4 => near(&std::array::from_fn(|i| if i == 31 { 0x7f } else { 0xff }), small.wrapping_sub(18)),
            // One run of ones.
            5 => {
                let (from, bits) = (usize::from(small.unsigned_abs()), self.byte());
                let mut out = [0; 32];
                (from..256).take(bits.into()).for_each(|bit| out[bit / 8] |= 1 << (bit % 8));
                out
            }
            _ => self.array(),
        }
    }

    /// The encoding of a point, small-order parts included, or any bytes.
    pub fn encoding(&mut self) -> [u8; 32] {
        match self.below(4) {
            0 => self.integer(),
            1 => self.array(),
            2 => EIGHT_TORSION[self.below(8)].compress().0,
            _ => {
                let torsion = EIGHT_TORSION[self.below(8)];
                let multiple = Scalar::from_bytes_mod_order(self.array());
                (multiple * ED25519_BASEPOINT_POINT + torsion).compress().0
            }
        }
    }
}

/// `x + small` mod 2^256
fn near(x: &[u8; 32], small: i16) -> [u8; 32] {
    let mut carry = small;
    x.map(|byte| {
        let sum = i16::from(byte) + carry;
        carry = sum >> 8;
        sum as u8
    })
}

/// Runs `work` with every backend of this machine forced in turn.
pub fn on_every_backend(mut work: impl FnMut(BackendId)) {
    for id in BackendId::available() {
        cpu::force(Some(id)).expect("it is available");
        work(id);
    }
    cpu::force(None).expect("nothing to refuse");
}

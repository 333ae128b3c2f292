//! Round constants and matrices, computed by the compiler from the generator that defines them.
//!
//! The generator is the Grain LFSR of the Poseidon paper (Grassi, Khovratovich, Rechberger, Roy, Schofnegger 2019,
//! appendix F) as used by the Poseidon2 authors' parameter script: 80 bits that say what the permutation is, 160
//! clocks thrown away, then bits in pairs of which the second is used where the first is set. Numbers of 254 bits
//! come out most significant bit first; round constants that are not below p are drawn again.

use crate::field::bn254::P;
use crate::field::bn254::lanes::Constant;

/// External rounds, half of them before the internal ones.
pub(super) const EXTERNAL: usize = 8;
/// Internal rounds.
pub(super) const INTERNAL: usize = 56;

/// What distinguishes the permutations of `T` elements.
pub(super) struct Parameters<const T: usize> {
    /// One constant an element and round.
    pub(super) external: [[Constant; T]; EXTERNAL],
    /// One constant a round, for the first element.
    pub(super) internal: [Constant; INTERNAL],
    /// The diagonal of the internal matrix minus one; all its other entries are 1.
    pub(super) diagonal: [Constant; T],
}

impl<const T: usize> Parameters<T> {
    /// The parameters, for 2, 3 or 4 elements.
    pub(super) const VALUE: &'static Parameters<T> = &Parameters::generate();

    #[allow(long_running_const_eval)]
    const fn generate() -> Parameters<T> {
        const ZERO: Constant = Constant::new([0; 4]);
        assert!(T >= 2 && T <= 4, "Poseidon2 is defined here for 2, 3 and 4 elements");
        let mut grain = Grain::new(T);
        let mut external = [[ZERO; T]; EXTERNAL];
        let mut internal = [ZERO; INTERNAL];
        let mut round = 0;
        while round < EXTERNAL / 2 {
            external[round] = grain.row();
            round += 1;
        }
        let mut i = 0;
        while i < INTERNAL {
            internal[i] = Constant::new(grain.below_p());
            i += 1;
        }
        while round < EXTERNAL {
            external[round] = grain.row();
            round += 1;
        }
        Parameters { external, internal, diagonal: grain.diagonal() }
    }
}

/// The shift register: bit 0 is the oldest.
struct Grain(u128);

impl Grain {
    /// Prime field, x^α, 254 bits, `t` elements, rounds; from the oldest bit on.
    const fn new(t: usize) -> Grain {
        let fields: [(u128, u32); 7] = [
            (1, 2),
            (0, 4),
            (254, 12),
            (t as u128, 12),
            (EXTERNAL as u128, 10),
            (INTERNAL as u128, 10),
            ((1 << 30) - 1, 30),
        ];
        let mut bits = 0u128;
        let mut length = 0;
        let mut i = 0;
        while i < fields.len() {
            let (value, width) = fields[i];
            // Each field starts with its most significant bit.
            bits |= (value.reverse_bits() >> (128 - width)) << length;
            length += width;
            i += 1;
        }
        let mut grain = Grain(bits);
        let mut i = 0;
        while i < 160 {
            grain.clock();
            i += 1;
        }
        grain
    }

    const fn clock(&mut self) -> u64 {
        let s = self.0;
        let bit = (s ^ s >> 13 ^ s >> 23 ^ s >> 38 ^ s >> 51 ^ s >> 62) & 1;
        self.0 = s >> 1 | bit << 79;
        bit as u64
    }

    const fn number(&mut self) -> [u64; 4] {
        let mut x = [0; 4];
        let mut i = 254;
        while i > 0 {
            let kept = self.clock();
            let bit = self.clock();
            if kept == 1 {
                i -= 1;
                x[i / 64] |= bit << (i % 64);
            }
        }
        x
    }

    const fn below_p(&mut self) -> [u64; 4] {
        loop {
            let x = self.number();
            if less(&x, &P) {
                return x;
            }
        }
    }

    const fn row<const T: usize>(&mut self) -> [Constant; T] {
        let mut row = [Constant::new([0; 4]); T];
        let mut i = 0;
        while i < T {
            row[i] = Constant::new(self.below_p());
            i += 1;
        }
        row
    }

    /// For 2 and 3 elements the paper fixes small numbers. For 4, the script goes on drawing (numbers mod p, without
    /// rejection) until the matrix has no small invariant subspace, which the fifth four are the first to fulfil.
    const fn diagonal<const T: usize>(&mut self) -> [Constant; T] {
        const SMALL: [[u64; 3]; 2] = [[1, 2, 0], [1, 1, 2]];
        let mut diagonal = [Constant::new([0; 4]); T];
        let mut i = 0;
        if T < 4 {
            while i < T {
                diagonal[i] = Constant::new([SMALL[T - 2][i], 0, 0, 0]);
                i += 1;
            }
            return diagonal;
        }
        while i < 16 {
            self.number();
            i += 1;
        }
        i = 0;
        while i < T {
            diagonal[i] = Constant::new(minus_one(self.number()));
            i += 1;
        }
        diagonal
    }
}

const fn less(a: &[u64; 4], b: &[u64; 4]) -> bool {
    let mut i = 4;
    while i > 0 {
        i -= 1;
        if a[i] != b[i] {
            return a[i] < b[i];
        }
    }
    false
}

/// `x - 1 mod p`, for `x` below 2p and not a multiple of p.
const fn minus_one(x: [u64; 4]) -> [u64; 4] {
    let below = if less(&x, &P) { 0 } else { 1 };
    let mut out = x;
    let (mut i, mut borrow) = (0, 1);
    while i < 4 {
        let (d, b) = x[i].overflowing_sub(below * P[i]);
        let (d, c) = d.overflowing_sub(borrow);
        out[i] = d;
        borrow = (b | c) as u64;
        i += 1;
    }
    out
}

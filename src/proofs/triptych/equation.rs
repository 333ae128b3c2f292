//! The verification equations, as scalars for one multiscalar sum; and the transcript.

use alloc::vec::Vec;

use crate::field::scalar::{Scalar, ScalarSum};
use crate::hash::keccak256;
use crate::proofs::one_of_many::{Shape, powers};

/// Weights a proof needs.
pub(super) const EQUATIONS: usize = 4;

/// One proof as the equations see it: everything but its points.
pub(super) struct Instance {
    pub(super) shape: Shape,
    pub(super) mu: Scalar,
    /// The challenge, not zero.
    pub(super) x: Scalar,
    /// f, column 0 included, row by row.
    pub(super) cells: Vec<Scalar>,
    pub(super) z_a: Scalar,
    pub(super) z_c: Scalar,
    pub(super) z: Scalar,
}

impl Instance {
    /// Adds the equations times `weights` (w1 to w4 in the order of the module documentation) to the scalars of the
    /// generators (G, H, U, HT_0, …), and appends those of the proof's own points in the order K, A, B, C, D, X, Y, ring,
    /// offset, tag. With c the factor by which a transmitted point counts:
    ///
    /// | point | scalar |
    /// | --- | --- |
    /// | HT of a cell | w1·f + w2·f·(x − f) |
    /// | H | w1·z_A + w2·z_C |
    /// | U, G | w4·x^m, −w3·z |
    /// | A, B, D, C | −c·w1, −c·w1·x, −c·w2, −c·w2·x |
    /// | M_k, P_k | w3·t_k, w3·μ·t_k |
    /// | offset | −w3·μ·x^m |
    /// | K, J | c·w4·μ·x^m, −w4·z |
    /// | X_j, Y_j | −c·w3·x^j, −c·w4·x^j |
    pub(super) fn add(
        &self,
        weights: &[Scalar],
        factor: &Scalar,
        x_inv: &Scalar,
        bases: &mut [ScalarSum],
        own: &mut Vec<Scalar>,
    ) {
        let Instance { shape, mu, x, cells, z_a, z_c, z } = self;
        let [w1, w2, w3, w4] = weights else { panic!("a weight for each equation") };
        let x_powers = powers(x, shape.m());
        let x_m = x_powers[shape.m()];

        bases[0].add_product(&-w3, z);
        bases[1].add_product(w1, z_a);
        bases[1].add_product(w2, z_c);
        bases[2].add_product(w4, &x_m);
        for (base, f) in bases[3..].iter_mut().zip(cells) {
            base.add_product(f, &(w1 + w2 * (x - f)));
        }

        let [c1, c2, c3, c4] = [w1, w2, w3, w4].map(|w| -(w * factor));
        own.push(-(c4 * mu * x_m));
        own.extend([c1, c1 * x, c2 * x, c2]);
        for c in [c3, c4] {
            own.extend(x_powers[..shape.m()].iter().map(|x| c * x));
        }
        let root = w3 * x_m;
        let keys = shape.products(&root, x_inv, cells);
        own.extend(keys.iter().flat_map(|t| [*t, t * mu]));
        own.extend([-(root * mu), -(w4 * z)]);
    }
}

/// The bytes that μ is a hash of. `points`: the encodings in the order of [`Instance::add`], offset and tag included.
pub(super) fn opening(shape: &Shape, message: &[u8; 32], points: &[[u8; 32]]) -> Vec<u8> {
    let seed = Scalar::from_bytes_mod_order(keccak256(b"triptych transcript")).to_bytes();
    let statement = &points[5 + 2 * shape.m()..];
    [&[seed, *message], statement, &points[..5]].concat().into_flattened()
}

/// The bytes that x is a hash of.
pub(super) fn closing(mu: &Scalar, x: &[[u8; 32]], y: &[[u8; 32]]) -> Vec<u8> {
    let pairs = x.iter().zip(y).flat_map(|(x, y)| [*x, *y]);
    core::iter::once(mu.to_bytes()).chain(pairs).collect::<Vec<_>>().into_flattened()
}

//! The verification equations, as scalars for one multiscalar sum.

use alloc::vec::Vec;

use super::statement::InputSet;
use crate::field::scalar::{Scalar, ScalarSum};
use crate::proofs::one_of_many::powers;

/// One proof as the equations see it: everything but its points.
pub(super) struct Instance {
    /// The challenge, not zero.
    pub(super) xi: Scalar,
    pub(super) xi_inv: Scalar,
    /// f, column 0 included, row by row.
    pub(super) cells: Vec<Scalar>,
    pub(super) z_a: Scalar,
    pub(super) z_c: Scalar,
    pub(super) z: Scalar,
    /// In the parallel form only.
    pub(super) z1: Option<Scalar>,
}

impl Instance {
    /// Weights a proof needs.
    pub(super) fn equations(&self) -> usize {
        4 + usize::from(self.z1.is_some())
    }

    /// Adds the equations times `weights` (w1 to w5 in the order of the module documentation) to the scalars of the
    /// bases, H, those of the cells, G, U, G1, and of the points of the ring, and appends those of the proof's own points in the order A, B, C, D, X, X1, Y,
    /// offset, J.
    ///
    /// | point | scalar |
    /// | --- | --- |
    /// | base of a cell | w1·f + w2·f·(ξ − f) |
    /// | H | w1·z_A + w2·z_C |
    /// | U, G, G1 | w4·ξ^m, −w3·z, −w5·z1 |
    /// | A, B, D, C | −w1, −w1·ξ, −w2, −w2·ξ |
    /// | M_k, M1_k | w3·t_k, w5·t_k |
    /// | offset, J | −w5·ξ^m, −w4·z |
    /// | X_j, X1_j, Y_j | −w3·ξ^j, −w5·ξ^j, −w4·ξ^j |
    pub(super) fn add(
        &self,
        weights: &[Scalar],
        inputs: &InputSet,
        bases: &mut [ScalarSum],
        ring: &mut [Scalar],
        own: &mut Vec<Scalar>,
    ) {
        let Instance { xi, xi_inv, cells, z_a, z_c, z, z1 } = self;
        let [w1, w2, w3, w4, ref w5 @ ..] = *weights else { panic!("a weight for each equation") };
        let parameters = inputs.parameters();
        let (shape, places) = (parameters.shape(), parameters.places());
        let xi_powers = powers(xi, shape.m());
        let xi_m = xi_powers[shape.m()];

        let (h, rest) = bases.split_first_mut().expect("there is H");
        h.add_product(&w1, z_a);
        h.add_product(&w2, z_c);
        let (cell_bases, named) = rest.split_at_mut(cells.len());
        for (base, f) in cell_bases.iter_mut().zip(cells) {
            base.add_product(f, &(w1 + w2 * (xi - f)));
        }
        named[0].add_product(&-w3, z);
        named[1].add_product(&w4, &xi_m);
        for ((g1, z1), w5) in named[2..].iter_mut().zip(z1).zip(w5) {
            g1.add_product(&-w5, z1);
        }

        own.extend([-w1, -(w1 * xi), -(w2 * xi), -w2]);
        for w in [w3].iter().chain(w5).chain([&w4]) {
            own.extend(xi_powers[..shape.m()].iter().map(|xi| -(w * xi)));
        }
        own.extend(w5.iter().map(|w5| -(w5 * xi_m)));
        own.push(-(w4 * z));

        // The keys that the ring is filled up with are the last one again.
        let given = inputs.given();
        for (w, keys) in [w3].iter().chain(w5).zip(ring.chunks_exact_mut(given)) {
            let products = shape.products(&(w * xi_m), xi_inv, cells);
            for (k, &place) in places.iter().enumerate() {
                keys[k.min(given - 1)] += products[place as usize];
            }
        }
    }
}

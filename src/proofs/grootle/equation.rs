//! The verification equations, as scalars for one multiscalar sum.

use alloc::vec::Vec;

use super::{Form, System};
use crate::field::scalar::{Scalar, ScalarSum};
use crate::proofs::one_of_many::powers;

/// One proof as the equations see it: everything but its points.
pub(super) struct Instance {
    pub(super) system: System,
    /// μ of concise proofs.
    pub(super) mu: Scalar,
    /// The challenge, not zero.
    pub(super) x: Scalar,
    /// f, column 0 included, row by row.
    pub(super) cells: Vec<Scalar>,
    pub(super) z_a: Scalar,
    /// One for each list X.
    pub(super) z: Vec<Scalar>,
}

impl Instance {
    /// Weights needed: one for the bit commitments, one for each list X.
    pub(super) fn equations(&self) -> usize {
        1 + self.system.lists()
    }

    /// Adds the equations times `weights` to the scalars of the generators (G, HA_0, HB_0, HA_1, …), and appends those of
    /// the proof's own points in the order A, B, X, ring, offsets. With c the factor by which a transmitted point counts:
    ///
    /// | point | scalar |
    /// | --- | --- |
    /// | A, B | −c·w, −c·w·x |
    /// | HA, HB of a cell | w·f, w·f·(x − f) |
    /// | X_j | −c·v·x^j |
    /// | S_(k,a) | v_a·t_k, where v_a is v·μ^a in concise proofs |
    /// | O_a | −v_a·x^m |
    /// | G | w·z_A − Σ v·z |
    pub(super) fn add(
        &self,
        weights: &[Scalar],
        factor: &Scalar,
        x_inv: &Scalar,
        bases: &mut [ScalarSum],
        own: &mut Vec<Scalar>,
    ) {
        let (shape, q) = (self.system.shape(), self.system.keys());
        let (w, lists) = (&weights[0], &weights[1..]);
        let x_powers = powers(&self.x, shape.m());

        bases[0].add_product(w, &self.z_a);
        for (v, z) in lists.iter().zip(&self.z) {
            bases[0].add_product(&-v, z);
        }
        for (bases, f) in bases[1..].chunks_exact_mut(2).zip(&self.cells) {
            let wf = w * f;
            bases[0].add(&wf);
            bases[1].add_product(&wf, &(self.x - f));
        }

        let w = w * factor;
        own.extend([-w, -(w * self.x)]);
        for v in lists {
            let v = -(v * factor);
            own.extend(x_powers[..shape.m()].iter().map(|x| v * x));
        }
        let keys: Vec<Scalar> = match self.system.form() {
            Form::Concise => powers(&self.mu, q - 1).iter().map(|mu| lists[0] * mu).collect(),
            Form::Plain => lists.to_vec(),
        };
        // Roots v_a·x^m: the tree divides each row by x.
        let roots: Vec<Scalar> = keys.iter().map(|v| v * x_powers[shape.m()]).collect();
        let trees: Vec<Vec<Scalar>> = roots.iter().map(|root| shape.products(root, x_inv, &self.cells)).collect();
        for k in 0..shape.ring_size() {
            own.extend(trees.iter().map(|tree| tree[k]));
        }
        own.extend(roots.iter().map(|root| -root));
    }
}

//! The permutation (Grassi, Khovratovich, Schofnegger: Poseidon2, 2023), over any lanes.
//!
//! Weights (see [`FrLanes`]) for 2 and 3 elements: an S-box leaves 3. External layers make at most 4·3 of it, and a
//! constant 1 more: 13. In internal rounds the first element becomes at most 3 + 3 + 2 + 2 + 1 = 11, and the others
//! 3 + 2 + 2 + 2 + 2 = 11 before they are reduced. For 4 elements an external layer makes 16·3 = 48, too much for
//! an S-box, so it is reduced; internal rounds make at most 3 + 3 + 3·2 + 1 = 13.

use super::constants::{EXTERNAL, INTERNAL, Parameters};
use crate::field::bn254::lanes::{Constant, FrLanes};

/// Permutes one state a lane. Elements come with weight 3 and go with weight 12 (48 for 4 elements).
///
/// Cost: 240 multiplications for 3 elements, 160 of them squarings; 192 of the 240 form one chain.
#[inline(always)]
pub(super) fn permute<V: FrLanes, const T: usize>(isa: V::Isa, x: &mut [V; T]) {
    let parameters = Parameters::<T>::VALUE;
    let (first, last) = parameters.external.split_at(EXTERNAL / 2);
    external_layer(x);
    for constants in first {
        external_round(isa, x, constants);
    }
    for element in x.iter_mut() {
        *element = element.reduce();
    }
    x[0] = x[0].add(V::splat(isa, &parameters.internal[0]));
    for round in 0..INTERNAL {
        internal_round(isa, x, &parameters.diagonal, parameters.internal.get(round + 1));
    }
    for constants in last {
        external_round(isa, x, constants);
    }
}

/// Constants, S-boxes, matrix.
#[inline(always)]
fn external_round<V: FrLanes, const T: usize>(isa: V::Isa, x: &mut [V; T], constants: &[Constant; T]) {
    for i in 0..T {
        if T == 4 {
            x[i] = x[i].reduce();
        }
        x[i] = x[i].add(V::splat(isa, &constants[i])).carry().power_of_five();
    }
    external_layer(x);
}

/// For 2 and 3 elements: twice each plus the others. For 4: the matrix (5 7 1 3, 4 6 1 1, 1 3 5 7, 1 1 4 6), by the
/// sums of the Poseidon2 paper, appendix B.
#[inline(always)]
fn external_layer<V: FrLanes, const T: usize>(x: &mut [V; T]) {
    if T == 4 {
        let a = x[0].add(x[1]);
        let b = x[2].add(x[3]);
        let c = x[1].double().add(b);
        let d = x[3].double().add(a);
        let e = b.double().double().add(d);
        let f = a.double().double().add(c);
        (x[0], x[1], x[2], x[3]) = (d.add(f), f, c.add(e), e);
        return;
    }
    let mut sum = x[0];
    for element in &x[1..] {
        sum = sum.add(*element);
    }
    for element in x {
        *element = element.add(sum);
    }
}

/// S-box of the first element, and the matrix of ones plus the diagonal; then the constant of the next round, which
/// so stays away from the chain of products through the first element.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn internal_round<V: FrLanes, const T: usize>(
    isa: V::Isa,
    x: &mut [V; T],
    diagonal: &[Constant; T],
    next: Option<&Constant>,
) {
    let mut others = x[1];
    for element in &x[2..] {
        others = others.add(*element);
    }
    let with_next = match next {
        Some(constant) => others.add(V::splat(isa, constant)),
        None => others,
    };
    let y = x[0].carry().power_of_five();
    let sum = y.add(others);
    if T == 4 {
        x[0] = y.carry().mul(V::splat(isa, &diagonal[0])).add(y.add(with_next));
        for i in 1..T {
            x[i] = x[i].mul(V::splat(isa, &diagonal[i])).add(sum).reduce();
        }
        return;
    }
    // The diagonals are (1, 2) and (1, 1, 2).
    x[0] = y.double().add(with_next);
    for i in 1..T {
        let multiple = if i == T - 1 { x[i].double() } else { x[i] };
        x[i] = sum.add(multiple).reduce();
    }
}

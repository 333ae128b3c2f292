//! Poseidon2 over the scalar field of BN254: states of 2, 3 or 4 elements, S-box x⁵, 8 external and 56 internal
//! rounds, and the modes that the Logos blockchain builds on 3 elements.
//!
//! * [`permute`], [`permute_batch`]: the permutation.
//! * [`hash`], [`Sponge`], [`hash_batch`]: a sponge that takes one element a permutation.
//! * [`compress`], [`compress_batch`], [`merkle_layer`]: two elements to one.
//!
//! A lone permutation is one long chain of dependent products: it runs in scalar code, on assembly where the CPU
//! has MULX. Independent permutations run eight a vector and two vectors at a time on AVX-512 IFMA. All of it is
//! constant-time in the elements.

mod constants;
mod permutation;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use self::permutation::permute as permute_lanes;
#[cfg(have_avx2)]
use crate::cpu::Avx2;
#[cfg(have_ifma)]
use crate::cpu::Ifma;
use crate::cpu::{BackendId, Portable};
#[cfg(any(have_avx2, have_ifma))]
use crate::cpu::{Bmi2, Isa};
use crate::field::bn254::lanes::FrLanes;
#[cfg(have_ifma)]
use crate::field::bn254::r52x8::R52x8;
use crate::field::bn254::r64x1::{Arithmetic, R64x1};
pub use crate::field::bn254::{Fr, NotCanonical};

/// Permutes a state of `T` = 2, 3 or 4 elements; another `T` doesn't compile.
///
/// ```
/// use curve25519_lanes::hash::poseidon2::{Fr, permute};
/// let mut state = [Fr::ZERO; 3];
/// permute(&mut state);
/// assert_ne!(state[0], state[1]);
/// ```
pub fn permute<const T: usize>(state: &mut [Fr; T]) {
    permute_states(BackendId::current(), core::slice::from_mut(state));
}

/// Permutes many states, each for itself.
pub fn permute_batch<const T: usize>(states: &mut [[Fr; T]]) {
    permute_states(BackendId::current(), states);
}

/// [`permute_batch`] on a named backend; `false`, with nothing changed, if this machine or build lacks it.
pub fn permute_batch_on<const T: usize>(backend: BackendId, states: &mut [[Fr; T]]) -> bool {
    let there = backend.is_detected();
    if there {
        permute_states(backend, states);
    }
    there
}

/// On the backend, or on portable code if that is not there.
fn permute_states<const T: usize>(backend: BackendId, states: &mut [[Fr; T]]) {
    match backend {
        #[cfg(have_ifma)]
        BackendId::Ifma => {
            if let Some(isa) = Ifma::detect() {
                return permute_wide(isa, states);
            }
        }
        #[cfg(have_avx2)]
        BackendId::Avx2 => {
            if let Some(isa) = Avx2::detect() {
                return permute_each(Bmi2::from(isa), states);
            }
        }
        _ => {}
    }
    permute_each(Portable::TOKEN, states);
}

/// Sixteen at a time, then eight or what is left; a lone one in scalar code.
#[cfg(have_ifma)]
fn permute_wide<const T: usize>(isa: Ifma, states: &mut [[Fr; T]]) {
    let mut rest = states;
    while rest.len() > 1 {
        let (now, later) = rest.split_at_mut(rest.len().min(16));
        if now.len() > 8 {
            isa.frame(
                #[inline(always)]
                || permute_group::<[R52x8; 2], T>(isa, now),
            );
        } else {
            isa.frame(
                #[inline(always)]
                || permute_group::<R52x8, T>(isa, now),
            );
        }
        rest = later;
    }
    permute_each(Bmi2::from(isa), rest);
}

fn permute_each<M: Arithmetic, const T: usize>(isa: M, states: &mut [[Fr; T]]) {
    for state in states {
        permute_group::<R64x1<M>, T>(isa, core::slice::from_mut(state));
    }
}

/// Permutes at most `LANES` states.
#[inline(always)]
fn permute_group<V: FrLanes, const T: usize>(isa: V::Isa, states: &mut [[Fr; T]]) {
    const MOST: usize = 16;
    let mut column = [Fr::ZERO; MOST];
    let mut x = [V::load(isa, &column[..1]); T];
    for i in 0..T {
        for (element, state) in column.iter_mut().zip(states.iter()) {
            *element = state[i];
        }
        x[i] = V::load(isa, &column[..states.len()]);
    }
    permute_lanes(isa, &mut x);
    for i in 0..T {
        x[i].store(&mut column[..states.len()]);
        for (element, state) in column.iter().zip(states.iter_mut()) {
            state[i] = *element;
        }
    }
}

/// The hash of a list of elements: `n + 1` permutations for `n` elements.
///
/// The state starts as zeros; each element, and at the end a 1, is added to its first element before a permutation;
/// the result is the first element.
///
/// ```
/// use curve25519_lanes::hash::poseidon2::{Fr, hash};
/// assert_eq!(hash(&[Fr::ZERO]).to_bytes()[..2], [0x23, 0x7b]);
/// ```
pub fn hash(elements: &[Fr]) -> Fr {
    let mut sponge = Sponge::new();
    elements.iter().for_each(|element| sponge.absorb(*element));
    sponge.finish()
}

/// A [`hash`](hash()) in the making. The state is not wiped.
#[derive(Clone, Debug, Default)]
pub struct Sponge {
    state: [Fr; 3],
}

impl Sponge {
    /// The state before any element.
    pub fn new() -> Sponge {
        Sponge::default()
    }

    /// Takes one element. One permutation.
    pub fn absorb(&mut self, element: Fr) {
        self.state[0] += element;
        permute(&mut self.state);
    }

    /// The hash of all elements taken. One permutation.
    pub fn finish(mut self) -> Fr {
        self.absorb(Fr::ONE);
        self.state[0]
    }
}

/// The [`hash`](hash())es of many lists: `out[i]` is that of `inputs[i]`. Lengths may differ; the time depends on
/// them.
///
/// # Panics
/// If `inputs` and `out` differ in length.
pub fn hash_batch(inputs: &[&[Fr]], out: &mut [Fr]) {
    assert_eq!(inputs.len(), out.len(), "one hash a list");
    // Longest first, so that those still absorbing are always the first ones.
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&i| core::cmp::Reverse(inputs[i].len()));
    let mut states = alloc::vec![[Fr::ZERO; 3]; inputs.len()];
    let mut active = inputs.len();
    let mut step = 0;
    while active > 0 {
        for (state, &i) in states[..active].iter_mut().zip(&order) {
            state[0] += *inputs[i].get(step).unwrap_or(&Fr::ONE);
        }
        permute_batch(&mut states[..active]);
        while active > 0 && inputs[order[active - 1]].len() == step {
            active -= 1;
        }
        step += 1;
    }
    for (state, i) in states.iter().zip(order) {
        out[i] = state[0];
    }
}

/// Two elements to one: the first element of the permuted state (a, b, 0). One permutation, no feed-forward.
pub fn compress(a: Fr, b: Fr) -> Fr {
    let mut state = [a, b, Fr::ZERO];
    permute(&mut state);
    state[0]
}

/// [`compress`] for many pairs.
///
/// # Panics
/// If `pairs` and `out` differ in length.
pub fn compress_batch(pairs: &[[Fr; 2]], out: &mut [Fr]) {
    assert_eq!(pairs.len(), out.len(), "one element a pair");
    // A few groups of lanes at a time, so that no memory is asked for.
    const CHUNK: usize = 64;
    for (pairs, out) in pairs.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let mut states = [[Fr::ZERO; 3]; CHUNK];
        let states = &mut states[..pairs.len()];
        for (state, pair) in states.iter_mut().zip(pairs) {
            state[..2].copy_from_slice(pair);
        }
        permute_batch(states);
        for (out, state) in out.iter_mut().zip(states) {
            *out = state[0];
        }
    }
}

/// The next layer of a binary Merkle tree: node `i` is [`compress`] of nodes `2i` and `2i + 1`.
///
/// # Panics
/// If `nodes` is not twice as long as `out`.
pub fn merkle_layer(nodes: &[Fr], out: &mut [Fr]) {
    let (pairs, odd) = nodes.as_chunks();
    assert!(odd.is_empty(), "{} nodes are no pairs", nodes.len());
    compress_batch(pairs, out);
}

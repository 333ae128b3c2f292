//! The challenges of many proofs side by side.
//!
//! Everything is absorbed as bare concatenation. With Hs(b) = Keccak-256(b) mod l:
//!
//! * concise: μ = Hs(Hs("concise grootle transcript") | message | ring | offsets | A | B), x = Hs(μ | X)
//! * plain: x = Hs(Hs("grootle transcript") | message | ring | offsets | A | B | X)

use alloc::vec::Vec;

use super::{Form, System};
use crate::field::scalar::Scalar;
use crate::hash::keccak256;
use crate::proofs::one_of_many::hash_to_scalars;

/// The bytes that are absorbed before X.
pub(super) fn opening(
    system: &System,
    message: &[u8; 32],
    points: [&[[u8; 32]]; 2],
    a: &[u8; 32],
    b: &[u8; 32],
) -> Vec<u8> {
    let name: &[u8] = match system.form() {
        Form::Concise => b"concise grootle transcript",
        Form::Plain => b"grootle transcript",
    };
    let seed = Scalar::from_bytes_mod_order(keccak256(name)).to_bytes();
    [&seed[..], message, points[0].as_flattened(), points[1].as_flattened(), a, b].concat()
}

/// μ of a concise proof, from the [`opening`].
#[cfg(any(test, feature = "rand_core"))]
pub(super) fn aggregation(opening: Vec<u8>) -> Scalar {
    hash_to_scalars(&[opening])[0]
}

/// x, from the [`opening`] of a plain proof or the μ of a concise one.
#[cfg(any(test, feature = "rand_core"))]
pub(super) fn challenge(before: &[u8], x: &[[u8; 32]]) -> Scalar {
    hash_to_scalars(&[[before, x.as_flattened()].concat()])[0]
}

/// What the challenges of a proof depend on: its form, its [`opening`], and X.
pub(super) type Committed<'a> = (Form, Vec<u8>, &'a [[u8; 32]]);

/// μ (1 for plain proofs, which have none) and x of each proof.
pub(super) fn challenges(proofs: Vec<Committed<'_>>) -> Vec<(Scalar, Scalar)> {
    let mut messages = Vec::with_capacity(proofs.len());
    for (form, mut opening, x) in proofs.iter().cloned() {
        if form == Form::Plain {
            opening.extend_from_slice(x.as_flattened());
        }
        messages.push(opening);
    }
    let first = hash_to_scalars(&messages);
    let concise = proofs.iter().zip(&first).filter(|((form, ..), _)| *form == Form::Concise);
    let messages: Vec<_> = concise.map(|((_, _, x), mu)| [mu.as_bytes(), x.as_flattened()].concat()).collect();
    let mut second = hash_to_scalars(&messages).into_iter();
    proofs
        .iter()
        .zip(first)
        .map(|((form, ..), first)| match form {
            Form::Concise => (first, second.next().expect("one for each concise proof")),
            Form::Plain => (Scalar::ONE, first),
        })
        .collect()
}

//! Scalars, and the inversion of field elements.

use std::hint::black_box;

use curve25519_dalek as dalek;
use curve25519_lanes::Scalar;
use curve25519_lanes::field::FieldElement;

use super::inputs::{DALEK, Inputs};
use super::work::{Spec, Work};
use super::{Session, Stop};

const GROUP: &str = "field";
/// Scalars inverted together.
const MANY: usize = 64;

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    let inputs = Inputs::new(MANY)?;
    let (a, b) = (inputs.scalars[0], inputs.scalars[1]);
    let (x, y) = (inputs.peer_scalars[0], inputs.peer_scalars[1]);
    session.case(&Spec::new(GROUP, "scalar product", 1, "product"), || {
        Ok(Work::on_any(move || black_box(&a) * black_box(&b), |k| k.to_bytes().to_vec()).peer(
            DALEK,
            move || black_box(&x) * black_box(&y),
            |k| k.to_bytes().to_vec(),
        ))
    })?;
    session.case(&Spec::new(GROUP, "scalar inversion", 1, "inversion"), || {
        Ok(Work::on_any(move || black_box(&a).invert(), |k| k.to_bytes().to_vec()).peer(
            DALEK,
            move || black_box(&x).invert(),
            |k| k.to_bytes().to_vec(),
        ))
    })?;
    session.case(&Spec::new(GROUP, "scalar inversion", MANY, "inversion"), || {
        let (ours, theirs) = (inputs.scalars.clone(), inputs.peer_scalars.clone());
        let invert = move || {
            let mut scalars = ours.clone();
            Scalar::batch_invert(&mut scalars);
            scalars
        };
        let peer = move || {
            let mut scalars = theirs.clone();
            dalek::Scalar::invert_batch_alloc(&mut scalars);
            scalars
        };
        Ok(Work::on_any(invert, |all| all.iter().flat_map(Scalar::to_bytes).collect())
            .peer(DALEK, peer, |all| all.iter().flat_map(dalek::Scalar::to_bytes).collect()))
    })?;
    let element = FieldElement::from_bytes(&inputs.encodings[3]);
    session.case(&Spec::new(GROUP, "field inversion", 1, "inversion"), || {
        Ok(Work::on_any(move || black_box(&element).invert(), |x| x.to_bytes().to_vec()))
    })
}

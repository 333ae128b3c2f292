//! Scalars and field elements.

use std::hint::black_box;

use curve25519_dalek as dalek;
use curve25519_lanes::field::FieldElement;
use curve25519_lanes::{Scalar, throughput};

use super::inputs::{DALEK, Inputs};
use super::work::{Spec, Work};
use super::{Session, Stop};

const GROUP: &str = "field";
/// Scalars inverted together.
const MANY: usize = 64;
/// Products in one call; of the kind that comes back to where it began.
const PRODUCTS: usize = 4096;
/// The second is what the first can't be faster than.
pub(super) const PRODUCT: [&str; 2] = ["field product", "multiply instructions of a field product"];

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    let inputs = Inputs::new(MANY)?;
    let backends = session.backends.clone();
    session.case(&Spec::new(GROUP, PRODUCT[0], PRODUCTS, "product"), || {
        let products = || throughput::field_products(black_box(PRODUCTS));
        Ok(Work::on(&backends, products, |x| x.map(|x| x.to_bytes()).concat()))
    })?;
    session.case(&Spec::new(GROUP, PRODUCT[1], PRODUCTS, "product"), || {
        Ok(Work::on(&backends, || throughput::multiplications(black_box(PRODUCTS)), |()| Vec::new()))
    })?;
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

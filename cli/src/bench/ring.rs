//! Ring signatures and whole transactions of Monero, Tari's Triptych.

use std::hint::black_box;

use curve25519_lanes::hash::Transcript;
use curve25519_lanes::proofs::bulletproofs_plus::monero::Generators;
use curve25519_lanes::proofs::clsag;
use curve25519_lanes::proofs::triptych::tari as triptych;
use curve25519_lanes::tx::monero;

use super::inputs::{REFERENCE, carried_over};
use super::work::{Spec, Work};
use super::{Session, Stop, reference};
use crate::made::{LABEL, Linked, Signed, Spent};

const GROUP: &str = "ring";

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    monero_cases(session)?;
    let backends = session.backends.clone();
    for m in session.sizes(&[8], &[2, 4, 6, 8, 10]) {
        for batch in session.sizes(&[16], &[1, 4, 16]) {
            let spec = Spec::new(GROUP, "Tari Triptych, verify", batch, "proof").with("ring", 1 << m);
            session.case(&spec, || {
                let made = Linked::many(m, batch)?;
                #[cfg(feature = "peers")]
                let peer = super::peers::triptych(&made, m)?;
                let work = move || {
                    let transcript = Transcript::new(LABEL);
                    let entries: Vec<_> = made.iter().map(|linked| linked.entry(&transcript)).collect();
                    triptych::verify_batch(black_box(&entries))
                };
                let work = Work::verification(&backends, work);
                #[cfg(feature = "peers")]
                let work = peer.join(work);
                Ok(work)
            })?;
        }
    }
    Ok(())
}

fn monero_cases(session: &mut Session) -> Result<(), Stop> {
    let backends = session.backends.clone();
    let generators = Generators::shared();
    for ring in session.sizes(&[16], &[11, 16, 64, 128]) {
        for batch in session.sizes(&[1, 64], &[1, 2, 4, 16, 64]) {
            let spec = Spec::new(GROUP, "CLSAG, verify", batch, "signature").with("ring", ring as u64);
            session.case(&spec, || {
                let made: Vec<Signed> =
                    (0..batch as u64).map(|seed| Signed::new(generators, ring, seed)).collect::<Result<_, _>>()?;
                #[cfg(feature = "peers")]
                let peer = super::peers::clsag(&made)?;
                let work = move || {
                    let items: Vec<_> = made.iter().map(Signed::statement).collect();
                    clsag::verify_batch(black_box(&items))
                };
                let work = Work::verification(&backends, work);
                #[cfg(feature = "peers")]
                let work = peer.join(work);
                Ok(work)
            })?;
        }
        for batch in [1, 25] {
            let spec = Spec::new(GROUP, "Monero transaction, verify", batch, "transaction")
                .with("inputs", 2)
                .with("outputs", 2)
                .with("ring", ring as u64);
            session.case(&spec, || {
                let made: Vec<Spent> =
                    (0..batch as u64).map(|seed| Spent::new(generators, 2, 2, ring, seed)).collect::<Result<_, _>>()?;
                let work = move || {
                    let items: Vec<_> = made.iter().map(Spent::statement).collect();
                    monero::verify_batch(generators, black_box(&items))
                };
                let work = Work::verification(&backends, work);
                let power = if ring.is_power_of_two() { u64::from(ring.ilog2()) } else { u64::MAX };
                Ok(match reference::us("CLSAG", [2, 2, 2, power, batch as u64]) {
                    Some(us) => work.reference(REFERENCE, carried_over(us * batch as f64)),
                    None => work,
                })
            })?;
        }
    }
    Ok(())
}

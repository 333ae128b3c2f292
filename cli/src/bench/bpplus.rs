//! Bulletproofs+: Monero's and Tari's, made and verified, alone and in batches, and what recovering masks costs.

use std::hint::black_box;

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::proofs::bulletproofs_plus::monero::Generators;
use curve25519_lanes::proofs::bulletproofs_plus::tari::VerifyAction;

use super::inputs::Numbers;
use super::work::{Spec, Work};
use super::{Session, Stop};
use crate::made::{Ranged, TariRanged, prove};

const GROUP: &str = "bpplus";

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    monero(session)?;
    tari(session)
}

fn monero(session: &mut Session) -> Result<(), Stop> {
    let backends: Vec<BackendId> = session.backends.clone();
    let generators = Generators::shared();
    for outputs in session.sizes(&[2, 16], &[1, 2, 4, 8, 16]) {
        let spec = Spec::new(GROUP, "Monero, prove", 1, "proof").with("outputs", outputs as u64);
        session.case(&spec, || {
            let made = Ranged::new(generators, outputs, 1)?;
            let work = move || generators.prove(black_box(&made.openings), &mut Numbers::new(0));
            Ok(Work::on(&backends, work, |proof| proof.as_ref().map(|proof| proof.to_bytes()).unwrap_or_default()))
        })?;
        for batch in session.sizes(&[1, 64], &[1, 2, 4, 8, 16, 32, 64, 128, 256]) {
            let spec = Spec::new(GROUP, "Monero, verify", batch, "proof").with("outputs", outputs as u64);
            session.case(&spec, || {
                let made: Vec<Ranged> =
                    (0..batch as u64).map(|seed| Ranged::new(generators, outputs, seed)).collect::<Result<_, _>>()?;
                #[cfg(feature = "peers")]
                let peer = super::peers::monero_bpplus(&made)?;
                let work = move || {
                    let items: Vec<_> = made.iter().map(Ranged::statement).collect();
                    generators.verify_batch(black_box(&items))
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

fn tari(session: &mut Session) -> Result<(), Stop> {
    let backends: Vec<BackendId> = session.backends.clone();
    for masks in session.sizes(&[1], &[1, 2, 3]) {
        for values in session.sizes(&[1, 16], &[1, 2, 4, 8, 16, 32]) {
            let spec =
                |op: &str| Spec::new(GROUP, op, 1, "proof").with("values", values as u64).with("masks", masks as u64);
            session.case(&spec("Tari, prove"), || {
                let made = TariRanged::new(values, masks, 1, false)?;
                #[cfg(feature = "peers")]
                let peer = super::peers::tari_prove(values, masks)?;
                let work = move || prove(black_box(&made.statements[0]), black_box(&made.witnesses[0]));
                let work = Work::on(&backends, work, |p| p.as_ref().map(|p| p.to_bytes()).unwrap_or_default());
                #[cfg(feature = "peers")]
                let work = peer.join(work);
                Ok(work)
            })?;
            session.case(&spec("Tari, verify"), || {
                let made = TariRanged::new(values, masks, 1, false)?;
                #[cfg(feature = "peers")]
                let peer = super::peers::tari_verify(&made, values, masks, VerifyAction::VerifyOnly, true)?;
                let work = move || made.verify(0..1, VerifyAction::VerifyOnly);
                let work = Work::verification(&backends, work);
                #[cfg(feature = "peers")]
                let work = peer.join(work);
                Ok(work)
            })?;
        }
        for batch in session.sizes(&[64], &[1, 2, 4, 8, 16, 32, 64, 128, 256]) {
            for (op, action) in [
                ("Tari, verify many", VerifyAction::VerifyOnly),
                ("Tari, verify and recover", VerifyAction::RecoverAndVerify),
                ("Tari, recover", VerifyAction::RecoverOnly),
            ] {
                let spec = Spec::new(GROUP, op, batch, "proof").with("values", 1).with("masks", masks as u64);
                session.case(&spec, || {
                    let made = TariRanged::new(1, masks, batch, true)?;
                    #[cfg(feature = "peers")]
                    let peer = super::peers::tari_verify(&made, 1, masks, action, false)?;
                    let work = move || made.verify(0..batch, action);
                    let work = Work::on(&backends, work, |found| {
                        let found = found.iter().flatten().flatten();
                        let masks = found.flat_map(|mask| mask.blindings().iter().flat_map(|m| m.to_bytes()));
                        [1].into_iter().chain(masks).collect()
                    });
                    #[cfg(feature = "peers")]
                    let work = peer.join(work);
                    Ok(work)
                })?;
            }
        }
    }
    Ok(())
}

//! Sums of scalars times points.

use std::cell::LazyCell;
use std::hint::black_box;

use curve25519_dalek as dalek;
use curve25519_lanes::EdwardsPoint;
use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::msm::{self, LengthError, StaticPoints};
use dalek::traits::{MultiscalarMul, VartimeMultiscalarMul, VartimePrecomputedMultiscalarMul};

use super::inputs::{DALEK, Inputs, our_bytes, peer_bytes};
use super::work::{Spec, Work};
use super::{Session, Stop};
use crate::output::Unusable;

const GROUP: &str = "msm";

/// 190 is where the peer changes its algorithm.
const VARTIME: [usize; 22] =
    [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 189, 190, 256, 384, 512, 768, 1024, 4096, 16_384, 65_536, 262_144];
const QUICK: [usize; 11] = [1, 4, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384];

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    let backends = session.backends.clone();
    let sizes = session.sizes(&QUICK, &VARTIME);
    let most = sizes.iter().copied().max().unwrap_or(1);
    let inputs = LazyCell::new(|| Inputs::new(most).unwrap_or_else(|_| unreachable!("multiples of the base point")));
    for n in sizes {
        session.case(&Spec::new(GROUP, "any points", n, "point"), || {
            let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
            let (peer_scalars, peer_points) = (&inputs.peer_scalars[..n], &inputs.peer_points[..n]);
            Ok(Work::on(&backends, move || msm::vartime(black_box(scalars), black_box(points)), bytes).peer(
                DALEK,
                move || dalek::EdwardsPoint::vartime_multiscalar_mul(black_box(peer_scalars), black_box(peer_points)),
                |p| peer_bytes(&[*p]),
            ))
        })?;
    }
    for n in session.sizes(&[64, 1024], &[1, 4, 16, 64, 128, 256, 1024, 4096]) {
        session.case(&Spec::new(GROUP, "static points", n, "point"), || {
            let (scalars, peer_scalars) = (&inputs.scalars[..n], &inputs.peer_scalars[..n]);
            // Tables belong to the backend that made them.
            let mut tables: Vec<(BackendId, StaticPoints)> = Vec::new();
            for &id in &backends {
                curve25519_lanes::cpu::force(Some(id)).map_err(|error| Unusable::new(error.to_string()))?;
                tables.push((id, StaticPoints::new(&inputs.points[..n])));
            }
            let ours = move || {
                let current = BackendId::current();
                let table = tables.iter().find(|(id, _)| *id == current);
                table.map(|(_, table)| table.mixed_vartime(black_box(scalars), &[], &[])).transpose()
            };
            let precomputed = dalek::edwards::VartimeEdwardsPrecomputation::new(&inputs.peer_points[..n]);
            let peer_points = &inputs.peer_points[..n];
            let work = Work::on(&backends, ours, |p| match p {
                Ok(Some(p)) => our_bytes(&[*p]),
                _ => Vec::new(),
            });
            Ok(work
                .peer(
                    "curve25519-dalek, static",
                    move || precomputed.vartime_multiscalar_mul(black_box(peer_scalars)),
                    |p| peer_bytes(&[*p]),
                )
                .peer(
                    DALEK,
                    move || dalek::EdwardsPoint::vartime_multiscalar_mul(black_box(peer_scalars), peer_points),
                    |p| peer_bytes(&[*p]),
                ))
        })?;
    }
    for n in session.sizes(&[16, 256], &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]) {
        session.case(&Spec::new(GROUP, "secret scalars", n, "point"), || {
            let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
            let (peer_scalars, peer_points) = (&inputs.peer_scalars[..n], &inputs.peer_points[..n]);
            Ok(Work::on(&backends, move || msm::constant_time(black_box(scalars), black_box(points)), bytes).peer(
                DALEK,
                move || dalek::EdwardsPoint::multiscalar_mul(black_box(peer_scalars), black_box(peer_points)),
                |p| peer_bytes(&[*p]),
            ))
        })?;
    }
    Ok(())
}

fn bytes(sum: &Result<EdwardsPoint, LengthError>) -> Vec<u8> {
    sum.as_ref().map(|p| our_bytes(&[*p])).unwrap_or_default()
}

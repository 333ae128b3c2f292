//! Points: encodings, products with one scalar, X25519.

use std::hint::black_box;

use curve25519_dalek as dalek;
use curve25519_lanes::{
    EdwardsPoint, RistrettoPoint, Scalar, compress_batch, compress_batch_ristretto, decompress_batch_ristretto,
    decompress_batch_strict, monero_hash_to_point_batch, msm, x25519, x25519_batch,
};

use super::inputs::{DALEK, Inputs, X25519_DALEK, our_bytes, peer_bytes};
use super::work::{Spec, Work};
use super::{Session, Stop};

const GROUP: &str = "group";
const MOST: usize = 64;

pub(super) fn cases(session: &mut Session) -> Result<(), Stop> {
    let inputs = Inputs::new(MOST)?;
    let backends = session.backends.clone();
    let sizes = session.sizes(&[8, 64], &[2, 4, 5, 8, 9, 16, 17, 24, 32, 48, 64]);
    encodings(session, &inputs, &sizes)?;
    ristretto(session, &inputs, &sizes)?;
    products(session, &inputs, &sizes)?;
    ladders(session, &inputs, &sizes)?;
    session.case(&Spec::new(GROUP, "Monero's hash to point", MOST, "point"), || {
        Ok(Work::on(&backends, || monero_hash_to_point_batch(black_box(&inputs.encodings)), |p| our_bytes(p)))
    })
}

fn encodings(session: &mut Session, inputs: &Inputs, sizes: &[usize]) -> Result<(), Stop> {
    let backends = session.backends.clone();
    let peer: Vec<_> = inputs.encodings.iter().map(|e| dalek::edwards::CompressedEdwardsY(*e)).collect();
    for n in [&[1], sizes].concat() {
        session.case(&Spec::new(GROUP, "decompress", n, "point"), || {
            let (ours, theirs) = (&inputs.encodings[..n], &peer[..n]);
            let decode = move || theirs.iter().filter_map(|e| black_box(e).decompress()).collect::<Vec<_>>();
            Ok(Work::on(
                &backends,
                move || decompress_batch_strict(black_box(ours)),
                |p| p.as_ref().map(|p| our_bytes(p)).unwrap_or_default(),
            )
            .peer(DALEK, decode, |p| peer_bytes(p)))
        })?;
    }
    // A caller encodes what he computed: Z is anything.
    let doubled: Vec<EdwardsPoint> = inputs.points.iter().map(EdwardsPoint::double).collect();
    let peer: Vec<dalek::EdwardsPoint> = inputs.peer_points.iter().map(|p| p + p).collect();
    for &n in sizes {
        session.case(&Spec::new(GROUP, "compress", n, "point"), || {
            let (ours, theirs) = (&doubled[..n], &peer[..n]);
            Ok(Work::on(&backends, move || compress_batch(black_box(ours)), |e| e.concat()).peer(
                DALEK,
                move || dalek::EdwardsPoint::compress_batch_alloc(black_box(theirs)),
                |e| e.iter().flat_map(|e| e.0).collect(),
            ))
        })?;
    }
    Ok(())
}

fn ristretto(session: &mut Session, inputs: &Inputs, sizes: &[usize]) -> Result<(), Stop> {
    let backends = session.backends.clone();
    let points: Vec<RistrettoPoint> = inputs.scalars.iter().map(RistrettoPoint::mul_base).collect();
    let peer: Vec<dalek::RistrettoPoint> = inputs.peer_scalars.iter().map(dalek::RistrettoPoint::mul_base).collect();
    let compressed: Vec<_> = peer.iter().map(|p| p.compress()).collect();
    let encodings: Vec<[u8; 32]> = compressed.iter().map(|c| c.0).collect();
    let all = |p: &[dalek::RistrettoPoint]| -> Vec<u8> { p.iter().flat_map(|p| p.compress().0).collect() };
    for &n in sizes {
        session.case(&Spec::new(GROUP, "decompress Ristretto", n, "point"), || {
            let (ours, theirs) = (&encodings[..n], &compressed[..n]);
            let decode = move || theirs.iter().filter_map(|e| black_box(e).decompress()).collect::<Vec<_>>();
            Ok(Work::on(
                &backends,
                move || decompress_batch_ristretto(black_box(ours)),
                |p| p.as_ref().map(|p| compress_batch_ristretto(p).concat()).unwrap_or_default(),
            )
            .peer(DALEK, decode, move |p| all(p)))
        })?;
        session.case(&Spec::new(GROUP, "compress Ristretto", n, "point"), || {
            let (ours, theirs) = (&points[..n], &peer[..n]);
            let encode = move || theirs.iter().map(|p| black_box(p).compress().0).collect::<Vec<_>>();
            Ok(Work::on(&backends, move || compress_batch_ristretto(black_box(ours)), |e| e.concat()).peer(
                DALEK,
                encode,
                |e| e.concat(),
            ))
        })?;
    }
    Ok(())
}

fn products(session: &mut Session, inputs: &Inputs, sizes: &[usize]) -> Result<(), Stop> {
    let backends = session.backends.clone();
    let (k, p) = (inputs.scalars[0], inputs.points[0]);
    let (peer_k, peer_p) = (inputs.peer_scalars[0], inputs.peer_points[0]);
    session.case(&Spec::new(GROUP, "variable base", 1, "product"), || {
        Ok(Work::on(&backends, move || black_box(&k) * black_box(&p), |p| our_bytes(&[*p])).peer(
            DALEK,
            move || black_box(&peer_k) * black_box(&peer_p),
            |p| peer_bytes(&[*p]),
        ))
    })?;
    for &n in sizes {
        session.case(&Spec::new(GROUP, "variable base", n, "product"), || {
            let (scalars, points) = (&inputs.scalars[..n], &inputs.points[..n]);
            let peer = inputs.peer_scalars[..n].iter().zip(&inputs.peer_points);
            Ok(Work::on(
                &backends,
                move || msm::mul_batch(black_box(scalars), black_box(points)),
                |p| p.as_ref().map(|p| our_bytes(p)).unwrap_or_default(),
            )
            .peer(
                DALEK,
                move || peer.clone().map(|(k, p)| black_box(k) * black_box(p)).collect::<Vec<_>>(),
                |p| peer_bytes(p),
            ))
        })?;
    }
    session.case(&Spec::new(GROUP, "fixed base", 1, "product"), || {
        Ok(Work::on(&backends, move || EdwardsPoint::mul_base(black_box(&k)), |p| our_bytes(&[*p])).peer(
            DALEK,
            move || dalek::EdwardsPoint::mul_base(black_box(&peer_k)),
            |p| peer_bytes(&[*p]),
        ))
    })?;
    for &n in sizes {
        session.case(&Spec::new(GROUP, "fixed base", n, "product"), || {
            let (scalars, peer) = (&inputs.scalars[..n], &inputs.peer_scalars[..n]);
            Ok(Work::on(&backends, move || msm::mul_base_batch(black_box(scalars)), |p| our_bytes(p)).peer(
                DALEK,
                move || peer.iter().map(|k| dalek::EdwardsPoint::mul_base(black_box(k))).collect::<Vec<_>>(),
                |p| peer_bytes(p),
            ))
        })?;
    }
    Ok(())
}

fn ladders(session: &mut Session, inputs: &Inputs, sizes: &[usize]) -> Result<(), Stop> {
    let backends = session.backends.clone();
    let secrets: Vec<[u8; 32]> = inputs.scalars.iter().map(Scalar::to_bytes).collect();
    // Coordinates of points of the curve, not of its twist: implementations that refuse some agree on those.
    let publics: Vec<[u8; 32]> = inputs.points.iter().map(|p| p.to_montgomery().0).collect();
    for n in [&[1], sizes].concat() {
        session.case(&Spec::new(GROUP, "X25519", n, "exchange"), || {
            let (secrets, publics) = (&secrets[..n], &publics[..n]);
            let ours = move || match (secrets, publics) {
                ([secret], [public]) => vec![x25519(black_box(secret), black_box(public))],
                _ => x25519_batch(black_box(secrets), black_box(publics)),
            };
            let pairs = secrets.iter().zip(publics);
            let peer = move || {
                pairs.clone().map(|(k, u)| x25519_dalek::x25519(*black_box(k), *black_box(u))).collect::<Vec<_>>()
            };
            let work = Work::on(&backends, ours, |all| all.concat()).peer(X25519_DALEK, peer, |all| all.concat());
            #[cfg(feature = "peers")]
            let work = super::peers::x25519(work, secrets, publics)?;
            Ok(work)
        })?;
    }
    Ok(())
}

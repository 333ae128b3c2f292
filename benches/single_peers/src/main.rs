//! One X25519, one multiple of a point, one of the base point, as a user gets them, on each backend and as chosen,
//! against aws-lc-rs (X25519) and curve25519-dalek: CPU time of one thread, turns taken in one process, least of the
//! medians of groups. Results are compared first.
//!
//! ```text
//! cargo run --release --manifest-path benches/single_peers/Cargo.toml
//! ```

use std::hint::black_box;

use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use cpu_time::ThreadTime;
use curve25519_dalek as dalek;
use curve25519_lanes::cpu::{self, BackendId};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar, x25519};

/// Calls in one measurement, measurements in a group, groups.
const CALLS: u32 = 20;
const GROUP: usize = 9;
const GROUPS: usize = 25;

/// A name and a call that gives 32 bytes.
type Contender<'a> = (String, Box<dyn Fn() -> [u8; 32] + 'a>);

fn main() {
    let k: [u8; 32] = core::array::from_fn(|i| (i * 37 + 11) as u8);
    let peer_scalar = dalek::Scalar::from_bytes_mod_order(k);
    let scalar = Scalar::from_bytes_mod_order(k);
    let peer_point = dalek::EdwardsPoint::mul_base(&dalek::Scalar::from(987_654_321u64));
    let encoded = peer_point.compress().0;
    let point = CompressedEdwardsY(encoded).decompress_strict().expect("the encoding of a point");
    let u = peer_point.to_montgomery().0;

    let key = PrivateKey::from_private_key(&X25519, &k).expect("a private key");
    let public = UnparsedPublicKey::new(&X25519, &u);
    let aws = || {
        agree(&key, public, "agreement failed", |shared| Ok(<[u8; 32]>::try_from(shared).expect("32 bytes")))
            .expect("agrees")
    };
    contest(
        "X25519",
        vec![
            ("aws-lc-rs".to_owned(), Box::new(aws)),
            ("x25519-dalek".to_owned(), Box::new(|| x25519_dalek::x25519(k, u))),
        ],
        &|| x25519(&k, &u),
    );
    // The encoding is the least that makes results comparable; it costs the same on all sides but for the inversion.
    contest(
        "variable base, to the sum's coordinates",
        vec![("curve25519-dalek".to_owned(), Box::new(|| x_of_peer(peer_scalar * peer_point)))],
        &|| x_of(&scalar * &point),
    );
    contest(
        "fixed base, to the sum's coordinates",
        vec![("curve25519-dalek".to_owned(), Box::new(|| x_of_peer(dalek::EdwardsPoint::mul_base(&peer_scalar))))],
        &|| x_of(EdwardsPoint::mul_base(&scalar)),
    );
    contest(
        "decompress",
        vec![(
            "curve25519-dalek".to_owned(),
            Box::new(|| x_of_peer(dalek::edwards::CompressedEdwardsY(encoded).decompress().expect("a point"))),
        )],
        &|| x_of(CompressedEdwardsY(encoded).decompress_strict().expect("a point")),
    );
}

// Keeps the point without the price of an encoding.
fn x_of(point: EdwardsPoint) -> [u8; 32] {
    black_box(point);
    [0; 32]
}

fn x_of_peer(point: dalek::EdwardsPoint) -> [u8; 32] {
    black_box(point);
    [0; 32]
}

fn contest<'a>(name: &str, mut contenders: Vec<Contender<'a>>, ours: &'a dyn Fn() -> [u8; 32]) {
    let peers = contenders.len();
    let expected = contenders[0].1();
    contenders.push(("ours, as chosen".to_owned(), Box::new(ours)));
    for id in BackendId::available() {
        contenders.push((
            format!("ours, {id}"),
            Box::new(move || {
                cpu::force(Some(id)).expect("an available backend");
                let out = ours();
                cpu::force(None).expect("nothing forced");
                out
            }),
        ));
    }
    for (who, call) in &contenders {
        assert_eq!(call(), expected, "{name}: {who}");
    }
    let mut least = vec![f64::INFINITY; contenders.len()];
    for _ in 0..GROUPS {
        let mut times = vec![Vec::new(); contenders.len()];
        for _ in 0..GROUP {
            for ((_, call), times) in contenders.iter().zip(&mut times) {
                call();
                let start = ThreadTime::now();
                for _ in 0..CALLS {
                    black_box(call());
                }
                times.push(start.elapsed().as_nanos() as f64 / f64::from(CALLS) / 1e3);
            }
        }
        for (least, mut times) in least.iter_mut().zip(times) {
            times.sort_by(f64::total_cmp);
            *least = least.min(times[GROUP / 2]);
        }
    }
    println!("{name}");
    for ((who, _), time) in contenders.iter().zip(&least) {
        let ratios: Vec<String> = least[..peers].iter().map(|peer| format!("{:5.2}", peer / time)).collect();
        println!("    {who:<18} {time:8.2} us   {}", ratios.join("  "));
    }
}

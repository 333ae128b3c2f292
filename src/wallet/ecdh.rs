//! Shared secrets on the Montgomery curve: X25519, and the form without clamping that successors of today's addresses use.
//!
//! The ladder takes about 256 steps a pair. Where many secrets meet one `u`, and `u` belongs to a point `P` of the curve
//! (not of its twist), multiples of `P` by tables give the same bytes for a quarter of the time: `k·P = (k/8)·(8P)`, which
//! holds for every `P` if 8 divides `k`, as clamping makes it, and for every `k` if `P` has no small-order part.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::field::scalar::Scalar;
use crate::group::{EdwardsPoint, MontgomeryPoint, clamp, mul_bits_batch, to_montgomery_batch, x25519_batch};
use crate::msm;

/// From so many secrets on, tables are made for each `u`.
const TABLES_PAY: usize = 8;

/// `X25519(secrets[s], us[p])` (RFC 7748: clamped) at `p·secrets.len() + s`. Constant-time in the secrets.
///
/// ```
/// use curve25519_lanes::{wallet::ecdh::x25519_grid, x25519};
/// let (secrets, u) = ([[7; 32]; 9], [9; 32]);
/// assert_eq!(x25519_grid(&secrets, &[u]), [x25519(&[7; 32], &u); 9]);
/// ```
pub fn x25519_grid(secrets: &[[u8; 32]], us: &[[u8; 32]]) -> Vec<[u8; 32]> {
    let mut clamped: Vec<[u8; 32]> = secrets.iter().map(|k| clamp(*k)).collect();
    let out = grid(&clamped, us, |_| true, x25519_batch);
    clamped.iter_mut().for_each(|k| k.zeroize());
    out
}

/// `secrets[s]·us[p]` for the integers `secrets` as they are, at `p·secrets.len() + s`; the neutral element is 0.
/// Constant-time in the secrets.
///
/// ```
/// use curve25519_lanes::{MontgomeryPoint, wallet::ecdh::unclamped_grid};
/// let u = MontgomeryPoint([9; 32]);
/// assert_eq!(unclamped_grid(&[[5; 32]; 9], &[u.0]), [u.mul_bits(&[5; 32]).0; 9]);
/// ```
pub fn unclamped_grid(secrets: &[[u8; 32]], us: &[[u8; 32]]) -> Vec<[u8; 32]> {
    let ladder = |ks: &[[u8; 32]], us: &[[u8; 32]]| {
        let us: Vec<MontgomeryPoint> = us.iter().map(|u| MontgomeryPoint(*u)).collect();
        let mut products = mul_bits_batch(ks, &us);
        let shared = products.iter().map(|u| u.0).collect();
        products.iter_mut().for_each(|u| u.0.zeroize());
        shared
    };
    grid(secrets, us, |p| p.is_torsion_free().into(), ladder)
}

/// `by_table` says of a point whether tables give the bytes of the ladder.
fn grid(
    secrets: &[[u8; 32]],
    us: &[[u8; 32]],
    by_table: impl Fn(&EdwardsPoint) -> bool,
    ladder: impl Fn(&[[u8; 32]], &[[u8; 32]]) -> Vec<[u8; 32]>,
) -> Vec<[u8; 32]> {
    let width = secrets.len();
    let mut out = vec![[0; 32]; width * us.len()];
    let (mut places, mut points, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (p, u) in us.iter().enumerate() {
        match MontgomeryPoint(*u).to_edwards(0).filter(|point| width >= TABLES_PAY && by_table(point)) {
            Some(point) => {
                places.push(p);
                points.push(point);
            }
            None => rest.push(p),
        }
    }
    let mut eighths: Vec<Scalar> =
        secrets.iter().map(|k| Scalar::from_integer_unreduced(*k) * Scalar::INV_EIGHT).collect();
    let mut products = msm::mul_by_cofactor_grid(&eighths, &points);
    let mut shared = to_montgomery_batch(&products);
    for (p, us) in places.iter().zip(shared.chunks(width.max(1))) {
        out[p * width..][..width].iter_mut().zip(us).for_each(|(out, u)| *out = u.0);
    }
    shared.iter_mut().for_each(|u| u.0.zeroize());
    products.zeroize();
    eighths.iter_mut().for_each(|k| k.zeroize());
    if !rest.is_empty() {
        let mut ks: Vec<[u8; 32]> = Vec::with_capacity(rest.len() * width);
        rest.iter().for_each(|_| ks.extend_from_slice(secrets));
        let us: Vec<[u8; 32]> = rest.iter().flat_map(|p| vec![us[*p]; width]).collect();
        let mut shared = ladder(&ks, &us);
        for (p, shared) in rest.iter().zip(shared.chunks(width.max(1))) {
            out[p * width..][..width].copy_from_slice(shared);
        }
        shared.iter_mut().chain(&mut ks).for_each(|bytes| bytes.zeroize());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{monero_map, x25519};
    use crate::test_util::Random;

    #[test]
    fn tables_and_ladder_agree() {
        let mut random = Random::new(8);
        let mut us = vec![[0; 32], [1; 32]];
        us[1] = [0; 32];
        us[1][0] = 1;
        // u = -1, and p - 1 + 2^255, p, p + 1; a point with a small-order part; points and points of the twist.
        us.push(core::array::from_fn(|i| [0xec, 0xff, 0x7f][usize::from(i > 0) + usize::from(i == 31)]));
        for (low, high) in [(0xec, 0xff), (0xed, 0x7f), (0xee, 0x7f)] {
            let mut u = [0xff; 32];
            (u[0], u[31]) = (low, high);
            us.push(u);
        }
        us.push(monero_map(&random.bytes()).to_montgomery().0);
        us.push(EdwardsPoint::BASEPOINT.to_montgomery().0);
        us.extend((0..10).map(|_| random.bytes()));
        for width in [0, 1, 7, 8, 9, 17] {
            let mut secrets: Vec<[u8; 32]> = (0..width).map(|_| random.bytes()).collect();
            if let Some(first) = secrets.first_mut() {
                *first = [0; 32];
            }
            let clamped = x25519_grid(&secrets, &us);
            let unclamped = unclamped_grid(&secrets, &us);
            assert_eq!((clamped.len(), unclamped.len()), (us.len() * width, us.len() * width));
            for (p, u) in us.iter().enumerate() {
                for (s, k) in secrets.iter().enumerate() {
                    assert_eq!(clamped[p * width + s], x25519(k, u), "{p} {s} of {width}");
                    assert_eq!(unclamped[p * width + s], MontgomeryPoint(*u).mul_bits(k).0, "{p} {s} of {width}");
                }
            }
        }
    }
}

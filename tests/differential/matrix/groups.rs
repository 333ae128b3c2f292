//! Encodings, maps and inversions.

use curve25519_dalek as dalek;
use curve25519_lanes::field::FieldElement;
use curve25519_lanes::{
    DecodeError, MontgomeryPoint, RistrettoPoint, Scalar, compress_batch, compress_batch_ristretto,
    compress_batch_secret, decompress_batch_dalek, decompress_batch_ristretto, decompress_batch_strict,
    double_and_compress_batch_ristretto, monero_hash_to_point, monero_hash_to_point_batch, mul_bits_batch,
    to_montgomery_batch, try_decompress_batch_dalek, try_decompress_batch_ristretto, try_decompress_batch_strict,
    x25519_batch,
};

use super::super::common::Random;
use super::super::inputs::edges;
use super::{Matrix, POOL, Pool};

/// Around the sizes of parts and blocks.
const LARGE: &[usize] = &[127, 128, 129, 256, 257, 511, 512, 513, 1025];

type Encodings = Vec<Option<[u8; 32]>>;

/// Encodings: points, edges of the field (non-canonical ones and signs of zero among them), turned bits, noise.
fn encodings(pool: &Pool, of: impl Fn(&dalek::EdwardsPoint) -> [u8; 32]) -> Vec<[u8; 32]> {
    let (mut random, mut edges) = (Random(5), edges().into_iter());
    let mut out: Vec<[u8; 32]> = pool.theirs.iter().map(of).collect();
    for (i, encoding) in out.iter_mut().enumerate() {
        match i % 4 {
            0 => *encoding = edges.next().unwrap_or(*encoding),
            1 => encoding[random.below(32)] ^= 1 << random.below(8),
            _ => {}
        }
    }
    out
}

/// What `all_or_first` and `each` of some decoding say, against what the oracle says of each encoding.
fn decoding<P: Copy, E>(
    matrix: &mut Matrix,
    names: [&'static str; 2],
    (input, expected): (&[[u8; 32]], &Encodings),
    each: impl Fn(&[[u8; 32]]) -> Vec<Option<P>>,
    all: impl Fn(&[[u8; 32]]) -> Result<Vec<P>, E>,
    index: fn(&E) -> usize,
    compress: fn(&[P]) -> Vec<[u8; 32]>,
) {
    matrix.each(names[0], LARGE, expected, |window| {
        let points = each(&input[window]);
        let mut there = compress(&points.iter().flatten().copied().collect::<Vec<_>>()).into_iter();
        points.iter().map(|p| p.and_then(|_| there.next())).collect()
    });
    // The windows as they are, which have bad encodings, and what is good in them.
    let wanted = |window: &[Option<[u8; 32]>]| {
        (window.iter().position(Option::is_none), window.iter().flatten().copied().collect::<Vec<_>>())
    };
    matrix.check(
        names[1],
        LARGE,
        |window| wanted(&expected[window]),
        |window| {
            let bad = all(&input[window.clone()]).err().map(|error| index(&error));
            let good: Vec<[u8; 32]> = std::iter::zip(&input[window.clone()], &expected[window])
                .filter_map(|(encoding, point)| point.map(|_| *encoding))
                .collect();
            (bad, compress(&all(&good).ok().expect("all are good")))
        },
    );
}

pub(super) fn run(matrix: &mut Matrix, pool: &Pool) {
    let input = encodings(pool, |p| p.compress().0);
    let permissive: Encodings =
        (input.iter()).map(|e| dalek::edwards::CompressedEdwardsY(*e).decompress().map(|p| p.compress().0)).collect();
    let strict: Encodings = permissive.iter().zip(&input).map(|(p, e)| p.filter(|again| again == e)).collect();
    let names = ["group/codec.rs try_decompress_batch_dalek", "group/codec.rs decompress_batch_dalek"];
    decoding(
        matrix,
        names,
        (&input, &permissive),
        try_decompress_batch_dalek,
        decompress_batch_dalek,
        DecodeError::index,
        compress_batch,
    );
    let names = ["group/codec.rs try_decompress_batch_strict", "group/codec.rs decompress_batch_strict"];
    decoding(
        matrix,
        names,
        (&input, &strict),
        try_decompress_batch_strict,
        decompress_batch_strict,
        DecodeError::index,
        compress_batch,
    );

    let elements: Vec<dalek::RistrettoPoint> = (0..POOL)
        .map(|i| {
            let mut wide = [0; 64];
            wide[..32].copy_from_slice(&pool.integers[i]);
            wide[32..].copy_from_slice(&input[i]);
            dalek::RistrettoPoint::from_uniform_bytes(&wide)
        })
        .collect();
    let mut ristretto_input = encodings(pool, |p| p.compress().0);
    for (i, encoding) in ristretto_input.iter_mut().enumerate().filter(|(i, _)| i % 4 > 1) {
        *encoding = elements[i].compress().0;
    }
    let ristretto: Encodings = (ristretto_input.iter())
        .map(|e| dalek::ristretto::CompressedRistretto(*e).decompress().map(|p| p.compress().0))
        .collect();
    let names = ["group/ristretto.rs try_decompress_batch_ristretto", "group/ristretto.rs decompress_batch_ristretto"];
    let each = try_decompress_batch_ristretto;
    decoding(
        matrix,
        names,
        (&ristretto_input, &ristretto),
        each,
        decompress_batch_ristretto,
        DecodeError::index,
        compress_batch_ristretto,
    );

    let expected: Vec<[u8; 32]> = pool.theirs.iter().map(|p| p.compress().0).collect();
    matrix.each("group/codec.rs compress_batch", LARGE, &expected, |w| compress_batch(&pool.points[w]));
    matrix.each("group/codec.rs compress_batch_secret", LARGE, &expected, |w| compress_batch_secret(&pool.points[w]));

    // Any representative of an element has its encoding: with torsion of order 4, and with another Z.
    let four = dalek::constants::EIGHT_TORSION[2].compress().0;
    let four = curve25519_lanes::CompressedEdwardsY(four).decompress_strict().expect("a point");
    let ours: Vec<RistrettoPoint> = (elements.iter().enumerate())
        .map(|(i, p)| {
            let p = curve25519_lanes::CompressedRistretto(p.compress().0).decompress().expect("an element");
            let shifted = (0..i % 4).fold(*p.as_edwards(), |p, _| p + four);
            RistrettoPoint::from_edwards_unchecked(if i % 5 == 0 { shifted + -shifted } else { shifted })
        })
        .collect();
    let elements: Vec<dalek::RistrettoPoint> = elements
        .iter()
        .enumerate()
        .map(|(i, p)| if i % 5 == 0 { dalek::RistrettoPoint::default() } else { *p })
        .collect();
    let expected: Vec<[u8; 32]> = elements.iter().map(|p| p.compress().0).collect();
    let name = "group/ristretto.rs compress_batch_ristretto";
    matrix.each(name, LARGE, &expected, |w| compress_batch_ristretto(&ours[w]));
    let expected: Vec<[u8; 32]> = elements.iter().map(|p| (p + p).compress().0).collect();
    let name = "group/ristretto_double.rs double_and_compress_batch_ristretto";
    matrix.each(name, LARGE, &expected, |w| double_and_compress_batch_ristretto(&ours[w]));

    let uniform: Vec<[u8; 64]> = (0..POOL)
        .map(|i| {
            let mut wide = [0; 64];
            wide[..32].copy_from_slice(&input[i]);
            wide[32..].copy_from_slice(&pool.integers[POOL - 1 - i]);
            wide
        })
        .collect();
    let expected: Vec<[u8; 32]> =
        uniform.iter().map(|b| dalek::RistrettoPoint::from_uniform_bytes(b).compress().0).collect();
    matrix.each("group/elligator.rs from_uniform_bytes_batch", LARGE, &expected, |w| {
        compress_batch_ristretto(&RistrettoPoint::from_uniform_bytes_batch(&uniform[w]))
    });

    // The peer hashes first, so edges of the map itself are compared with the single form, which the vectors check.
    let hashes: Vec<[u8; 32]> =
        (0..POOL).map(|i| if i % 2 == 0 { curve25519_lanes::hash::keccak256(&input[i]) } else { input[i] }).collect();
    let expected: Vec<[u8; 32]> = (0..POOL)
        .map(|i| match i % 2 {
            0 => monero_ed25519::Point::biased_hash(input[i]).compress().to_bytes(),
            _ => monero_hash_to_point(&hashes[i]).compress().0,
        })
        .collect();
    matrix.each("group/hash_to_point.rs monero_hash_to_point_batch", LARGE, &expected, |w| {
        compress_batch(&monero_hash_to_point_batch(&hashes[w]))
    });

    let expected: Vec<[u8; 32]> = pool.theirs.iter().map(|p| p.to_montgomery().0).collect();
    matrix.each("group/montgomery.rs to_montgomery_batch", LARGE, &expected, |w| {
        to_montgomery_batch(&pool.points[w]).iter().map(|u| u.0).collect()
    });
    // Coordinates of points, of points of the twist, of small order, and unreduced ones.
    let us: Vec<MontgomeryPoint> = (0..POOL)
        .map(|i| MontgomeryPoint(if i % 2 == 0 { input[i] } else { pool.theirs[i].to_montgomery().0 }))
        .collect();
    let bits = |k: &[u8; 32]| {
        let k = *k;
        (0..256).rev().map(move |i| k[i / 8] >> (i % 8) & 1 == 1)
    };
    let expected: Vec<[u8; 32]> =
        pool.integers.iter().zip(&us).map(|(k, u)| dalek::MontgomeryPoint(u.0).mul_bits_be(bits(k)).0).collect();
    matrix.each("group/montgomery.rs mul_bits_batch", &[129], &expected, |w| {
        mul_bits_batch(&pool.integers[w.clone()], &us[w]).iter().map(|u| u.0).collect()
    });
    let us: Vec<[u8; 32]> = us.iter().map(|u| u.0).collect();
    let expected: Vec<[u8; 32]> = pool.integers.iter().zip(&us).map(|(k, u)| x25519_dalek::x25519(*k, *u)).collect();
    matrix.each("group/montgomery.rs x25519_batch", &[129], &expected, |w| {
        x25519_batch(&pool.integers[w.clone()], &us[w])
    });

    let inverse = |k: &[u8; 32]| {
        let k = dalek::Scalar::from_bytes_mod_order(*k);
        if k == dalek::Scalar::ZERO { k.to_bytes() } else { k.invert().to_bytes() }
    };
    let expected: Vec<[u8; 32]> = pool.integers.iter().map(inverse).collect();
    matrix.each("field/scalar/mod.rs batch_invert", LARGE, &expected, |w| {
        let mut scalars = pool.scalars[w].to_vec();
        Scalar::batch_invert(&mut scalars);
        scalars.iter().map(Scalar::to_bytes).collect()
    });
    // An inverse times its number is one, and that of zero is zero; products have oracles of their own.
    let elements: Vec<FieldElement> = input.iter().map(FieldElement::from_bytes).collect();
    let expected: Vec<[u8; 32]> = (elements.iter())
        .map(|x| if x.is_zero().into() { FieldElement::ZERO } else { FieldElement::ONE }.to_bytes())
        .collect();
    matrix.each("field/mod.rs batch_invert", LARGE, &expected, |w| {
        let mut inverses = elements[w.clone()].to_vec();
        FieldElement::batch_invert(&mut inverses);
        let product = |(x, y): (&FieldElement, &FieldElement)| {
            if bool::from(x.is_zero()) { y.to_bytes() } else { (*x * *y).to_bytes() }
        };
        elements[w].iter().zip(&inverses).map(product).collect()
    });
}

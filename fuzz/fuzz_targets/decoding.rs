//! Decoding of points on every backend, one by one and in batches, against curve25519-dalek.
#![no_main]

use curve25519_dalek::{edwards, ristretto};
use curve25519_lanes::{
    CompressedEdwardsY, CompressedRistretto, DecodeError, compress_batch, compress_batch_ristretto,
    decompress_batch_dalek, decompress_batch_ristretto, decompress_batch_strict, try_decompress_batch_dalek,
    try_decompress_batch_ristretto, try_decompress_batch_strict,
};
use curve25519_lanes_fuzz::{Input, on_every_backend};
use libfuzzer_sys::fuzz_target;

/// What each encoding stands for, encoded again.
type Meanings = Vec<Option<[u8; 32]>>;

/// All answers about the same encodings.
fn check<P: Copy>(
    expected: &Meanings,
    one_by_one: Vec<Option<P>>,
    each: Vec<Option<P>>,
    all: Result<Vec<P>, DecodeError>,
    encode: impl Fn(&[P]) -> Vec<[u8; 32]>,
) {
    for found in [&one_by_one, &each] {
        let points: Vec<P> = found.iter().flatten().copied().collect();
        let mut encoded = encode(&points).into_iter();
        let meanings: Meanings = found.iter().map(|point| point.and_then(|_| encoded.next())).collect();
        assert_eq!(&meanings, expected);
    }
    match expected.iter().position(Option::is_none) {
        Some(bad) => assert_eq!(all.map(|_| ()).unwrap_err().index(), bad),
        None => {
            let meanings: Meanings = encode(&all.unwrap()).into_iter().map(Some).collect();
            assert_eq!(&meanings, expected);
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input(data);
    let mut encodings = Vec::new();
    while !input.is_empty() && encodings.len() < 20 {
        encodings.push(input.encoding());
        // Ristretto encodings that are none by chance are hard to find.
        let ristretto = ristretto::RistrettoPoint::from_uniform_bytes(&[encodings.len() as u8; 64]);
        match input.below(4) {
            0 => encodings.push(ristretto.compress().0),
            1 => encodings.push((-ristretto).compress().0),
            _ => {}
        }
    }
    let dalek: Meanings = encodings
        .iter()
        .map(|bytes| edwards::CompressedEdwardsY(*bytes).decompress().map(|point| point.compress().0))
        .collect();
    // The strict rule: what is a point must be its one encoding.
    let strict: Meanings = encodings.iter().zip(&dalek).map(|(bytes, found)| found.filter(|f| f == bytes)).collect();
    let elements: Meanings = encodings
        .iter()
        .map(|bytes| ristretto::CompressedRistretto(*bytes).decompress().map(|point| point.compress().0))
        .collect();

    on_every_backend(|_| {
        let single = |decode: fn(&CompressedEdwardsY) -> _| {
            encodings.iter().map(|bytes| decode(&CompressedEdwardsY(*bytes))).collect()
        };
        check(
            &strict,
            single(CompressedEdwardsY::decompress_strict),
            try_decompress_batch_strict(&encodings),
            decompress_batch_strict(&encodings),
            compress_batch,
        );
        check(
            &dalek,
            single(CompressedEdwardsY::decompress_dalek),
            try_decompress_batch_dalek(&encodings),
            decompress_batch_dalek(&encodings),
            |points| points.iter().map(|point| point.compress().0).collect(),
        );
        check(
            &elements,
            encodings.iter().map(|bytes| CompressedRistretto(*bytes).decompress()).collect(),
            try_decompress_batch_ristretto(&encodings),
            decompress_batch_ristretto(&encodings),
            compress_batch_ristretto,
        );
    });
});

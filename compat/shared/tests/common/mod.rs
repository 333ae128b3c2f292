//! Inputs, a generator and the vectors.

// Each test program uses its own part of this.
#![allow(dead_code)]

use curve25519_dalek as ours;
use ours::EdwardsPoint;
use ours::edwards::CompressedEdwardsY;

/// Repeatable pseudo-random bytes (splitmix64).
#[derive(Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub(crate) fn fill(&mut self, out: &mut [u8]) {
        out.iter_mut().for_each(|byte| *byte = self.next() as u8);
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.fill(&mut out);
        out
    }
}

#[cfg(dalek = "5")]
impl rand_core::TryRng for Random {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.next() as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.next())
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        self.fill(out);
        Ok(())
    }
}

#[cfg(dalek = "5")]
impl rand_core::TryCryptoRng for Random {}

#[cfg(dalek = "4")]
impl rand_core::RngCore for Random {
    fn next_u32(&mut self) -> u32 {
        self.next() as u32
    }
    fn next_u64(&mut self) -> u64 {
        self.next()
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), rand_core::Error> {
        self.fill(out);
        Ok(())
    }
}

#[cfg(dalek = "4")]
impl rand_core::CryptoRng for Random {}

/// l
pub(crate) const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// 256-bit integers where something could go wrong, and random ones.
pub(crate) fn integers() -> Vec<[u8; 32]> {
    let mut out = vec![[0; 32], [0xff; 32], ORDER];
    for (byte, value) in
        [(0, 1), (0, 2), (0, 8), (0, 16), (8, 1), (15, 0x80), (31, 1), (31, 0x10), (31, 0x40), (31, 0x80)]
    {
        let mut bytes = [0; 32];
        bytes[byte] = value;
        out.push(bytes);
    }
    for difference in [-2, -1, 1, 2] {
        let mut bytes = ORDER;
        bytes[0] = bytes[0].wrapping_add_signed(difference);
        out.push(bytes);
    }
    let mut below = [0xff; 32];
    below[31] = 0x7f;
    out.push(below);
    for byte in [0x88, 0x77, 0x80, 0x08] {
        out.push([byte; 32]);
    }
    let mut random = Random(1);
    out.extend((0..12).map(|_| random.bytes::<32>()));
    out
}

/// Encodings: of small order, not canonical, on the twist, of points with and without a part of small order.
pub(crate) fn encodings() -> Vec<[u8; 32]> {
    let mut out: Vec<[u8; 32]> = ours::constants::EIGHT_TORSION.iter().map(|p| p.compress().0).collect();
    for low in 0..=30 {
        // Around 0 and p, with and without the sign.
        for (fill, top) in [(0, 0), (0, 0x80), (0xff, 0x7f), (0xff, 0xff)] {
            let mut bytes = [fill; 32];
            bytes[0] = if fill == 0 { low } else { 0xe2 + low % 30 };
            bytes[31] = top;
            out.push(bytes);
        }
    }
    out.extend(integers());
    let mut random = Random(2);
    out.extend((0..60).map(|_| random.bytes::<32>()));
    if let Some(vectors) = vectors("point_decode_edge.json") {
        for case in vectors["cases"].as_array().expect("cases") {
            out.push(unhex(case["in"].as_str().expect("in")).try_into().expect("32 bytes"));
        }
    }
    out
}

/// Points of every kind; half of them with a denominator.
pub(crate) fn points() -> Vec<EdwardsPoint> {
    let mut out: Vec<EdwardsPoint> = encodings().iter().filter_map(|e| CompressedEdwardsY(*e).decompress()).collect();
    let sums: Vec<_> = out.windows(2).map(|w| w[0] + w[1]).collect();
    out.extend(sums);
    out
}

/// A file of the vectors beside the repository. Without it what asks for it is skipped in print, or fails if
/// `LANES_REQUIRE_VECTORS=1`.
pub(crate) fn vectors(name: &str) -> Option<serde_json::Value> {
    let path = format!("{}/../../../shared/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))),
        Err(e) if std::env::var("LANES_REQUIRE_VECTORS").is_ok_and(|v| v == "1") => panic!("{path}: {e}"),
        Err(e) => {
            println!("skipped: {path}: {e}");
            None
        }
    }
}

pub(crate) fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal digits")).collect()
}

/// What `std` makes of a value's `Hash`.
pub(crate) fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    value.hash(&mut hasher);
    std::hash::Hasher::finish(&hasher)
}

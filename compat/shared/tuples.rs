//! `serde`: everything as a tuple of 32 bytes.

use core::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::edwards::{CompressedEdwardsY, EdwardsPoint};
use crate::ristretto::{CompressedRistretto, RistrettoPoint};
use crate::scalar::Scalar;

fn write<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(32)?;
    for byte in bytes {
        tuple.serialize_element(byte)?;
    }
    tuple.end()
}

/// 32 bytes, described by what they should be.
struct Bytes(&'static str);

impl<'de> Visitor<'de> for Bytes {
    type Value = [u8; 32];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<[u8; 32], A::Error> {
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &"expected 32 bytes"))?;
        }
        Ok(bytes)
    }
}

macro_rules! as_tuple {
    ($type:ty, $what:literal, |$value:ident| $bytes:expr, |$read:ident| $decoded:expr, $failure:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                write(&$bytes, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let $read = deserializer.deserialize_tuple(32, Bytes($what))?;
                Option::from($decoded).ok_or_else(|| D::Error::custom($failure))
            }
        }
    };
}

as_tuple!(
    Scalar,
    "32 bytes of an integer below the group order",
    |k| k.to_bytes(),
    |bytes| Scalar::from_canonical_bytes(bytes),
    "scalar was not canonically encoded"
);
as_tuple!(
    EdwardsPoint,
    "32 bytes that encode a point of the Edwards curve",
    |p| p.compress().0,
    |bytes| CompressedEdwardsY(bytes).decompress(),
    "decompression failed"
);
as_tuple!(CompressedEdwardsY, "32 bytes", |c| c.0, |bytes| Some(CompressedEdwardsY(bytes)), "");
as_tuple!(
    RistrettoPoint,
    "32 bytes that encode a Ristretto element",
    |p| p.compress().0,
    |bytes| CompressedRistretto(bytes).decompress(),
    "decompression failed"
);
as_tuple!(CompressedRistretto, "32 bytes", |c| c.0, |bytes| Some(CompressedRistretto(bytes)), "");

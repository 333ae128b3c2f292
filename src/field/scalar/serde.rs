//! `serde`: the residue as a tuple of 32 bytes; reading refuses what is not below l.

use core::fmt;

use ::serde::de::{Error, SeqAccess, Visitor};
use ::serde::ser::SerializeTuple;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Scalar;

impl Serialize for Scalar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(32)?;
        for byte in &self.reduce().bytes {
            tuple.serialize_element(byte)?;
        }
        tuple.end()
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("32 bytes of a scalar below the group order")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Scalar, A::Error> {
                let mut bytes = [0; 32];
                for (i, byte) in bytes.iter_mut().enumerate() {
                    *byte = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &self))?;
                }
                Option::from(Scalar::from_canonical_bytes(bytes))
                    .ok_or_else(|| A::Error::custom("scalar not below the group order"))
            }
        }
        deserializer.deserialize_tuple(32, Bytes)
    }
}

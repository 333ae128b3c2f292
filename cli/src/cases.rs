//! Documents of cases: what `lanes verify` reads, whatever the protocol.
//!
//! A document is an object with `cases`, a list of objects of the protocol's form. `count`, where present, must be the
//! number of cases. A case may have a label and an `expected` verdict; members that its form doesn't know are ignored.
//!
//! What does not have the form is *unusable* (nothing can be said about it). What has it, but can't be a proof (a wrong
//! number of something, bytes that are no point or scalar), is an *invalid* case.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::output::{Unusable, shown};

/// Larger documents are refused unread: about thirty thousand range proofs.
const MAX_BYTES: u64 = 64 << 20;

/// A case as its protocol's JSON has it.
pub(crate) trait Form: DeserializeOwned {
    /// What is verified.
    type Claim;
    /// Label, expected verdict, and what is verified.
    fn open(self) -> (Option<String>, Option<bool>, Self::Claim);
}

/// One thing to verify.
pub(crate) struct Case<C> {
    pub(crate) file: String,
    /// Position in the file, from 0.
    pub(crate) index: usize,
    pub(crate) name: Option<String>,
    pub(crate) expected: Option<bool>,
    pub(crate) claim: C,
}

/// All cases of one file, `-` being standard input. There is at least one.
pub(crate) fn read<F: Form>(file: &str) -> Result<Vec<Case<F::Claim>>, Unusable> {
    let name = title(file);
    let text = load(file).and_then(utf8).map_err(|error| Unusable::new(format!("{name}: {error}")))?;
    document::<F>(&name, &text)
}

/// All cases of a document that was read already.
pub(crate) fn document<F: Form>(name: &str, text: &str) -> Result<Vec<Case<F::Claim>>, Unusable> {
    let unusable = |error| Unusable::new(format!("{name}: {error}"));
    let Object(document) = json::<Object<Document<F>>>(text).map_err(unusable)?;
    match document.count {
        _ if document.cases.is_empty() => {
            return Err(unusable("cases: empty, so there is nothing to verify".to_string()));
        }
        Some(count) if count != document.cases.len() as u64 => {
            return Err(unusable(format!("count: {count}, but there are {} cases", document.cases.len())));
        }
        _ => {}
    }
    let cases = document.cases.into_iter().enumerate();
    Ok(cases
        .map(|(index, Object(case))| {
            let (label, expected, claim) = case.open();
            Case { file: name.to_string(), index, name: label, expected, claim }
        })
        .collect())
}

/// A file's name as messages have it.
pub(crate) fn title(file: &str) -> String {
    if file == "-" { "standard input".to_string() } else { shown(file) }
}

/// The bytes of a file, not too many.
pub(crate) fn load(file: &str) -> Result<Vec<u8>, String> {
    let too_large = || format!("larger than {} MiB; split it", MAX_BYTES >> 20);
    let mut bytes = Vec::new();
    let read = if file == "-" {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        let open = File::open(file).and_then(|opened| Ok((opened.metadata()?, opened)));
        let (metadata, opened) = open.map_err(|error| error.to_string())?;
        if metadata.len() > MAX_BYTES {
            return Err(too_large());
        }
        opened.take(MAX_BYTES + 1).read_to_end(&mut bytes)
    };
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Bytes as text.
pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
}

/// A whole text as JSON; the error says where in it.
pub(crate) fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        let error = shown(&error.to_string());
        // "." is the document itself, "?" a place outside any member.
        if path == "." || path == "?" { error } else { format!("{}: {error}", shown(&path)) }
    })?;
    json.end().map_err(|error| format!("after the document: {error}"))?;
    Ok(value)
}

#[derive(Deserialize)]
#[serde(bound = "")]
struct Document<F: Form> {
    count: Option<u64>,
    cases: Vec<Object<F>>,
}

/// 32 bytes as 64 hex digits of either case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hex(pub(crate) [u8; 32]);

pub(crate) fn hex(values: &[[u8; 32]]) -> Vec<Hex> {
    values.iter().copied().map(Hex).collect()
}

pub(crate) fn unhex(values: Vec<Hex>) -> Vec<[u8; 32]> {
    values.into_iter().map(|hex| hex.0).collect()
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Any number of bytes as hex digits of either case.
pub(crate) struct HexBytes(pub(crate) Vec<u8>);

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HexBytes, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = HexBytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string of an even number of hex digits")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<HexBytes, E> {
                let error = || E::invalid_value(serde::de::Unexpected::Other("another string"), &self);
                from_hex(text.as_bytes()).map(HexBytes).ok_or_else(error)
            }
        }
        deserializer.deserialize_str(Digits)
    }
}

impl Serialize for HexBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

/// A number below 2^64: in JSON a number or, so that nothing is rounded on the way, a string of its decimal digits; written as
/// a string from 2^53 on.
#[derive(Clone, Copy)]
pub(crate) struct Number(pub(crate) u64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 < 1 << 53 { serializer.serialize_u64(self.0) } else { serializer.collect_str(&self.0) }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number from 0 to 2^64-1, or a string of its decimal digits")
            }
            fn visit_u64<E: serde::de::Error>(self, x: u64) -> Result<Number, E> {
                Ok(Number(x))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
                let plain = text.bytes().all(|c| c.is_ascii_digit());
                let number = plain.then(|| text.parse().ok()).flatten();
                number.map(Number).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Bytes from an even number of hex digits.
pub(crate) fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let digit = |c: u8| char::from(c).to_digit(16);
    pairs.iter().map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)).collect()
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Hex;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string of 64 hex digits")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Hex, E> {
                if text.len() != 64 {
                    return Err(E::invalid_length(text.len(), &self));
                }
                let bytes = from_hex(text.as_bytes()).ok_or_else(|| E::custom("not a hex digit"))?;
                Ok(Hex(bytes.try_into().expect("half of 64 digits")))
            }
        }
        deserializer.deserialize_str(Digits)
    }
}

/// A `T` read from a JSON object and from nothing else; derived code alone would take a list of its fields too.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Object<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(members)).map(Object).map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

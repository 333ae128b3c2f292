//! The JSON form of Monero Bulletproofs+ range proofs, read and written.
//!
//! A document is an object with `cases`, a list of objects `{ "C": [hex…], "proof": { "A", "A1", "B", "r1", "s1",
//! "d1", "L": [hex…], "R": [hex…] }, "expected": bool }`. `C` are the output commitments as they stand on the chain;
//! every hex value has 32 bytes. `name`, `mutation` and `txid` label a case; `count`, where present, must be the
//! number of cases; other members are ignored.
//!
//! What does not have this form is *unusable* (nothing can be said about it). What has it, but can't be a proof (too
//! many commitments, a wrong number of rounds, bytes that are no point or scalar), is an *invalid* case.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;

use curve25519_lanes::proofs::bulletproofs_plus::monero::RangeProof;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::output::{Unusable, shown};

/// Larger documents are refused unread: about thirty thousand proofs.
const MAX_BYTES: u64 = 64 << 20;

/// One proof with what it claims to prove.
pub(crate) struct Case {
    pub(crate) file: String,
    /// Position in the file, from 0.
    pub(crate) index: usize,
    pub(crate) name: Option<String>,
    pub(crate) commitments: Vec<[u8; 32]>,
    pub(crate) proof: RangeProof,
    pub(crate) expected: Option<bool>,
}

/// All cases of one file, `-` being standard input. There is at least one.
pub(crate) fn read(file: &str) -> Result<Vec<Case>, Unusable> {
    let name = if file == "-" { "standard input".to_string() } else { shown(file) };
    let text = load(file).map_err(|error| Unusable::new(format!("{name}: {error}")))?;
    let document = parse(&text).map_err(|error| Unusable::new(format!("{name}: {error}")))?;
    let cases = document.cases.into_iter().enumerate();
    Ok(cases.map(|(index, Object(case))| case.into_case(&name, index)).collect())
}

fn load(file: &str) -> Result<String, String> {
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
    String::from_utf8(bytes).map_err(|error| format!("not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
}

fn parse(text: &str) -> Result<Document, String> {
    let mut json = serde_json::Deserializer::from_str(text);
    let Object::<Document>(document) = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.into_inner());
        let error = shown(&error.to_string());
        // "." is the document itself, "?" a place outside any member.
        if path == "." || path == "?" { error } else { format!("{}: {error}", shown(&path)) }
    })?;
    json.end().map_err(|error| format!("after the document: {error}"))?;
    match document.count {
        _ if document.cases.is_empty() => Err("cases: empty, so there is nothing to verify".to_string()),
        Some(count) if count != document.cases.len() as u64 => {
            Err(format!("count: {count}, but there are {} cases", document.cases.len()))
        }
        _ => Ok(document),
    }
}

#[derive(Deserialize)]
struct Document {
    count: Option<u64>,
    cases: Vec<Object<CaseJson>>,
}

#[derive(Deserialize)]
struct CaseJson {
    name: Option<String>,
    mutation: Option<String>,
    txid: Option<String>,
    #[serde(rename = "C")]
    commitments: Vec<Hex>,
    proof: Object<ProofJson>,
    expected: Option<bool>,
}

impl CaseJson {
    fn into_case(self, file: &str, index: usize) -> Case {
        Case {
            file: file.to_string(),
            index,
            name: self.name.or(self.mutation).or(self.txid),
            commitments: unhex(self.commitments),
            proof: self.proof.0.into(),
            expected: self.expected,
        }
    }
}

/// The eight members of a proof, in the order of the wire.
#[derive(Serialize, Deserialize)]
pub(crate) struct ProofJson {
    #[serde(rename = "A")]
    a: Hex,
    #[serde(rename = "A1")]
    a1: Hex,
    #[serde(rename = "B")]
    b: Hex,
    r1: Hex,
    s1: Hex,
    d1: Hex,
    #[serde(rename = "L")]
    l: Vec<Hex>,
    #[serde(rename = "R")]
    r: Vec<Hex>,
}

impl From<ProofJson> for RangeProof {
    fn from(p: ProofJson) -> RangeProof {
        let [a, a1, b, r1, s1, d1] = [p.a, p.a1, p.b, p.r1, p.s1, p.d1].map(|hex| hex.0);
        RangeProof { a, a1, b, r1, s1, d1, l: unhex(p.l), r: unhex(p.r) }
    }
}

impl From<RangeProof> for ProofJson {
    fn from(p: RangeProof) -> ProofJson {
        let [a, a1, b, r1, s1, d1] = [p.a, p.a1, p.b, p.r1, p.s1, p.d1].map(Hex);
        ProofJson { a, a1, b, r1, s1, d1, l: hex(&p.l), r: hex(&p.r) }
    }
}

/// 32 bytes as 64 hex digits of either case.
pub(crate) struct Hex(pub(crate) [u8; 32]);

fn hex(values: &[[u8; 32]]) -> Vec<Hex> {
    values.iter().copied().map(Hex).collect()
}

fn unhex(values: Vec<Hex>) -> Vec<[u8; 32]> {
    values.into_iter().map(|hex| hex.0).collect()
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
        let text: String = self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        serializer.serialize_str(&text)
    }
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
                let mut bytes = [0; 32];
                for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
                    let digit = |c: u8| char::from(c).to_digit(16).ok_or_else(|| E::custom("not a hex digit"));
                    *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
                }
                Ok(Hex(bytes))
            }
        }
        deserializer.deserialize_str(Digits)
    }
}

/// A `T` read from a JSON object and from nothing else; derived code alone would take a list of its fields too.
struct Object<T>(T);

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

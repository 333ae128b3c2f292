//! The `extra` bytes of a transaction: what a scanner needs of them.
//!
//! Senders write what they like there, and the reference wallet takes what it can: fields are read in order up to the
//! first that has not the form of its tag, and those before it count. So does [`TxExtra::parse`], which never fails.
//!
//! | tag | field |
//! |---|---|
//! | 0x00 | padding: zeros up to the end, 255 with the tag at most |
//! | 0x01 | a transaction key, 32 bytes |
//! | 0x02 | nonce: a length up to 255, then bytes; 0x00 and 32 bytes, or 0x01 and 8 bytes, are a payment id |
//! | 0x03 | merge mining: a length; in it a varint and 32 bytes |
//! | 0x04 | additional keys: their number, then 32 bytes each |
//! | 0xde | a length, and as many bytes |

use alloc::vec::Vec;

use crate::proofs::varint;

/// A payment id, as it stands in the extra.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentId {
    /// 32 bytes in the clear.
    Plain([u8; 32]),
    /// 8 bytes, encrypted: see [`payment_id`](super::amount::payment_id).
    Encrypted([u8; 8]),
}

/// What a scanner needs of a transaction's extra.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TxExtra {
    /// The transaction keys, in order. They may be no points.
    pub keys: Vec<[u8; 32]>,
    /// The additional keys, one an output, of the first such field.
    pub additional_keys: Vec<[u8; 32]>,
    /// What the first nonce has, if it is a payment id.
    pub payment_id: Option<PaymentId>,
    /// Whether everything had the form of a field. Otherwise the rest from the first that had not was left out.
    pub complete: bool,
}

const MAX_PADDING: usize = 255;
const MAX_NONCE: usize = 255;

impl TxExtra {
    /// Reads what is there. The result is never larger than the input.
    ///
    /// ```
    /// use curve25519_lanes::wallet::TxExtra;
    /// let mut bytes = vec![1];
    /// bytes.extend([7; 32]);
    /// bytes.extend([1, 2, 3]); // A second key, cut off.
    /// let extra = TxExtra::parse(&bytes);
    /// assert_eq!(extra.keys, [[7; 32]]);
    /// assert!(!extra.complete);
    /// ```
    pub fn parse(bytes: &[u8]) -> TxExtra {
        let mut out = TxExtra { complete: true, ..TxExtra::default() };
        let mut reader = Reader(bytes);
        let (mut nonces, mut additional) = (0, 0);
        while let Some(tag) = reader.byte() {
            let field = match tag {
                0x00 => reader.padding(),
                0x01 => reader.key().map(|key| out.keys.push(key)),
                0x02 => reader.string().filter(|nonce| nonce.len() <= MAX_NONCE).map(|nonce| {
                    if nonces == 0 {
                        out.payment_id = payment_id(nonce);
                    }
                    nonces += 1;
                }),
                0x03 => reader.string().and_then(merge_mining),
                0x04 => reader.keys().map(|keys| {
                    if additional == 0 {
                        out.additional_keys = keys;
                    }
                    additional += 1;
                }),
                0xde => reader.string().map(drop),
                _ => None,
            };
            if field.is_none() {
                out.complete = false;
                break;
            }
        }
        out
    }
}

fn payment_id(nonce: &[u8]) -> Option<PaymentId> {
    match nonce {
        [0x00, id @ ..] => id.try_into().ok().map(PaymentId::Plain),
        [0x01, id @ ..] => id.try_into().ok().map(PaymentId::Encrypted),
        _ => None,
    }
}

fn merge_mining(field: &[u8]) -> Option<()> {
    let mut reader = Reader(field);
    reader.varint()?;
    reader.key()?;
    reader.0.is_empty().then_some(())
}

/// What is left to read.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (out, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(out)
    }

    pub(super) fn key(&mut self) -> Option<[u8; 32]> {
        self.take(32)?.try_into().ok()
    }

    pub(super) fn varint(&mut self) -> Option<u64> {
        varint::read(&mut self.0).ok()
    }

    fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.varint()?;
        self.take(usize::try_from(length).ok()?)
    }

    fn keys(&mut self) -> Option<Vec<[u8; 32]>> {
        let count = usize::try_from(self.varint()?).ok()?;
        let (keys, _) = self.take(count.checked_mul(32)?)?.as_chunks();
        Some(keys.to_vec())
    }

    fn padding(&mut self) -> Option<()> {
        let rest = core::mem::take(&mut self.0);
        (rest.len() < MAX_PADDING && rest.iter().all(|byte| *byte == 0)).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_util::Random;

    fn key(byte: u8) -> [u8; 32] {
        [byte; 32]
    }

    #[test]
    fn fields() {
        let mut bytes = [&[1][..], &key(5), &[2, 9, 1], &[6; 8], &[4, 2], &key(7), &key(8), &[1], &key(9)].concat();
        bytes.extend([0xde, 2, 1, 1, 3, 33, 0]);
        bytes.extend(key(3));
        bytes.extend([0; 255]);
        let expected = TxExtra {
            keys: alloc::vec![key(5), key(9)],
            additional_keys: alloc::vec![key(7), key(8)],
            payment_id: Some(PaymentId::Encrypted([6; 8])),
            complete: true,
        };
        assert_eq!(TxExtra::parse(&bytes), expected);
        // One zero too many, and one that is none.
        bytes.push(0);
        assert_eq!(TxExtra::parse(&bytes), TxExtra { complete: false, ..expected.clone() });
        bytes.pop();
        *bytes.last_mut().unwrap() = 1;
        assert_eq!(TxExtra::parse(&bytes), TxExtra { complete: false, ..expected });
    }

    #[test]
    fn only_the_first_nonce_and_the_first_additional_keys_count() {
        let bytes = [&[2, 0, 2, 33, 0][..], &key(1), &[4, 1], &key(2), &[4, 1], &key(3)].concat();
        let extra = TxExtra::parse(&bytes);
        assert_eq!((extra.payment_id, &extra.additional_keys[..], extra.complete), (None, &[key(2)][..], true));
        let plain = TxExtra::parse(&bytes[2..]);
        assert_eq!(plain.payment_id, Some(PaymentId::Plain(key(1))));
    }

    #[test]
    fn bad_fields_end_it() {
        let bad: [&[u8]; 12] = [
            &[5],
            &[1, 0],
            &[2, 2, 0],
            &[2, 0x80, 0],
            &[4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
            &[4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
            &[4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 1],
            &[4, 2],
            &[3, 1, 0],
            &[0xde, 1],
            &[4],
            &[0, 0, 1],
        ];
        for tail in bad {
            let extra = TxExtra::parse(&[&[1][..], &key(4), tail].concat());
            assert_eq!((&extra.keys[..], extra.complete), (&[key(4)][..], false), "{tail:?}");
        }
        // Nothing after it counts.
        let extra = TxExtra::parse(&[&[1][..], &key(4), &[5, 1], &key(6)].concat());
        assert_eq!((&extra.keys[..], extra.complete), (&[key(4)][..], false));
        let long = [&[2, 0x80, 2][..], &[9; 256], &[1], &key(1)].concat();
        assert_eq!(TxExtra::parse(&long), TxExtra::default());
    }

    #[test]
    fn any_bytes() {
        let mut random = Random::new(4);
        for _ in 0..20_000 {
            let mut bytes = alloc::vec![0; random.below(120)];
            bytes.iter_mut().for_each(|byte| *byte = (random.next() as u8) & [0x07, 0xff, 0x23][random.below(3)]);
            let extra = TxExtra::parse(&bytes);
            assert!(32 * (extra.keys.len() + extra.additional_keys.len()) <= bytes.len());
        }
        assert_eq!(TxExtra::parse(&[]), TxExtra { complete: true, ..TxExtra::default() });
    }
}

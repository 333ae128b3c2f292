//! Integers as Monero writes them: seven bits a byte, the lowest first, the top bit set on all bytes but the last.

use alloc::vec::Vec;

/// An integer's bytes.
pub(crate) struct Varint {
    bytes: [u8; 10],
    length: usize,
}

impl Varint {
    pub(crate) fn new(mut value: u64) -> Varint {
        let (mut bytes, mut length) = ([0; 10], 0);
        loop {
            let more = value >= 0x80;
            bytes[length] = (value as u8 & 0x7f) | (u8::from(more) << 7);
            length += 1;
            value >>= 7;
            if !more {
                return Varint { bytes, length };
            }
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Appends an integer.
pub(crate) fn write(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(Varint::new(value).bytes());
}

/// Why bytes do not start with an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// They end in it.
    End,
    /// It is above 64 bits, or not in its shortest form.
    Form,
}

/// Takes an integer off the front of `input`, which is unchanged on a fault.
pub(crate) fn read(input: &mut &[u8]) -> Result<u64, Fault> {
    let mut value = 0u64;
    for (i, shift) in (0..64).step_by(7).enumerate() {
        let byte = *input.get(i).ok_or(Fault::End)?;
        let bits = u64::from(byte & 0x7f);
        if (byte == 0 && i > 0) || bits << shift >> shift != bits {
            return Err(Fault::Form);
        }
        value |= bits << shift;
        if byte < 0x80 {
            *input = &input[i + 1..];
            return Ok(value);
        }
    }
    Err(Fault::Form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn known_bytes() {
        let cases: [(u64, &[u8]); 8] = [
            (0, &[0]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (300, &[0xac, 2]),
            (2047, &[0xff, 0x0f]),
            (16384, &[0x80, 0x80, 1]),
            (1 << 63, &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1]),
            (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        ];
        for (value, bytes) in cases {
            let mut out = vec![7];
            write(&mut out, value);
            assert_eq!(out[1..], *bytes);
            out.push(9);
            let mut rest = &out[1..];
            assert_eq!((read(&mut rest), rest), (Ok(value), &[9][..]));
            for end in 0..bytes.len() {
                let mut cut = &bytes[..end];
                assert_eq!((read(&mut cut), cut), (Err(Fault::End), &bytes[..end]));
            }
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let bad: [&[u8]; 5] = [
            &[0x80, 0],
            &[0xff, 0x80, 0],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 1],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0],
        ];
        for bytes in bad {
            let mut rest = bytes;
            assert_eq!((read(&mut rest), rest), (Err(Fault::Form), bytes));
        }
    }
}

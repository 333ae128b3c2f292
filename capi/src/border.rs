//! The border: the only place where pointers become slices.

use std::ffi::{c_char, c_int};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Done.
pub const CURVE25519_LANES_OK: c_int = 0;
/// A pointer is null though there should be bytes, or a handle is null.
pub const CURVE25519_LANES_NULL: c_int = -2;
/// A length does not fit the others, or is no multiple of what it should be.
pub const CURVE25519_LANES_LENGTH: c_int = -3;
/// An output overlaps another argument.
pub const CURVE25519_LANES_OVERLAP: c_int = -4;
/// A pointer to structures is not aligned for them.
pub const CURVE25519_LANES_ALIGNMENT: c_int = -5;
/// Something failed inside. What outputs hold is meaningless.
pub const CURVE25519_LANES_INTERNAL: c_int = -6;

/// The version of the library, as text.
#[unsafe(no_mangle)]
pub extern "C" fn curve25519_lanes_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Runs `work` and turns its faults into numbers. A panic ends here.
pub(crate) fn guard(work: impl FnOnce() -> Result<c_int, c_int>) -> c_int {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(code)) | Ok(Err(code)) => code,
        Err(panic) => {
            // What a payload does when dropped is not known.
            std::mem::forget(panic);
            CURVE25519_LANES_INTERNAL
        }
    }
}

/// The addresses of `count` values at `pointer`, if they may be used.
fn range<T>(pointer: *const T, count: usize) -> Result<Range<usize>, c_int> {
    if count == 0 {
        return Ok(0..0);
    }
    if pointer.is_null() {
        return Err(CURVE25519_LANES_NULL);
    }
    if !pointer.is_aligned() {
        return Err(CURVE25519_LANES_ALIGNMENT);
    }
    let size = count.checked_mul(size_of::<T>()).filter(|size| isize::try_from(*size).is_ok());
    let end = size.and_then(|size| pointer.addr().checked_add(size)).ok_or(CURVE25519_LANES_LENGTH)?;
    Ok(pointer.addr()..end)
}

fn apart(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.is_empty() || b.is_empty() || a.end <= b.start || b.end <= a.start
}

/// `count` values at `pointer`.
///
/// # Safety
/// Where `pointer` is not null and `count` not 0, there must be so many values, which nobody changes for as long as the slice
/// is used.
pub(crate) unsafe fn slice_from<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], c_int> {
    if range(pointer, count)?.is_empty() {
        return Ok(&[]);
    }
    // SAFETY: not null, aligned, of a size that `isize` holds; the rest is the caller's word.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Inputs and outputs.
type Slices<'a, const I: usize, const O: usize> = ([&'a [u8]; I], [&'a mut [u8]; O]);

/// Slices of inputs and outputs, given as pointers and numbers of bytes. Outputs overlap nothing.
///
/// # Safety
/// As [`slice_from`], for each; nobody else uses the outputs meanwhile.
pub(crate) unsafe fn borrow<'a, const I: usize, const O: usize>(
    inputs: [(*const u8, usize); I],
    outputs: [(*mut u8, usize); O],
) -> Result<Slices<'a, I, O>, c_int> {
    let mut read: [Range<usize>; I] = [const { 0..0 }; I];
    let mut written: [Range<usize>; O] = [const { 0..0 }; O];
    for (range_, (pointer, length)) in read.iter_mut().zip(inputs) {
        *range_ = range(pointer, length)?;
    }
    for (range_, (pointer, length)) in written.iter_mut().zip(outputs) {
        *range_ = range(pointer.cast_const(), length)?;
    }
    for (i, a) in written.iter().enumerate() {
        if !written[..i].iter().chain(&read).all(|b| apart(a, b)) {
            return Err(CURVE25519_LANES_OVERLAP);
        }
    }
    let mut ins: [&[u8]; I] = [&[]; I];
    for (slice, (pointer, length)) in ins.iter_mut().zip(inputs) {
        // SAFETY: passed on.
        *slice = unsafe { slice_from(pointer, length)? };
    }
    let outs = outputs.map(|(pointer, length)| match length {
        0 => Default::default(),
        // SAFETY: looked at above: not null, of a size that `isize` holds, apart from everything else.
        _ => unsafe { std::slice::from_raw_parts_mut(pointer, length) },
    });
    Ok((ins, outs))
}

/// Whether what is read lies apart from the bytes that are written.
pub(crate) fn apart_from<T>(output: &[u8], pointer: *const T, count: usize) -> Result<(), c_int> {
    let written = output.as_ptr().addr()..output.as_ptr().addr() + output.len();
    if apart(&written, &range(pointer, count)?) { Ok(()) } else { Err(CURVE25519_LANES_OVERLAP) }
}

/// Pieces of 32 bytes.
pub(crate) fn pieces(bytes: &[u8]) -> Result<&[[u8; 32]], c_int> {
    let (pieces, rest) = bytes.as_chunks();
    if rest.is_empty() { Ok(pieces) } else { Err(CURVE25519_LANES_LENGTH) }
}

/// `Ok` if a length is as it should be.
pub(crate) fn expect(condition: bool) -> Result<(), c_int> {
    if condition { Ok(()) } else { Err(CURVE25519_LANES_LENGTH) }
}

/// 32 bytes, copied.
///
/// # Safety
/// Where `pointer` is not null there must be 32 bytes.
pub(crate) unsafe fn read32(pointer: *const c_char) -> Option<[u8; 32]> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, of alignment 1; the rest is the caller's word.
    Some(unsafe { pointer.cast::<[u8; 32]>().read() })
}

/// Writes 32 bytes, and says by 0 or -1 whether there were any to write.
///
/// # Safety
/// Where `out` is not null there must be room for 32 bytes.
pub(crate) unsafe fn write32(out: *mut c_char, bytes: Option<[u8; 32]>) -> c_int {
    match bytes {
        Some(bytes) if !out.is_null() => {
            // SAFETY: not null, of alignment 1; the rest is the caller's word.
            unsafe { out.cast::<[u8; 32]>().write(bytes) };
            0
        }
        _ => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A payload that panics again when dropped.
    struct Bomb;

    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("a payload was dropped");
        }
    }

    #[test]
    fn panics_end_at_the_border() {
        assert_eq!(guard(|| panic!("planted")), CURVE25519_LANES_INTERNAL);
        assert_eq!(guard(|| std::panic::panic_any(Bomb)), CURVE25519_LANES_INTERNAL);
        assert_eq!((guard(|| Ok(1)), guard(|| Err(CURVE25519_LANES_NULL))), (1, CURVE25519_LANES_NULL));
    }

    #[test]
    fn ranges() {
        let words = [0u64; 2];
        let at = words.as_ptr().addr();
        assert_eq!(range(words.as_ptr(), 2), Ok(at..at + 16));
        assert_eq!(range(std::ptr::null::<u64>(), 0), Ok(0..0));
        assert_eq!(range(std::ptr::null::<u64>(), 1), Err(CURVE25519_LANES_NULL));
        assert_eq!(range(words.as_ptr().wrapping_byte_add(1), 1), Err(CURVE25519_LANES_ALIGNMENT));
        for count in [usize::MAX, usize::MAX / 8, isize::MAX as usize / 8 + 1] {
            assert_eq!(range(words.as_ptr(), count), Err(CURVE25519_LANES_LENGTH));
        }
        assert_eq!(range(std::ptr::without_provenance::<u8>(usize::MAX - 3), 5), Err(CURVE25519_LANES_LENGTH));
    }

    #[test]
    fn touching_is_apart() {
        assert!(apart(&(0..4), &(4..8)) && apart(&(4..8), &(0..4)) && apart(&(2..2), &(0..4)));
        assert!(!apart(&(0..5), &(4..8)) && !apart(&(5..6), &(4..8)) && !apart(&(4..8), &(5..6)));
    }
}

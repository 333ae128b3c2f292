//! Sums and X25519.

use std::ffi::{c_char, c_int};

use curve25519_lanes::cpu::BackendId;
use curve25519_lanes::{Scalar, decompress_batch_strict, msm, x25519_batch};
use zeroize::Zeroizing;

use crate::border::{CURVE25519_LANES_LENGTH, CURVE25519_LANES_OK, borrow, expect, guard, pieces};

/// The name of the backend that batches run on, as text.
#[unsafe(no_mangle)]
pub extern "C" fn curve25519_lanes_backend() -> *const c_char {
    let name = match BackendId::current() {
        BackendId::Portable => c"portable",
        BackendId::Amd64_51 => c"amd64-51",
        BackendId::Amd64_64 => c"amd64-64",
        BackendId::Avx2 => c"avx2",
        BackendId::Ifma => c"ifma",
        _ => c"another",
    };
    name.as_ptr()
}

/// The sum of n scalars times n points, in variable time: all of it is public. `out` has 32 bytes. Scalars count as 256-bit
/// integers. 1 if an encoding is no point: its index goes to `bad` if that is not null, and `out` is untouched.
///
/// # Safety
/// Pointers are to as many bytes as the lengths say; `bad` is null or to one number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_msm_vartime(
    out: *mut u8,
    out_len: usize,
    bad: *mut usize,
    scalars: *const u8,
    scalars_len: usize,
    points: *const u8,
    points_len: usize,
) -> c_int {
    guard(|| {
        let bad_len = if bad.is_null() { 0 } else { size_of::<usize>() };
        // SAFETY: passed on.
        let ([scalars, points], [out, bad]) =
            unsafe { borrow([(scalars, scalars_len), (points, points_len)], [(out, out_len), (bad.cast(), bad_len)])? };
        let (scalars, points) = (pieces(scalars)?, pieces(points)?);
        expect(out.len() == 32 && scalars.len() == points.len())?;
        let points = match decompress_batch_strict(points) {
            Ok(points) => points,
            Err(error) => {
                // There may be no place for it.
                bad.iter_mut().zip(error.index().to_ne_bytes()).for_each(|(to, byte)| *to = byte);
                return Ok(1);
            }
        };
        let scalars: Vec<Scalar> = scalars.iter().map(|scalar| Scalar::from_integer_unreduced(*scalar)).collect();
        let sum = msm::vartime(&scalars, &points).map_err(|_| CURVE25519_LANES_LENGTH)?;
        out.copy_from_slice(&sum.compress().0);
        Ok(CURVE25519_LANES_OK)
    })
}

/// X25519 (RFC 7748) of n secrets and n public keys, 32 bytes each. Constant-time. A result of zeros, from a public key of
/// small order, is no error.
///
/// # Safety
/// Pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_x25519(
    out: *mut u8,
    out_len: usize,
    secrets: *const u8,
    secrets_len: usize,
    publics: *const u8,
    publics_len: usize,
) -> c_int {
    guard(|| {
        // SAFETY: passed on.
        let ([secrets, publics], [out]) =
            unsafe { borrow([(secrets, secrets_len), (publics, publics_len)], [(out, out_len)])? };
        let (secrets, publics) = (pieces(secrets)?, pieces(publics)?);
        expect(secrets.len() == publics.len() && out.len() == 32 * secrets.len())?;
        out.copy_from_slice(Zeroizing::new(x25519_batch(secrets, publics)).as_flattened());
        Ok(CURVE25519_LANES_OK)
    })
}

//! Wallet scanning.

use std::ffi::{c_char, c_int};

use curve25519_lanes::msm::{self, CofactorTable};
use curve25519_lanes::wallet::Derivation;
use curve25519_lanes::wallet::derive::{derivations, output_scalars, spend_keys, view_tags};
use curve25519_lanes::{CompressedEdwardsY, EdwardsPoint, Scalar, compress_batch, try_decompress_batch_strict};
use zeroize::Zeroizing;

use crate::border::{CURVE25519_LANES_NULL, CURVE25519_LANES_OK, borrow, expect, guard, pieces, read32, write32};

/// Secret ones, most of them: wiped when dropped.
fn scalars(bytes: &[u8]) -> Result<Zeroizing<Vec<Scalar>>, c_int> {
    let scalars = pieces(bytes)?.iter().map(|scalar| Scalar::from_integer_unreduced(*scalar));
    Ok(Zeroizing::new(scalars.collect()))
}

fn scalarmult(public: &[u8; 32], secret: &[u8; 32]) -> Option<[u8; 32]> {
    let point = CompressedEdwardsY(*public).decompress_strict()?;
    Some((Scalar::from_integer_unreduced(*secret) * point).compress().0)
}

fn derivation(public: &[u8; 32], secret: &[u8; 32]) -> Option<[u8; 32]> {
    Derivation::new(&Scalar::from_integer_unreduced(*secret), public).map(|derivation| derivation.0)
}

fn subtract(key: &[u8; 32], scalar: &[u8; 32]) -> Option<[u8; 32]> {
    let point = CompressedEdwardsY(*key).decompress_strict()?;
    Some((point - EdwardsPoint::mul_base(&Scalar::from_integer_unreduced(*scalar))).compress().0)
}

/// The three functions that Monero links, under the names of one library.
macro_rules! monero_functions {
    ($scalarmult:ident, $derivation:ident, $subaddress:ident) => {
        /// encode(sec·decode(pub)), no cofactor; `sec` counts as an integer. 0, or -1 if `pub_` is no point or a pointer is
        /// null: `out` is untouched then. All pointers are to 32 bytes; `out` may be an input.
        ///
        /// # Safety
        /// Pointers are null or to 32 bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $scalarmult(out: *mut c_char, pub_: *const c_char, sec: *const c_char) -> c_int {
            // SAFETY: passed on.
            unsafe { monero_function(out, pub_, sec, scalarmult) }
        }

        /// encode(8·(view_sec·decode(tx_pub))). 0 or -1 as above.
        ///
        /// # Safety
        /// Pointers are null or to 32 bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $derivation(
            out: *mut c_char,
            tx_pub: *const c_char,
            view_sec: *const c_char,
        ) -> c_int {
            // SAFETY: passed on.
            unsafe { monero_function(out, tx_pub, view_sec, derivation) }
        }

        /// encode(decode(output_pub) - special_sec·G), `special_sec` being the output scalar. 0 or -1 as above.
        ///
        /// # Safety
        /// Pointers are null or to 32 bytes.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $subaddress(
            out: *mut c_char,
            output_pub: *const c_char,
            special_sec: *const c_char,
        ) -> c_int {
            // SAFETY: passed on.
            unsafe { monero_function(out, output_pub, special_sec, subtract) }
        }
    };
}

/// # Safety
/// Pointers are null or to 32 bytes.
unsafe fn monero_function(
    out: *mut c_char,
    public: *const c_char,
    secret: *const c_char,
    compute: impl Fn(&[u8; 32], &[u8; 32]) -> Option<[u8; 32]>,
) -> c_int {
    let code = guard(|| {
        // SAFETY: passed on. Both are read before `out` is written.
        let (public, secret) = unsafe { (read32(public), read32(secret)) };
        let result = public.zip(secret).and_then(|(public, secret)| compute(&public, &secret));
        // SAFETY: passed on.
        Ok(unsafe { write32(out, result) })
    });
    if code == 0 { 0 } else { -1 }
}

monero_functions!(
    monero_crypto_curve25519_lanes_ge25519_scalarmult,
    monero_crypto_curve25519_lanes_generate_key_derivation,
    monero_crypto_curve25519_lanes_generate_subaddress_public_key
);

#[cfg(feature = "amd64-51-30k")]
monero_functions!(
    monero_crypto_amd64_51_30k_ge25519_scalarmult,
    monero_crypto_amd64_51_30k_generate_key_derivation,
    monero_crypto_amd64_51_30k_generate_subaddress_public_key
);

#[cfg(feature = "amd64-64-24k")]
monero_functions!(
    monero_crypto_amd64_64_24k_ge25519_scalarmult,
    monero_crypto_amd64_64_24k_generate_key_derivation,
    monero_crypto_amd64_64_24k_generate_subaddress_public_key
);

/// The derivations of n secret view keys with m transaction keys: `out` has 32·n·m bytes, that of key r and secret w at
/// 32·(r·n + w). `good` has m bytes: 1 where the key is a point, else 0, and the derivations are zeros.
///
/// # Safety
/// Pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_derive(
    out: *mut u8,
    out_len: usize,
    good: *mut u8,
    good_len: usize,
    secrets: *const u8,
    secrets_len: usize,
    keys: *const u8,
    keys_len: usize,
) -> c_int {
    guard(|| {
        // SAFETY: passed on.
        let ([secrets, keys], [out, good]) =
            unsafe { borrow([(secrets, secrets_len), (keys, keys_len)], [(out, out_len), (good, good_len)])? };
        let (secrets, keys) = (scalars(secrets)?, pieces(keys)?);
        expect(good.len() == keys.len() && Some(out.len()) == keys_len.checked_mul(secrets.len()))?;
        let all = derivations(&secrets, keys);
        for (out, derivation) in out.as_chunks_mut().0.iter_mut().zip(&all) {
            *out = derivation.as_ref().map_or([0; 32], |derivation| derivation.0);
        }
        if secrets.is_empty() {
            let points = try_decompress_batch_strict(keys);
            good.iter_mut().zip(points).for_each(|(good, point)| *good = u8::from(point.is_some()));
        } else {
            let of_key = all.chunks_exact(secrets.len());
            good.iter_mut().zip(of_key).for_each(|(good, of_key)| *good = u8::from(of_key[0].is_some()));
        }
        Ok(CURVE25519_LANES_OK)
    })
}

/// Derivations with the output indexes that belong to them.
fn pairs(all: &[u8], indexes: &[u8]) -> Result<Vec<(Derivation, u64)>, c_int> {
    let (indexes, rest) = indexes.as_chunks();
    let all = pieces(all)?;
    expect(rest.is_empty() && indexes.len() == all.len())?;
    Ok(all.iter().zip(indexes).map(|(d, index)| (Derivation(*d), u64::from_ne_bytes(*index))).collect())
}

/// The view tags of n outputs, a byte each, from n derivations and n indexes.
///
/// # Safety
/// Pointers are to as many bytes, or indexes, as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_view_tags(
    tags: *mut u8,
    tags_len: usize,
    derivations: *const u8,
    derivations_len: usize,
    indexes: *const u64,
    indexes_count: usize,
) -> c_int {
    guard(|| {
        expect(tags_len == indexes_count)?;
        let indexes = (indexes.cast(), indexes_count.saturating_mul(8));
        // SAFETY: passed on.
        let ([derivations, indexes], [tags]) =
            unsafe { borrow([(derivations, derivations_len), indexes], [(tags, tags_len)])? };
        let pairs = pairs(derivations, indexes)?;
        let pairs: Vec<(&Derivation, u64)> = pairs.iter().map(|(d, index)| (d, *index)).collect();
        tags.copy_from_slice(&view_tags(&pairs));
        Ok(CURVE25519_LANES_OK)
    })
}

/// The output scalars of n outputs, 32 bytes each, from n derivations and n indexes.
///
/// # Safety
/// Pointers are to as many bytes, or indexes, as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_output_scalars(
    out: *mut u8,
    out_len: usize,
    derivations: *const u8,
    derivations_len: usize,
    indexes: *const u64,
    indexes_count: usize,
) -> c_int {
    guard(|| {
        expect(out_len == derivations_len)?;
        let indexes = (indexes.cast(), indexes_count.saturating_mul(8));
        // SAFETY: passed on.
        let ([derivations, indexes], [out]) =
            unsafe { borrow([(derivations, derivations_len), indexes], [(out, out_len)])? };
        let pairs = pairs(derivations, indexes)?;
        let pairs: Vec<(&Derivation, u64)> = pairs.iter().map(|(d, index)| (d, *index)).collect();
        let scalars = Zeroizing::new(output_scalars(&pairs));
        for (out, scalar) in out.as_chunks_mut().0.iter_mut().zip(scalars.iter()) {
            *out = scalar.to_bytes();
        }
        Ok(CURVE25519_LANES_OK)
    })
}

/// Decoded points, for use again and again.
#[allow(non_camel_case_types)]
pub struct curve25519_lanes_points(Vec<EdwardsPoint>);

/// Decodes n encodings; `good` has n bytes: 1 where there is a point, else 0, and the neutral element takes its place. To be
/// freed by `curve25519_lanes_points_free`. Null if an argument can't be used.
///
/// # Safety
/// Pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_points_new(
    good: *mut u8,
    good_len: usize,
    encodings: *const u8,
    encodings_len: usize,
) -> *mut curve25519_lanes_points {
    let mut handle = std::ptr::null_mut();
    guard(|| {
        // SAFETY: passed on.
        let ([encodings], [good]) = unsafe { borrow([(encodings, encodings_len)], [(good, good_len)])? };
        let encodings = pieces(encodings)?;
        expect(good.len() == encodings.len())?;
        let points = try_decompress_batch_strict(encodings);
        good.iter_mut().zip(&points).for_each(|(good, point)| *good = u8::from(point.is_some()));
        let points = points.into_iter().map(|point| point.unwrap_or(EdwardsPoint::IDENTITY)).collect();
        handle = Box::into_raw(Box::new(curve25519_lanes_points(points)));
        Ok(CURVE25519_LANES_OK)
    });
    handle
}

/// Frees what `curve25519_lanes_points_new` gave. Null is nothing to free.
///
/// # Safety
/// `points` is null or was given by `curve25519_lanes_points_new`, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_points_free(points: *mut curve25519_lanes_points) {
    if !points.is_null() {
        // SAFETY: it came from a box, and nobody uses it any more.
        drop(unsafe { Box::from_raw(points) });
    }
}

/// The encodings of the points.
///
/// # Safety
/// `points` is null or a handle; pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_points_encode(
    points: *const curve25519_lanes_points,
    out: *mut u8,
    out_len: usize,
) -> c_int {
    guard(|| {
        // SAFETY: null or a handle.
        let points = unsafe { points.as_ref() }.ok_or(CURVE25519_LANES_NULL)?;
        // SAFETY: passed on.
        let ([], [out]) = unsafe { borrow([], [(out, out_len)])? };
        expect(out.len() == 32 * points.0.len())?;
        out.copy_from_slice(compress_batch(&points.0).as_flattened());
        Ok(CURVE25519_LANES_OK)
    })
}

/// `encode(K - s·G)` for n output keys K, decoded before, and n output scalars s: the spend keys that the outputs are for.
///
/// # Safety
/// `points` is null or a handle; pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_points_subtract(
    points: *const curve25519_lanes_points,
    out: *mut u8,
    out_len: usize,
    scalars: *const u8,
    scalars_len: usize,
) -> c_int {
    guard(|| {
        // SAFETY: null or a handle.
        let points = unsafe { points.as_ref() }.ok_or(CURVE25519_LANES_NULL)?;
        // SAFETY: passed on.
        let ([scalars], [out]) = unsafe { borrow([(scalars, scalars_len)], [(out, out_len)])? };
        let scalars = self::scalars(scalars)?;
        expect(scalars.len() == points.0.len() && out.len() == 32 * scalars.len())?;
        let keys = spend_keys(&scalars, &points.0).map_err(|_| crate::CURVE25519_LANES_LENGTH)?;
        out.copy_from_slice(keys.as_flattened());
        Ok(CURVE25519_LANES_OK)
    })
}

/// `encode(K - s·G)` for n output keys K and n output scalars s. `good` has n bytes: 1 where the key is a point, else 0, and
/// `out` has zeros.
///
/// # Safety
/// Pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_subtract(
    out: *mut u8,
    out_len: usize,
    good: *mut u8,
    good_len: usize,
    keys: *const u8,
    keys_len: usize,
    scalars: *const u8,
    scalars_len: usize,
) -> c_int {
    guard(|| {
        // SAFETY: passed on.
        let ([keys, scalars], [out, good]) =
            unsafe { borrow([(keys, keys_len), (scalars, scalars_len)], [(out, out_len), (good, good_len)])? };
        let (keys, scalars) = (pieces(keys)?, self::scalars(scalars)?);
        expect(scalars.len() == keys.len() && good.len() == keys.len() && out.len() == 32 * keys.len())?;
        let points = try_decompress_batch_strict(keys);
        let known: Vec<EdwardsPoint> = points.iter().map(|point| point.unwrap_or(EdwardsPoint::IDENTITY)).collect();
        let sums = msm::sub_base_batch(&known, &scalars).map_err(|_| crate::CURVE25519_LANES_LENGTH)?;
        let results = compress_batch(&sums).into_iter().zip(points);
        for ((out, good), (key, point)) in out.as_chunks_mut().0.iter_mut().zip(good).zip(results) {
            *good = u8::from(point.is_some());
            *out = point.map_or([0; 32], |_| key);
        }
        Ok(CURVE25519_LANES_OK)
    })
}

/// A table of a transaction key, for derivations with many view keys.
#[allow(non_camel_case_types)]
pub struct curve25519_lanes_table(CofactorTable);

/// A table of the transaction key `key` of 32 bytes: as much work as four derivations, 16 KiB. To be freed by
/// `curve25519_lanes_table_free`. Null if the key is no point or an argument can't be used.
///
/// # Safety
/// `key` is to as many bytes as the length says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_table_new(key: *const u8, key_len: usize) -> *mut curve25519_lanes_table {
    let mut handle = std::ptr::null_mut();
    guard(|| {
        // SAFETY: passed on.
        let ([key], []) = unsafe { borrow([(key, key_len)], [])? };
        let key = key.try_into().map_err(|_| crate::CURVE25519_LANES_LENGTH)?;
        if let Some(point) = CompressedEdwardsY(key).decompress_strict() {
            handle = Box::into_raw(Box::new(curve25519_lanes_table(CofactorTable::comb(&point))));
        }
        Ok(CURVE25519_LANES_OK)
    });
    handle
}

/// The derivations of n secret view keys with the table's key, 32 bytes each.
///
/// # Safety
/// `table` is null or a handle; pointers are to as many bytes as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_table_derive(
    table: *const curve25519_lanes_table,
    out: *mut u8,
    out_len: usize,
    secrets: *const u8,
    secrets_len: usize,
) -> c_int {
    guard(|| {
        // SAFETY: null or a handle.
        let table = unsafe { table.as_ref() }.ok_or(CURVE25519_LANES_NULL)?;
        // SAFETY: passed on.
        let ([secrets], [out]) = unsafe { borrow([(secrets, secrets_len)], [(out, out_len)])? };
        let secrets = scalars(secrets)?;
        expect(out.len() == 32 * secrets.len())?;
        out.copy_from_slice(Zeroizing::new(table.0.mul_batch_encoded(&secrets)).as_flattened());
        Ok(CURVE25519_LANES_OK)
    })
}

/// Frees what `curve25519_lanes_table_new` gave. Null is nothing to free.
///
/// # Safety
/// `table` is null or was given by `curve25519_lanes_table_new`, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_table_free(table: *mut curve25519_lanes_table) {
    if !table.is_null() {
        // SAFETY: it came from a box, and nobody uses it any more.
        drop(unsafe { Box::from_raw(table) });
    }
}

//! Verification of batches, with a verdict on each item.

use std::ffi::{c_char, c_int};

use curve25519_lanes::proofs::bulletproofs_plus::monero::{self, RangeProof};
use curve25519_lanes::proofs::clsag::{self, Clsag, RingMember};

use crate::border::{
    CURVE25519_LANES_LENGTH, CURVE25519_LANES_OK, apart_from, borrow, expect, guard, pieces, slice_from,
};

/// Verdict: valid.
pub const CURVE25519_LANES_VALID: u8 = 0;
/// Verdict: the bytes have not the form of a proof or signature.
pub const CURVE25519_LANES_BAD_FORM: u8 = 1;
/// Verdict: a number of commitments, rounds, ring members or responses that no valid item has.
pub const CURVE25519_LANES_BAD_COUNT: u8 = 2;
/// Verdict: a scalar is not below the group order.
pub const CURVE25519_LANES_BAD_SCALAR: u8 = 3;
/// Verdict: an encoding is no point.
pub const CURVE25519_LANES_BAD_POINT: u8 = 4;
/// Verdict: a point is of small order that must not be.
pub const CURVE25519_LANES_SMALL_ORDER: u8 = 5;
/// Verdict: a challenge is zero.
pub const CURVE25519_LANES_ZERO_CHALLENGE: u8 = 6;
/// Verdict: everything is well formed, but the equation does not hold.
pub const CURVE25519_LANES_BAD_EQUATION: u8 = 7;
/// What verdicts hold before there are any.
const UNDECIDED: u8 = 255;

/// What a verdict says, in words.
#[unsafe(no_mangle)]
pub extern "C" fn curve25519_lanes_reason(verdict: u8) -> *const c_char {
    let reason = match verdict {
        CURVE25519_LANES_VALID => c"valid",
        CURVE25519_LANES_BAD_FORM => c"the bytes have not the right form",
        CURVE25519_LANES_BAD_COUNT => c"a number of parts that no valid item has",
        CURVE25519_LANES_BAD_SCALAR => c"a scalar is not below the group order",
        CURVE25519_LANES_BAD_POINT => c"an encoding is not a point",
        CURVE25519_LANES_SMALL_ORDER => c"a point is of small order",
        CURVE25519_LANES_ZERO_CHALLENGE => c"a challenge is zero",
        CURVE25519_LANES_BAD_EQUATION => c"the equation does not hold",
        _ => c"not a verdict",
    };
    reason.as_ptr()
}

/// A Monero Bulletproofs+ range proof.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
pub struct curve25519_lanes_range_proof {
    /// The output commitments as they stand on the chain, 32 bytes each.
    pub commitments: *const u8,
    /// Bytes of `commitments`.
    pub commitments_len: usize,
    /// The proof as it stands in a transaction: A, A1, B, r1, s1, d1, count, L…, count, R….
    pub proof: *const u8,
    /// Bytes of `proof`.
    pub proof_len: usize,
}

/// A CLSAG signature of a Monero transaction's input.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
pub struct curve25519_lanes_clsag {
    /// The ring: 64 bytes each member, one-time key and commitment.
    pub ring: *const u8,
    /// Bytes of `ring`.
    pub ring_len: usize,
    /// The key image, 32 bytes.
    pub key_image: *const u8,
    /// The pseudo-output, 32 bytes.
    pub pseudo_out: *const u8,
    /// What is signed, 32 bytes.
    pub message: *const u8,
    /// The signature as it stands in a transaction: s of each member, c1, D.
    pub signature: *const u8,
    /// Bytes of `signature`.
    pub signature_len: usize,
}

/// Verifies n range proofs in one batch. `verdicts` has n bytes, one `CURVE25519_LANES_` verdict each. 0 if all are valid, 1 if
/// not. An empty batch is refused as a wrong length, so that a lost input never reads as valid.
///
/// # Safety
/// Pointers are to as many bytes, or items, as the lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_verify_range_proofs(
    verdicts: *mut u8,
    verdicts_len: usize,
    items: *const curve25519_lanes_range_proof,
    items_count: usize,
) -> c_int {
    guard(|| {
        expect(items_count > 0 && verdicts_len == items_count)?;
        // SAFETY: passed on.
        let ([], [verdicts]) = unsafe { borrow([], [(verdicts, verdicts_len)])? };
        apart_from(verdicts, items, items_count)?;
        // SAFETY: passed on.
        let items = unsafe { slice_from(items, items_count)? };
        let mut parsed = Vec::with_capacity(items.len());
        for item in items {
            apart_from(verdicts, item.commitments, item.commitments_len)?;
            apart_from(verdicts, item.proof, item.proof_len)?;
            // SAFETY: passed on.
            let (commitments, proof) = unsafe {
                (slice_from(item.commitments, item.commitments_len)?, slice_from(item.proof, item.proof_len)?)
            };
            parsed.push((pieces(commitments)?, RangeProof::from_bytes(proof)));
        }
        verdicts.fill(UNDECIDED);
        let (mut places, mut statements) = (Vec::new(), Vec::new());
        for (i, (commitments, proof)) in parsed.iter().enumerate() {
            match proof {
                Ok(proof) => {
                    places.push(i);
                    statements.push(monero::Statement { commitments, proof });
                }
                Err(_) => verdicts[i] = CURVE25519_LANES_BAD_FORM,
            }
        }
        let mut found = vec![CURVE25519_LANES_VALID; statements.len()];
        for bad in monero::find_invalid(&statements) {
            let monero::Statement { commitments, proof } = statements[bad];
            // What is invalid stays so, whatever is found when it is looked at alone.
            found[bad] = match monero::verify(commitments, proof) {
                Err(error) => range_proof_verdict(&error),
                Ok(()) => CURVE25519_LANES_BAD_EQUATION,
            };
        }
        // Only now: after a panic in between, nothing may read as valid.
        places.into_iter().zip(found).for_each(|(place, verdict)| verdicts[place] = verdict);
        Ok(answer(verdicts))
    })
}

fn range_proof_verdict(error: &monero::VerifyError) -> u8 {
    match error {
        monero::VerifyError::Outputs(_) | monero::VerifyError::Rounds { .. } => CURVE25519_LANES_BAD_COUNT,
        monero::VerifyError::Scalar(_) => CURVE25519_LANES_BAD_SCALAR,
        monero::VerifyError::Point(_) => CURVE25519_LANES_BAD_POINT,
        monero::VerifyError::ZeroChallenge => CURVE25519_LANES_ZERO_CHALLENGE,
        _ => CURVE25519_LANES_BAD_EQUATION,
    }
}

fn answer(verdicts: &[u8]) -> c_int {
    if verdicts.iter().all(|verdict| *verdict == CURVE25519_LANES_VALID) { CURVE25519_LANES_OK } else { 1 }
}

/// Verifies n CLSAG signatures in one batch; as `curve25519_lanes_verify_range_proofs`. Whether a key image lies in the
/// subgroup of prime order, and was not spent before, is not looked at.
///
/// # Safety
/// Pointers are to as many bytes, or items, as the lengths say, and 32 bytes where there is no length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn curve25519_lanes_verify_clsag(
    verdicts: *mut u8,
    verdicts_len: usize,
    items: *const curve25519_lanes_clsag,
    items_count: usize,
) -> c_int {
    guard(|| {
        expect(items_count > 0 && verdicts_len == items_count)?;
        // SAFETY: passed on.
        let ([], [verdicts]) = unsafe { borrow([], [(verdicts, verdicts_len)])? };
        apart_from(verdicts, items, items_count)?;
        // SAFETY: passed on.
        let items = unsafe { slice_from(items, items_count)? };
        let mut parsed = Vec::with_capacity(items.len());
        for item in items {
            let word = |pointer: *const u8| {
                apart_from(verdicts, pointer, 32)?;
                // SAFETY: passed on.
                let bytes = unsafe { slice_from(pointer, 32)? };
                <&[u8; 32]>::try_from(bytes).map_err(|_| CURVE25519_LANES_LENGTH)
            };
            let (image, pseudo_out, message) = (word(item.key_image)?, word(item.pseudo_out)?, word(item.message)?);
            apart_from(verdicts, item.ring, item.ring_len)?;
            apart_from(verdicts, item.signature, item.signature_len)?;
            // SAFETY: passed on.
            let (ring, signature) =
                unsafe { (slice_from(item.ring, item.ring_len)?, slice_from(item.signature, item.signature_len)?) };
            let (members, rest) = pieces(ring)?.as_chunks::<2>();
            expect(rest.is_empty())?;
            let ring: Vec<RingMember> =
                members.iter().map(|[key, commitment]| RingMember { key: *key, commitment: *commitment }).collect();
            let signature = Clsag::from_bytes(signature, ring.len());
            parsed.push((ring, image, pseudo_out, message, signature));
        }
        verdicts.fill(UNDECIDED);
        let (mut places, mut statements) = (Vec::new(), Vec::new());
        for (i, (ring, key_image, pseudo_out, message, signature)) in parsed.iter().enumerate() {
            match signature {
                Ok(signature) => {
                    places.push(i);
                    statements.push(clsag::Statement { ring, key_image, pseudo_out, message, signature });
                }
                Err(_) => verdicts[i] = CURVE25519_LANES_BAD_FORM,
            }
        }
        for (place, verdict) in places.into_iter().zip(clsag::verify_each(&statements)) {
            verdicts[place] = match verdict {
                Ok(()) => CURVE25519_LANES_VALID,
                Err(error) => clsag_verdict(&error),
            };
        }
        Ok(answer(verdicts))
    })
}

fn clsag_verdict(error: &clsag::VerifyError) -> u8 {
    match error {
        clsag::VerifyError::EmptyRing | clsag::VerifyError::Responses { .. } => CURVE25519_LANES_BAD_COUNT,
        clsag::VerifyError::Scalar(_) => CURVE25519_LANES_BAD_SCALAR,
        clsag::VerifyError::Point(_) => CURVE25519_LANES_BAD_POINT,
        clsag::VerifyError::IdentityImage | clsag::VerifyError::SmallOrderD => CURVE25519_LANES_SMALL_ORDER,
        clsag::VerifyError::ZeroChallenge(_) => CURVE25519_LANES_ZERO_CHALLENGE,
        _ => CURVE25519_LANES_BAD_EQUATION,
    }
}

/* C interface of curve25519-lanes. Made by cbindgen from capi/src; see capi/README.md. */

#ifndef CURVE25519_LANES_H
#define CURVE25519_LANES_H

#include <stddef.h>
#include <stdint.h>

// Done.
#define CURVE25519_LANES_OK 0

// A pointer is null though there should be bytes, or a handle is null.
#define CURVE25519_LANES_NULL -2

// A length does not fit the others, or is no multiple of what it should be.
#define CURVE25519_LANES_LENGTH -3

// An output overlaps another argument.
#define CURVE25519_LANES_OVERLAP -4

// A pointer to structures is not aligned for them.
#define CURVE25519_LANES_ALIGNMENT -5

// Something failed inside. What outputs hold is meaningless.
#define CURVE25519_LANES_INTERNAL -6

// Verdict: valid.
#define CURVE25519_LANES_VALID 0

// Verdict: the bytes have not the form of a proof or signature.
#define CURVE25519_LANES_BAD_FORM 1

// Verdict: a number of commitments, rounds, ring members or responses that no valid item has.
#define CURVE25519_LANES_BAD_COUNT 2

// Verdict: a scalar is not below the group order.
#define CURVE25519_LANES_BAD_SCALAR 3

// Verdict: an encoding is no point.
#define CURVE25519_LANES_BAD_POINT 4

// Verdict: a point is of small order that must not be.
#define CURVE25519_LANES_SMALL_ORDER 5

// Verdict: a challenge is zero.
#define CURVE25519_LANES_ZERO_CHALLENGE 6

// Verdict: everything is well formed, but the equation does not hold.
#define CURVE25519_LANES_BAD_EQUATION 7

// Decoded points, for use again and again.
typedef struct curve25519_lanes_points curve25519_lanes_points;

// A table of a transaction key, for derivations with many view keys.
typedef struct curve25519_lanes_table curve25519_lanes_table;

// A Monero Bulletproofs+ range proof.
typedef struct curve25519_lanes_range_proof {
  // The output commitments as they stand on the chain, 32 bytes each.
  const uint8_t *commitments;
  // Bytes of `commitments`.
  size_t commitments_len;
  // The proof as it stands in a transaction: A, A1, B, r1, s1, d1, count, L…, count, R….
  const uint8_t *proof;
  // Bytes of `proof`.
  size_t proof_len;
} curve25519_lanes_range_proof;

// A CLSAG signature of a Monero transaction's input.
typedef struct curve25519_lanes_clsag {
  // The ring: 64 bytes each member, one-time key and commitment.
  const uint8_t *ring;
  // Bytes of `ring`.
  size_t ring_len;
  // The key image, 32 bytes.
  const uint8_t *key_image;
  // The pseudo-output, 32 bytes.
  const uint8_t *pseudo_out;
  // What is signed, 32 bytes.
  const uint8_t *message;
  // The signature as it stands in a transaction: s of each member, c1, D.
  const uint8_t *signature;
  // Bytes of `signature`.
  size_t signature_len;
} curve25519_lanes_clsag;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the library, as text.
const char *curve25519_lanes_version(void);

// The name of the backend that batches run on, as text.
const char *curve25519_lanes_backend(void);

// The sum of n scalars times n points, in variable time: all of it is public. `out` has 32 bytes. Scalars count as 256-bit
// integers. 1 if an encoding is no point: its index goes to `bad` if that is not null, and `out` is untouched.
//
// # Safety
// Pointers are to as many bytes as the lengths say; `bad` is null or to one number.
int curve25519_lanes_msm_vartime(uint8_t *out,
                                 size_t out_len,
                                 size_t *bad,
                                 const uint8_t *scalars,
                                 size_t scalars_len,
                                 const uint8_t *points,
                                 size_t points_len);

// X25519 (RFC 7748) of n secrets and n public keys, 32 bytes each. Constant-time. A result of zeros, from a public key of
// small order, is no error.
//
// # Safety
// Pointers are to as many bytes as the lengths say.
int curve25519_lanes_x25519(uint8_t *out,
                            size_t out_len,
                            const uint8_t *secrets,
                            size_t secrets_len,
                            const uint8_t *publics,
                            size_t publics_len);

// What a verdict says, in words.
const char *curve25519_lanes_reason(uint8_t verdict);

// Verifies n range proofs in one batch. `verdicts` has n bytes, one `CURVE25519_LANES_` verdict each. 0 if all are valid, 1 if
// not. An empty batch is refused as a wrong length, so that a lost input never reads as valid.
//
// # Safety
// Pointers are to as many bytes, or items, as the lengths say.
int curve25519_lanes_verify_range_proofs(uint8_t *verdicts,
                                         size_t verdicts_len,
                                         const struct curve25519_lanes_range_proof *items,
                                         size_t items_count);

// Verifies n CLSAG signatures in one batch; as `curve25519_lanes_verify_range_proofs`. Whether a key image lies in the
// subgroup of prime order, and was not spent before, is not looked at.
//
// # Safety
// Pointers are to as many bytes, or items, as the lengths say, and 32 bytes where there is no length.
int curve25519_lanes_verify_clsag(uint8_t *verdicts,
                                  size_t verdicts_len,
                                  const struct curve25519_lanes_clsag *items,
                                  size_t items_count);

// The derivations of n secret view keys with m transaction keys: `out` has 32·n·m bytes, that of key r and secret w at
// 32·(r·n + w). `good` has m bytes: 1 where the key is a point, else 0, and the derivations are zeros.
//
// # Safety
// Pointers are to as many bytes as the lengths say.
int curve25519_lanes_derive(uint8_t *out,
                            size_t out_len,
                            uint8_t *good,
                            size_t good_len,
                            const uint8_t *secrets,
                            size_t secrets_len,
                            const uint8_t *keys,
                            size_t keys_len);

// The view tags of n outputs, a byte each, from n derivations and n indexes.
//
// # Safety
// Pointers are to as many bytes, or indexes, as the lengths say.
int curve25519_lanes_view_tags(uint8_t *tags,
                               size_t tags_len,
                               const uint8_t *derivations,
                               size_t derivations_len,
                               const uint64_t *indexes,
                               size_t indexes_count);

// The output scalars of n outputs, 32 bytes each, from n derivations and n indexes.
//
// # Safety
// Pointers are to as many bytes, or indexes, as the lengths say.
int curve25519_lanes_output_scalars(uint8_t *out,
                                    size_t out_len,
                                    const uint8_t *derivations,
                                    size_t derivations_len,
                                    const uint64_t *indexes,
                                    size_t indexes_count);

// Decodes n encodings; `good` has n bytes: 1 where there is a point, else 0, and the neutral element takes its place. To be
// freed by `curve25519_lanes_points_free`. Null if an argument can't be used.
//
// # Safety
// Pointers are to as many bytes as the lengths say.
struct curve25519_lanes_points *curve25519_lanes_points_new(uint8_t *good,
                                                            size_t good_len,
                                                            const uint8_t *encodings,
                                                            size_t encodings_len);

// Frees what `curve25519_lanes_points_new` gave. Null is nothing to free.
//
// # Safety
// `points` is null or was given by `curve25519_lanes_points_new`, and is not used any more.
void curve25519_lanes_points_free(struct curve25519_lanes_points *points);

// The encodings of the points.
//
// # Safety
// `points` is null or a handle; pointers are to as many bytes as the lengths say.
int curve25519_lanes_points_encode(const struct curve25519_lanes_points *points,
                                   uint8_t *out,
                                   size_t out_len);

// `encode(K - s·G)` for n output keys K, decoded before, and n output scalars s: the spend keys that the outputs are for.
//
// # Safety
// `points` is null or a handle; pointers are to as many bytes as the lengths say.
int curve25519_lanes_points_subtract(const struct curve25519_lanes_points *points,
                                     uint8_t *out,
                                     size_t out_len,
                                     const uint8_t *scalars,
                                     size_t scalars_len);

// `encode(K - s·G)` for n output keys K and n output scalars s. `good` has n bytes: 1 where the key is a point, else 0, and
// `out` has zeros.
//
// # Safety
// Pointers are to as many bytes as the lengths say.
int curve25519_lanes_subtract(uint8_t *out,
                              size_t out_len,
                              uint8_t *good,
                              size_t good_len,
                              const uint8_t *keys,
                              size_t keys_len,
                              const uint8_t *scalars,
                              size_t scalars_len);

// A table of the transaction key `key` of 32 bytes: as much work as four derivations, 16 KiB. To be freed by
// `curve25519_lanes_table_free`. Null if the key is no point or an argument can't be used.
//
// # Safety
// `key` is to as many bytes as the length says.
struct curve25519_lanes_table *curve25519_lanes_table_new(const uint8_t *key, size_t key_len);

// The derivations of n secret view keys with the table's key, 32 bytes each.
//
// # Safety
// `table` is null or a handle; pointers are to as many bytes as the lengths say.
int curve25519_lanes_table_derive(const struct curve25519_lanes_table *table,
                                  uint8_t *out,
                                  size_t out_len,
                                  const uint8_t *secrets,
                                  size_t secrets_len);

// Frees what `curve25519_lanes_table_new` gave. Null is nothing to free.
//
// # Safety
// `table` is null or was given by `curve25519_lanes_table_new`, and is not used any more.
void curve25519_lanes_table_free(struct curve25519_lanes_table *table);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CURVE25519_LANES_H */

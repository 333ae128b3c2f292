/* What callers get wrong: every such call is refused with the right number, and touches nothing. Also a few results, and
 * calls from threads. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "curve25519_lanes.h"
#include "curve25519_lanes_monero.h"

#define CHECK(condition)                                            \
    do {                                                            \
        if (!(condition)) {                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
            return 1;                                               \
        }                                                           \
    } while (0)

static const uint8_t BASE[32] = {0x58, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                                 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                                 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66};

static int is_fill(const uint8_t *bytes, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++)
        if (bytes[i] != 0xaa)
            return 0;
    return 1;
}

static void *derive_often(void *result)
{
    uint8_t secret[32] = {5}, out[32], first[32], good;
    int i;
    *(int *)result = 1;
    for (i = 0; i < 50; i++) {
        if (curve25519_lanes_derive(out, 32, &good, 1, secret, 32, BASE, 32) != 0 || good != 1)
            return NULL;
        if (i == 0)
            memcpy(first, out, 32);
        else if (memcmp(first, out, 32) != 0)
            return NULL;
    }
    *(int *)result = 0;
    return NULL;
}

int main(void)
{
    uint8_t out[256], good[8], verdicts[4], secrets[64] = {0}, keys[64], bad[32];
    uint64_t indexes[2] = {0, 300};
    size_t index = 77;
    int i;
    secrets[0] = 1;
    secrets[32] = 2;
    memcpy(keys, BASE, 32);
    memset(bad, 0xff, 32);
    memcpy(keys + 32, bad, 32);
    memset(out, 0xaa, sizeof out);
    memset(good, 0xaa, sizeof good);

    CHECK(strlen(curve25519_lanes_version()) > 0 && strlen(curve25519_lanes_backend()) > 0);

    /* Null, lengths, overlaps. */
    CHECK(curve25519_lanes_derive(NULL, 128, good, 2, secrets, 64, keys, 64) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_derive(out, 128, good, 2, NULL, 64, keys, 64) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_derive(out, 127, good, 2, secrets, 64, keys, 64) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_derive(out, 128, good, 1, secrets, 64, keys, 64) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_derive(out, 128, good, 2, secrets, 63, keys, 64) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_derive(out, (size_t)-1, good, 2, secrets, 64, keys, 64) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_derive(keys, 32, good, 1, secrets, 32, keys, 32) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_derive(out, 128, out + 127, 2, secrets, 64, keys, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(is_fill(out, sizeof out) && is_fill(good, sizeof good) && memcmp(keys, BASE, 32) == 0);
    CHECK(curve25519_lanes_view_tags(good, 2, secrets, 32, indexes, 2) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_view_tags(good, 2, secrets, 64, NULL, 2) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_output_scalars(out, 64, secrets, 64, indexes, (size_t)1 << 62) < 0);
    CHECK(curve25519_lanes_subtract(out, 64, good, 2, keys, 64, secrets, 32) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_msm_vartime(out, 31, &index, secrets, 64, keys, 64) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_x25519(out, 64, secrets, 64, keys, 32) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_points_new(good, 1, keys, 64) == NULL);
    CHECK(curve25519_lanes_points_new(NULL, 2, keys, 64) == NULL);
    CHECK(curve25519_lanes_table_new(keys, 31) == NULL && curve25519_lanes_table_new(NULL, 32) == NULL);
    CHECK(curve25519_lanes_table_derive(NULL, out, 32, secrets, 32) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_points_encode(NULL, out, 32) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_points_subtract(NULL, out, 32, secrets, 32) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_verify_range_proofs(verdicts, 0, NULL, 0) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, NULL, 1) == CURVE25519_LANES_NULL);
    CHECK(curve25519_lanes_verify_clsag(verdicts, 2, NULL, 1) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_x25519(secrets, 64, secrets, 64, keys, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_x25519(out, 64, secrets, 64, out + 63, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_msm_vartime(keys + 1, 32, NULL, secrets, 64, keys, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_msm_vartime(out, 32, (size_t *)(void *)out, secrets, 64, keys, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_msm_vartime(out, 32, (size_t *)(void *)keys, secrets, 64, keys, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_subtract(out, 64, out + 63, 2, keys, 64, secrets, 64) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_view_tags((uint8_t *)indexes + 15, 2, keys, 64, indexes, 2) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_output_scalars(keys, 64, keys, 64, indexes, 2) == CURVE25519_LANES_OVERLAP);
    CHECK(curve25519_lanes_points_new(keys + 63, 2, keys, 64) == NULL);
    /* Bytes that no address space has. */
    CHECK(curve25519_lanes_x25519(out, SIZE_MAX - 31, secrets, SIZE_MAX - 31, keys, SIZE_MAX - 31) == CURVE25519_LANES_LENGTH);
    CHECK(curve25519_lanes_view_tags(good, SIZE_MAX / 8, secrets, 64, indexes, SIZE_MAX / 8) < 0);
    CHECK(curve25519_lanes_verify_range_proofs(verdicts, SIZE_MAX / 64, (void *)secrets, SIZE_MAX / 64) < 0);
    CHECK(is_fill(out, sizeof out) && is_fill(good, sizeof good) && memcmp(keys, BASE, 32) == 0);
    CHECK(secrets[0] == 1 && secrets[32] == 2 && indexes[1] == 300);
    curve25519_lanes_points_free(NULL);
    curve25519_lanes_table_free(NULL);
    CHECK(monero_crypto_curve25519_lanes_ge25519_scalarmult(NULL, (char *)keys, (char *)secrets) == -1);
    CHECK(monero_crypto_curve25519_lanes_ge25519_scalarmult((char *)out, NULL, (char *)secrets) == -1);
    CHECK(monero_crypto_curve25519_lanes_generate_key_derivation((char *)out, (char *)bad, (char *)secrets) == -1);
    CHECK(monero_crypto_curve25519_lanes_generate_subaddress_public_key((char *)out, (char *)bad, (char *)secrets) == -1);
    CHECK(is_fill(out, sizeof out));

    /* Nothing is something to compute. */
    CHECK(curve25519_lanes_derive(NULL, 0, NULL, 0, NULL, 0, NULL, 0) == CURVE25519_LANES_OK);
    CHECK(curve25519_lanes_msm_vartime(out, 32, NULL, NULL, 0, NULL, 0) == CURVE25519_LANES_OK && out[0] == 1);

    /* A few results. */
    CHECK(curve25519_lanes_derive(out, 128, good, 2, secrets, 64, keys, 64) == CURVE25519_LANES_OK);
    CHECK(good[0] == 1 && good[1] == 0 && out[64] == 0 && out[127] == 0);
    CHECK(curve25519_lanes_msm_vartime(out, 32, &index, secrets, 64, keys, 64) == 1 && index == 1);
    CHECK(curve25519_lanes_subtract(out, 64, good, 2, keys, 64, secrets, 64) == CURVE25519_LANES_OK);
    CHECK(good[0] == 1 && out[0] == 1 && good[1] == 0 && out[32] == 0 && out[63] == 0);
    memcpy(keys + 32, BASE, 32);
    /* 1·G + 2·G - 3·G */
    CHECK(curve25519_lanes_msm_vartime(out, 32, NULL, secrets, 64, keys, 64) == CURVE25519_LANES_OK);
    secrets[0] = 3;
    CHECK(curve25519_lanes_subtract(out + 32, 32, good, 1, out, 32, secrets, 32) == CURVE25519_LANES_OK);
    CHECK(good[0] == 1 && out[32] == 1 && out[63] == 0);
    CHECK(monero_crypto_curve25519_lanes_ge25519_scalarmult((char *)out + 64, (char *)keys, (char *)secrets) == 0);
    CHECK(memcmp(out, out + 64, 32) == 0);
    {
        curve25519_lanes_points *points = curve25519_lanes_points_new(good, 2, keys, 64);
        CHECK(points != NULL && good[0] == 1 && good[1] == 1);
        CHECK(curve25519_lanes_points_encode(points, out, 64) == 0 && memcmp(out, keys, 64) == 0);
        CHECK(curve25519_lanes_points_encode(points, out, 32) == CURVE25519_LANES_LENGTH);
        secrets[0] = secrets[32] = 1;
        CHECK(curve25519_lanes_points_subtract(points, out, 64, secrets, 64) == 0 && out[0] == 1 && out[32] == 1);
        CHECK(curve25519_lanes_points_subtract(points, secrets, 64, secrets, 64) == CURVE25519_LANES_OVERLAP);
        CHECK(curve25519_lanes_points_subtract(points, out, 64, secrets, 32) == CURVE25519_LANES_LENGTH);
        curve25519_lanes_points_free(points);
    }
    {
        curve25519_lanes_table *table = curve25519_lanes_table_new(keys, 32);
        CHECK(table != NULL && curve25519_lanes_table_derive(table, out, 64, secrets, 64) == CURVE25519_LANES_OK);
        CHECK(curve25519_lanes_derive(out + 64, 64, good, 1, secrets, 64, keys, 32) == CURVE25519_LANES_OK);
        CHECK(memcmp(out, out + 64, 64) == 0);
        CHECK(curve25519_lanes_table_derive(table, secrets, 64, secrets, 64) == CURVE25519_LANES_OVERLAP);
        CHECK(curve25519_lanes_table_derive(table, out, 32, secrets, 64) == CURVE25519_LANES_LENGTH);
        CHECK(curve25519_lanes_table_derive(table, NULL, 64, secrets, 64) == CURVE25519_LANES_NULL);
        CHECK(curve25519_lanes_table_new(bad, 32) == NULL);
        curve25519_lanes_table_free(table);
    }
    {
        /* Proofs that are none. */
        curve25519_lanes_range_proof item = {keys, 32, bad, 32};
        curve25519_lanes_clsag signature = {keys, 64, keys, keys, keys, bad, 32};
        CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, &item, 1) == 1);
        CHECK(verdicts[0] == CURVE25519_LANES_BAD_FORM);
        CHECK(curve25519_lanes_verify_clsag(verdicts, 1, &signature, 1) == 1);
        CHECK(verdicts[0] == CURVE25519_LANES_BAD_FORM);
        item.commitments_len = 31;
        CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, &item, 1) == CURVE25519_LANES_LENGTH);
        item.commitments = verdicts;
        item.commitments_len = 32;
        CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, &item, 1) == CURVE25519_LANES_OVERLAP);
        item.commitments = keys;
        item.proof = verdicts;
        CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, &item, 1) == CURVE25519_LANES_OVERLAP);
        item.proof = NULL;
        CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, &item, 1) == CURVE25519_LANES_NULL);
        CHECK(curve25519_lanes_verify_range_proofs((uint8_t *)&item, 1, &item, 1) == CURVE25519_LANES_OVERLAP);
        CHECK(curve25519_lanes_verify_range_proofs(verdicts, 1, (void *)(out + 1), 1) == CURVE25519_LANES_ALIGNMENT);
        CHECK(curve25519_lanes_verify_clsag(verdicts, 1, (void *)(out + 1), 1) == CURVE25519_LANES_ALIGNMENT);
        CHECK(curve25519_lanes_verify_clsag((uint8_t *)&signature, 1, &signature, 1) == CURVE25519_LANES_OVERLAP);
        for (i = 0; i < 5; i++) {
            curve25519_lanes_clsag other = signature;
            const uint8_t **part[5] = {&other.ring, &other.key_image, &other.pseudo_out, &other.message, &other.signature};
            *part[i] = verdicts;
            CHECK(curve25519_lanes_verify_clsag(verdicts, 1, &other, 1) == CURVE25519_LANES_OVERLAP);
            *part[i] = NULL;
            CHECK(curve25519_lanes_verify_clsag(verdicts, 1, &other, 1) == CURVE25519_LANES_NULL);
        }
        signature.ring_len = 63;
        CHECK(curve25519_lanes_verify_clsag(verdicts, 1, &signature, 1) == CURVE25519_LANES_LENGTH);
        CHECK(verdicts[0] == CURVE25519_LANES_BAD_FORM);
        for (i = 0; i < 256; i++)
            CHECK(strlen(curve25519_lanes_reason((uint8_t)i)) > 0);
    }
    {
        pthread_t threads[4];
        int results[4];
        for (i = 0; i < 4; i++)
            CHECK(pthread_create(&threads[i], NULL, derive_often, &results[i]) == 0);
        for (i = 0; i < 4; i++)
            CHECK(pthread_join(threads[i], NULL) == 0 && results[i] == 0);
    }
    puts("ok");
    return 0;
}

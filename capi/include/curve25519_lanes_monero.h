/* The functions that Monero links, under the name of this library and, where it was built with those features, under the
   names of supercop's. All pointers are to 32 bytes; `out` may be an input and is untouched on failure. 0, or -1 where the
   encoding is no point or a pointer is null. */
#ifndef CURVE25519_LANES_MONERO_H
#define CURVE25519_LANES_MONERO_H

#ifdef __cplusplus
extern "C" {
#endif

#define CURVE25519_LANES_MONERO_FUNCTIONS(ns)                                                                         \
    /* encode(sec * decode(pub)) */                                                                                  \
    int monero_crypto_##ns##_ge25519_scalarmult(char *out, char const *pub, char const *sec);                         \
    /* encode(8 * (view_sec * decode(tx_pub))) */                                                                    \
    int monero_crypto_##ns##_generate_key_derivation(char *out, char const *tx_pub, char const *view_sec);            \
    /* encode(decode(output_pub) - special_sec * G) */                                                               \
    int monero_crypto_##ns##_generate_subaddress_public_key(char *out, char const *output_pub, char const *special_sec);

CURVE25519_LANES_MONERO_FUNCTIONS(curve25519_lanes)
CURVE25519_LANES_MONERO_FUNCTIONS(amd64_51_30k)
CURVE25519_LANES_MONERO_FUNCTIONS(amd64_64_24k)

#undef CURVE25519_LANES_MONERO_FUNCTIONS

#ifdef __cplusplus
}
#endif

#endif

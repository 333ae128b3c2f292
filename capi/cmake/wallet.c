/* What a wallet library adds of its own. As in Monero, macros choose the library's functions. */
#include "curve25519_lanes_monero.h"

#define JOINED(namespace, function) monero_crypto_##namespace##_##function
#define FUNCTION(namespace, function) JOINED(namespace, function)

int multiply(char *out, char const *pub, char const *sec)
{
    return FUNCTION(LANES_NAMESPACE, ge25519_scalarmult)(out, pub, sec);
}

int derive(char *out, char const *tx_pub, char const *view_sec)
{
    return FUNCTION(LANES_NAMESPACE, generate_key_derivation)(out, tx_pub, view_sec);
}

int spend_key(char *out, char const *output_pub, char const *special_sec)
{
    return FUNCTION(LANES_NAMESPACE, generate_subaddress_public_key)(out, output_pub, special_sec);
}

/* What a wallet library adds of its own. */
#include "curve25519_lanes_monero.h"

int derive(char *out, char const *tx_pub, char const *view_sec)
{
    return monero_crypto_curve25519_lanes_generate_key_derivation(out, tx_pub, view_sec);
}

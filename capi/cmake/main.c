/* 0 if the three functions agree: 8 times a·R is the derivation, and the base point less 1·G is the neutral element. */
#include <string.h>

int multiply(char *out, char const *pub, char const *sec);
int derive(char *out, char const *tx_pub, char const *view_sec);
int spend_key(char *out, char const *output_pub, char const *special_sec);

int main(void)
{
    char base[32], neutral[32] = {1}, one[32] = {1}, secret[32] = {7}, eight[32] = {56}, bad[32], a[32], b[32];
    memset(base, 0x66, sizeof base);
    base[0] = 0x58;
    memset(bad, 0xff, sizeof bad);
    if (derive(a, base, secret) != 0 || multiply(b, base, eight) != 0 || memcmp(a, b, 32) != 0)
        return 1;
    if (spend_key(a, base, one) != 0 || memcmp(a, neutral, 32) != 0)
        return 2;
    if (derive(a, bad, secret) != -1 || multiply(a, bad, secret) != -1 || spend_key(a, bad, one) != -1)
        return 3;
    return 0;
}

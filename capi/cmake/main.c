/* 0 if a derivation known beforehand comes out. */
#include <string.h>

int derive(char *out, char const *tx_pub, char const *view_sec);

int main(void)
{
    /* The neutral element times anything is the neutral element. */
    char key[32] = {1}, secret[32] = {7}, out[32];
    char expected[32] = {1};
    char bad[32];
    memset(bad, 0xff, sizeof bad);
    if (derive(out, key, secret) != 0 || memcmp(out, expected, 32) != 0)
        return 1;
    return derive(out, bad, secret) == -1 ? 0 : 2;
}

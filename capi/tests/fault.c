/* Faults planted in a caller: what the sanitizers' run must see, in the library as well as outside.
 *
 *   fault write|leak|undefined */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "curve25519_lanes.h"

int main(int argc, char **argv)
{
    const char *fault = argc == 2 ? argv[1] : "";
    uint8_t bytes[128] = {9}, good[4];
    if (strcmp(fault, "write") == 0) {
        /* The library is told of one byte more than there is to write to. */
        uint8_t *out = malloc(63);
        return curve25519_lanes_x25519(out, 64, bytes, 64, bytes, 64) + out[argc];
    }
    if (strcmp(fault, "leak") == 0)
        return curve25519_lanes_points_new(good, 4, bytes, 128) == NULL;
    if (strcmp(fault, "undefined") == 0)
        return (INT_MAX - 2 + argc + argc) < 0;
    return 3;
}

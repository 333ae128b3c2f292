/* Verifies a batch of range proofs.
 *
 *   verify_range_proofs FILE
 *
 * FILE has a proof on each line: commitments in hex, a space, the proof in hex. Prints a verdict for each; 0 if all are valid,
 * 1 if not, 2 for a file that can't be used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve25519_lanes.h"

enum { MAX_ITEMS = 4096, MAX_LINE = 1 << 16 };

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* The bytes of hex digits up to a space or the end of the line, from the heap, or NULL. */
static uint8_t *bytes(const char **text, size_t *length)
{
    size_t digits = strspn(*text, "0123456789abcdef");
    uint8_t *out;
    size_t i;
    if (digits % 2 != 0 || (out = malloc(digits / 2 + 1)) == NULL)
        return NULL;
    for (i = 0; i < digits / 2; i++)
        out[i] = (uint8_t)(digit((*text)[2 * i]) << 4 | digit((*text)[2 * i + 1]));
    *text += digits;
    *length = digits / 2;
    return out;
}

int main(int argc, char **argv)
{
    static curve25519_lanes_range_proof items[MAX_ITEMS];
    static uint8_t verdicts[MAX_ITEMS];
    static char line[MAX_LINE];
    size_t count = 0, i;
    int result;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: verify_range_proofs FILE\n");
        return 2;
    }
    while (count < MAX_ITEMS && fgets(line, sizeof line, file) != NULL) {
        const char *text = line;
        curve25519_lanes_range_proof *item = &items[count++];
        item->commitments = bytes(&text, &item->commitments_len);
        text += *text == ' ';
        item->proof = bytes(&text, &item->proof_len);
        if (item->commitments == NULL || item->proof == NULL || *text != '\n') {
            fprintf(stderr, "line %zu is not commitments and proof in hex\n", count);
            return 2;
        }
    }
    fclose(file);
    result = curve25519_lanes_verify_range_proofs(verdicts, count, items, count);
    if (result < 0) {
        fprintf(stderr, "arguments can't be used: %d\n", result);
        return 2;
    }
    for (i = 0; i < count; i++) {
        printf("%zu %s\n", i, curve25519_lanes_reason(verdicts[i]));
        free((void *)items[i].commitments);
        free((void *)items[i].proof);
    }
    return result;
}

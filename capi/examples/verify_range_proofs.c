/* Verifies a batch of range proofs.
 *
 *   verify_range_proofs FILE
 *
 * FILE has a proof on each line: commitments in hex, a space, the proof in hex. Prints a verdict for each; 0 if all are valid,
 * 1 if not, 2 for a file that can't be used. */
#include <stdio.h>

#include "curve25519_lanes.h"
#include "hex.h"

enum { MAX_ITEMS = 4096 };

int main(int argc, char **argv)
{
    static curve25519_lanes_range_proof items[MAX_ITEMS];
    static uint8_t verdicts[MAX_ITEMS];
    static char line[MAX_LINE];
    size_t count = 0, i;
    int result;
    FILE *file;
    if (argc != 2) {
        fprintf(stderr, "usage: verify_range_proofs FILE\n");
        return 2;
    }
    file = fopen(argv[1], "r");
    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        const char *text = line;
        curve25519_lanes_range_proof *item;
        if (count == MAX_ITEMS) {
            fprintf(stderr, "more than %d lines\n", MAX_ITEMS);
            return 2;
        }
        item = &items[count++];
        item->commitments = word(&text, &item->commitments_len);
        item->proof = word(&text, &item->proof_len);
        if (item->commitments == NULL || item->proof == NULL || *text != '\n') {
            fprintf(stderr, "line %zu is not commitments and proof in hex\n", count);
            return 2;
        }
    }
    fclose(file);
    if (count == 0) {
        fprintf(stderr, "%s: no lines\n", argv[1]);
        return 2;
    }
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

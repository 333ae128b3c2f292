/* Verifies a batch of CLSAG ring signatures.
 *
 *   verify_clsag FILE
 *
 * FILE has a signature on each line, five words in hex: ring (key and commitment of each member), key image, pseudo-output,
 * message, signature (s of each member, c1, D). Prints a verdict for each; 0 if all are valid, 1 if not, 2 for a file that
 * can't be used. */
#include <stdio.h>

#include "curve25519_lanes.h"
#include "hex.h"

enum { MAX_ITEMS = 4096, WORDS = 5 };

int main(int argc, char **argv)
{
    static curve25519_lanes_clsag items[MAX_ITEMS];
    static uint8_t *words[MAX_ITEMS][WORDS];
    static uint8_t verdicts[MAX_ITEMS];
    static char line[MAX_LINE];
    size_t count = 0, i, w;
    int result;
    FILE *file;
    if (argc != 2) {
        fprintf(stderr, "usage: verify_clsag FILE\n");
        return 2;
    }
    file = fopen(argv[1], "r");
    if (file == NULL) {
        perror(argv[1]);
        return 2;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        const char *text = line;
        size_t lengths[WORDS] = {0};
        uint8_t **parts;
        if (count == MAX_ITEMS) {
            fprintf(stderr, "more than %d lines\n", MAX_ITEMS);
            return 2;
        }
        parts = words[count];
        for (w = 0; w < WORDS; w++)
            if ((parts[w] = word(&text, &lengths[w])) == NULL)
                break;
        if (w < WORDS || *text != '\n' || lengths[1] != 32 || lengths[2] != 32 || lengths[3] != 32) {
            fprintf(stderr, "line %zu is not five words in hex\n", count + 1);
            return 2;
        }
        items[count++] = (curve25519_lanes_clsag){
            .ring = parts[0],
            .ring_len = lengths[0],
            .key_image = parts[1],
            .pseudo_out = parts[2],
            .message = parts[3],
            .signature = parts[4],
            .signature_len = lengths[4],
        };
    }
    fclose(file);
    if (count == 0) {
        fprintf(stderr, "%s: no lines\n", argv[1]);
        return 2;
    }
    result = curve25519_lanes_verify_clsag(verdicts, count, items, count);
    if (result < 0) {
        fprintf(stderr, "arguments can't be used: %d\n", result);
        return 2;
    }
    for (i = 0; i < count; i++) {
        printf("%zu %s\n", i, curve25519_lanes_reason(verdicts[i]));
        for (w = 0; w < WORDS; w++)
            free(words[i][w]);
    }
    return result;
}

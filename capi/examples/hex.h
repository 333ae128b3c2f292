/* Lines of words in hex, for the example programs. */
#ifndef EXAMPLE_HEX_H
#define EXAMPLE_HEX_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Room for a line; a longer one is refused as one that does not end. */
enum { MAX_LINE = 1 << 16 };

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* The bytes of the word at `*text`, from the heap, or NULL. `*text` moves to the next word or to the end of the line. */
static uint8_t *word(const char **text, size_t *length)
{
    size_t digits = strspn(*text, "0123456789abcdef");
    uint8_t *out;
    size_t i;
    if (digits % 2 != 0 || (out = malloc(digits / 2 + 1)) == NULL)
        return NULL;
    for (i = 0; i < digits / 2; i++)
        out[i] = (uint8_t)(digit((*text)[2 * i]) << 4 | digit((*text)[2 * i + 1]));
    *text += digits;
    *text += **text == ' ';
    *length = digits / 2;
    return out;
}

#endif

#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

enum { MOST_BYTES = 256 };

static unsigned char fold_case(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (unsigned char)(letter - 'A' + 'a')
                                          : (unsigned char)letter;
}

/* No more letters than count. */
static size_t length_of(const char *text)
{
    const char *end = memchr(text, '\0', MOST_BYTES);
    return end != NULL ? (size_t)(end - text) : MOST_BYTES;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters have to be added, taken away or replaced; capitals are no difference. */
static size_t count_changes(const char *from, const char *to)
{
    size_t row[MOST_BYTES + 1];
    const size_t columns = length_of(to);
    const size_t rows = length_of(from);
    for (size_t c = 0; c <= columns; c++)
        row[c] = c;
    for (size_t r = 1; r <= rows; r++) {
        size_t diagonal = row[0];
        row[0] = r;
        for (size_t c = 1; c <= columns; c++) {
            const size_t replaced = diagonal + (fold_case(from[r - 1]) != fold_case(to[c - 1]));
            diagonal = row[c];
            row[c] = least(replaced, least(row[c], row[c - 1]) + 1);
        }
    }
    return row[columns];
}

/* Whether a path ends in these steps. */
static int ends_in(const char *path, const char *steps)
{
    const size_t length = strlen(path);
    const size_t end = strlen(steps);
    return end > 0 && length > end && path[length - end - 1] == '/' &&
           strcmp(path + length - end, steps) == 0;
}

size_t oc_nearest(const char *wanted, const char *const *texts, size_t count)
{
    size_t best = count;
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const size_t changes = ends_in(texts[i], wanted) ? 0 : count_changes(wanted, texts[i]);
        if (changes < fewest) {
            fewest = changes;
            best = i;
        }
    }
    return best;
}

#define _POSIX_C_SOURCE 200809L
#include "request/nearest.h"

#include <string.h>

enum { MOST_LETTERS = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t count_letters(const char *text)
{
    return strnlen(text, MOST_LETTERS);
}

/* How many letters have to be added, taken away, replaced or swapped with the next one, which is
 * what fingers do. */
static size_t count_changes(const char *from, size_t rows, const char *to)
{
    size_t changes[MOST_LETTERS + 1][MOST_LETTERS + 1];
    const size_t columns = count_letters(to);
    for (size_t r = 0; r <= rows; r++)
        for (size_t c = 0; c <= columns; c++) {
            if (r == 0 || c == 0) {
                changes[r][c] = r + c;
                continue;
            }
            const size_t replaced = changes[r - 1][c - 1] + (from[r - 1] != to[c - 1]);
            changes[r][c] = least(replaced, least(changes[r - 1][c], changes[r][c - 1]) + 1);
            if (r > 1 && c > 1 && from[r - 1] == to[c - 2] && from[r - 2] == to[c - 1])
                changes[r][c] = least(changes[r][c], changes[r - 2][c - 2] + 1);
        }
    return changes[rows][columns];
}

oc_nearest_name oc_nearest_to(const char *wanted, size_t length)
{
    return (oc_nearest_name){.wanted = wanted, .length = least(length, MOST_LETTERS)};
}

void oc_nearest_try(oc_nearest_name *nearest, const char *name)
{
    const size_t length = nearest->length;
    /* A beginning is as good as one change: words are cut short where they are long. */
    const size_t changes = length > 1 && strncmp(name, nearest->wanted, length) == 0
                               ? 1
                               : count_changes(nearest->wanted, length, name);
    if (changes >= length || changes > 1 + (length - 1) / 4)
        return;
    if (nearest->name == NULL || changes < nearest->changes) {
        nearest->name = name;
        nearest->changes = changes;
    }
}

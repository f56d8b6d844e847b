#include "base/options.h"

#include "base/memory.h"

#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

/* --- Structures */

ocelotl_status oc_read_options(void *known, size_t size, const void *given)
{
    size_t given_size;
    if (given == NULL)
        return OCELOTL_OK;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < sizeof given_size)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "options without their size, expected them to be made by their "
                       "initialiser");
    memcpy(known, given, given_size < size ? given_size : size);
    return OCELOTL_OK;
}

void oc_give_info(void *info, const void *known, size_t known_size)
{
    const size_t first = sizeof(size_t);
    size_t size;
    memcpy(&size, info, sizeof size);
    if (size <= first)
        return;
    const size_t common = size < known_size ? size : known_size;
    memcpy((char *)info + first, (const char *)known + first, common - first);
    memset((char *)info + common, 0, size - common);
}

void oc_complete_selection(ocelotl_selection *selection)
{
    if (selection->from == 0 && selection->to == 0) {
        selection->from = INT64_MIN;
        selection->to = INT64_MAX;
    }
    if (selection->max_duration == 0)
        selection->max_duration = INT64_MAX;
    else if (selection->max_duration < 0)
        selection->max_duration = 0;
}

/* --- Names and patterns */

bool oc_pattern_matches(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || sqlite3_strglob(pattern, name) == 0;
}

bool oc_pattern_matches_small(const char *pattern, const char *name)
{
    char small[256];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof small; length++)
        small[length] =
            (char)(name[length] >= 'A' && name[length] <= 'Z' ? name[length] + 32 : name[length]);
    small[length] = '\0';
    return oc_pattern_matches(pattern, small);
}

bool oc_is_idle_name(const char *name)
{
    static const char *const idle[] = {"blocked", "sleeping", "sleep",    "idle",
                                       "idling",  "free",     "inactive", "parked"};
    for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
        if (oc_pattern_matches_small(idle[i], name))
            return true;
    return false;
}

bool oc_is_gpu_stream(const char *name)
{
    return strncmp(name, "stream ", 7) == 0 || strncmp(name, "Stream ", 7) == 0;
}

bool oc_patterns_match(const ocelotl_names *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (oc_pattern_matches(patterns->names[i], name))
            return true;
    return false;
}

ocelotl_status oc_check_names(const ocelotl_names *names, const char *what)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->names == NULL || names->names[i] == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s %zu has no name", what, i);
    return OCELOTL_OK;
}

ocelotl_status oc_copy_names(const char ***copy, const ocelotl_names *names)
{
    size_t bytes = names->count * sizeof **copy;
    for (size_t i = 0; i < names->count; i++)
        bytes += strlen(names->names[i]) + 1;
    OC_TRY(oc_allocate(copy, bytes, 1));
    char *text = (char *)(*copy + names->count);
    for (size_t i = 0; i < names->count; i++) {
        const size_t length = strlen(names->names[i]) + 1;
        memcpy(text, names->names[i], length);
        (*copy)[i] = text;
        text += length;
    }
    return OCELOTL_OK;
}

/* --- The nearest name */

enum { MOST_BYTES = 256 };

static unsigned char fold_case(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (unsigned char)(letter - 'A' + 'a')
                                          : (unsigned char)letter;
}

/* The length of a text, up to the letters that count. */
static size_t length_of(const char *text)
{
    const char *end = memchr(text, '\0', MOST_BYTES);
    return end != NULL ? (size_t)(end - text) : MOST_BYTES;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters have to be added, taken away or replaced; capitals are no difference: names of a
 * trace may be long, and are written from memory. */
static size_t count_edits(const char *from, const char *to)
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

size_t oc_count_changes(const char *wanted, const char *text)
{
    return ends_in(text, wanted) ? 0 : count_edits(wanted, text);
}

size_t oc_nearest(const char *wanted, const char *const *texts, size_t count)
{
    size_t best = count;
    size_t fewest = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        const size_t changes = oc_count_changes(wanted, texts[i]);
        if (changes < fewest) {
            fewest = changes;
            best = i;
        }
    }
    return best;
}

const char *oc_kind_name(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL  ? "temporal"
           : kind == OCELOTL_SPATIAL ? "spatial"
                                     : "spatiotemporal";
}

const char *oc_category_name(ocelotl_category category)
{
    static const char *const names[] = {"event", "state", "variable", "link"};
    return names[category];
}

/* --- What a word may have been meant for */

enum { MOST_LETTERS = 63 };

/* The same with capitals, and with letters swapped with the next one, which is what fingers do: the
 * words of a command line are short, and typed. */
static size_t count_edits_and_swaps(const char *from, size_t rows, const char *to)
{
    size_t changes[MOST_LETTERS + 1][MOST_LETTERS + 1];
    const size_t columns = least(length_of(to), MOST_LETTERS);
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
                               : count_edits_and_swaps(nearest->wanted, length, name);
    if (changes >= length || changes > 1 + (length - 1) / 4)
        return;
    if (nearest->name == NULL || changes < nearest->changes) {
        nearest->name = name;
        nearest->changes = changes;
    }
}

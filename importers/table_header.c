#include "importers/table_header.h"

#include "base/plain.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 4, LONGEST = 400 };

static const char *const columns[COLUMNS] = {"path", "type", "slice", "value"};
static const char expected[] = "path,type,slice,value";

/* The beginning of a table: the first two lines. */
typedef struct table {
    const char *lines[2];
    size_t lengths[2];
} table;

/* False for what is no text, or too long for a header. */
static bool cut_line(table *found, size_t index, const char *text, size_t length)
{
    const char *end = length > 0 ? memchr(text, '\n', length) : NULL;
    size_t used = end != NULL ? (size_t)(end - text) : length;
    if (used > 0 && text[used - 1] == '\r')
        used--;
    for (size_t i = 0; i < used; i++)
        if ((unsigned char)text[i] < ' ' && text[i] != '\t')
            return false;
    found->lines[index] = text;
    found->lengths[index] = used;
    return used > 0 && used < LONGEST;
}

static size_t count(const table *found, size_t line, char separator)
{
    size_t separators = 0;
    for (size_t i = 0; i < found->lengths[line]; i++)
        separators += found->lines[line][i] == separator;
    return separators;
}

/* The same number of separators in both lines, at least two; 0: none is one. */
static char find_separator(const table *found)
{
    static const char separators[] = ",;\t|";
    char best = 0;
    size_t most = 1;
    for (const char *one = separators; *one != '\0'; one++) {
        const size_t first = count(found, 0, *one);
        if (first > most && (found->lengths[1] == 0 || count(found, 1, *one) == first)) {
            best = *one;
            most = first;
        }
    }
    return best;
}

/* A field without the blanks and quotes around it. */
static void trim(const char **field, size_t *length)
{
    while (*length > 0 && strchr(" \t\"", **field) != NULL) {
        ++*field;
        --*length;
    }
    while (*length > 0 && strchr(" \t\"", (*field)[*length - 1]) != NULL)
        --*length;
}

/* How many of the first line's columns are called as they must be, whatever the case of letters. */
static size_t count_known(const table *found, char separator)
{
    const char *field = found->lines[0];
    const char *end = field + found->lengths[0];
    size_t known = 0;
    for (size_t i = 0; i < COLUMNS && field <= end; i++) {
        const char *next = memchr(field, separator, (size_t)(end - field));
        const char *name = field;
        size_t length = (size_t)((next != NULL ? next : end) - field);
        trim(&name, &length);
        known += length == strlen(columns[i]) && oc_same_first_letters(name, columns[i], length);
        field = next != NULL ? next + 1 : end + 1;
    }
    return known;
}

/* Whether the last two of the four fields are numbers: a row instead of a header. */
static bool is_row(const table *found)
{
    const char *end = found->lines[0] + found->lengths[0];
    const char *field = found->lines[0];
    for (int i = 0; i < 2 && field != NULL; i++) {
        field = memchr(field, ',', (size_t)(end - field));
        field = field != NULL ? field + 1 : NULL;
    }
    while (field != NULL && field < end && strchr("0123456789.,+-eE ", *field) != NULL)
        field++;
    return field == end;
}

static const char *name_separator(char separator)
{
    if (separator == '\t')
        return "tabs";
    return separator == ';' ? "semicolons" : "bars";
}

ocelotl_status oc_check_header(const char *path, const char *text, size_t length)
{
    table found = {0};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (!cut_line(&found, 0, text, length))
        return OCELOTL_OK;
    const char *second = memchr(text, '\n', length);
    if (second != NULL && second + 1 < text + length &&
        !cut_line(&found, 1, second + 1, length - (size_t)(second + 1 - text)))
        return OCELOTL_OK;
    const char separator = find_separator(&found);
    if (separator == 0)
        return OCELOTL_OK;
    if (separator != ',')
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s:1: is a table separated by %s, expected a CSV with commas: %s", path,
                       name_separator(separator), expected);
    if (count(&found, 0, ',') == COLUMNS - 1 && count_known(&found, ',') == 0 && is_row(&found))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s:1: is a row of a CSV without a header, expected %s",
                       path, expected);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s:1: the header of the CSV is \"%.*s\", expected %s",
                   path, (int)found.lengths[0], found.lines[0], expected);
}

#include "importers/csv/rows.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/common/oddities.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 18 };

/* Makes room for a step behind what has not been read yet, and fills it. */
static ocelotl_status fill(csv_rows *rows)
{
    size_t got = 0;
    if (rows->first > 0) {
        memmove(rows->buffer, rows->buffer + rows->first, rows->filled - rows->first);
        rows->filled -= rows->first;
        rows->first = 0;
    }
    OC_TRY(oc_grow(&rows->buffer, &rows->capacity, rows->filled + STEP, 1));
    OC_TRY(oc_input_read(rows->input, rows->buffer + rows->filled, STEP, &got));
    rows->has_ended = got == 0;
    rows->filled += got;
    return OCELOTL_OK;
}

/* Looks for the line end behind `from`, outside quotes where fields have them. */
static bool find_end(size_t *end, bool *quoted, csv_rows *rows, size_t from)
{
    while (from < rows->filled) {
        const char *text = rows->buffer + from;
        const char *line_end = memchr(text, '\n', rows->filled - from);
        const size_t length = line_end != NULL ? (size_t)(line_end - text) : rows->filled - from;
        rows->has_nul |= memchr(text, '\0', length) != NULL;
        if (rows->has_quotes)
            for (const char *quote = text;
                 (quote = memchr(quote, '"', length - (size_t)(quote - text))) != NULL; quote++)
                *quoted = !*quoted;
        *end = from + length;
        *quoted = *quoted && !rows->has_nul;
        if (line_end != NULL && !*quoted)
            return true;
        from += length + 1;
    }
    *end = rows->filled;
    return false;
}

/* Passes over the rest of a row that is too long. */
static ocelotl_status pass_long_row(csv_rows *rows)
{
    for (;;) {
        const char *end = memchr(rows->buffer + rows->first, '\n', rows->filled - rows->first);
        if (end != NULL) {
            rows->first = (size_t)(end - rows->buffer) + 1;
            break;
        }
        rows->first = rows->filled;
        if (rows->has_ended)
            break;
        OC_TRY(fill(rows));
    }
    rows->lines++;
    return oc_fail(OCELOTL_ERROR_INPUT, "a line of more than %d MiB, expected lines of text",
                   CSV_LONGEST_ROW >> 20);
}

/* Finds the row that begins at `first`; *end is behind it, before its line end. */
static ocelotl_status find_row(size_t *end, bool *quoted, csv_rows *rows)
{
    size_t seen = 0;
    *end = rows->first;
    *quoted = rows->has_nul = false;
    while (!find_end(end, quoted, rows, rows->first + seen)) {
        seen = rows->filled - rows->first;
        if (seen > CSV_LONGEST_ROW)
            return pass_long_row(rows);
        if (rows->has_ended)
            break;
        OC_TRY(fill(rows));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_field(csv_rows *rows, const char *text, size_t length)
{
    OC_TRY(
        oc_grow(&rows->fields, &rows->field_capacity, rows->field_count + 1, sizeof *rows->fields));
    rows->fields[rows->field_count++] = (csv_field){text, length};
    return OCELOTL_OK;
}

/* Takes the quotes off a field that begins with one; the text moves in its place. Returns where the
 * field ends. */
static char *unquote(size_t *length, char *text, const char *end)
{
    char *to = text;
    char *from = text + 1;
    for (; from < end; from++) {
        if (*from == '"' && (from + 1 == end || from[1] != '"'))
            break;
        from += *from == '"';
        *to++ = *from;
    }
    *length = (size_t)(to - text);
    return from < end ? from + 1 : from;
}

/* The quote that ends a field which begins with one; NULL: the field goes on behind it. */
static const char *find_closing(const csv_rows *rows, const char *text, const char *end)
{
    const char *quote = text;
    do {
        const char *next = quote + 1;
        quote = next < end ? memchr(next, '"', (size_t)(end - next)) : NULL;
        if (quote == NULL)
            return NULL;
        if (quote + 1 == end || quote[1] == rows->separator)
            return quote;
        quote++;
    } while (*quote == '"');
    return NULL;
}

/* Whether the quotes around a field are none of its own: without them it would be another. */
static bool is_quoted(const csv_rows *rows, const char *text, const char *end)
{
    if (text == end || *text != '"')
        return false;
    const char *closing = rows->may_quote ? find_closing(rows, text, end) : NULL;
    const size_t length = closing != NULL ? (size_t)(closing - text) - 1 : 0;
    return rows->has_quotes ||
           (length > 0 && (text[1] == ' ' || memchr(text + 1, rows->separator, length) != NULL));
}

ocelotl_status csv_rows_cut(csv_rows *rows, char *text, size_t length)
{
    char *end = text + length;
    rows->field_count = 0;
    for (;;) {
        size_t size = 0;
        while (rows->is_trimmed && text < end && *text == ' ')
            text++;
        char *begin = text;
        const bool quoted = is_quoted(rows, text, end);
        if (quoted)
            text = unquote(&size, begin, end);
        char *next =
            rows->separator != '\0' ? memchr(text, rows->separator, (size_t)(end - text)) : NULL;
        if (quoted && next != text && text != end)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "text behind a closing quote, expected a separator or the line's end");
        if (!quoted)
            size = (size_t)((next != NULL ? next : end) - begin);
        OC_TRY(add_field(rows, begin, size));
        if (next == NULL)
            return OCELOTL_OK;
        text = next + 1;
    }
}

static ocelotl_status take_row(csv_rows *rows, char *text, size_t length)
{
    rows->line = rows->lines + 1;
    for (const char *end = text; (end = memchr(end, '\n', length - (size_t)(end - text))) != NULL;
         end++)
        rows->lines++;
    rows->lines++;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    rows->row = (size_t)(text - rows->buffer);
    rows->row_length = length;
    rows->field_count = 0;
    return rows->has_nul ? oc_fail_nul() : csv_rows_cut(rows, text, length);
}

static bool is_empty(const csv_rows *rows)
{
    return rows->field_count == 1 && rows->fields[0].length == 0;
}

ocelotl_status csv_read_depth(uint32_t *depth, csv_field field)
{
    double number = 0;
    *depth = OCELOTL_NONE;
    if (field.length == 0)
        return OCELOTL_OK;
    if (!oc_text_is_number(&number, field.text, field.length) || !(number >= 0 && number < 1e6) ||
        number != (double)(uint32_t)number)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "depth is \"%.*s\", expected how many states are around", csv_shown(field),
                       field.text);
    *depth = (uint32_t)number;
    return OCELOTL_OK;
}

bool csv_is_preamble(const char *text, size_t length)
{
    static const char separator[] = "sep=";
    return length > 0 &&
           (text[0] == '#' || (length <= sizeof separator && length >= sizeof separator - 1 &&
                               memcmp(text, separator, sizeof separator - 1) == 0));
}

ocelotl_status csv_rows_next(bool *found, csv_rows *rows)
{
    rows->line = rows->lines + 1;
    *found = false;
    if (!rows->has_begun) {
        while (rows->filled < 3 && !rows->has_ended)
            OC_TRY(fill(rows));
        rows->first = oc_text_mark(rows->buffer, rows->filled);
        rows->has_begun = true;
    }
    do {
        size_t end;
        bool quoted;
        rows->line = rows->lines + 1;
        OC_TRY(find_row(&end, &quoted, rows));
        const size_t first = rows->first;
        const bool cut = end == rows->filled; /* no line end */
        *found = first < rows->filled && !(cut && oc_input_loss(rows->input) != NULL);
        if (!*found)
            return OCELOTL_OK;
        rows->first = cut ? end : end + 1;
        rows->is_open = cut;
        if (quoted) {
            rows->lines++;
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "a field in quotes does not end, expected one more quote");
        }
        OC_TRY(take_row(rows, rows->buffer + first, end - first));
    } while (is_empty(rows) ||
             (!rows->has_header && csv_is_preamble(rows->buffer + rows->row, rows->row_length)));
    rows->has_header = true;
    return OCELOTL_OK;
}

void csv_rows_free(csv_rows *rows)
{
    free(rows->fields);
    free(rows->buffer);
    rows->fields = NULL;
    rows->buffer = NULL;
}

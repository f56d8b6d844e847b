#include "importers/csv/files.h"

#include "importers/csv/rows.h"

#include <string.h>

/* As much of a file as is looked at before it is read. */
enum { PEEKED = 4096 };

typedef enum part { NO_DUMP, PART_OF_DUMP, WHOLE_DUMP } part;

static const char *next_line(size_t *length, const char *text, size_t size)
{
    const char *end = text + size;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    while (text < end && (*text == '\n' || *text == '\r'))
        text++;
    const char *line_end = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    *length = (size_t)((line_end != NULL ? line_end : end) - text);
    while (*length > 0 && text[*length - 1] == '\r')
        --*length;
    return text;
}

const char *csv_first_line(size_t *length, const char *text, size_t size)
{
    const char *end = text + size;
    const char *line = next_line(length, text, size);
    while (*length > 0 && csv_is_preamble(line, *length))
        line = next_line(length, line + *length, (size_t)(end - line) - *length);
    return line;
}

/* Whether the first field of a line of pj_dump is a word. */
static bool begins(const char *line, size_t length, const char *word)
{
    const size_t quote = length > 0 && line[0] == '"';
    const size_t size = strlen(word);
    return length > quote + size && memcmp(line + quote, word, size) == 0 &&
           strchr(",\"", line[quote + size]) != NULL;
}

/* Judges a file by its first line, or the one behind a header. */
static part judge(const char *text, size_t size)
{
    static const char *const words[] = {"State", "Variable", "Event", "Link"};
    size_t length;
    const char *line = csv_first_line(&length, text, size);
    const bool has_header = begins(line, length, "Nature");
    if (has_header) {
        const size_t used = (size_t)(line - text) + length;
        line = csv_first_line(&length, text + used, size - used);
    }
    if (begins(line, length, "Container") || begins(line, length, "Parent"))
        return WHOLE_DUMP;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins(line, length, words[i]))
            return PART_OF_DUMP;
    return has_header ? PART_OF_DUMP : NO_DUMP;
}

static ocelotl_status peek(part *found, const oc_source *source)
{
    char text[PEEKED];
    size_t size = 0;
    size_t step = 1;
    while (size < PEEKED && step > 0) {
        OC_TRY(oc_input_read(source->input, text + size, PEEKED - size, &step));
        size += step;
    }
    *found = judge(text, size);
    return oc_input_unread(source->input, text, size);
}

ocelotl_status csv_files_choose(bool *is_apart, const oc_import *import)
{
    size_t whole = 0;
    if (import->source_count < 2)
        return OCELOTL_OK;
    for (size_t i = 0; i < import->source_count; i++) {
        part found = NO_DUMP;
        OC_TRY(peek(&found, &import->sources[i]));
        whole += found == WHOLE_DUMP;
        is_apart[i] = found == NO_DUMP;
    }
    for (size_t i = 0; i < import->source_count && whole > 1; i++)
        is_apart[i] = true;
    return OCELOTL_OK;
}

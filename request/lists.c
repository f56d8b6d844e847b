/* Names that are read from a file: --only @names.txt. */
#include "request/lists.h"
#include "base/input.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that a list may have: names that are worth a choice. */
enum { LIST_MOST = 1 << 20 };

bool oc_is_list_of_names(const oc_parameter *row, const char *value)
{
    return row->kind == OC_VALUE_NAMES && (row->flags & OC_LITERAL) == 0 && value[0] == '@' &&
           value[1] != '@';
}

const char *oc_name_of_value(const oc_parameter *row, const char *value)
{
    const bool escaped = row->kind == OC_VALUE_NAMES && (row->flags & OC_LITERAL) == 0 &&
                         value[0] == '@' && value[1] == '@';
    return value + escaped;
}

static ocelotl_status read_file(oc_text *bytes, const char *path)
{
    oc_input *input = NULL;
    OC_TRY(oc_input_open(&input, path));
    const ocelotl_status status = oc_input_read_all(bytes, input, LIST_MOST, "names, one a line");
    oc_input_free(input);
    return status;
}

/* Ends a line, in place, and gives what follows it. */
static char *cut_line(char *line, const char *end, size_t *length)
{
    char *newline = memchr(line, '\n', (size_t)(end - line));
    char *next = newline != NULL ? newline + 1 : line + (end - line);
    *length = (size_t)((newline != NULL ? newline : next) - line);
    if (*length > 0 && line[*length - 1] == '\r')
        --*length;
    return next;
}

/* Some editors write a byte order mark before the first name. */
static size_t length_of_mark(const oc_text *bytes)
{
    static const char mark[] = "\xEF\xBB\xBF";
    const size_t length = strlen(mark);
    return bytes->length >= length && memcmp(bytes->bytes, mark, length) == 0 ? length : 0;
}

/* Cuts the text into lines, in place; empty ones are no names. */
static ocelotl_status cut_lines(oc_list *list, const char *path)
{
    const char *end = list->bytes.bytes + list->bytes.length;
    char *line = list->bytes.bytes + length_of_mark(&list->bytes);
    size_t length;
    for (size_t number = 1; line < end; number++) {
        char *next = cut_line(line, end, &length);
        if (memchr(line, '\0', length) != NULL)
            return oc_fail(OCELOTL_ERROR_INPUT, "%s:%zu: has a byte 0, expected a name", path,
                           number);
        line[length] = '\0'; /* over the end of the line, or behind the text */
        if (length > 0) {
            OC_TRY(oc_grow(&list->names, &list->capacity, list->count + 1, sizeof *list->names));
            list->names[list->count++] = line;
        }
        line = next;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_list_read(oc_list *list, const oc_parameter *row, const char *value)
{
    const char *path = value + 1;
    if (path[0] == '\0')
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "--%s is \"@\", expected @FILE, or @@NAME for a name", row->name);
    OC_TRY(read_file(&list->bytes, path));
    if (list->bytes.length > 0)
        OC_TRY(cut_lines(list, path));
    return list->count > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected names, one a line", path);
}

void oc_list_free(oc_list *list)
{
    oc_text_free(&list->bytes);
    free(list->names);
    *list = (oc_list){0};
}

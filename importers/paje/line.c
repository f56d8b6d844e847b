#include "importers/paje/line.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const size_t block_size = (size_t)1 << 18;
static const size_t longest_line = (size_t)1 << 24;

void paje_lines_free(paje_lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

static ocelotl_status fill(paje_lines *lines)
{
    size_t step;
    if (lines->first > 0)
        memmove(lines->buffer, lines->buffer + lines->first, lines->length);
    lines->first = 0;
    OC_TRY(oc_grow(&lines->buffer, &lines->capacity, lines->length + block_size + 1, 1));
    OC_TRY(oc_input_read(lines->input, lines->buffer + lines->length, block_size, &step));
    for (size_t i = 0; i < step; i++)
        if (lines->buffer[lines->length + i] == '\0')
            lines->buffer[lines->length + i] = ' ';
    lines->length += step;
    lines->at_end = step == 0;
    return OCELOTL_OK;
}

ocelotl_status paje_lines_next(paje_lines *lines, char **line)
{
    size_t searched = 0;
    char *end = NULL;
    for (;;) {
        if (lines->length > searched)
            end = memchr(lines->buffer + lines->first + searched, '\n', lines->length - searched);
        if (end != NULL || lines->at_end)
            break;
        searched = lines->length;
        if (searched > longest_line)
            return oc_fail(OCELOTL_ERROR_INPUT, "a line of more than %zu MiB, expected lines of text",
                           longest_line >> 20);
        OC_TRY(fill(lines));
    }
    if (end == NULL && lines->length == 0) {
        *line = NULL;
        return OCELOTL_OK;
    }
    char *begin = lines->buffer + lines->first;
    const size_t length = end != NULL ? (size_t)(end - begin) : lines->length;
    const size_t taken = end != NULL ? length + 1 : length;
    begin[length] = '\0';
    if (length > 0 && begin[length - 1] == '\r')
        begin[length - 1] = '\0';
    lines->first += taken;
    lines->length -= taken;
    lines->number++;
    *line = begin;
    return OCELOTL_OK;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\v' || byte == '\f';
}

bool paje_split(paje_field *fields, size_t most, size_t *count, char *line)
{
    *count = 0;
    for (;;) {
        while (is_blank(*line))
            line++;
        if (*line == '\0' || *line == '#')
            return true;
        if (*count == most) {
            *count = most + 1;
            return true;
        }
        const bool quoted = *line == '"';
        char *begin = line + quoted;
        char *end = begin;
        while (*end != '\0' && (quoted ? *end != '"' : !is_blank(*end)))
            end++;
        if (quoted && *end == '\0')
            return false;
        fields[*count] = (paje_field){begin, (size_t)(end - begin)};
        ++*count;
        line = *end == '\0' ? end : end + 1;
        *end = '\0';
    }
}

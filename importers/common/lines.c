#define _GNU_SOURCE
#include "importers/common/lines.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t block = (size_t)1 << 20;
static const size_t longest = (size_t)64 << 20;

void oc_lines_free(oc_lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
}

/* The last line of a text is one without its '\n', too. */
static void end_last(oc_lines *lines)
{
    lines->at_end = true;
    if (lines->filled > 0 && lines->buffer[lines->filled - 1] != '\n')
        lines->buffer[lines->filled++] = '\n';
    lines->whole = lines->filled;
}

ocelotl_status oc_lines_read(oc_lines *lines)
{
    const size_t left = lines->filled - lines->next;
    size_t step = 1;
    if (left > 0 && lines->next > 0)
        memmove(lines->buffer, lines->buffer + lines->next, left);
    lines->next = lines->whole = 0;
    lines->filled = left;
    while (lines->whole == 0 && !lines->at_end) {
        if (lines->filled > longest)
            return oc_fail(OCELOTL_ERROR_LIMIT, "a line is longer than 64 MiB");
        OC_TRY(oc_grow(&lines->buffer, &lines->capacity, lines->filled + block + 1, 1));
        const size_t before = lines->filled;
        while (step > 0 && lines->filled < before + block) {
            OC_TRY(oc_input_read(lines->input, lines->buffer + lines->filled,
                                 before + block - lines->filled, &step));
            lines->filled += step;
        }
        const char *last = memrchr(lines->buffer + before, '\n', lines->filled - before);
        lines->whole = last != NULL ? (size_t)(last - lines->buffer) + 1 : 0;
        if (step == 0)
            end_last(lines);
    }
    return OCELOTL_OK;
}

char *oc_lines_take(char **end, oc_lines *lines)
{
    if (lines->next == lines->whole)
        return NULL;
    char *line = lines->buffer + lines->next;
    *end = memchr(line, '\n', lines->whole - lines->next);
    lines->next = (size_t)(*end - lines->buffer) + 1;
    lines->number++;
    return line;
}

ocelotl_status oc_lines_place_loss(const oc_lines *lines, ocelotl_status status, const char *path,
                                   ocelotl_writer *writer, const char *what)
{
    char kind[64];
    const char *loss = lines->input != NULL ? oc_input_loss(lines->input) : NULL;
    if (loss == NULL || (status != OCELOTL_OK && status != OCELOTL_ERROR_INPUT))
        return status;
    oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", path, lines->number + 1, loss);
    snprintf(kind, sizeof kind, "skipped rest of the %s", what);
    return status != OCELOTL_OK ? status
                                : ocelotl_writer_warning(writer, kind, 1, ocelotl_error_message());
}

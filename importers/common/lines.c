#define _GNU_SOURCE
#include "importers/common/lines.h"

#include "base/memory.h"

#include <inttypes.h>
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
    lines->is_open = lines->filled > 0 && lines->buffer[lines->filled - 1] != '\n';
    if (lines->is_open)
        lines->buffer[lines->filled++] = '\n';
    lines->whole = lines->filled;
}

/* A crashed machine leaves zeros of any length: of those behind `from` one of each run stays. */
static void squeeze(oc_lines *lines, size_t from)
{
    const char *at = memchr(lines->buffer + from, '\0', lines->filled - from);
    if (at == NULL)
        return;
    char *to = lines->buffer + (at - lines->buffer);
    for (const char *end = lines->buffer + lines->filled; at < end; at++)
        if (*at != '\0' || to == lines->buffer || to[-1] != '\0')
            *to++ = *at;
    lines->filled = (size_t)(to - lines->buffer);
    lines->has_nul = true;
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
        OC_TRY(
            oc_grow(&lines->buffer, &lines->capacity, lines->filled + block + OC_LINE_MARGIN, 1));
        const size_t before = lines->filled;
        while (step > 0 && lines->filled < before + block) {
            OC_TRY(oc_input_read(lines->input, lines->buffer + lines->filled,
                                 before + block - lines->filled, &step));
            lines->filled += step;
        }
        squeeze(lines, before);
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

ocelotl_status oc_lines_check(const oc_lines *lines, const char *line, const char *end)
{
    return lines->has_nul && memchr(line, '\0', (size_t)(end - line)) != NULL ? oc_fail_nul()
                                                                              : OCELOTL_OK;
}

ocelotl_status oc_lines_end(const oc_lines *lines, ocelotl_status status, const char *path,
                            oc_oddities *oddities, const char *what)
{
    const char *loss = lines->input != NULL ? oc_input_loss(lines->input) : NULL;
    if (status == OCELOTL_OK && loss == NULL && lines->is_open)
        oc_oddities_note(oddities, OC_LAST_LINE_OPEN, path, lines->number);
    if (loss == NULL || (status != OCELOTL_OK && status != OCELOTL_ERROR_INPUT))
        return status;
    oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", path, lines->number + 1, loss);
    return status != OCELOTL_OK ? status : oc_oddities_lose_rest(oddities, what);
}

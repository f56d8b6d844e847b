/* What a trace.db says of clocks: of the files that it was made of, and of the trace that it was
 * derived from. */
#include "store/trace/trace.h"

#include "base/plain.h"
#include "store/file/tables.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool read_number(double *number, const char *text)
{
    char *end;
    *number = oc_plain_number(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static bool read_count(uint64_t *count, const char *text, uint64_t most)
{
    char *end;
    *count = strtoumax(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && *count <= most;
}

enum { OFFSET, DRIFT, BOUND, SAMPLES, MESSAGES, GROUP, FIELDS };

/* Reads path;offset;drift;bound;samples;messages;group; the path may have any letters. */
static bool read_clock(ocelotl_set_clock *clock, char *text)
{
    const char *fields[FIELDS];
    uint64_t group;
    for (int i = FIELDS; i-- > 0;) {
        char *semicolon = strrchr(text, ';');
        if (semicolon == NULL)
            return false;
        *semicolon = '\0';
        fields[i] = semicolon + 1;
    }
    clock->path = text;
    if (!read_number(&clock->offset, fields[OFFSET]) ||
        !read_number(&clock->drift, fields[DRIFT]) ||
        !read_count(&clock->samples, fields[SAMPLES], UINT64_MAX) ||
        !read_count(&clock->messages, fields[MESSAGES], UINT64_MAX) ||
        !read_count(&group, fields[GROUP], UINT32_MAX))
        return false;
    clock->group = (uint32_t)group;
    clock->bound = INFINITY;
    return fields[BOUND][0] == '\0' ||
           (read_number(&clock->bound, fields[BOUND]) && clock->bound >= 0);
}

static ocelotl_status add_clock(ocelotl_trace *trace, const char *text)
{
    oc_notes *notes = &trace->notes;
    const size_t length = strlen(text) + 1;
    char *fields = NULL;
    OC_TRY(oc_arena_grow(&notes->clocks, &notes->clock_capacity, &trace->arena,
                         notes->clock_count + 1, sizeof *notes->clocks));
    OC_TRY(oc_arena_allocate(&fields, &trace->arena, length, 1));
    memcpy(fields, text, length);
    if (!read_clock(&notes->clocks[notes->clock_count++], fields))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a clock that is no clock",
                       trace->path);
    return OCELOTL_OK;
}

ocelotl_status oc_note_read(void *context, const oc_row *row)
{
    static const size_t prefix = sizeof OC_STORE_CLOCK_KEY - 1;
    ocelotl_trace *trace = context;
    oc_notes *notes = &trace->notes;
    oc_note note;
    OC_TRY(oc_arena_grow(&notes->notes, &notes->capacity, &trace->arena, notes->count + 1,
                         sizeof *notes->notes));
    OC_TRY(oc_row_text(&note.key, &trace->arena, row, 0));
    OC_TRY(oc_row_text(&note.text, &trace->arena, row, 1));
    notes->notes[notes->count++] = note;
    if (strcmp(note.key, OC_STORE_DERIVED_KEY) == 0)
        trace->info.derived_from = note.text;
    if (strcmp(note.key, OC_STORE_DERIVATION_KEY) == 0)
        trace->info.derivation = note.text;
    return strncmp(note.key, OC_STORE_CLOCK_KEY, prefix) == 0 ? add_clock(trace, note.text)
                                                              : OCELOTL_OK;
}

uint32_t ocelotl_trace_clock_count(const ocelotl_trace *trace)
{
    return (uint32_t)trace->notes.clock_count;
}

ocelotl_set_clock ocelotl_trace_clock_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->notes.clock_count ? trace->notes.clocks[index]
                                            : (ocelotl_set_clock){.path = ""};
}

/* What a trace.db says of clocks: of the files that it was made of, and of the trace that it was
 * derived from. */
#include "store/trace/trace.h"

#include "base/memory.h"
#include "base/plain.h"
#include "store/file/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_clock(const ocelotl_trace *trace)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: a clock that is no clock", trace->path);
}

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
    OC_TRY(oc_grow(&notes->clocks, &notes->clock_capacity, notes->clock_count + 1,
                   sizeof *notes->clocks));
    oc_noted_clock *noted = &notes->clocks[notes->clock_count];
    OC_TRY(oc_copy_text(&noted->text, text));
    notes->clock_count++;
    return read_clock(&noted->clock, noted->text) ? OCELOTL_OK : fail_clock(trace);
}

static ocelotl_status add_note(ocelotl_trace *trace, const oc_row *row)
{
    static const size_t prefix = sizeof OC_STORE_CLOCK_KEY - 1;
    oc_notes *notes = &trace->notes;
    OC_TRY(oc_grow(&notes->notes, &notes->capacity, notes->count + 1, sizeof *notes->notes));
    oc_note *note = &notes->notes[notes->count++];
    *note = (oc_note){NULL, NULL};
    OC_TRY(oc_row_text(&note->key, row, 0));
    OC_TRY(oc_row_text(&note->text, row, 1));
    if (strcmp(note->key, OC_STORE_DERIVED_KEY) == 0)
        trace->info.derived_from = note->text;
    if (strcmp(note->key, OC_STORE_DERIVATION_KEY) == 0)
        trace->info.derivation = note->text;
    return strncmp(note->key, OC_STORE_CLOCK_KEY, prefix) == 0 ? add_clock(trace, note->text)
                                                               : OCELOTL_OK;
}

ocelotl_status oc_notes_read(ocelotl_trace *trace)
{
    oc_row row = {.path = trace->path, .what = "note", .text_left = &trace->text_left};
    bool found = true;
    trace->info.derived_from = trace->info.derivation = "";
    ocelotl_status status = oc_database_prepare(
        &row.statement, trace->database, trace->path,
        "SELECT key, value FROM meta WHERE +key GLOB '" OC_STORE_ALIGNED_KEY
        "*' OR +key GLOB '" OC_STORE_CLOCK_KEY "*' OR +key IN ('" OC_STORE_DERIVED_KEY
        "', '" OC_STORE_DERIVATION_KEY "') ORDER BY length(key), key");
    for (; status == OCELOTL_OK && found; row.number++) {
        status = oc_database_row(&found, row.statement, trace->path);
        if (status == OCELOTL_OK && found)
            status = add_note(trace, &row);
    }
    sqlite3_finalize(row.statement);
    return status;
}

void oc_notes_free(oc_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->notes[i].key);
        free(notes->notes[i].text);
    }
    for (size_t i = 0; i < notes->clock_count; i++)
        free(notes->clocks[i].text);
    free(notes->notes);
    free(notes->clocks);
}

uint32_t ocelotl_trace_clock_count(const ocelotl_trace *trace)
{
    return (uint32_t)trace->notes.clock_count;
}

ocelotl_set_clock ocelotl_trace_clock_at(const ocelotl_trace *trace, uint32_t index)
{
    return index < trace->notes.clock_count ? trace->notes.clocks[index].clock
                                            : (ocelotl_set_clock){.path = ""};
}

/* What a writer records of the trace as a whole: its source, and the fate of that one's records;
 * what is odd; how clocks of files were aligned, and set right. */
#include "store/write/writer.h"

#include "store/file/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Notes */

ocelotl_status oc_writer_note_add(ocelotl_writer *writer, const char *key, const char *text)
{
    OC_TRY(oc_arena_grow(&writer->notes, &writer->note_capacity, &writer->arena,
                         writer->note_count + 1, sizeof *writer->notes));
    writer->notes[writer->note_count++] = (oc_writer_note){
        oc_arena_copy_utf8(&writer->arena, key), oc_arena_copy_utf8(&writer->arena, text)};
    return oc_arena_status(&writer->arena);
}

/* The note of a key, NULL where there is none. */
static oc_writer_note *find_note(const ocelotl_writer *writer, const char *key)
{
    for (size_t i = 0; i < writer->note_count; i++)
        if (strcmp(writer->notes[i].key, key) == 0)
            return &writer->notes[i];
    return NULL;
}

/* Gives another text to a note that is there. */
static ocelotl_status change_note(ocelotl_writer *writer, const char *key, const char *text)
{
    OC_TRY(oc_writer_check(writer));
    find_note(writer, key)->text = oc_arena_copy_utf8(&writer->arena, text);
    return oc_arena_status(&writer->arena);
}

ocelotl_status ocelotl_writer_producer(ocelotl_writer *writer, const char *producer)
{
    return change_note(writer, "producer", producer);
}

ocelotl_status ocelotl_writer_origin(ocelotl_writer *writer, const char *origin)
{
    return change_note(writer, "origin", origin != NULL ? origin : "");
}

/* Adds one of several notes of a key, under its number. */
static ocelotl_status add_numbered(ocelotl_writer *writer, const char *key, uint32_t *count,
                                   oc_text *text)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s%" PRIu32, key, *count);
    const ocelotl_status status =
        text->failed ? oc_fail_memory() : oc_writer_note_add(writer, numbered, text->bytes);
    *count += status == OCELOTL_OK;
    oc_text_free(text);
    return status;
}

ocelotl_status ocelotl_writer_file(ocelotl_writer *writer, const char *path, const char *stamp)
{
    oc_text text = {0};
    OC_TRY(oc_writer_check(writer));
    if (strpbrk(stamp, "\t\n") != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a stamp of several lines or words, expected one");
    oc_text_format(&text, "%s\t%s", stamp, path);
    return add_numbered(writer, OC_STORE_FILE_KEY, &writer->file_count, &text);
}

ocelotl_status ocelotl_writer_aligned(ocelotl_writer *writer, const char *file, const char *how)
{
    oc_text text = {0};
    OC_TRY(oc_writer_check(writer));
    oc_text_format(&text, "%s: %s", file, how);
    return add_numbered(writer, OC_STORE_ALIGNED_KEY, &writer->aligned_count, &text);
}

ocelotl_status ocelotl_writer_derived(ocelotl_writer *writer, const char *uid, const char *how)
{
    OC_TRY(oc_writer_check(writer));
    if (strchr(uid, '\n') != NULL || (how != NULL && strchr(how, '\n') != NULL))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a derivation has several lines, expected one");
    if (find_note(writer, OC_STORE_DERIVED_KEY) != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the trace is derived twice, expected it once");
    OC_TRY(oc_writer_note_add(writer, OC_STORE_DERIVED_KEY, uid));
    return how != NULL ? oc_writer_note_add(writer, OC_STORE_DERIVATION_KEY, how) : OCELOTL_OK;
}

ocelotl_status ocelotl_writer_clock(ocelotl_writer *writer, const ocelotl_set_clock *clock)
{
    oc_text text = {0};
    OC_TRY(oc_writer_check(writer));
    if (!isfinite(clock->offset) || !isfinite(clock->drift) || !(clock->bound >= 0))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "clock %" PRIu32 " has the offset %g, the drift %g and the bound %g, "
                       "expected numbers, and a bound of at least 0",
                       writer->clock_count, clock->offset, clock->drift, clock->bound);
    oc_text_format(&text, "%s;%.17g;%.17g;", clock->path, clock->offset, clock->drift);
    if (isfinite(clock->bound))
        oc_text_format(&text, "%.17g", clock->bound);
    oc_text_format(&text, ";%" PRIu64 ";%" PRIu64 ";%" PRIu32, clock->samples, clock->messages,
                   clock->group);
    return add_numbered(writer, OC_STORE_CLOCK_KEY, &writer->clock_count, &text);
}

/* --- Records of the source */

const char *ocelotl_fate_name(ocelotl_fate fate)
{
    static const char *const names[] = {"event",     "state",      "variable", "link",
                                        "attribute", "definition", "left out"};
    return fate <= OCELOTL_FATE_LEFT_OUT ? names[fate] : "";
}

/* Whether a sum of counts can be written: fewer than 2^63. */
static ocelotl_status check_count(uint64_t sum, uint64_t count, const char *what)
{
    return count <= INT64_MAX - sum
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "\"%s\" is counted 2^63 times or more, expected fewer", what);
}

/* The key of a kind: a byte for the fate, then the name, which is valid UTF-8. */
static ocelotl_status count_kind(ocelotl_writer *writer, const oc_text *key, uint64_t added,
                                 const char *why)
{
    const size_t count = writer->source_kind_count;
    uint32_t index = oc_map_get(&writer->source_kind_of, key->bytes, key->length);
    if (index == OC_MAP_NONE) {
        index = (uint32_t)count;
        OC_TRY(oc_arena_grow(&writer->source_kinds, &writer->source_kind_capacity, &writer->arena,
                             count + 1, sizeof *writer->source_kinds));
        writer->source_kinds[index] = (oc_writer_source_kind){
            .kind = oc_arena_copy(&writer->arena, key->bytes + 1),
            .why = oc_arena_copy_utf8(&writer->arena, why != NULL ? why : ""),
            .fate = (ocelotl_fate)(key->bytes[0] - '0'),
        };
        OC_TRY(oc_arena_status(&writer->arena));
        OC_TRY(oc_map_set(&writer->source_kind_of, key->bytes, key->length, index));
        writer->source_kind_count++;
    }
    oc_writer_source_kind *kind = &writer->source_kinds[index];
    OC_TRY(check_count(kind->count, added, kind->kind));
    kind->count += added;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_source_kind(ocelotl_writer *writer, const char *kind,
                                          ocelotl_fate fate, uint64_t count, const char *why)
{
    oc_text key = {0};
    OC_TRY(oc_writer_check(writer));
    if (fate > OCELOTL_FATE_LEFT_OUT)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the fate of \"%s\" is %d, expected 0 to %d", kind,
                       (int)fate, OCELOTL_FATE_LEFT_OUT);
    OC_TRY(check_count(0, count, kind));
    oc_text_format(&key, "%d", (int)fate);
    oc_text_add_utf8(&key, kind, strlen(kind));
    const ocelotl_status status =
        key.failed ? oc_fail_memory() : count_kind(writer, &key, count, why);
    oc_text_free(&key);
    return status;
}

/* --- Warnings */

/* The index of a warning by its kind; their count: there is none. */
static size_t find_warning(const ocelotl_writer *writer, const char *kind)
{
    size_t i = 0;
    while (i < writer->warning_count && strcmp(writer->warnings[i].kind, kind) != 0)
        i++;
    return i;
}

/* `kind` is valid UTF-8, or it would never be found again. */
static ocelotl_status add_warning(ocelotl_writer *writer, const char *kind, uint64_t count,
                                  const char *detail, bool of_streams)
{
    const size_t i = find_warning(writer, kind);
    OC_TRY(check_count(i < writer->warning_count ? writer->warnings[i].count : 0, count, kind));
    if (i == writer->warning_count) {
        OC_TRY(oc_arena_grow(&writer->warnings, &writer->warning_capacity, &writer->arena, i + 1,
                             sizeof *writer->warnings));
        writer->warnings[i] = (oc_writer_warning){
            .kind = oc_arena_copy(&writer->arena, kind),
            .detail = oc_arena_copy_utf8(&writer->arena, detail != NULL ? detail : ""),
        };
        OC_TRY(oc_arena_status(&writer->arena));
        writer->warning_count++;
        oc_writer_note_turn(writer, of_streams ? 'w' : 'W', 0);
    }
    writer->warnings[i].count += count;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_warning(ocelotl_writer *writer, const char *kind, uint64_t count,
                                      const char *detail)
{
    return oc_writer_warn(writer, kind, count, detail, false);
}

ocelotl_status oc_writer_warn(ocelotl_writer *writer, const char *kind, uint64_t count,
                              const char *detail, bool of_streams)
{
    char *valid = NULL;
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_copy_utf8(&valid, kind));
    const ocelotl_status status = add_warning(writer, valid, count, detail, of_streams);
    free(valid);
    return status;
}

/* --- Nesting that no program has, or few: whatever the format, an end was missed */

enum { DEEPEST_USUAL = 1024 };

/* Streams of one oddity, and the worst of them. */
typedef struct nesting {
    const char *kind;
    uint64_t count;
    double worst; /* how deep; or how many times as long as the resource lives */
    uint32_t stream, value;
} nesting;

static void note_nesting(nesting *found, double worse, uint32_t stream, uint32_t value)
{
    found->count++;
    if (worse > found->worst)
        *found = (nesting){found->kind, found->count, worse, stream, value};
}

/* Looks at the states of one resource. Time in a value counts in each state of that value, so it is
 * longer than the resource lives only where they are inside each other. */
static void look_at_nesting(nesting found[2], const ocelotl_writer *writer, uint32_t index)
{
    const oc_writer_stream *stream = &writer->streams[index];
    const oc_fold *fold = stream->fold;
    const int64_t born = writer->resources[stream->resource].begin;
    const int64_t begin = born < stream->begin ? born : stream->begin;
    const oc_total *longest = NULL;
    if (fold == NULL || stream->role != OC_ROLE_STATES)
        return;
    if (fold->deepest > DEEPEST_USUAL)
        note_nesting(&found[0], (double)fold->deepest, index, OCELOTL_NONE);
    for (size_t i = 0; i < fold->total_count; i++)
        if (longest == NULL || fold->totals[i].closed > longest->closed)
            longest = &fold->totals[i];
    if (longest != NULL && longest->closed > stream->end - begin)
        note_nesting(&found[1], (double)longest->closed / (double)(stream->end - begin), index,
                     longest->value);
}

ocelotl_status oc_writer_warn_of_nesting(ocelotl_writer *writer)
{
    nesting found[2] = {{.kind = "states more than 1024 deep in each other (kept)"},
                        {.kind = "states of one name in each other, in sum longer than their "
                                 "resource lives (each counts)"}};
    for (uint32_t s = 0; s < writer->stream_count; s++)
        look_at_nesting(found, writer, s);
    for (size_t i = 0; i < 2; i++) {
        oc_text detail = {0};
        /* A copy has the warnings of its original. */
        if (found[i].count == 0 || find_warning(writer, found[i].kind) < writer->warning_count)
            continue;
        const oc_writer_stream *stream = &writer->streams[found[i].stream];
        const bool has_value = found[i].value < writer->value_count;
        oc_text_format(&detail, has_value ? "%.3g times as long, \"%s\" of " : "%.0f deep%s, ",
                       found[i].worst, has_value ? writer->values[found[i].value].name : "");
        oc_text_format(&detail, "type \"%s\" in \"%s\"",
                       writer->event_types[stream->event_type].name,
                       writer->resources[stream->resource].name);
        const ocelotl_status status =
            detail.failed
                ? oc_fail_memory()
                : oc_writer_warn(writer, found[i].kind, found[i].count, detail.bytes, true);
        oc_text_free(&detail);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

#define _GNU_SOURCE
/* The importer of OTF2 archives, which the OTF2 library reads. What maps to what is described in
 * docs/formats/otf2.md. */
#include "importers/otf2/import.h"

#include "base/format/date.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const oddity_names[] = {
    [OC_OTF2_TIME_BACK - OC_COMMON_ODDITIES] = "time that goes back (taken as the one before)",
    [OC_OTF2_REGION_UNDEFINED - OC_COMMON_ODDITIES] = "region that is not defined (named so)",
    [OC_OTF2_EVENTS_LOST - OC_COMMON_ODDITIES] =
        "location whose events cannot be read to the end (the rest is lost)",
    [OC_OTF2_FILE_MISSING - OC_COMMON_ODDITIES] = "location without its file of events",
    [OC_OTF2_DEFINED_TWICE - OC_COMMON_ODDITIES] = "number defined twice (the first counts)",
    [OC_OTF2_NO_CLOCK - OC_COMMON_ODDITIES] =
        "archive without properties of its clock (a tick is taken as a second)",
    [OC_OTF2_RANK_UNKNOWN - OC_COMMON_ODDITIES] =
        "message to or from a rank that its communicator does not have (kept with one end)",
    [OC_OTF2_NO_LOCAL_DEFINITIONS - OC_COMMON_ODDITIES] =
        "location whose own definitions cannot be read (left out)",
    [OC_OTF2_LOCAL_DEFINITIONS_MISSING - OC_COMMON_ODDITIES] =
        "location without its file of definitions, as others have (its numbers may mean others)",
    [OC_OTF2_ATTRIBUTES_LOST - OC_COMMON_ODDITIES] =
        "attribute that is not defined, or of a record without a place for it (left out)",
    [OC_OTF2_COLLECTIVE_OF_OTHER - OC_COMMON_ODDITIES] =
        "collective of a thread that its communicator does not list (not numbered)",
    [OC_OTF2_METRIC_ROUNDED - OC_COMMON_ODDITIES] =
        "value of a metric beyond 2^53 that is not exact here (rounded)",
    [OC_OTF2_PARAMETER_UNDEFINED - OC_COMMON_ODDITIES] = "parameter that is not defined (named id)",
};

/* --- Opening and closing */

/* Whether the archive knows the absolute time of tick 0. */
static bool has_epoch(const otf2_definitions *definitions)
{
    return definitions->has_clock && definitions->epoch != OTF2_UNDEFINED_TIMESTAMP &&
           definitions->epoch != 0 && definitions->epoch <= INT64_MAX;
}

static ocelotl_status make_tables(otf2_import *import)
{
    oc_arena *arena = &import->definitions.arena;
    const otf2_table *locations = &import->definitions.locations;
    import->type_count = OC_OTF2_FIRST_METRIC + import->definitions.metrics.count;
    OC_TRY(oc_arena_allocate(&import->types, arena, import->type_count, sizeof *import->types));
    for (size_t i = 0; i < import->type_count; i++)
        import->types[i].id = OCELOTL_NONE;
    OC_TRY(oc_arena_allocate(&import->paths, arena, locations->count, sizeof *import->paths));
    OC_TRY(oc_arena_allocate(&import->sizes, arena, locations->count, sizeof *import->sizes));
    OC_TRY(oc_arena_allocate(&import->ends, arena, locations->count, sizeof *import->ends));
    OC_TRY(oc_arena_allocate(&import->last, arena, locations->count, sizeof *import->last));
    for (size_t i = 0; i < locations->count; i++) {
        import->ends[i] = INT64_MIN;
        import->last[i] = INT64_MIN;
        OC_TRY(otf2_archive_events(&import->paths[i], &import->sizes[i], &import->archive,
                                   &import->arena, locations->items[i].reference));
        import->bytes += import->sizes[i];
    }
    return OCELOTL_OK;
}

/* Opens an archive. In an import of several, a tick is a nanosecond, as each may have its own
 * clock. */
static ocelotl_status open_archive(otf2_import *import, size_t number)
{
    otf2_definitions *definitions = &import->definitions;
    OC_TRY(
        otf2_archive_open(&import->archive, &definitions->arena, &import->import->sources[number]));
    definitions->kinds = &import->kinds;
    definitions->by = import->import->options->value;
    const ocelotl_status status = otf2_definitions_read(definitions, import->archive.reader);
    if (status != OCELOTL_OK)
        return oc_fail_within(status, "%s", import->archive.definitions);
    if (definitions->locations.count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: defines no location, expected one with events",
                       import->archive.anchor);
    definitions->ticks = definitions->has_clock ? definitions->resolution : 1;
    import->timing = (otf2_timing){.base = definitions->offset};
    if (import->import->source_count > 1) {
        import->timing.resolution = definitions->ticks;
        definitions->ticks = OC_OTF2_NANOSECONDS;
    }
    return make_tables(import);
}

static void close_archive(otf2_import *import)
{
    oc_timelines_free(&import->messages.links);
    oc_map_free(&import->messages.number_of);
    oc_map_free(&import->places.taken);
    oc_map_free(&import->call_paths.index_of);
    otf2_archive_close(&import->archive);
    otf2_definitions_free(&import->definitions);
    import->messages = (otf2_messages){0};
    import->call_paths = (otf2_call_paths){0};
    import->samples = (otf2_samples){0};
}

/* --- The beginning of time */

/* The first stamp of a location. */
static bool peek(uint64_t *stamp, otf2_import *import, OTF2_EvtReaderCallbacks *callbacks,
                 uint64_t index)
{
    uint64_t count = 0;
    otf2_batch batch = {0};
    otf2_location location = {.definitions = &import->definitions,
                              .index = index,
                              .lenient = true,
                              .path = "",
                              .batch = &batch};
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(
        import->archive.reader, import->definitions.locations.items[index].reference);
    if (reader == NULL)
        return false;
    if (OTF2_EvtReader_SetCallbacks(reader, callbacks, &location) == OTF2_SUCCESS)
        (void)OTF2_EvtReader_ReadEvents(reader, 1, &count);
    const bool found = location.has_begun && location.status == OCELOTL_OK;
    *stamp = (uint64_t)location.last;
    OTF2_Reader_CloseEvtReader(import->archive.reader, reader);
    otf2_location_free(&location);
    otf2_batch_free(&batch);
    return found;
}

/* Finds the first stamp of some locations, or of all; UINT64_MAX if they have none. */
static ocelotl_status find_first(uint64_t *found, otf2_import *import, size_t most)
{
    uint64_t first = UINT64_MAX;
    OTF2_EvtReaderCallbacks *callbacks = NULL;
    OC_TRY(otf2_make_callbacks(&callbacks, false));
    size_t looked = 0;
    for (size_t i = 0; i < import->definitions.locations.count && looked < most; i++) {
        uint64_t stamp;
        if ((import->sizes[i] > 0 || !import->archive.has_files) &&
            peek(&stamp, import, callbacks, i)) {
            looked++;
            first = stamp < first ? stamp : first;
        }
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    *found = first;
    return OCELOTL_OK;
}

/* --- Several archives on one clock: each is looked at before */

static ocelotl_status look_at(otf2_import *import, size_t number)
{
    uint64_t first = UINT64_MAX;
    oc_aligned *archive = &import->aligned[number];
    OC_TRY(open_archive(import, number));
    *archive = (oc_aligned){.path = import->import->sources[number].path,
                            .has_clock = has_epoch(&import->definitions),
                            .origin = (int64_t)import->definitions.epoch};
    if (import->import->options->align != OCELOTL_ALIGN_BEGIN)
        return OCELOTL_OK;
    OC_TRY(otf2_clocks_read(import));
    if (OTF2_Reader_OpenEvtFiles(import->archive.reader) != OTF2_SUCCESS)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the events cannot be opened",
                       import->archive.folder);
    const ocelotl_status status = find_first(&first, import, SIZE_MAX);
    OTF2_Reader_CloseEvtFiles(import->archive.reader);
    archive->has_bounds =
        first <= INT64_MAX && otf2_timing_tick(&archive->begin, &import->timing, first);
    archive->end = archive->begin;
    return status;
}

static ocelotl_status align_archives(otf2_import *import)
{
    const size_t count = import->import->source_count;
    oc_kinds nothing = {0};
    OC_TRY(oc_arena_allocate(&import->aligned, &import->arena, count, sizeof *import->aligned));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_status status = look_at(import, i);
        close_archive(import);
        oc_kinds_free(&import->kinds); /* all is counted when it is read */
        import->kinds = nothing;
        OC_TRY(status);
    }
    import->align = import->import->options->align;
    return oc_align(&import->align, import->aligned, count, OC_OTF2_NANOSECONDS, NULL);
}

/* --- The writer */

/* The first archive opens it, and says when tick 0 was. */
static ocelotl_status open_writer(otf2_import *import)
{
    const otf2_definitions *definitions = &import->definitions;
    char date[OC_DATE_SIZE];
    const char *origin =
        has_epoch(definitions) ? oc_date_write_part(date, (int64_t)definitions->epoch) : NULL;
    OC_TRY(oc_import_open(&import->writer, import->import, oc_otf2_importer.format.name,
                          definitions->ticks, origin));
    import->oddities.writer = import->writer;
    return ocelotl_writer_producer(import->writer, import->archive.producer);
}

/* --- Links, ends, counts */

static ocelotl_status write_links(otf2_import *import)
{
    char of[64];
    static const char *const files[] = {""};
    otf2_messages *messages = &import->messages;
    uint64_t *counts = import->oddities.counts;
    const size_t count = import->definitions.locations.count;
    oc_timelines_plan plan = {.row_count = count, .files = files};
    oc_timelines_row *rows;
    OC_TRY(oc_arena_allocate(&rows, &import->definitions.arena, count, sizeof *rows));
    for (size_t i = 0; i < count; i++) {
        rows[i].resource = import->places.locations[i];
        rows[i].is_elsewhere = otf2_is_elsewhere(import, i);
    }
    plan.rows = rows;
    const uint64_t before = counts[OC_LINK_WITHOUT_END];
    OC_TRY(oc_timelines_write(&messages->links, &plan));
    const uint64_t reversed = counts[OC_LINK_REVERSED]; /* transfers are not */
    const uint64_t left = counts[OC_LINK_WITHOUT_END] - before - messages->alone;
    counts[OC_LINK_REVERSED] = 0;
    snprintf(of, sizeof of, "of %" PRIu64 " that have both ends", messages->begun - left);
    return reversed == 0
               ? OCELOTL_OK
               : ocelotl_writer_warning(import->writer,
                                        "message that arrives before it is sent, by clocks that do "
                                        "not agree (kept)",
                                        reversed, of);
}

/* Notes when the locations were over. A message may arrive, by clocks that disagree, after the
 * thread has ended. What is in `merged` ends when all archives have been read. */
static ocelotl_status end_lives(otf2_import *import)
{
    for (size_t i = 0; i < import->definitions.locations.count; i++) {
        const uint32_t shared = import->places.shared[i];
        const int64_t last = import->last[i];
        const int64_t end = import->ends[i];
        oc_merged_place *place = &import->merged.places[shared != OCELOTL_NONE ? shared : 0];
        if (shared == OCELOTL_NONE) {
            if (end != INT64_MIN)
                OC_TRY(ocelotl_writer_resource_end(import->writer, import->places.locations[i],
                                                   last > end ? last : end));
            continue;
        }
        place->last = last > place->last ? last : place->last;
        place->end = end;
    }
    return OCELOTL_OK;
}

/* --- An archive */

/* Begins the places of an archive, with a node if the import has several. */
static ocelotl_status begin_places(otf2_import *import, size_t number, int64_t begin)
{
    const oc_import *asked = import->import;
    const bool has_node = asked->source_count > 1 && !asked->options->same_root;
    if (asked->source_count > 1)
        OC_TRY(oc_align_tell(import->writer, asked->nodes[number], import->align,
                             import->timing.shift, OC_OTF2_NANOSECONDS));
    if (asked->notes_files)
        OC_TRY(oc_source_note(&asked->sources[number], import->writer));
    if (import->shared.ranks != NULL) /* what all declare alike */
        OC_TRY(ocelotl_writer_turn(import->writer, 0, false));
    return otf2_places_begin(import, has_node ? asked->nodes[number] : NULL, begin);
}

static ocelotl_status read_archive(otf2_import *import, size_t number)
{
    enum { LOOKED_AT = 64 };
    int64_t begin;
    uint64_t first = import->timing.base; /* else the first stamp of some locations */
    OTF2_Reader *reader = import->archive.reader;
    OC_TRY(oc_timelines_open(&import->messages.links, import->writer, &import->oddities,
                             import->import->target, OC_SORTING_MEMORY));
    OC_TRY(otf2_clocks_read(import));
    if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: the events cannot be opened",
                       import->archive.folder);
    ocelotl_status status = first == 0 ? find_first(&first, import, LOOKED_AT) : OCELOTL_OK;
    if (first > INT64_MAX && import->timing.base == 0)
        first = 0;
    if (!otf2_timing_tick(&begin, &import->timing, first))
        begin = 0;
    if (status == OCELOTL_OK)
        status = begin_places(import, number, begin);
    otf2_share_counts(import);
    if (status == OCELOTL_OK)
        status = otf2_feed(import);
    OTF2_Reader_CloseEvtFiles(reader);
    OC_TRY(status);
    OC_TRY(otf2_share_all(import));
    OC_TRY(write_links(import));
    OC_TRY(otf2_clocks_write(import));
    OC_TRY(end_lives(import));
    import->oddities.counts[OC_OTF2_DEFINED_TWICE] += import->definitions.twice;
    import->oddities.counts[OC_OTF2_NO_CLOCK] += !import->definitions.has_clock;
    return OCELOTL_OK;
}

/* --- All of them */

static ocelotl_status import_archive(otf2_import *import, size_t number)
{
    OC_TRY(open_archive(import, number));
    OC_TRY(otf2_share(import));
    if (import->shared.is_idle)
        return OCELOTL_OK;
    if (import->aligned != NULL)
        import->timing.shift = import->aligned[number].shift;
    if (import->writer == NULL)
        OC_TRY(open_writer(import));
    import->merged.writer = import->writer;
    import->merged.name = import->import->nodes[number];
    import->merged.file = import->import->options->same_root ? (uint32_t)number : 0;
    return read_archive(import, number);
}

/* Definitions without a single event are no trace: more was written, or files are lost. */
static ocelotl_status check_records(const otf2_import *import)
{
    const oc_oddities *oddities = &import->oddities;
    const uint64_t missing = oddities->counts[OC_OTF2_FILE_MISSING];
    const uint64_t lost = missing + oddities->counts[OC_OTF2_EVENTS_LOST];
    const char *first = oddities->texts[missing > 0 ? OC_OTF2_FILE_MISSING : OC_OTF2_EVENTS_LOST];
    for (size_t i = 0; i < OC_OTF2_KIND_COUNT; i++)
        if (import->counts[i] > 0)
            return OCELOTL_OK;
    if (lost == 0)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: holds no record of events that can be read, expected those of %" PRIu64
                   " location%s%s%s",
                   import->import->sources[0].path, lost, lost == 1 ? "" : "s",
                   first != NULL ? "; first " : "", first != NULL ? first : "");
}

static ocelotl_status run(otf2_import *import)
{
    const oc_import *asked = import->import;
    if (asked->source_count > 1)
        OC_TRY(align_archives(import));
    import->bytes = 0;
    for (size_t i = 0; i < asked->source_count; i++) {
        OC_TRY(import_archive(import, i));
        close_archive(import);
    }
    if (import->shared.is_idle)
        return OCELOTL_OK;
    OC_TRY(check_records(import));
    for (size_t i = 0; i < import->merged.count; i++) { /* what several archives share */
        const oc_merged_place *place = &import->merged.places[i];
        const int64_t end = place->last > place->end ? place->last : place->end;
        if (place->end != INT64_MIN)
            OC_TRY(ocelotl_writer_resource_end(import->writer, place->resource, end));
    }
    for (otf2_kind kind = 0; kind < OC_OTF2_KIND_COUNT; kind++) {
        const bool never = otf2_kinds[kind].fate == OCELOTL_FATE_LEFT_OUT;
        const uint64_t left = never ? import->counts[kind] : import->left_out[kind];
        if (!never)
            OC_TRY(oc_kinds_count(&import->kinds, otf2_kinds[kind].name, otf2_kinds[kind].fate,
                                  import->counts[kind] - left, NULL));
        OC_TRY(oc_kinds_count(&import->kinds, otf2_kinds[kind].name, OCELOTL_FATE_LEFT_OUT, left,
                              otf2_kind_why(kind)));
    }
    OC_TRY(oc_kinds_finish(&import->kinds, import->writer));
    OC_TRY(oc_oddities_finish(&import->oddities));
    if (import->shared.ranks != NULL) {
        OC_TRY(otf2_share_status(import, OCELOTL_OK));
        OC_TRY(ocelotl_writer_share_bounds(import->writer, import->shared.ranks));
    }
    return ocelotl_writer_finish(import->writer);
}

static ocelotl_status import_otf2(const oc_import *asked)
{
    otf2_import *import = NULL;
    OC_TRY(oc_allocate(&import, 1, sizeof *import));
    import->import = asked;
    import->oddities = oc_import_oddities(asked, NULL, oddity_names, OC_OTF2_ODDITY_END);
    const ocelotl_status status = otf2_share_status(import, run(import));
    close_archive(import);
    oc_bytes_free(&import->shared.links);
    oc_merged_free(&import->merged);
    oc_map_free(&import->declared);
    oc_oddities_free(&import->oddities);
    oc_kinds_free(&import->kinds);
    ocelotl_writer_free(import->writer);
    oc_arena_free(&import->arena);
    free(import);
    return status;
}

const oc_importer oc_otf2_importer = {
    .format = {.name = "otf2",
               .description = "OTF2 archives, as Score-P, eztrace and TAU write them (the folder, "
                              "or its anchor .otf2)",
               .suffixes = (const char *const[]){".otf2", NULL}},
    .unit = OC_UNIT_ANCHOR,
    .takes_several = true,
    .has_clock = true,
    .shares = true,
    .takes = OC_TAKES_VALUE,
    .values = 1U << OCELOTL_VALUE_REGION | 1U << OCELOTL_VALUE_PARADIGM | 1U << OCELOTL_VALUE_ROLE |
              1U << OCELOTL_VALUE_CALLPATH,
    .recognises = otf2_archive_recognises,
    .import = import_otf2,
};

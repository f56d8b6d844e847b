/* The importer of Paraver traces. What becomes of them is described in docs/formats/paraver.md. */
#include "importers/paraver/reader.h"

#include "base/memory.h"
#include "base/text.h"
#include "importers/ingest/align.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const oddity_names[] = {
    [PARAVER_NO_NAMES - OC_COMMON_ODDITIES] =
        "no .pcf beside the trace (types and values are numbers)",
    [PARAVER_NAME_LINE_UNKNOWN - OC_COMMON_ODDITIES] =
        "line of a .pcf or .row that means nothing known (ignored)",
    [PARAVER_NAMES_DIFFER - OC_COMMON_ODDITIES] =
        "level of the .row with another number of names than the header (those given are used)",
    [PARAVER_STATE_WITHOUT_NAME - OC_COMMON_ODDITIES] =
        "state without a name (its number is the name)",
    [PARAVER_DURATION_DIFFERS - OC_COMMON_ODDITIES] =
        "duration in the header that is not the time of the last record (the record counts)",
    [PARAVER_OUT_OF_ORDER - OC_COMMON_ODDITIES] = "record out of order of time (sorted)",
    [PARAVER_STATE_REPLACED - OC_COMMON_ODDITIES] =
        "state of an event type that another value replaces (ended there)",
    [PARAVER_VALUES_MANY - OC_COMMON_ODDITIES] =
        "state of a type with more than 4096 values without a name (one value stands for the rest)",
    [PARAVER_NO_CPU - OC_COMMON_ODDITIES] = "CPU 0 (below \"no CPU\" of the thread's node)",
};

/* --- Recognition */

static int recognises(const oc_source *source)
{
    static const char word[] = "#Paraver";
    return source->head.length >= sizeof word - 1 &&
                   memcmp(source->head.bytes, word, sizeof word - 1) == 0
               ? OC_SURE
               : OC_NO;
}

/* --- A pass over a file */

/* Opens the writer. Several files may have units of their own: a tick is the finest. */
static ocelotl_status open_writer(paraver_reader *reader)
{
    enum { FINEST = 1000000000 };
    const oc_import *import = reader->import;
    paraver_shared *shared = reader->shared;
    shared->ticks = import->source_count > 1 ? FINEST : reader->header.ticks;
    OC_TRY(oc_import_open(&shared->writer, import, oc_paraver_importer.format.name, shared->ticks,
                          NULL));
    reader->writer = shared->writer;
    shared->oddities = oc_import_oddities(import, shared->writer, oddity_names, PARAVER_ODDITY_END);
    static const struct {
        const char *name;
        ocelotl_fate fate;
        const char *why;
    } kinds[PARAVER_KIND_COUNT] = {
        [PARAVER_KIND_STATE] = {"1", OCELOTL_FATE_STATE, "lines"},
        [PARAVER_KIND_UNBORN] = {"1", OCELOTL_FATE_LEFT_OUT, "the thread is not created yet"},
        [PARAVER_KIND_EVENT] = {"2", OCELOTL_FATE_EVENT,
                                "lines; each has pairs of a type and a value, counted below"},
        [PARAVER_KIND_LINK] = {"3", OCELOTL_FATE_LINK, "lines"},
        [PARAVER_KIND_GROUP] = {"c", OCELOTL_FATE_ATTRIBUTE, "communicators"},
        [PARAVER_KIND_GROUP_LEFT_OUT] = {"c", OCELOTL_FATE_LEFT_OUT,
                                         "no resource is an application, or they are too many"},
        [PARAVER_KIND_COMMENT] = {"#", OCELOTL_FATE_LEFT_OUT, "a comment"},
        [PARAVER_KIND_OLD] = {"4", OCELOTL_FATE_LEFT_OUT, "an old global operation"},
    };
    for (size_t i = 0; i < PARAVER_KIND_COUNT; i++)
        OC_TRY(oc_kinds_find(&reader->shared->kind_of[i], &reader->shared->kinds, kinds[i].name,
                             strlen(kinds[i].name), kinds[i].fate, kinds[i].why));
    OC_TRY(paraver_resources_declare(reader));
    return paraver_links_declare(reader);
}

/* The first file opens the writer; each of several has a node, or all have one root. Its times
 * count from the begin of the run, whatever --align says. */
static ocelotl_status begin_file(paraver_reader *reader, size_t file)
{
    paraver_shared *shared = reader->shared;
    if (shared->writer == NULL)
        OC_TRY(open_writer(reader));
    reader->writer = shared->writer;
    reader->scale = shared->ticks / reader->header.ticks;
    reader->top = OCELOTL_ROOT;
    const oc_import *import = reader->import;
    if (import->source_count < 2)
        return OCELOTL_OK;
    OC_TRY(oc_align_tell(reader->writer, import->nodes[file], import->options->align, 0, 1));
    shared->merged.writer = reader->writer;
    shared->merged.file = (uint32_t)file;
    shared->merged.name = import->nodes[file];
    if (shared->merges)
        return OCELOTL_OK;
    return ocelotl_writer_resource(&reader->top, reader->writer, shared->file_type, OCELOTL_ROOT,
                                   import->nodes[file], 0);
}

/* Reads the first lines; the first of all is the header. */
static ocelotl_status read_header(paraver_reader *reader)
{
    char *end;
    OC_TRY(oc_lines_read(&reader->lines));
    char *line = oc_lines_take(&end, &reader->lines);
    if (line == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", reader->path);
    ocelotl_status status = oc_lines_check(&reader->lines, line, end);
    *end = '\0';
    if (status == OCELOTL_OK)
        status = paraver_header_read(&reader->header, line);
    return status == OCELOTL_ERROR_INPUT ? oc_fail_within(status, "%s:1", reader->path) : status;
}

static ocelotl_status note_files(const paraver_reader *reader, const oc_source *source)
{
    if (reader->names_paths[0] == NULL && reader->names_paths[1] == NULL &&
        !reader->import->notes_files)
        return OCELOTL_OK;
    return oc_source_note(source, reader->writer);
}

/* Says why a file has no records. */
static ocelotl_status fail_without_records(const paraver_reader *reader, const char *loss)
{
    if (loss != NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; no record is before that", reader->path, loss);
    if (reader->lines.number > 1 && reader->shared->oddities.skipped_lines == 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: holds a header and %" PRIu64
                       " other lines, such as comments, expected records",
                       reader->path, reader->lines.number - 1);
    return oc_oddities_fail_empty(&reader->shared->oddities, reader->path,
                                  "holds a header alone, expected records");
}

/* Checks for a file that ends too early: what was read counts, the rest is missing. */
static ocelotl_status check_end(paraver_reader *reader)
{
    const char *loss = oc_input_loss(reader->input);
    if (reader->record_count == 0)
        return fail_without_records(reader, loss);
    if (loss == NULL &&
        (uint64_t)reader->last_time != (uint64_t)reader->header.duration * reader->scale)
        oc_oddities_note(&reader->shared->oddities, PARAVER_DURATION_DIFFERS, reader->path, 1);
    return oc_lines_end(&reader->lines, OCELOTL_OK, reader->path, &reader->shared->oddities,
                        "trace");
}

static ocelotl_status read_trace(paraver_reader *reader, const oc_source *source, size_t file)
{
    OC_TRY(read_header(reader));
    OC_TRY(begin_file(reader, file));
    OC_TRY(paraver_names_find(reader->names_paths, source->is_standard ? "" : source->path));
    OC_TRY(note_files(reader, source));
    OC_TRY(paraver_names_read(&reader->names, reader->names_paths, &reader->shared->oddities,
                              reader->import->options));
    OC_TRY(paraver_resources_begin(reader));
    OC_TRY(paraver_types_begin(reader));
    OC_TRY(paraver_events_begin(reader));
    if (!reader->sorts && !reader->by_cpu)
        OC_TRY(paraver_read_lives(reader));
    if (!reader->sorts)
        OC_TRY(paraver_resources_make(reader));
    reader->shared->oddities.skipped_lines = 0;
    OC_TRY(paraver_read_records(reader));
    OC_TRY(check_end(reader));
    if (reader->sorts)
        OC_TRY(paraver_resources_make(reader));
    return paraver_events_end(reader);
}

/* Reports a loss of compressed data, which has no place of its own. */
static ocelotl_status place_loss(ocelotl_status status, const paraver_reader *reader)
{
    const char *loss = oc_input_loss(reader->input);
    if (status != OCELOTL_ERROR_INPUT || loss == NULL || reader->import->options->lenient)
        return status;
    return oc_fail(status, "%s:%" PRIu64 ": %s", reader->path, reader->lines.number + 1, loss);
}

/* Reads a file; *again: all have to be read anew, sorted. */
static ocelotl_status read_file(bool *again, paraver_shared *shared, const oc_import *import,
                                const oc_source *source, size_t file, bool sorts)
{
    paraver_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->import = import;
    reader->shared = shared;
    reader->input = reader->lines.input = source->input;
    reader->path = import->sources[file].path;
    reader->names_paths = &shared->names_paths[2 * file];
    reader->sorts = sorts;
    reader->by_cpu = import->options->by == OCELOTL_BY_CPU;
    const ocelotl_status status = place_loss(read_trace(reader, source, file), reader);
    *again = reader->is_disordered;
    paraver_events_free(reader);
    paraver_resources_free(reader);
    paraver_types_free(reader);
    paraver_names_free(&reader->names);
    paraver_header_free(&reader->header);
    oc_lines_free(&reader->lines);
    free(reader->fields);
    free(reader);
    return status;
}

static ocelotl_status open_and_read(bool *again, paraver_shared *shared, const oc_import *import,
                                    size_t file, bool sorts)
{
    oc_source source = {0};
    ocelotl_status status =
        oc_source_open_unseen(&source, import->sources[file].path, import->options);
    if (status == OCELOTL_OK)
        status = read_file(again, shared, import, &source, file, sorts);
    oc_source_close(&source);
    return status;
}

static ocelotl_status read_files(bool *again, paraver_shared *shared, const oc_import *import,
                                 bool sorts, bool reopens)
{
    for (size_t i = 0; i < import->source_count; i++) {
        const oc_source *source = &import->sources[i];
        OC_TRY(reopens ? open_and_read(again, shared, import, i, sorts)
                       : read_file(again, shared, import, source, i, sorts));
        shared->before += oc_input_size(source->input);
    }
    OC_TRY(oc_oddities_finish(&shared->oddities));
    OC_TRY(oc_kinds_finish(&shared->kinds, shared->writer));
    return ocelotl_writer_finish(shared->writer);
}

/* --- Passes over all files */

static ocelotl_status pass(bool *again, uint64_t *reported, const oc_import *import, bool sorts,
                           bool reopens)
{
    paraver_shared shared = {.reported = *reported,
                             .merges = import->source_count > 1 && import->options->same_root};
    for (size_t i = 0; i < import->source_count; i++)
        shared.size += oc_input_size(import->sources[i].input);
    OC_TRY(oc_allocate(&shared.names_paths, 2 * import->source_count, sizeof(char *)));
    const ocelotl_status status = read_files(again, &shared, import, sorts, reopens);
    *reported = shared.reported;
    oc_oddities_free(&shared.oddities);
    oc_kinds_free(&shared.kinds);
    for (size_t i = 0; i < 2 * import->source_count; i++)
        free(shared.names_paths[i]);
    free(shared.names_paths);
    oc_map_free(&shared.types_known);
    oc_map_free(&shared.names_taken);
    oc_map_free(&shared.values_known);
    oc_merged_free(&shared.merged);
    ocelotl_writer_free(shared.writer);
    return status;
}

/* Imports a file; one that can be read twice is sorted only if needed. */
static ocelotl_status import_paraver(const oc_import *import)
{
    bool again = false;
    bool can_reopen = true;
    uint64_t reported = 0; /* a second pass does not go back */
    for (size_t i = 0; i < import->source_count; i++)
        can_reopen = can_reopen && !import->sources[i].is_standard && import->sources[i].is_regular;
    const ocelotl_status status = pass(&again, &reported, import, !can_reopen, false);
    return again && can_reopen ? pass(&again, &reported, import, true, true) : status;
}

const oc_importer oc_paraver_importer = {
    .format = {.name = "paraver",
               .description = "Paraver traces, as Extrae and Dimemas write them (.prv with .pcf "
                              "and .row beside it, plain or compressed)",
               .suffixes = (const char *const[]){".prv", NULL}},
    .takes_several = true,
    .takes = OC_TAKES_BY,
    .recognises = recognises,
    .import = import_paraver,
};

/* The importer of Paraver traces. What becomes of them is described in docs/formats/paraver.md. */
#include "importers/paraver/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
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
    [PARAVER_COUNTED_AT_ONCE - OC_COMMON_ODDITIES] =
        "counter with no time since the record before it (left out)",
};

/* --- Recognition, and the trace in a folder */

static bool ends_like_trace(const char *name)
{
    static const char *const suffixes[] = {".prv",    ".prv.gz",  ".prv.zst",
                                           ".prv.xz", ".prv.bz2", ".prv.zip"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        const size_t part = strlen(suffixes[i]);
        if (length > part && strcmp(name + length - part, suffixes[i]) == 0)
            return true;
    }
    return false;
}

/* How many traces are in a folder; *name is that of one, freed by the caller. */
static size_t count_traces(char **name, const char *folder)
{
    size_t count = 0;
    DIR *opened = opendir(folder);
    if (opened == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;)
        if (ends_like_trace(entry->d_name) && count++ == 0 && name != NULL &&
            oc_copy_text(name, entry->d_name) != OCELOTL_OK)
            count = 0;
    closedir(opened);
    return count;
}

static int recognises(const oc_source *source)
{
    static const char word[] = "#Paraver";
    if (source->is_folder)
        return count_traces(NULL, source->path) > 0 ? OC_SURE : OC_NO;
    return source->head.length >= sizeof word - 1 &&
                   memcmp(source->head.bytes, word, sizeof word - 1) == 0
               ? OC_SURE
               : OC_NO;
}

static ocelotl_status find_in_folder(char **path, const oc_source *folder)
{
    char *name = NULL;
    const size_t count = count_traces(&name, folder->path);
    if (count == 1)
        *path = oc_source_path(folder, name);
    free(name);
    if (count == 1)
        return *path != NULL ? OCELOTL_OK : oc_fail_memory();
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: holds %zu traces of Paraver (.prv), expected one: give one of them",
                   folder->path, count);
}

/* --- A pass over the file */

static ocelotl_status begin_kinds(paraver_reader *reader)
{
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
                                         "no resource is an application, or there are too many"},
        [PARAVER_KIND_COMMENT] = {"#", OCELOTL_FATE_LEFT_OUT, "a comment"},
        [PARAVER_KIND_OLD] = {"4", OCELOTL_FATE_LEFT_OUT, "an old global operation"},
    };
    for (size_t i = 0; i < PARAVER_KIND_COUNT; i++)
        OC_TRY(oc_kinds_find(&reader->kind_of[i], &reader->kinds, kinds[i].name,
                             strlen(kinds[i].name), kinds[i].fate, kinds[i].why));
    return OCELOTL_OK;
}

static ocelotl_status open_writer(paraver_reader *reader)
{
    const oc_import *import = reader->import;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.name = import->name;
    options.source = import->source_path;
    options.format = oc_paraver_importer.format.name;
    options.tick_numerator = 1;
    options.tick_denominator = reader->header.ticks;
    options.overwrite = import->options->overwrite;
    OC_TRY(ocelotl_writer_open(&reader->writer, import->target, &options));
    reader->oddities = (oc_oddities){.writer = reader->writer,
                                     .names = oddity_names,
                                     .name_count = PARAVER_ODDITY_END - OC_COMMON_ODDITIES,
                                     .lenient = import->options->lenient};
    return OCELOTL_OK;
}

/* Reads the first lines; the first of all is the header. */
static ocelotl_status read_header(paraver_reader *reader)
{
    char *end;
    OC_TRY(oc_lines_read(&reader->lines));
    char *line = oc_lines_take(&end, &reader->lines);
    if (line == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is empty, expected a trace", reader->path);
    *end = '\0';
    const ocelotl_status status = paraver_header_read(&reader->header, line);
    return status == OCELOTL_ERROR_INPUT ? oc_fail_within(status, "%s:1", reader->path) : status;
}

static ocelotl_status note_files(const paraver_reader *reader, const oc_source *source)
{
    if (reader->names_paths[0] == NULL && reader->names_paths[1] == NULL &&
        !reader->import->sources[0].is_folder)
        return OCELOTL_OK;
    return oc_source_note(source, reader->writer);
}

/* What was read of a file that ends too early counts: the rest is missed. */
static ocelotl_status check_end(paraver_reader *reader)
{
    const char *loss = oc_input_loss(reader->input);
    if (reader->record_count == 0)
        return loss != NULL ? oc_fail(OCELOTL_ERROR_INPUT, "%s: %s; no record is before that",
                                      reader->path, loss)
                            : oc_fail(OCELOTL_ERROR_INPUT,
                                      "%s: holds a header alone, expected records", reader->path);
    if (loss != NULL) {
        oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", reader->path, reader->lines.number + 1,
                loss);
        OC_TRY(ocelotl_writer_warning(reader->writer, "skipped rest of the trace", 1,
                                      ocelotl_error_message()));
    } else if (reader->last_time != reader->header.duration) {
        oc_oddities_note(&reader->oddities, PARAVER_DURATION_DIFFERS, reader->path, 1);
    }
    return OCELOTL_OK;
}

static ocelotl_status read_trace(paraver_reader *reader, const oc_source *source)
{
    OC_TRY(read_header(reader));
    OC_TRY(open_writer(reader));
    OC_TRY(begin_kinds(reader));
    OC_TRY(paraver_names_find(reader->names_paths, source->is_standard ? "" : source->path));
    OC_TRY(note_files(reader, source));
    OC_TRY(paraver_names_read(&reader->names, reader->names_paths, &reader->oddities,
                              reader->import->options));
    OC_TRY(paraver_resources_begin(reader));
    OC_TRY(paraver_types_begin(reader));
    OC_TRY(paraver_events_begin(reader));
    if (!reader->sorts && !reader->by_cpu)
        OC_TRY(paraver_read_lives(reader));
    if (!reader->sorts)
        OC_TRY(paraver_resources_make(reader));
    OC_TRY(paraver_read_records(reader));
    OC_TRY(check_end(reader));
    if (reader->sorts)
        OC_TRY(paraver_resources_make(reader));
    OC_TRY(paraver_events_end(reader));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    return ocelotl_writer_finish(reader->writer);
}

static void free_reader(paraver_reader *reader)
{
    paraver_events_free(reader);
    paraver_resources_free(reader);
    paraver_types_free(reader);
    paraver_names_free(&reader->names);
    paraver_header_free(&reader->header);
    oc_lines_free(&reader->lines);
    oc_oddities_free(&reader->oddities);
    oc_kinds_free(&reader->kinds);
    free(reader->names_paths[0]);
    free(reader->names_paths[1]);
    free(reader->fields);
    ocelotl_writer_free(reader->writer);
    free(reader);
}

/* What compressed data lacks has no place of its own. */
static ocelotl_status place_loss(ocelotl_status status, const paraver_reader *reader)
{
    const char *loss = oc_input_loss(reader->input);
    if (status != OCELOTL_ERROR_INPUT || loss == NULL || reader->import->options->lenient)
        return status;
    return oc_fail(status, "%s:%" PRIu64 ": %s", reader->path, reader->lines.number + 1, loss);
}

/* Reads the file once; *again: it has to be read anew, sorted. */
static ocelotl_status pass(bool *again, uint64_t *reported, const oc_import *import,
                           const oc_source *source, bool sorts)
{
    paraver_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->import = import;
    reader->input = reader->lines.input = source->input;
    reader->path = source->path;
    reader->reported = reported;
    reader->sorts = sorts;
    reader->by_cpu = import->options->by == OCELOTL_BY_CPU;
    const ocelotl_status status = place_loss(read_trace(reader, source), reader);
    *again = reader->is_disordered;
    free_reader(reader);
    return status;
}

static ocelotl_status open_and_pass(bool *again, uint64_t *reported, const oc_import *import,
                                    const char *path, bool sorts)
{
    oc_source source = {0};
    ocelotl_status status = oc_source_open_unseen(&source, path, import->options);
    if (status == OCELOTL_OK)
        status = pass(again, reported, import, &source, sorts);
    oc_source_close(&source);
    return status;
}

static ocelotl_status import_paraver(const oc_import *import)
{
    bool again = false;
    uint64_t reported = 0; /* a second pass does not go back */
    char *path = NULL;
    const oc_source *source = &import->sources[0];
    if (!source->is_folder && (source->is_standard || !source->is_regular))
        return pass(&again, &reported, import, source, true);
    if (source->is_folder)
        OC_TRY(find_in_folder(&path, source));
    else
        OC_TRY(oc_copy_text(&path, source->path));
    ocelotl_status status = source->is_folder
                                ? open_and_pass(&again, &reported, import, path, false)
                                : pass(&again, &reported, import, source, false);
    if (again)
        status = open_and_pass(&again, &reported, import, path, true);
    free(path);
    return status;
}

static const char *const suffixes[] = {".prv", NULL};

const oc_importer oc_paraver_importer = {
    .format = {.name = "paraver",
               .description = "Paraver traces, as Extrae and Dimemas write them (.prv with .pcf "
                              "and .row beside it, plain or compressed)",
               .suffixes = suffixes},
    .takes_folder = true,
    .recognises = recognises,
    .import = import_paraver,
};

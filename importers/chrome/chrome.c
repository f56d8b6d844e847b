/* The importer of trace events in JSON. The format is described in docs/formats/chrome.md. */
#define _GNU_SOURCE
#include "importers/chrome/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const oddity_names[] = {
    [CHROME_TIME_ROUNDED - OC_COMMON_ODDITIES] = "time with more digits than a tick has (rounded)",
    [CHROME_DURATION_MISSING - OC_COMMON_ODDITIES] =
        "slice without a duration (taken as one that never ends)",
    [CHROME_DURATION_NEGATIVE - OC_COMMON_ODDITIES] =
        "slice of a negative duration (taken as one of none)",
    [CHROME_LIST_OPEN - OC_COMMON_ODDITIES] = "list of events that is not closed (all were read)",
    [CHROME_ELEMENT_EMPTY - OC_COMMON_ODDITIES] = "element that is no event (left out)",
    [CHROME_TEXT_BEHIND - OC_COMMON_ODDITIES] = "text behind the end of the JSON (left out)",
    [CHROME_FILE_EMPTY - OC_COMMON_ODDITIES] = "file without events (left out)",
    [CHROME_COLLECTIVE_ALONE - OC_COMMON_ODDITIES] = "collective of one file alone (no link)",
    [CHROME_COLLECTIVE_UNEVEN - OC_COMMON_ODDITIES] =
        "collective without a number, which files have more or less often (no link)",
};

/* Says what there is instead of events. */
static ocelotl_status fail_empty(const chrome_reader *reader)
{
    enum { MOST_KINDS = 8 };
    oc_text message = {0};
    oc_text_add(&message, reader->file_count > 1 ? "holds no events, and neither do the other files"
                                                 : "holds no events");
    for (size_t i = 0; i < reader->kinds.count && i < MOST_KINDS; i++) {
        const oc_kind *kind = &reader->kinds.kinds[i];
        oc_text_format(&message, "%s %" PRIu64 " of \"ph\" \"%s\"", i > 0 ? "," : ", but",
                       kind->count, kind->name);
        if (kind->why != NULL)
            oc_text_format(&message, " (%s)", kind->why);
    }
    oc_text_add(&message, ", expected some");
    const ocelotl_status status =
        message.failed ? oc_fail_memory()
                       : oc_oddities_fail_empty(&reader->oddities, reader->paths[0], message.bytes);
    oc_text_free(&message);
    return status;
}

static ocelotl_status read_files(chrome_reader *reader)
{
    const oc_import *import = reader->import;
    uint64_t events = 0;
    OC_TRY(oc_allocate(&reader->files, import->source_count, sizeof *reader->files));
    OC_TRY(oc_allocate(&reader->paths, import->source_count, sizeof *reader->paths));
    reader->file_count = import->source_count;
    for (size_t i = 0; i < import->source_count; i++) {
        oc_source *source = &import->sources[i];
        reader->paths[i] = source->path;
        reader->files[i] = (chrome_file){.path = source->path,
                                         .node = import->nodes[i],
                                         .number = (uint32_t)i,
                                         .source = source};
    }
    for (size_t i = 0; i < import->source_count; i++) {
        OC_TRY(chrome_read_file(reader, &reader->files[i]));
        events += reader->files[i].events;
        if (reader->files[i].events == 0)
            oc_oddities_note(&reader->oddities, CHROME_FILE_EMPTY, reader->paths[i], 0);
        if (import->notes_files)
            OC_TRY(oc_source_note(reader->files[i].source, reader->writer));
    }
    return events > 0 ? OCELOTL_OK : fail_empty(reader);
}

static ocelotl_status import_all(chrome_reader *reader)
{
    const oc_import *import = reader->import;
    OC_TRY(oc_import_open(&reader->writer, import, oc_chrome_importer.format.name, 1000000, NULL));
    reader->oddities = oc_import_oddities(import, reader->writer, oddity_names, CHROME_ODDITY_END);
    reader->oddities.can_fold = true;
    OC_TRY(oc_timelines_open(&reader->timelines, reader->writer, &reader->oddities, import->target,
                             OC_SORTING_MEMORY / 8 * 7));
    OC_TRY(oc_sorting_open(&reader->flows, import->target, OC_SORTING_MEMORY / 8, true));
    OC_TRY(chrome_collectives_open(reader));
    OC_TRY(chrome_names_begin(reader));
    OC_TRY(read_files(reader));
    OC_TRY(chrome_finish(reader));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    return ocelotl_writer_finish(reader->writer);
}

static ocelotl_status import_chrome(const oc_import *import)
{
    chrome_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->import = import;
    reader->power = 1;
    const ocelotl_status status = import_all(reader);
    for (size_t i = 0; i < reader->file_count && reader->files != NULL; i++) {
        chrome_stream_free(&reader->files[i].stream);
        free(reader->files[i].rank_name);
    }
    for (size_t i = 0; i < reader->waiting_count; i++)
        free(reader->waiting[i]);
    free(reader->waiting);
    free(reader->files);
    free(reader->paths);
    free(reader->rows);
    chrome_rows_free(reader);
    chrome_names_free(reader);
    chrome_element_free(&reader->element);
    oc_sorting_free(reader->flows);
    chrome_collectives_free(&reader->collectives);
    oc_timelines_free(&reader->timelines);
    oc_kinds_free(&reader->kinds);
    oc_oddities_free(&reader->oddities);
    ocelotl_writer_free(reader->writer);
    free(reader);
    return status;
}

static const char *const suffixes[] = {".json", NULL};

const oc_importer oc_chrome_importer = {
    .format = {.name = "chrome",
               .description = "Trace events in JSON, as Chrome, Perfetto, PyTorch and many others "
                              "write them (.json, plain or compressed)",
               .suffixes = suffixes},
    .takes_several = true,
    .has_clock = true,
    .takes = OC_TAKES_COLLECTIVES | OC_TAKES_FOLD_NAMES,
    .recognises = chrome_recognises,
    .import = import_chrome,
};

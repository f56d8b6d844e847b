/* The importer of what perf script prints. What becomes of it is described in
 * docs/formats/perf.md. */
#include "importers/perf/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const oddity_names[] = {
    [PERF_OUT_OF_ORDER - OC_COMMON_ODDITIES] = "sample earlier than the one before it (sorted)",
    [PERF_SWITCH_MISSED - OC_COMMON_ODDITIES] =
        "thread that runs without a switch to it (it runs from there)",
    [PERF_NOT_FOLLOWED - OC_COMMON_ODDITIES] =
        "switch to a thread that perf does not follow without -a (its state is unknown)",
    [PERF_LOST_EVENTS - OC_COMMON_ODDITIES] =
        "loss of events by the kernel (what happened then is unknown)",
};

/* --- Recognition */

static const char *end_of_line(const char *text, const char *end)
{
    const char *found = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
    return found != NULL ? found : end;
}

static bool is_frame(const char *text, const char *end)
{
    perf_line line;
    return text < end && (*text == '\t' || *text == ' ') &&
           perf_line_read(&line, text, end_of_line(text, end)) == PERF_FRAME;
}

/* Judges the first line, and where that says no time the next one. */
static int judge_lines(const char *text, const char *file_end)
{
    perf_line line;
    const char *end = end_of_line(text, file_end);
    switch (perf_line_read(&line, text, end)) {
    case PERF_SAMPLE:
        return line.event.length > 0 || line.cpu >= 0 ? OC_SURE / 2 : OC_ALMOST + 1;
    case PERF_TIMELESS:
        return memchr(text, '[', (size_t)(end - text)) != NULL || is_frame(end + 1, file_end)
                   ? OC_ALMOST + 1
                   : OC_NO;
    case PERF_BARE:
        return OC_ALMOST + 1;
    default:
        return OC_NO;
    }
}

/* Recognises a file by the header of perf, or the first line that is no comment. */
static int recognises(const oc_source *source)
{
    static const char header[] = "# ========\n# captured on";
    const char *text = source->head.bytes;
    const char *end = text + source->head.length;
    if (source->head.length >= sizeof header - 1 && memcmp(text, header, sizeof header - 1) == 0)
        return OC_SURE;
    while (text < end && (*text == '#' || *text == '\n' || *text == '\r')) {
        const char *next = end_of_line(text, end);
        text = next < end ? next + 1 : end;
    }
    return text < end ? judge_lines(text, end) : OC_NO;
}

/* --- Reading */

static ocelotl_status begin_kinds(perf_reader *reader)
{
    static const struct {
        const char *name;
        ocelotl_fate fate;
        const char *why;
    } kinds[PERF_KINDS] = {
        [PERF_KIND_INNERMOST] = {"frame", OCELOTL_FATE_ATTRIBUTE, NULL},
        [PERF_KIND_FRAME] = {"frame", OCELOTL_FATE_LEFT_OUT,
                             "it is not the innermost one of a sample; --stacks keeps all"},
        [PERF_KIND_EMPTY] = {"empty line", OCELOTL_FATE_LEFT_OUT, "it says nothing"},
        [PERF_KIND_COMMENT] = {"#", OCELOTL_FATE_LEFT_OUT, "a comment"},
        [PERF_KIND_MORE] = {"further line of a text", OCELOTL_FATE_ATTRIBUTE, NULL},
        [PERF_KIND_OTHER] = {"other line", OCELOTL_FATE_LEFT_OUT, "it is no sample and no frame"},
    };
    for (size_t i = 0; i < PERF_KINDS; i++)
        OC_TRY(oc_kinds_find(&reader->kind_of[i], &reader->ingest.kinds, kinds[i].name,
                             strlen(kinds[i].name), kinds[i].fate, kinds[i].why));
    return OCELOTL_OK;
}

static ocelotl_status import_all(perf_reader *reader, const oc_import *import)
{
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_folding_open(&reader->folding, import->options->fold_names));
    OC_TRY(oc_ingest_open(ingest, import, reader->format, oddity_names, PERF_ODDITY_END));
    ingest->oddities.can_fold = true;
    OC_TRY(oc_sorting_open(&reader->records, import->target, OC_SORTING_MEMORY, false));
    OC_TRY(oc_allocate(&reader->files, import->source_count, sizeof *reader->files));
    OC_TRY(begin_kinds(reader));
    OC_TRY(perf_read_files(reader));
    return perf_write(reader);
}

ocelotl_status perf_import(const oc_import *import, const char *format, const perf_way *way)
{
    perf_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->format = format;
    reader->way = way;
    reader->keeps_stacks = import->options->stacks;
    const ocelotl_status status = import_all(reader, import);
    perf_names_free(reader);
    oc_scheduler_free(&reader->scheduler);
    oc_sorting_free(reader->records);
    oc_folding_free(&reader->folding);
    oc_ingest_close(&reader->ingest);
    oc_text_free(&reader->fields);
    oc_text_free(&reader->period);
    oc_text_free(&reader->stack);
    oc_text_free(&reader->key);
    free(reader->values);
    free(reader);
    return status;
}

static ocelotl_status import_perf(const oc_import *import)
{
    static const perf_way way = {
        .line = perf_line_read,
        .expected = "expected command, thread, CPU, time and event (without -D, and with -F +tid)"};
    return perf_import(import, oc_perf_importer.format.name, &way);
}

static const char *const suffixes[] = {".txt", NULL};

const oc_importer oc_perf_importer = {
    .format = {.name = "perf",
               .description = "What perf script prints of samples and of the scheduler (text, "
                              "plain, .gz, .zst or .xz)",
               .suffixes = suffixes},
    .takes_several = true,
    .takes = OC_TAKES_STACKS | OC_TAKES_FOLD_NAMES,
    .recognises = recognises,
    .import = import_perf,
};

/* The importer of logs of GStreamer. What becomes of them is described in
 * docs/formats/gstreamer.md. */
#include "importers/gstreamer/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const oddity_names[] = {
    [GSTREAMER_OUT_OF_ORDER - OC_COMMON_ODDITIES] =
        "message earlier than the one before it in its thread (sorted)",
    [GSTREAMER_LINE_IN_LINE - OC_COMMON_ODDITIES] =
        "line that another one breaks (both are read as far as they are there)",
    [GSTREAMER_CLOCKS - OC_COMMON_ODDITIES] =
        "process beside the first (its times count from its own beginning, and are kept)",
    [GSTREAMER_NO_VALUE - OC_COMMON_ODDITIES] =
        "measure of a tracer that is not known or no number (left out)",
};

/* --- Recognition */

/* Recognises a file by the first line of a log; other programs may have written before it. */
static int recognises(const oc_source *source)
{
    const char *text = source->head.bytes;
    const char *end = text + source->head.length;
    char line[4096];
    gstreamer_line read;
    int sure = OC_NO;
    for (bool is_first = true; text < end; is_first = false) {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        const size_t length = (size_t)((next != NULL ? next : end) - text);
        gstreamer_form form = GSTREAMER_OTHER;
        if (length > 0 && length <= sizeof line) {
            memcpy(line, text, length);
            form = gstreamer_line_read(&read, line, gstreamer_line_plain(line, line + length));
        }
        if (form == GSTREAMER_MESSAGE)
            return is_first ? OC_SURE : OC_SURE / 2;
        if (form == GSTREAMER_BROKEN && is_first)
            sure = OC_ALMOST + 1;
        text = next != NULL ? next + 1 : end;
    }
    return sure;
}

/* --- Reading */

static ocelotl_status begin_kinds(gstreamer_reader *reader)
{
    static const struct {
        const char *name;
        ocelotl_fate fate;
        const char *why;
    } others[GSTREAMER_KINDS] = {
        [GSTREAMER_KIND_VARIABLE] = {"TRACE", OCELOTL_FATE_VARIABLE, NULL},
        [GSTREAMER_KIND_EVENT] = {"TRACE", OCELOTL_FATE_EVENT, NULL},
        [GSTREAMER_KIND_REST] = {"rest of a message", OCELOTL_FATE_ATTRIBUTE, NULL},
        [GSTREAMER_KIND_EMPTY] = {"empty line", OCELOTL_FATE_LEFT_OUT, "it says nothing"},
        [GSTREAMER_KIND_OTHER] = {"other line", OCELOTL_FATE_LEFT_OUT,
                                  "it is of another program, or the rest of a broken line"},
    };
    for (size_t i = 0; i < GSTREAMER_KINDS; i++) {
        const bool is_level = i < GSTREAMER_LEVELS;
        const char *name = is_level ? gstreamer_level_names[i] : others[i].name;
        OC_TRY(oc_kinds_find(&reader->kind_of[i], &reader->ingest.kinds, name, strlen(name),
                             is_level ? OCELOTL_FATE_STATE : others[i].fate,
                             is_level ? NULL : others[i].why));
    }
    return OCELOTL_OK;
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    gstreamer_reader *reader = decoder;
    reader->by_function = import->options->value == OCELOTL_VALUE_FUNCTION;
    OC_TRY(oc_ingest_open(&reader->ingest, import, oc_gstreamer_importer.format.name, oddity_names,
                          GSTREAMER_ODDITY_END));
    OC_TRY(begin_kinds(reader));
    return gstreamer_log_begin(reader);
}

static ocelotl_status end(void *decoder)
{
    gstreamer_reader *reader = decoder;
    if (reader->messages == 0)
        return oc_oddities_fail_empty(&reader->ingest.oddities, reader->ingest.paths[0],
                                      "holds no whole line of a log, expected some");
    return gstreamer_log_end(reader);
}

static void free_reader(void *decoder)
{
    gstreamer_reader *reader = decoder;
    oc_text_free(&reader->pending.texts);
    free(reader->threads);
}

static const oc_ingest_decoder decoder = {.size = sizeof(gstreamer_reader),
                                          .open = open,
                                          .read = gstreamer_read_file,
                                          .end = end,
                                          .free = free_reader};

const oc_importer oc_gstreamer_importer = {
    .format = {.name = "gstreamer",
               .description = "Logs of GStreamer, as GST_DEBUG has them written (.log, plain, .gz, "
                              ".zst or .xz)",
               .suffixes = (const char *const[]){".log", NULL}},
    .takes_several = true,
    .takes = OC_TAKES_VALUE,
    .values = 1U << OCELOTL_VALUE_LEVEL | 1U << OCELOTL_VALUE_FUNCTION,
    .recognises = recognises,
    .decoder = &decoder,
};

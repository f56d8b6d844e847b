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

/* --- Recognition: a list of events may be behind any other members of its object */

/* What is read at most of a file whose events are far from its beginning. */
static const uint64_t farthest = (uint64_t)256 << 20;

static size_t skip_blanks(const oc_head *head, size_t from)
{
    while (from < head->length && memchr(" \t\r\n", head->bytes[from], 4) != NULL)
        from++;
    return from;
}

/* Whether an object begins with a member that stands beside events, in files of producers that are
 * known. */
static bool has_companion(const oc_head *head, size_t begin)
{
    static const char *const companions[] = {
        "metadata",
        "otherData",
        "displayTimeUnit",
        "systemTraceEvents",
        "stackFrames",
        "samples",
        "schemaVersion",
        "deviceProperties",
        "distributedInfo",
        "controllerTraceDataKey",
        "powerTraceAsString",
        "viztracer_metadata",
        "baseTimeNanoseconds",
        "beginningOfTime",
    };
    begin = skip_blanks(head, begin);
    for (size_t i = 0; i < sizeof companions / sizeof companions[0]; i++) {
        const size_t length = strlen(companions[i]);
        if (begin + length + 2 <= head->length && head->bytes[begin] == '"' &&
            memcmp(head->bytes + begin + 1, companions[i], length) == 0 &&
            head->bytes[begin + 1 + length] == '"')
            return true;
    }
    return false;
}

static ocelotl_status look_for_events(bool *found, oc_json_stream *stream)
{
    char name[OC_JSON_NAME];
    char next;
    oc_json_scan scanned = OC_JSON_FOUND;
    OC_TRY(oc_json_stream_peek(&next, stream));
    while (next != '{' && next != '\0') { /* a mark of the order of bytes */
        stream->cursor.next++;
        OC_TRY(oc_json_stream_peek(&next, stream));
    }
    stream->cursor.next += next == '{';
    while (next != '\0' && scanned == OC_JSON_FOUND) {
        OC_TRY(oc_json_stream_member(&scanned, name, &next, stream));
        *found = scanned == OC_JSON_FOUND && strcmp(name, "traceEvents") == 0 && next == '[';
        if (*found || scanned != OC_JSON_FOUND || (next == '}' && name[0] == '\0'))
            break;
        OC_TRY(oc_json_stream_skip(&scanned, stream));
    }
    return OCELOTL_OK;
}

/* Reads a file on from its beginning. Where its end is too far, what it begins with decides. */
static int look_behind_head(const oc_source *source, bool is_likely)
{
    oc_json_stream stream = {.most = farthest};
    oc_input *input = NULL;
    bool found = false;
    ocelotl_status status = oc_input_open(&input, source->path);
    if (status == OCELOTL_OK) {
        oc_input_salvage(input, true);
        stream.input = input;
        status = look_for_events(&found, &stream);
    }
    const bool is_far = stream.offset + stream.length >= farthest;
    oc_json_stream_free(&stream);
    oc_input_free(input);
    if (status != OCELOTL_OK)
        return oc_no_or_no_memory(status);
    return found || (is_far && is_likely) ? OC_SURE : OC_NO;
}

static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const size_t begin = skip_blanks(head, oc_text_mark(head->bytes, head->length));
    if (begin == head->length || (head->bytes[begin] != '{' && head->bytes[begin] != '['))
        return OC_NO;
    if (oc_head_holds(head, "\"traceEvents\""))
        return OC_SURE;
    if (head->bytes[begin] == '[') {
        const size_t next = skip_blanks(head, begin + 1);
        const bool is_empty = next < head->length && head->bytes[next] == ']';
        return oc_head_holds(head, "\"ph\"") ? OC_SURE : is_empty ? OC_PERHAPS : OC_NO;
    }
    if (head->length < OC_HEAD_SIZE)
        return OC_NO;
    const bool is_likely = has_companion(head, begin + 1);
    if (!source->is_regular || source->is_standard)
        return is_likely ? OC_SURE : OC_NO;
    return look_behind_head(source, is_likely);
}

/* --- Reading */

/* Says what there is instead of events. */
static ocelotl_status fail_empty(const oc_ingest *ingest)
{
    enum { MOST_KINDS = 8 };
    oc_text message = {0};
    oc_text_add(&message, ingest->import->source_count > 1
                              ? "holds no events, and neither do the other files"
                              : "holds no events");
    for (size_t i = 0; i < ingest->kinds.count && i < MOST_KINDS; i++) {
        const oc_kind *kind = &ingest->kinds.kinds[i];
        oc_text_format(&message, "%s %" PRIu64 " of \"ph\" \"%s\"", i > 0 ? "," : ", but",
                       kind->count, kind->name);
        if (kind->why != NULL)
            oc_text_format(&message, " (%s)", kind->why);
    }
    oc_text_add(&message, ", expected some");
    const ocelotl_status status =
        message.failed ? oc_fail_memory()
                       : oc_oddities_fail_empty(&ingest->oddities, ingest->paths[0], message.bytes);
    oc_text_free(&message);
    return status;
}

static ocelotl_status see(void *reader, const oc_sorted *record)
{
    OC_TRY(chrome_see_flow(reader, record));
    return chrome_collectives_see(reader, record);
}

static ocelotl_status link_all(void *reader)
{
    OC_TRY(chrome_link_flows(reader));
    return chrome_collectives_link(reader);
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    chrome_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    *ingest = (oc_ingest){.unit_digits = 6,
                          .is_coarse = true,
                          .aligns_at_end = true,
                          .keeps_empty_rows = true,
                          .names_ends = true,
                          .see = see,
                          .seen = link_all};
    OC_TRY(oc_ingest_open(ingest, import, oc_chrome_importer.format.name, oddity_names,
                          CHROME_ODDITY_END));
    ingest->oddities.can_fold = true;
    OC_TRY(oc_sorting_open(&reader->flows, import->target, OC_SORTING_MEMORY / 8, true));
    OC_TRY(chrome_collectives_open(reader));
    return chrome_names_begin(reader);
}

static ocelotl_status end(void *decoder)
{
    chrome_reader *reader = decoder;
    return reader->events == 0 ? fail_empty(&reader->ingest) : chrome_names_end(reader);
}

static void free_reader(void *decoder)
{
    chrome_reader *reader = decoder;
    for (size_t i = 0; i < reader->waiting_count; i++)
        free(reader->waiting[i]);
    free(reader->waiting);
    free(reader->attributes);
    oc_text_free(&reader->name);
    oc_text_free(&reader->key);
    oc_text_free(&reader->texts);
    oc_folding_free(&reader->folding);
    chrome_element_free(&reader->element);
    oc_sorting_free(reader->flows);
    chrome_collectives_free(&reader->collectives);
}

static const oc_ingest_decoder decoder = {.size = sizeof(chrome_reader),
                                          .open = open,
                                          .read = chrome_read_file,
                                          .end = end,
                                          .left_out = chrome_leave_end_out,
                                          .free = free_reader};

const oc_importer oc_chrome_importer = {
    .format = {.name = "chrome",
               .description = "Trace events in JSON, as Chrome, Perfetto, PyTorch and many others "
                              "write them (.json, plain or compressed)",
               .suffixes = (const char *const[]){".json", NULL}},
    .takes_several = true,
    .has_clock = true,
    .takes = OC_TAKES_COLLECTIVES | OC_TAKES_FOLD_NAMES,
    .recognises = recognises,
    .decoder = &decoder,
};

/* Whether a file holds trace events: they may be behind any other members of its object. */
#define _GNU_SOURCE
#include "importers/chrome/reader.h"

#include <stdlib.h>
#include <string.h>

/* What is read at most of a file whose events are far from its beginning. */
static const uint64_t farthest = (uint64_t)256 << 20;

/* Finds a text in the beginning of a file. */
static bool has(const oc_head *head, const char *text)
{
    return memmem(head->bytes, head->length, text, strlen(text)) != NULL;
}

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

/* Looks for a list of events among the members of an object, behind its bracket. *ends is true
 * where there is nothing more to look at. */
static ocelotl_status look_at_member(bool *found, bool *ends, chrome_stream *stream)
{
    oc_json_scan scanned = OC_JSON_FOUND;
    char name[CHROME_NAME_SIZE];
    char next;
    OC_TRY(chrome_stream_peek(&next, stream));
    if (next == ',') {
        stream->cursor.next++;
        return OCELOTL_OK;
    }
    *ends = next != '"';
    if (*ends)
        return OCELOTL_OK;
    OC_TRY(chrome_stream_name(&scanned, name, stream));
    if (scanned == OC_JSON_FOUND)
        OC_TRY(chrome_stream_peek(&next, stream));
    *found = scanned == OC_JSON_FOUND && strcmp(name, "traceEvents") == 0 && next == '[';
    if (scanned == OC_JSON_FOUND && !*found)
        OC_TRY(chrome_stream_skip(&scanned, stream));
    *ends = *found || scanned != OC_JSON_FOUND;
    return OCELOTL_OK;
}

static ocelotl_status look_for_events(bool *found, chrome_stream *stream)
{
    bool ends = false;
    char next;
    OC_TRY(chrome_stream_peek(&next, stream));
    while (next != '{' && next != '\0') { /* a mark of the order of bytes */
        stream->cursor.next++;
        OC_TRY(chrome_stream_peek(&next, stream));
    }
    if (next == '\0')
        return OCELOTL_OK;
    stream->cursor.next++;
    while (!ends)
        OC_TRY(look_at_member(found, &ends, stream));
    return OCELOTL_OK;
}

/* Reads a file on from its beginning. Where its end is too far, what it begins with decides. */
static int look_behind_head(const oc_source *source, bool is_likely)
{
    chrome_stream stream = {.most = farthest};
    oc_input *input = NULL;
    bool found = false;
    ocelotl_status status = oc_input_open(&input, source->path);
    if (status == OCELOTL_OK) {
        oc_input_salvage(input, true);
        stream.input = input;
        status = look_for_events(&found, &stream);
    }
    const bool is_far = stream.offset + stream.length >= farthest;
    chrome_stream_free(&stream);
    oc_input_free(input);
    if (status != OCELOTL_OK)
        return oc_no_or_no_memory(status);
    return found || (is_far && is_likely) ? OC_SURE : OC_NO;
}

int chrome_recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const bool has_mark = head->length >= 3 && memcmp(head->bytes, "\xEF\xBB\xBF", 3) == 0;
    const size_t begin = skip_blanks(head, has_mark ? 3 : 0);
    if (begin == head->length || (head->bytes[begin] != '{' && head->bytes[begin] != '['))
        return OC_NO;
    if (has(head, "\"traceEvents\""))
        return OC_SURE;
    if (head->bytes[begin] == '[') {
        const size_t next = skip_blanks(head, begin + 1);
        const bool is_empty = next < head->length && head->bytes[next] == ']';
        return has(head, "\"ph\"") ? OC_SURE : is_empty ? OC_PERHAPS : OC_NO;
    }
    if (head->length < OC_HEAD_SIZE)
        return OC_NO;
    const bool is_likely = has_companion(head, begin + 1);
    if (!source->is_regular || source->is_standard)
        return is_likely ? OC_SURE : OC_NO;
    return look_behind_head(source, is_likely);
}

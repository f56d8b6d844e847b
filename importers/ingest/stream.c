#include "importers/ingest/stream.h"

#include "base/memory.h"
#include "importers/ingest/ingest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const size_t usual = (size_t)1 << 20;
static const size_t most = (size_t)256 << 20;

/* Counts the lines up to a place in memory. */
static void count_until(oc_json_stream *stream, size_t place)
{
    const char *next = stream->bytes + stream->counted;
    const char *end = stream->bytes + place;
    for (; next < end && (next = memchr(next, '\n', (size_t)(end - next))) != NULL; next++)
        stream->lines++;
    for (; stream->counted > place; stream->counted--)
        stream->lines -= stream->bytes[stream->counted - 1] == '\n';
    stream->counted = place;
}

ocelotl_status oc_json_stream_read(bool *more, oc_json_stream *stream)
{
    size_t got = 0;
    ocelotl_status status = OCELOTL_OK;
    if (stream->ingest != NULL)
        OC_TRY(oc_ingest_report(stream->ingest, stream->input));
    if (stream->bytes != NULL) { /* what is before the cursor is forgotten */
        size_t used = (size_t)(stream->cursor.next - stream->bytes);
        used = used > stream->length ? stream->length : used;
        count_until(stream, used);
        stream->counted -= used;
        stream->offset += used;
        stream->length -= used;
        memmove(stream->bytes, stream->bytes + used, stream->length);
    }
    const size_t needed = stream->length + OC_JSON_MARGIN + 1;
    if (needed > (stream->longest > 0 ? stream->longest : most))
        status = oc_fail(OCELOTL_ERROR_LIMIT, stream->longest > 0
                                                  ? "a value of more than 1 GiB, expected less"
                                                  : "an event of more than 256 MB");
    else if (stream->bytes == NULL || needed > stream->capacity / 2)
        status = oc_grow(&stream->bytes, &stream->capacity,
                         stream->bytes == NULL ? usual : 2 * stream->capacity, 1);
    stream->at_end |= stream->most > 0 && stream->offset + stream->length >= stream->most;
    if (status == OCELOTL_OK && !stream->at_end)
        status = oc_input_read(stream->input, stream->bytes + stream->length,
                               stream->capacity - stream->length - OC_JSON_MARGIN, &got);
    if (stream->bytes == NULL)
        return status;
    const char *nul = got > 0 ? memchr(stream->bytes + stream->length, '\0', got) : NULL;
    if (nul != NULL)
        got = (size_t)(nul - stream->bytes) - stream->length;
    stream->has_nul |= nul != NULL;
    stream->length += got;
    stream->at_end = got == 0 || stream->has_nul;
    *more = got > 0;
    memset(stream->bytes + stream->length, 0, OC_JSON_MARGIN);
    stream->cursor.next = stream->bytes;
    stream->cursor.end = stream->bytes + stream->length;
    return status;
}

const char *oc_json_stream_loss(const oc_json_stream *stream)
{
    return stream->has_nul ? OC_NUL " (--lenient keeps what comes before)"
                           : oc_input_loss(stream->input);
}

uint64_t oc_json_stream_line_of(oc_json_stream *stream, const char *place)
{
    if (stream->bytes == NULL)
        return 1;
    const size_t at = (size_t)(place - stream->bytes);
    count_until(stream, at < stream->length ? at : stream->length);
    return 1 + stream->lines;
}

uint64_t oc_json_stream_line(oc_json_stream *stream)
{
    return oc_json_stream_line_of(stream, stream->cursor.next);
}

uint64_t oc_json_stream_offset(const oc_json_stream *stream)
{
    return stream->bytes == NULL ? 0
                                 : stream->offset + (uint64_t)(stream->cursor.next - stream->bytes);
}

void oc_json_stream_note(oc_json_stream *stream)
{
    const uint64_t line = oc_json_stream_line(stream);
    const bool is_shared = line == 1 || line == stream->last_line;
    stream->ingest->line = is_shared ? oc_place_in_line(line, oc_json_stream_offset(stream)) : line;
    stream->last_line = line;
}

ocelotl_status oc_json_stream_give_up(oc_json_stream *stream, oc_json_scan found, const char *what)
{
    const char *path = stream->ingest->path;
    oc_oddities *oddities = &stream->ingest->oddities;
    const char *loss = found == OC_JSON_CUT ? oc_json_stream_loss(stream) : NULL;
    if (loss != NULL)
        stream->cursor.next = stream->cursor.end;
    const uint64_t offset = oc_json_stream_offset(stream);
    const uint64_t line = oc_json_stream_line(stream);
    if (loss != NULL)
        oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": %s", path, line, loss);
    else if (found == OC_JSON_CUT)
        oc_fail(OCELOTL_ERROR_INPUT,
                "%s:%" PRIu64 ": the JSON ends at byte %" PRIu64 ", before what is open is closed",
                path, line, offset + (uint64_t)(stream->cursor.end - stream->cursor.next));
    else
        oc_fail(OCELOTL_ERROR_INPUT, "%s:%" PRIu64 ": is no JSON at byte %" PRIu64 ", expected %s",
                path, line, offset, stream->cursor.expected);
    return oddities->lenient ? oc_oddities_lose_rest(oddities, what)
                             : oc_given_status(OCELOTL_ERROR_INPUT);
}

ocelotl_status oc_json_stream_peek(char *next, oc_json_stream *stream)
{
    bool more = true;
    *next = '\0';
    for (;;) {
        if (stream->bytes != NULL) {
            oc_json_skip_blanks(&stream->cursor);
            if (stream->cursor.next < stream->cursor.end) {
                *next = *stream->cursor.next;
                return OCELOTL_OK;
            }
        }
        if (!more || stream->at_end)
            return OCELOTL_OK;
        OC_TRY(oc_json_stream_read(&more, stream));
    }
}

/* How far the passing of a value is. */
typedef struct passing {
    uint64_t depth;
    bool in_string, escaped, is_plain, is_done;
} passing;

/* Passes what is in memory. */
static void pass_some(passing *at, oc_json_cursor *cursor)
{
    const char *next = cursor->next;
    for (; next < cursor->end && !at->is_done; next++) {
        const char letter = *next;
        if (at->in_string) {
            at->in_string = at->escaped || letter != '"';
            at->escaped = !at->escaped && letter == '\\';
            at->is_done = !at->in_string && at->depth == 0;
        } else if (at->is_plain && memchr(",}] \t\r\n", letter, 7) != NULL) {
            at->is_done = true;
            break;
        } else if (letter == '"')
            at->in_string = true;
        else if (letter == '{' || letter == '[')
            at->depth++;
        else if (letter == '}' || letter == ']')
            at->is_done = --at->depth == 0;
    }
    cursor->next = next;
}

ocelotl_status oc_json_stream_skip(oc_json_scan *found, oc_json_stream *stream)
{
    char first;
    bool more = true;
    OC_TRY(oc_json_stream_peek(&first, stream));
    passing at = {.is_plain = first != '"' && first != '{' && first != '['};
    *found = OC_JSON_BROKEN;
    stream->cursor.expected = "a value";
    if (at.is_plain && (first == '\0' || strchr(",}]:", first) != NULL)) {
        *found = first == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN;
        return OCELOTL_OK;
    }
    while (more) {
        pass_some(&at, &stream->cursor);
        if (at.is_done) {
            *found = OC_JSON_FOUND;
            return OCELOTL_OK;
        }
        OC_TRY(oc_json_stream_read(&more, stream));
    }
    *found = OC_JSON_CUT;
    return OCELOTL_OK;
}

ocelotl_status oc_json_stream_scan(oc_json_scan *found, oc_json_stream *stream,
                                   oc_json_scan (*scan)(void *context, oc_json_cursor *cursor),
                                   void *context)
{
    for (bool more = true;;) {
        const char *begin = stream->cursor.next;
        *found = scan(context, &stream->cursor);
        if (*found != OC_JSON_CUT)
            return OCELOTL_OK;
        stream->cursor.next = begin;
        if (!more)
            return OCELOTL_OK;
        OC_TRY(oc_json_stream_read(&more, stream));
    }
}

static oc_json_scan scan_name(void *name, oc_json_cursor *cursor)
{
    return oc_json_scan_name(name, cursor);
}

ocelotl_status oc_json_stream_member(oc_json_scan *found, char name[OC_JSON_NAME], char *next,
                                     oc_json_stream *stream)
{
    oc_json_item key = {0};
    name[0] = '\0';
    *found = OC_JSON_FOUND;
    OC_TRY(oc_json_stream_peek(next, stream));
    while (*next == ',') {
        stream->cursor.next++;
        OC_TRY(oc_json_stream_peek(next, stream));
    }
    if (*next == '}') {
        stream->cursor.next++;
        return OCELOTL_OK;
    }
    if (*next != '"') {
        stream->cursor.expected = "a name in quotes";
        *found = *next == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN;
        return OCELOTL_OK;
    }
    OC_TRY(oc_json_stream_scan(found, stream, scan_name, &key));
    if (*found != OC_JSON_FOUND)
        return OCELOTL_OK;
    const size_t length = key.length < OC_JSON_NAME - 1 ? key.length : OC_JSON_NAME - 1;
    memcpy(name, key.bytes, length);
    name[length] = '\0';
    return oc_json_stream_peek(next, stream);
}

void oc_json_stream_free(oc_json_stream *stream)
{
    free(stream->bytes);
    *stream = (oc_json_stream){0};
}

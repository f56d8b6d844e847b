#include "importers/ingest/document.h"

#include <inttypes.h>
#include <stdio.h>

void oc_document_see(oc_document *document, const char *place)
{
    document->ingest->line = oc_json_stream_line_of(&document->stream, place);
}

/* Fails where the text is no JSON, or ends before all is said. What reads the file puts file and
 * line before the message. */
static ocelotl_status fail(oc_document *document, oc_json_scan found)
{
    oc_json_stream *stream = &document->stream;
    const char *loss = stream->has_nul ? OC_NUL : oc_json_stream_loss(stream);
    oc_document_see(document, found == OC_JSON_CUT ? stream->cursor.end : stream->cursor.next);
    if (found == OC_JSON_CUT)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s",
                       loss != NULL ? loss
                                    : "the file ends too early, expected the rest of its JSON");
    return oc_fail(OCELOTL_ERROR_INPUT, "is no JSON at byte %" PRIu64 ", expected %s",
                   oc_json_stream_offset(stream), stream->cursor.expected);
}

static oc_json_scan scan_name(void *item, oc_json_cursor *cursor)
{
    return oc_json_scan_name(item, cursor);
}

static oc_json_scan scan_value(void *item, oc_json_cursor *cursor)
{
    return oc_json_scan_value(item, cursor);
}

/* Takes what `scan` finds next; the item lives until the next is taken. */
static ocelotl_status take(oc_json_item *item, oc_document *document,
                           oc_json_scan (*scan)(void *item, oc_json_cursor *cursor))
{
    oc_json_scan found;
    OC_TRY(oc_json_stream_scan(&found, &document->stream, scan, item));
    return found == OC_JSON_FOUND ? OCELOTL_OK : fail(document, found);
}

/* Passes the comma before another member or element, or the bracket: *more says which. */
static ocelotl_status pass(bool *more, oc_document *document, bool is_first, char bracket)
{
    char letter;
    oc_json_cursor *cursor = &document->stream.cursor;
    OC_TRY(oc_json_stream_peek(&letter, &document->stream));
    *more = letter != bracket;
    if (is_first && *more)
        return OCELOTL_OK;
    cursor->expected = bracket == '}' ? "a comma or }" : "a comma or ]";
    if (letter != ',' && letter != bracket)
        return fail(document, letter == '\0' ? OC_JSON_CUT : OC_JSON_BROKEN);
    cursor->next++;
    return OCELOTL_OK;
}

ocelotl_status oc_document_or_skip(oc_ingest *ingest, ocelotl_status status)
{
    return status == OCELOTL_OK || !ingest->oddities.lenient
               ? status
               : oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line);
}

ocelotl_status oc_document_place(const oc_ingest *ingest, ocelotl_status status)
{
    return status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_LIMIT
               ? oc_fail_within(status, "%s:%" PRIu64, ingest->path, ingest->line)
               : status;
}

/* Takes a value, and gives it to the decoder. */
static ocelotl_status give(oc_document *document, const char *member, bool is_in_list)
{
    oc_json_item item;
    OC_TRY(take(&item, document, scan_value));
    oc_document_see(document, item.bytes);
    return oc_document_or_skip(document->ingest,
                               document->form->take(document->decoder, member, &item, is_in_list));
}

static ocelotl_status read_list(oc_document *document, const char *member)
{
    bool more = true;
    document->stream.cursor.next++;
    for (bool is_first = true;; is_first = false) {
        OC_TRY(pass(&more, document, is_first, ']'));
        if (!more)
            return OCELOTL_OK;
        OC_TRY(give(document, member, true));
    }
}

static bool is_entered(const oc_document_form *form, const oc_json_item *name)
{
    for (const char *const *entered = form->entered; *entered != NULL; entered++)
        if (oc_json_is(name, *entered))
            return true;
    return false;
}

/* Objects that are entered are read as the one around them is. */
static ocelotl_status read_object(oc_document *document)
{
    size_t depth = 1;
    bool is_first = true, more = true;
    char letter, member[OC_JSON_NAME];
    document->stream.cursor.next++;
    while (depth > 0) {
        oc_json_item name;
        OC_TRY(pass(&more, document, is_first, '}'));
        is_first = false;
        if (!more) {
            depth--;
            continue;
        }
        OC_TRY(take(&name, document, scan_name));
        snprintf(member, sizeof member, "%.*s",
                 (int)(name.length < OC_JSON_NAME ? name.length : OC_JSON_NAME - 1), name.bytes);
        const bool entered = is_entered(document->form, &name);
        OC_TRY(oc_json_stream_peek(&letter, &document->stream));
        if (entered && letter == '[') {
            OC_TRY(read_list(document, member));
        } else if (entered && letter == '{') {
            document->stream.cursor.next++;
            depth++;
            is_first = true;
        } else
            OC_TRY(give(document, member, false));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_text(oc_document *document)
{
    char letter;
    oc_json_stream *stream = &document->stream;
    OC_TRY(oc_json_stream_peek(&letter, stream));
    stream->cursor.next += oc_text_mark(stream->cursor.next, stream->length);
    OC_TRY(oc_json_stream_peek(&letter, stream));
    if (letter == '{')
        return read_object(document);
    if (letter == '\0')
        return fail(document, OC_JSON_CUT);
    oc_document_see(document, stream->cursor.next);
    return oc_fail(OCELOTL_ERROR_INPUT, "is no object, expected %s", document->form->expected);
}

ocelotl_status oc_document_read(oc_document *document, oc_ingest *ingest,
                                const oc_document_form *form, void *decoder,
                                const oc_source *source)
{
    oc_document_free(document);
    oc_input_salvage(source->input, true); /* where it is cut the text is, which fails */
    *document = (oc_document){
        .ingest = ingest,
        .form = form,
        .decoder = decoder,
        .stream = {.input = source->input, .ingest = ingest, .longest = (size_t)1 << 30}};
    const ocelotl_status status = oc_document_place(ingest, read_text(document));
    return status == OCELOTL_ERROR_INPUT && ingest->oddities.lenient
               ? oc_oddities_lose_rest(&ingest->oddities, "trace")
               : status;
}

void oc_document_free(oc_document *document)
{
    oc_json_stream_free(&document->stream);
}

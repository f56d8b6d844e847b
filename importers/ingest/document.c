#define _GNU_SOURCE
#include "importers/ingest/document.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 18, LARGEST = 1 << 30, NAME_SIZE = 64 };

void oc_document_see(oc_document *document, const char *place)
{
    const size_t offset = (size_t)(place - document->bytes);
    for (; document->counted < offset; document->counted++)
        document->line += document->bytes[document->counted] == '\n';
    for (; document->counted > offset; document->counted--)
        document->line -= document->bytes[document->counted - 1] == '\n';
    document->ingest->line = document->line;
}

/* Fails at a place of the text. What reads the file puts file and line before the message. */
static ocelotl_status fail_at(oc_document *document, size_t offset, const char *what)
{
    oc_document_see(document, document->bytes + offset);
    return oc_fail(OCELOTL_ERROR_INPUT, "%s", what);
}

static ocelotl_status read_block(oc_document *document, size_t wanted)
{
    while (wanted > 0 && !document->at_end) {
        size_t got = 0;
        char *behind = document->bytes + document->length;
        const ocelotl_status status = oc_input_read(document->input, behind, wanted, &got);
        if (status != OCELOTL_OK && oc_input_loss(document->input) == NULL)
            return status;
        const char *nul = status == OCELOTL_OK ? memchr(behind, '\0', got) : NULL;
        document->has_nul = nul != NULL;
        document->at_end = status != OCELOTL_OK || got == 0 || nul != NULL;
        document->length += nul != NULL ? (size_t)(nul - behind) : got;
        wanted -= got;
    }
    return OCELOTL_OK;
}

/* Forgets what is passed, and reads at least as much as there is. */
static ocelotl_status fill(oc_document *document)
{
    if (document->at > 0)
        oc_document_see(document, document->bytes + document->at);
    document->length -= document->at;
    if (document->at > 0)
        memmove(document->bytes, document->bytes + document->at, document->length);
    document->before += document->at;
    document->at = document->counted = 0;
    const size_t wanted = document->length > BLOCK ? document->length : BLOCK;
    if (wanted > LARGEST)
        return oc_fail(OCELOTL_ERROR_LIMIT, "a value of more than 1 GiB, expected less");
    OC_TRY(oc_grow(&document->bytes, &document->capacity,
                   document->length + wanted + OC_JSON_MARGIN, 1));
    OC_TRY(read_block(document, wanted));
    memset(document->bytes + document->length, 0, OC_JSON_MARGIN);
    return oc_ingest_report(document->ingest, document->input);
}

/* Fails as the text ends before all is said. */
static ocelotl_status fail_early(oc_document *document)
{
    const char *loss = oc_input_loss(document->input);
    if (document->has_nul)
        return fail_at(document, document->length, OC_NUL);
    return fail_at(document, document->length,
                   loss != NULL ? loss : "the file ends too early, expected the rest of its JSON");
}

static ocelotl_status fail_json(oc_document *document, const char *place, const char *expected)
{
    const uint64_t byte = document->before + (uint64_t)(place - document->bytes);
    oc_document_see(document, place);
    return oc_fail(OCELOTL_ERROR_INPUT, "is no JSON at byte %" PRIu64 ", expected %s", byte,
                   expected);
}

/* Takes what `scan` finds next; the item lives until the next is taken. */
static ocelotl_status take(oc_json_item *item, oc_document *document,
                           oc_json_scan (*scan)(oc_json_item *item, oc_json_cursor *cursor))
{
    for (;;) {
        oc_json_cursor cursor = {document->bytes + document->at, document->bytes + document->length,
                                 NULL};
        const oc_json_scan found = scan(item, &cursor);
        if (found == OC_JSON_BROKEN)
            return fail_json(document, cursor.next, cursor.expected);
        if (found == OC_JSON_FOUND) {
            document->at = (size_t)(cursor.next - document->bytes);
            return OCELOTL_OK;
        }
        if (document->at_end)
            return fail_early(document);
        OC_TRY(fill(document));
    }
}

/* The character behind blanks, '\0' at the end. */
static ocelotl_status peek(char *letter, oc_document *document)
{
    for (;;) {
        oc_json_cursor cursor = {document->bytes + document->at, document->bytes + document->length,
                                 NULL};
        oc_json_skip_blanks(&cursor);
        document->at = (size_t)(cursor.next - document->bytes);
        *letter = *cursor.next;
        if (document->at < document->length || document->at_end)
            return OCELOTL_OK;
        OC_TRY(fill(document));
    }
}

/* Passes the comma before another member or element, or the bracket: *more says which. */
static ocelotl_status pass(bool *more, oc_document *document, bool is_first, char bracket)
{
    char letter;
    OC_TRY(peek(&letter, document));
    *more = letter != bracket;
    if (is_first && *more)
        return OCELOTL_OK;
    if (letter == ',' || letter == bracket) {
        document->at++;
        return OCELOTL_OK;
    }
    if (document->at == document->length)
        return fail_early(document);
    return fail_json(document, document->bytes + document->at,
                     bracket == '}' ? "a comma or }" : "a comma or ]");
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

static ocelotl_status give(oc_document *document, const char *member, const oc_json_item *item,
                           bool is_in_list)
{
    oc_document_see(document, item->bytes);
    return oc_document_or_skip(document->ingest,
                               document->form->take(document->decoder, member, item, is_in_list));
}

static ocelotl_status read_list(oc_document *document, const char *member)
{
    bool more = true;
    document->at++;
    for (bool is_first = true;; is_first = false) {
        oc_json_item item;
        OC_TRY(pass(&more, document, is_first, ']'));
        if (!more)
            return OCELOTL_OK;
        OC_TRY(take(&item, document, oc_json_scan_value));
        OC_TRY(give(document, member, &item, true));
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
    char letter, member[NAME_SIZE];
    document->at++;
    while (depth > 0) {
        oc_json_item item;
        OC_TRY(pass(&more, document, is_first, '}'));
        is_first = false;
        if (!more) {
            depth--;
            continue;
        }
        OC_TRY(take(&item, document, oc_json_scan_name));
        snprintf(member, sizeof member, "%.*s",
                 (int)(item.length < NAME_SIZE ? item.length : NAME_SIZE - 1), item.bytes);
        const bool entered = is_entered(document->form, &item);
        OC_TRY(peek(&letter, document));
        if (entered && letter == '[') {
            OC_TRY(read_list(document, member));
        } else if (entered && letter == '{') {
            document->at++;
            depth++;
            is_first = true;
        } else {
            OC_TRY(take(&item, document, oc_json_scan_value));
            OC_TRY(give(document, member, &item, false));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status read_text(oc_document *document)
{
    char letter;
    OC_TRY(fill(document));
    if (document->length >= 3 && memcmp(document->bytes, "\xEF\xBB\xBF", 3) == 0)
        document->at = 3;
    OC_TRY(peek(&letter, document));
    if (letter == '{')
        return read_object(document);
    if (document->at == document->length)
        return fail_early(document);
    oc_document_see(document, document->bytes + document->at);
    return oc_fail(OCELOTL_ERROR_INPUT, "is no object, expected %s", document->form->expected);
}

ocelotl_status oc_document_read(oc_document *document, oc_ingest *ingest,
                                const oc_document_form *form, void *decoder,
                                const oc_source *source)
{
    *document = (oc_document){.ingest = ingest,
                              .form = form,
                              .decoder = decoder,
                              .input = source->input,
                              .bytes = document->bytes,
                              .capacity = document->capacity,
                              .line = 1};
    const ocelotl_status status = oc_document_place(ingest, read_text(document));
    return status == OCELOTL_ERROR_INPUT && ingest->oddities.lenient
               ? oc_oddities_lose_rest(&ingest->oddities, "trace")
               : status;
}

void oc_document_free(oc_document *document)
{
    free(document->bytes);
    document->bytes = NULL;
}

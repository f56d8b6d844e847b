/* Notes of the trace that is served: read, and kept where nobody else has changed them. */
#include "panels.h"

#include <ocelotl/digest.h>
#include <ocelotl/notes.h>

#include <stdio.h>
#include <string.h>

/* Writes notes into an empty buffer, and what tells them from others. */
static ocelotl_status write_tagged(ocelotl_buffer *bytes, char tag[SERVER_TAG_LENGTH + 1],
                                   const ocelotl_notes *notes)
{
    uint64_t digest[2] = {0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(bytes);
    const ocelotl_status status = ocelotl_notes_write_json(&sink, notes);
    ocelotl_digest(digest, bytes->bytes, bytes->size);
    snprintf(tag, SERVER_TAG_LENGTH + 1, "\"%016llx\"", (unsigned long long)digest[0]);
    return status;
}

static ocelotl_status answer_with(server_asking *with, const ocelotl_notes *notes)
{
    ocelotl_buffer bytes = {NULL, 0, 0};
    ocelotl_status status = write_tagged(&bytes, with->answer->tag, notes);
    if (status == OCELOTL_OK)
        status = with->out.sink.write(with->out.sink.context, bytes.bytes, bytes.size);
    ocelotl_buffer_free(&bytes);
    return status;
}

static ocelotl_status get(server_asking *with)
{
    ocelotl_notes *notes = NULL;
    ocelotl_status status = ocelotl_notes_read(&notes, with->room->options.trace);
    if (status == OCELOTL_OK)
        status = answer_with(with, notes);
    ocelotl_notes_free(notes);
    return status;
}

/* Whether what the client changes is what is there. */
static ocelotl_status check_match(bool *same, const server_asking *with, const ocelotl_notes *notes)
{
    const char *match = with->answer->sent.match;
    ocelotl_buffer bytes = {NULL, 0, 0};
    char tag[SERVER_TAG_LENGTH + 1];
    const ocelotl_status status = write_tagged(&bytes, tag, notes);
    ocelotl_buffer_free(&bytes);
    *same = match != NULL && strcmp(match, tag) == 0;
    return status;
}

/* Takes over what was sent, while nobody else changes the notes. */
static ocelotl_status put_alone(server_asking *with, ocelotl_notes *notes)
{
    const server_sent *sent = &with->answer->sent;
    bool same = false;
    ocelotl_status status = check_match(&same, with, notes);
    if (status == OCELOTL_OK && !same) {
        server_answer_problem(with->answer, 409, "the notes were changed elsewhere since",
                              "Yours are still on this page: take the others in, and keep again.");
        return OCELOTL_OK;
    }
    if (status == OCELOTL_OK)
        status = ocelotl_notes_take(notes, sent->body, sent->size);
    if (status == OCELOTL_OK)
        status = ocelotl_notes_commit(notes);
    return status == OCELOTL_OK ? answer_with(with, notes) : status;
}

static ocelotl_status put(server_asking *with)
{
    ocelotl_notes *notes = NULL;
    ocelotl_status status = ocelotl_notes_begin(&notes, with->room->options.trace);
    if (status == OCELOTL_OK)
        status = put_alone(with, notes);
    ocelotl_notes_free(notes);
    return status;
}

ocelotl_status server_answer_notes(server_asking *with)
{
    const bool puts = with->route->method != NULL;
    if (puts && with->room->options.initial->read_only) {
        server_answer_problem(with->answer, 403, "notes are not kept",
                              "Begin ocelotl-cli serve without --read-only.");
        return OCELOTL_OK;
    }
    return puts ? put(with) : get(with);
}

/* Notes of the trace that is served: read, and kept where nobody else has changed them. */
#include "routes.h"

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

static void put_notes(server_asking *with, const ocelotl_notes *notes)
{
    ocelotl_buffer bytes = {NULL, 0, 0};
    if (server_hold(&with->out, write_tagged(&bytes, with->answer->tag, notes)))
        server_put_bytes(&with->out, bytes.bytes, bytes.size);
    ocelotl_buffer_free(&bytes);
}

/* Takes over what was sent, while nobody else changes the notes. False: what the client changes is
 * not what is there, or it failed. */
static bool take(server_asking *with, ocelotl_notes *notes)
{
    const server_sent *sent = &with->answer->sent;
    server_out *out = &with->out;
    ocelotl_buffer bytes = {NULL, 0, 0};
    char tag[SERVER_TAG_LENGTH + 1];
    const bool written = server_hold(out, write_tagged(&bytes, tag, notes));
    ocelotl_buffer_free(&bytes);
    if (written && (sent->match == NULL || strcmp(sent->match, tag) != 0)) {
        server_answer_problem(with->answer, 409, "the notes were changed elsewhere since",
                              "Yours are still on this page: take the others in, and keep again.");
        return false;
    }
    return written && server_hold(out, ocelotl_notes_take(notes, sent->body, sent->size)) &&
           server_hold(out, ocelotl_notes_commit(notes));
}

void server_answer_notes(server_asking *with)
{
    const server_options *options = &with->room->options;
    const bool puts = with->route->method != NULL;
    ocelotl_notes *notes = NULL;
    if (puts && options->initial->read_only) {
        server_answer_problem(with->answer, 403, "notes are not kept",
                              "Begin ocelotl-cli serve without --read-only.");
        return;
    }
    if (server_hold(&with->out, puts ? ocelotl_notes_begin(&notes, options->trace)
                                     : ocelotl_notes_read(&notes, options->trace)) &&
        (!puts || take(with, notes)))
        put_notes(with, notes);
    ocelotl_notes_free(notes);
}

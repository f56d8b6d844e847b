/* The matrix of messages: the sums of all pairs, and their picture. */
#include "panels.h"

#include <ocelotl/answer.h>

static ocelotl_status write_messages(const server_asking *with, const ocelotl_trace *trace,
                                     const ocelotl_messages *messages)
{
    const ocelotl_request *request = with->state.request;
    ocelotl_buffer picture = {NULL, 0, 0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&picture);
    ocelotl_status status = ocelotl_messages_write(&sink, OCELOTL_PICTURE_SVG, trace, messages,
                                                   request->measure, request->linear, &with->view);
    if (status == OCELOTL_OK)
        status = server_put_command(with);
    if (status == OCELOTL_OK)
        status = server_put(with, ",\"answer\":");
    if (status == OCELOTL_OK)
        status = ocelotl_messages_write_json(&with->sink, messages, trace);
    if (status == OCELOTL_OK)
        status = server_put_text(with, ",\"picture\":", picture.bytes);
    ocelotl_buffer_free(&picture);
    return status == OCELOTL_OK ? server_put(with, "}\n") : status;
}

ocelotl_status server_answer_matrix(server_asking *with)
{
    ocelotl_session *session = with->room->options.session;
    ocelotl_trace *trace = NULL;
    ocelotl_messages *messages = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_session_messages(&messages, session, with->state.request);
    if (status == OCELOTL_OK)
        status = write_messages(with, trace, messages);
    ocelotl_messages_free(messages);
    return status;
}

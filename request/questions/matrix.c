/* matrix: which resources send to which. */
#include "request/questions/question.h"
#include "viz/pictures.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_messages *messages = NULL;
    ocelotl_messages_options options = OCELOTL_MESSAGES_OPTIONS_INIT;
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    options.rows = request->at;
    options.columns = request->message_columns;
    options.type = request->type;
    options.attribute = request->model.cells.attribute;
    options.hierarchy = request->model.hierarchy;
    options.needs_bytes = request->measure == OCELOTL_MESSAGES_BYTES ||
                          request->measure == OCELOTL_MESSAGES_BANDWIDTH;
    options.work.threads = request->threads;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_messages_compute(&messages, session->trace, &options);
    oc_session_end(session);
    answer->found = messages;
    return oc_check_found(status,
                          status == OCELOTL_OK && ocelotl_messages_info_of(messages).cells == 0,
                          session, request);
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_messages_write(sink, form, answer->found, answer->trace,
                                  answer->request->measure);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    return ocelotl_messages_draw(sink, format, answer->trace, answer->found, drawn->measure,
                                 drawn->linear, view);
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    return ocelotl_messages_to_arrow(stream, answer->found, answer->trace, options);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_messages_free(answer->found);
}

const oc_question oc_matrix_question = {
    .command = "matrix",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .free = free_found,
};

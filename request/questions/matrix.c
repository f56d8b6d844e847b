/* matrix: which resources send to which. */
#include "request/questions/question.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_messages *messages = NULL;
    OC_TRY(oc_session_messages(&messages, answer->session, answer->request));
    answer->found = messages;
    return OCELOTL_OK;
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

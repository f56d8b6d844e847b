/* sweep: the levels of detail, each an optimal partition over an interval of p. */
#include "request/questions/question.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_levels *levels = NULL;
    OC_TRY(ocelotl_session_levels(&levels, answer->session, answer->request));
    answer->found = levels;
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    const ocelotl_aggregation *aggregation = NULL;
    if (form == OCELOTL_FORM_TEXT)
        OC_TRY(ocelotl_session_aggregation(&aggregation, answer->session, answer->request));
    return ocelotl_levels_write(sink, form, answer->found, aggregation);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    const ocelotl_aggregation *aggregation = NULL;
    double p;
    OC_TRY(oc_session_find_p(&p, answer->session, drawn));
    OC_TRY(ocelotl_session_aggregation(&aggregation, answer->session, drawn));
    return ocelotl_curves_draw(sink, format, answer->found, aggregation, p, view);
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    return ocelotl_levels_to_arrow(stream, answer->found, options);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_levels_free(answer->found);
}

const oc_question oc_sweep_question = {
    .command = "sweep",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .of_matrix = true,
    .keeps = OC_KEEPS_OF_MODEL,
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .free = free_found,
};

/* gantt: the events of a window over time; of two traces, one above the other. */
#include "request/questions/question.h"
#include "viz/pictures.h"

static bool is_of_two(const ocelotl_request *request)
{
    return request->operand_count == 2;
}

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    OC_TRY(ocelotl_picture_check(oc_picture_path(path, form), view));
    if (is_of_two(request) && form == OCELOTL_FORM_JSON)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "two traces are drawn as a picture, expected one for --json");
    return OCELOTL_OK;
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_drawables *drawables = NULL;
    const ocelotl_trace_info info = ocelotl_trace_info_of(answer->trace);
    if (is_of_two(answer->request))
        return OCELOTL_OK; /* both are found as they are drawn */
    if (info.begin == info.end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: begins and ends in the same instant, expected a trace that lasts",
                       oc_path_as_said(answer->request->operands[0]));
    OC_TRY(oc_session_drawables(&drawables, answer->session, answer->request));
    answer->found = drawables;
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    (void)form;
    return ocelotl_drawables_write_json(sink, answer->found, answer->trace);
}

/* A picture of another size may show more, or less. */
static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    ocelotl_drawables *fitting = NULL;
    if (is_of_two(drawn))
        return oc_session_draw_gantts(sink, format, answer->session, drawn, view);
    if (drawn != answer->request)
        OC_TRY(oc_session_drawables(&fitting, answer->session, drawn));
    const ocelotl_status status = ocelotl_gantt_draw(
        sink, format, answer->trace,
        fitting != NULL ? fitting : (const ocelotl_drawables *)answer->found, view);
    ocelotl_drawables_free(fitting);
    return status;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_drawables_free(answer->found);
}

const oc_question oc_gantt_question = {
    .command = "gantt",
    .answering = {.forms = OC_FORM(JSON) | OC_FORMS_PICTURE, .streams = true, .shows_types = true},
    .check = check,
    .find = find,
    .write = write,
    .draw = draw,
    .free = free_found,
};

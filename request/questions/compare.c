/* compare: what differs between two traces, or two windows of one. */
#include "request/questions/question.h"

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    if (!oc_is_difference(view))
        return ocelotl_overview_check(oc_picture_path(path, form), request->model.kind, view);
    OC_TRY(ocelotl_picture_check(path, view));
    return (OC_FORMS_PICTURE >> form & 1) != 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--view difference is a picture, expected -o FILE");
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_pair *pair = NULL;
    OC_TRY(ocelotl_session_compare(&pair, answer->session, answer->request));
    answer->found = pair;
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    const ocelotl_comparison *comparison = ocelotl_pair_comparison(answer->found);
    const ocelotl_request *request = answer->request;
    const char *const names[] = {oc_path_as_said(request->operands[0]),
                                 oc_path_as_said(request->operands[1])};
    ocelotl_phases *phases = NULL;
    OC_TRY(ocelotl_phases_find(&phases, comparison));
    const ocelotl_status status =
        ocelotl_comparison_write(sink, form, comparison, phases, names, request->all);
    ocelotl_phases_free(phases);
    return status;
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    (void)drawn;
    return ocelotl_pair_draw(sink, format, answer->found, view);
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    return ocelotl_comparison_to_arrow(stream, ocelotl_pair_comparison(answer->found), options);
}

static size_t sources_of(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                         const ocelotl_answer *answer)
{
    for (int i = 0; i < 2; i++) {
        traces[i] = ocelotl_pair_trace(answer->found, i);
        models[i] = ocelotl_comparison_model(ocelotl_pair_comparison(answer->found), i);
    }
    return 2;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_pair_free(answer->found);
}

const oc_question oc_compare_question = {
    .command = "compare",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .of_matrix = true,
    .check = check,
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .sources = sources_of,
    .free = free_found,
};

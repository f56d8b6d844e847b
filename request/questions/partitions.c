/* parts, treemap: a partition as the list of its parts, and as nested rectangles. */
#include "request/questions/question.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_partition *partition = NULL;
    OC_TRY(ocelotl_session_partition(&partition, answer->session, answer->request));
    answer->found = partition;
    return OCELOTL_OK;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_partition_free(answer->found);
}

/* --- Why a part is as it is */

static ocelotl_status explain(ocelotl_answer *answer, const ocelotl_partition *partition)
{
    const uint32_t number = answer->request->why;
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_explanation *explanation = NULL;
    if (number >= count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "--why is %u, expected one of the parts 0 to %zu",
                       number, count - 1);
    const ocelotl_part part = ocelotl_partition_part_at(partition, number);
    OC_TRY(ocelotl_session_aggregation(&aggregation, answer->session, answer->request));
    OC_TRY(oc_part_explain(&explanation, aggregation, partition, part.node, part.first, part.last));
    answer->found = explanation;
    return OCELOTL_OK;
}

static ocelotl_status find_why(ocelotl_answer *answer)
{
    ocelotl_partition *partition = NULL;
    OC_TRY(ocelotl_session_partition(&partition, answer->session, answer->request));
    const ocelotl_status status = explain(answer, partition);
    ocelotl_partition_free(partition);
    return status;
}

static ocelotl_status write_why(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_explanation_write(sink, form, answer->found);
}

static ocelotl_status why_to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                                   const ocelotl_arrow_options *options)
{
    return ocelotl_explanation_to_arrow(stream, answer->found, options);
}

static void free_why(ocelotl_answer *answer)
{
    oc_explanation_free(answer->found);
}

static const oc_question why_question = {
    .command = "parts",
    .answering = {.forms = OC_FORMS_TABLE},
    .of_matrix = true,
    .find = find_why,
    .write = write_why,
    .to_arrow = why_to_arrow,
    .free = free_why,
};

/* --- The list */

static ocelotl_status find_parts(ocelotl_answer *answer)
{
    const bool explains = ocelotl_request_get(answer->request, "why") != NULL;
    if (!explains && !answer->request->quantiles)
        return find(answer);
    answer->question = explains ? &why_question : &oc_quantiles_question;
    return answer->question->find(answer);
}

static ocelotl_status write_parts(const ocelotl_sink *sink, ocelotl_form form,
                                  ocelotl_answer *answer)
{
    return ocelotl_parts_write(sink, form, answer->found,
                               (ocelotl_parts_order)answer->request->sort);
}

static ocelotl_status parts_to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                                     const ocelotl_arrow_options *options)
{
    return ocelotl_parts_to_arrow(stream, answer->found, options);
}

const oc_question oc_parts_question = {
    .command = "parts",
    .answering = {.forms = OC_FORMS_TABLE},
    .of_matrix = true,
    .find = find_parts,
    .write = write_parts,
    .to_arrow = parts_to_arrow,
    .free = free_found,
};

static ocelotl_status check_treemap(const ocelotl_request *request, ocelotl_form form,
                                    const char *path, const ocelotl_picture_options *view)
{
    (void)request;
    return ocelotl_overview_check(oc_picture_path(path, form), OCELOTL_SPATIAL, view);
}

static ocelotl_status write_treemap(const ocelotl_sink *sink, ocelotl_form form,
                                    ocelotl_answer *answer)
{
    (void)form;
    return ocelotl_partition_write_json(sink, answer->found, &answer->request->view);
}

static ocelotl_status draw_treemap(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   ocelotl_answer *answer, const ocelotl_request *drawn,
                                   const ocelotl_picture_options *view)
{
    (void)drawn;
    return ocelotl_overview_draw(sink, format, answer->found, view);
}

static size_t sources_of(ocelotl_trace *traces[2], const ocelotl_model *models[2],
                         const ocelotl_answer *answer)
{
    (void)traces;
    models[0] = ocelotl_partition_model(answer->found);
    return 1;
}

const oc_question oc_treemap_question = {
    .command = "treemap",
    .answering = {.forms = OC_FORM(JSON) | OC_FORMS_PICTURE, .shows_types = true},
    .of_matrix = true,
    .check = check_treemap,
    .find = find,
    .write = write_treemap,
    .draw = draw_treemap,
    .sources = sources_of,
    .to_arrow = parts_to_arrow,
    .free = free_found,
};

/* compare: what differs between two traces, or two windows of one. */
#include "base/memory.h"
#include "request/questions/question.h"

#include <stdlib.h>
#include <string.h>

/* Whether what differs between two traces is drawn, and not both. */
static bool is_difference(const ocelotl_picture_options *view)
{
    return view->view != NULL && strcmp(view->view, "difference") == 0;
}

struct ocelotl_pair {
    ocelotl_session *first; /* the caller's */
    ocelotl_session *second;
    size_t operand; /* of the request: the second */
    bool shared;    /* the first has the second, too */
    const ocelotl_request *request;
    ocelotl_request asked; /* of the second; what it owns is the first's */
    ocelotl_comparison *comparison;
};

/* Opens the second trace, or finds it among what is kept where memory is bounded. */
static ocelotl_status open_second(ocelotl_pair *pair)
{
    ocelotl_session *first = pair->first;
    const char *path = pair->request->operands[pair->operand];
    if (first->options.memory == 0 || pair->request->operand_count > 2)
        return ocelotl_session_open(&pair->second, path, pair->request, &first->options);
    if (first->second != NULL && strcmp(first->second->path, path) != 0) {
        ocelotl_session_free(first->second);
        first->second = NULL;
    }
    if (first->second == NULL)
        OC_TRY(ocelotl_session_open(&first->second, path, pair->request, &first->options));
    first->second->first = first;
    pair->second = first->second;
    pair->shared = true;
    return OCELOTL_OK;
}

static ocelotl_status compare(ocelotl_pair *pair)
{
    const ocelotl_request *request = pair->request;
    const ocelotl_interval *window = &request->second_window;
    const ocelotl_model *models[2];
    OC_TRY(ocelotl_session_model(&models[0], pair->first, request));
    pair->asked = *request;
    pair->asked.model.hierarchy.like = models[0];
    pair->asked.model.type_level = ocelotl_model_info_of(models[0]).type_level;
    if (window->from.text != NULL || window->to.text != NULL)
        pair->asked.window = *window;
    OC_TRY(open_second(pair));
    OC_TRY(ocelotl_session_model(&models[1], pair->second, &pair->asked));
    if (ocelotl_model_info_of(models[0]).empty && ocelotl_model_info_of(models[1]).empty &&
        oc_request_hides(request))
        return oc_session_explain(OCELOTL_ERROR_EMPTY, pair->first, request);
    return ocelotl_compare_models(&pair->comparison, models[0], models[1]);
}

ocelotl_status oc_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                  const ocelotl_request *request, size_t operand)
{
    ocelotl_pair *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->first = first;
    made->request = request;
    made->operand = operand;
    const ocelotl_status status = compare(made);
    if (status == OCELOTL_OK)
        *pair = made;
    else
        ocelotl_pair_free(made);
    return status;
}

ocelotl_status ocelotl_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                       const ocelotl_request *request)
{
    return oc_session_compare(pair, first, request, 1);
}

void ocelotl_pair_free(ocelotl_pair *pair)
{
    if (pair == NULL)
        return;
    ocelotl_comparison_free(pair->comparison);
    if (!pair->shared)
        ocelotl_session_free(pair->second);
    free(pair);
}

const ocelotl_comparison *ocelotl_pair_comparison(const ocelotl_pair *pair)
{
    return pair->comparison;
}

ocelotl_trace *ocelotl_pair_trace(const ocelotl_pair *pair, int which)
{
    return (which == 0 ? pair->first : pair->second)->trace;
}

static ocelotl_status solve_both(ocelotl_partition **partitions, ocelotl_pair *pair)
{
    OC_TRY(ocelotl_session_partition(&partitions[0], pair->first, pair->request));
    pair->asked.detail = (ocelotl_detail){.kind = OCELOTL_DETAIL_P_RAW,
                                          .p = ocelotl_partition_info_of(partitions[0]).p_raw};
    return ocelotl_session_partition(&partitions[1], pair->second, &pair->asked);
}

static ocelotl_status draw_both(const ocelotl_sink *sink, ocelotl_picture_format format,
                                ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    ocelotl_partition *both[2] = {NULL, NULL};
    ocelotl_status status = solve_both(both, pair);
    if (status == OCELOTL_OK)
        status = ocelotl_compare_draw(sink, format, both[0], both[1], pair->request->stretch, view);
    ocelotl_partition_free(both[0]);
    ocelotl_partition_free(both[1]);
    return status;
}

/* Draws a difference, from a partition of both models: no cut of one of them matters. */
static ocelotl_status draw_difference(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    const ocelotl_hierarchy_options *hierarchy = &pair->request->model.hierarchy;
    const uint32_t max_groups = hierarchy->bare             ? 0
                                : hierarchy->max_groups > 0 ? hierarchy->max_groups
                                                            : OCELOTL_DEFAULT_MAX_GROUPS;
    ocelotl_session *joint = NULL;
    ocelotl_model *model = NULL;
    ocelotl_partition *partition = NULL;
    OC_TRY(ocelotl_comparison_join(&model, pair->comparison, max_groups));
    OC_TRY(oc_session_of_model(&joint, model, &pair->first->options));
    ocelotl_status status = ocelotl_session_partition(&partition, joint, pair->request);
    if (status == OCELOTL_OK)
        status = ocelotl_difference_draw(sink, format, partition, view);
    ocelotl_partition_free(partition);
    ocelotl_session_free(joint);
    return status;
}

ocelotl_status ocelotl_pair_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                 ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    return is_difference(view) ? draw_difference(sink, format, pair, view)
                               : draw_both(sink, format, pair, view);
}

ocelotl_status ocelotl_pair_write_changes(const ocelotl_sink *sink, const ocelotl_pair *pair,
                                          size_t most)
{
    return ocelotl_comparison_write_named(sink, pair->comparison, most);
}

/* --- The answer */

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    if (!is_difference(view))
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

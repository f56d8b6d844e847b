/* The pictures that take more of a session than one answer: overviews, reports, curves of levels
 * and series, and two traces side by side. */
#include "request/rendering.h"
#include "answer/results.h"
#include "viz/pictures.h"

#include "base/memory.h"
#include "request/request.h"
#include "request/session.h"

#include <ocelotl/notes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What is expanded */

/* Seconds on the axis, or slices. */
static double instant_in(const ocelotl_instant *instant, const ocelotl_model_info *info)
{
    const double begin = info->has_time ? info->trace_begin : 0;
    const double end = info->has_time ? info->trace_end : info->slice_count;
    if (instant->percent)
        return begin + instant->value / 100 * (end - begin);
    return instant->base == OCELOTL_FROM_BEGINNING ? begin + instant->value : instant->value;
}

ocelotl_status ocelotl_request_fit_view(ocelotl_picture_options *view,
                                        const ocelotl_request *request, const ocelotl_model *model)
{
    const ocelotl_expansion *expansion = &request->expansion;
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    uint32_t type;
    if (request->view.type != NULL)
        OC_TRY(ocelotl_model_find_type(&type, model, request->view.type));
    if (expansion->range) {
        view->expand_from = instant_in(&expansion->from, &info);
        view->expand_to = instant_in(&expansion->to, &info);
        if (!(view->expand_from < view->expand_to))
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "--expand ends at %s, which is not after its begin, %s",
                           expansion->to.text, expansion->from.text);
    }
    return ocelotl_expansion_check(model, view);
}

/* --- Notes */

/* The notes of a picture. Zero-initialised there are none. */
typedef struct noted {
    ocelotl_notes *notes;
    ocelotl_picture_note *drawn;
} noted;

static ocelotl_status place_note(ocelotl_picture_note *drawn, const ocelotl_note *note,
                                 const ocelotl_model_info *info)
{
    ocelotl_instant from;
    ocelotl_instant to;
    *drawn = (ocelotl_picture_note){
        .from = -INFINITY, .to = INFINITY, .node = note->node, .text = note->text};
    if (note->from[0] == '\0' || note->to[0] == '\0')
        return OCELOTL_OK;
    if (oc_read_instant(&from, note->from, OCELOTL_FROM_BEGINNING, "from") != OCELOTL_OK ||
        oc_read_instant(&to, note->to, OCELOTL_FROM_BEGINNING, "to") != OCELOTL_OK)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "a note is from \"%s\" to \"%s\", expected instants as --from takes them",
                       note->from, note->to);
    drawn->from = instant_in(&from, info);
    drawn->to = instant_in(&to, info);
    return OCELOTL_OK;
}

/* Makes the notes on the trace part of a picture, where the request asks for them. */
static ocelotl_status add_notes(noted *with, ocelotl_picture_options *view,
                                const ocelotl_session *session, const ocelotl_request *request,
                                const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    if (!request->notes || session->path == NULL)
        return OCELOTL_OK;
    OC_TRY(ocelotl_notes_read(&with->notes, session->path));
    const size_t count = ocelotl_notes_count(with->notes);
    OC_TRY(oc_allocate(&with->drawn, count, sizeof *with->drawn));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_note note = ocelotl_notes_at(with->notes, i);
        OC_TRY(place_note(&with->drawn[i], &note, &info));
    }
    view->notes = with->drawn;
    view->note_count = count;
    return OCELOTL_OK;
}

static void free_notes(noted *with)
{
    ocelotl_notes_free(with->notes);
    free(with->drawn);
}

/* --- Overviews */

ocelotl_status ocelotl_session_draw_overview(const ocelotl_sink *sink,
                                             ocelotl_picture_format format,
                                             ocelotl_session *session,
                                             const ocelotl_request *request,
                                             const ocelotl_partition *partition,
                                             const ocelotl_picture_options *view)
{
    ocelotl_partition *whole = NULL;
    ocelotl_picture_options drawn = *view;
    noted with = {NULL, NULL};
    OC_TRY(ocelotl_session_whole(&whole, session, request));
    drawn.whole = whole;
    ocelotl_status status =
        add_notes(&with, &drawn, session, request, ocelotl_partition_model(partition));
    if (status == OCELOTL_OK)
        status = ocelotl_overview_draw(sink, format, partition, &drawn);
    free_notes(&with);
    ocelotl_partition_free(whole);
    return status;
}

/* --- A page of all levels */

/* Finds the p to mark; not a number is auto, which the levels mark themselves. */
static ocelotl_status find_p(double *p, ocelotl_session *session, const ocelotl_request *request)
{
    const ocelotl_detail *detail = &request->detail;
    ocelotl_partition *partition = NULL;
    *p = detail->kind == OCELOTL_DETAIL_P ? detail->p : (double)NAN;
    if (detail->kind == OCELOTL_DETAIL_P ||
        (detail->kind == OCELOTL_DETAIL_AUTO && detail->rule == OCELOTL_RULE_KNEE))
        return OCELOTL_OK;
    OC_TRY(ocelotl_session_partition(&partition, session, request));
    *p = ocelotl_partition_info_of(partition).p;
    ocelotl_partition_free(partition);
    return OCELOTL_OK;
}

static ocelotl_status draw_page(const ocelotl_sink *sink, ocelotl_session *session,
                                const ocelotl_request *request, const ocelotl_levels *levels,
                                ocelotl_picture_options *view)
{
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *whole = NULL;
    double p;
    OC_TRY(find_p(&p, session, request));
    OC_TRY(ocelotl_session_whole(&whole, session, request));
    view->whole = whole;
    noted with = {NULL, NULL};
    ocelotl_status status = ocelotl_session_aggregation(&aggregation, session, request);
    if (status == OCELOTL_OK)
        status = add_notes(&with, view, session, request, ocelotl_aggregation_model(aggregation));
    if (status == OCELOTL_OK) {
        oc_session_begin(session, OCELOTL_STEP_DRAWING_LEVELS);
        status = ocelotl_report_draw(sink, aggregation, levels, p, view);
        oc_session_end(session);
    }
    free_notes(&with);
    ocelotl_partition_free(whole);
    return status;
}

ocelotl_status ocelotl_session_draw_report(const ocelotl_sink *sink, ocelotl_session *session,
                                           const ocelotl_request *request,
                                           const ocelotl_picture_options *view)
{
    ocelotl_levels *levels = NULL;
    ocelotl_part_command *commands = NULL;
    ocelotl_picture_options drawn = *view;
    OC_TRY(ocelotl_session_levels(&levels, session, request));
    ocelotl_status status = OCELOTL_OK;
    if (session->trace != NULL && view->command != NULL)
        status = ocelotl_part_commands_make(&commands, &drawn.part_command_count, view->command);
    drawn.part_commands = commands;
    if (status == OCELOTL_OK)
        status = draw_page(sink, session, request, levels, &drawn);
    ocelotl_levels_free(levels);
    ocelotl_part_commands_free(commands, drawn.part_command_count);
    return status;
}

ocelotl_status oc_session_draw_levels(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      ocelotl_session *session, const ocelotl_request *request,
                                      const ocelotl_levels *levels,
                                      const ocelotl_picture_options *view)
{
    const ocelotl_aggregation *aggregation = NULL;
    double p;
    OC_TRY(find_p(&p, session, request));
    OC_TRY(ocelotl_session_aggregation(&aggregation, session, request));
    return ocelotl_curves_draw(sink, format, levels, aggregation, p, view);
}

/* --- Derived series */

static ocelotl_status draw_variables(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     ocelotl_trace *trace, const ocelotl_picture_options *view)
{
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables = NULL;
    oc_drawables_fit(&options, view);
    OC_TRY(ocelotl_drawables_compute(&drawables, trace, &options));
    const ocelotl_status status = ocelotl_gantt_draw(sink, format, trace, drawables, view);
    ocelotl_drawables_free(drawables);
    return status;
}

/* The curves have the colours of the trace that they come from. */
static ocelotl_status draw_series(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  const ocelotl_session *session, const char *variables,
                                  const ocelotl_picture_options *view)
{
    ocelotl_picture_options drawn = *view;
    ocelotl_type_names *names = NULL;
    ocelotl_trace *trace = NULL;
    OC_TRY(ocelotl_trace_type_names(&names, session->trace));
    drawn.type_names = names;
    ocelotl_status status = ocelotl_trace_open(&trace, variables);
    if (status == OCELOTL_OK)
        status = draw_variables(sink, format, trace, &drawn);
    ocelotl_trace_free(trace);
    ocelotl_type_names_free(names);
    return status;
}

/* The series are variables of a temporary trace. */
ocelotl_status oc_session_draw_series(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      ocelotl_session *session, ocelotl_series *series,
                                      const ocelotl_picture_options *view)
{
    char *variables = NULL;
    OC_TRY(oc_session_temporary(&variables, session, ".db"));
    oc_session_begin(session, OCELOTL_STEP_READING);
    ocelotl_status status = ocelotl_series_derive(variables, series, view->title, true);
    oc_session_end(session);
    if (status == OCELOTL_OK)
        status = draw_series(sink, format, session, variables, view);
    free(variables);
    return status;
}

/* --- Two traces, or two windows of one */

struct ocelotl_pair {
    ocelotl_session *first; /* the caller's */
    ocelotl_session *second;
    bool shared; /* the first has the second, too */
    const ocelotl_request *request;
    ocelotl_request asked; /* of the second; what it owns is the first's */
    ocelotl_comparison *comparison;
};

/* Opens the second trace, or finds it among what is kept where memory is bounded. */
static ocelotl_status open_second(ocelotl_pair *pair)
{
    ocelotl_session *first = pair->first;
    const char *path = pair->request->operands[1];
    if (first->options.memory == 0)
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

ocelotl_status ocelotl_session_compare(ocelotl_pair **pair, ocelotl_session *first,
                                       const ocelotl_request *request)
{
    ocelotl_pair *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->first = first;
    made->request = request;
    const ocelotl_status status = compare(made);
    if (status == OCELOTL_OK)
        *pair = made;
    else
        ocelotl_pair_free(made);
    return status;
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
    OC_TRY(ocelotl_session_of_model(&joint, model, &pair->first->options));
    ocelotl_status status = ocelotl_session_partition(&partition, joint, pair->request);
    if (status == OCELOTL_OK)
        status = ocelotl_difference_draw(sink, format, partition, view);
    ocelotl_partition_free(partition);
    ocelotl_session_free(joint);
    return status;
}

bool oc_is_difference(const ocelotl_picture_options *view)
{
    return view->view != NULL && strcmp(view->view, "difference") == 0;
}

ocelotl_status ocelotl_pair_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                 ocelotl_pair *pair, const ocelotl_picture_options *view)
{
    return oc_is_difference(view) ? draw_difference(sink, format, pair, view)
                                  : draw_both(sink, format, pair, view);
}

ocelotl_status ocelotl_pair_write_changes(const ocelotl_sink *sink, const ocelotl_pair *pair,
                                          size_t most)
{
    return ocelotl_comparison_write_named(sink, pair->comparison, most);
}

/* --- The events of two traces */

/* What is drawn of both. */
typedef struct two {
    ocelotl_session *sessions[2];
    ocelotl_request asked[2]; /* what these own is the request's */
    ocelotl_drawables *drawables[2];
} two;

static bool has_same_rows(const two *of)
{
    return ocelotl_drawables_row_count(of->drawables[0]) ==
           ocelotl_drawables_row_count(of->drawables[1]);
}

/* The rows are those that both have. */
static ocelotl_status find_drawables(two *of)
{
    const ocelotl_drawables *first;
    OC_TRY(oc_session_drawables(&of->drawables[0], of->sessions[0], &of->asked[0]));
    first = of->drawables[0];
    OC_TRY(oc_session_drawables_like(&of->drawables[1], of->sessions[1], &of->asked[1], first));
    if (has_same_rows(of))
        return OCELOTL_OK;
    ocelotl_drawables_free(of->drawables[0]);
    of->drawables[0] = NULL;
    return oc_session_drawables_like(&of->drawables[0], of->sessions[0], &of->asked[0],
                                     of->drawables[1]);
}

static ocelotl_status draw_two(two *of, const ocelotl_sink *sink, ocelotl_picture_format format,
                               const ocelotl_request *request, const ocelotl_picture_options *view)
{
    const ocelotl_interval *window = &request->second_window;
    of->asked[0] = of->asked[1] = *request;
    of->asked[1].operands = request->operands + 1;
    of->asked[1].operand_count = 1;
    if (window->from.text != NULL || window->to.text != NULL)
        of->asked[1].window = *window;
    OC_TRY(ocelotl_session_open(&of->sessions[1], request->operands[1], request,
                                &of->sessions[0]->options));
    if (request->align_event != NULL)
        OC_TRY(oc_session_align(of->sessions, of->asked));
    OC_TRY(find_drawables(of));
    const ocelotl_gantts both = {{of->sessions[0]->trace, of->sessions[1]->trace},
                                 {of->drawables[0], of->drawables[1]},
                                 request->stretch};
    return ocelotl_gantts_draw(sink, format, &both, view);
}

ocelotl_status oc_session_draw_gantts(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      ocelotl_session *first, const ocelotl_request *request,
                                      const ocelotl_picture_options *view)
{
    two of = {.sessions = {first}};
    const ocelotl_status status = draw_two(&of, sink, format, request, view);
    ocelotl_drawables_free(of.drawables[0]);
    ocelotl_drawables_free(of.drawables[1]);
    ocelotl_session_free(of.sessions[1]);
    return status;
}

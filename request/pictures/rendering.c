/* Overviews and reports, with what is noted on them. */
#include "answer/answer.h"
#include "base/memory.h"
#include "base/weighed.h"
#include "request/options/request.h"
#include "request/session.h"
#include "viz/pictures.h"

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

/* So many take some percents of the time of the picture. A cause is found among all cells of the
 * siblings: of very many cells fewer parts are explained. */
enum { MOST_EXPLAINED = 300, LEAST_EXPLAINED = 10 };
static const double cells_looked_at = 5e7;

static size_t count_explained(const ocelotl_partition_info *info)
{
    const double most = cells_looked_at / (double)(info->cell_count + 1);
    return most >= MOST_EXPLAINED    ? MOST_EXPLAINED
           : most >= LEAST_EXPLAINED ? (size_t)most
                                     : LEAST_EXPLAINED;
}

/* Says of the largest parts why they are cut: the tooltips of an SVG do. */
static ocelotl_status explain_parts(const char ***given, oc_arena *arena, ocelotl_session *session,
                                    const ocelotl_request *request,
                                    const ocelotl_partition *partition)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const ocelotl_aggregation *aggregation = NULL;
    const char **why;
    oc_weighed *ranked;
    if (info.level != NULL || oc_request_command(request) == OC_TREEMAP)
        return OCELOTL_OK;
    OC_TRY(ocelotl_session_aggregation(&aggregation, session, request));
    if (ocelotl_aggregation_model(aggregation) != ocelotl_partition_model(partition))
        return OCELOTL_OK;
    OC_TRY(oc_arena_allocate(&why, arena, info.part_count, sizeof *why));
    OC_TRY(oc_arena_allocate(&ranked, arena, info.part_count, sizeof *ranked));
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        ranked[i] = (oc_weighed){part.leaves * ((double)part.last - part.first + 1), i};
        why[i] = "";
    }
    oc_sort_weighed(ranked, info.part_count);
    const size_t most = count_explained(&info);
    for (size_t i = 0; i < info.part_count && i < most; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, ranked[i].place);
        ocelotl_explanation *explanation = NULL;
        oc_text text = {0};
        OC_TRY(oc_part_explain(&explanation, aggregation, partition, part.node, part.first,
                               part.last));
        oc_text_add(&text, "");
        oc_explanation_add_cause(&text, explanation);
        const bool failed = text.failed;
        why[ranked[i].place] = failed ? "" : oc_arena_copy(arena, text.bytes);
        oc_explanation_free(explanation);
        oc_text_free(&text);
        if (failed)
            return oc_fail_memory();
    }
    *given = why;
    return oc_arena_status(arena);
}

/* Says what stands out; a plain picture does not, nor does one that has another sentence, nor a
 * treemap, which has no time. */
static ocelotl_status explain(char **sentence, ocelotl_picture_options *view,
                              ocelotl_session *session, const ocelotl_request *request)
{
    if (view->plain || view->explained != NULL || oc_request_command(request) == OC_TREEMAP)
        return OCELOTL_OK;
    OC_TRY(ocelotl_session_explained(sentence, session, request));
    view->explained = *sentence;
    return OCELOTL_OK;
}

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
    oc_arena arena = {0};
    const char **why = NULL;
    char *sentence = NULL;
    OC_TRY(ocelotl_session_whole(&whole, session, request));
    drawn.whole = whole;
    ocelotl_status status =
        add_notes(&with, &drawn, session, request, ocelotl_partition_model(partition));
    if (status == OCELOTL_OK)
        status = explain(&sentence, &drawn, session, request);
    if (status == OCELOTL_OK && format == OCELOTL_PICTURE_SVG && !view->plain)
        status = explain_parts(&why, &arena, session, request, partition);
    if (status == OCELOTL_OK)
        status = oc_overview_draw_why(sink, format, partition, why, &drawn);
    oc_arena_free(&arena);
    free_notes(&with);
    free(sentence);
    ocelotl_partition_free(whole);
    return status;
}

/* --- A page of all levels */

ocelotl_status oc_session_find_p(double *p, ocelotl_session *session,
                                 const ocelotl_request *request)
{
    const ocelotl_detail *detail = &request->detail;
    ocelotl_partition *partition = NULL;
    *p = detail->kind == OCELOTL_DETAIL_P ? detail->p : (double)NAN;
    if (detail->kind == OCELOTL_DETAIL_P ||
        (detail->kind == OCELOTL_DETAIL_AUTO && detail->rule == OCELOTL_RULE_FIRST))
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
    OC_TRY(oc_session_find_p(&p, session, request));
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
    char *sentence = NULL;
    OC_TRY(ocelotl_session_levels(&levels, session, request));
    ocelotl_status status = explain(&sentence, &drawn, session, request);
    if (status == OCELOTL_OK && session->trace != NULL && view->command != NULL)
        status = ocelotl_part_commands_make(&commands, &drawn.part_command_count, view->command);
    drawn.part_commands = commands;
    if (status == OCELOTL_OK)
        status = draw_page(sink, session, request, levels, &drawn);
    ocelotl_levels_free(levels);
    ocelotl_part_commands_free(commands, drawn.part_command_count);
    free(sentence);
    return status;
}

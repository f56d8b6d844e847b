/* gantt: the events of a window over time; of two traces, one above the other. */
#include "answer/table.h"
#include "base/memory.h"
#include "base/weighed.h"
#include "quality/waiting.h"
#include "request/questions/question.h"
#include "viz/pictures.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    oc_json *json;
    const ocelotl_trace *trace;
    const ocelotl_drawables *drawables;
} writing;

/* Adds attributes, which are JSON already. */
static void add_attributes(writing *to, const char *attributes)
{
    if (attributes != NULL)
        oc_text_add(oc_json_value(to->json, "attributes"), attributes);
}

static void add_object(writing *to, uint32_t row, uint64_t number, ocelotl_category category)
{
    const ocelotl_drawn_object object = ocelotl_drawables_object_at(to->drawables, row, number);
    oc_json *json = to->json;
    oc_json_item(json, 2);
    oc_json_seconds(json, "begin", to->trace, object.begin);
    oc_json_seconds(json, "end", to->trace, object.end);
    if (category == OCELOTL_VARIABLE) {
        oc_json_number(json, "mean", object.mean);
        oc_json_number(json, "low", object.low);
        oc_json_number(json, "high", object.high);
    } else {
        oc_json_text(json, "value", oc_value_name(to->trace, object.value));
        oc_json_count(json, "lane", object.lane);
    }
    oc_json_seconds(json, "duration", to->trace, object.ticks);
    oc_json_flag(json, "begins_before", object.begins_before);
    oc_json_flag(json, "ends_after", object.ends_after);
    oc_json_count(json, "count", object.count);
    if (object.shares > 0)
        oc_json_list(json, "shares"); /* of a merged one, largest first */
    for (uint32_t i = 0; i < object.shares; i++) {
        const ocelotl_drawn_share share = ocelotl_drawables_share_at(to->drawables, row, number, i);
        oc_json_object(json, NULL);
        oc_json_text(json, "value", oc_value_name(to->trace, share.value));
        oc_json_seconds(json, "duration", to->trace, share.ticks);
        oc_json_count(json, "count", share.count);
        oc_json_end_object(json);
    }
    if (object.shares > 0)
        oc_json_end_list(json);
    add_attributes(to, object.attributes);
    oc_json_end_object(json);
}

static void add_row(writing *to, uint32_t row)
{
    const ocelotl_drawn_row drawn = ocelotl_drawables_row_at(to->drawables, row);
    const bool own = drawn.event_type != OCELOTL_NONE;
    oc_json_item(to->json, 1);
    oc_json_text(to->json, "resource", drawn.path);
    if (ocelotl_drawables_info_of(to->drawables).together)
        oc_json_text(to->json, "group", drawn.room_path);
    oc_json_text(to->json, "category", own ? oc_category_name(drawn.category) : "");
    oc_json_text(to->json, "type",
                 own ? ocelotl_trace_event_type_at(to->trace, drawn.event_type).name : "");
    oc_json_list(to->json, "objects");
    for (uint64_t i = 0; i < drawn.objects && to->json->out.status == OCELOTL_OK; i++)
        add_object(to, row, i, drawn.category);
    oc_json_end_list(to->json);
    oc_json_end_object(to->json);
}

static void add_end(writing *to, const char *key, uint32_t row)
{
    if (row != OCELOTL_NONE)
        oc_json_text(to->json, key, ocelotl_drawables_row_at(to->drawables, row).path);
    else
        oc_json_null(to->json, key);
}

static ocelotl_status add_members(oc_json *json, void *of)
{
    writing *to = of;
    const ocelotl_drawables *drawables = to->drawables;
    const ocelotl_trace *trace = to->trace;
    to->json = json;
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    const uint32_t rows = ocelotl_drawables_row_count(drawables);
    const uint32_t links = ocelotl_drawables_link_count(drawables);
    oc_json_text(json, "trace", ocelotl_trace_info_of(trace).name);
    oc_json_seconds(json, "begin", trace, info.from);
    oc_json_seconds(json, "end", trace, info.to);
    oc_json_text(json, "filters", info.filters);
    oc_json_count(json, "rows_left_out", info.rows_left_out);
    oc_json_count(json, "links_left_out", info.links_left_out);
    oc_json_count(json, "links_wrong", info.links_wrong);
    oc_json_list(json, "rows");
    for (uint32_t row = 0; row < rows && json->out.status == OCELOTL_OK; row++)
        add_row(to, row);
    oc_json_end_list(json);
    oc_json_line(json, 0);
    oc_json_list(json, "links");
    for (uint32_t i = 0; i < links && json->out.status == OCELOTL_OK; i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(drawables, i);
        oc_json_item(json, 1);
        oc_json_text(json, "type", ocelotl_trace_event_type_at(trace, link.event_type).name);
        add_end(to, "source", link.source);
        add_end(to, "target", link.target);
        oc_json_seconds(json, "begin", trace, link.begin);
        oc_json_seconds(json, "end", trace, link.end);
        oc_json_text(json, "value", oc_value_name(trace, link.value));
        oc_json_count(json, "count", link.count);
        add_attributes(to, link.attributes);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    for (uint32_t i = 0; i < ocelotl_drawables_piece_count(drawables); i++) {
        const ocelotl_drawn_piece piece = ocelotl_drawables_piece_at(drawables, i);
        if (i == 0)
            oc_json_list(json, "critical_path");
        oc_json_item(json, 1);
        oc_json_count(json, "resource", piece.resource);
        oc_json_seconds(json, "begin", trace, piece.from);
        oc_json_seconds(json, "end", trace, piece.to);
        oc_json_end_object(json);
    }
    if (ocelotl_drawables_piece_count(drawables) > 0)
        oc_json_end_list(json);
    return OCELOTL_OK;
}

/* A line for an object, or for a value of a merged one, with its share of the extent. */
static void add_line(oc_csv_table *csv, const writing *from, uint32_t row, uint64_t number,
                     const ocelotl_drawn_share *part)
{
    const ocelotl_trace *trace = from->trace;
    const ocelotl_drawn_row drawn = ocelotl_drawables_row_at(from->drawables, row);
    const ocelotl_drawn_object is = ocelotl_drawables_object_at(from->drawables, row, number);
    const bool of_variable = drawn.category == OCELOTL_VARIABLE;
    oc_csv_text(csv, drawn.path);
    oc_csv_text(csv, drawn.room_path);
    oc_csv_text(csv, oc_category_name(drawn.category));
    oc_csv_text(csv, ocelotl_trace_event_type_at(trace, drawn.event_type).name);
    oc_csv_count(csv, is.lane);
    oc_csv_count(csv, number);
    oc_csv_number(csv, ocelotl_trace_seconds(trace, is.begin));
    oc_csv_number(csv, ocelotl_trace_seconds(trace, is.end));
    oc_csv_text(csv, of_variable ? "" : oc_value_name(trace, part->value));
    oc_csv_count(csv, part->count);
    oc_csv_number(csv, ocelotl_trace_seconds(trace, part->ticks));
    oc_csv_number(csv, is.end > is.begin ? (double)part->ticks / (double)(is.end - is.begin)
                                         : (double)NAN);
    for (int i = 0; i < 3; i++)
        oc_csv_number(csv,
                      of_variable ? (const double[]){is.mean, is.low, is.high}[i] : (double)NAN);
    oc_csv_text(csv, "");
    oc_csv_end_row(csv);
}

static ocelotl_status add_lines(oc_csv_table *csv, void *of)
{
    const writing *from = of;
    const ocelotl_drawables *drawables = from->drawables;
    oc_csv_row(csv, "resource,group,category,type,lane,object,begin,end,value,count,duration,share,"
                    "mean,low,high,target");
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++) {
        const uint64_t objects = ocelotl_drawables_row_at(drawables, row).objects;
        for (uint64_t i = 0; i < objects && csv->out.status == OCELOTL_OK; i++) {
            const ocelotl_drawn_object is = ocelotl_drawables_object_at(drawables, row, i);
            ocelotl_drawn_share rest = {is.value, is.count, is.ticks}; /* beside the named ones */
            for (uint32_t share = 0; share < is.shares; share++) {
                const ocelotl_drawn_share part =
                    ocelotl_drawables_share_at(drawables, row, i, share);
                add_line(csv, from, row, i, &part);
                rest = (ocelotl_drawn_share){OCELOTL_NONE, rest.count - part.count,
                                             rest.ticks - part.ticks};
            }
            if (rest.count > 0 || is.shares == 0)
                add_line(csv, from, row, i, &rest);
        }
    }
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(drawables, i);
        const ocelotl_drawn_row source = ocelotl_drawables_row_at(drawables, link.source);
        const ocelotl_drawn_row target = ocelotl_drawables_row_at(drawables, link.target);
        oc_csv_text(csv, source.path);
        oc_csv_text(csv, source.room_path);
        oc_csv_text(csv, oc_category_name(OCELOTL_LINK));
        oc_csv_text(csv, ocelotl_trace_event_type_at(from->trace, link.event_type).name);
        oc_csv_empty(csv);
        oc_csv_count(csv, i);
        oc_csv_number(csv, ocelotl_trace_seconds(from->trace, link.begin));
        oc_csv_number(csv, ocelotl_trace_seconds(from->trace, link.end));
        oc_csv_text(csv, oc_value_name(from->trace, link.value));
        oc_csv_count(csv, link.count);
        oc_csv_number(csv, ocelotl_trace_seconds(from->trace, link.end - link.begin));
        for (int cell = 0; cell < 4; cell++)
            oc_csv_empty(csv);
        oc_csv_text(csv, target.path);
        oc_csv_end_row(csv);
    }
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    writing of = {.trace = answer->trace, .drawables = answer->found};
    return oc_forms_write(sink, form,
                          &(oc_forms){.of = &of, .add = add_members, .rows = add_lines});
}

static bool draws_nothing(const ocelotl_drawables *drawables)
{
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++)
        if (ocelotl_drawables_row_at(drawables, row).objects > 0)
            return false;
    return ocelotl_drawables_link_count(drawables) == 0;
}

static ocelotl_status add_path(ocelotl_drawables *drawables, ocelotl_trace *trace,
                               const ocelotl_work *work)
{
    const oc_waiting *waiting;
    ocelotl_drawn_piece *pieces = NULL;
    OC_TRY(oc_waiting_of_path(&waiting, trace, work));
    OC_TRY(oc_allocate(&pieces, waiting->path_count, sizeof *pieces));
    for (size_t i = 0; i < waiting->path_count; i++)
        pieces[i] = (ocelotl_drawn_piece){waiting->path[i].from, waiting->path[i].to,
                                          waiting->path[i].resource};
    const ocelotl_status status =
        ocelotl_drawables_set_line(drawables, pieces, waiting->path_count);
    free(pieces);
    return status;
}

/* Where the overview of the same has the resources, if the request orders them or lets them share
 * rows: in the hierarchy of the trace, unless another one is asked for. NULL: as in the trace. */
static ocelotl_status find_places(uint32_t **places, ocelotl_session *session,
                                  const ocelotl_request *request)
{
    const ocelotl_model *model;
    ocelotl_trace *trace;
    ocelotl_request asked = *request;
    ocelotl_hierarchy_options *hierarchy = &asked.model.hierarchy;
    if (hierarchy->order == OCELOTL_ORDER_TRACE && !hierarchy->reuse_rows)
        return OCELOTL_OK;
    hierarchy->bare = true;
    OC_TRY(ocelotl_session_model(&model, session, &asked));
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_allocate(places, ocelotl_trace_resource_count(trace), sizeof **places));
    return ocelotl_model_order(*places, model, trace);
}

/* As fine as the request's picture can show; with the rows alone that others have, where these are
 * not NULL. */
static ocelotl_status find_placed(ocelotl_drawables **drawables, ocelotl_session *session,
                                  const ocelotl_request *request, const ocelotl_drawables *like,
                                  const uint32_t *places)
{
    ocelotl_drawables_options options = {0};
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_HALF_OPEN));
    options.type = request->type;
    options.max_links = request->max_links;
    options.without_links = request->max_links == 0;
    options.only_wrong = request->violations;
    options.like = like;
    options.at = request->at;
    options.places = places;
    options.with_attributes = true;
    oc_drawables_fit(&options, &request->view);
    options.work.threads = request->threads;
    oc_session_begin_reading(&options.work, session);
    ocelotl_status status = ocelotl_drawables_compute(drawables, session->trace, &options);
    if (status == OCELOTL_OK && request->critical_path)
        status = add_path(*drawables, session->trace, &options.work);
    oc_session_end(session);
    return oc_check_found(status, status == OCELOTL_OK && draws_nothing(*drawables), session,
                          request);
}

static ocelotl_status find_drawables(ocelotl_drawables **drawables, ocelotl_session *session,
                                     const ocelotl_request *request, const ocelotl_drawables *like)
{
    uint32_t *places = NULL;
    ocelotl_status status = find_places(&places, session, request);
    if (status == OCELOTL_OK)
        status = find_placed(drawables, session, request, like, places);
    free(places);
    return status;
}

/* --- Two traces, with an event of both at the same place */

/* "NAME" or "NAME#K". */
typedef struct wanted_event {
    char *name;
    uint64_t number; /* K, from 1 on */
} wanted_event;

static ocelotl_status read_wanted(wanted_event *wanted, const char *text)
{
    OC_TRY(oc_copy_text(&wanted->name, text));
    wanted->number = 1;
    char *mark = strrchr(wanted->name, '#');
    if (mark == NULL || mark[1] == '\0' || strspn(mark + 1, "0123456789") != strlen(mark + 1))
        return OCELOTL_OK;
    wanted->number = strtoumax(mark + 1, NULL, 10);
    *mark = '\0';
    return wanted->number > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--align-event is \"%s\", expected NAME or NAME#K, K being 1 or more",
                         text);
}

/* The begins of a resource's events, while they come. */
typedef struct begins {
    int64_t *times;
    size_t count, capacity;
    uint32_t resource;
    bool found;   /* some resource has so many */
    int64_t last; /* when the last one begins its */
} begins;

static void end_resource(begins *of, uint64_t number)
{
    if (of->count >= number) {
        qsort(of->times, of->count, sizeof *of->times, oc_compare_times);
        const int64_t time = of->times[number - 1];
        of->last = !of->found || time > of->last ? time : of->last;
        of->found = true;
    }
    of->count = 0;
}

static ocelotl_status read_begins(begins *of, ocelotl_events *events, uint64_t number)
{
    bool found = true;
    ocelotl_event event;
    for (;;) {
        OC_TRY(ocelotl_events_next(&found, &event, events));
        if (!found || event.resource != of->resource)
            end_resource(of, number);
        if (!found)
            return OCELOTL_OK;
        of->resource = event.resource;
        OC_TRY(oc_grow(&of->times, &of->capacity, of->count + 1, sizeof *of->times));
        of->times[of->count++] = event.begin;
    }
}

/* Finds when the last of the resources that have so many events of a name begins that one. */
static ocelotl_status find_instant(int64_t *instant, ocelotl_session *session,
                                   const ocelotl_request *request, const wanted_event *wanted)
{
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    begins of = {.resource = OCELOTL_NONE};
    const char *const name = wanted->name;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_HALF_OPEN));
    options.selection.from = INT64_MIN;
    options.selection.to = INT64_MAX;
    options.selection.only = (ocelotl_names){&name, 1};
    options.without_attributes = true;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    if (status == OCELOTL_OK)
        status = read_begins(&of, events, wanted->number);
    ocelotl_events_free(events);
    free(of.times);
    if (status == OCELOTL_OK && !of.found)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: no resource has %" PRIu64 " of \"%s\", expected an event of both "
                         "traces",
                         request->operands[0], wanted->number, wanted->name);
    *instant = of.last;
    return status;
}

/* A trace, and what is to be drawn of it. */
typedef struct aligned {
    int64_t instant; /* of the event */
    int64_t from;    /* of the window, */
    int64_t to;      /* INT64_MAX: of the trace */
} aligned;

static ocelotl_status find_aligned(aligned *found, ocelotl_session *session,
                                   const ocelotl_request *request, const wanted_event *wanted)
{
    ocelotl_selection selection;
    ocelotl_trace *trace = NULL;
    OC_TRY(find_instant(&found->instant, session, request, wanted));
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_session_selection(&selection, session, request, OC_ENDS_HALF_OPEN));
    const int64_t begin = ocelotl_trace_info_of(trace).begin;
    found->from = selection.from > begin ? selection.from : begin;
    found->to = selection.to;
    return found->instant >= found->from
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: \"%s\" begins before the window, expected one that it shows",
                         request->operands[0], wanted->name);
}

static ocelotl_instant at_tick(int64_t tick, const ocelotl_request *request)
{
    return (ocelotl_instant){
        .text = request->align_event, .option = "align-event", .is_tick = true, .tick = tick};
}

/* The window of the trace in which more happens before the event begins as much later. */
static ocelotl_status align(ocelotl_session *const *sessions, ocelotl_request *asked)
{
    aligned found[2] = {{0, 0, 0}, {0, 0, 0}};
    wanted_event wanted = {NULL, 0};
    ocelotl_status status = read_wanted(&wanted, asked[0].align_event);
    for (int i = 0; i < 2 && status == OCELOTL_OK; i++)
        status = find_aligned(&found[i], sessions[i], &asked[i], &wanted);
    free(wanted.name);
    OC_TRY(status);
    const int64_t before[2] = {found[0].instant - found[0].from, found[1].instant - found[1].from};
    const ocelotl_trace_info infos[2] = {ocelotl_trace_info_of(sessions[0]->trace),
                                         ocelotl_trace_info_of(sessions[1]->trace)};
    const double ticks[2] = {(double)infos[0].tick_numerator / (double)infos[0].tick_denominator,
                             (double)infos[1].tick_numerator / (double)infos[1].tick_denominator};
    const int fewer = (double)before[1] * ticks[1] < (double)before[0] * ticks[0];
    for (int i = 0; i < 2; i++) {
        const int64_t lead =
            i == fewer ? before[i] : llrint((double)before[fewer] * ticks[fewer] / ticks[i]);
        asked[i].window = (ocelotl_interval){.from = at_tick(found[i].instant - lead, &asked[i])};
        if (found[i].to != INT64_MAX)
            asked[i].window.to = at_tick(found[i].to, &asked[i]);
    }
    return OCELOTL_OK;
}

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
static ocelotl_status find_both(two *of)
{
    const ocelotl_drawables *first;
    OC_TRY(find_drawables(&of->drawables[0], of->sessions[0], &of->asked[0], NULL));
    first = of->drawables[0];
    OC_TRY(find_drawables(&of->drawables[1], of->sessions[1], &of->asked[1], first));
    if (has_same_rows(of))
        return OCELOTL_OK;
    ocelotl_drawables_free(of->drawables[0]);
    of->drawables[0] = NULL;
    return find_drawables(&of->drawables[0], of->sessions[0], &of->asked[0], of->drawables[1]);
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
        OC_TRY(align(of->sessions, of->asked));
    OC_TRY(find_both(of));
    const ocelotl_gantts both = {{of->sessions[0]->trace, of->sessions[1]->trace},
                                 {of->drawables[0], of->drawables[1]},
                                 request->stretch};
    return ocelotl_gantts_draw(sink, format, &both, view);
}

static ocelotl_status draw_both(const ocelotl_sink *sink, ocelotl_picture_format format,
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

/* --- The question */

static bool is_of_two(const ocelotl_request *request)
{
    return request->operand_count == 2;
}

static ocelotl_status check(const ocelotl_request *request, ocelotl_form form, const char *path,
                            const ocelotl_picture_options *view)
{
    OC_TRY(ocelotl_picture_check(oc_picture_path(path, form), view));
    DIR *sources = view->source != NULL ? opendir(view->source) : NULL;
    if (view->source != NULL && sources == NULL)
        return oc_fail(OCELOTL_ERROR_IO, "%s: cannot open: %s", view->source, strerror(errno));
    if (sources != NULL)
        closedir(sources);
    if (is_of_two(request) && (form == OCELOTL_FORM_JSON || form == OCELOTL_FORM_CSV))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "two traces are drawn as a picture, expected one for --%s",
                       form == OCELOTL_FORM_JSON ? "json" : "csv");
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
    OC_TRY(find_drawables(&drawables, answer->session, answer->request, NULL));
    answer->found = drawables;
    return OCELOTL_OK;
}

/* A picture of another size may show more, or less. */
static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    ocelotl_drawables *fitting = NULL;
    if (is_of_two(drawn))
        return draw_both(sink, format, answer->session, drawn, view);
    if (drawn != answer->request)
        OC_TRY(find_drawables(&fitting, answer->session, drawn, NULL));
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
    .answering = {.forms = OC_FORM(JSON) | OC_FORM(CSV) | OC_FORMS_PICTURE,
                  .streams = true,
                  .shows_types = true,
                  .draws = true},
    .check = check,
    .find = find,
    .write = write,
    .draw = draw,
    .free = free_found,
};

/* series: how many resources of each group are in which state over time, or the sum of a variable
 * over a group. */
#include "answer/table.h"
#include "base/memory.h"
#include "quality/derive.h"
#include "request/questions/question.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct source {
    ocelotl_series *series;
    const ocelotl_trace *trace;
} source;

/* What a series is of, as the first members of an object. */
static void add_series(oc_json *json, const ocelotl_derived_series *is, unsigned blanks)
{
    oc_json_item(json, blanks);
    oc_json_text(json, "resource", is->path);
    oc_json_text(json, "series", is->name);
    oc_json_text(json, "unit", is->unit);
    oc_json_count(json, "members", is->members);
}

static void add_head(oc_json *json, const ocelotl_series *series, const ocelotl_trace *trace)
{
    static const char *const reductions[] = {"", "count", "sum", "mean", "min", "max"};
    static const char *const flights[] = {"", "count", "bytes", "rate", "slowdown"};
    const ocelotl_series_info info = ocelotl_series_info_of(series);
    oc_json_text(json, "trace", ocelotl_trace_info_of(trace).name);
    oc_json_text(json, "meaning", info.meaning);
    oc_json_text(json, "reduce", reductions[info.reduction]);
    oc_json_text(json, "at", info.group_type);
    oc_json_text(json, "state_type", info.type);
    if (info.in_flight != OCELOTL_IN_FLIGHT_NONE)
        oc_json_text(json, "in_flight", flights[info.in_flight]);
    if (info.only_above > 0)
        oc_json_number(json, "only_above", info.only_above);
    oc_json_seconds(json, "begin", trace, info.from);
    oc_json_seconds(json, "end", trace, info.to);
    oc_json_count(json, "groups", info.groups);
    oc_json_count(json, "members", info.members);
    oc_json_count(json, "outside", info.outside);
    oc_json_list(json, "series");
    for (uint32_t i = 0; i < info.series; i++) {
        const ocelotl_derived_series is = ocelotl_series_at(series, i);
        add_series(json, &is, 1);
        oc_json_seconds(json, "begin", trace, is.begin);
        oc_json_seconds(json, "end", trace, is.end);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static double value_of(const ocelotl_series_change *change)
{
    return change->has_value ? change->value : (double)NAN;
}

/* The first change is asked for before anything is written: what cannot be read leaves no part. */
static ocelotl_status add_members(oc_json *json, void *state)
{
    const source *of = state;
    ocelotl_series_change change;
    bool found;
    OC_TRY(ocelotl_series_next(&found, &change, of->series));
    add_head(json, of->series, of->trace);
    oc_json_line(json, 0);
    oc_json_list(json, "changes");
    while (found && json->out.status == OCELOTL_OK) {
        oc_json_item(json, 1);
        oc_json_count(json, "series", change.series);
        oc_json_seconds(json, "time", of->trace, change.time);
        oc_json_number(json, "value", value_of(&change));
        oc_json_end_object(json);
        OC_TRY(ocelotl_series_next(&found, &change, of->series));
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_rows(oc_csv_table *csv, void *state)
{
    const source *of = state;
    ocelotl_series_change change;
    bool found;
    OC_TRY(ocelotl_series_next(&found, &change, of->series));
    oc_csv_row(csv, "resource,series,time,value");
    while (found && csv->out.status == OCELOTL_OK) {
        const ocelotl_derived_series is = ocelotl_series_at(of->series, change.series);
        oc_csv_text(csv, is.path);
        oc_csv_text(csv, is.name);
        oc_csv_number(csv, ocelotl_trace_seconds(of->trace, change.time));
        oc_csv_number(csv, value_of(&change));
        oc_csv_end_row(csv);
        OC_TRY(ocelotl_series_next(&found, &change, of->series));
    }
    return OCELOTL_OK;
}

/* --- Arrow */

static const char *group_at(const void *series, uint32_t index)
{
    return ocelotl_series_at(series, index).path;
}

static const char *name_at(const void *series, uint32_t index)
{
    return ocelotl_series_at(series, index).name;
}

static ocelotl_status fill_changes(oc_batch *batch, void *state)
{
    const source *of = state;
    ocelotl_series_change change;
    bool found = true;
    while (!oc_batch_is_full(batch)) {
        OC_TRY(ocelotl_series_next(&found, &change, of->series));
        if (!found)
            return OCELOTL_OK;
        oc_add_name(batch, change.series);
        oc_add_name(batch, change.series);
        oc_add_number(batch, ocelotl_trace_seconds(of->trace, change.time));
        oc_add_optional_number(batch, change.has_value, change.value);
        oc_end_row(batch);
    }
    return OCELOTL_OK;
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    ocelotl_series *series = answer->found;
    const uint32_t all = ocelotl_series_info_of(series).series;
    const oc_heading headings[] = {{"resource", OC_CELL_NAME, .names = {all, group_at, series}},
                                   {"series", OC_CELL_NAME, .names = {all, name_at, series}},
                                   {"time", OC_CELL_NUMBER},
                                   {"value", OC_CELL_NUMBER}};
    source of = {series, answer->trace};
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = SIZE_MAX, .fill = fill_changes};
    return oc_table_make(stream, headings, OC_COUNT_OF(headings), &rows, options);
}

/* --- Means over spans of time, no more numbers than a picture needs */

/* Values of each series from one change to the next, added up by span. */
typedef struct means {
    const ocelotl_trace *trace;
    ocelotl_series *series;
    ocelotl_series_info info;
    uint32_t spans;
    double *sums;   /* series x spans: value x ticks */
    double *ticks;  /* series x spans: ticks with a value */
    int64_t *since; /* by series: since when it has its value */
    double *value;  /* of each series */
    bool *has_value;
} means;

static double span_begin(const means *of, uint32_t span)
{
    return (double)of->info.from + ((double)of->info.to - (double)of->info.from) * span / of->spans;
}

static uint32_t span_of(const means *of, int64_t time)
{
    const double share =
        ((double)time - (double)of->info.from) / ((double)of->info.to - (double)of->info.from);
    const double span = share * of->spans;
    return span <= 0 ? 0 : span >= of->spans ? of->spans - 1 : (uint32_t)span;
}

/* Ends the value that a series had until now. */
static void end_value(means *of, uint32_t series, int64_t until)
{
    if (!of->has_value[series] || until <= of->since[series])
        return;
    const uint32_t last = span_of(of, until);
    for (uint32_t span = span_of(of, of->since[series]); span <= last; span++) {
        const double begin = span_begin(of, span);
        const double end = span_begin(of, span + 1);
        const double from = begin > (double)of->since[series] ? begin : (double)of->since[series];
        const double to = end < (double)until ? end : (double)until;
        if (to <= from)
            continue;
        of->sums[(size_t)series * of->spans + span] += of->value[series] * (to - from);
        of->ticks[(size_t)series * of->spans + span] += to - from;
    }
}

static ocelotl_status read_changes(means *of)
{
    ocelotl_series_change change;
    bool found = false;
    OC_TRY(ocelotl_series_next(&found, &change, of->series));
    while (found) {
        end_value(of, change.series, change.time);
        of->since[change.series] = change.time;
        of->value[change.series] = change.value;
        of->has_value[change.series] = change.has_value;
        OC_TRY(ocelotl_series_next(&found, &change, of->series));
    }
    for (uint32_t i = 0; i < of->info.series; i++)
        end_value(of, i, ocelotl_series_at(of->series, i).end);
    return OCELOTL_OK;
}

static ocelotl_status add_means(oc_json *json, means *of)
{
    const size_t cells = (size_t)of->info.series * of->spans;
    OC_TRY(oc_allocate(&of->sums, cells, sizeof *of->sums));
    OC_TRY(oc_allocate(&of->ticks, cells, sizeof *of->ticks));
    OC_TRY(oc_allocate(&of->since, of->info.series, sizeof *of->since));
    OC_TRY(oc_allocate(&of->value, of->info.series, sizeof *of->value));
    OC_TRY(oc_allocate(&of->has_value, of->info.series, sizeof *of->has_value));
    OC_TRY(read_changes(of));
    oc_json_object(json, NULL);
    oc_json_text(json, "meaning", of->info.meaning);
    oc_json_seconds(json, "begin", of->trace, of->info.from);
    oc_json_seconds(json, "end", of->trace, of->info.to);
    oc_json_list(json, "series");
    for (size_t i = 0; i < cells; i++) {
        const uint32_t series = (uint32_t)(i / of->spans);
        const ocelotl_derived_series is = ocelotl_series_at(of->series, series);
        if (i % of->spans == 0) {
            add_series(json, &is, 0);
            oc_json_list(json, "means");
        }
        oc_json_number(json, NULL, of->ticks[i] > 0 ? of->sums[i] / of->ticks[i] : (double)NAN);
        if ((i + 1) % of->spans == 0) {
            oc_json_end_list(json);
            oc_json_end_object(json);
        }
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_session_write_series_means(const ocelotl_sink *sink,
                                                  ocelotl_session *session,
                                                  const ocelotl_request *request, uint32_t spans)
{
    oc_json json = {.out = {.sink = sink}};
    ocelotl_trace *trace;
    means of = {.spans = spans > 0 ? spans : 1};
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_session_series(&of.series, session, request, true));
    of.trace = trace;
    of.info = ocelotl_series_info_of(of.series);
    const ocelotl_status status = oc_json_finish(&json, add_means(&json, &of));
    ocelotl_series_free(of.series);
    free(of.sums);
    free(of.ticks);
    free(of.since);
    free(of.value);
    free(of.has_value);
    return status;
}

/* Text goes out as it is made, and shows by itself how far it is. */
static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_series *series = NULL;
    if (answer->request->owner != NULL)
        return answer->form > OCELOTL_FORM_JSON
                   ? OCELOTL_OK
                   : oc_fail(OCELOTL_ERROR_ARGUMENT, "--owner gives a trace (-o FILE.db) or a "
                                                     "picture, expected one of them");
    OC_TRY(oc_session_series(&series, answer->session, answer->request,
                             answer->form > OCELOTL_FORM_JSON));
    const ocelotl_series_info info = ocelotl_series_info_of(series);
    answer->found = series;
    if (info.outside > 0)
        oc_session_say(answer->session,
                       "%u resources are neither in nor below one of type %s, and are not counted",
                       info.outside, info.group_type);
    return OCELOTL_OK;
}

/* Links that no instant shows are counted as they are read. Series are read once. */
static ocelotl_status end(ocelotl_status status, ocelotl_answer *answer)
{
    if (answer->found == NULL)
        return status;
    const uint64_t missed = ocelotl_series_info_of(answer->found).missed;
    if (status == OCELOTL_OK && missed > 0)
        oc_session_say(answer->session,
                       "%" PRIu64 " links last no time, end before they begin or have one end "
                       "alone: they are under way at no instant",
                       missed);
    ocelotl_series_free(answer->found);
    answer->found = NULL;
    return status;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    source of = {answer->found, answer->trace};
    const oc_forms forms = {.of = &of, .add = add_members, .rows = add_rows};
    return end(oc_forms_write(sink, form, &forms), answer);
}

static ocelotl_status draw_variables(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     ocelotl_trace *trace, const ocelotl_picture_options *view)
{
    ocelotl_drawables_options options = {0};
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

static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    ocelotl_derive_options options = {0};
    const char *owner = answer->request->owner;
    ocelotl_session *session = answer->session;
    options.name = title;
    options.overwrite = overwrite;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status =
        owner != NULL ? ocelotl_trace_derive_owners(path, session->trace, owner, &options)
                      : ocelotl_series_derive(path, answer->found, title, overwrite);
    oc_session_end(session);
    return end(status, answer);
}

/* The series are variables of a temporary trace. */
static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    char *derived = NULL;
    (void)drawn;
    OC_TRY(oc_session_temporary(&derived, answer->session, ".db"));
    ocelotl_status status = derive(derived, answer, view->title, true);
    if (status == OCELOTL_OK)
        status = draw_series(sink, format, answer->session, derived, view);
    free(derived);
    return status;
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_series_free(answer->found);
}

const oc_question oc_series_question = {
    .command = "series",
    .answering = {.forms = OC_FORM(CSV) | OC_FORM(JSON) | OC_FORMS_PICTURE | OC_FORM(TRACE),
                  .streams = true,
                  .shows_types = true},
    .find = find,
    .write = write,
    .draw = draw,
    .derive = derive,
    .to_arrow = to_arrow,
    .free = free_found,
};

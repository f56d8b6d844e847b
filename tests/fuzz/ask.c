#include "ask.h"

#include <math.h>

enum { SLICES = 5, LEVELS = 4, ROWS_MOST = 2000 };

/* The window in the middle of a trace: half of it. */
typedef struct window {
    int64_t from, to;
} window;

static const window whole = {INT64_MIN, INT64_MAX};

static window middle_of(const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint64_t quarter = ((uint64_t)info.end - (uint64_t)info.begin) / 4;
    return (window){(int64_t)((uint64_t)info.begin + quarter),
                    (int64_t)((uint64_t)info.end - quarter)};
}

/* By what events carry and by all else. */
static ocelotl_selection make_filter(void)
{
    static const char *const conditions[] = {"size > 3", "note != 7"};
    static const char *const values[] = {"inner"};
    ocelotl_selection filter = {0};
    filter.where = (ocelotl_names){conditions, 2};
    filter.except = (ocelotl_names){values, 1};
    filter.min_duration = 2;
    return filter;
}

/* Returns whether the library answered. */
static bool given(ocelotl_status status)
{
    if (status != OCELOTL_OK && status != OCELOTL_ERROR_EMPTY)
        fuzz_check_failure(status);
    return status == OCELOTL_OK;
}

static ocelotl_status drop(void *context, const void *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    (void)size;
    return OCELOTL_OK;
}

static const ocelotl_sink nowhere = {drop, NULL};

/* --- Names */

static void ask_names(const ocelotl_trace *trace)
{
    ocelotl_type_names *names = NULL;
    uint64_t events = 0;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    FUZZ_CHECK(info.begin <= info.end && isfinite(ocelotl_trace_seconds(trace, info.end)));
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        FUZZ_CHECK(!__builtin_add_overflow(events, type.count, &events) &&
                   type.unmatched <= type.count);
        FUZZ_CHECK(ocelotl_trace_event_type_spelling(trace, t) != NULL);
    }
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        FUZZ_CHECK(value.innermost_ticks >= 0 && value.inclusive_ticks >= value.innermost_ticks);
        FUZZ_CHECK(value.count <= ocelotl_trace_event_type_at(trace, value.event_type).count);
    }
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        FUZZ_CHECK(resource.parent == OCELOTL_ROOT || resource.parent < r);
        FUZZ_CHECK(info.begin <= resource.begin && resource.begin <= resource.end &&
                   resource.end <= info.end);
    }
    if (given(ocelotl_trace_type_names(&names, trace)))
        for (uint32_t i = 0; i < ocelotl_type_names_count(names); i++)
            FUZZ_CHECK(ocelotl_type_names_at(names, i).name[0] != '\0' ||
                       ocelotl_type_names_at(names, i).types > 0);
    ocelotl_type_names_free(names);
}

/* --- Models */

static void check_values(const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values = calloc(2 * ((size_t)info.type_count + 1), sizeof *values);
    FUZZ_CHECK(values != NULL);
    for (uint32_t slice = 0; slice < info.slice_count; slice++) {
        FUZZ_CHECK(ocelotl_model_values(values, model, 0, slice, slice) == OCELOTL_OK);
        for (uint32_t x = 0; x < info.type_count; x++)
            FUZZ_CHECK(!isinf(values[x]));
    }
    free(values);
}

static void render(const ocelotl_partition *partition, const char *view)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    options.view = view;
    given(ocelotl_overview_draw(&nowhere, OCELOTL_PICTURE_SVG, partition, &options));
}

static void check_partition(const ocelotl_partition *partition)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    FUZZ_CHECK(info.part_count > 0 && isfinite(info.gain) && isfinite(info.loss) && info.gain >= 0);
}

static void solve(const ocelotl_aggregation *aggregation, double p, bool drawn)
{
    ocelotl_partition *partition = NULL;
    if (!given(isnan(p) ? ocelotl_solve_auto(&partition, aggregation)
                        : ocelotl_solve(&partition, aggregation, p)))
        return;
    check_partition(partition);
    for (size_t v = 0; drawn && v < ocelotl_view_count(); v++)
        if (ocelotl_view_at(v).kind == ocelotl_aggregation_kind(aggregation))
            render(partition, ocelotl_view_at(v).name);
    ocelotl_partition_free(partition);
}

static void sweep(const ocelotl_aggregation *aggregation)
{
    ocelotl_levels_options search = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    search.max_levels = LEVELS;
    search.max_solves = 30;
    if (!given(ocelotl_levels_find(&levels, aggregation, &search)))
        return;
    given(ocelotl_curves_draw(&nowhere, OCELOTL_PICTURE_SVG, levels, aggregation, NAN, NULL));
    if (ocelotl_aggregation_kind(aggregation) != OCELOTL_SPATIAL) {
        given(ocelotl_report_draw(&nowhere, aggregation, levels, NAN, NULL));
    }
    ocelotl_levels_free(levels);
}

static void aggregate(const ocelotl_model *model, ocelotl_kind kind, bool drawn)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_aggregation *aggregation = NULL;
    options.kind = kind;
    options.work.threads = 1;
    if (!given(ocelotl_aggregation_create(&aggregation, model, &options)))
        return;
    solve(aggregation, 0.4, drawn);
    solve(aggregation, NAN, false);
    if (drawn)
        sweep(aggregation);
    ocelotl_aggregation_free(aggregation);
}

static ocelotl_model_options model_options(const char *metric, window in)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.cells.metric = metric;
    options.slices = SLICES;
    options.selection.from = in.from;
    options.selection.to = in.to;
    options.cells.shift = options.cells.scale =
        metric != NULL && strncmp(metric, "variable", 8) == 0;
    return options;
}

static void build(ocelotl_trace *trace, const ocelotl_model_options *options)
{
    ocelotl_model *model = NULL;
    if (!given(ocelotl_model_from_trace(&model, trace, options)))
        return;
    check_values(model);
    aggregate(model, OCELOTL_SPATIOTEMPORAL, false);
    ocelotl_model_free(model);
}

/* All of the trace, and the middle with everything else that options can say. */
static void ask_metric(ocelotl_trace *trace, const char *metric)
{
    static const char *const conditions[] = {"size > 3"};
    ocelotl_model_options options = model_options(metric, whole);
    build(trace, &options);
    options = model_options(metric, middle_of(trace));
    options.cells.nesting = OCELOTL_INCLUSIVE;
    options.snap = true;
    options.hierarchy.order = OCELOTL_ORDER_ACTIVITY;
    options.selection.where = (ocelotl_names){conditions, 1};
    options.where_elsewhere = true;
    build(trace, &options);
    options = model_options(metric, middle_of(trace));
    options.selection.min_duration = strncmp(metric, "state", 5) == 0 ? 3 : 0;
    options.cells.nesting_depth = strcmp(metric, "state-duration") == 0 ? 1 : 0;
    options.types.max_types = strncmp(metric, "variable", 8) == 0 ? UINT32_MAX : 1;
    options.hierarchy.reuse_rows = options.hierarchy.cluster = options.hierarchy.regroup = true;
    build(trace, &options);
}

static void ask_pictures(ocelotl_trace *trace)
{
    const ocelotl_model_options options = model_options(NULL, whole);
    ocelotl_model *model = NULL;
    if (!given(ocelotl_model_from_trace(&model, trace, &options)))
        return;
    aggregate(model, OCELOTL_SPATIOTEMPORAL, true);
    aggregate(model, OCELOTL_TEMPORAL, true);
    aggregate(model, OCELOTL_SPATIAL, true);
    ocelotl_model_free(model);
}

/* --- Comparison */

static void join(const ocelotl_comparison *comparison)
{
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *partition = NULL;
    ocelotl_model *joint = NULL;
    if (given(ocelotl_comparison_join(&joint, comparison, 16)) &&
        given(ocelotl_aggregation_create(&aggregation, joint, NULL)) &&
        given(ocelotl_solve(&partition, aggregation, 0.3))) {
        check_partition(partition);
        given(ocelotl_difference_draw(&nowhere, OCELOTL_PICTURE_SVG, partition, NULL));
    }
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(joint);
}

static void ask_comparison(ocelotl_trace *trace)
{
    const window middle = middle_of(trace);
    const ocelotl_model_options one =
        model_options("state-duration", (window){INT64_MIN, middle.to});
    const ocelotl_model_options other =
        model_options("state-duration", (window){middle.from, INT64_MAX});
    ocelotl_model *first = NULL;
    ocelotl_model *second = NULL;
    ocelotl_comparison *comparison = NULL;
    if (given(ocelotl_model_from_trace(&first, trace, &one)) &&
        given(ocelotl_model_from_trace(&second, trace, &other)) &&
        given(ocelotl_compare_models(&comparison, first, second))) {
        const ocelotl_comparison_info info = ocelotl_comparison_info_of(comparison);
        for (size_t i = 0; i < info.change_count; i++)
            FUZZ_CHECK(isfinite(ocelotl_comparison_change_at(comparison, i).first));
        join(comparison);
    }
    ocelotl_comparison_free(comparison);
    ocelotl_model_free(second);
    ocelotl_model_free(first);
}

/* --- Events */

static void read_events(ocelotl_trace *trace, window in, const ocelotl_selection *filter)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    ocelotl_event event;
    bool found = true;
    if (filter != NULL)
        options.selection = *filter;
    options.selection.from = in.from;
    options.selection.to = in.to;
    options.by_time = filter != NULL;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    while (status == OCELOTL_OK && found)
        status = ocelotl_events_next(&found, &event, events);
    given(status);
    ocelotl_events_free(events);
}

static void ask_events(ocelotl_trace *trace)
{
    const ocelotl_selection filter = make_filter();
    read_events(trace, whole, NULL);
    read_events(trace, middle_of(trace), NULL);
    read_events(trace, middle_of(trace), &filter);
}

static void ask_sql(ocelotl_trace *trace)
{
    static const char *const queries[] = {
        "SELECT type, count(*), sum(duration), max(key), max(attributes) FROM events GROUP BY 1",
        ("SELECT count(*), max(it.value) FROM events, json_each(attributes) AS it"
         " WHERE \"begin\" > (SELECT avg(\"begin\") FROM resources)"),
        "SELECT count(path), sum(\"end\"), max(notes) FROM resources UNION ALL SELECT count(*), "
        "sum(innermost),"
        " max(value) FROM event_values UNION ALL SELECT count(*), sum(count), max(detail) FROM "
        "warnings",
        ("SELECT count(*) FROM events a JOIN events b ON b.resource = a.target AND b.\"begin\" = "
         "a.\"end\""
         " WHERE a.category = 'link'"),
    };
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        ocelotl_query *query = NULL;
        bool found = true;
        ocelotl_status status = ocelotl_query_open(&query, trace, queries[i]);
        while (status == OCELOTL_OK && found)
            status = ocelotl_query_next(&found, query);
        given(status);
        ocelotl_query_free(query);
    }
}

static void add_up(ocelotl_trace *trace, window in, const ocelotl_selection *filter)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics = NULL;
    if (filter != NULL)
        options.selection = *filter;
    options.selection.from = in.from;
    options.selection.to = in.to;
    options.extremes = filter != NULL ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    if (!given(ocelotl_statistics_compute(&statistics, trace, &options)))
        return;
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++)
        FUZZ_CHECK(ocelotl_statistics_row_at(statistics, i).innermost >= 0);
    given(ocelotl_statistics_draw(&nowhere, OCELOTL_PICTURE_SVG, trace, statistics, NULL));
    ocelotl_statistics_free(statistics);
}

static void ask_statistics(ocelotl_trace *trace)
{
    const ocelotl_selection filter = make_filter();
    add_up(trace, whole, NULL);
    add_up(trace, middle_of(trace), NULL);
    add_up(trace, middle_of(trace), &filter);
}

static void draw(ocelotl_trace *trace, window in, double width, const ocelotl_selection *filter)
{
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables = NULL;
    if (filter != NULL)
        options.selection = *filter;
    options.selection.from = in.from;
    options.selection.to = in.to;
    options.width = width;
    if (!given(ocelotl_drawables_compute(&drawables, trace, &options)))
        return;
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(drawables); r++)
        for (uint64_t i = 0; i < ocelotl_drawables_row_at(drawables, r).objects && i < ROWS_MOST;
             i++) {
            const ocelotl_drawn_object object = ocelotl_drawables_object_at(drawables, r, i);
            FUZZ_CHECK(object.begin >= info.from && object.begin <= object.end &&
                       object.end <= info.to);
        }
    given(ocelotl_gantt_draw(&nowhere, OCELOTL_PICTURE_SVG, trace, drawables, NULL));
    ocelotl_drawables_free(drawables);
}

static void ask_drawables(ocelotl_trace *trace)
{
    const ocelotl_selection filter = make_filter();
    draw(trace, whole, 900, NULL);
    draw(trace, middle_of(trace), 20, NULL);
    draw(trace, middle_of(trace), 1000, &filter);
}

static void ask_series(ocelotl_trace *trace, const char *at, ocelotl_nesting nesting)
{
    ocelotl_series_options options = OCELOTL_SERIES_OPTIONS_INIT;
    ocelotl_series *series = NULL;
    ocelotl_series_change change;
    bool found = true;
    options.at = at;
    options.nesting = nesting;
    ocelotl_status status = ocelotl_series_open(&series, trace, &options);
    while (status == OCELOTL_OK && found)
        status = ocelotl_series_next(&found, &change, series);
    given(status);
    ocelotl_series_free(series);
}

static void ask_models(ocelotl_trace *trace)
{
    for (uint32_t m = 0; m < ocelotl_metric_count(); m++)
        ask_metric(trace, ocelotl_metric_at(m).name);
    ask_series(trace, NULL, OCELOTL_INNERMOST);
    ask_series(trace, "all", OCELOTL_INCLUSIVE);
}

static void ask_all_events(ocelotl_trace *trace)
{
    ask_events(trace);
    ask_sql(trace);
    ask_statistics(trace);
    ask_drawables(trace);
}

void ask(ocelotl_trace *trace, unsigned what)
{
    ask_names(trace);
    if ((what & ASK_MODELS) != 0)
        ask_models(trace);
    if ((what & ASK_EVENTS) != 0)
        ask_all_events(trace);
    if ((what & ASK_PICTURES) == 0)
        return;
    ask_comparison(trace);
    ask_pictures(trace);
}

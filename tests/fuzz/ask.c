#include "ask.h"

#include <math.h>

enum { SLICES = 5, LEVELS = 4, ROWS_MOST = 2000 };

/* What was answered. */
typedef struct answer {
    uint64_t hash;
    ocelotl_status refused;
} answer;

static void mix(answer *to, uint64_t number)
{
    to->hash = (to->hash ^ number) * 0x9E3779B97F4A7C15u;
    to->hash ^= to->hash >> 29;
}

static void mix_double(answer *to, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    mix(to, bits);
}

static void mix_text(answer *to, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        mix(to, (unsigned char)*text);
    mix(to, 256);
}

/* Returns whether the library answered; that nothing is left is an answer, too. */
static bool given(answer *to, ocelotl_status status)
{
    if (status != OCELOTL_OK && status != OCELOTL_ERROR_EMPTY) {
        fuzz_check_failure(status);
        to->refused = status;
    }
    mix(to, status);
    return status == OCELOTL_OK;
}

static ocelotl_status take(void *context, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        mix(context, ((const unsigned char *)bytes)[i]);
    return OCELOTL_OK;
}

/* All of a trace, or the middle half, or that with a filter by what events carry and by all else.
 */
static ocelotl_selection select_way(const ocelotl_trace *trace, uint32_t way)
{
    static const char *const conditions[] = {"size > 3", "note != 7"};
    static const char *except[1];
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint64_t quarter = ((uint64_t)info.end - (uint64_t)info.begin) / 4;
    ocelotl_selection made = {.from = INT64_MIN, .to = INT64_MAX};
    if (way > 0) {
        made.from = (int64_t)((uint64_t)info.begin + quarter);
        made.to = (int64_t)((uint64_t)info.end - quarter);
    }
    if (way == 2) {
        except[0] = ocelotl_trace_value_at(trace, 1).name;
        made.where = (ocelotl_names){conditions, 2};
        made.except = (ocelotl_names){except, 1};
        made.min_duration = 2;
    }
    return made;
}

static void ask_names(answer *to, ocelotl_trace *trace, uint32_t way)
{
    ocelotl_type_names *names = NULL;
    uint64_t events = 0;
    (void)way;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const char *const texts[] = {info.name,   info.uid,      info.source,
                                 info.format, info.importer, info.origin};
    FUZZ_CHECK(info.begin <= info.end && isfinite(ocelotl_trace_seconds(trace, info.end)));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        mix_text(to, texts[i]);
    mix(to, info.tick_denominator ^ info.tick_numerator << 32);
    mix(to, (uint64_t)info.begin);
    mix(to, (uint64_t)info.end);
    for (uint32_t t = 0; t < ocelotl_trace_resource_type_count(trace); t++)
        mix_text(to, ocelotl_trace_resource_type_at(trace, t).name);
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        FUZZ_CHECK(!__builtin_add_overflow(events, type.count, &events) &&
                   type.unmatched <= type.count);
        FUZZ_CHECK(ocelotl_trace_event_type_spelling(trace, t) != NULL && type.name != NULL);
        mix_text(to, type.name);
        mix_text(to, type.unit);
        mix(to, type.count ^ type.unmatched << 32 ^ (uint64_t)type.colour);
    }
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        FUZZ_CHECK(value.innermost_ticks >= 0 && value.inclusive_ticks >= value.innermost_ticks);
        FUZZ_CHECK(isfinite(ocelotl_trace_seconds(trace, value.inclusive_ticks)));
        FUZZ_CHECK(value.count <= ocelotl_trace_event_type_at(trace, value.event_type).count);
        mix_text(to, value.name);
        mix(to, value.count ^ (uint64_t)value.colour << 32 ^ value.event_type);
        mix(to, (uint64_t)value.innermost_ticks);
        mix(to, (uint64_t)value.inclusive_ticks);
    }
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        FUZZ_CHECK(resource.parent == OCELOTL_ROOT || resource.parent < r);
        FUZZ_CHECK(info.begin <= resource.begin && resource.begin <= resource.end &&
                   resource.end <= info.end);
        mix_text(to, resource.name);
        mix(to, resource.type ^ (uint64_t)resource.parent << 32);
        mix(to, (uint64_t)resource.begin);
        mix(to, (uint64_t)resource.end);
    }
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        mix_text(to, ocelotl_trace_warning_at(trace, i).detail);
    if (given(to, ocelotl_trace_type_names(&names, trace)))
        for (uint32_t i = 0; i < ocelotl_type_names_count(names); i++)
            FUZZ_CHECK(ocelotl_type_names_at(names, i).name[0] != '\0' ||
                       ocelotl_type_names_at(names, i).types > 0);
    ocelotl_type_names_free(names);
}

/* --- Models */

/* What is found in a damaged model is finite, and covers it. */
static void check_partition(answer *to, const ocelotl_partition *partition)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    FUZZ_CHECK(info.part_count > 0 && isfinite(info.gain) && isfinite(info.loss));
    FUZZ_CHECK(info.gain >= 0 && info.loss > -1e-6 * (1 + info.whole_loss));
    mix(to, info.part_count);
}

static void solve(answer *to, const ocelotl_aggregation *aggregation, double p, bool drawn)
{
    const ocelotl_sink sink = {take, to};
    ocelotl_partition *partition = NULL;
    if (!given(to, isnan(p) ? ocelotl_solve_auto(&partition, aggregation)
                            : ocelotl_solve(&partition, aggregation, p)))
        return;
    check_partition(to, partition);
    for (size_t v = 0; drawn && v < ocelotl_view_count(); v++)
        if (ocelotl_view_at(v).kind == ocelotl_aggregation_kind(aggregation)) {
            ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
            options.view = ocelotl_view_at(v).name;
            given(to, ocelotl_overview_draw(&sink, OCELOTL_PICTURE_SVG, partition, &options));
        }
    ocelotl_partition_free(partition);
}

static void sweep(answer *to, const ocelotl_aggregation *aggregation)
{
    const ocelotl_sink sink = {take, to};
    ocelotl_levels_options search = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    search.max_levels = LEVELS;
    search.max_solves = 30;
    if (!given(to, ocelotl_levels_find(&levels, aggregation, &search)))
        return;
    FUZZ_CHECK(ocelotl_levels_info_of(levels).count > 0);
    given(to, ocelotl_curves_draw(&sink, OCELOTL_PICTURE_SVG, levels, aggregation, NAN, NULL));
    if (ocelotl_aggregation_kind(aggregation) != OCELOTL_SPATIAL)
        given(to, ocelotl_report_draw(&sink, aggregation, levels, NAN, NULL));
    ocelotl_levels_free(levels);
}

static void aggregate(answer *to, const ocelotl_model *model, ocelotl_kind kind, bool drawn)
{
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_aggregation *aggregation = NULL;
    options.kind = kind;
    options.work.threads = 1;
    if (!given(to, ocelotl_aggregation_create(&aggregation, model, &options)))
        return;
    solve(to, aggregation, 0.4, drawn);
    solve(to, aggregation, NAN, false);
    if (drawn)
        sweep(to, aggregation);
    ocelotl_aggregation_free(aggregation);
}

/* All of the trace, and the middle with everything else that options can say. */
static void ask_metric(answer *to, ocelotl_trace *trace, uint32_t way)
{
    static const char *const conditions[] = {"size > 3"};
    const char *metric = ocelotl_metric_at(way / 3).name;
    const bool variable = strncmp(metric, "variable", 8) == 0;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    options.cells.metric = metric;
    options.slices = SLICES;
    options.selection = select_way(trace, way % 3 > 0);
    options.cells.shift = options.cells.scale = variable;
    if (way % 3 == 1) {
        options.cells.nesting = OCELOTL_INCLUSIVE;
        options.snap = true;
        options.hierarchy.order = OCELOTL_ORDER_ACTIVITY;
        options.selection.where = (ocelotl_names){conditions, 1};
        options.where_elsewhere = true;
    } else if (way % 3 == 2) {
        options.selection.min_duration = strncmp(metric, "state", 5) == 0 ? 3 : 0;
        options.cells.nesting_depth = strcmp(metric, "state-duration") == 0 ? 1 : 0;
        options.types.max_types = variable ? UINT32_MAX : 1;
        options.hierarchy.reuse_rows = options.hierarchy.cluster = options.hierarchy.regroup = true;
    }
    const ocelotl_status status = ocelotl_model_from_trace(&model, trace, &options);
    /* that messages go back in time is an answer, too */
    if (status == OCELOTL_ERROR_INPUT && strcmp(metric, "critical-path") == 0 &&
        strstr(ocelotl_error_message(), "end before they begin") != NULL)
        return;
    /* so is that it has no counter, or one that a condition concerns */
    if (status == OCELOTL_ERROR_ARGUMENT && strcmp(metric, "counter") == 0)
        return;
    if (!given(to, status))
        return;
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values = calloc(2 * ((size_t)info.type_count + 1), sizeof *values);
    FUZZ_CHECK(values != NULL);
    for (uint32_t node = 0; node < info.node_count; node++)
        for (uint32_t slice = 0; slice < info.slice_count; slice++) {
            FUZZ_CHECK(ocelotl_model_values(values, model, node, slice, slice) == OCELOTL_OK);
            for (uint32_t x = 0; x < info.type_count; x++) {
                FUZZ_CHECK(!isinf(values[x]));
                mix_double(to, values[x]);
            }
        }
    free(values);
    aggregate(to, model, OCELOTL_SPATIOTEMPORAL, false);
    ocelotl_model_free(model);
}

static void ask_pictures(answer *to, ocelotl_trace *trace, uint32_t way)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    (void)way;
    options.slices = SLICES;
    if (!given(to, ocelotl_model_from_trace(&model, trace, &options)))
        return;
    aggregate(to, model, OCELOTL_SPATIOTEMPORAL, true);
    aggregate(to, model, OCELOTL_TEMPORAL, true);
    aggregate(to, model, OCELOTL_SPATIAL, true);
    ocelotl_model_free(model);
}

/* The part before the middle's end, and that behind its beginning. */
static void ask_comparison(answer *to, ocelotl_trace *trace, uint32_t way)
{
    const ocelotl_sink sink = {take, to};
    const ocelotl_selection middle = select_way(trace, 1);
    ocelotl_model *models[2] = {NULL, NULL}, *joint = NULL;
    ocelotl_comparison *comparison = NULL;
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_partition *partition = NULL;
    (void)way;
    for (int i = 0; i < 2; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = SLICES;
        options.selection.from = i == 0 ? INT64_MIN : middle.from;
        options.selection.to = i == 0 ? middle.to : INT64_MAX;
        given(to, ocelotl_model_from_trace(&models[i], trace, &options));
    }
    if (models[0] != NULL && models[1] != NULL &&
        given(to, ocelotl_compare_models(&comparison, models[0], models[1]))) {
        const ocelotl_comparison_info info = comparison->info;
        for (size_t i = 0; i < info.change_count; i++)
            FUZZ_CHECK(isfinite(comparison->changes[i].first));
        if (given(to, ocelotl_comparison_join(&joint, comparison, 16)) &&
            given(to, ocelotl_aggregation_create(&aggregation, joint, NULL)) &&
            given(to, ocelotl_solve(&partition, aggregation, 0.3))) {
            check_partition(to, partition);
            given(to, ocelotl_difference_draw(&sink, OCELOTL_PICTURE_SVG, partition, NULL));
        }
    }
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(joint);
    ocelotl_comparison_free(comparison);
    ocelotl_model_free(models[1]);
    ocelotl_model_free(models[0]);
}

/* --- Events */

static void ask_events(answer *to, ocelotl_trace *trace, uint32_t way)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    ocelotl_event event;
    bool found = true;
    size_t count = 0;
    options.selection = select_way(trace, way);
    options.by_time = way == 2;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    while (status == OCELOTL_OK && found) {
        status = ocelotl_events_next(&found, &event, events);
        if (status != OCELOTL_OK || !found)
            break;
        const char *target = ocelotl_events_path(events, event.target);
        FUZZ_CHECK(event.resource < ocelotl_trace_resource_count(trace) && ++count < 1000000);
        FUZZ_CHECK(event.value == OCELOTL_NONE || event.value < ocelotl_trace_value_count(trace));
        FUZZ_CHECK(strlen(target) < 100000 && (event.key == NULL || strlen(event.key) < 1000000));
        mix(to, (uint64_t)event.begin);
        mix(to, (uint64_t)event.end);
        mix(to, event.value ^ (uint64_t)event.resource << 32);
        mix_double(to, event.number);
        mix_text(to, event.key);
        mix_text(to, target);
        mix_text(to, ocelotl_events_path(events, event.source));
        mix_text(to, ocelotl_events_path(events, event.resource));
    }
    given(to, status);
    ocelotl_events_free(events);
}

static const char *const queries[] = {
    "SELECT type, count(*), sum(duration), max(key), max(attributes) FROM events GROUP BY 1",
    ("SELECT count(*), max(it.value) FROM events, json_each(attributes) AS it"
     " WHERE \"begin\" > (SELECT avg(\"begin\") FROM resources)"),
    ("SELECT count(path), sum(\"end\"), max(notes) FROM resources UNION ALL SELECT count(*), "
     "sum(innermost), max(value) FROM event_values UNION ALL SELECT count(*), sum(count), "
     "max(detail) FROM warnings"),
    ("SELECT count(*) FROM events a JOIN events b ON b.resource = a.target AND b.\"begin\" = "
     "a.\"end\" WHERE a.category = 'link' AND a.rowid < 100"),
};

enum { QUERIES = sizeof queries / sizeof queries[0] };

static void ask_sql(answer *to, ocelotl_trace *trace, uint32_t way)
{
    ocelotl_query *query = NULL;
    bool found = true;
    ocelotl_status status = ocelotl_query_open(&query, trace, queries[way]);
    while (status == OCELOTL_OK && found) {
        status = ocelotl_query_next(&found, query);
        for (uint32_t c = 0; status == OCELOTL_OK && c < ocelotl_query_column_count(query); c++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
            mix(to, cell.kind);
            mix_double(to, cell.number);
            mix_text(to, cell.text);
        }
    }
    given(to, status);
    ocelotl_query_free(query);
}

static void ask_statistics(answer *to, ocelotl_trace *trace, uint32_t way)
{
    const ocelotl_sink sink = {take, to};
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics = NULL;
    options.selection = select_way(trace, way);
    options.extremes = way > 0 ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    if (!given(to, ocelotl_statistics_compute(&statistics, trace, &options)))
        return;
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        FUZZ_CHECK(row.innermost >= 0);
        mix_double(to, (double)row.innermost);
        mix_double(to, (double)row.inclusive);
        mix_double(to, row.low);
        mix_double(to, row.high);
    }
    given(to, ocelotl_statistics_draw(&sink, OCELOTL_PICTURE_SVG, trace, statistics, NULL));
    ocelotl_statistics_free(statistics);
}

static void ask_drawables(answer *to, ocelotl_trace *trace, uint32_t way)
{
    static const double widths[] = {900, 20, 1000};
    const ocelotl_sink sink = {take, to};
    ocelotl_drawables_options options = {0};
    ocelotl_drawables *drawables = NULL;
    options.selection = select_way(trace, way);
    options.width = widths[way];
    options.max_events = way == 1;
    if (!given(to, ocelotl_drawables_compute(&drawables, trace, &options)))
        return;
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    for (uint32_t r = 0; r < ocelotl_drawables_row_count(drawables); r++)
        for (uint64_t i = 0; i < ocelotl_drawables_row_at(drawables, r).objects && i < ROWS_MOST;
             i++) {
            const ocelotl_drawn_object object = ocelotl_drawables_object_at(drawables, r, i);
            FUZZ_CHECK(object.begin >= info.from && object.begin <= object.end &&
                       object.end <= info.to);
            mix(to, (uint64_t)object.begin);
            mix(to, (uint64_t)object.end);
        }
    given(to, ocelotl_gantt_draw(&sink, OCELOTL_PICTURE_SVG, trace, drawables, NULL));
    ocelotl_drawables_free(drawables);
}

static void ask_series(answer *to, ocelotl_trace *trace, uint32_t way)
{
    ocelotl_series_options options = {0};
    ocelotl_series *series = NULL;
    ocelotl_series_change change;
    bool found = true;
    options.at = way == 1 ? "all" : NULL;
    options.nesting = way == 1 ? OCELOTL_INCLUSIVE : OCELOTL_INNERMOST;
    ocelotl_status status = ocelotl_series_open(&series, trace, &options);
    while (status == OCELOTL_OK && found) {
        status = ocelotl_series_next(&found, &change, series);
        if (status == OCELOTL_OK && found)
            mix(to, (uint64_t)change.time);
    }
    given(to, status);
    ocelotl_series_free(series);
}

/* --- All of them */

/* Each is asked in several ways; 0 stands for three a metric. */
static const struct {
    void (*ask)(answer *to, ocelotl_trace *trace, uint32_t way);
    uint32_t ways;
    unsigned group;
} rows[] = {{ask_names, 1, 0},
            {ask_metric, 0, ASK_MODELS},
            {ask_series, 2, ASK_MODELS},
            {ask_events, 3, ASK_EVENTS},
            {ask_sql, QUERIES, ASK_EVENTS},
            {ask_statistics, 3, ASK_EVENTS},
            {ask_drawables, 3, ASK_EVENTS},
            {ask_comparison, 1, ASK_PICTURES},
            {ask_pictures, 1, ASK_PICTURES}};

enum { ROWS = sizeof rows / sizeof rows[0] };

static uint32_t ways_of(size_t row)
{
    return rows[row].ways > 0 ? rows[row].ways : 3 * ocelotl_metric_count();
}

void ask(ocelotl_trace *trace, unsigned what)
{
    answer to = {0};
    for (size_t row = 0; row < ROWS; row++)
        for (uint32_t way = 0; way < ways_of(row); way++)
            if (rows[row].group == 0 || (rows[row].group & what) != 0)
                rows[row].ask(&to, trace, way);
}

uint32_t ask_count(void)
{
    uint32_t count = 0;
    for (size_t row = 0; row < ROWS && rows[row].group != ASK_PICTURES; row++)
        count += ways_of(row);
    return count;
}

ocelotl_status ask_one(uint64_t *hash, ocelotl_trace *trace, uint32_t question)
{
    size_t row = 0;
    answer to = {.hash = 1};
    for (; question >= ways_of(row); row++)
        question -= ways_of(row);
    rows[row].ask(&to, trace, question);
    *hash = to.hash;
    return to.refused;
}

void check_import(const char *path, ocelotl_status status)
{
    ocelotl_trace *trace;
    ocelotl_events *events;
    ocelotl_event event;
    bool found = true;
    if (status != OCELOTL_OK) {
        fuzz_check_failure(status);
        FUZZ_CHECK(access(path, F_OK) != 0);
        return;
    }
    FUZZ_CHECK(ocelotl_trace_open(&trace, path) == OCELOTL_OK);
    for (int nesting = OCELOTL_INNERMOST; nesting <= OCELOTL_INCLUSIVE; nesting++) {
        ocelotl_model *model = NULL;
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = 7;
        options.cells.nesting = (ocelotl_nesting)nesting;
        status = ocelotl_model_from_trace(&model, trace, &options);
        if (status != OCELOTL_OK) {
            fuzz_check_failure(status);
            FUZZ_CHECK(strstr(ocelotl_error_message(), "damaged") == NULL);
        }
        ocelotl_model_free(model);
    }
    FUZZ_CHECK(ocelotl_events_open(&events, trace, NULL) == OCELOTL_OK);
    while (found) {
        FUZZ_CHECK(ocelotl_events_next(&found, &event, events) == OCELOTL_OK);
        FUZZ_CHECK(!found || event.event_type < ocelotl_trace_event_type_count(trace));
        FUZZ_CHECK(!found || event.category != OCELOTL_STATE || event.begin <= event.end);
    }
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    FUZZ_CHECK(unlink(path) == 0);
}

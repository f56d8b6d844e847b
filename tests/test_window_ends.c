/* One rule decides what ends in a window: statistics, histograms, their SQL, matrices and metrics
 * agree where borders fall exactly on ends. */
#include "test_query_trace.h"

enum { SLICES = 3, WINDOWS = 60 };

typedef struct window {
    ocelotl_trace *trace;
    ocelotl_selection selection;
} window;

static double seconds(const window *of, double ticks)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    return ticks * (double)info.tick_numerator / (double)info.tick_denominator;
}

static bool is_same(double a, double b)
{
    return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-12 * (1 + fabs(b));
}

/* The row of a value, or of a type as a whole. */
static ocelotl_statistic find_row(const window *of, const char *type, const char *value)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistic found = {.low = NAN, .high = NAN, .mean = NAN};
    options.selection = of->selection;
    options.extremes = OCELOTL_EXTREMES_VALUES;
    options.type = type;
    ocelotl_statistics *statistics = must_sum(of->trace, &options);
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        if (value == NULL
                ? row.whole
                : !row.whole && row.value != OCELOTL_NONE &&
                      strcmp(ocelotl_trace_value_at(of->trace, row.value).name, value) == 0)
            found = row;
    }
    ocelotl_statistics_free(statistics);
    return found;
}

static uint64_t count_by_sql(const window *of, const ocelotl_durations *durations)
{
    char *sql;
    ocelotl_query *query;
    uint64_t count = 0;
    bool found = true;
    CHECK_OK(ocelotl_durations_write_sql(&sql, durations, 0, OCELOTL_NONE));
    CHECK_OK(ocelotl_query_open(&query, of->trace, sql));
    while (found) {
        CHECK_OK(ocelotl_query_next(&found, query));
        count += found;
    }
    ocelotl_query_free(query);
    free(sql);
    return count;
}

/* Durations that can be counted: `timed` of them. */
static void check_durations(const window *of, const char *type, const char *value, uint64_t timed,
                            const ocelotl_statistic *row)
{
    ocelotl_durations_options options = {0};
    ocelotl_durations *durations;
    const char *const patterns[] = {value != NULL ? value : "*"};
    options.selection = of->selection;
    options.type = type;
    options.patterns = (ocelotl_names){patterns, 1};
    CHECK_OK(ocelotl_durations_compute(&durations, of->trace, &options));
    const ocelotl_duration_column column = ocelotl_durations_column_at(durations, 0);
    CHECK(column.count == timed);
    CHECK(is_same(column.least, seconds(of, row->low)));
    CHECK(is_same(column.most, seconds(of, row->high)));
    CHECK(timed == 0 || is_same(column.sum / (double)timed, seconds(of, row->mean)));
    if (of->selection.min_duration == 0)
        CHECK(count_by_sql(of, durations) == timed);
    ocelotl_durations_free(durations);
}

/* Cells come by row, then by column, and are found there. */
static void check_cells(const ocelotl_messages *messages)
{
    const uint64_t cells = ocelotl_messages_info_of(messages).cells;
    ocelotl_message_cell before = ocelotl_messages_cell_at(messages, 0);
    for (uint64_t i = 0; i < cells; i++) {
        const ocelotl_message_cell cell = ocelotl_messages_cell_at(messages, i);
        CHECK(i == 0 || before.row < cell.row ||
              (before.row == cell.row && before.column < cell.column));
        CHECK(i >= ocelotl_messages_row_begin(messages, cell.row) &&
              i < ocelotl_messages_row_begin(messages, cell.row + 1));
        before = cell;
    }
}

static void check_links(const window *of)
{
    ocelotl_messages_options options = {0};
    ocelotl_messages *messages;
    const ocelotl_statistic row = find_row(of, "Link", NULL);
    options.selection = of->selection;
    CHECK_OK(ocelotl_messages_compute(&messages, of->trace, &options));
    const ocelotl_message_cell total = ocelotl_messages_total(messages);
    check_cells(messages);
    CHECK(total.count == row.count);
    CHECK(total.timed == 0 ? isnan(row.low) : row.low == (double)total.least);
    CHECK(is_same(total.mean, row.mean));
    check_durations(of, "Link", NULL, total.timed, &row);
    ocelotl_messages_free(messages);
}

/* What a metric draws of a type over some slices, not a number without it. */
static double drawn(const ocelotl_model *model, const char *type, uint32_t first, uint32_t last)
{
    double values[16];
    CHECK_OK(ocelotl_model_values(values, model, 0, first, last));
    for (uint32_t x = 0; x < ocelotl_model_info_of(model).type_count; x++)
        if (strcmp(ocelotl_model_type_at(model, x).name, type) == 0)
            return values[x];
    return NAN;
}

/* The slices of a model are windows, too. */
static void check_metric(const window *of, const char *metric, const char *value)
{
    const bool links = metric[0] == 'l';
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.selection = of->selection;
    options.slices = SLICES;
    options.cells.metric = metric;
    options.cells.state_type = links ? NULL : "State";
    ocelotl_model *model = must_build(of->trace, &options);
    const double leaves = ocelotl_model_node_at(model, 0).leaf_count;
    for (uint32_t first = 0; first < SLICES; first++)
        for (uint32_t last = first; last < SLICES; last++) {
            window part = *of;
            const int64_t slice = (of->selection.to - of->selection.from) / SLICES;
            part.selection.from = of->selection.from + first * slice;
            part.selection.to = of->selection.from + (last + 1) * slice;
            const ocelotl_statistic row = find_row(&part, links ? "Link" : "State", value);
            const double value_drawn = drawn(model, value, first, last);
            const double sum = value_drawn * leaves * (last + 1 - first);
            if (links)
                CHECK(is_same(isnan(sum) ? 0 : sum, (double)row.ended));
            else
                CHECK(
                    is_same(value_drawn, seconds(of, strstr(metric, "min") != NULL   ? row.low
                                                     : strstr(metric, "max") != NULL ? row.high
                                                                                     : row.mean)));
        }
    ocelotl_model_free(model);
}

static void check_window(window *of)
{
    static const char *const metrics[] = {"state-mean-duration", "state-min-duration",
                                          "state-max-duration"};
    static const char *const values[] = {"one", "two"};
    for (size_t v = 0; v < 2; v++) {
        const ocelotl_statistic row = find_row(of, "State", values[v]);
        check_durations(of, "State", values[v], row.ended, &row);
        for (size_t m = 0; m < 3; m++)
            check_metric(of, metrics[m], values[v]);
    }
    check_links(of);
    if (of->selection.min_duration == 0)
        check_metric(of, "link-count-received", "one");
}

static void check_trace(uint64_t random, uint32_t changes)
{
    known_trace known;
    window of = {.trace = known_open(&known, random, changes)};
    const ocelotl_trace_info info = ocelotl_trace_info_of(of.trace);
    for (uint32_t i = 0; i < WINDOWS; i++) {
        /* two ends, and as far again behind them; or up to the end of the trace */
        const int64_t from =
            known.events[check_below(&known.random, (uint32_t)known.count)].event.end;
        const int64_t to =
            known.events[check_below(&known.random, (uint32_t)known.count)].event.end;
        const int64_t slice = i % 4 == 0 ? (info.end - from) / SLICES : to - from;
        of.selection.from = i % 4 == 0 ? info.end - SLICES * slice : from;
        of.selection.to = of.selection.from + SLICES * slice;
        of.selection.min_duration = i % 3 == 2;
        if (slice > 0 && of.selection.from >= info.begin && of.selection.to <= info.end)
            check_window(&of);
    }
    known_close(&known, of.trace);
}

int main(void)
{
    temporary_begin();
    for (uint64_t i = 1; i <= 4; i++)
        check_trace(i, 150 * (uint32_t)i);
    check_trace(5, 6000);
    return 0;
}

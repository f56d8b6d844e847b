/* What a window adds up to, and the changes of derived series. */
#include "answer/answer.h"
#include "answer/arrow/table.h"

#include <math.h>

/* --- Statistics */

typedef struct statistic_list {
    const ocelotl_statistics *statistics;
    const ocelotl_trace *trace;
} statistic_list;

/* A mean or an extreme in seconds, but of variables. What is no number is missing. */
static void add_measure(oc_batch *batch, const statistic_list *of, const ocelotl_statistic *row,
                        double number)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    const double tick = (double)info.tick_numerator;
    oc_add_optional_number(
        batch, !isnan(number),
        row->category == OCELOTL_VARIABLE ? number : number * tick / (double)info.tick_denominator);
}

static void add_statistic(oc_batch *batch, void *state, size_t index)
{
    const statistic_list *of = state;
    const ocelotl_trace *trace = of->trace;
    const ocelotl_statistic statistic = ocelotl_statistics_row_at(of->statistics, (uint32_t)index);
    const ocelotl_statistic *row = &statistic;
    oc_add_optional_text(batch, oc_category_name(row->category));
    oc_add_optional_text(batch, ocelotl_trace_event_type_spelling(trace, row->event_type));
    oc_add_optional_text(
        batch, row->value != OCELOTL_NONE ? ocelotl_trace_value_at(trace, row->value).name : NULL);
    oc_add_flag(batch, row->whole);
    oc_add_count(batch, row->count);
    oc_add_count(batch, row->ended);
    oc_add_number(batch, ocelotl_trace_seconds(trace, row->innermost));
    oc_add_optional_number(batch, row->category != OCELOTL_LINK,
                           ocelotl_trace_seconds(trace, row->inclusive));
    oc_add_optional_number(batch, !isnan(row->share), row->share);
    add_measure(batch, of, row, row->mean);
    add_measure(batch, of, row, row->low);
    add_measure(batch, of, row, row->high);
    oc_add_number(batch, ocelotl_trace_seconds(trace, row->lived));
    add_measure(batch, of, row, row->median);
    add_measure(batch, of, row, row->p90);
    add_measure(batch, of, row, row->p99);
    oc_add_optional_text(batch, row->group);
    oc_add_number(batch, ocelotl_trace_seconds(trace, row->ended_time));
}

ocelotl_status ocelotl_statistics_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_statistics *statistics,
                                           const ocelotl_trace *trace,
                                           const ocelotl_arrow_options *options)
{
    static const oc_heading headings[] = {
        {"category", OC_CELL_TEXT, {0}},    {"type", OC_CELL_TEXT, {0}},
        {"value", OC_CELL_TEXT, {0}},       {"whole", OC_CELL_FLAG, {0}},
        {"begun", OC_CELL_COUNT, {0}},      {"ended", OC_CELL_COUNT, {0}},
        {"innermost", OC_CELL_NUMBER, {0}}, {"inclusive", OC_CELL_NUMBER, {0}},
        {"share", OC_CELL_NUMBER, {0}},     {"mean", OC_CELL_NUMBER, {0}},
        {"min", OC_CELL_NUMBER, {0}},       {"max", OC_CELL_NUMBER, {0}},
        {"lived", OC_CELL_NUMBER, {0}},     {"median", OC_CELL_NUMBER, {0}},
        {"p90", OC_CELL_NUMBER, {0}},       {"p99", OC_CELL_NUMBER, {0}},
        {"group", OC_CELL_TEXT, {0}},       {"ended_time", OC_CELL_NUMBER, {0}}};
    statistic_list of = {statistics, trace};
    const oc_row_source rows = {.state = &of,
                                .size = sizeof of,
                                .count = ocelotl_statistics_count(statistics),
                                .add = add_statistic};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

/* --- Series */

typedef struct change_list {
    ocelotl_series *series;
    const ocelotl_trace *trace;
} change_list;

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
    const change_list *of = state;
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

ocelotl_status ocelotl_series_to_arrow(struct ArrowArrayStream *stream, ocelotl_series *series,
                                       const ocelotl_trace *trace,
                                       const ocelotl_arrow_options *options)
{
    const uint32_t all = ocelotl_series_info_of(series).series;
    const oc_heading headings[] = {{"resource", OC_CELL_NAME, {all, group_at, series}},
                                   {"series", OC_CELL_NAME, {all, name_at, series}},
                                   {"time", OC_CELL_NUMBER, {0}},
                                   {"value", OC_CELL_NUMBER, {0}}};
    change_list of = {series, trace};
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = SIZE_MAX, .fill = fill_changes};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

/* What a window adds up to, and the changes of derived series. */
#include "answer/answer.h"
#include "answer/arrow/table.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- Statistics */

typedef struct statistic_list {
    const ocelotl_statistics *statistics;
    const ocelotl_trace *trace;
    uint32_t next, count;
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

static void add_statistic(oc_batch *batch, const statistic_list *of, const ocelotl_statistic *row)
{
    const ocelotl_trace *trace = of->trace;
    oc_add_optional_text(batch, oc_category_word(row->category));
    oc_add_optional_text(batch, ocelotl_trace_event_type_spelling(trace, row->event_type));
    oc_add_optional_text(
        batch, row->value != OCELOTL_NONE ? ocelotl_trace_value_at(trace, row->value).name : NULL);
    oc_add_flag(batch, row->whole);
    oc_add_count(batch, row->count);
    oc_add_count(batch, row->ended);
    oc_add_number(batch, ocelotl_trace_seconds(trace, row->innermost));
    oc_add_number(batch, ocelotl_trace_seconds(trace, row->inclusive));
    oc_add_optional_number(batch, !isnan(row->share), row->share);
    add_measure(batch, of, row, row->mean);
    add_measure(batch, of, row, row->low);
    add_measure(batch, of, row, row->high);
    oc_add_number(batch, ocelotl_trace_seconds(trace, row->lived));
    oc_end_row(batch);
}

static ocelotl_status fill_statistics(oc_batch *batch, void *source)
{
    statistic_list *of = source;
    for (; of->next < of->count && !oc_batch_is_full(batch); of->next++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(of->statistics, of->next);
        add_statistic(batch, of, &row);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_statistics_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_statistics *statistics,
                                           const ocelotl_trace *trace,
                                           const ocelotl_arrow_options *options)
{
    static const oc_heading headings[] = {
        {"category", OC_CELL_TEXT, NULL},    {"type", OC_CELL_TEXT, NULL},
        {"value", OC_CELL_TEXT, NULL},       {"whole", OC_CELL_FLAG, NULL},
        {"begun", OC_CELL_COUNT, NULL},      {"ended", OC_CELL_COUNT, NULL},
        {"innermost", OC_CELL_NUMBER, NULL}, {"inclusive", OC_CELL_NUMBER, NULL},
        {"share", OC_CELL_NUMBER, NULL},     {"mean", OC_CELL_NUMBER, NULL},
        {"min", OC_CELL_NUMBER, NULL},       {"max", OC_CELL_NUMBER, NULL},
        {"lived", OC_CELL_NUMBER, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    statistic_list *of = NULL;
    oc_row_source rows = {.fill = fill_statistics, .count = ocelotl_statistics_count(statistics)};
    const ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, headings, count, &rows, options);
    *of = (statistic_list){statistics, trace, 0, (uint32_t)rows.count};
    rows.source = of;
    rows.free = free;
    return oc_table_make(stream, headings, count, &rows, options);
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

static ocelotl_status fill_changes(oc_batch *batch, void *source)
{
    const change_list *of = source;
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
    oc_heading headings[] = {{"resource", OC_CELL_NAME, NULL},
                             {"series", OC_CELL_NAME, NULL},
                             {"time", OC_CELL_NUMBER, NULL},
                             {"value", OC_CELL_NUMBER, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    const uint32_t all = ocelotl_series_info_of(series).series;
    change_list *of = NULL;
    oc_row_source rows = {.fill = fill_changes, .count = SIZE_MAX};
    ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status == OCELOTL_OK) {
        *of = (change_list){series, trace};
        rows.source = of;
        rows.free = free;
        status = oc_name_list_make(&headings[0].dictionary, all, group_at, series);
    }
    if (status == OCELOTL_OK)
        status = oc_name_list_make(&headings[1].dictionary, all, name_at, series);
    return status == OCELOTL_OK ? oc_table_make(stream, headings, count, &rows, options)
                                : oc_table_fail(status, headings, count, &rows, options);
}

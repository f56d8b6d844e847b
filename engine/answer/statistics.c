/* What a window of a trace adds up to. */
#include "answer/answer.h"

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
} source;

/* A mean or an extreme: seconds, but of variables. */
static double measure(const source *of, const ocelotl_statistic *row, double number)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    return row->category == OCELOTL_VARIABLE
               ? number
               : number * (double)info.tick_numerator / (double)info.tick_denominator;
}

/* --- JSON */

static void add_numbers(oc_json *json, const source *of, const ocelotl_statistic *row)
{
    oc_json_seconds(json, "innermost", of->trace, row->innermost);
    oc_json_seconds(json, "inclusive", of->trace, row->inclusive);
    oc_json_number(json, "share", row->share);
    oc_json_number(json, "mean", measure(of, row, row->mean));
    oc_json_number(json, "min", measure(of, row, row->low));
    oc_json_number(json, "max", measure(of, row, row->high));
    oc_json_count(json, "begun", row->count);
    oc_json_count(json, "ended", row->ended);
}

static void add_attributes(oc_json *json, const source *of, uint32_t event_type)
{
    oc_json_list(json, "attributes");
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(of->statistics); i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute_at(of->statistics, i);
        if (total.event_type != event_type)
            continue;
        oc_json_object(json, NULL);
        oc_json_text(json, "name", total.name);
        oc_json_number(json, "sum", total.sum);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static void add_value(oc_json *json, const source *of, const ocelotl_statistic *row)
{
    oc_json_line(json, 2);
    oc_json_object(json, NULL);
    if (row->value == OCELOTL_NONE)
        oc_json_null(json, "name");
    else
        oc_json_text(json, "name", oc_value_name(of->trace, row->value));
    add_numbers(json, of, row);
    oc_json_end_object(json);
}

/* A type, from its line on; gives where the next one is. */
static uint32_t add_type(oc_json *json, const source *of, uint32_t index)
{
    const ocelotl_statistic whole = ocelotl_statistics_row_at(of->statistics, index);
    oc_json_line(json, 1);
    oc_json_object(json, NULL);
    oc_json_text(json, "category", oc_category_word(whole.category));
    oc_json_text(json, "name", ocelotl_trace_event_type_spelling(of->trace, whole.event_type));
    oc_json_count(json, "resources", whole.resources);
    oc_json_seconds(json, "lived", of->trace, whole.lived);
    add_numbers(json, of, &whole);
    add_attributes(json, of, whole.event_type);
    oc_json_list(json, "values");
    for (index++; index < ocelotl_statistics_count(of->statistics); index++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(of->statistics, index);
        if (row.whole)
            break;
        add_value(json, of, &row);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
    return index;
}

ocelotl_status ocelotl_statistics_write_json(const ocelotl_sink *sink,
                                             const ocelotl_statistics *statistics,
                                             const ocelotl_trace *trace)
{
    const source of = {trace, statistics};
    const ocelotl_trace_info trace_info = ocelotl_trace_info_of(trace);
    const ocelotl_statistics_info info = ocelotl_statistics_info_of(statistics);
    oc_json json = {.out = {.sink = sink}};
    oc_json_object(&json, NULL);
    oc_json_text(&json, "name", trace_info.name);
    oc_json_text(&json, "uid", trace_info.uid);
    oc_json_seconds(&json, "from", trace, info.from);
    oc_json_seconds(&json, "to", trace, info.to);
    oc_json_count(&json, "resources", info.resources);
    oc_json_names(&json, "selected", &info.selected);
    oc_json_text(&json, "filters", info.filters);
    oc_json_list(&json, "types");
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics);)
        i = add_type(&json, &of, i);
    oc_json_end_list(&json);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

/* --- CSV */

static void add_row(oc_csv_table *table, const source *of, const ocelotl_statistic *row)
{
    oc_csv_text(table, oc_category_word(row->category));
    oc_csv_text(table, ocelotl_trace_event_type_spelling(of->trace, row->event_type));
    oc_csv_text(table, row->whole ? "" : oc_value_name(of->trace, row->value));
    oc_csv_count(table, row->whole);
    oc_csv_count(table, row->count);
    oc_csv_count(table, row->ended);
    oc_csv_number(table, ocelotl_trace_seconds(of->trace, row->innermost));
    oc_csv_number(table, ocelotl_trace_seconds(of->trace, row->inclusive));
    oc_csv_number(table, row->share);
    oc_csv_number(table, measure(of, row, row->mean));
    oc_csv_number(table, measure(of, row, row->low));
    oc_csv_number(table, measure(of, row, row->high));
    oc_csv_number(table, ocelotl_trace_seconds(of->trace, row->lived));
    oc_csv_empty(table);
    oc_csv_end_row(table);
}

/* A sum is in the last of the columns, of which most say nothing here. */
static void add_attribute_row(oc_csv_table *table, const source *of, uint32_t index)
{
    enum { BETWEEN = 10 };
    const ocelotl_attribute_total total = ocelotl_statistics_attribute_at(of->statistics, index);
    oc_csv_text(table, "attribute");
    oc_csv_text(table, ocelotl_trace_event_type_spelling(of->trace, total.event_type));
    oc_csv_text(table, total.name);
    for (int i = 0; i < BETWEEN; i++)
        oc_csv_empty(table);
    oc_csv_number(table, total.sum);
    oc_csv_end_row(table);
}

ocelotl_status ocelotl_statistics_write_csv(const ocelotl_sink *sink,
                                            const ocelotl_statistics *statistics,
                                            const ocelotl_trace *trace)
{
    const source of = {trace, statistics};
    oc_csv_table table = {.out = {.sink = sink}};
    oc_csv_row(&table, "category,type,value,whole,begun,ended,innermost,inclusive,share,mean,min,"
                       "max,lived,sum");
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
        add_row(&table, &of, &row);
    }
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(statistics); i++)
        add_attribute_row(&table, &of, i);
    return oc_csv_finish(&table, OCELOTL_OK);
}

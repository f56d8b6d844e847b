/* The changes of derived series, which go out as they are found. */
#include "answer/answer.h"

static void add_series(oc_json *json, const ocelotl_series *series, const ocelotl_trace *trace,
                       uint32_t index)
{
    const ocelotl_derived_series is = ocelotl_series_at(series, index);
    oc_json_line(json, 1);
    oc_json_object(json, NULL);
    oc_json_text(json, "resource", is.path);
    oc_json_text(json, "series", is.name);
    oc_json_text(json, "unit", is.unit);
    oc_json_count(json, "members", is.members);
    oc_json_seconds(json, "begin", trace, is.begin);
    oc_json_seconds(json, "end", trace, is.end);
    oc_json_end_object(json);
}

static void add_head(oc_json *json, const ocelotl_series *series, const ocelotl_trace *trace)
{
    static const char *const reductions[] = {"", "count", "sum", "mean", "min", "max"};
    static const char *const flights[] = {"", "count", "bytes", "rate"};
    const ocelotl_series_info info = ocelotl_series_info_of(series);
    oc_json_text(json, "trace", ocelotl_trace_info_of(trace).name);
    oc_json_text(json, "meaning", info.meaning);
    oc_json_text(json, "reduce", reductions[info.reduction]);
    oc_json_text(json, "at", info.group_type);
    oc_json_text(json, "state_type", info.type);
    if (info.in_flight != OCELOTL_IN_FLIGHT_NONE)
        oc_json_text(json, "in_flight", flights[info.in_flight]);
    oc_json_seconds(json, "begin", trace, info.from);
    oc_json_seconds(json, "end", trace, info.to);
    oc_json_count(json, "groups", info.groups);
    oc_json_count(json, "members", info.members);
    oc_json_count(json, "outside", info.outside);
    oc_json_list(json, "series");
    for (uint32_t i = 0; i < info.series; i++)
        add_series(json, series, trace, i);
    oc_json_end_list(json);
}

static void add_change(oc_json *json, const ocelotl_series_change *change,
                       const ocelotl_trace *trace)
{
    oc_json_line(json, 1);
    oc_json_object(json, NULL);
    oc_json_count(json, "series", change->series);
    oc_json_seconds(json, "time", trace, change->time);
    if (change->has_value)
        oc_json_number(json, "value", change->value);
    else
        oc_json_null(json, "value");
    oc_json_end_object(json);
}

/* The first change is asked for before anything is written: what cannot be read leaves no part. */
static ocelotl_status add_all(oc_json *json, ocelotl_series *series, const ocelotl_trace *trace)
{
    ocelotl_series_change change;
    bool found;
    OC_TRY(ocelotl_series_next(&found, &change, series));
    oc_json_object(json, NULL);
    add_head(json, series, trace);
    oc_json_line(json, 0);
    oc_json_list(json, "changes");
    while (found && json->out.status == OCELOTL_OK) {
        add_change(json, &change, trace);
        OC_TRY(ocelotl_series_next(&found, &change, series));
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

static ocelotl_status write_as_json(const ocelotl_sink *sink, ocelotl_series *series,
                                    const ocelotl_trace *trace)
{
    oc_json json = {.out = {.sink = sink}};
    return oc_json_finish(&json, add_all(&json, series, trace));
}

static ocelotl_status add_rows(oc_csv_table *table, ocelotl_series *series,
                               const ocelotl_trace *trace)
{
    ocelotl_series_change change;
    bool found;
    OC_TRY(ocelotl_series_next(&found, &change, series));
    oc_csv_row(table, "resource,series,time,value");
    while (found && table->out.status == OCELOTL_OK) {
        const ocelotl_derived_series is = ocelotl_series_at(series, change.series);
        oc_csv_text(table, is.path);
        oc_csv_text(table, is.name);
        oc_csv_number(table, ocelotl_trace_seconds(trace, change.time));
        if (change.has_value)
            oc_csv_number(table, change.value);
        else
            oc_csv_empty(table);
        oc_csv_end_row(table);
        OC_TRY(ocelotl_series_next(&found, &change, series));
    }
    return OCELOTL_OK;
}

static ocelotl_status write_as_csv(const ocelotl_sink *sink, ocelotl_series *series,
                                   const ocelotl_trace *trace)
{
    oc_csv_table table = {.out = {.sink = sink}};
    return oc_csv_finish(&table, add_rows(&table, series, trace));
}

ocelotl_status ocelotl_series_write(const ocelotl_sink *sink, ocelotl_form form,
                                    ocelotl_series *series, const ocelotl_trace *trace)
{
    return form == OCELOTL_FORM_JSON ? write_as_json(sink, series, trace)
                                     : write_as_csv(sink, series, trace);
}

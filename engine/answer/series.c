/* The changes of derived series, which go out as they are found. */
#include "answer/table.h"

typedef struct source {
    ocelotl_series *series;
    const ocelotl_trace *trace;
} source;

static void add_series(oc_json *json, const ocelotl_series *series, const ocelotl_trace *trace,
                       uint32_t index)
{
    const ocelotl_derived_series is = ocelotl_series_at(series, index);
    oc_json_item(json, 1);
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

ocelotl_status ocelotl_series_write(const ocelotl_sink *sink, ocelotl_form form,
                                    ocelotl_series *series, const ocelotl_trace *trace)
{
    source of = {series, trace};
    return oc_forms_write(sink, form, &(oc_forms){.of = &of, .add = add_members, .rows = add_rows});
}

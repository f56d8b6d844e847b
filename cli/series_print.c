#include "series_print.h"

#include "json.h"

#include <string.h>

const char *const cli_series_reductions[CLI_SERIES_REDUCTIONS] = {"count", "sum", "mean", "min",
                                                                  "max"};

/* --- CSV */

static void write_csv_change(FILE *file, const ocelotl_trace *trace, const ocelotl_series *series,
                             const ocelotl_series_change *change)
{
    const ocelotl_derived_series is = ocelotl_series_get(series, change->series);
    cli_csv_cell(file, is.path, strlen(is.path));
    fputc(',', file);
    cli_csv_cell(file, is.name, strlen(is.name));
    fprintf(file, ",%s,%s\n", cli_digits(ocelotl_trace_seconds(trace, change->time)).text,
            change->has_value ? cli_digits(change->value).text : "");
}

int cli_series_csv(cli_stream *stream, const ocelotl_trace *trace, ocelotl_series *series)
{
    ocelotl_series_change change;
    bool found = false;
    ocelotl_status status = ocelotl_series_next(&found, &change, series);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    fputs("resource,series,time,value\n", stream->file);
    while (found && cli_stream_is_good(stream)) {
        write_csv_change(stream->file, trace, series, &change);
        status = ocelotl_series_next(&found, &change, series);
        if (status != OCELOTL_OK)
            return cli_fail(status);
    }
    return CLI_DONE;
}

/* --- JSON */

static void json_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, "\"%s\":", key);
    cli_json_string(file, text);
    fputc(',', file);
}

static void json_time(FILE *file, const char *key, const ocelotl_trace *trace, int64_t ticks)
{
    fprintf(file, "\"%s\":", key);
    cli_json_number(file, ocelotl_trace_seconds(trace, ticks));
}

static void write_json_series(FILE *file, const ocelotl_trace *trace, const ocelotl_series *series,
                              uint32_t index)
{
    const ocelotl_derived_series is = ocelotl_series_get(series, index);
    fprintf(file, "%s\n {", index > 0 ? "," : "");
    json_text(file, "resource", is.path);
    json_text(file, "series", is.name);
    json_text(file, "unit", is.unit);
    fprintf(file, "\"members\":%u,", is.members);
    json_time(file, "begin", trace, is.begin);
    fputc(',', file);
    json_time(file, "end", trace, is.end);
    fputc('}', file);
}

static void write_json_head(FILE *file, const ocelotl_trace *trace, const ocelotl_series *series)
{
    const ocelotl_series_info info = ocelotl_series_get_info(series);
    fputc('{', file);
    json_text(file, "trace", ocelotl_trace_get_info(trace).name);
    json_text(file, "meaning", info.meaning);
    json_text(file, "reduce", cli_series_reductions[info.reduction - 1]);
    json_text(file, "at", info.group_type);
    json_text(file, "state_type", info.type);
    json_time(file, "begin", trace, info.from);
    fputc(',', file);
    json_time(file, "end", trace, info.to);
    fprintf(file, ",\"groups\":%u,\"members\":%u,\"outside\":%u,\"series\":[", info.groups,
            info.members, info.outside);
    for (uint32_t i = 0; i < info.series; i++)
        write_json_series(file, trace, series, i);
    fputs("],\n\"changes\":[", file);
}

static void write_json_change(FILE *file, const ocelotl_trace *trace,
                              const ocelotl_series_change *change, bool first)
{
    fprintf(file, "%s\n {\"series\":%u,", first ? "" : ",", change->series);
    json_time(file, "time", trace, change->time);
    fputs(",\"value\":", file);
    if (change->has_value)
        cli_json_number(file, change->value);
    else
        fputs("null", file);
    fputc('}', file);
}

int cli_series_json(cli_stream *stream, const ocelotl_trace *trace, ocelotl_series *series)
{
    ocelotl_series_change change;
    bool found = false;
    ocelotl_status status = ocelotl_series_next(&found, &change, series);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    write_json_head(stream->file, trace, series);
    for (bool first = true; found && cli_stream_is_good(stream); first = false) {
        write_json_change(stream->file, trace, &change, first);
        status = ocelotl_series_next(&found, &change, series);
        if (status != OCELOTL_OK)
            return cli_fail(status);
    }
    fputs("]}\n", stream->file);
    return CLI_DONE;
}

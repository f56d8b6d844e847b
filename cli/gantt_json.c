#include "gantt_json.h"

#include "json.h"

#include <inttypes.h>

typedef struct gantt_output {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_drawables *drawables;
} gantt_output;

static void write_time(const gantt_output *to, const char *key, int64_t ticks)
{
    cli_json_number_of(to->file, key, ocelotl_trace_seconds(to->trace, ticks));
}

static const char *value_name(const gantt_output *to, uint32_t value)
{
    return value != OCELOTL_NONE ? ocelotl_trace_value(to->trace, value).name : "";
}

/* What a merged object is of, largest first. */
static void write_shares(const gantt_output *to, uint32_t row, uint64_t object, uint32_t count)
{
    fputs(",\"shares\":[", to->file);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_drawn_share share = ocelotl_drawables_share(to->drawables, row, object, i);
        fputs(i > 0 ? ",{" : "{", to->file);
        cli_json_text_of(to->file, "value", value_name(to, share.value));
        write_time(to, "duration", share.ticks);
        fprintf(to->file, "\"count\":%" PRIu64 "}", share.count);
    }
    fputc(']', to->file);
}

static void write_object(const gantt_output *to, uint32_t row, uint64_t number,
                         ocelotl_category category)
{
    const ocelotl_drawn_object object = ocelotl_drawables_object(to->drawables, row, number);
    fputs(number > 0 ? ",\n  {" : "\n  {", to->file);
    write_time(to, "begin", object.begin);
    write_time(to, "end", object.end);
    if (category == OCELOTL_VARIABLE) {
        cli_json_number_of(to->file, "mean", object.mean);
        cli_json_number_of(to->file, "low", object.low);
        cli_json_number_of(to->file, "high", object.high);
    } else {
        cli_json_text_of(to->file, "value", value_name(to, object.value));
        fprintf(to->file, "\"lane\":%u,", object.lane);
    }
    write_time(to, "duration", object.ticks);
    fprintf(to->file, "\"begins_before\":%s,\"ends_after\":%s,\"count\":%" PRIu64,
            object.begins_before ? "true" : "false", object.ends_after ? "true" : "false",
            object.count);
    if (object.shares > 0)
        write_shares(to, row, number, object.shares);
    fputc('}', to->file);
}

static void write_row(const gantt_output *to, uint32_t row)
{
    static const char *const categories[] = {"event", "state", "variable", "link"};
    const ocelotl_drawn_row drawn = ocelotl_drawables_row(to->drawables, row);
    const bool own = drawn.event_type != OCELOTL_NONE;
    fputs(row > 0 ? ",\n {" : "\n {", to->file);
    cli_json_text_of(to->file, "resource", drawn.path);
    cli_json_text_of(to->file, "category", own ? categories[drawn.category] : "");
    cli_json_text_of(to->file, "type",
                     own ? ocelotl_trace_event_type(to->trace, drawn.event_type).name : "");
    fputs("\"objects\":[", to->file);
    for (uint64_t i = 0; i < drawn.objects; i++)
        write_object(to, row, i, drawn.category);
    fputs("]}", to->file);
}

static void write_end(const gantt_output *to, const char *key, uint32_t row)
{
    fprintf(to->file, "\"%s\":", key);
    if (row != OCELOTL_NONE)
        cli_json_string(to->file, ocelotl_drawables_row(to->drawables, row).path);
    else
        fputs("null", to->file);
    fputc(',', to->file);
}

static void write_link(const gantt_output *to, uint32_t number)
{
    const ocelotl_drawn_link link = ocelotl_drawables_link(to->drawables, number);
    fputs(number > 0 ? ",\n {" : "\n {", to->file);
    cli_json_text_of(to->file, "type", ocelotl_trace_event_type(to->trace, link.event_type).name);
    write_end(to, "source", link.source);
    write_end(to, "target", link.target);
    write_time(to, "begin", link.begin);
    write_time(to, "end", link.end);
    cli_json_text_of(to->file, "value", value_name(to, link.value));
    fprintf(to->file, "\"count\":%" PRIu64 "}", link.count);
}

int cli_gantt_json(cli_stream *stream, const ocelotl_trace *trace,
                   const ocelotl_drawables *drawables)
{
    const gantt_output to = {stream->file, trace, drawables};
    const ocelotl_drawables_info info = ocelotl_drawables_get_info(drawables);
    const uint32_t links = ocelotl_drawables_link_count(drawables);
    fputc('{', to.file);
    cli_json_text_of(to.file, "trace", ocelotl_trace_get_info(trace).name);
    write_time(&to, "begin", info.from);
    write_time(&to, "end", info.to);
    cli_json_text_of(to.file, "filters", info.filters);
    fprintf(to.file, "\"rows_left_out\":%u,\"links_left_out\":%" PRIu64 ",\"rows\":[",
            info.rows_left_out, info.links_left_out);
    for (uint32_t row = 0;
         row < ocelotl_drawables_row_count(drawables) && cli_stream_is_good(stream); row++)
        write_row(&to, row);
    fputs("],\n\"links\":[", to.file);
    for (uint32_t i = 0; i < links && cli_stream_is_good(stream); i++)
        write_link(&to, i);
    fputs("]}\n", to.file);
    return CLI_DONE;
}

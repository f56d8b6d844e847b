/* What a Gantt chart draws. */
#include "answer/table.h"

typedef struct writing {
    oc_json *json;
    const ocelotl_trace *trace;
    const ocelotl_drawables *drawables;
} writing;

/* Adds attributes, which are JSON already. */
static void add_attributes(writing *to, const char *attributes)
{
    if (attributes != NULL)
        oc_text_add(oc_json_value(to->json, "attributes"), attributes);
}

static void add_object(writing *to, uint32_t row, uint64_t number, ocelotl_category category)
{
    const ocelotl_drawn_object object = ocelotl_drawables_object_at(to->drawables, row, number);
    oc_json *json = to->json;
    oc_json_item(json, 2);
    oc_json_seconds(json, "begin", to->trace, object.begin);
    oc_json_seconds(json, "end", to->trace, object.end);
    if (category == OCELOTL_VARIABLE) {
        oc_json_number(json, "mean", object.mean);
        oc_json_number(json, "low", object.low);
        oc_json_number(json, "high", object.high);
    } else {
        oc_json_text(json, "value", oc_value_name(to->trace, object.value));
        oc_json_count(json, "lane", object.lane);
    }
    oc_json_seconds(json, "duration", to->trace, object.ticks);
    oc_json_flag(json, "begins_before", object.begins_before);
    oc_json_flag(json, "ends_after", object.ends_after);
    oc_json_count(json, "count", object.count);
    if (object.shares > 0)
        oc_json_list(json, "shares"); /* of a merged one, largest first */
    for (uint32_t i = 0; i < object.shares; i++) {
        const ocelotl_drawn_share share = ocelotl_drawables_share_at(to->drawables, row, number, i);
        oc_json_object(json, NULL);
        oc_json_text(json, "value", oc_value_name(to->trace, share.value));
        oc_json_seconds(json, "duration", to->trace, share.ticks);
        oc_json_count(json, "count", share.count);
        oc_json_end_object(json);
    }
    if (object.shares > 0)
        oc_json_end_list(json);
    add_attributes(to, object.attributes);
    oc_json_end_object(json);
}

static void add_row(writing *to, uint32_t row)
{
    const ocelotl_drawn_row drawn = ocelotl_drawables_row_at(to->drawables, row);
    const bool own = drawn.event_type != OCELOTL_NONE;
    oc_json_item(to->json, 1);
    oc_json_text(to->json, "resource", drawn.path);
    if (ocelotl_drawables_info_of(to->drawables).together)
        oc_json_text(to->json, "group", drawn.room_path);
    oc_json_text(to->json, "category", own ? oc_category_name(drawn.category) : "");
    oc_json_text(to->json, "type",
                 own ? ocelotl_trace_event_type_at(to->trace, drawn.event_type).name : "");
    oc_json_list(to->json, "objects");
    for (uint64_t i = 0; i < drawn.objects && to->json->out.status == OCELOTL_OK; i++)
        add_object(to, row, i, drawn.category);
    oc_json_end_list(to->json);
    oc_json_end_object(to->json);
}

static void add_end(writing *to, const char *key, uint32_t row)
{
    if (row != OCELOTL_NONE)
        oc_json_text(to->json, key, ocelotl_drawables_row_at(to->drawables, row).path);
    else
        oc_json_null(to->json, key);
}

static ocelotl_status add_members(oc_json *json, void *of)
{
    writing *to = of;
    const ocelotl_drawables *drawables = to->drawables;
    const ocelotl_trace *trace = to->trace;
    to->json = json;
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    const uint32_t rows = ocelotl_drawables_row_count(drawables);
    const uint32_t links = ocelotl_drawables_link_count(drawables);
    oc_json_text(json, "trace", ocelotl_trace_info_of(trace).name);
    oc_json_seconds(json, "begin", trace, info.from);
    oc_json_seconds(json, "end", trace, info.to);
    oc_json_text(json, "filters", info.filters);
    oc_json_count(json, "rows_left_out", info.rows_left_out);
    oc_json_count(json, "links_left_out", info.links_left_out);
    oc_json_count(json, "links_wrong", info.links_wrong);
    oc_json_list(json, "rows");
    for (uint32_t row = 0; row < rows && json->out.status == OCELOTL_OK; row++)
        add_row(to, row);
    oc_json_end_list(json);
    oc_json_line(json, 0);
    oc_json_list(json, "links");
    for (uint32_t i = 0; i < links && json->out.status == OCELOTL_OK; i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(drawables, i);
        oc_json_item(json, 1);
        oc_json_text(json, "type", ocelotl_trace_event_type_at(trace, link.event_type).name);
        add_end(to, "source", link.source);
        add_end(to, "target", link.target);
        oc_json_seconds(json, "begin", trace, link.begin);
        oc_json_seconds(json, "end", trace, link.end);
        oc_json_text(json, "value", oc_value_name(trace, link.value));
        oc_json_count(json, "count", link.count);
        add_attributes(to, link.attributes);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    for (uint32_t i = 0; i < ocelotl_drawables_piece_count(drawables); i++) {
        const ocelotl_drawn_piece piece = ocelotl_drawables_piece_at(drawables, i);
        if (i == 0)
            oc_json_list(json, "critical_path");
        oc_json_item(json, 1);
        oc_json_count(json, "resource", piece.resource);
        oc_json_seconds(json, "begin", trace, piece.from);
        oc_json_seconds(json, "end", trace, piece.to);
        oc_json_end_object(json);
    }
    if (ocelotl_drawables_piece_count(drawables) > 0)
        oc_json_end_list(json);
    return OCELOTL_OK;
}

/* A line for an object, or for a value of a merged one, with its share of the extent. */
static void add_line(oc_csv_table *csv, const writing *from, uint32_t row, uint64_t number,
                     const ocelotl_drawn_share *part)
{
    const ocelotl_trace *trace = from->trace;
    const ocelotl_drawn_row drawn = ocelotl_drawables_row_at(from->drawables, row);
    const ocelotl_drawn_object is = ocelotl_drawables_object_at(from->drawables, row, number);
    const bool of_variable = drawn.category == OCELOTL_VARIABLE;
    oc_csv_text(csv, drawn.path);
    oc_csv_text(csv, drawn.room_path);
    oc_csv_text(csv, oc_category_name(drawn.category));
    oc_csv_text(csv, ocelotl_trace_event_type_at(trace, drawn.event_type).name);
    oc_csv_count(csv, is.lane);
    oc_csv_count(csv, number);
    oc_csv_number(csv, ocelotl_trace_seconds(trace, is.begin));
    oc_csv_number(csv, ocelotl_trace_seconds(trace, is.end));
    oc_csv_text(csv, of_variable ? "" : oc_value_name(trace, part->value));
    oc_csv_count(csv, part->count);
    oc_csv_number(csv, ocelotl_trace_seconds(trace, part->ticks));
    oc_csv_number(csv, is.end > is.begin ? (double)part->ticks / (double)(is.end - is.begin)
                                         : (double)NAN);
    for (int i = 0; i < 3; i++)
        oc_csv_number(csv,
                      of_variable ? (const double[]){is.mean, is.low, is.high}[i] : (double)NAN);
    oc_csv_text(csv, "");
    oc_csv_end_row(csv);
}

static ocelotl_status add_lines(oc_csv_table *csv, void *of)
{
    const writing *from = of;
    const ocelotl_drawables *drawables = from->drawables;
    oc_csv_row(csv, "resource,group,category,type,lane,object,begin,end,value,count,duration,share,"
                    "mean,low,high,target");
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++) {
        const uint64_t objects = ocelotl_drawables_row_at(drawables, row).objects;
        for (uint64_t i = 0; i < objects && csv->out.status == OCELOTL_OK; i++) {
            const ocelotl_drawn_object is = ocelotl_drawables_object_at(drawables, row, i);
            ocelotl_drawn_share rest = {is.value, is.count, is.ticks}; /* beside the named ones */
            for (uint32_t share = 0; share < is.shares; share++) {
                const ocelotl_drawn_share part =
                    ocelotl_drawables_share_at(drawables, row, i, share);
                add_line(csv, from, row, i, &part);
                rest = (ocelotl_drawn_share){OCELOTL_NONE, rest.count - part.count,
                                             rest.ticks - part.ticks};
            }
            if (rest.count > 0 || is.shares == 0)
                add_line(csv, from, row, i, &rest);
        }
    }
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(drawables, i);
        const ocelotl_drawn_row source = ocelotl_drawables_row_at(drawables, link.source);
        const ocelotl_drawn_row target = ocelotl_drawables_row_at(drawables, link.target);
        oc_csv_text(csv, source.path);
        oc_csv_text(csv, source.room_path);
        oc_csv_text(csv, oc_category_name(OCELOTL_LINK));
        oc_csv_text(csv, ocelotl_trace_event_type_at(from->trace, link.event_type).name);
        oc_csv_empty(csv);
        oc_csv_count(csv, i);
        oc_csv_number(csv, ocelotl_trace_seconds(from->trace, link.begin));
        oc_csv_number(csv, ocelotl_trace_seconds(from->trace, link.end));
        oc_csv_text(csv, oc_value_name(from->trace, link.value));
        oc_csv_count(csv, link.count);
        oc_csv_number(csv, ocelotl_trace_seconds(from->trace, link.end - link.begin));
        for (int cell = 0; cell < 4; cell++)
            oc_csv_empty(csv);
        oc_csv_text(csv, target.path);
        oc_csv_end_row(csv);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_drawables_write(const ocelotl_sink *sink, ocelotl_form form,
                                       const ocelotl_drawables *drawables,
                                       const ocelotl_trace *trace)
{
    writing of = {.trace = trace, .drawables = drawables};
    return oc_forms_write(sink, form,
                          &(oc_forms){.of = &of, .add = add_members, .rows = add_lines});
}

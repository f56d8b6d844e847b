/* What a Gantt chart draws. */
#include "answer/answer.h"

typedef struct writing {
    oc_json json;
    const ocelotl_trace *trace;
    const ocelotl_drawables *drawables;
} writing;

/* Adds attributes, which are JSON already. */
static void add_attributes(writing *to, const char *attributes)
{
    if (attributes != NULL)
        oc_text_add(oc_json_value(&to->json, "attributes"), attributes);
}

static void add_object(writing *to, uint32_t row, uint64_t number, ocelotl_category category)
{
    const ocelotl_drawn_object object = ocelotl_drawables_object_at(to->drawables, row, number);
    oc_json *json = &to->json;
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
    oc_json_item(&to->json, 1);
    oc_json_text(&to->json, "resource", drawn.path);
    oc_json_text(&to->json, "category", own ? oc_category_name(drawn.category) : "");
    oc_json_text(&to->json, "type",
                 own ? ocelotl_trace_event_type_at(to->trace, drawn.event_type).name : "");
    oc_json_list(&to->json, "objects");
    for (uint64_t i = 0; i < drawn.objects && to->json.out.status == OCELOTL_OK; i++)
        add_object(to, row, i, drawn.category);
    oc_json_end_list(&to->json);
    oc_json_end_object(&to->json);
}

static void add_end(writing *to, const char *key, uint32_t row)
{
    if (row != OCELOTL_NONE)
        oc_json_text(&to->json, key, ocelotl_drawables_row_at(to->drawables, row).path);
    else
        oc_json_null(&to->json, key);
}

ocelotl_status ocelotl_drawables_write_json(const ocelotl_sink *sink,
                                            const ocelotl_drawables *drawables,
                                            const ocelotl_trace *trace)
{
    writing to = {.json = {.out = {.sink = sink}}, .trace = trace, .drawables = drawables};
    const ocelotl_drawables_info info = ocelotl_drawables_info_of(drawables);
    const uint32_t rows = ocelotl_drawables_row_count(drawables);
    const uint32_t links = ocelotl_drawables_link_count(drawables);
    oc_json_object(&to.json, NULL);
    oc_json_text(&to.json, "trace", ocelotl_trace_info_of(trace).name);
    oc_json_seconds(&to.json, "begin", trace, info.from);
    oc_json_seconds(&to.json, "end", trace, info.to);
    oc_json_text(&to.json, "filters", info.filters);
    oc_json_count(&to.json, "rows_left_out", info.rows_left_out);
    oc_json_count(&to.json, "links_left_out", info.links_left_out);
    oc_json_count(&to.json, "links_wrong", info.links_wrong);
    oc_json_list(&to.json, "rows");
    for (uint32_t row = 0; row < rows && to.json.out.status == OCELOTL_OK; row++)
        add_row(&to, row);
    oc_json_end_list(&to.json);
    oc_json_line(&to.json, 0);
    oc_json_list(&to.json, "links");
    for (uint32_t i = 0; i < links && to.json.out.status == OCELOTL_OK; i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(drawables, i);
        oc_json_item(&to.json, 1);
        oc_json_text(&to.json, "type", ocelotl_trace_event_type_at(trace, link.event_type).name);
        add_end(&to, "source", link.source);
        add_end(&to, "target", link.target);
        oc_json_seconds(&to.json, "begin", trace, link.begin);
        oc_json_seconds(&to.json, "end", trace, link.end);
        oc_json_text(&to.json, "value", oc_value_name(trace, link.value));
        oc_json_count(&to.json, "count", link.count);
        add_attributes(&to, link.attributes);
        oc_json_end_object(&to.json);
    }
    oc_json_end_list(&to.json);
    for (uint32_t i = 0; i < ocelotl_drawables_piece_count(drawables); i++) {
        const ocelotl_drawn_piece piece = ocelotl_drawables_piece_at(drawables, i);
        if (i == 0)
            oc_json_list(&to.json, "critical_path");
        oc_json_item(&to.json, 1);
        oc_json_count(&to.json, "resource", piece.resource);
        oc_json_seconds(&to.json, "begin", trace, piece.from);
        oc_json_seconds(&to.json, "end", trace, piece.to);
        oc_json_end_object(&to.json);
    }
    if (ocelotl_drawables_piece_count(drawables) > 0)
        oc_json_end_list(&to.json);
    oc_json_end_object(&to.json);
    return oc_json_finish(&to.json, OCELOTL_OK);
}

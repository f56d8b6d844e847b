#include "answer/answer.h"

#include "base/format/visible.h"
#include "base/plain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *oc_value_name(const ocelotl_trace *trace, uint32_t value)
{
    return value != OCELOTL_NONE ? ocelotl_trace_value_at(trace, value).name : "";
}

uint64_t oc_count_events(const ocelotl_trace *trace)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        count += ocelotl_trace_event_type_at(trace, i).count;
    return count;
}

uint64_t oc_count_oddities(const ocelotl_trace *trace)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        count += ocelotl_trace_warning_at(trace, i).count;
    return count;
}

static bool is_before(const oc_ranked *a, const oc_ranked *b)
{
    if (isnan(a->value) || isnan(b->value))
        return !isnan(a->value) || (isnan(b->value) && a->index < b->index);
    return a->value > b->value || (!(a->value < b->value) && a->index < b->index);
}

uint32_t oc_rank(oc_ranked *first, uint32_t kept, uint32_t most, oc_ranked one)
{
    uint32_t place = kept;
    while (place > 0 && is_before(&one, &first[place - 1]))
        place--;
    if (place == most)
        return kept;
    kept += kept < most;
    for (uint32_t k = kept - 1; k > place; k--)
        first[k] = first[k - 1];
    first[place] = one;
    return kept;
}

void oc_output_add_window(oc_output *out, const ocelotl_trace *trace, int64_t from, int64_t to)
{
    const double length = ocelotl_trace_seconds(trace, to - from);
    oc_output_format(
        out, "%s to %s (%s)", oc_short_end(ocelotl_trace_seconds(trace, from), length).text,
        oc_short_end(ocelotl_trace_seconds(trace, to), length).text, oc_short_time(length).text);
}

void oc_output_window(oc_output *out, const ocelotl_trace *trace, int64_t from, int64_t to)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    oc_output_print(out, "name       %s\nwindow     ", info.name);
    oc_output_add_window(out, trace, from, to);
    oc_output_add(out, from == info.begin && to == info.end ? ", the whole trace\n" : "\n");
}

void oc_output_filters(oc_output *out, const char *filters)
{
    if (filters[0] != '\0')
        oc_output_print(out, "\nfilters    %s", filters);
}

oc_digits_text oc_long_time(double time)
{
    oc_digits_text is = {"not known"};
    const double size = fabs(time);
    if (!(size <= 1e300))
        return is;
    if (size >= 1 || size == 0)
        oc_plain_print(is.text, sizeof is.text, "%.9g s", time);
    else if (size >= 1e-3)
        oc_plain_print(is.text, sizeof is.text, "%.6g ms", time * 1e3);
    else
        oc_plain_print(is.text, sizeof is.text, "%.6g us", time * 1e6);
    return is;
}

void oc_output_clocks(oc_output *out, const ocelotl_trace *trace, uint32_t clocks, const char *type)
{
    oc_output_print(out, "name       %s\nclocks     %u%s%s", ocelotl_trace_info_of(trace).name,
                    clocks, type[0] != '\0' ? ", one for each " : "", type);
}

void oc_output_collectives(oc_output *out, uint64_t collectives, const char *left_out)
{
    if (collectives > 0)
        oc_output_format(out, "operations %" PRIu64 " collective ones\n", collectives);
    if (left_out[0] != '\0')
        oc_output_print(out, "left out   %s\n", left_out);
}

double oc_tick_of(const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    return (double)info.tick_numerator / (double)info.tick_denominator;
}

void oc_json_seconds(oc_json *json, const char *key, const ocelotl_trace *trace, int64_t ticks)
{
    oc_json_number(json, key, ocelotl_trace_seconds(trace, ticks));
}

void oc_json_names(oc_json *json, const char *key, const ocelotl_names *names)
{
    oc_json_list(json, key);
    for (size_t i = 0; i < names->count; i++)
        oc_json_text(json, NULL, names->names[i]);
    oc_json_end_list(json);
}

void oc_json_shares(oc_json *json, const ocelotl_model *model, const ocelotl_part *part,
                    uint32_t type_count)
{
    oc_json_object(json, "shares");
    for (uint32_t type = 0; type < type_count; type++)
        if (part->shares[type] > 0)
            oc_json_number(json, ocelotl_model_type_at(model, type).name, part->shares[type]);
    oc_json_end_object(json);
}

void oc_json_window(oc_json *json, const ocelotl_trace *trace, int64_t from, int64_t to)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    oc_json_text(json, "name", info.name);
    oc_json_text(json, "uid", info.uid);
    oc_json_seconds(json, "from", trace, from);
    oc_json_seconds(json, "to", trace, to);
}

ocelotl_status oc_part_resources(oc_json *json, const ocelotl_model *model,
                                 const ocelotl_part *part)
{
    ocelotl_place place = {0};
    if (!ocelotl_model_node_at(model, part->node).alike)
        return OCELOTL_OK;
    OC_TRY(ocelotl_model_place(&place, model, part->node, part->first, part->last));
    oc_json_names(json, "resources", &place.resources);
    ocelotl_place_free(&place);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_json_write_text(const ocelotl_sink *sink, const char *text)
{
    oc_json json = {.out = {.sink = sink}};
    oc_json_text(&json, NULL, text);
    return oc_output_end(&json.out, OCELOTL_OK);
}

ocelotl_status ocelotl_json_write_number(const ocelotl_sink *sink, double number)
{
    oc_json json = {.out = {.sink = sink}};
    oc_json_number(&json, NULL, number);
    return oc_output_end(&json.out, OCELOTL_OK);
}

void oc_json_choices(oc_json *json, const char *choices)
{
    while (*choices != '\0') {
        const size_t length = strcspn(choices, "\n");
        const size_t name = strcspn(choices, ":");
        oc_text rule = {0}, words = {0};
        oc_text_append(&rule, choices, name);
        oc_text_append(&words, choices + name + 2, length - name - 2);
        if (rule.failed || words.failed)
            json->out.status = oc_fail_memory();
        else
            oc_json_text(json, rule.bytes, words.bytes);
        oc_text_free(&rule);
        oc_text_free(&words);
        choices += length + (choices[length] != '\0');
    }
}

void oc_json_pieces(oc_json *json, const ocelotl_model_info *info)
{
    if (info->piece_count == 0)
        return;
    oc_json_list(json, "pieces");
    for (uint32_t i = 0; i < info->piece_count; i++) {
        oc_json_object(json, NULL);
        oc_json_count(json, "first", info->pieces[i].first);
        oc_json_number(json, "begin", info->pieces[i].begin);
        oc_json_number(json, "end", info->pieces[i].end);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

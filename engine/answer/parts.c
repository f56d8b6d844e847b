/* The parts of a partition as a list. */
#include "answer/answer.h"

#include "base/plain.h"

#include "base/memory.h"
#include "base/visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- The order */

typedef struct ranked_part {
    double size;
    size_t number;
} ranked_part;

static int compare(const void *a, const void *b)
{
    const ranked_part *left = a;
    const ranked_part *right = b;
    if (left->size > right->size || left->size < right->size)
        return left->size > right->size ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

ocelotl_status ocelotl_partition_order(size_t *numbers, const ocelotl_partition *partition,
                                       ocelotl_parts_order order)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    ranked_part *ranked;
    OC_TRY(oc_allocate(&ranked, count, sizeof *ranked));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const double size = order == OCELOTL_PARTS_BY_GAIN   ? part.gain
                            : order == OCELOTL_PARTS_BY_LOSS ? part.loss
                                                             : 0;
        ranked[i] = (ranked_part){size, i};
    }
    qsort(ranked, count, sizeof *ranked, compare);
    for (size_t i = 0; i < count; i++)
        numbers[i] = ranked[i].number;
    free(ranked);
    return OCELOTL_OK;
}

/* --- What a part is mostly */

ocelotl_leading_type ocelotl_partition_leading_type(const ocelotl_partition *partition,
                                                    size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(partition, number);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    ocelotl_leading_type leading = {OCELOTL_NONE, 0};
    double sum = 0;
    for (uint32_t type = 0; part.shares != NULL && type < info.type_count; type++) {
        sum += part.shares[type];
        if (part.shares[type] > leading.share && !ocelotl_model_type_at(model, type).untraced)
            leading = (ocelotl_leading_type){type, part.shares[type]};
    }
    if (!info.has_time && sum > 0)
        leading.share /= sum;
    return leading;
}

/* --- Writing */

/* Parts in the order of the list, and what they are of. */
typedef struct part_list {
    const ocelotl_partition *partition;
    const ocelotl_model *model;
    ocelotl_model_info info;
    size_t count;
    size_t *numbers;
} part_list;

static ocelotl_status begin_list(part_list *list, const ocelotl_partition *partition,
                                 ocelotl_parts_order order)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    *list = (part_list){.partition = partition,
                        .model = model,
                        .info = ocelotl_model_info_of(model),
                        .count = ocelotl_partition_info_of(partition).part_count};
    OC_TRY(oc_allocate(&list->numbers, list->count, sizeof *list->numbers));
    const ocelotl_status status = ocelotl_partition_order(list->numbers, partition, order);
    if (status != OCELOTL_OK)
        free(list->numbers);
    return status;
}

/* Ticks are what a window is made of exactly. */
static ocelotl_status add_place(oc_json *json, const part_list *list, const ocelotl_part *part)
{
    ocelotl_place place = {0};
    if (!list->info.has_time)
        return OCELOTL_OK;
    OC_TRY(ocelotl_model_place(&place, list->model, part->node, part->first, part->last));
    oc_json_number(json, "begin", oc_slice_begin(&list->info, part->first));
    oc_json_number(json, "end", oc_slice_begin(&list->info, part->last + 1));
    oc_json_ticks(json, "from_tick", place.from);
    oc_json_ticks(json, "to_tick", place.to);
    ocelotl_place_free(&place);
    return OCELOTL_OK;
}

static ocelotl_status add_part(oc_json *json, const part_list *list, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, number);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(list->partition, number);
    oc_json_line(json, 0);
    oc_json_object(json, NULL);
    oc_json_count(json, "id", number);
    oc_json_text(json, "node", ocelotl_model_node_at(list->model, part.node).path);
    OC_TRY(oc_part_resources(json, list->model, &part));
    oc_json_count(json, "first", part.first);
    oc_json_count(json, "last", part.last);
    oc_json_count(json, "leaves", part.leaves);
    OC_TRY(add_place(json, list, &part));
    if (leading.type != OCELOTL_NONE)
        oc_json_text(json, "state", ocelotl_model_type_at(list->model, leading.type).name);
    else
        oc_json_null(json, "state");
    oc_json_number(json, "share", leading.share);
    oc_json_number(json, "gain", part.gain);
    oc_json_number(json, "loss", part.loss);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

static ocelotl_status add_list(oc_json *json, const part_list *list)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(list->partition);
    oc_json_object(json, NULL);
    oc_json_text(json, "kind", oc_kind_name(info.kind));
    oc_json_number(json, "p", info.p);
    oc_json_number(json, "gain", info.gain);
    oc_json_number(json, "loss", info.loss);
    oc_json_number(json, "whole_gain", info.whole_gain);
    oc_json_number(json, "whole_loss", info.whole_loss);
    oc_json_list(json, "parts");
    for (size_t i = 0; i < list->count && json->out.status == OCELOTL_OK; i++)
        OC_TRY(add_part(json, list, list->numbers[i]));
    oc_json_end_list(json);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_parts_write_json(const ocelotl_sink *sink,
                                        const ocelotl_partition *partition,
                                        ocelotl_parts_order order)
{
    part_list list;
    oc_json json = {.out = {.sink = sink}};
    OC_TRY(begin_list(&list, partition, order));
    const ocelotl_status status = oc_json_finish(&json, add_list(&json, &list));
    free(list.numbers);
    return status;
}

/* Adds resources as a list in JSON, as paths may hold any character. */
static ocelotl_status add_resources_cell(oc_csv_table *table, const part_list *list,
                                         const ocelotl_part *part)
{
    ocelotl_place place = {0};
    oc_json json = {0};
    if (!ocelotl_model_node_at(list->model, part->node).alike) {
        oc_csv_empty(table);
        return OCELOTL_OK;
    }
    OC_TRY(ocelotl_model_place(&place, list->model, part->node, part->first, part->last));
    oc_json_names(&json, NULL, &place.resources);
    oc_csv_text(table, json.out.text.failed ? "" : json.out.text.bytes);
    ocelotl_place_free(&place);
    const ocelotl_status status = json.out.text.failed ? oc_fail_memory() : OCELOTL_OK;
    oc_text_free(&json.out.text);
    return status;
}

static ocelotl_status add_row(oc_csv_table *table, const part_list *list, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, number);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(list->partition, number);
    oc_csv_count(table, number);
    oc_csv_text(table, ocelotl_model_node_at(list->model, part.node).path);
    oc_csv_count(table, part.first);
    oc_csv_count(table, part.last);
    if (list->info.has_time) {
        oc_csv_number(table, oc_slice_begin(&list->info, part.first));
        oc_csv_number(table, oc_slice_begin(&list->info, part.last + 1));
    } else {
        oc_csv_empty(table);
        oc_csv_empty(table);
    }
    oc_csv_count(table, part.leaves);
    oc_csv_text(table, leading.type != OCELOTL_NONE
                           ? ocelotl_model_type_at(list->model, leading.type).name
                           : "");
    oc_csv_number(table, leading.share);
    oc_csv_number(table, part.gain);
    oc_csv_number(table, part.loss);
    OC_TRY(add_resources_cell(table, list, &part));
    oc_csv_end_row(table);
    return OCELOTL_OK;
}

static ocelotl_status add_rows(oc_csv_table *table, const part_list *list)
{
    oc_csv_row(table, "id,node,first,last,begin,end,leaves,state,share,gain,loss,resources");
    for (size_t i = 0; i < list->count && table->out.status == OCELOTL_OK; i++)
        OC_TRY(add_row(table, list, list->numbers[i]));
    return OCELOTL_OK;
}

ocelotl_status ocelotl_parts_write_csv(const ocelotl_sink *sink, const ocelotl_partition *partition,
                                       ocelotl_parts_order order)
{
    part_list list;
    oc_csv_table table = {.out = {.sink = sink}};
    OC_TRY(begin_list(&list, partition, order));
    const ocelotl_status status = oc_csv_finish(&table, add_rows(&table, &list));
    free(list.numbers);
    return status;
}

/* --- Text, for people */

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void print_head(oc_output *out, const part_list *list, size_t width)
{
    if (list->info.has_time)
        oc_output_format(out, "%6s  %-*s %14s %14s", "part", (int)width, "node", "begin (s)",
                         "end (s)");
    else
        oc_output_format(out, "%6s  %-*s %14s %14s", "part", (int)width, "node", "first slice",
                         "last slice");
    oc_output_format(out, " %7s %9s %9s %9s  %s\n", "leaves", "gain", "loss", "share", "state");
}

static void print_row(oc_output *out, const part_list *list, size_t width, size_t number)
{
    const ocelotl_partition_info whole = ocelotl_partition_info_of(list->partition);
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, number);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(list->partition, number);
    const bool none = leading.type == OCELOTL_NONE;
    const char *path = ocelotl_model_node_at(list->model, part.node).path;
    oc_output_format(out, "%6zu  ", number);
    oc_output_add_column(out, path[0] != '\0' ? path : "(whole)", width);
    if (list->info.has_time)
        oc_output_format(out, " %14.9g %14.9g", oc_slice_begin(&list->info, part.first),
                         oc_slice_begin(&list->info, part.last + 1));
    else
        oc_output_format(out, " %14" PRIu32 " %14" PRIu32, part.first, part.last);
    const bool counts = list->info.has_time && strcmp(list->info.unit, "share") != 0;
    oc_output_format(out, " %7" PRIu32 " %9s %9s %9s  ", part.leaves,
                     oc_short_percent(share_of(part.gain, whole.whole_gain)).text,
                     oc_short_percent(share_of(part.loss, whole.whole_loss)).text,
                     none     ? "-"
                     : counts ? oc_short_digits(leading.share, 3).text
                              : oc_short_percent(leading.share).text);
    oc_output_add_visible(out,
                          none ? "(none)" : ocelotl_model_type_at(list->model, leading.type).name);
    oc_output_add(out, "\n");
}

static size_t node_width(const part_list *list)
{
    enum { LEAST = 7, MOST = 60 };
    size_t widest = LEAST;
    for (size_t i = 0; i < list->count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(list->partition, i);
        const size_t width = oc_visible_width(ocelotl_model_node_at(list->model, part.node).path);
        if (width > widest)
            widest = width < MOST ? width : MOST;
    }
    return widest;
}

ocelotl_status ocelotl_parts_write_text(const ocelotl_sink *sink,
                                        const ocelotl_partition *partition,
                                        ocelotl_parts_order order)
{
    part_list list;
    oc_output out = {.sink = sink};
    OC_TRY(begin_list(&list, partition, order));
    const size_t width = node_width(&list);
    print_head(&out, &list, width);
    for (size_t i = 0; i < list.count && out.status == OCELOTL_OK; i++)
        print_row(&out, &list, width, list.numbers[i]);
    free(list.numbers);
    return oc_output_end(&out, OCELOTL_OK);
}

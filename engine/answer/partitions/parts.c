/* The parts of a partition as a list. */
#include "answer/table.h"

#include "base/memory.h"
#include "base/weighed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The order */

ocelotl_status ocelotl_partition_order(size_t *numbers, const ocelotl_partition *partition,
                                       ocelotl_parts_order order)
{
    const size_t count = ocelotl_partition_info_of(partition).part_count;
    oc_weighed *ranked;
    OC_TRY(oc_allocate(&ranked, count, sizeof *ranked));
    for (size_t i = 0; i < count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const double size = order == OCELOTL_PARTS_BY_GAIN   ? part.gain
                            : order == OCELOTL_PARTS_BY_LOSS ? part.loss
                                                             : 0;
        ranked[i] = (oc_weighed){size, i};
    }
    oc_sort_weighed(ranked, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = ranked[i].place;
    free(ranked);
    return OCELOTL_OK;
}

/* --- What a part is mostly */

ocelotl_status ocelotl_partition_value(double *value, const ocelotl_partition *partition,
                                       size_t number, uint32_t type)
{
    const ocelotl_part part = ocelotl_partition_part_at(partition, number);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double *values;
    *value = part.shares[type];
    if (info.additive)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&values, info.type_count, sizeof *values));
    const ocelotl_status status =
        ocelotl_model_values(values, model, part.node, part.first, part.last);
    if (status == OCELOTL_OK)
        *value = values[type];
    free(values);
    return status;
}

ocelotl_status ocelotl_partition_leading_type(ocelotl_leading_type *leading,
                                              const ocelotl_partition *partition, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part_at(partition, number);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double sum = 0;
    *leading = (ocelotl_leading_type){OCELOTL_NONE, 0};
    for (uint32_t type = 0; part.shares != NULL && type < info.type_count; type++) {
        sum += part.shares[type];
        if (part.shares[type] > leading->share && !ocelotl_model_type_at(model, type).untraced)
            *leading = (ocelotl_leading_type){type, part.shares[type]};
    }
    if (leading->type != OCELOTL_NONE)
        OC_TRY(ocelotl_partition_value(&leading->share, partition, number, leading->type));
    if (!info.has_time && sum > 0)
        leading->share /= sum;
    return OCELOTL_OK;
}

/* --- Writing */

/* Parts, and what they are of. */
typedef struct part_list {
    const ocelotl_partition *partition;
    const ocelotl_model *model;
    ocelotl_model_info info;
    size_t count;
    size_t *numbers; /* in the order of the list; NULL: as they are numbered */
    bool with_resources;
} part_list;

static part_list list_of(const ocelotl_partition *partition)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    return (part_list){.partition = partition,
                       .model = model,
                       .info = ocelotl_model_info_of(model),
                       .count = ocelotl_partition_info_of(partition).part_count};
}

enum { FIRST = 2, BEGIN = 4, LEAVES = 6, RESOURCES = 11, COLUMNS };

static const oc_heading headings[COLUMNS] = {
    {"id", OC_CELL_COUNT},     {"node", OC_CELL_NAME},
    {"first", OC_CELL_INDEX},  {"last", OC_CELL_INDEX},
    {"begin", OC_CELL_NUMBER}, {"end", OC_CELL_NUMBER},
    {"leaves", OC_CELL_INDEX}, {"state", OC_CELL_NAME},
    {"share", OC_CELL_NUMBER}, {"gain", OC_CELL_NUMBER},
    {"loss", OC_CELL_NUMBER},  {"resources", OC_CELL_TEXT, .only_csv = true}};

static ocelotl_status fill_part(oc_row *row, void *state, size_t index)
{
    const part_list *list = state;
    const size_t number = list->numbers != NULL ? list->numbers[index] : index;
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, number);
    const bool has_time = list->info.has_time;
    ocelotl_leading_type leading;
    OC_TRY(ocelotl_partition_leading_type(&leading, list->partition, number));
    oc_cell_count(row, number);
    oc_cell_name(row, part.node);
    oc_cell_count(row, part.first);
    oc_cell_count(row, part.last);
    oc_cell_number(row, has_time ? ocelotl_slice_begin(&list->info, part.first) : (double)NAN);
    oc_cell_number(row, has_time ? ocelotl_slice_end(&list->info, part.last + 1.0) : (double)NAN);
    oc_cell_count(row, part.leaves);
    oc_cell_name(row, leading.type);
    oc_cell_number(row, leading.share);
    oc_cell_number(row, part.gain);
    oc_cell_number(row, part.loss);
    if (list->with_resources && ocelotl_model_node_at(list->model, part.node).alike) {
        /* A list in JSON, as paths may hold any character. */
        ocelotl_place place = {0};
        oc_json json = {.out.text = row->made};
        OC_TRY(ocelotl_model_place(&place, list->model, part.node, part.first, part.last));
        oc_json_names(&json, NULL, &place.resources);
        row->made = json.out.text;
        oc_cell_text(row, row->made.failed ? NULL : row->made.bytes);
        ocelotl_place_free(&place);
        return OCELOTL_OK;
    }
    oc_cell_text(row, NULL);
    return OCELOTL_OK;
}

static const char *path_at(const void *model, uint32_t index)
{
    return ocelotl_model_node_at(model, index).path;
}

static const char *type_at(const void *model, uint32_t index)
{
    return ocelotl_model_type_at(model, index).name;
}

/* `named` is for the headings with the names of this model. */
static oc_table make_table(oc_heading *named, part_list *list)
{
    memcpy(named, headings, sizeof headings);
    named[1].names = (oc_names){list->info.node_count, path_at, list->model};
    named[LEAVES + 1].names = (oc_names){list->info.type_count, type_at, list->model};
    return (oc_table){named, COLUMNS, list, sizeof *list, list->count, fill_part};
}

static ocelotl_status add_part(oc_json *json, part_list *list, const oc_heading *named,
                               size_t index)
{
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, list->numbers[index]);
    ocelotl_place place = {0};
    oc_row row = {.count = 0};
    OC_TRY(fill_part(&row, list, index));
    oc_json_item(json, 0);
    oc_json_cells(json, named, &row, 0, FIRST);
    OC_TRY(oc_part_resources(json, list->model, &part));
    oc_json_cells(json, named, &row, FIRST, list->info.has_time ? LEAVES : BEGIN);
    if (list->info.has_time) { /* ticks are what a window is made of exactly */
        OC_TRY(ocelotl_model_place(&place, list->model, part.node, part.first, part.last));
        oc_json_ticks(json, "from_tick", place.from);
        oc_json_ticks(json, "to_tick", place.to);
        ocelotl_place_free(&place);
    }
    oc_json_cells(json, named, &row, LEAVES, RESOURCES);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    part_list *list = state;
    const ocelotl_partition_info info = ocelotl_partition_info_of(list->partition);
    oc_heading named[COLUMNS];
    (void)make_table(named, list);
    oc_json_text(json, "kind", oc_kind_name(info.kind));
    oc_json_number(json, "p", info.p);
    oc_json_number(json, "gain", info.gain);
    oc_json_number(json, "loss", info.loss);
    oc_json_number(json, "whole_gain", info.whole_gain);
    oc_json_number(json, "whole_loss", info.whole_loss);
    oc_json_list(json, "parts");
    for (size_t i = 0; i < list->count && json->out.status == OCELOTL_OK; i++)
        OC_TRY(add_part(json, list, named, i));
    oc_json_end_list(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_parts_to_arrow(struct ArrowArrayStream *stream,
                                      const ocelotl_partition *partition,
                                      const ocelotl_arrow_options *options)
{
    part_list list = list_of(partition);
    oc_heading named[COLUMNS];
    const oc_table table = make_table(named, &list);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- Text, for people */

static ocelotl_status print_part(oc_output *out, const part_list *list, size_t width, size_t number)
{
    const ocelotl_partition_info whole = ocelotl_partition_info_of(list->partition);
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, number);
    ocelotl_leading_type leading;
    OC_TRY(ocelotl_partition_leading_type(&leading, list->partition, number));
    const bool none = leading.type == OCELOTL_NONE;
    const bool counts = list->info.has_time && strcmp(list->info.unit, "share") != 0;
    const char *path = ocelotl_model_node_at(list->model, part.node).path;
    oc_output_format(out, "%6zu  ", number);
    oc_output_add_column(out, path[0] != '\0' ? path : "(whole)", width);
    if (list->info.has_time)
        oc_output_format(out, " %14.9g %14.9g", ocelotl_slice_begin(&list->info, part.first),
                         ocelotl_slice_end(&list->info, part.last + 1.0));
    else
        oc_output_format(out, " %14" PRIu32 " %14" PRIu32, part.first, part.last);
    oc_output_print(out, " %7" PRIu32 " %9s %9s %9s  %s\n", part.leaves,
                    oc_short_percent(whole.whole_gain > 0 ? part.gain / whole.whole_gain : 0).text,
                    oc_short_percent(whole.whole_loss > 0 ? part.loss / whole.whole_loss : 0).text,
                    none || isnan(leading.share) ? "-"
                    : counts                     ? oc_short_digits(leading.share, 3).text
                                                 : oc_short_percent(leading.share).text,
                    none ? "(none)" : ocelotl_model_type_at(list->model, leading.type).name);
    return OCELOTL_OK;
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    enum { LEAST = 7, MOST = 60 };
    const part_list *list = state;
    const bool has_time = list->info.has_time;
    size_t width = LEAST; /* of nodes */
    for (size_t i = 0; i < list->count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(list->partition, i);
        const size_t one = oc_visible_width(ocelotl_model_node_at(list->model, part.node).path);
        if (one > width)
            width = one < MOST ? one : MOST;
    }
    oc_output_format(out, "%6s  %-*s %14s %14s %7s %9s %9s %9s  %s\n", "part", (int)width, "node",
                     has_time ? "begin (s)" : "first slice", has_time ? "end (s)" : "last slice",
                     "leaves", "gain", "loss", "share", "state");
    for (size_t i = 0; i < list->count && out->status == OCELOTL_OK; i++)
        OC_TRY(print_part(out, list, width, list->numbers[i]));
    return OCELOTL_OK;
}

ocelotl_status ocelotl_parts_write(const ocelotl_sink *sink, ocelotl_form form,
                                   const ocelotl_partition *partition, ocelotl_parts_order order)
{
    part_list list = list_of(partition);
    oc_heading named[COLUMNS];
    list.with_resources = form == OCELOTL_FORM_CSV;
    OC_TRY(oc_allocate(&list.numbers, list.count, sizeof *list.numbers));
    const oc_forms forms = {&list, add_members, print_all, make_table(named, &list)};
    ocelotl_status status = ocelotl_partition_order(list.numbers, partition, order);
    if (status == OCELOTL_OK)
        status = oc_forms_write(sink, form, &forms);
    free(list.numbers);
    return status;
}

/* Parts, levels, and what differs between two models. */
#include "answer/answer.h"
#include "answer/arrow/table.h"

/* --- Names of models */

static const char *path_at(const void *model, uint32_t index)
{
    return ocelotl_model_node_at(model, index).path;
}

static const char *type_at(const void *model, uint32_t index)
{
    return ocelotl_model_type_at(model, index).name;
}

/* --- Parts */

typedef struct parts {
    const ocelotl_partition *partition;
    ocelotl_model_info info;
} parts;

static void add_part(oc_batch *batch, void *state, size_t row)
{
    const parts *of = state;
    const ocelotl_part part = ocelotl_partition_part_at(of->partition, row);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(of->partition, row);
    oc_add_count(batch, row);
    oc_add_name(batch, part.node);
    oc_add_index(batch, part.first);
    oc_add_index(batch, part.last);
    oc_add_optional_number(batch, of->info.has_time, oc_slice_begin(&of->info, part.first));
    oc_add_optional_number(batch, of->info.has_time, oc_slice_begin(&of->info, part.last + 1));
    oc_add_index(batch, part.leaves);
    oc_add_optional_name(batch, leading.type);
    oc_add_number(batch, leading.share);
    oc_add_number(batch, part.gain);
    oc_add_number(batch, part.loss);
}

ocelotl_status ocelotl_parts_to_arrow(struct ArrowArrayStream *stream,
                                      const ocelotl_partition *partition,
                                      const ocelotl_arrow_options *options)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    parts of = {partition, ocelotl_model_info_of(model)};
    const oc_heading headings[] = {{"id", OC_CELL_COUNT, {0}},
                                   {"node", OC_CELL_NAME, {of.info.node_count, path_at, model}},
                                   {"first", OC_CELL_INDEX, {0}},
                                   {"last", OC_CELL_INDEX, {0}},
                                   {"begin", OC_CELL_NUMBER, {0}},
                                   {"end", OC_CELL_NUMBER, {0}},
                                   {"leaves", OC_CELL_INDEX, {0}},
                                   {"state", OC_CELL_NAME, {of.info.type_count, type_at, model}},
                                   {"share", OC_CELL_NUMBER, {0}},
                                   {"gain", OC_CELL_NUMBER, {0}},
                                   {"loss", OC_CELL_NUMBER, {0}}};
    const oc_row_source rows = {.state = &of,
                                .size = sizeof of,
                                .count = ocelotl_partition_info_of(partition).part_count,
                                .add = add_part};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

/* --- Changes */

static void add_change(oc_batch *batch, void *state, size_t row)
{
    const ocelotl_comparison *const *comparison = state;
    const ocelotl_change change = ocelotl_comparison_change_at(*comparison, row);
    oc_add_text(batch, change.path, strlen(change.path));
    oc_add_text(batch, change.type, strlen(change.type));
    oc_add_number(batch, change.first);
    oc_add_number(batch, change.second);
    oc_add_index(batch, change.leaves);
    oc_add_number(batch, change.amount);
    oc_add_flag(batch, change.named);
    oc_add_flag(batch, change.proportional);
}

ocelotl_status ocelotl_comparison_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_comparison *comparison,
                                           const ocelotl_arrow_options *options)
{
    static const oc_heading headings[] = {
        {"node", OC_CELL_TEXT, {0}},    {"type", OC_CELL_TEXT, {0}},
        {"first", OC_CELL_NUMBER, {0}}, {"second", OC_CELL_NUMBER, {0}},
        {"leaves", OC_CELL_INDEX, {0}}, {"change", OC_CELL_NUMBER, {0}},
        {"named", OC_CELL_FLAG, {0}},   {"proportional", OC_CELL_FLAG, {0}}};
    const oc_row_source rows = {.state = &comparison,
                                .size = sizeof(void *),
                                .count = ocelotl_comparison_info_of(comparison).change_count,
                                .add = add_change};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

/* Parts, levels, and what differs between two models. */
#include "answer/answer.h"
#include "answer/arrow/table.h"
#include "base/memory.h"

#include <stdlib.h>

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
    size_t next, count;
} parts;

static void add_part(oc_batch *batch, const parts *of)
{
    const ocelotl_part part = ocelotl_partition_part_at(of->partition, of->next);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(of->partition, of->next);
    oc_add_count(batch, of->next);
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
    oc_end_row(batch);
}

static ocelotl_status fill_parts(oc_batch *batch, void *source)
{
    parts *of = source;
    for (; of->next < of->count && !oc_batch_is_full(batch); of->next++)
        add_part(batch, of);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_parts_to_arrow(struct ArrowArrayStream *stream,
                                      const ocelotl_partition *partition,
                                      const ocelotl_arrow_options *options)
{
    oc_heading headings[] = {{"id", OC_CELL_COUNT, NULL},     {"node", OC_CELL_NAME, NULL},
                             {"first", OC_CELL_INDEX, NULL},  {"last", OC_CELL_INDEX, NULL},
                             {"begin", OC_CELL_NUMBER, NULL}, {"end", OC_CELL_NUMBER, NULL},
                             {"leaves", OC_CELL_INDEX, NULL}, {"state", OC_CELL_NAME, NULL},
                             {"share", OC_CELL_NUMBER, NULL}, {"gain", OC_CELL_NUMBER, NULL},
                             {"loss", OC_CELL_NUMBER, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    parts *of = NULL;
    oc_row_source rows = {.fill = fill_parts,
                          .count = ocelotl_partition_info_of(partition).part_count};
    ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status == OCELOTL_OK) {
        *of = (parts){.partition = partition, .info = info, .count = rows.count};
        rows.source = of;
        rows.free = free;
        status = oc_name_list_make(&headings[1].dictionary, info.node_count, path_at, model);
    }
    if (status == OCELOTL_OK)
        status = oc_name_list_make(&headings[7].dictionary, info.type_count, type_at, model);
    return status == OCELOTL_OK ? oc_table_make(stream, headings, count, &rows, options)
                                : oc_table_fail(status, headings, count, &rows, options);
}

/* --- Levels */

typedef struct level_list {
    const ocelotl_levels *levels;
    size_t next, count;
} level_list;

static void add_level(oc_batch *batch, const ocelotl_level *level)
{
    const double numbers[] = {level->p,        level->p_from, level->p_to, level->p_raw_from,
                              level->p_raw_to, level->gain,   level->loss};
    oc_add_optional_index(batch, level->number > 0, (uint32_t)level->number);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        oc_add_number(batch, numbers[i]);
    oc_add_count(batch, level->parts);
    oc_add_optional_index(batch, level->plateau > 0, (uint32_t)level->plateau);
    oc_add_optional_number(batch, level->plateau > 0, level->plateau_from);
    oc_add_optional_number(batch, level->plateau > 0, level->plateau_to);
    oc_add_flag(batch, level->automatic);
    oc_end_row(batch);
}

static ocelotl_status fill_levels(oc_batch *batch, void *source)
{
    level_list *of = source;
    for (; of->next < of->count && !oc_batch_is_full(batch); of->next++) {
        const ocelotl_level level = ocelotl_levels_at(of->levels, of->next);
        add_level(batch, &level);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_levels_to_arrow(struct ArrowArrayStream *stream,
                                       const ocelotl_levels *levels,
                                       const ocelotl_arrow_options *options)
{
    static const oc_heading headings[] = {{"level", OC_CELL_INDEX, NULL},
                                          {"p", OC_CELL_NUMBER, NULL},
                                          {"p_from", OC_CELL_NUMBER, NULL},
                                          {"p_to", OC_CELL_NUMBER, NULL},
                                          {"p_raw_from", OC_CELL_NUMBER, NULL},
                                          {"p_raw_to", OC_CELL_NUMBER, NULL},
                                          {"gain", OC_CELL_NUMBER, NULL},
                                          {"loss", OC_CELL_NUMBER, NULL},
                                          {"parts", OC_CELL_COUNT, NULL},
                                          {"plateau", OC_CELL_INDEX, NULL},
                                          {"plateau_from", OC_CELL_NUMBER, NULL},
                                          {"plateau_to", OC_CELL_NUMBER, NULL},
                                          {"auto", OC_CELL_FLAG, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    level_list *of = NULL;
    oc_row_source rows = {.fill = fill_levels, .count = ocelotl_levels_info_of(levels).count};
    const ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, headings, count, &rows, options);
    *of = (level_list){levels, 0, rows.count};
    rows.source = of;
    rows.free = free;
    return oc_table_make(stream, headings, count, &rows, options);
}

/* --- Changes */

typedef struct change_list {
    const ocelotl_comparison *comparison;
    size_t next, count;
} change_list;

static void add_change(oc_batch *batch, const ocelotl_change *change)
{
    oc_add_text(batch, change->path, strlen(change->path));
    oc_add_text(batch, change->type, strlen(change->type));
    oc_add_number(batch, change->first);
    oc_add_number(batch, change->second);
    oc_add_index(batch, change->leaves);
    oc_add_number(batch, change->amount);
    oc_add_flag(batch, change->named);
    oc_add_flag(batch, change->proportional);
    oc_end_row(batch);
}

static ocelotl_status fill_changes(oc_batch *batch, void *source)
{
    change_list *of = source;
    for (; of->next < of->count && !oc_batch_is_full(batch); of->next++) {
        const ocelotl_change change = ocelotl_comparison_change_at(of->comparison, of->next);
        add_change(batch, &change);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_comparison_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_comparison *comparison,
                                           const ocelotl_arrow_options *options)
{
    static const oc_heading headings[] = {
        {"node", OC_CELL_TEXT, NULL},    {"type", OC_CELL_TEXT, NULL},
        {"first", OC_CELL_NUMBER, NULL}, {"second", OC_CELL_NUMBER, NULL},
        {"leaves", OC_CELL_INDEX, NULL}, {"change", OC_CELL_NUMBER, NULL},
        {"named", OC_CELL_FLAG, NULL},   {"proportional", OC_CELL_FLAG, NULL}};
    const uint32_t count = sizeof headings / sizeof headings[0];
    change_list *of = NULL;
    oc_row_source rows = {.fill = fill_changes,
                          .count = ocelotl_comparison_info_of(comparison).change_count};
    const ocelotl_status status = oc_allocate(&of, 1, sizeof *of);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, headings, count, &rows, options);
    *of = (change_list){comparison, 0, rows.count};
    rows.source = of;
    rows.free = free;
    return oc_table_make(stream, headings, count, &rows, options);
}

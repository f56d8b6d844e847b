#include "model/core/model.h"

#include "base/file/digest.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const oc_matrix *oc_model_matrix(const ocelotl_model *model)
{
    return &model->matrix;
}

void oc_model_strip(ocelotl_model *model)
{
    oc_matrix *matrix = &model->matrix;
    oc_cells cells = oc_cells_of(matrix);
    oc_cells_free(&cells);
    oc_cells_free(&model->drawn);
    free(matrix->cell_loss);
    free(matrix->series_loss);
    matrix->series = NULL;
    matrix->cell_slice = NULL;
    matrix->cell_value = matrix->cell_loss = matrix->series_loss = NULL;
}

void ocelotl_model_free(ocelotl_model *model)
{
    if (model == NULL)
        return;
    for (uint32_t x = 0; x < model->type_count; x++) {
        free(model->types[x].name);
        oc_spelling_free(&model->types[x].spelling);
    }
    oc_model_strip(model);
    free(model->types);
    free(model->matrix.tree.weight_before);
    char *const texts[] = {model->name,          model->uid,           model->state_type,
                           model->slices_reason, model->values_reason, model->types_reason,
                           model->choices,       model->steps,         model->filters,
                           model->metric,        model->unit,          model->caption,
                           model->grouping,      model->hierarchy,     model->groups_key};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    for (uint32_t i = 0; i < model->resource_count; i++)
        free(model->resources[i]);
    free(model->resources);
    free(model->pieces);
    ocelotl_model_free(model->origin);
    oc_whole_free(model->whole);
    free(model->origin_first);
    free(model->origin_leaves);
    free(model->origin_paths);
    oc_map_free(&model->type_numbers);
    ocelotl_type_names_free(model->type_names);
    oc_arena_free(&model->tree_arena);
    free(model);
}

ocelotl_status oc_whole_make(oc_whole **whole, ocelotl_model *model)
{
    const ocelotl_status status = oc_allocate(whole, 1, sizeof **whole);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(model);
        return status;
    }
    oc_model_strip(model);
    (*whole)->model = model;
    atomic_init(&(*whole)->users, 1);
    return OCELOTL_OK;
}

oc_whole *oc_whole_share(oc_whole *whole)
{
    if (whole != NULL)
        atomic_fetch_add(&whole->users, 1);
    return whole;
}

void oc_whole_free(oc_whole *whole)
{
    if (whole == NULL || atomic_fetch_sub(&whole->users, 1) > 1)
        return;
    ocelotl_model_free(whole->model);
    free(whole);
}

ocelotl_status oc_model_copy_description(ocelotl_model *copy, const ocelotl_model *model)
{
    OC_TRY(oc_copy_optional(&copy->metric, model->metric));
    OC_TRY(oc_copy_optional(&copy->unit, model->unit));
    OC_TRY(oc_copy_optional(&copy->caption, model->caption));
    OC_TRY(oc_copy_optional(&copy->filters, model->filters));
    OC_TRY(oc_copy_optional(&copy->state_type, model->state_type));
    OC_TRY(oc_copy_optional(&copy->grouping, model->grouping));
    copy->has_time = model->has_time;
    copy->begin = model->begin;
    copy->end = model->end;
    copy->trace_begin = model->trace_begin;
    copy->trace_end = model->trace_end;
    copy->zoomed = model->zoomed;
    copy->from = model->from;
    copy->to = model->to;
    copy->nesting = model->nesting;
    copy->nesting_depth = model->nesting_depth;
    copy->type_level = model->type_level;
    copy->untraced = model->untraced;
    if (model->piece_count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&copy->pieces, model->piece_count, sizeof *copy->pieces));
    memcpy(copy->pieces, model->pieces, model->piece_count * sizeof *copy->pieces);
    copy->piece_count = model->piece_count;
    return OCELOTL_OK;
}

static const char *text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

void ocelotl_model_get_info(ocelotl_model_info *info, const ocelotl_model *model)
{
    const oc_matrix *matrix = &model->matrix;
    const ocelotl_model_info known = {
        .name = text_or_empty(model->name),
        .uid = text_or_empty(model->uid),
        .has_time = model->has_time,
        .begin = model->begin,
        .end = model->end,
        .state_type = text_or_empty(model->state_type),
        .slices_wanted = model->slices_wanted,
        .slices_reason = text_or_empty(model->slices_reason),
        .leaves_left_out = model->leaves_left_out,
        .nesting = model->nesting,
        .untraced = model->untraced,
        .empty = model->empty,
        .node_count = matrix->tree.node_count,
        .leaf_count = matrix->tree.leaf_count[0],
        .type_count = model->type_count,
        .slice_count = matrix->slice_count,
        .cell_count = matrix->cell_count,
        .zoomed = model->zoomed,
        .trace_begin = model->trace_begin,
        .trace_end = model->trace_end,
        .from = model->from,
        .to = model->to,
        .resource_count = model->resource_count,
        .filters = text_or_empty(model->filters),
        .metric = text_or_empty(model->metric),
        .unit = text_or_empty(model->unit),
        .caption = text_or_empty(model->caption),
        .additive = model->drawing == OC_DRAW_CELLS,
        .nesting_depth = model->nesting_depth,
        .grouping = text_or_empty(model->grouping),
        .hierarchy = text_or_empty(model->hierarchy),
        .row_count = oc_tree_weight(&matrix->tree, 0),
        .values_reason = text_or_empty(model->values_reason),
        .types_reason = text_or_empty(model->types_reason),
        .choices = text_or_empty(model->choices),
        .steps = text_or_empty(model->steps),
        .type_level = model->type_level,
        .compared_types = model->compared_types,
        .pieces = model->pieces,
        .piece_count = model->piece_count,
        .rate = model->drawing == OC_DRAW_CELLS && model->type_count > 0 && model->types->scale > 0
                    ? model->types->scale
                    : 1,
    };
    oc_give_info(info, &known, sizeof known);
}

const char *ocelotl_model_resource_at(const ocelotl_model *model, uint32_t index)
{
    return index < model->resource_count ? model->resources[index] : "";
}

uint64_t ocelotl_model_hash(const ocelotl_model *model)
{
    const oc_matrix *matrix = &model->matrix;
    oc_digest digest;
    uint64_t result[2];
    oc_digest_begin(&digest);
    oc_digest_number(&digest, matrix->slice_count);
    oc_digest_number(&digest, matrix->tree.node_count);
    for (uint32_t k = 0; k < matrix->tree.node_count; k++)
        oc_digest_text(&digest, model->nodes[k].path);
    oc_digest_bytes(&digest, matrix->tree.parent,
                    matrix->tree.node_count * sizeof *matrix->tree.parent);
    oc_digest_number(&digest, model->type_count);
    for (uint32_t x = 0; x < model->type_count; x++)
        oc_digest_text(&digest, model->types[x].name);
    oc_digest_number(&digest, matrix->series_count);
    for (size_t s = 0; s <= matrix->series_count; s++) {
        const uint64_t series[] = {matrix->series[s].leaf, matrix->series[s].type,
                                   matrix->series[s].first};
        oc_digest_bytes(&digest, series, sizeof series);
    }
    oc_digest_bytes(&digest, matrix->cell_slice, matrix->cell_count * sizeof *matrix->cell_slice);
    oc_digest_bytes(&digest, matrix->cell_value, matrix->cell_count * sizeof *matrix->cell_value);
    if (matrix->tree.weight_before != NULL) {
        oc_digest_bytes(&digest, matrix->tree.weight_before,
                        ((size_t)matrix->tree.leaf_count[0] + 1) *
                            sizeof *matrix->tree.weight_before);
        oc_digest_bytes(&digest, matrix->cell_loss, matrix->cell_count * sizeof *matrix->cell_loss);
        oc_digest_bytes(&digest, matrix->series_loss,
                        matrix->series_count * sizeof *matrix->series_loss);
    }
    oc_digest_end(result, &digest);
    return result[0];
}

ocelotl_node ocelotl_model_node_at(const ocelotl_model *model, uint32_t node)
{
    const oc_tree *tree = &model->matrix.tree;
    if (node >= tree->node_count)
        return (ocelotl_node){
            .name = "", .path = "", .kind = "", .source = OCELOTL_NONE, .parent = OCELOTL_ROOT};
    const oc_model_node *named = &model->nodes[node];
    return (ocelotl_node){
        .name = named->name,
        .path = named->path,
        .kind = named->kind,
        .source = named->source,
        .parent = tree->parent[node],
        .depth = named->depth,
        .leaf_first = tree->leaf_first[node],
        .leaf_count = tree->leaf_count[node],
        .begin = named->begin,
        .end = named->end,
        .row_first = tree->weight_before != NULL ? tree->weight_before[tree->leaf_first[node]]
                                                 : tree->leaf_first[node],
        .row_count = oc_tree_weight(tree, node),
        .alike = named->alike,
    };
}

ocelotl_type ocelotl_model_type_at(const ocelotl_model *model, uint32_t type)
{
    if (type >= model->type_count)
        return (ocelotl_type){.name = "", .colour = -1};
    const oc_model_type *found = &model->types[type];
    return (ocelotl_type){.name = found->name,
                          .colour = found->colour,
                          .untraced = found->untraced,
                          .low = found->low,
                          .high = found->high};
}

const ocelotl_type_names *ocelotl_model_type_names(const ocelotl_model *model)
{
    return model->type_names;
}

/* Gives a type a name of its own, as legends and JSON show only names. */
static ocelotl_status name_type(char **unique, oc_map *names, const char *name)
{
    oc_text text = {0};
    oc_text_add_utf8(&text, name, strlen(name));
    ocelotl_status status = oc_number_twin(&text, names, names);
    if (status == OCELOTL_OK)
        status = oc_map_set(names, text.bytes, text.length, 1);
    if (status == OCELOTL_OK)
        *unique = text.bytes;
    else
        oc_text_free(&text);
    return status;
}

ocelotl_status oc_model_add_type(ocelotl_model *model, const char *name, int32_t colour,
                                 bool untraced)
{
    size_t capacity = model->type_count;
    /* Types are few: growing one by one keeps the structure plain. */
    oc_model_type *types = realloc(model->types, (capacity + 1) * sizeof *types);
    if (types == NULL)
        return oc_fail_memory();
    model->types = types;
    types[capacity] = (oc_model_type){.colour = colour, .untraced = untraced};
    OC_TRY(name_type(&types[capacity].name, &model->type_numbers, name));
    model->matrix.type_count = ++model->type_count;
    return OCELOTL_OK;
}

static bool precedes(const oc_given_cell *a, const oc_given_cell *b)
{
    if (a->leaf != b->leaf)
        return a->leaf < b->leaf;
    if (a->type != b->type)
        return a->type < b->type;
    return a->slice < b->slice;
}

static int compare_cells(const void *left, const void *right)
{
    const oc_given_cell *a = left;
    const oc_given_cell *b = right;
    if (precedes(a, b))
        return -1;
    if (precedes(b, a))
        return 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static ocelotl_status find_twice(oc_twice *twice, const oc_given_cell *cells, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (!precedes(&cells[i - 1], &cells[i])) {
            *twice = (oc_twice){cells[i - 1].line, cells[i].line};
            return oc_fail(OCELOTL_ERROR_INPUT, "a cell is given twice, by %u and by %u",
                           cells[i - 1].line, cells[i].line);
        }
    return OCELOTL_OK;
}

static bool sorted(const oc_given_cell *cells, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_cells(&cells[i - 1], &cells[i]) > 0)
            return false;
    return true;
}

static bool begins_series(const oc_given_cell *cells, size_t i, size_t last)
{
    return last == SIZE_MAX || cells[last].leaf != cells[i].leaf ||
           cells[last].type != cells[i].type;
}

/* Counts what is not 0: the matrix holds nothing else. */
static void count_filled(oc_matrix *matrix, const oc_given_cell *cells, size_t count)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!(cells[i].value > 0))
            continue;
        if (begins_series(cells, i, last))
            matrix->series_count++;
        matrix->cell_count++;
        last = i;
    }
}

void oc_model_end(ocelotl_model *model, uint32_t slice_count)
{
    model->matrix.slice_count = slice_count;
    for (uint32_t k = 0; k < model->matrix.tree.node_count; k++)
        if (!(model->nodes[k].end > 0))
            model->nodes[k].end = slice_count;
    oc_model_find_extremes(model);
}

static ocelotl_status name_types(ocelotl_model *model, const oc_given_cell *cells,
                                 size_t cell_count)
{
    double *sums = NULL;
    OC_TRY(oc_type_names_begin(&model->type_names));
    OC_TRY(oc_allocate(&sums, model->type_count, sizeof *sums));
    for (size_t i = 0; i < cell_count; i++)
        sums[cells[i].type] += cells[i].value;
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t x = 0; x < model->type_count && status == OCELOTL_OK; x++)
        status = model->types[x].untraced
                     ? OCELOTL_OK
                     : oc_type_names_add(model->type_names, &(oc_named_type){model->types[x].name,
                                                                             model->types[x].colour,
                                                                             sums[x], sums[x], 0});
    free(sums);
    OC_TRY(status);
    return oc_type_names_end(model->type_names);
}

ocelotl_status oc_model_set_cells(ocelotl_model *model, oc_twice *twice, uint32_t slice_count,
                                  oc_given_cell *cells, size_t cell_count)
{
    oc_matrix *matrix = &model->matrix;
    if (!sorted(cells, cell_count))
        qsort(cells, cell_count, sizeof *cells, compare_cells);
    OC_TRY(find_twice(twice, cells, cell_count));
    OC_TRY(name_types(model, cells, cell_count));
    count_filled(matrix, cells, cell_count);
    OC_TRY(oc_allocate(&matrix->series, matrix->series_count + 1, sizeof *matrix->series));
    OC_TRY(oc_allocate(&matrix->cell_slice, matrix->cell_count, sizeof *matrix->cell_slice));
    OC_TRY(oc_allocate(&matrix->cell_value, matrix->cell_count, sizeof *matrix->cell_value));
    size_t series = 0;
    size_t cell = 0;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < cell_count; i++) {
        if (!(cells[i].value > 0))
            continue;
        if (begins_series(cells, i, last))
            matrix->series[series++] = (oc_series){cells[i].leaf, cells[i].type, cell};
        matrix->cell_slice[cell] = cells[i].slice;
        matrix->cell_value[cell++] = cells[i].value;
        last = i;
    }
    matrix->series[series] = (oc_series){matrix->tree.leaf_count[0], 0, cell};
    oc_model_end(model, slice_count);
    return OCELOTL_OK;
}

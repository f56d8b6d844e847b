/* A model as bytes and back: a head with a version and a checksum, then numbers as base/text.h
 * writes them. What is read is checked as if the checksum proved nothing. */
#include "model/core/model.h"

#include "base/file/digest.h"
#include "base/file/sink.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The head: the magic word, the version, and the checksum of all that follows. */
static const char magic[] = {'o', 'c', 'e', 'l', 'o', 't', 'l', 'M'};
enum { VERSION = 2, HEAD = sizeof magic + 4 + 8 };

/* --- To bytes */

static void put_word(unsigned char *to, uint64_t number, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = (unsigned char)(number >> 8 * i);
}

static void put_text(oc_text *to, const char *text)
{
    oc_bytes_add_unsigned(to, text != NULL);
    if (text == NULL)
        return;
    oc_bytes_add_unsigned(to, strlen(text));
    oc_text_append(to, text, strlen(text));
}

/* Parents as steps back, and where each leaf's rows end. */
static void put_nodes(oc_text *to, const ocelotl_model *model)
{
    const oc_tree *tree = &model->matrix.tree;
    oc_bytes_add_unsigned(to, tree->node_count);
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const oc_model_node *node = &model->nodes[k];
        if (k > 0)
            oc_bytes_add_unsigned(to, k - tree->parent[k]);
        put_text(to, node->name);
        put_text(to, node->path);
        put_text(to, node->kind);
        oc_bytes_add_unsigned(to, node->source);
        oc_bytes_add_unsigned(to, node->depth);
        oc_bytes_add_double(to, node->begin);
        oc_bytes_add_double(to, node->end);
        oc_bytes_add_unsigned(to, node->alike);
    }
    oc_bytes_add_unsigned(to, tree->weight_before != NULL);
    for (uint32_t leaf = 0; tree->weight_before != NULL && leaf < tree->leaf_count[0]; leaf++)
        oc_bytes_add_unsigned(to, tree->weight_before[leaf + 1] - tree->weight_before[leaf]);
}

static void put_types(oc_text *to, const ocelotl_model *model)
{
    oc_bytes_add_unsigned(to, model->type_count);
    for (uint32_t x = 0; x < model->type_count; x++) {
        const oc_model_type *type = &model->types[x];
        put_text(to, type->name);
        put_text(to, type->spelling.full);
        oc_bytes_add_unsigned(to, type->spelling.place);
        oc_bytes_add_unsigned(to, type->spelling.type);
        oc_bytes_add_unsigned(to, type->spelling.name);
        oc_bytes_add_signed(to, type->colour);
        oc_bytes_add_unsigned(to, type->untraced);
        oc_bytes_add_double(to, type->low);
        oc_bytes_add_double(to, type->high);
        oc_bytes_add_double(to, type->scale);
        oc_bytes_add_double(to, type->offset);
    }
}

static void put_cells(oc_text *to, const oc_cells *cells)
{
    oc_bytes_add_unsigned(to, cells->series != NULL);
    if (cells->series == NULL)
        return;
    oc_bytes_add_unsigned(to, cells->count);
    oc_bytes_add_unsigned(to, cells->series_count);
    for (size_t s = 0; s < cells->series_count; s++) {
        const oc_series *series = &cells->series[s];
        oc_bytes_add_unsigned(to, series->leaf);
        oc_bytes_add_unsigned(to, series->type);
        oc_bytes_add_unsigned(to, series[1].first - series->first);
        for (size_t c = series->first; c < series[1].first; c++) {
            oc_bytes_add_unsigned(to, cells->slice[c]);
            oc_bytes_add_double(to, cells->value[c]);
        }
    }
}

static void put_losses(oc_text *to, const oc_matrix *matrix)
{
    oc_bytes_add_unsigned(to, matrix->cell_loss != NULL);
    for (size_t c = 0; matrix->cell_loss != NULL && c < matrix->cell_count; c++)
        oc_bytes_add_double(to, matrix->cell_loss[c]);
    for (size_t s = 0; matrix->cell_loss != NULL && s < matrix->series_count; s++)
        oc_bytes_add_double(to, matrix->series_loss[s]);
}

static void put_matrix(oc_text *to, const ocelotl_model *model)
{
    const oc_matrix *matrix = &model->matrix;
    put_cells(to, &(oc_cells){.series = matrix->series,
                              .series_count = matrix->series_count,
                              .slice = matrix->cell_slice,
                              .value = matrix->cell_value,
                              .count = matrix->cell_count});
    put_losses(to, matrix);
    put_cells(to, &model->drawn);
}

enum { TEXT_COUNT = 12 };

/* The texts of captions and axes by number, in one order for both ways. */
static char **text_at(ocelotl_model *model, int index)
{
    char **const texts[TEXT_COUNT] = {
        &model->name,          &model->uid,           &model->state_type, &model->metric,
        &model->slices_reason, &model->values_reason, &model->filters,    &model->unit,
        &model->caption,       &model->grouping,      &model->hierarchy,  &model->types_reason};
    return texts[index];
}

static void put_info(oc_text *to, const ocelotl_model *model)
{
    ocelotl_model copy = *model;
    for (int i = 0; i < TEXT_COUNT; i++)
        put_text(to, *text_at(&copy, i));
    const bool flags[] = {model->has_time, model->zoomed, model->empty};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        oc_bytes_add_unsigned(to, flags[i]);
    const double seconds[] = {model->begin, model->end, model->trace_begin, model->trace_end};
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++)
        oc_bytes_add_double(to, seconds[i]);
    oc_bytes_add_signed(to, model->from);
    oc_bytes_add_signed(to, model->to);
    const uint32_t numbers[] = {model->slices_wanted,      model->leaves_left_out,
                                (uint32_t)model->nesting,  model->nesting_depth,
                                (uint32_t)model->untraced, model->compared_types,
                                (uint32_t)model->drawing,  model->type_level};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        oc_bytes_add_unsigned(to, numbers[i]);
    oc_bytes_add_unsigned(to, model->resource_count);
    for (uint32_t i = 0; i < model->resource_count; i++)
        put_text(to, model->resources[i]);
}

static void put_type_names(oc_text *to, const ocelotl_type_names *names)
{
    const uint32_t count = ocelotl_type_names_count(names);
    oc_bytes_add_unsigned(to, names != NULL);
    oc_bytes_add_unsigned(to, count);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_type_name name = ocelotl_type_names_at(names, i);
        put_text(to, name.name);
        oc_bytes_add_signed(to, name.colour);
        oc_bytes_add_unsigned(to, name.types);
    }
}

static void put_model(oc_text *to, const ocelotl_model *model)
{
    oc_bytes_add_unsigned(to, model->matrix.slice_count);
    oc_bytes_add_unsigned(to, model->matrix.type_count);
    put_nodes(to, model);
    put_types(to, model);
    put_matrix(to, model);
    put_info(to, model);
    put_type_names(to, model->type_names);
}

static void put_origin(oc_text *to, const ocelotl_model *model)
{
    const uint32_t leaves = model->matrix.tree.leaf_count[0];
    oc_bytes_add_unsigned(to, model->origin != NULL);
    if (model->origin == NULL)
        return;
    put_model(to, model->origin);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        oc_bytes_add_unsigned(to, model->origin_first[leaf + 1] - model->origin_first[leaf]);
    for (uint32_t i = 0; i < model->origin_first[leaves]; i++)
        oc_bytes_add_unsigned(to, model->origin_leaves[i]);
}

ocelotl_status ocelotl_model_to_bytes(const ocelotl_sink *sink, const ocelotl_model *model)
{
    unsigned char head[HEAD];
    oc_text body = {0};
    put_model(&body, model);
    put_origin(&body, model);
    ocelotl_status status = body.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK) {
        memcpy(head, magic, sizeof magic);
        put_word(head + sizeof magic, VERSION, 4);
        put_word(head + sizeof magic + 4, oc_checksum(body.bytes, body.length, VERSION), 8);
        status = oc_sink_write(sink, head, sizeof head);
    }
    if (status == OCELOTL_OK)
        status = oc_sink_write(sink, body.bytes, body.length);
    oc_text_free(&body);
    return status;
}

/* --- From bytes */

static ocelotl_status fail_damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "the bytes of a model are damaged: %s", what);
}

static uint64_t word_at(const unsigned char *from, int count)
{
    uint64_t number = 0;
    for (int i = count; i-- > 0;)
        number = number << 8 | from[i];
    return number;
}

static bool take_flag(oc_bytes_reader *from)
{
    const uint64_t flag = oc_bytes_unsigned(from);
    from->failed = from->failed || flag > 1;
    return flag == 1;
}

/* NULL where the text was. */
static ocelotl_status take_text(char **text, oc_bytes_reader *from)
{
    *text = NULL;
    if (!take_flag(from))
        return OCELOTL_OK;
    const size_t length = oc_bytes_count(from);
    const char *bytes = oc_bytes_block(from, length);
    if (bytes == NULL || from->failed)
        return fail_damaged("a text ends too early");
    char *copy;
    OC_TRY(oc_allocate(&copy, length + 1, 1));
    memcpy(copy, bytes, length);
    const ocelotl_status status =
        strlen(copy) == length ? oc_copy_utf8(text, copy) : fail_damaged("a text has a zero in it");
    free(copy);
    return status;
}

/* A text that must be there. */
static ocelotl_status take_name(char **name, oc_bytes_reader *from)
{
    OC_TRY(take_text(name, from));
    return *name != NULL ? OCELOTL_OK : fail_damaged("a name is missing");
}

static ocelotl_status take_node(ocelotl_model *model, uint32_t k, oc_bytes_reader *from)
{
    oc_model_node *node = &model->nodes[k];
    uint32_t *parent = model->matrix.tree.parent;
    if (k > 0) {
        /* In preorder the parent is the node before, or one above it. */
        const uint64_t back = oc_bytes_unsigned(from);
        const uint32_t wanted = back >= 1 && back <= k ? k - (uint32_t)back : k;
        uint32_t above = k - 1;
        while (above != wanted && above != OCELOTL_ROOT)
            above = parent[above];
        if (above == OCELOTL_ROOT)
            return fail_damaged("a node has no parent before it");
        parent[k] = above;
    } else {
        parent[k] = OCELOTL_ROOT;
    }
    OC_TRY(take_name(&node->name, from));
    OC_TRY(take_name(&node->path, from));
    OC_TRY(take_name(&node->kind, from));
    node->source = oc_bytes_index(from);
    node->depth = oc_bytes_index(from);
    node->begin = oc_bytes_double(from);
    node->end = oc_bytes_double(from);
    node->alike = take_flag(from);
    const double slices = model->matrix.slice_count;
    const bool lives = node->begin >= 0 && node->begin <= node->end && node->end <= slices;
    return lives && node->depth <= k ? OCELOTL_OK : fail_damaged("a node lives outside the slices");
}

static ocelotl_status take_weights(oc_tree *tree, oc_bytes_reader *from)
{
    const uint32_t leaves = tree->leaf_count[0];
    if (!take_flag(from))
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&tree->weight_before, (size_t)leaves + 1, sizeof *tree->weight_before));
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        const uint64_t weight = oc_bytes_unsigned(from);
        if (weight == 0 || weight > UINT32_MAX - tree->weight_before[leaf])
            return fail_damaged("a leaf stands for nothing, or too much");
        tree->weight_before[leaf + 1] = tree->weight_before[leaf] + (uint32_t)weight;
    }
    return OCELOTL_OK;
}

static ocelotl_status take_nodes(ocelotl_model *model, oc_bytes_reader *from)
{
    const size_t count = oc_bytes_count(from);
    if (count == 0 || count >= UINT32_MAX)
        return fail_damaged("it has no nodes");
    OC_TRY(oc_model_allocate_tree(model, (uint32_t)count));
    for (uint32_t k = 0; k < count; k++)
        OC_TRY(take_node(model, k, from));
    oc_tree_measure(&model->matrix.tree);
    return take_weights(&model->matrix.tree, from);
}

static ocelotl_status take_spelling(oc_spelling *spelling, oc_bytes_reader *from)
{
    OC_TRY(take_text(&spelling->full, from));
    spelling->place = oc_bytes_index(from);
    spelling->type = oc_bytes_index(from);
    spelling->name = oc_bytes_index(from);
    const size_t length = spelling->full != NULL ? strlen(spelling->full) : 0;
    return spelling->place <= length && spelling->type <= length && spelling->name <= length
               ? OCELOTL_OK
               : fail_damaged("a spelling of a type is too short");
}

static ocelotl_status take_type(oc_model_type *type, oc_bytes_reader *from)
{
    OC_TRY(take_name(&type->name, from));
    OC_TRY(take_spelling(&type->spelling, from));
    const int64_t colour = oc_bytes_signed(from);
    if (colour < -1 || colour > 0xFFFFFF)
        return fail_damaged("a colour is none");
    type->colour = (int32_t)colour;
    type->untraced = take_flag(from);
    type->low = oc_bytes_double(from);
    type->high = oc_bytes_double(from);
    type->scale = oc_bytes_double(from);
    type->offset = oc_bytes_double(from);
    return OCELOTL_OK;
}

static ocelotl_status take_types(ocelotl_model *model, oc_bytes_reader *from)
{
    const size_t count = oc_bytes_count(from);
    if (count > model->matrix.type_count)
        return fail_damaged("it has more types than its matrix");
    OC_TRY(oc_allocate(&model->types, count, sizeof *model->types));
    for (; model->type_count < count; model->type_count++) {
        const ocelotl_status status = take_type(&model->types[model->type_count], from);
        if (status != OCELOTL_OK) {
            model->type_count++; /* its half is freed with the others */
            return status;
        }
    }
    return OCELOTL_OK;
}

static bool follows(const oc_series *before, const oc_series *series)
{
    return before->leaf < series->leaf ||
           (before->leaf == series->leaf && before->type < series->type);
}

/* Cells of a matrix are positive; what is drawn may be any number. */
static ocelotl_status take_series(oc_cells *cells, size_t s, const oc_matrix *matrix, bool positive,
                                  oc_bytes_reader *from)
{
    oc_series *series = &cells->series[s];
    series->leaf = oc_bytes_index(from);
    series->type = oc_bytes_index(from);
    const size_t count = oc_bytes_count(from);
    const size_t end = series->first + count;
    if (from->failed || count == 0 || count > cells->count - series->first ||
        series->leaf >= matrix->tree.leaf_count[0] || series->type >= matrix->type_count ||
        (s > 0 && !follows(series - 1, series)))
        return fail_damaged("a series is none of the model, or out of order");
    for (size_t c = series->first; c < end; c++) {
        cells->slice[c] = oc_bytes_index(from);
        cells->value[c] = oc_bytes_double(from);
        if (cells->slice[c] >= matrix->slice_count ||
            (c > series->first && cells->slice[c] <= cells->slice[c - 1]))
            return fail_damaged("a cell is in no slice, or out of order");
        if (!isfinite(cells->value[c]) || (positive && !(cells->value[c] > 0)))
            return fail_damaged("a cell holds no number that it can");
    }
    series[1].first = end;
    return OCELOTL_OK;
}

static ocelotl_status take_cells(oc_cells *cells, const oc_matrix *matrix, bool positive,
                                 oc_bytes_reader *from)
{
    if (!take_flag(from))
        return OCELOTL_OK;
    cells->count = oc_bytes_count(from);
    cells->series_count = oc_bytes_count(from);
    OC_TRY(oc_allocate(&cells->series, cells->series_count + 1, sizeof *cells->series));
    OC_TRY(oc_allocate(&cells->slice, cells->count, sizeof *cells->slice));
    OC_TRY(oc_allocate(&cells->value, cells->count, sizeof *cells->value));
    for (size_t s = 0; s < cells->series_count; s++)
        OC_TRY(take_series(cells, s, matrix, positive, from));
    if (cells->series[cells->series_count].first != cells->count)
        return fail_damaged("it has fewer cells than it says");
    cells->series[cells->series_count].leaf = matrix->tree.leaf_count[0];
    return OCELOTL_OK;
}

static ocelotl_status take_numbers(double **numbers, size_t count, oc_bytes_reader *from)
{
    if (count > (size_t)(from->end - from->next) / sizeof(double))
        return fail_damaged("losses are missing");
    OC_TRY(oc_allocate(numbers, count, sizeof **numbers));
    for (size_t i = 0; i < count; i++) {
        (*numbers)[i] = oc_bytes_double(from);
        if (!isfinite((*numbers)[i]))
            return fail_damaged("a loss is no number");
    }
    return OCELOTL_OK;
}

static ocelotl_status take_matrix(ocelotl_model *model, oc_bytes_reader *from)
{
    oc_matrix *matrix = &model->matrix;
    oc_cells cells = {0};
    const ocelotl_status status = take_cells(&cells, matrix, true, from);
    oc_cells_give(matrix, &cells);
    oc_cells_free(&cells);
    OC_TRY(status);
    if (take_flag(from)) {
        OC_TRY(take_numbers(&matrix->cell_loss, matrix->cell_count, from));
        OC_TRY(take_numbers(&matrix->series_loss, matrix->series_count, from));
    } else if (matrix->tree.weight_before != NULL && matrix->cell_count > 0) {
        return fail_damaged("merged leaves have no losses");
    }
    return take_cells(&model->drawn, matrix, false, from);
}

static ocelotl_status take_resources(ocelotl_model *model, oc_bytes_reader *from)
{
    const size_t count = oc_bytes_count(from);
    if (count > UINT32_MAX)
        return fail_damaged("it has too many resources");
    OC_TRY(oc_allocate(&model->resources, count, sizeof *model->resources));
    for (; model->resource_count < count; model->resource_count++)
        OC_TRY(take_name(&model->resources[model->resource_count], from));
    return OCELOTL_OK;
}

static ocelotl_status take_info(ocelotl_model *model, oc_bytes_reader *from)
{
    for (int i = 0; i < TEXT_COUNT; i++)
        OC_TRY(take_text(text_at(model, i), from));
    model->has_time = take_flag(from);
    model->zoomed = take_flag(from);
    model->empty = take_flag(from);
    model->begin = oc_bytes_double(from);
    model->end = oc_bytes_double(from);
    model->trace_begin = oc_bytes_double(from);
    model->trace_end = oc_bytes_double(from);
    model->from = oc_bytes_signed(from);
    model->to = oc_bytes_signed(from);
    if (model->has_time && (model->from >= model->to || !isfinite(model->begin) ||
                            !isfinite(model->end) || !(model->begin < model->end)))
        return fail_damaged("its window does not last");
    model->slices_wanted = oc_bytes_index(from);
    model->leaves_left_out = oc_bytes_index(from);
    const uint32_t nesting = oc_bytes_index(from);
    model->nesting_depth = oc_bytes_index(from);
    const uint32_t untraced = oc_bytes_index(from);
    model->compared_types = oc_bytes_index(from);
    const uint32_t drawing = oc_bytes_index(from);
    model->type_level = oc_bytes_index(from);
    if (nesting > OCELOTL_INCLUSIVE || untraced > OCELOTL_UNTRACED_IGNORE ||
        drawing > OC_DRAW_LARGEST || 2 * (uint64_t)model->compared_types > model->type_count)
        return fail_damaged("it says what no model is");
    model->nesting = (ocelotl_nesting)nesting;
    model->untraced = (ocelotl_untraced)untraced;
    model->drawing = (oc_part_value)drawing;
    return take_resources(model, from);
}

static ocelotl_status take_type_names(ocelotl_model *model, oc_bytes_reader *from)
{
    const bool there = take_flag(from);
    const size_t count = oc_bytes_count(from);
    if (there)
        OC_TRY(oc_type_names_begin(&model->type_names));
    else if (count > 0)
        return fail_damaged("names of types are nowhere");
    for (size_t i = 0; i < count; i++) {
        char *name;
        OC_TRY(take_name(&name, from));
        const int64_t colour = oc_bytes_signed(from);
        const uint32_t types = oc_bytes_index(from);
        const ocelotl_type_name known = {name, (int32_t)colour, types};
        const ocelotl_status status = colour >= -1 && colour <= 0xFFFFFF
                                          ? oc_type_names_append(model->type_names, &known)
                                          : fail_damaged("a colour is none");
        free(name);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status take_model(ocelotl_model *model, oc_bytes_reader *from)
{
    model->matrix.slice_count = oc_bytes_index(from);
    model->matrix.type_count = oc_bytes_index(from);
    if (from->failed || model->matrix.slice_count == 0)
        return fail_damaged("it has no slices");
    OC_TRY(take_nodes(model, from));
    OC_TRY(take_types(model, from));
    OC_TRY(take_matrix(model, from));
    OC_TRY(take_info(model, from));
    OC_TRY(take_type_names(model, from));
    return from->failed ? fail_damaged("it ends too early") : OCELOTL_OK;
}

static ocelotl_status take_origin_leaves(ocelotl_model *model, oc_bytes_reader *from)
{
    const uint32_t leaves = model->matrix.tree.leaf_count[0];
    const oc_tree *tree = &model->origin->matrix.tree;
    const uint32_t *first = model->origin_first;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        const uint64_t count = oc_bytes_unsigned(from);
        if (count > (uint64_t)tree->leaf_count[0] - first[leaf])
            return fail_damaged("a leaf stands for more resources than exist");
        model->origin_first[leaf + 1] = first[leaf] + (uint32_t)count;
    }
    OC_TRY(oc_allocate(&model->origin_leaves, first[leaves], sizeof *model->origin_leaves));
    OC_TRY(oc_allocate(&model->origin_paths, first[leaves], sizeof *model->origin_paths));
    const char **paths = NULL;
    OC_TRY(oc_allocate(&paths, tree->leaf_count[0], sizeof *paths));
    for (uint32_t k = 0; k < tree->node_count; k++)
        if (oc_tree_is_leaf(tree, k))
            paths[tree->leaf_first[k]] = model->origin->nodes[k].path;
    bool known = true;
    for (uint32_t i = 0; i < first[leaves] && known; i++) {
        const uint32_t leaf = oc_bytes_index(from);
        known = leaf < tree->leaf_count[0];
        model->origin_leaves[i] = leaf;
        model->origin_paths[i] = known ? paths[leaf] : "";
    }
    free(paths);
    return known ? OCELOTL_OK : fail_damaged("a leaf stands for a resource that does not exist");
}

static ocelotl_status take_origin(ocelotl_model *model, oc_bytes_reader *from)
{
    if (!take_flag(from))
        return OCELOTL_OK;
    ocelotl_model *origin = NULL;
    OC_TRY(oc_allocate(&origin, 1, sizeof *origin));
    model->origin = origin;
    OC_TRY(take_model(origin, from));
    OC_TRY(oc_allocate(&model->origin_first, (size_t)model->matrix.tree.leaf_count[0] + 1,
                       sizeof *model->origin_first));
    return take_origin_leaves(model, from);
}

static ocelotl_status take_all(ocelotl_model *model, oc_bytes_reader *from)
{
    OC_TRY(take_model(model, from));
    const uint32_t columns = model->matrix.type_count;
    if (model->matrix.series == NULL)
        return fail_damaged("it has no matrix");
    if (columns != model->type_count && columns != 2 * (uint64_t)model->type_count)
        return fail_damaged("its matrix has types that it has not");
    OC_TRY(take_origin(model, from));
    return !from->failed && from->next == from->end ? OCELOTL_OK
                                                    : fail_damaged("it ends where it should not");
}

static ocelotl_status check_head(const unsigned char *bytes, size_t size)
{
    if (size < HEAD || memcmp(bytes, magic, sizeof magic) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "these are no bytes of a model, expected what ocelotl_model_to_bytes gives");
    const uint64_t version = word_at(bytes + sizeof magic, 4);
    if (version != VERSION)
        return oc_fail(OCELOTL_ERROR_INPUT, "the bytes of a model are of version %llu, expected %d",
                       (unsigned long long)version, VERSION);
    return word_at(bytes + sizeof magic + 4, 8) == oc_checksum(bytes + HEAD, size - HEAD, VERSION)
               ? OCELOTL_OK
               : fail_damaged("their checksum is another");
}

ocelotl_status ocelotl_model_from_bytes(ocelotl_model **model, const void *bytes, size_t size)
{
    OC_TRY(check_head(bytes, size));
    oc_bytes_reader from = oc_bytes_read((const char *)bytes + HEAD, size - HEAD);
    ocelotl_model *made;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = take_all(made, &from);
    if (status != OCELOTL_OK) {
        ocelotl_model_free(made);
        return status;
    }
    *model = made;
    return OCELOTL_OK;
}

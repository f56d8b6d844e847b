/* Models from a program's own arrays. */
#include "model/core/model.h"

#include "base/memory.h"
#include "base/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ocelotl_status check_cell(const ocelotl_model_arrays *arrays, size_t index)
{
    const ocelotl_cell *cell = &arrays->cells[index];
    if (cell->node >= arrays->node_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "cell %zu: node is %" PRIu32 ", expected one below %" PRIu32, index,
                       cell->node, arrays->node_count);
    if (cell->type >= arrays->type_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "cell %zu: type is %" PRIu32 ", expected one below %" PRIu32, index,
                       cell->type, arrays->type_count);
    if (cell->slice >= arrays->slice_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "cell %zu: slice is %" PRIu32 ", expected one below %" PRIu32, index,
                       cell->slice, arrays->slice_count);
    if (!(cell->value >= 0) || isinf(cell->value))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "cell %zu: value is %g, expected a finite number >= 0", index, cell->value);
    return OCELOTL_OK;
}

static ocelotl_status place_cells(oc_given_cell *placed, const ocelotl_model_arrays *arrays,
                                  const uint32_t *numbers, const oc_tree *tree)
{
    for (size_t i = 0; i < arrays->cell_count; i++) {
        OC_TRY(check_cell(arrays, i));
        const ocelotl_cell *cell = &arrays->cells[i];
        const uint32_t node = numbers[cell->node];
        if (!oc_tree_is_leaf(tree, node))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "cell %zu: node %" PRIu32 " has children, expected a leaf", i,
                           cell->node);
        placed[i] = (oc_given_cell){tree->leaf_first[node], cell->type, cell->slice, (uint32_t)i,
                                    cell->value};
    }
    return OCELOTL_OK;
}

static ocelotl_status fill(ocelotl_model *model, const ocelotl_model_arrays *arrays,
                           const uint32_t *numbers)
{
    oc_given_cell *cells = NULL;
    oc_twice twice = {0};
    for (uint32_t x = 0; x < arrays->type_count; x++) {
        char number[16];
        snprintf(number, sizeof number, "%" PRIu32, x);
        if (arrays->types != NULL && arrays->types[x] == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "type %" PRIu32 " has no name", x);
        OC_TRY(
            oc_model_add_type(model, arrays->types != NULL ? arrays->types[x] : number, -1, false));
    }
    OC_TRY(oc_copy_text(&model->name, arrays->name != NULL ? arrays->name : "model"));
    model->slices_wanted = arrays->slice_count;
    OC_TRY(oc_allocate(&cells, arrays->cell_count, sizeof *cells));
    ocelotl_status status = place_cells(cells, arrays, numbers, &model->matrix.tree);
    if (status == OCELOTL_OK) {
        status = oc_model_set_cells(model, &twice, arrays->slice_count, cells, arrays->cell_count);
        if (status == OCELOTL_ERROR_INPUT)
            status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                             "cells %" PRIu32 " and %" PRIu32 " are the same, expected each once",
                             twice.first, twice.second);
    }
    free(cells);
    return status;
}

static ocelotl_status make(ocelotl_model **model, oc_arena *arena,
                           const ocelotl_model_arrays *arrays)
{
    oc_given_node *nodes;
    uint32_t *numbers;
    char(*digits)[16];
    OC_TRY(oc_arena_allocate(&nodes, arena, arrays->node_count, sizeof *nodes));
    OC_TRY(oc_arena_allocate(&numbers, arena, arrays->node_count, sizeof *numbers));
    OC_TRY(oc_arena_allocate(&digits, arena, arrays->node_count, sizeof *digits));
    for (uint32_t i = 0; i < arrays->node_count; i++) {
        snprintf(digits[i], sizeof digits[i], "%" PRIu32, i);
        nodes[i] = (oc_given_node){.parent = arrays->parents[i],
                                   .name = arrays->names != NULL ? arrays->names[i] : digits[i],
                                   .source = i};
        if (nodes[i].name == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "node %" PRIu32 " has no name", i);
    }
    OC_TRY(oc_model_begin(model, numbers, nodes, arrays->node_count));
    return fill(*model, arrays, numbers);
}

ocelotl_status ocelotl_model_from_arrays(ocelotl_model **model, const ocelotl_model_arrays *given)
{
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    ocelotl_model *made = NULL;
    oc_arena arena = {0};
    OC_TRY(oc_read_options(&arrays, sizeof arrays, given));
    if (arrays.node_count == 0 || arrays.parents == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a model without a node, expected at least a root");
    if (arrays.slice_count == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a model of 0 slices, expected at least 1");
    if (arrays.cell_count > 0 && arrays.cells == NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no cells given, expected %zu", arrays.cell_count);
    if (arrays.cell_count >= UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%zu cells, expected fewer than 2^32 - 1",
                       arrays.cell_count);
    const ocelotl_status status = make(&made, &arena, &arrays);
    oc_arena_free(&arena);
    if (status == OCELOTL_OK)
        *model = made;
    else
        ocelotl_model_free(made);
    return status;
}

/* Chooses the number of slices, and places a piece of a model in its trace. */
#include "model/core/slicing.h"

#include "base/exchange.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/weighed.h"
#include "model/core/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* By default nobody waits longer than this for a picture. */
static const double patience_seconds = 4;

static const char too_much_memory[] = "more would not fit in memory";

/* What is filled, and what is solved then: merging leaves less of it. */
typedef struct model_size {
    ocelotl_kind kind;
    uint32_t filled;        /* leaves */
    uint32_t leaves, inner; /* of the hierarchy that is solved */
    uint32_t types;
} model_size;

/* Nodes of only one child are no nodes of their own to a solver, and so the inner ones are fewer
 * than the leaves. */
static model_size size_of(const oc_matrix *matrix, const ocelotl_model_options *options)
{
    const uint32_t leaves = matrix->tree.leaf_count[0];
    const uint32_t most = options->hierarchy.max_leaves;
    model_size size = {options->kind, leaves, leaves, matrix->tree.node_count - leaves,
                       matrix->type_count};
    if (most == 0 || most >= leaves)
        return size;
    size.leaves = most;
    size.inner = size.inner < most ? size.inner : most - 1;
    return size;
}

/* Bytes of the model, where a leaf has some cell in each slice, and of its aggregation. */
static uint64_t memory_needed(const model_size *of, uint32_t slices)
{
    const uint64_t cells = (uint64_t)of->filled * slices;
    const uint64_t cell =
        2 * (sizeof(uint32_t) + sizeof(double)); /* once in the leaf's thread, once in the model */
    const oc_request_size size = {of->kind, of->leaves + of->inner, of->inner, slices,
                                  oc_processor_count()};
    const uint64_t solve = oc_cost_memory(&size, 1);
    uint64_t bytes;
    if (__builtin_mul_overflow(cells, cell, &bytes) || __builtin_add_overflow(bytes, solve, &bytes))
        return UINT64_MAX;
    return bytes;
}

static ocelotl_status check_wanted(const ocelotl_trace *trace, const model_size *size,
                                   uint64_t length, const ocelotl_model_options *options)
{
    if (options->slices > length)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: %" PRIu32 " slices of %" PRIu64 " ticks, expected at most one a tick",
                       trace->label, options->slices, length);
    const uint64_t needed = memory_needed(size, options->slices);
    const uint64_t budget = oc_memory_budget(options->work.memory_limit);
    if (needed > budget)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: %" PRIu32 " slices would need about %" PRIu64
                       " MiB of memory, and %" PRIu64 " MiB may be used; use fewer slices",
                       trace->label, options->slices, needed >> 20, budget >> 20);
    return OCELOTL_OK;
}

/* The default, or what ticks, memory and patience allow, with the reason. */
static uint32_t default_slices(const char **reason, const model_size *size, uint64_t length,
                               uint64_t budget, uint32_t most)
{
    const uint32_t nodes =
        size->kind == OCELOTL_TEMPORAL ? size->leaves : size->leaves + size->inner;
    uint32_t slices = most > 0 ? most : OCELOTL_DEFAULT_SLICES;
    if (slices > length) {
        slices = (uint32_t)length;
        *reason = "the window has no more ticks";
    }
    while (slices > 2 && memory_needed(size, slices) > budget) {
        slices -= slices / 10 + 1;
        *reason = too_much_memory;
    }
    while (slices > 20 &&
           oc_cost_seconds(size->kind, nodes, size->types, slices) > patience_seconds) {
        slices -= slices / 10 + 1;
        *reason = "more would take longer than a few seconds";
    }
    return slices;
}

ocelotl_status oc_count_slices(oc_slice_count *count, const ocelotl_model *model,
                               const ocelotl_trace *trace, uint64_t length,
                               const ocelotl_model_options *options)
{
    const model_size size = size_of(&model->matrix, options);
    *count = (oc_slice_count){options->slices, ""};
    if (options->slices > 0)
        return check_wanted(trace, &size, length, options);
    count->slices =
        default_slices(&count->reason, &size, length, oc_memory_budget(options->work.memory_limit),
                       options->most_slices);
    /* Ranks differ in the memory of their machines alone. */
    uint64_t least = count->slices;
    OC_TRY(oc_exchange_least(&least, options->work.exchange));
    count->reason = least < count->slices ? too_much_memory : count->reason;
    count->slices = (uint32_t)least;
    return OCELOTL_OK;
}

/* --- Where in its trace a piece of a model lies */

static ocelotl_status check(const ocelotl_model *model, uint32_t node, uint32_t first,
                            uint32_t last)
{
    const uint32_t nodes = model->matrix.tree.node_count;
    const uint32_t slices = model->matrix.slice_count;
    if (node >= nodes)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "node %" PRIu32 ", expected one below %" PRIu32,
                       node, nodes);
    if (first <= last && last < slices)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "slices %" PRIu32 " to %" PRIu32 ", expected a range of those below %" PRIu32,
                   first, last, slices);
}

/* The hierarchy of the trace, and what of it is looked for. */
typedef struct search {
    const ocelotl_model *trace; /* the model itself, or the origin of a changed one */
    uint32_t *leaves;           /* of the trace's hierarchy, in its order */
    uint32_t count;
    bool *whole; /* by node: all that the trace has there was chosen for the model */
    const char **names;
    size_t name_count;
} search;

static ocelotl_status list_leaves(search *of, const ocelotl_model *model, uint32_t node)
{
    const oc_tree *tree = &model->matrix.tree;
    const uint32_t first = tree->leaf_first[node];
    const uint32_t end = first + tree->leaf_count[node];
    const bool changed = model->origin != NULL;
    const uint32_t begin = changed ? model->origin_first[first] : first;
    of->count = (changed ? model->origin_first[end] : end) - begin;
    OC_TRY(oc_allocate(&of->leaves, of->count, sizeof *of->leaves));
    for (uint32_t i = 0; i < of->count; i++)
        of->leaves[i] = changed ? model->origin_leaves[begin + i] : begin + i;
    qsort(of->leaves, of->count, sizeof *of->leaves, oc_compare_indices);
    return OCELOTL_OK;
}

/* Above a resource that was chosen lies more than the model has. Parents come first. */
static ocelotl_status mark_whole(search *of, const ocelotl_model *model)
{
    const oc_tree *tree = &of->trace->matrix.tree;
    oc_map chosen = {0};
    ocelotl_status status = oc_allocate(&of->whole, tree->node_count, sizeof *of->whole);
    for (uint32_t i = 0; i < model->resource_count && status == OCELOTL_OK; i++)
        status = oc_map_set(&chosen, model->resources[i], strlen(model->resources[i]), i);
    for (uint32_t k = 0; k < tree->node_count && status == OCELOTL_OK; k++) {
        const char *path = of->trace->nodes[k].path;
        of->whole[k] = model->resource_count == 0 ||
                       oc_map_get(&chosen, path, strlen(path)) != OC_MAP_NONE ||
                       (k > 0 && of->whole[tree->parent[k]]);
    }
    oc_map_free(&chosen);
    return status;
}

/* Leaves begin where the last of the nodes that begin there does. */
static uint32_t find_leaf(const oc_tree *tree, uint32_t leaf)
{
    uint32_t low = 0;
    uint32_t high = tree->node_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (tree->leaf_first[middle] <= leaf)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether the leaves from number i on are all of a node. */
static bool covers(const search *of, uint32_t i, uint32_t node)
{
    const oc_tree *tree = &of->trace->matrix.tree;
    const uint32_t count = tree->leaf_count[node];
    return of->whole[node] && tree->leaf_first[node] == of->leaves[i] && count <= of->count - i &&
           of->leaves[i + count - 1] - of->leaves[i] == count - 1;
}

/* The node of the trace that a node of the model is; OCELOTL_NONE where it is none, or has not all
 * of its leaves. */
static uint32_t find_same(const search *of, const ocelotl_model *model, uint32_t node)
{
    const oc_tree *tree = &of->trace->matrix.tree;
    const oc_model_node *wanted = &model->nodes[node];
    for (uint32_t k = 1; k < tree->node_count && wanted->source != OCELOTL_NONE; k++)
        if (of->trace->nodes[k].source == wanted->source && tree->leaf_count[k] == of->count &&
            covers(of, 0, k) && strcmp(of->trace->nodes[k].path, wanted->path) == 0)
            return k;
    return OCELOTL_NONE;
}

/* The topmost nodes that have no other leaves; a node of the trace is named by itself. */
static ocelotl_status name_nodes(search *of, uint32_t same)
{
    const oc_tree *tree = &of->trace->matrix.tree;
    OC_TRY(oc_allocate(&of->names, of->count, sizeof *of->names));
    if (same != OCELOTL_NONE) {
        of->names[of->name_count++] = of->trace->nodes[same].path;
        return OCELOTL_OK;
    }
    for (uint32_t i = 0; i < of->count;) {
        uint32_t node = find_leaf(tree, of->leaves[i]);
        while (tree->parent[node] != OCELOTL_ROOT && tree->parent[node] != 0 &&
               covers(of, i, tree->parent[node]))
            node = tree->parent[node];
        of->names[of->name_count++] = of->trace->nodes[node].path;
        i += tree->leaf_count[node];
    }
    return OCELOTL_OK;
}

/* Names all leaves that the model was made of. */
static ocelotl_status name_all(search *of, const ocelotl_model *model)
{
    OC_TRY(oc_allocate(&of->names, model->resource_count, sizeof *of->names));
    while (of->name_count < model->resource_count) {
        of->names[of->name_count] = model->resources[of->name_count];
        of->name_count++;
    }
    return OCELOTL_OK;
}

static ocelotl_status find_resources(search *of, const ocelotl_model *model, uint32_t node)
{
    of->trace = model->origin != NULL ? model->origin : model;
    OC_TRY(list_leaves(of, model, node));
    if (of->count == of->trace->matrix.tree.leaf_count[0])
        return name_all(of, model);
    OC_TRY(mark_whole(of, model));
    return name_nodes(of, find_same(of, model, node));
}

/* The window, or the piece of it that has a slice. */
static oc_slicing slicing_of(const ocelotl_model *model, uint32_t *slice)
{
    uint32_t i = 0;
    if (model->piece_count == 0)
        return (oc_slicing){model->from, (uint64_t)model->to - (uint64_t)model->from,
                            model->matrix.slice_count};
    while (i + 1 < model->piece_count && *slice >= model->pieces[i + 1].first)
        i++;
    *slice -= model->pieces[i].first;
    return oc_piece_slicing(&model->pieces[i]);
}

ocelotl_status ocelotl_model_place(ocelotl_place *place, const ocelotl_model *model, uint32_t node,
                                   uint32_t first, uint32_t last)
{
    search of = {0};
    OC_TRY(check(model, node, first, last));
    const ocelotl_status status = find_resources(&of, model, node);
    free(of.leaves);
    free(of.whole);
    if (status != OCELOTL_OK) {
        free(of.names);
        return status;
    }
    ocelotl_place made = {.path = model->nodes[node].path, .resources = {of.names, of.name_count}};
    if (model->has_time) {
        const oc_slicing begins = slicing_of(model, &first);
        const oc_slicing ends = slicing_of(model, &last);
        const oc_instant end = oc_slicing_boundary(&ends, last + 1);
        made.from = oc_slicing_boundary(&begins, first).ticks;
        made.to = end.ticks + (end.rest > 0);
    }
    *place = made;
    return OCELOTL_OK;
}

void ocelotl_place_free(ocelotl_place *place)
{
    if (place == NULL)
        return;
    free((void *)place->resources.names);
    *place = (ocelotl_place){0};
}

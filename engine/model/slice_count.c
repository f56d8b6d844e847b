#include "model/slice_count.h"

#include "base/cost.h"
#include "base/machine.h"

#include <inttypes.h>

/* By default nobody waits longer than this for a picture. */
static const double patience_seconds = 4;

/* Bytes of the model, where a leaf has some cell in each slice, and of its aggregation. */
static uint64_t memory_needed(const oc_tree *tree, ocelotl_kind kind, uint32_t slices)
{
    const uint64_t cells = (uint64_t)tree->leaf_count[0] * slices;
    const uint64_t cell =
        2 * (sizeof(uint32_t) + sizeof(double)); /* once in the leaf's thread, once in the model */
    const oc_request_size size = {kind, tree->node_count, tree->node_count - tree->leaf_count[0], slices,
                                  oc_processor_count()};
    const uint64_t solve = oc_cost_memory(&size, 1);
    uint64_t bytes;
    if (__builtin_mul_overflow(cells, cell, &bytes) || __builtin_add_overflow(bytes, solve, &bytes))
        return UINT64_MAX;
    return bytes;
}

static ocelotl_status check_wanted(const ocelotl_trace *trace, const oc_tree *tree, uint64_t length,
                                   const ocelotl_model_options *options)
{
    if (options->slices > length)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: %" PRIu32 " slices of %" PRIu64 " ticks, expected at most one a tick", trace->label,
                       options->slices, length);
    const uint64_t needed = memory_needed(tree, options->kind, options->slices);
    const uint64_t budget = oc_memory_budget();
    if (needed > budget)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: %" PRIu32 " slices would need about %" PRIu64 " MiB of memory, and %" PRIu64
                       " MiB may be used; use fewer slices",
                       trace->label, options->slices, needed >> 20, budget >> 20);
    return OCELOTL_OK;
}

/* The default, or what ticks, memory and patience allow, with the reason. */
static uint32_t default_slices(const char **reason, const oc_matrix *matrix, uint64_t length, ocelotl_kind kind)
{
    const uint32_t nodes = kind == OCELOTL_TEMPORAL ? matrix->tree.leaf_count[0] : matrix->tree.node_count;
    const uint64_t budget = oc_memory_budget();
    uint32_t slices = OCELOTL_DEFAULT_SLICES;
    if (slices > length) {
        slices = (uint32_t)length;
        *reason = "the window has no more ticks";
    }
    while (slices > 2 && memory_needed(&matrix->tree, kind, slices) > budget) {
        slices -= slices / 10 + 1;
        *reason = "more would not fit in memory";
    }
    while (slices > 20 && oc_cost_seconds(kind, nodes, matrix->type_count, slices) > patience_seconds) {
        slices -= slices / 10 + 1;
        *reason = "more would take longer than a few seconds";
    }
    return slices;
}

ocelotl_status oc_count_slices(oc_slice_count *count, const ocelotl_model *model, const ocelotl_trace *trace,
                               uint64_t length, const ocelotl_model_options *options)
{
    *count = (oc_slice_count){options->slices, ""};
    if (options->slices > 0)
        return check_wanted(trace, &model->matrix.tree, length, options);
    count->slices = default_slices(&count->reason, &model->matrix, length, options->kind);
    return OCELOTL_OK;
}

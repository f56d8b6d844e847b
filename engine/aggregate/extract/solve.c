/* The public solves. */
#include "aggregate/extract/partition.h"
#include "aggregate/extract/solution.h"
#include "aggregate/measures/node_losses.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status check_p(double p)
{
    if (p >= 0 && p <= 1)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1]", p);
}

static ocelotl_status solve(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                            double p, double p_raw)
{
    oc_solution solution = {0};
    ocelotl_status status = oc_solve(&solution, aggregation, p_raw);
    if (status == OCELOTL_OK)
        status = oc_partition_make(partition, aggregation, &solution, p, p_raw);
    oc_solution_free(&solution);
    return status;
}

ocelotl_status ocelotl_solve(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                             double p)
{
    OC_TRY(check_p(p));
    return solve(partition, aggregation, p, ocelotl_p_to_raw(aggregation, p));
}

ocelotl_status ocelotl_solve_raw(ocelotl_partition **partition,
                                 const ocelotl_aggregation *aggregation, double p_raw)
{
    OC_TRY(check_p(p_raw));
    return solve(partition, aggregation, ocelotl_p_from_raw(aggregation, p_raw), p_raw);
}

/* Which nodes are meant: those of a type of resources, or, where that is NULL, those at a depth. */
struct level {
    const char *type;
    uint32_t depth;
};

/* What is being made. */
struct work {
    const ocelotl_aggregation *aggregation;
    oc_solution solution;
    uint32_t *nodes; /* of the model, one a part */
    oc_measurer measurer;
    double *loss; /* of a node whose losses are not stored */
};

static bool is_of(const struct level *level, const ocelotl_node *node)
{
    return level->type != NULL ? !node->alike && strcmp(node->kind, level->type) == 0
                               : node->depth == level->depth;
}

static ocelotl_status find_loss(double *loss, struct work *work, uint32_t node)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    const uint32_t last = aggregation->slices - 1;
    if (aggregation->loss[node] == NULL)
        OC_TRY(
            oc_node_losses(work->loss, aggregation, &work->measurer, node, 0, aggregation->slices));
    *loss = aggregation->loss[node] != NULL ? aggregation->loss[node][last] : work->loss[last];
    return OCELOTL_OK;
}

/* The node of the aggregation, `at` or later, that has the leaves of a node of the model. Both come
 * in preorder. */
static uint32_t same_leaves(const oc_nodes *nodes, uint32_t at, const ocelotl_node *node)
{
    while (nodes->leaf_first[at] != node->leaf_first || nodes->leaf_weight[at] != node->row_count)
        at++;
    return at;
}

/* The topmost nodes of the level; a leaf that has none above it is a part for itself. */
static ocelotl_status add_parts(struct work *work, const struct level *level)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    const oc_tree *tree = &aggregation->matrix->tree;
    uint32_t at = 0;
    for (uint32_t node = 0; node < tree->node_count;) {
        const ocelotl_node of = ocelotl_model_node_at(aggregation->model, node);
        if (!is_of(level, &of) && !oc_tree_is_leaf(tree, node)) {
            node++;
            continue;
        }
        double loss;
        at = same_leaves(&aggregation->nodes, at, &of);
        OC_TRY(find_loss(&loss, work, at));
        work->nodes[work->solution.count] = node;
        OC_TRY(oc_solution_add(&work->solution, aggregation, at, 0, aggregation->slices - 1, loss));
        node += tree->subtree[node];
    }
    oc_solution_sum_up(&work->solution);
    return OCELOTL_OK;
}

static ocelotl_status make_parts(ocelotl_partition **partition, struct work *work,
                                 const struct level *level, const char *name)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    OC_TRY(oc_measurer_make(&work->measurer, aggregation));
    OC_TRY(oc_allocate(&work->loss, oc_intervals(aggregation->slices) + OC_PAST_END,
                       sizeof *work->loss));
    OC_TRY(oc_allocate(&work->nodes, aggregation->matrix->tree.node_count, sizeof *work->nodes));
    OC_TRY(add_parts(work, level));
    return oc_partition_make_of_level(partition, aggregation, &work->solution, work->nodes, name);
}

static ocelotl_status make(ocelotl_partition **partition, const ocelotl_aggregation *aggregation,
                           const struct level *level)
{
    struct work work = {.aggregation = aggregation};
    oc_text name = {0};
    if (level->type != NULL)
        oc_text_format(&name, "nodes of type %s", level->type);
    else
        oc_text_format(&name, "nodes at depth %u", level->depth);
    const ocelotl_status status =
        name.failed ? oc_fail_memory() : make_parts(partition, &work, level, name.bytes);
    oc_text_free(&name);
    oc_solution_free(&work.solution);
    oc_measurer_free(&work.measurer);
    free(work.loss);
    free(work.nodes);
    return status;
}

static ocelotl_status check_kind(const ocelotl_aggregation *aggregation)
{
    if (aggregation->kind != OCELOTL_TEMPORAL)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "a temporal aggregation has no levels of the hierarchy, "
                                           "expected a spatial or spatiotemporal one");
}

ocelotl_status ocelotl_partition_at_depth(ocelotl_partition **partition,
                                          const ocelotl_aggregation *aggregation, uint32_t depth)
{
    uint32_t deepest = 0;
    OC_TRY(check_kind(aggregation));
    for (uint32_t node = 0; node < aggregation->matrix->tree.node_count; node++) {
        const uint32_t found = ocelotl_model_node_at(aggregation->model, node).depth;
        deepest = found > deepest ? found : deepest;
    }
    if (depth > deepest)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the hierarchy has no depth %u, expected 0 to %u",
                       depth, deepest);
    return make(partition, aggregation, &(struct level){.depth = depth});
}

/* Whether a list of names, each after ", ", holds one. */
static bool lists(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *found = names; found != NULL && (found = strstr(found, name)) != NULL;
         found += length)
        if ((found == names || strncmp(found - 2, ", ", 2) == 0) &&
            (found[length] == '\0' || strncmp(found + length, ", ", 2) == 0))
            return true;
    return false;
}

/* Names each type of resources once: a few, for hierarchies have few types. */
static ocelotl_status fail_unknown_type(const ocelotl_aggregation *aggregation, const char *type)
{
    oc_text known = {0};
    const char *last = "";
    for (uint32_t node = 0; node < aggregation->matrix->tree.node_count; node++) {
        const ocelotl_node of = ocelotl_model_node_at(aggregation->model, node);
        const char *kind = of.kind;
        if (of.alike || kind[0] == '\0' || strcmp(kind, last) == 0 || lists(known.bytes, kind))
            continue;
        oc_text_format(&known, "%s%s", known.length > 0 ? ", " : "", kind);
        last = kind;
    }
    const ocelotl_status status =
        known.failed
            ? oc_fail_memory()
            : oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "the hierarchy has no resources of type \"%s\", expected %s", type,
                      known.length > 0 ? known.bytes : "a depth, for its resources have no types");
    oc_text_free(&known);
    return status;
}

ocelotl_status ocelotl_partition_at_type(ocelotl_partition **partition,
                                         const ocelotl_aggregation *aggregation, const char *type)
{
    OC_TRY(check_kind(aggregation));
    for (uint32_t node = 0; node < aggregation->matrix->tree.node_count && type[0] != '\0'; node++)
        if (!ocelotl_model_node_at(aggregation->model, node).alike &&
            strcmp(ocelotl_model_node_at(aggregation->model, node).kind, type) == 0)
            return make(partition, aggregation, &(struct level){.type = type});
    return fail_unknown_type(aggregation, type);
}

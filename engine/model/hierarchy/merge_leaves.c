#include "model/hierarchy/arrange.h"

#include "base/memory.h"

#include <stdlib.h>

/* An inner node that may become a leaf. */
typedef struct oc_candidate {
    uint32_t node;
    uint32_t depth;  /* in levels: groups of like siblings are none */
    uint32_t groups; /* that it is the innermost of */
    uint32_t leaves;
} oc_candidate;

/* The deepest come first, groups before what they are in; of one depth those with the fewest
 * leaves, so that what leaves stand for stays even. */
static int compare_candidates(const void *left, const void *right)
{
    const oc_candidate *a = left;
    const oc_candidate *b = right;
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    if (a->groups != b->groups)
        return a->groups > b->groups ? -1 : 1;
    if (a->leaves != b->leaves)
        return a->leaves < b->leaves ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* `all` gets an entry for each node, of which those with several leaves below come first and
 * sorted. */
static uint32_t list_candidates(oc_candidate *all, const oc_arrangement *arrangement)
{
    const oc_arranged_node *nodes = arrangement->nodes;
    uint32_t count = 0;
    for (uint32_t k = 0; k < arrangement->count; k++) {
        all[k] = (oc_candidate){.node = k, .leaves = nodes[k].leaves > 0};
        if (k == 0)
            continue;
        const oc_candidate *above = &all[nodes[k].given.parent];
        all[k].depth = above->depth + !nodes[k].alike;
        all[k].groups = nodes[k].alike ? above->groups + 1 : 0;
    }
    for (uint32_t k = arrangement->count; k-- > 1;)
        all[nodes[k].given.parent].leaves += all[k].leaves;
    for (uint32_t k = 0; k < arrangement->count; k++)
        if (nodes[k].child_count > 0 && all[k].leaves > 1)
            all[count++] = all[k];
    qsort(all, count, sizeof *all, compare_candidates);
    return count;
}

static ocelotl_status name_run(const char **name, oc_arrangement *arrangement, uint32_t first,
                               uint32_t last)
{
    oc_text text = {0};
    oc_text_format(&text, "%s..%s", arrangement->nodes[first].given.name,
                   arrangement->nodes[last].given.name);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_arrangement_keep(name, arrangement, text.bytes);
    oc_text_free(&text);
    return status;
}

/* Siblings that follow each other become so many leaves. */
static ocelotl_status merge_runs(oc_arrangement *arrangement, uint32_t parent,
                                 const uint32_t *children, uint32_t count, uint32_t runs)
{
    for (uint32_t run = 0; run < runs; run++) {
        const uint32_t first = (uint32_t)((uint64_t)count * run / runs);
        const uint32_t end = (uint32_t)((uint64_t)count * (run + 1) / runs);
        const char *name;
        uint32_t node;
        if (end - first < 2)
            continue;
        OC_TRY(name_run(&name, arrangement, children[first], children[end - 1]));
        OC_TRY(oc_arrangement_add(&node, arrangement, parent, name,
                                  arrangement->nodes[children[first]].given.kind,
                                  arrangement->nodes[children[first]].rank));
        arrangement->nodes[node].merged = true;
        for (uint32_t i = first; i < end; i++)
            arrangement->nodes[children[i]].given.parent = node;
    }
    return OCELOTL_OK;
}

static ocelotl_status merge_children(oc_arrangement *arrangement, uint32_t parent, uint32_t runs)
{
    uint32_t *children;
    uint32_t count = 0;
    OC_TRY(oc_allocate(&children, arrangement->nodes[parent].child_count, sizeof *children));
    for (uint32_t k = parent + 1; count < arrangement->nodes[parent].child_count; k++)
        if (arrangement->nodes[k].given.parent == parent)
            children[count++] = k;
    const ocelotl_status status = merge_runs(arrangement, parent, children, count, runs);
    free(children);
    return status;
}

/* A node that has very many children is not given up as a whole: less than half of what is allowed
 * would be left. */
static ocelotl_status mark(oc_arrangement *arrangement, const oc_candidate *candidates,
                           uint32_t count, uint32_t most)
{
    uint32_t leaves = 0;
    for (uint32_t k = 0; k < arrangement->count; k++)
        leaves += oc_arranged_is_leaf(&arrangement->nodes[k]);
    for (uint32_t i = 0; i < count && leaves > most; i++) {
        oc_arranged_node *node = &arrangement->nodes[candidates[i].node];
        const uint32_t left = leaves - (node->child_count - 1);
        if (left < most && left < (most + 1) / 2)
            return merge_children(arrangement, candidates[i].node,
                                  node->child_count - (leaves - most));
        node->merged = true;
        leaves = left;
    }
    return OCELOTL_OK;
}

/* What is below a merged node is in it. Parents come before their children. */
static ocelotl_status move_leaves(oc_arrangement *arrangement)
{
    uint32_t *target;
    OC_TRY(oc_allocate(&target, arrangement->count, sizeof *target));
    for (uint32_t k = 1; k < arrangement->count; k++) {
        const uint32_t above = target[arrangement->nodes[k].given.parent];
        target[k] = arrangement->nodes[above].merged ? above : k;
    }
    for (uint32_t leaf = 0; leaf < arrangement->model->matrix.tree.leaf_count[0]; leaf++)
        arrangement->place[leaf] = target[arrangement->place[leaf]];
    free(target);
    return OCELOTL_OK;
}

ocelotl_status oc_merge_leaves(oc_arrangement *arrangement, uint32_t most)
{
    oc_candidate *candidates;
    OC_TRY(oc_allocate(&candidates, arrangement->count, sizeof *candidates));
    const uint32_t count = list_candidates(candidates, arrangement);
    ocelotl_status status = mark(arrangement, candidates, count, most);
    free(candidates);
    if (status == OCELOTL_OK)
        status = oc_arrangement_settle(arrangement);
    return status == OCELOTL_OK ? move_leaves(arrangement) : status;
}

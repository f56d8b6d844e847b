#include "base/memory.h"
#include "model/hierarchy/arrange.h"

#include <stdlib.h>
#include <string.h>

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

/* Lists all nodes. Those with several leaves below come first, sorted; returns their number. */
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

/* Merges runs of neighbouring siblings into `runs` leaves. */
static ocelotl_status merge_children(oc_arrangement *arrangement, uint32_t parent, uint32_t runs)
{
    uint32_t *children;
    const uint32_t count = arrangement->nodes[parent].child_count;
    ocelotl_status status = OCELOTL_OK;
    OC_TRY(oc_allocate(&children, count, sizeof *children));
    for (uint32_t k = parent + 1, i = 0; i < count; k++)
        if (arrangement->nodes[k].given.parent == parent)
            children[i++] = k;
    for (uint32_t run = 0; run < runs && status == OCELOTL_OK; run++) {
        const uint32_t begin = (uint32_t)((uint64_t)count * run / runs);
        const uint32_t end = (uint32_t)((uint64_t)count * (run + 1) / runs);
        if (end - begin < 2)
            continue;
        const oc_arranged_node first = arrangement->nodes[children[begin]];
        uint32_t node = 0;
        oc_text name = {0};
        oc_text_format(&name, "%s..%s", first.given.name,
                       arrangement->nodes[children[end - 1]].given.name);
        status =
            oc_arrangement_add(&node, arrangement, parent, oc_arrangement_take(arrangement, &name),
                               first.given.kind, first.rank);
        if (status != OCELOTL_OK)
            break;
        arrangement->nodes[node].merged = true;
        for (uint32_t i = begin; i < end; i++)
            arrangement->nodes[children[i]].given.parent = node;
    }
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

/* Merges the marked nodes with all below them. Parents come before their children. */
ocelotl_status oc_merge_marked(oc_arrangement *arrangement)
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
    return status == OCELOTL_OK ? oc_merge_marked(arrangement) : status;
}

typedef struct oc_life {
    uint32_t leaf, node, parent;
    const char *kind;
    int64_t begin, end;
} oc_life;

/* A row, and when it is free again. */
typedef struct oc_free_row {
    int64_t end;
    uint32_t node;
} oc_free_row;

/* Sorts lives that could share rows together, the earliest first. */
static int compare_lives(const void *left, const void *right)
{
    const oc_life *a = left;
    const oc_life *b = right;
    const int kinds = strcmp(a->kind, b->kind);
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    if (kinds != 0)
        return kinds;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static bool is_freed_before(const oc_free_row *a, const oc_free_row *b)
{
    return a->end != b->end ? a->end < b->end : a->node < b->node;
}

/* The rows are a heap, the one that was free first on top. */
static void sink(oc_free_row *rows, uint32_t count, uint32_t i)
{
    for (;;) {
        const size_t left = 2 * (size_t)i + 1;
        size_t first = i;
        for (size_t child = left; child < count && child <= left + 1; child++)
            if (is_freed_before(&rows[child], &rows[first]))
                first = child;
        if (first == i)
            return;
        const oc_free_row other = rows[i];
        rows[i] = rows[first];
        rows[first] = other;
        i = (uint32_t)first;
    }
}

static void rise(oc_free_row *rows, uint32_t i)
{
    while (i > 0 && is_freed_before(&rows[i], &rows[(i - 1) / 2])) {
        const oc_free_row other = rows[i];
        rows[i] = rows[(i - 1) / 2];
        rows[(i - 1) / 2] = other;
        i = (i - 1) / 2;
    }
}

/* Gives each leaf the row that is free for the longest time, or a new one. */
static void share_rows(oc_arrangement *arrangement, oc_free_row *rows, const oc_life *lives,
                       uint32_t count)
{
    uint32_t row_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const oc_life *life = &lives[i];
        const bool other = i == 0 || lives[i - 1].parent != life->parent ||
                           strcmp(lives[i - 1].kind, life->kind) != 0;
        row_count = other ? 0 : row_count;
        if (row_count > 0 && rows[0].end <= life->begin) {
            arrangement->place[life->leaf] = rows[0].node;
            rows[0].end = life->end;
            sink(rows, row_count, 0);
            continue;
        }
        rows[row_count] = (oc_free_row){life->end, life->node};
        rise(rows, row_count++);
    }
}

static uint32_t list_lives(oc_life *lives, const oc_arrangement *arrangement,
                           const ocelotl_trace *trace)
{
    uint32_t count = 0;
    for (uint32_t leaf = 0; leaf < arrangement->model->matrix.tree.leaf_count[0]; leaf++) {
        const uint32_t node = arrangement->place[leaf];
        const oc_given_node *given = &arrangement->nodes[node].given;
        if (given->source >= trace->resource_count)
            continue;
        const ocelotl_resource *resource = &trace->resources[given->source];
        lives[count++] =
            (oc_life){leaf, node, given->parent, given->kind, resource->begin, resource->end};
    }
    return count;
}

ocelotl_status oc_reuse_rows(oc_arrangement *arrangement, const ocelotl_trace *trace)
{
    const uint32_t leaves = arrangement->model->matrix.tree.leaf_count[0];
    oc_life *lives;
    oc_free_row *rows;
    oc_arena arena = {0};
    ocelotl_status status = oc_arena_allocate(&lives, &arena, leaves, sizeof *lives);
    if (status == OCELOTL_OK)
        status = oc_arena_allocate(&rows, &arena, leaves, sizeof *rows);
    if (status == OCELOTL_OK) {
        const uint32_t count = list_lives(lives, arrangement, trace);
        qsort(lives, count, sizeof *lives, compare_lives);
        share_rows(arrangement, rows, lives, count);
    }
    oc_arena_free(&arena);
    return status;
}

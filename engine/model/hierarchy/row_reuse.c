/* Rows for resources that live one after the other. */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

/* Those that could share rows come together, the earliest first. */
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

/* Each takes the row that is free for the longest time, or a new one. */
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
    oc_life *lives = NULL;
    oc_free_row *rows = NULL;
    ocelotl_status status = oc_allocate(&lives, leaves, sizeof *lives);
    if (status == OCELOTL_OK)
        status = oc_allocate(&rows, leaves, sizeof *rows);
    if (status == OCELOTL_OK) {
        const uint32_t count = list_lives(lives, arrangement, trace);
        qsort(lives, count, sizeof *lives, compare_lives);
        share_rows(arrangement, rows, lives, count);
    }
    free(lives);
    free(rows);
    return status;
}

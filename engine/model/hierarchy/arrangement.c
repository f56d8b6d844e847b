/* The list of nodes that is put in order, and the ranks of siblings. */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/weighed.h"

#include <stdlib.h>
#include <string.h>

void oc_arrangement_free(oc_arrangement *arrangement)
{
    oc_arena_free(&arrangement->arena);
    *arrangement = (oc_arrangement){0};
}

static void count_leaves(oc_arrangement *arrangement)
{
    oc_arranged_node *nodes = arrangement->nodes;
    for (uint32_t k = 0; k < arrangement->count; k++) {
        nodes[k].leaves = 0;
        nodes[k].first_leaf = OCELOTL_NONE;
        nodes[k].child_count = 0;
    }
    for (uint32_t leaf = arrangement->model->matrix.tree.leaf_count[0]; leaf-- > 0;) {
        oc_arranged_node *node = &nodes[arrangement->place[leaf]];
        node->leaves++;
        node->first_leaf = leaf;
    }
    for (uint32_t k = 1; k < arrangement->count; k++)
        nodes[nodes[k].given.parent].child_count++;
}

ocelotl_status oc_arrangement_begin(oc_arrangement *arrangement, const ocelotl_model *model)
{
    const oc_tree *tree = &model->matrix.tree;
    arrangement->model = model;
    OC_TRY(oc_arena_allocate(&arrangement->place, &arrangement->arena, tree->leaf_count[0],
                             sizeof *arrangement->place));
    OC_TRY(oc_arena_grow(&arrangement->nodes, &arrangement->capacity, &arrangement->arena,
                         tree->node_count, sizeof *arrangement->nodes));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const oc_model_node *node = &model->nodes[k];
        const size_t length = strlen(node->path);
        const bool own_leaf = tree->parent[k] != OCELOTL_ROOT && strcmp(node->name, ".") == 0 &&
                              length > 1 && strcmp(node->path + length - 2, "/.") == 0 &&
                              node->source == model->nodes[tree->parent[k]].source;
        arrangement->nodes[k] = (oc_arranged_node){
            .given = {tree->parent[k], node->name, node->kind, node->source, own_leaf},
            .path = node->path,
            .rank = k,
            .alike = node->alike,
        };
        if (oc_tree_is_leaf(tree, k))
            arrangement->place[tree->leaf_first[k]] = k;
    }
    arrangement->count = tree->node_count;
    count_leaves(arrangement);
    return OCELOTL_OK;
}

ocelotl_status oc_arrangement_add(uint32_t *node, oc_arrangement *arrangement, uint32_t parent,
                                  const char *name, const char *kind, uint32_t rank)
{
    OC_TRY(oc_arena_grow(&arrangement->nodes, &arrangement->capacity, &arrangement->arena,
                         (size_t)arrangement->count + 1, sizeof *arrangement->nodes));
    *node = arrangement->count++;
    arrangement->nodes[*node] = (oc_arranged_node){
        .given = {.parent = parent, .name = name, .kind = kind, .source = OCELOTL_NONE},
        .rank = rank,
        .first_leaf = OCELOTL_NONE,
    };
    return OCELOTL_OK;
}

const char *oc_arrangement_take(oc_arrangement *arrangement, oc_text *text)
{
    const char *taken = oc_arena_copy_bytes(&arrangement->arena,
                                            text->bytes != NULL ? text->bytes : "", text->length);
    arrangement->arena.failed = arrangement->arena.failed || text->failed;
    oc_text_free(text);
    return taken;
}

const char *oc_arrangement_path(oc_arrangement *arrangement, uint32_t parent, const char *name)
{
    const char *above = arrangement->nodes[parent].path;
    oc_text path = {0};
    oc_text_add(&path, above);
    oc_text_add(&path, above[0] != '\0' ? "/" : "");
    oc_text_add_path_step(&path, name);
    return oc_arrangement_take(arrangement, &path);
}

/* The nodes while they are put in order. */
typedef struct oc_settling {
    uint64_t *order;  /* by rank, with the node below */
    uint32_t *first;  /* child of each node, OCELOTL_NONE: none */
    uint32_t *next;   /* sibling */
    uint32_t *number; /* by node: its final number */
    bool *needed;     /* by node: it is a leaf or has one below */
    oc_arranged_node *nodes;
} oc_settling;

/* The nearest ancestor that stays. Those passed are pointed there, so that a long chain is walked
 * once. */
static uint32_t find_parent(oc_arranged_node *nodes, uint32_t k)
{
    uint32_t parent = nodes[k].given.parent;
    while (nodes[parent].dropped)
        parent = nodes[parent].given.parent;
    while (nodes[k].given.parent != parent) {
        const uint32_t passed = nodes[k].given.parent;
        nodes[k].given.parent = parent;
        k = passed;
    }
    return parent;
}

static void link_children(oc_settling *settling, oc_arrangement *arrangement)
{
    for (uint32_t k = 0; k < arrangement->count; k++)
        settling->first[k] = settling->next[k] = OCELOTL_NONE;
    for (uint32_t i = arrangement->count; i-- > 0;) {
        const uint32_t k = (uint32_t)settling->order[i];
        if (k == 0 || arrangement->nodes[k].dropped)
            continue;
        const uint32_t parent = find_parent(arrangement->nodes, k);
        settling->next[k] = settling->first[parent];
        settling->first[parent] = k;
    }
}

/* Says of every node on the way whether a leaf is below it. */
static void mark_needed(oc_settling *settling, const oc_arrangement *arrangement)
{
    settling->needed[0] = true;
    for (uint32_t leaf = 0; leaf < arrangement->model->matrix.tree.leaf_count[0]; leaf++)
        for (uint32_t k = arrangement->place[leaf]; !settling->needed[k];
             k = arrangement->nodes[k].given.parent)
            settling->needed[k] = true;
}

static uint32_t walk(oc_settling *settling, const oc_arrangement *arrangement)
{
    uint32_t count = 0;
    uint32_t k = 0;
    while (k != OCELOTL_NONE) {
        const oc_arranged_node *node = &arrangement->nodes[k];
        const bool needed = settling->needed[k];
        if (needed) {
            settling->number[k] = count;
            settling->nodes[count] = *node;
            settling->nodes[count].rank = count;
            if (k > 0)
                settling->nodes[count].given.parent = settling->number[node->given.parent];
            count++;
        }
        if (needed && settling->first[k] != OCELOTL_NONE) {
            k = settling->first[k];
            continue;
        }
        while (k > 0 && settling->next[k] == OCELOTL_NONE)
            k = arrangement->nodes[k].given.parent;
        k = k > 0 ? settling->next[k] : OCELOTL_NONE;
    }
    return count;
}

static ocelotl_status settle(oc_settling *settling, oc_arena *arena, oc_arrangement *arrangement)
{
    const uint32_t count = arrangement->count;
    OC_TRY(oc_arena_status(&arrangement->arena));
    OC_TRY(oc_arena_allocate(&settling->order, arena, count, sizeof *settling->order));
    OC_TRY(oc_arena_allocate(&settling->first, arena, count, sizeof *settling->first));
    OC_TRY(oc_arena_allocate(&settling->next, arena, count, sizeof *settling->next));
    OC_TRY(oc_arena_allocate(&settling->number, arena, count, sizeof *settling->number));
    OC_TRY(oc_arena_allocate(&settling->needed, arena, count, sizeof *settling->needed));
    OC_TRY(oc_arena_allocate(&settling->nodes, arena, count, sizeof *settling->nodes));
    for (uint32_t k = 0; k < count; k++)
        settling->order[k] = (uint64_t)arrangement->nodes[k].rank << 32 | k;
    qsort(settling->order, count, sizeof *settling->order, oc_compare_counts);
    link_children(settling, arrangement);
    mark_needed(settling, arrangement);
    arrangement->count = walk(settling, arrangement);
    for (uint32_t leaf = 0; leaf < arrangement->model->matrix.tree.leaf_count[0]; leaf++)
        arrangement->place[leaf] = settling->number[arrangement->place[leaf]];
    memcpy(arrangement->nodes, settling->nodes, arrangement->count * sizeof *settling->nodes);
    count_leaves(arrangement);
    return OCELOTL_OK;
}

ocelotl_status oc_arrangement_settle(oc_arrangement *arrangement)
{
    oc_settling settling = {0};
    oc_arena arena = {0};
    const ocelotl_status status = settle(&settling, &arena, arrangement);
    oc_arena_free(&arena);
    return status;
}

/* --- The ranks of siblings */

/* A node to be sorted. */
typedef struct oc_ordered {
    uint32_t node;
    const char *name;
    int64_t begin;
    double activity;
} oc_ordered;

/* Compares two numbers in digits; *a and *b move behind them. */
static int compare_numbers(const char **a, const char **b)
{
    while (**a == '0')
        ++*a;
    while (**b == '0')
        ++*b;
    const size_t a_digits = strspn(*a, "0123456789");
    const size_t b_digits = strspn(*b, "0123456789");
    const int compared =
        a_digits != b_digits ? (a_digits < b_digits ? -1 : 1) : strncmp(*a, *b, a_digits);
    *a += a_digits;
    *b += b_digits;
    return compared;
}

/* Numbers in names count as such: rank 2 comes before rank 10. */
static int compare_names(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (oc_is_digit(*a) && oc_is_digit(*b)) {
            const int compared = compare_numbers(&a, &b);
            if (compared != 0)
                return compared;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int by_number(const oc_ordered *a, const oc_ordered *b)
{
    return (a->node > b->node) - (a->node < b->node);
}

static int by_name(const void *left, const void *right)
{
    const oc_ordered *a = left;
    const oc_ordered *b = right;
    const int compared = compare_names(a->name, b->name);
    return compared != 0 ? compared : by_number(a, b);
}

static int by_begin(const void *left, const void *right)
{
    const oc_ordered *a = left;
    const oc_ordered *b = right;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1) : by_number(a, b);
}

static int by_activity(const void *left, const void *right)
{
    const oc_ordered *a = left;
    const oc_ordered *b = right;
    return a->activity != b->activity ? (a->activity > b->activity ? -1 : 1) : by_number(a, b);
}

/* Adds up the activity of leaves, without untraced time, for all nodes above. */
static void find_activity(oc_ordered *ordered, const oc_arrangement *arrangement)
{
    const ocelotl_model *model = arrangement->model;
    const oc_matrix *matrix = &model->matrix;
    for (size_t s = 0; s < matrix->series_count; s++) {
        const oc_series *series = &matrix->series[s];
        if (series->type >= model->type_count || model->types[series->type].untraced)
            continue;
        double *activity = &ordered[arrangement->place[series->leaf]].activity;
        for (size_t c = series->first; c < series[1].first; c++)
            *activity += matrix->cell_value[c];
    }
    for (uint32_t k = arrangement->count; k-- > 1;)
        ordered[arrangement->nodes[k].given.parent].activity += ordered[k].activity;
}

/* A node begins with the first of its leaves. */
static void find_begins(oc_ordered *ordered, const oc_arrangement *arrangement,
                        const ocelotl_trace *trace)
{
    const ocelotl_model *model = arrangement->model;
    const oc_tree *tree = &model->matrix.tree;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const uint32_t source = model->nodes[k].source;
        if (!oc_tree_is_leaf(tree, k) || source >= trace->resource_count)
            continue;
        int64_t *begin = &ordered[arrangement->place[tree->leaf_first[k]]].begin;
        *begin = trace->resources[source].begin < *begin ? trace->resources[source].begin : *begin;
    }
    for (uint32_t k = arrangement->count; k-- > 1;) {
        int64_t *begin = &ordered[arrangement->nodes[k].given.parent].begin;
        *begin = ordered[k].begin < *begin ? ordered[k].begin : *begin;
    }
}

/* Sorted among all nodes, siblings are sorted too. */
ocelotl_status oc_order_siblings(oc_arrangement *arrangement, const ocelotl_trace *trace,
                                 ocelotl_order order)
{
    oc_ordered *ordered;
    OC_TRY(oc_allocate(&ordered, arrangement->count, sizeof *ordered));
    for (uint32_t k = 0; k < arrangement->count; k++)
        ordered[k] = (oc_ordered){k, arrangement->nodes[k].given.name, INT64_MAX, 0};
    if (order == OCELOTL_ORDER_BEGIN)
        find_begins(ordered, arrangement, trace);
    if (order == OCELOTL_ORDER_ACTIVITY)
        find_activity(ordered, arrangement);
    qsort(ordered, arrangement->count, sizeof *ordered,
          order == OCELOTL_ORDER_NAME    ? by_name
          : order == OCELOTL_ORDER_BEGIN ? by_begin
                                         : by_activity);
    for (uint32_t i = 0; i < arrangement->count; i++)
        arrangement->nodes[ordered[i].node].rank = i;
    free(ordered);
    return OCELOTL_OK;
}

#include "model/hierarchy/arrange.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A node to be sorted. */
typedef struct oc_ordered {
    uint32_t node;
    const char *name;
    int64_t begin;
    double activity;
} oc_ordered;

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* Of two numbers in digits. *a and *b move behind them. */
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
        if (is_digit(*a) && is_digit(*b)) {
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

/* What leaves hold, less what is untraced, goes up to all above them. */
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
static void sort(oc_arrangement *arrangement, oc_ordered *ordered, ocelotl_order order)
{
    qsort(ordered, arrangement->count, sizeof *ordered,
          order == OCELOTL_ORDER_NAME    ? by_name
          : order == OCELOTL_ORDER_BEGIN ? by_begin
                                         : by_activity);
    for (uint32_t i = 0; i < arrangement->count; i++)
        arrangement->nodes[ordered[i].node].rank = i;
}

ocelotl_status oc_order_siblings(oc_arrangement *arrangement, const ocelotl_trace *trace,
                                 ocelotl_order order)
{
    oc_ordered *ordered;
    if (order == OCELOTL_ORDER_TRACE)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&ordered, arrangement->count, sizeof *ordered));
    for (uint32_t k = 0; k < arrangement->count; k++)
        ordered[k] = (oc_ordered){k, arrangement->nodes[k].given.name, INT64_MAX, 0};
    if (order == OCELOTL_ORDER_BEGIN)
        find_begins(ordered, arrangement, trace);
    if (order == OCELOTL_ORDER_ACTIVITY)
        find_activity(ordered, arrangement);
    sort(arrangement, ordered, order);
    free(ordered);
    return OCELOTL_OK;
}

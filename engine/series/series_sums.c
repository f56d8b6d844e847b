#include "series/series_sums.h"

#include "base/memory.h"

#include <math.h>

ocelotl_status oc_series_sums_make(oc_series_sum **tree, uint32_t members)
{
    return oc_allocate(tree, 2 * (size_t)members, sizeof **tree);
}

static oc_series_sum join(const oc_series_sum *a, const oc_series_sum *b)
{
    if (a->count == 0 || b->count == 0)
        return a->count == 0 ? *b : *a;
    return (oc_series_sum){a->sum + b->sum, b->low < a->low ? b->low : a->low,
                           b->high > a->high ? b->high : a->high, a->count + b->count};
}

void oc_series_sums_set(oc_series_sum *tree, uint32_t members, uint32_t member, double value)
{
    size_t node = (size_t)members + member;
    tree[node] = isnan(value) ? (oc_series_sum){0} : (oc_series_sum){value, value, value, 1};
    for (node /= 2; node > 0; node /= 2)
        tree[node] = join(&tree[2 * node], &tree[2 * node + 1]);
}

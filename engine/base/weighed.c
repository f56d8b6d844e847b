#include "base/weighed.h"

#include <stdint.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const oc_weighed *a = left;
    const oc_weighed *b = right;
    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

void oc_sort_weighed(oc_weighed *all, size_t count)
{
    if (count > 1)
        qsort(all, count, sizeof *all, compare);
}

int oc_compare_counts(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

int oc_compare_indices(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

int oc_compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int oc_compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

#include "base/weighed.h"

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

#include "answer/answer.h"

#include <math.h>

static bool is_before(const oc_ranked *a, const oc_ranked *b)
{
    if (isnan(a->value) || isnan(b->value))
        return !isnan(a->value) || (isnan(b->value) && a->index < b->index);
    return a->value > b->value || (!(a->value < b->value) && a->index < b->index);
}

uint32_t oc_rank(oc_ranked *first, uint32_t kept, uint32_t most, oc_ranked one)
{
    uint32_t place = kept;
    while (place > 0 && is_before(&one, &first[place - 1]))
        place--;
    if (place == most)
        return kept;
    kept += kept < most;
    for (uint32_t k = kept - 1; k > place; k--)
        first[k] = first[k - 1];
    first[place] = one;
    return kept;
}

#include "aggregate/extract/block_set.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_block_set_begin(oc_block_set *set, uint32_t slices)
{
    const size_t words = (oc_intervals(slices) + 63) / 64;
    OC_TRY(oc_grow(&set->bits, &set->bit_capacity, words, sizeof *set->bits));
    OC_TRY(oc_grow(&set->before, &set->before_capacity, words, sizeof *set->before));
    memset(set->bits, 0, words * sizeof *set->bits);
    set->slices = slices;
    set->words = words;
    return OCELOTL_OK;
}

size_t oc_block_set_number(oc_block_set *set)
{
    size_t count = 0;
    for (size_t w = 0; w < set->words; w++) {
        set->before[w] = count;
        count += (size_t)__builtin_popcountll(set->bits[w]);
    }
    return count;
}

void oc_block_set_free(oc_block_set *set)
{
    free(set->bits);
    free(set->before);
    *set = (oc_block_set){0};
}

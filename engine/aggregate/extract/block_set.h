/* A set of blocks of slices, numbered by their first slice, then by their last one. */
#ifndef OC_AGGREGATE_EXTRACT_BLOCK_SET_H
#define OC_AGGREGATE_EXTRACT_BLOCK_SET_H

#include "aggregate/vector/intervals.h"
#include "base/status.h"

/* A bit for each block within some slices; zero-initialised. */
typedef struct oc_block_set {
    uint32_t slices;
    uint64_t *bits; /* of packed intervals */
    size_t *before; /* of each word of them: blocks of the words before it */
    size_t words, bit_capacity, before_capacity;
} oc_block_set;

/* Makes it the empty set, of blocks within so many slices. */
ocelotl_status oc_block_set_begin(oc_block_set *set, uint32_t slices);

/* Numbers the blocks, once all are there, and counts them. */
size_t oc_block_set_number(oc_block_set *set);

void oc_block_set_free(oc_block_set *set);

static inline size_t oc_block_set_place(const oc_block_set *set, uint32_t first, uint32_t last)
{
    return oc_row(set->slices, first) + (last - first);
}

static inline void oc_block_set_add(oc_block_set *set, uint32_t first, uint32_t last)
{
    const size_t place = oc_block_set_place(set, first, last);
    set->bits[place / 64] |= (uint64_t)1 << place % 64;
}

/* The number of a block of the set. */
static inline size_t oc_block_set_number_of(const oc_block_set *set, uint32_t first, uint32_t last)
{
    const size_t place = oc_block_set_place(set, first, last);
    const uint64_t below = ((uint64_t)1 << place % 64) - 1;
    return set->before[place / 64] + (size_t)__builtin_popcountll(set->bits[place / 64] & below);
}

#endif

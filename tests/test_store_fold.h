/* Sums over what is open, as slow as they are simple. */
#ifndef OC_TESTS_TEST_STORE_FOLD_H
#define OC_TESTS_TEST_STORE_FOLD_H

#include "store/codec/fold.h"

/* Summed durations of a value's states or links up to fold->time, those still open included. */
static inline int64_t fold_inclusive(const oc_fold *fold, size_t total)
{
    uint64_t sum = (uint64_t)fold->totals[total].closed;
    for (size_t i = 0; i < fold->open.count; i++)
        if (oc_fold_open(fold, i)->total == total)
            sum += (uint64_t)fold->time - (uint64_t)oc_fold_open(fold, i)->begin;
    return (int64_t)sum;
}

#endif

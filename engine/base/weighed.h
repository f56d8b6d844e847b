/* Things by their weight, and numbers by their size. */
#ifndef OC_BASE_WEIGHED_H
#define OC_BASE_WEIGHED_H

#include <stddef.h>

/* The weight of a thing, and where it is. */
typedef struct oc_weighed {
    double weight;
    size_t place;
} oc_weighed;

/* Sorts things, the heaviest first; of equals that which comes first. O(count log count). */
void oc_sort_weighed(oc_weighed *all, size_t count);

/* Orders for qsort: of uint64_t, uint32_t, int64_t and double. */
int oc_compare_counts(const void *left, const void *right);
int oc_compare_indices(const void *left, const void *right);
int oc_compare_times(const void *left, const void *right);
int oc_compare_numbers(const void *left, const void *right);

#endif

/* Things by their weight. */
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

#endif

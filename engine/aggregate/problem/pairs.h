/* Sums over the children of a node, in a shape that their number alone decides: children 0 and 1, 2
 * and 3, .. are added, then pairs of pairs, and so on; what has no neighbour goes up as it is. So
 * the sum is the same bits whichever thread or rank adds which children, and in whatever order. */
#ifndef OC_AGGREGATE_PROBLEM_PAIRS_H
#define OC_AGGREGATE_PROBLEM_PAIRS_H

#include "base/exchange.h"

/* The sum of the children index << level .. ((index + 1) << level) - 1, as far as there are. */
typedef struct oc_partial {
    uint32_t level, index;
    void *sum;
} oc_partial;

/* What is known of the sum over all children. Zero-initialised nothing is. */
typedef struct oc_partials {
    oc_partial *list;
    size_t count, capacity;
} oc_partials;

/* How sums are added, and passed to other ranks. */
typedef struct oc_summing {
    /* Adds to a sum its right neighbour, which is given up. */
    ocelotl_status (*add)(void *context, void *sum, void *right);
    ocelotl_status (*send)(void *context, const ocelotl_exchange *exchange, uint32_t to,
                           const void *sum);
    ocelotl_status (*receive)(void *context, const ocelotl_exchange *exchange, uint32_t from,
                              void **sum);
    void (*give_up)(void *context, void *sum);
    void *context;
} oc_summing;

/* Takes a partial sum, which is the list's from then on, and adds what has its neighbour. */
ocelotl_status oc_partials_take(oc_partials *partials, const oc_summing *summing,
                                oc_partial partial, uint32_t children);

/* Whether the children are all added: the sum is then that of the first partial. */
static inline bool oc_partials_are_whole(const oc_partials *partials, uint32_t children)
{
    return partials->count == 1 && partials->list[0].index == 0 &&
           ((uint64_t)1 << partials->list[0].level) >= children;
}

/* Brings together what the ranks know: rank 0 gets the whole, and the others give theirs up. */
ocelotl_status oc_partials_exchange(oc_partials *partials, const oc_summing *summing,
                                    uint32_t children, const ocelotl_exchange *exchange);

/* Gives up all sums; the memory of the list stays. */
void oc_partials_clear(oc_partials *partials, const oc_summing *summing);

#endif

/* Which siblings are solved together.
 *
 * Siblings are solved by bundles, one thread each, and added up: one by one, handing them over to
 * their parent would cost more than solving. A parent's bundles are added to it in their order. All
 * of this depends on the model alone, for the order of sums does. */
#ifndef OC_AGGREGATE_SOLVER_BUNDLES_H
#define OC_AGGREGATE_SOLVER_BUNDLES_H

#include "aggregate/problem/problem.h"

/* Siblings that are solved together: places in by_height. */
typedef struct oc_bundle {
    uint32_t begin, end;
    bool is_first; /* of its parent's */
    size_t next;   /* of its parent's, or SIZE_MAX */
} oc_bundle;

/* Of all nodes but the root and those that are never asked for. */
typedef struct oc_bundles {
    oc_bundle *bundle;
    size_t count, capacity;
    /* where those of each height begin; the root's height has none, and ends the last */
    size_t *height_first;
    size_t *first_of_inner; /* of each inner node, by number, the first bundle of its children */
} oc_bundles;

/* Zero-initialised before. */
ocelotl_status oc_bundles_make(oc_bundles *bundles, const ocelotl_aggregation *aggregation);
void oc_bundles_free(oc_bundles *bundles);

#endif

/* Leaves of a model are filled by threads: some leaves at a time, each thread by a connection of
 * its own to the trace. */
#ifndef OC_MODEL_METRICS_LEAF_BLOCKS_H
#define OC_MODEL_METRICS_LEAF_BLOCKS_H

#include "model/metrics/filling.h"

/* Fills the leaves first .. end - 1 in this order: adds to the sums and drawn cells of a filling
 * that is the caller's but for these and for the trace, which belongs to one thread. `context` is
 * read by all threads. */
typedef ocelotl_status (*oc_fill_block)(oc_filling *filling, uint32_t first, uint32_t end,
                                        const void *context);

/* Has all leaves filled, and adds what they hold to `filling` in the order of leaves: the same for
 * any number of threads. Where the streams of the metric have few records there is one thread.
 * Errors: the first one met; IO, INPUT where the file is not the same trace any more. */
ocelotl_status oc_fill_leaves(oc_filling *filling, oc_fill_block fill, const void *context);

#endif

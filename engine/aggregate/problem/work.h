/* Work that threads share and somebody waits for. */
#ifndef OC_AGGREGATE_PROBLEM_WORK_H
#define OC_AGGREGATE_PROBLEM_WORK_H

#include "aggregate/problem/problem.h"

typedef struct oc_work {
    const ocelotl_aggregation *aggregation;
    uint64_t done; /* nodes */
    int failed, cancelled;
} oc_work;

/* Counts nodes that are done, reports progress and learns of a cancellation: by the thread that
 * made the call alone. */
void oc_work_done(oc_work *work, uint32_t nodes);

void oc_work_fail(oc_work *work);
bool oc_work_is_stopped(const oc_work *work);

/* What became of it. Fails as cancelled, or for want of memory: nothing else goes wrong. */
ocelotl_status oc_work_status(const oc_work *work);

#endif

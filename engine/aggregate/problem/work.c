#include "aggregate/problem/work.h"

#include <omp.h>

void oc_work_done(oc_work *work, uint32_t nodes)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    uint64_t done;
#pragma omp atomic capture
    {
        work->done += nodes;
        done = work->done;
    }
    if (aggregation->progress == NULL || omp_get_thread_num() != 0)
        return;
    if (!aggregation->progress(aggregation->progress_context, done, aggregation->nodes.count)) {
#pragma omp atomic write
        work->cancelled = 1;
    }
}

void oc_work_fail(oc_work *work)
{
#pragma omp atomic write
    work->failed = 1;
}

bool oc_work_is_stopped(const oc_work *work)
{
    int failed, cancelled;
#pragma omp atomic read
    failed = work->failed;
#pragma omp atomic read
    cancelled = work->cancelled;
    return failed || cancelled;
}

ocelotl_status oc_work_status(const oc_work *work)
{
    if (work->cancelled)
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled after %llu nodes of %u",
                       (unsigned long long)work->done, work->aggregation->nodes.count);
    return work->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* One progress over several pieces of work, which each count their own from 0. */
#ifndef OC_MODEL_HIERARCHY_SHARE_PROGRESS_H
#define OC_MODEL_HIERARCHY_SHARE_PROGRESS_H

#include <ocelotl/status.h>

typedef struct oc_shared_progress {
    ocelotl_progress progress; /* NULL: none */
    void *context;
    uint64_t done, total; /* before the piece at hand, and in all */
    uint64_t piece;       /* what it counts for */
} oc_shared_progress;

/* What a piece of work is given as its progress, with an oc_shared_progress as context. */
static inline bool oc_share_progress(void *context, uint64_t done, uint64_t total)
{
    const oc_shared_progress *shared = context;
    const uint64_t part = total > 0 ? shared->piece * done / total : shared->piece;
    return shared->progress == NULL ||
           shared->progress(shared->context, shared->done + part, shared->total);
}

#endif

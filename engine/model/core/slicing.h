/* How many slices a model has. */
#ifndef OC_MODEL_CORE_SLICING_H
#define OC_MODEL_CORE_SLICING_H

#include "model/core/model.h"
#include "store/read/slicing.h"
#include "store/trace/trace.h"

typedef struct oc_slice_count {
    uint32_t slices;
    const char *reason; /* why fewer than the default, "" otherwise */
} oc_slice_count;

/* Chooses the number of slices: the one asked for, if it is possible; else the default, or what
 * ticks, memory and patience allow for the leaves left after merging. The model has its tree and
 * its types. `length` is that of the window in ticks. Errors: ARGUMENT for more slices than ticks;
 * LIMIT. */
ocelotl_status oc_count_slices(oc_slice_count *count, const ocelotl_model *model,
                               const ocelotl_trace *trace, uint64_t length,
                               const ocelotl_model_options *options);

#endif

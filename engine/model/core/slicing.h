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

/* --- Windows that leave time out */

/* Divides spans of time, in order and apart, among slices of one length: *pieces are as many, or
 * one, to be freed by free; see ocelotl_model_options. Their times in seconds stay 0. Errors:
 * MEMORY. */
ocelotl_status oc_pieces_divide(ocelotl_piece **pieces, uint32_t *count, const ocelotl_span *spans,
                                size_t span_count, uint32_t slices);

/* The slices of a piece. */
static inline oc_slicing oc_piece_slicing(const ocelotl_piece *piece)
{
    return (oc_slicing){piece->from, (uint64_t)piece->to - (uint64_t)piece->from, piece->slices};
}

/* Joins what is not closed of each piece along time; frees it in any case. */
ocelotl_status oc_pieces_join(oc_cells *joined, oc_cells *cells, const ocelotl_piece *pieces,
                              uint32_t count);

#endif

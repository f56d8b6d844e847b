/* A window of time cut into equal slices, exactly. A boundary between slices is rarely a whole
 * tick; it is kept as ticks and a remainder in units of 1 / slices tick, so that durations in a
 * slice are whole numbers of those units and a slice is `length` of them: nothing is rounded, and a
 * slice filled by one state holds exactly 1. */
#ifndef OC_MODEL_CORE_SLICING_H
#define OC_MODEL_CORE_SLICING_H

#include "model/core/model.h"
#include "store/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct oc_slicing {
    int64_t begin;   /* ticks */
    uint64_t length; /* of the window in ticks, which is that of a slice in units */
    uint32_t slices; /* 1 .. length */
} oc_slicing;

/* An instant, or a span of time: ticks + rest / slices. */
typedef struct oc_instant {
    int64_t ticks;
    uint32_t rest;
} oc_instant;

/* Where slice `index` begins; index == slices is the window's end. */
oc_instant oc_slicing_boundary(const oc_slicing *slicing, uint32_t index);

/* The time between two instants in units; false where it does not fit 64 bits. */
bool oc_slicing_between(int64_t *units, const oc_slicing *slicing, oc_instant from, oc_instant to);

/* How much of the life begin..end (ticks) has passed at an instant. */
oc_instant oc_slicing_lived(oc_instant now, int64_t begin, int64_t end);

/* The slices that a life begin..end (ticks, within the window) touches: *first .. *last - 1, none
 * for a life of no length. O(log slices). */
void oc_slicing_touched(uint32_t *first, uint32_t *last, const oc_slicing *slicing, int64_t begin,
                        int64_t end);

/* The slice of a tick: the last one that begins before it or at it. `boundaries` has slices + 1. 0
 * for a tick before the window, the last slice for one behind. O(1). */
uint32_t oc_slicing_find(const oc_slicing *slicing, const oc_instant *boundaries, int64_t tick);

/* Turns units traced in each slice into units untraced, for the life begin..end (ticks). A slice is
 * lived in or not: one that is lived in counts whole, see ocelotl_model_from_trace. `boundaries`
 * are all slices + 1. */
void oc_slicing_untraced(int64_t *units, const oc_slicing *slicing, const oc_instant *boundaries,
                         int64_t begin, int64_t end);

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

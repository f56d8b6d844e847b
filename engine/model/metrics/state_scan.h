/* The states of a stream one by one, for what running totals cannot tell: how long each lasts, and
 * what of several is open at once. Reads the events of a window, and as many after it as end what
 * is open then. */
#ifndef OC_MODEL_METRICS_STATE_SCAN_H
#define OC_MODEL_METRICS_STATE_SCAN_H

#include "model/core/slicing.h"
#include "store/read/walk.h"

/* Time in a slice. */
typedef struct oc_piece {
    uint32_t slice;
    int64_t units;
} oc_piece;

typedef struct oc_scanned_state {
    uint32_t value; /* may be OCELOTL_NONE */
    int64_t begin, end;
    bool passes;          /* the conditions */
    int64_t within_depth; /* since when it is one of the outermost that count, INT64_MAX: never */
    oc_piece *pieces;     /* of the window, where it is the innermost of them: by slice */
    size_t piece_count, piece_capacity;
} oc_scanned_state;

typedef struct oc_state_scan {
    oc_walk walk; /* with its connection and conditions, and whether only the window is wanted */
    const oc_slicing *slicing;
    const oc_instant *boundaries; /* slices + 1 */
    bool without_pieces;          /* they are not wanted */
    uint32_t depth;               /* how many that are open count, from the outermost (0: all) */
    uint32_t slice;               /* where time has come to */
    int64_t time;
    oc_scanned_state ended; /* given last */
    oc_piece *spare;        /* memory for the pieces of another state */
    size_t spare_capacity;
} oc_state_scan;

/* Goes to a stream of states. Free the scan in any case. */
ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream);
void oc_state_scan_free(oc_state_scan *scan);

/* The next state that ends after the window's beginning (or at the beginning of the stream) and
 * begins before the window's end (or at it), in the order of their ends; *found is NULL after the
 * last. Errors: INPUT for damage. */
ocelotl_status oc_state_scan_next(const oc_scanned_state **found, oc_state_scan *scan);

/* Adds the time between two ticks to a row of units, as far as it lies in the window. */
void oc_add_span(int64_t *row, const oc_slicing *slicing, const oc_instant *boundaries,
                 int64_t from, int64_t to);

#endif

/* The states of a stream one by one, for what running totals do not hold: how long each lasts, and
 * which states are open at once. Reads the events of a window, and those after it that end the
 * states open then. Without a condition it reads the bytes of chunks, and leaves out chunks in
 * which no state passes. */
#ifndef OC_STORE_READ_STATES_H
#define OC_STORE_READ_STATES_H

#include "store/read/slicing.h"
#include "store/read/state_bytes.h"
#include "store/read/walk.h"

/* Time in a slice. */
typedef struct oc_slice_time {
    uint32_t slice;
    int64_t units;
} oc_slice_time;

/* Details of a state beside its times. */
typedef struct oc_state_detail {
    bool passes;           /* the conditions */
    int64_t within_depth;  /* since when it is one of the outermost that count, INT64_MAX: never */
    int64_t since;         /* since when it is the innermost of them, INT64_MAX: it is not */
    oc_slice_time *pieces; /* of the window, where it was the innermost before that: by slice */
    size_t piece_count, piece_capacity;
} oc_state_detail;

/* States that have ended, in the order of their ends. Values may be OCELOTL_NONE. */
typedef struct oc_scanned_states {
    const oc_ended_state *states;
    size_t count;
    /* of the only one; NULL: they pass, and were the innermost of all from begin to end */
    const oc_state_detail *detail;
} oc_scanned_states;

typedef enum oc_scan_source { OC_SCAN_NOTHING, OC_SCAN_BYTES, OC_SCAN_RECORDS } oc_scan_source;

enum { OC_SCAN_RUN = 128 };

typedef struct oc_state_scan {
    oc_walk walk; /* with its connection and conditions, and whether only the window is wanted */
    oc_state_bytes bytes;  /* with the connection; what is open is in the walk's list */
    oc_scan_source source; /* what is read now */
    size_t chunk;          /* of the bytes, the next one, */
    bool left_out;         /* and the list is not what is open where it begins */
    int64_t least, most;   /* durations that pass */
    oc_slice_finder finder;
    bool without_pieces; /* nor is it noted since when a state is the innermost */
    /* With `within`: whether of what ends in a chunk, from one instant to another, the extremes are
     * enough; and what takes those of each value. NULL: each state is given. */
    bool (*is_enough)(void *context, int64_t begin, int64_t end);
    ocelotl_status (*take)(void *context, uint32_t value, int64_t end,
                           const oc_duration_range *durations);
    void *context;
    uint32_t depth;    /* how many open states count, from the outermost (0: all) */
    const bool *shown; /* by value: others do not count; NULL: all do */

    oc_scanned_states given; /* last: */
    oc_ended_state run[OC_SCAN_RUN];
    oc_state_detail detail;
    oc_slice_time *spare; /* memory for the pieces of another state */
    size_t spare_capacity;
} oc_state_scan;

/* Goes to a stream of states. Free the scan in any case. Zero-initialised but for what is asked. */
ocelotl_status oc_state_scan_begin(oc_state_scan *scan, uint32_t stream);
void oc_state_scan_free(oc_state_scan *scan);

/* Finds the next states that touch the window, in the order of their ends. They end after its begin
 * (or at the stream's begin) and begin before its end (or at it); their count is 0 after the last.
 * They are the scan's until it goes on. Errors: INPUT for damage. */
ocelotl_status oc_state_scan_next(const oc_scanned_states **found, oc_state_scan *scan);

/* How many chunks of the stream have to do with the window, where bytes are read. O(log chunks). */
size_t oc_state_scan_chunks(const oc_state_scan *scan);

static inline int64_t oc_scan_end(const oc_state_scan *scan)
{
    return scan->finder.boundaries[scan->finder.slicing->slices].ticks;
}

#endif

/* The order of links that arrive at one resource at one instant. */
#ifndef OC_ANSWER_TIES_H
#define OC_ANSWER_TIES_H

#include "base/map.h"
#include "base/sink.h"

#include <ocelotl/query.h>

/* Where a link stands among those that arrive with it. */
typedef struct oc_tie {
    uint32_t target; /* the resource, + 1; 0: no other link arrives with it */
    uint32_t type;
    uint32_t place; /* among those of its target and type */
} oc_tie;

/* Empty if zero-initialised. */
typedef struct oc_ties {
    oc_map places;            /* by link, and the how many-th it is of its like */
    oc_map counts;            /* by link, how many of its like have been asked for */
    uint64_t count, left_out; /* because memory is bounded */
} oc_ties;

/* Reads the links of a selection where they arrive; only those count that arrive with others. */
ocelotl_status oc_ties_read(oc_ties *arrivals, ocelotl_trace *trace,
                            const ocelotl_selection *selection);

/* Where a link stands; of like ones they are to be asked for in their order. */
ocelotl_status oc_ties_find(oc_tie *arrival, oc_ties *arrivals, const ocelotl_event *link);
void oc_ties_free(oc_ties *arrivals);

/* --- Lines of one instant */

/* A line that waits: it comes behind those of its rank before it, and behind those that arrive
 * before it. */
typedef struct oc_waiting_line {
    uint32_t rank;
    oc_tie arrival;
    size_t begin, length;   /* in oc_waiting_lines.text */
    size_t rank_next, next; /* the lines behind it, + 1; 0: none */
    uint32_t before;        /* how many lines it waits for */
    bool is_written;
} oc_waiting_line;

/* Zero-initialised it is empty. */
typedef struct oc_waiting_lines {
    oc_text text;
    oc_waiting_line *lines;
    size_t count, capacity;
} oc_waiting_lines;

/* Adds a line; ranks never fall. */
ocelotl_status oc_waiting_lines_add(oc_waiting_lines *waiting, uint32_t rank, oc_tie arrival,
                                    const char *bytes, size_t length);

/* Writes all lines, and forgets them. O(n log n). */
ocelotl_status oc_waiting_lines_write(oc_waiting_lines *waiting, oc_output *out);
void oc_waiting_lines_free(oc_waiting_lines *waiting);

#endif

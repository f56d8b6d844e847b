/* What had to wait for what: messages with the states in which resources wait for them, and
 * collective operations. */
#ifndef OC_QUALITY_WAITING_EDGES_H
#define OC_QUALITY_WAITING_EDGES_H

#include "quality/collectives/collectives.h"
#include "quality/waiting.h"

/* A state in which a resource may wait. */
typedef struct oc_blocking {
    int64_t begin, end; /* apart */
    uint32_t resource, value;
    bool sends;
} oc_blocking;

typedef struct oc_message {
    int64_t sent, received;
    uint32_t source, target;
} oc_message;

typedef struct oc_edges {
    oc_blocking *states; /* by resource, then by their ends */
    size_t state_count, state_capacity;
    size_t *first_state;  /* by resource, and behind the last */
    oc_message *messages; /* by target, then as they are received */
    size_t message_count, message_capacity;
    size_t *first_received; /* by target, and behind the last */
    oc_message *sent;       /* the same messages by source, target, then as they are sent */
    size_t *first_sent;
    uint64_t wrong;
    uint32_t last; /* the resource whose states end last, of equals the first; or OCELOTL_NONE */
    int64_t last_end;
    oc_collectives collectives;
} oc_edges;

ocelotl_status oc_edges_read(oc_edges *edges, ocelotl_trace *trace, const ocelotl_names *patterns,
                             const ocelotl_work *work);
void oc_edges_free(oc_edges *edges);

/* The innermost state that a resource sends in, or does not, and that is over at an instant or
 * later, and began before; NULL: there is none. O(log states). */
const oc_blocking *oc_edges_state_at(const oc_edges *edges, uint32_t resource, int64_t time,
                                     bool sends);

#endif

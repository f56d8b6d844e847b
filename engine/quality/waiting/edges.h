/* What had to wait for what: messages, wakings and ends of kernels with the states in which
 * resources wait for them, and collective operations. */
#ifndef OC_QUALITY_WAITING_EDGES_H
#define OC_QUALITY_WAITING_EDGES_H

#include "quality/collectives/collectives.h"
#include "quality/waiting.h"

/* What a resource waits for in a state, by its name. */
typedef enum oc_awaited {
    OC_AWAITS_NOTHING,
    OC_AWAITS_MESSAGE,
    OC_AWAITS_RECEIVER,
    OC_AWAITS_WAKING,
    OC_AWAITS_KERNELS
} oc_awaited;

/* A state in which a resource may wait. */
typedef struct oc_blocking {
    int64_t begin, end; /* apart */
    uint32_t resource, value;
    oc_awaited awaits;
} oc_blocking;

/* A message, or what is like one: a waking, the launch of a kernel, which ends no state, the end of
 * the last one. */
typedef struct oc_message {
    int64_t sent, received;
    uint32_t source, target;
    oc_awaited is; /* what states wait for that it may end */
} oc_message;

/* A message, for those who look for what a resource sent. */
typedef struct oc_sending {
    int64_t met; /* when it was sent; what is known later of when the two met takes its place */
    uint32_t target, message;
} oc_sending;

typedef struct oc_edges {
    oc_blocking *states; /* by resource, what they wait for, and their ends */
    size_t state_count, state_capacity;
    size_t *first_state;  /* by resource, and behind the last */
    oc_message *messages; /* by target, then as they are received */
    size_t message_count, message_capacity;
    size_t *first_received; /* by target, and behind the last */
    oc_sending *sent;       /* of messages by source, target, then as they are received */
    size_t *first_sent;
    uint64_t wrong;
    oc_wait *idle; /* waits of streams for launches, by stream, in order */
    size_t idle_count, idle_capacity;
    /* The resource whose states end last, but for states in which it sleeps in the end, of the
     * types of resources that have to do with each other; of equals the first, or OCELOTL_NONE. */
    uint32_t last;
    int64_t last_end;
    oc_collectives collectives;
} oc_edges;

ocelotl_status oc_edges_read(oc_edges *edges, ocelotl_trace *trace, oc_watch *watch);
void oc_edges_free(oc_edges *edges);

/* The innermost state in which a resource waits for something, and that is over at an instant or
 * later, and began before; NULL: there is none. O(log states). */
const oc_blocking *oc_edges_state_at(const oc_edges *edges, uint32_t resource, int64_t time,
                                     oc_awaited awaits);

#endif

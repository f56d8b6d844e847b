/* Who waits for whom in a trace, and whose delay it was.
 *
 * A resource waits in a state (MPI_Recv) for what another one has not begun to do yet. Kinds are
 * those of Scalasca (M. Geimer et al., The Scalasca performance toolset architecture, 2010): a
 * receiver waits for a late sender, the sender of a large message for a late receiver, members of a
 * collective operation for the last of those that they need. A wait ends when that one begins; what
 * the message then takes on its way is no wait.
 *
 * A delay is where the time went that others waited for (D. Boehme et al., Identifying the root
 * causes of wait states in large-scale parallel applications, 2010). Both sides of a wait are
 * compared since they last had to do with each other: by what the late one worked more than the
 * other, it delays; by what it waited more, it passes the delay on to those that it waited for. */
#ifndef OC_QUALITY_WAITING_H
#define OC_QUALITY_WAITING_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

typedef enum oc_wait_kind {
    OC_WAIT_LATE_SENDER,
    OC_WAIT_LATE_RECEIVER,
    OC_WAIT_COLLECTIVE, /* of all that all wait for: a barrier, an all-reduce; of one, or by one */
    OC_WAIT_LAUNCH,     /* of an idle stream for the next kernel: no loss alone, but it passes on */
    OC_WAIT_KINDS
} oc_wait_kind;

/* Times are in ticks. */
typedef struct oc_wait {
    int64_t begin, end;
    int64_t resumed;             /* when what was waited for had arrived */
    int64_t met_here, met_there; /* when the two last met, or each began */
    uint32_t resource, cause;    /* the one that waits, and the one that is late */
    uint32_t value;              /* of the state in which it waits, or that it waits to begin */
    oc_wait_kind kind;
    double delayed; /* this wait, and as much of others' as it passes on, in ticks */
} oc_wait;

/* A time in which a resource delays others: `weight` ticks of theirs in each of its own. */
typedef struct oc_delay {
    int64_t from, to;
    uint32_t resource, value; /* of the state in which the others wait */
    double weight;
} oc_delay;

/* A piece of the critical path: what a resource does then, or a message on its way to it. */
typedef struct oc_path_piece {
    int64_t from, to;
    uint32_t resource, source; /* OCELOTL_NONE, or where the message comes from */
} oc_path_piece;

typedef struct oc_waiting {
    oc_wait *waits; /* by resource, in order; those of one resource do not overlap */
    size_t count, capacity;
    size_t *first;    /* by resource, and behind the last */
    oc_delay *delays; /* by resource; those of one value do not overlap */
    size_t delay_count, delay_capacity;
    /* The critical path, in order: from the last end back to what was waited for last, again and
     * again (M. Schulz, Extracting critical path graphs from MPI applications, 2005). It is as long
     * as the trace: whatever else is made quicker, the run is not. */
    oc_path_piece *path;
    size_t path_count, path_capacity;
    uint64_t messages, collectives; /* that were looked at, and not left out */
    uint64_t wrong;                 /* messages that end before they begin: left out */
    double unexplained;             /* ticks of waits whose late one waited as well, as long */
    char *left_out;                 /* collective operations that were, and why; NULL: none */
    uint64_t left_out_count;        /* how many, at least */
} oc_waiting;

/* Finds them in the whole trace, once: they are kept with it, until it is closed. Collective
 * operations are those that the trace tells, or else those called as functions of MPI or kernels of
 * NCCL that all resources have equally often. O(n log n) of messages and waits, which are in
 * files where they are many (base/file/bulk.h). Errors: ARGUMENT where there is nothing to wait
 * for, INPUT for damage, IO where there is no room for these files, MEMORY, CANCELLED. */
ocelotl_status oc_waiting_of(const oc_waiting **waiting, ocelotl_trace *trace,
                             const ocelotl_work *work);

/* The same, where no message ends before it begins: a path would go round. Errors: INPUT, too. */
ocelotl_status oc_waiting_of_path(const oc_waiting **waiting, ocelotl_trace *trace,
                                  const ocelotl_work *work);

/* Whether a state is called as a collective operation: one in which all wait for all, or `rooted`,
 * one whose root no name tells. */
bool oc_waiting_is_collective(const char *state, bool rooted);

/* Whether somebody works in a state of this name (docs/waiting.md). */
bool oc_waiting_is_work(const char *state);

#endif

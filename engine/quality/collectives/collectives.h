/* Collective operations of a trace: which states of which resources are one operation. Nobody
 * leaves a barrier before the last one has entered it, whatever clocks say. */
#ifndef OC_QUALITY_COLLECTIVES_COLLECTIVES_H
#define OC_QUALITY_COLLECTIVES_COLLECTIVES_H

#include "store/read/reader.h"
#include "store/trace/catalogue.h"

/* Who waits for whom. */
typedef enum oc_collective_kind {
    OC_COLLECTIVE_NONE, /* nobody for sure */
    OC_ALL_TO_ALL,      /* each for all, as in a barrier */
    OC_ONE_TO_ALL,      /* each for the root */
    OC_ALL_TO_ONE       /* the root for all */
} oc_collective_kind;

/* A resource in an operation. */
typedef struct oc_participant {
    uint32_t resource, value;   /* of the state */
    bool is_root, gives, takes; /* bytes */
    int64_t enter, leave;
} oc_participant;

typedef struct oc_collective {
    oc_collective_kind kind;
    uint32_t event_type, row; /* rows are communicators, or names */
    size_t first, count;      /* of its participants, by resource */
} oc_collective;

/* Zero-initialised it has none. */
typedef struct oc_collectives {
    oc_collective *items;
    size_t count, capacity;
    oc_participant *participants;
    size_t participant_count, participant_capacity;
    char *left_out;          /* what is known of no sure operation, in words; NULL: nothing */
    uint64_t left_out_count; /* how many operations, at least */
} oc_collectives;

typedef struct oc_collective_request {
    ocelotl_trace *trace;
    const oc_catalogue *catalogue;
    /* PATTERN=KIND of values of states, where the trace tells no communicators. KIND is barrier,
     * all-to-all, one-to-all:ROOT or all-to-one:ROOT; ROOT is the path of a resource. */
    const ocelotl_names *patterns;
    bool by_name; /* without patterns those of MPI are tried */
    oc_watch *watch;
} oc_collective_request;

/* Finds them. Where a trace tells communicators, as OTF2 does, the k-th operations of a
 * communicator's members are one; else the k-th states of a pattern. All members need equally many.
 * PyTorch tells process groups, and mostly numbers: states of one number are one operation. Where
 * kernels are, calls that launch them are none. Memory O(participants). Free in any case. Errors:
 * ARGUMENT (a pattern that says no kind, or is of no state; an unknown root), INPUT for damage,
 * CANCELLED. */
ocelotl_status oc_collectives_read(oc_collectives *collectives, const oc_collective_request *asked);
void oc_collectives_free(oc_collectives *collectives);

/* Calls for each pair where one waits for the other; ends early with the callee's status. Of
 * more than 64 that wait for each other, each is compared with those 1, 2, 4, .. places further. */
typedef ocelotl_status (*oc_take_waiting)(void *context, const oc_participant *first,
                                          const oc_participant *waits);
ocelotl_status oc_collective_pairs(const oc_collectives *collectives, const oc_collective *one,
                                   oc_take_waiting take, void *context);

/* --- Parts of these */

/* A state that takes part: in which row of operations, and as which one of its resource. */
typedef struct oc_entry {
    uint32_t row;
    oc_collective_kind kind;
    bool launches;
    uint64_t turn; /* how many came before; or what is the same for all members, in any order */
    oc_participant participant;
} oc_entry;

/* Operations that follow each other. */
typedef struct oc_collective_row {
    uint32_t event_type;
    bool numbered; /* turns are told */
    size_t size;   /* resources that take part, where the trace says; or 0 */
    char *name;    /* the communicator, or the pattern */
} oc_collective_row;

/* Makes operations of entries, which it sorts (match.c). */
ocelotl_status oc_collectives_match(oc_collectives *collectives, oc_entry *entries, size_t count,
                                    const oc_collective_row *rows);

/* Says that operations of a name are left out, of which there are at least as many; 0: unknown. */
ocelotl_status oc_collectives_leave_out(oc_collectives *collectives, const char *name,
                                        uint64_t count, const char *why);

/* What is known of a state's value (kinds.c). */
typedef struct oc_collective_rule {
    char *pattern;
    oc_collective_kind kind;
    uint32_t root; /* OCELOTL_NONE: unknown */
} oc_collective_rule;

typedef struct oc_collective_rules {
    oc_collective_rule *rules;
    size_t count;
} oc_collective_rules;

/* Reads the patterns of a request, or lists those of MPI. Free in any case. */
ocelotl_status oc_collective_rules_read(oc_collective_rules *rules,
                                        const oc_collective_request *asked);
void oc_collective_rules_free(oc_collective_rules *rules);

/* The kind of an operation that OTF2 names, and whether it has bytes to wait for. */
oc_collective_kind oc_collective_kind_of(const char *operation);
bool oc_collective_carries(const char *operation);

/* The kind of an operation that PyTorch names. */
oc_collective_kind oc_collective_said_kind(const char *name);

/* Whether a state is called as a kernel of NCCL or the like, or as a call that launches one. */
bool oc_collective_is_kernel(const char *value);
bool oc_collective_is_launch(const char *value);

/* What a value is that is called as a function of MPI or a kernel of NCCL. */
oc_collective_kind oc_collective_usual_kind(const char *value);

#endif

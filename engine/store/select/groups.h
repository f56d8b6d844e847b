/* Groups of resources: the topmost ones of a type, each with all below it, or all as one. */
#ifndef OC_STORE_SELECT_GROUPS_H
#define OC_STORE_SELECT_GROUPS_H

#include "store/trace/trace.h"

/* The name of the whole trace as one group, unless a type of resources has it. */
extern const char oc_whole_group[];

/* The groups of some resources. Empty if zero-initialised. */
typedef struct oc_groups {
    uint32_t *group_of; /* by resource: a group, or `count` for what is in none */
    /* by group, in the order of the hierarchy; OCELOTL_NONE: the whole, or no resource's */
    uint32_t *resources;
    uint32_t *nodes; /* by group: its node in another hierarchy than the trace's; NULL: none */
    uint32_t count;
    const char *type; /* that all of them have, "all", or "" for several */
} oc_groups;

typedef struct oc_group_request {
    const ocelotl_trace *trace;
    const bool *used;   /* by resource: it is to be in a group */
    const bool *chosen; /* by resource; NULL: all. Others are in no group */
    const char *at;     /* a type, or "all"; NULL: each that is used is a group */
} oc_group_request;

/* Finds the groups with used resources. Free them in any case. Errors: ARGUMENT for an unknown
 * type. O(resources). */
ocelotl_status oc_groups_find(oc_groups *groups, const oc_group_request *asked);
void oc_groups_free(oc_groups *groups);

/* Says by resource whether links of some event types (NULL: all) begin or end there. *ends is to be
 * freed. O(streams). */
ocelotl_status oc_find_link_ends(bool **ends, const ocelotl_trace *trace, const bool *event_types);

/* Says by event type whether links of it have no beginning in the trace. *orphans is to be freed.
 * O(streams). */
ocelotl_status oc_find_orphans(bool **orphans, const ocelotl_trace *trace);

#endif

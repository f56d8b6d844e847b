/* What a matrix of messages is inside: sums of links, by the groups of both their ends. */
#ifndef OC_QUERY_MESSAGES_MESSAGES_H
#define OC_QUERY_MESSAGES_MESSAGES_H

#include "query/messages.h"
#include "store/read/counted.h"
#include "store/read/team.h"

/* Groups of one side. Behind them come, while links are read, what is in none, and what is not
 * known. */
static inline uint32_t oc_messages_outside(const oc_groups *side)
{
    return side->count;
}

static inline uint32_t oc_messages_unknown(const oc_groups *side)
{
    return side->count + 1;
}

/* What links add up to: of a cell, or of what one stream adds to it. */
typedef struct oc_message_sums {
    uint32_t row, column;
    uint64_t count, ended, violations, timed;
    int64_t time, inside, least;   /* durations, and what of them is in the window */
    double bytes, received, moved; /* of those that begin, that end, that are timed */
} oc_message_sums;

/* Links are read by threads. What a stream adds is kept apart and added up in the order of the
 * streams, so that sums are the same for any number of them. */
typedef struct oc_message_pile {
    oc_message_sums *sums;
    size_t count, capacity;
} oc_message_pile;

struct ocelotl_messages {
    ocelotl_trace *trace;
    ocelotl_messages_info info;
    oc_question question;
    uint32_t *bytes; /* by event type: the attribute with the bytes */
    oc_groups rows, columns;
    ocelotl_model *hierarchy; /* of whose nodes the groups are; NULL: they are resources */
    bool rows_outside, columns_outside; /* some links begin, or end, in no group */

    oc_message_sums *cells;
    size_t cell_capacity;
    uint64_t *row_begins; /* rows + 1 */
    oc_message_sums *row_totals, *column_totals;
    oc_message_sums total;
};

/* Reads all links: a pile for each stream of the trace, to be freed in any case (reading.c). */
ocelotl_status oc_messages_read(oc_message_pile *piles, const ocelotl_messages *messages,
                                const ocelotl_work *work);

/* Finds the groups among the nodes of a model: the topmost ones of a kind, or its leaves. Free them
 * in any case. Errors: ARGUMENT for an unknown kind. O(nodes + resources). (nodes.c) */
ocelotl_status oc_groups_of_model(oc_groups *groups, const oc_group_request *asked,
                                  const ocelotl_model *model);

/* Makes the model with a hierarchy asked for; *model stays where that is the trace's. (nodes.c) */
ocelotl_status oc_messages_arrange(ocelotl_model **model, ocelotl_trace *trace,
                                   const ocelotl_messages_options *options);

/* Adds sums of the same cell, or of any. Errors: LIMIT. */
ocelotl_status oc_message_sums_add(oc_message_sums *sums, const oc_message_sums *more,
                                   const ocelotl_trace *trace);

#endif

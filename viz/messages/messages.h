/* The matrix of messages: a square for each pair of groups, in the order of the hierarchy. */
#ifndef OC_VIZ_MESSAGES_MESSAGES_H
#define OC_VIZ_MESSAGES_MESSAGES_H

#include "viz/frame/chart.h"

#include <ocelotl/messages.h>

/* What is drawn. */
typedef struct oc_messages_input {
    const ocelotl_trace *trace;
    const ocelotl_messages *messages;
    ocelotl_message_measure measure;
    bool linear; /* colours follow the values, not their logarithms */
} oc_messages_input;

/* One side of the matrix: groups, put together where they would be too small. */
typedef struct oc_messages_side {
    uint32_t *line_of; /* by group: the line it is drawn in */
    oc_row_nodes nodes;
    uint32_t joined; /* neighbours that are one line where nothing above joins them; else 1 */
    bool merged;     /* some groups are drawn in one line */
    /* the type of resources that the lines are of; "" for several */
    const char *type;
} oc_messages_side;

/* Gives a group by its index: ocelotl_messages_row_at or _column_at. */
typedef ocelotl_message_group (*oc_messages_group_at)(const ocelotl_messages *messages,
                                                      uint32_t index);

/* Finds the lines of a side, at most `most`. If it has more groups, those below one resource become
 * one, as far up as it takes. Free it in any case. */
ocelotl_status oc_messages_side_find(oc_messages_side *side, const oc_messages_input *input,
                                     oc_messages_group_at group_at, uint32_t count, uint32_t most);
void oc_messages_side_free(oc_messages_side *side);

#endif

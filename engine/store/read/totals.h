/* What streams of states add up to at instants, for models: the totals of a cursor, but nothing
 * else, straight from the bytes of the chunks. An instant costs the finding of its chunk and the
 * part of it that lies before. */
#ifndef OC_STORE_READ_TOTALS_H
#define OC_STORE_READ_TOTALS_H

#include "store/trace/trace.h"

/* Values are summed in groups. */
typedef struct oc_state_groups {
    /* for each value of the trace: below group_count, or OCELOTL_NONE */
    const uint32_t *group_of_value;
    uint32_t group_count;
    bool inclusive; /* sum the time of all that is open, instead of the innermost alone */
} oc_state_groups;

/* What a stream spent in a group up to where the reader is. */
typedef struct oc_group_total {
    uint32_t group; /* may be OCELOTL_NONE */
    uint32_t open;  /* how many states that time passes for are open; without `inclusive` 1 or 0 */
    int64_t ticks;
    uint64_t begun;      /* how many states have begun */
    int64_t ended_ticks; /* how long those lasted that have ended */
} oc_group_total;

/* Reads one stream after the other. */
typedef struct oc_totals_reader oc_totals_reader;

/* The connection's trace and the groups must outlive the reader. */
ocelotl_status oc_totals_open(oc_totals_reader **reader, const oc_connection *connection,
                              const oc_state_groups *groups);
void oc_totals_free(oc_totals_reader *reader);

/* Goes to the beginning of a stream of states; about `instants` will be asked for. */
ocelotl_status oc_totals_begin(oc_totals_reader *reader, uint32_t stream, uint32_t instants);

/* Moves forward to an instant: all records before `time`, and those at `time` too if `through`, are
 * in the totals, and time has passed up to `time`. Errors: INPUT for damaged chunks. */
ocelotl_status oc_totals_move(oc_totals_reader *reader, int64_t time, bool through);

/* The groups met in the stream up to here, in an order that stays until the next stream, valid
 * until the reader moves; and the time in any state, and whether some state is open. */
size_t oc_totals_count(const oc_totals_reader *reader);
const oc_group_total *oc_totals_groups(const oc_totals_reader *reader);
int64_t oc_totals_traced(const oc_totals_reader *reader);
bool oc_totals_is_traced(const oc_totals_reader *reader);

#endif

/* Durations of the states that end in a stream, read from the bytes of its chunks: the extremes
 * that a chunk records if they suffice, else each of its states. */
#ifndef OC_STORE_READ_DURATIONS_H
#define OC_STORE_READ_DURATIONS_H

#include "store/read/state_bytes.h"

/* What is done with durations; `context` is the caller's. */
typedef struct oc_durations_use {
    void *context;
    /* whether of what ends from one instant to another the extremes are enough */
    bool (*is_enough)(void *context, int64_t begin, int64_t end);
    /* takes the extremes of states of a value that have ended by `end` */
    ocelotl_status (*take)(void *context, uint32_t value, int64_t end,
                           const oc_duration_range *durations);
    /* takes states that have ended, in the order of their ends */
    ocelotl_status (*take_states)(void *context, const oc_ended_state *states, size_t count);
} oc_durations_use;

/* Reads one stream after the other. Zero-initialised but for the connection it has none. */
typedef struct oc_durations_reader {
    oc_state_bytes bytes;
} oc_durations_reader;

void oc_durations_reader_free(oc_durations_reader *reader);

/* Goes to a stream of states. O(chunks). Errors: INPUT for damage, here and below. */
ocelotl_status oc_durations_select(oc_durations_reader *reader, uint32_t stream);

/* How many chunks have to do with what ends from `from` to `last`. O(log chunks). */
size_t oc_durations_chunks(const oc_durations_reader *reader, int64_t from, int64_t last);

/* Gives the durations of states that end from `from` to `last`, and around them in the same chunks.
 * O(chunks), and O(records) of those whose extremes are not enough. */
ocelotl_status oc_durations_read(oc_durations_reader *reader, int64_t from, int64_t last,
                                 const oc_durations_use *use);

#endif

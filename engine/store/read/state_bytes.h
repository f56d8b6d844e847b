/* The states of a stream change by change, without attributes, from the bytes of its chunks; and
 * the durations that each chunk records of states that end in it. */
#ifndef OC_STORE_READ_STATE_BYTES_H
#define OC_STORE_READ_STATE_BYTES_H

#include "store/codec/columns.h"
#include "store/read/reader.h"

/* Reads one stream after the other, that of its reader. Zero-initialised it has none. */
typedef struct oc_state_bytes {
    const oc_reader *reader; /* which knows the chunks */
    sqlite3_stmt *read_chunk;
    size_t chunk; /* + 1: the one whose row is being read, 0: none */
    /* of the chunk read last: */
    oc_open_list open; /* where it begins, of oc_open, whose totals are values */
    int64_t before;    /* the record in front of it, INT64_MIN: none */
    oc_states_at at;   /* its next change */
    oc_blob_opener columns;
    uint32_t *values; /* of its totals */
    size_t value_capacity;
} oc_state_bytes;

void oc_state_bytes_free(oc_state_bytes *bytes);

/* Goes to the stream of a reader, which must outlive it. Errors: INPUT, here and below. */
ocelotl_status oc_state_bytes_begin(oc_state_bytes *bytes, const oc_reader *reader);

static inline const oc_stream *oc_state_bytes_stream(const oc_state_bytes *bytes)
{
    return &bytes->reader->connection.trace->streams[bytes->reader->stream];
}

/* Reads what a chunk says of itself: the row, and `read` at the first of its durations. Both are
 * valid until another chunk is read. */
ocelotl_status oc_state_bytes_row(oc_chunk_row *row, oc_durations_bytes *read,
                                  oc_state_bytes *bytes, size_t chunk);

/* The next value in a row, with its durations; *found is false behind the last one. */
ocelotl_status oc_state_bytes_durations(bool *found, uint32_t *value, oc_duration_range *range,
                                        oc_durations_bytes *read, const oc_state_bytes *bytes);

/* Reads what is open where a chunk begins; and its changes, too. */
ocelotl_status oc_state_bytes_read_open(oc_state_bytes *bytes, size_t chunk);
ocelotl_status oc_state_bytes_read(oc_state_bytes *bytes, size_t chunk);

/* Fails with INPUT: the file is damaged, and how. */
ocelotl_status oc_state_bytes_fail(const oc_state_bytes *bytes, const char *what);

static inline bool oc_state_bytes_is_value(const oc_state_bytes *bytes, uint64_t value)
{
    const ocelotl_trace *trace = bytes->reader->connection.trace;
    return value < trace->value_count &&
           trace->values[value].event_type == oc_state_bytes_stream(bytes)->event_type;
}

/* A change of what is open. */
typedef struct oc_state_change {
    int64_t time;
    uint64_t depth; /* of what ends: how many of those open began later */
    uint32_t value; /* of what begins */
    bool ends, begins;
} oc_state_change;

/* A state that has ended. */
typedef struct oc_ended_state {
    int64_t begin, end;
    uint32_t value;
} oc_ended_state;

/* Takes changes that keep the number of open states: each ends the innermost, `last`, and another
 * begins, the next `last`. With `alone`, `last` is the only open state, and time may pass between
 * an end and the next begin: its value is then OCELOTL_NONE. Gives the states that have ended, at
 * most `most`; none if the next change, which exists, is of another kind. Times lie in the stream,
 * so durations fit 64 bits. */
ocelotl_status oc_state_bytes_run(size_t *count, oc_ended_state *ended, size_t most, oc_open *last,
                                  bool alone, oc_state_bytes *bytes);

/* Whether the chunk has another change. */
static inline bool oc_state_bytes_has_next(const oc_state_bytes *bytes)
{
    return bytes->at.next < bytes->at.count;
}

/* The next change of the chunk, which has one. */
static inline ocelotl_status oc_state_bytes_next(oc_state_change *change, oc_state_bytes *bytes)
{
    uint64_t number;
    change->time = bytes->at.time;
    const oc_states_change read = oc_states_next(&number, &bytes->at);
    change->begins = read == OC_STATES_BEGIN || read == OC_STATES_REPLACE;
    change->ends = read != OC_STATES_BEGIN;
    change->depth = change->begins ? 0 : number;
    change->value = change->begins ? (uint32_t)number : OCELOTL_NONE;
    if (read == OC_STATES_DAMAGED || (change->begins && !oc_state_bytes_is_value(bytes, number)))
        return oc_state_bytes_fail(bytes, "a state of no value");
    if (change->time > oc_state_bytes_stream(bytes)->end)
        return oc_state_bytes_fail(bytes, "a time out of range");
    return oc_states_go_on(&bytes->at) ? OCELOTL_OK
                                       : oc_state_bytes_fail(bytes, "time out of range");
}

#endif

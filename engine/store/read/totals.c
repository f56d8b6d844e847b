/* Time in a state is a linear function of the reader's position: each begin subtracts its instant,
 * each end adds its own, and open states add the present. So passing time needs no work. Sums wrap
 * around and come out right, as their results fit; callers check what a damaged file makes of
 * them. */
#include "store/read/totals.h"

#include "base/memory.h"
#include "store/codec/columns.h"
#include "store/read/chunk.h"

#include <stdlib.h>

typedef struct group_sum {
    uint64_t sum;
    uint64_t begun;
    uint64_t ended; /* ticks */
    uint32_t open;  /* states that are open */
} group_sum;

/* A state that is open. */
typedef struct open_state {
    int64_t begin;
    uint32_t place;
} open_state;

/* Where a value is summed, known since a stream was begun. */
typedef struct value_place {
    uint32_t begun;
    uint32_t place;
} value_place;

struct oc_totals_reader {
    oc_connection connection;
    oc_state_groups groups;
    oc_chunk_finder finder;
    sqlite3_stmt *read_chunk;
    const ZSTD_DDict *dictionary;
    oc_blob_opener columns; /* of the chunk */

    /* Groups met in this stream, each at its place. */
    uint32_t *place_of_group; /* + 1; 0: not met; the last one is that of values in no group */
    value_place *place_of_value;
    uint32_t begun;      /* streams so far, */
    uint32_t event_type; /* and that of this one */
    oc_group_total *totals;
    size_t total_count, total_capacity;
    group_sum *sums;
    size_t sum_capacity;

    /* The chunk. */
    int64_t chunk;              /* -1: none */
    oc_states_at at;            /* its next record */
    uint32_t *places_of_totals; /* as the chunk numbers them */
    size_t places_capacity;
    oc_open_list open;           /* of open_state */
    uint64_t traced, traced_now; /* as of instant 0, as of where the reader is */
};

static ocelotl_status damaged(const oc_totals_reader *reader, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s",
                   oc_stream_path(reader->connection.trace, reader->finder.stream), what);
}

static ocelotl_status open_reader(oc_totals_reader *reader)
{
    const ocelotl_trace *trace = reader->connection.trace;
    OC_TRY(
        oc_allocate(&reader->place_of_value, trace->value_count, sizeof *reader->place_of_value));
    return oc_allocate(&reader->place_of_group, (size_t)reader->groups.group_count + 1,
                       sizeof *reader->place_of_group);
}

ocelotl_status oc_totals_open(oc_totals_reader **reader, const oc_connection *connection,
                              const oc_state_groups *groups)
{
    oc_totals_reader *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->connection = *connection;
    made->groups = *groups;
    made->finder.connection = *connection;
    made->chunk = -1;
    const ocelotl_status status = open_reader(made);
    if (status == OCELOTL_OK)
        *reader = made;
    else
        oc_totals_free(made);
    return status;
}

void oc_totals_free(oc_totals_reader *reader)
{
    if (reader == NULL)
        return;
    oc_chunk_finder_close(&reader->finder);
    sqlite3_finalize(reader->read_chunk);
    oc_blob_opener_free(&reader->columns);
    oc_open_list_free(&reader->open);
    free(reader->place_of_group);
    free(reader->place_of_value);
    free(reader->totals);
    free(reader->sums);
    free(reader->places_of_totals);
    free(reader);
}

size_t oc_totals_count(const oc_totals_reader *reader)
{
    return reader->total_count;
}

const oc_group_total *oc_totals_groups(const oc_totals_reader *reader)
{
    return reader->totals;
}

static ocelotl_status meet_group(oc_totals_reader *reader, uint32_t group, uint32_t slot)
{
    const size_t count = reader->total_count;
    OC_TRY(oc_grow(&reader->totals, &reader->total_capacity, count + 1, sizeof *reader->totals));
    OC_TRY(oc_grow(&reader->sums, &reader->sum_capacity, count + 1, sizeof *reader->sums));
    reader->totals[count] = (oc_group_total){.group = group};
    reader->sums[count] = (group_sum){0};
    reader->place_of_group[slot] = (uint32_t)++reader->total_count;
    return OCELOTL_OK;
}

static ocelotl_status meet_value(uint32_t *place, oc_totals_reader *reader, uint64_t value)
{
    if (value >= reader->connection.trace->value_count ||
        reader->connection.trace->values[value].event_type != reader->event_type)
        return damaged(reader, "a state of no value");
    const uint32_t group = reader->groups.group_of_value[value];
    const uint32_t slot = group == OCELOTL_NONE ? reader->groups.group_count : group;
    if (reader->place_of_group[slot] == 0)
        OC_TRY(meet_group(reader, group, slot));
    *place = reader->place_of_group[slot] - 1;
    reader->place_of_value[value] = (value_place){reader->begun, *place};
    return OCELOTL_OK;
}

static inline ocelotl_status find_place(uint32_t *place, oc_totals_reader *reader, uint64_t value)
{
    if (value >= reader->connection.trace->value_count ||
        reader->place_of_value[value].begun != reader->begun)
        return meet_value(place, reader, value);
    *place = reader->place_of_value[value].place;
    return OCELOTL_OK;
}

static void forget_chunk(oc_totals_reader *reader)
{
    reader->chunk = -1;
    for (size_t i = 0; i < reader->total_count; i++)
        reader->sums[i] = (group_sum){0};
    oc_open_list_shorten(&reader->open, sizeof(open_state), 0);
    reader->traced = 0;
    reader->at = (oc_states_at){0};
}

ocelotl_status oc_totals_begin(oc_totals_reader *reader, uint32_t stream, uint32_t instants)
{
    forget_chunk(reader);
    for (size_t i = 0; i < reader->total_count; i++) {
        const uint32_t group = reader->totals[i].group;
        reader->place_of_group[group == OCELOTL_NONE ? reader->groups.group_count : group] = 0;
    }
    reader->total_count = 0;
    reader->begun++;
    reader->event_type = reader->connection.trace->streams[stream].event_type;
    OC_TRY(oc_connection_prepare(&reader->read_chunk, &reader->connection, stream, OC_CHUNK_BYTES));
    reader->dictionary = oc_stream_dictionary(reader->connection.trace, stream);
    return oc_chunk_finder_begin(&reader->finder, stream, instants);
}

/* Time begins or stops to pass for a state. */
static inline void start(oc_totals_reader *reader, uint32_t place, int64_t time)
{
    reader->sums[place].sum -= (uint64_t)time;
    reader->sums[place].open++;
}

static inline void stop(oc_totals_reader *reader, uint32_t place, int64_t time)
{
    reader->sums[place].sum += (uint64_t)time;
    reader->sums[place].open--;
}

static inline open_state *open_at(const oc_totals_reader *reader, size_t index)
{
    return oc_open_list_at(&reader->open, sizeof(open_state), index);
}

static inline open_state *innermost(const oc_totals_reader *reader)
{
    return open_at(reader, reader->open.count - 1);
}

static inline ocelotl_status push(oc_totals_reader *reader, uint32_t place, int64_t time)
{
    open_state *begun;
    OC_TRY(oc_open_list_begin(&begun, &reader->open, sizeof *begun));
    *begun = (open_state){time, place};
    return OCELOTL_OK;
}

static inline ocelotl_status begin_state(oc_totals_reader *reader, uint64_t value, int64_t time)
{
    uint32_t place;
    OC_TRY(find_place(&place, reader, value));
    if (reader->open.count == 0)
        reader->traced -= (uint64_t)time;
    else if (!reader->groups.inclusive)
        stop(reader, innermost(reader)->place, time);
    OC_TRY(push(reader, place, time));
    start(reader, place, time);
    reader->sums[place].begun++;
    return OCELOTL_OK;
}

static inline void add_ended(oc_totals_reader *reader, const open_state *state, int64_t time)
{
    reader->sums[state->place].ended += (uint64_t)time - (uint64_t)state->begin;
}

static inline ocelotl_status end_state(oc_totals_reader *reader, uint64_t depth, int64_t time)
{
    size_t index = 0;
    OC_TRY(oc_open_list_find(&index, &reader->open, depth));
    const open_state ended = *open_at(reader, index);
    if (depth == 0 || reader->groups.inclusive)
        stop(reader, ended.place, time);
    add_ended(reader, &ended, time);
    OC_TRY(oc_open_list_remove(&reader->open, sizeof ended, index));
    if (reader->open.count == 0)
        reader->traced += (uint64_t)time;
    else if (depth == 0 && !reader->groups.inclusive)
        start(reader, innermost(reader)->place, time);
    return OCELOTL_OK;
}

/* The innermost state ends, another begins at the same instant. */
static inline ocelotl_status replace_state(oc_totals_reader *reader, uint64_t value, int64_t time)
{
    uint32_t place;
    size_t index = 0;
    OC_TRY(find_place(&place, reader, value));
    OC_TRY(oc_open_list_find(&index, &reader->open, 0));
    open_state *replaced = open_at(reader, index);
    stop(reader, replaced->place, time);
    add_ended(reader, replaced, time);
    start(reader, place, time);
    reader->sums[place].begun++;
    *replaced = (open_state){time, place};
    return OCELOTL_OK;
}

/* --- Chunks */

/* The totals at the chunk's beginning. */
static ocelotl_status take_total(uint32_t *place, oc_totals_reader *reader, oc_fold_bytes *read)
{
    oc_total total;
    oc_fold_bytes_total(&total, read);
    OC_TRY(find_place(place, reader, total.value));
    if (read->failed || total.innermost < 0 || total.closed < 0)
        return damaged(reader, "a total out of range");
    group_sum *sums = &reader->sums[*place];
    sums->begun += total.count;
    sums->sum += (uint64_t)(reader->groups.inclusive ? total.closed : total.innermost);
    sums->ended += (uint64_t)total.closed;
    reader->traced += (uint64_t)total.innermost;
    return OCELOTL_OK;
}

/* Takes what was open then, outermost first. Innermost totals are those of `now`, the others begin
 * where the state did. */
static ocelotl_status take_open(oc_totals_reader *reader, oc_fold_bytes *read, size_t total_count)
{
    const size_t count = oc_fold_bytes_open_count(read);
    for (size_t i = 0; i < count && !read->bytes.failed; i++) {
        oc_open open;
        oc_fold_bytes_open(&open, read);
        if (open.total >= total_count || read->failed || open.begin > read->time)
            return damaged(reader, "something open that cannot be");
        OC_TRY(push(reader, reader->places_of_totals[open.total], open.begin));
        if (reader->groups.inclusive)
            start(reader, reader->places_of_totals[open.total], open.begin);
    }
    if (reader->open.count == 0)
        return OCELOTL_OK;
    reader->traced -= (uint64_t)read->time;
    if (!reader->groups.inclusive)
        start(reader, innermost(reader)->place, read->time);
    return OCELOTL_OK;
}

/* *before is the time of the last record before the chunk. */
static ocelotl_status unpack_totals(int64_t *before, oc_totals_reader *reader,
                                    const oc_chunk_bytes *bytes)
{
    oc_fold_bytes read;
    double number;
    const size_t count = oc_fold_bytes_begin(&read, bytes->totals, bytes->totals_length,
                                             OC_ROLE_STATES, bytes->unit);
    OC_TRY(oc_grow(&reader->places_of_totals, &reader->places_capacity, count,
                   sizeof *reader->places_of_totals));
    for (size_t i = 0; i < count && !read.bytes.failed; i++)
        OC_TRY(take_total(&reader->places_of_totals[i], reader, &read));
    OC_TRY(take_open(reader, &read, count));
    /* States have neither a variable's value nor sums of attributes. */
    if (oc_fold_bytes_number(&number, &read) || oc_fold_bytes_sum_count(&read) > 0 ||
        !oc_fold_bytes_end(&read))
        return damaged(reader, "running totals");
    *before = count > 0 ? read.time : INT64_MIN;
    return OCELOTL_OK;
}

static ocelotl_status unpack(oc_totals_reader *reader, int64_t chunk, const oc_chunk_place *place)
{
    oc_chunk_bytes bytes;
    int64_t before;
    OC_TRY(oc_chunk_read_bytes(&bytes, reader->read_chunk, reader->connection.trace,
                               reader->finder.stream, chunk, place));
    if (bytes.unit == 0 || bytes.unit > INT64_MAX)
        return damaged(reader, "a tick of no length");
    OC_TRY(unpack_totals(&before, reader, &bytes));
    OC_TRY(oc_blob_open(&reader->columns, bytes.events, bytes.events_length, reader->dictionary));
    OC_TRY(oc_states_begin(&reader->at, &reader->columns, bytes.unit));
    return reader->at.time < before ? damaged(reader, "time goes back") : OCELOTL_OK;
}

static ocelotl_status load(oc_totals_reader *reader, int64_t chunk, const oc_chunk_place *place)
{
    forget_chunk(reader);
    const ocelotl_status status = oc_fail_in_stream(reader->connection.trace, reader->finder.stream,
                                                    unpack(reader, chunk, place));
    sqlite3_reset(reader->read_chunk);
    if (status == OCELOTL_OK)
        reader->chunk = chunk;
    return status;
}

/* Applies the records up to a tick. */
static ocelotl_status apply_records(oc_totals_reader *reader, int64_t last)
{
    oc_states_at at = reader->at;
    ocelotl_status status = OCELOTL_OK;
    while (at.next < at.count && at.time <= last) {
        uint64_t number;
        const oc_states_change change = oc_states_next(&number, &at);
        if (change == OC_STATES_BEGIN)
            status = begin_state(reader, number, at.time);
        else if (change == OC_STATES_REPLACE)
            status = replace_state(reader, number, at.time);
        else if (change == OC_STATES_END)
            status = end_state(reader, number, at.time);
        else
            status = damaged(reader, "a state of no value");
        if (status != OCELOTL_OK)
            return oc_fail_in_stream(reader->connection.trace, reader->finder.stream, status);
        if (!oc_states_go_on(&at))
            return damaged(reader, "time goes back");
    }
    reader->at = at;
    return OCELOTL_OK;
}

ocelotl_status oc_totals_move(oc_totals_reader *reader, int64_t time, bool through)
{
    int64_t chunk;
    oc_chunk_place place;
    OC_TRY(oc_chunk_finder_find(&chunk, &place, &reader->finder, time, through));
    if (chunk < 0)
        forget_chunk(reader);
    else if (chunk != reader->chunk)
        OC_TRY(load(reader, chunk, &place));
    if (through || time > INT64_MIN)
        OC_TRY(apply_records(reader, through ? time : time - 1));
    for (size_t i = 0; i < reader->total_count; i++) {
        const group_sum *group = &reader->sums[i];
        reader->totals[i].open = group->open;
        reader->totals[i].begun = group->begun;
        reader->totals[i].ended_ticks = (int64_t)group->ended;
        reader->totals[i].ticks = (int64_t)(group->sum + group->open * (uint64_t)time);
    }
    if (reader->open.count > 0)
        reader->traced_now = reader->traced + (uint64_t)time;
    else
        reader->traced_now = reader->traced;
    return OCELOTL_OK;
}

int64_t oc_totals_traced(const oc_totals_reader *reader)
{
    return (int64_t)reader->traced_now;
}

bool oc_totals_is_traced(const oc_totals_reader *reader)
{
    return reader->open.count > 0;
}

/* Time in a state is a linear function of where the reader is: each begin subtracts its instant,
 * each end adds its own, and what is open adds the present. So nothing is to be done while time
 * passes. Sums wrap around and come out right, as their results fit; what a damaged file makes of
 * them is checked by who uses them. */
#include "store/read/state_totals.h"

#include "base/memory.h"
#include "store/read/chunk_finder.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

/* As in record.c: the packing of a chunk, codes of begins and ends, and what no chunk is larger
 * than. */
enum { PACKED_PLAIN = 0, PACKED_ZSTD = 1 };
enum { CODE_END = 0, CODE_END_DEEPER = 1, CODE_FIRST_VALUE = 3 };
static const uint64_t largest_chunk = (uint64_t)1 << 28;

typedef struct group_sum {
    uint64_t sum;
    uint64_t begun;
    uint64_t ended; /* ticks */
    uint32_t open;  /* states for which time passes */
} group_sum;

typedef struct open_state {
    uint32_t place;
    int64_t begin;
} open_state;

/* Where a value is summed, known since a stream was begun. */
typedef struct value_place {
    uint32_t begun;
    uint32_t place;
} value_place;

struct oc_totals_reader {
    ocelotl_trace *trace;
    oc_state_groups groups;
    sqlite3 *database;
    bool own, in_transaction;
    oc_chunk_finder finder;
    sqlite3_stmt *read_chunk;
    ZSTD_DCtx *decompressor;
    unsigned char *columns; /* of the chunk, unpacked */
    size_t columns_capacity;

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
    int64_t chunk; /* -1: none */
    uint64_t unit;
    const unsigned char *times, *codes, *depths; /* what comes next of each */
    const unsigned char *end;
    size_t next, count;         /* records */
    int64_t time_read;          /* of the next record, in units */
    int64_t time;               /* and in ticks */
    uint32_t *places_of_totals; /* as the chunk numbers them */
    size_t places_capacity;
    open_state *open; /* outermost first */
    size_t open_count, open_capacity;
    uint64_t traced, traced_now; /* as of instant 0, as of where the reader is */
};

uint64_t oc_totals_chunks(const ocelotl_trace *trace, uint32_t stream)
{
    return trace->streams[stream].chunk_count;
}

static ocelotl_status damaged(const oc_totals_reader *reader, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: %s", reader->trace->path,
                   what);
}

/* Outside a transaction each statement would lock the file anew and ask whether it has changed. */
static ocelotl_status open_reader(oc_totals_reader *reader, bool own)
{
    const char *path = reader->trace->path;
    reader->own = own;
    reader->database = own ? NULL : reader->trace->database;
    if (own)
        OC_TRY(oc_trace_connect(&reader->database, reader->trace));
    if (sqlite3_get_autocommit(reader->database)) {
        OC_TRY(oc_database_execute(reader->database, path, "BEGIN"));
        reader->in_transaction = true;
    }
    OC_TRY(oc_chunk_finder_open(&reader->finder, reader->database, reader->trace));
    OC_TRY(oc_database_prepare(&reader->read_chunk, reader->database, path, OC_CHUNK_BYTES));
    reader->decompressor = ZSTD_createDCtx();
    if (reader->decompressor == NULL)
        return oc_fail_memory();
    OC_TRY(oc_allocate(&reader->place_of_value, reader->trace->value_count,
                       sizeof *reader->place_of_value));
    return oc_allocate(&reader->place_of_group, (size_t)reader->groups.group_count + 1,
                       sizeof *reader->place_of_group);
}

ocelotl_status oc_totals_open(oc_totals_reader **reader, ocelotl_trace *trace,
                              const oc_state_groups *groups, bool own)
{
    oc_totals_reader *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    made->groups = *groups;
    made->chunk = -1;
    const ocelotl_status status = open_reader(made, own);
    if (status != OCELOTL_OK) {
        oc_totals_free(made);
        return status;
    }
    *reader = made;
    return OCELOTL_OK;
}

void oc_totals_free(oc_totals_reader *reader)
{
    if (reader == NULL)
        return;
    oc_chunk_finder_close(&reader->finder);
    sqlite3_finalize(reader->read_chunk);
    if (reader->in_transaction)
        sqlite3_exec(reader->database, "COMMIT", NULL, NULL, NULL);
    if (reader->own)
        sqlite3_close(reader->database);
    ZSTD_freeDCtx(reader->decompressor);
    free(reader->columns);
    free(reader->place_of_group);
    free(reader->place_of_value);
    free(reader->totals);
    free(reader->sums);
    free(reader->places_of_totals);
    free(reader->open);
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

/* Reads a number of which the end is known to be there; nearly all have one byte or two, which of
 * them nobody can predict. One byte behind the end must be readable. */
static inline uint64_t read_number(const unsigned char **next)
{
    const unsigned char *bytes = *next;
    const uint64_t two = bytes[0] >> 7;
    uint64_t number = (bytes[0] & 0x7Fu) | ((bytes[1] & 0x7Fu & (0 - two)) << 7);
    *next += 1 + two;
    if (!(two & bytes[1] >> 7))
        return number;
    for (unsigned shift = 14; shift < 64; shift += 7) {
        const uint64_t byte = *(*next)++;
        number |= (byte & 0x7F) << shift;
        if (byte < 0x80)
            break;
    }
    return number;
}

/* Passes over numbers: each has one byte below 0x80, its last. */
static void skip_numbers(oc_bytes_reader *reader, size_t count)
{
    const uint64_t high_bits = 0x8080808080808080u;
    const uint64_t ones = high_bits >> 7;
    while (count > 8 && reader->end - reader->next >= 8) {
        uint64_t eight;
        memcpy(&eight, reader->next, sizeof eight);
        count -= (size_t)((((~eight & high_bits) >> 7) * ones) >> 56);
        reader->next += 8;
    }
    for (; count > 0 && reader->next < reader->end; reader->next++)
        count -= *reader->next < 0x80;
    reader->failed = reader->failed || count > 0;
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
    if (value >= reader->trace->value_count ||
        reader->trace->values[value].event_type != reader->event_type)
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
    if (value >= reader->trace->value_count || reader->place_of_value[value].begun != reader->begun)
        return meet_value(place, reader, value);
    *place = reader->place_of_value[value].place;
    return OCELOTL_OK;
}

static void forget_chunk(oc_totals_reader *reader)
{
    reader->chunk = -1;
    for (size_t i = 0; i < reader->total_count; i++)
        reader->sums[i] = (group_sum){0};
    reader->open_count = 0;
    reader->traced = 0;
    reader->next = 0;
    reader->count = 0;
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
    reader->event_type = reader->trace->streams[stream].event_type;
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

static inline ocelotl_status begin_state(oc_totals_reader *reader, uint64_t value, int64_t time)
{
    uint32_t place;
    OC_TRY(find_place(&place, reader, value));
    if (reader->open_count == reader->open_capacity)
        OC_TRY(oc_grow(&reader->open, &reader->open_capacity, reader->open_count + 1,
                       sizeof *reader->open));
    if (reader->open_count == 0)
        reader->traced -= (uint64_t)time;
    else if (!reader->groups.inclusive)
        stop(reader, reader->open[reader->open_count - 1].place, time);
    reader->open[reader->open_count++] = (open_state){place, time};
    start(reader, place, time);
    reader->sums[place].begun++;
    return OCELOTL_OK;
}

static inline ocelotl_status end_state(oc_totals_reader *reader, uint64_t depth, int64_t time)
{
    if (depth >= reader->open_count)
        return damaged(reader, "something ends that has not begun");
    open_state *ended = &reader->open[reader->open_count - 1 - depth];
    if (depth == 0 || reader->groups.inclusive)
        stop(reader, ended->place, time);
    reader->sums[ended->place].ended += (uint64_t)time - (uint64_t)ended->begin;
    if (depth > 0)
        memmove(ended, ended + 1, (size_t)depth * sizeof *ended);
    reader->open_count--;
    if (reader->open_count == 0)
        reader->traced += (uint64_t)time;
    else if (depth == 0 && !reader->groups.inclusive)
        start(reader, reader->open[reader->open_count - 1].place, time);
    return OCELOTL_OK;
}

/* The totals at the chunk's beginning: see docs/developer/store.md. */
static ocelotl_status read_totals(oc_totals_reader *reader, oc_bytes_reader *bytes)
{
    const size_t count = oc_bytes_count(bytes);
    OC_TRY(oc_grow(&reader->places_of_totals, &reader->places_capacity, count,
                   sizeof *reader->places_of_totals));
    for (size_t i = 0; i < count && !bytes->failed; i++) {
        uint32_t *place = &reader->places_of_totals[i];
        int64_t innermost;
        int64_t closed;
        OC_TRY(find_place(place, reader, oc_bytes_unsigned(bytes) - 1));
        reader->sums[*place].begun += oc_bytes_unsigned(bytes);
        if (!oc_multiply_time(&innermost, oc_bytes_signed(bytes), reader->unit) ||
            !oc_multiply_time(&closed, oc_bytes_signed(bytes), reader->unit))
            return damaged(reader, "a total out of range");
        if (innermost < 0 || closed < 0)
            return damaged(reader, "a total below 0");
        reader->sums[*place].sum += (uint64_t)(reader->groups.inclusive ? closed : innermost);
        reader->sums[*place].ended += (uint64_t)closed;
        reader->traced += (uint64_t)innermost;
    }
    return OCELOTL_OK;
}

/* What was open then, outermost first. Innermost totals are those of `now`, the others begin where
 * the state did. */
static ocelotl_status read_open(oc_totals_reader *reader, oc_bytes_reader *bytes,
                                size_t total_count, int64_t now)
{
    const size_t count = oc_bytes_count(bytes);
    OC_TRY(oc_grow(&reader->open, &reader->open_capacity, count, sizeof *reader->open));
    for (size_t i = 0; i < count && !bytes->failed; i++) {
        const uint64_t total = oc_bytes_unsigned(bytes);
        int64_t since;
        int64_t begin;
        if (total >= total_count ||
            !oc_multiply_time(&since, oc_bytes_signed(bytes), reader->unit) || since < 0 ||
            __builtin_sub_overflow(now, since, &begin))
            return damaged(reader, "something open that cannot be");
        reader->open[reader->open_count++] = (open_state){reader->places_of_totals[total], begin};
        if (reader->groups.inclusive)
            start(reader, reader->places_of_totals[total], begin);
    }
    if (reader->open_count == 0)
        return OCELOTL_OK;
    reader->traced -= (uint64_t)now;
    if (!reader->groups.inclusive)
        start(reader, reader->open[reader->open_count - 1].place, now);
    return OCELOTL_OK;
}

static ocelotl_status unpack_totals(oc_totals_reader *reader, const void *blob, size_t length)
{
    oc_bytes_reader bytes = oc_bytes_read(blob, length);
    int64_t now;
    if (!oc_multiply_time(&now, oc_bytes_signed(&bytes), reader->unit))
        return damaged(reader, "a total out of range");
    oc_bytes_reader ahead = bytes;
    const size_t total_count = oc_bytes_count(&ahead);
    OC_TRY(read_totals(reader, &bytes));
    OC_TRY(read_open(reader, &bytes, total_count, now));
    /* Neither a variable's value nor sums of attributes. */
    const uint64_t has_number = oc_bytes_unsigned(&bytes);
    const uint64_t attribute_sums = oc_bytes_unsigned(&bytes);
    if (has_number > 0 || attribute_sums > 0 || bytes.failed || bytes.next != bytes.end)
        return damaged(reader, "running totals");
    reader->time = total_count > 0 ? now : INT64_MIN;
    return OCELOTL_OK;
}

static inline bool read_time(int64_t *time_read, int64_t *time, const unsigned char **next,
                             uint64_t unit)
{
    const uint64_t twice = read_number(next);
    const uint64_t bits = (twice >> 1) ^ (0 - (twice & 1));
    int64_t step;
    memcpy(&step, &bits, sizeof step);
    return !__builtin_add_overflow(*time_read, step, time_read) &&
           !__builtin_mul_overflow(*time_read, (int64_t)unit, time);
}

/* Begins to read the records of the columns, of which it needs times, codes and depths. Here it
 * makes sure that all their bytes are there. */
static ocelotl_status begin_records(oc_totals_reader *reader, size_t length)
{
    oc_bytes_reader bytes = oc_bytes_read(reader->columns, length);
    const int64_t before = reader->time;
    reader->columns[length] = 0;
    reader->end = bytes.end;
    reader->count = oc_bytes_count(&bytes);
    reader->next = 0;
    reader->time_read = 0;
    reader->times = bytes.next;
    skip_numbers(&bytes, reader->count);
    reader->codes = bytes.next;
    skip_numbers(&bytes, reader->count);
    reader->depths = bytes.next;
    if (reader->count == 0 || bytes.failed)
        return damaged(reader, "no records");
    if (!read_time(&reader->time_read, &reader->time, &reader->times, reader->unit) ||
        reader->time < before)
        return damaged(reader, "time goes back");
    return OCELOTL_OK;
}

static ocelotl_status decompress(oc_totals_reader *reader, const unsigned char *packed,
                                 size_t length)
{
    const unsigned long long size = ZSTD_getFrameContentSize(packed, length);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ||
        size > largest_chunk ||
        size / ZSTD_BLOCKSIZE_MAX > length / 4) /* a block takes four bytes at least */
        return damaged(reader, "it cannot be unpacked");
    OC_TRY(oc_grow(&reader->columns, &reader->columns_capacity, (size_t)size + 1, 1));
    const size_t written =
        ZSTD_decompressDCtx(reader->decompressor, reader->columns, (size_t)size, packed, length);
    if (ZSTD_getErrorCode(written) == ZSTD_error_memory_allocation)
        return oc_fail_memory();
    if (ZSTD_isError(written) || written != size)
        return damaged(reader, "it cannot be unpacked");
    return begin_records(reader, written);
}

/* The row's memory is SQLite's until the statement moves: what is read from later is copied. */
static ocelotl_status unpack_events(oc_totals_reader *reader, const unsigned char *blob,
                                    size_t length)
{
    if (length > 0 && blob[0] == PACKED_ZSTD)
        return decompress(reader, blob + 1, length - 1);
    if (length == 0 || blob[0] != PACKED_PLAIN)
        return damaged(reader, "it cannot be unpacked");
    OC_TRY(oc_grow(&reader->columns, &reader->columns_capacity, length, 1));
    memcpy(reader->columns, blob + 1, length - 1);
    return begin_records(reader, length - 1);
}

static ocelotl_status unpack(oc_totals_reader *reader, int64_t chunk, const oc_chunk_place *place)
{
    oc_chunk_bytes bytes;
    OC_TRY(oc_chunk_read_bytes(&bytes, reader->read_chunk, reader->trace, reader->finder.stream,
                               chunk, place));
    reader->unit = bytes.unit;
    if (reader->unit == 0 || reader->unit > INT64_MAX)
        return damaged(reader, "a tick of no length");
    OC_TRY(unpack_totals(reader, bytes.totals, bytes.totals_length));
    return unpack_events(reader, bytes.events, bytes.events_length);
}

static ocelotl_status load(oc_totals_reader *reader, int64_t chunk, const oc_chunk_place *place)
{
    forget_chunk(reader);
    const ocelotl_status status = unpack(reader, chunk, place);
    sqlite3_reset(reader->read_chunk);
    if (status == OCELOTL_OK)
        reader->chunk = chunk;
    return status;
}

/* The innermost state ends, another begins at the same instant. */
static inline ocelotl_status replace_state(oc_totals_reader *reader, uint64_t value, int64_t time)
{
    uint32_t place;
    OC_TRY(find_place(&place, reader, value));
    if (reader->open_count == 0)
        return damaged(reader, "something ends that has not begun");
    open_state *innermost = &reader->open[reader->open_count - 1];
    stop(reader, innermost->place, time);
    reader->sums[innermost->place].ended += (uint64_t)time - (uint64_t)innermost->begin;
    start(reader, place, time);
    reader->sums[place].begun++;
    *innermost = (open_state){place, time};
    return OCELOTL_OK;
}

static ocelotl_status end_deeper(oc_totals_reader *reader, int64_t time)
{
    oc_bytes_reader bytes = {reader->depths, reader->end, false};
    const uint64_t depth = oc_bytes_unsigned(&bytes);
    reader->depths = bytes.next;
    return bytes.failed ? damaged(reader, "an end of nothing") : end_state(reader, depth, time);
}

static inline ocelotl_status apply_record(oc_totals_reader *reader, uint64_t code, int64_t time)
{
    if (code >= CODE_FIRST_VALUE)
        return begin_state(reader, code - CODE_FIRST_VALUE, time);
    if (code == CODE_END)
        return end_state(reader, 0, time);
    return code == CODE_END_DEEPER ? end_deeper(reader, time)
                                   : damaged(reader, "a state of no value");
}

/* Applies the records up to a tick. */
static ocelotl_status apply_records(oc_totals_reader *reader, int64_t last)
{
    const size_t count = reader->count;
    const uint64_t unit = reader->unit;
    const unsigned char *times = reader->times;
    const unsigned char *codes = reader->codes;
    int64_t time_read = reader->time_read;
    int64_t time = reader->time;
    size_t next = reader->next;
    while (next < count && time <= last) {
        const int64_t before = time;
        uint64_t code = read_number(&codes);
        const bool replaced =
            code == CODE_END && next + 1 < count && *times == 0 && *codes >= CODE_FIRST_VALUE;
        if (replaced) {
            times++;
            next++;
            code = read_number(&codes);
        }
        OC_TRY(replaced ? replace_state(reader, code - CODE_FIRST_VALUE, time)
                        : apply_record(reader, code, time));
        if (++next < count && (!read_time(&time_read, &time, &times, unit) || time < before))
            return damaged(reader, "time goes back");
    }
    reader->times = times;
    reader->codes = codes;
    reader->time_read = time_read;
    reader->time = time;
    reader->next = next;
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
    if (reader->open_count > 0)
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
    return reader->open_count > 0;
}

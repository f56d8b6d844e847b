#include "store/read/state_bytes.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_state_bytes_free(oc_state_bytes *bytes)
{
    sqlite3_finalize(bytes->read_chunk);
    oc_blob_opener_free(&bytes->columns);
    oc_open_list_free(&bytes->open);
    free(bytes->values);
    *bytes = (oc_state_bytes){0};
}

ocelotl_status oc_state_bytes_fail(const oc_state_bytes *bytes, const char *what)
{
    return oc_fail_in_stream(bytes->reader->connection.trace, bytes->reader->stream,
                             oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what));
}

static void leave_chunk(oc_state_bytes *bytes)
{
    sqlite3_reset(bytes->read_chunk);
    bytes->chunk = 0;
}

/* Goes to a chunk's row, once for both reads of it. */
static ocelotl_status go_to_chunk(oc_state_bytes *bytes, size_t number)
{
    const oc_reader *reader = bytes->reader;
    if (bytes->chunk == number + 1)
        return OCELOTL_OK;
    leave_chunk(bytes);
    OC_TRY(oc_chunk_go_to(bytes->read_chunk, reader->connection.trace, reader->stream,
                          (int64_t)number, &reader->chunks[number]));
    bytes->chunk = number + 1;
    return OCELOTL_OK;
}

ocelotl_status oc_state_bytes_begin(oc_state_bytes *bytes, const oc_reader *reader)
{
    leave_chunk(bytes);
    bytes->reader = reader;
    bytes->at = (oc_states_at){0};
    return oc_connection_prepare(&bytes->read_chunk, &reader->connection, reader->stream,
                                 OC_CHUNK_BOTH);
}

/* --- What a chunk says of itself */

ocelotl_status oc_state_bytes_row(oc_chunk_row *row, oc_durations_bytes *read,
                                  oc_state_bytes *bytes, size_t chunk)
{
    OC_TRY(go_to_chunk(bytes, chunk));
    OC_TRY(oc_chunk_take_row(row, bytes->read_chunk, bytes->reader->connection.trace,
                             bytes->reader->stream, (int64_t)chunk, &bytes->reader->chunks[chunk]));
    oc_durations_begin(read, row->durations, row->durations_length, (uint64_t)row->unit);
    return OCELOTL_OK;
}

ocelotl_status oc_state_bytes_durations(bool *found, uint32_t *value, oc_duration_range *range,
                                        oc_durations_bytes *read, const oc_state_bytes *bytes)
{
    *found = oc_durations_next(value, range, read);
    const bool can_be =
        *found ? oc_state_bytes_is_value(bytes, *value) && range->low >= 0 : oc_durations_end(read);
    return can_be ? OCELOTL_OK : oc_state_bytes_fail(bytes, "durations that cannot be");
}

/* --- Its states */

static ocelotl_status take_open(oc_state_bytes *bytes, oc_fold_bytes *read, size_t total_count)
{
    oc_open_list_shorten(&bytes->open, sizeof(oc_open), 0);
    const size_t count = oc_fold_bytes_open_count(read);
    for (size_t i = 0; i < count && !read->bytes.failed; i++) {
        oc_open one;
        oc_open *added;
        oc_fold_bytes_open(&one, read);
        if (read->failed || one.total >= total_count || one.begin > read->time ||
            one.begin < oc_state_bytes_stream(bytes)->begin ||
            !oc_state_bytes_is_value(bytes, bytes->values[one.total]))
            return oc_state_bytes_fail(bytes, "something open that cannot be");
        OC_TRY(oc_open_list_begin(&added, &bytes->open, sizeof *added));
        *added = (oc_open){one.begin, bytes->values[one.total]};
    }
    return OCELOTL_OK;
}

static ocelotl_status take_totals(oc_state_bytes *bytes, const oc_chunk_bytes *chunk)
{
    oc_fold_bytes read;
    const size_t count = oc_fold_bytes_begin(&read, chunk->totals, chunk->totals_length,
                                             OC_ROLE_STATES, chunk->unit);
    OC_TRY(oc_grow(&bytes->values, &bytes->value_capacity, count, sizeof *bytes->values));
    for (size_t i = 0; i < count && !read.bytes.failed; i++) {
        oc_total total;
        oc_fold_bytes_total(&total, &read);
        bytes->values[i] = total.value;
    }
    OC_TRY(take_open(bytes, &read, count));
    bytes->before = count > 0 ? read.time : INT64_MIN;
    return read.failed || read.bytes.failed ? oc_state_bytes_fail(bytes, "running totals")
                                            : OCELOTL_OK;
}

static ocelotl_status take_columns(oc_state_bytes *bytes, const oc_chunk_bytes *chunk)
{
    const ZSTD_DDict *dictionary =
        oc_stream_dictionary(bytes->reader->connection.trace, bytes->reader->stream);
    OC_TRY(oc_blob_open(&bytes->columns, chunk->events, chunk->events_length, dictionary));
    OC_TRY(oc_states_begin(&bytes->at, &bytes->columns, chunk->unit));
    if (bytes->at.time < oc_state_bytes_stream(bytes)->begin)
        return oc_state_bytes_fail(bytes, "a time out of range");
    return bytes->at.time < bytes->before ? oc_state_bytes_fail(bytes, "time goes back")
                                          : OCELOTL_OK;
}

static ocelotl_status read_bytes(oc_state_bytes *bytes, size_t number, bool changes)
{
    oc_chunk_bytes chunk;
    bytes->at = (oc_states_at){0};
    OC_TRY(go_to_chunk(bytes, number));
    OC_TRY(oc_chunk_take_bytes(&chunk, bytes->read_chunk, OC_CHUNK_BYTES_BEHIND,
                               bytes->reader->connection.trace, bytes->reader->stream,
                               (int64_t)number, &bytes->reader->chunks[number]));
    if (chunk.unit == 0 || chunk.unit > INT64_MAX)
        return oc_state_bytes_fail(bytes, "a tick of no length");
    OC_TRY(take_totals(bytes, &chunk));
    return changes ? oc_fail_in_stream(bytes->reader->connection.trace, bytes->reader->stream,
                                       take_columns(bytes, &chunk))
                   : OCELOTL_OK;
}

ocelotl_status oc_state_bytes_read_open(oc_state_bytes *bytes, size_t chunk)
{
    return read_bytes(bytes, chunk, false);
}

ocelotl_status oc_state_bytes_read(oc_state_bytes *bytes, size_t chunk)
{
    return read_bytes(bytes, chunk, true);
}

/* --- States one after the other */

ocelotl_status oc_state_bytes_run(size_t *count, oc_ended_state *ended, size_t most, oc_open *last,
                                  bool alone, oc_state_bytes *bytes)
{
    oc_states_at at = bytes->at;
    oc_open open = *last;
    bool sound = open.total == OCELOTL_NONE || at.time >= open.begin;
    *count = 0;
    while (sound && *count < most && at.next < at.count) {
        const unsigned char *codes = at.codes;
        const uint64_t code = oc_states_number(&codes);
        const uint64_t value = (code - OC_ENTRY_BEGIN) >> 1;
        const bool is_open = open.total != OCELOTL_NONE;
        const bool begins = code >= OC_ENTRY_BEGIN;
        const bool ends = begins ? (code & 1) != 0 : alone && code == OC_CODE_END;
        if (ends != is_open || !(begins || ends))
            break;
        if (ends)
            ended[(*count)++] = (oc_ended_state){open.begin, at.time, (uint32_t)open.total};
        open = (oc_open){at.time, begins ? (uint32_t)value : OCELOTL_NONE};
        at.codes = codes;
        at.next++;
        sound = (!begins || oc_state_bytes_is_value(bytes, value)) && oc_states_go_on(&at);
    }
    if (!sound || (*count > 0 && ended[*count - 1].end > oc_state_bytes_stream(bytes)->end))
        return oc_state_bytes_fail(bytes, "a state that cannot be");
    *last = open;
    bytes->at = at;
    return OCELOTL_OK;
}

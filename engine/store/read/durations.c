#include "store/read/durations.h"

void oc_durations_reader_free(oc_durations_reader *reader)
{
    oc_state_bytes_free(&reader->bytes);
}

/* --- What a chunk says of itself */

/* *enough says whether the chunk need not be read. */
static ocelotl_status take_row(bool *enough, oc_state_bytes *bytes, size_t chunk,
                               const oc_durations_use *use)
{
    oc_chunk_row row;
    oc_durations_bytes read;
    OC_TRY(oc_state_bytes_row(&row, &read, bytes, chunk));
    *enough = use->is_enough(use->context, row.begin, row.end);
    for (bool found = *enough; found;) {
        uint32_t value;
        oc_duration_range range;
        OC_TRY(oc_state_bytes_durations(&found, &value, &range, &read, bytes));
        if (found)
            OC_TRY(use->take(use->context, value, row.end, &range));
    }
    return OCELOTL_OK;
}

/* --- Its states one by one */

enum { RUN_MOST = 128 };

static ocelotl_status end(oc_open_list *open, uint64_t depth, int64_t time,
                          const oc_durations_use *use)
{
    size_t index = 0;
    OC_TRY(oc_open_list_find(&index, open, depth));
    const oc_open ended = *(oc_open *)oc_open_list_at(open, sizeof(oc_open), index);
    OC_TRY(oc_open_list_remove(open, sizeof ended, index));
    if (time < ended.begin)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: time goes back");
    return use->take_states(use->context, &(oc_ended_state){ended.begin, time, ended.total}, 1);
}

static ocelotl_status begin(oc_open_list *open, uint32_t value, int64_t time)
{
    oc_open *begun;
    OC_TRY(oc_open_list_begin(&begun, open, sizeof *begun));
    *begun = (oc_open){time, value};
    return OCELOTL_OK;
}

static ocelotl_status take_change(oc_state_bytes *bytes, const oc_durations_use *use)
{
    oc_state_change change;
    OC_TRY(oc_state_bytes_next(&change, bytes));
    if (change.ends)
        OC_TRY(end(&bytes->open, change.depth, change.time, use));
    return change.begins ? begin(&bytes->open, change.value, change.time) : OCELOTL_OK;
}

/* Takes a run, in which a single open state may end. */
static ocelotl_status take_run(size_t *count, oc_state_bytes *bytes, const oc_durations_use *use)
{
    oc_ended_state ended[RUN_MOST];
    oc_open_list *open = &bytes->open;
    oc_open *innermost = oc_open_list_at(open, sizeof *innermost, open->count - 1);
    OC_TRY(oc_state_bytes_run(count, ended, RUN_MOST, innermost, open->count == 1, bytes));
    if (innermost->total == OCELOTL_NONE)
        oc_open_list_shorten(open, sizeof *innermost, 0);
    return *count > 0 ? use->take_states(use->context, ended, *count) : OCELOTL_OK;
}

static ocelotl_status take_states(oc_state_bytes *bytes, const oc_durations_use *use)
{
    while (oc_state_bytes_has_next(bytes)) {
        size_t count = 0;
        if (bytes->open.count > 0)
            OC_TRY(take_run(&count, bytes, use));
        if (count == 0)
            OC_TRY(take_change(bytes, use));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_durations_select(oc_durations_reader *reader, uint32_t stream)
{
    return oc_state_bytes_select(&reader->bytes, stream);
}

size_t oc_durations_chunks(const oc_durations_reader *reader, int64_t from, int64_t last)
{
    const oc_state_bytes *bytes = &reader->bytes;
    return oc_state_bytes_chunk_at(bytes, last) - oc_state_bytes_chunk_at(bytes, from) + 1;
}

ocelotl_status oc_durations_read(oc_durations_reader *reader, int64_t from, int64_t last,
                                 const oc_durations_use *use)
{
    oc_state_bytes *bytes = &reader->bytes;
    for (size_t i = oc_state_bytes_chunk_at(bytes, from);
         i < bytes->chunk_count && bytes->places[i].begin <= last; i++) {
        bool enough = false;
        OC_TRY(take_row(&enough, bytes, i, use));
        if (enough)
            continue;
        OC_TRY(oc_state_bytes_read(bytes, i));
        OC_TRY(oc_fail_in_trace(bytes->connection.trace, take_states(bytes, use)));
    }
    return OCELOTL_OK;
}

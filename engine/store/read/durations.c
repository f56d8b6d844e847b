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

static ocelotl_status try_row(bool *enough, oc_state_bytes *bytes, size_t chunk,
                              const oc_durations_use *use)
{
    const ocelotl_status status = take_row(enough, bytes, chunk, use);
    sqlite3_reset(bytes->read_row);
    return status;
}

/* --- Its states one by one */

static ocelotl_status end(oc_open_list *open, uint64_t depth, int64_t time,
                          const oc_durations_use *use)
{
    size_t index = 0;
    int64_t lasted;
    OC_TRY(oc_open_list_find(&index, open, depth));
    const oc_open ended = *(oc_open *)oc_open_list_at(open, sizeof(oc_open), index);
    OC_TRY(oc_open_list_remove(open, sizeof ended, index));
    if (__builtin_sub_overflow(time, ended.begin, &lasted) || lasted < 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: time goes back");
    return use->take(use->context, ended.total, time, &(oc_duration_range){lasted, lasted});
}

static ocelotl_status take_states(oc_state_bytes *bytes, const oc_durations_use *use)
{
    while (oc_state_bytes_has_next(bytes)) {
        oc_state_change change;
        OC_TRY(oc_state_bytes_next(&change, bytes));
        if (change.ends)
            OC_TRY(end(&bytes->open, change.depth, change.time, use));
        if (change.begins) {
            oc_open *begun;
            OC_TRY(oc_open_list_begin(&begun, &bytes->open, sizeof *begun));
            *begun = (oc_open){change.time, change.value};
        }
    }
    return OCELOTL_OK;
}

ocelotl_status oc_durations_read(oc_durations_reader *reader, uint32_t stream, int64_t from,
                                 int64_t last, const oc_durations_use *use)
{
    oc_state_bytes *bytes = &reader->bytes;
    OC_TRY(oc_state_bytes_select(bytes, stream));
    for (size_t i = oc_state_bytes_chunk_at(bytes, from);
         i < bytes->chunk_count && bytes->places[i].begin <= last; i++) {
        bool enough = false;
        OC_TRY(try_row(&enough, bytes, i, use));
        if (enough)
            continue;
        OC_TRY(oc_state_bytes_read(bytes, i));
        OC_TRY(oc_fail_in_trace(bytes->connection.trace, take_states(bytes, use)));
    }
    return OCELOTL_OK;
}

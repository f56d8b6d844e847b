#include "store/read/growth.h"

#include <math.h>

static ocelotl_status fail_falling(const oc_growth *growth)
{
    const ocelotl_trace *trace = growth->reader->connection.trace;
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: the counter \"%s\" falls",
                   oc_stream_path(trace, growth->reader->stream),
                   trace->event_types[trace->streams[growth->reader->stream].event_type].name);
}

static ocelotl_status read_chunk(oc_growth *growth, size_t chunk)
{
    OC_TRY(oc_reader_read(growth->reader, chunk, true));
    growth->chunk = chunk;
    growth->next = 0;
    return OCELOTL_OK;
}

/* Finds the reading behind those that have been taken. Of several at one time the last counts. */
static ocelotl_status look_ahead(oc_growth *growth)
{
    const oc_records *records = &growth->reader->records;
    growth->goes_on = false;
    for (;;) {
        if (growth->chunk == SIZE_MAX || growth->next == records->count) {
            if (growth->chunk + 1 >= growth->reader->chunk_count ||
                (growth->goes_on &&
                 growth->reader->chunks[growth->chunk + 1].begin > growth->until))
                break;
            OC_TRY(read_chunk(growth, growth->chunk + 1));
            continue;
        }
        const oc_record *record = &records->records[growth->next];
        if (growth->goes_on && record->time > growth->until)
            break;
        growth->goes_on = true;
        growth->until = record->time;
        growth->after = record->number;
        growth->next++;
    }
    if (growth->goes_on &&
        (!isfinite(growth->after) || (growth->is_read && growth->after < growth->before)))
        return fail_falling(growth);
    return OCELOTL_OK;
}

/* Finds the readings around an instant; those far behind the last ones without what is between. */
static ocelotl_status find(oc_growth *growth, int64_t ticks)
{
    const oc_records *records = &growth->reader->records;
    if (!growth->goes_on || growth->until > ticks)
        return OCELOTL_OK;
    growth->is_read = true;
    growth->since = growth->until;
    growth->before = growth->after;
    const size_t chunk = oc_reader_chunk_at(growth->reader, ticks == INT64_MAX ? ticks : ticks + 1);
    if (chunk > growth->chunk)
        OC_TRY(read_chunk(growth, chunk));
    for (; growth->next < records->count && records->records[growth->next].time <= ticks;
         growth->next++) {
        growth->since = records->records[growth->next].time;
        growth->before = records->records[growth->next].number;
    }
    return look_ahead(growth);
}

ocelotl_status oc_growth_begin(oc_growth *growth, oc_reader *reader, uint32_t stream, bool steps)
{
    *growth = (oc_growth){.reader = reader, .steps = steps, .chunk = SIZE_MAX, .ticks = INT64_MIN};
    OC_TRY(oc_reader_select(reader, stream));
    return look_ahead(growth);
}

/* What a counter grows by from one instant to another between two readings. */
static double between(const oc_growth *growth, int64_t from, double from_part, int64_t to,
                      double to_part)
{
    const double length = (double)((uint64_t)growth->until - (uint64_t)growth->since);
    const double time = (double)((uint64_t)to - (uint64_t)from) + (to_part - from_part);
    return growth->is_read && growth->goes_on && !growth->steps
               ? (growth->after - growth->before) * (time / length)
               : 0;
}

ocelotl_status oc_growth_move(double *grown, double *spread, oc_growth *growth, int64_t ticks,
                              double part)
{
    const oc_growth from = *growth;
    const bool begins = from.ticks == INT64_MIN;
    growth->ticks = ticks;
    growth->part = part;
    *grown = *spread = 0;
    if (!growth->goes_on && !growth->is_read)
        return OCELOTL_OK;
    if (!growth->goes_on || growth->until > ticks) {
        if (!begins)
            *grown = *spread = between(&from, from.ticks, from.part, ticks, part);
        return OCELOTL_OK;
    }
    OC_TRY(find(growth, ticks));
    if (begins)
        return OCELOTL_OK;
    const double first = between(&from, from.ticks, from.part, from.until, 0);
    const double last = between(growth, growth->since, 0, ticks, part);
    const bool whole = from.is_read && (from.steps || (from.ticks == from.since && from.part == 0));
    *grown = (whole ? from.after - from.before : first) + (growth->before - from.after) + last;
    *spread = (whole ? 0 : first) + last;
    return OCELOTL_OK;
}

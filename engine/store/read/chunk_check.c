#include "store/read/chunk_check.h"

#include <math.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

/* All but states may have none; variables have no other. */
static bool is_value(const ocelotl_trace *trace, const oc_stream *stream, uint32_t value)
{
    if (value == OCELOTL_NONE)
        return stream->role != OC_ROLE_STATES;
    return stream->role != OC_ROLE_VARIABLE && value < trace->value_count &&
           trace->values[value].event_type == stream->event_type;
}

/* --- Running totals */

static ocelotl_status check_totals(const ocelotl_trace *trace, const oc_stream *stream,
                                   const oc_fold *fold)
{
    uint64_t count = 0;
    int64_t innermost = 0;
    const int64_t passed = fold->total_count > 0 ? fold->time - stream->begin : 0;
    for (size_t i = 0; i < fold->total_count; i++) {
        const oc_total *total = &fold->totals[i];
        if (!is_value(trace, stream, total->value))
            return damaged("a total of a value that its stream does not have");
        if (total->count > stream->count - count)
            return damaged("more events than its stream has");
        count += total->count;
        if (total->innermost < 0 || total->innermost > passed - innermost || total->closed < 0)
            return damaged("a total out of range");
        innermost += total->innermost;
        if (!isfinite(total->integral))
            return damaged("an integral that is no number");
    }
    return OCELOTL_OK;
}

static ocelotl_status check_open(const oc_stream *stream, const oc_fold *fold)
{
    int64_t last = stream->begin;
    for (size_t i = 0; i < fold->open_count; i++) {
        const int64_t begin = fold->open[i].begin;
        if (begin < last || begin > fold->time)
            return damaged("what is open is out of order");
        last = begin;
    }
    return OCELOTL_OK;
}

static ocelotl_status check_numbers(const oc_fold *fold)
{
    if (fold->has_number && !isfinite(fold->number))
        return damaged("a value that is no number");
    for (size_t i = 0; i < fold->sum_count; i++)
        if (isnan(fold->sums[i].sum))
            return damaged("a sum that is no number");
    return OCELOTL_OK;
}

ocelotl_status oc_chunk_check_fold(const ocelotl_trace *trace, uint32_t stream, const oc_fold *fold)
{
    const oc_stream *of = &trace->streams[stream];
    const bool is_interval = of->role == OC_ROLE_STATES || of->role == OC_ROLE_LINKS_OUT;
    if (fold->total_count > 0 && (fold->time < of->begin || fold->time > of->end))
        return damaged("a time out of range");
    if (fold->open_count > 0 && (!is_interval || fold->total_count == 0))
        return damaged("something is open that cannot be");
    OC_TRY(check_totals(trace, of, fold));
    OC_TRY(check_open(of, fold));
    return check_numbers(fold);
}

/* --- Records */

static bool lies_in(const ocelotl_trace *trace, int64_t time, int64_t duration)
{
    int64_t other;
    return oc_add_times(&other, time, duration) && other >= trace->info.begin &&
           other <= trace->info.end;
}

/* The record of an arrival stands where the link ends, or at its beginning if that is later, or
 * later still if the beginning is not known; that of a departure where the link ends or its
 * resource does. */
static ocelotl_status check_link(const ocelotl_trace *trace, const oc_stream *stream,
                                 const oc_record *record)
{
    if (record->partner != OCELOTL_NONE && record->partner >= trace->resource_count)
        return damaged("a link to a resource that there is not");
    const bool arrived = stream->role == OC_ROLE_LINKS_IN && record->duration > 0;
    if (arrived &&
        (record->partner == OCELOTL_NONE || record->duration > record->time - trace->info.begin))
        return damaged("a link that lasts too long");
    if (!arrived && !lies_in(trace, record->time, record->duration))
        return damaged("a link that ends outside the trace");
    return OCELOTL_OK;
}

static ocelotl_status check_record(const ocelotl_trace *trace, const oc_stream *stream,
                                   const oc_record *record)
{
    if (stream->role == OC_ROLE_VARIABLE)
        return isfinite(record->number) ? OCELOTL_OK : damaged("a value that is no number");
    if (!record->ends && !is_value(trace, stream, record->value))
        return damaged("a value that its stream does not have");
    return oc_record_has_partner(record, stream->role) ? check_link(trace, stream, record)
                                                       : OCELOTL_OK;
}

ocelotl_status oc_chunk_check_records(const ocelotl_trace *trace, uint32_t stream,
                                      const oc_fold *fold, const oc_records *records)
{
    const oc_stream *of = &trace->streams[stream];
    if (records->count == 0 || records->count > of->count)
        return damaged("as many records as it cannot have");
    /* They are in order of time already. */
    const int64_t first = records->records[0].time;
    if (first < of->begin || records->records[records->count - 1].time > of->end)
        return damaged("a time out of range");
    if (fold->total_count > 0 && first < fold->time)
        return damaged("time goes back");
    for (size_t i = 0; i < records->count; i++)
        OC_TRY(check_record(trace, of, &records->records[i]));
    return OCELOTL_OK;
}

#include "query/sql/estimate.h"

#include "store/select/selection.h"

#include <math.h>

/* Events of a chunk, which is read whole, and what a reading and a stream take to begin, in rows.
 * */
static const double rows_of_chunk = 1000;
static const double cost_of_reading = 100;
static const double cost_of_stream = 20;

static bool is_link(const oc_stream *stream)
{
    return stream->role == OC_ROLE_LINKS_OUT || stream->role == OC_ROLE_LINKS_IN;
}

static bool is_read(const oc_selection *selection, const ocelotl_trace *trace,
                    const oc_stream *stream)
{
    return stream->count > 0 && oc_is_selected(selection->resources, stream->resource) &&
           oc_is_selected(selection->event_types, stream->event_type) &&
           (stream->role != OC_ROLE_LINKS_IN ||
            trace->event_types[stream->event_type].unmatched > 0) &&
           stream->begin <= (is_link(stream) ? selection->links_to : selection->to) &&
           stream->end >= selection->from;
}

/* The events of a stream, of which intervals have two records each, that lie in the window. */
static double rows_of(const oc_selection *selection, const oc_stream *stream)
{
    const bool interval = stream->role == OC_ROLE_STATES || stream->role == OC_ROLE_LINKS_OUT;
    const double rows = (double)stream->count / (interval ? 2 : 1);
    const double from = fmax((double)selection->from, (double)stream->begin);
    const double to = fmin((double)selection->to, (double)stream->end);
    const double length = (double)stream->end - (double)stream->begin;
    const double inside = length > 0 && to - from < length ? fmax(0, to - from) / length : 1;
    return fmax(rows * inside, fmin(rows, rows_of_chunk));
}

oc_estimate oc_estimate_reading(const oc_selection *selection, const ocelotl_trace *trace)
{
    oc_estimate sum = {0};
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (!is_read(selection, trace, stream))
            continue;
        sum.streams++;
        sum.rows += rows_of(selection, stream);
    }
    return sum;
}

oc_estimate oc_estimate_share(oc_estimate whole, double streams, double time)
{
    const oc_estimate all = {whole.streams * streams, whole.rows * streams};
    return (oc_estimate){all.streams,
                         fmax(all.rows * time, fmin(all.rows, all.streams * rows_of_chunk))};
}

double oc_estimate_cost(oc_estimate estimate)
{
    return cost_of_reading + cost_of_stream * estimate.streams + estimate.rows;
}

bool oc_can_hold_links(const oc_selection *selection, const ocelotl_trace *trace)
{
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (is_link(&trace->streams[s]) && is_read(selection, trace, &trace->streams[s]))
            return true;
    return false;
}

/* The events of all selected streams in the order in which they end: a heap of streams, each at its
 * next event. */
#include "query/events/events.h"

#include "base/memory.h"

#include <stdlib.h>

/* A stream that has not come to its end. */
typedef struct timed_stream {
    int64_t time; /* not after the end of its next event */
    uint32_t stream;
    ocelotl_events *events; /* NULL: its first event is not known yet */
    ocelotl_event event;
} timed_stream;

struct oc_events_by_time {
    timed_stream *heap; /* the earliest first */
    size_t count;
    bool given; /* the first one's event has been given */
};

static bool is_before(const timed_stream *a, const timed_stream *b)
{
    return a->time != b->time ? a->time < b->time : a->stream < b->stream;
}

/* Brings what may be too early to its place. */
static void sift(struct oc_events_by_time *by_time, size_t place)
{
    timed_stream *heap = by_time->heap;
    for (;;) {
        size_t least = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < by_time->count;
             child++)
            if (is_before(&heap[child], &heap[least]))
                least = child;
        if (least == place)
            return;
        const timed_stream moved = heap[place];
        heap[place] = heap[least];
        heap[least] = moved;
        place = least;
    }
}

void oc_events_by_time_free(struct oc_events_by_time *by_time)
{
    if (by_time == NULL)
        return;
    for (size_t i = 0; i < by_time->count; i++)
        oc_events_free_reading(by_time->heap[i].events);
    free(by_time->heap);
    free(by_time);
}

/* What begins late is opened late. What ends at a stream may be known to have ended before its
 * first record. */
static int64_t first_time(const oc_stream *stream)
{
    return stream->role == OC_ROLE_LINKS_IN ? INT64_MIN : stream->begin;
}

static ocelotl_status list_streams(struct oc_events_by_time *by_time, ocelotl_events *events)
{
    const ocelotl_trace *trace = events->trace;
    OC_TRY(oc_allocate(&by_time->heap, trace->stream_count, sizeof *by_time->heap));
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_events_selects(events, &trace->streams[s]))
            by_time->heap[by_time->count++] =
                (timed_stream){.time = first_time(&trace->streams[s]), .stream = s};
    for (size_t i = by_time->count / 2; i-- > 0;)
        sift(by_time, i);
    return OCELOTL_OK;
}

/* Goes to the next event of the first stream, or takes this away where there is none. */
static ocelotl_status advance(struct oc_events_by_time *by_time, const ocelotl_events *events)
{
    timed_stream *first = &by_time->heap[0];
    bool found = false;
    if (first->events == NULL)
        OC_TRY(oc_events_begin_reading(&first->events, events, first->stream));
    OC_TRY(oc_events_next_of_stream(&found, &first->event, first->events));
    if (found && first->event.end > first->time)
        first->time = first->event.end;
    if (!found) {
        oc_events_free_reading(first->events);
        *first = by_time->heap[--by_time->count];
    }
    sift(by_time, 0);
    return OCELOTL_OK;
}

ocelotl_status oc_events_next_by_time(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    if (events->by_time == NULL) {
        OC_TRY(oc_allocate(&events->by_time, 1, sizeof *events->by_time));
        OC_TRY(list_streams(events->by_time, events));
    }
    struct oc_events_by_time *by_time = events->by_time;
    *found = false;
    if (by_time->given)
        OC_TRY(advance(by_time, events));
    by_time->given = false;
    while (by_time->count > 0 && by_time->heap[0].events == NULL)
        OC_TRY(advance(by_time, events));
    if (by_time->count == 0)
        return OCELOTL_OK;
    *found = by_time->given = true;
    *event = by_time->heap[0].event;
    return OCELOTL_OK;
}

int64_t oc_events_row(const ocelotl_events *events)
{
    return events->in_time ? events->by_time->heap[0].events->row : events->row;
}

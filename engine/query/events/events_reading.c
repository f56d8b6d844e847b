/* One stream being read by itself, of those that were asked for. */
#include "query/events/events.h"

#include "base/memory.h"

#include <stdlib.h>

void oc_events_free_reading(ocelotl_events *one)
{
    if (one == NULL)
        return;
    oc_reader_free(&one->reader);
    oc_open_list_free(&one->open);
    free(one->holds);
    free(one->ended);
    oc_text_free(&one->key);
    oc_text_free(&one->attributes);
    free(one);
}

bool oc_events_selects(ocelotl_events *events, const oc_stream *stream)
{
    const oc_selection *selection = &events->selection;
    const int64_t lives_until = events->trace->resources[stream->resource].end;
    const bool link = stream->role == OC_ROLE_LINKS_OUT || stream->role == OC_ROLE_LINKS_IN;
    events->from = selection->from;
    events->to = link ? selection->links_to : selection->to;
    if (stream->count == 0 ||
        (selection->resources != NULL && !selection->resources[stream->resource]) ||
        (selection->event_types != NULL && !selection->event_types[stream->event_type]))
        return false;
    /* A link that outlives its source is noted at the source's end. */
    if (stream->role == OC_ROLE_LINKS_OUT && lives_until < events->from)
        events->from = lives_until;
    if (stream->role == OC_ROLE_LINKS_IN)
        return events->trace->event_types[stream->event_type].unmatched > 0 &&
               stream->end >= events->from;
    const int64_t end =
        stream->role == OC_ROLE_VARIABLE && lives_until > stream->end ? lives_until : stream->end;
    return stream->begin <= events->to && end >= events->from;
}

ocelotl_status oc_events_begin_reading(ocelotl_events **one, const ocelotl_events *all,
                                       uint32_t stream)
{
    ocelotl_events *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = all->trace;
    made->reader.trace = all->trace;
    made->catalogue = all->catalogue;
    made->selection = all->selection;
    made->stream = stream;
    oc_events_selects(made, &all->trace->streams[stream]);
    const ocelotl_status status = oc_events_begin_stream(made);
    if (status != OCELOTL_OK) {
        oc_events_free_reading(made);
        return status;
    }
    *one = made;
    return OCELOTL_OK;
}
